// What machine code leaves to the interpreter, and how it is called.
#include "engine/run/agenda_memory.h"
#include "engine/run/interpreter.h"

#include <cstring>
#include <utility>

namespace croupier::engine {

void Interpreter::prepare_frame() {
    static_assert(sizeof(Slot) == 16 && sizeof(Value) == 16);
    emit::Frame& frame = runtime_.frame();
    waiting_.resize(64);
    frame.buffer = waiting_.data();
    frame.buffer_size = waiting_.size();
    frame.slots = slots_.data();
    frame.step = step_for_code;
    frame.evaluate = evaluate_for_code;
    frame.first_child = first_child;
    frame.next_child = next_child;
    frame.grow = grow_buffer;
    frame.too_many_matches = too_many_matches;
    frame.too_many_firings = too_many_firings;
    frame.too_many_steps = too_many_steps;
    frame.agenda_begins = agenda_begins;
    frame.agenda_updates = agenda_updates;
    frame.agenda_picks = agenda_picks;
    frame.agenda_fires = agenda_fires;
    frame.call = call_for_code;
    frame.take_set = take_set;
    frame.program = &catalogue_;
    frame.code = code_;
    frame.owner = this;
}

// The error that machine code has ended with.
void Interpreter::throw_on() {
    if (thrown_ == nullptr) {
        runtime_.fail(RunErrorKind::Type, {}, "machine code gave up without an error");
    }
    std::rethrow_exception(std::exchange(thrown_, nullptr));
}

// Exceptions do not pass through machine code, which has no tables for it.
template <typename Work>
std::int32_t Interpreter::guard(emit::Frame* frame, Work work) noexcept {
    auto& self = *static_cast<Interpreter*>(frame->owner);
    try {
        self.walk();
        const std::int32_t answer = work(self);
        frame->block = self.runtime_.state().data();
        if (self.memory_ != nullptr) {
            self.memory_->drain();
        }
        return answer;
    } catch (...) {
        self.thrown_ = std::current_exception();
        return emit::kThrown;
    }
}

std::int32_t Interpreter::step_for_code(emit::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Interpreter& self) {
        return self.step(node, Taker()) == Flow::GoesOn ? emit::kGoesOn : emit::kGoesBack;
    });
}

// While an agenda runs, its rules are told what is shuffled; the journal is for what nobody
// foresaw.
std::int32_t Interpreter::call_for_code(emit::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Interpreter& self) {
        PreparedCall& call = self.prepared(self.at(node));
        const SchemaId shuffled = call.shuffled();
        AgendaMemory* const memory = self.memory_;
        const bool is_told = memory == nullptr || memory->has_same_readers(shuffled);
        if (shuffled == kNoSchema || !is_told || !call.shuffle(self.runtime_)) {
            self.step(node, Taker());
        } else if (memory != nullptr && call.has_moved()) {
            memory->touch(shuffled);
        }
        return emit::kGoesOn;
    });
}

// What machine code calls next reads the set where it stands.
std::int32_t Interpreter::take_set(emit::Frame* frame, std::uint32_t var) noexcept {
    auto& self = *static_cast<Interpreter*>(frame->owner);
    const std::size_t rows = self.module_.lists[self.function_->vars[var].type.list].values.size();
    self.sets_[var] = Rows(frame->rows, words_for(static_cast<std::uint32_t>(rows)));
    return emit::kGoesOn;
}

std::int32_t Interpreter::evaluate_for_code(emit::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Interpreter& self) {
        const Slot found = self.slot(node);
        std::memcpy(frame->result.words, &found, sizeof found);
        return emit::kGoesOn;
    });
}

// The loop's variables are that child, or the first behind it whose key is of the type.
bool Interpreter::visit_child(const Node& loop, NodeRef child) {
    const TypePlan& type = catalogue_.types[static_cast<std::size_t>(loop.number)];
    const bool all = type.kind == TypePlan::Kind::Any;
    for (; child; child = runtime_.next_sibling(child)) {
        runtime_.count_step();
        const Value name = all && loop.y == 0 ? Value{} : runtime_.key(child);
        if (all || runtime_.has_type(name, type)) {
            set(loop.x, Slot(child));
            if (loop.y != 0) {
                set(loop.y - 1, slot_of(function_->vars[loop.y - 1].type, name));
            }
            return true;
        }
    }
    return false;
}

std::int32_t Interpreter::first_child(emit::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Interpreter& self) {
        const Node& loop = self.at(node);
        const NodeRef child = self.runtime_.first_child(self.node(loop.operands[0]));
        return self.visit_child(loop, child) ? emit::kGoesOn : emit::kGoesBack;
    });
}

std::int32_t Interpreter::next_child(emit::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Interpreter& self) {
        const Node& loop = self.at(node);
        const NodeRef child = self.runtime_.next_sibling(self.slots_[loop.x].node);
        return self.visit_child(loop, child) ? emit::kGoesOn : emit::kGoesBack;
    });
}

std::int32_t Interpreter::grow_buffer(emit::Frame* frame, std::uint32_t words) noexcept {
    return guard(frame, [&](Interpreter& self) {
        self.waiting_.resize(2 * self.waiting_.size() + words);
        frame->buffer = self.waiting_.data();
        frame->buffer_size = self.waiting_.size();
        return emit::kGoesOn;
    });
}

std::int32_t Interpreter::too_many_matches(emit::Frame* frame, std::uint32_t) noexcept {
    return guard(frame,
                 [](Interpreter& self) -> std::int32_t { self.runtime_.too_many_matches(); });
}

std::int32_t Interpreter::too_many_firings(emit::Frame* frame, std::uint32_t) noexcept {
    return guard(frame,
                 [](Interpreter& self) -> std::int32_t { self.runtime_.too_many_firings(); });
}

std::int32_t Interpreter::too_many_steps(emit::Frame* frame, std::uint32_t) noexcept {
    return guard(frame, [](Interpreter& self) -> std::int32_t { self.runtime_.too_many_steps(); });
}

// ---- agendas ---------------------------------------------------------------------------------

AgendaMemory& Interpreter::memory_of(const Node& group) {
    const ir::Node& written = walked_->written(group);
    for (const std::unique_ptr<AgendaMemory>& each : memories_) {
        if (&each->group() == &written) {
            return *each;
        }
    }
    return *memories_.emplace_back(std::make_unique<AgendaMemory>(module_, *function_, written));
}

std::int32_t Interpreter::agenda_begins(emit::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Interpreter& self) {
        self.memory_ = &self.memory_of(self.at(node));
        self.memory_->begin(self.runtime_.state(), *frame);
        return emit::kGoesOn;
    });
}

std::int32_t Interpreter::agenda_updates(emit::Frame* frame, std::uint32_t rule) noexcept {
    return guard(frame, [&](Interpreter& self) {
        Saliences saliences(self, self.walked_->prepared(self.memory_->group()));
        self.memory_->update(rule, frame->buffer, saliences);
        return emit::kGoesOn;
    });
}

std::int32_t Interpreter::agenda_picks(emit::Frame* frame, std::uint32_t) noexcept {
    return guard(frame, [&](Interpreter& self) {
        return static_cast<std::int32_t>(self.memory_->pick(self.runtime_.random()));
    });
}

std::int32_t Interpreter::agenda_fires(emit::Frame* frame, std::uint32_t rule) noexcept {
    return guard(frame, [&](Interpreter& self) {
        self.memory_->fire(rule);
        return emit::kGoesOn;
    });
}

// However it has ended.
void Interpreter::end_agenda() {
    std::exchange(memory_, nullptr)->end();
}

} // namespace croupier::engine
