// Opens a run, analyses its games, and formats the results.
#include "tournaments/analysis/analysed_run.h"

#include "results/html/page.h"
#include "results/report/numbers.h"
#include "results/report/sections.h"
#include "results/statistics/means.h"
#include "results/store/json_field.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace croupier::tournaments {

namespace {

using nlohmann::ordered_json;
using results::fixed;

std::uint64_t count_of(const AgentRegret& agent, Unsolved why) {
    return agent.unsolved[static_cast<std::size_t>(why)];
}

// Losses are never negative. Few blocks have no interval: a rare blunder may be many times the
// mean.
results::Estimate estimate_of(const results::BlockMean& mean) {
    results::Estimate loss = results::mean_estimate(mean.moments());
    if (mean.blocks() < results::kMinBlocks) return {loss.value, loss.error, {}, {}};
    if (loss.low) loss.low = std::max(0.0, *loss.low);
    return loss;
}

std::string interval_of(const results::BlockMean& mean) {
    return mean.blocks() > 0 && mean.blocks() < results::kMinBlocks
               ? "too few"
               : results::interval(estimate_of(mean), 3);
}

// The first agent that cannot be made as it was; empty if all can.
std::string why_nobody_can_play(const PreparedRun& run) {
    for (const AgentEntry& agent : run.specification.agents) {
        const agents::MadeAgent made = made_agent(run, agent.spec);
        if (made.agent == nullptr)
            return fmt::format("it was not kept, and the agent {} cannot be made as it was: {}",
                               agent.spec.name, made.error);
    }
    return {};
}

// Quotes names, which may contain a comma.
std::string in_quotes(std::string_view text) {
    std::string quoted = "\"";
    for (const char letter : text)
        quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    return quoted + "\"";
}

std::string_view name_of(Unsolved why) {
    return why == Unsolved::Auction ? "auction" : why == Unsolved::Far ? "far" : "hard";
}

std::string place_of(const Blunder& blunder) {
    return fmt::format("{}:{}", results::text_of(blunder.id), blunder.decision.ply);
}

WholeRows whole_rows(const std::string& folder, const ReadRun& read, const HostServices& host) {
    WholeRows whole = find_whole_rows(folder, read.file);
    if (whole.games == 0)
        throw UserError(fmt::format("{}: no game of the run has been played", folder));
    if (!whole.warning.empty()) host.warn(whole.warning);
    return whole;
}

} // namespace

AnalysedRun::AnalysedRun(std::string folder, const std::string& agents_folder,
                         std::uint64_t blunders, const HostServices& host)
    : folder_(std::move(folder)), read_(read_run(folder_, host)),
      whole_(whole_rows(folder_, read_, host)),
      run_(reopen_run(folder_, read_, agents_folder, host)),
      games_(results::in_folder(folder_, results::kGamesFile), run_.facts, whole_.games),
      kept_(results::in_folder(folder_, results::kMovesFile), whole_.moves),
      book_(run_.facts.agents.size(), blunders) {}

results::Failure AnalysedRun::judge(const AnalysisSettings& settings,
                                    const std::function<void(std::span<const AnalysedGame>)>& told,
                                    const HostServices& host) {
    settings_ = settings;
    if (settings_.threads == 0) settings_.threads = host.threads;
    settings_.stop = host.stop;
    settings_.regret.abandon = host.abandon;
    settings_.cannot_play = why_nobody_can_play(run_);
    const AgentMaker make = agent_maker(run_);
    const ReplayRequest request{*run_.game, make, run_.facts.agents, run_.facts.seed,
                                run_.starts.get()};
    const double begun = host.seconds();
    analyse_games(request, games_, kept_, settings_, book_,
                  [&](std::span<const AnalysedGame> block) {
                      told(block);
                      host.progress([&] {
                          results::Progress facts;
                          facts.games = book_.games();
                          facts.seconds = host.seconds() - begun;
                          return facts;
                      });
                  });
    return games_.failure() ? games_.failure() : kept_.failure();
}

std::string AnalysedRun::rows(std::span<const AnalysedGame> block) const {
    std::string rows;
    for (const AnalysedGame& game : block) {
        for (const Decision& each : game.decisions) {
            rows += fmt::format("{},{},{},{},{},{},", game.id.block, game.id.game, each.ply,
                                in_quotes(run_.facts.players[each.seat]),
                                in_quotes(run_.facts.agents[each.agent]), in_quotes(each.move));
            rows += each.unsolved ? fmt::format(",,,{}\n", name_of(*each.unsolved))
                                  : fmt::format("{},{:g},{},\n", in_quotes(each.best), each.loss,
                                                each.known ? fmt::format("{:g}", *each.known)
                                                           : std::string());
        }
    }
    return rows;
}

std::string AnalysedRun::json(bool stopped) const {
    ordered_json agents = ordered_json::array();
    for (std::size_t i = 0; i < book_.agents().size(); ++i) {
        const AgentRegret& agent = book_.agents()[i];
        ordered_json json{{"name", run_.facts.agents[i]},
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
    for (const Blunder& each : book_.blunders()) {
        ordered_json json{{"game", results::text_of(each.id)},
                          {"ply", each.decision.ply},
                          {"player", run_.facts.players[each.decision.seat]},
                          {"agent", run_.facts.agents[each.decision.agent]},
                          {"move", each.decision.move},
                          {"best", each.decision.best},
                          {"loss", each.decision.loss}};
        if (each.decision.known) json["known_loss"] = *each.decision.known;
        blunders.push_back(std::move(json));
    }
    ordered_json all{{"run", folder_},
                     {"game", run_.facts.game},
                     {"dd", settings_.regret.plies},
                     {"nodes", settings_.regret.nodes},
                     {"worlds", settings_.regret.worlds},
                     {"blocks", book_.blocks()},
                     {"games", book_.games()},
                     {"missing", book_.missing()}};
    if (stopped) all["stopped"] = true;
    all["agents"] = std::move(agents);
    all["blunders"] = std::move(blunders);
    return results::json_text(all);
}

results::Failure AnalysedRun::keep() const {
    return results::replace_file(results::in_folder(folder_, results::kAnalysisFile), json(false));
}

std::string AnalysedRun::title() const {
    return fmt::format("{}: {} in {}, solved where at most {} moves are to come", run_.facts.game,
                       results::counted(book_.games(), "game"),
                       results::counted(book_.blocks(), "block"), settings_.regret.plies);
}

results::TextTable AnalysedRun::agents() const {
    const bool worlds = settings_.regret.worlds > 0;
    results::TextTable table{{{"agent"},
                              {"decisions", results::Align::Right},
                              {"loss", results::Align::Right},
                              {"95 %"},
                              {"mistakes", results::Align::Right},
                              {"worst", results::Align::Right}},
                             {}};
    if (worlds) {
        table.columns.push_back({"known", results::Align::Right});
        table.columns.push_back({"95 %"});
    }
    table.columns.push_back({"too far", results::Align::Right});
    table.columns.push_back({"too hard", results::Align::Right});
    for (std::size_t i = 0; i < book_.agents().size(); ++i) {
        const AgentRegret& agent = book_.agents()[i];
        const double share = agent.decisions == 0 ? 0
                                                  : 100.0 * static_cast<double>(agent.mistakes) /
                                                        static_cast<double>(agent.decisions);
        std::vector<std::string> row{
            run_.facts.agents[i],           fmt::format("{}", agent.decisions),
            fixed(agent.loss.mean(), 3),    interval_of(agent.loss),
            fmt::format("{:.1f} %", share), fmt::format("{:g}", agent.worst)};
        if (worlds) {
            row.push_back(fixed(agent.known.mean(), 3));
            row.push_back(interval_of(agent.known));
        }
        row.push_back(fmt::format("{}", count_of(agent, Unsolved::Far)));
        row.push_back(fmt::format("{}", count_of(agent, Unsolved::Hard)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

bool AnalysedRun::is_doubtful() const {
    return std::any_of(book_.agents().begin(), book_.agents().end(), [](const AgentRegret& agent) {
        return estimate_of(agent.loss).doubtful || estimate_of(agent.known).doubtful;
    });
}

results::TextTable AnalysedRun::blunders() const {
    results::TextTable blunders{
        {{"game:move"}, {"agent"}, {"played"}, {"best"}, {"loss", results::Align::Right}}, {}};
    for (const Blunder& each : book_.blunders())
        blunders.rows.push_back({place_of(each), run_.facts.agents[each.decision.agent],
                                 each.decision.move, each.decision.best,
                                 fmt::format("{:g}", each.decision.loss)});
    return blunders;
}

std::string AnalysedRun::worst() const {
    return book_.blunders().empty()
               ? ""
               : fmt::format("{}:{}", folder_, place_of(book_.blunders().front()));
}

} // namespace croupier::tournaments
