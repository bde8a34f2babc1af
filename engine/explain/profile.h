// What rules cost: how often each rule and each entry of its condition was tried, with what result,
// and for how long.
#pragma once

#include "engine/run/observer.h"
#include "engine/run/program.h"
#include "engine/text/source.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace croupier::engine {

// An entry of a condition. Its own time is that of its own ops and its share of what they are
// resumed for; what stands inside it counts for itself.
struct EntryCost {
    std::uint64_t tried = 0;  // partial matches that reached it
    std::uint64_t passed = 0; // partial matches that it let through
    std::uint64_t self_ns = 0;

    friend bool operator==(const EntryCost&, const EntryCost&) = default;
};

struct RuleCost {
    std::uint64_t tried = 0;    // searches for matches, one a round of `repeat`
    std::uint64_t passed = 0;   // those that found one
    std::uint64_t matches = 0;  // of searches that came to their end
    std::uint64_t firings = 0;  // of its action and its `else`
    std::uint64_t match_ns = 0; // looking for matches
    std::uint64_t act_ns = 0;   // acting, without the rules inside its actions
    std::uint64_t total_ns = 0; // with them
    std::vector<EntryCost> entries;

    [[nodiscard]] std::uint64_t self_ns() const { return match_ns + act_ns; }
    friend bool operator==(const RuleCost&, const RuleCost&) = default;
};

// The costs of a program's rules: a value that adds up, over runs, threads and machines. Counts are
// a function of (program, states, seeds); times are not.
class Profile {
  public:
    Profile() = default;
    explicit Profile(const Program& program);

    // By RuleId.
    [[nodiscard]] const std::vector<RuleCost>& rules() const { return rules_; }
    [[nodiscard]] RuleCost& rule(RuleId id) { return rules_[id]; }
    // Both must be of one ruleset.
    void merge(const Profile& other);
    // Takes the entries of `other`, the profile of the same runs with entries: so that rules have
    // times in which nobody looked at entries, and those are known all the same.
    void take_entries(const Profile& other);
    // Nothing was watched yet; keeps its memory.
    void clear();

    friend bool operator==(const Profile&, const Profile&) = default;

  private:
    std::vector<RuleCost> rules_;
};

// Fills a profile by watching machines run a program. One per thread.
class Profiler : public Observer {
  public:
    // Nanoseconds since whenever. The library reads no clock of its own: none, and work is counted
    // without being timed. What one reading costs (`cost_of_clock`) is taken off each interval.
    using Clock = std::uint64_t (*)();
    // With `entries` it counts and times those too, which takes longer and so changes the times of
    // rules.
    explicit Profiler(const Program& program, Clock clock = nullptr, std::uint64_t clock_cost = 0,
                      bool entries = false);

    // What was counted since it was made; without what was to go elsewhere.
    [[nodiscard]] const Profile& profile() const { return own_; }
    // From now on all is added to `profile`, which is of the same program and not owned. Between
    // runs only.
    void count_into(Profile& profile) { profile_ = &profile; }

    void rule_begins(RuleId rule) override;
    void rule_searches(RuleId rule) override;
    void rule_matched(RuleId rule, std::uint64_t count, std::span<const Value> matches,
                      const State& state) override;
    void rule_fires(RuleId rule, std::span<const Value> match, const State& state) override;
    void rule_otherwise(RuleId rule) override;
    void rule_ends(RuleId rule) override;
    void run_ends() override;
    [[nodiscard]] bool looks_at_entries() const override { return entries_; }
    void entry_tried(const Note& note, std::span<const Value> values, const State& state) override;
    void entry_passed(const Note& note, std::span<const Value> values, const State& state) override;
    void entry_cut(const Note& note, const Value* found, std::span<const Value> values,
                   const State& state) override;

  private:
    // A rule being applied, the outermost first.
    struct Frame {
        RuleId rule;
        std::uint64_t begin;
        std::uint64_t searching = 0; // of the time since then
        std::uint64_t inner = 0;     // of rules inside
    };

    std::uint64_t lap();
    void end_search();
    void end_frame();
    [[nodiscard]] bool searching() const { return searched_ != kNone; }

    const Program& program_;
    Clock clock_;
    std::uint64_t clock_cost_;
    bool entries_;
    Profile own_;
    Profile* profile_ = &own_;
    std::vector<std::vector<std::uint32_t>> above_; // per rule and entry: the entry around it
    std::vector<Frame> frames_;
    RuleId searched_ = kNone; // the rule whose search is going on
    std::uint64_t search_began_ = 0;
    std::uint64_t last_reading_ = 0;
    std::uint64_t time_ = 0; // watched so far, without the readings themselves
};

// The least time between two readings, which is what one costs.
std::uint64_t cost_of_clock(Profiler::Clock clock);

// ---- for reports -------------------------------------------------------------------------------

struct EntryRow {
    std::uint32_t entry = 0;
    std::uint32_t depth = 0;
    Span span; // of the condition's own text
    EntryCost cost;
    std::uint64_t total_ns = 0; // with the entries inside it
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
std::vector<RuleRow> rows(const Program& program, const Profile& profile);

// For people: the rules by their own time, the dearest first; then each rule's condition with what
// it cost in the margin. Rules that were never tried come last, by name alone.
std::string to_text(const Program& program, const Profile& profile, const Sources& sources);

} // namespace croupier::engine
