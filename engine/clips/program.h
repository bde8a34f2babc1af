// What the constructs of a CLIPS program come to, before any fact exists.
#pragma once

#include "engine/clips/expr.h"
#include "engine/clips/form.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine::clips {

struct PatternNode;
struct Join;
namespace seek {
struct Asked;
}

// What a slot may hold. An absent part allows everything.
struct Constraint {
    static constexpr std::uint32_t bit(Type type) { return 1u << static_cast<std::uint32_t>(type); }

    std::uint32_t types = ~0u; // bits by Type
    bool types_given = false;
    std::vector<Value> allowed;      // allowed-values and its kind
    std::uint32_t allowed_types = 0; // types that `allowed` restricts
    std::optional<Value> least;
    std::optional<Value> most;
    std::string range_text; // as the messages have it

    // What CLIPS says of a value that does not fit; nothing of one that does.
    [[nodiscard]] std::string problem_with(const Value& value) const;
};

struct Slot {
    enum class Default : std::uint8_t { Derived, None, Given, Dynamic };
    const Text* name = nullptr;
    bool multi = false;
    Default kind = Default::Derived;
    Value value;  // Derived and Given
    Expr dynamic; // Given once, Dynamic each time
    Constraint constraint;
};

struct Template {
    const Text* name = nullptr;
    bool implied = false; // of ordered facts: one multislot without a name
    std::vector<Slot> slots;
    std::string source; // for ppdeftemplate
    bool watched = false;
    bool used = false;               // by a rule or a fact: may not be redefined
    std::vector<PatternNode*> roots; // first visited first
    bool roots_changed = true;
    // While a Seeker matches: what it asks, and the bytes that it keeps behind a fact's slots.
    const seek::Asked* asked = nullptr;
    std::uint32_t tail = 0;

    [[nodiscard]] int slot(const Text* wanted) const {
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (slots[i].name == wanted) return static_cast<int>(i);
        }
        return -1;
    }
};

// One constraint between & and |.
struct Term {
    enum class Kind : std::uint8_t { Constant, Variable, MultiVariable, Predicate, ReturnValue };
    Kind kind = Kind::Constant;
    bool negated = false;
    Value value;
    const Text* name = nullptr;
    Form form; // of a predicate or return value
    Span span;
};

struct Field {
    bool many = false;                     // $? or $?x
    const Text* name = nullptr;            // of the variable that the field binds or repeats
    std::vector<std::vector<Term>> any_of; // each all of its terms; empty: no constraint
    Span span;
};

struct SlotPattern {
    std::uint16_t slot = 0;
    std::vector<Field> fields; // one, unless the slot is a multislot
};

struct Ce {
    enum class Kind : std::uint8_t { Pattern, Test, And, Or, Not };
    Kind kind = Kind::Pattern;
    // Pattern
    Template* of = nullptr;
    const Text* address = nullptr;
    std::vector<SlotPattern> slots;
    bool negated = false; // a pattern in a not
    bool exists = false;  // a pattern, or a group (Not), in an exists
    bool logical = false;
    // Test: the expressions; Pattern: tests attached to it
    std::vector<Form> tests;
    std::vector<Form> later_tests; // tests after a negated pattern or group
    std::vector<Ce> parts;
    int number = 0; // of the pattern in the rule as written, from 1
    int place = 0;  // the same with tests counted
    Span span;
};

struct Rule {
    const Text* name = nullptr;
    std::string source; // as ppdefrule prints it
    std::string comment;
    int salience = 0;
    Expr salience_expr; // evaluated again under other salience evaluations
    bool auto_focus = false;
    std::uint32_t complexity = 0;
    std::uint16_t positions = 0; // of a full match
    std::uint16_t logical = 0;   // how many elements support what the rule asserts
    std::uint16_t locals = 0;
    bool markers = false; // some pattern has two multifield variables in one slot
    std::vector<std::pair<std::uint16_t, Expr>> entry; // locals that begin with an LHS variable
    std::vector<Expr> actions;
    Join* last = nullptr;       // its own final join
    std::vector<Ce> conditions; // for people: matches, why, lint
    bool watch_firings = false;
    bool watch_activations = false;
    std::uint64_t fired = 0;
    std::uint64_t activated = 0;
    std::uint64_t withdrawn = 0;
    double action_nanoseconds = 0;
    std::vector<Form> action_forms; // for lint
    int disjunct = 0;
    bool counted = false; // its matches may be counted, not listed; see Session::play
    Span span;
    std::uint32_t id = 0;
};

struct Function {
    const Text* name = nullptr;
    std::vector<const Text*> parameters;
    bool rest = false; // the last is $?
    std::uint16_t locals = 0;
    std::vector<Expr> actions;
    std::string source;
    Span span;
};

struct Global {
    const Text* name = nullptr;
    Value value;
    Expr initial;
    std::string source;
    bool watched = false;
};

struct Deffacts {
    const Text* name = nullptr;
    std::vector<Expr> facts; // calls of assert
    std::string source;
};

// All constructs of a program, in the order in which they were defined.
struct Definitions {
    std::deque<Template> templates;
    std::deque<Rule> rules;
    std::deque<Function> functions;
    std::deque<Global> globals;
    std::deque<Deffacts> deffacts;
};

} // namespace croupier::engine::clips
