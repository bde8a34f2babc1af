// croupier advice: applies a table of advice to a position, or verifies it in all positions.
#include "agents/advice/advice_agent.h"
#include "agents/advice/verify.h"
#include "agents/tablebase/tablebase.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace croupier::cli {
namespace {

namespace advice = agents::advice;
using nlohmann::ordered_json;

class Advice : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"advice", "What a table of advice says in a position",
                "Prints the rule that applies, the advice that was tried and why it could not be "
                "followed, the advice that is followed, and the forcing tree: a move of ours, "
                "then in braces what follows each reply; * is where the goal holds. TABLE is a "
                "file, or the name of a table that comes with the game. With --verify the table is "
                "followed from every position against every defence; --against lists those in "
                "which another table does better or worse.",
                "croupier advice fixed --game krk --state position.json\n"
                "croupier advice published --game krk --verify --against fixed"};
    }

    void declare(Options& options) override {
        options.add("TABLE", table_, "File, or name of a table of the game")
            .required()
            .offers(Offers::Files);
        options.add("--game", arguments_.game, "The game that the table is for")
            .required()
            .type_name("GAME")
            .offers(Offers::Games);
        add_game_settings(options, arguments_);
        add_state(options, state_);
        add_seed(options, seed_);
        options.add_flag("--verify", verify_, "Check all positions against every defence");
        options.add("--against", against_, "Another table to compare with").type_name("TABLE");
        options.add("--list", list_, "With --verify: list N positions that are not won")
            .shows_default();
        options
            .add("--every", every_,
                 "With --verify: take a sample, every N-th position and all that it leads to")
            .shows_default();
        options.add_flag("--solve", solve_,
                         "With --verify: count the positions that can be won at all");
        options.add_flag("--replan", replan_,
                         "With --verify: decide again at every move, keeping no plan");
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        if (!against_.empty() && !verify_) throw UserError("--against needs --verify");
        if (every_ == 0) throw UserError("--every takes a number from 1");
        game_ = open_game(arguments_, context);
        if (game_->ruleset_game() == nullptr)
            throw UserError(fmt::format("{} has no ruleset that advice could be about",
                                        game_->facts().title()));
        const auto table = open(table_, context);
        try {
            return verify_ ? verify(table, context) : explain(table, context);
        } catch (const advice::AdviceFault& fault) {
            throw UserError(fmt::format("the table fails: {}", fault.what()));
        } catch (const agents::Solution::Unsolved& problem) {
            throw UserError(problem.what());
        }
    }

  private:
    static constexpr std::size_t kListed = 10;

    std::shared_ptr<const advice::AdviceTable> open(const std::string& word,
                                                    Context& context) const {
        const games::RulesetGame& game = *game_->ruleset_game();
        context.include_roots->name(agents::table_file(word, game));
        advice::OpenedTable opened =
            advice::open_table(agents::table_file(word, game), file_opener(context), game);
        context.diagnose(opened.diagnostics, opened.sources);
        if (opened.table == nullptr)
            throw UserError(
                fmt::format("{} in the table", tournaments::errors_in(opened.diagnostics)));
        return opened.table;
    }

    // ---- one position ------------------------------------------------------------------------

    int explain(const std::shared_ptr<const advice::AdviceTable>& table, Context& context) {
        const auto position = game_->new_position();
        start_or_load(state_, seed_, *position, context);
        tournaments::refuse_aborted(*position);
        if (position->ending() != games::Ending::None) throw UserError("the game is over there");
        const std::vector<std::string>& players = game_->facts().players;
        if (table->side() && *table->side() != position->turn())
            throw UserError(fmt::format("the table is for {}, and {} is to move",
                                        players[*table->side()], players[position->turn()]));
        advice::Strategy strategy(table, {.explain = true});
        strategy.look(*position);
        const advice::Decision& decision = strategy.decide(position->turn());
        if (json_) {
            context.out().raw(to_json(strategy, decision).dump() + "\n");
        } else {
            for (const std::string& line : strategy.explain())
                context.out().line({line});
            context.out().line({fmt::format("{} nodes in all", decision.nodes)});
        }
        return decision.found() ? kGood : kFailed;
    }

    static ordered_json to_json(const advice::Strategy& strategy,
                                const advice::Decision& decision) {
        const advice::AdviceTable& table = strategy.table();
        ordered_json json;
        const bool ruled = decision.rule != advice::Decision::kNone;
        json["rule"] = ruled ? ordered_json(table.rules()[decision.rule].name) : ordered_json();
        json["advice"] = decision.found() ? ordered_json(decision.by) : ordered_json();
        json["nodes"] = decision.nodes;
        json["tree"] = decision.found() ? ordered_json(strategy.tree_text()) : ordered_json();
        ordered_json tried = ordered_json::array();
        for (const advice::Decision::Attempt& each : decision.attempts) {
            if (each.advice == decision.advice) continue;
            tried.push_back({{"advice", table.advice()[each.advice].name},
                             {"nodes", each.nodes},
                             {"why", advice::describe(each.failure)}});
        }
        json["tried"] = std::move(tried);
        return json;
    }

    // ---- all positions -----------------------------------------------------------------------

    int verify(const std::shared_ptr<const advice::AdviceTable>& table, Context& context) const {
        const advice::VerifySettings settings{.keep_tree = !replan_, .every = every_, .search = {}};
        advice::Verifier verifier(table, settings);
        const advice::Verification& result = verifier.run();
        ordered_json json = summary(*table, result);
        if (solve_) json["won"] = count_won(verifier);
        if (!json_) print(json, context);
        if (against_.empty()) {
            list_failures(verifier, json, context);
        } else {
            const auto second = open(against_, context);
            advice::Verifier other(second, settings);
            const advice::Verification& theirs = other.run();
            if (other.size() != verifier.size())
                throw UserError(fmt::format("{} knows {} positions and {} knows {}", table_,
                                            verifier.size(), against_, other.size()));
            if (!json_) {
                context.out().line();
                context.out().line({against_});
                print(summary(*second, theirs), context);
            }
            compare(verifier, other, json, context);
        }
        if (json_) context.out().raw(json.dump() + "\n");
        return result.secured == result.roots ? kGood : kFailed;
    }

    static ordered_json summary(const advice::AdviceTable& table,
                                const advice::Verification& result) {
        ordered_json json = {{"roots", result.roots},
                             {"secured", result.secured},
                             {"max", result.max},
                             {"mean", result.mean},
                             {"random_mean", result.random_mean},
                             {"nodes_mean", result.nodes_mean},
                             {"nodes_max", result.nodes_max}};
        ordered_json& by_advice = json["by_advice"] = ordered_json::object();
        for (std::size_t i = 0; i < result.by_advice.size(); ++i)
            by_advice[table.advice()[i].name] = result.by_advice[i];
        ordered_json& outcomes = json["outcomes"] = ordered_json::object();
        for (std::size_t i = 0; i < advice::kOutcomes; ++i) {
            if (result.outcomes[i] > 0)
                outcomes[std::string(name_of(static_cast<advice::Outcome>(i)))] =
                    result.outcomes[i];
        }
        return json;
    }

    static void print(const ordered_json& json, Context& context) {
        const std::uint64_t roots = json["roots"];
        const std::uint64_t secured = json["secured"];
        Page& out = context.out();
        out.line({fmt::format("secured        {} of {} positions ({:.4f} %)", secured, roots,
                              100.0 * static_cast<double>(secured) /
                                  static_cast<double>(std::max<std::uint64_t>(roots, 1)))});
        if (json.contains("won")) {
            const auto won = std::max<std::uint64_t>(json["won"].get<std::uint64_t>(), 1);
            out.line({fmt::format("of those won   {:.2f} % of {}",
                                  100.0 * static_cast<double>(secured) / static_cast<double>(won),
                                  json["won"].get<std::uint64_t>())});
        }
        out.line({fmt::format("moves          {} at most, {:.4f} on average",
                              json["max"].get<std::uint32_t>(), json["mean"].get<double>())});
        out.line(
            {fmt::format("random defence {:.4f} on average", json["random_mean"].get<double>())});
        out.line({fmt::format("nodes          {} at most, {:.4f} on average, per decision",
                              json["nodes_max"].get<std::uint64_t>(),
                              json["nodes_mean"].get<double>())});
        for (const char* part : {"by_advice", "outcomes"})
            for (const auto& [name, count] : json[part].items())
                out.line({fmt::format("  {:<12} {}", name, count.get<std::uint64_t>())});
    }

    // Counts positions that the player to move wins with perfect play.
    std::uint64_t count_won(advice::Verifier& verifier) const {
        agents::Solution solution(*game_);
        const auto position = game_->new_position();
        games::Random chance;
        std::uint64_t won = 0;
        for (std::uint32_t root = 0; root < verifier.size(); ++root) {
            engine::Diagnostics ignored;
            if (!verifier.decided(root)) continue;
            if (!position->load(verifier.state(root), chance, ignored)) continue;
            position->resume(chance);
            if (solution.worth(*position).winner == position->turn()) ++won;
        }
        return won;
    }

    static std::string text_of(advice::Verifier& verifier, std::uint32_t root) {
        return engine::write_json(verifier.state(root), -1);
    }

    void list_failures(advice::Verifier& verifier, ordered_json& json, Context& context) const {
        ordered_json failures = ordered_json::array();
        for (std::uint32_t root = 0; root < verifier.size() && failures.size() < list_; ++root) {
            const advice::Outcome outcome = verifier.outcome(root);
            if (!verifier.decided(root) || outcome == advice::Outcome::Won) continue;
            failures.push_back({{"state", ordered_json::parse(text_of(verifier, root))},
                                {"outcome", name_of(outcome)}});
            if (!json_)
                context.out().line(
                    {fmt::format("{}: {}", name_of(outcome), text_of(verifier, root))});
        }
        json["failures"] = std::move(failures);
    }

    // Lists positions that only one of the two tables secures.
    void compare(advice::Verifier& one, advice::Verifier& other, ordered_json& json,
                 Context& context) const {
        std::uint64_t better = 0;
        std::uint64_t worse = 0;
        ordered_json differences = ordered_json::array();
        for (std::uint32_t root = 0; root < one.size(); ++root) {
            const bool here = one.outcome(root) == advice::Outcome::Won;
            const bool there = other.outcome(root) == advice::Outcome::Won;
            if (here == there || !one.decided(root) || !other.decided(root)) continue;
            ++(there ? better : worse);
            if (differences.size() >= list_) continue;
            differences.push_back({{"state", ordered_json::parse(text_of(one, root))},
                                   {"outcome", name_of(one.outcome(root))},
                                   {"against", name_of(other.outcome(root))}});
            if (!json_)
                context.out().line(
                    {fmt::format("{}, {} by {}: {}", name_of(one.outcome(root)),
                                 name_of(other.outcome(root)), against_, text_of(one, root))});
        }
        json["only_here"] = worse;
        json["only_against"] = better;
        json["differences"] = std::move(differences);
        if (!json_)
            context.out().line({fmt::format("{} positions are secured only by {}, {} only by {}",
                                            better, against_, worse, table_)});
    }

    tournaments::GameArguments arguments_;
    std::string table_;
    std::string state_;
    std::string against_;
    std::uint64_t seed_ = 1;
    std::uint64_t list_ = kListed;
    std::uint64_t every_ = 1;
    bool verify_ = false;
    bool replan_ = false;
    bool solve_ = false;
    bool json_ = false;
    std::shared_ptr<const games::Game> game_;
};

} // namespace

std::unique_ptr<Command> make_advice() {
    return std::make_unique<Advice>();
}

} // namespace croupier::cli
