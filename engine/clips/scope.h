// What is known of names while expressions are compiled.
#pragma once

#include "engine/clips/expr.h"
#include "engine/clips/program.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::engine::clips {

// Variables in sight while an expression is compiled.
struct LhsVariable {
    std::uint16_t position = 0;
    Place place;
    bool many = false;
    int group = 0; // the not (and ..) that it is bound in; 0 outside
    int pattern = 0;
    // What it can be by the slots that it stands in.
    std::uint32_t types = ~0u;
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();

    // False when nothing is left.
    bool narrow(const Constraint& to) {
        types &= to.types;
        if (to.least) least = std::max(least, to.least->to_real());
        if (to.most) most = std::min(most, to.most->to_real());
        if (least > most) types &= ~(Constraint::bit(Type::Integer) | Constraint::bit(Type::Float));
        return types != 0;
    }
};

struct Scope {
    std::unordered_map<const Text*, std::uint16_t> locals;
    std::uint16_t next_local = 0;
    std::uint16_t most_locals = 0;
    std::unordered_map<const Text*, LhsVariable> lhs;
    std::unordered_map<const Text*, const Template*> facts; // of fact addresses
    bool in_condition = false;
    int position = -1; // of the pattern or test that is being compiled
    int pattern = -1;
    std::vector<std::pair<std::uint16_t, Expr>>* entry = nullptr; // of a rule's actions
    std::vector<const LhsVariable*>* outer = nullptr; // collects references out of a group
    int group = 0;
    int loops = 0;                    // that a break would end
    const Form* construct = nullptr;  // that is read; mistakes found when it was are told then
    const Form* expression = nullptr; // in a condition
    int ce = 0;                       // the number of the element that it stands in
    std::string field;                // " field #1", " slot a"
    std::string_view what;            // "RHS of defrule" and the like, for messages
    std::string_view rule;

    [[nodiscard]] std::uint32_t construct_end(std::uint32_t otherwise) const {
        return construct != nullptr ? construct->span.end : otherwise;
    }
    // ANALYSIS4 as CLIPS words it.
    [[nodiscard]] std::string unbound(std::string_view variable, std::string_view between) const {
        return "\n[ANALYSIS4] Variable ?" + std::string(variable) + std::string(between) +
               "was referenced in CE #" + std::to_string(ce) + field + " before being defined.\n";
    }
    [[nodiscard]] std::string unbound_in(std::string_view variable,
                                         std::string_view expression_text) const {
        return unbound(variable, " found in the expression " + std::string(expression_text) + "\n");
    }
};

} // namespace croupier::engine::clips
