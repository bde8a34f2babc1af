// What translated plans and the machine that runs them share.
#pragma once

#include "engine/plan/op.h"
#include "engine/tree/state.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace croupier::engine {

class Machine;

namespace native {

struct Frame;

// What an op does where its translation does not do it: the machine's own way.
using Apart = std::int32_t (*)(Frame* frame, const Op* op);

// What it answers; the signs are what translated code tests.
inline constexpr std::int32_t kThrown = -1; // an error waits in the machine
inline constexpr std::int32_t kFails = 0;
inline constexpr std::int32_t kGoesOn = 1;

// Aparts that belong to no op alone stand behind those of the ops.
enum class Extra : std::size_t { TooManySteps, TooManyFirings };

inline constexpr std::size_t kOpCodes = static_cast<std::size_t>(OpCode::After) + 1;
inline constexpr std::size_t kAparts = kOpCodes + 2;

constexpr std::size_t apart_of(OpCode code) {
    return static_cast<std::size_t>(code);
}
constexpr std::size_t apart_of(Extra extra) {
    return kOpCodes + static_cast<std::size_t>(extra);
}

// One per machine, read and written by translated code at its offsets.
struct Frame {
    std::byte* data = nullptr; // the state's block
    Value* values = nullptr;   // registers
    NodeRef* nodes = nullptr;
    std::uint32_t* cursors = nullptr;
    std::uint64_t* loops = nullptr;
    const Apart* aparts = nullptr;
    const void* target = nullptr; // where code goes on that does not know it itself
    std::uint64_t mask = 0;       // the rows at hand, for aparts to read and change
    // Counters that are added to in one place and read in another stand apart: a load of two at
    // once would wait for both stores.
    std::uint64_t matches = 0;
    std::uint64_t firings = 0;
    std::uint64_t steps = 0;
    std::uint64_t most_matches = 0; // of one rule; the budgets
    std::uint64_t most_firings = 0;
    std::uint64_t most_steps = 0;
    std::uint32_t rule = 0;   // whose errors they are
    std::uint32_t acting = 0; // the note of the action's entry at hand; none between actions
    Machine* machine = nullptr;
};
static_assert(std::is_standard_layout_v<Frame>);

} // namespace native
} // namespace croupier::engine
