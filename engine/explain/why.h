// Answers `why RULE`: whether it fires, how far its condition matches, and what stops it.
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
    std::uint64_t reached = 0; // partial matches that reached it
    std::uint64_t passed = 0;  // partial matches that it let through
};

// What happened to a rule when its group ran on a copy of a state. Earlier rules of the group have
// acted by the time the rule is searched.
struct Why {
    using Stop = WhyStop;

    std::string rule;
    Span span;
    std::string group;                // the named group that contains it, at any depth
    std::vector<NamedValues> matches; // of each firing; variables of enclosing rules first
    std::vector<EntryCount> entries;  // in written order, over all its runs
    // Where the nearest partial match ended; only if there are no matches.
    std::optional<Stop> furthest;
    // A nested rule runs once per firing of the rule around it.
    struct Run {
        NamedValues around; // variables of the enclosing rules
        std::uint64_t matches = 0;
        std::optional<Stop> stop; // only if there are no matches
    };
    std::vector<Run> runs; // the first kMaxRuns
    static constexpr std::size_t kMaxRuns = 1000;
    std::uint64_t times_run = 0;
    std::uint64_t times_without = 0; // number of runs without a match
    bool otherwise = false;          // its `else` was run
    std::vector<std::string> around; // the enclosing rules, the outermost first
    // Set if the rule was never run: this enclosing rule has no match and stopped at `stop`, or it
    // has matches and the rule is in its `else`.
    struct Outside {
        std::string rule;
        Span span;
        bool has_matches = false;
        std::optional<Stop> stop;
    };
    std::optional<Outside> outside;
    // For a rule that is not nested: its number of matches on the given state, if it differs from
    // that at its turn, and the rules that acted before it.
    std::optional<std::uint64_t> at_first;
    std::vector<std::string> before;
    // What happened to the rule when its agenda group ran from this state; only for rules of one.
    struct Agenda {
        std::string group;
        std::string strategy;
        std::uint64_t firings = 0; // of all rules
        bool limit_reached = false;
        std::optional<RunError> error; // the error that ended the run
        struct Firing {
            std::uint64_t number = 0; // from 1, among those of all rules
            NamedValues values;
        };
        std::vector<Firing> fired;
        // Other rules that fired while this one was waiting, by name.
        struct Rival {
            std::string rule;
            std::uint64_t times = 0;
            std::uint64_t equal = 0; // how often the strategy decided at equal salience
            int salience = 0;        // its own, at the latest firing
            int against = 0;         // this rule's highest then
        };
        std::vector<Rival> rivals;
        // Rules whose firings removed matches of this rule before their turn.
        struct Taken {
            std::string by;
            std::uint64_t firing = 0; // the number of the first such firing
            std::uint64_t times = 0;
        };
        std::vector<Taken> taken;
        std::uint64_t waiting = 0; // matches waiting at the end
        std::uint64_t spent = 0;   // at the end: matches that have fired and still hold
    };
    std::optional<Agenda> agenda;
    std::optional<RunError> error; // of the rule itself
    // The error of another rule that ended the run. If the rule had not run by then, the other
    // fields refer to the state as given.
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

// What `why` reports on a rule in an agenda group.

// Runs the group on the state and changes it.
Why::Agenda explain_agenda(const Program& program, GroupId group, RuleId rule, State& state,
                           Random& random, const Budgets& budgets);

std::string to_text(const Why::Agenda& agenda);

// The values that a match gives the rule's variables.
NamedValues named_values(const RulePlan& rule, std::span<const Value> match, const State& state);

// Runs a rule's group and watches every run of the rule, nested or not.

// The place of a rule in its ruleset.
struct RulePlace {
    GroupId group = kNone;      // the named one
    std::vector<RuleId> around; // the enclosing rules, the outermost first
    std::vector<bool> in_else;  // for each of these
};
RulePlace place_of(const Catalogue& catalogue, RuleId rule);

// Runs the named group on the state, which it changes, and records in `why` what happened to the
// rule.
void watch_group(const Program& program, RuleId rule, const RulePlace& place, State& state,
                 Random& random, const Budgets& budgets, Why& why);

// Searches the condition of a rule that is not nested on the state.
void watch_match(const Program& program, RuleId rule, State& state, Random& random,
                 const Budgets& budgets, Why& why);

// Finds which rules of a group give a node its children, and what stops a rule from giving one.

// What one rule did while the group ran. Rules nested in its actions have their own entries before
// it.
struct ChildrenGiven {
    RuleId rule = kNone;
    std::vector<std::string> added; // children of the node, by key
    std::vector<std::string> removed;
    // For a rule that added and removed nothing: where its furthest partial match ended. If a
    // variable held the child in question: where the furthest such match ended, also for a rule
    // that added other children; `about` is then true.
    std::optional<Why::Stop> stop;
    bool about = false;
};

struct WhyChildren {
    std::vector<ChildrenGiven> rules; // in the order in which they ended
    std::optional<RunError> error;
};

// Runs the group on the state and watches the children of `node`, a child of the root. `child` is
// the key in question, or empty.
WhyChildren explain_children(const Program& program, GroupId group, State& state, Random& random,
                             std::string_view node, std::string_view child,
                             const Budgets& budgets = {});

} // namespace croupier::engine
