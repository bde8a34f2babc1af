// How often each rule and each entry of its condition was tried, and with what result. Ticks
// measure how long rules take (engine/run/glimpse.h).
#pragma once

#include "engine/run/error.h"
#include "engine/run/machine.h"
#include "engine/run/observer.h"
#include "engine/run/program.h"
#include "engine/run/random.h"
#include "engine/state/state.h"
#include "engine/text/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace croupier::engine {

// An entry of a condition.
struct EntryCost {
    std::uint64_t tried = 0;  // partial matches that reached it
    std::uint64_t passed = 0; // partial matches that it let through

    friend bool operator==(const EntryCost&, const EntryCost&) = default;
};

struct RuleCost {
    std::uint64_t tried = 0;   // searches for matches, one per round of `repeat`
    std::uint64_t passed = 0;  // those that found one
    std::uint64_t matches = 0; // found by searches that were not cut short
    std::uint64_t firings = 0; // of its action and its `else`
    std::vector<EntryCost> entries;

    // Whether it found a match, or acted without one (`else`).
    [[nodiscard]] bool fired() const { return passed > 0 || firings > 0; }

    friend bool operator==(const RuleCost&, const RuleCost&) = default;
};

// The counts of a program's rules. Counts of several runs can be added; they depend only on the
// program, states and seeds.
class Profile {
  public:
    Profile() = default;
    explicit Profile(const Catalogue& catalogue);

    // By RuleId.
    [[nodiscard]] const std::vector<RuleCost>& rules() const { return rules_; }
    [[nodiscard]] RuleCost& rule(RuleId id) { return rules_[id]; }
    // Sets all counts to 0; keeps its memory.
    void clear();

    friend bool operator==(const Profile&, const Profile&) = default;

  private:
    std::vector<RuleCost> rules_;
};

// Fills a profile by watching machines run a program. Use one per thread.
class Profiler : public Observer {
  public:
    // With `entries` it counts those too, which is slower.
    explicit Profiler(const Catalogue& catalogue, bool entries = false);

    // The counts since it was made, except those sent elsewhere by count_into.
    [[nodiscard]] const Profile& profile() const { return own_; }
    // From now on adds all counts to `profile`, which must be of the same program and is not owned.
    // Call it only between runs.
    void count_into(Profile& profile) { profile_ = &profile; }

    void rule_searches(RuleId rule) override;
    void rule_matched(RuleId rule, std::uint64_t count, std::span<const Value> matches,
                      const State& state) override;
    void rule_fires(RuleId rule, std::span<const Value> match, const State& state) override;
    void rule_otherwise(RuleId rule) override;
    [[nodiscard]] bool looks_at_entries() const override { return entries_; }
    void entry_tried(const Note& note, std::span<const Value> values, const State& state) override;
    void entry_passed(const Note& note, std::span<const Value> values, const State& state) override;

  private:
    const Catalogue& catalogue_;
    bool entries_;
    Profile own_;
    Profile* profile_ = &own_;
};

// ---- for reports -----------------------------------------------------------------------------

struct EntryRow {
    std::uint32_t entry = 0;
    std::uint32_t depth = 0;
    Span span; // in the condition's text
    EntryCost cost;
};

struct RuleRow {
    RuleId rule = kNone;
    std::string name;
    std::string group;
    Span span;
    RuleCost cost;
    std::vector<EntryRow> entries; // in written order
};

// A row for every rule of the program, in its order, including those never tried.
std::vector<RuleRow> rows(const Catalogue& catalogue, const Profile& profile);

// Counts what rules do in a running game, on copies of its states.

// Runs a group on a copy of a state with a copy of its random stream, so that measuring cannot
// change the game. One per thread and program.
class Gauge {
  public:
    // The program and the ruleset it was made from must outlive the gauge. With `entries` it also
    // counts the entries of conditions.
    Gauge(const Program& program, const Budgets& budgets, bool entries);

    // Runs the group from that state and adds the counts to `into`, a profile of the same program.
    // A failed run counts up to its failure.
    void measure(GroupId group, const State& state, const Random& random, Profile& into);

  private:
    Machine machine_;
    Profiler profiler_;
    std::optional<State> state_; // kept, so that a run does not allocate
};

} // namespace croupier::engine
