// What a run of rules in one of several ways has come to, which must be the same in all of them.
#pragma once

#include "engine/run/interpreter.h"

#include <cstdint>
#include <ostream>
#include <string>

namespace croupier::engine {

struct Made {
    std::string state;
    std::string error; // of which kind, and in which rule
    std::uint64_t matches = 0;
    std::uint64_t firings = 0;

    void add(const RunResult& result) {
        matches += result.matches;
        firings += result.firings;
        if (result.error) {
            error = std::string(name_of(result.error->kind)) + " in " + result.error->rule;
        }
    }
    friend bool operator==(const Made&, const Made&) = default;
};

inline void PrintTo(const Made& made, std::ostream* out) {
    *out << made.state.substr(0, 2000) << " " << made.error << ", " << made.matches << " matches, "
         << made.firings << " firings";
}

} // namespace croupier::engine
