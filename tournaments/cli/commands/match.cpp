// croupier match: lists all matches of a condition on a state.
#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/asked_rule.h"
#include "tournaments/run/files.h"
#include "tournaments/run/named_game.h"

#include <fmt/format.h>

namespace croupier::cli {
namespace {

using engine::Document;
namespace json = engine::json;

class Match : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"match", "All matches of a condition on a state",
                "Prints one line per match: the variables with their values, in the order of the "
                "matches. With --json an array of objects. Exit code 1 if there is no match. "
                "PATTERN is a condition, or a rule whose condition is used; '-' is standard input.",
                "croupier match pattern.json state.json\n"
                "croupier match --json - state.json < pattern.json"};
    }

    void declare(Options& options) override {
        options.add("PATTERN", pattern_, "File with a condition or a rule")
            .required()
            .offers(Offers::Files);
        options.add("STATE", state_, "File with a state, or RUN:BLOCK.GAME:PLY")
            .required()
            .offers(Offers::Files);
        options.add("--seed", seed_, "Seed of random() in the condition").shows_default();
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const auto loaded = load_condition(pattern_, context);
        const engine::Program program(*loaded->ruleset);
        const engine::Catalogue& catalogue = program.catalogue();
        engine::State state = catalogue.initial_state();
        load_state(state_, catalogue, state, context);
        engine::Machine machine(program);
        engine::Random random(seed_);
        const engine::RuleId rule = catalogue.groups[0].rules.at(0);
        const engine::RunResult result = machine.match(rule, state, random);
        if (result.error) tournaments::throw_run_error(*result.error, loaded->sources);
        const auto& variables = catalogue.rules[rule].variables;
        Document all = json::array();
        for (std::uint64_t i = 0; i < result.matches; ++i) {
            const auto values = machine.matched(i);
            if (json_)
                json::append(all, object(variables, values, state));
            else
                context.out().line({line(variables, values, state)});
        }
        if (json_) context.out().raw(engine::write_json(all) + "\n");
        return result.matches > 0 ? kGood : kFailed;
    }

  private:
    static Document to_document(const engine::Value& value, const engine::Symbols& symbols) {
        Document document;
        document.scalar = engine::to_scalar(value, symbols);
        return document;
    }

    static Document object(const std::vector<engine::Variable>& variables,
                           std::span<const engine::Value> values, const engine::State& state) {
        Document match = json::object();
        for (std::size_t i = 0; i < values.size(); ++i)
            json::add(match, variables[i].name, to_document(values[i], state.symbols()));
        return match;
    }

    static std::string line(const std::vector<engine::Variable>& variables,
                            std::span<const engine::Value> values, const engine::State& state) {
        if (values.empty()) return "(matches, without variables)";
        std::string text;
        for (std::size_t i = 0; i < values.size(); ++i) {
            text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", variables[i].name,
                                engine::to_text(values[i], state.symbols()));
        }
        return text;
    }

    std::string pattern_;
    std::string state_;
    std::uint64_t seed_ = 1;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_match() {
    return std::make_unique<Match>();
}

} // namespace croupier::cli
