// Adapts the compiled engine to the interface it shares with the model. Runs rules as written,
// after each pass, and as machine code; the results must not differ.
#include "engine/form/build.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"
#include "engine/reference/subject.h"
#include "engine/reference/verify.h"
#include "engine/run/executor.h"
#include "engine/run/machine.h"
#include "engine/x86/code.h"

#include <algorithm>
#include <optional>
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
    Recorder(const Catalogue& catalogue, SubjectOutcome& outcome)
        : catalogue_(catalogue), outcome_(outcome) {
        for (const GroupPlan& group : catalogue.groups)
            if (group.mode == GroupMode::Agenda)
                of_agenda_.insert(group.rules.begin(), group.rules.end());
    }

    void rule_matched(RuleId rule, std::uint64_t count, std::span<const Value> matches,
                      const State& state) override {
        if (!of_agenda_.contains(rule)) record(rule, count, matches, state);
    }
    // Records every firing of an agenda's rule as an application with one match, since the engine
    // is free to choose how often it searches.
    void rule_fires(RuleId rule, std::span<const Value> match, const State& state) override {
        if (of_agenda_.contains(rule)) record(rule, 1, match, state);
    }
    void line(const std::string& text) override { outcome_.prints.push_back(text); }

  private:
    void record(RuleId rule, std::uint64_t count, std::span<const Value> matches,
                const State& state) {
        const RulePlan& plan = catalogue_.rules[rule];
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

    const Catalogue& catalogue_;
    SubjectOutcome& outcome_;
    std::set<RuleId> of_agenda_;
};

// The outcome of a run with its counts.
struct Seen {
    SubjectOutcome outcome;
    std::uint64_t matches = 0;
    std::uint64_t firings = 0;

    [[nodiscard]] std::string counts() const {
        return std::to_string(matches) + " matches, " + std::to_string(firings) + " firings";
    }
};

class Run {
  public:
    Run(const Catalogue& catalogue, std::string_view group, const Document& state,
        std::uint64_t seed)
        : catalogue_(catalogue), group_(catalogue.group_id(group)), document_(state), seed_(seed) {}

    // `runner` must run this program.
    template <typename Runner>
    [[nodiscard]] Seen by(Runner& runner, bool observe) const {
        Seen seen;
        State state = catalogue_.initial_state();
        Diagnostics diagnostics;
        if (!state.import(document_, diagnostics)) {
            seen.outcome.error =
                RunError{RunErrorKind::Shape, "", {}, "the state is not of the declared shape"};
            seen.outcome.state_json = write_json(document_, -1);
            return seen;
        }
        Recorder recorder(catalogue_, seen.outcome);
        runner.set_log(&recorder);
        runner.set_observer(observe ? &recorder : nullptr);
        Random random(seed_);
        const RunResult result = runner.run(group_, state, random);
        if (result.error) seen.outcome.error = *result.error;
        seen.outcome.draws = random.counter();
        seen.outcome.state_json = write_json(state.export_document(), -1);
        seen.matches = result.matches;
        seen.firings = result.firings;
        return seen;
    }

  private:
    const Catalogue& catalogue_;
    GroupId group_;
    const Document& document_;
    std::uint64_t seed_;
};

// Drops applications without matches: passes remove rules that never match.
SubjectOutcome with_matches_only(SubjectOutcome outcome) {
    std::erase_if(outcome.applications, [](const auto& each) { return each.second.empty(); });
    return outcome;
}

// Runs the rules in every way and compares each with the rules as written.
class Ways {
  public:
    Ways(const Program& program, const Run& run, const Budgets& budgets)
        : program_(program), run_(run), budgets_(budgets) {
        Machine machine(program, budgets);
        written_ = run.by(machine, true);
    }

    // Tries only the ways that users meet.
    SubjectOutcome shipped() {
        CROUPIER_PROBE(probe::count_built(program_.watched());)
        CROUPIER_PROBE(probe::count_built(program_.unwatched());)
        for (const form::Function& function : program_.unwatched().functions)
            for (const std::string& wrong : form::verify(program_.unwatched(), function))
                differs("all passes", wrong);
        Machine machine(program_, budgets_);
        try_way("machine code", machine, false);
        // Sets may use registers and instructions that not all processors have.
        const form::Module& form = program_.unwatched();
        const bool several = std::ranges::any_of(form.lists, [](const form::CodeList& list) {
            return list.values.size() > 2 * kWordRows;
        });
        const bool spread = std::ranges::any_of(form.functions, [](const form::Function& each) {
            return std::ranges::find(each.nodes, form::Kind::Spread, &form::Node::kind) !=
                   each.nodes.end();
        });
        if ((several || spread) && x86::can_emit()) {
            const auto code = x86::emit(form, x86::Registers::Oldest);
            Executor executor(form, budgets_, code.get());
            try_way("machine code with the oldest registers", executor, false);
        }
        machine.use_code(false);
        try_way("all passes", machine, false);
        return different_ ? *different_ : written_.outcome;
    }

    SubjectOutcome outcome(form::Module& module) {
        shipped();
        try_module("build", module, true);
        for (const form::Pass& pass : form::passes()) {
            for (form::Function& function : module.functions)
                pass.run(module, function);
            try_module(pass.name, module, pass.tells_matches);
        }
        return different_ ? *different_ : written_.outcome;
    }

  private:
    void try_module(std::string_view name, const form::Module& module, bool tells_matches) {
        CROUPIER_PROBE(probe::count_built(module);)
        for (const form::Function& function : module.functions)
            for (const std::string& wrong : form::verify(module, function))
                differs(name, wrong);
        if (!different_) {
            Executor executor(module, budgets_);
            try_way(name, executor, tells_matches);
        }
    }

    template <typename Runner>
    void try_way(std::string_view name, Runner& runner, bool observe) {
        if (different_) return;
        const Seen other = run_.by(runner, observe);
        SubjectOutcome expected = with_matches_only(written_.outcome);
        if (!observe) expected.applications.clear();
        std::string found = difference(expected, with_matches_only(other.outcome));
        if (found.empty() && other.counts() != written_.counts())
            found = written_.counts() + " or " + other.counts();
        if (!found.empty()) differs(name, found);
    }

    // Reported in the state, which is compared last of the parts that all ways report.
    void differs(std::string_view name, const std::string& found) {
        if (!different_) {
            different_ = written_.outcome;
            different_->state_json += " (after " + std::string(name) +
                                      " it differs from the rules as they are written: " + found +
                                      ")";
        }
    }

    const Program& program_;
    const Run& run_;
    const Budgets& budgets_;
    Seen written_;
    std::optional<SubjectOutcome> different_;
};

} // namespace

SubjectOutcome run_subject(const Ruleset& ruleset, const Sources&, std::string_view group,
                           const Document& state, std::uint64_t seed, const Budgets& budgets) {
    std::unique_ptr<form::Module> module;
    const Program program(ruleset, [&](Catalogue& catalogue) { module = form::build(catalogue); });
    const Run run(program.catalogue(), group, state, seed);
    return Ways(program, run, budgets).outcome(*module);
}

SubjectOutcome run_form(const Ruleset& ruleset, const Sources&, std::string_view group,
                        const Document& state, std::uint64_t seed, const Budgets& budgets) {
    const Program program(ruleset);
    const Run run(program.catalogue(), group, state, seed);
    return Ways(program, run, budgets).shipped();
}

} // namespace croupier::engine::reference
