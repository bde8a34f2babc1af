// Watches an agenda group run, and notes what becomes of the matches of one rule.
#include "engine/explain/why_agenda.h"

#include "engine/run/machine.h"
#include "engine/run/recognize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace croupier::engine {
namespace {

// A match by its values, so that it can be told whether it is still there.
using Key = std::vector<std::pair<Tag, std::int64_t>>;

Key key_of(std::span<const Value> values) {
    Key key;
    for (const Value& value : values)
        key.emplace_back(value.tag, value.integer);
    return key;
}

template <typename Item>
Item& entry_of(std::vector<Item>& items, std::string Item::*name, const std::string& wanted) {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const Item& item) { return item.*name == wanted; });
    if (found != items.end()) return *found;
    items.emplace_back().*name = wanted;
    return items.back();
}

class AgendaWatcher : public Observer {
  public:
    AgendaWatcher(const Program& program, const GroupPlan& group, RuleId rule, Why::Agenda& into)
        : program_(program), group_(group), rule_(rule), into_(into) {}

    void agenda_stands(const GroupPlan& group, const Recognizer& recognizer) override {
        if (&group != &group_) return;
        std::vector<Key> waiting;
        into_.spent = 0;
        saliences_.assign(group.rules.size(), {});
        for (std::uint32_t i = 0; i < group.rules.size(); ++i) {
            for (const Recognizer::Standing& one : recognizer.standing(i)) {
                const bool own = group.rules[i] == rule_;
                if (one.fired) {
                    into_.spent += own ? 1 : 0;
                    continue;
                }
                std::optional<int>& top = saliences_[i];
                if (!top || one.salience > *top) top = one.salience;
                if (own) waiting.push_back(key_of(one.values));
            }
        }
        std::sort(waiting.begin(), waiting.end());
        note_taken(waiting);
        waiting_ = std::move(waiting);
        into_.waiting = waiting_.size();
    }

    void rule_fires(RuleId rule, std::span<const Value> match, const State& state) override {
        const auto place = std::find(group_.rules.begin(), group_.rules.end(), rule);
        if (place == group_.rules.end()) return;
        last_ = rule;
        ++into_.firings;
        if (rule == rule_) {
            into_.fired.push_back(
                {into_.firings, named_values(program_.rules[rule], match, state)});
            const auto own = std::find(waiting_.begin(), waiting_.end(), key_of(match));
            if (own != waiting_.end()) waiting_.erase(own);
        } else if (!waiting_.empty()) {
            note_rival(rule, static_cast<std::size_t>(place - group_.rules.begin()));
        }
    }

  private:
    void note_rival(RuleId rule, std::size_t place) {
        const auto own = std::find(group_.rules.begin(), group_.rules.end(), rule_);
        Why::Agenda::Rival& rival =
            entry_of(into_.rivals, &Why::Agenda::Rival::rule, program_.rules[rule].name);
        ++rival.times;
        // What fires has the highest salience of all that wait.
        rival.salience = saliences_[place].value_or(0);
        rival.against =
            saliences_[static_cast<std::size_t>(own - group_.rules.begin())].value_or(0);
        rival.equal += rival.salience == rival.against ? 1 : 0;
    }

    // What waited before the latest firing and is not there any more.
    void note_taken(const std::vector<Key>& waiting) {
        std::vector<Key> gone;
        std::set_difference(waiting_.begin(), waiting_.end(), waiting.begin(), waiting.end(),
                            std::back_inserter(gone));
        if (gone.empty() || !last_) return;
        Why::Agenda::Taken& taken =
            entry_of(into_.taken, &Why::Agenda::Taken::by, program_.rules[*last_].name);
        if (taken.times == 0) taken.firing = into_.firings;
        taken.times += gone.size();
    }

    const Program& program_;
    const GroupPlan& group_;
    const RuleId rule_;
    Why::Agenda& into_;
    std::vector<Key> waiting_;                  // sorted
    std::vector<std::optional<int>> saliences_; // the highest that waits, by place in the group
    std::optional<RuleId> last_;                // to fire
};

std::string times(std::uint64_t count) {
    return count == 1 ? "once" : fmt::format("{} times", count);
}

std::string matches(std::uint64_t count) {
    return count == 1 ? "1 match" : fmt::format("{} matches", count);
}

std::string how_it_ended(const Why::Agenda& agenda) {
    if (agenda.error) return "when an error ended it";
    if (agenda.limit_reached) return "which is its limit";
    return "until nothing was left";
}

} // namespace

Why::Agenda explain_agenda(const Program& program, GroupId group, RuleId rule, State& state,
                           Random& random, const Budgets& budgets) {
    const GroupPlan& plan = program.groups[group];
    assert(plan.agenda != nullptr);
    Why::Agenda agenda;
    agenda.group = plan.name;
    agenda.strategy = strategy_name(plan.agenda->strategy);
    AgendaWatcher watcher(program, plan, rule, agenda);
    Machine machine(program, budgets);
    machine.set_observer(&watcher);
    const RunResult result = machine.run(group, state, random);
    if (result.error) agenda.error = *result.error;
    agenda.limit_reached = !agenda.error && plan.agenda->limit == agenda.firings;
    return agenda;
}

std::string to_text(const Why::Agenda& agenda) {
    const std::string named = agenda.group.empty() ? "" : " " + agenda.group;
    std::string text = fmt::format(
        "the agenda group{} ({}), run from this state: {} firing{}, {}\n", named, agenda.strategy,
        agenda.firings, agenda.firings == 1 ? "" : "s", how_it_ended(agenda));
    if (agenda.fired.empty()) text += "  this rule did not fire\n";
    constexpr std::size_t kShown = 10;
    for (std::size_t i = 0; i < agenda.fired.size() && i < kShown; ++i) {
        const Why::Agenda::Firing& fired = agenda.fired[i];
        const std::string values = to_text(fired.values);
        text += fmt::format("  fired as number {}{}{}\n", fired.number, values.empty() ? "" : ": ",
                            values);
    }
    if (agenda.fired.size() > kShown)
        text += fmt::format("  and {} more\n", times(agenda.fired.size() - kShown));
    for (const Why::Agenda::Rival& rival : agenda.rivals) {
        text += fmt::format("  outranked {} by {}, ", times(rival.times), rival.rule);
        text += rival.equal == rival.times
                    ? fmt::format("by the strategy {}\n", agenda.strategy)
                    : fmt::format("salience {} against {}\n", rival.salience, rival.against);
    }
    for (const Why::Agenda::Taken& taken : agenda.taken)
        text += fmt::format("  {} removed by {} before its turn, first by firing {}\n",
                            matches(taken.times), taken.by, taken.firing);
    if (agenda.spent > 0)
        text += fmt::format("  fired already: {} at the end, not to fire again while it holds\n",
                            matches(agenda.spent));
    if (agenda.waiting > 0)
        text += fmt::format("  {} still waiting {}\n", matches(agenda.waiting),
                            agenda.limit_reached ? "when the limit was reached" : "at the end");
    return text;
}

} // namespace croupier::engine
