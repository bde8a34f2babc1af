// A function as machine code: registers, and what the interpreter does for it.
#include "engine/emit/emitter.h"

#include "engine/ir/lists.h"
#include "engine/tree/layout.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace croupier::engine::emit {

// ---- the function ----------------------------------------------------------------------------

namespace {

constexpr std::uint32_t kMostWeight = 255;
constexpr std::uint32_t kFirstWeight = 200; // of the first register of a pool
constexpr std::uint32_t kLessWeight = 20;   // of each that follows

} // namespace

Emitter::Emitter(const ir::Module& module, const ir::Function& function, Tables& tables,
                 x86::Compiler& code, bool wide)
    : module_(module), function_(function), tables_(tables), code_(code),
      read_(function.vars.size()), registers_(function.vars.size()),
      kept_rows_(function.vars.size()), wide_rows_(function.vars.size()), uses_wide_(wide) {
    note_reads(function.body);
}

bool Emitter::has_wide_sets() const {
    return std::any_of(function_.nodes.begin(), function_.nodes.end(), [&](const Node& node) {
        return node.type.kind == TypeKind::Set && is_wide(node.type.list);
    });
}

void Emitter::note_reads(BlockId block) {
    for (const Id each : function_.blocks[block].statements) {
        note_reads_of(each);
    }
}

void Emitter::note_reads_of(Id id) {
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

void Emitter::run() {
    asmjit::FuncNode* const made = code_.addFunc(asmjit::FuncSignatureT<std::int32_t, Frame*>());
    frame_ = code_.newIntPtr("frame");
    block_ = code_.newIntPtr("block");
    slots_ = code_.newIntPtr("slots");
    made->setArg(0, frame_);
    if (uses_wide_ && has_wide_sets()) {
        made->frame().setAvxEnabled();
        made->frame().setAvx512Enabled();
        made->frame().setAvxCleanup();
    }
    // Most instructions need these: nothing else takes their registers.
    code_.virtRegByReg(block_)->setWeight(kMostWeight);
    code_.virtRegByReg(frame_)->setWeight(kMostWeight);
    thrown_ = code_.newLabel();
    reload();
    code_.mov(slots_, in_frame(offsetof(Frame, slots)));
    code_.mov(in_frame(offsetof(Frame, stack)), x86::rsp);
    block(function_.body);
    CROUPIER_PROBE(emission_.end());
    const Gp answer = new32();
    code_.mov(answer, kGoesOn);
    code_.ret(answer);
    pool_ = &aside_;
    while (!asides_.empty()) {
        for (const auto& [label, write] : std::exchange(asides_, {})) {
            aside_.reset();
            code_.bind(label);
            write();
        }
    }
    go_to({});
    code_.bind(thrown_);
    code_.mov(answer, kThrown);
    code_.ret(answer);
    code_.endFunc();
}

// What a rule takes first, it mostly needs longest.
void Emitter::weigh(const std::vector<Gp>& registers) {
    const auto before = static_cast<std::uint32_t>(registers.size()) * kLessWeight;
    if (pool_ == &here_ && before < kFirstWeight) {
        code_.virtRegByReg(registers.back())
            ->setWeight(static_cast<std::uint8_t>(kFirstWeight - before));
    }
}

x86::Gp Emitter::new32() {
    if (pool_->used[0] == pool_->narrow.size()) {
        pool_->narrow.push_back(code_.newUInt32());
        weigh(pool_->narrow);
    }
    return pool_->narrow[pool_->used[0]++];
}

x86::Gp Emitter::new64() {
    if (pool_->used[1] == pool_->wide.size()) {
        pool_->wide.push_back(code_.newUInt64());
        weigh(pool_->wide);
    }
    return pool_->wide[pool_->used[1]++];
}

x86::Xmm Emitter::new_xmm() {
    if (pool_->used[2] == pool_->whole.size()) {
        pool_->whole.push_back(code_.newXmm());
    }
    return pool_->whole[pool_->used[2]++];
}

bool Emitter::in_register(VarId var) const {
    const TypeKind kind = function_.vars[var].type.kind;
    return kind == TypeKind::Code || kind == TypeKind::Int || kind == TypeKind::Truth;
}

x86::Gp Emitter::reg(VarId var) {
    if (!registers_[var]) {
        registers_[var] = function_.vars[var].type.kind == TypeKind::Int ? new64() : new32();
    }
    return *registers_[var];
}

x86::Mem Emitter::slot(VarId var, std::int32_t offset) const {
    return x86::ptr(slots_, static_cast<std::int32_t>(var * 16) + offset);
}

x86::Mem Emitter::in_frame(std::size_t offset, std::uint32_t size) const {
    return x86::Mem(frame_, static_cast<std::int32_t>(offset), size);
}

x86::Mem Emitter::counter(std::size_t offset, std::uint32_t size) const {
    return in_frame(offsetof(Frame, counters) + offset, size);
}

Label Emitter::aside(std::function<void()> write) {
    const Label label = code_.newLabel();
    asides_.emplace_back(label, [this, rule = rule_, origin = origin_, write = std::move(write)] {
        rule_ = rule;
        go_to(origin);
        write();
    });
    return label;
}

// ---- the interpreter's way -------------------------------------------------------------------

void Emitter::reload() {
    code_.mov(block_, in_frame(offsetof(Frame, block)));
}

void Emitter::call(std::size_t helper, Id node, const Gp* result) {
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

void Emitter::perform(Id id) {
    spill(id);
    call(offsetof(Frame, step), id);
}

Label Emitter::aside_step(Id id) {
    const Label back = code_.newLabel();
    const Label label = aside([this, id, back] {
        perform(id);
        code_.jmp(back);
    });
    backs_.push_back({back, label, code_.cursor()});
    return label;
}

// Each label ends what the allocator sees at once: none where nobody goes.
void Emitter::bind_back() {
    const Back back = backs_.back();
    backs_.pop_back();
    if (is_asked_for(back.aside, back.since)) {
        code_.bind(back.label);
        return;
    }
    std::erase_if(asides_, [&](const auto& each) { return each.first.id() == back.aside.id(); });
}

// A jump to the label has been written behind that place.
bool Emitter::is_asked_for(Label label, const asmjit::BaseNode* since) const {
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

void Emitter::bind_if_asked_for(Label label, const asmjit::BaseNode* since) {
    if (is_asked_for(label, since)) {
        code_.bind(label);
    }
}

void Emitter::spill(Id id) {
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

void Emitter::spill_block(BlockId block) {
    for (const Id each : function_.blocks[block].statements) {
        spill(each);
    }
}

// What the interpreter has set.
void Emitter::fetch(VarId var) {
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
