// The sources of `croupier report`: runs, comparisons, ablations, sweeps, tunings.
#pragma once

#include "results/html/page.h"
#include "results/report/compared.h"
#include "tournaments/run/host.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

// A folder written by `run`, `tune`, or by `compare`, `ablate` and `sweep` with --out; or a file
// with the JSON that these three print.
struct ReportSource {
    enum class Kind { Run, Compare, Ablate, Sweep, Tune };
    Kind kind = Kind::Run;
    std::string path;            // as the user named it
    nlohmann::ordered_json json; // of a comparison, or the specification of a tuning
};
std::string_view name_of(ReportSource::Kind kind); // "run", ..
// Throws a UserError that says what was expected.
ReportSource open_source(const std::string& path);
// Whether the folder holds any of these.
bool holds_results(const std::string& folder);
// The folder itself, or all below it that hold some, in the order of their names.
std::vector<std::string> folders_of_results(const std::string& path);

// Throw UserError if it is damaged or has another format.
results::CompareChapter read_comparison(const ReportSource& source);
results::AblateChapter read_ablation(const ReportSource& source);
results::SweepChapter read_sweep(const ReportSource& source);
results::TuneChapter read_tuned(const ReportSource& source);

struct HtmlOptions {
    std::vector<std::string> games; // to show move by move: "3.1"; if empty, typical ones
    std::string agents_folder;
    bool coverage = false;
};
// A chapter of a page; replays the games that it shows.
results::Chapter make_chapter(const ReportSource& source, const HtmlOptions& options,
                              const HostServices& host);

} // namespace croupier::tournaments
