// Tunes an agent into a folder, from the beginning or from where it was interrupted.
#pragma once

#include "results/html/page.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/session.h"
#include "tournaments/tuning/plan.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace croupier::tournaments {

// Plays the blocks of a tuning: two sides of one agent, with different values.

// How to play; no result depends on it.
struct TunePlayers {
    std::size_t threads = 1;
    const std::atomic<bool>* stop = nullptr; // once set, no block is begun
    Cluster* cluster = nullptr;              // its processes play, if it has any; may be null
};

// The part of a tuning.
std::unique_ptr<Part> part_of(TuningPlan plan, PreparedRun run, const HostServices& host);

class TunePlay {
  public:
    // The agents of the run must be those of `agents_of`; all arguments must outlive it.
    TunePlay(const TuningPlan& plan, const PreparedRun& run, const TunePlayers& players,
             const HostServices& host);

    // The agents of the run: the agent twice, or the agent and its opponents.
    static std::vector<std::string> agents_of(const TuningPlan& plan);

    struct Blocks {
        std::uint64_t seed = 0;
        std::uint64_t first = 0;
        std::uint64_t end = 0;
    };
    // Passes block scores in order: 0.5 if both sides have won the same, 1 if one has won
    // everything, in games or points; nothing for a void block. If it returns false, playing ends.
    // `play` returns how many blocks were taken, and throws UserError if the agent cannot be made
    // with these values.
    using Take = std::function<bool(std::optional<double> score)>;
    std::uint64_t play(const std::vector<double>& one, const std::vector<double>& other,
                       const Blocks& blocks, const Take& take) const;

    [[nodiscard]] std::uint64_t games_a_block() const;
    // Throws UserError if the agent does not accept the ends of its parameters' ranges.
    void try_ends() const;

  private:
    const TuningPlan& plan_;
    const PreparedRun& run_;
    TunePlayers players_;
    const HostServices& host_;
};

// Whether the folder holds a tuning.
bool is_tuning(const std::string& folder);

// Game and agents of the plan. Throws UserError after reporting all errors.
PreparedRun prepare_tuning(const TuningPlan& plan, const std::string& games_folder,
                           const std::string& agents_folder, const HostServices& host);

// Writes tune.json. Sets `plan.identity` to what the tuning depends on.
void begin_tuning(const std::string& folder, TuningPlan& plan, const PreparedRun& run,
                  const HostServices& host);
// tune.json of a folder, and the plan in it. Throw UserError.
nlohmann::ordered_json tuning_json(const std::string& folder);
TuningPlan reopen_tuning(const std::string& folder);
// Throws UserError if something has changed since it began.
void refuse_other_tuning(const std::string& folder, const TuningPlan& plan, const PreparedRun& run,
                         const HostServices& host);

// The folder must be locked and begun. Plays what is missing; returns the result so far.
results::TuneChapter play_tuning(const TuningPlan& plan, const PreparedRun& run,
                                 const std::string& folder, std::size_t threads, Cluster& cluster,
                                 const HostServices& host);

// The result in the folder, complete or not; changes nothing there.
results::TuneChapter read_tuning(const std::string& folder);

} // namespace croupier::tournaments
