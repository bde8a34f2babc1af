// Tables of expressions that depend on a few codes.
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

// The values of expressions for all choices of the codes that they depend on.

// The values of one expression. Few are different, so its parents are computed only for these.
struct Outcomes {
    std::vector<std::uint32_t> leaves;        // numbers of those that it depends on, ascending
    std::vector<std::uint32_t> places;        // index in `values` by choice, last leaf fastest
    std::vector<std::optional<Value>> values; // nullopt if it is unknown

    [[nodiscard]] const std::optional<Value>& operator[](std::size_t choice) const {
        return values[places[choice]];
    }
};
using OutcomesPtr = std::shared_ptr<const Outcomes>;

class OutcomeMaker {
  public:
    // `leaf` is called first for every node and returns the outcomes that it knows, else null.
    // Those of a leaf have its number, and the number of values that `sizes` says.
    using Leaf = std::function<OutcomesPtr(Id)>;
    OutcomeMaker(const Module& module, const Function& function, std::vector<std::uint32_t> sizes,
                 Leaf leaf)
        : module_(module), function_(function), sizes_(std::move(sizes)), leaf_(std::move(leaf)) {}

    OutcomesPtr of(Id expression);

    // The outcomes of a leaf with the codes of the list, or with a value for each code.
    static OutcomesPtr of_list(std::uint32_t leaf, const CodeList& list);
    static OutcomesPtr of_values(std::uint32_t leaf, std::vector<std::optional<Value>> values);

  private:
    class Combination;

    const Module& module_;
    const Function& function_;
    std::vector<std::uint32_t> sizes_; // of each leaf: its number of codes, including 0
    Leaf leaf_;
};

// Computes expressions for all codes that they depend on. A code that is read from a variable or
// from the state is a leaf, unless the variable has been defined.
class CodeTables {
  public:
    // `most`: entries of a table.
    CodeTables(Editor& edit, std::size_t most_codes, std::size_t most)
        : edit_(edit), most_codes_(most_codes), most_(most) {}

    // Replaces the variable by that expression, which depends only on codes.
    void define(VarId var, Id expression) { definitions_[var] = expression; }
    void forget(VarId var) { definitions_.erase(var); }

    struct Made {
        std::vector<Id> leaves; // each once; they choose an entry
        std::vector<std::uint32_t> sizes;
        OutcomesPtr outcomes; // for all leaves; all values are known

        [[nodiscard]] std::size_t size() const { return outcomes->places.size(); }
        [[nodiscard]] const Value& operator[](std::size_t choice) const {
            return *(*outcomes)[choice];
        }
        // How a choice consists of the code of one leaf and a choice of the other leaves.
        struct Split {
            std::size_t inside = 1; // choices between one code of the leaf and the next
            std::size_t codes = 0;

            [[nodiscard]] std::size_t code(std::size_t choice) const {
                return choice / inside % codes;
            }
            [[nodiscard]] std::size_t others(std::size_t choice) const {
                return choice / (inside * codes) * inside + choice % inside;
            }
            [[nodiscard]] std::size_t choice(std::size_t others, std::size_t code) const {
                return (others / inside * codes + code) * inside + others % inside;
            }
        };
        [[nodiscard]] Split split(std::size_t leaf) const {
            Split made{1, sizes[leaf]};
            for (std::size_t i = leaf + 1; i < sizes.size(); ++i)
                made.inside *= sizes[i];
            return made;
        }
    };
    // The leaves of the expression; nullopt if it depends on anything but a few codes.
    std::optional<std::vector<Id>> leaves_of(Id expression);
    // Returns nullopt if it depends on other things or too many codes, or may end in an error.
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
    std::size_t most_codes_;
    std::size_t most_; // entries of one table
    std::unordered_map<VarId, Id> definitions_;
    // Outcomes by the shape of their expression, which leaves out which codes choose: rules repeat
    // the same expressions. Null if they are unknown.
    std::map<std::vector<std::uint64_t>, OutcomesPtr> known_;
};

} // namespace croupier::engine::form
