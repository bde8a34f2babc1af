// The strategy random: each of the activations of the highest salience is as likely as the others.
#pragma once

#include <cstdint>
#include <vector>

namespace croupier::engine::by_chance {

// Of a rule's matches: the highest salience of those that have not fired (`top`), and how many have
// it (`count`; none: 0).
template <typename Memory>
void count_top(Memory& memory) {
    memory.count = 0;
    for (const auto& known : memory.known) {
        if (known.fired) {
            continue;
        }
        if (memory.count == 0 || known.salience > memory.top) {
            memory.top = known.salience;
            memory.count = 0;
        }
        memory.count += known.salience == memory.top ? 1 : 0;
    }
}

// Of all rules: the highest salience, and how many activations have it; none: 0.
struct Choices {
    int top = 0;
    std::uint64_t count = 0;
};
template <typename Memory>
Choices choices(const std::vector<Memory>& memories) {
    Choices all;
    for (const Memory& memory : memories) {
        if (memory.count > 0 && (all.count == 0 || memory.top >= all.top)) {
            const bool higher = all.count == 0 || memory.top > all.top;
            all = {memory.top, memory.count + (higher ? 0 : all.count)};
        }
    }
    return all;
}

// The rule, by its place, and the match of that number, which is below choices().count.
struct Choice {
    std::uint32_t rule = 0;
    std::uint32_t match = 0;
};
template <typename Memory>
Choice choice(const std::vector<Memory>& memories, std::uint64_t number) {
    const int top = choices(memories).top;
    Choice at;
    for (;; ++at.rule) {
        const Memory& memory = memories[at.rule];
        if (memory.count > 0 && memory.top == top) {
            if (number < memory.count) {
                break;
            }
            number -= memory.count;
        }
    }
    const auto& known = memories[at.rule].known;
    while (known[at.match].fired || known[at.match].salience != top || number-- != 0) {
        ++at.match;
    }
    return at;
}

} // namespace croupier::engine::by_chance
