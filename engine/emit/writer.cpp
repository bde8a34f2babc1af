// Registers, labels, what stands aside and calls of the engine: what all of the emitter writes
// with.
#include "engine/emit/writer.h"

#include "engine/ir/print.h"
#include "engine/tree/layout.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace croupier::engine::emit {

namespace {

constexpr std::uint32_t kFirstWeight = 200; // of the first register of a pool
constexpr std::uint32_t kLessWeight = 20;   // of each that follows

} // namespace

// What a rule takes first, it mostly needs longest.
void Writer::weigh(const std::vector<Gp>& registers) {
    const auto before = static_cast<std::uint32_t>(registers.size()) * kLessWeight;
    if (pool_ == &here_ && before < kFirstWeight) {
        code_.virtRegByReg(registers.back())
            ->setWeight(static_cast<std::uint8_t>(kFirstWeight - before));
    }
}

x86::Gp Writer::new32() {
    if (pool_->used[0] == pool_->narrow.size()) {
        pool_->narrow.push_back(code_.newUInt32());
        weigh(pool_->narrow);
    }
    return pool_->narrow[pool_->used[0]++];
}

x86::Gp Writer::new64() {
    if (pool_->used[1] == pool_->wide.size()) {
        pool_->wide.push_back(code_.newUInt64());
        weigh(pool_->wide);
    }
    return pool_->wide[pool_->used[1]++];
}

x86::Xmm Writer::new_xmm() {
    if (pool_->used[2] == pool_->whole.size()) {
        pool_->whole.push_back(code_.newXmm());
    }
    return pool_->whole[pool_->used[2]++];
}

x86::Mem Writer::in_frame(std::size_t offset, std::uint32_t size) const {
    return x86::Mem(frame_, static_cast<std::int32_t>(offset), size);
}

x86::Mem Writer::counter(std::size_t offset, std::uint32_t size) const {
    return in_frame(offsetof(Frame, counters) + offset, size);
}

Label Writer::aside(std::function<void()> write) {
    const Label label = code_.newLabel();
    asides_.emplace_back(label, [this, rule = rule_, origin = origin_, write = std::move(write)] {
        rule_ = rule;
        go_to(origin);
        write();
    });
    return label;
}

void Writer::reload() {
    code_.mov(block_, in_frame(offsetof(Frame, block)));
}

void Writer::call(std::size_t helper, Id node, const Gp* result) {
    CROUPIER_PROBE(emission_.leave(node, pool_ == &here_ && (helper == offsetof(Frame, step) ||
                                                             helper == offsetof(Frame, evaluate))));
    const Gp target = new64();
    const Gp answer = new32();
    // Only who is called asks which rule is at hand, mostly to say where an error is.
    code_.mov(counter(offsetof(Counters, rule), 4), rule_);
    code_.mov(target, in_frame(helper));
    asmjit::InvokeNode* made = nullptr;
    code_.invoke(&made, target, asmjit::FuncSignatureT<std::int32_t, Frame*, std::uint32_t>());
    made->setArg(0, frame_);
    made->setArg(1, asmjit::Imm(node));
    made->setRet(0, answer);
    code_.test(answer, answer);
    code_.js(thrown_);
    if (!CROUPIER_MISTAKE(BlockStaysWhereItWas)) reload();
    if (result != nullptr) {
        code_.mov(*result, answer);
    }
}

// A jump to the label has been written behind that place.
bool Writer::is_asked_for(Label label, const asmjit::BaseNode* since) const {
    for (const asmjit::BaseNode* node = since->next(); node != nullptr; node = node->next()) {
        if (node->isInst()) {
            const auto* const inst = node->as<asmjit::InstNode>();
            for (std::uint32_t i = 0; i < inst->opCount(); ++i) {
                if (inst->op(i).isLabel() && inst->op(i).id() == label.id()) {
                    return true;
                }
            }
        }
    }
    return false;
}

void Writer::bind_if_asked_for(Label label, const asmjit::BaseNode* since) {
    if (is_asked_for(label, since)) {
        code_.bind(label);
    }
}

// Its first line: what stands inside comes with the code for that.
void Writer::show(Id id) {
    if (shows_) {
        std::string text = ir::statement_to_text(module_, function_, id, true);
        code_.comment(("; " + text.substr(0, text.find('\n'))).c_str());
    }
}

x86::Zmm Writer::new_zmm() {
    if (pool_->used[3] == pool_->wide_rows.size()) {
        pool_->wide_rows.push_back(code_.newZmm());
    }
    return pool_->wide_rows[pool_->used[3]++];
}

// For one instruction after the other.
x86::KReg Writer::mask() {
    if (!mask_) {
        mask_ = code_.newKq();
    }
    return *mask_;
}

// Says in between the instructions which rule they are for.

Writer::At::~At() {
    writer_.go_to(std::move(before_));
}

// Registers are allocated and instructions encoded later; a comment stays where it stands between
// them, and is no instruction.
void Writer::go_to(Origin origin) {
    if (origin == origin_) {
        return;
    }
    origin_ = std::move(origin);
    if (origins_ != nullptr) {
        const std::string number = std::to_string(origins_->number_of(origin_));
        code_.comment(number.c_str(), number.size());
    }
}

// What follows is for the entry that the node comes from, if it is one of the rule at hand.
void Writer::go_to_entry_of(const Node& node) {
    if (origin_.rules.size() != 1 || node.note == ir::kNothing) {
        return;
    }
    const Note& note = module_.notes[node.note];
    if (note.rule == origin_.rules[0] && note.entry != kNone) {
        go_to({origin_.rules, origin_.part, note.entry});
    }
}

void Writer::go_to_part(Origin::Part part) {
    go_to({origin_.rules, part, kNone});
}

// Where the variables of a function are, and the interpreter's way with them.

namespace {

constexpr std::uint32_t kFewWords = 2; // as quick one by one

} // namespace

Variables::Variables(const ir::Module& module, const ir::Function& function, Tables& tables,
                     x86::Compiler& code, bool wide)
    : Writer(module, function, tables, code), read_(function.vars.size()),
      registers_(function.vars.size()), wide_rows_(function.vars.size()), uses_wide_(wide),
      kept_rows_(function.vars.size()) {
    note_reads(function.body);
}

void Variables::note_reads(BlockId block) {
    for (const Id each : function_.blocks[block].statements) {
        note_reads_of(each);
    }
}

void Variables::note_reads_of(Id id) {
    const Node& node = at(id);
    if (node.kind == Kind::Variable) {
        read_[node.x] = true;
    }
    for (const Id operand : node.operands) {
        note_reads_of(operand);
    }
    for (const BlockId block : node.blocks) {
        note_reads(block);
    }
}

bool Variables::in_register(VarId var) const {
    const TypeKind kind = function_.vars[var].type.kind;
    return kind == TypeKind::Code || kind == TypeKind::Int || kind == TypeKind::Truth;
}

// The code is never 0.
bool Variables::is_sure(Id id) const {
    const Node& node = at(id);
    return node.kind == Kind::Constant ? node.number != 0
                                       : node.kind == Kind::Variable && function_.vars[node.x].sure;
}

x86::Gp Variables::reg(VarId var) {
    if (!registers_[var]) {
        registers_[var] = function_.vars[var].type.kind == TypeKind::Int ? new64() : new32();
    }
    return *registers_[var];
}

x86::Mem Variables::slot(VarId var, std::int32_t offset) const {
    return x86::ptr(slots_, static_cast<std::int32_t>(var * 16) + offset);
}

// ---- sets -----------------------------------------------------------------------------------

std::uint32_t Variables::words_of(Id set) const {
    return words_for(static_cast<std::uint32_t>(list(at(set).type.list).values.size()));
}

bool Variables::is_wide(std::uint32_t list) const {
    const std::uint32_t words =
        words_for(static_cast<std::uint32_t>(module_.lists[list].values.size()));
    return uses_wide_ && words > kFewWords && words <= kWideWords;
}

// A pair of words at a time is written, or eight.
x86::Mem Variables::stack_for_rows(std::uint32_t words) {
    return words <= 2 || words > kWideWords ? code_.newStack((words + words % 2) * 8, 16)
                                            : code_.newStack(kWideBytes, kWideBytes);
}

// Where the words of a variable are, on the stack.
x86::Mem Variables::rows_of(VarId var) {
    if (!kept_rows_[var]) {
        const std::size_t rows = list(function_.vars[var].type.list).values.size();
        kept_rows_[var] = stack_for_rows(words_for(static_cast<std::uint32_t>(rows)));
        kept_rows_[var]->setSize(8);
    }
    return *kept_rows_[var];
}

x86::Gp Variables::kept_word(VarId var, std::uint32_t w) {
    const Gp rows = new64();
    if (registers_[var]) {
        code_.mov(rows, *registers_[var]);
    } else if (wide_rows_[var]) {
        word_of_wide(rows, var, w);
    } else {
        Mem place = rows_of(var);
        place.addOffset(w * 8);
        code_.mov(rows, place);
    }
    return rows;
}

// A word of a set in a register.
void Variables::word_of_wide(const Gp& to, VarId var, std::uint32_t w) {
    x86::Xmm pair = wide_rows_[var]->xmm();
    if (w >= 2) {
        pair = new_xmm();
        code_.vextracti64x2(pair, *wide_rows_[var], asmjit::Imm(w / 2));
    }
    // Not vmovq: asmjit takes it that its source may be memory, where a set waits during a call.
    code_.vpextrq(to, pair, asmjit::Imm(w % 2));
}

// Where the words of a variable are, for who reads them there.
void Variables::put_rows(VarId var) {
    if (wide_rows_[var]) {
        Mem place = rows_of(var);
        place.setSize(kWideBytes);
        code_.vmovdqu64(place, *wide_rows_[var]);
    }
}

// Where the words of the variable are.
void Variables::address_rows(VarId var, const Gp& address) {
    Mem place = rows_of(var);
    if (registers_[var]) {
        code_.mov(place, *registers_[var]);
    }
    put_rows(var);
    place.setSize(0);
    code_.lea(address, place);
}

// ---- the interpreter's way ------------------------------------------------------------------

void Variables::perform(Id id) {
    spill(id);
    call(offsetof(Frame, step), id);
}

Label Variables::aside_step(Id id) {
    const Label back = code_.newLabel();
    const Label label = aside([this, id, back] {
        perform(id);
        code_.jmp(back);
    });
    backs_.push_back({back, label, code_.cursor()});
    return label;
}

// Each label ends what the allocator sees at once: none where nobody goes.
void Variables::bind_back() {
    const Back back = backs_.back();
    backs_.pop_back();
    if (is_asked_for(back.aside, back.since)) {
        code_.bind(back.label);
        return;
    }
    std::erase_if(asides_, [&](const auto& each) { return each.first.id() == back.aside.id(); });
}

void Variables::spill(Id id) {
    const Node& node = at(id);
    if (node.kind == Kind::RowsOf) {
        const Gp rows = new64();
        address_rows(node.x, rows);
        code_.mov(in_frame(offsetof(Frame, rows)), rows);
        call(offsetof(Frame, take_set), node.x);
    }
    if (node.kind == Kind::Variable && in_register(node.x) && registers_[node.x] &&
        !(CROUPIER_MISTAKE(IntegersNotSpilled) &&
          function_.vars[node.x].type.kind == TypeKind::Int)) {
        const Gp from = reg(node.x);
        switch (function_.vars[node.x].type.kind) {
        case TypeKind::Code:
            code_.mov(x86::dword_ptr(slots_, static_cast<std::int32_t>(node.x * 16)), from);
            break;
        case TypeKind::Truth: {
            const Gp wide = new64();
            code_.mov(wide.r32(), from);
            code_.mov(slot(node.x, 8), wide);
            code_.mov(x86::qword_ptr(slots_, static_cast<std::int32_t>(node.x * 16)),
                      static_cast<int>(Tag::Bool));
            break;
        }
        default:
            code_.mov(slot(node.x, 8), from);
            code_.mov(x86::qword_ptr(slots_, static_cast<std::int32_t>(node.x * 16)),
                      static_cast<int>(Tag::Int));
            break;
        }
    }
    for (const Id operand : node.operands) {
        spill(operand);
    }
    for (const BlockId block : node.blocks) {
        spill_block(block);
    }
}

void Variables::spill_block(BlockId block) {
    for (const Id each : function_.blocks[block].statements) {
        spill(each);
    }
}

// What the interpreter has set.
void Variables::fetch(VarId var) {
    if (!in_register(var)) {
        return;
    }
    if (function_.vars[var].type.kind == TypeKind::Code) {
        code_.mov(reg(var), x86::dword_ptr(slots_, static_cast<std::int32_t>(var * 16)));
    } else if (function_.vars[var].type.kind == TypeKind::Truth) {
        code_.mov(reg(var), x86::dword_ptr(slots_, static_cast<std::int32_t>(var * 16) + 8));
    } else {
        code_.mov(reg(var), slot(var, 8));
    }
}

// Where declared nodes are in the block.

namespace {

// The sizes of the domains of the maps on the way to a schema node, from the outermost inwards.
std::vector<std::uint32_t> sizes_of(const Layout& layout, SchemaId id) {
    std::vector<std::uint32_t> sizes;
    for (SchemaId each = id; each != kNoSchema; each = layout.node(each).parent) {
        const SchemaId above = layout.node(each).parent;
        if (above != kNoSchema && layout.node(above).kind == ShapeKind::Map) {
            sizes.insert(sizes.begin(), layout.domain(layout.node(above).domain).size());
        }
    }
    return sizes;
}

} // namespace

// A code that may be 0 leads nowhere.
void Places::check_codes(const Node& node, std::size_t first, Label none) {
    for (std::size_t i = first; i < node.operands.size(); ++i) {
        const Id operand = node.operands[i];
        if (at(operand).kind == Kind::Constant) {
            if (at(operand).number == 0) {
                code_.jmp(none);
            }
        } else if (!is_sure(operand) && !CROUPIER_MISTAKE(CodeNoneIsRow)) {
            const Gp code = code_of(operand);
            code_.test(code, code);
            code_.jz(none);
        }
    }
}

// Without an index the register is none.
x86::Mem Places::Index::at(const Gp& base, std::int64_t offset, std::uint32_t size) const {
    const auto by = static_cast<std::int32_t>(offset);
    return reg.isValid() ? x86::Mem(base, reg, shift, by, size) : x86::Mem(base, by, size);
}

Places::Index Places::times(const Gp& code, std::int64_t by) {
    const bool is_power = by > 0 && (by & (by - 1)) == 0;
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(by)));
    if (is_power && shift <= 3) {
        return {code.r64(), shift};
    }
    const Gp made = new64();
    if (is_power) {
        code_.mov(made.r32(), code);
        code_.shl(made.r32(), shift);
    } else {
        code_.imul(made.r32(), code, asmjit::Imm(by));
    }
    return {made, 0};
}

Places::Index Places::sum(const Index& a, const Index& b) {
    if (!a.reg.isValid() || !b.reg.isValid()) {
        return a.reg.isValid() ? a : b;
    }
    const Gp made = new64();
    if (a.shift == 0) {
        code_.lea(made, x86::ptr(a.reg, b.reg, b.shift));
    } else {
        code_.mov(made, a.reg);
        code_.shl(made, a.shift);
        code_.lea(made, x86::ptr(made, b.reg, b.shift));
    }
    return {made, 0};
}

// What `count` operands from `first` on add to an address, in units of an instance; what is known
// of it is added to `constant`.
Places::Index Places::scaled(const Node& node, std::size_t first, std::size_t count,
                             std::int64_t unit, std::int64_t& constant) {
    const std::vector<std::uint32_t> sizes = sizes_of(*module_.catalogue->layout, node.x);
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
        if (at(operand).kind == Kind::Constant) {
            constant += at(operand).number * strides[i];
        } else {
            all = sum(all, times(code_of(operand), strides[i]));
        }
    }
    return all;
}

// The value of a leaf.
x86::Mem Places::leaf(const Node& node, std::size_t first, Label none) {
    check_codes(node, first, none);
    const SchemaNode& known = schema(node.x);
    const std::uint32_t width = width_of(known.column);
    std::int64_t constant = known.values;
    return scaled(node, first, node.operands.size() - first, width, constant)
        .at(block_, constant, width);
}

Places::Bit Places::presence(const Node& node, std::size_t first, Label none) {
    check_codes(node, first, none);
    const SchemaNode& known = schema(node.x);
    const std::size_t count = node.operands.size() - first;
    const bool in_map = known.group != 1 || count != 0;
    const std::size_t outer = in_map ? count - 1 : 0;
    // The innermost code is the bit; those around it choose the words.
    std::vector<std::uint32_t> sizes = sizes_of(*module_.catalogue->layout, node.x);
    std::int64_t constant = known.presence;
    Index words;
    std::int64_t stride = std::int64_t{known.words} * 8;
    for (std::size_t i = outer; i-- > 0;) {
        const Id operand = node.operands[first + i];
        constant -= stride;
        if (at(operand).kind == Kind::Constant) {
            constant += at(operand).number * stride;
        } else {
            words = sum(words, times(code_of(operand), stride));
        }
        stride *= sizes[i];
    }
    Bit bit;
    if (in_map) {
        const Id row = node.operands.back();
        if (at(row).kind == Kind::Constant) {
            const auto number = static_cast<std::uint32_t>(at(row).number - 1);
            constant += number / 64 * 8;
            bit.known = number % 64;
        } else {
            bit.number = new32();
            code_.lea(bit.number, x86::ptr(code_of(row).r64(), -1));
            if (known.words > 1) {
                const Gp word = new64();
                code_.mov(word.r32(), bit.number);
                code_.shr(word, CROUPIER_MISTAKE(WordShiftedBySeven) ? 7 : 6);
                words = sum(words, {word, 3});
            }
        }
    }
    bit.word = words.at(block_, constant, 8);
    return bit;
}

x86::Mem Places::Bit::byte() const {
    Mem byte = word;
    byte.addOffset(CROUPIER_MISTAKE(PresenceInFirstByte) ? 0 : known / 8);
    byte.setSize(1);
    return byte;
}

void Places::jump_present(const Node& node, std::size_t first, bool when, Label to) {
    const SchemaNode& known = schema(node.x);
    const Label absent = when ? code_.newLabel() : to;
    if (node.x == 0) { // the root
        if (when) {
            code_.jmp(to);
        }
    } else if (known.column == Column::None || known.column == Column::Int) {
        const Bit bit = presence(node, first, absent);
        if (bit.number.isValid()) {
            const Gp word = new64();
            code_.mov(word, bit.word);
            code_.bt(word, bit.number.r64());
            when ? code_.jc(to) : code_.jnc(to);
        } else {
            code_.test(bit.byte(), bit.mask());
            when ? code_.jnz(to) : code_.jz(to);
        }
    } else {
        Mem place = leaf(node, first, absent);
        if (known.column == Column::Value) {
            place.setSize(1); // its tag
        }
        code_.cmp(place, 0);
        when ? code_.jne(to) : code_.je(to);
    }
    if (when) {
        code_.bind(absent);
    }
}

// The instance, which has come to be, is its record's last field.
void Places::append_to_record(const Node& node, std::size_t first) {
    const SchemaNode& known = schema(node.x);
    if (known.above_order == kNoOffset || CROUPIER_MISTAKE(NewFieldNotListed)) {
        return;
    }
    std::int64_t constant = known.above_order;
    const Index index =
        scaled(node, first, node.operands.size() - first, known.above_stride, constant);
    Gp order = block_;
    if (index.reg.isValid()) {
        order = new64();
        code_.lea(order, index.at(block_, constant, 0));
        constant = 0;
    }
    const auto offset = static_cast<std::int32_t>(constant);
    const Gp count = new64();
    code_.movzx(count.r32(), x86::word_ptr(order, offset));
    code_.inc(count.r32());
    code_.mov(x86::word_ptr(order, offset), count.r16());
    code_.mov(x86::word_ptr(order, count, 1, offset), known.slot);
}

// Which entry of the table its operands choose. The register may be a variable's own.
x86::Gp Places::table_index(const Node& node) {
    const std::vector<std::uint32_t>& sizes = module_.tables[node.x].sizes;
    if (node.operands.size() == 1) {
        return code_of(node.operands[0]).r64();
    }
    const Gp index = new64();
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
        code_.imul(index.r32(), i == 1 ? code_of(node.operands[0]) : index.r32(),
                   asmjit::Imm(sizes[CROUPIER_MISTAKE(TableBySizeBefore) ? i - 1 : i]));
        const Id operand = node.operands[i];
        if (at(operand).kind == Kind::Constant) {
            code_.add(index.r32(), at(operand).number);
        } else {
            code_.add(index.r32(), code_of(operand));
        }
    }
    return index;
}

// The entry of that number.
x86::Mem Places::in_table(const void* entries, const Gp& index, std::uint32_t width) {
    const auto address = reinterpret_cast<std::uintptr_t>(entries);
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(width));
    if (address <= INT32_MAX) {
        return x86::Mem(std::uint64_t{address}, index, shift, width);
    }
    const Gp base = new64();
    code_.mov(base, asmjit::Imm(address));
    return x86::Mem(base, index, shift, 0, width);
}

} // namespace croupier::engine::emit
