// Names, locks and begins the folder of a run, and compares it with the current files.
#pragma once

#include "results/report/report.h"
#include "results/report/standings.h"
#include "results/store/file.h"
#include "results/store/journal.h"
#include "results/store/measurements.h"
#include "results/store/run_file.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/runner/ledger.h"
#include "tournaments/schedule/schedule.h"
#include "tournaments/spec/specification.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::tournaments {

struct Shard {
    std::uint64_t index = 1; // 1 to count
    std::uint64_t count = 1;
};
// "2/8"; throws UserError.
Shard parse_shard(const std::string& text);

// Creates the folder: `wanted`, or if empty the next free number under runs/, as runs/life-torus-3.
// Throws UserError if it holds a run.
std::string make_run_folder(const std::string& wanted, const std::string& title);

// Whether the folder has that file.
bool holds(const std::string& folder, std::string_view name);
// Throws UserError if the folder holds a run.
void refuse_run(const std::string& folder);

// Throws UserError if another process uses the folder. Locked as long as the file is open.
results::File lock_run_folder(const std::string& folder);

// The contents of run.json, except `started` and `folder`, which do not affect a run.
results::RunFile describe_run(const PreparedRun& run, const Shard& shard, const HostServices& host);

// A hash of the files of an agent, "rules:naive"; empty if it has none. What croupier generates
// from the game is not its own.
std::string files_of(const results::RunFile& file, const std::string& agent);

// The same for two runs if one of them has all games of the other.
std::string deals_of(const results::RunFile& file);

// Removes the time of a pause, which no result depends on.
void forget_time(results::RunFile& file);

// What parts of one run have in common: program, specification, rules and agents.
nlohmann::ordered_json identity_of(const results::RunFile& file);
// The difference between two identities: "the ruleset is", to be followed by "not the same"; or
// empty.
std::string what_differs(const nlohmann::ordered_json& one, const nlohmann::ordered_json& other);

// Copies the inputs and writes run.json.
results::Failure begin_run_folder(const std::string& folder, const PreparedRun& run,
                                  results::RunFile& file, const HostServices& host);

// Throws a UserError that names what has changed since the run began.
void refuse_changes(const std::string& folder, const results::RunFile& then,
                    const results::RunFile& now, const PreparedRun& run);

// The played part of a run: counts it and, if there is a folder to write to, stores it.

// The schedule of a run from its file, or why there is none.
MadeSchedule schedule_of(const Specification& specification, const results::RunFacts& facts);

// How much of a run's files is intact, in bytes from their beginnings.
struct WholeRows {
    std::uint64_t games = ~std::uint64_t{0};
    std::uint64_t costs = ~std::uint64_t{0};
    std::uint64_t moves = ~std::uint64_t{0};
    std::string warning; // about later rows that were altered
    std::string lots;    // the journal's lines for these rows; empty without a journal
};
class RunRecorder {
  public:
    // All arguments must outlive the recorder. Calls `paused` after some blocks were entered. With
    // a clock it writes blocks at intervals, without one at each pause.
    RunRecorder(const results::RunFile& file, const Specification& specification,
                Schedule& schedule, std::function<void()> paused = {},
                std::function<double()> clock = {});

    // Counts the intact blocks in the folder without changing it. Throws UserError if the folder
    // was altered, is damaged, or belongs to another run.
    void replay(const std::string& folder);
    // Counts the blocks appended since. False, and the recorder must not be used again, if the
    // folder no longer contains what was counted, as when the run has ended or was restarted; the
    // counted blocks are compared by their checksums.
    bool replay_more(const std::string& folder);
    // From now on writes blocks to that folder, and cuts off incomplete rows. Throws UserError,
    // before any change, if the rest of the run is not worth playing.
    results::Failure open(const std::string& folder);
    // What in the folder was not counted, and why; empty if nothing.
    [[nodiscard]] const std::string& warning() const { return counted_.warning; }

    [[nodiscard]] Ledger& ledger() { return ledger_; }
    // The number of blocks of this run or shard, and the schedule's number of the n-th.
    [[nodiscard]] std::uint64_t wanted_blocks() const;
    [[nodiscard]] std::uint64_t index_of(std::uint64_t n) const;
    [[nodiscard]] bool complete() const {
        return ledger_.stopped() || ledger_.blocks() >= wanted_blocks();
    }
    // Call at the end: writes pending blocks and summary.json, and deletes the journal of a
    // complete run.
    results::Failure conclude();

    // Called with each block counted from now on.
    using Listener = std::function<void(std::span<const results::GameRecord> games)>;
    void tell_games(Listener listener) { told_ = std::move(listener); }
    // Sets how long the last games took; not in the summary.
    void set_seconds(double seconds) { seconds_ = seconds; }
    [[nodiscard]] results::Report report();
    // Adds decision times from this session, or from a part of the run.
    void add_times(const results::TimeTable& times) { times_.add(times); }
    // Replaces times of rules by those from other games.
    void take_rule_times(const results::CostTable& times);
    // The number of games with that end so far.
    [[nodiscard]] std::uint64_t ended(results::End end) const {
        return endings_[static_cast<std::size_t>(end)];
    }
    // Whether the report also lists what was never exercised.
    void tell_coverage(bool tell) { coverage_ = tell; }
    // The costs of rules so far, or why they are unknown.
    [[nodiscard]] results::CostReport costs() const;
    [[nodiscard]] std::optional<results::StopStatus> stop_status() const;
    // Mean block scores so far, best first; cheap, unlike a report.
    [[nodiscard]] std::vector<std::pair<std::string, double>> standing() const {
        return standings_.leaders();
    }

  private:
    LedgerSettings settings(const Specification& specification, std::function<void()> paused,
                            std::function<double()> clock);
    [[nodiscard]] std::string summary();
    void count(const std::string& folder, WholeRows whole);
    std::unique_ptr<results::CostReader> open_costs(const std::string& folder, std::uint64_t bytes);

    const results::RunFile& file_;
    Schedule& schedule_;
    std::string folder_;
    results::Journal journal_;
    results::Standings standings_;
    Ledger ledger_;
    Listener told_;
    std::optional<double> seconds_;
    std::optional<results::CostTable> kept_costs_; // of a run whose blocks are already summed
    results::TimeTable times_;
    std::array<std::uint64_t, results::kEnds> endings_{};
    std::string costs_missing_;
    WholeRows counted_{0, 0, 0, {}, {}};
    bool coverage_ = false;
};

inline constexpr std::string_view kSummaryFile = "summary.json";

// Whether the summary in the folder is that of a completed run.
bool is_complete(const std::string& folder);

// Throws UserError if a complete run was altered, or nothing in it is reliable.
WholeRows find_whole_rows(const std::string& folder, const results::RunFile& file);

} // namespace croupier::tournaments
