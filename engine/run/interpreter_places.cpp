// Declared nodes, by the codes of their keys; entries of tables; sets of rows.
#include "engine/ir/probe.h"
#include "engine/run/interpreter.h"

#include <algorithm>
#include <bit>

namespace croupier::engine {

// ---- declared nodes --------------------------------------------------------------------------

// All codes are computed, also behind one that is 0.
NodeRef Interpreter::instance(const Node& node, std::size_t first) {
    const InstancePlace& place = *node.place;
    std::uint32_t index = 0;
    bool is_any = true;
    for (std::size_t i = first; i < node.operands.size(); ++i) {
        const std::uint32_t code = this->code(node.operands[i]);
        is_any = is_any && code != 0;
        index += (code - 1) * place.scales[i - first];
    }
    return is_any ? NodeRef{place.schema, index} : NodeRef{};
}

Slot Interpreter::run(Is<Kind::Present>, const Node& node, Nothing) {
    return Slot(runtime_.is_present(instance(node)));
}

Slot Interpreter::run(Is<Kind::Load>, const Node& node, Nothing) {
    const NodeRef leaf = instance(node);
    // The codes of such a column are those of the leaf's list.
    const InstancePlace& place = *node.place;
    const bool as_code = node.type.kind == ir::TypeKind::Code;
    if (place.column == Column::Code8 && as_code) {
        const std::byte* const held = runtime_.state().data() + place.values;
        return Slot(leaf ? static_cast<std::uint32_t>(held[leaf.index]) : 0u);
    }
    if (place.column == Column::Code16 && as_code) {
        return Slot(leaf ? static_cast<std::uint32_t>(runtime_.state().held(leaf).low) : 0u);
    }
    return slot_of(node.type, runtime_.value_at(leaf));
}

Slot Interpreter::run(Is<Kind::NodeAt>, const Node& node, Nothing) {
    return Slot(runtime_.node_at(instance(node)));
}

// ---- tables ----------------------------------------------------------------------------------

std::size_t Interpreter::entry_of(const Node& node) {
    std::size_t entry = 0;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        entry = entry * node.table->sizes[CROUPIER_MISTAKE(EntryByFirstSize) ? 0 : i] +
                code(node.operands[i]);
    }
    return entry;
}

Slot Interpreter::run(Is<Kind::Table>, const Node& node, Nothing) {
    return node.slots[node.table->values.places()[entry_of(node)]];
}

Interpreter::Rows Interpreter::run(Is<Kind::TableRows>, const Node& node, Nothing) {
    const std::size_t words = node.words.size();
    return Rows(node.table->words).subspan(entry_of(node) * words, words);
}

// ---- sets of rows, each in its node's words --------------------------------------------------

namespace {

std::span<std::uint64_t> none_of(std::span<std::uint64_t> words) {
    std::fill(words.begin(), words.end(), 0);
    return words;
}

} // namespace

Interpreter::Rows Interpreter::run(Is<Kind::Rows>, const Node& node, Nothing) {
    const NodeRef map = instance(node);
    const std::span<std::uint64_t> rows = none_of(node.words);
    if (!map) {
        return rows;
    }
    const State& state = runtime_.state();
    const std::uint32_t size = size_of(node.type.list);
    for (std::uint32_t row = state.next_row(map, 0); row < size;
         row = state.next_row(map, row + 1)) {
        rows[row / kWordRows] |= std::uint64_t{1} << row % kWordRows;
    }
    return rows;
}

Interpreter::Rows Interpreter::run(Is<Kind::AllRows>, const Node& node, Nothing) {
    const std::span<std::uint64_t> all = node.words;
    const std::uint32_t size = size_of(node.type.list);
    std::fill(all.begin(), all.end(), ~std::uint64_t{0});
    if (size % kWordRows != 0) {
        all.back() = (std::uint64_t{1} << (size % kWordRows)) - 1;
    }
    return all;
}

Interpreter::Rows Interpreter::run(Is<Kind::RowsWith>, const Node& node, Nothing) {
    const std::uint32_t wanted = code(node.operands[0]);
    const NodeRef map = instance(node, 1);
    const std::span<std::uint64_t> rows = none_of(node.words);
    if (!map || wanted == 0) {
        return rows;
    }
    const State& state = runtime_.state();
    const SchemaId element = catalogue_.layout->node(map.schema).element;
    const std::uint32_t size = size_of(node.type.list);
    const std::uint32_t first = (CROUPIER_MISTAKE(RowsOfFirstMap) ? 0 : map.index) * size;
    for (std::uint32_t row = 0; row < size; ++row) {
        const bool has = state.held({element, first + row}).low == wanted;
        rows[row / kWordRows] |= std::uint64_t{has} << row % kWordRows;
    }
    return rows;
}

Interpreter::Rows Interpreter::run(Is<Kind::RowsOf>, const Node& node, Nothing) {
    return sets_[node.x];
}

// The words of both operands, joined.
template <typename Join>
Interpreter::Rows Interpreter::joined(const Node& node, Join join) {
    const Rows a = rows(node.operands[0]);
    const Rows b = rows(node.operands[1]);
    for (std::size_t i = 0; i < node.words.size(); ++i) {
        node.words[i] = join(a[i], b[i]);
    }
    return node.words;
}

Interpreter::Rows Interpreter::run(Is<Kind::Both>, const Node& node, Nothing) {
    return joined(node, [](std::uint64_t a, std::uint64_t b) { return a & b; });
}

Interpreter::Rows Interpreter::run(Is<Kind::Either>, const Node& node, Nothing) {
    return joined(node, [](std::uint64_t a, std::uint64_t b) { return a | b; });
}

Interpreter::Rows Interpreter::run(Is<Kind::Without>, const Node& node, Nothing) {
    return joined(node, [](std::uint64_t a, std::uint64_t b) { return a & ~b; });
}

Interpreter::Rows Interpreter::run(Is<Kind::Differ>, const Node& node, Nothing) {
    return joined(node, [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
}

Interpreter::Rows Interpreter::run(Is<Kind::Moved>, const Node& node, Nothing) {
    const Rows set = rows(node.operands[0]);
    const std::span<std::uint64_t> moved = none_of(node.words);
    for (std::uint32_t word = 0; word < set.size(); ++word) {
        for (std::uint64_t left = set[word]; left != 0; left &= left - 1) {
            const auto row = static_cast<std::uint32_t>(
                word * kWordRows + std::uint32_t(std::countr_zero(left)) + node.number);
            moved[row / kWordRows] |= std::uint64_t{1} << row % kWordRows;
        }
    }
    return moved;
}

Slot Interpreter::run(Is<Kind::NumberAt>, const Node& node, Nothing) {
    const std::uint32_t row = code(node.operands[0]) - 1;
    std::int64_t number = 0;
    for (std::size_t i = node.operands.size(); i-- > 1;) {
        const Rows digit = rows(node.operands[i]);
        number =
            number * 2 + static_cast<std::int64_t>(digit[row / kWordRows] >> row % kWordRows & 1);
    }
    return Slot(number);
}

Slot Interpreter::run(Is<Kind::AnyRow>, const Node& node, Nothing) {
    const Rows rows = this->rows(node.operands[0]);
    return Slot(
        std::any_of(rows.begin(), rows.end(), [](std::uint64_t word) { return word != 0; }));
}

Slot Interpreter::run(Is<Kind::CountRows>, const Node& node, Nothing) {
    std::int64_t count = 0;
    for (const std::uint64_t word : rows(node.operands[0])) {
        count += count_rows(word);
    }
    return Slot(count);
}

} // namespace croupier::engine
