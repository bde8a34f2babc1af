// Declared leaves at known places, and integers that are reckoned from them.
#include "engine/native/translator.h"
#include "engine/plan/planted.h"

#include <limits>

namespace croupier::engine::native {

// ---- leaves ------------------------------------------------------------------------------------

Translator::Bit Translator::presence_bit(const SchemaNode& node, std::uint32_t index) {
    const auto [word, row] = presence_place(node, index);
    return {word + row % 64 / 8, static_cast<std::uint8_t>(1u << (row % 8))};
}

// By rows only where all instances have their bits in one word.
std::optional<Translator::Leaf> Translator::leaf_at(const Op& op, SchemaId schema) const {
    const SchemaNode& node = program_.layout->node(schema);
    const bool by_code = node.column == Column::Code8 || node.column == Column::Code16;
    const bool by_bit =
        (node.column == Column::Int || node.column == Column::None) && node.presence != kNoOffset;
    const bool many = by_rows(op);
    if (node.parent == kNoSchema || !(by_code || by_bit)) {
        return std::nullopt;
    }
    if (many && by_bit && (node.instances != node.group || node.words != 1)) {
        return std::nullopt;
    }
    return Leaf{&node, op.x, many};
}

void Translator::load_rows(const Op& op, const Leaf& leaf) {
    if (leaf.by_rows) {
        offset_of_rows(op);
        code_.move(Reg::Si, Reg::Ax);
    }
}

Mem Translator::place_of(const Leaf& leaf) {
    const auto width = width_of(leaf.node->column);
    Mem place = in_block(leaf.node->values + std::size_t{leaf.index} * width);
    if (leaf.by_rows) {
        place.index = Reg::Si;
        place.scale = static_cast<std::uint8_t>(width);
    }
    return place;
}

// An entry at the end of a list at a fixed place; uses Cx.
void Translator::append_entry(std::size_t order, std::uint16_t slot) {
    code_.load16(Reg::Cx, in_block(order));
    code_.alu32(Alu::Add, Reg::Cx, 1);
    code_.store16(in_block(order), Reg::Cx);
    Mem entry = in_block(order, Reg::Cx);
    entry.scale = 2;
    code_.store16(entry, slot);
}

// Uses Cx and Dx.
void Translator::append_to_record(const Leaf& leaf) {
    const SchemaNode& node = *leaf.node;
    if (node.above_order == kNoOffset) {
        return;
    }
    const std::size_t order = node.above_order + std::size_t{leaf.index} * node.above_stride;
    if (!leaf.by_rows) {
        append_entry(order, node.slot);
        return;
    }
    code_.multiply32(Reg::Dx, Reg::Si, node.above_stride);
    code_.load16(Reg::Cx, in_block(order, Reg::Dx));
    code_.alu32(Alu::Add, Reg::Cx, 1);
    code_.store16(in_block(order, Reg::Dx), Reg::Cx);
    code_.address(Reg::Dx, {Reg::Dx, 0, Reg::Cx, 2});
    code_.store16(in_block(order, Reg::Dx), node.slot);
}

// Of an integer's column, or of one that holds codes of integers.
void Translator::load_leaf(Reg to, const Leaf& leaf, Label missing) {
    const SchemaNode& node = *leaf.node;
    if (node.column == Column::Int) {
        if (leaf.by_rows) {
            code_.load64(Reg::Dx, in_block(node.presence));
            code_.address(to, {Reg::Si, static_cast<std::int32_t>(leaf.index)});
            code_.bit64(Reg::Dx, to);
            code_.jump(If::NotBelow, missing);
        } else {
            test_presence(leaf);
            code_.jump(If::Zero, missing);
        }
        code_.load64(to, place_of(leaf));
        return;
    }
    if (node.column == Column::Code8) {
        code_.load8(to, place_of(leaf));
    } else {
        code_.load16(to, place_of(leaf));
    }
    code_.test32(to, to);
    code_.jump(If::Zero, missing);
    code_.alu64(Alu::Add, to, static_cast<std::int32_t>(low_of(node) - 1));
}

void Translator::test_presence(const Leaf& leaf) {
    switch (leaf.node->column) {
    case Column::Code8:
        code_.alu8(Alu::Cmp, place_of(leaf), 0);
        break;
    case Column::Code16:
        code_.alu16(Alu::Cmp, place_of(leaf), 0);
        break;
    default: {
        const Bit bit = presence_bit(*leaf.node, leaf.index);
        code_.test8(in_block(bit.byte), bit.bits);
        break;
    }
    }
}

void Translator::make_present(const Leaf& leaf) {
    const Label there = code_.new_label();
    const Bit bit = presence_bit(*leaf.node, leaf.index);
    test_presence(leaf);
    code_.jump(If::NotZero, there);
    code_.alu8(Alu::Or, in_block(bit.byte), bit.bits);
    if (!CROUPIER_PLANTED(NewFieldNotListed)) {
        append_to_record(leaf);
    }
    code_.place(there);
}

void Translator::store_leaf(const Leaf& leaf) {
    const SchemaNode& node = *leaf.node;
    if (node.column == Column::Int && !leaf.by_rows) {
        code_.store64(place_of(leaf), Reg::Ax);
        make_present(leaf);
        return;
    }
    const Label there = code_.new_label();
    if (node.column == Column::Int) {
        code_.store64(place_of(leaf), Reg::Ax);
        code_.load64(Reg::Dx, in_block(node.presence));
        code_.address(Reg::Cx, {Reg::Si, static_cast<std::int32_t>(leaf.index)});
        code_.set_bit64(Reg::Dx, Reg::Cx);
        code_.jump(If::Below, there);
        code_.store64(in_block(node.presence), Reg::Dx);
        append_to_record(leaf);
        code_.place(there);
        return;
    }
    test_presence(leaf);
    code_.jump(If::NotZero, there);
    append_to_record(leaf);
    code_.place(there);
    if (node.column == Column::Code8) {
        code_.store8(place_of(leaf), Reg::Ax);
    } else {
        code_.store16(place_of(leaf), Reg::Ax);
    }
}

// The least integer that a leaf of integers can hold.
std::int64_t Translator::low_of(const SchemaNode& node) {
    return node.kind == ShapeKind::Member ? 0 : node.low;
}

// An integer's leaf, or one of a domain of numbers.
bool Translator::holds_integers(const SchemaNode& node) const {
    if (node.kind == ShapeKind::Member) {
        return program_.layout->domain(node.domain).numbered;
    }
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    const bool small = node.low > -kMost && node.low < kMost;
    return node.kind == ShapeKind::Int && (node.column == Column::Int || small);
}

} // namespace croupier::engine::native
