// Data that machine code shares with its interpreter.
#pragma once

#include "engine/state/state.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace croupier::engine {
class Catalogue;
class Random;
namespace form {
struct Function;
}
} // namespace croupier::engine

namespace croupier::engine::x86 {

class Code;
struct Frame;

// Functions of the interpreter that machine code calls for a node of the current function.
inline constexpr std::int32_t kThrown = -1; // an error is pending
inline constexpr std::int32_t kGoesBack = 0;
inline constexpr std::int32_t kGoesOn = 1;
using Helper = std::int32_t (*)(Frame* frame, std::uint32_t node) noexcept;

// Counts of a run and their bounds.
struct Counters {
    std::uint64_t steps = 0;
    std::uint64_t matches = 0;
    std::uint64_t firings = 0;
    std::uint64_t most_steps = 0;
    std::uint64_t most_matches = 0; // of one application of a rule
    std::uint64_t most_firings = 0;
    std::uint32_t rule = 0; // the current one; machine code sets it only before calls
};

// One per interpreter, read and written by machine code at its offsets.
struct Frame {
    std::byte* block = nullptr;      // the state's; a helper may move it
    void* slots = nullptr;           // of the function's variables, 16 bytes each
    std::uint64_t* buffer = nullptr; // pending matches; a helper may move it
    std::uint64_t buffer_size = 0;   // words
    std::uint64_t buffer_used = 0;
    Counters counters;
    // The result of `evaluate`: a value, or a code, a symbol or a node of the tree in its first
    // bytes.
    struct alignas(16) Result {
        std::uint64_t words[2] = {};
    } result;
    Helper step = nullptr;        // runs a statement
    Helper evaluate = nullptr;    // computes an expression, to `result`
    Helper first_child = nullptr; // of a loop over children: kGoesBack if there is none
    Helper next_child = nullptr;
    Helper grow = nullptr;             // makes the buffer larger
    Helper too_many_matches = nullptr; // for the current rule
    Helper too_many_firings = nullptr;
    Helper too_many_steps = nullptr;
    Helper call = nullptr;               // runs the statement, a call
    Helper take_set = nullptr;           // sets the variable to these rows:
    const std::uint64_t* rows = nullptr; // valid until the interpreter has used them
    // The end of machine code's own part of the stack; below it is the return address of its last
    // call. Null before machine code begins.
    const void* stack = nullptr;
    State* state = nullptr;
    Random* random = nullptr;
    const form::Function* function = nullptr; // the current one
    // The current run, for profilers that interrupt it (run/glimpse.h).
    const Catalogue* program = nullptr;
    const Code* code = nullptr;
    std::uint32_t group = 0;
    void* owner = nullptr;
};
// A group's function, and its machine code; null: interpreted, or not looked up yet.
struct GroupCode {
    const form::Function* function = nullptr;
    std::int32_t (*code)(Frame* frame) = nullptr;
};

// The frame of this thread, or null if it runs no rules.
inline constinit thread_local std::atomic<const Frame*> running_frame = nullptr;

// While it exists, this thread runs rules. Rules may run inside others, through host functions.
class Running {
  public:
    explicit Running(const Frame& frame) : outer_(running_frame.load(std::memory_order_relaxed)) {
        running_frame.store(&frame, std::memory_order_relaxed);
    }
    ~Running() { running_frame.store(outer_, std::memory_order_relaxed); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

  private:
    const Frame* outer_;
};

// Begins a run: counters are 0, no rule is current.
inline void begin(Frame& frame, const GroupCode& entry, std::uint32_t group, State& state,
                  Random& random) {
    frame.state = &state;
    frame.random = &random;
    frame.function = entry.function;
    frame.group = group;
    frame.stack = nullptr;
    frame.buffer_used = 0;
    frame.counters.steps = 0;
    frame.counters.matches = 0;
    frame.counters.firings = 0;
    frame.counters.rule = 0xffffffff;
}

// Runs a group's machine code; false if it ended with an error.
inline bool run(Frame& frame, const GroupCode& entry, std::uint32_t group, State& state,
                Random& random) {
    begin(frame, entry, group, state, random);
    frame.block = state.data();
    const Running running(frame);
    return entry.code(&frame) != kThrown;
}

static_assert(std::is_standard_layout_v<Frame> && std::is_standard_layout_v<Counters>);

// Keeps the first allowed rows of the set.
inline void keep_first(std::uint64_t* words, std::uint32_t count, std::uint64_t allowed) noexcept {
    for (std::uint32_t w = 0; w < count; ++w) {
        std::uint64_t kept = 0;
        for (std::uint64_t left = words[w]; left != 0 && allowed != 0; left &= left - 1) {
            kept |= left & (~left + 1);
            --allowed;
        }
        words[w] = kept;
    }
}

} // namespace croupier::engine::x86
