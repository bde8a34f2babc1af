// Makes one plan, element by element.
#pragma once

#include "engine/clips/seek/plan.h"

#include <functional>
#include <string>
#include <vector>

namespace croupier::engine::clips::seek {

// An expression: its turn must come as written.
inline bool fallible(const Test& test) {
    return test.kind == Test::Kind::Expression || test.kind == Test::Kind::AnyOf;
}

// A comparison by which facts are found.
inline bool is_key(const Test& test) {
    return test.kind == Test::Kind::Equal && !test.within;
}

std::string key_of(const Place& place);

class PlanMaker {
  public:
    using IndexOf = std::function<const Index*(Alpha&, const std::vector<Place>&)>;

    PlanMaker(SoughtRule& rule, Plan& plan, IndexOf index_of);

    void make();
    void bind_all_but(const Element& last);
    // The step that finds the element by what is bound.
    void add_find(const Element& element);

  private:
    [[nodiscard]] bool positives_bound_before(std::size_t position, bool also) const;
    [[nodiscard]] bool all_before(const std::vector<bool>& of, std::size_t position) const;
    // Comparisons of the element with what is bound, whoever holds them.
    template <typename Visit>
    void each_test_between(const Element& element, Visit visit) const {
        for (const Element& holder : rule_.elements) {
            // A gate's tests are the gate's business, unless the search began there.
            if (holder.is_gate() && &holder != plan_.seed) continue;
            if (&holder != &element && !bound_[holder.position]) continue;
            for (const Test* test : holder.tests) {
                if (fallible(*test)) continue;
                if (&holder == &element ? bound_[test->left_position]
                                        : test->left_position == element.position)
                    visit(*test, holder);
            }
        }
    }
    [[nodiscard]] const Element* choose() const;
    [[nodiscard]] bool gate_ready(const Element& gate) const;
    void ready();
    void add_gate(const Element& gate);

    SoughtRule& rule_;
    Plan& plan_;
    IndexOf index_of_;
    const Element* last_ = nullptr; // is counted, not found
    std::vector<bool> bound_;       // has a fact, if only the one that the search began with
    std::vector<bool> done_;        // has the fact of the match
    std::vector<bool> gate_done_;
    std::vector<bool> tests_done_;
};

} // namespace croupier::engine::clips::seek
