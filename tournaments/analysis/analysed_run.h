// What the moves of a run lost, for people, for programs, and for the run's folder.
#pragma once

#include "results/report/layout.h"
#include "results/store/file.h"
#include "results/store/games_file.h"
#include "tournaments/analysis/regret.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace croupier::tournaments {

inline constexpr std::string_view kRegretHeader =
    "block,game,ply,player,agent,move,best,loss,known_loss,unsolved\n";

// `croupier analyse`.
class AnalysedRun {
  public:
    // Opens the run; will keep the `blunders` worst decisions. Throws UserError if none of its
    // games can be analysed.
    AnalysedRun(std::string folder, const std::string& agents_folder, std::uint64_t blunders,
                const HostServices& host);

    // Analyses the games; with 0 threads, uses as many as can run at once. Calls `told` with each
    // block.
    results::Failure judge(const AnalysisSettings& settings,
                           const std::function<void(std::span<const AnalysedGame>)>& told,
                           const HostServices& host);

    // Rows of CSV, with the columns of kRegretHeader.
    [[nodiscard]] std::string rows(std::span<const AnalysedGame> block) const;
    // `stopped`: it ended before the last block.
    [[nodiscard]] std::string json(bool stopped) const;
    // Writes the analysis to the run's folder, for the page of `croupier report`.
    [[nodiscard]] results::Failure keep() const;

    [[nodiscard]] std::string title() const;
    [[nodiscard]] results::TextTable agents() const;
    // Whether an interval is from few blocks or from skewed losses.
    [[nodiscard]] bool is_doubtful() const;
    [[nodiscard]] results::TextTable blunders() const;
    // The worst, in the form that `croupier replay` accepts; empty if there is none.
    [[nodiscard]] std::string worst() const;
    [[nodiscard]] const RegretBook& book() const { return book_; }

  private:
    std::string folder_;
    ReadRun read_;
    WholeRows whole_;
    PreparedRun run_;
    results::GamesReader games_;
    results::KeptGames kept_;
    AnalysisSettings settings_;
    RegretBook book_;
};

} // namespace croupier::tournaments
