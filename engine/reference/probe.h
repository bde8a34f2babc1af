// Hooks for tests in the compiler and executor of the intermediate form: counters of what random
// rulesets reach, and mistakes that are switched on one at a time, to show that tests notice them.
// In release builds a mistake is `false` and a counter does nothing.
#pragma once

#include "engine/form/form.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace croupier::engine::probe {

enum class Mistake {
    None,
#define MISTAKE(name, meaning) name,
#include "engine/reference/mistakes.def"
#undef MISTAKE
};

enum class Rewrite {
#define REWRITE(name, meaning) name,
#include "engine/reference/rewrites.def"
#undef REWRITE
    Count
};
inline constexpr std::size_t kRewrites = static_cast<std::size_t>(Rewrite::Count);

// One for the whole process, read while programs are compiled and run.
inline std::atomic<Mistake> planted{Mistake::None};

struct Reached {
    using Counter = std::atomic<std::uint64_t>;
    std::array<Counter, form::kKinds> built{};       // nodes of modules, built or left by a pass
    std::array<Counter, form::kKinds> interpreted{}; // nodes run by the executor
    std::array<Counter, form::kKinds> emitted{};     // nodes with their own machine code
    std::array<Counter, kRewrites> rewrites{};

    // Cheap and free of data races, but may lose a count if two threads count at once.
    static void count(Counter& counter) {
        counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
};
inline Reached reached;

// Counts the nodes in all functions of the module.
inline void count_built(const form::Module& module) {
    for (const form::Function& function : module.functions)
        form::for_each_node_in(function, function.body, [&](form::Id id) {
            Reached::count(reached.built[static_cast<std::size_t>(function.at(id).kind)]);
        });
}

// Counts the nodes of one function that have their own machine code. Nodes always left to the
// executor do not count; those left only in rare cases do.
class Emission {
  public:
    explicit Emission(const form::Function& function)
        : function_(function), written_(function.nodes.size()), left_(function.nodes.size()) {}
    void write(form::Id id) { written_[id] = 1; }
    void leave(form::Id id, bool always) {
        if (always) left_[id] = 1;
    }
    void end() const {
        for (form::Id id = 0; id < function_.nodes.size(); ++id)
            if (written_[id] != 0 && left_[id] == 0)
                Reached::count(reached.emitted[static_cast<std::size_t>(function_.at(id).kind)]);
    }

  private:
    const form::Function& function_;
    std::vector<char> written_;
    std::vector<char> left_;
};

} // namespace croupier::engine::probe

// Whether the mistake of that name in mistakes.def is switched on.
#define CROUPIER_MISTAKE(name)                                                                     \
    (::croupier::engine::probe::planted.load(std::memory_order_relaxed) ==                         \
     ::croupier::engine::probe::Mistake::name)
// Counts a rewrite of rewrites.def that a pass applies.
#define CROUPIER_REWRITE(name)                                                                     \
    ::croupier::engine::probe::Reached::count(                                                     \
        ::croupier::engine::probe::reached                                                         \
            .rewrites[static_cast<std::size_t>(::croupier::engine::probe::Rewrite::name)])
#define CROUPIER_REWRITE_IF(condition, name)                                                       \
    do {                                                                                           \
        if (condition) CROUPIER_REWRITE(name);                                                     \
    } while (false)
// Counts the first rewrite if the condition holds, otherwise the other.
#define CROUPIER_REWRITE_EITHER(condition, name, other)                                            \
    do {                                                                                           \
        CROUPIER_REWRITE_IF(condition, name);                                                      \
        CROUPIER_REWRITE_IF(!(condition), other);                                                  \
    } while (false)
// Counts a node of that kind that the executor runs.
#define CROUPIER_INTERPRETED(kind)                                                                 \
    ::croupier::engine::probe::Reached::count(                                                     \
        ::croupier::engine::probe::reached.interpreted[static_cast<std::size_t>(kind)])
// Code that exists only in test builds.
#define CROUPIER_PROBE(...) __VA_ARGS__
