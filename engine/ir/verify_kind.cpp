// Checks of one node that only its kind calls for.
#include "engine/ir/integers.h"
#include "engine/ir/names.h"
#include "engine/ir/verify_node.h"

#include <fmt/format.h>

namespace croupier::engine::ir {

void NodeCheck::kind(const Node& node) {
    const KindInfo& info = info_of(node.kind);
    if (info.has('F') && info.has('O') && node.y != 0) {
        in_range("cut note", (node.y & ~kOneOfMany) - 1, module_.notes.size());
    }
    switch (node.kind) {
    case Kind::Constant:
        constant(node);
        break;
    case Kind::Variable:
        if (in_range("variable", node.x, function_.vars.size())) {
            const Type& type = function_.vars[node.x].type;
            if (type.kind != node.type.kind || (has_list(type) && type.list != node.type.list)) {
                wrong(fmt::format("is {}, its variable {}", name_of(module_, node.type),
                                  name_of(module_, type)));
            }
        }
        break;
    case Kind::Compare:
    case Kind::Arithmetic:
    case Kind::Calculate:
    case Kind::Choose:
    case Kind::Given:
        operators(node);
        break;
    case Kind::Fits:
        in_range("type", node.x, module_.catalogue->types.size());
        break;
    case Kind::Name:
        in_range("symbol", node.x, module_.catalogue->symbols.size());
        break;
    case Kind::PathNode:
    case Kind::MakePath:
    case Kind::SetPath:
    case Kind::RemovePath:
    case Kind::PutPath:
    case Kind::ArgumentPath:
        in_range("y", node.y, 2);
        break;
    case Kind::Table:
    case Kind::TableRows:
        table(node);
        break;
    case Kind::Let:
    case Kind::LetRows:
    case Kind::EachChild:
    case Kind::EachRow:
        set_variables(node);
        break;
    case Kind::LetTouching:
    case Kind::LetCounts:
        related(node);
        break;
    case Kind::Gather:
        gather(node);
        break;
    case Kind::Try:
    case Kind::Pass:
    case Kind::Before:
    case Kind::After:
        in_range("note", node.x, module_.notes.size());
        break;
    case Kind::Apply:
        in_range("rule", node.x, module_.catalogue->rules.size());
        if (node.blocks.size() > 4) {
            wrong(fmt::format("{} blocks; wanted 3 or 4", node.blocks.size()));
        }
        break;
    case Kind::Group:
        in_range("group", node.x, module_.catalogue->groups.size());
        break;
    case Kind::Call:
        call(node);
        break;
    case Kind::Present:
    case Kind::Load:
    case Kind::NodeAt:
    case Kind::Rows:
    case Kind::RowsWith:
    case Kind::Ensure:
    case Kind::Store:
    case Kind::Erase:
    case Kind::StoreRows:
    case Kind::EraseRows:
        declared(node);
        break;
    default:
        break;
    }
}

void NodeCheck::constant(const Node& node) {
    switch (node.type.kind) {
    case TypeKind::Truth:
        in_range("truth", static_cast<std::uint64_t>(node.number), 2);
        break;
    case TypeKind::Int:
        if (node.number < node.type.low || node.number > node.type.high) {
            wrong(fmt::format("{} is no {}", node.number, name_of(module_, node.type)));
        }
        break;
    case TypeKind::Code:
        in_range("code", static_cast<std::uint64_t>(node.number),
                 list_of(node.type).values.size() + 1);
        break;
    default:
        in_range("value", node.x, module_.values.size());
        break;
    }
}

void NodeCheck::operators(const Node& node) {
    const auto op = static_cast<ExprOp>(node.x);
    const std::size_t count = node.operands.size();
    if (node.kind == Kind::Compare) {
        if (!is_comparison(op)) {
            wrong(fmt::format("operator {} is no comparison", node.x));
        }
    } else if (node.kind == Kind::Arithmetic || node.kind == Kind::Calculate) {
        const bool two = op >= ExprOp::Add && op <= ExprOp::Modulo;
        const bool one = op == ExprOp::Negate || (op >= ExprOp::Abs && op <= ExprOp::Round);
        const bool more = op == ExprOp::Min || op == ExprOp::Max;
        if (node.kind == Kind::Calculate && !may_calculate(op)) {
            wrong(fmt::format("operator {} may end in an error", node.x));
        } else if (!one && !two && !more) {
            wrong(fmt::format("operator {} is no arithmetic", node.x));
        } else if (one ? count != 1 : two ? count != 2 : count < 2) {
            wrong(fmt::format("{} operands for operator {}", count, node.x));
        }
    } else if (node.kind != Kind::Given || node.type.kind != TypeKind::Int ||
               type_of(node, 0).kind != TypeKind::Any) { // an integer, if it is given
        for (std::size_t i = count == 1 ? 0 : 1; i < count;
             ++i) { // Given's; Choose's second, third
            if (!fits(type_of(node, i), node.type)) {
                wrong(fmt::format("operand {} is {}; its result is {}", i + 1,
                                  name_of(module_, type_of(node, i)), name_of(module_, node.type)));
            }
        }
    }
}

void NodeCheck::variable(VarId var, const Type& type, const char* what) {
    if (in_range("variable", var, function_.vars.size()) && !fits(type, function_.vars[var].type)) {
        wrong(fmt::format("{} is {}; its variable {}", what, name_of(module_, type),
                          name_of(module_, function_.vars[var].type)));
    }
}

void NodeCheck::set_variables(const Node& node) {
    if (node.kind == Kind::Let || node.kind == Kind::LetRows) {
        variable(node.x, type_of(node, 0), "the value");
    } else if (node.kind == Kind::EachRow) {
        variable(node.x, {TypeKind::Code, type_of(node, 0).list}, "the code");
    } else {
        variable(node.x, {TypeKind::Node}, "the child");
        if (node.y != 0) {
            variable(node.y - 1, {TypeKind::Any}, "the key");
        }
        in_range("type", static_cast<std::uint64_t>(node.number), module_.catalogue->types.size());
    }
}

// A variable that is an integer has bounds that the search gives.
void NodeCheck::total(VarId var, const Type& type, const char* what) {
    if (in_range("variable", var, function_.vars.size()) &&
        function_.vars[var].type.kind != TypeKind::Int) {
        variable(var, type, what);
    }
}

void NodeCheck::gather(const Node& node) {
    switch (static_cast<KeyKind>(node.y)) {
    case KeyKind::Count:
        total(node.x, {TypeKind::Int, 0, 0, INT64_MAX}, "the number");
        break;
    case KeyKind::Sum:
        total(node.x, {TypeKind::Any}, "the sum");
        break;
    case KeyKind::Min:
    case KeyKind::Max:
        variable(node.x, {TypeKind::Any}, "the least or greatest, or none,");
        break;
    default:
        wrong(fmt::format("gathers {}", node.y));
    }
}

void NodeCheck::table(const Node& node) {
    if (!in_range("table", node.x, module_.tables.size())) {
        return;
    }
    const Table& table = module_.tables[node.x];
    if (node.operands.size() != table.sizes.size()) {
        wrong(fmt::format("{} codes for a table of {}", node.operands.size(), table.sizes.size()));
        return;
    }
    std::uint64_t entries = 1;
    for (std::size_t i = 0; i < table.sizes.size(); ++i) {
        const std::size_t codes = list_of(type_of(node, i)).values.size() + 1;
        if (table.sizes[i] != codes) {
            wrong(
                fmt::format("operand {} has {} codes, the table {}", i + 1, codes, table.sizes[i]));
        }
        entries *= table.sizes[i];
    }
    const bool set = node.kind == Kind::TableRows;
    const std::uint64_t wanted =
        set ? entries * words_for(static_cast<std::uint32_t>(list_of(node.type).values.size()))
            : entries;
    const std::size_t size = set ? table.words.size() : table.values.size();
    if (size != wanted) {
        wrong(fmt::format("table {} holds {}; wanted {}", node.x, size, wanted));
    }
}

// A table gives each row of its variables a set of such rows as the operand has.
void NodeCheck::related(const Node& node) {
    if (!in_range("table", node.y, module_.tables.size())) {
        return;
    }
    const Table& table = module_.tables[node.y];
    const std::int64_t count = node.kind == Kind::LetCounts ? node.number : 1;
    for (std::int64_t i = 0; i < count; ++i) {
        const VarId var = node.x + static_cast<VarId>(i);
        if (!in_range("variable", var, function_.vars.size())) {
            return;
        }
        const Type& type = function_.vars[var].type;
        if (type.kind != TypeKind::Set) {
            wrong(fmt::format("its variable is {}", name_of(module_, type)));
        } else if (table.sizes.size() != 1 || table.sizes[0] != list_of(type).values.size() + 1) {
            wrong(fmt::format("table {} has no set for each {}", node.y,
                              name_of(module_, {TypeKind::Code, type.list})));
        }
    }
    const auto rows = static_cast<std::uint32_t>(list_of(type_of(node, 0)).values.size());
    if (table.sizes.size() == 1 &&
        table.words.size() != std::size_t{table.sizes[0]} * words_for(rows)) {
        wrong(fmt::format("table {} holds {} words", node.y, table.words.size()));
    }
}

void NodeCheck::call(const Node& node) {
    if (!in_range("call", node.x, module_.calls.size())) {
        return;
    }
    for (const Id each : node.operands) {
        in_range("argument", static_cast<std::uint64_t>(function_.nodes[each].number),
                 module_.calls[node.x].arguments.size());
    }
}

} // namespace croupier::engine::ir
