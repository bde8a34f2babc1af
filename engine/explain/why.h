// Answers `why RULE`: whether it fires, how far its condition gets, and what stops it.
#pragma once

#include "engine/explain/near_miss.h"
#include "engine/run/error.h"
#include "engine/run/program.h"
#include "engine/run/random.h"
#include "engine/state/state.h"
#include "engine/text/source.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine {

struct EntryCount {
    std::uint32_t entry = 0;
    std::uint32_t depth = 0;
    Span span;
    std::uint64_t reached = 0; // partial matches that got to it
    std::uint64_t passed = 0;  // partial matches that it let through
};

// What became of a rule when its group ran from a state: a copy of it, so that what stands before
// the rule in the group has acted.
struct Why {
    using Stop = WhyStop;

    std::string rule;
    Span span;
    std::string group;                // the named group that it stands in, or below
    std::vector<NamedValues> matches; // the rule fires, with these; of rules around it first
    std::vector<EntryCount> entries;  // in the order written, over all its runs
    // Where the nearest partial match ended; only if there are no matches.
    std::optional<Stop> furthest;
    // Rules inside others run as often as these act.
    struct Run {
        NamedValues around; // the variables of the rules around it
        std::uint64_t matches = 0;
        std::optional<Stop> stop; // if there are none
    };
    std::vector<Run> runs; // the first kMaxRuns
    static constexpr std::size_t kMaxRuns = 1000;
    std::uint64_t times_run = 0;
    std::uint64_t times_without = 0; // of these, without a match
    bool otherwise = false;          // its `else` has acted
    std::vector<std::string> around; // the rules that it stands in, the outermost first
    // It was not run, since that rule around it has no match, which has stopped there; or it has
    // matches, and this one stands in its `else`.
    struct Outside {
        std::string rule;
        Span span;
        bool has_matches = false;
        std::optional<Stop> stop;
    };
    std::optional<Outside> outside;
    // Matches that a rule in no other has on the state as it was given, if their number is not
    // the same, and who has acted before it.
    std::optional<std::uint64_t> at_first;
    std::vector<std::string> before;
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
    std::optional<RunError> error; // of the rule itself
    // What ended the run in another rule; if that was before it could run, all else is told of the
    // state as it was given.
    std::optional<RunError> group_error;
    bool alone = false;
    // Whether the rule fires: on this state, or when its agenda group runs from it.
    [[nodiscard]] bool fires() const {
        return agenda ? !agenda->fired.empty() : !error && !matches.empty();
    }
};

// Runs the rule's group on a copy of the state.
Why explain(const Program& program, RuleId rule, State& state, Random& random,
            const Budgets& budgets = {});

// For people: the verdict, the entries with their counts in the margin, the nearest partial match.
std::string to_text(const Why& why, const Sources& sources);

// What `why` says of a rule in an agenda group.

// Runs the group on the state, which it changes.
Why::Agenda explain_agenda(const Program& program, GroupId group, RuleId rule, State& state,
                           Random& random, const Budgets& budgets);

std::string to_text(const Why::Agenda& agenda);

// The values that a match gives the rule's variables.
NamedValues named_values(const RulePlan& rule, std::span<const Value> match, const State& state);

// Runs a rule's group and watches every run of the rule, be it inside others.

// Where a rule stands.
struct RulePlace {
    GroupId group = kNone;      // the named one
    std::vector<RuleId> around; // the rules that it stands in, the outermost first
    std::vector<bool> in_else;  // of each of these
};
RulePlace place_of(const Catalogue& catalogue, RuleId rule);

// Runs the named group on the state, which it changes, and notes in `why` what became of the rule.
void watch_group(const Program& program, RuleId rule, const RulePlace& place, State& state,
                 Random& random, const Budgets& budgets, Why& why);

// Searches the rule's condition on the state, which must be in no other rule.
void watch_match(const Program& program, RuleId rule, State& state, Random& random,
                 const Budgets& budgets, Why& why);

// Answers which rules of a group give a node its children, and what keeps a rule from giving one.

// What one rule did while the group ran. Rules inside its actions have entries of their own, which
// stand before it.
struct ChildrenGiven {
    RuleId rule = kNone;
    std::vector<std::string> added; // children of the node, by key
    std::vector<std::string> removed;
    // Where the furthest partial match ended, for a rule that has added and removed nothing. If
    // some variable held the child that is asked for, where the furthest of those matches ended,
    // also for a rule that has added other children; `about` is true then.
    std::optional<Why::Stop> stop;
    bool about = false;
};

struct WhyChildren {
    std::vector<ChildrenGiven> rules; // in the order in which they ended
    std::optional<RunError> error;
};

// Runs the group on the state, and watches the children of that node of the root. `child`: the key
// that is asked for; empty: none.
WhyChildren explain_children(const Program& program, GroupId group, State& state, Random& random,
                             std::string_view node, std::string_view child,
                             const Budgets& budgets = {});

} // namespace croupier::engine
