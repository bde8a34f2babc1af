// croupier plan: how a ruleset is laid out in memory and what its rules became.
#include "tournaments/cli/command.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

namespace croupier::cli {
namespace {

class Plan : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"plan", "How rules are laid out in memory and what they are compiled to",
                "Prints where each declared path lives in a state's block, then the ops of every "
                "rule, or of one. For engine engineers, and for authors who wonder why a rule is "
                "slow.",
                "croupier plan belote --rule follow-suit\n"
                "croupier plan rules.json --json"};
    }

    void declare(Options& options) override {
        options.add("RULES", rules_, "File with rules, or a game by name or folder")
            .required()
            .offers(Offers::Rules);
        options.add("--rule", rule_, "Only this rule, and the groups that it runs")
            .type_name("NAME")
            .offers(Offers::RuleName);
        add_games_folder(options, folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const auto loaded = load_rules(rules_, folder_, context);
        const engine::Program program(*loaded->ruleset);
        if (!rule_.empty()) find_rule(program, rule_);
        if (json_) {
            const engine::Document shown = plan_document(program, loaded->sources, rule_);
            context.out().raw(engine::write_json(shown) + "\n");
            return kGood;
        }
        if (rule_.empty()) context.out().raw(engine::show_layout(program));
        context.out().raw(engine::show_plan(program, loaded->sources, rule_));
        return kGood;
    }

  private:
    std::string rules_;
    std::string rule_;
    std::string folder_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_plan() {
    return std::make_unique<Plan>();
}

} // namespace croupier::cli
