// Rules as searches: which facts a rule asks for, and in which order the others are found when one
// of them comes or goes. Made once from the joins of the network; nothing here changes while games
// run but for what `state` points to.
#pragma once

#include "engine/clips/match.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace croupier::engine::clips {
class Network;
class Session;
} // namespace croupier::engine::clips

namespace croupier::engine::clips::seek {

struct Alpha;
struct Element;
struct SoughtRule;
struct Link;

// Facts that are equal where an index looks, in no order that means anything.
struct Shelf {
    std::uint64_t hash;
    Value key; // if one or two places are looked at; then empty shelves keep theirs
    Value second;
    Fact** facts;
    std::uint32_t count;
    std::uint32_t capacity;
};

// Where a fact stands on a shelf; a fact has one for each index of its template, behind its slots.
struct Entry {
    Shelf* shelf;
    std::uint32_t at;
};

// Where an index looks: at nothing, at one place, at two, at more.
enum class Look : std::uint8_t { All, One, Two, Many };
inline Look look_of(std::size_t places) {
    return static_cast<Look>(std::min<std::size_t>(places, 3));
}

// The facts of an alpha by the values at some places.
struct Index {
    struct State {
        Shelf all; // where there are no places
        Shelf** table;
        std::uint32_t size; // of the table: a power of two
        std::uint32_t filled;
    };
    const Alpha* alpha = nullptr;
    std::vector<Place> places;
    Look look = Look::All;
    Place place; // the first two
    Place second;
    std::uint32_t entry = 0;
    State* state = nullptr;
};

struct Plan;

// What changes of a rule while games run.
struct RuleState {
    const Alpha* watched = nullptr; // asleep until this has a fact
    bool awake = false;
    bool counting = false;     // its last fact is not told apart
    std::uint32_t missing = 1; // awake: needed alphas without a fact; asleep: some are
    std::uint32_t activations = 0;
};

// A place in a rule where an alpha is asked for.
struct Use {
    std::uint32_t bit; // of the alpha
    RuleState* state;  // of the rule, once there is one
    SoughtRule* rule;
    const Element* element;
    const Plan* plan;    // from a fact that comes or goes here
    const Plan* counted; // the same while the last element is only counted; null: that element
};

// A test of one slot against a constant, the most common by far.
struct Constant {
    std::uint16_t slot;
    bool equal;
    Value value;
};

// The facts that pass the tests of one pattern on its own. It keeps them once some rule needs it.
struct Alpha {
    struct State {
        std::uint32_t count;
        std::uint32_t watchers; // rules that sleep until a fact comes
        bool awake;
    };
    Template* of = nullptr;
    std::uint32_t bit = 0; // in Fact::alphas
    std::vector<Constant> constants;
    std::vector<const PatternNode*> lengths; // multislots whose length matters
    std::vector<Test> tests;                 // the others
    bool more = false;                       // than constants
    std::string key;
    const Alpha* wider = nullptr; // has the facts of this and more; see Step::only
    std::vector<const Index*> indexes;
    std::vector<SoughtRule*> rules; // that need it
    State* state = nullptr;
};

// All that is asked of the facts of one template.
struct Asked {
    std::vector<Alpha*> alphas;
    std::vector<Use> positive;
    std::vector<Use> nots;
    std::vector<Use> exists;
    std::uint32_t indexes = 0;
};

// A conditional element: a pattern, a pattern in a not or an exists, or tests alone.
struct Element {
    enum class Kind : std::uint8_t { Positive, Not, Exists, Tests };
    Kind kind = Kind::Positive;
    std::uint16_t position = 0;
    std::uint16_t gate = 0; // among the rule's nots and exists
    Alpha* alpha = nullptr;
    std::vector<const Test*> tests; // with the elements before
    std::vector<const Test*> later; // once a not or exists holds
    bool fallible = false;          // some test is an expression: its turn must come as written

    [[nodiscard]] bool is_gate() const { return kind == Kind::Not || kind == Kind::Exists; }
};

// Where a key takes a value from.
struct Source {
    std::uint16_t position = 0;
    Place place;
};

struct Step {
    enum class Kind : std::uint8_t {
        Find,  // each fact of the index under the key takes the element's position
        Gate,  // a not or an exists
        Check, // tests only
        Done,  // a match is found; the last of each plan but that of SoughtRule::last
    };
    struct Held {
        const Test* test;
        std::uint16_t at; // position of the side that the test calls right
    };
    Kind kind = Kind::Find;
    Look look = Look::All;
    bool not_seed = false;      // the fact that the search began with was found from here already
    std::uint16_t position = 0; // of the element
    std::uint32_t only = 0;     // the index is of a wider alpha: bit of those that count; 0: all
    const Index::State* shelves = nullptr; // of the index
    Source one;                            // the first two of the key
    Source two;
    std::vector<Held> tests;
    std::vector<Source> key;
    const Element* element = nullptr;
    const Index* index = nullptr;
};

struct Plan {
    SoughtRule* rule = nullptr;
    const Element* seed = nullptr; // null: a rule without facts
    bool counted = false;
    std::vector<Step> steps;
    const Step* own = nullptr; // from a gate: the step that asks for it
    // The key of that step says all, so the seed's shelf answers for all.
    bool key_only = false;
    std::vector<const Element*> earlier_gates; // that may have found some of it already
};

struct SoughtRule {
    // Activations by what a gate compares, so that a fact finds those that it concerns.
    struct GateState {
        Link** table;
        std::uint32_t size; // a power of two
        std::uint32_t count;
    };
    Rule* rule = nullptr;
    std::deque<Element> elements;
    std::vector<Alpha*> needed; // positive; without the counted one
    std::vector<const Element*> gates;
    std::vector<std::uint16_t> positions; // of the positive elements, in order
    bool counted = false;                 // see Session::play
    const Step* last = nullptr;           // of a counted rule: how its last fact is found
    std::deque<Plan> plans;
    const Plan* start = nullptr; // of a rule without facts
    RuleState* state = nullptr;
    GateState* gate_states = nullptr; // one a gate
};

struct Program {
    std::deque<Alpha> alphas;
    std::deque<Index> indexes;
    std::deque<SoughtRule> rules;
    std::unordered_map<const Template*, Asked> by_template;
};

// Null when some rule asks for more than searches know: a group in a not, logical elements, several
// $? in one slot, expressions that depend on more than their facts.
std::unique_ptr<Program> make_program(std::deque<Rule>& rules);

} // namespace croupier::engine::clips::seek
