// Counts and times what machines do.
#include "engine/explain/profile.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace croupier::engine {

namespace {

// Calls visit(entry, the number of the entry around it or kNone, depth), in the order written.
template <typename Visit>
void visit_entries(const Pattern& pattern, std::uint32_t above, std::uint32_t depth,
                   const Visit& visit) {
    for (const Entry& entry : pattern.entries) {
        visit(entry, above, depth);
        for (const Pattern& below : entry.patterns) {
            visit_entries(below, entry.id, depth + 1, visit);
        }
    }
}

void add(std::vector<EntryCost>& to, const std::vector<EntryCost>& from) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        to[i].tried += from[i].tried;
        to[i].passed += from[i].passed;
        to[i].self_ns += from[i].self_ns;
    }
}

} // namespace

// ---- the value -------------------------------------------------------------------------------

Profile::Profile(const Program& program) : rules_(program.rules.size()) {
    for (RuleId id = 0; id < rules_.size(); ++id) {
        rules_[id].entries.resize(program.rules[id].source->entry_count);
    }
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
        to.match_ns += from.match_ns;
        to.act_ns += from.act_ns;
        to.total_ns += from.total_ns;
        add(to.entries, from.entries);
    }
}

void Profile::take_entries(const Profile& other) {
    assert(rules_.size() == other.rules_.size());
    for (std::size_t id = 0; id < rules_.size(); ++id) {
        rules_[id].entries = other.rules_[id].entries;
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

Profiler::Profiler(const Program& program, Clock clock, std::uint64_t clock_cost, bool entries)
    : program_(program), clock_(clock), clock_cost_(clock_cost), entries_(entries), own_(program),
      above_(program.rules.size()) {
    for (RuleId id = 0; id < above_.size(); ++id) {
        const Rule& source = *program.rules[id].source;
        above_[id].assign(source.entry_count, kNone);
        if (source.condition) {
            visit_entries(*source.condition, kNone, 0,
                          [&](const Entry& entry, std::uint32_t above, std::uint32_t) {
                              above_[id][entry.id] = above;
                          });
        }
    }
    last_reading_ = clock_ != nullptr ? clock_() : 0;
}

// Since the last event; one reading for each.
std::uint64_t Profiler::lap() {
    if (clock_ == nullptr) {
        return 0;
    }
    const std::uint64_t now = clock_();
    const std::uint64_t since = now - last_reading_;
    const std::uint64_t spent = since > clock_cost_ ? since - clock_cost_ : 0;
    last_reading_ = now;
    time_ += spent;
    return spent;
}

void Profiler::rule_begins(RuleId rule) {
    if (frames_.empty() && clock_ != nullptr) {
        last_reading_ = clock_(); // what passed between two runs is nobody's
    } else {
        lap();
    }
    frames_.push_back({rule, time_});
}

void Profiler::rule_searches(RuleId rule) {
    if (frames_.empty() && clock_ != nullptr) {
        last_reading_ = clock_();
    } else {
        lap();
    }
    ++profile_->rule(rule).tried;
    searched_ = rule;
    search_began_ = time_;
}

// Its time becomes the rule's.
void Profiler::end_search() {
    const std::uint64_t spent = time_ - search_began_;
    RuleCost& cost = profile_->rule(searched_);
    cost.match_ns += spent;
    if (frames_.empty()) {
        cost.total_ns += spent; // a match alone, without a rule applied
    } else {
        frames_.back().searching += spent;
    }
    searched_ = kNone;
}

void Profiler::rule_matched(RuleId rule, std::uint64_t count, std::span<const Value>,
                            const State&) {
    lap();
    end_search();
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

void Profiler::end_frame() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    const std::uint64_t total = time_ - frame.begin;
    RuleCost& cost = profile_->rule(frame.rule);
    cost.total_ns += total;
    cost.act_ns += total - frame.searching - frame.inner;
    if (!frames_.empty()) {
        frames_.back().inner += total;
    }
}

void Profiler::rule_ends(RuleId) {
    lap();
    end_frame();
}

void Profiler::run_ends() {
    if (frames_.empty() && !searching()) {
        return;
    }
    lap();
    if (searching()) {
        end_search();
    }
    while (!frames_.empty()) {
        end_frame();
    }
}

// What ran before an entry is tried is the one around it: finding its node, the next child, or the
// rest of a match after which it was resumed.
void Profiler::entry_tried(const Note& note, std::span<const Value>, const State&) {
    const std::uint64_t spent = lap();
    RuleCost& cost = profile_->rule(note.rule);
    ++cost.entries[note.entry].tried;
    if (const std::uint32_t above = above_[note.rule][note.entry]; above != kNone) {
        cost.entries[above].self_ns += spent;
    }
}

void Profiler::entry_passed(const Note& note, std::span<const Value>, const State&) {
    EntryCost& cost = profile_->rule(note.rule).entries[note.entry];
    cost.self_ns += lap();
    ++cost.passed;
}

void Profiler::entry_cut(const Note& note, const Value*, std::span<const Value>, const State&) {
    profile_->rule(note.rule).entries[note.entry].self_ns += lap();
}

std::uint64_t cost_of_clock(Profiler::Clock clock) {
    std::uint64_t least = UINT64_MAX;
    std::uint64_t last = clock();
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t now = clock();
        least = std::min(least, now - last);
        last = now;
    }
    return least;
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
        if (!plan.source->condition) {
            continue;
        }
        std::vector<std::uint32_t> above(row.entries.size(), kNone);
        visit_entries(*plan.source->condition, kNone, 0,
                      [&](const Entry& entry, std::uint32_t around, std::uint32_t depth) {
                          const EntryCost& cost = row.cost.entries[entry.id];
                          row.entries[entry.id] = {entry.id, depth, entry.span, cost, cost.self_ns};
                          above[entry.id] = around;
                      });
        // Entries are numbered in the order written: those inside one come after it.
        for (std::size_t i = row.entries.size(); i-- > 0;) {
            if (above[i] != kNone) {
                row.entries[above[i]].total_ns += row.entries[i].total_ns;
            }
        }
    }
    for (const GroupPlan& group : program.groups) {
        for (const RuleId id : group.rules) {
            all[id].group = group.name;
        }
    }
    return all;
}

} // namespace croupier::engine
