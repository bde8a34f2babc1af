// croupier plan: shows the memory layout of a ruleset and the compiled form of its rules.
#include "engine/api/plan.h"
#include "engine/api/program.h"
#include "engine/api/text.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/asked_rule.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>

namespace croupier::cli {
namespace {

class Plan : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"plan", "How rules are laid out in memory and what they are compiled to",
                "Prints where each declared path lives in a state's block, then the intermediate "
                "form of every rule, or of one, from which machine code is made. For engine "
                "engineers, and for authors who wonder why a rule is slow. With --after, prints "
                "the form as it is after that pass; with --asm, the machine code; croupier "
                "profile --asm says which of its instructions take the time.",
                "croupier plan belote --rule beaten\n"
                "croupier plan belote --after build --group score\n"
                "croupier plan belote --asm --rule beaten\n"
                "croupier plan rules.json --json"};
    }

    void declare(Options& options) override {
        options.add("RULES", rules_, "File with rules, or a game by name or folder")
            .offers(Offers::Rules);
        options.add("--rule", rule_, "Only this rule, and the groups that it runs")
            .type_name("NAME")
            .offers(Offers::RuleName);
        std::vector<std::string> passes;
        for (const engine::form::Stage& pass : engine::form::stages())
            passes.emplace_back(pass.name);
        const Option after = options.add("--after", after_, "The intermediate form after this pass")
                                 .type_name("PASS")
                                 .one_of(passes);
        options.add("--group", group_, "Only this group, of what --after prints")
            .type_name("NAME")
            .needs(after);
        const Option code = options.add_flag("--asm", asm_, "The machine code of the rules instead")
                                .excludes(after);
        options.add_flag("--passes", passes_, "List the passes that --after knows");
        add_games_folder(options, folder_);
        options.add_json_flag(json_).excludes(after).excludes(code);
    }

    int run(Context& context) override {
        if (passes_) {
            for (const engine::form::Stage& pass : engine::form::stages())
                context.out().raw(fmt::format("{:<12} {}\n", pass.name, pass.does));
            return kGood;
        }
        if (rules_.empty()) throw UserError("RULES is missing");
        const auto loaded = load_rules(rules_, folder_, context);
        const engine::Program program(*loaded->ruleset);
        const engine::Catalogue& catalogue = program.catalogue();
        const engine::RuleId rule =
            rule_.empty() ? engine::kNone : tournaments::find_rule(catalogue, rule_);
        if (!after_.empty()) {
            const engine::GroupId group = group_.empty() ? engine::kNone : find_group(catalogue);
            engine::Catalogue own(*loaded->ruleset); // a copy that building extends
            context.out().raw(engine::form::show_after(own, after_, group, rule));
            return kGood;
        }
        if (asm_) {
            tournaments::need_machine_code();
            context.out().raw(program.listing(rule));
            return kGood;
        }
        if (json_) {
            engine::Document shown = engine::json::object();
            if (rule_.empty())
                engine::json::add(shown, "layout", engine::layout_document(*catalogue.layout));
            engine::json::add(
                shown, "plan",
                engine::form::document_of(program.unwatched(), loaded->sources, rule));
            context.out().raw(engine::write_json(shown) + "\n");
            return kGood;
        }
        if (rule_.empty()) context.out().raw(engine::show_layout(*catalogue.layout));
        context.out().raw(engine::form::show(program.unwatched(), engine::kNone, rule));
        return kGood;
    }

  private:
    // Also finds a group inside an action.
    [[nodiscard]] engine::GroupId find_group(const engine::Catalogue& catalogue) const {
        const engine::GroupId id = catalogue.group_id(group_);
        if (id == engine::kNone) {
            std::vector<std::string> known;
            for (const engine::GroupPlan& group : catalogue.groups)
                known.push_back(group.name);
            throw UserError(
                fmt::format("there is no group '{}'{}", group_, did_you_mean(group_, known)));
        }
        return id;
    }

    std::string rules_;
    std::string rule_;
    std::string after_;
    std::string group_;
    bool passes_ = false;
    bool asm_ = false;
    std::string folder_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_plan() {
    return std::make_unique<Plan>();
}

} // namespace croupier::cli
