// Tables of what depends on a few codes.
#pragma once

#include "engine/form/edit.h"
#include "engine/form/form.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::engine::form {

// What expressions come to for all choices of the codes that they depend on.

// What one expression gives. Few values differ, so what is above it is computed for these alone.
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

// Computes expressions for all codes that they depend on. A code that is read, from a variable or
// from the state, is a leaf, unless the variable has been defined.
class CodeTables {
  public:
    CodeTables(Editor& edit, std::size_t most) : edit_(edit), most_(most) {}

    // The variable stands for that expression, which only depends on codes.
    void define(VarId var, Id expression) { definitions_[var] = expression; }
    void forget(VarId var) { definitions_.erase(var); }

    struct Made {
        std::vector<Id> leaves; // each once; they choose an entry
        std::vector<std::uint32_t> sizes;
        OutcomesPtr outcomes; // of all of them, and all its values can be told

        [[nodiscard]] std::size_t size() const { return outcomes->places.size(); }
        [[nodiscard]] const Value& operator[](std::size_t choice) const {
            return *(*outcomes)[choice];
        }
    };
    // What the expression depends on, if that is nothing but a few codes.
    std::optional<std::vector<Id>> leaves_of(Id expression);
    // Nothing where it depends on more than codes, on too many, or may end in an error.
    std::optional<Made> of(Id expression);
    [[nodiscard]] bool is_leaf(Id id) const;

  private:
    bool find_leaves(Id id, std::vector<Id>& leaves);
    void append_shape(Id id, const std::vector<Id>& leaves,
                      std::vector<std::uint64_t>& shape) const;
    OutcomesPtr outcomes_of(Id expression, const Made& made);
    bool find_leaves_of_rows(Id set, std::vector<Id>& leaves);
    OutcomesPtr outcomes_of_rows(Id asked, const Made& made) const;

    Editor& edit_;
    std::size_t most_; // entries of one table
    std::unordered_map<VarId, Id> definitions_;
    // OutcomeMaker that have been made, by what they were made of but for which codes choose: rules
    // ask the same again and again. Null: it cannot be told.
    std::map<std::vector<std::uint64_t>, OutcomesPtr> known_;
};

} // namespace croupier::engine::form
