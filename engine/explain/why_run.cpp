// Notes, while a group runs, each run of one rule: with what around it, and how it ended.
#include "engine/explain/why_run.h"

#include "engine/explain/near_miss.h"
#include "engine/explain/why_agenda.h"
#include "engine/run/machine.h"

#include <algorithm>
#include <deque>
#include <map>

namespace croupier::engine {
namespace {

// Finds the way to a rule through the groups inside others.
class Finder {
  public:
    Finder(const Program& program, RuleId wanted) : program_(program), wanted_(wanted) {}

    RulePlace find() {
        for (GroupId id = 0; id < program_.groups.size(); ++id) {
            // The named ones come first.
            if (in_group(id)) {
                place_.group = id;
                std::reverse(place_.around.begin(), place_.around.end());
                std::reverse(place_.in_else.begin(), place_.in_else.end());
                return place_;
            }
        }
        return place_;
    }

  private:
    bool in_group(GroupId id) {
        for (const RuleId rule : program_.groups[id].rules) {
            if (rule == wanted_) return true;
            const Rule& source = *program_.rules[rule].source;
            const bool in_action = in(source.action);
            const bool in_else = !in_action && in(source.otherwise);
            if (!in_action && !in_else) continue;
            place_.around.push_back(rule);
            place_.in_else.push_back(in_else);
            return true;
        }
        return false;
    }
    bool in(const Action& action) {
        return action.kind == Action::Kind::Group ? in(*action.group) : in(action.tree);
    }
    bool in(const ActionNode& node) {
        return std::any_of(node.entries.begin(), node.entries.end(), [&](const ActionEntry& each) {
            return (each.group != nullptr && in(*each.group)) || in(each.node);
        });
    }
    bool in(const Group& group) {
        const auto known = program_.inner_groups.find(&group);
        return known != program_.inner_groups.end() && in_group(known->second);
    }

    const Program& program_;
    RuleId wanted_;
    RulePlace place_;
};

class RunWatcher : public Observer {
  public:
    RunWatcher(const Program& program, RuleId rule, const RulePlace& place, Why& why)
        : program_(program), rule_(rule), place_(place), why_(why) {
        for (const RuleId each : place.around)
            misses_.emplace(each, NearMiss(program.rules[each]));
        const NearMiss& own = misses_.emplace(rule, NearMiss(program.rules[rule])).first->second;
        for (std::uint32_t id = 0; id < own.places().all().size(); ++id)
            why_.entries.push_back({id, own.places()[id].depth, own.places()[id].span, 0, 0});
    }

    // Where the rule around it stopped that is to blame that the rule did not run.
    void note_outside() {
        for (std::size_t i = 0; i < place_.around.size(); ++i) {
            const RuleId each = place_.around[i];
            const Outer& outer = outer_[each];
            if (place_.in_else[i] ? outer.matches == 0 : outer.matches > 0) continue;
            Why::Outside outside{
                program_.rules[each].name, program_.rules[each].span, outer.matches > 0, {}};
            if (outer.matches == 0) outside.stop = misses_.at(each).nearest();
            why_.outside = std::move(outside);
            return;
        }
    }

    void rule_searches(RuleId rule) override {
        const auto miss = misses_.find(rule);
        if (miss == misses_.end()) return;
        miss->second.begins(around_of(rule));
    }

    void rule_matched(RuleId rule, std::uint64_t count, std::span<const Value> matches,
                      const State& state) override {
        if (rule != rule_) {
            if (const auto outer = outer_.find(rule); outer != outer_.end())
                outer->second.matches += count;
            else if (misses_.contains(rule))
                outer_[rule].matches = count;
            return;
        }
        NamedValues around;
        for (const auto& [name, value] : around_of(rule))
            if (!is_hidden(name)) around.emplace_back(name, to_scalar(value, state.symbols()));
        const RulePlan& plan = program_.rules[rule];
        const std::size_t width = plan.variables.size();
        for (std::uint64_t i = 0; i < count; ++i) {
            why_.matches.push_back(around);
            NamedValues own = named_values(plan, matches.subspan(i * width, width), state);
            std::move(own.begin(), own.end(), std::back_inserter(why_.matches.back()));
        }
        const std::optional<WhyStop>& stop = misses_.at(rule).nearest();
        ++why_.times_run;
        why_.times_without += count == 0 ? 1 : 0;
        if (count == 0 && stop && (!why_.furthest || is_nearer(*stop, *why_.furthest)))
            why_.furthest = stop;
        if (why_.runs.size() < Why::kMostRuns)
            why_.runs.push_back({std::move(around), count, count == 0 ? stop : std::nullopt});
    }

    void rule_fires(RuleId rule, std::span<const Value> match, const State&) override {
        if (const auto miss = misses_.find(rule); miss != misses_.end() && rule != rule_)
            outer_[rule].fired.assign(match.begin(), match.end());
        if (why_.times_run > 0 || !place_.around.empty()) return;
        const auto& group = program_.groups[place_.group].rules;
        if (std::find(group.begin(), group.end(), rule) == group.end()) return;
        const std::string& name = program_.rules[rule].name;
        if (std::find(why_.before.begin(), why_.before.end(), name) == why_.before.end())
            why_.before.push_back(name);
    }

    void rule_otherwise(RuleId rule) override {
        if (rule == rule_) why_.otherwise = true;
        if (const auto outer = outer_.find(rule); outer != outer_.end())
            outer->second.fired.clear();
    }

    [[nodiscard]] bool looks_at_entries() const override { return true; }
    [[nodiscard]] bool asks_why() const override { return true; }

    void entry_stands(const Note& note, NodeRef at, bool child, std::span<const Value> values,
                      const Runtime& runtime) override {
        if (NearMiss* miss = miss_of(note)) miss->entry_stands(note, at, child, values, runtime);
    }
    void entry_tried(const Note& note, std::span<const Value>, const State&) override {
        if (NearMiss* miss = miss_of(note)) miss->entry_tried(note.entry);
        if (note.rule == rule_) ++why_.entries[note.entry].reached;
    }
    void entry_passed(const Note& note, std::span<const Value>, const State&) override {
        if (NearMiss* miss = miss_of(note)) miss->entry_passed(note.entry);
        if (note.rule == rule_) ++why_.entries[note.entry].passed;
    }
    void entry_stopped(const Stopped& stopped) override {
        if (NearMiss* miss = miss_of(stopped.note)) miss->entry_stopped(stopped);
    }

  private:
    struct Outer {
        std::uint64_t matches = 0;
        std::vector<Value> fired; // the match that it acts on
    };

    NearMiss* miss_of(const Note& note) {
        const auto found = misses_.find(note.rule);
        return found == misses_.end() ? nullptr : &found->second;
    }

    Around around_of(RuleId rule) {
        Around around;
        for (const RuleId each : place_.around) {
            if (each == rule) break;
            const std::vector<Value>& fired = outer_[each].fired;
            for (std::size_t i = 0; i < fired.size(); ++i)
                around.emplace_back(program_.rules[each].variables[i].name, fired[i]);
        }
        return around;
    }

    const Program& program_;
    RuleId rule_;
    const RulePlace& place_;
    Why& why_;
    std::map<RuleId, NearMiss> misses_; // of the rule and those around it
    std::map<RuleId, Outer> outer_;
};

} // namespace

RulePlace place_of(const Program& program, RuleId rule) {
    return Finder(program, rule).find();
}

void watch_group(const Program& program, RuleId rule, const RulePlace& place, State& state,
                 Random& random, const Budgets& budgets, Why& why) {
    RunWatcher watcher(program, rule, place, why);
    Machine machine(program, budgets);
    machine.set_observer(&watcher);
    const RunResult result = machine.run(place.group, state, random);
    if (why.times_run == 0) watcher.note_outside();
    if (!result.error) return;
    (result.error->rule == why.rule ? why.error : why.group_error) = *result.error;
}

void watch_match(const Program& program, RuleId rule, State& state, Random& random,
                 const Budgets& budgets, Why& why) {
    const RulePlace nowhere;
    RunWatcher watcher(program, rule, nowhere, why);
    Machine machine(program, budgets);
    machine.set_observer(&watcher);
    const RunResult result = machine.match(rule, state, random);
    if (result.error) why.error = *result.error;
}

} // namespace croupier::engine
