// Hand-written records and counts for tests.
#pragma once

#include "results/record.h"
#include "results/statistics/means.h"

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace croupier::results {

// Random results for simulations in tests, equal on every platform.

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}

    // Uniform in [0, 1[; distributions of the standard library differ between platforms.
    double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    bool chance(double probability) { return uniform() < probability; }
    // A game's score for one side.
    double game(double win, double draw) {
        const double at = uniform();
        return at < win ? 1 : at < win + draw ? 0.5 : 0;
    }

  private:
    std::mt19937_64 engine_;
};

// Block means as counts of equally spaced scores from 0 to 1.
inline BlockMean mean_of_counts(std::span<const std::uint64_t> counts) {
    BlockMean mean;
    const auto steps = static_cast<double>(counts.size() - 1);
    for (std::size_t i = 0; i < counts.size(); ++i)
        for (std::uint64_t n = 0; n < counts[i]; ++n)
            mean.add(static_cast<double>(i) / steps);
    return mean;
}

// A run of a game in which everyone plays alone.
inline RunFacts facts_of(std::size_t seats, std::vector<std::string> agents) {
    RunFacts facts;
    facts.game = "nim";
    for (std::size_t seat = 0; seat < seats; ++seat)
        facts.players.push_back("P" + std::to_string(seat));
    facts.agents = std::move(agents);
    return facts;
}

struct Seated {
    std::uint32_t agent;
    std::uint32_t place;
};

// A game by seating and places; 1 point for the first place, else 0.
inline GameRecord game_of(std::uint64_t block, std::uint32_t game, const std::vector<Seated>& seats,
                          std::uint64_t line = 0) {
    GameRecord record;
    record.block = block;
    record.game = game;
    record.plies = 10;
    record.line = line;
    for (const Seated& seat : seats) {
        SeatRecord row;
        row.agent = seat.agent;
        row.place = seat.place;
        row.score = seat.place == 1 ? 1 : 0;
        record.seats.push_back(row);
    }
    return record;
}

} // namespace croupier::results
