// Watches a rule's condition being searched, and keeps the partial match that came nearest.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/language/pattern.h"
#include "engine/run/observer.h"
#include "engine/text/document.h"
#include "engine/text/source.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {

// Where a partial match of a condition ended, and what was found there.

using NamedValues = std::vector<std::pair<std::string, Scalar>>;

struct WhyStop {
    enum class Reason : std::uint8_t {
        NoNode,        // `node` is not there
        IsThere,       // it is, and must not be
        NoValue,       // it has none
        Value,         // its value fails: `found`
        Type,          // nor has its value, or key, the type `wanted`
        Test,          // an expression is not true
        Total,         // what an aggregate came to, or how many matches @unique has: `found` fails
        NoTotal,       // there was nothing to take the least or greatest of
        Match,         // @not: there is a match, `inside`; `node` is the last that it came to
        NoMatch,       // @exists, @unique: there is none; `nearest` came closest
        Counter,       // @forall: the match `inside` fails as `nearest` says
        NoAlternative, // @any: `nearest`, one for each
        NoChild,       // no child of `node` could be tried
    };

    std::uint32_t entry = 0;
    Span span;
    Reason reason = Reason::NoNode;
    NamedValues bound;           // before the entry, those of the rules around first
    bool absent = false;         // Match: what it asked of `node` is that it is not there
    std::string node;            // its path from the root of the state; of that "the root"
    std::optional<Scalar> found; // the value that stood there
    // What was compared, and how, where it was a comparison.
    std::optional<std::pair<Scalar, Scalar>> sides;
    ExprOp compare = ExprOp::Equal;
    Span test;          // Test: the part that is false; Match: that holds
    std::string wanted; // Type, NoChild: a type; Total: what it is, as in "count"
    NamedValues inside; // what the match inside has bound
    // Match: of the @nots in it, which have found nothing.
    std::vector<WhyStop> nearest;
    // How near it is to a match. Of two at the same entry: more of what stands beside it holds,
    // then the value is less far from one that would do.
    std::uint32_t shared = 0;
    double distance = 0;
};

// Whether the first is nearer to a match.
bool is_nearer(const WhyStop& one, const WhyStop& other);

// One sentence without a full stop: "hand.s7.rank is 5, not > 7".
std::string to_sentence(const WhyStop& stop, const Sources& sources);

// As a value in a sentence: texts in quotes.
std::string show(const Scalar& scalar);
// "X = 1, NAME = Ada"
std::string to_text(const NamedValues& values);

// One line of a ruleset's text, shortened for display.
std::string excerpt(const Sources& sources, Span span, std::size_t longest = 72);

// Where the entries of a rule's condition stand.

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

// Variables of the rules around one, the outermost first.
using Around = std::vector<std::pair<std::string, Value>>;

// The partial matches of one rule; told of what happens to its entries.
class NearMiss {
  public:
    explicit NearMiss(const RulePlan& rule) : rule_(rule), places_(*rule.source) {
        standing_.resize(places_.all().size());
    }

    // A search begins; what came before is forgotten.
    void begins(Around around = {});
    void entry_stands(const Note& note, NodeRef at, bool child, std::span<const Value> values,
                      const Runtime& runtime);
    void entry_tried(std::uint32_t entry);
    void entry_passed(std::uint32_t entry);
    void entry_stopped(const Stopped& stopped);
    // Keeps besides what came nearest of the partial matches in which a variable is that text.
    void ask_about(std::string text) { asked_ = std::move(text); }

    // The path of the node that the entry has let a partial match through at; nothing: of none.
    [[nodiscard]] std::optional<std::string> node_of(std::uint32_t entry,
                                                     std::span<const Value> values);
    [[nodiscard]] const EntryPlaces& places() const { return places_; }
    [[nodiscard]] const std::optional<WhyStop>& nearest() const { return nearest_; }
    [[nodiscard]] const std::optional<WhyStop>& nearest_asked() const { return nearest_asked_; }

  private:
    struct Standing {
        NodeRef at;    // the entry's pattern is laid on it
        NodeRef child; // that its loop has come to
    };
    // What is known of the search that an entry makes inside.
    struct Inside {
        std::map<std::uint32_t, WhyStop> nearest; // by the part that it stopped in
        std::uint32_t tried = kNone;              // the last entry
        std::uint32_t last = kNone;               // the last that leads to a node
    };
    // A place of the tree, whether something is there or not.
    struct NodePath {
        NodeRef node;
        std::string path;
    };

    [[nodiscard]] const Value* variable(const std::string& name) const;
    [[nodiscard]] std::string key_text(const KeyTemplate& key) const;
    [[nodiscard]] NodePath child(const NodePath& above, const std::string& key) const;
    [[nodiscard]] std::string path_of(NodeRef node) const;
    [[nodiscard]] NodePath place_of(const Entry& entry) const;
    [[nodiscard]] bool is_loop(const Entry& entry) const;
    [[nodiscard]] const Pattern& asked_of(const Entry& entry) const;
    [[nodiscard]] WhyStop make_stop(const Stopped& stopped);
    void find_reason(const Entry& entry, const Stopped& stopped, WhyStop& stop);
    void find_reason_at_node(const Entry& entry, const Stopped& stopped, WhyStop& stop);
    void find_reason_inside(const Entry& entry, WhyStop& stop);
    void find_match(const Entry& search, WhyStop& stop);
    void compare(const Entry& entry, const Stopped& stopped, WhyStop& stop) const;
    [[nodiscard]] double distance_to(const Pattern& pattern, const WhyStop& stop) const;
    [[nodiscard]] bool is_bound(const Variable& variable, const Stopped& stopped,
                                bool in_each) const;
    [[nodiscard]] NamedValues bound_at(const Stopped& stopped) const;
    void add_inside(NamedValues& bound, std::uint32_t scope, std::uint32_t part,
                    const Stopped* stopped) const;
    [[nodiscard]] std::uint32_t shared_beside(const Entry& entry) const;
    [[nodiscard]] bool surely_holds(const Entry& entry, NodeRef at) const;
    [[nodiscard]] std::optional<Value> plain_value(const Expr& expr) const;
    [[nodiscard]] bool holds_asked(const Stopped& stopped) const;
    static void keep_nearer(std::optional<WhyStop>& kept, const WhyStop& stop);

    const RulePlan& rule_;
    EntryPlaces places_;
    std::string asked_;
    Around around_;
    std::vector<Standing> standing_;
    std::map<std::uint32_t, Inside> inside_; // by entry
    std::optional<WhyStop> nearest_;
    std::optional<WhyStop> nearest_asked_;
    // During a call:
    std::span<const Value> values_;
    const Runtime* runtime_ = nullptr;
    std::uint32_t part_ = 0; // of the entry that stops, where it is one of several
};

} // namespace croupier::engine
