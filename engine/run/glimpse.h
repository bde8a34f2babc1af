// What a thread runs at the moment, for who interrupts it to look: whose the time is.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/x86/code.h"
#include "engine/x86/frame.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace croupier::engine {

// The frame of this thread; null if it runs no rules.
inline constinit thread_local std::atomic<const x86::Frame*> running_frame = nullptr;

// While it lives, this thread runs rules. Rules may run inside others, by functions of the host.
class Running {
  public:
    explicit Running(const x86::Frame& frame)
        : outer_(running_frame.load(std::memory_order_relaxed)) {
        running_frame.store(&frame, std::memory_order_relaxed);
    }
    ~Running() { running_frame.store(outer_, std::memory_order_relaxed); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

  private:
    const x86::Frame* outer_;
};

// Numbers that say later whose rule it was.
struct Glimpse {
    const Catalogue* program = nullptr; // none: no rules were run
    const x86::Code* code = nullptr;    // none: they are interpreted
    GroupId group = kNone;              // that was asked for
    RuleId rule = kNone;                // as the interpreter knows it
    std::uintptr_t at = 0;              // of the instruction
    std::uintptr_t from = 0;            // of the one behind that by which machine code has called
};

// What this thread does, about to run the instruction at that address. A signal handler may call
// it: it reads a few words and nothing else.
Glimpse glimpse(std::uintptr_t at) noexcept;

// What was seen. A call from machine code is for the same as the instruction that calls.
struct TickOrigin {
    x86::Origin origin;
    bool in_code = false;                // and not in what it has called, or around it
    std::optional<x86::CodePlace> place; // of the instruction, or in the one that has called
};
// The program and its code must be alive.
TickOrigin tick_origin(const Glimpse& glimpse);

// By rule: the one whose action, or else, has the group of the rule in it; kNone where none has.
std::vector<RuleId> enclosing_rules(const Catalogue& catalogue);

} // namespace croupier::engine
