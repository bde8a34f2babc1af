// croupier merge: merges the shards of a run.
#include "tournaments/run/merge.h"
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace croupier::cli {
namespace {

class Merge : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"merge", "Join the shards of a run",
                "The folders are those of 'croupier run --shard i/n', all n of them and complete. "
                "What is written is what a single run would have written, byte for byte; if a stop "
                "rule ends that run early, later blocks are left out.",
                "croupier merge runs/part-1 runs/part-2 --out runs/whole"};
    }

    void declare(Options& options) override {
        options.add("DIR", folders_, "Folders of the shards, in any order")
            .required()
            .offers(Offers::Folders);
        add_out(options, out_, "Folder of the results").default_text("a new one under runs/");
        add_report_form(options, form_);
    }

    int run(Context& context) override {
        const tournaments::MergedRun merged = tournaments::merge_shards(folders_, out_, context);
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
    std::string out_;
    Form form_;
};

} // namespace

std::unique_ptr<Command> make_merge() {
    return std::make_unique<Merge>();
}

} // namespace croupier::cli
