// Facts that a rule with logical elements asserts: they stay as long as a match that they rest on.
#pragma once

#include "engine/clips/match.h"

#include <unordered_map>
#include <vector>

namespace croupier::engine::clips {

class Dependencies {
  public:
    // The fact rests on the match, beside what it rests on already.
    void add(Match& match, Fact& fact);
    // A fact that rests on nothing is there for good.
    [[nodiscard]] bool rests(const Fact& fact) const { return by_fact_.contains(&fact); }
    // The fact goes, or somebody has asserted it without a condition.
    void release(const Fact& fact);
    // The match is gone; facts that rested on it alone are due.
    void end(const Match& match);
    // The match is gone with its rule; what rested on it stays for good.
    void forget(const Match& match);
    // The next fact that must go, or null.
    Fact* take_due();
    [[nodiscard]] bool empty() const { return by_fact_.empty() && due_.empty(); }
    void clear();

  private:
    template <typename Left>
    void take_off(const Match& match, Left left);

    std::unordered_map<const Match*, std::vector<Fact*>> by_match_; // newest last
    std::unordered_map<const Fact*, std::vector<Match*>> by_fact_;
    std::vector<Fact*> due_; // the next one last
};

} // namespace croupier::engine::clips
