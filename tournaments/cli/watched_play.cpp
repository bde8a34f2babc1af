// Games for nothing but their times. Rounds take turns, so that both see the same machine.
#include "tournaments/cli/watched_play.h"

#include "engine/api/origins.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/cli/run_book.h"
#include "tournaments/cli/run_session.h"
#include "tournaments/cli/stop_signals.h"
#include "tournaments/runner/ledger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace croupier::cli {

namespace {

constexpr std::uint64_t kRounds = 9;
constexpr std::uint64_t kCountedGames = 10;  // of each of two: which rules are tried at all
constexpr std::uint32_t kCountedStretch = 8; // of their steps: one of them is counted
constexpr double kRoundNs = 60e6;            // of CPU time
constexpr double kLotNs = 100e6;             // of CPU time at once, with ticks
constexpr std::uint64_t kUndisturbed = 4;    // games with ticks for one without

// Steps are watched, one of so many; none: 0.
results::CostTable play_games(const PreparedRun& run, const tournaments::AgentMaker& make,
                              std::uint64_t round, std::uint64_t games, std::uint32_t stretch,
                              tournaments::Sampler* sampler, const Over& over = {},
                              tournaments::CodeTimes* code = nullptr) {
    tournaments::Specification wanted = run.specification;
    wanted.seed += round;
    wanted.games = games;
    wanted.blocks.reset();
    results::RunFacts facts = run.facts;
    facts.seed = wanted.seed;
    const auto schedule = schedule_of(wanted, facts).schedule;
    tournaments::LedgerSettings settings;
    settings.schedule = schedule.get();
    std::atomic<bool> stop = false;
    if (over) settings.paused = [&] { stop = stop || over(); };
    tournaments::Ledger ledger(facts, std::move(settings));
    results::ProfileFacts sampled = run.profile;
    sampled.mode = results::ProfileMode::Sample;
    tournaments::ProfileSettings profile;
    if (sampled.watches()) profile = {&sampled, sampler, stretch, 0, code};
    const tournaments::LocalWorkers workers(*run.game, facts, make, 1, profile,
                                            {.terms = run.specification.terms,
                                             .abandon = &StopSignals::abandoned(),
                                             .starts = run.starts.get()});
    tournaments::RunnerSettings runner;
    runner.clock = seconds_now; // many short games are begun and ended as one
    runner.stop = &stop;
    tournaments::play_blocks(*schedule, workers.all(), runner, ledger);
    return ledger.costs();
}

} // namespace

TimedGames time_games(const PreparedRun& run, const tournaments::AgentMaker& make,
                      const Timing& timing) {
    return time_games(
        [&](std::uint64_t round, std::uint64_t games, tournaments::Sampler* sampler,
            const Over& over) {
            return play_games(run, make, round, games, 0, sampler, over, timing.code);
        },
        timing);
}

TimedGames time_games(const PlayGames& play_games, const Timing& timing) {
    const double end = timing.clock() + timing.seconds;
    const Over over = [&] {
        return (timing.stop != nullptr && *timing.stop) || timing.clock() >= end;
    };
    TimedGames timed;
    const std::unique_ptr<tournaments::Sampler> clock =
        timing.sampler(Ticks::None, &timed.hardware);
    const auto play = [&](std::uint64_t round, std::uint64_t count, tournaments::Sampler* sampler) {
        results::CostTable table = play_games(round, count, sampler, over);
        timed.played += table.games();
        return table;
    };
    play(0, 1, clock.get()); // warm
    timed.hardware.reset();
    results::CostTable undisturbed;
    std::uint64_t undisturbed_games = 0;
    std::uint64_t games = 1;
    for (std::uint64_t round = 0; timed.times.ticks() < timing.ticks && !over(); ++round) {
        // Ticks tell who takes the time, and games without them how much it is.
        const std::unique_ptr<tournaments::Sampler> ticks = timing.sampler(Ticks::Fine, nullptr);
        if (ticks == nullptr) break;
        const results::CostTable more = play(round, games, ticks.get());
        timed.times.take_times(more);
        if (more.cpu_ns() == 0) break;
        const results::CostTable fewer = play(round, (games - 1) / kUndisturbed + 1, clock.get());
        undisturbed.take_times(fewer);
        undisturbed_games += fewer.games();
        games = std::max(games, static_cast<std::uint64_t>(kLotNs / *more.cpu_per_game()));
    }
    if (undisturbed.cpu_per_game()) timed.times.set_cpu_per_game(*undisturbed.cpu_per_game());
    if (timed.hardware)
        for (double& count : *timed.hardware)
            count /= static_cast<double>(undisturbed_games);
    return timed;
}

std::vector<results::HotCode> hot_code(const PreparedRun& run, const tournaments::AgentMaker& make,
                                       const tournaments::CodeTimes& times) {
    std::map<std::pair<std::size_t, std::vector<engine::RuleId>>, results::HotCode> found;
    const auto& rules = run.profile.rules;
    for (auto next = times.begin(); next != times.end();) {
        const auto [owner, function, any] = next->first;
        std::optional<std::uint32_t> who;
        if (owner > 0) who = static_cast<std::uint32_t>(owner - 1);
        const auto agent = who ? make(*who) : nullptr;
        const engine::Program& program =
            who ? *agent->rules() : run.game->ruleset_game()->program();
        const auto first = std::find_if(rules.begin(), rules.end(),
                                        [&](const auto& rule) { return rule.agent == who; });
        const auto begin = reinterpret_cast<std::uintptr_t>(program.code()->entry(function));
        const auto lines = engine::emit::listing(program.form(), function);
        const auto last = times.lower_bound({owner, function + 1, 0});
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto* const origin = program.code()->origin(begin + lines[i].offset);
            if (origin == nullptr) continue;
            results::HotCode& code = found[{owner, origin->rules}];
            if (code.lines.empty()) {
                code.agent = who;
                for (const engine::RuleId rule : origin->rules)
                    code.rules.push_back(static_cast<std::uint32_t>(first - rules.begin()) + rule);
            }
            results::HotCode::Line line{lines[i].text, lines[i].is_instruction()};
            if (!origin->rules.empty() && origin->entry < rules[code.rules[0]].entries.size())
                line.entry = origin->entry;
            const auto end = i + 1 < lines.size() ? lines[i + 1].offset : ~std::uint32_t{0};
            for (; next != last && std::get<2>(next->first) < end; ++next)
                line.ns += next->second;
            code.ns += line.ns;
            code.lines.push_back(std::move(line));
        }
        next = last;
    }
    std::vector<results::HotCode> hottest;
    for (auto& [whose, code] : found)
        if (code.ns > 0) hottest.push_back(std::move(code));
    std::stable_sort(hottest.begin(), hottest.end(),
                     [](const auto& a, const auto& b) { return a.ns > b.ns; });
    return hottest;
}

std::vector<results::CostRound> measure_in_turn(const PreparedRun& old, const PreparedRun& now,
                                                std::uint64_t games) {
    const std::unique_ptr<tournaments::Sampler> sampler = make_sampler(Ticks::Fine);
    const tournaments::AgentMaker make_old = agent_maker(old);
    const tournaments::AgentMaker make_now = agent_maker(now);
    const auto play_old = [&](std::uint64_t round, std::uint64_t count) {
        return play_games(old, make_old, round, count, 0, sampler.get());
    };
    const auto play_now = [&](std::uint64_t round, std::uint64_t count) {
        return play_games(now, make_now, round, count, 0, sampler.get());
    };
    play_old(0, 1); // warm
    play_now(0, 1);
    std::uint64_t each = std::max<std::uint64_t>(games / kRounds, 1);
    const double least = std::min(play_old(0, each).cpu_per_game().value_or(kRoundNs),
                                  play_now(0, each).cpu_per_game().value_or(kRoundNs));
    each = std::max(each, static_cast<std::uint64_t>(std::ceil(kRoundNs / least)));
    std::vector<results::CostRound> rounds(kRounds);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
        // Who goes first takes turns as well.
        if (round % 2 == 0) rounds[round].old = play_old(round, each);
        rounds[round].now = play_now(round, each);
        if (round % 2 == 1) rounds[round].old = play_old(round, each);
    }
    // A step that is watched may take as long as a hundred games: few are, and in games of their
    // own.
    const auto add_counts = [](const PreparedRun& run, const tournaments::AgentMaker& make,
                               results::CostTable& times) {
        results::CostTable counted =
            play_games(run, make, 0, kCountedGames, kCountedStretch, nullptr);
        counted.take_times(times);
        times = std::move(counted);
    };
    add_counts(old, make_old, rounds.front().old);
    add_counts(now, make_now, rounds.front().now);
    return rounds;
}

} // namespace croupier::cli
