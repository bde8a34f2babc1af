// Registers, labels, slow paths and calls of the engine; where variables of a function and declared
// nodes are, and how the interpreter reaches them.
#include "engine/x86/context.h"

#include "engine/x86/values.h"

#include "engine/form/to_text.h"
#include "engine/state/layout.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace croupier::engine::x86 {

namespace {

constexpr std::uint32_t kFirstWeight = 200; // of the first register of a pool
constexpr std::uint32_t kLessWeight = 20;   // of each that follows

constexpr std::uint32_t kFewWords = 2; // as fast one by one

// The sizes of the domains of the maps on the way to a schema node, from the outermost inwards.
std::vector<std::uint32_t> sizes_of(const Layout& layout, SchemaId id) {
    std::vector<std::uint32_t> sizes;
    for (SchemaId each = id; each != kNoSchema; each = layout.node(each).parent) {
        const SchemaId above = layout.node(each).parent;
        if (above != kNoSchema && layout.node(above).kind == ShapeKind::Map)
            sizes.insert(sizes.begin(), layout.domain(layout.node(above).domain).size());
    }
    return sizes;
}

void note_reads(Context& c, BlockId block) {
    for_each_node_in(c.function, block, [&](Id id) {
        if (c.at(id).kind == Kind::Variable) c.read[c.at(id).var()] = true;
    });
}

// Loads a word of a set that is in a register.
void word_of_wide(Context& c, const Gp& to, VarId var, std::uint32_t w) {
    x86::Xmm pair = c.wide_rows[var]->xmm();
    if (w >= 2) {
        pair = c.new_xmm();
        c.out.vextracti64x2(pair, *c.wide_rows[var], asmjit::Imm(w / 2));
    }
    // Not vmovq: asmjit assumes that its source may be memory, where a set is kept during a call.
    c.out.vpextrq(to, pair, asmjit::Imm(w % 2));
}

Index times(Context& c, const Gp& code, std::int64_t by) {
    const bool is_power = by > 0 && (by & (by - 1)) == 0;
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(by)));
    if (is_power && shift <= 3) return {code.r64(), shift};
    const Gp made = c.new64();
    if (is_power) {
        c.out.mov(made.r32(), code);
        c.out.shl(made.r32(), shift);
    } else {
        c.out.imul(made.r32(), code, asmjit::Imm(by));
    }
    return {made, 0};
}

Index sum(Context& c, const Index& a, const Index& b) {
    if (!a.reg.isValid() || !b.reg.isValid()) return a.reg.isValid() ? a : b;
    const Gp made = c.new64();
    if (a.shift == 0) {
        c.out.lea(made, x86::ptr(a.reg, b.reg, b.shift));
    } else {
        c.out.mov(made, a.reg);
        c.out.shl(made, a.shift);
        c.out.lea(made, x86::ptr(made, b.reg, b.shift));
    }
    return {made, 0};
}

} // namespace

// Registers that a rule takes first are usually needed longest.
void Context::weigh(const std::vector<Gp>& group) {
    const auto before = static_cast<std::uint32_t>(group.size()) * kLessWeight;
    if (pool == &common && before < kFirstWeight)
        out.virtRegByReg(group.back())->setWeight(static_cast<std::uint8_t>(kFirstWeight - before));
}

x86::Gp Context::new32() {
    if (pool->used[0] == pool->narrow.size()) {
        pool->narrow.push_back(out.newUInt32());
        weigh(pool->narrow);
    }
    return pool->narrow[pool->used[0]++];
}

x86::Gp Context::new64() {
    if (pool->used[1] == pool->wide.size()) {
        pool->wide.push_back(out.newUInt64());
        weigh(pool->wide);
    }
    return pool->wide[pool->used[1]++];
}

x86::Xmm Context::new_xmm() {
    if (pool->used[2] == pool->whole.size()) pool->whole.push_back(out.newXmm());
    return pool->whole[pool->used[2]++];
}

x86::Mem Context::in_frame(std::size_t offset, std::uint32_t size) const {
    return x86::Mem(frame, static_cast<std::int32_t>(offset), size);
}

x86::Mem Context::counter(std::size_t offset, std::uint32_t size) const {
    return in_frame(offsetof(Frame, counters) + offset, size);
}

Label Context::aside(std::function<void()> write) {
    const Label label = out.newLabel();
    asides.emplace_back(label, [this, at_hand = rule, whose = origin, write = std::move(write)] {
        rule = at_hand;
        go_to(whose);
        write();
    });
    return label;
}

Label Context::ends(std::size_t helper) {
    return aside([this, helper] {
        call(helper, 0);
        out.jmp(thrown);
    });
}

void Context::reload() {
    out.mov(block, in_frame(offsetof(Frame, block)));
}

void Context::call(std::size_t helper, Id node, const Gp* result) {
    CROUPIER_PROBE(emission.leave(node, pool == &common && (helper == offsetof(Frame, step) ||
                                                            helper == offsetof(Frame, evaluate))));
    const Gp target = new64();
    const Gp answer = new32();
    // Only called functions read the current rule, mostly for the place of an error.
    out.mov(counter(offsetof(Counters, rule), 4), rule);
    out.mov(target, in_frame(helper));
    asmjit::InvokeNode* made = nullptr;
    out.invoke(&made, target, asmjit::FuncSignatureT<std::int32_t, Frame*, std::uint32_t>());
    made->setArg(0, frame);
    made->setArg(1, asmjit::Imm(node));
    made->setRet(0, answer);
    out.test(answer, answer);
    out.js(thrown);
    if (!CROUPIER_MISTAKE(BlockStaysWhereItWas)) reload();
    if (result != nullptr) out.mov(*result, answer);
}

// Whether a jump to the label has been written after `since`.
bool Context::is_asked_for(Label label, const asmjit::BaseNode* since) const {
    for (const asmjit::BaseNode* node = since->next(); node != nullptr; node = node->next()) {
        if (node->isInst()) {
            const auto* const inst = node->as<asmjit::InstNode>();
            for (std::uint32_t i = 0; i < inst->opCount(); ++i)
                if (inst->op(i).isLabel() && inst->op(i).id() == label.id()) return true;
        }
    }
    return false;
}

void Context::bind_if_asked_for(Label label, const asmjit::BaseNode* since) {
    if (is_asked_for(label, since)) out.bind(label);
}

// Shows its first line: statements inside are shown before their own code.
void Context::show(Id id) {
    if (shows) {
        std::string text = form::statement_to_text(module, function, id, true);
        out.comment(("; " + text.substr(0, text.find('\n'))).c_str());
    }
}

x86::Zmm Context::new_zmm() {
    if (pool->used[3] == pool->wide_rows.size()) pool->wide_rows.push_back(out.newZmm());
    return pool->wide_rows[pool->used[3]++];
}

// One register for all masks, each of which is used at once.
x86::KReg Context::mask() {
    if (!one_mask) one_mask = out.newKq();
    return *one_mask;
}

// Marks between the instructions which rule they are for.

Context::At::~At() {
    c_.go_to(std::move(before_));
}

// A comment marks the origin: it keeps its place between instructions when registers are allocated
// and instructions encoded later, and adds no instruction.
void Context::go_to(Origin whose) {
    if (whose == origin) return;
    origin = std::move(whose);
    if (origins != nullptr) {
        const std::string number = std::to_string(origins->number_of(origin));
        out.comment(number.c_str(), number.size());
    }
}

// The code that follows is for the node's entry, if that is one of the current rule.
void Context::go_to_entry_of(const Node& node) {
    if (origin.rules.size() != 1 || node.note == form::kNothing) return;
    const Note& note = module.notes[node.note];
    if (note.rule == origin.rules[0] && note.entry != kNone)
        go_to({origin.rules, origin.part, note.entry});
}

void Context::go_to_part(Origin::Part part) {
    go_to({origin.rules, part, kNone});
}

Context::Context(const form::Module& in, const form::Function& of, Tables& tables_of,
                 x86::Compiler& to, Registers allowed)
    : module(in), function(of), tables(tables_of), out(to), read(of.vars.size()),
      registers(of.vars.size()), wide_rows(of.vars.size()), may_use(allowed),
      uses_wide(has(Feature::kAVX512_F) && has(Feature::kAVX512_BW) && has(Feature::kAVX512_DQ) &&
                has(Feature::kAVX512_VL)),
      kept_rows(of.vars.size()) {
    note_reads(*this, function.body);
}

bool Context::has(Feature::Id feature) const {
    return may_use == Registers::All && asmjit::CpuInfo::host().hasFeature(feature);
}

bool in_register(const Context& c, VarId var) {
    const TypeKind kind = c.function.vars[var].type.kind;
    return kind == TypeKind::Code || kind == TypeKind::Int || kind == TypeKind::Truth;
}

// Whether the code is never 0.
bool is_sure(const Context& c, Id id) {
    const Node& node = c.at(id);
    return node.kind == Kind::Constant
               ? node.literal() != 0
               : node.kind == Kind::Variable && c.function.vars[node.var()].sure;
}

x86::Gp reg(Context& c, VarId var) {
    if (!c.registers[var])
        c.registers[var] = c.function.vars[var].type.kind == TypeKind::Int ? c.new64() : c.new32();
    return *c.registers[var];
}

x86::Mem slot(const Context& c, VarId var, std::int32_t offset, std::uint32_t size) {
    return x86::Mem(c.slots, static_cast<std::int32_t>(var * 16) + offset, size);
}

void copy_value(Context& c, const Mem& to, const Mem& from) {
    const x86::Xmm whole = c.new_xmm();
    c.out.movups(whole, from);
    c.out.movups(to, whole);
}

std::uint32_t size_of(const Context& c, const form::Type& of) {
    return static_cast<std::uint32_t>(c.list(of.list).values.size());
}

std::uint32_t words_of(const Context& c, Id set) {
    return words_for(size_of(c, c.at(set).type));
}

bool is_wide(const Context& c, std::uint32_t list) {
    const std::uint32_t words = words_for(size_of(c, {TypeKind::Set, list}));
    return c.uses_wide && words > kFewWords && words <= kWideWords;
}

// Leaves room for writes of two words at a time, or eight.
x86::Mem stack_for_rows(Context& c, std::uint32_t words) {
    return words <= 2 || words > kWideWords ? c.out.newStack((words + words % 2) * 8, 16)
                                            : c.out.newStack(kWideBytes, kWideBytes);
}

// The words of a variable on the stack.
x86::Mem rows_of(Context& c, VarId var) {
    if (!c.kept_rows[var]) {
        c.kept_rows[var] = stack_for_rows(c, words_for(size_of(c, c.function.vars[var].type)));
        c.kept_rows[var]->setSize(8);
    }
    return *c.kept_rows[var];
}

x86::Gp kept_word(Context& c, VarId var, std::uint32_t w) {
    const Gp rows = c.new64();
    if (c.registers[var]) {
        c.out.mov(rows, *c.registers[var]);
    } else if (c.wide_rows[var]) {
        word_of_wide(c, rows, var, w);
    } else {
        Mem place = rows_of(c, var);
        place.addOffset(w * 8);
        c.out.mov(rows, place);
    }
    return rows;
}

// Writes the words of a variable to the stack, for code that reads them there.
void put_rows(Context& c, VarId var) {
    Mem place = rows_of(c, var);
    if (c.registers[var]) {
        c.out.mov(place, *c.registers[var]);
    } else if (c.wide_rows[var]) {
        place.setSize(kWideBytes);
        c.out.vmovdqu64(place, *c.wide_rows[var]);
    }
}

// Sets `address` to the words of the variable.
void address_rows(Context& c, VarId var, const Gp& address) {
    put_rows(c, var);
    Mem place = rows_of(c, var);
    place.setSize(0);
    c.out.lea(address, place);
}

void perform(Context& c, Id id) {
    spill(c, id);
    c.call(offsetof(Frame, step), id);
}

void evaluate(Context& c, Id id) {
    spill(c, id);
    c.call(offsetof(Frame, evaluate), id);
}

Label aside_step(Context& c, Id id) {
    const Label back = c.out.newLabel();
    const Label label = c.aside([&c, id, back] {
        perform(c, id);
        c.out.jmp(back);
    });
    c.backs.push_back({back, label, c.out.cursor()});
    return label;
}

// Binds a label only if something jumps to it: labels split what the allocator handles at once.
void bind_back(Context& c) {
    const Back back = c.backs.back();
    c.backs.pop_back();
    if (c.is_asked_for(back.aside, back.since)) {
        c.out.bind(back.label);
        return;
    }
    std::erase_if(c.asides, [&](const auto& each) { return each.first.id() == back.aside.id(); });
}

void spill(Context& c, Id id) {
    for_each_node(c.function, id, [&](Id each) {
        const Node& node = c.at(each);
        if (node.kind == Kind::RowsOf) {
            const Gp rows = c.new64();
            address_rows(c, node.var(), rows);
            c.out.mov(c.in_frame(offsetof(Frame, rows)), rows);
            c.call(offsetof(Frame, take_set), node.var());
        }
        if (node.kind != Kind::Variable || !in_register(c, node.var()) || !c.registers[node.var()])
            return;
        const TypeKind kind = c.function.vars[node.var()].type.kind;
        if (CROUPIER_MISTAKE(IntegersNotSpilled) && kind == TypeKind::Int) return;
        const Gp from = reg(c, node.var());
        if (kind == TypeKind::Code) {
            c.out.mov(slot(c, node.var(), 0, 4), from);
        } else if (kind == TypeKind::Truth) {
            const Gp wide = c.new64();
            c.out.mov(wide.r32(), from);
            c.out.mov(slot(c, node.var(), 8), wide);
            c.out.mov(slot(c, node.var(), 0, 8), static_cast<int>(Tag::Bool));
        } else {
            c.out.mov(slot(c, node.var(), 8), from);
            c.out.mov(slot(c, node.var(), 0, 8), static_cast<int>(Tag::Int));
        }
    });
}

// Loads what the interpreter has set.
void fetch(Context& c, VarId var) {
    if (!in_register(c, var)) return;
    if (c.function.vars[var].type.kind == TypeKind::Code)
        c.out.mov(reg(c, var), slot(c, var, 0, 4));
    else if (c.function.vars[var].type.kind == TypeKind::Truth)
        c.out.mov(reg(c, var), slot(c, var, 8, 4));
    else
        c.out.mov(reg(c, var), slot(c, var, 8));
}

// Jumps to `none` if a code is 0.
void check_codes(Context& c, const Node& node, std::size_t first, Label none) {
    for (std::size_t i = first; i < node.operands.size(); ++i) {
        const Id operand = node.operands[i];
        if (c.at(operand).kind == Kind::Constant) {
            if (c.at(operand).literal() == 0) c.out.jmp(none);
        } else if (!is_sure(c, operand) && !CROUPIER_MISTAKE(CodeNoneIsRow)) {
            const Gp code = code_of(c, operand);
            c.out.test(code, code);
            c.out.jz(none);
        }
    }
}

// The register is invalid if there is no index.
x86::Mem Index::at(const Gp& base, std::int64_t offset, std::uint32_t size) const {
    const auto by = static_cast<std::int32_t>(offset);
    return reg.isValid() ? x86::Mem(base, reg, shift, by, size) : x86::Mem(base, by, size);
}

// The part of an address that `count` operands from `first` on add, for instances of size `unit`;
// adds the constant part to `constant`.
Index scaled(Context& c, const Node& node, std::size_t first, std::size_t count, std::int64_t unit,
             std::int64_t& constant) {
    const std::vector<std::uint32_t> sizes = sizes_of(c.layout(), node.schema());
    std::vector<std::int64_t> strides(count);
    std::int64_t stride = unit;
    for (std::size_t i = count; i-- > 0;) {
        strides[i] = stride;
        stride *= sizes[i];
    }
    Index all;
    for (std::size_t i = 0; i < count; ++i) {
        const Id operand = node.operands[first + i];
        constant -= strides[i];
        if (c.at(operand).kind == Kind::Constant)
            constant += c.at(operand).literal() * strides[i];
        else
            all = sum(c, all, times(c, code_of(c, operand), strides[i]));
    }
    return all;
}

// The value of a leaf.
x86::Mem leaf(Context& c, const Node& node, std::size_t first, Label none) {
    check_codes(c, node, first, none);
    const SchemaNode& known = c.schema(node.schema());
    const std::uint32_t width = width_of(known.column);
    std::int64_t constant = known.values;
    return scaled(c, node, first, node.operands.size() - first, width, constant)
        .at(c.block, constant, width);
}

Bit presence(Context& c, const Node& node, std::size_t first, Label none) {
    check_codes(c, node, first, none);
    const SchemaNode& known = c.schema(node.schema());
    const std::size_t count = node.operands.size() - first;
    const bool in_map = known.group != 1 || count != 0;
    const std::size_t outer = in_map ? count - 1 : 0;
    // The innermost code is the bit; the outer ones choose the words.
    std::int64_t constant = known.presence;
    Index words = scaled(c, node, first, outer, std::int64_t{known.words} * 8, constant);
    Bit bit;
    if (in_map) {
        const Id row = node.operands.back();
        if (c.at(row).kind == Kind::Constant) {
            const auto number = static_cast<std::uint32_t>(c.at(row).literal() - 1);
            constant += number / 64 * 8;
            bit.known = number % 64;
        } else {
            bit.number = c.new32();
            c.out.lea(bit.number, x86::ptr(code_of(c, row).r64(), -1));
            if (known.words > 1) {
                const Gp word = c.new64();
                c.out.mov(word.r32(), bit.number);
                c.out.shr(word, CROUPIER_MISTAKE(WordShiftedBySeven) ? 7 : 6);
                words = sum(c, words, {word, 3});
            }
        }
    }
    bit.word = words.at(c.block, constant, 8);
    return bit;
}

x86::Mem Bit::byte() const {
    Mem byte = word;
    byte.addOffset(CROUPIER_MISTAKE(PresenceInFirstByte) ? 0 : known / 8);
    byte.setSize(1);
    return byte;
}

void jump_bit(Context& c, const Bit& bit, bool when, Label to) {
    if (bit.number.isValid()) {
        const Gp word = c.new64();
        c.out.mov(word, bit.word);
        c.out.bt(word, bit.number.r64());
        when ? c.out.jc(to) : c.out.jnc(to);
    } else {
        c.out.test(bit.byte(), bit.mask());
        when ? c.out.jnz(to) : c.out.jz(to);
    }
}

void jump_present(Context& c, const Node& node, std::size_t first, bool when, Label to) {
    const SchemaNode& known = c.schema(node.schema());
    const Label absent = when ? c.out.newLabel() : to;
    if (node.schema() == 0) { // the root
        if (when) c.out.jmp(to);
    } else if (known.column == Column::None || known.column == Column::Int) {
        jump_bit(c, presence(c, node, first, absent), when, to);
    } else {
        Mem place = leaf(c, node, first, absent);
        if (known.column == Column::Value) place.setSize(1); // its tag
        c.out.cmp(place, 0);
        when ? c.out.jne(to) : c.out.je(to);
    }
    if (when) c.out.bind(absent);
}

// Adds the new instance as its record's last field.
void append_to_record(Context& c, const Node& node, std::size_t first) {
    const SchemaNode& known = c.schema(node.schema());
    if (known.above_order == kNoOffset || CROUPIER_MISTAKE(NewFieldNotListed)) return;
    std::int64_t constant = known.above_order;
    const Index index =
        scaled(c, node, first, node.operands.size() - first, known.above_stride, constant);
    Gp order = c.block;
    if (index.reg.isValid()) {
        order = c.new64();
        c.out.lea(order, index.at(c.block, constant, 0));
        constant = 0;
    }
    const auto offset = static_cast<std::int32_t>(constant);
    const Gp count = c.new64();
    c.out.movzx(count.r32(), x86::word_ptr(order, offset));
    c.out.inc(count.r32());
    c.out.mov(x86::word_ptr(order, offset), count.r16());
    c.out.mov(x86::word_ptr(order, count, 1, offset), known.slot);
}

// The index of the table's entry for these codes. The register may be a variable's own.
x86::Gp table_index(Context& c, std::uint32_t table, std::span<const Id> codes) {
    const std::vector<std::uint32_t>& sizes = c.module.tables[table].sizes;
    if (codes.size() == 1) return code_of(c, codes[0]).r64();
    const Gp index = c.new64();
    for (std::size_t i = 1; i < codes.size(); ++i) {
        c.out.imul(index.r32(), i == 1 ? code_of(c, codes[0]) : index.r32(),
                   asmjit::Imm(sizes[CROUPIER_MISTAKE(TableBySizeBefore) ? i - 1 : i]));
        const Id operand = codes[i];
        if (c.at(operand).kind == Kind::Constant)
            c.out.add(index.r32(), c.at(operand).literal());
        else
            c.out.add(index.r32(), code_of(c, operand));
    }
    return index;
}

// The entry at that index.
x86::Mem in_table(Context& c, const void* entries, const Gp& index, std::uint32_t width) {
    const auto address = reinterpret_cast<std::uintptr_t>(entries);
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(width));
    if (address <= INT32_MAX) return x86::Mem(std::uint64_t{address}, index, shift, width);
    const Gp base = c.new64();
    c.out.mov(base, asmjit::Imm(address));
    return x86::Mem(base, index, shift, 0, width);
}

} // namespace croupier::engine::x86
