// A function as the interpreter walks it: of every node what is looked at whenever it runs, side by
// side, with what can be found out before: where instances of declared nodes are, what constants
// and the entries of tables are as the node's type holds them.
#pragma once

#include "engine/ir/ir.h"
#include "engine/tree/layout.h"
#include "engine/tree/state.h"
#include "engine/tree/value.h"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace croupier::engine {

// What a node gives or a variable holds; which of these, its type says.
struct Slot {
    union {
        Value value;
        NodeRef node;
        std::uint32_t id; // a code, a symbol
    };
    Slot() : value() {}
    explicit Slot(const Value& of) : value(of) {}
    explicit Slot(bool truth) : value(Value::boolean(truth)) {}
    explicit Slot(std::int64_t integer) : value(Value::number(integer)) {}
    explicit Slot(NodeRef of) : node(of) {}
    explicit Slot(std::uint32_t of) : id(of) {}
};

// As much of a type as matters while it runs.
struct SlotType {
    ir::TypeKind kind = ir::TypeKind::None;
    std::uint32_t list = 0;

    SlotType() = default;
    SlotType(const ir::Type& type) : kind(type.kind), list(type.list) {} // NOLINT(*-explicit-*)
};

// Where the instances of a declared path are.
struct InstancePlace {
    SchemaId schema = kNoSchema;
    Column column = Column::None;
    std::uint32_t values = kNoOffset; // of the column, in the state's block
    // How much further an instance is whose code is one more, map by map from the outermost.
    std::vector<std::uint32_t> scales;
};

// The fields that have the names of an ir::Node's mean the same.
struct PreparedNode {
    ir::Kind kind{};
    SlotType type; // of a statement that sets variable x: the variable's
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::int64_t number = 0;
    std::span<const ir::Id> operands;
    std::span<const ir::BlockId> blocks;
    std::span<std::uint64_t> words;       // that a set of rows may be made in
    const InstancePlace* place = nullptr; // of a declared node
    const ir::Table* table = nullptr;     // of what looks into one
    const Slot* slots = nullptr;          // of a Table: its different entries
    const Slot* known = nullptr;          // what it gives stands there: of Constant and Variable
    const Value* values = nullptr;        // of the list of a code, from code 1 on
};

// One per interpreter: it has room for the sets that nodes make. A node's own set is good until the
// node runs again.
class PreparedFunction {
  public:
    // All must outlive it; the values of variables stand in `slots`.
    PreparedFunction(const ir::Module& module, const ir::Function& function, const Slot* slots);
    PreparedFunction(const PreparedFunction&) = delete;
    PreparedFunction& operator=(const PreparedFunction&) = delete;

    [[nodiscard]] const ir::Function& written() const { return function_; }
    [[nodiscard]] const ir::Node& written(const PreparedNode& node) const {
        return function_.nodes[static_cast<std::size_t>(&node - nodes_.data())];
    }
    [[nodiscard]] const PreparedNode& prepared(const ir::Node& node) const {
        return nodes_[static_cast<std::size_t>(&node - function_.nodes.data())];
    }
    [[nodiscard]] const PreparedNode* nodes() const { return nodes_.data(); }
    [[nodiscard]] std::span<const ir::Id> statements(ir::BlockId block) const {
        return blocks_[block];
    }

  private:
    void prepare(PreparedNode& made, const ir::Node& node);
    const InstancePlace* place_of(SchemaId schema);
    const Slot* entries_of(const ir::Node& table);

    const ir::Module& module_;
    const ir::Function& function_;
    const Slot* slots_;
    std::vector<PreparedNode> nodes_;
    std::vector<std::span<const ir::Id>> blocks_;
    std::vector<std::uint32_t> ids_; // operands and blocks of nodes, statements of blocks
    std::vector<std::uint64_t> words_;
    std::deque<InstancePlace> places_; // that have been asked for
    std::deque<Slot> constants_;
    struct Entries {
        std::uint32_t table;
        SlotType type;
        std::vector<Slot> slots;
    };
    std::deque<Entries> entries_; // of tables that have been asked for
};

} // namespace croupier::engine
