// Which values expressions may have by what is known, and what tests tell.
#pragma once

#include "engine/ir/knowledge.h"
#include "engine/ir/outcomes.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace croupier::engine::ir {

class Possible {
  public:
    Possible(Editor& edit, Knowledge& knowledge) : edit_(edit), knowledge_(knowledge) {}

    // The node that a declared one speaks of, whose rows are its operands from `first` on; nothing
    // if they are not plain.
    [[nodiscard]] std::optional<Place> place_of(Id declared, std::size_t first = 0) const;
    // Whether the test holds, if that is known.
    [[nodiscard]] std::optional<bool> truth(Id test) const;
    void learn(Id test, bool holds);
    // The variable is the value, which depends on what does not change while it is read.
    void define(VarId var, Id value);
    // Which codes of the list the expression may have; nothing if that cannot be told.
    [[nodiscard]] std::optional<Codes> codes_of(Id id, std::uint32_t list) const;
    // For each code of the one variable the code that the other has then, if nothing else chooses
    // it.
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> codes_by(VarId var, VarId by) const;
    // It is never none here.
    [[nodiscard]] bool is_code(VarId var) const;

  private:
    // What an expression depends on: the code of a variable or of a leaf.
    struct Root {
        VarId var = kNothing;
        Place place;
        std::uint32_t list = 0;
        friend bool operator==(const Root&, const Root&) = default;
    };
    struct Image {
        Root root;
        std::vector<std::optional<Value>> values; // for each code of the root
    };

    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] std::optional<Root> root_of(Id id) const;
    [[nodiscard]] bool find_roots(Id id, std::vector<Root>& roots) const;
    [[nodiscard]] OutcomesPtr outcomes_of(Id id, const std::vector<Root>& roots) const;
    [[nodiscard]] Codes codes(const Root& root) const;
    // Which codes of each root leave the test true, and which false.
    struct Outcome {
        std::vector<Codes> when[2];
        bool some[2] = {false, false};
    };
    [[nodiscard]] std::optional<Outcome> try_all(Id test, const std::vector<Root>& roots) const;
    void narrow(const Root& root, const Codes& codes);
    void learn_present(Id value);

    Editor& edit_;
    Knowledge& knowledge_;
    std::unordered_map<VarId, Image> images_;
};

} // namespace croupier::engine::ir
