// The services that runs need from the program, which owns the terminal, signals, clocks and
// environment.
#pragma once

#include "agents/registry.h"
#include "engine/api/text.h"
#include "results/report/profile_view.h"
#include "results/report/report.h"
#include "tournaments/runner/cost_meter.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace croupier::tournaments {

// An error by the user: command line, file or ruleset. The command line turns it into a message and
// exit code 2, the server into a refusal.
struct UserError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The files that the user named, and the folders below which files may @include others. May be
// shared by threads.
class IncludeRoots {
  public:
    // Adds everything below that folder.
    void add(const std::filesystem::path& folder);
    // Adds that file; if it exists, also everything below its folder, and rule files of the games
    // in sibling folders that have a rules.json.
    void name(const std::filesystem::path& file);
    [[nodiscard]] bool is_named(const std::filesystem::path& file) const;
    // Whether the file is inside the roots, after following links.
    [[nodiscard]] bool hold(const std::filesystem::path& file) const;

  private:
    void add_beside(const std::filesystem::path& folder);
    [[nodiscard]] bool is_game_beside(const std::filesystem::path& whole) const;

    mutable std::mutex mutex_;
    std::vector<std::filesystem::path> folders_;
    std::vector<std::filesystem::path> around_; // parents of the folders of named files
    std::vector<std::filesystem::path> named_;
};

enum class Ticks : std::uint8_t {
    None,   // only the clock
    Coarse, // 250 per second
    Fine,   // 4,000 per second
};
// Null if threads cannot be interrupted. Interrupts threads until destroyed. `counted`: without
// ticks, adds the processor's counters there, of one thread at a time; stays absent if the machine
// has none. May be null.
using MakeSampler =
    std::function<std::unique_ptr<Sampler>(Ticks, std::optional<results::HardwareCounts>* counted)>;

// Since an arbitrary moment; never decreases.
inline double seconds_of(const agents::Clock& clock) {
    return std::chrono::duration<double>(clock.now()).count();
}

struct HostServices {
    // ---- files ----
    std::shared_ptr<IncludeRoots> include_roots = std::make_shared<IncludeRoots>();
    // The whole text of a file that the user named; "-" is standard input. Throws UserError.
    std::function<std::string(const std::string& path)> read;
    std::string shipped_games; // comes with the program
    std::string shipped_agents;
    std::string clips_worker;           // runs CLIPS programs; empty if there is none
    agents::HostedAgents hosted_agents; // null if the program has none

    // ---- the machine, on which no result depends ----
    std::shared_ptr<const agents::Clock> clock;
    std::function<std::string()> date; // "2026-11-21T22:45:00Z"
    std::function<std::string()> machine;
    std::size_t threads = 1; // that can run at once
    MakeSampler sampler;
    std::string program; // "croupier 0.1.0"
    std::string command; // as a shell command, and by word
    std::vector<std::string> words;

    // ---- ending ----
    // Set from outside, or by a run out of time: `stop` ends play soon, `abandon` also abandons
    // current games. May be null.
    std::atomic<bool>* stop = nullptr;
    const std::atomic<bool>* abandon = nullptr;

    // ---- messages ----
    std::function<void(const engine::Diagnostics&, const engine::Sources&)> diagnose;
    std::function<void(const std::string& text)> note; // one line
    std::function<void(const std::string& text)> warn;
    // Calls `facts` only when progress is due to be shown.
    std::function<void(const std::function<results::Progress()>& facts)> progress;

    [[nodiscard]] double seconds() const { return seconds_of(*clock); }
};

// The same host, but it appends messages to that text and shows no progress.
HostServices quiet(const HostServices& host, std::string& told);

} // namespace croupier::tournaments
