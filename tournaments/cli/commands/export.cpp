// croupier export: rule files as one file of strict JSON, for programs that know no more.
#include "tournaments/cli/command.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

namespace croupier::cli {
namespace {

class Export : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"export", "A ruleset as one file of strict JSON",
                "Rule files may have comments and include others, which jq, pandas and their like "
                "do not read. Prints the same rules without comments and with all includes "
                "resolved; several FILEs are laid one over the other, as a revision lies over its "
                "ruleset. Agents and parts of rulesets are exported alike. The order of keys, "
                "numbers and texts stay as they are written; what is "
                "printed is a ruleset again.",
                "croupier export belote:contest > contest.json\n"
                "croupier export rules.json revision.json | jq .options"};
    }

    void declare(Options& options) override {
        options.add("FILE", files_, "Rule files, or games by name or folder")
            .required()
            .offers(Offers::Rules);
        add_games_folder(options, folder_);
    }

    int run(Context& context) override {
        std::vector<std::string> paths;
        for (const std::string& file : files_) {
            paths.push_back(rules_file(file, folder_, context));
            context.include_roots->name(paths.back());
        }
        const engine::Exported exported = engine::export_rules(paths, file_opener(context));
        print_diagnostics(exported.diagnostics, exported.sources, context);
        if (!exported.document) throw Mistake(errors_in(exported.diagnostics));
        context.out().raw(engine::write_json(*exported.document) + "\n");
        return kGood;
    }

  private:
    std::vector<std::string> files_;
    std::string folder_;
};

} // namespace

std::unique_ptr<Command> make_export() {
    return std::make_unique<Export>();
}

} // namespace croupier::cli
