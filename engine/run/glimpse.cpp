// Records where a thread is and later finds the rule it was running.
#include "engine/run/glimpse.h"

#include "engine/language/ruleset.h"

namespace croupier::engine {

// The word below machine code's stack may belong to another function by now, so no sanitizer.
__attribute__((no_sanitize("address"))) Glimpse glimpse(std::uintptr_t at) noexcept {
    Glimpse glimpse;
    glimpse.at = at;
    const x86::Frame* const frame = x86::running_frame.load(std::memory_order_relaxed);
    if (frame == nullptr) return glimpse;
    glimpse.program = frame->program;
    glimpse.group = frame->group;
    glimpse.rule = frame->counters.rule;
    if (frame->stack != nullptr)
        glimpse.from = *(static_cast<const std::uintptr_t*>(frame->stack) - 1);
    glimpse.code = frame->code;
    return glimpse;
}

// If machine code has started but is not on top, the word below its stack is the return address of
// its call. Before its first call that word is arbitrary: it leads nowhere or, at worst, to the
// place of an earlier call.
TickOrigin tick_origin(const Glimpse& glimpse) {
    if (glimpse.code != nullptr) {
        if (const auto place = glimpse.code->place(glimpse.at))
            return {*place->origin, true, place};
        if (glimpse.from != 0) {
            if (const auto place = glimpse.code->place(glimpse.from - 1))
                return {*place->origin, false, place};
            return {};
        }
    }
    if (glimpse.rule == kNone || glimpse.rule >= glimpse.program->rules.size()) return {};
    return {x86::Origin{{glimpse.rule}}, false, {}};
}

std::vector<RuleId> enclosing_rules(const Catalogue& catalogue) {
    std::vector<RuleId> around(catalogue.rules.size(), kNone);
    for (RuleId rule = 0; rule < catalogue.rules.size(); ++rule) {
        const auto put = [&](const Group& group) {
            const auto known = catalogue.inner_groups.find(&group);
            if (known == catalogue.inner_groups.end()) return;
            for (const RuleId inner : catalogue.groups[known->second].rules)
                around[inner] = rule;
        };
        for_each<Group>(catalogue.rules[rule].source->action, put);
        for_each<Group>(catalogue.rules[rule].source->otherwise, put);
    }
    return around;
}

} // namespace croupier::engine
