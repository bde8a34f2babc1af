// Statistics of given counts of results, without a run.
#pragma once

#include "results/report/layout.h"
#include "results/statistics/ratings.h"
#include "results/statistics/stop.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>

namespace croupier::tournaments {

struct CountedResults {
    std::uint64_t blocks = 0;
    std::uint32_t games_per_block = 1;
    std::optional<results::Estimate> wins; // of single games
    results::Estimate score;
    results::Estimate elo;
    results::Estimate normalized_elo;
    std::optional<double> los;
    std::optional<double> llr;
    std::optional<results::SprtBounds> bounds; // absent if no test is requested
};

CountedResults sum_up(const results::ScoreCounts& counts,
                      std::optional<results::SprtBounds> bounds);
nlohmann::ordered_json to_json(const CountedResults& answer);
results::TextTable table_of(const CountedResults& answer);

} // namespace croupier::tournaments
