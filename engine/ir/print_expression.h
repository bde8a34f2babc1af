// Operands of the intermediate form as text.
#pragma once

#include "engine/ir/names.h"

#include <string>
#include <vector>

namespace croupier::engine::ir {

// What is wrong with a function does not stop it: it prints `?` for what is not there.
class ExpressionPrinter {
  public:
    ExpressionPrinter(const Module& module, const Function& function)
        : module_(module), function_(function), variables_(variable_texts(function)) {}

    [[nodiscard]] std::string variable(VarId var) const;
    // With its type, if that says more than that it is a value.
    [[nodiscard]] std::string typed_variable(VarId var) const;
    // The operand at that place; in parentheses if it binds less than `level`.
    [[nodiscard]] std::string operand(const Node& node, std::size_t place, int level = 0) const;
    // The operands from that place on, with commas.
    [[nodiscard]] std::string operands(const Node& node, std::size_t from = 0) const;
    // The declared place of a node, whose rows are the operands from `from` on.
    [[nodiscard]] std::string place(const Node& node, std::size_t from = 0) const;
    // The same for all rows of a set, the operand at `set`; those outside follow it.
    [[nodiscard]] std::string place_of_rows(const Node& node, std::size_t set) const;
    // The child of the first operand whose key is the second.
    [[nodiscard]] std::string child(const Node& node) const;
    // "@parent@path(a.{$X})", whose keys are the operands from `from` on.
    [[nodiscard]] std::string path(const Node& node, std::size_t from = 0) const;
    [[nodiscard]] std::string call(const Node& node) const;
    // Any kind: "Name[x=1 y=2 number=3](operands)", without what is 0 or not there.
    [[nodiscard]] std::string generic(const Node& node) const;

  private:
    struct Text {
        std::string text;
        int level = 9; // how closely it binds
    };
    [[nodiscard]] const Node* operand_node(const Node& node, std::size_t place) const;
    [[nodiscard]] Text expression(const Node& node) const;
    [[nodiscard]] Text infix(const Node& node, std::string_view sign, int level) const;
    [[nodiscard]] Text arithmetic(const Node& node) const;
    [[nodiscard]] std::string constant(const Node& node) const;
    [[nodiscard]] std::string key(const Node& node, std::size_t place) const;

    const Module& module_;
    const Function& function_;
    std::vector<std::string> variables_;
};

} // namespace croupier::engine::ir
