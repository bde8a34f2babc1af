// croupier analyse: what the moves of a run have lost.
#include "results/html/page.h"
#include "results/report/numbers.h"
#include "results/report/sections.h"
#include "results/statistics/means.h"
#include "results/store/file.h"
#include "tournaments/analysis/regret.h"
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/process.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace croupier::cli {
namespace {

using nlohmann::ordered_json;
using results::fixed;
using results::number_json;
using tournaments::AgentRegret;
using tournaments::AnalysedGame;
using tournaments::Blunder;
using tournaments::Decision;
using tournaments::RegretBook;
using tournaments::Unsolved;

constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 40;

std::uint64_t count_of(const AgentRegret& agent, Unsolved why) {
    return agent.unsolved[static_cast<std::size_t>(why)];
}

// No loss is negative. Few blocks have no interval: a rare blunder may be many times the mean.
results::Estimate estimate_of(const results::BlockMean& mean) {
    results::Estimate loss = results::mean_estimate(mean.moments());
    if (mean.blocks() < results::kFewestBlocks) return {loss.value, loss.error, {}, {}};
    if (loss.low) loss.low = std::max(0.0, *loss.low);
    return loss;
}

std::string interval_of(const results::BlockMean& mean) {
    return mean.blocks() > 0 && mean.blocks() < results::kFewestBlocks
               ? "too few"
               : results::interval(estimate_of(mean), 3);
}

class Analyse : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"analyse", "What the moves of a run have lost",
                "Goes through the games of a run again and solves each decision with all cards "
                "seen: the loss of a move, its regret, is by how many points the best one would "
                "have done better if nobody erred from there on. It needs no opponent to compare "
                "with. Decisions with more than --dd moves to come, or that need more than --nodes "
                "positions, are left out and counted; so are bids.\n"
                "--worlds also draws deals that look the same to the player, as agents that search "
                "do, and tells what was lost against the move that is best on average over them: "
                "no more than that could have been known. With few worlds this is too high, since "
                "some move is always lucky in them.\n"
                "Games that the run did not keep are played again by their agents; where these go "
                "by time, run with --keep all. As CSV each decision is a row.",
                "croupier analyse runs/belote-1\n"
                "croupier analyse runs/belote-1 --dd 16 --worlds 50\n"
                "croupier analyse runs/belote-1 --keep\n"
                "croupier analyse runs/belote-1 --format csv > decisions.csv"};
    }

    void declare(Options& options) override {
        options.add("RUN", folder_, "Folder of the run").required().offers(Offers::Folders);
        options.add("--dd", settings_.regret.plies, "Solve where no more than N moves are to come")
            .range(1, 1000)
            .type_name("N")
            .shows_default();
        options.add("--nodes", settings_.regret.nodes, "Positions that one solution may look at")
            .range(1, kMostNodes)
            .type_name("N")
            .shows_default();
        options.add("--worlds", settings_.regret.worlds, "Deals to draw for each decision")
            .range(0, 1'000'000)
            .type_name("N")
            .shows_default();
        options.add("--blocks", settings_.blocks, "The first N blocks alone")
            .range(1, kMostNodes)
            .type_name("N")
            .default_text("all");
        options.add("--blunders", most_, "List so many of the worst moves")
            .range(0, 1'000'000)
            .type_name("N")
            .shows_default();
        options.add_flag("--keep", keep_,
                         "Keep the answer in the run's folder, for the page of croupier report");
        add_threads(options, threads_);
        add_form(options, form_, {"table", "csv"});
        add_progress(options, mode_);
        add_agents_folder(options, agents_folder_);
    }

    int run(Context& context) override {
        const tournaments::ReadRun read = read_run(folder_, context);
        const tournaments::WholeRows whole = tournaments::find_whole_rows(folder_, read.file);
        if (whole.games == 0)
            throw Mistake(fmt::format("{}: no game of the run has been played", folder_));
        if (!whole.warning.empty()) context.warn(whole.warning);
        const tournaments::PreparedRun prepared =
            reopen_run(folder_, read, agents_folder_, context);
        const std::filesystem::path folder(folder_);
        results::GamesReader games((folder / results::kGamesFile).string(), prepared.facts,
                                   whole.games);
        results::KeptGames kept((folder / results::kMovesFile).string(), whole.moves);
        const tournaments::AgentMaker make = agent_maker(prepared);
        const tournaments::ReplayRequest request{*prepared.game, make, prepared.facts.agents,
                                                 prepared.facts.seed, prepared.starts.get()};
        const StopSignals signals;
        context.show_progress(mode_);
        settings_.threads = threads_ == 0 ? context.threads : threads_;
        settings_.stop = context.stop;
        settings_.regret.abandon = context.abandon;
        settings_.cannot_play = why_nobody_can_play(prepared);
        RegretBook book(prepared.facts.agents.size(), most_);
        const double begun = context.seconds();
        if (form_.format == "csv")
            context.out().raw("block,game,ply,player,agent,move,best,loss,known_loss,unsolved\n");
        tournaments::analyse_games(request, games, kept, settings_, book,
                                   [&](std::span<const AnalysedGame> block) {
                                       if (form_.format == "csv" && !form_.json)
                                           print_rows(block, prepared, context);
                                       context.progress([&] {
                                           results::Progress facts;
                                           facts.games = book.games();
                                           facts.seconds = context.seconds() - begun;
                                           return facts;
                                       });
                                   });
        context.end_progress();
        if (games.failure()) throw Mistake(*games.failure());
        if (kept.failure()) throw Mistake(*kept.failure());
        const bool stopped = StopSignals::signal() != 0;
        if (keep_ && !stopped) keep(book, prepared);
        if (form_.json)
            context.out().raw(json_text(book, prepared, stopped));
        else if (form_.format == "table")
            print_tables(book, prepared, context);
        context.out().flush();
        if (book.missing() > 0)
            context.warn(fmt::format("{} could not be had again; {}",
                                     results::counted(book.missing(), "game"), book.why_missing()));
        if (stopped) {
            context.err().line(
                {fmt::format("stopped after {}", results::counted(book.blocks(), "block"))});
            return kSignalExit + StopSignals::signal();
        }
        return book.missing() == book.games() ? kFailed : kGood;
    }

  private:
    // The first agent that cannot be made as it was; empty: all can.
    static std::string why_nobody_can_play(const tournaments::PreparedRun& run) {
        for (const tournaments::AgentEntry& agent : run.specification.agents) {
            const agents::MadeAgent made = made_agent(run, agent.spec);
            if (made.agent == nullptr)
                return fmt::format("it was not kept, and the agent {} cannot be made as it was: {}",
                                   agent.spec.name, made.error);
        }
        return {};
    }

    // Names stand in quotes, as a comma may be in them.
    static std::string quoted(std::string_view text) {
        std::string quoted = "\"";
        for (const char letter : text)
            quoted += letter == '"' ? "\"\"" : std::string(1, letter);
        return quoted + "\"";
    }

    static std::string_view name_of(Unsolved why) {
        return why == Unsolved::Auction ? "auction" : why == Unsolved::Far ? "far" : "hard";
    }

    static void print_rows(std::span<const AnalysedGame> block, const tournaments::PreparedRun& run,
                           Context& context) {
        std::string rows;
        for (const AnalysedGame& game : block) {
            for (const Decision& each : game.decisions) {
                rows += fmt::format("{},{},{},{},{},{},", game.id.block, game.id.game, each.ply,
                                    quoted(run.facts.players[each.seat]),
                                    quoted(run.facts.agents[each.agent]), quoted(each.move));
                rows += each.unsolved ? fmt::format(",,,{}\n", name_of(*each.unsolved))
                                      : fmt::format("{},{:g},{},\n", quoted(each.best), each.loss,
                                                    each.known ? fmt::format("{:g}", *each.known)
                                                               : std::string());
            }
        }
        context.out().raw(rows);
    }

    static std::string place_of(const Blunder& blunder) {
        return fmt::format("{}:{}", results::text_of(blunder.id), blunder.decision.ply);
    }

    void keep(const RegretBook& book, const tournaments::PreparedRun& run) const {
        const std::string path = results::in_folder(folder_, results::kAnalysisFile);
        if (const auto failure = results::replace_file(path, json_text(book, run, false)))
            throw Mistake(*failure);
    }

    [[nodiscard]] std::string json_text(const RegretBook& book, const tournaments::PreparedRun& run,
                                        bool stopped) const {
        ordered_json agents = ordered_json::array();
        for (std::size_t i = 0; i < book.agents().size(); ++i) {
            const AgentRegret& agent = book.agents()[i];
            ordered_json json{{"name", run.facts.agents[i]},
                              {"decisions", agent.decisions},
                              {"blocks", agent.loss.blocks()},
                              {"loss", results::estimate_json(estimate_of(agent.loss))},
                              {"mistakes", agent.mistakes},
                              {"worst", agent.worst}};
            if (settings_.regret.worlds > 0) {
                json["known_decisions"] = agent.known_decisions;
                json["known_loss"] = results::estimate_json(estimate_of(agent.known));
            }
            json["unsolved"] = {{"auction", count_of(agent, Unsolved::Auction)},
                                {"far", count_of(agent, Unsolved::Far)},
                                {"hard", count_of(agent, Unsolved::Hard)}};
            agents.push_back(std::move(json));
        }
        ordered_json blunders = ordered_json::array();
        for (const Blunder& each : book.blunders()) {
            ordered_json json{{"game", results::text_of(each.id)},
                              {"ply", each.decision.ply},
                              {"player", run.facts.players[each.decision.seat]},
                              {"agent", run.facts.agents[each.decision.agent]},
                              {"move", each.decision.move},
                              {"best", each.decision.best},
                              {"loss", each.decision.loss}};
            if (each.decision.known) json["known_loss"] = *each.decision.known;
            blunders.push_back(std::move(json));
        }
        ordered_json all{{"run", folder_},
                         {"game", run.facts.game},
                         {"dd", settings_.regret.plies},
                         {"nodes", settings_.regret.nodes},
                         {"worlds", settings_.regret.worlds},
                         {"blocks", book.blocks()},
                         {"games", book.games()},
                         {"missing", book.missing()}};
        if (stopped) all["stopped"] = true;
        all["agents"] = std::move(agents);
        all["blunders"] = std::move(blunders);
        return text_of(all);
    }

    void print_tables(const RegretBook& book, const tournaments::PreparedRun& run,
                      Context& context) const {
        context.out().line(
            {fmt::format("{}: {} in {}, solved where at most {} moves are to come", run.facts.game,
                         results::counted(book.games(), "game"),
                         results::counted(book.blocks(), "block"), settings_.regret.plies)});
        context.out().line();
        const bool worlds = settings_.regret.worlds > 0;
        Table table{{{"agent"},
                     {"decisions", Align::Right},
                     {"loss", Align::Right},
                     {"95 %"},
                     {"mistakes", Align::Right},
                     {"worst", Align::Right}},
                    {}};
        if (worlds) {
            table.columns.push_back({"known", Align::Right});
            table.columns.push_back({"95 %"});
        }
        table.columns.push_back({"too far", Align::Right});
        table.columns.push_back({"too hard", Align::Right});
        for (std::size_t i = 0; i < book.agents().size(); ++i) {
            const AgentRegret& agent = book.agents()[i];
            const double share = agent.decisions == 0
                                     ? 0
                                     : 100.0 * static_cast<double>(agent.mistakes) /
                                           static_cast<double>(agent.decisions);
            std::vector<std::string> row{run.facts.agents[i],
                                         fmt::format("{}", agent.decisions),
                                         fixed(agent.loss.mean(), 3),
                                         interval_of(agent.loss),
                                         fmt::format("{:.1f} %", share),
                                         fmt::format("{:g}", agent.worst)};
            if (worlds) {
                row.push_back(fixed(agent.known.mean(), 3));
                row.push_back(interval_of(agent.known));
            }
            row.push_back(fmt::format("{}", count_of(agent, Unsolved::Far)));
            row.push_back(fmt::format("{}", count_of(agent, Unsolved::Hard)));
            table.rows.push_back(std::move(row));
        }
        context.out().table(table);
        if (std::any_of(book.agents().begin(), book.agents().end(), [](const AgentRegret& agent) {
                return estimate_of(agent.loss).doubtful || estimate_of(agent.known).doubtful;
            }))
            context.out().paragraph(results::kDoubtful);
        if (book.blunders().empty()) return;
        context.out().line();
        Table blunders{{{"game:move"}, {"agent"}, {"played"}, {"best"}, {"loss", Align::Right}},
                       {}};
        for (const Blunder& each : book.blunders())
            blunders.rows.push_back({place_of(each), run.facts.agents[each.decision.agent],
                                     each.decision.move, each.decision.best,
                                     fmt::format("{:g}", each.decision.loss)});
        context.out().table(blunders);
        context.out().line();
        context.out().line({fmt::format("to look at one: croupier replay {}:{}", folder_,
                                        place_of(book.blunders().front()))});
    }

    std::string folder_;
    tournaments::AnalysisSettings settings_;
    std::uint64_t most_ = 10;
    std::size_t threads_ = 0;
    bool keep_ = false;
    Form form_;
    std::string mode_ = "auto";
    std::string agents_folder_;
};

} // namespace

std::unique_ptr<Command> make_analyse() {
    return std::make_unique<Analyse>();
}

} // namespace croupier::cli
