// Counters of what the compiler and its machines have done, so that a test can tell what random
// rulesets reach. Release builds have none of this: the macros are empty.
#pragma once

#ifdef CROUPIER_PLANTED_MISTAKES

#include "engine/plan/op.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace croupier::engine {

enum class Rewrite {
#define REWRITE(name, meaning) name,
#include "engine/plan/rewrites.def"
#undef REWRITE
    Count
};

inline constexpr std::size_t kCountedOps = static_cast<std::size_t>(OpCode::After) + 1;
inline constexpr std::size_t kRewrites = static_cast<std::size_t>(Rewrite::Count);

struct Reached {
    using Counter = std::atomic<std::uint64_t>;
    std::array<Counter, kCountedOps> emitted{};     // ops of finished programs
    std::array<Counter, kCountedOps> interpreted{}; // ops that the interpreter has run
    std::array<Counter, kCountedOps> translated{};  // ops with machine code
    std::array<Counter, kRewrites> rewrites{};

    // Cheap and free of races; of two threads that count at once, one may be lost.
    static void count(Counter& counter) {
        counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
};

inline Reached reached;

} // namespace croupier::engine

// The compiler applies that rewrite of rewrites.def.
#define CROUPIER_REACHED(name)                                                                     \
    ::croupier::engine::Reached::count(                                                            \
        ::croupier::engine::reached                                                                \
            .rewrites[static_cast<std::size_t>(::croupier::engine::Rewrite::name)])
#define CROUPIER_REACHED_IF(condition, name)                                                       \
    do {                                                                                           \
        if (condition) {                                                                           \
            CROUPIER_REACHED(name);                                                                \
        }                                                                                          \
    } while (false)
// An op is emitted, interpreted or translated.
#define CROUPIER_REACHED_OP(how, code)                                                             \
    ::croupier::engine::Reached::count(                                                            \
        ::croupier::engine::reached.how[static_cast<std::size_t>(code)])

#else
#define CROUPIER_REACHED(name) static_cast<void>(0)
#define CROUPIER_REACHED_IF(condition, name) static_cast<void>(sizeof((condition) ? 1 : 0))
#define CROUPIER_REACHED_OP(how, code) static_cast<void>(0)
#endif
