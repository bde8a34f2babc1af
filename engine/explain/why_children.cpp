// Looks at the node after every rule, and at each entry that fails.
#include "engine/explain/why_children.h"

#include "engine/explain/near_miss.h"
#include "engine/run/machine.h"

#include <algorithm>
#include <deque>
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
    [[nodiscard]] bool asks_why() const override { return true; }
    void rule_begins(RuleId rule) override {
        applied_.emplace_back(program_.rules[rule]).ask_about(child_);
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

    const Program& program_;
    const State& state_;
    Symbol node_;
    std::string child_;
    WhyChildren& why_;
    std::vector<std::string> before_;
    std::deque<NearMiss> applied_; // rules being applied, the outermost first
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
