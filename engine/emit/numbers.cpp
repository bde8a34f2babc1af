// Columns of values, as numbers of any kind are held: 16 bytes, all zero where nothing is there.
#include "engine/emit/changes.h"

#include "engine/tree/layout.h"

#include <cstddef>

namespace croupier::engine::emit {

// An integer, or a known number, in a column of values.
void Changes::store_number(Id id, bool hangs) {
    const Node& node = at(id);
    const SchemaNode& known = schema(node.x);
    const Label elsewhere = aside_step(id);
    const auto known_number = known_value(node.operands[0]);
    const bool is_real = known_number && known_number->tag == Tag::Double;
    const Gp number = is_real ? new64() : integer(node.operands[0]);
    if (is_real) {
        code_.mov(number, asmjit::Imm(known_number->integer));
    }
    Mem tag = leaf(node, 1, elsewhere);
    note_write(node, 1);
    Mem payload = tag;
    tag.setSize(8);
    payload.setSize(8);
    payload.addOffset(offsetof(Value, integer));
    if (!hangs || known.above_order != kNoOffset) {
        const Label there = code_.newLabel();
        code_.cmp(tag, 0);
        hangs ? code_.jne(there) : code_.je(elsewhere);
        if (hangs) {
            append_to_record(node, 1);
        }
        code_.bind(there);
    }
    code_.mov(tag, static_cast<int>(is_real ? Tag::Double : Tag::Int));
    code_.mov(payload, number);
    bind_back();
}

} // namespace croupier::engine::emit
