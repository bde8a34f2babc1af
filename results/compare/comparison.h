// Comparisons on the same deals: metrics of games, verdicts on several differences at once, two
// revisions, rules switched off.
#pragma once

#include "results/costs/cost.h"
#include "results/record.h"
#include "results/statistics/block.h"
#include "results/statistics/paired.h"

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

enum class MetricKind : std::uint8_t {
    Win,        // a draw is worth its share
    Score,      // the game's own points
    Draws,      // games without a single winning side
    Length,     // moves of a game
    Forced,     // moves with no alternative, of all moves
    Branching,  // number of legal moves
    Settled,    // moves after which the winner led to the end, of all moves
    Leads,      // how often another side took the lead
    Comebacks,  // games whose winner did not lead all along
    Coverage,   // rules that fired in a game, of the game's rules
    Aborted,    // aborted games
    Unfinished, //
    Fault,      //
};
std::span<const MetricKind> metric_kinds();
// The name in tables, on the command line and in programs: "win", "score", ..
std::string_view name_of(MetricKind kind);
std::optional<MetricKind> metric_of(std::string_view name);
// Known only if the lead was judged.
bool is_of_lead(MetricKind kind);
// Between 0 and 1: shown in percent, with a default margin.
bool is_share(MetricKind kind);

// The scope of a number: all, a side (a team, or a seat if everyone plays alone), a role, or an
// agent. Ordered as in tables.
struct MetricKey {
    enum class Scope : std::uint8_t { All, Side, Role, Agent };
    MetricKind kind = MetricKind::Win;
    Scope of = Scope::All;
    std::uint32_t index = 0; // of the side or agent
    std::string role;

    friend auto operator<=>(const MetricKey&, const MetricKey&) = default;
};

struct MetricSum {
    double sum = 0;
    double count = 0;
};
using MetricSums = std::map<MetricKey, MetricSum>;

class MetricReader {
  public:
    // `by_agent`: the agents differ, so numbers by agent are of interest.
    MetricReader(const RunFacts& facts, bool by_agent);

    // All metrics of a block's games.
    MetricSums read(std::span<const GameRecord> games);
    // "A", "taker", "rules:naive"; empty for all.
    [[nodiscard]] std::string name_of(const MetricKey& key) const;
    // The metric that this one repeats: if two sides, or two agents, share the wins, those of the
    // second are one minus those of the first.
    [[nodiscard]] MetricKey question_of(MetricKey key) const;

  private:
    void add_sides(const GameRecord& game, std::span<const Side> sides, MetricSums& into) const;
    void add_agents(const GameRecord& game, std::span<const Side> sides, MetricSums& into) const;

    BlockReader reader_;
    std::vector<std::string> sides_;
    std::vector<std::string> agents_;
    bool by_agent_;
};

// The agent's wins or points over a block's games, counted as in Standings. Skips games without it
// and void games.
MetricSum wins_of(std::uint32_t agent, std::span<const GameRecord> games, BlockReader& reader);
MetricSum points_of(std::uint32_t agent, std::span<const GameRecord> games);

// Verdicts on several differences at once, corrected together.

// How a number changes from A to B.
enum class Change : std::uint8_t {
    TooFew,     // too few blocks for a verdict
    Constant,   // all blocks differ by the same amount: no error to judge by
    Higher,     //
    Lower,      //
    Equivalent, // shown to differ by less than the margin
    Undecided,  //
};
std::string_view to_string(Change change); // "too few", ..
std::optional<Change> change_named(std::string_view name);

struct Judgement {
    Change change = Change::Undecided;
    // p-values of no difference, and of a difference of at least the margin. Corrected, unless no
    // block differs.
    std::optional<double> p_value;
    std::optional<double> equivalence_p_value;
    // If undecided: the number of blocks for 80 % power at the observed difference. Absent if no
    // number is enough.
    std::optional<double> blocks_to_decide;
};

struct Judgements {
    std::vector<Judgement> rows;
    std::uint64_t corrected_for = 0; // number of questions tested together
};

// How verdicts on many are corrected: for one error among all of them (Holm), or for a share of
// errors among those that are decided (Benjamini and Hochberg).
enum class Correction : std::uint8_t { AnyError, FalseDiscoveries };

// Allows a 5 % error for all rows together in which some block differs. Other rows cannot be called
// higher or lower, so they are not corrected for (Tarone), and their equivalence is judged singly.
// Rows with equal numbers in `questions` ask the same and count once; if empty, all differ. With a
// margin of 0 nothing is equivalent. Only AnyError finds how many blocks would decide.
Judgements judge(std::span<const PairedMoments> differences, std::span<const double> margins,
                 std::span<const std::size_t> questions = {},
                 Correction correction = Correction::AnyError);

// The metric's sums of a block under A and under B, compared block by block.
class PairedMetrics {
  public:
    void add_block(const MetricSums& a, const MetricSums& b);
    [[nodiscard]] const std::map<MetricKey, PairedDifference>& pairs() const { return pairs_; }

  private:
    std::map<MetricKey, PairedDifference> pairs_;
};
// The range of a block's mean: rates are bounded, points and lengths are not.
std::optional<Range> range_of(MetricKind kind);

// Two rulesets, or two agents, on the same deals: what differs, by how much, with what confidence.

// Differences up to these do not matter; 0 if every difference does.
struct Margins {
    double share = 0.02;             // of rates
    std::map<MetricKind, double> of; // in the metric's own unit; overrides `share`

    [[nodiscard]] double at(MetricKind kind) const;
};

struct ChangeRow {
    MetricKind kind = MetricKind::Win;
    std::string of; // its scope; empty for all
    Estimate under_a;
    Estimate under_b;
    Estimate difference;         // B - A, uncorrected
    std::uint64_t differing = 0; // blocks that differ
    std::optional<double> correlation;
    std::optional<double> games_saved;
    double margin = 0;
    Judgement judgement; // corrected over all rows
    // Games of each of the two needed for a verdict, if undecided.
    std::optional<double> games_to_decide;
};

// The name under which compare --agent-a and --agent-b play.
inline constexpr std::string_view kComparedAgent = "agent";

struct RevisionSummary {
    std::string name_a;
    std::string name_b;
    std::uint64_t seed = 0;
    std::uint64_t starts = 0; // start positions; 0 if games begin as usual
    std::uint64_t blocks = 0;
    std::uint64_t games = 0; // of each
    std::uint64_t alike = 0; // blocks with equal moves under both
    std::vector<ChangeRow> rows;
    std::uint64_t corrected_for = 0; // questions tested together; 0 if uncorrected or unknown
    // Seconds per game, if measured. Not a function of the seed.
    std::optional<double> seconds_a;
    std::optional<double> seconds_b;
    // Own time of rules, first of all together; empty if not measured. `old` is A.
    std::vector<CostChange> costs;
    bool interrupted = false;
    bool of_agents = false; // two agents in one game, not two games with the same agents
};

// Fed in block order, so that its numbers are independent of how blocks were played.
class RevisionTally {
  public:
    RevisionTally(const RunFacts& facts, bool by_agent);

    // If only one of them has played a block, the other has no games.
    void add_block(std::span<const GameRecord> under_a, std::span<const GameRecord> under_b);
    // The summary of those metrics only, and corrected for these only; if there are none, of all.
    [[nodiscard]] RevisionSummary summary(std::span<const MetricKind> kinds,
                                          const Margins& margins) const;

  private:
    MetricReader reader_;
    std::uint64_t seed_;
    std::uint64_t starts_;
    PairedMetrics metrics_;
    std::uint64_t blocks_ = 0;
    std::uint64_t games_ = 0;
    std::uint64_t alike_ = 0;
};

// Whether the games of both have equal moves.
bool same_lines(std::span<const GameRecord> one, std::span<const GameRecord> other);

// The value of each rule of an agent: plays the agent with and without it on the same deals.

struct AblatedRule {
    std::string group;
    std::string name;
    // Nanoseconds per decision of the agent, if known; unknown for a cheap rule with too few ticks.
    // Not a function of the seed.
    std::optional<double> cost_ns;
};

// Differences of the whole agent minus the agent without the rule: positive if it helps.
struct WorthRow {
    AblatedRule rule;
    Estimate win_rate;
    Estimate points;
    Estimate score; // mean block score, which is judged
    Estimate elo;
    Judgement judgement; // corrected over all rules
    std::optional<double> games_to_decide;
    std::uint64_t alike = 0; // blocks in which the rule changed no move
    Estimate elo_per_us;     // with an interval from that of Elo
};

struct AblationSummary {
    std::string game;
    std::string agent;
    std::vector<std::string> against;
    std::uint64_t seed = 0;
    std::uint64_t starts = 0; // start positions; 0 if games begin as usual
    std::uint64_t blocks = 0;
    std::uint64_t games = 0; // of the whole agent, and the same number without each rule
    Estimate win_rate;       // of the whole agent
    Estimate points;
    Estimate score;
    double margin = 0;               // of the score
    std::uint64_t corrected_for = 0; // rules tested together; 0 if uncorrected or unknown
    std::vector<WorthRow> rows;      // sorted by value for time, or without times by value
    bool interrupted = false;
};

// Agent 0 of the facts is the one tested. Fed in block order.
class AblationTally {
  public:
    AblationTally(const RunFacts& facts, std::vector<AblatedRule> rules);

    // The games of the whole agent, then the same number without the first rule, and so on.
    void add_block(std::span<const GameRecord> games);
    // The cost of each rule, in order.
    void set_costs(std::span<const std::optional<double>> cost_ns);
    [[nodiscard]] AblationSummary summary(double margin) const;

  private:
    struct Worth { // A is without the rule, B with it
        PairedDifference win_rate;
        PairedDifference points;
        PairedDifference score;
        std::uint64_t alike = 0;
    };
    struct Outcome {
        double win_sum = 0, wins = 0, point_sum = 0, points = 0;
        std::optional<double> score;
    };

    Outcome outcome_of(std::span<const GameRecord> games);
    [[nodiscard]] WorthRow row_of(std::size_t rule) const;

    RunFacts facts_;
    BlockReader reader_;
    std::vector<AblatedRule> rules_;
    std::vector<Worth> worths_;
    BlockMean win_rate_;
    BlockMean points_;
    BlockMean score_;
    std::uint64_t blocks_ = 0;
    std::uint64_t games_ = 0;
};

} // namespace croupier::results
