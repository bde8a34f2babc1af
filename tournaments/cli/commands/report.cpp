// croupier report: what runs came to.
#include "results/store/run_file.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/run_book.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/cli/run_session.h"

namespace croupier::cli {
namespace {

class ReportRuns : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"report", "Report what runs came to",
                "Reads games.csv of each folder, be the run complete or not; nothing is played or "
                "changed. A damaged row is named with its line.",
                "croupier report runs/life-1\n"
                "croupier report runs/life-1 --format markdown"};
    }

    void declare(Options& options) override {
        options.add("DIR", folders_, "Folders of runs").required();
        options.add_flag("--coverage", coverage_,
                         "Tell which rules and options were never exercised");
        add_format(options, format_);
    }

    int run(Context& context) override {
        for (const std::string& folder : folders_) {
            if (folders_.size() > 1 && format_ == "table") context.out().heading(folder);
            report(folder, context);
        }
        return kGood;
    }

  private:
    void report(const std::string& folder, Context& context) const {
        const ReadRun run = read_run(folder, context);
        RunBook book(run.file, run.specification, *run.schedule);
        book.tell_coverage(coverage_);
        book.replay(folder);
        book.print(format_, context);
    }

    std::vector<std::string> folders_;
    std::string format_ = "table";
    bool coverage_ = false;
};

} // namespace

std::unique_ptr<Command> make_report() {
    return std::make_unique<ReportRuns>();
}

} // namespace croupier::cli
