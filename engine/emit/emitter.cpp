// A function as machine code: how it begins and ends.
#include "engine/emit/emitter.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::emit {

namespace {

// Of the registers that hold what most instructions need.
constexpr std::uint32_t kMostWeight = 255;

} // namespace

bool Emitter::has_wide_sets() const {
    return std::any_of(function_.nodes.begin(), function_.nodes.end(), [&](const Node& node) {
        return node.type.kind == TypeKind::Set && is_wide(node.type.list);
    });
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
    // Nothing else takes their registers.
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

} // namespace croupier::engine::emit
