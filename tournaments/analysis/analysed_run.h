// What the moves of a run have lost, for people, programs and the run's own folder.
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
    // Opens the run, and keeps so many of the worst decisions. Throws UserError if nothing of it
    // can be analysed.
    AnalysedRun(std::string folder, const std::string& agents_folder, std::uint64_t blunders,
                const HostServices& host);

    // Goes through the games, with 0 threads: with as many as can run at once. `told` gets each
    // block.
    results::Failure judge(const AnalysisSettings& settings,
                           const std::function<void(std::span<const AnalysedGame>)>& told,
                           const HostServices& host);

    // Rows of CSV, below kRegretHeader.
    [[nodiscard]] std::string rows(std::span<const AnalysedGame> block) const;
    // `stopped`: before the last block.
    [[nodiscard]] std::string json(bool stopped) const;
    // Puts that into the run's folder, for the page of `croupier report`.
    [[nodiscard]] results::Failure keep() const;

    [[nodiscard]] std::string title() const;
    [[nodiscard]] results::TextTable agents() const;
    // Whether an interval is one of few blocks or of skewed losses.
    [[nodiscard]] bool is_doubtful() const;
    [[nodiscard]] results::TextTable blunders() const;
    // The worst, as `croupier replay` takes it; empty: there is none.
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
