// What a thread is running, for profilers that interrupt it: which rule its time is spent on.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/x86/code.h"
#include "engine/x86/frame.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace croupier::engine {

// Raw values from which tick_origin() later finds the rule.
struct Glimpse {
    const Catalogue* program = nullptr; // null: no rules were running
    const x86::Code* code = nullptr;    // null: they were interpreted
    GroupId group = kNone;              // the group that was run
    RuleId rule = kNone;                // as known to the executor
    std::uintptr_t at = 0;              // address of the instruction
    std::uintptr_t from = 0;            // return address of the call from machine code
};

// What this thread is doing at the instruction at that address. Safe in a signal handler: it only
// reads a few words.
Glimpse glimpse(std::uintptr_t at) noexcept;

// The origin of a tick. A call from machine code counts for the instruction that calls.
struct TickOrigin {
    x86::Origin origin;
    bool in_code = false;                // not in a function called from it, nor outside it
    std::optional<x86::CodePlace> place; // of the instruction, or of the one that called
};
// The program and its code must be alive.
TickOrigin tick_origin(const Glimpse& glimpse);

// For each rule the rule whose action or else contains its group, or kNone.
std::vector<RuleId> enclosing_rules(const Catalogue& catalogue);

} // namespace croupier::engine
