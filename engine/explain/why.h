// Answers `why RULE`: how far its condition gets on a state, and what stops it.
#pragma once

#include "engine/run/error.h"
#include "engine/run/program.h"
#include "engine/run/random.h"
#include "engine/text/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {

struct EntryCount {
    std::uint32_t entry = 0;
    std::uint32_t depth = 0;
    Span span;
    std::uint64_t reached = 0; // partial matches that got to it
    std::uint64_t passed = 0;  // partial matches that it let through
};

using NamedValues = std::vector<std::pair<std::string, Scalar>>;

struct Why {
    std::string rule;
    Span span;
    std::vector<NamedValues> matches; // the rule fires, with these
    std::vector<EntryCount> entries;  // in the order written
    // Where the furthest partial match ended; only if there are no matches.
    struct Stop {
        std::uint32_t entry = 0;
        Span span;
        NamedValues bound;
        std::optional<Scalar> found; // the value that stood there; none if there was no such node
        bool inverted = false;       // @not: stopped because its pattern matched
    };
    std::optional<Stop> furthest;
    // What became of the rule when its agenda group ran from this state; only for rules of one.
    struct Agenda {
        std::string group;
        std::string strategy;
        std::uint64_t firings = 0; // of all rules
        bool limit_reached = false;
        std::optional<RunError> error; // that ended the run
        struct Firing {
            std::uint64_t number = 0; // from 1, among those of all rules
            NamedValues values;
        };
        std::vector<Firing> fired;
        // Others that fired while this rule waited, by name.
        struct Rival {
            std::string rule;
            std::uint64_t times = 0;
            std::uint64_t equal = 0; // of these, by the strategy, with the same salience
            int salience = 0;        // the latest time, its own
            int against = 0;         // and this rule's highest
        };
        std::vector<Rival> rivals;
        // Whose firings took matches of this rule away before their turn.
        struct Taken {
            std::string by;
            std::uint64_t firing = 0; // the number of the first
            std::uint64_t times = 0;
        };
        std::vector<Taken> taken;
        std::uint64_t waiting = 0; // at the end
        std::uint64_t spent = 0;   // at the end: matches that hold on after they have fired
    };
    std::optional<Agenda> agenda;
    std::optional<RunError> error;
    // Whether the rule fires: on this state, or when its agenda group runs from it.
    [[nodiscard]] bool fires() const {
        return agenda ? !agenda->fired.empty() : !error && !matches.empty();
    }
};

// The agenda group of the rule, if it is in one, runs
// on a copy of the state.
Why explain(const Program& program, RuleId rule, State& state, Random& random,
            const Budgets& budgets = {});

// For people: the verdict, the entries with their counts in the margin, the furthest partial match.
std::string to_text(const Why& why, const Sources& sources);

// One line of a ruleset's text, shortened for display.
std::string excerpt(const Sources& sources, Span span, std::size_t longest = 72);

} // namespace croupier::engine
