// Watches the search of a rule's condition and keeps the nearest partial match.
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
        NoNode,  // `node` is missing
        IsThere, // `node` is present but must not be
        NoValue, // `node` has no value
        Value,   // its value `found` does not match
        Type,    // its value or key does not have the type `wanted`
        Test,    // an expression is not true
        Total, // the result of an aggregate, or the number of matches of @unique: `found` does not
               // match
        NoTotal,       // nothing to take the least or greatest of
        Match,         // @not: there is a match, `inside`; `node` is the last node it reached
        NoMatch,       // @exists, @unique: no match; `nearest` came closest
        Counter,       // @forall: the match `inside` fails as `nearest` says
        NoAlternative, // @any: `nearest` has one stop per alternative
        NoChild,       // no child of `node` could be tried
    };

    std::uint32_t entry = 0;
    Span span;
    Reason reason = Reason::NoNode;
    NamedValues bound;           // before the entry; those of enclosing rules first
    bool absent = false;         // Match: the condition asks that `node` is missing
    std::string node;            // path from the root of the state, or "the root"
    std::optional<Scalar> found; // the value of `node`
    // For a comparison: both sides.
    std::optional<std::pair<Scalar, Scalar>> sides;
    ExprOp compare = ExprOp::Equal;
    Span test;          // Test: the part that is false; Match: the part that holds
    std::string wanted; // Type, NoChild: a type; Total: the name of the aggregate, such as "count"
    NamedValues inside; // variables bound by the inner match
    // Match: one for each @not in it, which found nothing.
    std::vector<WhyStop> nearest;
    // How near it is to a match. Between two stops at the same entry, the nearer one has more
    // entries beside it that hold, then the smaller distance of its value.
    std::uint32_t shared = 0;
    double distance = 0;
};

// Whether `one` is nearer to a match than `other`.
bool is_nearer(const WhyStop& one, const WhyStop& other);

// One sentence without a full stop: "hand.s7.rank is 5, not > 7".
std::string to_sentence(const WhyStop& stop, const Sources& sources);

// The value as shown in a sentence: texts in quotes.
std::string show(const Scalar& scalar);
// "X = 1, NAME = Ada"
std::string to_text(const NamedValues& values);

// One line of a ruleset's text, shortened for display.
std::string excerpt(const Sources& sources, Span span, std::size_t longest = 72);

// The places of the entries of a rule's condition.

// The place of an entry in its condition.
struct EntryPlace {
    const Entry* entry = nullptr;
    Span span;
    std::uint32_t depth = 0;
    // The innermost @not, @exists, @forall, @any or aggregate around it. The entry is part of its
    // inner search, so failing there does not stop the match. kNone if there is none.
    std::uint32_t scope = kNone;
    std::uint32_t part = 0; // index of the pattern of `scope` that contains it
    const Pattern* among = nullptr;
};

class EntryPlaces {
  public:
    explicit EntryPlaces(const Rule& rule) : places_(rule.entry_count) {
        if (rule.condition) pattern(*rule.condition, {});
    }
    [[nodiscard]] const std::vector<EntryPlace>& all() const { return places_; }
    [[nodiscard]] const EntryPlace& operator[](std::uint32_t entry) const { return places_[entry]; }
    // Whether `entry` is inside `scope`, at any depth.
    [[nodiscard]] bool is_inside(std::uint32_t entry, std::uint32_t scope) const {
        while (entry != kNone && entry != scope)
            entry = places_[entry].scope;
        return entry == scope;
    }

    // Whether a variable that `binder` bound, perhaps in an inner search, is still known at the
    // later `entry`. With `in_each` the variables that every alternative binds are known after an
    // @any.
    [[nodiscard]] bool is_known_at(std::uint32_t entry, std::uint32_t binder, bool in_each) const {
        if (binder >= entry) return false;
        // An aggregate binds its result, for example, only after its search.
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

// Variables of the enclosing rules, the outermost first.
using Around = std::vector<std::pair<std::string, Value>>;

// The partial matches of one rule. The caller reports each event of its entries.
class NearMiss {
  public:
    explicit NearMiss(const RulePlan& rule) : rule_(rule), places_(*rule.source) {
        standing_.resize(places_.all().size());
    }

    // Starts a new search and forgets the last one.
    void begins(Around around = {});
    void entry_stands(const Note& note, NodeRef at, bool child, std::span<const Value> values,
                      const Runtime& runtime);
    void entry_tried(std::uint32_t entry);
    void entry_passed(std::uint32_t entry);
    void entry_stopped(const Stopped& stopped);
    // Also keeps the nearest partial match in which some variable has that text.
    void ask_about(std::string text) { asked_ = std::move(text); }

    // The path of the node at which the entry let a partial match through, or nullopt.
    [[nodiscard]] std::optional<std::string> node_of(std::uint32_t entry,
                                                     std::span<const Value> values);
    [[nodiscard]] const EntryPlaces& places() const { return places_; }
    [[nodiscard]] const std::optional<WhyStop>& nearest() const { return nearest_; }
    [[nodiscard]] const std::optional<WhyStop>& nearest_asked() const { return nearest_asked_; }

  private:
    struct Standing {
        NodeRef at;    // the node that the entry's pattern applies to
        NodeRef child; // the child that its loop is at
    };
    // What is known about the inner search of an entry.
    struct Inside {
        std::map<std::uint32_t, WhyStop> nearest; // by the part in which it stopped
        std::uint32_t tried = kNone;              // the last entry tried
        std::uint32_t last = kNone;               // the last one tried that leads to a node
    };
    // A path in the tree and its node, null if missing.
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
    std::uint32_t part_ = 0; // of the entry that stopped, if it has several
};

} // namespace croupier::engine
