// Answers `why RULE`: how far its condition gets on a state, and what stops it.
#pragma once

#include "engine/plan/program.h"
#include "engine/run/error.h"
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
    std::optional<RunError> error;
};

// `program` must be compiled with `observed`.
Why explain(const Program& program, RuleId rule, State& state, Random& random,
            const Budgets& budgets = {});

// For people: the verdict, the entries with their counts in the margin, the furthest partial match.
std::string to_text(const Why& why, const Sources& sources);

// One line of a ruleset's text, shortened for display.
std::string excerpt(const Sources& sources, Span span, std::size_t longest = 72);

} // namespace croupier::engine
