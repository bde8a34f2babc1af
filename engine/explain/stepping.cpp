// Watches a group until its budget of firings is used up.
#include "engine/explain/stepping.h"

#include "engine/explain/why.h"
#include "engine/run/machine.h"
#include "engine/run/recognize.h"

#include <algorithm>

namespace croupier::engine {
namespace {

constexpr std::size_t kMaxPrinted = 200;    // lines
constexpr std::size_t kMaxWaiting = 200;    // matches of an agenda
constexpr std::size_t kMaxPassed = 200'000; // nodes kept while a rule is matched

// Counts firings as budgets do: an empty action does not count.
class StepWatcher : public Observer, public Log {
  public:
    StepWatcher(const Catalogue& catalogue, std::uint64_t wanted, std::span<const RuleId> until,
                Stand& stand)
        : catalogue_(catalogue), wanted_(wanted), until_(until), stand_(stand) {}

    // The number of firings before a rule of `until` first came next.
    [[nodiscard]] std::optional<std::uint64_t> stop() const { return stop_; }

    void rule_fires(RuleId rule, std::span<const Value> match, const State& state) override {
        const RulePlan& plan = catalogue_.rules[rule];
        if (plan.source->action.kind == Action::Kind::None) return;
        comes(rule, false);
        if (begun_ == wanted_ + 1 && stand_.next)
            stand_.next->match = named_values(plan, match, state);
    }
    void rule_otherwise(RuleId rule) override { comes(rule, true); }

    void agenda_stands(const GroupPlan& group, const Recognizer& recognizer) override {
        if (begun_ != wanted_ || state_ == nullptr) return;
        stand_.agenda.clear();
        for (std::uint32_t i = 0; i < group.rules.size(); ++i) {
            for (const Recognizer::Standing& one : recognizer.standing(i)) {
                if (stand_.agenda.size() == kMaxWaiting) return;
                const RuleId rule = group.rules[i];
                stand_.agenda.push_back(
                    {rule, one.salience, one.fired,
                     named_values(catalogue_.rules[rule], one.values, *state_)});
            }
        }
    }
    void line(const std::string& text) override {
        if (begun_ <= wanted_ && stand_.printed.size() < kMaxPrinted)
            stand_.printed.push_back(text);
    }
    void watch(const State& state) { state_ = &state; }

  private:
    void comes(RuleId rule, bool otherwise) {
        ++begun_;
        if (begun_ == wanted_ + 1) stand_.next = Stand::Firing{rule, otherwise, {}};
        if (begun_ > wanted_ + 1 && !stop_ &&
            std::find(until_.begin(), until_.end(), rule) != until_.end())
            stop_ = begun_ - 1;
    }

    const Catalogue& catalogue_;
    const std::uint64_t wanted_;
    const std::span<const RuleId> until_;
    Stand& stand_;
    const State* state_ = nullptr;
    std::uint64_t begun_ = 0;
    std::optional<std::uint64_t> stop_;
};

Stand run_for(const Program& program, GroupId group, State& state, Random random,
              std::uint64_t firings, const Budgets& budgets) {
    Stand stand;
    StepWatcher watcher(program.catalogue(), firings, {}, stand);
    watcher.watch(state);
    Budgets fewer = budgets;
    fewer.firings = firings;
    Machine machine(program, fewer);
    machine.set_observer(&watcher);
    machine.set_log(&watcher);
    const RunResult result = machine.run(group, state, random);
    stand.ended = result.error == nullptr || result.error->kind != RunErrorKind::BudgetFirings;
    stand.firings = std::min(result.firings, firings);
    if (!stand.ended) return stand;
    stand.next.reset();
    stand.agenda.clear();
    if (result.error) stand.error = *result.error;
    return stand;
}

// Keeps the nodes of all partial matches, with the variables bound when an entry passed them.
class MatchWatcher : public Observer {
  public:
    explicit MatchWatcher(const RulePlan& rule) : rule_(rule), miss_(rule) {}

    void rule_searches(RuleId) override { miss_.begins(); }
    [[nodiscard]] bool looks_at_entries() const override { return true; }
    [[nodiscard]] bool asks_why() const override { return true; }
    void entry_stands(const Note& note, NodeRef at, bool child, std::span<const Value> values,
                      const Runtime& runtime) override {
        miss_.entry_stands(note, at, child, values, runtime);
    }
    void entry_passed(const Note& note, std::span<const Value> values, const State&) override {
        const auto& places = miss_.places().all();
        // Entries inside @not and the like are not part of the match.
        if (note.entry >= places.size() || places[note.entry].scope != kNone) return;
        if (passed_.size() == kMaxPassed) return;
        auto path = miss_.node_of(note.entry, values);
        if (!path) return;
        Passed passed{std::move(*path), {}};
        for (std::size_t i = 0; i < rule_.variables.size(); ++i) {
            const Variable& each = rule_.variables[i];
            if (each.entry <= note.entry) passed.bound.emplace_back(i, values[each.place]);
        }
        passed_.push_back(std::move(passed));
    }
    [[nodiscard]] std::vector<std::string> nodes_of(std::span<const Value> match) const {
        std::vector<std::string> nodes;
        for (const Passed& passed : passed_) {
            const bool same =
                std::all_of(passed.bound.begin(), passed.bound.end(), [&](const auto& bound) {
                    const auto& [variable, value] = bound;
                    return value.tag == match[variable].tag &&
                           value.integer == match[variable].integer;
                });
            if (same && std::find(nodes.begin(), nodes.end(), passed.path) == nodes.end())
                nodes.push_back(passed.path);
        }
        std::sort(nodes.begin(), nodes.end());
        return nodes;
    }

  private:
    struct Passed {
        std::string path;
        std::vector<std::pair<std::size_t, Value>> bound; // variables
    };
    const RulePlan& rule_;
    NearMiss miss_;
    std::vector<Passed> passed_;
};

} // namespace

Stand stand_after(const Program& program, GroupId group, State& state, const Random& random,
                  std::uint64_t firings, std::span<const RuleId> until, const Budgets& budgets) {
    std::uint64_t wanted = firings;
    if (!until.empty()) {
        Stand unused;
        StepWatcher watcher(program.catalogue(), firings, until, unused);
        Machine machine(program, budgets);
        machine.set_observer(&watcher);
        State copy = state;
        Random same = random;
        machine.run(group, copy, same);
        wanted = watcher.stop().value_or(budgets.firings);
    }
    return run_for(program, group, state, random, std::min(wanted, budgets.firings), budgets);
}

Standing standing_matches(const Program& program, RuleId rule, State& state, Random random,
                          std::size_t most, const Budgets& budgets) {
    Standing standing;
    MatchWatcher watcher(program.catalogue().rules[rule]);
    Machine machine(program, budgets);
    machine.set_observer(&watcher);
    const RunResult result = machine.match(rule, state, random);
    if (result.error) {
        standing.error = *result.error;
        return standing;
    }
    standing.count = result.matches;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(most, result.matches); ++i) {
        const std::span<const Value> match = machine.matched(i);
        standing.matches.push_back(
            {named_values(program.catalogue().rules[rule], match, state), watcher.nodes_of(match)});
    }
    return standing;
}

} // namespace croupier::engine
