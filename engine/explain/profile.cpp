// Counts what machines do.
#include "engine/explain/profile.h"

#include "engine/explain/near_miss.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace croupier::engine {

namespace {

void add(std::vector<EntryCost>& to, const std::vector<EntryCost>& from) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        to[i].tried += from[i].tried;
        to[i].passed += from[i].passed;
    }
}

} // namespace

// ---- the value -------------------------------------------------------------------------------

Profile::Profile(const Program& program) : rules_(program.rules.size()) {
    for (RuleId id = 0; id < rules_.size(); ++id)
        rules_[id].entries.resize(program.rules[id].source->entry_count);
}

void Profile::merge(const Profile& other) {
    if (rules_.empty()) {
        *this = other;
        return;
    }
    assert(other.rules_.empty() || rules_.size() == other.rules_.size());
    for (std::size_t id = 0; id < other.rules_.size(); ++id) {
        RuleCost& to = rules_[id];
        const RuleCost& from = other.rules_[id];
        assert(to.entries.size() == from.entries.size());
        to.tried += from.tried;
        to.passed += from.passed;
        to.matches += from.matches;
        to.firings += from.firings;
        add(to.entries, from.entries);
    }
}

void Profile::clear() {
    for (RuleCost& rule : rules_) {
        std::vector<EntryCost> entries = std::move(rule.entries);
        std::fill(entries.begin(), entries.end(), EntryCost{});
        rule = {};
        rule.entries = std::move(entries);
    }
}

// ---- watching --------------------------------------------------------------------------------

Profiler::Profiler(const Program& program, bool entries)
    : program_(program), entries_(entries), own_(program) {}

void Profiler::rule_searches(RuleId rule) {
    ++profile_->rule(rule).tried;
}

void Profiler::rule_matched(RuleId rule, std::uint64_t count, std::span<const Value>,
                            const State&) {
    RuleCost& cost = profile_->rule(rule);
    cost.passed += count > 0 ? 1 : 0;
    cost.matches += count;
}

void Profiler::rule_fires(RuleId rule, std::span<const Value>, const State&) {
    profile_->rule(rule).firings +=
        program_.rules[rule].source->action.kind != Action::Kind::None ? 1 : 0;
}

void Profiler::rule_otherwise(RuleId rule) {
    ++profile_->rule(rule).firings;
}

void Profiler::entry_tried(const Note& note, std::span<const Value>, const State&) {
    ++profile_->rule(note.rule).entries[note.entry].tried;
}

void Profiler::entry_passed(const Note& note, std::span<const Value>, const State&) {
    ++profile_->rule(note.rule).entries[note.entry].passed;
}

// ---- rows ------------------------------------------------------------------------------------

std::vector<RuleRow> rows(const Program& program, const Profile& profile) {
    std::vector<RuleRow> all(program.rules.size());
    for (RuleId id = 0; id < all.size(); ++id) {
        const RulePlan& plan = program.rules[id];
        RuleRow& row = all[id];
        row.rule = id;
        row.name = plan.name;
        row.span = plan.span;
        row.cost = profile.rules()[id];
        row.entries.resize(plan.source->entry_count);
        const EntryPlaces places(*plan.source);
        for (std::uint32_t entry = 0; entry < places.all().size(); ++entry)
            row.entries[entry] = {entry, places[entry].depth, places[entry].span,
                                  row.cost.entries[entry]};
    }
    for (const GroupPlan& group : program.groups)
        for (const RuleId id : group.rules)
            all[id].group = group.name;
    return all;
}

// Runs groups once more, watched.

Gauge::Gauge(const Program& program, const Budgets& budgets, bool entries)
    : machine_(program, budgets), profiler_(program, entries) {
    machine_.set_observer(&profiler_);
}

void Gauge::measure(GroupId group, const State& state, const Random& random, Profile& into) {
    if (state_)
        *state_ = state;
    else
        state_.emplace(state);
    Random chance = random;
    profiler_.count_into(into);
    machine_.run(group, *state_, chance);
}

} // namespace croupier::engine
