// Comparisons on the same deals: what is measured of games, verdicts on several differences at
// once, two revisions, rules switched off.
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
    Draws,      // games that no side has won alone
    Length,     // moves of a game
    Forced,     // moves with no alternative, of all moves
    Branching,  // legal moves to choose from
    Aborted,    // games that ended so
    Unfinished, //
    Fault,      //
};
std::span<const MetricKind> metric_kinds();
// As tables, the command line and programs spell it: "win", "score", ..
std::string_view name_of(MetricKind kind);
std::optional<MetricKind> metric_of(std::string_view name);
// Between 0 and 1: shown in percent, and there is a margin to begin with.
bool is_share(MetricKind kind);

// Whose number it is: that of all, or of a side (a team, or a seat where everyone plays alone), of
// a role, of an agent. Ordered as tables show it.
struct MetricKey {
    enum class Scope : std::uint8_t { All, Side, Role, Agent };
    MetricKind kind = MetricKind::Win;
    Scope of = Scope::All;
    std::uint32_t index = 0; // of a side or an agent
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
    // `by_agent`: the agents differ, so that each is of interest by itself.
    MetricReader(const RunFacts& facts, bool by_agent);

    // All numbers of the games of a block.
    MetricSums read(std::span<const GameRecord> games);
    // "A", "taker", "rules:naive"; empty for all.
    [[nodiscard]] std::string name_of(const MetricKey& key) const;
    // The metric that it says the same as: where two sides, or two agents, share the wins, those of
    // the first are one less those of the second.
    [[nodiscard]] MetricKey question_of(MetricKey key) const;

  private:
    void add_sides(const GameRecord& game, std::span<const Side> sides, MetricSums& into) const;
    void add_agents(const GameRecord& game, std::span<const Side> sides, MetricSums& into) const;

    BlockReader reader_;
    std::vector<std::string> sides_;
    std::vector<std::string> agents_;
    bool by_agent_;
};

// What the agent has of each game of a block: as Standings count it. Nothing is added for games
// that it did not sit in, or that came to nothing.
MetricSum wins_of(std::uint32_t agent, std::span<const GameRecord> games, BlockReader& reader);
MetricSum points_of(std::uint32_t agent, std::span<const GameRecord> games);

// Verdicts on several differences at once, corrected together.

// What becomes of a number from A to B.
enum class Change : std::uint8_t {
    TooFew,     // blocks, to say anything
    Constant,   // different by as much in every block: there is no error to judge by
    Higher,     //
    Lower,      //
    Equivalent, // surely within the margin
    Undecided,  //
};
std::string_view to_string(Change change); // "too few", ..
std::optional<Change> change_named(std::string_view name);

struct Judgement {
    Change change = Change::Undecided;
    // p-values of no difference, and of one of at least the margin. Corrected, unless no block
    // differs.
    std::optional<double> p_value;
    std::optional<double> equivalence_p_value;
    // Where undecided: the blocks that would give 80 % power at the observed difference. Absent if
    // no number would.
    std::optional<double> blocks_to_decide;
};

struct Judgements {
    std::vector<Judgement> rows;
    std::uint64_t corrected_for = 0; // so many questions together
};

// One error in twenty is allowed for all rows together in which some block differs. Where none
// does, nothing can be called higher or lower, so such rows are not corrected for (Tarone), and
// what they say of equivalence is said of each alone. Rows with the same number in `questions` ask
// the same, and count once; empty: none do. A margin of 0: never equivalent.
Judgements judge(std::span<const PairedMoments> differences, std::span<const double> margins,
                 std::span<const std::size_t> questions = {});

// Two rulesets, or two agents, on the same deals: what differs, by how much and how surely.

// Differences up to these do not matter. 0: none is too small.
struct Margins {
    double share = 0.02;             // of rates
    std::map<MetricKind, double> of; // in the metric's own unit; goes first

    [[nodiscard]] double at(MetricKind kind) const;
};

struct ChangeRow {
    MetricKind kind = MetricKind::Win;
    std::string of; // whose; empty: of all
    Estimate under_a;
    Estimate under_b;
    Estimate difference;         // B - A, by itself
    std::uint64_t differing = 0; // blocks that were not the same under both
    std::optional<double> correlation;
    std::optional<double> games_saved;
    double margin = 0;
    Judgement judgement; // corrected for all rows
    // Games of each of the two, where undecided.
    std::optional<double> games_to_decide;
};

// What the agent is called that compare --agent-a and --agent-b play in turn.
inline constexpr std::string_view kComparedAgent = "agent";

struct RevisionSummary {
    std::string name_a;
    std::string name_b;
    std::uint64_t seed = 0;
    std::uint64_t starts = 0; // start positions; 0: games begin as usual
    std::uint64_t blocks = 0;
    std::uint64_t games = 0; // of each
    std::uint64_t alike = 0; // blocks whose games were the same moves under both
    std::vector<ChangeRow> rows;
    std::uint64_t corrected_for = 0; // questions together; 0: no row is corrected, or not known
    // Seconds a game, where somebody measured them. No function of the seed.
    std::optional<double> seconds_a;
    std::optional<double> seconds_b;
    // Own time of rules, all together first; empty where nobody measured it. `old` is A.
    std::vector<CostChange> costs;
    bool interrupted = false;
    bool of_agents = false; // which play one game, instead of two games by the same agents
};

// Fed in block order, so that its numbers do not depend on how blocks were played.
class RevisionTally {
  public:
    RevisionTally(const RunFacts& facts, bool by_agent);

    void add_block(std::span<const GameRecord> under_a, std::span<const GameRecord> under_b);
    // The summary of those kinds, or of all if there are none; the correction counts only these.
    [[nodiscard]] RevisionSummary summary(std::span<const MetricKind> kinds,
                                          const Margins& margins) const;

  private:
    MetricReader reader_;
    std::uint64_t seed_;
    std::uint64_t starts_;
    std::map<MetricKey, PairedDifference> pairs_;
    std::uint64_t blocks_ = 0;
    std::uint64_t games_ = 0;
    std::uint64_t alike_ = 0;
};

// Whether the games of both are move for move the same.
bool same_lines(std::span<const GameRecord> one, std::span<const GameRecord> other);

// What each rule of an agent is worth: the agent with and without it, on the same deals.

struct AblatedRule {
    std::string group;
    std::string name;
    // Nanoseconds a decision of the agent, where they are known: a cheap rule may have too few
    // ticks. No function of the seed.
    std::optional<double> cost_ns;
};

// Differences are those of the whole agent over the one without the rule: above 0, it helps.
struct WorthRow {
    AblatedRule rule;
    Estimate win_rate;
    Estimate points;
    Estimate score; // mean block score, which the judgement is on
    Estimate elo;
    Judgement judgement; // corrected for all rules
    std::optional<double> games_to_decide;
    std::uint64_t alike = 0; // blocks in which the rule changed no move
    Estimate elo_per_us;     // with the interval of its Elo
};

struct AblationSummary {
    std::string game;
    std::string agent;
    std::vector<std::string> against;
    std::uint64_t seed = 0;
    std::uint64_t starts = 0; // start positions; 0: games begin as usual
    std::uint64_t blocks = 0;
    std::uint64_t games = 0; // of the whole agent, and as many without each rule
    Estimate win_rate;       // of the whole agent
    Estimate points;
    Estimate score;
    double margin = 0;               // of the score
    std::uint64_t corrected_for = 0; // rules together; 0: none is corrected, or not known
    std::vector<WorthRow> rows; // most worth for its time first; without times, most worth first
    bool interrupted = false;
};

// Agent 0 of the facts is the one in question. Fed in block order.
class AblationTally {
  public:
    AblationTally(const RunFacts& facts, std::vector<AblatedRule> rules);

    // The games of the whole agent, then those without the first rule, and so on: as many of each.
    void add_block(std::span<const GameRecord> games);
    // What the rules cost, in their order.
    void set_costs(std::span<const std::optional<double>> cost_ns);
    [[nodiscard]] AblationSummary summary(double margin) const;

  private:
    struct Worth { // A without the rule, B with it
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
