// Many games of one program: what is asked and what came of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace croupier::engine::clips {

struct GameOptions {
    std::uint64_t games = 1;
    std::uint64_t seed = 1;
    std::int64_t limit = -1;           // firings of a game
    std::vector<std::string> patterns; // facts to look for at the end of each
    // Under the random strategy: a matcher without an order, and counting instead of listing. Off
    // in tests, which compare.
    bool seeking = true;
    bool counting = true;
};

struct GameReport {
    std::uint64_t games = 0;
    std::uint64_t firings = 0;
    std::map<std::string, std::uint64_t> counts;
    bool stopped_by_limit = false;
    bool sought = false; // by a Seeker
};

} // namespace croupier::engine::clips
