// Tunes an agent into a folder, from its beginning or from where it was interrupted.
#pragma once

#include "results/html/page.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/tuning/plan.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace croupier::cli {

// Plays the blocks of a tuning: two sides of one agent, with values of their own.

// How it is played, which no result depends on.
struct TunePlayers {
    std::size_t threads = 1;
    const std::atomic<bool>* stop = nullptr; // set: no block is begun any more
};

class TunePlay {
  public:
    // The agents of the run are those of `agents_of`; all must outlive it.
    TunePlay(const tournaments::TuningPlan& plan, const PreparedRun& run,
             const TunePlayers& players, Context& context);

    // Who sits down: the agent twice, or the agent and whom it plays.
    static std::vector<std::string> agents_of(const tournaments::TuningPlan& plan);

    struct Blocks {
        std::uint64_t seed = 0;
        std::uint64_t first = 0;
        std::uint64_t end = 0;
    };
    // The score of a block, in order: 0.5 if both sides have won as much, 1 if one has won all, be
    // it games or points; nothing for a block that is void. False ends it. Returns how many blocks
    // were taken. Throws Mistake if the agent cannot be had with these values.
    using Take = std::function<bool(std::optional<double> score)>;
    std::uint64_t play(const std::vector<double>& one, const std::vector<double>& other,
                       const Blocks& blocks, const Take& take) const;

    [[nodiscard]] std::uint64_t games_a_block() const;
    // Throws Mistake if the agent does not take the ends of its parameters' ranges.
    void try_ends() const;

  private:
    [[nodiscard]] agents::AgentSpec agent_with(const std::vector<double>& values,
                                               agents::RulePrograms& programs) const;

    const tournaments::TuningPlan& plan_;
    const PreparedRun& run_;
    TunePlayers players_;
    Context& context_;
};

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
