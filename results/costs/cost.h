// The costs of rules in a run: counts and times by rule, phase and player, as plain values. Also
// hints from these costs, and the decision times of agents.
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

// Which steps of a run are watched.
enum class ProfileMode : std::uint8_t {
    Off,
    Sample, // some steps, chosen by a hash
    Full,   // every step, and the entries of conditions as well
    // Times are sampled in all modes but Off.
};
std::string_view name_of(ProfileMode mode); // "off", "sample", "full"
std::optional<ProfileMode> profile_mode_of(std::string_view name);

// The phase a rule runs in; Choose and Observe are an agent's. Any is for times, which are not
// split.
enum class Phase : std::uint8_t { Setup, Moves, Play, Score, Choose, Observe, Any };
inline constexpr std::size_t kPhases = 6;
std::string_view name_of(Phase phase); // "setup", .., ""
std::optional<Phase> phase_of(std::string_view name);

inline constexpr std::uint32_t kNothing = 0xffffffff; // no rule, no entry or no seat

// ---- facts about the rules, known before a run ------------------------------------------------

struct EntryFacts {
    std::string text; // the condition's own, shortened
    std::uint32_t depth = 0;
    bool inverted = false;          // inside @not: its failure is what lets the rule match
    std::vector<std::string> binds; // variables
    std::vector<std::string> uses;

    friend bool operator==(const EntryFacts&, const EntryFacts&) = default;
};

struct RuleFacts {
    std::optional<std::uint32_t> agent; // the owner; absent for the game's rules
    std::string group;
    std::string name;
    std::string place;                   // file:line:column
    bool acts = true;                    // false if no action of it can fire
    bool ordered = true;                 // false if the plan reorders its tests
    std::vector<EntryFacts> entries;     // in source order; empty unless watched
    std::vector<std::string> walks = {}; // sentences about nodes that it reaches one by one

    friend bool operator==(const RuleFacts&, const RuleFacts&) = default;
};

// An option of the game, with the rules that read it.
struct OptionFacts {
    struct Use {
        std::uint32_t rule = 0;
        std::uint32_t entry = kNothing; // kNothing if in the action

        friend bool operator==(const Use&, const Use&) = default;
    };
    std::string name;
    std::string value;
    std::vector<Use> uses;

    friend bool operator==(const OptionFacts&, const OptionFacts&) = default;
};

struct ProfileFacts {
    ProfileMode mode = ProfileMode::Off;
    std::vector<RuleFacts> rules; // the game's, then those of each agent in order
    std::vector<OptionFacts> options;

    [[nodiscard]] bool watches() const { return mode != ProfileMode::Off && !rules.empty(); }
    friend bool operator==(const ProfileFacts&, const ProfileFacts&) = default;
};

// ---- what was measured ------------------------------------------------------------------------

// The cost of a rule, or of an entry of its condition. Counts are a function of rulesets, agents
// and seed; times are not: each tick of CPU time that interrupts the rule adds the time between two
// ticks.
struct Cost {
    std::uint64_t tried = 0;   // searches for matches; of an entry: partial matches that reached it
    std::uint64_t passed = 0;  // with a match; of an entry: partial matches let through
    std::uint64_t matches = 0; // of a rule
    std::uint64_t firings = 0;
    std::uint64_t match_ns = 0; // an entry's excludes those inside it
    std::uint64_t act_ns = 0;
    std::uint64_t total_ns = 0; // includes rules inside its actions
    // The part of match_ns and act_ns in code that several rules share.
    std::uint64_t shared_ns = 0;

    [[nodiscard]] std::uint64_t self_ns() const { return match_ns + act_ns; }
    Cost& operator+=(const Cost& other);
    friend bool operator==(const Cost&, const Cost&) = default;
};

struct CostKey {
    std::uint32_t rule = kNothing; // index into ProfileFacts::rules; kNothing for other rows
    Phase phase = Phase::Setup;
    std::uint32_t seat = kNothing;  // of the move, legal moves or decision; kNothing if of no seat
    std::uint32_t entry = kNothing; // kNothing for the whole rule

    friend auto operator<=>(const CostKey&, const CostKey&) = default;
};

// Other work that takes time in games.
enum class Outside : std::uint8_t {
    Engine,  // entering a group, going from rule to rule, leaving
    Game,    // code around the rules of a game, or a game without rules
    Agents,  // code around the rules of agents, or agents without rules
    Harness, // runner, schedules, records
    // Parts of the three above, which then hold the rest.
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

// A block's addition. In a row without a rule, `tried` is the number of watched steps, `matches`
// the number of ticks, and `match_ns` the CPU time of the games; with an `entry`, which is an
// Outside, `match_ns` is the ticks' time there.
struct CostRow {
    CostKey key;
    Cost cost;
};

// Which parts of a cost stay separate.
struct CostSplit {
    bool phase = false;
    bool seat = false;
    bool entry = false;
};

// Sums the blocks of a run. Sums are independent of order, so they are equal for any number of
// threads, after `resume`, and for merged shards.
class CostTable {
  public:
    void add(const CostRow& row);
    // Counts a game's steps, watched or not: its deal and its moves.
    void add_game(std::uint32_t plies);
    // Sets totals read from a file of the run.
    void set_extent(std::uint64_t games, std::uint64_t steps, std::uint64_t watched);
    void set_time(std::uint64_t ticks, std::uint64_t cpu_ns);
    // Replaces the times by those of ticks in other games.
    void take_times(const CostTable& other);

    [[nodiscard]] const std::map<CostKey, Cost>& rows() const { return rows_; }
    // Sums over the parts not kept separate: phases become Setup, seats and entries kNothing.
    // Entries appear only if kept separate.
    [[nodiscard]] std::map<CostKey, Cost> sums(const CostSplit& split) const;
    // The total cost of that rule.
    [[nodiscard]] Cost rule(std::uint32_t rule) const;
    // Own time of all rules.
    [[nodiscard]] std::uint64_t self_ns() const;
    [[nodiscard]] std::uint64_t outside(Outside where) const {
        return outside_[static_cast<std::size_t>(where)];
    }

    [[nodiscard]] std::uint64_t games() const { return games_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    [[nodiscard]] std::uint64_t watched() const { return watched_; }
    // Number of ticks in games, and the CPU time of these games. If the ticks are from other games,
    // scales their time to the run's number of games.
    [[nodiscard]] std::uint64_t ticks() const { return ticks_; }
    [[nodiscard]] std::uint64_t cpu_ns() const;
    // CPU time per game; absent if unknown.
    [[nodiscard]] std::optional<double> cpu_per_game() const;
    // Sets a better value: ticks take time themselves.
    void set_cpu_per_game(double ns);
    // Whether there are enough ticks for any statement.
    [[nodiscard]] bool has_times() const;
    // The number of ticks in that time.
    [[nodiscard]] double ticks_of(std::uint64_t sampled_ns) const;
    // Its share of the games' CPU time, with Wilson's 95 % interval; undefined without ticks.
    [[nodiscard]] Estimate share(std::uint64_t sampled_ns) const;
    // The same in nanoseconds per game. Absent without ticks.
    [[nodiscard]] std::optional<double> per_game(std::uint64_t sampled_ns) const;
    // Whether the ticks show at 95 % which of the two takes longer.
    [[nodiscard]] bool differ(std::uint64_t one_ns, std::uint64_t other_ns) const;

  private:
    std::map<CostKey, Cost> rows_;
    std::uint64_t games_ = 0;
    std::uint64_t timed_games_ = 0; // games that the ticks are from
    std::uint64_t steps_ = 0;
    std::uint64_t watched_ = 0;
    std::uint64_t ticks_ = 0;
    std::uint64_t cpu_ns_ = 0;
    std::array<std::uint64_t, kOutsides> outside_{};
    bool has_taken_ = false;
};

// With that many ticks, any share is known to 5 %.
inline constexpr std::uint64_t kMinTicks = 385;
// With that many ticks of one rule, its parts are known to 10 %, and its time to a fifth.
inline constexpr double kMinOfRule = 97;

// The costs of a run's rules.
struct Costs {
    ProfileFacts facts;
    CostTable table;
};

// The owner of a rule: "belote", "rules:naive".
std::string owner_of(const RuleFacts& rule, const std::string& game,
                     const std::vector<std::string>& agents);

// The cost of a rule's entry, from sums that keep only entries separate.
Cost entry_of(const std::map<CostKey, Cost>& sums, std::uint32_t rule, std::uint32_t entry);

// Which costs have grown between two versions of the same rules, measured in turn.

// The same games by the old and the new rules, one right after the other, so that other load on the
// machine affects both.
struct CostRound {
    CostTable old;
    CostTable now;
};

struct CostChange {
    // Same: at most kSameWithin apart.
    enum class Verdict : std::uint8_t { Same, Slower, Faster, New, Gone, Undecided };

    std::string owner; // of the rule; empty for the whole game, or all rules together
    std::string group;
    std::string name;
    std::optional<double> recorded; // own ns per game recorded by the old run, if known
    std::optional<double> old;      // mean over the rounds
    std::optional<double> now;
    std::optional<double> ratio; // new / old
    Verdict verdict = Verdict::Undecided;
    // The interval of the ratio, corrected for all comparisons.
    std::optional<double> low;
    std::optional<double> high;
};
std::string_view name_of(CostChange::Verdict verdict);
std::optional<CostChange::Verdict> cost_verdict_of(std::string_view name);

inline constexpr double kSameWithin = 0.05;

// The whole game, then all rules together, then each rule that either side tried, sorted by change
// in nanoseconds. `recorded` is from the old run, with the old facts.
std::vector<CostChange> compare_costs(const Costs& recorded, const ProfileFacts& now,
                                      std::span<const CostRound> rounds, const std::string& game,
                                      const std::vector<std::string>& old_agents,
                                      const std::vector<std::string>& agents);

// ---- hints for the author of the rules ---------------------------------------------------------

// What a run has never exercised: rules, entries of conditions, options.

struct EntryRef {
    std::uint32_t rule = 0;
    std::uint32_t entry = 0;

    friend bool operator==(const EntryRef&, const EntryRef&) = default;
};

// Indices into ProfileFacts, in order. A sample may have missed something.
struct Coverage {
    std::vector<std::uint32_t> never_tried;   // rules
    std::vector<std::uint32_t> never_matched; // rules that were tried without a match
    std::vector<EntryRef> never_reached;      // entries of rules that were tried
    std::vector<EntryRef> never_passed;       // entries that were reached, and always failed
    std::vector<std::uint32_t> unread;        // options that no rule reads; the harness may
    std::vector<std::uint32_t> unused;        // options whose readers never ran
};

Coverage coverage_of(const Costs& costs);

struct Hint {
    enum class Kind : std::uint8_t {
        NeverMatches, // the rule never matches; `entry` is where all its searches end
        NeverPasses,  // the entry never passes, though the rule can match in other ways
        Earlier,      // moving the entry before `other` would save work
        Walks,        // it reaches nodes one by one that could be declared
        Square,       // entry and `other` both have many matches, and all pairs are tried
    };
    Kind kind = Kind::NeverMatches;
    std::uint32_t rule = 0;
    std::uint32_t entry = kNothing;
    std::uint32_t other = kNothing;
    std::string text; // a sentence with its evidence

    friend bool operator==(const Hint&, const Hint&) = default;
};

// In order of rules and entries. Needs counts of entries from a run watched in full.
std::vector<Hint> hints_of(const Costs& costs);

// ---- decision times of agents -------------------------------------------------------------------
// These sums can be added up over parts of a run.

// The times of one agent on one seat. A measured decision has a weight: it stands for itself, or
// for a stretch of which it is the sample.
class DecisionTimes {
  public:
    static constexpr unsigned kSteps = 8; // histogram bins per doubling of the time
    static constexpr std::size_t kBuckets = 64 * kSteps;

    // Its contents, for files.
    struct Sums {
        std::uint64_t decisions = 0;
        std::uint64_t measured = 0;
        std::uint64_t most = 0;
        std::uint64_t weight = 0; // total of measured decisions
        std::uint64_t wall = 0;   // weighted sum
        std::uint64_t cpu_weight = 0;
        std::uint64_t cpu = 0;
    };

    void count(std::uint64_t decisions) { sums_.decisions += decisions; }
    // Adds nanoseconds of wall time.
    void measure(std::uint64_t wall, std::uint64_t weight);
    // Adds nanoseconds of processor time, if known.
    void measure_processor(std::uint64_t time, std::uint64_t weight);
    void add(const DecisionTimes& other);

    [[nodiscard]] std::uint64_t decisions() const { return sums_.decisions; }
    [[nodiscard]] std::uint64_t measured() const { return sums_.measured; }
    // In nanoseconds; absent if nothing was measured.
    [[nodiscard]] std::optional<double> mean() const;
    [[nodiscard]] std::optional<double> cpu() const;
    // The time that this share of decisions does not exceed, to a sixteenth; 0 < share < 1.
    [[nodiscard]] std::optional<double> quantile(double share) const;
    [[nodiscard]] std::uint64_t most() const { return sums_.most; }

    [[nodiscard]] const Sums& sums() const { return sums_; }
    [[nodiscard]] const std::array<std::uint64_t, kBuckets>& buckets() const { return buckets_; }
    DecisionTimes() = default;
    DecisionTimes(const Sums& sums, const std::array<std::uint64_t, kBuckets>& buckets)
        : sums_(sums), buckets_(buckets) {}

    [[nodiscard]] static std::size_t bucket_of(std::uint64_t nanoseconds);
    // The lower end of the bin.
    [[nodiscard]] static double least_of(std::size_t bucket);

  private:
    Sums sums_;
    std::array<std::uint64_t, kBuckets> buckets_{}; // by weight
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
    // Over all its seats.
    [[nodiscard]] DecisionTimes of(std::size_t agent) const;
    // The number of measured games; parts of a run whose times were lost add none.
    [[nodiscard]] std::uint64_t games() const { return games_; }
    void set_games(std::uint64_t games) { games_ = games; }
    // Adds a table of the same agents and seats; if this one is empty, copies the other.
    void add(const TimeTable& other);
    // Whether nothing was measured.
    [[nodiscard]] bool empty() const;

  private:
    std::size_t seats_ = 0;
    std::uint64_t games_ = 0;
    std::vector<DecisionTimes> cells_;
};

} // namespace croupier::results
