// Runs a rule's group, and describes what happened to the rule.
#include "engine/explain/why.h"

#include "engine/run/glimpse.h"
#include "engine/run/machine.h"
#include "engine/run/recognize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <deque>
#include <map>

namespace croupier::engine {

namespace {

// ---- an agenda group: what happens to the matches of one rule --------------------------------

// A match identified by its values, to find out whether it still exists.
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
    AgendaWatcher(const Catalogue& catalogue, const GroupPlan& group, RuleId rule,
                  Why::Agenda& into)
        : catalogue_(catalogue), group_(group), rule_(rule), into_(into) {}

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
                {into_.firings, named_values(catalogue_.rules[rule], match, state)});
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
            entry_of(into_.rivals, &Why::Agenda::Rival::rule, catalogue_.rules[rule].name);
        ++rival.times;
        // The firing match has the highest salience of all waiting ones.
        rival.salience = saliences_[place].value_or(0);
        rival.against =
            saliences_[static_cast<std::size_t>(own - group_.rules.begin())].value_or(0);
        rival.equal += rival.salience == rival.against ? 1 : 0;
    }

    // Counts the matches that were waiting before the latest firing and are gone.
    void note_taken(const std::vector<Key>& waiting) {
        std::vector<Key> gone;
        std::set_difference(waiting_.begin(), waiting_.end(), waiting.begin(), waiting.end(),
                            std::back_inserter(gone));
        if (gone.empty() || !last_) return;
        Why::Agenda::Taken& taken =
            entry_of(into_.taken, &Why::Agenda::Taken::by, catalogue_.rules[*last_].name);
        if (taken.times == 0) taken.firing = into_.firings;
        taken.times += gone.size();
    }

    const Catalogue& catalogue_;
    const GroupPlan& group_;
    const RuleId rule_;
    Why::Agenda& into_;
    std::vector<Key> waiting_;                  // sorted
    std::vector<std::optional<int>> saliences_; // the highest waiting one, by index in the group
    std::optional<RuleId> last_;                // to fire
};

// ---- one rule: each of its runs, what encloses it, and how it ended --------------------------

class RunWatcher : public Observer {
  public:
    RunWatcher(const Catalogue& catalogue, RuleId rule, const RulePlace& place, Why& why)
        : catalogue_(catalogue), rule_(rule), place_(place), why_(why) {
        for (const RuleId each : place.around)
            misses_.emplace(each, NearMiss(catalogue.rules[each]));
        const NearMiss& own = misses_.emplace(rule, NearMiss(catalogue.rules[rule])).first->second;
        for (std::uint32_t id = 0; id < own.places().all().size(); ++id)
            why_.entries.push_back({id, own.places()[id].depth, own.places()[id].span, 0, 0});
    }

    // Finds the enclosing rule that kept the rule from running, and where it stopped.
    void note_outside() {
        for (std::size_t i = 0; i < place_.around.size(); ++i) {
            const RuleId each = place_.around[i];
            const Outer& outer = outer_[each];
            if (place_.in_else[i] ? outer.matches == 0 : outer.matches > 0) continue;
            Why::Outside outside{
                catalogue_.rules[each].name, catalogue_.rules[each].span, outer.matches > 0, {}};
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
            if (misses_.contains(rule)) outer_[rule].matches += count;
            return;
        }
        NamedValues around;
        for (const auto& [name, value] : around_of(rule))
            if (!is_hidden(name)) around.emplace_back(name, to_scalar(value, state.symbols()));
        const RulePlan& plan = catalogue_.rules[rule];
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
        if (why_.runs.size() < Why::kMaxRuns)
            why_.runs.push_back({std::move(around), count, count == 0 ? stop : std::nullopt});
    }

    void rule_fires(RuleId rule, std::span<const Value> match, const State&) override {
        if (const auto miss = misses_.find(rule); miss != misses_.end() && rule != rule_)
            outer_[rule].fired.assign(match.begin(), match.end());
        if (why_.times_run > 0 || !place_.around.empty()) return;
        const auto& group = catalogue_.groups[place_.group].rules;
        if (std::find(group.begin(), group.end(), rule) == group.end()) return;
        const std::string& name = catalogue_.rules[rule].name;
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
        std::vector<Value> fired; // the match being acted on
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
                around.emplace_back(catalogue_.rules[each].variables[i].name, fired[i]);
        }
        return around;
    }

    const Catalogue& catalogue_;
    RuleId rule_;
    const RulePlace& place_;
    Why& why_;
    std::map<RuleId, NearMiss> misses_; // of the rule and the enclosing ones
    std::map<RuleId, Outer> outer_;
};

// ---- a node: its children after every rule, and which entries fail ---------------------------

class ChildrenWatcher : public Observer {
  public:
    ChildrenWatcher(const Catalogue& catalogue, State& state, std::string_view node,
                    std::string_view child, WhyChildren& why)
        : catalogue_(catalogue), state_(state), node_(state.symbols().find(node)), child_(child),
          why_(why), before_(children()) {}

    [[nodiscard]] bool looks_at_entries() const override { return true; }
    [[nodiscard]] bool asks_why() const override { return true; }
    void rule_begins(RuleId rule) override {
        applied_.emplace_back(catalogue_.rules[rule]).ask_about(child_);
    }

    void rule_ends(RuleId rule) override {
        if (applied_.empty()) return;
        ChildrenGiven given{rule, {}, {}, {}, false};
        std::vector<std::string> now = children();
        const auto missing = [](const std::vector<std::string>& from,
                                const std::vector<std::string>& in) {
            std::vector<std::string> all;
            for (const std::string& key : from)
                if (std::find(in.begin(), in.end(), key) == in.end()) all.push_back(key);
            return all;
        };
        given.added = missing(now, before_);
        given.removed = missing(before_, now);
        const NearMiss& miss = applied_.back();
        const bool gives = !child_.empty() && std::find(given.added.begin(), given.added.end(),
                                                        child_) != given.added.end();
        given.about = miss.nearest_asked().has_value() && !gives;
        if (given.about)
            given.stop = miss.nearest_asked();
        else if (given.added.empty() && given.removed.empty())
            given.stop = miss.nearest();
        before_ = std::move(now);
        applied_.pop_back();
        why_.rules.push_back(std::move(given));
    }

    void entry_stands(const Note& note, NodeRef at, bool child, std::span<const Value> values,
                      const Runtime& runtime) override {
        if (!applied_.empty()) applied_.back().entry_stands(note, at, child, values, runtime);
    }
    void entry_tried(const Note& note, std::span<const Value>, const State&) override {
        if (!applied_.empty()) applied_.back().entry_tried(note.entry);
    }
    void entry_passed(const Note& note, std::span<const Value>, const State&) override {
        if (!applied_.empty()) applied_.back().entry_passed(note.entry);
    }
    void entry_stopped(const Stopped& stopped) override {
        if (!applied_.empty()) applied_.back().entry_stopped(stopped);
    }

  private:
    [[nodiscard]] std::vector<std::string> children() const {
        std::vector<std::string> keys;
        const NodeRef node = node_ == kNoSymbol ? NodeRef{} : state_.child(state_.root(), node_);
        for (NodeRef each = node ? state_.first_child(node) : NodeRef{}; each;
             each = state_.next_sibling(each))
            keys.push_back(to_text(state_.key(each), state_.symbols()));
        return keys;
    }

    const Catalogue& catalogue_;
    const State& state_;
    Symbol node_;
    std::string child_;
    WhyChildren& why_;
    std::vector<std::string> before_;
    std::deque<NearMiss> applied_; // rules being applied, the outermost first
};

// ---- text ------------------------------------------------------------------------------------

constexpr std::size_t kShown = 20; // matches, and runs
constexpr std::size_t kShownFirings = 10;

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string count_matches(std::uint64_t count) {
    return counted(count, "match", "matches");
}

std::string times(std::uint64_t count) {
    return count == 1 ? "once" : fmt::format("{} times", count);
}

std::string how_it_ended(const Why::Agenda& agenda) {
    if (agenda.error) return "when an error ended it";
    if (agenda.limit_reached) return "which is its limit";
    return "until nothing was left";
}

std::string joined(const std::vector<std::string>& names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

std::string stop_text(const WhyStop& stop, const Sources& sources) {
    const std::string bound = to_text(stop.bound);
    return fmt::format("furthest partial match: {}\nstopped at {}: {}\n  {}\n",
                       bound.empty() ? "(nothing bound)" : bound, sources.place(stop.span),
                       excerpt(sources, stop.span), to_sentence(stop, sources));
}

// Continues "rule NAME (PLACE) ".
std::string verdict(const Why& why) {
    const std::string runs =
        why.around.empty() || why.times_run == 0 ? std::string()
        : why.times_run == 1
            ? ", inside " + why.around.back()
            : fmt::format(", in {} of {} inside {}", why.times_run - why.times_without,
                          counted(why.times_run, "run", "runs"), why.around.back());
    if (why.error)
        return fmt::format("stops with an error: {}: {}", name_of(why.error->kind),
                           why.error->detail);
    if (!why.matches.empty())
        return fmt::format("{}: {}{}", why.fires() ? "fires" : "is on the agenda",
                           count_matches(why.matches.size()), runs);
    if (why.times_run == 0 && why.outside)
        return why.outside->has_matches
                   ? fmt::format("is not run: it is in the else of {}, which has a match",
                                 why.outside->rule)
                   : fmt::format("is not run: {}, which contains it, does not fire",
                                 why.outside->rule);
    if (why.times_run == 0 && !why.around.empty()) return "is not run";
    return fmt::format(
        "{}: its condition has no match{}", why.agenda ? "cannot fire yet" : "does not fire",
        why.times_run > 1 && !why.around.empty()
            ? fmt::format(" in any of {} runs inside {}", why.times_run, why.around.back())
            : std::string());
}

std::string match_text(const Why& why) {
    std::string text;
    for (std::size_t i = 0; i < why.matches.size() && i < kShown; ++i) {
        const std::string values = to_text(why.matches[i]);
        text += fmt::format("  {}\n", values.empty() ? "(no variables)" : values);
    }
    if (why.matches.size() > kShown)
        text += fmt::format("  and {} more\n", why.matches.size() - kShown);
    return text;
}

// Lists runs of a nested rule without a match, if it fired in other runs.
std::string runs_text(const Why& why, const Sources& sources) {
    if (why.around.empty() || why.matches.empty() || why.times_without == 0) return {};
    std::string text = fmt::format("no match in {}:\n", counted(why.times_without, "run", "runs"));
    std::size_t shown = 0;
    for (const Why::Run& run : why.runs) {
        if (run.matches > 0) continue;
        if (shown++ == kShown / 2) break;
        const std::string around = to_text(run.around);
        text += fmt::format("  {}{}\n", around.empty() ? "" : "with " + around + ": ",
                            run.stop ? to_sentence(*run.stop, sources) : "nothing was tried");
    }
    if (why.times_without > kShown / 2)
        text += fmt::format("  and {} more\n", why.times_without - kShown / 2);
    return text;
}

} // namespace

Why::Agenda explain_agenda(const Program& program, GroupId group, RuleId rule, State& state,
                           Random& random, const Budgets& budgets) {
    const GroupPlan& plan = program.catalogue().groups[group];
    assert(plan.agenda != nullptr);
    Why::Agenda agenda;
    agenda.group = plan.name;
    agenda.strategy = name_of(plan.agenda->strategy);
    AgendaWatcher watcher(program.catalogue(), plan, rule, agenda);
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
    for (std::size_t i = 0; i < agenda.fired.size() && i < kShownFirings; ++i) {
        const Why::Agenda::Firing& fired = agenda.fired[i];
        const std::string values = to_text(fired.values);
        text += fmt::format("  fired as number {}{}{}\n", fired.number, values.empty() ? "" : ": ",
                            values);
    }
    if (agenda.fired.size() > kShownFirings)
        text += fmt::format("  and {} more\n", times(agenda.fired.size() - kShownFirings));
    for (const Why::Agenda::Rival& rival : agenda.rivals) {
        text += fmt::format("  outranked {} by {}, ", times(rival.times), rival.rule);
        text += rival.equal == rival.times
                    ? fmt::format("by the strategy {}\n", agenda.strategy)
                    : fmt::format("salience {} against {}\n", rival.salience, rival.against);
    }
    for (const Why::Agenda::Taken& taken : agenda.taken)
        text += fmt::format("  {} removed by {} before its turn, first by firing {}\n",
                            count_matches(taken.times), taken.by, taken.firing);
    if (agenda.spent > 0)
        text += fmt::format("  fired already: {} at the end, not to fire again while it holds\n",
                            count_matches(agenda.spent));
    if (agenda.waiting > 0)
        text += fmt::format("  {} still waiting {}\n", count_matches(agenda.waiting),
                            agenda.limit_reached ? "when the limit was reached" : "at the end");
    return text;
}

RulePlace place_of(const Catalogue& catalogue, RuleId rule) {
    const std::vector<RuleId> enclosing = enclosing_rules(catalogue);
    const auto has = [&](const std::vector<RuleId>& rules) {
        return std::find(rules.begin(), rules.end(), rule) != rules.end();
    };
    RulePlace place;
    for (RuleId outer = enclosing[rule]; outer != kNone; outer = enclosing[rule]) {
        bool in_action = false;
        for_each<Group>(catalogue.rules[outer].source->action, [&](const Group& group) {
            const auto known = catalogue.inner_groups.find(&group);
            in_action = in_action || (known != catalogue.inner_groups.end() &&
                                      has(catalogue.groups[known->second].rules));
        });
        place.around.insert(place.around.begin(), outer);
        place.in_else.insert(place.in_else.begin(), !in_action);
        rule = outer;
    }
    for (GroupId id = 0; id < catalogue.groups.size() && place.group == kNone; ++id)
        if (has(catalogue.groups[id].rules)) place.group = id;
    return place;
}

void watch_group(const Program& program, RuleId rule, const RulePlace& place, State& state,
                 Random& random, const Budgets& budgets, Why& why) {
    RunWatcher watcher(program.catalogue(), rule, place, why);
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
    RunWatcher watcher(program.catalogue(), rule, nowhere, why);
    Machine machine(program, budgets);
    machine.set_observer(&watcher);
    const RunResult result = machine.match(rule, state, random);
    if (result.error) why.error = *result.error;
}

NamedValues named_values(const RulePlan& rule, std::span<const Value> match, const State& state) {
    NamedValues values;
    for (std::size_t v = 0; v < match.size(); ++v) {
        const std::string& name = rule.variables[v].name;
        if (!is_hidden(name)) values.emplace_back(name, to_scalar(match[v], state.symbols()));
    }
    return values;
}

Why explain(const Program& program, RuleId rule, State& state, Random& random,
            const Budgets& budgets) {
    const Catalogue& catalogue = program.catalogue();
    Why why;
    why.rule = catalogue.rules[rule].name;
    why.span = catalogue.rules[rule].span;
    const RulePlace place = place_of(catalogue, rule);
    why.group = catalogue.groups[place.group].name;
    for (const RuleId each : place.around)
        why.around.push_back(catalogue.rules[each].name);
    const bool inside = !place.around.empty();
    if (!inside && catalogue.groups[place.group].mode == GroupMode::Agenda) {
        watch_match(program, rule, state, random, budgets, why);
        State copy = state;
        why.agenda = explain_agenda(program, place.group, rule, copy, random, budgets);
    } else {
        Why alone = why;
        State copy = state;
        if (!inside) {
            Random same = random;
            watch_match(program, rule, copy, same, budgets, alone);
        }
        copy = state;
        watch_group(program, rule, place, copy, random, budgets, why);
        if (!inside && why.times_run == 0) {
            alone.group_error = why.group_error;
            why = std::move(alone);
            why.alone = true;
        } else if (!inside && alone.matches.empty() != why.matches.empty() && !alone.error) {
            why.at_first = alone.matches.size();
        }
    }
    if (!why.matches.empty()) why.furthest.reset();
    return why;
}

std::string to_text(const Why& why, const Sources& sources) {
    std::string text =
        fmt::format("rule {} ({}) {}\n", why.rule, sources.place(why.span), verdict(why));
    if (why.group_error)
        text += fmt::format("{} stops with an error in rule {}: {}: {}{}\n", why.group,
                            why.group_error->rule, name_of(why.group_error->kind),
                            why.group_error->detail,
                            why.alone ? "; what follows is for the state as it is" : "");
    text += match_text(why);
    if (why.at_first)
        text += fmt::format("before {} had acted: {}\n", joined(why.before, 8),
                            *why.at_first == 0 ? "no match" : count_matches(*why.at_first));
    if (why.otherwise) text += "its else acts\n";
    if (why.times_run > 0 || why.alone) {
        text += " reached  passed  condition\n";
        for (const EntryCount& entry : why.entries)
            text += fmt::format("{:>8}{:>8}  {:<{}}{}\n", entry.reached, entry.passed, "",
                                2 * entry.depth, excerpt(sources, entry.span, 60));
    }
    text += runs_text(why, sources);
    const bool untried = !why.entries.empty() && why.entries[0].reached == 0;
    if (why.times_run > 0 && why.matches.empty() && untried)
        text += "nothing was tried: the node of its group no longer exists\n";
    if (why.furthest) text += stop_text(*why.furthest, sources);
    if (why.outside && why.outside->stop)
        text += fmt::format("rule {} ({})\n{}", why.outside->rule, sources.place(why.outside->span),
                            stop_text(*why.outside->stop, sources));
    if (why.agenda) text += to_text(*why.agenda);
    return text;
}

WhyChildren explain_children(const Program& program, GroupId group, State& state, Random& random,
                             std::string_view node, std::string_view child,
                             const Budgets& budgets) {
    WhyChildren why;
    ChildrenWatcher watcher(program.catalogue(), state, node, child, why);
    Machine machine(program, budgets);
    machine.set_observer(&watcher);
    const RunResult result = machine.run(group, state, random);
    if (result.error) why.error = *result.error;
    return why;
}

} // namespace croupier::engine
