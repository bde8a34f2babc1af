// Names, locks and begins the folder of a run, and compares it with what there is now.
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

// Makes the folder: `wanted`, or where that is empty the next free number under runs/, as in
// runs/life-torus-3. Throws UserError if it holds a run.
std::string make_run_folder(const std::string& wanted, const std::string& title);

// Whether there is such a file.
bool holds(const std::string& folder, std::string_view name);
// Throws UserError if the folder holds a run.
void refuse_run(const std::string& folder);

// Throws UserError if another process is at work there. Held as long as the file is open.
results::File lock_run_folder(const std::string& folder);

// What goes into run.json, without `started` and `folder`, which no run depends on.
results::RunFile describe_run(const PreparedRun& run, const Shard& shard, const HostServices& host);

// No longer says when to pause, which no result depends on.
void forget_time(results::RunFile& file);

// What two parts of one run have in common: program, specification, rules and agents.
nlohmann::ordered_json identity_of(const results::RunFile& file);
// What differs between two of these: "the ruleset is", to be followed by "not the same"; or empty.
std::string what_differs(const nlohmann::ordered_json& one, const nlohmann::ordered_json& other);

// Copies the inputs and writes run.json.
results::Failure begin_run_folder(const std::string& folder, const PreparedRun& run,
                                  results::RunFile& file, const HostServices& host);

// Throws UserError that names what has changed since the run began.
void refuse_changes(const std::string& folder, const results::RunFile& then,
                    const results::RunFile& now, const PreparedRun& run);

// What has been played of a run: counted, and where there is a folder to write to, written down.

// The schedule of a run by what its file says, or why there is none.
MadeSchedule schedule_of(const Specification& specification, const results::RunFacts& facts);

// How much of a run's files is as it was written, in bytes from their beginnings.
struct WholeRows {
    std::uint64_t games = ~std::uint64_t{0};
    std::uint64_t costs = ~std::uint64_t{0};
    std::uint64_t moves = ~std::uint64_t{0};
    std::string warning; // of what follows and was altered
    std::string lots;    // the journal's lines of these rows; empty where there is no journal
};
class RunRecorder {
  public:
    // All must outlive the book. `paused` is called after some blocks were entered;
    // by the clock blocks are written now and then, without it whenever there is a pause.
    RunRecorder(const results::RunFile& file, const Specification& specification,
                Schedule& schedule, std::function<void()> paused = {},
                std::function<double()> clock = {});

    // Counts what is whole in the folder, and changes nothing there. Throws UserError if it was
    // altered, is damaged, or not of this run.
    void replay(const std::string& folder);
    // Later: counts what was appended since. False, and the book is of no more use: the folder does
    // not hold what was counted and more, as when the run has ended or was played anew. What was
    // counted is compared by its checksums.
    bool replay_more(const std::string& folder);
    // From now on blocks are written to that folder; what is torn in it is cut off. Throws
    // UserError, before anything is changed, if the rest of the run is not worth playing.
    results::Failure open(const std::string& folder);
    // What of the folder was not counted, and why; empty if nothing.
    [[nodiscard]] const std::string& warning() const { return counted_.warning; }

    [[nodiscard]] Ledger& ledger() { return ledger_; }
    // How many blocks this run or shard plays, and the schedule's number of the n-th.
    [[nodiscard]] std::uint64_t wanted_blocks() const;
    [[nodiscard]] std::uint64_t index_of(std::uint64_t n) const;
    [[nodiscard]] bool complete() const {
        return ledger_.stopped() || ledger_.blocks() >= wanted_blocks();
    }
    // Nothing more will come: writes what waits and summary.json; a journal of a complete run goes.
    results::Failure conclude();

    // Told of each block that is counted from now on.
    using Listener = std::function<void(std::span<const results::GameRecord> games)>;
    void tell_games(Listener listener) { told_ = std::move(listener); }
    // How long the last games took; no part of the summary.
    void set_seconds(double seconds) { seconds_ = seconds; }
    [[nodiscard]] results::Report report();
    // What agents have taken for decisions in this sitting, or in a part of the run.
    void add_times(const results::TimeTable& times) { times_.add(times); }
    // What rules take, as other games than those of the run have shown.
    void take_rule_times(const results::CostTable& times);
    // How many of the games so far have ended so.
    [[nodiscard]] std::uint64_t ended(results::End end) const {
        return endings_[static_cast<std::size_t>(end)];
    }
    // The report tells what was never exercised, too.
    void tell_coverage(bool tell) { coverage_ = tell; }
    // What rules have cost so far, or why that is not known.
    [[nodiscard]] results::CostReport costs() const;
    [[nodiscard]] std::optional<results::StopStatus> stop_status() const;
    // Mean block scores so far, best first: costs next to nothing, unlike a report.
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
    std::optional<results::CostTable> kept_costs_; // of a run whose blocks have been added up
    results::TimeTable times_;
    std::array<std::uint64_t, results::kEnds> endings_{};
    std::string costs_missing_;
    WholeRows counted_{0, 0, 0, {}, {}};
    bool coverage_ = false;
};

inline constexpr std::string_view kSummaryFile = "summary.json";

// Whether the summary in the folder is that of a run which has come to its end.
bool is_complete(const std::string& folder);

// Throws UserError where a complete run was altered, or nothing can be relied on.
WholeRows find_whole_rows(const std::string& folder, const results::RunFile& file);

} // namespace croupier::tournaments
