// The frame of a translation: how it is entered and left, and what all ops have in common.
#include "engine/native/available.h"
#include "engine/native/translator.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

#include <bit>
#include <cstdint>
#include <utility>

namespace croupier::engine::native {

bool can_translate() {
#if defined(__x86_64__) && defined(__linux__)
    constexpr std::uint8_t kReturn[] = {0xc3};
    return __builtin_cpu_supports("popcnt") != 0 && Code::make(kReturn, {}, {}) != nullptr;
#else
    return false;
#endif
}

std::shared_ptr<const Code> translate(const Program& program) {
#if defined(__x86_64__) && defined(__linux__)
    if (__builtin_cpu_supports("popcnt") != 0) return Translator(program).run();
#endif
    (void)program;
    return nullptr;
}

namespace {

// Ops that may give the state's block another place.
bool may_move(OpCode code) {
    return code == OpCode::Apply || code > OpCode::Cut;
}

} // namespace

Translator::Translator(const Program& program) : program_(program) {}

std::shared_ptr<const Code> Translator::run() {
    const auto ops = static_cast<std::uint32_t>(program_.code.size());
    thrown_ = code_.new_label();
    erase_ = code_.new_label();
    for (std::uint32_t pc = 0; pc <= ops; ++pc) {
        labels_.push_back(code_.new_label());
    }
    for (const LimitPlan& limit : program_.limits) {
        limits_.push_back({limit.low, static_cast<std::int64_t>(limit.masks.size()) - 1,
                           limit.masks.empty() ? nullptr : limit.masks.data()});
    }
    entry();
    code_.place(thrown_);
    leave(kThrown);
    erase_routine();
    for (std::uint32_t pc = 0; pc < ops; ++pc) {
        code_.place(label(pc));
        translate(pc);
    }
    code_.place(label(ops));
    leave(kFails);
    while (!asides_.empty()) {
        for (const auto& [begin, write] : std::exchange(asides_, {})) {
            code_.place(begin);
            write();
        }
    }
    const std::span<const std::uint8_t> bytes = code_.finish();
    std::vector<std::uint32_t> places;
    for (const Label each : labels_) {
        places.push_back(code_.place_of(each));
    }
    return Code::make(bytes, std::move(places), std::move(limits_));
}

// A function of the frame and the place to run from.
void Translator::entry() {
    constexpr Reg kKept[] = {Reg::Bx, Reg::Bp, Reg::R12, Reg::R13, Reg::R14, Reg::R15};
    for (const Reg reg : kKept) {
        code_.push(reg);
    }
    code_.move(kFrame, Reg::Di);
    code_.load64(kBlock, in_frame(offsetof(Frame, data)));
    code_.load64(kValues, in_frame(offsetof(Frame, values)));
    code_.set64(kConstants, std::bit_cast<std::uint64_t>(program_.values.data()));
    code_.set64(kMasks, std::bit_cast<std::uint64_t>(program_.masks.data()));
    code_.call(Reg::Si);
    for (std::size_t i = std::size(kKept); i-- > 0;) {
        code_.pop(kKept[i]);
    }
    code_.leave();
}

void Translator::leave(std::int32_t answer) {
    code_.set32(Reg::Ax, static_cast<std::uint32_t>(answer));
    code_.leave();
}

void Translator::translate(std::uint32_t pc) {
    CROUPIER_REACHED_OP(translated, program_.code[pc].code);
    const bool done = translate_test(pc) || translate_mask(pc) || translate_bytes(pc) ||
                      translate_control(pc) || translate_action(pc);
    if (!done) {
        test_apart(program_.code[pc]);
    }
}

// ---- places ------------------------------------------------------------------------------------

Mem Translator::value(std::uint16_t reg, std::size_t field) {
    return {kValues, static_cast<std::int32_t>(reg * sizeof(Value) + field)};
}

void Translator::scaled_row(Reg to, std::uint16_t reg, std::uint32_t stride) {
    code_.load16(to, row(reg));
    if (std::has_single_bit(stride)) {
        if (stride > 1) {
            code_.shift_left32(to, static_cast<std::uint8_t>(std::countr_zero(stride)));
        }
    } else {
        code_.multiply32(to, to, stride);
    }
}

namespace {

bool adds_first(const Op& op) {
    return op.b != kZeroRow && op.s != 0;
}

bool adds_second(const Op& op) {
    return op.c != kZeroRow && op.t != 0;
}

} // namespace

bool Translator::by_rows(const Op& op) {
    return adds_first(op) || adds_second(op);
}

bool Translator::offset_of_rows(const Op& op, std::uint32_t width) {
    const bool first = adds_first(op);
    const bool second = adds_second(op);
    if (first) {
        scaled_row(Reg::Ax, op.b, op.s * width);
    }
    if (second) {
        scaled_row(first ? Reg::Cx : Reg::Ax, op.c, op.t * width);
    }
    if (first && second) {
        code_.alu32(Alu::Add, Reg::Ax, Reg::Cx);
    }
    return first || second;
}

Mem Translator::addressed(const Op& op) {
    const bool by_rows = offset_of_rows(op);
    return in_block(op.x, by_rows ? Reg::Ax : Reg::Sp);
}

// ---- what an op does elsewhere -----------------------------------------------------------------

void Translator::call_apart(const Op& op, std::size_t apart) {
    code_.move(Reg::Di, kFrame);
    code_.set64(Reg::Si, std::bit_cast<std::uint64_t>(&op));
    code_.load64(Reg::Ax, in_frame(offsetof(Frame, aparts)));
    code_.call(Mem{Reg::Ax, static_cast<std::int32_t>(apart * sizeof(Apart))});
    if (may_move(op.code)) {
        code_.load64(kBlock, in_frame(offsetof(Frame, data)));
    }
    code_.test32(Reg::Ax, Reg::Ax);
    code_.jump(If::Negative, thrown_);
}

void Translator::test_apart(const Op& op) {
    call_apart(op, apart_of(op.code));
    if (op.fail != kNoTarget) {
        code_.jump(If::Zero, fail_of(op));
    }
}

void Translator::test_apart_with_mask(const Op& op) {
    code_.store64(in_frame(offsetof(Frame, mask)), kMask);
    call_apart(op, apart_of(op.code));
    code_.load64(kMask, in_frame(offsetof(Frame, mask)));
    if (op.fail != kNoTarget) {
        code_.jump(If::Zero, fail_of(op));
    }
}

Label Translator::aside(std::function<void()> write) {
    const Label begin = code_.new_label();
    asides_.emplace_back(begin, std::move(write));
    return begin;
}

Label Translator::apart_aside(std::uint32_t pc) {
    return aside([this, pc] {
        test_apart(program_.code[pc]);
        code_.jump(label(pc + 1));
    });
}

Label Translator::apart_aside_if_some(std::uint32_t pc, std::uint16_t reg) {
    return aside([this, pc, reg] {
        code_.alu8(Alu::Cmp, tag(reg), 0);
        code_.jump(If::Zero, fail_of(program_.code[pc]));
        test_apart(program_.code[pc]);
        code_.jump(label(pc + 1));
    });
}

Label Translator::mask_aside(const Op& op, Label next) {
    return aside([this, &op, next] {
        test_apart_with_mask(op);
        code_.jump(next);
    });
}

Label Translator::fault_aside(const Op& op, Extra extra) {
    return aside([this, &op, extra] { call_apart(op, apart_of(extra)); });
}

// ---- counters ----------------------------------------------------------------------------------

void Translator::count_firing(const Op& op) {
    code_.increment64(in_frame(offsetof(Frame, firings)));
    code_.load64(Reg::Ax, in_frame(offsetof(Frame, firings)));
    code_.alu64(Alu::Cmp, Reg::Ax, in_frame(offsetof(Frame, most_firings)));
    code_.jump(CROUPIER_PLANTED(LastFiringRefused) ? If::NotBelow : If::Above,
               fault_aside(op, Extra::TooManyFirings));
}

void Translator::count_step(const Op& op) {
    code_.increment64(in_frame(offsetof(Frame, steps)));
    code_.load64(Reg::Ax, in_frame(offsetof(Frame, steps)));
    code_.alu64(Alu::Cmp, Reg::Ax, in_frame(offsetof(Frame, most_steps)));
    code_.jump(If::Above, fault_aside(op, Extra::TooManySteps));
}

// ---- chains and control ------------------------------------------------------------------------

void Translator::act(const Op& op) {
    code_.store32(in_frame(offsetof(Frame, rule)), op.y);
    code_.increment64(in_frame(offsetof(Frame, matches)));
    if (op.x == kNone) {
        return;
    }
    count_firing(op);
    code_.push(kMask);
    code_.call(label(op.x));
    code_.pop(kMask);
    code_.test32(Reg::Ax, Reg::Ax);
    code_.jump(If::Negative, thrown_);
}

// As a group of an action; whose errors they are afterwards is as before.
void Translator::run_chain(std::uint32_t chain) {
    code_.load32(Reg::Ax, in_frame(offsetof(Frame, rule)));
    code_.push(Reg::Ax);
    code_.call(label(chain));
    code_.pop(Reg::Cx);
    code_.store32(in_frame(offsetof(Frame, rule)), Reg::Cx);
    code_.test32(Reg::Ax, Reg::Ax);
    code_.jump(If::Negative, thrown_);
}

bool Translator::gather(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    const auto kind = static_cast<KeyKind>(op.b);
    if (kind == KeyKind::Count) {
        code_.increment64(integer(op.a));
        return true;
    }
    if (kind != KeyKind::Sum || !is_integer(op.x, nullptr)) {
        return false;
    }
    const Label other = apart_aside(pc);
    code_.alu8(Alu::Cmp, tag(op.a), static_cast<std::uint8_t>(Tag::Int));
    code_.jump(If::NotZero, other);
    evaluate(op.x, nullptr, other);
    code_.alu64(Alu::Add, Reg::Ax, integer(op.a));
    if (!CROUPIER_PLANTED(SumsWrap)) {
        code_.jump(If::Overflow, other);
    }
    code_.store64(integer(op.a), Reg::Ax);
    return true;
}

bool Translator::translate_control(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    switch (op.code) {
    case OpCode::Enter:
        code_.store32(in_frame(offsetof(Frame, rule)), op.y);
        return true;
    case OpCode::Act:
        act(op);
        return true;
    case OpCode::Within:
        code_.load64(Reg::Ax, in_frame(offsetof(Frame, most_matches)));
        compare_integer(Reg::Ax, op.y);
        code_.jump(If::Below, fail_of(op));
        code_.load64(Reg::Ax, in_frame(offsetof(Frame, firings)));
        code_.alu64(Alu::Add, Reg::Ax, static_cast<std::int32_t>(op.y));
        code_.alu64(Alu::Cmp, Reg::Ax, in_frame(offsetof(Frame, most_firings)));
        code_.jump(If::Above, fail_of(op));
        return true;
    case OpCode::Fired:
        code_.store32(in_frame(offsetof(Frame, rule)), op.y);
        code_.increment64(in_frame(offsetof(Frame, matches)));
        count_firing(op);
        return true;
    case OpCode::Jump:
        code_.jump(label(op.x));
        return true;
    case OpCode::Choose:
        code_.load64(Reg::Dx, in_frame(offsetof(Frame, cursors)));
        code_.store32({Reg::Dx, 4 * op.a}, op.x);
        return true;
    case OpCode::Resume:
        test_apart(op);
        code_.load64(Reg::Ax, in_frame(offsetof(Frame, target)));
        code_.jump(Reg::Ax);
        return true;
    case OpCode::Start: {
        const auto kind = static_cast<KeyKind>(op.b);
        const bool from_zero = kind == KeyKind::Count || kind == KeyKind::Sum;
        code_.store64(tag(op.a), from_zero ? static_cast<std::int32_t>(Tag::Int) : 0);
        code_.store64(integer(op.a), 0);
        return true;
    }
    case OpCode::Gather:
        return gather(pc);
    case OpCode::Finish:
        code_.alu8(Alu::Cmp, tag(op.a), 0);
        code_.jump(If::Zero, fail_of(op));
        return true;
    case OpCode::End:
        code_.store32(in_frame(offsetof(Frame, acting)), kNone);
        leave(kFails);
        return true;
    case OpCode::Done:
        leave(kFails);
        return true;
    case OpCode::RunHere:
        if (program_.groups[op.x].mode != GroupMode::Sequential ||
            program_.groups[op.x].chain == kNone) {
            return false;
        }
        run_chain(program_.groups[op.x].chain);
        return true;
    default:
        return false;
    }
}

} // namespace croupier::engine::native
