// The join network: facts, partial matches, memories and joins as plain structs.
#pragma once

#include "engine/agenda/agenda.h"
#include "engine/clips/expr.h"
#include "engine/clips/program.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace croupier::engine::clips {

namespace seek {
struct Link;
}
struct Match;
struct Join;

constexpr std::uint32_t kNoBundle = ~std::uint32_t{0};

// The run of fields that a $? variable stands for.
struct Marker {
    std::uint32_t start;
    std::uint32_t length;
};

struct Fact {
    Template* of;
    std::int64_t index;
    std::uint64_t tag;
    Fact* next; // by index
    Fact* previous;
    Fact* same_hash;
    union {
        Match* matches;     // in pattern nodes, newest first
        seek::Link* sought; // while a Seeker matches: activations that rest on it
    };
    std::uint64_t hash;
    bool alive;
    bool dying;           // its matches are being taken apart
    std::uint32_t alphas; // while a Seeker matches: of its template, bits of those that it passes
    std::uint32_t width;  // slots

    [[nodiscard]] const Value* slots() const { return reinterpret_cast<const Value*>(this + 1); }
    [[nodiscard]] Value* slots() { return reinterpret_cast<Value*>(this + 1); }
};

struct Bind {
    Fact* fact; // null: a not, an exists, a test
    const Marker* markers;
};

// A fact in a pattern node, or facts for the first conditions of a rule. All lists are intrusive;
// the order of each is the one in which CLIPS 6.30 visits it.
struct Match {
    Match* next; // in its bucket
    Match* previous;
    Match* children; // made from this, newest first
    union {
        Match* left_parent;
        Match* next_of_fact; // in a pattern node
    };
    union {
        Match* next_left;
        Match* next_of_node;
    };
    union {
        Match* previous_left;
        Match* previous_of_node;
    };
    Match* right_parent;
    Match* next_right;
    Match* previous_right;
    Match* blocked; // left matches that this one keeps from being satisfied (or satisfies: exists)
    Match* next_blocked;
    Match* previous_blocked;
    Match* blocker;
    union {
        Join* owner;
        PatternNode* node;
    };
    std::uint64_t hash;
    Agenda::Handle activation;
    std::uint16_t count;
    bool on_right;
    bool supports;        // facts rest on it, or a rule that asserts such facts fires from it
    bool listed;          // of a counted join: its continuations exist as matches
    std::uint32_t bundle; // of a counted join: its place among the bundles

    [[nodiscard]] Bind* binds() { return reinterpret_cast<Bind*>(this + 1); }
    [[nodiscard]] const Bind* binds() const { return reinterpret_cast<const Bind*>(this + 1); }
};

struct Bucket {
    std::uint64_t hash;
    Match* first;
    Match* last;
    std::uint32_t count;
    bool used;
};

// Matches by key. Without keys all are in the single bucket.
struct Memory {
    Bucket single;
    Bucket* table; // null: not hashed
    std::uint32_t size;
    std::uint32_t filled;
    std::uint32_t count;
    bool dormant; // of a pattern node: nobody asks, so nothing is kept; see Network::doze
    Match* first; // of a pattern node: all, oldest first
    Match* last;
};

// A comparison that needs no evaluator.
struct Test {
    enum class Kind : std::uint8_t {
        Equal,
        Differ,
        EqualConstant,
        DifferConstant,
        Expression,
        AnyOf
    };
    Kind kind = Kind::Expression;
    bool within = false; // both places are on the right
    std::uint16_t left_position = 0;
    std::uint16_t right_position = 0;
    Place left;
    Place right;
    Value value;
    Expr expr;
    std::vector<std::vector<Test>> choices; // of AnyOf: one of them, each all of its tests
};

struct Tests {
    std::vector<Test> all;
    std::string key; // equal for equal tests: what sharing goes by

    [[nodiscard]] bool empty() const { return all.empty(); }
};

// One part of a key by which matches are hashed.
struct KeyPart {
    std::uint16_t position = 0;
    Place place;
    bool constant = false; // always `value`
    Value value;
};

// Things visited in order, of which many ask for one value at one place: those that ask for another
// are not visited. Rebuilt when it is stale; not used for few things.
template <typename Item>
struct ValueIndex {
    static constexpr std::size_t kFew = 8;

    struct Entry {
        std::uint32_t order;
        Item* item;
    };
    struct Group {
        Place place;
        std::unordered_map<std::uint64_t, std::vector<Entry>> by_value;
    };
    std::vector<Group> groups;
    std::vector<Entry> others;
    bool stale = true;

    // `asked`: the test of an item that compares with a constant, or null.
    template <typename Asked>
    void build(const std::vector<Item*>& items, Asked asked) {
        groups.clear();
        others.clear();
        stale = false;
        for (std::uint32_t i = 0; i < items.size(); ++i) {
            const Test* test = asked(*items[i]);
            const bool simple = test != nullptr && (test->right.kind == Place::Kind::Slot ||
                                                    test->right.kind == Place::Kind::FromStart);
            if (!simple) {
                others.push_back({i, items[i]});
                continue;
            }
            Group* group = nullptr;
            for (Group& one : groups)
                if (one.place == test->right) group = &one;
            if (group == nullptr) {
                groups.push_back({test->right, {}});
                group = &groups.back();
            }
            group->by_value[hash_of(0, test->value)].push_back({i, items[i]});
        }
    }
};

// Children of a node that are told apart by one value: at most one is entered.
struct PatternNode {
    Template* of = nullptr;
    PatternNode* parent = nullptr;
    std::vector<PatternNode*> children; // newest first
    std::string key;
    std::uint16_t slot = 0;
    bool multi = false;      // enumerates a $? field
    bool multi_path = false; // this or a node above does
    bool last_multi = false; // the rest of the slot: nothing to enumerate
    std::uint16_t field = 0;
    std::uint16_t singles_after = 0; // single fields of the slot after this
    std::uint16_t marker = 0;
    bool shifted = false;  // its field lies behind a $? of the same slot
    int length_least = -1; // of the multislot: checked first
    bool length_exact = false;
    Tests tests;
    // A selector looks its value up among its children.
    bool selector = false;
    Place selected;
    std::unordered_map<std::uint64_t, std::vector<PatternNode*>> by_value;
    Value constant; // of a selector's child
    ValueIndex<Join> join_index;
    bool stop = false;        // patterns end here
    std::vector<Join*> joins; // newest first
    std::vector<KeyPart> keys;
    std::string keys_text;
    std::uint16_t markers = 0; // to store with a match
    Memory* memory = nullptr;
    bool initialize = true;
    bool leads_to_new = false; // while the present facts run through new nodes
    std::uint32_t rank = 0;    // order of creation
};

struct Link {
    Join* join;
    bool right;
};

struct Join {
    Join* left = nullptr;    // the join before; null for a first one
    std::vector<Link> links; // to the joins after, newest first
    bool first = false;
    bool negated = false;
    bool exists = false;
    bool from_right = false; // its right side is a join: not (and ..)
    PatternNode* node = nullptr;
    Join* right_join = nullptr;
    Tests tests;
    Tests later_tests;
    std::vector<KeyPart> left_keys;
    std::vector<KeyPart> right_keys; // of a right match with positions
    std::string keys_text;
    Rule* rule = nullptr; // of a final join
    Memory* left_memory = nullptr;
    Memory* right_memory = nullptr;
    std::uint16_t depth = 0;
    bool initialize = true;
    bool marked = false;
    Join* counted_by = nullptr; // the final join when this one's matches are counted
    int uses = 0;               // rules that it serves
    // Watched by a profile.
    std::uint64_t offered = 0;
    std::uint64_t tested = 0;
    std::uint64_t passed = 0;
    double nanoseconds = 0; // without what the joins after it took
    int number = 0;         // of the condition element it stands for, first rule's
};

} // namespace croupier::engine::clips
