// Tables of what depends on a few codes.
#include "engine/ir/code_tables.h"

#include "engine/ir/evaluate.h"
#include "engine/ir/probe.h"
#include "engine/ir/same.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace croupier::engine::ir {

namespace {

constexpr std::size_t kMostCodes = 3;

} // namespace

bool CodeTables::is_leaf(Id id) const {
    const Node& node = edit_.function().at(id);
    return node.type.kind == TypeKind::Code &&
           (node.kind == Kind::Load ||
            (node.kind == Kind::Variable && !definitions_.contains(node.x)));
}

// The expression, whose variables get the types that they have by now, depends on nothing but
// leaves, which are added to those that are known.
bool CodeTables::find_leaves(Id id, std::vector<Id>& leaves) {
    const auto node = [&]() -> Node& { return edit_.at(id); };
    if (node().kind == Kind::Variable) {
        node().type = edit_.var(node().x).type;
        if (const auto known = definitions_.find(node().x); known != definitions_.end()) {
            return find_leaves(known->second, leaves);
        }
    }
    if (is_leaf(id)) {
        const bool known = std::any_of(leaves.begin(), leaves.end(), [&](Id each) {
            return same_expression(edit_.module(), edit_.function(), each, id);
        });
        if (!known) {
            leaves.push_back(id);
        }
        return leaves.size() <= kMostCodes;
    }
    switch (node().kind) {
    case Kind::Constant:
    case Kind::KeyCode:
    case Kind::Has:
    case Kind::Fits:
    case Kind::Compare:
    case Kind::Not:
    case Kind::And:
    case Kind::Or:
    case Kind::Choose:
    case Kind::Given:
    case Kind::Truth:
    case Kind::Arithmetic:
    case Kind::Whole:
    case Kind::Calculate:
    case Kind::Table:
        return std::all_of(node().operands.begin(), node().operands.end(),
                           [&](Id operand) { return find_leaves(operand, leaves); });
    default:
        return false;
    }
}

std::optional<CodeTables::Made> CodeTables::of(Id expression) {
    Made made;
    if (!edit_.at(expression).type.is_value() || !find_leaves(expression, made.leaves)) {
        return std::nullopt;
    }
    std::size_t count = 1;
    for (const Id leaf : made.leaves) {
        const CodeList& list = edit_.module().lists[edit_.at(leaf).type.list];
        made.sizes.push_back(static_cast<std::uint32_t>(list.values.size() + 1));
        count *= made.sizes.back();
    }
    if (count > most_) {
        return std::nullopt;
    }
    std::vector<std::uint64_t> shape;
    append_shape(expression, made.leaves, shape);
    const auto [known, is_new] = known_.try_emplace(std::move(shape));
    std::vector<Value>& values = known->second;
    CROUPIER_REWRITE_IF(!is_new && !values.empty(), TableOfSameShape);
    if (is_new && !fill_from_table(expression, made, values)) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto value = value_for(expression, made, i);
            if (!value) {
                values.clear();
                break;
            }
            values.push_back(*value);
        }
    }
    if (values.empty()) {
        return std::nullopt;
    }
    made.values = &values;
    return made;
}

// Where all depends on one look into a table, it is computed once for each value there, not for
// each choice of codes. False: it is not so.
bool CodeTables::fill_from_table(Id expression, const Made& made, std::vector<Value>& values) {
    const auto at = [&](Id id) -> const Node& { return edit_.function().at(id); };
    Id core = expression;
    for (;;) {
        const Node& node = at(core);
        const auto known =
            node.kind == Kind::Variable ? definitions_.find(node.x) : definitions_.end();
        if (known != definitions_.end()) {
            core = known->second;
            continue;
        }
        const bool looks =
            node.kind == Kind::Table && node.operands.size() == made.leaves.size() &&
            std::equal(node.operands.begin(), node.operands.end(), made.leaves.begin());
        if (looks) {
            break;
        }
        std::vector<Id> open;
        std::copy_if(node.operands.begin(), node.operands.end(), std::back_inserter(open),
                     [&](Id each) { return at(each).kind != Kind::Constant; });
        if (open.size() != 1) {
            return false;
        }
        core = open[0];
    }
    if (core == expression) {
        return false;
    }
    std::vector<std::pair<Value, Value>> results; // few values, mostly
    for (const Value& found : edit_.module().tables[at(core).x].values) {
        auto known = std::find_if(results.begin(), results.end(), [&](const auto& each) {
            return each.first.tag == found.tag && each.first.integer == found.integer;
        });
        if (known == results.end()) {
            const Leaf leaf = [&](Id each) -> std::optional<Value> {
                if (each == core) {
                    return found;
                }
                const auto defined = at(each).kind == Kind::Variable ? definitions_.find(at(each).x)
                                                                     : definitions_.end();
                return defined == definitions_.end()
                           ? std::nullopt
                           : evaluate(edit_.module(), edit_.function(), defined->second, leaf);
            };
            const auto value = evaluate(edit_.module(), edit_.function(), expression, leaf);
            if (!value || results.size() > 64) {
                values.clear();
                return false;
            }
            results.emplace_back(found, *value);
            known = results.end() - 1;
        }
        values.push_back(known->second);
    }
    CROUPIER_REWRITE(TableOfTable);
    return true;
}

// Two expressions of the same shape come to the same for the same codes.
void CodeTables::append_shape(Id id, const std::vector<Id>& leaves,
                              std::vector<std::uint64_t>& shape) const {
    const Node& node = edit_.function().at(id);
    if (node.kind == Kind::Variable) {
        if (const auto known = definitions_.find(node.x); known != definitions_.end()) {
            append_shape(known->second, leaves, shape);
            return;
        }
    }
    if (is_leaf(id)) {
        const auto place = std::find_if(leaves.begin(), leaves.end(), [&](Id each) {
            return same_expression(edit_.module(), edit_.function(), each, id);
        });
        shape.insert(shape.end(), {~std::uint64_t{0}, node.type.list,
                                   static_cast<std::uint64_t>(place - leaves.begin())});
        return;
    }
    const bool any = node.kind == Kind::Constant && node.type.kind == TypeKind::Any;
    const Value value = any ? edit_.module().values[node.x] : Value{};
    shape.insert(shape.end(), {static_cast<std::uint64_t>(node.kind), any ? 0 : node.x,
                               static_cast<std::uint64_t>(node.number),
                               static_cast<std::uint64_t>(node.type.kind) << 32 | node.type.list,
                               static_cast<std::uint64_t>(value.tag),
                               static_cast<std::uint64_t>(
                                   CROUPIER_MISTAKE(ShapeWithoutConstants) ? 0 : value.integer),
                               node.operands.size()});
    for (const Id operand : node.operands) {
        append_shape(operand, leaves, shape);
    }
}

// What the expression comes to for that choice of codes.
std::optional<Value> CodeTables::value_for(Id id, const Made& made, std::size_t choice) {
    std::vector<Value> values(made.leaves.size());
    for (std::size_t i = made.leaves.size(); i-- > 0;) {
        const std::size_t code = choice % made.sizes[i];
        choice /= made.sizes[CROUPIER_MISTAKE(TableByOtherSize) ? 0 : i];
        const CodeList& list = edit_.module().lists[edit_.at(made.leaves[i]).type.list];
        values[i] = code == 0 ? Value{} : list.values[code - 1];
    }
    const Leaf leaf = [&](Id each) -> std::optional<Value> {
        const Node& node = edit_.function().at(each);
        if (node.kind == Kind::Variable) {
            if (const auto known = definitions_.find(node.x); known != definitions_.end()) {
                return evaluate(edit_.module(), edit_.function(), known->second, leaf);
            }
        }
        if (is_leaf(each)) {
            for (std::size_t i = 0; i < made.leaves.size(); ++i) {
                if (same_expression(edit_.module(), edit_.function(), made.leaves[i], each)) {
                    return values[i];
                }
            }
        }
        return std::nullopt;
    };
    return evaluate(edit_.module(), edit_.function(), id, leaf);
}

} // namespace croupier::engine::ir
