// Which variables are known at a place of a function.
#pragma once

#include "engine/ir/ir.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

class Scope {
  public:
    explicit Scope(std::size_t variables) : set_(variables), known_(variables) {}

    [[nodiscard]] std::size_t variables() const { return set_.size(); }
    [[nodiscard]] bool knows(VarId var) const { return known_[var] != 0; }
    // It is known from now on. False if another place has set it.
    bool add(VarId var) {
        known_[var] = 1;
        order_.push_back(var);
        return std::exchange(set_[var], 1) == 0;
    }
    // To forget what is added from now on.
    [[nodiscard]] std::size_t mark() const { return order_.size(); }
    void forget(std::size_t mark) {
        for (; order_.size() > mark; order_.pop_back()) {
            known_[order_.back()] = 0;
        }
    }

  private:
    std::vector<char> set_; // by variable
    std::vector<char> known_;
    std::vector<VarId> order_; // those known
};

} // namespace croupier::engine::ir
