// Mistakes in the compiler and its machines that a test switches on, one at a time, to show that
// the other tests would see them. Release builds have none of this: CROUPIER_PLANTED is `false`.
#pragma once

#ifdef CROUPIER_PLANTED_MISTAKES

#include <atomic>

namespace croupier::engine {

enum class Mistake {
    None,
#define MISTAKE(name, meaning) name,
#include "engine/plan/planted.def"
#undef MISTAKE
};

// One for the whole process, read while a program is compiled and while it runs.
inline std::atomic<Mistake> planted_mistake{Mistake::None};

} // namespace croupier::engine

// Whether that mistake of planted.def is to be made here.
#define CROUPIER_PLANTED(name)                                                                     \
    (::croupier::engine::planted_mistake.load(std::memory_order_relaxed) ==                        \
     ::croupier::engine::Mistake::name)

#else
#define CROUPIER_PLANTED(name) false
#endif
