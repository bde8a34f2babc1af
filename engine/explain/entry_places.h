// Where the entries of a rule's condition stand.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/lang/pattern.h"

#include <cstdint>
#include <vector>

namespace croupier::engine {

// Where an entry stands in its condition.
struct EntryPlace {
    const Entry* entry = nullptr;
    Span span;
    std::uint32_t depth = 0;
    // The innermost @not, @exists, @forall, @any or aggregate around it, whose inner search it is
    // part of: failing there stops nothing by itself. kNone: there is none.
    std::uint32_t scope = kNone;
    std::uint32_t part = 0; // which of that entry's patterns it stands in
    const Pattern* among = nullptr;
};

// Whether its patterns are searches of their own.
constexpr bool searches_inside(KeyKind kind) {
    return kind >= KeyKind::Not && kind <= KeyKind::Max;
}

class EntryPlaces {
  public:
    explicit EntryPlaces(const Rule& rule) : places_(rule.entry_count) {
        if (rule.condition) pattern(*rule.condition, {});
    }
    [[nodiscard]] const std::vector<EntryPlace>& all() const { return places_; }
    [[nodiscard]] const EntryPlace& operator[](std::uint32_t entry) const { return places_[entry]; }
    // The entry is inside that other one, at any depth.
    [[nodiscard]] bool is_inside(std::uint32_t entry, std::uint32_t scope) const {
        while (entry != kNone && entry != scope)
            entry = places_[entry].scope;
        return entry == scope;
    }

    // What an entry inside searches has bound is still known at that later one. Out of an @any
    // comes what every alternative binds (`in_each`).
    [[nodiscard]] bool is_known_at(std::uint32_t entry, std::uint32_t binder, bool in_each) const {
        if (binder >= entry) return false;
        // An aggregate, say, binds its result.
        if (searches_inside(places_[binder].entry->kind) && is_inside(entry, binder)) return false;
        for (; places_[binder].scope != kNone; binder = places_[binder].scope) {
            const std::uint32_t scope = places_[binder].scope;
            const bool is_any = places_[scope].entry->kind == KeyKind::AnyOf;
            std::uint32_t within = entry;
            while (within != kNone && places_[within].scope != scope)
                within = places_[within].scope;
            if (within == kNone ? !is_any || !in_each
                                : is_any && places_[within].part != places_[binder].part)
                return false;
        }
        return true;
    }

  private:
    void pattern(const Pattern& pattern, EntryPlace above) {
        for (const Entry& entry : pattern.entries) {
            above.entry = &entry;
            above.span = entry.span;
            above.among = &pattern;
            if (entry.id < places_.size()) places_[entry.id] = above;
            EntryPlace below = above;
            ++below.depth;
            for (std::uint32_t i = 0; i < entry.patterns.size(); ++i) {
                if (searches_inside(entry.kind)) {
                    below.scope = entry.id;
                    below.part = i;
                }
                this->pattern(entry.patterns[i], below);
            }
        }
    }

    std::vector<EntryPlace> places_;
};

} // namespace croupier::engine
