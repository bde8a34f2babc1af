// Rounds take turns, so that both see the same machine.
#include "tournaments/cli/watched_play.h"

#include "tournaments/cli/run_book.h"
#include "tournaments/cli/run_session.h"
#include "tournaments/runner/ledger.h"

#include <algorithm>

namespace croupier::cli {

namespace {

constexpr std::uint64_t kRounds = 9;

} // namespace

results::CostTable watch_games(const PreparedRun& run, const tournaments::AgentMaker& make,
                               std::uint64_t round, std::uint64_t games) {
    tournaments::Specification wanted = run.specification;
    wanted.seed += round;
    wanted.games = games;
    wanted.blocks.reset();
    results::RunFacts facts = run.facts;
    facts.seed = wanted.seed;
    const auto schedule = schedule_of(wanted, facts).schedule;
    tournaments::LedgerSettings settings;
    settings.schedule = schedule.get();
    tournaments::Ledger ledger(facts, std::move(settings));
    tournaments::ProfileSettings profile = profile_settings(run.profile);
    profile.stretch = 1; // a sample of all steps: rules without their entries
    const tournaments::LocalWorkers workers(
        *run.game, facts, make, 1, profile,
        {.terms = run.specification.terms, .starts = run.starts.get()});
    tournaments::play_blocks(*schedule, workers.all(), {}, ledger);
    return ledger.costs();
}

std::vector<results::CostRound> measure_in_turn(const PreparedRun& old, const PreparedRun& now,
                                                std::uint64_t games) {
    const std::uint64_t each = std::max<std::uint64_t>(games / kRounds, 1);
    const tournaments::AgentMaker make_old = agent_maker(old);
    const tournaments::AgentMaker make_now = agent_maker(now);
    std::vector<results::CostRound> rounds(kRounds);
    watch_games(old, make_old, 0, 1); // warm
    watch_games(now, make_now, 0, 1);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
        // Who goes first takes turns as well.
        if (round % 2 == 0) rounds[round].old = watch_games(old, make_old, round, each);
        rounds[round].now = watch_games(now, make_now, round, each);
        if (round % 2 == 1) rounds[round].old = watch_games(old, make_old, round, each);
    }
    return rounds;
}

} // namespace croupier::cli
