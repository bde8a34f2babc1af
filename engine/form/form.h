// The intermediate form of rules: their meaning, typed and structured, independent of the machine.
// Built from a ruleset, rewritten by passes, then interpreted or translated.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/state/value.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::engine::form {

// The values of a table. Few of them are different, so each different value is stored once.

class Entries {
  public:
    // The most different values that a table can have.
    static constexpr std::size_t kMax = std::size_t{1} << 16;

    Entries() = default;
    explicit Entries(std::size_t count, const Value& value = {}) : places_(count), values_{value} {}
    Entries(std::vector<std::uint16_t> places, std::vector<Value> values)
        : places_(std::move(places)), values_(std::move(values)) {}
    explicit Entries(const std::vector<Value>& all);

    [[nodiscard]] std::size_t size() const { return places_.size(); }
    [[nodiscard]] bool empty() const { return places_.empty(); }
    [[nodiscard]] const Value& operator[](std::size_t i) const { return values_[places_[i]]; }
    // The different values, all of them used, and for each entry the index of its value among them.
    [[nodiscard]] const std::vector<Value>& different() const { return values_; }
    [[nodiscard]] const std::vector<std::uint16_t>& places() const { return places_; }

  private:
    std::vector<std::uint16_t> places_;
    std::vector<Value> values_;
};

// Numbers different values in the order in which they appear. Other hints make another value.
class Palette {
  public:
    std::uint32_t place_of(const Value& value) {
        const auto [at, is_new] =
            known_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
        if (is_new) values_.push_back(value);
        return at->second;
    }
    [[nodiscard]] const std::vector<Value>& values() const { return values_; }
    [[nodiscard]] std::vector<Value> take() { return std::move(values_); }

  private:
    struct Hash {
        std::size_t operator()(const Value& value) const {
            const auto integer = static_cast<std::uint64_t>(value.integer);
            const std::uint64_t form = static_cast<std::uint64_t>(value.tag) << 48 |
                                       std::uint64_t{value.domain} << 16 | value.row;
            return (integer ^ form * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd >> 7;
        }
    };
    struct Same {
        bool operator()(const Value& a, const Value& b) const {
            return same_value(a, b) && a.domain == b.domain && a.row == b.row;
        }
    };
    std::unordered_map<Value, std::uint32_t, Hash, Same> known_;
    std::vector<Value> values_;
};

inline Entries::Entries(const std::vector<Value>& all) {
    Palette palette;
    for (const Value& each : all)
        places_.push_back(static_cast<std::uint16_t>(palette.place_of(each)));
    values_ = palette.take();
}

enum class Kind : std::uint8_t {
#define NODE(name, operands, result, fields, blocks, effects, text) name,
#include "engine/form/nodes.def"
};

// The line of a kind in nodes.def.
struct KindInfo {
    std::string_view name;
    std::string_view operands;
    char result = '-';
    std::string_view stands; // where a statement may be: in searches (s), blocks of actions (b)
    std::string_view fields; // x, y and number
    std::string_view blocks;
    std::string_view effects;
    std::string_view text; // for the printer

    [[nodiscard]] constexpr bool has(char effect) const {
        return effects.find(effect) != std::string_view::npos;
    }
    // Without effects, and with the same value everywhere: passes may move or drop it.
    [[nodiscard]] bool is_pure() const { return effects.empty(); }
    // The letter of block `place` of `count`, a number that the kind must allow.
    [[nodiscard]] char block(std::size_t place, std::size_t count) const {
        return letter(blocks, place, count);
    }
    static char letter(std::string_view letters, std::size_t place, std::size_t count);
};

inline constexpr std::array kKindInfos = {
#define NODE(name, operands, result, fields, blocks, effects, text)                                \
    KindInfo{#name,    (operands), (result)[0], std::string_view(result).substr(1),                \
             (fields), (blocks),   (effects),   (text)},
#include "engine/form/nodes.def"
};
inline constexpr std::size_t kKinds = kKindInfos.size();

constexpr const KindInfo& info_of(Kind kind) {
    return kKindInfos[static_cast<std::size_t>(kind)];
}

// The kind addresses declared nodes.
constexpr bool is_declared(Kind kind) {
    return info_of(kind).fields[0] == 's';
}

// Whether the kind sets variables that hold sets of rows.
inline bool lets_rows(Kind kind) {
    return kind == Kind::LetRows || kind == Kind::LetTouching || kind == Kind::LetCounts;
}

enum class TypeKind : std::uint8_t {
    None,
    Truth,
    Int,  // 64 bits, from `low` to `high`
    Code, // the index of a value in a list, from 1; 0 means no value
    Any,  // a Value, possibly none
    Key,  // a symbol, or kNoSymbol
    Node, // a node of the tree, or none
    Set,  // rows of the domain of a list
    Data, // what PutChild and PutPath write
    Member,
    Argument,
};

struct Type {
    TypeKind kind = TypeKind::None;
    std::uint32_t list = 0;       // for Code and Set: index in Module::lists
    std::int64_t low = INT64_MIN; // for Int
    std::int64_t high = INT64_MAX;

    [[nodiscard]] bool is_value() const {
        return kind == TypeKind::Truth || kind == TypeKind::Int || kind == TypeKind::Code ||
               kind == TypeKind::Any;
    }
    friend bool operator==(const Type&, const Type&) = default;
};

using Id = std::uint32_t; // of a node in its function
using BlockId = std::uint32_t;
using VarId = std::uint32_t;
using NoteId = std::uint32_t; // index in Module::notes
inline constexpr std::uint32_t kNothing = 0xffffffff;
// In `y` of a statement that can fail, for observers: the failure ends only one child of the loop,
// or one alternative.
inline constexpr std::uint32_t kOneOfMany = 0x80000000;

// `number` of Store and Erase, if it is known whether the instance existed before.
inline constexpr std::int64_t kPresent = 1;
inline constexpr std::int64_t kAbsent = 2;

// The data of a node besides operands and blocks. Letters in nodes.def say what x, y and number
// mean; each accessor asserts that the node's kind has its letter.
struct Fields {
    Kind kind{};
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::int64_t number = 0;

    [[nodiscard]] VarId var() const { return are(0, 'v'), x; } // the first of several
    [[nodiscard]] VarId& var() { return are(0, 'v'), x; }
    [[nodiscard]] std::uint32_t value() const { return are(0, 'c'), x; } // in Module::values
    [[nodiscard]] ExprOp op() const { return are(0, 'o'), static_cast<ExprOp>(x); }
    [[nodiscard]] std::uint32_t type_id() const { return are(0, 'p'), x; } // of the program
    [[nodiscard]] Symbol symbol() const { return are(0, 'k'), x; }
    [[nodiscard]] std::uint32_t up() const { return are(0, 'u'), x; }
    [[nodiscard]] SchemaId schema() const { return are(0, 's'), x; }
    [[nodiscard]] std::uint32_t table() const { return are(0, 't'), x; } // in Module::tables
    [[nodiscard]] std::uint32_t& table() { return are(0, 't'), x; }
    [[nodiscard]] NoteId entry_note() const { return are(0, 'n'), x; }
    [[nodiscard]] RuleId rule() const { return are(0, 'r'), x; }
    [[nodiscard]] GroupId group() const { return are(0, 'g'), x; }
    [[nodiscard]] std::uint32_t function() const { return are(0, 'f'), x; } // in Module::calls

    [[nodiscard]] VarId results() const { return are(1, 'v'), y; } // the first of them
    void set_results(VarId first, std::size_t vars) {
        are(1, 'v'), y = first, number = static_cast<std::int64_t>(vars);
    }
    [[nodiscard]] std::uint32_t relation() const { return are(1, 't'), y; }  // of Module::tables
    [[nodiscard]] VarId key_var() const { return are(1, 'w'), y - 1; }       // or kNothing
    [[nodiscard]] std::uint32_t order() const { return are(1, 'z'), y - 1; } // or kNothing
    void set_order(std::uint32_t table) { are(1, 'z'), y = table + 1; }
    [[nodiscard]] KeyKind gathers() const { return are(1, 'h'), static_cast<KeyKind>(y); }
    [[nodiscard]] bool interns() const { return are(1, 'b'), y != 0; }
    [[nodiscard]] bool else_fails() const { return are(1, 'b'), y != 0; }
    [[nodiscard]] bool from_state() const { return are(1, 'b'), y != 0; }
    [[nodiscard]] bool of_child() const { return are(1, 'b'), y != 0; }
    [[nodiscard]] bool hangs() const { return are(1, 'b'), y != 0; }
    void set_hangs() { are(1, 'b'), y = 1; }
    [[nodiscard]] bool cuts() const { return are(1, 'e'), y != 0; }
    [[nodiscard]] NoteId cut() const { return are(1, 'e'), (y & ~kOneOfMany) - 1; }
    [[nodiscard]] bool cuts_one() const { return are(1, 'e'), (y & kOneOfMany) != 0; }

    [[nodiscard]] std::int64_t literal() const { return are(2, '#'), number; }
    [[nodiscard]] std::int64_t& literal() { return are(2, '#'), number; }
    [[nodiscard]] auto child_type() const {
        return are(2, 'p'), static_cast<std::uint32_t>(number);
    }
    [[nodiscard]] auto argument() const { return are(2, 'a'), static_cast<std::size_t>(number); }
    [[nodiscard]] auto count() const { return are(2, '*'), static_cast<std::uint32_t>(number); }
    [[nodiscard]] std::int64_t by() const { return are(2, '#'), number; } // rows
    [[nodiscard]] std::int64_t& by() { return are(2, '#'), number; }
    [[nodiscard]] std::int64_t& presence() { return are(2, 'i'), number; }
    [[nodiscard]] bool is_present() const { return are(2, 'i'), number == kPresent; }
    [[nodiscard]] bool is_absent() const { return are(2, 'i'), number == kAbsent; }

    // The number of variables that it names.
    [[nodiscard]] std::int64_t vars() const { return info_of(kind).fields[2] == '*' ? number : 1; }

  private:
    void are([[maybe_unused]] std::size_t place, [[maybe_unused]] char letter) const {
        assert(info_of(kind).fields[place] == letter);
    }
};

// A node belongs to one function and has one parent, of which it is an operand or a statement.
struct Node : Fields {
    Type type;              // of its result
    NoteId note = kNothing; // its origin in the rules, for error messages and profiles
    std::vector<Id> operands;
    std::vector<BlockId> blocks;
};

struct Block {
    std::vector<Id> statements; // in their order
};

// Set at one place, before it is read: by Let, Gather, a loop, Alternatives, or Apply.
struct Var {
    std::string name; // in the rules, else one for readers of the form
    Type type;
    std::uint32_t entry = kNothing; // of the condition that binds it, if it is a variable of a rule
    bool sure = false; // never 0 where it is read, except in tests for 0 and indices of a Table
};

// A named group, with all groups in its actions.
struct Function {
    GroupId group = kNone;
    std::vector<Node> nodes;
    std::vector<Block> blocks;
    std::vector<Var> vars;
    BlockId body = 0; // contains one Group

    [[nodiscard]] const Node& at(Id id) const { return nodes[id]; }
};

// Calls `visit` with the node and all below it: its operands, then the statements of its blocks.
template <class Visit>
void for_each_node(const Function& function, Id id, const Visit& visit);
template <class Visit>
void for_each_node_in(const Function& function, BlockId block, const Visit& visit) {
    for (const Id each : function.blocks[block].statements)
        for_each_node(function, each, visit);
}
template <class Visit>
void for_each_node(const Function& function, Id id, const Visit& visit) {
    visit(id);
    for (const Id operand : function.at(id).operands)
        for_each_node(function, operand, visit);
    for (const BlockId block : function.at(id).blocks)
        for_each_node_in(function, block, visit);
}

// Calls `visit` with each Yield of the search itself, not of inner ones, and the block it ends.
template <class Visit>
void for_each_yield(const Function& function, BlockId search, const Visit& visit) {
    for (const Id each : function.blocks[search].statements) {
        const Node& node = function.at(each);
        if (node.kind == Kind::Yield) visit(each, search);
        for (std::size_t i = 0; i < node.blocks.size(); ++i)
            if (info_of(node.kind).block(i, node.blocks.size()) == 'c')
                for_each_yield(function, node.blocks[i], visit);
    }
}

// Values numbered from 1: the members of a domain as keys, texts or numbers, the truth values, or
// the integers of a range.
struct CodeList {
    enum class Form : std::uint8_t { Keys, Texts, Numbers, Truths, Range };
    Form form = Form::Keys;
    std::uint32_t domain = 0;  // for Keys, Texts and Numbers
    std::int64_t low = 0;      // for Range
    std::vector<Value> values; // the first has code 1
};

// One entry for each choice of codes, including 0; the last code varies fastest.
struct LookupTable {
    std::vector<std::uint32_t> sizes; // of each code: the size of its list + 1
    Entries values;                   // for Table
    // For TableRows each entry has the words of one set; for an order the codes of its rows, four
    // to a word, and then 0.
    std::vector<std::uint64_t> words;
};

// The rows of one word, moved; those that go over an end are gone.
constexpr std::uint64_t moved_rows(std::uint64_t rows, std::int64_t by) {
    if (by <= -std::int64_t{kWordRows} || by >= std::int64_t{kWordRows}) return 0;
    return by >= 0 ? rows << by : rows >> -by;
}

// Adds a row to the set whose words begin at `first`.
inline void add_row(std::vector<std::uint64_t>& words, std::size_t first, std::size_t row) {
    words[first + row / kWordRows] |= std::uint64_t{1} << row % kWordRows;
}

inline constexpr std::size_t kRowsInWord = 4; // of an order

// The code of the row in that place of an order; 0 after the last.
inline std::uint32_t row_in_order(const std::uint64_t* words, std::size_t place) {
    return words[place / kRowsInWord] >> place % kRowsInWord * 16 & 0xffff;
}

struct CallInfo {
    std::string function;
    std::vector<std::string> arguments; // their names, in the order written
};

// All groups of a program, which must outlive the module.
struct Module {
    const Catalogue* catalogue = nullptr;
    std::vector<Function> functions;
    std::vector<Value> values;
    std::vector<CodeList> lists;
    std::vector<LookupTable> tables;
    std::vector<Note> notes;
    std::vector<CallInfo> calls;
    // Tables made from constants, by the path of these, so that rules share them.
    std::map<std::vector<std::uint64_t>, std::pair<std::uint32_t, Type>> known_tables;
};

// Lists of values whose indices are codes.

// Each returns the number of the list, which it adds if the module has none yet.
std::uint32_t list_of_domain(Module& module, CodeList::Form form, std::uint32_t domain);
std::uint32_t list_of_truths(Module& module);
std::uint32_t list_of_range(Module& module, std::int64_t low, std::int64_t high);
// For keys that are in no domain, or in another order.
std::uint32_t list_of_keys(Module& module, const std::vector<Symbol>& keys);

// The type of a leaf's value: codes, integers or any value.
Type type_of_leaf(Module& module, const SchemaNode& leaf);
// The type for these values: a code if they are few and of one type, else any.
Type type_of_values(Module& module, const std::vector<Value>& values);
// The code of the value in a list; 0 if it is not there.
std::uint32_t code_of(const Module& module, std::uint32_t list, const Value& value);
// The code of the member with that key.
std::uint32_t code_of_key(const Module& module, std::uint32_t list, Symbol key);

inline Type code_type(std::uint32_t list) {
    return {TypeKind::Code, list};
}

// A table of sets as shifts: the distances from a row to the rows of its set.

// The set of each of these rows has the row that comes `by` rows after it.
struct Shift {
    std::int64_t by = 0;
    std::vector<std::uint64_t> rows;
};

struct Shifts {
    std::vector<Shift> all;
    std::uint32_t most = 0; // rows in one set
};

// The shifts of a table with one set of `size` rows for each code of a list. A board's relations
// need few at any size. Returns nullopt for none, or so many that a loop over the rows is better.
std::optional<Shifts> shifts_of(const LookupTable& table, std::uint32_t size);

} // namespace croupier::engine::form
