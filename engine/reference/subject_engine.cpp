// The compiled engine behind the interface that it shares with the model. Runs it in every way in
// which it compiles rules, which must not differ.
#include "engine/reference/subject.h"

#include "engine/emit/code.h"
#include "engine/ir/build.h"
#include "engine/ir/pass.h"
#include "engine/ir/probe.h"
#include "engine/ir/verify.h"
#include "engine/run/interpreter.h"
#include "engine/run/machine.h"

#include <algorithm>
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

// What only those are told who watch a twin: each event as text.
class Watcher : public Recorder {
  public:
    Watcher(const Program& program, SubjectOutcome& outcome)
        : Recorder(program, outcome), program_(program) {}

    std::vector<std::string> events;

    void rule_begins(RuleId rule) override { add("begins", program_.rules[rule].name); }
    void rule_searches(RuleId rule) override { add("searches", program_.rules[rule].name); }
    void rule_otherwise(RuleId rule) override { add("else", program_.rules[rule].name); }
    void rule_ends(RuleId rule) override { add("ends", program_.rules[rule].name); }
    void rule_fires(RuleId rule, std::span<const Value> match, const State& state) override {
        Recorder::rule_fires(rule, match, state);
        add("fires", program_.rules[rule].name);
    }
    void entry_tried(const Note& note, std::span<const Value>, const State&) override {
        add("try", place(note));
    }
    void entry_passed(const Note& note, std::span<const Value>, const State&) override {
        add("pass", place(note));
    }
    void entry_cut(const Note& note, const Value* found, std::span<const Value>,
                   const State& state) override {
        const bool some = found != nullptr && found->tag != Tag::None;
        add("cut", place(note) + (some ? " by " + typed(*found, state.symbols()) : ""));
    }
    void change_begins(const Note& note, const State&) override { add("before", place(note)); }
    void change_ends(const Note& note, const State&) override { add("after", place(note)); }

  private:
    void add(const char* what, const std::string& of) {
        events.push_back(std::string(what) + ' ' + of);
    }
    static std::string place(const Note& note) {
        return std::to_string(note.entry) + '@' + std::to_string(note.span.begin);
    }

    const Program& program_;
};

// Rules as they are compiled in one way, and their intermediate form.
struct Compiled {
    Compiled(const Ruleset& ruleset, const CompileOptions& options)
        : program(ruleset, options), module(ir::build(program, options.observed)) {}

    Program program;
    std::unique_ptr<ir::Module> module;
};

// What a run does, and what it tells.
struct Seen {
    SubjectOutcome outcome;
    std::vector<std::string> events;
    std::uint64_t matches = 0;
    std::uint64_t firings = 0;

    [[nodiscard]] std::string counts() const {
        return std::to_string(matches) + " matches, " + std::to_string(firings) + " firings";
    }
};

// How compiled rules are run.
struct Way {
    const char* name;
    const Compiled& compiled;
    enum class By { Plans, Native, Form } by;
    bool observe;
    const emit::Code* code = nullptr; // of the form
};

class Run {
  public:
    Run(std::string_view group, const Document& state, std::uint64_t seed, const Budgets& budgets)
        : group_(group), document_(state), seed_(seed), budgets_(budgets) {}

    [[nodiscard]] Seen by(const Way& way) const {
        Seen seen;
        State state = way.compiled.program.initial_state();
        Diagnostics diagnostics;
        if (!state.import(document_, diagnostics)) {
            seen.outcome.error =
                RunError{RunErrorKind::Shape, "", {}, "the state is not of the declared shape"};
            seen.outcome.state_json = write_json(document_, -1);
        } else if (way.by == Way::By::Form) {
            Interpreter interpreter(*way.compiled.module, budgets_, way.code);
            run(interpreter, way, state, seen);
        } else {
            Machine machine(way.compiled.program, budgets_);
            machine.use_native(way.by == Way::By::Native);
            run(machine, way, state, seen);
        }
        return seen;
    }

  private:
    template <typename Runner>
    void run(Runner& runner, const Way& way, State& state, Seen& seen) const {
        Watcher watcher(way.compiled.program, seen.outcome);
        runner.set_log(&watcher);
        if (way.observe) {
            runner.set_observer(&watcher);
        }
        Random random(seed_);
        const RunResult result = runner.run(way.compiled.program.group_id(group_), state, random);
        if (result.error) {
            seen.outcome.error = *result.error;
        }
        seen.outcome.draws = random.counter();
        seen.outcome.state_json = write_json(state.export_document(), -1);
        seen.events = std::move(watcher.events);
        seen.matches = result.matches;
        seen.firings = result.firings;
    }

    std::string_view group_;
    const Document& document_;
    std::uint64_t seed_;
    const Budgets& budgets_;
};

// What those who watch are told by the plans and by the intermediate form, and what is counted.
std::string difference(const Seen& plans, const Seen& form) {
    for (std::size_t i = 0; i < std::max(plans.events.size(), form.events.size()); ++i) {
        const std::string one = i < plans.events.size() ? plans.events[i] : "nothing";
        const std::string other = i < form.events.size() ? form.events[i] : "nothing";
        // Where no value has been found, plans show what its register holds from before.
        if (!one.starts_with(other)) {
            return "event " + std::to_string(i) + ": " + one + " or " + other;
        }
    }
    return plans.counts() == form.counts() ? "" : plans.counts() + " or " + form.counts();
}

// Passes leave out rules that never match.
SubjectOutcome with_matches_only(SubjectOutcome outcome) {
    std::erase_if(outcome.applications, [](const auto& each) { return each.second.empty(); });
    return outcome;
}

} // namespace

SubjectOutcome run_subject(const Ruleset& ruleset, const Sources&, std::string_view group,
                           const Document& state, std::uint64_t seed, const Budgets& budgets) {
    const Compiled general(ruleset, {.observed = false, .rows = false});
    const Compiled masks(ruleset, {.observed = false, .rows = true, .form = false});
    const Compiled shipped(ruleset, {});
    const Compiled twin(ruleset, {.observed = true, .rows = true});
    const Run run(group, state, seed, budgets);
    Seen plain = run.by({"general way", general, Way::By::Plans, true});
    Seen watched = run.by({"watched twin", twin, Way::By::Plans, true});
    const auto disagree = [](Seen& seen, const char* name, const std::string& found) {
        seen.outcome.state_json +=
            std::string(" (") + name + " differ from the general way: " + found + ")";
        return seen.outcome;
    };
    if (const std::string found = difference(plain.outcome, watched.outcome); !found.empty()) {
        return disagree(watched, "watched twin", found);
    }
    const Way ways[] = {
        {"row masks", masks, Way::By::Plans, true},
        {"whole masks", masks, Way::By::Plans, false},
        {"watched machine code", masks, Way::By::Native, true},
        {"machine code", masks, Way::By::Native, false},
        {"as it is shipped", shipped, Way::By::Native, false},
        {"machine code without masks", general, Way::By::Native, false},
        {"unwatched twin", twin, Way::By::Plans, false},
        {"intermediate form", general, Way::By::Form, true},
        {"unwatched intermediate form", general, Way::By::Form, false},
        {"watched intermediate form", twin, Way::By::Form, true},
    };
    for (const Way& way : ways) {
        Seen other = run.by(way);
        if (!way.observe) {
            other.outcome.applications = plain.outcome.applications;
        }
        std::string found = difference(plain.outcome, other.outcome);
        if (found.empty() && way.by == Way::By::Form && way.observe) {
            found = difference(&way.compiled == &twin ? watched : plain, other);
        }
        if (!found.empty()) {
            return disagree(other, way.name, found);
        }
    }
    // After each pass it does the same, and so does the machine code that is made of it in the end.
    ir::Module& module = *general.module;
    CROUPIER_PROBE(probe::count_built(module);)
    CROUPIER_PROBE(probe::count_built(*twin.module);)
    for (const ir::Pass& pass : ir::passes()) {
        for (ir::Function& function : module.functions) {
            pass.run(module, function);
            for (const std::string& wrong : ir::verify(module, function)) {
                return disagree(plain, pass.name.data(), wrong);
            }
        }
        CROUPIER_PROBE(probe::count_built(module);)
        Seen other = run.by({pass.name.data(), general, Way::By::Form, true});
        const std::string found =
            difference(with_matches_only(plain.outcome), with_matches_only(other.outcome));
        if (!found.empty() || other.counts() != plain.counts()) {
            return disagree(other, pass.name.data(),
                            found.empty() ? plain.counts() + " or " + other.counts() : found);
        }
    }
    if (const auto code = emit::emit(module)) {
        Seen other =
            run.by({"machine code of the form", general, Way::By::Form, false, code.get()});
        other.outcome.applications = plain.outcome.applications;
        std::string found = difference(plain.outcome, other.outcome);
        if (found.empty() && other.counts() != plain.counts()) {
            found = plain.counts() + " or " + other.counts();
        }
        if (!found.empty()) {
            return disagree(other, "machine code of the form", found);
        }
    }
    return plain.outcome;
}

SubjectOutcome run_form(const Ruleset& ruleset, const Sources&, std::string_view group,
                        const Document& state, std::uint64_t seed, const Budgets& budgets) {
    const Compiled general(ruleset, {.observed = false, .rows = false});
    const Run run(group, state, seed, budgets);
    Seen first = run.by({"as it is built", general, Way::By::Form, true});
    const auto disagree = [&](const std::string& found) {
        first.outcome.state_json += " (" + found + ")";
        return first.outcome;
    };
    ir::Module& module = *general.module;
    CROUPIER_PROBE(probe::count_built(module);)
    for (const ir::Pass& pass : ir::passes()) {
        for (ir::Function& function : module.functions) {
            pass.run(module, function);
            for (const std::string& wrong : ir::verify(module, function)) {
                return disagree(wrong);
            }
        }
        CROUPIER_PROBE(probe::count_built(module);)
    }
    const auto code = emit::emit(module);
    for (const emit::Code* const each : {static_cast<const emit::Code*>(nullptr), code.get()}) {
        const Seen other = run.by({"after all passes", general, Way::By::Form, false, each});
        SubjectOutcome wanted = first.outcome;
        wanted.applications.clear();
        const std::string found = difference(wanted, other.outcome);
        if (!found.empty() || other.counts() != first.counts()) {
            return disagree(first.counts() + " or " + other.counts() + ": " + found);
        }
    }
    return first.outcome;
}

} // namespace croupier::engine::reference
