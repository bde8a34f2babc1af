// What tuning an agent has come to, as text in the formats of reports.
#pragma once

#include "results/report/sections.h"
#include "results/statistics/means.h"
#include "results/statistics/stop.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace croupier::results {

// A parameter, and where its value has gone.
struct TunedValue {
    std::string name;
    double start = 0;
    double tuned = 0; // as an agent is given it
    double least = 0;
    double greatest = 0;
    struct Point {
        std::uint64_t blocks = 0;
        double value = 0;
    };
    std::vector<Point> course;
};

// The tuned agent against the one that it began as, on deals that nothing was tuned with.
struct TuningProof {
    StopStatus status; // of the sequential test
    Estimate score;    // a block: 0.5 if both are as strong
    std::uint64_t blocks = 0;
    std::uint64_t most_blocks = 0; // then it ends, decided or not
};

struct TuningSummary {
    std::string game;
    std::string agent;                // as it was named
    std::string tuned;                // with the values that were found
    std::vector<std::string> against; // empty: itself, with other values
    double worth = 0;                 // points that count as a win; 0: it was tuned to win
    std::uint64_t seed = 0;
    std::uint64_t blocks = 0; // played of
    std::uint64_t wanted = 0;
    std::vector<TunedValue> values;
    bool unchanged = false; // rounded, the values are those of the start
    std::optional<TuningProof> proof;
};

// "stronger", "not stronger", "undecided".
std::string verdict_of(const TuningProof& proof);

std::vector<Section> sections_of(const TuningSummary& summary);
nlohmann::ordered_json json_of(const TuningSummary& summary);
std::string csv_of(const TuningSummary& summary);

} // namespace croupier::results
