// Looks at the node after every rule, and at each entry that fails.
#include "engine/explain/why_children.h"

#include "engine/explain/entry_places.h"
#include "engine/run/machine.h"

#include <algorithm>
#include <map>
#include <utility>

namespace croupier::engine {
namespace {

class ChildrenWatcher : public Observer {
  public:
    ChildrenWatcher(const Program& program, State& state, std::string_view node,
                    std::string_view child, WhyChildren& why)
        : program_(program), state_(state), node_(state.symbols().find(node)), child_(child),
          why_(why), before_(children()) {}

    [[nodiscard]] bool looks_at_entries() const override { return true; }
    void rule_begins(RuleId) override { stops_.emplace_back(); }

    void rule_ends(RuleId rule) override {
        if (stops_.empty()) return;
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
        const Stops& stops = stops_.back();
        const bool gives = !child_.empty() && std::find(given.added.begin(), given.added.end(),
                                                        child_) != given.added.end();
        given.about = stops.about.has_value() && !gives;
        if (given.about)
            given.stop = stops.about;
        else if (given.added.empty() && given.removed.empty())
            given.stop = stops.furthest;
        before_ = std::move(now);
        stops_.pop_back();
        why_.rules.push_back(std::move(given));
    }

    void entry_cut(const Note& note, const Value* found, std::span<const Value> values,
                   const State& state) override {
        if (stops_.empty()) return;
        const RulePlan& rule = program_.rules[note.rule];
        const EntryPlace& place = places_of(note.rule).all()[note.entry];
        if (place.local) return;
        Stops& stops = stops_.back();
        const auto is_further = [&](const std::optional<Why::Stop>& stop) {
            return !stop || stop->entry < note.entry;
        };
        if (is_further(stops.furthest))
            stops.furthest = stop_at(note, place, rule, found, values, state);
        if (!child_.empty() && is_further(stops.about) && holds_child(rule, note, values, state))
            stops.about = stop_at(note, place, rule, found, values, state);
    }

  private:
    struct Stops {
        std::optional<Why::Stop> furthest;
        std::optional<Why::Stop> about;
    };

    [[nodiscard]] std::vector<std::string> children() const {
        std::vector<std::string> keys;
        const NodeRef node = node_ == kNoSymbol ? NodeRef{} : state_.child(state_.root(), node_);
        for (NodeRef each = node ? state_.first_child(node) : NodeRef{}; each;
             each = state_.next_sibling(each))
            keys.push_back(to_text(state_.key(each), state_.symbols()));
        return keys;
    }

    [[nodiscard]] bool holds_child(const RulePlan& rule, const Note& note,
                                   std::span<const Value> values, const State& state) const {
        return std::any_of(rule.variables.begin(), rule.variables.end(),
                           [&](const Variable& variable) {
                               const Value& value = values[variable.place];
                               return variable.entry < note.entry && value.tag != Tag::None &&
                                      to_text(value, state.symbols()) == child_;
                           });
    }

    const EntryPlaces& places_of(RuleId rule) {
        const auto found = places_.find(rule);
        if (found != places_.end()) return found->second;
        return places_.emplace(rule, EntryPlaces(*program_.rules[rule].source)).first->second;
    }

    const Program& program_;
    const State& state_;
    Symbol node_;
    std::string child_;
    WhyChildren& why_;
    std::vector<std::string> before_;
    std::vector<Stops> stops_; // of the rules being applied, the outermost first
    std::map<RuleId, EntryPlaces> places_;
};

} // namespace

WhyChildren explain_children(const Program& program, GroupId group, State& state, Random& random,
                             std::string_view node, std::string_view child,
                             const Budgets& budgets) {
    WhyChildren why;
    ChildrenWatcher watcher(program, state, node, child, why);
    Machine machine(program, budgets);
    machine.set_observer(&watcher);
    const RunResult result = machine.run(group, state, random);
    if (result.error) why.error = *result.error;
    return why;
}

} // namespace croupier::engine
