// Makes agents with values, seats them, reads what blocks come to.
#include "tournaments/cli/tune_play.h"

#include "results/statistics/block.h"
#include "tournaments/cli/machine.h"
#include "tournaments/cli/rules_input.h"
#include "tournaments/cli/run_book.h"
#include "tournaments/cli/stop_signals.h"
#include "tournaments/runner/variants.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <span>

namespace croupier::cli {

using tournaments::TunedParameter;
using tournaments::TuningPlan;
using tournaments::Variant;

TunePlay::TunePlay(const TuningPlan& plan, const PreparedRun& run, const TunePlayers& players,
                   Context& context)
    : plan_(plan), run_(run), players_(players), context_(context) {}

std::vector<std::string> TunePlay::agents_of(const TuningPlan& plan) {
    std::vector<std::string> all{plan.agent};
    if (plan.against.empty())
        all.push_back(plan.agent);
    else
        all.insert(all.end(), plan.against.begin(), plan.against.end());
    return all;
}

std::uint64_t TunePlay::games_a_block() const {
    return std::uint64_t{run_.schedule->games_per_block()} * (plan_.against.empty() ? 1 : 2);
}

agents::AgentSpec TunePlay::agent_with(const std::vector<double>& values,
                                       agents::RulePrograms& programs) const {
    const std::string text = tournaments::with_values(plan_.agent, plan_.parameters, values);
    agents::AgentSpec spec = agents::parse_agent_spec(text);
    const agents::MadeAgent made =
        agents::make_agent(spec, {*run_.game, run_.open, run_.agents_folder, run_.clock.get(),
                                  &StopSignals::abandoned(), &programs});
    if (made.agent != nullptr) return spec;
    print_diagnostics(made.diagnostics, made.sources, context_);
    throw Mistake(made.error.empty() ? text + ": it cannot be had with these values" : made.error);
}

void TunePlay::try_ends() const {
    std::vector<double> least;
    std::vector<double> greatest;
    for (const TunedParameter& parameter : plan_.parameters) {
        least.push_back(parameter.least);
        greatest.push_back(parameter.greatest);
    }
    agents::RulePrograms programs;
    (void)agent_with(least, programs);
    (void)agent_with(greatest, programs);
}

std::uint64_t TunePlay::play(const std::vector<double>& one, const std::vector<double>& other,
                             const Blocks& blocks, const Take& take) const {
    agents::RulePrograms programs; // of these values: they are gone with the step
    const std::array specs{agent_with(one, programs), agent_with(other, programs)};
    const bool face_to_face = plan_.against.empty();
    // `first`: who plays as agent 0 of the run.
    const auto maker = [&](std::size_t first) -> tournaments::AgentMaker {
        return [&, first](std::uint32_t agent) {
            const bool tuned = agent == 0 || face_to_face;
            const agents::AgentSpec& spec =
                tuned ? specs[first + agent] : run_.specification.agents[agent].spec;
            agents::MadeAgent made = agents::make_agent(
                spec, {*run_.game, run_.open, run_.agents_folder, run_.clock.get(),
                       &StopSignals::abandoned(), tuned ? &programs : run_.programs.get()});
            assert(made.agent != nullptr); // it was made once before
            return std::move(made.agent);
        };
    };
    std::vector<Variant> variants{{run_.game.get(), maker(0)}};
    if (!face_to_face) variants.push_back({run_.game.get(), maker(1)});

    tournaments::Specification wanted = run_.specification;
    wanted.games.reset();
    wanted.blocks = blocks.end;
    const auto schedule = schedule_of(wanted, run_.facts).schedule;
    results::BlockReader reader(run_.facts);
    results::BlockReader other_reader(run_.facts);
    const auto score_of = [&](std::span<const results::GameRecord> games,
                              results::BlockReader& read) -> std::optional<double> {
        if (plan_.worth > 0) return tournaments::point_score(games, plan_.worth);
        return read.read(games).scores[0];
    };
    tournaments::VariantSink sink([&](std::span<const results::GameRecord> games) {
        const std::size_t each = games.size() / variants.size();
        std::optional<double> score = score_of(games.first(each), reader);
        if (!face_to_face) {
            const std::optional<double> its = score_of(games.last(each), other_reader);
            score = score && its ? std::optional((1 + *score - *its) / 2) : std::nullopt;
        }
        return take(score);
    });
    const tournaments::VariantWorkers workers(
        variants, static_cast<std::uint32_t>(run_.facts.agents.size()), blocks.seed,
        players_.threads, {},
        {run_.specification.terms, nullptr, nullptr, &StopSignals::abandoned(), run_.starts.get()});
    tournaments::RunnerSettings settings;
    settings.range.first = blocks.first;
    settings.clock = seconds_now;
    settings.stop = players_.stop;
    return tournaments::play_blocks(*schedule, workers.all(), settings, sink);
}

} // namespace croupier::cli
