// The random streams of a game: one per run, deal, purpose and seat.
#pragma once

#include "engine/api/run.h"

#include <cstdint>
#include <vector>

namespace croupier::games {

using engine::Random;
using Seat = std::uint32_t; // 0 to players - 1, in the order of play

// What a stream is drawn for. These numbers are part of the meaning of a seed and never change.
enum class Purpose : std::uint64_t {
    Deal = 1,   // before the first move
    Play = 2,   // chance after the first move
    Choice = 3, // random choices of players; one stream per seat
    Look = 4,   // playouts that judge who leads
};

// Streams are independent of how much others were used, so that other players can play the same
// deal again. `round` distinguishes the games of one deal (rotations of the seats): their deals are
// equal, later chance differs.
class DealStreams {
  public:
    DealStreams(std::uint64_t seed, std::uint64_t deal) : all_(Random(seed).stream(deal)) {}

    [[nodiscard]] Random of(Purpose purpose, std::uint64_t round = 0, Seat seat = 0) const {
        const Random one = all_.stream(static_cast<std::uint64_t>(purpose));
        return purpose == Purpose::Deal ? one : one.stream(round).stream(seat);
    }

  private:
    Random all_;
};

inline Random stream(std::uint64_t seed, std::uint64_t deal, Purpose purpose,
                     std::uint64_t round = 0, Seat seat = 0) {
    return DealStreams(seed, deal).of(purpose, round, seat);
}

// All streams of one game, by seed and deal.
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
