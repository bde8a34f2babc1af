// Where the variables of a function are, and the interpreter's way with them.
#include "engine/emit/variables.h"

#include "engine/tree/layout.h"

#include <utility>

namespace croupier::engine::emit {

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

} // namespace croupier::engine::emit
