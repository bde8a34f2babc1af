// The intermediate form of rules: what they mean, typed and structured, before it is decided how a
// machine does it. Built from a ruleset, rewritten by passes, then run or translated.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/ir/entries.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

enum class Kind : std::uint8_t {
#define NODE(name, operands, result, blocks, effects, meaning) name,
#include "engine/ir/nodes.def"
};

inline constexpr std::size_t kKinds =
    std::array{
#define NODE(name, operands, result, blocks, effects, meaning) Kind::name,
#include "engine/ir/nodes.def"
    }
        .size();

// What nodes.def says of a kind.
struct KindInfo {
    std::string_view name;
    std::string_view operands;
    char result = '-';
    std::string_view stands; // of a statement: in searches (s), in blocks of actions (b), or both
    std::string_view blocks;
    std::string_view effects;
    std::string_view meaning;

    [[nodiscard]] bool has(char effect) const {
        return effects.find(effect) != std::string_view::npos;
    }
    // Without effects, and with the same value wherever it stands: it may be moved and left out.
    [[nodiscard]] bool is_pure() const { return effects.empty(); }
    // The kind can have so many operands, or blocks.
    [[nodiscard]] bool takes_operands(std::size_t count) const { return fits(operands, count); }
    [[nodiscard]] bool takes_blocks(std::size_t count) const { return fits(blocks, count); }
    // The letter of one of `count` operands or blocks, which the kind must be able to have.
    [[nodiscard]] char operand(std::size_t place, std::size_t count) const {
        return letter(operands, place, count);
    }
    [[nodiscard]] char block(std::size_t place, std::size_t count) const {
        return letter(blocks, place, count);
    }

  private:
    static bool fits(std::string_view letters, std::size_t count);
    static char letter(std::string_view letters, std::size_t place, std::size_t count);
};
const KindInfo& info_of(Kind kind);

enum class TypeKind : std::uint8_t {
    None,
    Truth,
    Int,  // 64 bits, from `low` to `high`
    Code, // the place of a value in a list, from 1; 0: no value
    Any,  // a Value, possibly none
    Key,  // a symbol, or kNoSymbol
    Node, // a node of the tree, or none
    Set,  // rows of the domain of a list
    Data, // of PutChild and PutPath
    Member,
    Argument,
};

struct Type {
    TypeKind kind = TypeKind::None;
    std::uint32_t list = 0;       // Code, Set: of Module::lists
    std::int64_t low = INT64_MIN; // Int
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
using NoteId = std::uint32_t; // of Module::notes
inline constexpr std::uint32_t kNothing = 0xffffffff;
// In `y` of what can fail, for observers: other children of the loop, or alternatives, may do.
inline constexpr std::uint32_t kOneOfMany = 0x80000000;

// `number` of Store and Erase, where it is known whether the instance is there before.
inline constexpr std::int64_t kThere = 1;
inline constexpr std::int64_t kAbsent = 2;

// A node is in one place of one function only: its operand or statement of one other.
struct Node {
    Kind kind{};
    Type type;              // of its result
    NoteId note = kNothing; // what it comes from: where its errors are, and whose cost it is
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::int64_t number = 0;
    std::vector<Id> operands;
    std::vector<BlockId> blocks;
};

struct Block {
    std::vector<Id> statements; // in their order
};

// Set in one place before it is read: by Let, Gather, a loop, Alternatives, or Apply.
struct Var {
    std::string name; // in the rules; of others what helps a reader
    Type type;
    std::uint32_t entry = kNothing; // of the condition that binds it, if a rule has the name
    bool sure = false; // a code that is not 0, wherever it is read but to ask that or for a Table
};

// A group that can be asked for by its name, with all groups in its actions.
struct Function {
    GroupId group = kNone;
    std::vector<Node> nodes;
    std::vector<Block> blocks;
    std::vector<Var> vars;
    BlockId body = 0; // with one Group in it

    [[nodiscard]] const Node& at(Id id) const { return nodes[id]; }
};

// Values with places from 1: the members of a domain as keys, as texts or as numbers, the truths,
// the integers of a range.
struct CodeList {
    enum class Form : std::uint8_t { Keys, Texts, Numbers, Truths, Range };
    Form form = Form::Keys;
    std::uint32_t domain = 0;  // of the first three
    std::int64_t low = 0;      // Range
    std::vector<Value> values; // of code 1 and so on
};

// An entry for all choices of codes, 0 among them, the last code fastest.
struct Table {
    std::vector<std::uint32_t> sizes; // of each code: one more than its list
    Entries values;                   // of a Table
    std::vector<std::uint64_t> words; // of TableRows, as many for an entry as the set has
};

struct CallInfo {
    std::string function;
    std::vector<std::string> arguments; // their names, in the order written
};

// All groups of a program. The program must outlive it.
struct Module {
    const Catalogue* catalogue = nullptr;
    std::vector<Function> functions;
    std::vector<Value> values;
    std::vector<CodeList> lists;
    std::vector<Table> tables;
    std::vector<Note> notes;
    std::vector<CallInfo> calls;
    // Tables of constants by the place that they are of, since rules look at the same ones.
    std::map<std::vector<std::uint64_t>, std::pair<std::uint32_t, Type>> known_tables;
};

} // namespace croupier::engine::ir
