// The compiled engine behind the interface that it shares with the model. Runs it in every way in
// which it compiles rules, which must not differ.
#include "engine/reference/subject.h"

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

SubjectOutcome run_once(const Ruleset& ruleset, std::string_view group, const Document& document,
                        std::uint64_t seed, const Budgets& budgets, const CompileOptions& options,
                        bool native, bool observe) {
    SubjectOutcome outcome;
    const Program program(ruleset, options);
    State state = program.initial_state();
    Diagnostics diagnostics;
    if (!state.import(document, diagnostics)) {
        outcome.error =
            RunError{RunErrorKind::Shape, "", {}, "the state is not of the declared shape"};
        outcome.state_json = write_json(document, -1);
        return outcome;
    }
    Machine machine(program, budgets);
    machine.use_native(native);
    Recorder recorder(program, outcome);
    machine.set_log(&recorder);
    if (observe) {
        machine.set_observer(&recorder);
    }
    Random random(seed);
    const RunResult result = machine.run(program.group_id(group), state, random);
    if (result.error) {
        outcome.error = *result.error;
    }
    outcome.draws = random.counter();
    outcome.state_json = write_json(state.export_document(), -1);
    return outcome;
}

} // namespace

SubjectOutcome run_subject(const Ruleset& ruleset, const Sources&, std::string_view group,
                           const Document& state, std::uint64_t seed, const Budgets& budgets) {
    struct Way {
        const char* name;
        CompileOptions options;
        bool native;
        bool observe;
    };
    const Way ways[] = {
        {"row masks", {.observed = false, .rows = true}, false, true},
        {"whole masks", {.observed = false, .rows = true}, false, false},
        {"watched machine code", {.observed = false, .rows = true}, true, true},
        {"machine code", {.observed = false, .rows = true}, true, false},
        {"machine code without masks", {.observed = false, .rows = false}, true, false},
        {"watched twin", {.observed = true, .rows = true}, false, true},
        {"unwatched twin", {.observed = true, .rows = true}, false, false},
    };
    const CompileOptions general = {.observed = false, .rows = false};
    SubjectOutcome plain = run_once(ruleset, group, state, seed, budgets, general, false, true);
    for (const Way& way : ways) {
        SubjectOutcome other =
            run_once(ruleset, group, state, seed, budgets, way.options, way.native, way.observe);
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
