// Shows results of played games: options for their form, and printing.
#pragma once

#include "results/html/page.h"
#include "results/report/compared.h"
#include "results/store/json_field.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/compare/compared.h"
#include "tournaments/compare/comparison.h"
#include "tournaments/run/files.h"
#include "tournaments/run/session.h"
#include "tournaments/tuning/plan.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace croupier::cli {

// ---- runs ----

// A report in the requested form and length.
std::string report_text(const results::Report& report, const Form& form, const Context& context,
                        results::Detail otherwise = results::Detail::Full);

// How to play and report; no result depends on it.
struct SessionOptions {
    std::size_t threads = 0; // 0 for as many as the machine has
    std::string pool = tournaments::kDefaultPool == tournaments::Pool::Tbb ? "tbb" : "threads";
    Form form;
    std::string progress = "auto";
    bool coverage = false; // report what was never exercised
    bool perf_map = false; // write names of rules for perf
    std::string jitdump;   // folder for their code, for perf; empty for none
};
void add_session_options(Options& options, SessionOptions& session);

// Plays the missing games of a run in its folder, which is locked and begun, and prints the report.
// Returns the exit code, which is a signal's if one came.
int play_session(tournaments::PreparedRun& run, const results::RunFile& file,
                 const std::string& folder, const SessionOptions& options,
                 tournaments::Cluster& cluster, Context& context);

// Plays for the process that distributes blocks, and reports nothing. Returns the exit code.
int serve(const tournaments::Cluster::Prepare& prepare, std::size_t threads, Context& context);

// ---- comparisons ----

// Options shared by compare, ablate and sweep.
struct ComparedOptions : tournaments::ComparedSettings {
    Form form;
    std::string progress = "auto";
};
void add_compared_options(Options& options, ComparedOptions& compared);

// --metric, --margin, --playouts and --coverage of compare and sweep.
struct MetricOptions {
    std::vector<std::string> names; // empty for all
    std::vector<std::string> margins;
    std::vector<std::string> sought; // needed besides
};
void add_metric_options(Options& options, MetricOptions& metrics, std::vector<std::string> known,
                        ComparedOptions& compared);
// Throws UserError, also for metrics that need an option that is not given.
results::Margins margins_of(const MetricOptions& metrics, const ComparedOptions& compared);

// A comparison to resume, and the options given to croupier resume.
struct Resumed {
    std::string folder;
    std::string games_folder;  // empty to keep the original
    std::string agents_folder; // the same
    std::size_t threads = 0;
    Form form;
    std::string progress;
};

// Copies these options when resuming; otherwise creates the folder of --out, if given and if it is
// this process that writes. Throws UserError if the folder already holds a comparison.
void prepare_out(ComparedOptions& options, Context& context);

// Plays until done or Ctrl-C. Keeps the answer so far in the folder every few seconds.
tournaments::PlayedVariants
play_compared(std::span<const tournaments::Variant> variants, tournaments::PreparedRun& run,
              const ComparedOptions& options,
              const std::function<void(std::span<const results::GameRecord>)>& take,
              const std::function<tournaments::ComparedAnswer()>& so_far, Context& context,
              const std::function<tournaments::Round()>& round = {});

using tournaments::Ahead;

std::string sections_text(std::span<const results::Section> sections,
                          const std::vector<std::string>& ahead, bool markdown,
                          const Context& context);

template <class Summary>
nlohmann::ordered_json compared_json(const Summary& summary, const Ahead& ahead) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    if (!ahead.key.empty()) {
        object[ahead.key] = ahead.value;
        object["difference"] = ahead.lines;
    }
    object.update(json_of(summary));
    return object;
}

// Prints the text, then writes the answer to the folder of --out. Returns the exit code.
int conclude_compared(const std::string& text, const tournaments::ComparedAnswer& answer,
                      const tournaments::PlayedVariants& played, const results::RunFacts& facts,
                      const ComparedOptions& options, Context& context);

// In the requested format.
template <class Summary>
std::string compared_text(const Summary& summary, const Ahead& ahead,
                          const ComparedOptions& options, const Context& context) {
    if (options.form.json) return results::json_text(compared_json(summary, ahead));
    if (options.form.format == "csv") return csv_of(summary);
    return sections_text(results::sections_of(summary), ahead.lines,
                         options.form.format == "markdown", context);
}

// ---- tunings ----

std::string tuning_text(const results::TuningSummary& summary, const Form& form,
                        const Context& context);
// Plays the missing steps in the folder and prints the result. Returns the exit code.
int play_tuning(const tournaments::TuningPlan& plan, const tournaments::PreparedRun& run,
                const std::string& folder, std::size_t threads, const Form& form, Context& context);

} // namespace croupier::cli
