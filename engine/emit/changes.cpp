// Changes of declared nodes.
#include "engine/emit/emitter.h"
#include "engine/ir/effects.h"
#include "engine/tree/layout.h"
#include "engine/tree/root_field.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace croupier::engine::emit {

void Changes::ensure(Id id) {
    const Node& node = at(id);
    const SchemaNode& known = schema(node.x);
    if (known.column != Column::None || known.presence == kNoOffset) {
        perform(id);
        return;
    }
    make_present(id, 0);
}

// A node that is only there or not, comes to be; what it hangs below may have to be made.
void Changes::make_present(Id id, std::size_t first) {
    const Node& node = at(id);
    const bool hangs = node.y == 1 || schema(node.x).parent == 0;
    const Label elsewhere = aside_step(id);
    const asmjit::BaseNode* const begin = code_.cursor();
    const Label end = code_.newLabel();
    const Bit bit = presence(node, first, elsewhere);
    const bool is_set = first != 0; // it is given its value, even if it has it
    if (is_set) {
        note_write(node, first);
    }
    if (!hangs) {
        if (bit.number.isValid()) {
            const Gp word = new64();
            code_.mov(word, bit.word);
            code_.bt(word, bit.number.r64());
            code_.jnc(elsewhere);
        } else {
            code_.test(bit.byte(), bit.mask());
            code_.jz(elsewhere);
        }
    } else {
        const bool asks = schema(node.x).above_order != kNoOffset || (!is_set && is_noted(node.x));
        if (bit.number.isValid()) {
            const Gp word = new64();
            code_.mov(word, bit.word);
            code_.bts(word, bit.number.r64());
            if (asks) {
                code_.jc(end);
            }
            code_.mov(bit.word, word);
        } else {
            if (asks) {
                code_.test(bit.byte(), bit.mask());
                code_.jnz(end);
            }
            code_.or_(bit.byte(), bit.mask());
        }
        if (asks) {
            append_to_record(node, first);
            if (!is_set) {
                note_write(node, first);
            }
        }
    }
    bind_if_asked_for(end, begin);
    bind_back();
}

void Changes::store(Id id) {
    const Node& node = at(id);
    const SchemaNode& known = schema(node.x);
    const Id value = node.operands[0];
    const bool is_there = node.number == ir::kThere;
    const bool hangs = is_there || node.y == 1 || known.parent == 0;
    const Node& given = at(value);
    const bool is_true = given.kind == Kind::Constant && given.type.kind == TypeKind::Any &&
                         module_.values[given.x].tag == Tag::Bool &&
                         module_.values[given.x].truth();
    if (known.kind == ShapeKind::Unit && is_true) {
        make_present(id, 1);
        return;
    }
    const auto constant = known_value(value);
    const bool is_real = constant && constant->tag == Tag::Double;
    if (known.kind == ShapeKind::Number && known.column == Column::Value &&
        (is_real || is_integer(value)) && !draws(value)) {
        store_number(id, hangs);
        return;
    }
    const bool codes = known.column == Column::Code8 || known.column == Column::Code16;
    const bool integers = known.column == Column::Int && is_integer(value);
    if ((!integers && !(codes && is_code_for(known, value))) || draws(value)) {
        store_otherwise(id);
        return;
    }
    const Label elsewhere = stored_aside(id);
    if (integers) {
        const Gp integer = this->integer(value);
        check_range(known.low, known.high, value, integer, elsewhere);
        const Mem place = leaf(node, 1, elsewhere);
        note_write(node, 1);
        if (!is_there) {
            const Label there = code_.newLabel();
            const Bit bit = presence(node, 1, elsewhere);
            const Gp word = new64();
            code_.mov(word, bit.word);
            if (bit.number.isValid()) {
                code_.bts(word, bit.number.r64());
            } else {
                code_.bts(word, asmjit::Imm(bit.known));
            }
            if (!hangs) {
                code_.jnc(elsewhere);
            } else {
                code_.jc(there);
                code_.mov(bit.word, word);
                append_to_record(node, 1);
            }
            code_.bind(there);
        }
        code_.mov(place, integer);
        bind_back();
        return;
    }
    const Gp code = code_for(known, value, elsewhere);
    const Mem place = leaf(node, 1, elsewhere);
    note_write(node, 1);
    if (!hangs || (known.above_order != kNoOffset && !is_there)) {
        const Label there = code_.newLabel();
        if (!hangs || node.number != ir::kAbsent) {
            code_.cmp(place, 0);
            hangs ? code_.jne(there) : code_.je(elsewhere);
        }
        if (hangs) {
            append_to_record(node, 1);
        }
        code_.bind(there);
    }
    if (known.column == Column::Code8) {
        count_stored(known, place);
        code_.mov(place, code.r8());
    } else {
        code_.mov(place, code.r16());
    }
    bind_back();
}

// Of a constant that is no code.
std::optional<Value> Changes::known_value(Id id) const {
    const Node& node = at(id);
    if (node.kind != Kind::Constant) {
        return std::nullopt;
    }
    return node.type.kind == TypeKind::Any   ? std::optional(module_.values[node.x])
           : node.type.kind == TypeKind::Int ? std::optional(Value::number(node.number))
                                             : std::nullopt;
}

// Whether `code_for` knows how the leaf holds the value.
bool Changes::is_code_for(const SchemaNode& leaf, Id value) const {
    const Node& node = at(value);
    if (const auto known = known_value(value)) {
        return module_.catalogue->layout->code_of(leaf, *known) != 0;
    }
    if (node.kind == Kind::Choose) {
        return is_code_for(leaf, node.operands[1]) && is_code_for(leaf, node.operands[2]);
    }
    if (node.type.kind == TypeKind::Code) {
        return true;
    }
    const bool numbers =
        leaf.kind == ShapeKind::Int ||
        (leaf.kind == ShapeKind::Member && module_.catalogue->layout->domain(leaf.domain).numbered);
    return (numbers && is_integer(value)) ||
           (leaf.kind == ShapeKind::Bool && node.type.kind == TypeKind::Truth);
}

// The code with which the leaf holds the value; `odd` where it cannot.
x86::Gp Changes::code_for(const SchemaNode& leaf, Id value, Label odd) {
    const Node& node = at(value);
    const Gp code = new32();
    if (const auto known = known_value(value)) {
        code_.mov(code, module_.catalogue->layout->code_of(leaf, *known));
    } else if (node.kind == Kind::Choose) {
        const Label otherwise = code_.newLabel();
        const Label end = code_.newLabel();
        jump(node.operands[0], false, otherwise);
        code_.mov(code, code_for(leaf, node.operands[1], odd));
        code_.jmp(end);
        code_.bind(otherwise);
        code_.mov(code, code_for(leaf, node.operands[2], odd));
        code_.bind(end);
    } else if (node.type.kind == TypeKind::Code) {
        // The list's values as the leaf holds them; of no value, and of one that does not fit, 0.
        const Tables::Entries held = tables_.held(node.type.list, leaf);
        const Gp given = code_of(value);
        if (held.data != nullptr) {
            code_.movzx(code, in_table(held.data, given.r64(), held.width));
        } else if (is_sure(value)) {
            return given;
        } else {
            code_.mov(code, given);
        }
        if (held.data != nullptr || !is_sure(value)) {
            code_.test(code, code);
            code_.jz(odd);
        }
    } else if (node.type.kind == TypeKind::Truth) {
        const Label end = code_.newLabel();
        code_.mov(code, 1);
        jump(value, false, end);
        code_.mov(code, 2);
        code_.bind(end);
    } else {
        Gp whole = integer(value);
        if (leaf.kind == ShapeKind::Member) { // of a numbered domain
            const auto size = module_.catalogue->layout->domain(leaf.domain).size();
            check_range(0, std::int64_t{size} - 1, value, whole, odd);
        } else {
            check_range(leaf.low, leaf.high, value, whole, odd);
            if (leaf.low != 0) {
                const Gp above = new64();
                code_.mov(above, whole);
                code_.sub(above, asmjit::Imm(leaf.low));
                whole = above;
            }
        }
        code_.lea(code, x86::ptr(whole, 1));
    }
    return code;
}

// The value, which is in the register, is from `low` to `high`.
void Changes::check_range(std::int64_t low, std::int64_t high, Id value, const Gp& integer,
                          Label odd) {
    const ir::Type& known = at(value).type;
    const bool bounded = known.kind == TypeKind::Int;
    const auto compare = [&](std::int64_t bound) {
        if (bound >= INT32_MIN && bound <= INT32_MAX) {
            code_.cmp(integer, asmjit::Imm(bound));
        } else {
            const Gp wide = new64();
            code_.mov(wide, asmjit::Imm(bound));
            code_.cmp(integer, wide);
        }
    };
    if (low != INT64_MIN && !(bounded && known.low >= low)) {
        compare(low);
        if (!CROUPIER_MISTAKE(LowEndUnchecked)) code_.jl(odd);
    }
    if (high != INT64_MAX && !(bounded && known.high <= high)) {
        compare(high);
        code_.jg(odd);
    }
}

void Changes::erase(Id id) {
    const Node& node = at(id);
    const SchemaNode& known = schema(node.x);
    const bool in_map = schema(known.parent).kind == ShapeKind::Map;
    if (in_map && known.kind == ShapeKind::Unit) {
        const asmjit::BaseNode* const begin = code_.cursor();
        const Label end = code_.newLabel();
        const Bit bit = presence(node, 0, end);
        const Gp word = new64();
        code_.mov(word, bit.word);
        if (bit.number.isValid()) {
            code_.btr(word, bit.number.r64());
        } else {
            code_.btr(word, asmjit::Imm(bit.known));
        }
        code_.mov(bit.word, word);
        if (is_noted(node.x)) {
            code_.jnc(end);
            note_write(node, 0);
        }
        bind_if_asked_for(end, begin);
        return;
    }
    if (in_map && (known.column == Column::Code8 || known.column == Column::Code16)) {
        const Label end = code_.newLabel();
        const Mem place = leaf(node, 0, end);
        if (is_noted(node.x)) {
            code_.cmp(place, 0);
            code_.je(end);
            note_write(node, 0);
        }
        code_.mov(place, 0);
        code_.bind(end);
        return;
    }
    if (erase_field(id)) {
        return;
    }
    // Nothing to do where nothing is there.
    const Label there = aside_step(id);
    jump_present(node, 0, true, there);
    bind_back();
}

// Columns of values, as numbers of any kind are held: 16 bytes, all zero where nothing is there.

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

// Fields that go from a record, which lists what it has.

namespace {

// The entry goes from a record's list of fields, which has it.
void forget_entry(std::byte* order, std::uint32_t slot) noexcept {
    const auto entry = static_cast<std::uint16_t>(slot);
    if (CROUPIER_MISTAKE(GapFilledByLast)) {
        std::uint16_t count = 0;
        std::memcpy(&count, order, sizeof count);
        std::byte* at = order + 2;
        while (std::memcmp(at, &entry, 2) != 0) {
            at += 2;
        }
        std::memcpy(at, order + 2 * std::size_t{count}, 2);
        std::memcpy(order + 2 * std::size_t{count}, &entry, 2);
    }
    erase_from_within(order, entry);
}

// Several of the root's.
void forget_entries(std::byte* order, std::uint64_t slots) noexcept {
    erase_all_listed(order, slots);
}

constexpr std::uint32_t kFewBytes = 64; // are cleared one store after the other
constexpr std::uint32_t kMostSlots = 64;

// What makes the only instance of a declared path go; none where it has many bytes.
std::optional<Erasure> few_bytes_of(const Layout& layout, SchemaId id) {
    std::optional<Erasure> gone = layout.erasure(id, 0);
    std::uint32_t bytes = 0;
    for (const Erasure::Range& range : gone ? gone->ranges : std::vector<Erasure::Range>()) {
        bytes += range.size;
    }
    return bytes > kFewBytes ? std::nullopt : gone;
}

} // namespace

bool Changes::is_field_of_few_bytes(Id id) const {
    const Node& node = at(id);
    return node.kind == Kind::Erase && node.operands.empty() &&
           schema(node.x).above_order != kNoOffset &&
           few_bytes_of(*module_.catalogue->layout, node.x);
}

// The field goes from its record's list: mostly it is one of the last two.
void Changes::forget_field(const Node& node) {
    const Gp order = order_above(node);
    const std::uint32_t slot = schema(node.x).slot;
    const Gp count = new64();
    const Gp last = new32();
    const Label back = code_.newLabel();
    const Label removed = code_.newLabel();
    const Label elsewhere = aside([this, order, back, slot] {
        asmjit::InvokeNode* made = nullptr;
        code_.invoke(&made, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&forget_entry)),
                     asmjit::FuncSignatureT<void, std::byte*, std::uint32_t>());
        made->setArg(0, order);
        made->setArg(1, asmjit::Imm(slot));
        code_.jmp(back);
    });
    code_.movzx(count.r32(), x86::word_ptr(order));
    code_.movzx(last, x86::word_ptr(order, count, 1));
    code_.cmp(last, slot);
    code_.je(removed);
    code_.cmp(count.r32(), 2);
    code_.jb(elsewhere);
    code_.cmp(x86::word_ptr(order, count, 1, -2), slot);
    code_.jne(elsewhere);
    code_.mov(x86::word_ptr(order, count, 1, -2), last.r16());
    code_.bind(removed);
    code_.mov(x86::word_ptr(order, count, 1), 0);
    code_.dec(count.r32());
    code_.mov(x86::word_ptr(order), count.r16());
    code_.bind(back);
}

// The only instance of a declared path, which is a field of a record.
bool Changes::erase_field(Id id) {
    if (!is_field_of_few_bytes(id)) {
        return false;
    }
    const Node& node = at(id);
    const Label end = code_.newLabel();
    if (node.number != ir::kThere) {
        jump_present(node, 0, false, end);
    }
    clear_field(node);
    if (!CROUPIER_MISTAKE(RemovedFieldListed)) {
        forget_field(node);
    }
    code_.bind(end);
    return true;
}

// The fields of the root that the first of the statements erase, if these are several: the list of
// what the root has is gone through once for all. Gives how many they are.
std::size_t Changes::erase_fields(std::span<const Id> statements) {
    const auto is_field = [&](Id id) {
        return is_field_of_few_bytes(id) && schema(at(id).x).parent == 0 &&
               schema(at(id).x).slot < kMostSlots;
    };
    std::size_t count = 0;
    while (count < statements.size() && is_field(statements[count])) {
        ++count;
    }
    if (count < 2) {
        return 0;
    }
    const Gp gone = new64();
    code_.xor_(gone.r32(), gone.r32());
    for (const Id id : statements.first(count)) {
        show(id);
        CROUPIER_PROBE(emission_.write(id));
        const Label end = code_.newLabel();
        if (at(id).number != ir::kThere) {
            jump_present(at(id), 0, false, end);
        }
        clear_field(at(id));
        code_.bts(gone, asmjit::Imm(schema(at(id).x).slot));
        code_.bind(end);
    }
    const Label none = code_.newLabel();
    code_.test(gone, gone);
    code_.jz(none);
    if (!CROUPIER_MISTAKE(RemovedFieldListed)) {
        asmjit::InvokeNode* made = nullptr;
        const Gp order = order_above(at(statements[0]));
        code_.invoke(&made, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&forget_entries)),
                     asmjit::FuncSignatureT<void, std::byte*, std::uint64_t>());
        made->setArg(0, order);
        made->setArg(1, gone);
    }
    code_.bind(none);
    return count;
}

x86::Gp Changes::order_above(const Node& node) {
    const Gp order = new64();
    code_.lea(order, x86::ptr(block_, static_cast<std::int32_t>(schema(node.x).above_order)));
    return order;
}

// All of it but its place in the list.
void Changes::clear_field(const Node& node) {
    const auto gone = few_bytes_of(*module_.catalogue->layout, node.x);
    note_write(node, 0); // who looks at something below it looks at it
    for (const Erasure::Range& range : gone->ranges) {
        for (std::uint32_t done = 0; done < range.size;) {
            const std::uint32_t left = range.size - done;
            const std::uint32_t size = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
            code_.mov(Mem(block_, static_cast<std::int32_t>(range.begin + done), size), 0);
            done += size;
        }
    }
    for (const Erasure::Bits& bits : gone->bits) {
        const Gp keep = new64();
        code_.mov(keep, asmjit::Imm(~bits.mask));
        code_.and_(Mem(block_, static_cast<std::int32_t>(bits.word), 8), keep);
    }
}

// How many rows a map of bytes has, while a loop adds some: counted once, then along with what is
// stored, since counting again would wait for each byte to have been written.

namespace {

constexpr std::uint32_t kMostRows = 4000; // of a map that is counted

bool has(const ir::Numbers& numbers, std::uint32_t number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

} // namespace

// Maps outside all maps of which some expression asks how many rows they have.
void Changes::counted_maps(Id id, ir::Numbers& maps) const {
    const Node& node = at(id);
    if (node.kind == Kind::CountRows) {
        const Node& set = at(node.operands[0]);
        const bool bytes =
            set.kind == Kind::Rows && set.operands.empty() &&
            schema(schema(set.x).element).column == Column::Code8 &&
            module_.catalogue->layout->domain(schema(set.x).domain).size() <= kMostRows;
        if (bytes && !has(maps, set.x)) {
            maps.push_back(set.x);
        }
    }
    for (const Id operand : node.operands) {
        counted_maps(operand, maps);
    }
    for (const BlockId block : node.blocks) {
        for (const Id each : function_.blocks[block].statements) {
            counted_maps(each, maps);
        }
    }
}

// The block changes which rows the map has by storing values in them, if at all.
bool Changes::only_stores(BlockId block, SchemaId map) const {
    const auto& all = function_.blocks[block].statements;
    return std::all_of(all.begin(), all.end(), [&](Id id) {
        const Node& node = at(id);
        if (node.kind == Kind::Group || node.kind == Kind::Apply || node.kind == Kind::If) {
            const bool goes_by_code =
                node.kind != Kind::Group ||
                module_.catalogue->groups[node.x].mode == GroupMode::Sequential;
            const std::size_t count = node.kind == Kind::If && node.y == 1 ? 1 : node.blocks.size();
            return goes_by_code &&
                   std::all_of(node.blocks.begin(),
                               node.blocks.begin() + static_cast<std::ptrdiff_t>(count),
                               [&](BlockId each) { return only_stores(each, map); });
        }
        const SchemaId element = schema(map).element;
        if (node.kind == Kind::Store && node.x == element) {
            return true;
        }
        const ir::Places written = ir::effects_of(module_, function_, id).writes;
        return !written.anything && !has(written.schemas, element);
    });
}

// From here on, until `stop_counting`: what a loop does to the sizes that its action asks for.
std::vector<SchemaId> Changes::count_along(BlockId action) {
    ir::Numbers maps;
    for (const Id each : function_.blocks[action].statements) {
        counted_maps(each, maps);
    }
    std::erase_if(maps, [&](SchemaId map) {
        return kept_counts_.contains(map) || !only_stores(action, map);
    });
    for (const SchemaId map : maps) {
        const Gp count = new64();
        count_map(map, count);
        kept_counts_[map] = count;
    }
    return maps;
}

void Changes::count_map(SchemaId map, const Gp& count) {
    Node rows;
    rows.kind = Kind::Rows;
    rows.x = map;
    code_.xor_(count.r32(), count.r32());
    if (!count_bytes(rows, count)) { // as many as one word has, or fewer
        const Gp word = new64();
        map_rows(rows, 0, word, 0);
        code_.add(count, population(word));
    }
}

void Changes::stop_counting(const std::vector<SchemaId>& maps) {
    for (const SchemaId map : maps) {
        kept_counts_.erase(map);
    }
}

// Right before a byte of the map's is written: one row more if there was none.
void Changes::count_stored(const SchemaNode& element, const Mem& place) {
    const auto kept = kept_counts_.find(element.parent);
    if (kept == kept_counts_.end() || CROUPIER_MISTAKE(KeptCountStays)) {
        return;
    }
    // The carry is set where the byte is 0.
    code_.cmp(place, 1);
    code_.adc(kept->second, 0);
}

// All of it is the interpreter's.
void Changes::store_otherwise(Id id) {
    if (!kept_counts_.contains(schema(at(id).x).parent)) {
        perform(id);
        return;
    }
    code_.jmp(stored_aside(id));
    bind_back();
}

// The same where the interpreter stores it.
Label Changes::stored_aside(Id id) {
    const auto kept = kept_counts_.find(schema(at(id).x).parent);
    if (kept == kept_counts_.end()) {
        return aside_step(id);
    }
    const Label back = code_.newLabel();
    const Label label = aside([this, id, back, map = kept->first, count = kept->second] {
        perform(id);
        count_map(map, count);
        code_.jmp(back);
    });
    backs_.push_back({back, label, code_.cursor()});
    return label;
}

// Which rules of an agenda are to be searched again because of what is written.

// The rules that look at what the action surely writes: noted at once, not write by write.
std::uint64_t Changes::surely_noted(BlockId action) const {
    std::uint64_t rules = 0;
    for (const Id each : function_.blocks[action].statements) {
        const Node& node = at(each);
        if (node.kind == Kind::Store && agenda_->declared[node.x].stride == 0) {
            rules |= agenda_->reader_words[agenda_->declared[node.x].first];
        }
    }
    return rules;
}

// A rule of the agenda looks at it, and that has not been noted.
bool Changes::is_noted(SchemaId schema) const {
    if (agenda_ == nullptr) {
        return false;
    }
    const AgendaPlan::Readers& readers = agenda_->declared[schema];
    return readers.stride != 0 || (agenda_->reader_words[readers.first] & ~noted_) != 0;
}

// The rules that look at the instance, by the operands from `first` on, are to be searched again.
// Its codes are known not to be 0.
void Changes::note_write(const Node& node, std::size_t first) {
    if (!is_noted(node.x)) {
        return;
    }
    const AgendaPlan::Readers& readers = agenda_->declared[node.x];
    const std::uint64_t* words = &agenda_->reader_words[readers.first];
    const Mem touched = in_frame(offsetof(Frame, touched));
    const Gp rules = new64();
    if (readers.stride == 0) {
        code_.mov(rules, asmjit::Imm(*words));
    } else {
        std::int64_t constant = 0;
        const Index index = scaled(node, first, node.operands.size() - first, 8, constant);
        const Gp base = new64();
        code_.mov(base, asmjit::Imm(reinterpret_cast<std::uintptr_t>(words) +
                                    static_cast<std::uintptr_t>(constant)));
        code_.mov(rules, index.at(base, 0, 8));
    }
    code_.or_(touched, rules);
}

} // namespace croupier::engine::emit
