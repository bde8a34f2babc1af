// Expressions whose values are known before any state is.
#include "engine/ir/fold_expression.h"

#include "engine/ir/effects.h"
#include "engine/ir/evaluate.h"
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"

#include <algorithm>

namespace croupier::engine::ir {

bool ExpressionFolder::is_total(Id id) const {
    return ir::is_total(edit_.function(), id);
}

// Whoever takes the value may speak of where it is written, and so do errors of the other: where
// these are two places, both have to stay.
void ExpressionFolder::become(Id id, Id other) {
    if (!info_of(node(other).kind).has('E') || node(other).note == node(id).note) {
        edit_.replace(id, node(other));
    }
}

void ExpressionFolder::become(Id id, bool truth) {
    Node made;
    made.kind = Kind::Constant;
    made.type = {TypeKind::Truth};
    made.number = truth ? 1 : 0;
    edit_.replace(id, std::move(made));
}

std::optional<bool> ExpressionFolder::truth(Id id) const {
    const Node& known = node(id);
    return known.kind == Kind::Constant && known.type.kind == TypeKind::Truth
               ? std::optional(known.number != 0)
               : std::nullopt;
}

void ExpressionFolder::fold(Id id) {
    for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
        fold(node(id).operands[i]);
    }
    if (evaluates(id)) {
        return;
    }
    switch (node(id).kind) {
    case Kind::Variable:
        if (const auto known = constants_.find(node(id).x); known != constants_.end()) {
            CROUPIER_REWRITE(KnownVariable);
            become(id, known->second);
        }
        break;
    case Kind::Has:
        has(id);
        break;
    case Kind::Compare:
        compare(id);
        break;
    case Kind::Not:
        if (const Id asked = node(id).operands[0]; node(asked).kind == Kind::Not) {
            CROUPIER_REWRITE(NotOfNot);
            become(id, node(asked).operands[0]);
        }
        break;
    case Kind::And:
    case Kind::Or:
        both_or_one(id);
        break;
    case Kind::Choose:
        choose(id);
        break;
    case Kind::Present:
        present(id);
        break;
    case Kind::Table:
        table(id);
        break;
    case Kind::Both:
        both(id);
        break;
    case Kind::AnyRow:
        if (is_empty(node(id).operands[0]) && is_total(id)) {
            CROUPIER_REWRITE(NoRowOfNothing);
            become(id, false);
        }
        break;
    default:
        break;
    }
}

// It depends on nothing but constants.
bool ExpressionFolder::evaluates(Id id) {
    const Node& known = node(id);
    const bool constants =
        std::all_of(known.operands.begin(), known.operands.end(),
                    [&](Id operand) { return node(operand).kind == Kind::Constant; });
    if (known.kind == Kind::Constant || !known.type.is_value() || !constants) {
        return false;
    }
    const auto value = evaluate(edit_.module(), edit_.function(), id);
    if (!value) {
        return false;
    }
    CROUPIER_REWRITE(Evaluated);
    Node made;
    made.kind = Kind::Constant;
    made.type = known.type;
    switch (known.type.kind) {
    case TypeKind::Truth:
        made.number = value->truth() ? 1 : 0;
        break;
    case TypeKind::Int:
        made.number = value->integer;
        break;
    case TypeKind::Code:
        made.number = code_of(edit_.module(), known.type.list, *value);
        if (made.number == 0 && value->tag != Tag::None) {
            return false; // the same in another form
        }
        break;
    default:
        made.x = static_cast<std::uint32_t>(edit_.module().values.size());
        edit_.module().values.push_back(*value);
        break;
    }
    edit_.replace(id, std::move(made));
    return true;
}

bool ExpressionFolder::is_none(Id id) const {
    const Node& known = node(id);
    return known.kind == Kind::Constant &&
           (known.type.kind == TypeKind::Code
                ? known.number == 0
                : known.type.kind == TypeKind::Any &&
                      edit_.module().values[known.x].tag == Tag::None);
}

// Of all the table has nothing is there.
void ExpressionFolder::has(Id id) {
    const Id asked = node(id).operands[0];
    if (node(asked).kind != Kind::Table || !is_total(asked)) {
        return;
    }
    const auto& values = edit_.module().tables[node(asked).x].values.different();
    if (std::all_of(values.begin(), values.end(),
                    [](const Value& each) { return each.tag == Tag::None; })) {
        CROUPIER_REWRITE(TableOfNone);
        become(id, false);
    }
}

// None equals nothing.
void ExpressionFolder::compare(Id id) {
    const auto& operands = node(id).operands;
    if ((is_none(operands[0]) || is_none(operands[1])) && is_total(id)) {
        CROUPIER_REWRITE(NoneCompared);
        become(id, static_cast<ExprOp>(node(id).x) == ExprOp::NotEqual);
    }
}

void ExpressionFolder::both_or_one(Id id) {
    const bool neutral = node(id).kind == Kind::And; // of the other nothing changes
    const Id first = node(id).operands[0];
    const Id second = node(id).operands[1];
    if (const auto known = truth(first)) {
        CROUPIER_REWRITE(FirstSideKnown);
        *known == neutral ? become(id, second) : become(id, !neutral);
    } else if (const auto other = truth(second)) {
        if (*other == neutral) {
            CROUPIER_REWRITE(SecondSideIdle);
            become(id, first);
        } else if (is_total(first) || CROUPIER_MISTAKE(SecondSideFirst)) {
            CROUPIER_REWRITE(SecondSideDecides);
            become(id, !neutral);
        }
    }
}

void ExpressionFolder::choose(Id id) {
    const auto first = truth(node(id).operands[0]);
    if (!first) {
        return;
    }
    const Id chosen = node(id).operands[*first ? 1 : 2];
    if (node(chosen).type == node(id).type) {
        CROUPIER_REWRITE(Chosen);
        become(id, chosen);
    }
}

// Below a key that is no member nothing is there.
void ExpressionFolder::present(Id id) {
    const auto& operands = node(id).operands;
    const bool nowhere =
        std::any_of(operands.begin(), operands.end(), [&](Id each) { return is_none(each); });
    if (nowhere && is_total(id)) {
        CROUPIER_REWRITE(PresentNowhere);
        become(id, false);
    }
}

// The same for all codes.
void ExpressionFolder::table(Id id) {
    const auto& values = edit_.module().tables[node(id).x].values.different();
    const bool same = std::all_of(values.begin(), values.end(),
                                  [&](const Value& each) { return same_value(each, values[0]); });
    if (same && node(id).type.kind == TypeKind::Truth && is_total(id)) {
        CROUPIER_REWRITE(TableOfOneTruth);
        become(id, values[0].truth());
    }
}

// ---- sets of rows ----------------------------------------------------------------------------

bool ExpressionFolder::is_known_set(Id set) const {
    return node(set).kind == Kind::TableRows && node(set).operands.empty();
}

bool ExpressionFolder::is_empty(Id set) const {
    const Node& known = node(set);
    switch (known.kind) {
    case Kind::TableRows: {
        const auto& words = edit_.module().tables[known.x].words;
        return std::all_of(words.begin(), words.end(),
                           [](std::uint64_t word) { return word == 0; });
    }
    case Kind::Both:
        return is_empty(known.operands[0]) || is_empty(known.operands[1]);
    case Kind::Without:
        return is_empty(known.operands[0]) || is_full(known.operands[1]);
    case Kind::RowsWith:
        return is_none(known.operands[0]);
    default:
        return false;
    }
}

bool ExpressionFolder::is_full(Id set) const {
    const Node& known = node(set);
    if (known.kind != Kind::TableRows) {
        return known.kind == Kind::AllRows;
    }
    const auto rows =
        static_cast<std::uint32_t>(edit_.module().lists[known.type.list].values.size());
    const auto& words = edit_.module().tables[known.x].words;
    std::size_t found = 0;
    for (const std::uint64_t word : words) {
        found += count_rows(word);
    }
    return found == words.size() / words_for(rows) * rows;
}

void ExpressionFolder::both(Id id) {
    const Id first = node(id).operands[0];
    const Id second = node(id).operands[1];
    if (is_full(second) && is_total(second)) {
        CROUPIER_REWRITE(SecondSetFull);
        become(id, first);
        return;
    }
    if (is_full(first) && is_total(first)) {
        CROUPIER_REWRITE(FirstSetFull);
        become(id, second);
        return;
    }
    // Two sets that are known are one.
    const bool chained = node(first).kind == Kind::Both && is_known_set(node(first).operands[1]);
    const Id other = chained ? node(first).operands[1] : first;
    if (!is_known_set(second) || !is_known_set(other)) {
        return;
    }
    Table both = edit_.module().tables[node(second).x];
    const auto& words = edit_.module().tables[node(other).x].words;
    for (std::size_t i = 0; i < words.size(); ++i) {
        both.words[i] &= words[i];
    }
    edit_.at(second).x = static_cast<std::uint32_t>(edit_.module().tables.size());
    edit_.module().tables.push_back(std::move(both));
    CROUPIER_REWRITE_IF(chained, ChainOfKnownSets);
    CROUPIER_REWRITE_IF(!chained, TwoKnownSets);
    if (chained) {
        edit_.at(id).operands[0] = node(first).operands[0];
    } else {
        become(id, second);
    }
}

} // namespace croupier::engine::ir
