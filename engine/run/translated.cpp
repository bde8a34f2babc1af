// The machine as translated plans see it: their frame, and what they leave to it.
#include "engine/run/machine.h"

#include <array>
#include <utility>

namespace croupier::engine {

namespace {

bool acts(OpCode code) {
    return code > OpCode::Cut;
}

} // namespace

void Machine::prepare_frame() {
    static const auto kAparts = [] {
        std::array<native::Apart, native::kAparts> aparts{};
        for (std::size_t i = 0; i < native::kOpCodes; ++i) {
            const auto code = static_cast<OpCode>(i);
            aparts[i] = acts(code) ? change_apart : test_apart_of(code);
        }
        aparts[native::apart_of(native::Extra::TooManySteps)] = too_many_steps;
        aparts[native::apart_of(native::Extra::TooManyFirings)] = too_many_firings;
        return aparts;
    }();
    use_native(true);
    frame_.values = values_.data();
    frame_.nodes = nodes_.data();
    frame_.cursors = cursors_.data();
    frame_.loops = loops_.data();
    frame_.aparts = kAparts.data();
    frame_.most_matches = budgets_.matches_per_rule;
    frame_.most_firings = budgets_.firings;
    frame_.most_steps = budgets_.steps;
    frame_.machine = this;
}

void Machine::run_native(std::uint32_t pc) {
    frame_.data = state_->data();
    if (native_->run(frame_, pc) == native::kThrown) {
        std::rethrow_exception(std::exchange(thrown_, nullptr));
    }
}

// Errors do not pass through translated code: they wait until it has been left.
std::int32_t Machine::note_thrown() noexcept {
    thrown_ = std::current_exception();
    return native::kThrown;
}

std::int32_t Machine::change_apart(native::Frame* frame, const Op* op) noexcept {
    Machine& machine = *frame->machine;
    try {
        machine.frame_.acting = op->note;
        try {
            const bool goes_on = machine.change(*op);
            frame->data = machine.state_->data();
            return goes_on ? native::kGoesOn : native::kFails;
        } catch (const ShapeFault& fault) {
            machine.fail(RunErrorKind::Shape, machine.program_.notes[op->note].span, fault.what());
        }
    } catch (...) {
        return machine.note_thrown();
    }
}

std::int32_t Machine::too_many_steps(native::Frame* frame, const Op* /*op*/) noexcept {
    try {
        frame->machine->too_many_steps();
    } catch (...) {
        return frame->machine->note_thrown();
    }
}

std::int32_t Machine::too_many_firings(native::Frame* frame, const Op* op) noexcept {
    try {
        const bool clears = op->code == OpCode::ClearRows;
        frame->machine->too_many_firings(clears ? op->note : op->y);
    } catch (...) {
        return frame->machine->note_thrown();
    }
}

} // namespace croupier::engine
