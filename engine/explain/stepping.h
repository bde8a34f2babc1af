// Runs a group firing by firing: the state after N firings, what fires next, which nodes a rule's
// matches stand on. Each call runs from the start, so a step back costs as much as one forward.
#pragma once

#include "engine/explain/near_miss.h"
#include "engine/run/error.h"
#include "engine/run/program.h"
#include "engine/run/random.h"
#include "engine/state/state.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace croupier::engine {

struct Stand {
    std::uint64_t firings = 0;     // firings made so far
    bool ended = false;            // the group has finished
    std::optional<RunError> error; // the error that ended it
    // The next firing and its match.
    struct Firing {
        RuleId rule = kNone;
        bool otherwise = false; // its `else`
        NamedValues match;
    };
    std::optional<Firing> next;
    // A match of an agenda group, as of the choice of the next firing.
    struct Activation {
        RuleId rule = kNone;
        int salience = 0;
        bool fired = false; // has fired, so it does not fire again while it holds
        NamedValues match;
    };
    std::vector<Activation> agenda;
    std::vector<std::string> printed; // by @print
};

// Runs the group on the state up to `firings` firings or the end, and leaves the state there. With
// rules in `until` continues to where one of them fires next.
Stand stand_after(const Program& program, GroupId group, State& state, const Random& random,
                  std::uint64_t firings, std::span<const RuleId> until, const Budgets& budgets);

struct Standing {
    std::uint64_t count = 0;
    struct Match {
        NamedValues values;
        std::vector<std::string> nodes; // paths of nodes that entries of the condition stand on
    };
    std::vector<Match> matches; // the first `most`
    std::optional<RunError> error;
};

// The matches on that state of a rule that is not nested.
Standing standing_matches(const Program& program, RuleId rule, State& state, Random random,
                          std::size_t most, const Budgets& budgets);

} // namespace croupier::engine
