// Values of expressions: codes and integers in registers, truths as jumps, any values in memory.
#pragma once

#include "engine/emit/neighbours.h"

namespace croupier::engine::emit {

class Values : public Neighbours {
  protected:
    using Neighbours::Neighbours;
    ~Values() = default;

    // -- codes and integers (values.cpp) --
    [[nodiscard]] bool is_integer(Id id) const;
    [[nodiscard]] std::optional<std::int64_t> known_integer(Id id) const;
    Gp code_of(Id id, Gp into = Gp()) override;
    Gp integer(Id id, Gp into = Gp());
    Gp loaded_code(const Node& node, const Gp& made);
    [[nodiscard]] std::optional<Mem> code_in_memory(Id id);

    // -- truths (truths.cpp) --
    void jump(Id truth, bool when, Label to);
    void jump_compare(const Node& node, bool when, Label to);
    void jump_table(const Node& node, bool when, Label to);
    [[nodiscard]] std::uint64_t codes_of(const Node& table) const;

    // -- calculating (integers.cpp) --
    Label failure(Id id);
    [[nodiscard]] bool draws(Id id) const;
    bool given(const Node& node, Id id, const Gp& made);
    void calculate(const Node& node, const Gp& made, Label odd);
    void divide(const Gp& made, const Gp& by, Label odd, bool wants_rest);
    void divided(VarId var, Id value);
    std::optional<Gp> numbered(const Node& code);

    // -- to variables (set_variable.cpp) --
    void set_variable(VarId var, Id value);
    void read_result(VarId var);
    void load_whole(VarId var, const Node& node);
};

} // namespace croupier::engine::emit
