// What runs need of the program around them: it alone has a terminal, signals, clocks and an
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

// A mistake of the user: command line, file or ruleset. The command line makes it a message and
// exit code 2, a page a refusal.
struct UserError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The files that were named, and the folders below which files may ask for others by @include.
// Threads may share it.
class IncludeRoots {
  public:
    // Everything below that folder.
    void add(const std::filesystem::path& folder);
    // That file, whatever it is; where there is one, everything below its folder, and rule files of
    // the games in the folders beside that: of those that hold a rules.json.
    void name(const std::filesystem::path& file);
    [[nodiscard]] bool is_named(const std::filesystem::path& file) const;
    // Whether the file lies there, once all links are followed.
    [[nodiscard]] bool hold(const std::filesystem::path& file) const;

  private:
    void add_beside(const std::filesystem::path& folder);
    [[nodiscard]] bool is_game_beside(const std::filesystem::path& whole) const;

    mutable std::mutex mutex_;
    std::vector<std::filesystem::path> folders_;
    std::vector<std::filesystem::path> around_; // the folders of the folders of named files
    std::vector<std::filesystem::path> named_;
};

enum class Ticks : std::uint8_t {
    None,   // the clock alone
    Coarse, // 250 in a second
    Fine,   // 4,000 in a second
};
// Null where there is nothing to interrupt threads with. Threads are interrupted until it is
// destroyed. `counted`: without ticks, what the processor counts is added there, of one thread at a
// time; it stays absent where the machine has no counters. Null: nobody asks.
using MakeSampler =
    std::function<std::unique_ptr<Sampler>(Ticks, std::optional<results::HardwareCounts>* counted)>;

// Since some moment; never goes back.
inline double seconds_of(const agents::Clock& clock) {
    return std::chrono::duration<double>(clock.now()).count();
}

struct HostServices {
    // ---- files ----
    std::shared_ptr<IncludeRoots> include_roots = std::make_shared<IncludeRoots>();
    // The whole text of what the user named; "-" is standard input. Throws UserError.
    std::function<std::string(const std::string& path)> read;
    std::string shipped_games; // folders that come with the program
    std::string shipped_agents;
    std::string clips_worker; // the program that runs programs of CLIPS; empty: there is none

    // ---- the machine, on which no result depends ----
    std::shared_ptr<const agents::Clock> clock;
    std::function<std::string()> date; // "2026-11-21T22:45:00Z"
    std::function<std::string()> machine;
    std::size_t threads = 1; // that can run at once
    MakeSampler sampler;
    std::string program; // "croupier 0.1.0"
    std::string command; // as a shell takes it, and word by word
    std::vector<std::string> words;

    // ---- who ends it ----
    // Set from outside, or by a run whose time is over: what is played comes to an end, soon. And
    // what is being played is broken off. Null: never.
    std::atomic<bool>* stop = nullptr;
    const std::atomic<bool>* abandon = nullptr;

    // ---- who is told ----
    std::function<void(const engine::Diagnostics&, const engine::Sources&)> diagnose;
    std::function<void(const std::string& text)> note; // one line
    std::function<void(const std::string& text)> warn;
    // Asks how far it is only when it is time to show that.
    std::function<void(const std::function<results::Progress()>& facts)> progress;

    [[nodiscard]] double seconds() const { return seconds_of(*clock); }
};

// The same host, but what it is told is added to that text, and nobody sees how far things are.
HostServices quiet(const HostServices& host, std::string& told);

} // namespace croupier::tournaments
