// croupier merge: merges the shards of a run.
#include "tournaments/run/merge.h"
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/process.h"
#include "tournaments/report/source.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace croupier::cli {
namespace {

class Merge : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"merge", "Join the shards of a run",
                "The folders are those of 'croupier run --shard i/n', all n of them and complete. "
                "What is written is what a single run would have written, byte for byte; if a stop "
                "rule ends that run early, later blocks are left out. A folder may also hold "
                "folders of shards. --watch waits for shards that are still being played, or have "
                "not begun, and tells which are missing or have long played no game.",
                "croupier merge runs/part-1 runs/part-2 --out runs/whole\n"
                "croupier merge today --watch --out whole"};
    }

    void declare(Options& options) override {
        options.add("DIR", folders_, "Folders of the shards, in any order")
            .required()
            .offers(Offers::Folders);
        options.add_flag("--watch", watch_, "Wait until all shards are there and complete");
        add_progress(options, progress_);
        add_out(options, out_, "Folder of the results").default_text("a new one under runs/");
        add_report_form(options, form_);
    }

    int run(Context& context) override {
        const auto find = [&] {
            std::vector<std::string> found;
            for (const std::string& folder : folders_) {
                // A folder that is awaited may be made later.
                if (watch_ && !std::filesystem::exists(folder)) continue;
                for (std::string& shard : tournaments::folders_of_results(folder))
                    found.push_back(std::move(shard));
            }
            return found;
        };
        if (watch_) {
            const StopSignals signals;
            context.show_progress(progress_);
            const bool there = tournaments::await_shards(find, context);
            context.end_progress();
            if (!there) return kSignalExit + StopSignals::signal();
        }
        const std::vector<std::string> shards = find();
        if (shards.empty()) throw UserError(folders_.front() + ": holds no shard");
        const tournaments::MergedRun merged = tournaments::merge_shards(shards, out_, context);
        if (merged.failure) {
            context.terminal.error(context.who, *merged.failure);
            return kFailed;
        }
        context.note(fmt::format("{} games of {} shards, merged in {}", merged.games, merged.shards,
                                 merged.folder));
        context.out().raw(report_text(merged.report, form_, context));
        return merged.nothing_but_faults ? kFailed : kGood;
    }

  private:
    std::vector<std::string> folders_;
    bool watch_ = false;
    std::string progress_ = "auto";
    std::string out_;
    Form form_;
};

} // namespace

std::unique_ptr<Command> make_merge() {
    return std::make_unique<Merge>();
}

} // namespace croupier::cli
