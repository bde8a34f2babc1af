// The compiled engine behind the interface that it shares with the model. Runs it in every way in
// which it compiles rules, which must not differ.
#include "engine/reference/subject.h"

#include "engine/ir/build.h"
#include "engine/ir/pass.h"
#include "engine/run/interpreter.h"
#include "engine/run/machine.h"

#include <set>

namespace croupier::engine::reference {

namespace {

std::string typed(const Value& value, const Symbols& symbols) {
    Document document;
    document.scalar = to_scalar(value, symbols);
    const std::string json = write_json(document, -1);
    switch (value.tag) {
    case Tag::None:
        return "none:";
    case Tag::Null:
        return "null:" + json;
    case Tag::Bool:
        return "bool:" + json;
    case Tag::Int:
        return "int:" + json;
    case Tag::Double:
        return "double:" + json;
    case Tag::String:
        return "string:" + json;
    case Tag::Key:
        return "key:" + json;
    }
    return "";
}

class Recorder : public Observer, public Log {
  public:
    Recorder(const Program& program, SubjectOutcome& outcome)
        : program_(program), outcome_(outcome) {
        for (const GroupPlan& group : program.groups) {
            if (group.mode == GroupMode::Agenda) {
                of_agenda_.insert(group.rules.begin(), group.rules.end());
            }
        }
    }

    void rule_matched(RuleId rule, std::uint64_t count, std::span<const Value> matches,
                      const State& state) override {
        if (!of_agenda_.contains(rule)) {
            record(rule, count, matches, state);
        }
    }
    // Of an agenda's rules every firing is an application with one match: how often they are
    // searched is its own affair.
    void rule_fires(RuleId rule, std::span<const Value> match, const State& state) override {
        if (of_agenda_.contains(rule)) {
            record(rule, 1, match, state);
        }
    }
    void line(const std::string& text) override { outcome_.prints.push_back(text); }

  private:
    void record(RuleId rule, std::uint64_t count, std::span<const Value> matches,
                const State& state) {
        const RulePlan& plan = program_.rules[rule];
        std::vector<SubjectOutcome::Match> all(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            for (std::size_t v = 0; v < plan.variables.size(); ++v) {
                const std::string& name = plan.variables[v].name;
                if (!is_hidden(name)) {
                    all[i].emplace_back(
                        name, typed(matches[i * plan.variables.size() + v], state.symbols()));
                }
            }
        }
        outcome_.applications.emplace_back(plan.name, std::move(all));
    }

    const Program& program_;
    SubjectOutcome& outcome_;
    std::set<RuleId> of_agenda_;
};

// How rules are compiled and run.
struct Way {
    const char* name;
    bool form; // by the interpreter of the intermediate form
    CompileOptions options;
    bool native;
    bool observe;
    std::size_t passes = 0; // of the intermediate form, so many
};

// `runner` is one of those who run groups, ready to.
template <typename Runner>
void run_with(Runner& runner, const Program& program, bool observe, GroupId group, State& state,
              std::uint64_t seed, SubjectOutcome& outcome) {
    Recorder recorder(program, outcome);
    runner.set_log(&recorder);
    if (observe) {
        runner.set_observer(&recorder);
    }
    Random random(seed);
    const RunResult result = runner.run(group, state, random);
    if (result.error) {
        outcome.error = *result.error;
    }
    outcome.draws = random.counter();
    outcome.state_json = write_json(state.export_document(), -1);
}

SubjectOutcome run_once(const Ruleset& ruleset, std::string_view group, const Document& document,
                        std::uint64_t seed, const Budgets& budgets, const Way& way) {
    SubjectOutcome outcome;
    Program program(ruleset, way.options);
    const std::unique_ptr<ir::Module> module =
        way.form ? ir::build(program, way.options.observed) : nullptr;
    for (std::size_t i = 0; i < way.passes; ++i) {
        for (ir::Function& function : module->functions) {
            ir::passes()[i].run(*module, function);
        }
    }
    State state = program.initial_state();
    Diagnostics diagnostics;
    if (!state.import(document, diagnostics)) {
        outcome.error =
            RunError{RunErrorKind::Shape, "", {}, "the state is not of the declared shape"};
        outcome.state_json = write_json(document, -1);
        return outcome;
    }
    const GroupId id = program.group_id(group);
    if (module != nullptr) {
        Interpreter interpreter(*module, budgets);
        run_with(interpreter, program, way.observe, id, state, seed, outcome);
    } else {
        Machine machine(program, budgets);
        machine.use_native(way.native);
        run_with(machine, program, way.observe, id, state, seed, outcome);
    }
    return outcome;
}

} // namespace

SubjectOutcome run_subject(const Ruleset& ruleset, const Sources&, std::string_view group,
                           const Document& state, std::uint64_t seed, const Budgets& budgets) {
    const CompileOptions masks = {.observed = false, .rows = true};
    const CompileOptions general = {.observed = false, .rows = false};
    const CompileOptions watched = {.observed = true, .rows = true};
    const Way ways[] = {
        {"row masks", false, masks, false, true},
        {"whole masks", false, masks, false, false},
        {"watched machine code", false, masks, true, true},
        {"machine code", false, masks, true, false},
        {"machine code without masks", false, general, true, false},
        {"watched twin", false, watched, false, true},
        {"unwatched twin", false, watched, false, false},
        {"intermediate form", true, general, false, true},
        {"unwatched intermediate form", true, general, false, false},
        {"watched intermediate form", true, watched, false, true},
    };
    const Way plain_way = {"general way", false, general, false, true};
    SubjectOutcome plain = run_once(ruleset, group, state, seed, budgets, plain_way);
    std::vector<Way> all(std::begin(ways), std::end(ways));
    for (std::size_t i = 0; i < ir::passes().size(); ++i) {
        all.push_back({ir::passes()[i].name.data(), true, general, false, true, i + 1});
    }
    for (const Way& way : all) {
        SubjectOutcome other = run_once(ruleset, group, state, seed, budgets, way);
        if (!way.observe) {
            other.applications = plain.applications;
        }
        const std::string found = difference(plain, other);
        if (!found.empty()) {
            other.state_json +=
                std::string(" (") + way.name + " differ from the general way: " + found + ")";
            return other;
        }
    }
    return plain;
}

} // namespace croupier::engine::reference
