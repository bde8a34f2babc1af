// Looks names up, with suggestions for those that are not there.
#include "agents/advice/resolve.h"

#include "agents/advice/codes.h"
#include "engine/api/program.h"
#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::agents::advice {

using engine::Document;
using engine::Member;

namespace {
using Op = Formula::Op;
}

Resolver::Resolver(const TableText& text, const engine::Program& program,
                   const engine::Sources& sources, engine::Diagnostics& diagnostics)
    : text_(text), program_(program), sources_(sources), diagnostics_(diagnostics) {}

std::optional<Formula> Resolver::parse(const Document& formula) {
    if (!formula.is_string()) {
        diagnostics_.error(code::kTableForm, formula.span, "expected names joined by and, or, not",
                           "as in \"mate and not rooklost\"");
        return std::nullopt;
    }
    return parse_formula({sources_, formula.text(), formula.span}, diagnostics_);
}

Goal Resolver::goal(const Document& formula) {
    const auto parsed = parse(formula);
    return parsed ? goal_of(*parsed) : Goal{};
}

Moves Resolver::moves(const Document& formula) {
    const auto parsed = parse(formula);
    return parsed ? moves_of(*parsed) : Moves{};
}

// False, with a message, where the names go round in a circle.
bool Resolver::enter(const Member& member) {
    const auto at = std::find(open_.begin(), open_.end(), member.key);
    if (at == open_.end()) {
        open_.push_back(member.key);
        return true;
    }
    diagnostics_.error(code::kCircle, member.value.span,
                       fmt::format("these names mean each other in a circle: {} -> {}",
                                   fmt::join(at, open_.end(), " -> "), member.key));
    return false;
}

void Resolver::unknown(const Formula& formula, bool of_moves) {
    std::vector<std::string> known;
    for (const Member& member : text_.define.members)
        known.push_back(member.key);
    if (of_moves) {
        known.insert(known.end(), {"legal", "none"});
        for (const Member& member : text_.moves.members)
            known.push_back(member.key);
    } else {
        known.emplace_back("true");
    }
    const auto meant = engine::nearest(formula.name, known);
    diagnostics_.error(
        code::kUnknownName, formula.span, fmt::format("nothing is defined as \"{}\"", formula.name),
        meant ? fmt::format("did you mean \"{}\"?", *meant)
              : fmt::format("known are {}",
                            known.empty() ? "none" : fmt::to_string(fmt::join(known, ", "))));
}

// ---- goals -------------------------------------------------------------------------------------

Goal Resolver::goal_named(const Formula& formula) {
    Goal goal;
    if (formula.name == "true") return goal;
    const Member* const member = text_.define.find(formula.name);
    if (member == nullptr) {
        unknown(formula, false);
    } else if (member->value.is_object()) {
        goal.op = Op::Name;
        goal.predicate = program_.rule_id(predicate_rule(formula.name));
    } else if (enter(*member)) {
        goal = this->goal(member->value);
        open_.pop_back();
    }
    return goal;
}

Goal Resolver::join(const Formula& formula) {
    Goal goal;
    goal.op = formula.op;
    for (const Formula& part : formula.parts)
        goal.parts.push_back(goal_of(part));
    return goal;
}

Goal Resolver::goal_of(const Formula& formula) {
    Goal goal;
    switch (formula.op) {
    case Op::Name:
        goal = goal_named(formula);
        break;
    case Op::Depth:
        goal.op = Op::Depth;
        goal.compare = formula.compare;
        goal.depth = formula.depth;
        break;
    case Op::Not:
    case Op::And:
    case Op::Or:
        goal = join(formula);
        break;
    case Op::Then:
        diagnostics_.error(code::kMeaning, formula.span, "a goal holds or not: then orders moves",
                           "join goals by and, or, not");
        break;
    }
    goal.text = formula.text;
    return goal;
}

// ---- moves -------------------------------------------------------------------------------------

Moves Resolver::generator(const Member& member) {
    Moves moves;
    moves.op = Moves::Op::Generator;
    moves.generator = program_.rule_id(generator_rule(member.key));
    const std::vector<engine::Variable>& variables = program_.rules[moves.generator].variables;
    const auto at = std::find_if(variables.begin(), variables.end(),
                                 [](const engine::Variable& each) { return each.name == "M"; });
    moves.variable = static_cast<std::size_t>(at - variables.begin());
    return moves;
}

Moves Resolver::moves_named(const Formula& formula) {
    Moves moves;
    if (formula.name == "legal") return moves;
    moves.op = Moves::Op::None;
    if (formula.name == "none") return moves;
    const Member* const member = text_.moves.find(formula.name);
    if (member != nullptr && member->value.is_object()) return generator(*member);
    if (member != nullptr) {
        if (!enter(*member)) return moves;
        moves = this->moves(member->value);
        open_.pop_back();
    } else if (text_.define.find(formula.name) != nullptr) {
        moves.op = Moves::Op::Test;
        moves.goal = goal_of(formula);
    } else {
        unknown(formula, true);
    }
    return moves;
}

Moves Resolver::moves_of(const Formula& formula) {
    Moves moves;
    switch (formula.op) {
    case Op::Name:
        return moves_named(formula);
    case Op::Depth:
        moves.op = Moves::Op::Depth;
        moves.compare = formula.compare;
        moves.depth = formula.depth;
        return moves;
    case Op::Not:
    case Op::Or:
        moves.op = Moves::Op::Test;
        moves.goal = goal_of(formula);
        return moves;
    case Op::And:
    case Op::Then:
        moves.op = formula.op == Op::And ? Moves::Op::And : Moves::Op::Then;
        for (const Formula& part : formula.parts)
            moves.parts.push_back(moves_of(part));
        return moves;
    }
    return moves;
}

} // namespace croupier::agents::advice
