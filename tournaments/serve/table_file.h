// Tables as files, so that games go on when the program is started again: for each table a small
// file of who sits there, and a record for each game that was played at it.
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

// One that holds a seat, or several; known by a secret that stands in the address of his page.
struct Chair {
    std::string secret;
    std::vector<games::Seat> seats;
};
// A seat for another person; the code is good once, and becomes a chair.
struct Invitation {
    std::string code;
    games::Seat seat = 0;
};

// Who sits at a table, and what is played there.
struct TableSheet {
    std::string name;     // of its files: "belote-3f9a0c12"
    std::size_t deal = 1; // which game at this table
    std::string game;     // as the command line calls it
    std::string revision;
    std::vector<games::GameOption> options; // all of them
    std::uint64_t seed = 0;
    bool random_deal = true; // nobody has chosen the seed
    std::vector<std::string> agents;
    std::vector<Chair> chairs;
    std::vector<Invitation> invitations;
    std::uint32_t pace_ms = 0; // the least time for a move of an agent
};
// The header of its game's record.
tournaments::RecordHeader header_of(const TableSheet& sheet);
std::string sheet_text(const TableSheet& sheet);
// Nothing: that is none, or one whose seats do not agree with each other.
std::optional<TableSheet> read_sheet(std::string_view text);

// The folder of all of them. Threads may share it if they work on different tables.
class TableFolder {
  public:
    explicit TableFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // False: the folder cannot be made, or not be written to.
    [[nodiscard]] bool make() const;
    struct Read {
        std::vector<TableSheet> sheets;
        std::vector<std::filesystem::path> damaged; // files that are no sheets
    };
    [[nodiscard]] Read read() const;
    // False: it could not be written.
    [[nodiscard]] bool keep(const TableSheet& sheet) const;
    [[nodiscard]] bool append(const TableSheet& sheet, const LiveGame::RecordLines& lines) const;
    [[nodiscard]] std::optional<std::string> record(const TableSheet& sheet) const;
    [[nodiscard]] std::filesystem::path record_path(const TableSheet& sheet) const;

  private:
    std::filesystem::path folder_;
};

// A table whose game goes on where its record ends. Null: its rules do not allow the moves any
// more.
std::unique_ptr<LiveGame> restored(std::shared_ptr<const games::Game> game, const TableSheet& sheet,
                                   std::string_view record);

} // namespace croupier::serve
