// Tunes an agent into a folder, from its beginning or from where it was interrupted.
#pragma once

#include "results/html/page.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/form.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/tuning/plan.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace croupier::cli {

struct TuneOptions {
    std::size_t threads = 0; // 0: as many as the machine has
    std::string progress = "auto";
    Form form;
};

// Whether the folder holds a tuning.
bool is_tuning(const std::string& folder);

// Game and agents as the plan names them. Throws Mistake after telling everything that is wrong.
PreparedRun prepare_tuning(const tournaments::TuningPlan& plan, const std::string& games_folder,
                           const std::string& agents_folder, Context& context);

// Writes tune.json. `plan.identity` becomes what the tuning depends on.
void begin_tuning(const std::string& folder, tournaments::TuningPlan& plan, const PreparedRun& run,
                  Context& context);
// tune.json of a folder, and the plan that stands there. Throw Mistake.
nlohmann::ordered_json tuning_json(const std::string& folder);
tournaments::TuningPlan reopen_tuning(const std::string& folder);
// Throws Mistake if something has changed since it began.
void refuse_other_tuning(const std::string& folder, const tournaments::TuningPlan& plan,
                         const PreparedRun& run);

// The folder is locked and begun. Plays what is missing and prints what it comes to; returns the
// exit code, that of a signal if one came.
int play_tuning(const tournaments::TuningPlan& plan, const PreparedRun& run,
                const std::string& folder, const TuneOptions& options, Context& context);

// What the folder says, complete or not; changes nothing there.
results::TuneChapter read_tuning(const std::string& folder);

std::string tuning_text(const results::TuningSummary& summary, const Form& form,
                        const Context& context);

} // namespace croupier::cli
