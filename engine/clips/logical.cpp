// Who rests on what.
#include "engine/clips/logical.h"

#include <algorithm>

namespace croupier::engine::clips {

void Dependencies::add(Match& match, Fact& fact) {
    match.supports = true;
    by_match_[&match].push_back(&fact);
    by_fact_[&fact].push_back(&match);
}

void Dependencies::release(const Fact& fact) {
    const auto found = by_fact_.find(&fact);
    if (found != by_fact_.end()) {
        for (const Match* match : found->second) {
            const auto facts = by_match_.find(match);
            if (facts == by_match_.end()) continue;
            std::erase(facts->second, &fact);
            if (facts->second.empty()) by_match_.erase(facts);
        }
        by_fact_.erase(found);
    }
    std::erase(due_, &fact);
}

template <typename Left>
void Dependencies::take_off(const Match& match, Left left) {
    const auto found = by_match_.find(&match);
    if (found == by_match_.end()) return;
    const std::vector<Fact*> facts = std::move(found->second);
    by_match_.erase(found);
    for (auto fact = facts.rbegin(); fact != facts.rend(); ++fact) {
        const auto matches = by_fact_.find(*fact);
        // It may rest on this match more than once.
        matches->second.erase(std::find(matches->second.begin(), matches->second.end(), &match));
        if (!matches->second.empty()) continue;
        by_fact_.erase(matches);
        left(*fact);
    }
}

void Dependencies::end(const Match& match) {
    take_off(match, [&](Fact* fact) { due_.push_back(fact); });
}

void Dependencies::forget(const Match& match) {
    take_off(match, [](Fact*) {});
}

Fact* Dependencies::take_due() {
    if (due_.empty()) return nullptr;
    Fact* fact = due_.back();
    due_.pop_back();
    return fact;
}

void Dependencies::clear() {
    by_match_.clear();
    by_fact_.clear();
    due_.clear();
}

} // namespace croupier::engine::clips
