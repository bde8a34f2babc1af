// The pass `facts`: tests whose outcome is known by what has been tested before go, and what has
// been read or looked up is not read again.
#include "engine/ir/facts.h"

#include "engine/ir/effects.h"
#include "engine/ir/implied.h"
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"
#include "engine/ir/same.h"

#include <algorithm>

namespace croupier::engine::ir {

void facts(Module& module, Function& function) {
    drop_implied(module, function);
    Facts(module, function).run();
    fold(module, function);
}

void Facts::search(BlockId id, Results* results) {
    std::vector<Id> made;
    for (const Id each : std::vector<Id>(edit_.block(id).statements)) {
        switch (node(each).kind) {
        case Kind::Let:
            let(each);
            break;
        case Kind::Test:
            if (!test(each)) {
                continue;
            }
            break;
        case Kind::EachRow:
            each_row(each, results);
            break;
        case Kind::EachChild:
            operands(each);
            inner(node(each).blocks[0], results);
            break;
        case Kind::Alternatives:
            alternatives(each, results);
            break;
        case Kind::NoMatch:
        case Kind::SomeMatch:
        case Kind::Gather:
            inner(node(each).blocks[0], nullptr);
            break;
        case Kind::Yield:
            yield(each, results);
            break;
        default:
            operands(each);
            break;
        }
        made.push_back(each);
    }
    edit_.block(id).statements = std::move(made);
}

void Facts::inner(BlockId id, Results* results) {
    const Knowledge before = knowledge_;
    const std::size_t known = expressions_.size();
    search(id, results);
    expressions_.resize(known);
    if (CROUPIER_MISTAKE(FactsOfInnerSearch)) return;
    knowledge_ = before;
}

bool Facts::test(Id id) {
    operands(id);
    const Id asked = node(id).operands[0];
    if (is_total(edit_.function(), asked)) {
        if (const auto known = possible_.truth(asked)) {
            CROUPIER_REWRITE_IF(*known, HoldsByFacts);
            CROUPIER_REWRITE_IF(!*known, FailsByFacts);
            if (*known) {
                return false;
            }
            Node never;
            never.kind = Kind::Constant;
            never.type = {TypeKind::Truth};
            edit_.replace(asked, std::move(never));
            return true;
        }
    }
    possible_.learn(asked, true);
    return true;
}

void Facts::let(Id id) {
    const VarId var = node(id).x;
    const Id value = node(id).operands[0];
    expression(value);
    const Type type = edit_.var(var).type;
    if (!type.is_value() || !(node(value).type == type) || !is_total(edit_.function(), value)) {
        return;
    }
    if (node(value).kind == Kind::Variable) {
        CROUPIER_REWRITE(SameVariable);
        aliases_[var] = node(value).x;
    }
    if (type.kind == TypeKind::Code) {
        take(var, possible_.codes_of(value, type.list));
    }
    possible_.define(var, value);
    const auto place = node(value).kind == Kind::Load ? possible_.place_of(value) : std::nullopt;
    if (place) {
        if (!knowledge_.holder(*place)) {
            CROUPIER_REWRITE(HeldByVariable);
            knowledge_.set_holder(*place, var);
        }
    } else if (!node(value).operands.empty() &&
               effects_of(edit_.module(), edit_.function(), value).reads.empty()) {
        expressions_.emplace_back(value, var);
    }
}

// What the variable, which is set here, may be.
void Facts::take(VarId var, const std::optional<Codes>& codes) {
    if (codes) {
        knowledge_.set_codes(var, *codes);
        if ((*codes)[0] == 0) {
            CROUPIER_REWRITE(SurelyCode);
            edit_.var(var).sure = true;
        }
    }
}

// ---- loops and results -----------------------------------------------------------------------

void Facts::each_row(Id id, Results* results) {
    operands(id);
    const VarId row = node(id).x;
    const Type type = edit_.var(row).type;
    const Knowledge before = knowledge_;
    if (type.kind == TypeKind::Code && type.list == node(node(id).operands[0]).type.list) {
        auto codes = rows_of(node(id).operands[0]);
        take(row, codes ? codes : Codes(edit_.module().lists[type.list].values.size() + 1, 1));
        Codes rows = *knowledge_.codes(row);
        rows[0] = 0;
        knowledge_.set_codes(row, std::move(rows));
        rows_present(node(id).operands[0], {false, 0, row, type.list});
    }
    inner(node(id).blocks[0], results);
    knowledge_ = before;
}

// What is known of a row of the set.
void Facts::rows_present(Id set, const Atom& row) {
    const Node& known = node(set);
    switch (known.kind) {
    case Kind::Both:
        rows_present(known.operands[1], row);
        [[fallthrough]];
    case Kind::Without:
        rows_present(known.operands[0], row);
        break;
    case Kind::Rows:
    case Kind::RowsWith:
        if (auto place = possible_.place_of(set, known.kind == Kind::Rows ? 0 : 1)) {
            place->schema = layout_.node(place->schema).element;
            place->rows.push_back(row);
            knowledge_.set_present(*place);
        }
        break;
    default:
        break;
    }
}

// The rows that a set can have at all.
std::optional<Codes> Facts::rows_of(Id set) const {
    const Node& known = node(set);
    switch (known.kind) {
    case Kind::Both: {
        auto one = rows_of(known.operands[0]);
        const auto two = rows_of(known.operands[1]);
        for (std::size_t i = 0; one && two && i < one->size(); ++i) {
            (*one)[i] = (*one)[i] != 0 && (*two)[i] != 0 ? 1 : 0;
        }
        return one ? one : two;
    }
    case Kind::Without:
        return rows_of(known.operands[0]);
    case Kind::TableRows: {
        const std::size_t size = edit_.module().lists[known.type.list].values.size();
        const auto& words = edit_.module().tables[known.x].words;
        const std::size_t each = words_for(static_cast<std::uint32_t>(size));
        std::vector<std::uint64_t> all(each);
        for (std::size_t i = 0; i < words.size(); ++i) {
            all[i % each] |= words[i];
        }
        Codes codes(size + 1);
        for (std::size_t row = 0; row < size; ++row) {
            codes[row + 1] = static_cast<char>(all[row / kWordRows] >> row % kWordRows & 1);
        }
        return codes;
    }
    default:
        return std::nullopt;
    }
}

void Facts::alternatives(Id id, Results* results) {
    const std::vector<BlockId> blocks = node(id).blocks;
    Results given{node(id).x, {}, 0, kNothing, Knowledge(layout_)};
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
        inner(blocks[i], &given);
    }
    const Knowledge before = knowledge_;
    for (std::size_t i = 0; i < given.codes.size(); ++i) {
        take(given.first + static_cast<VarId>(i), given.codes[i]);
    }
    inner(blocks.back(), results);
    knowledge_ = before;
}

void Facts::yield(Id id, Results* results) {
    operands(id);
    if (results == nullptr) {
        return;
    }
    for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
        const Type type = edit_.var(results->first + static_cast<VarId>(i)).type;
        auto codes = type.kind == TypeKind::Code
                         ? possible_.codes_of(node(id).operands[i], type.list)
                         : std::nullopt;
        if (results->places == 0) {
            results->codes.push_back(std::move(codes));
            continue;
        }
        auto& joined = results->codes[i];
        for (std::size_t c = 0; codes && joined && c < codes->size(); ++c) {
            (*joined)[c] = (*joined)[c] != 0 || (*codes)[c] != 0 ? 1 : 0;
        }
        if (!codes) {
            joined = std::nullopt;
        }
    }
    ++results->places;
    results->yield = id;
    results->knowledge = knowledge_;
}

// ---- expressions -----------------------------------------------------------------------------

void Facts::operands(Id id) {
    for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
        expression(node(id).operands[i]);
    }
}

// Where a variable is read that is surely a code, it must be one.
bool Facts::may_read(VarId var) const {
    return !edit_.function().vars[var].sure || possible_.is_code(var);
}

void Facts::expression(Id id) {
    operands(id);
    if (node(id).kind == Kind::Both) {
        join_sets(id);
    }
    std::optional<VarId> same;
    const Node& known = node(id);
    if (known.kind == Kind::Variable) {
        const auto found = aliases_.find(known.x);
        if (found != aliases_.end() &&
            (!edit_.var(known.x).sure || edit_.var(found->second).sure)) {
            same = found->second;
        }
    } else if (known.kind == Kind::Load) {
        const auto place = possible_.place_of(id);
        same = place ? knowledge_.holder(*place) : std::nullopt;
    } else if (known.type.is_value() && !known.operands.empty()) {
        const auto found =
            std::find_if(expressions_.begin(), expressions_.end(), [&](const auto& each) {
                return same_expression(edit_.module(), edit_.function(), each.first, id);
            });
        if (found != expressions_.end()) {
            same = found->second;
        }
    }
    if (same && edit_.var(*same).type == node(id).type && may_read(*same)) {
        CROUPIER_REWRITE_IF(node(id).kind == Kind::Load, LoadedBefore);
        CROUPIER_REWRITE_IF(node(id).kind != Kind::Load && node(id).kind != Kind::Variable,
                            ComputedBefore);
        Node made;
        made.kind = Kind::Variable;
        made.type = node(id).type;
        made.x = *same;
        edit_.replace(id, std::move(made));
    }
}

} // namespace croupier::engine::ir
