// Counts what machines do.
#include "engine/explain/profile.h"

#include "engine/explain/near_miss.h"

#include <algorithm>
#include <utility>

namespace croupier::engine {

// ---- the value -------------------------------------------------------------------------------

Profile::Profile(const Catalogue& catalogue) : rules_(catalogue.rules.size()) {
    for (RuleId id = 0; id < rules_.size(); ++id)
        rules_[id].entries.resize(catalogue.rules[id].source->entry_count);
}

void Profile::clear() {
    for (RuleCost& rule : rules_) {
        std::fill(rule.entries.begin(), rule.entries.end(), EntryCost{});
        rule = {.entries = std::move(rule.entries)};
    }
}

// ---- watching --------------------------------------------------------------------------------

Profiler::Profiler(const Catalogue& catalogue, bool entries)
    : catalogue_(catalogue), entries_(entries), own_(catalogue) {}

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
        catalogue_.rules[rule].source->action.kind != Action::Kind::None ? 1 : 0;
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

std::vector<RuleRow> rows(const Catalogue& catalogue, const Profile& profile) {
    std::vector<RuleRow> all(catalogue.rules.size());
    for (RuleId id = 0; id < all.size(); ++id) {
        const RulePlan& plan = catalogue.rules[id];
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
    for (const GroupPlan& group : catalogue.groups)
        for (const RuleId id : group.rules)
            all[id].group = group.name;
    return all;
}

// Runs groups again, watched.

Gauge::Gauge(const Program& program, const Budgets& budgets, bool entries)
    : machine_(program, budgets), profiler_(program.catalogue(), entries) {
    machine_.set_observer(&profiler_);
}

void Gauge::measure(GroupId group, const State& state, const Random& random, Profile& into) {
    state_ = state;
    Random chance = random;
    profiler_.count_into(into);
    machine_.run(group, *state_, chance);
}

} // namespace croupier::engine
