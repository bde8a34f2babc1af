// What `croupier report` is pointed at: runs, comparisons, ablations, tunings.
#pragma once

#include "results/html/page.h"
#include "results/report/compared.h"
#include "tournaments/run/host.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace croupier::tournaments {

// A folder that `run`, `tune`, `compare --out` or `ablate --out` has filled, or a file of what the
// last two print as JSON.
struct ReportSource {
    enum class Kind { Run, Compare, Ablate, Tune };
    Kind kind = Kind::Run;
    std::string path;            // as it was named
    nlohmann::ordered_json json; // of a comparison, or what a tuning was asked for
};
// Throws UserError that says what was looked for.
ReportSource open_source(const std::string& path);

// Throw UserError if they are damaged or of another format.
results::CompareChapter read_comparison(const ReportSource& source);
results::AblateChapter read_ablation(const ReportSource& source);
results::TuneChapter read_tuned(const ReportSource& source);

struct HtmlOptions {
    std::vector<std::string> games; // to be shown move by move: "3.1"; none: some typical ones
    std::string agents_folder;
    bool coverage = false;
};
// A chapter of a page; the games that it shows are played once more.
results::Chapter make_chapter(const ReportSource& source, const HtmlOptions& options,
                              const HostServices& host);

} // namespace croupier::tournaments
