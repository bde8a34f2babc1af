// Combines schedule, workers, ledger and standings in memory.
#include "tournaments/tournament.h"

#include "agents/rules/rule_program.h"
#include "engine/api/text.h"
#include "results/report/standings.h"
#include "tournaments/runner/ledger.h"
#include "tournaments/runner/player.h"
#include "tournaments/runner/run_facts.h"
#include "tournaments/runner/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

namespace croupier::tournaments {
namespace {

// Enters blocks in the ledger, and asks the caller whether to continue.
class TournamentSink : public BlockSink {
  public:
    TournamentSink(Ledger& ledger, const TournamentSettings& settings)
        : ledger_(ledger), settings_(settings) {}

    bool take(const PlayedBlock& block) override {
        for (const results::GameRecord& game : block.games) {
            hash_ = (hash_ ^ game.line) * 0x9e3779b97f4a7c15u;
            hash_ ^= hash_ >> 32;
        }
        const bool goes_on = ledger_.take(block);
        return (!settings_.listener || settings_.listener(block.games)) && goes_on;
    }
    void pause() override { ledger_.pause(); }
    [[nodiscard]] std::uint64_t hash() const { return hash_; }

  private:
    Ledger& ledger_;
    const TournamentSettings& settings_;
    std::uint64_t hash_ = 0;
};

} // namespace

MadeEntrant make_entrant(std::string_view text, const agents::AgentServices& services) {
    const agents::AgentSpec spec = agents::parse_agent_spec(text);
    const auto programs = std::make_shared<agents::RulePrograms>();
    agents::AgentServices given = services;
    if (given.programs == nullptr) given.programs = programs.get();
    const agents::MadeAgent tried = agents::make_agent(spec, given);
    if (tried.agent == nullptr) {
        std::string error = tried.error;
        for (const engine::Diagnostic& each : tried.diagnostics.sorted())
            error += (error.empty() ? "" : "\n") + engine::format(each, tried.sources);
        return {std::nullopt, std::move(error)};
    }
    const auto make = [spec, given, programs] { return agents::make_agent(spec, given).agent; };
    return {Entrant{spec.name, make}, {}};
}

Tournament play_tournament(const games::Game& game, const std::vector<Entrant>& entrants,
                           const TournamentSettings& settings) {
    assert(settings.threads > 0);
    Tournament played;
    results::RunFacts facts = facts_of(game.facts());
    facts.seed = settings.seed;
    for (const Entrant& entrant : entrants) {
        if (std::find(facts.agents.begin(), facts.agents.end(), entrant.name) !=
            facts.agents.end()) {
            played.error = fmt::format("two entrants are named '{}'", entrant.name);
            return played;
        }
        facts.agents.push_back(entrant.name);
    }

    ScheduleRequest request;
    request.kind = settings.schedule;
    request.rotation = settings.rotation;
    request.agents = static_cast<std::uint32_t>(entrants.size());
    request.sides = sides_of(facts);
    request.seed = settings.seed;
    request.blocks = settings.blocks;
    request.rounds = settings.rounds;
    MadeSchedule made = make_schedule(request);
    if (made.schedule == nullptr) {
        played.error = std::move(made.error);
        return played;
    }

    results::Standings standings(facts, made.schedule->balances_couples());
    LedgerSettings ledger_settings;
    ledger_settings.schedule = made.schedule.get();
    ledger_settings.ends_at_faults = settings.terms.faults == FaultRule::Stop;
    ledger_settings.listener = [&](std::span<const results::GameRecord> games,
                                   const results::BlockOutcome& outcome) {
        standings.add_block(games, outcome);
    };
    Ledger ledger(facts, std::move(ledger_settings));
    TournamentSink sink(ledger, settings);

    const AgentMaker maker = [&](std::uint32_t agent) {
        std::unique_ptr<agents::Agent> one = entrants[agent].make();
        assert(one != nullptr);
        return one;
    };
    PlayerSettings player;
    player.terms = settings.terms;
    player.clock = settings.clock;
    const LocalWorkers workers(game, facts, maker, settings.threads, {}, player);
    RunnerSettings runner;
    runner.stop = settings.stop;
    play_blocks(*made.schedule, workers.all(), runner, sink);
    WorkerTimes times = measured_by(workers.all());
    times.resize(1);
    played.times = std::move(times.decisions[0]);
    played.summary = standings.summary();
    played.hash = sink.hash();
    return played;
}

} // namespace croupier::tournaments
