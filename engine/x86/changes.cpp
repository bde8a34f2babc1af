// Changes of declared nodes.
#include "engine/form/effects.h"
#include "engine/state/layout.h"
#include "engine/state/root_field.h"
#include "engine/x86/statements.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace croupier::engine::x86 {

namespace {

// Removes the entry from a record's list of fields, which must have it.
void forget_entry(std::byte* order, std::uint32_t slot) noexcept {
    const auto entry = static_cast<std::uint16_t>(slot);
    if (CROUPIER_MISTAKE(GapFilledByLast)) {
        std::uint16_t count = 0;
        std::memcpy(&count, order, sizeof count);
        std::byte* at = order + 2;
        while (std::memcmp(at, &entry, 2) != 0)
            at += 2;
        std::memcpy(at, order + 2 * std::size_t{count}, 2);
        std::memcpy(order + 2 * std::size_t{count}, &entry, 2);
    }
    erase_from_within(order, entry);
}

constexpr std::uint32_t kFewBytes = 64; // cleared one store after the other
constexpr std::uint32_t kMaxSlots = 64;

// The erasure of the only instance of a declared path; nullopt if it has many bytes.
std::optional<Erasure> few_bytes_of(const Layout& layout, SchemaId id) {
    std::optional<Erasure> gone = layout.erasure(id, 0);
    std::uint32_t bytes = 0;
    for (const Erasure::Range& range : gone ? gone->ranges : std::vector<Erasure::Range>())
        bytes += range.size;
    return bytes > kFewBytes ? std::nullopt : gone;
}

// The size of a map of bytes while a loop adds rows: counted once, then updated with each store,
// since counting again would wait for each stored byte.

constexpr std::uint32_t kMaxRows = 4000; // of a map that is counted

bool has(const form::Numbers& numbers, std::uint32_t number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// Makes a node present that has no value; its parent may have to be made as well.
void make_present(Context& c, Id id, std::size_t first) {
    const Node& node = c.at(id);
    const bool hangs = node.hangs() || c.schema(node.schema()).parent == 0;
    const Label elsewhere = aside_step(c, id);
    const asmjit::BaseNode* const begin = c.out.cursor();
    const Label end = c.out.newLabel();
    const Bit bit = presence(c, node, first, elsewhere);
    if (!hangs) {
        jump_bit(c, bit, false, elsewhere);
    } else {
        const bool asks = c.schema(node.schema()).above_order != kNoOffset;
        if (bit.number.isValid()) {
            const Gp word = c.new64();
            c.out.mov(word, bit.word);
            c.out.bts(word, bit.number.r64());
            if (asks) c.out.jc(end);
            c.out.mov(bit.word, word);
        } else {
            if (asks) {
                c.out.test(bit.byte(), bit.mask());
                c.out.jnz(end);
            }
            c.out.or_(bit.byte(), bit.mask());
        }
        if (asks) append_to_record(c, node, first);
    }
    c.bind_if_asked_for(end, begin);
    bind_back(c);
}

// Jumps to `odd` unless the value, which is in the register, is from `low` to `high`.
void check_range(Context& c, std::int64_t low, std::int64_t high, Id value, const Gp& integer,
                 Label odd) {
    const form::Type& known = c.at(value).type;
    const bool bounded = known.kind == TypeKind::Int;
    const auto compare = [&](std::int64_t bound) {
        if (bound >= INT32_MIN && bound <= INT32_MAX) {
            c.out.cmp(integer, asmjit::Imm(bound));
        } else {
            const Gp wide = c.new64();
            c.out.mov(wide, asmjit::Imm(bound));
            c.out.cmp(integer, wide);
        }
    };
    if (low != INT64_MIN && !(bounded && known.low >= low)) {
        compare(low);
        if (!CROUPIER_MISTAKE(LowEndUnchecked)) c.out.jl(odd);
    }
    if (high != INT64_MAX && !(bounded && known.high <= high)) {
        compare(high);
        c.out.jg(odd);
    }
}

// The value of a constant that is not a code.
std::optional<Value> known_value(const Context& c, Id id) {
    const Node& node = c.at(id);
    if (node.kind != Kind::Constant) return std::nullopt;
    return node.type.kind == TypeKind::Any   ? std::optional(c.module.values[node.value()])
           : node.type.kind == TypeKind::Int ? std::optional(Value::number(node.literal()))
                                             : std::nullopt;
}

// Whether `code_for` can compute the leaf's code for the value.
bool is_code_for(const Context& c, const SchemaNode& leaf, Id value) {
    const Node& node = c.at(value);
    if (const auto known = known_value(c, value)) return c.layout().code_of(leaf, *known) != 0;
    if (node.kind == Kind::Choose)
        return is_code_for(c, leaf, node.operands[1]) && is_code_for(c, leaf, node.operands[2]);
    if (node.type.kind == TypeKind::Code) return true;
    const bool numbers = leaf.kind == ShapeKind::Int || (leaf.kind == ShapeKind::Member &&
                                                         c.layout().domain(leaf.domain).numbered);
    return (numbers && is_integer(c, value)) ||
           (leaf.kind == ShapeKind::Bool && node.type.kind == TypeKind::Truth);
}

// The leaf's code for the value; jumps to `odd` if it has none.
x86::Gp code_for(Context& c, const SchemaNode& leaf, Id value, Label odd) {
    const Node& node = c.at(value);
    const Gp code = c.new32();
    if (const auto known = known_value(c, value)) {
        c.out.mov(code, c.layout().code_of(leaf, *known));
    } else if (node.kind == Kind::Choose) {
        choose(c, node, code, [&](Id side) { return code_for(c, leaf, side, odd); });
    } else if (node.type.kind == TypeKind::Code) {
        // The leaf's codes for the list's values; 0 for no value and for one that does not fit.
        const Tables::Entries held = c.tables.held(node.type.list, leaf);
        const Gp given = code_of(c, value);
        if (held.data != nullptr)
            c.out.movzx(code, in_table(c, held.data, given.r64(), held.width));
        else if (is_sure(c, value))
            return given;
        else
            c.out.mov(code, given);
        if (held.data != nullptr || !is_sure(c, value)) {
            c.out.test(code, code);
            c.out.jz(odd);
        }
    } else if (node.type.kind == TypeKind::Truth) {
        const Label end = c.out.newLabel();
        c.out.mov(code, 1);
        jump(c, value, false, end);
        c.out.mov(code, 2);
        c.out.bind(end);
    } else {
        Gp whole = integer(c, value);
        if (leaf.kind == ShapeKind::Member) { // of a numbered domain
            const auto size = c.layout().domain(leaf.domain).size();
            check_range(c, 0, std::int64_t{size} - 1, value, whole, odd);
        } else {
            check_range(c, leaf.low, leaf.high, value, whole, odd);
            if (leaf.low != 0) {
                const Gp above = c.new64();
                c.out.mov(above, whole);
                c.out.sub(above, asmjit::Imm(leaf.low));
                whole = above;
            }
        }
        c.out.lea(code, x86::ptr(whole, 1));
    }
    return code;
}

// Columns of values, which hold numbers of any kind: 16 bytes, all zero if absent.

// Stores an integer, or a known number, in a column of values.
void store_number(Context& c, Id id, bool hangs) {
    const Node& node = c.at(id);
    const SchemaNode& known = c.schema(node.schema());
    const Label elsewhere = aside_step(c, id);
    const auto known_number = known_value(c, node.operands[0]);
    const bool is_real = known_number && known_number->tag == Tag::Double;
    const Gp number = is_real ? c.new64() : integer(c, node.operands[0]);
    if (is_real) c.out.mov(number, asmjit::Imm(known_number->integer));
    Mem tag = leaf(c, node, 1, elsewhere);
    Mem payload = tag;
    tag.setSize(8);
    payload.setSize(8);
    payload.addOffset(offsetof(Value, integer));
    if (!hangs || known.above_order != kNoOffset) {
        const Label there = c.out.newLabel();
        c.out.cmp(tag, 0);
        hangs ? c.out.jne(there) : c.out.je(elsewhere);
        if (hangs) append_to_record(c, node, 1);
        c.out.bind(there);
    }
    c.out.mov(tag, static_cast<int>(is_real ? Tag::Double : Tag::Int));
    c.out.mov(payload, number);
    bind_back(c);
}

bool is_field_of_few_bytes(const Context& c, Id id) {
    const Node& node = c.at(id);
    return node.kind == Kind::Erase && node.operands.empty() &&
           c.schema(node.schema()).above_order != kNoOffset &&
           few_bytes_of(c.layout(), node.schema());
}

x86::Gp order_above(Context& c, const Node& node) {
    const Gp order = c.new64();
    c.out.lea(order,
              x86::ptr(c.block, static_cast<std::int32_t>(c.schema(node.schema()).above_order)));
    return order;
}

// Removes the field from its record's list. Usually it is one of the last two.
void forget_field(Context& c, const Node& node) {
    const Gp order = order_above(c, node);
    const std::uint32_t slot = c.schema(node.schema()).slot;
    const Gp count = c.new64();
    const Gp last = c.new32();
    const Label back = c.out.newLabel();
    const Label removed = c.out.newLabel();
    const Label elsewhere = c.aside([&c, order, back, slot] {
        asmjit::InvokeNode* made = nullptr;
        c.out.invoke(&made, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&forget_entry)),
                     asmjit::FuncSignatureT<void, std::byte*, std::uint32_t>());
        made->setArg(0, order);
        made->setArg(1, asmjit::Imm(slot));
        c.out.jmp(back);
    });
    c.out.movzx(count.r32(), x86::word_ptr(order));
    c.out.movzx(last, x86::word_ptr(order, count, 1));
    c.out.cmp(last, slot);
    c.out.je(removed);
    c.out.cmp(count.r32(), 2);
    c.out.jb(elsewhere);
    c.out.cmp(x86::word_ptr(order, count, 1, -2), slot);
    c.out.jne(elsewhere);
    c.out.mov(x86::word_ptr(order, count, 1, -2), last.r16());
    c.out.bind(removed);
    c.out.mov(x86::word_ptr(order, count, 1), 0);
    c.out.dec(count.r32());
    c.out.mov(x86::word_ptr(order), count.r16());
    c.out.bind(back);
}

// Clears all of it but its entry in the list.
void clear_field(Context& c, const Node& node) {
    const auto gone = few_bytes_of(c.layout(), node.schema());
    for (const Erasure::Range& range : gone->ranges) {
        for (std::uint32_t done = 0; done < range.size;) {
            const std::uint32_t left = range.size - done;
            const std::uint32_t size = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
            c.out.mov(Mem(c.block, static_cast<std::int32_t>(range.begin + done), size), 0);
            done += size;
        }
    }
    for (const Erasure::Bits& bits : gone->bits) {
        const Gp keep = c.new64();
        c.out.mov(keep, asmjit::Imm(~bits.mask));
        c.out.and_(Mem(c.block, static_cast<std::int32_t>(bits.word), 8), keep);
    }
}

// Erases the only instance of a declared path, a field of a record; false if it is not one.
bool erase_field(Context& c, Id id) {
    if (!is_field_of_few_bytes(c, id)) return false;
    const Node& node = c.at(id);
    const Label end = c.out.newLabel();
    if (!node.is_present()) jump_present(c, node, 0, false, end);
    clear_field(c, node);
    if (!CROUPIER_MISTAKE(RemovedFieldListed)) forget_field(c, node);
    c.out.bind(end);
    return true;
}

// Adds maps outside all maps whose number of rows an expression reads.
void counted_maps(const Context& c, Id id, std::vector<SchemaId>& maps) {
    for_each_node(c.function, id, [&](Id each) {
        if (c.at(each).kind != Kind::CountRows) return;
        const Node& set = c.at(c.at(each).operands[0]);
        const bool bytes = set.kind == Kind::Rows && set.operands.empty() &&
                           c.schema(c.schema(set.schema()).element).column == Column::Code8 &&
                           c.layout().domain(c.schema(set.schema()).domain).size() <= kMaxRows;
        if (bytes && !has(maps, set.schema())) maps.push_back(set.schema());
    });
}

// Whether the block changes the map's rows, if at all, only by storing values in them.
bool only_stores(const Context& c, BlockId block, SchemaId map) {
    const auto& all = c.function.blocks[block].statements;
    return std::all_of(all.begin(), all.end(), [&](Id id) {
        const Node& node = c.at(id);
        if (node.kind == Kind::Group || node.kind == Kind::Apply || node.kind == Kind::If) {
            const bool goes_by_code =
                node.kind != Kind::Group ||
                c.module.catalogue->groups[node.group()].mode == GroupMode::Sequential;
            const std::size_t count =
                node.kind == Kind::If && node.else_fails() ? 1 : node.blocks.size();
            return goes_by_code &&
                   std::all_of(node.blocks.begin(),
                               node.blocks.begin() + static_cast<std::ptrdiff_t>(count),
                               [&](BlockId each) { return only_stores(c, each, map); });
        }
        const SchemaId element = c.schema(map).element;
        if (node.kind == Kind::Store && node.schema() == element) return true;
        const form::Places written = form::effects_of(c.module, c.function, id).writes;
        return !written.anything && !has(written.schemas, element);
    });
}

void count_map(Context& c, SchemaId map, const Gp& count) {
    Node rows;
    static_cast<form::Fields&>(rows) = {Kind::Rows, map};
    c.out.xor_(count.r32(), count.r32());
    if (!count_bytes(c, rows, count)) { // at most one word of rows
        const Gp word = c.new64();
        map_rows(c, rows, 0, word, 0);
        c.out.add(count, population(c, word));
    }
}

// Before a byte of the map is written: adds a row if there was none.
void count_stored(Context& c, const SchemaNode& element, const Mem& place) {
    const auto kept = c.kept_counts.find(element.parent);
    if (kept == c.kept_counts.end() || CROUPIER_MISTAKE(KeptCountStays)) return;
    // The carry is set where the byte is 0.
    c.out.cmp(place, 1);
    c.out.adc(kept->second, 0);
}

// The same for a slow path, in which the interpreter stores.
Label stored_aside(Context& c, Id id) {
    const auto kept = c.kept_counts.find(c.schema(c.at(id).schema()).parent);
    if (kept == c.kept_counts.end()) return aside_step(c, id);
    const Label back = c.out.newLabel();
    const Label label = c.aside([&c, id, back, map = kept->first, count = kept->second] {
        perform(c, id);
        count_map(c, map, count);
        c.out.jmp(back);
    });
    c.backs.push_back({back, label, c.out.cursor()});
    return label;
}

// Leaves the whole store to the interpreter.
void store_otherwise(Context& c, Id id) {
    if (!c.kept_counts.contains(c.schema(c.at(id).schema()).parent)) {
        perform(c, id);
        return;
    }
    c.out.jmp(stored_aside(c, id));
    bind_back(c);
}

// ---- writes of a map for all rows of a set at once ----

struct WideWrite {
    Gp rows; // address of the words of the set
    Gp code;
};

// Whether it writes a constant, or erases, in a map outside all others, for rows that fit in a
// register.
bool is_written_wide(const Context& c, Id id) {
    const Node& node = c.at(id);
    const bool stores = node.kind == Kind::StoreRows;
    if ((!stores && node.kind != Kind::EraseRows) ||
        c.schema(node.schema()).column != Column::Code8 ||
        node.operands.size() != (stores ? 2 : 1) ||
        !is_wide(c, c.at(node.operands[stores ? 1 : 0]).type.list))
        return false;
    const auto value = stores ? known_value(c, node.operands[0]) : Value{};
    return value &&
           (!stores || (node.hangs() && is_code_for(c, c.schema(node.schema()), node.operands[0])));
}

// Sets `address` to the words of a set, which it may have to put on the stack.
void address_of_set(Context& c, Id set, const Gp& address) {
    if (c.at(set).kind == Kind::RowsOf) {
        CROUPIER_PROBE(c.emission.write(set));
        address_rows(c, c.at(set).var(), address);
        return;
    }
    Mem place = stack_for_rows(c, words_of(c, set));
    keep_rows(c, set, place);
    place.setSize(0);
    c.out.lea(address, place);
}

// Writes the code for each row of the set: sixteen bytes at a time, the rest one by one.
void write_codes(Context& c, const Gp& base, const Gp& rows, const Gp& code, std::uint32_t size,
                 std::uint32_t width) {
    constexpr std::uint32_t kLane = 16;
    const std::uint32_t whole = width == 1 ? size / kLane * kLane : 0;
    if (whole != 0) {
        static constexpr struct alignas(16) {
            std::uint8_t bytes[kLane] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
        } kBits;
        const x86::Xmm values = c.new_xmm();
        const x86::Xmm bits = c.new_xmm();
        const x86::Xmm chosen = c.new_xmm();
        const x86::Xmm old = c.new_xmm();
        const Gp row = c.new64();
        const Gp half = c.new64();
        const Label next = c.out.newLabel();
        c.out.movd(values, code);
        c.out.punpcklbw(values, values);
        c.out.pshuflw(values, values, asmjit::Imm(0));
        c.out.punpcklqdq(values, values);
        c.out.mov(half, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&kBits)));
        c.out.movdqa(bits, x86::xmmword_ptr(half));
        c.out.xor_(row.r32(), row.r32());
        c.out.bind(next);
        c.out.mov(half, row);
        c.out.shr(half, 3);
        c.out.movzx(half.r32(), x86::word_ptr(rows, half));
        // Each byte has the eight bits that include its own.
        c.out.movd(chosen, half.r32());
        c.out.punpcklbw(chosen, chosen);
        c.out.pshuflw(chosen, chosen, asmjit::Imm(CROUPIER_MISTAKE(RowsOfFirstByte) ? 0 : 0x50));
        c.out.punpckldq(chosen, chosen);
        c.out.pand(chosen, bits);
        c.out.pcmpeqb(chosen, bits);
        c.out.movdqu(old, x86::xmmword_ptr(base, row));
        c.out.pxor(old, values);
        c.out.pandn(chosen, old); // the difference to the value, in bytes that stay
        c.out.pxor(chosen, values);
        c.out.movdqu(x86::xmmword_ptr(base, row), chosen);
        c.out.add(row, kLane);
        c.out.cmp(row, whole);
        c.out.jb(next);
    }
    for (std::uint32_t first = whole; first < size;) {
        const std::uint32_t last = std::min(size, (first / kWordRows + 1) * kWordRows);
        const Gp left = c.new64();
        const Gp row = c.new64();
        const Label next = c.out.newLabel();
        const Label end = c.out.newLabel();
        c.out.mov(left, x86::qword_ptr(rows, static_cast<std::int32_t>(first / kWordRows * 8)));
        if (first % kWordRows != 0) c.out.shr(left, first % kWordRows);
        c.out.bind(next);
        c.out.test(left, left);
        c.out.jz(end);
        c.out.bsf(row, left);
        c.out.btr(left, row);
        const auto at_first = static_cast<std::int32_t>(first * width);
        if (width == 1)
            c.out.mov(x86::byte_ptr(base, row, 0, at_first), code.r8());
        else
            c.out.mov(x86::word_ptr(base, row, 1, at_first), code.r16());
        c.out.jmp(next);
        c.out.bind(end);
        first = last;
    }
}

// Writes the codes for the rows of their sets, one after the other, in a column of bytes.
void write_wide(Context& c, const Gp& base, const std::vector<WideWrite>& writes,
                std::uint32_t size) {
    const std::size_t before = c.pool->used[3];
    const x86::Zmm bytes = c.new_zmm();
    std::vector<x86::Zmm> values;
    for (const WideWrite& each : writes) {
        values.push_back(c.new_zmm());
        c.out.vpbroadcastb(values.back(), each.code);
    }
    for (std::uint32_t w = 0; w < words_for(size); ++w) {
        const Mem place = Mem(base, static_cast<std::int32_t>(w * kWideBytes), kWideBytes);
        const bool whole = size - w * kWordRows >= kWordRows;
        if (whole) c.out.vmovdqu8(bytes, place);
        for (std::size_t i = 0; i < writes.size(); ++i) {
            c.out.kmovq(c.mask(), x86::qword_ptr(writes[i].rows, static_cast<std::int32_t>(w * 8)));
            if (whole)
                c.out.k(c.mask()).vpblendmb(bytes, bytes, values[i]);
            else // does not touch what follows the column
                c.out.k(c.mask()).vmovdqu8(place, values[i]);
        }
        if (whole) c.out.vmovdqu8(place, bytes);
    }
    c.pool->used[3] = before;
}

} // namespace

void ensure(Context& c, Id id) {
    const Node& node = c.at(id);
    const SchemaNode& known = c.schema(node.schema());
    if (known.column != Column::None || known.presence == kNoOffset) {
        perform(c, id);
        return;
    }
    make_present(c, id, 0);
}

void store(Context& c, Id id) {
    const Node& node = c.at(id);
    const SchemaNode& known = c.schema(node.schema());
    const Id value = node.operands[0];
    const bool is_there = node.is_present();
    const bool hangs = is_there || node.hangs() || known.parent == 0;
    const Node& given = c.at(value);
    const bool is_true = given.kind == Kind::Constant && given.type.kind == TypeKind::Any &&
                         c.module.values[given.value()].tag == Tag::Bool &&
                         c.module.values[given.value()].truth();
    if (known.kind == ShapeKind::Unit && is_true) {
        make_present(c, id, 1);
        return;
    }
    const auto constant = known_value(c, value);
    const bool is_real = constant && constant->tag == Tag::Double;
    if (known.kind == ShapeKind::Number && known.column == Column::Value &&
        (is_real || is_integer(c, value)) && !draws(c, value)) {
        store_number(c, id, hangs);
        return;
    }
    const bool codes = known.column == Column::Code8 || known.column == Column::Code16;
    const bool integers = known.column == Column::Int && is_integer(c, value);
    if ((!integers && !(codes && is_code_for(c, known, value))) || draws(c, value)) {
        store_otherwise(c, id);
        return;
    }
    const Label elsewhere = stored_aside(c, id);
    if (integers) {
        const Gp integer = engine::x86::integer(c, value);
        check_range(c, known.low, known.high, value, integer, elsewhere);
        const Mem place = leaf(c, node, 1, elsewhere);
        if (!is_there) {
            const Label there = c.out.newLabel();
            const Bit bit = presence(c, node, 1, elsewhere);
            const Gp word = c.new64();
            c.out.mov(word, bit.word);
            if (bit.number.isValid())
                c.out.bts(word, bit.number.r64());
            else
                c.out.bts(word, asmjit::Imm(bit.known));
            if (!hangs) {
                c.out.jnc(elsewhere);
            } else {
                c.out.jc(there);
                c.out.mov(bit.word, word);
                append_to_record(c, node, 1);
            }
            c.out.bind(there);
        }
        c.out.mov(place, integer);
        bind_back(c);
        return;
    }
    const Gp code = code_for(c, known, value, elsewhere);
    const Mem place = leaf(c, node, 1, elsewhere);
    if (!hangs || (known.above_order != kNoOffset && !is_there)) {
        const Label there = c.out.newLabel();
        if (!hangs || !node.is_absent()) {
            c.out.cmp(place, 0);
            hangs ? c.out.jne(there) : c.out.je(elsewhere);
        }
        if (hangs) append_to_record(c, node, 1);
        c.out.bind(there);
    }
    if (known.column == Column::Code8) {
        count_stored(c, known, place);
        c.out.mov(place, code.r8());
    } else {
        c.out.mov(place, code.r16());
    }
    bind_back(c);
}

void erase(Context& c, Id id) {
    const Node& node = c.at(id);
    const SchemaNode& known = c.schema(node.schema());
    const bool in_map = c.schema(known.parent).kind == ShapeKind::Map;
    if (in_map && known.kind == ShapeKind::Unit) {
        const asmjit::BaseNode* const begin = c.out.cursor();
        const Label end = c.out.newLabel();
        const Bit bit = presence(c, node, 0, end);
        const Gp word = c.new64();
        c.out.mov(word, bit.word);
        if (bit.number.isValid())
            c.out.btr(word, bit.number.r64());
        else
            c.out.btr(word, asmjit::Imm(bit.known));
        c.out.mov(bit.word, word);
        c.bind_if_asked_for(end, begin);
        return;
    }
    if (in_map && (known.column == Column::Code8 || known.column == Column::Code16)) {
        const Label end = c.out.newLabel();
        const Mem place = leaf(c, node, 0, end);
        c.out.mov(place, 0);
        c.out.bind(end);
        return;
    }
    if (erase_field(c, id)) return;
    // Does nothing if it is absent.
    const Label there = aside_step(c, id);
    jump_present(c, node, 0, true, there);
    bind_back(c);
}

// Erases the fields of the root that the first statements erase, if these are several: the root's
// list of fields is updated once for all. Returns the number of these statements.
std::size_t erase_fields(Context& c, std::span<const Id> statements) {
    const auto is_field = [&](Id id) {
        return is_field_of_few_bytes(c, id) && c.schema(c.at(id).schema()).parent == 0 &&
               c.schema(c.at(id).schema()).slot < kMaxSlots;
    };
    std::size_t count = 0;
    while (count < statements.size() && is_field(statements[count]))
        ++count;
    if (count < 2) return 0;
    const Gp gone = c.new64();
    c.out.xor_(gone.r32(), gone.r32());
    for (const Id id : statements.first(count)) {
        c.show(id);
        CROUPIER_PROBE(c.emission.write(id));
        const Label end = c.out.newLabel();
        if (!c.at(id).is_present()) jump_present(c, c.at(id), 0, false, end);
        clear_field(c, c.at(id));
        c.out.bts(gone, asmjit::Imm(c.schema(c.at(id).schema()).slot));
        c.out.bind(end);
    }
    const Label none = c.out.newLabel();
    c.out.test(gone, gone);
    c.out.jz(none);
    if (!CROUPIER_MISTAKE(RemovedFieldListed)) {
        asmjit::InvokeNode* made = nullptr;
        const Gp order = order_above(c, c.at(statements[0]));
        c.out.invoke(&made, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&erase_all_listed)),
                     asmjit::FuncSignatureT<void, std::byte*, std::uint64_t>());
        made->setArg(0, order);
        made->setArg(1, gone);
    }
    c.out.bind(none);
    return count;
}

// Until `stop_counting`, keeps the sizes that the action reads up to date in a loop.
std::vector<SchemaId> count_along(Context& c, BlockId action) {
    form::Numbers maps;
    for (const Id each : c.function.blocks[action].statements)
        counted_maps(c, each, maps);
    std::erase_if(maps, [&](SchemaId map) {
        return c.kept_counts.contains(map) || !only_stores(c, action, map);
    });
    for (const SchemaId map : maps) {
        const Gp count = c.new64();
        count_map(c, map, count);
        c.kept_counts[map] = count;
    }
    return maps;
}

void stop_counting(Context& c, const std::vector<SchemaId>& maps) {
    for (const SchemaId map : maps)
        c.kept_counts.erase(map);
}

// StoreRows and EraseRows.
void write_rows(Context& c, Id id) {
    const Node& node = c.at(id);
    const bool stores = node.kind == Kind::StoreRows;
    const std::size_t set = stores ? 1 : 0;
    const SchemaNode& known = c.schema(node.schema());
    const bool bits = known.column == Column::None && known.kind == ShapeKind::Unit;
    const bool codes = known.column == Column::Code8 || known.column == Column::Code16;
    const bool fits = !stores || bits || is_code_for(c, known, node.operands[0]);
    if ((!bits && !codes) || !fits || (stores && !node.hangs())) {
        perform(c, id);
        return;
    }
    const Label elsewhere = aside_step(c, id);
    const Label none = c.out.newLabel();
    check_codes(c, node, set + 1, none);
    const std::uint32_t width = width_of(known.column);
    const std::uint32_t size = size_of(c, c.at(node.operands[set]).type);
    std::int64_t constant = bits ? known.presence : known.values;
    const Index outer =
        scaled(c, node, set + 1, node.operands.size() - set - 1,
               bits ? std::int64_t{known.words} * 8 : std::int64_t{size} * width, constant);
    Mem place = outer.at(c.block, constant, 8);
    if (bits) {
        for (std::uint32_t w = 0; w < words_for(size); ++w) {
            const Gp rows = word(c, node.operands[set], w);
            if (!stores) c.out.not_(rows);
            stores ? c.out.or_(place, rows) : c.out.and_(place, rows);
            place.addOffset(8);
        }
    } else {
        const Gp code = c.new32();
        if (stores)
            c.out.mov(code, code_for(c, known, node.operands[0], elsewhere));
        else
            c.out.xor_(code, code);
        const Gp base = c.new64();
        const Gp rows = c.new64();
        place.setSize(0);
        c.out.lea(base, place);
        address_of_set(c, node.operands[set], rows);
        if (width == 1 && is_wide(c, c.at(node.operands[set]).type.list))
            write_wide(c, base, {{rows, code}}, size);
        else
            write_codes(c, base, rows, code, size, width);
    }
    c.out.bind(none);
    bind_back(c);
}

// Writes the first statements together if they write to one map. Returns their number.
std::size_t write_together(Context& c, std::span<const Id> statements) {
    std::size_t count = 0;
    while (count < statements.size() && is_written_wide(c, statements[count]) &&
           c.at(statements[count]).schema() == c.at(statements[0]).schema())
        ++count;
    if (count < 2) return 0;
    std::vector<WideWrite> writes;
    const SchemaNode& known = c.schema(c.at(statements[0]).schema());
    for (const Id each : statements.first(count)) {
        CROUPIER_PROBE(c.emission.write(each));
        const bool stores = c.at(each).kind == Kind::StoreRows;
        const std::uint32_t code =
            stores ? c.layout().code_of(known, *known_value(c, c.at(each).operands[0])) : 0;
        writes.push_back({c.new64(), c.new32()});
        c.out.mov(writes.back().code, code);
        address_of_set(c, c.at(each).operands[stores ? 1 : 0], writes.back().rows);
    }
    const Gp base = c.new64();
    c.out.lea(base, x86::ptr(c.block, static_cast<std::int32_t>(known.values)));
    const auto size = c.layout().domain(c.schema(known.parent).domain).size();
    write_wide(c, base, writes, size);
    return count;
}

} // namespace croupier::engine::x86
