// croupier compare: two revisions of a game, or two agents, on the same deals.
#include "agents/rules/rule_agent.h"
#include "engine/api/ruleset.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/rules_input.h"
#include "tournaments/run/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace croupier::cli {
namespace {

constexpr std::uint64_t kWatchedGames = 54; // of each at most, to learn what rules take

class Compare : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "compare", "What a revision of a game, or of an agent, changes, and how surely",
            "First lists what differs between the rulesets. Then the same agents play both on the "
            "same deals, and each metric gets its difference with an "
            "interval and a verdict: higher, lower, equivalent (surely apart by less than the "
            "margin), undecided with the number of games of each that would decide four times "
            "in five, or too few (below six deals). Verdicts are corrected for the number of "
            "metrics; --metric asks for fewer. "
            "The metrics: win (rate), score, draws, length (moves of a game), forced (moves "
            "without an "
            "alternative), branching (legal moves to choose from), aborted, unfinished and fault "
            "(games that ended so).\n"
            "--margin takes a number for all rates (0.02) or METRIC=NUMBER in the metric's own "
            "unit. With one game, --agent-a and --agent-b are compared against the same "
            "opponents. After Ctrl-C it reports what has been played.",
            "croupier compare oldmaid oldmaid:previous --games 4000\n"
            "croupier compare life life:torus --metric length,draws --margin length=5\n"
            "croupier compare belote --set-b annonces=off --agents rules:table\n"
            "croupier compare belote --agent-a rules:table --agent-b rules:counting"};
    }

    void declare(Options& options) override {
        options
            .add("GAME", games_,
                 "Two games, or one: name, folder or file of rules; :REVISION for a revision")
            .required()
            .offers(Offers::Games);
        add_agent_list(options, "--agents", agents_, "Who plays both").default_text("random");
        add_settings(options, "--set", set_, "Set an option of both");
        add_settings(options, "--set-a", set_a_, "Set an option of the first");
        add_settings(options, "--set-b", set_b_, "Set an option of the second");
        options.add("--agent-a", agent_a_, "The first of two agents to compare")
            .type_name("AGENT")
            .offers(Offers::Agents);
        options.add("--agent-b", agent_b_, "The second").type_name("AGENT").offers(Offers::Agents);
        add_agent_list(options, "--against", against_, "The opponents of these two")
            .default_text("random");
        options.add("--metric", metrics_, "Only these metrics")
            .one_value_each()
            .type_name("METRIC,..")
            .separated_by(',')
            .one_of(tournaments::metric_names());
        options.add("--margin", margins_, "Which difference is too small to matter")
            .one_value_each()
            .type_name("SHARE|METRIC=NUMBER")
            .separated_by(',')
            .default_text("0.02 of rates");
        add_compared_options(options, compared_);
    }

    int run(Context& context) override {
        margin_values_ = tournaments::parse_margins(margins_);
        prepare_out(compared_, context);
        const bool of_agents = compares_agents();
        tournaments::PreparedRun a = prepare_side(side(0, of_agents), compared_, context);
        tournaments::PreparedRun b = prepare_side(side(1, of_agents), compared_, context);
        tournaments::refuse_other_seats(a.facts, b.facts);
        name(a, b, of_agents);
        const Ahead ahead = of_agents ? agents_differ(a, b) : rules_differ(a, b);
        if (same_ && !of_agents) return tell_identical(ahead, context);
        if (of_agents && agent_a_ == agent_b_) return tell_identical(ahead, context);
        return play(a, b, of_agents, ahead, context);
    }

  private:
    [[nodiscard]] bool compares_agents() const {
        const bool of_agents = !agent_a_.empty() || !agent_b_.empty();
        if (games_.size() > 2)
            throw Mistake(fmt::format("two games are compared, and {} are named", games_.size()));
        if (!of_agents && !against_.empty())
            throw Mistake("--against is for --agent-a and --agent-b; --agents plays both games");
        if (!of_agents && games_.size() < 2 && set_a_.empty() && set_b_.empty())
            throw Mistake("one game cannot be compared with itself: name a second, or --set-b, "
                          "or --agent-a and --agent-b");
        if (!of_agents) return false;
        if (agent_a_.empty() || agent_b_.empty())
            throw Mistake("--agent-a and --agent-b go together");
        if (games_.size() > 1 || !set_a_.empty() || !set_b_.empty())
            throw Mistake("two agents are compared in one game; with two games, or two settings, "
                          "nobody could say which change matters");
        if (!agents_.empty()) throw Mistake("--agent-a and --agent-b take --against, not --agents");
        return true;
    }

    [[nodiscard]] tournaments::ComparedSide side(std::size_t which, bool of_agents) const {
        tournaments::ComparedSide side;
        side.game = games_[std::min(which, games_.size() - 1)];
        side.set = set_;
        const auto& own = which == 0 ? set_a_ : set_b_;
        side.set.insert(side.set.end(), own.begin(), own.end());
        side.agents = tournaments::split_agents(of_agents ? against_ : agents_);
        if (side.agents.empty()) side.agents = {"random"};
        if (!of_agents) return side;
        // One name under both: it is the part that the two play in turn.
        agents::AgentSpec spec = agents::parse_agent_spec(which == 0 ? agent_a_ : agent_b_);
        side.agents.insert(side.agents.begin(),
                           fmt::format("{}={}{}{}", results::kComparedAgent, spec.kind,
                                       spec.arguments.empty() ? "" : ":", spec.arguments));
        side.gauntlet = true;
        return side;
    }

    void name(const tournaments::PreparedRun& a, const tournaments::PreparedRun& b,
              bool of_agents) {
        name_a_ = of_agents ? agent_a_ : a.facts.game;
        name_b_ = of_agents ? agent_b_ : b.facts.game;
        if (name_a_ != name_b_ || of_agents) return;
        const auto with = [](const std::vector<std::string>& set) {
            return set.empty() ? std::string() : fmt::format(" with {}", fmt::join(set, ", "));
        };
        name_a_ += with(set_a_);
        name_b_ += with(set_b_);
        if (name_a_ == name_b_ && games_.size() == 2) { // paths of rulesets of one name
            name_a_ = games_[0];
            name_b_ = games_[1];
        }
    }

    static Ahead ahead_of(const engine::Ruleset& a, const engine::Ruleset& b) {
        const engine::RulesetDifference found = engine::difference(a, b);
        return {difference_lines(found), "rules", difference_json(found)};
    }

    Ahead rules_differ(const tournaments::PreparedRun& a, const tournaments::PreparedRun& b) {
        const games::RulesetGame* one = a.game->ruleset_game();
        const games::RulesetGame* other = b.game->ruleset_game();
        if (one == nullptr || other == nullptr) return {};
        Ahead ahead = ahead_of(one->ruleset(), other->ruleset());
        same_ = engine::difference(one->ruleset(), other->ruleset()).empty();
        return ahead;
    }

    static std::optional<agents::OpenedRuleAgent> opened(const tournaments::PreparedRun& run) {
        const agents::AgentSpec& spec = run.specification.agents[0].spec;
        if (spec.kind != "rules") return std::nullopt;
        return agents::open_rule_agent(spec,
                                       {*run.game, run.open, run.agents_folder, run.clock.get()});
    }

    static Ahead agents_differ(const tournaments::PreparedRun& a,
                               const tournaments::PreparedRun& b) {
        const auto one = opened(a);
        const auto other = opened(b);
        if (!one || !other) return {}; // nothing that could be told as rules
        return ahead_of(one->rules.program->ruleset(), other->rules.program->ruleset());
    }

    int tell_identical(const Ahead& ahead, Context& context) const {
        if (compared_.form.json) {
            const nlohmann::ordered_json object{
                {"a", name_a_}, {"b", name_b_}, {"identical", true}, {"rules", ahead.value}};
            context.out().raw(object.dump(2) + "\n");
        } else {
            context.out().line(
                {fmt::format("{} and {} are identical: nothing to play", name_a_, name_b_)});
        }
        return kGood;
    }

    // Copies of one agent have nothing of their own to tell.
    static bool agents_vary(const tournaments::PreparedRun& run) {
        const auto& all = run.specification.agents;
        return std::any_of(all.begin(), all.end(), [&](const tournaments::AgentEntry& each) {
            return each.spec.kind != all[0].spec.kind ||
                   each.spec.arguments != all[0].spec.arguments;
        });
    }

    int play(tournaments::PreparedRun& a, tournaments::PreparedRun& b, bool of_agents,
             const Ahead& ahead, Context& context) {
        const tournaments::Variant variants[] = {{a.game.get(), agent_maker(a)},
                                                 {b.game.get(), agent_maker(b)}};
        results::RevisionTally tally(a.facts, of_agents || agents_vary(a));
        const auto take = [&](std::span<const results::GameRecord> games) {
            tally.add_block(games.first(games.size() / 2), games.subspan(games.size() / 2));
        };
        const results::File lock = begin_compared(compared_, {&a, &b}, context);
        const tournaments::PlayedVariants played =
            play_compared(variants, a, compared_, take, context);
        results::RevisionSummary summary =
            tally.summary(tournaments::parse_metrics(metrics_), margin_values_);
        summary.name_a = name_a_;
        summary.name_b = name_b_;
        summary.interrupted = played.interrupted();
        summary.of_agents = of_agents;
        if (!compared_.no_costs) {
            if (played.seconds_per_game[0] > 0) { // else all games were there
                summary.seconds_a = played.seconds_per_game[0];
                summary.seconds_b = played.seconds_per_game[1];
            }
            if (!played.interrupted()) summary.costs = rule_costs(a, b, summary.games, context);
        }
        return conclude_compared(
            compared_text(summary, ahead, compared_, context),
            {compared_json(summary, ahead), results::kCompareFile, std::array{name_a_, name_b_}},
            played, a.facts, compared_, context);
    }

    // By rule, in ns a game; nothing where neither runs rules.
    static std::vector<results::CostChange> rule_costs(const tournaments::PreparedRun& a,
                                                       const tournaments::PreparedRun& b,
                                                       std::uint64_t games,
                                                       const Context& context) {
        if (a.profile.rules.empty() && b.profile.rules.empty()) return {};
        const std::string& title = a.facts.game;
        return results::compare_costs(
            {a.profile, {}}, b.profile,
            measure_in_turn(a, b, std::min(games, kWatchedGames), context.sampler),
            title.substr(0, title.find(':')), a.facts.agents, b.facts.agents);
    }

    std::vector<std::string> games_;
    std::vector<std::string> agents_;
    std::vector<std::string> set_;
    std::vector<std::string> set_a_;
    std::vector<std::string> set_b_;
    std::string agent_a_;
    std::string agent_b_;
    std::vector<std::string> against_;
    std::vector<std::string> metrics_;
    std::vector<std::string> margins_;
    ComparedOptions compared_;
    results::Margins margin_values_;
    std::string name_a_;
    std::string name_b_;
    bool same_ = false;
};

} // namespace

std::unique_ptr<Command> make_compare() {
    return std::make_unique<Compare>();
}

} // namespace croupier::cli
