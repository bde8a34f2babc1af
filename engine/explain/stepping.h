// A group firing by firing: where it stands after so many, what fires next, which nodes a rule's
// matches stand on. Runs begin anew each time, so that a step back is as good as one forward.
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
    std::uint64_t firings = 0;     // so many have been made
    bool ended = false;            // the group is through
    std::optional<RunError> error; // that has ended it
    // What fires next, and by which match.
    struct Firing {
        RuleId rule = kNone;
        bool otherwise = false; // its `else`
        NamedValues match;
    };
    std::optional<Firing> next;
    // A match of an agenda group, as it was when the next was chosen.
    struct Activation {
        RuleId rule = kNone;
        int salience = 0;
        bool fired = false; // already, not to fire again while it holds
        NamedValues match;
    };
    std::vector<Activation> agenda;
    std::vector<std::string> printed; // by @print
};

// Runs the group on the state, which becomes that after `firings` of them, or at the end. With
// rules in `until`: after more, up to where one of these comes next.
Stand stand_after(const Program& program, GroupId group, State& state, const Random& random,
                  std::uint64_t firings, std::span<const RuleId> until, const Budgets& budgets);

struct Standing {
    std::uint64_t count = 0;
    struct Match {
        NamedValues values;
        std::vector<std::string> nodes; // paths that entries of the condition stand on
    };
    std::vector<Match> matches; // the first
    std::optional<RunError> error;
};

// The matches that a rule in no other rule has on that state.
Standing standing_matches(const Program& program, RuleId rule, State& state, Random random,
                          std::size_t most, const Budgets& budgets);

} // namespace croupier::engine
