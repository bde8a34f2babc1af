// How often a condition holds right after the deal: exactly where it asks for the cards of one hand
// and all hands can be tried, else by dealing.
#pragma once

#include "engine/api/text.h"
#include "tournaments/run/host.h"
#include "tournaments/run/named_game.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace croupier::tournaments {

struct AskedDeals {
    GameArguments game;
    std::string where;   // a condition as JSON
    std::uint64_t deals; // to try, if hands cannot be counted
    std::uint64_t seed;
    std::size_t keep; // at most so many examples
};

struct CountedDeals {
    std::uint64_t found = 0;
    std::uint64_t of = 0; // deals, or hands
    std::string hand;     // "8 of 32 cards for south" if all such hands were counted; else empty
    bool interrupted = false;               // by host.stop; the counts are of the deals up to there
    std::vector<engine::Document> examples; // states in which players are about to move

    // With the 95 % interval of Clopper and Pearson, which is empty for hands that were counted.
    struct Chance {
        double rate = 0;
        double low = 0;
        double high = 0;
    };
    [[nodiscard]] Chance chance() const;
};

// Throws UserError for a game or condition that cannot be used, and for a game that is aborted.
CountedDeals count_deals(const AskedDeals& asked, const HostServices& host);

} // namespace croupier::tournaments
