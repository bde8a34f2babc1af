// Registers, labels, what stands aside and calls of the engine: what all of the emitter writes
// with.
#include "engine/emit/writer.h"

#include "engine/ir/print.h"

#include <algorithm>
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

} // namespace croupier::engine::emit
