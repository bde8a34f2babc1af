// The pass `ranges`: constants, variables, and what is read or looked up.
#include "engine/ir/probe.h"
#include "engine/ir/ranges.h"

namespace croupier::engine::ir {

Ranger::Fact Ranger::leaf(Id id) {
    const Type& type = at(id).type;
    switch (at(id).kind) {
    case Kind::Constant:
        return constant(id);
    case Kind::Variable:
        return variable(id);
    case Kind::Table:
        return table(at(id));
    case Kind::Load: {
        const SchemaNode& leaf = module_.catalogue->layout->node(at(id).x);
        if (type.kind == TypeKind::Any && leaf.column == Column::Int) {
            CROUPIER_REWRITE(BoundsOfLeaf);
            return Integer{{leaf.low, leaf.high}, false};
        }
        break;
    }
    default:
        break;
    }
    return type.kind == TypeKind::Int ? Integer{{type.low, type.high}, true}
                                      : codes(type, is_sure_code(id));
}

Ranger::Fact Ranger::constant(Id id) {
    const Node& node = at(id);
    Value value;
    if (node.type.kind == TypeKind::Int) {
        value = Value::number(node.number);
    } else if (node.type.kind == TypeKind::Any) {
        value = module_.values[node.x];
    } else if (node.type.kind == TypeKind::Code && node.number != 0) {
        value = module_.lists[node.type.list].values[static_cast<std::size_t>(node.number - 1)];
    }
    if (value.tag != Tag::Int) {
        return std::nullopt;
    }
    const Integer only{{value.integer, value.integer}, true};
    if (node.type.kind == TypeKind::Any) {
        make_whole(id, only);
    }
    return only;
}

Ranger::Fact Ranger::variable(Id id) {
    const Var& var = edit_.function().vars[at(id).x];
    edit_.at(id).type = var.type;
    if (var.type.kind == TypeKind::Int) {
        return Integer{{var.type.low, var.type.high}, true};
    }
    Fact fact = known_[at(id).x];
    if (!fact) {
        fact = codes(var.type, false);
    }
    if (fact) {
        fact->sure = fact->sure || var.sure;
    }
    return fact;
}

// Of a code of integers.
Ranger::Fact Ranger::codes(const Type& type, bool sure) const {
    if (type.kind != TypeKind::Code) {
        return std::nullopt;
    }
    const CodeList& list = module_.lists[type.list];
    const bool numbers = list.form == CodeList::Form::Range || list.form == CodeList::Form::Numbers;
    if (!numbers || list.values.empty()) {
        return std::nullopt;
    }
    return Integer{{list.values.front().integer, list.values.back().integer}, sure};
}

// Where a number is wanted, a member of a numbered domain is one, too.
Ranger::Fact Ranger::as_number(Id id, const Fact& fact) const {
    const Type& type = at(id).type;
    if (fact || type.kind != TypeKind::Code) {
        return fact;
    }
    const CodeList& list = module_.lists[type.list];
    const Layout& layout = *module_.catalogue->layout;
    if (list.form != CodeList::Form::Keys || !layout.domain(list.domain).numbered) {
        return std::nullopt;
    }
    CROUPIER_REWRITE(BoundsOfMember);
    return Integer{{0, static_cast<std::int64_t>(list.values.size()) - 1}, is_sure_code(id)};
}

bool Ranger::is_sure_code(Id id) const {
    const Node& node = at(id);
    switch (node.kind) {
    case Kind::Constant:
        return node.number != 0;
    case Kind::Variable:
        return edit_.function().vars[node.x].sure;
    case Kind::Given:
        return true;
    default:
        return false;
    }
}

// What stands at a code of 0 counts only where there may be one.
Ranger::Fact Ranger::table(const Node& node) const {
    const Table& table = module_.tables[node.x];
    Fact all;
    bool sure = true;
    const std::vector<Value>& values = table.values.different();
    std::vector<bool> seen(values.size());
    for (std::size_t i = 0; i < table.values.size(); ++i) {
        const std::uint16_t place = table.values.places()[i];
        if (seen[place]) {
            continue;
        }
        bool reached = true;
        std::size_t rest = i;
        for (std::size_t k = table.sizes.size(); k-- > 0; rest /= table.sizes[k]) {
            reached = reached && (rest % table.sizes[k] != 0 || !is_sure_code(node.operands[k]));
        }
        if (!reached) {
            continue;
        }
        seen[place] = true;
        const Value& value = values[place];
        if (value.tag == Tag::Int) {
            const Bounds only{value.integer, value.integer};
            all = Integer{all ? joined(all->bounds, only) : only, true};
        } else if (value.tag == Tag::None) {
            sure = false;
        } else {
            return std::nullopt;
        }
    }
    if (all) {
        CROUPIER_REWRITE(BoundsOfTable);
        all->sure = sure;
    }
    return all;
}

// A code that is not 0: of an integer that surely is a member's, or of what surely is an integer.
bool Ranger::is_member(Id id, const Fact& fact) const {
    const Node& node = at(id);
    if (node.kind != Kind::KeyCode || node.operands.size() != 1) {
        return node.type.kind == TypeKind::Code && fact && fact->sure;
    }
    const Type& number = at(node.operands[0]).type;
    const CodeList& list = module_.lists[node.type.list];
    const bool numbered =
        (list.form == CodeList::Form::Keys || list.form == CodeList::Form::Numbers) &&
        module_.catalogue->layout->domain(list.domain).numbered;
    return numbered && number.kind == TypeKind::Int && number.low >= 0 &&
           number.high < static_cast<std::int64_t>(list.values.size()) +
                             (CROUPIER_MISTAKE(SizeIsMember) ? 1 : 0);
}

} // namespace croupier::engine::ir
