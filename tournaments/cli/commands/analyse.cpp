// croupier analyse: computes what the moves of a run lost.
#include "results/report/numbers.h"
#include "tournaments/analysis/analysed_run.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/process.h"

#include <fmt/format.h>

namespace croupier::cli {
namespace {

constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 40;

class Analyse : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"analyse", "The points that the moves of a run lost",
                "Goes through the games of a run again and solves each decision with all cards "
                "seen: the loss of a move, its regret, is the points lost against perfect play. It "
                "needs no opponent to compare with. Decisions with more than --dd moves to come, "
                "or that need more than --nodes "
                "positions, are left out and counted; so are bids.\n"
                "--worlds also draws deals that look the same to the player, as agents that search "
                "do, and reports what was lost against the move that is best on average over them: "
                "no more than that could have been known. With few worlds this is too high, since "
                "some move is always lucky in them.\n"
                "Games that the run did not keep are played again by their agents; where these go "
                "by time, run with --keep all. As CSV each decision is a row.",
                "croupier analyse runs/belote-1\n"
                "croupier analyse runs/belote-1 --dd 16 --worlds 50\n"
                "croupier analyse runs/belote-1 --keep\n"
                "croupier analyse runs/belote-1 --format csv > decisions.csv"};
    }

    void declare(Options& options) override {
        options.add("RUN", folder_, "Folder of the run").required().offers(Offers::Folders);
        options.add("--dd", settings_.regret.plies, "Solve where no more than N moves are to come")
            .range(1, 1000)
            .type_name("N")
            .shows_default();
        options.add("--nodes", settings_.regret.nodes, "Positions that one solution may look at")
            .range(1, kMaxNodes)
            .type_name("N")
            .shows_default();
        options.add("--worlds", settings_.regret.worlds, "Deals to draw for each decision")
            .range(0, 1'000'000)
            .type_name("N")
            .shows_default();
        options.add("--blocks", settings_.blocks, "Only the first N blocks")
            .range(1, kMaxNodes)
            .type_name("N")
            .default_text("all");
        options.add("--blunders", most_, "List the N worst moves")
            .range(0, 1'000'000)
            .type_name("N")
            .shows_default();
        options.add_flag("--keep", keep_,
                         "Keep the answer in the run's folder, for the page of croupier report");
        add_threads(options, threads_);
        add_form(options, form_, {"table", "csv"});
        add_progress(options, mode_);
        add_agents_folder(options, agents_folder_);
    }

    int run(Context& context) override {
        tournaments::AnalysedRun analysis(folder_, agents_folder_, most_, context);
        settings_.threads = threads_;
        const StopSignals signals;
        context.show_progress(mode_);
        if (form_.format == "csv") context.out().raw(tournaments::kRegretHeader);
        const auto tell = [&](std::span<const tournaments::AnalysedGame> block) {
            if (form_.format == "csv" && !form_.json) context.out().raw(analysis.rows(block));
        };
        const results::Failure failure = analysis.judge(settings_, tell, context);
        context.end_progress();
        if (failure) throw UserError(*failure);
        const bool stopped = StopSignals::signal() != 0;
        if (keep_ && !stopped)
            if (const auto wrong = analysis.keep()) throw UserError(*wrong);
        if (form_.json)
            context.out().raw(analysis.json(stopped));
        else if (form_.format == "table")
            print(analysis, context.out());
        context.out().flush();
        const tournaments::RegretBook& book = analysis.book();
        if (book.missing() > 0)
            context.warn(fmt::format("{} could not be replayed; {}",
                                     results::counted(book.missing(), "game"), book.why_missing()));
        if (stopped) {
            context.note(fmt::format("stopped after {}", results::counted(book.blocks(), "block")));
            return kSignalExit + StopSignals::signal();
        }
        return book.missing() == book.games() ? kFailed : kGood;
    }

  private:
    static void print(const tournaments::AnalysedRun& analysis, Page& page) {
        page.line({analysis.title()});
        page.line();
        page.table(analysis.agents());
        if (analysis.is_doubtful()) page.paragraph(results::kDoubtful);
        const std::string worst = analysis.worst();
        if (worst.empty()) return;
        page.line();
        page.table(analysis.blunders());
        page.line();
        page.line({fmt::format("to look at one: croupier replay {}", worst)});
    }

    std::string folder_;
    tournaments::AnalysisSettings settings_;
    std::uint64_t most_ = 10;
    std::size_t threads_ = 0;
    bool keep_ = false;
    Form form_;
    std::string mode_ = "auto";
    std::string agents_folder_;
};

} // namespace

std::unique_ptr<Command> make_analyse() {
    return std::make_unique<Analyse>();
}

} // namespace croupier::cli
