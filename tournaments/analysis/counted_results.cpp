// Sums up counts and formats the results.
#include "tournaments/analysis/counted_results.h"

#include "results/report/numbers.h"
#include "results/report/sections.h"
#include "results/statistics/means.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>

namespace croupier::tournaments {

namespace {

using results::Estimate;
using results::fixed;
using results::number_json;

nlohmann::ordered_json json_of(const Estimate& estimate) {
    return {{"value", number_json(estimate.value)},
            {"error", number_json(estimate.error)},
            {"low", number_json(estimate.low)},
            {"high", number_json(estimate.high)}};
}

// "value +/- reach", with the reach of the published tables: half of the 95 % interval.
std::string with_reach(const Estimate& estimate) {
    if (!estimate.error) return fixed(estimate.value, 2);
    const double z = results::two_sided_z(results::kConfidence);
    return fixed(estimate.value, 2) + " " + results::plus_minus(*estimate.error * z, 2);
}

} // namespace

CountedResults sum_up(const results::ScoreCounts& counts,
                      std::optional<results::SprtBounds> bounds) {
    const double z = results::two_sided_z(results::kConfidence);
    const results::BlockMean mean = counts.mean();
    CountedResults answer;
    answer.blocks = counts.blocks();
    answer.games_per_block = counts.games_per_block();
    if (answer.games_per_block == 1 && answer.blocks > 0) {
        const auto games = static_cast<double>(answer.blocks);
        const auto won = static_cast<double>(counts.counts().rbegin()->second);
        answer.wins = results::wilson(won / games, games, z);
    }
    answer.score = mean.estimate(z);
    answer.elo = elo_of(mean, z);
    answer.normalized_elo = normalized_elo_of(mean, answer.games_per_block, z);
    answer.los = likelihood_of_superiority(mean);
    answer.bounds = bounds;
    if (bounds) answer.llr = log_likelihood_ratio(counts, *bounds);
    return answer;
}

nlohmann::ordered_json to_json(const CountedResults& answer) {
    nlohmann::ordered_json object{{"blocks", answer.blocks},
                                  {"games", answer.blocks * answer.games_per_block},
                                  {"score", json_of(answer.score)},
                                  {"elo", json_of(answer.elo)},
                                  {"normalized_elo", json_of(answer.normalized_elo)},
                                  {"los", number_json(answer.los)}};
    if (answer.wins) object["wins"] = json_of(*answer.wins);
    if (!answer.bounds) return object;
    object["sprt"] = {{"model", to_string(answer.bounds->model)},
                      {"elo0", answer.bounds->elo0},
                      {"elo1", answer.bounds->elo1},
                      {"alpha", answer.bounds->alpha},
                      {"beta", answer.bounds->beta},
                      {"llr", number_json(answer.llr)},
                      {"low", lower_bound(*answer.bounds)},
                      {"high", upper_bound(*answer.bounds)},
                      {"verdict", to_string(verdict_of(answer.llr, *answer.bounds))}};
    return object;
}

results::TextTable table_of(const CountedResults& answer) {
    const std::string blocks =
        answer.games_per_block == 1
            ? results::counted(answer.blocks, "game")
            : fmt::format("{} of {} games", results::counted(answer.blocks, "block"),
                          answer.games_per_block);
    results::TextTable table{
        {{""}, {""}, {""}},
        {{"results", blocks},
         {"score", fixed(answer.score.value, 4), results::interval(answer.score, 4)},
         {"Elo", with_reach(answer.elo), results::interval(answer.elo, 2, 1, true)},
         {"nElo", with_reach(answer.normalized_elo),
          results::interval(answer.normalized_elo, 2, 1, true)},
         {"LOS", answer.los ? fixed(*answer.los * 100, 2) + " %" : fixed({}, 2)}}};
    if (answer.wins)
        table.rows.insert(table.rows.begin() + 1, {"wins", results::percent(answer.wins->value),
                                                   results::interval(*answer.wins, 1, 100)});
    if (!answer.bounds) return table;
    const auto& bounds = *answer.bounds;
    table.rows.push_back(
        {"LLR", fixed(answer.llr, 2),
         fmt::format("[{:.2f}, {:.2f}] for {} Elo {} against {}", lower_bound(bounds),
                     upper_bound(bounds), to_string(bounds.model), bounds.elo0, bounds.elo1)});
    table.rows.push_back({"verdict", std::string(to_string(verdict_of(answer.llr, bounds)))});
    return table;
}

} // namespace croupier::tournaments
