// Plays games to measure the costs of rules; opens old runs from their copies.
#include "tournaments/run/rule_costs.h"

#include "engine/api/run.h"
#include "engine/api/state.h"
#include "games/contract/game.h"
#include "games/registry.h"
#include "games/ruleset/ruleset_game.h"
#include "results/report/compared.h"
#include "results/report/numbers.h"
#include "results/report/sections.h"
#include "results/store/measurements.h"
#include "tournaments/run/files.h"
#include "tournaments/run/session.h"
#include "tournaments/runner/ledger.h"
#include "tournaments/runner/run_facts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace croupier::tournaments {

namespace {

constexpr const char* kGames = "100";
// Limit of tries and matches, which take a second or two to watch.
constexpr std::uint64_t kMaxWork = 40'000'000;
constexpr std::size_t kRulesShown = 20;

// `old` supplies options that were not given; may be null.
PreparedRun prepare_profile(AskedProfile asked, results::ProfileMode mode, const Specification* old,
                            const HostServices& host) {
    SpecificationInput input;
    input.add_text("GAME", "game", asked.game);
    if (asked.agents.empty() && asked.each_agent.empty()) {
        if (old == nullptr) asked.agents = {"random"};
        for (std::size_t i = 0; old != nullptr && i < old->agents.size(); ++i)
            asked.each_agent.push_back(old->agents[i].text);
    }
    input.add_agents("--agents", asked.agents);
    input.add_agents("--agent", asked.each_agent);
    input.add_settings(asked.set);
    for (std::size_t i = 0; asked.set.empty() && old != nullptr && i < old->set.size(); ++i) {
        const games::GameOption& option = old->set[i];
        const auto* text = std::get_if<std::string>(&option.value);
        input.add_setting(option.name + "=" +
                          (text != nullptr ? *text : engine::scalar_json(option.value)));
    }
    input.add_value("--games", "games", {asked.games.empty() ? kGames : asked.games});
    input.add_value("--seed", "seed", {asked.seed});
    return prepare_run(input, asked.games_folder, asked.agents_folder, mode, host);
}

// The costs of rules that an old run recorded.
results::Costs recorded_costs(const std::string& folder, const results::RunFile& file) {
    if (!file.profile.watches())
        throw UserError(folder +
                        ": no rules were watched in that run: there is nothing to compare");
    results::Costs recorded;
    recorded.facts = file.profile;
    if (const auto failure = results::read_rules_file(folder, file.facts, recorded))
        throw UserError(*failure);
    return recorded;
}

// The game of an old run, with the settings of `now`. Throws UserError if it is another game, or
// cannot be opened as it was.
PreparedRun open_old(const std::string& folder, const ReadRun& read, const PreparedRun& now,
                     const std::string& agents_folder, const HostServices& host) {
    const std::string& was = read.file.facts.game;
    if (games::parse_game_name(was).game != games::parse_game_name(now.facts.game).game)
        throw UserError(
            fmt::format("{} is a run of {}, and this is {}", folder, was, now.facts.game));
    PreparedRun run = reopen_run(folder, read, agents_folder, host);
    run.specification = now.specification;
    run.facts = now.facts;
    run.profile.mode = results::ProfileMode::Sample;
    const games::RulesetGame& game = *run.game->ruleset_game();
    if (&game == run.game.get()) // and does not replace it
        add_rule_facts(game.program(), game.sources(), {}, false, run.profile);
    const auto& agents = run.specification.agents;
    for (std::uint32_t agent = 0; agent < agents.size(); ++agent) {
        const agents::MadeAgent made = made_agent(run, agents[agent].spec);
        if (made.agent == nullptr)
            throw UserError(fmt::format("{}: the agent {} cannot be made as it was", folder,
                                        agents[agent].spec.name));
        if (made.agent->rules() != nullptr)
            add_rule_facts(*made.agent->rules(), made.sources, agent, false, run.profile);
    }
    return run;
}

} // namespace

ProfiledGames profile_games(const AskedProfile& asked, results::ProfileView& view,
                            const HostServices& host) {
    PreparedRun run = prepare_profile(asked, results::ProfileMode::Full, nullptr, host);
    LedgerSettings settings;
    settings.schedule = run.schedule.get();
    if (asked.games.empty()) settings.most_work = kMaxWork;
    Ledger ledger(run.facts, std::move(settings));
    RunnerSettings runner;
    runner.clock = [&host] { return host.seconds(); };
    const AgentMaker maker = agent_maker(run);
    const LocalWorkers workers(*run.game, run.facts, maker, asked.threads,
                               profile_settings(run.profile, *run.game, nullptr),
                               {.terms = run.specification.terms, .starts = run.starts.get()});
    play_blocks(*run.schedule, workers.all(), runner, ledger);
    results::CostTable costs = ledger.costs();
    if (!asked.counts) {
        CodeTimes code;
        Timing timing = timing_of(host);
        if (asked.seconds > 0) {
            timing.ticks = ~std::uint64_t{0};
            timing.seconds = static_cast<double>(asked.seconds);
        }
        if (asked.code) timing.code = &code;
        const TimedGames timed = time_games(run, maker, timing);
        costs.take_times(timed.times);
        view.hardware = timed.hardware;
        if (costs.has_times()) view.code = hot_code(run, maker, code);
    }
    return {{{run.profile, std::move(costs)}, !asked.counts, false, {}}, run.facts};
}

CostComparison compare_with_run(const std::string& folder, const AskedProfile& asked,
                                const HostServices& host) {
    const ReadRun read = read_run(folder, host);
    const results::Costs recorded = recorded_costs(folder, read.file);
    const PreparedRun now =
        prepare_profile(asked, results::ProfileMode::Sample, &read.specification, host);
    const PreparedRun old =
        open_old(folder, read, now, agents_folder(asked.agents_folder, host), host);
    const auto rounds =
        measure_in_turn(old, now, now.specification.games.value_or(1), host.sampler);
    return {results::compare_costs(recorded, now.profile, rounds,
                                   games::parse_game_name(now.facts.game).game,
                                   read.file.facts.agents, now.facts.agents),
            rounds.size()};
}

nlohmann::ordered_json to_json(const CostComparison& comparison) {
    using results::number_json;
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const results::CostChange& change : comparison.changes)
        rows.push_back({{"owner", change.owner},
                        {"group", change.group},
                        {"name", change.name},
                        {"recorded_ns", number_json(change.recorded)},
                        {"old_ns", number_json(change.old)},
                        {"now_ns", number_json(change.now)},
                        {"ratio", number_json(change.ratio)},
                        {"low", number_json(change.low)},
                        {"high", number_json(change.high)},
                        {"verdict", name_of(change.verdict)}});
    return rows;
}

results::TextTable table_of(const CostComparison& comparison, std::size_t& left) {
    using results::Align;
    constexpr std::size_t kSums = 2; // of the game and of all rules
    results::TextTable table{{{"rule"},
                              {"recorded", Align::Right},
                              {"old", Align::Right},
                              {"now", Align::Right},
                              {"ratio", Align::Right},
                              {"95 %", Align::Right},
                              {"verdict"}},
                             {}};
    const auto& changes = comparison.changes;
    const std::size_t shown = std::min(changes.size(), kRulesShown + kSums);
    left = changes.size() - shown;
    for (std::size_t i = 0; i < shown; ++i) {
        const results::CostChange& change = changes[i];
        const auto number = [](const std::optional<double>& value, int decimals) {
            return value ? results::fixed(value, decimals) : std::string("-");
        };
        table.rows.push_back({change.name, number(change.recorded, 0), number(change.old, 0),
                              number(change.now, 0), number(change.ratio, 2),
                              results::ratio_interval(change),
                              std::string(name_of(change.verdict))});
    }
    return table;
}

void profile_group(const engine::Program& program, engine::GroupId group,
                   const engine::Document& before, std::uint64_t seed, std::uint64_t runs,
                   results::Costs& costs, results::ProfileView& view, const HostServices& host) {
    results::ProfileFacts& facts = costs.facts;
    results::CostTable& table = costs.table;
    engine::State first = program.catalogue().initial_state();
    engine::Diagnostics none;
    program.catalogue().import(first, before, none);
    const engine::Budgets budgets;
    const engine::Random random(seed);
    const auto take = [](const std::vector<results::CostRow>& rows, results::CostTable& into) {
        for (const results::CostRow& row : rows)
            into.add(row);
    };
    std::vector<results::CostRow> rows;
    ProfileSettings settings{.facts = &facts};
    CostMeter counter(settings, program.catalogue());
    for (std::uint64_t i = 0; i < runs; ++i) {
        counter.runs({games::Phase::Play, games::kNobody, program, group, budgets, first, random});
        counter.after(0);
        table.add_game(0);
    }
    counter.drain(rows);
    take(rows, table);

    engine::Machine machine(program, budgets);
    agents::Whereabouts here;
    engine::State state = first;
    const auto play = [&](std::uint64_t, std::uint64_t count, Sampler* sampler, const Over&) {
        settings.sampler = sampler;
        CostMeter meter(settings, program.catalogue());
        meter.look_at(here);
        results::CostTable times;
        meter.works();
        for (std::uint64_t i = 0; i < count; ++i) {
            state = first;
            engine::Random chance = random;
            const agents::Whereabouts::Stay inside(here, agents::Whereabouts::Area::Game);
            machine.run(group, state, chance);
        }
        meter.rests();
        for (std::uint64_t i = 0; i < count; ++i)
            times.add_game(0);
        rows.clear();
        meter.drain_times(rows);
        take(rows, times);
        return times;
    };
    const TimedGames timed = time_games(play, timing_of(host));
    table.take_times(timed.times);
    view.hardware = timed.hardware;
}

} // namespace croupier::tournaments
