// croupier diff: lists the differences between two rulesets.
#include "engine/api/ruleset.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/compare/compared.h"
#include "tournaments/run/files.h"

#include <nlohmann/json.hpp>

namespace croupier::cli {
namespace {

class Diff : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"diff", "What differs between two rulesets",
                "Lists rules that were added (+), removed (-), changed (~) or moved (>), with the "
                "entries of their conditions and actions, and what differs in types, options, "
                "shape and state. Rules are known by their names. With --revision, B is first "
                "merged into A. '-' is standard input, but not with --revision.",
                "croupier diff oldmaid oldmaid:previous\n"
                "croupier diff belote my/rules.json\n"
                "croupier diff --revision rules.json revision.json"};
    }

    void declare(Options& options) override {
        options.add("A", before_, "File with a ruleset, or a game by name or folder")
            .required()
            .offers(Offers::Rules);
        options.add("B", after_, "The other").required().offers(Offers::Rules);
        options.add_flag("--revision", revision_, "B is a revision, to be merged into A");
        add_games_folder(options, folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const auto before = load_rules(before_, folder_, context);
        const auto after = revision_ ? load_revised(context) : load_rules(after_, folder_, context);
        const auto found = engine::difference(*before->ruleset, *after->ruleset);
        if (json_) {
            context.out().raw(tournaments::difference_json(found).dump(2) + "\n");
            return kGood;
        }
        for (const std::string& line : tournaments::difference_lines(found))
            context.out().line({line});
        return kGood;
    }

  private:
    // Overlays A with B.
    [[nodiscard]] std::unique_ptr<engine::Loaded> load_revised(Context& context) const {
        const std::vector<std::string> files = {rules_file(before_, folder_, context),
                                                rules_file(after_, folder_, context)};
        for (const std::string& file : files)
            context.include_roots->name(file);
        auto loaded =
            std::make_unique<engine::Loaded>(engine::load_ruleset(files, file_opener(context)));
        context.diagnose(loaded->diagnostics, loaded->sources);
        if (!loaded->ruleset) throw UserError(after_ + " does not fit over " + before_);
        return loaded;
    }

    std::string before_;
    std::string after_;
    std::string folder_;
    bool revision_ = false;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_diff() {
    return std::make_unique<Diff>();
}

} // namespace croupier::cli
