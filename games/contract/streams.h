// Where a game's chance comes from: one stream per run, deal, purpose and seat.
#pragma once

#include "engine/api/run.h"

#include <cstdint>
#include <vector>

namespace croupier::games {

using engine::Random;
using Seat = std::uint32_t; // 0 to players - 1, in the order of play

// What a stream is drawn for. The numbers are part of what a seed means and never change.
enum class Purpose : std::uint64_t {
    Deal = 1,   // what is there before the first move
    Play = 2,   // what happens by chance after it
    Choice = 3, // what a player leaves to chance; one stream a seat
};

// No stream depends on how much another was used, so that the same deal can be played again by
// other players. `round` tells apart the games of one deal (rotations of the seats): their deals
// are the same, what happens afterwards is not.
inline Random stream(std::uint64_t seed, std::uint64_t deal, Purpose purpose,
                     std::uint64_t round = 0, Seat seat = 0) {
    const Random one = Random(seed).stream(deal).stream(static_cast<std::uint64_t>(purpose));
    return purpose == Purpose::Deal ? one : one.stream(round).stream(seat);
}

// All streams of one game: who plays it with them plays the game of that seed and deal.
struct GameStreams {
    GameStreams(std::uint64_t seed, std::uint64_t deal_number, std::size_t seats)
        : deal(stream(seed, deal_number, Purpose::Deal)),
          play(stream(seed, deal_number, Purpose::Play)) {
        for (Seat seat = 0; seat < seats; ++seat)
            choices.push_back(stream(seed, deal_number, Purpose::Choice, 0, seat));
    }

    Random deal;
    Random play;
    std::vector<Random> choices; // by seat
};

} // namespace croupier::games
