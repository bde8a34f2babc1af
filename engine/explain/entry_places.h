// Where the entries of a rule's condition stand, and what is known where one of them fails.
#pragma once

#include "engine/explain/why.h"
#include "engine/run/observer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace croupier::engine {

// Where an entry stands in its condition.
struct EntryPlace {
    Span span;
    std::uint32_t depth = 0;
    bool local =
        false; // inside @not, @exists, @forall or an aggregate: failing there stops nothing
    bool inverted = false; // is a @not
};

class EntryPlaces {
  public:
    explicit EntryPlaces(const Rule& rule) : places_(rule.entry_count) {
        if (rule.condition) {
            pattern(*rule.condition, 0, false);
        }
    }
    [[nodiscard]] const std::vector<EntryPlace>& all() const { return places_; }

  private:
    void pattern(const Pattern& pattern, std::uint32_t depth, bool local) {
        for (const Entry& entry : pattern.entries) {
            const bool inside = local || entry.kind == KeyKind::Not ||
                                entry.kind == KeyKind::Exists || entry.kind == KeyKind::Forall ||
                                (entry.kind >= KeyKind::Count && entry.kind <= KeyKind::Max);
            if (entry.id < places_.size()) {
                places_[entry.id] = {entry.span, depth, local, entry.kind == KeyKind::Not};
            }
            for (const Pattern& below : entry.patterns) {
                this->pattern(below, depth + 1, inside);
            }
        }
    }

    std::vector<EntryPlace> places_;
};

// What a partial match came to at that entry.
inline Why::Stop stop_at(const Note& note, const EntryPlace& place, const RulePlan& rule,
                         const Value* found, std::span<const Value> values, const State& state) {
    Why::Stop stop;
    stop.entry = note.entry;
    stop.span = place.span;
    stop.inverted = place.inverted;
    for (const Variable& variable : rule.variables) {
        if (variable.entry < note.entry && values[variable.place].tag != Tag::None &&
            !is_hidden(variable.name)) {
            stop.bound.emplace_back(variable.name,
                                    to_scalar(values[variable.place], state.symbols()));
        }
    }
    if (found != nullptr && found->tag != Tag::None) {
        stop.found = to_scalar(*found, state.symbols());
    }
    return stop;
}

} // namespace croupier::engine
