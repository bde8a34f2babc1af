// Expressions, keys, paths and types of rules to the tables that plans refer to.
#include "engine/plan/compiler.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

namespace croupier::engine {

bool Compiler::gives_bool(const ExprNode& node) {
    return gives_truth(node.op) || (node.op == ExprOp::Literal && node.literal.tag == Tag::Bool);
}

// Its value cannot be an error, whatever the variables are.
bool Compiler::never_fails(ExprId id) const {
    const ExprNode& node = program_.exprs[id];
    const auto arg = [&](std::uint32_t i) { return program_.expr_args[node.first + i]; };
    const auto is_truth = [&](std::uint32_t i) {
        return gives_bool(program_.exprs[arg(i)]) && never_fails(arg(i));
    };
    if (is_comparison(node.op)) {
        return never_fails(arg(0)) && never_fails(arg(1));
    }
    switch (node.op) {
    case ExprOp::Literal:
    case ExprOp::Variable:
        return true;
    case ExprOp::Not:
        return is_truth(0);
    case ExprOp::And:
    case ExprOp::Or:
        return is_truth(0) && is_truth(1);
    case ExprOp::Conditional:
        return is_truth(0) && never_fails(arg(1)) && never_fails(arg(2));
    default:
        return range_of(id).has_value();
    }
}

// What an expression comes to whose constant parts decide it, as options do. Parts that could end
// in an error are not passed over.
std::optional<ExprId> Compiler::folded(const ExprNode& node, const std::vector<ExprId>& args) {
    const auto literal = [&](std::size_t i) {
        const ExprNode& arg = program_.exprs[args[i]];
        return arg.op == ExprOp::Literal ? arg.literal : Value{};
    };
    const auto keeps_this = [&](ExprId id) {
        return !node.needs_this || program_.exprs[id].needs_this;
    };
    // Errors about the value are at the place of the whole expression.
    const auto in_its_place = [&](ExprNode made) -> std::optional<ExprId> {
        if (node.needs_this) {
            return std::nullopt;
        }
        made.span = node.span;
        program_.exprs.push_back(made);
        return static_cast<ExprId>(program_.exprs.size() - 1);
    };
    const auto constant = [&](bool truth) {
        ExprNode made;
        made.op = ExprOp::Literal;
        made.literal = Value::boolean(truth);
        return in_its_place(made);
    };
    const Value first = args.empty() ? Value{} : literal(0);
    switch (node.op) {
    case ExprOp::Equal:
    case ExprOp::NotEqual:
        if (const Value second = literal(1); first.tag != Tag::None && second.tag != Tag::None) {
            return constant(equal(first, second, program_.symbols) == (node.op == ExprOp::Equal));
        }
        return std::nullopt;
    case ExprOp::Not:
        return first.tag == Tag::Bool ? constant(!first.truth()) : std::nullopt;
    case ExprOp::And:
    case ExprOp::Or:
        if (first.tag != Tag::Bool) {
            return std::nullopt;
        }
        if (first.truth() == (node.op == ExprOp::Or)) {
            return constant(first.truth());
        }
        return (gives_bool(program_.exprs[args[1]]) || CROUPIER_PLANTED(SecondSideUnchecked)) &&
                       keeps_this(args[1])
                   ? std::optional(args[1])
                   : std::nullopt;
    case ExprOp::Conditional: {
        if (first.tag != Tag::Bool) {
            return std::nullopt;
        }
        const ExprNode& chosen = program_.exprs[args[first.truth() ? 1 : 2]];
        const bool is_plain = chosen.op == ExprOp::Literal || chosen.op == ExprOp::Variable;
        return is_plain ? in_its_place(chosen) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

ExprId Compiler::expr(const Expr& expression) {
    ExprNode node;
    node.op = expression.op;
    node.span = expression.span;
    node.needs_this = expression.mentions_this();
    if (expression.op == ExprOp::Literal) {
        node.literal = to_value(expression.literal, program_.symbols);
    } else if (expression.op == ExprOp::Variable) {
        node.reg = bound_.at(expression.variable);
    } else if (expression.op == ExprOp::Size) {
        node.first = path(path_plan(expression.path));
    } else {
        std::vector<ExprId> args;
        for (const Expr& arg : expression.args) {
            args.push_back(expr(arg));
        }
        if (const auto known = folded(node, args)) {
            CROUPIER_REACHED(FoldedExpression);
            return *known;
        }
        node.first = static_cast<std::uint32_t>(program_.expr_args.size());
        node.count = static_cast<std::uint32_t>(args.size());
        program_.expr_args.insert(program_.expr_args.end(), args.begin(), args.end());
    }
    program_.exprs.push_back(node);
    return static_cast<ExprId>(program_.exprs.size() - 1);
}

std::uint32_t Compiler::key(const KeyTemplate& key) {
    KeyPlan plan;
    for (const KeyPart& part : key.parts) {
        if (part.variable) {
            plan.parts.push_back({kNoSymbol, bound_.at(part.text)});
        } else {
            plan.parts.push_back({program_.symbols.intern(part.text), kNoRegister});
        }
    }
    if (plan.parts.empty()) {
        plan.parts.push_back({program_.symbols.intern(""), kNoRegister});
    }
    program_.keys.push_back(std::move(plan));
    return static_cast<std::uint32_t>(program_.keys.size() - 1);
}

std::uint32_t Compiler::key_of_variable(std::uint16_t reg) {
    program_.keys.push_back({{{kNoSymbol, reg}}});
    return static_cast<std::uint32_t>(program_.keys.size() - 1);
}

PathPlan Compiler::path_plan(const PathExpr& path) {
    PathPlan plan;
    for (const KeyTemplate& segment : path.segments) {
        plan.segments.push_back(key(segment));
    }
    return plan;
}

// Where a path of names leads that are declared, one below the other; else kNoSchema.
SchemaId Compiler::fixed_place(const PathPlan& plan) const {
    const Layout& layout = *program_.layout;
    if (!options_.rows || (nested_root_ && !plan.from_state) || plan.up != 0) {
        return kNoSchema;
    }
    SchemaId schema = 0;
    for (const std::uint32_t segment : plan.segments) {
        const KeyPlan& key = program_.keys[segment];
        const bool is_name = key.parts.size() == 1 && key.parts[0].reg == kNoRegister;
        if (!is_name || layout.node(schema).kind != ShapeKind::Record) {
            return kNoSchema;
        }
        const Symbol name = key.parts[0].text;
        const bool hidden = schema == 0 && program_.has_constant(name);
        schema = layout.node(schema).field(name);
        if (hidden || schema == kNoSchema || layout.node(schema).column == Column::Arena) {
            return kNoSchema;
        }
    }
    CROUPIER_REACHED_IF(schema != 0, FixedPath);
    return schema == 0 ? kNoSchema : schema;
}

std::uint32_t Compiler::path(PathPlan plan) {
    plan.fixed = fixed_place(plan);
    program_.paths.push_back(std::move(plan));
    return static_cast<std::uint32_t>(program_.paths.size() - 1);
}

std::uint32_t Compiler::type(const TypeName& name) {
    return program_.type_id(name);
}

} // namespace croupier::engine
