// Tables as files, so that games continue after a restart: for each table a small file with its
// seats, and a record of each game.
#pragma once

#include "tournaments/replay/live_game.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::serve {

using tournaments::LiveGame;
using tournaments::SeatedAgent;
using tournaments::SeatedPerson;

// Holds one seat or several; identified by a secret in the page's address.
struct Chair {
    std::string secret;
    std::vector<games::Seat> seats;
    std::string agent = {}; // that plays for it; empty: the person does
    bool gone = false;      // it does so because the person's page is gone
    std::string hash = {};  // of its share of the seed, once given
    std::string share = {}; // once given
};
// A seat for another person; the code can be used once, and becomes a chair.
struct Invitation {
    std::string code;
    games::Seat seat = 0;
};

// The seats of a table, and its game.
struct TableSheet {
    std::string name;     // prefix of its files: "belote-3f9a0c12"
    std::size_t deal = 1; // number of the game at this table
    std::string game;     // as the command line names it
    std::string revision;
    std::vector<games::GameOption> options; // all of them
    std::uint64_t seed = 0;
    bool random_deal = true; // the seed was not chosen
    std::vector<std::string> agents;
    std::vector<Chair> chairs;
    std::vector<Invitation> invitations;
    std::uint32_t pace_ms = 0; // minimum time for an agent's move
    bool fair = false;         // the seed is made of shares (fair_deal.h)
    bool dealt = true;         // false until all have given theirs
    std::string host_share = {};
};
// The host's share and those of the chairs, as far as they are known.
std::vector<tournaments::Share> shares_of(const TableSheet& sheet, const games::Facts& facts);
// The header of its game's record.
tournaments::RecordHeader header_of(const TableSheet& sheet, const games::Facts& facts);
std::string sheet_text(const TableSheet& sheet);
// Nothing if it is not a sheet, or if its seats are inconsistent.
std::optional<TableSheet> read_sheet(std::string_view text);

// The folder of all tables. Threads may share it for different tables.
class TableFolder {
  public:
    explicit TableFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // False if the folder cannot be created, or is not writable.
    [[nodiscard]] bool make() const;
    struct Read {
        std::vector<TableSheet> sheets;
        std::vector<std::filesystem::path> damaged; // files that are not valid sheets
    };
    [[nodiscard]] Read read() const;
    // False if it could not be written.
    [[nodiscard]] bool keep(const TableSheet& sheet) const;
    [[nodiscard]] bool append(const TableSheet& sheet, const LiveGame::RecordLines& lines) const;
    [[nodiscard]] std::optional<std::string> record(const TableSheet& sheet) const;
    [[nodiscard]] std::filesystem::path record_path(const TableSheet& sheet) const;

  private:
    std::filesystem::path folder_;
};

// A table whose game continues from the end of its record. Null if the rules no longer allow the
// moves.
std::unique_ptr<LiveGame> restored(std::shared_ptr<const games::Game> game, const TableSheet& sheet,
                                   std::string_view record);

} // namespace croupier::serve
