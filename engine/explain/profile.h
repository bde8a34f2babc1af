// How often each rule and each entry of its condition was tried, and with what result. How long
// rules take is told by ticks of the time in which they run (engine/run/glimpse.h).
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
    std::uint64_t tried = 0;   // searches for matches, one a round of `repeat`
    std::uint64_t passed = 0;  // those that found one
    std::uint64_t matches = 0; // of searches that came to their end
    std::uint64_t firings = 0; // of its action and its `else`
    std::vector<EntryCost> entries;

    friend bool operator==(const RuleCost&, const RuleCost&) = default;
};

// The counts of a program's rules: a value that adds up over runs, and a function of (program,
// states, seeds).
class Profile {
  public:
    Profile() = default;
    explicit Profile(const Catalogue& catalogue);

    // By RuleId.
    [[nodiscard]] const std::vector<RuleCost>& rules() const { return rules_; }
    [[nodiscard]] RuleCost& rule(RuleId id) { return rules_[id]; }
    // Nothing was watched yet; keeps its memory.
    void clear();

    friend bool operator==(const Profile&, const Profile&) = default;

  private:
    std::vector<RuleCost> rules_;
};

// Fills a profile by watching machines run a program. One per thread.
class Profiler : public Observer {
  public:
    // With `entries` it counts those too, which takes longer.
    explicit Profiler(const Catalogue& catalogue, bool entries = false);

    // What was counted since it was made; without what was to go elsewhere.
    [[nodiscard]] const Profile& profile() const { return own_; }
    // From now on all is added to `profile`, which is of the same program and not owned. Between
    // runs only.
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
    Span span; // of the condition's own text
    EntryCost cost;
};

struct RuleRow {
    RuleId rule = kNone;
    std::string name;
    std::string group;
    Span span;
    RuleCost cost;
    std::vector<EntryRow> entries; // in the order written
};

// A row for every rule of the program, in the program's order, those never tried included.
std::vector<RuleRow> rows(const Catalogue& catalogue, const Profile& profile);

// Counts what rules do in a game that is being played, on copies of its states.

// Runs a group on a copy of a state with a copy of its chance, so that nothing that is measured, or
// how, can change the game. One per thread and program.
class Gauge {
  public:
    // The program, and the ruleset that it was made of, outlive the gauge. `entries`: those of
    // conditions are counted too.
    Gauge(const Program& program, const Budgets& budgets, bool entries);

    // Adds what the rules do in a run of the group from there to the profile, which is of the
    // program. A run that fails counts as far as it came.
    void measure(GroupId group, const State& state, const Random& random, Profile& into);

  private:
    Machine machine_;
    Profiler profiler_;
    std::optional<State> state_; // kept, so that a run allocates nothing
};

} // namespace croupier::engine
