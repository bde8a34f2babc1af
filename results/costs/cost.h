// What rules cost in a run: counts and times by rule, phase and player, as plain values. What that
// suggests; and how long agents take.
#pragma once

#include "results/statistics/means.h"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// How much of a run is watched.
enum class ProfileMode : std::uint8_t {
    Off,
    Sample, // some steps, chosen by a hash of what they are
    Full,   // every step, and the entries of conditions too
    // Times are sampled in all of them but Off.
};
std::string_view name_of(ProfileMode mode); // "off", "sample", "full"
std::optional<ProfileMode> profile_mode_of(std::string_view name);

// What rules run for; Choose and Observe are an agent's. Any: times, which are not kept apart.
enum class Phase : std::uint8_t { Setup, Moves, Play, Score, Choose, Observe, Any };
inline constexpr std::size_t kPhases = 6;
std::string_view name_of(Phase phase); // "setup", .., ""
std::optional<Phase> phase_of(std::string_view name);

inline constexpr std::uint32_t kNothing = 0xffffffff; // no rule, no entry, no seat

// ---- what is known of the rules before a run --------------------------------------------------

struct EntryFacts {
    std::string text; // the condition's own, shortened
    std::uint32_t depth = 0;
    bool inverted = false;          // inside @not: that it fails is what is wanted
    std::vector<std::string> binds; // variables
    std::vector<std::string> uses;

    friend bool operator==(const EntryFacts&, const EntryFacts&) = default;
};

struct RuleFacts {
    std::optional<std::uint32_t> agent; // whose rule it is; none: the game's
    std::string group;
    std::string name;
    std::string place;               // file:line:column
    bool acts = true;                // false: it has no action that could fire
    bool ordered = true;             // false: the plan has put its tests in an order of its own
    std::vector<EntryFacts> entries; // in the order written; empty unless they are watched

    friend bool operator==(const RuleFacts&, const RuleFacts&) = default;
};

// An option of the game, and where its rules look at it.
struct OptionFacts {
    struct Use {
        std::uint32_t rule = 0;
        std::uint32_t entry = kNothing; // none: in its action

        friend bool operator==(const Use&, const Use&) = default;
    };
    std::string name;
    std::string value;
    std::vector<Use> uses;

    friend bool operator==(const OptionFacts&, const OptionFacts&) = default;
};

struct ProfileFacts {
    ProfileMode mode = ProfileMode::Off;
    std::vector<RuleFacts> rules; // the game's, then those of the agents in their order
    std::vector<OptionFacts> options;

    [[nodiscard]] bool watches() const { return mode != ProfileMode::Off && !rules.empty(); }
    friend bool operator==(const ProfileFacts&, const ProfileFacts&) = default;
};

// ---- what was measured ------------------------------------------------------------------------

// The cost of a rule or an entry of its condition. The counts are a function of rulesets, agents
// and seed; the times are not: each tick of CPU time that found the rule at work adds the time
// between two ticks.
struct Cost {
    std::uint64_t tried = 0;   // searches for matches; of an entry: partial matches that reached it
    std::uint64_t passed = 0;  // with a match; of an entry: partial matches that it let through
    std::uint64_t matches = 0; // of a rule
    std::uint64_t firings = 0;
    std::uint64_t match_ns = 0; // of an entry: its own, without those inside it
    std::uint64_t act_ns = 0;
    std::uint64_t total_ns = 0; // with the rules inside its actions
    // The part of match_ns and act_ns that several rules share.
    std::uint64_t shared_ns = 0;

    [[nodiscard]] std::uint64_t self_ns() const { return match_ns + act_ns; }
    Cost& operator+=(const Cost& other);
    friend bool operator==(const Cost&, const Cost&) = default;
};

struct CostKey {
    std::uint32_t rule = kNothing; // index into ProfileFacts::rules; none: what follows is no cost
    Phase phase = Phase::Setup;
    std::uint32_t seat = kNothing;  // whose move, legal moves or thoughts; none: nobody's
    std::uint32_t entry = kNothing; // none: the rule as a whole

    friend auto operator<=>(const CostKey&, const CostKey&) = default;
};

// What takes time in games besides rules.
enum class Outside : std::uint8_t {
    Engine,  // entering a group, going from rule to rule, leaving it
    Game,    // what is around the rules of a game, or a game without rules
    Agents,  // what is around the rules of agents, or agents without rules
    Harness, // tables, schedules, records
    // Parts of the three, whose rows are the rest.
    Deal,
    Play,
    Moves,
    Score,
    View,
    Line,
    Look,
    Weights,
    Record,
    Rows,
};
inline constexpr std::size_t kOutsides = 14;
std::string_view name_of(Outside outside); // "engine", ..
std::string_view meaning_of(Outside outside);

// What a block adds. Without a rule: `tried` is the number of steps that were watched, `matches`
// the number of ticks, and `match_ns` the CPU time of the games; or, with an `entry`, which is an
// Outside, `match_ns` is what ticks have found there.
struct CostRow {
    CostKey key;
    Cost cost;
};

// Which parts of a cost are to be kept apart.
struct CostSplit {
    bool phase = false;
    bool seat = false;
    bool entry = false;
};

// Adds up the blocks of a run. Sums do not depend on the order, so it is the same for any number of
// threads, after `resume`, and of shards.
class CostTable {
  public:
    void add(const CostRow& row);
    // A game, watched or not: its deal and its moves are its steps.
    void add_game(std::uint32_t plies);
    // What a file of the run has said of itself.
    void set_extent(std::uint64_t games, std::uint64_t steps, std::uint64_t watched);
    void set_time(std::uint64_t ticks, std::uint64_t cpu_ns);
    // Adds what ticks have found in other games; times are of those alone, its own are forgotten.
    void take_times(const CostTable& other);

    [[nodiscard]] const std::map<CostKey, Cost>& rows() const { return rows_; }
    // Sums over what is not kept apart: phases become Setup, seats and entries none. Entries come
    // only where they are kept apart.
    [[nodiscard]] std::map<CostKey, Cost> sums(const CostSplit& split) const;
    // The cost of that rule, over everything.
    [[nodiscard]] Cost rule(std::uint32_t rule) const;
    // Own time of all rules.
    [[nodiscard]] std::uint64_t self_ns() const;
    [[nodiscard]] std::uint64_t outside(Outside where) const {
        return outside_[static_cast<std::size_t>(where)];
    }

    [[nodiscard]] std::uint64_t games() const { return games_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    [[nodiscard]] std::uint64_t watched() const { return watched_; }
    // Ticks of CPU time that have found games being played, and the CPU time of these games; where
    // ticks are of other games, what as many of those take.
    [[nodiscard]] std::uint64_t ticks() const { return ticks_; }
    [[nodiscard]] std::uint64_t cpu_ns() const;
    // CPU time of a game; absent where nothing is known.
    [[nodiscard]] std::optional<double> cpu_per_game() const;
    // It is known better: ticks take time, too.
    void set_cpu_per_game(double ns);
    // There are enough ticks to say anything.
    [[nodiscard]] bool has_times() const;
    // So many of the ticks have found that.
    [[nodiscard]] double ticks_of(std::uint64_t sampled_ns) const;
    // Its part of the games' CPU time, with Wilson's interval at 95 %; undefined without ticks.
    [[nodiscard]] Estimate share(std::uint64_t sampled_ns) const;
    // The same in nanoseconds for a game. Absent without ticks.
    [[nodiscard]] std::optional<double> per_game(std::uint64_t sampled_ns) const;
    // Ticks tell which of the two takes longer, at 95 %.
    [[nodiscard]] bool differ(std::uint64_t one_ns, std::uint64_t other_ns) const;

  private:
    std::map<CostKey, Cost> rows_;
    std::uint64_t games_ = 0;
    std::uint64_t timed_games_ = 0; // that ticks are of
    std::uint64_t steps_ = 0;
    std::uint64_t watched_ = 0;
    std::uint64_t ticks_ = 0;
    std::uint64_t cpu_ns_ = 0;
    std::array<std::uint64_t, kOutsides> outside_{};
    bool has_taken_ = false;
};

// A share is then known to 5 %, whatever it is.
inline constexpr std::uint64_t kMinTicks = 385;
// Ticks of one rule from which its parts are known to 10 %, and its time to a fifth.
inline constexpr double kMinOfRule = 97;

// What a run says of its rules' costs.
struct Costs {
    ProfileFacts facts;
    CostTable table;
};

// "belote", "rules:naive": whose rule it is.
std::string owner_of(const RuleFacts& rule, const std::string& game,
                     const std::vector<std::string>& agents);

// What an entry of a rule cost, in sums that keep entries apart and nothing else.
Cost entry_of(const std::map<CostKey, Cost>& sums, std::uint32_t rule, std::uint32_t entry);

// What became dearer between two states of the same rules, measured in turn.

// The same games by the old rules and by the new ones, right after each other: what the machine did
// meanwhile, it did to both.
struct CostRound {
    CostTable old;
    CostTable now;
};

struct CostChange {
    // Same: no more than kSameWithin apart.
    enum class Verdict : std::uint8_t { Same, Slower, Faster, New, Gone, Undecided };

    std::string owner; // of the rule; empty: all of the game, or all rules together
    std::string group;
    std::string name;
    std::optional<double> recorded; // own ns per game, as the old run has it, if that is known
    std::optional<double> old;      // mean over the rounds
    std::optional<double> now;
    std::optional<double> ratio; // of these
    Verdict verdict = Verdict::Undecided;
    // The interval of the ratio, corrected for all that are compared together.
    std::optional<double> low;
    std::optional<double> high;
};
std::string_view name_of(CostChange::Verdict verdict);
std::optional<CostChange::Verdict> cost_verdict_of(std::string_view name);

inline constexpr double kSameWithin = 0.05;

// The whole game first, then all rules together, then each rule that either side ever tried, those
// that changed most in nanoseconds first. `recorded` is what the old run wrote down; its facts are
// the old ones.
std::vector<CostChange> compare_costs(const Costs& recorded, const ProfileFacts& now,
                                      std::span<const CostRound> rounds, const std::string& game,
                                      const std::vector<std::string>& old_agents,
                                      const std::vector<std::string>& agents);

// ---- what the numbers suggest to the author of the rules ----------------------------------------

// What a run has never exercised: rules, entries of conditions, options.

struct EntryRef {
    std::uint32_t rule = 0;
    std::uint32_t entry = 0;

    friend bool operator==(const EntryRef&, const EntryRef&) = default;
};

// All are indices into ProfileFacts, in its order. A sample may have missed what it did not see.
struct Coverage {
    std::vector<std::uint32_t> never_tried;   // rules
    std::vector<std::uint32_t> never_matched; // rules that were tried
    std::vector<EntryRef> never_reached;      // entries of rules that were tried
    std::vector<EntryRef> never_passed;       // entries that were reached, and always failed
    std::vector<std::uint32_t> unread;        // options that no rule looks at: the harness may
    std::vector<std::uint32_t> unused;        // options that no rule came to look at
};

Coverage coverage_of(const Costs& costs);

struct Hint {
    enum class Kind : std::uint8_t {
        NeverMatches, // the rule is tried in vain; `entry` is where all its searches end
        NeverPasses,  // the entry lets nothing through, though the rule has other ways to match
        Earlier,      // the entry would save work if it stood before `other`
        Square,       // entry and `other` range over much, and all pairs match
    };
    Kind kind = Kind::NeverMatches;
    std::uint32_t rule = 0;
    std::uint32_t entry = kNothing;
    std::uint32_t other = kNothing;
    std::string text; // a sentence with the numbers that it follows from

    friend bool operator==(const Hint&, const Hint&) = default;
};

// In the order of the rules and of their entries. Needs counts of entries: the whole run watched.
std::vector<Hint> hints_of(const Costs& costs);

// ---- how long agents take for their decisions ---------------------------------------------------
// Added up so that parts of a run can be added, too.

// The times of one agent on one seat. A decision that was measured stands for `weight` decisions:
// for itself, or for a whole stretch of which it is the sample.
class DecisionTimes {
  public:
    static constexpr unsigned kSteps = 8; // of the histogram from a time to twice that
    static constexpr std::size_t kBuckets = 64 * kSteps;

    // For files: what it is made of.
    struct Sums {
        std::uint64_t decisions = 0;
        std::uint64_t measured = 0;
        std::uint64_t most = 0;
        std::uint64_t weight = 0; // of what was measured
        std::uint64_t wall = 0;   // times weight
        std::uint64_t cpu_weight = 0;
        std::uint64_t cpu = 0;
    };

    void count(std::uint64_t decisions) { sums_.decisions += decisions; }
    // Nanoseconds of the clock on the wall.
    void measure(std::uint64_t wall, std::uint64_t weight);
    // And of a processor, where and as often as that is known.
    void measure_processor(std::uint64_t time, std::uint64_t weight);
    void add(const DecisionTimes& other);

    [[nodiscard]] std::uint64_t decisions() const { return sums_.decisions; }
    [[nodiscard]] std::uint64_t measured() const { return sums_.measured; }
    // In nanoseconds; absent where nothing was measured.
    [[nodiscard]] std::optional<double> mean() const;
    [[nodiscard]] std::optional<double> cpu() const;
    // So much of all decisions took no longer, to a sixteenth; 0 < share < 1.
    [[nodiscard]] std::optional<double> quantile(double share) const;
    [[nodiscard]] std::uint64_t most() const { return sums_.most; }

    [[nodiscard]] const Sums& sums() const { return sums_; }
    [[nodiscard]] const std::array<std::uint64_t, kBuckets>& buckets() const { return buckets_; }
    DecisionTimes() = default;
    DecisionTimes(const Sums& sums, const std::array<std::uint64_t, kBuckets>& buckets)
        : sums_(sums), buckets_(buckets) {}

    [[nodiscard]] static std::size_t bucket_of(std::uint64_t nanoseconds);
    // The least time that falls into it.
    [[nodiscard]] static double least_of(std::size_t bucket);

  private:
    Sums sums_;
    std::array<std::uint64_t, kBuckets> buckets_{}; // weights
};

// The times of all agents on all seats.
class TimeTable {
  public:
    TimeTable() = default;
    TimeTable(std::size_t agents, std::size_t seats) : seats_(seats), cells_(agents * seats) {}

    [[nodiscard]] std::size_t seats() const { return seats_; }
    [[nodiscard]] std::size_t agents() const { return seats_ == 0 ? 0 : cells_.size() / seats_; }
    [[nodiscard]] DecisionTimes& at(std::size_t agent, std::size_t seat) {
        return cells_[agent * seats_ + seat];
    }
    [[nodiscard]] const DecisionTimes& at(std::size_t agent, std::size_t seat) const {
        return cells_[agent * seats_ + seat];
    }
    // On all its seats.
    [[nodiscard]] DecisionTimes of(std::size_t agent) const;
    // The number of games measured; parts of a run whose times were lost have added none.
    [[nodiscard]] std::uint64_t games() const { return games_; }
    void set_games(std::uint64_t games) { games_ = games; }
    // Adds a table of the same agents and seats; if this one is empty, it becomes the other.
    void add(const TimeTable& other);
    // Nothing was measured.
    [[nodiscard]] bool empty() const;

  private:
    std::size_t seats_ = 0;
    std::uint64_t games_ = 0;
    std::vector<DecisionTimes> cells_;
};

} // namespace croupier::results
