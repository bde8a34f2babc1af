// The points of croupier sweep: which there are, and what plays them.
#pragma once

#include "results/compare/sweep.h"
#include "tournaments/compare/comparison.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/runner/runner.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace croupier::tournaments {

// Options, unparsed.
struct AskedSweep {
    std::vector<std::string> games;      // several are a factor
    std::vector<std::string> set;        // "name=value", for all points
    std::vector<std::string> vary;       // "name=value,..", with ranges as "1..9/2"
    std::vector<std::string> agents;     // for all points
    std::vector<std::string> lineups;    // "A,B", a point's agents each
    std::string points;                  // file that lists them; empty if they are a grid
    std::optional<std::uint64_t> sample; // only that many of the grid, drawn at random
    std::optional<std::uint64_t> latin;  // or such that each factor's values are spread evenly
    std::vector<std::string> seek;
};

inline constexpr std::size_t kMostPoints = 1000;

struct Sweep {
    results::SweepDesign design;
    std::vector<results::Sought> sought;
    std::vector<PreparedRun> runs; // by point

    [[nodiscard]] std::vector<Variant> variants() const;
    [[nodiscard]] std::vector<std::string> names() const; // of points
    [[nodiscard]] results::SweepTally tally() const;
};

// The design of a sweep. The first point has the first value of each factor, also among points that
// are drawn. Throws UserError.
results::SweepDesign design_of(const AskedSweep& asked, std::uint64_t seed);
// "length=least", "win:A=most", "length=40"; "seats" alone is sought to be least, "skill" most.
// Throws UserError.
std::vector<results::Sought> parse_sought(const std::vector<std::string>& texts);
// Throws UserError after reporting all errors.
Sweep prepare_sweep(const AskedSweep& asked, const ComparedSettings& settings,
                    const HostServices& host);

} // namespace croupier::tournaments
