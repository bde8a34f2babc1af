// A function as machine code: registers, and what the interpreter does for it.
#include "engine/emit/emitter.h"

#include "engine/ir/lists.h"
#include "engine/tree/layout.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace croupier::engine::emit {

// ---- tables ----------------------------------------------------------------------------------

Tables::Entries Tables::entries(std::uint32_t table, const ir::Type& type) {
    for (const Bytes& each : bytes_) {
        if (each.table == table && each.type == type) {
            return {each.data.get(), each.width};
        }
    }
    const ir::Entries& values = module_.tables[table].values;
    const bool codes = type.kind == TypeKind::Code;
    const std::size_t largest = codes ? module_.lists[type.list].values.size() : 1;
    Bytes made{table, type, largest < 256 ? 1u : 2u, nullptr};
    made.data = std::make_unique<std::uint8_t[]>(values.size() * made.width);
    std::vector<std::uint32_t> entries;
    for (const Value& each : values.different()) {
        entries.push_back(codes ? ir::code_of(module_, type.list, each) : each.truth() ? 1 : 0);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::memcpy(made.data.get() + i * made.width, &entries[values.places()[i]], made.width);
    }
    bytes_.push_back(std::move(made));
    return {bytes_.back().data.get(), bytes_.back().width};
}

Tables::Entries Tables::held(std::uint32_t list, const SchemaNode& leaf) {
    const std::vector<Value>& values = module_.lists[list].values;
    const std::uint32_t width = leaf.column == Column::Code8 ? 1 : 2;
    auto made = std::make_unique<std::uint8_t[]>((values.size() + 1) * width);
    bool same = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t code = module_.catalogue->layout->code_of(leaf, values[i]);
        same = same && code == i + 1;
        std::memcpy(made.get() + (i + 1) * width, &code, width);
    }
    if (same) {
        return {};
    }
    held_.push_back(std::move(made));
    return {held_.back().get(), width};
}

const Value* Tables::values(std::uint32_t table) {
    std::unique_ptr<Value[]>& all = values_[table];
    if (all == nullptr) {
        const ir::Entries& values = module_.tables[table].values;
        all = std::make_unique<Value[]>(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            all[i] = values[i];
        }
    }
    return all.get();
}

const std::uint64_t* Tables::words(std::uint32_t table) {
    return module_.tables[table].words.data();
}

const Value* Tables::list(std::uint32_t list) {
    if (lists_.size() <= list) {
        lists_.resize(list + std::size_t{1});
    }
    if (lists_[list] == nullptr) {
        const std::vector<Value>& values = module_.lists[list].values;
        lists_[list] = std::make_unique<Value[]>(values.size() + 1);
        std::copy(values.begin(), values.end(), lists_[list].get() + 1);
    }
    return lists_[list].get();
}

// ---- the function ----------------------------------------------------------------------------

namespace {

constexpr std::uint32_t kMostWeight = 255;

} // namespace

Emitter::Emitter(const ir::Module& module, const ir::Function& function, Tables& tables,
                 x86::Compiler& code)
    : module_(module), function_(function), tables_(tables), code_(code),
      read_(function.vars.size()), makes_rows_(function.vars.size()),
      registers_(function.vars.size()), kept_rows_(function.vars.size()) {
    note_reads(function.body);
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
    } else if (node.kind == Kind::LetRows || node.kind == Kind::LetTouching) {
        makes_rows_[node.x] = id;
    } else if (node.kind == Kind::LetCounts) {
        for (VarId i = 0; i < static_cast<VarId>(node.number); ++i) {
            makes_rows_[node.x + i] = id;
        }
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
    counters_ = code_.newIntPtr("counters");
    made->setArg(0, frame_);
    // Most instructions need these: nothing else takes their registers.
    code_.virtRegByReg(block_)->setWeight(kMostWeight);
    code_.virtRegByReg(counters_)->setWeight(kMostWeight);
    thrown_ = code_.newLabel();
    reload();
    code_.mov(slots_, in_frame(offsetof(Frame, slots)));
    code_.mov(counters_, in_frame(offsetof(Frame, counters)));
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

x86::Gp Emitter::new32() {
    if (pool_->used[0] == pool_->narrow.size()) {
        pool_->narrow.push_back(code_.newUInt32());
    }
    return pool_->narrow[pool_->used[0]++];
}

x86::Gp Emitter::new64() {
    if (pool_->used[1] == pool_->wide.size()) {
        pool_->wide.push_back(code_.newUInt64());
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
    return x86::Mem(counters_, static_cast<std::int32_t>(offset), size);
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
    backs_.push_back(back);
    return aside([this, id, back] {
        perform(id);
        code_.jmp(back);
    });
}

void Emitter::bind_back() {
    code_.bind(backs_.back());
    backs_.pop_back();
}

void Emitter::spill(Id id) {
    const Node& node = at(id);
    if (node.kind ==
        Kind::RowsOf) { // the interpreter makes the set for itself, from the same state
        perform(makes_rows_[node.x]);
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
