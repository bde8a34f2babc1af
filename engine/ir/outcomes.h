// What expressions come to for all choices of the codes that they depend on.
#pragma once

#include "engine/ir/ir.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

// Of one expression. Few of its values differ, so what is above it is computed for these alone.
struct Outcomes {
    std::vector<std::uint32_t> leaves; // that it depends on, by their numbers, which rise
    std::vector<std::uint32_t> places; // for each choice of codes, the last leaf's fastest: of
    std::vector<std::optional<Value>> values; // nothing where it cannot be told

    [[nodiscard]] const std::optional<Value>& operator[](std::size_t choice) const {
        return values[places[choice]];
    }
};
using OutcomesPtr = std::shared_ptr<const Outcomes>;

class OutcomeMaker {
  public:
    // `leaf` is asked first, for every node below, and gives those that it knows: leaves have their
    // number, and as many values as `sizes` says.
    using Leaf = std::function<OutcomesPtr(Id)>;
    OutcomeMaker(const Module& module, const Function& function, std::vector<std::uint32_t> sizes,
                 Leaf leaf)
        : module_(module), function_(function), sizes_(std::move(sizes)), leaf_(std::move(leaf)) {}

    OutcomesPtr of(Id expression);

    // A leaf whose codes are those of the list, and one that has such a value by its code.
    static OutcomesPtr of_list(std::uint32_t leaf, const CodeList& list);
    static OutcomesPtr of_values(std::uint32_t leaf, std::vector<std::optional<Value>> values);

  private:
    class Combination;

    const Module& module_;
    const Function& function_;
    std::vector<std::uint32_t> sizes_; // of each leaf: its codes, with 0
    Leaf leaf_;
};

} // namespace croupier::engine::ir
