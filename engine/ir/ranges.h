// The pass `ranges`: what it knows on its way through a function.
#pragma once

#include "engine/ir/edit.h"
#include "engine/ir/integers.h"

#include <optional>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

class Ranger {
  public:
    Ranger(Module& module, Function& function)
        : module_(module), edit_(module, function), known_(function.vars.size()),
          is_given_(function.vars.size()) {}

    void run() { block(edit_.function().body); }

  private:
    // An integer between bounds; or none, unless it is sure.
    struct Integer {
        Bounds bounds;
        bool sure = false;
    };
    using Fact = std::optional<Integer>; // nothing: it may be anything else

    // What a search yields, result by result.
    struct Result {
        Id yield;
        std::vector<Fact> facts;
    };
    using Results = std::vector<Result>;

    // -- statements (ranges.cpp) --
    void block(BlockId id);
    void statement(Id id);
    void let(Id id, const Fact& fact);
    void gather(Id id);
    void apply(const Node& apply);
    Results searched(BlockId search);
    void take(const Results& results, VarId first);
    void take_one(const Results& results, std::size_t place, VarId var);
    [[nodiscard]] std::int64_t most_results(BlockId search) const;
    [[nodiscard]] static Fact joined_fact(const Results& results, std::size_t place);

    // -- expressions, rewritten in their places (ranges_values.cpp) --
    Fact expression(Id id);
    Fact choose(Id id, const Fact& one, const Fact& other);
    Fact given(Id id, const Fact& fact);
    Fact arithmetic(Id id, const std::vector<Fact>& facts);
    Fact drawn(Id id, const Fact& given);
    Fact size(Id id);
    void has(Id id, const Fact& fact);
    void fits(Id id, const Fact& fact);
    void compare(Id id, const Fact& left, const Fact& right);
    // What is surely an integer becomes of a type Int.
    void make_whole(Id id, const Integer& whole);
    void make_truth(Id id, bool is);
    void make_operand(Id id, Id operand);
    [[nodiscard]] bool only_reads(Id id) const;

    // -- what is known at once (ranges_leaves.cpp) --
    Fact leaf(Id id);
    Fact constant(Id id);
    Fact variable(Id id);
    [[nodiscard]] Fact table(const Node& node) const;
    [[nodiscard]] Fact codes(const Type& type, bool sure) const;
    [[nodiscard]] Fact as_number(Id id, const Fact& fact) const;
    [[nodiscard]] bool is_sure_code(Id id) const;
    [[nodiscard]] bool is_member(Id id, const Fact& fact) const;

    [[nodiscard]] const Node& at(Id id) const { return edit_.function().at(id); }

    const Module& module_;
    Editor edit_;
    std::vector<Fact> known_;    // of variables, as they are set
    std::vector<bool> is_given_; // a variable's code is not 0, whoever asks
    Results* results_ = nullptr; // of the search at hand
};

} // namespace croupier::engine::ir
