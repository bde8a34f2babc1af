// Deals that nobody chooses. The host and each player give a share of the seed, after all have
// shown the hashes of theirs. At the end the shares are opened: then a player's own record of what
// was shown proves that the host has neither chosen the deal nor changed it.
//
// It does not prove that the host, who deals and so knows all hands, has told nobody of them.
#pragma once

#include "games/contract/game.h"
#include "tournaments/replay/record.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::serve {

// SHA-256, in hexadecimal digits.
std::string hash_of(std::string_view text);
bool is_hash(std::string_view text);
// Who has shown which hash, as pages get and keep it.
nlohmann::ordered_json hashes_json(std::span<const tournaments::Share> shares);
// The first 63 bits of the hash of all shares, each on a line.
std::uint64_t seed_of(std::span<const tournaments::Share> shares);
// Why the game of an opened record is not the one that its shares give; nothing if it is, or if
// there are none.
std::optional<std::string> wrong_share(const tournaments::RecordHeader& header);

// Whether it begins as the record that a page keeps of what it was shown.
bool is_seat_record(const tournaments::Record& record);
struct SeatCheck {
    std::vector<std::string> players; // of the seats
    std::vector<std::string> sharers;
    std::size_t shown = 0; // positions
    // The first thing that does not agree, with its place.
    std::optional<std::string> wrong;

    [[nodiscard]] std::string text() const; // for people
};
// Compares what a page was shown with the opened record, whose moves must be legal. Throws
// UserError where `own` is malformed.
SeatCheck check_seat(const tournaments::Record& own, const tournaments::Record& opened,
                     const tournaments::RecordHeader& header,
                     const std::shared_ptr<const games::Game>& game);

} // namespace croupier::serve
