// The pass `ranges`: which values are surely integers, and between which bounds.
#include "engine/ir/ranges.h"

#include "engine/ir/lists.h"
#include "engine/ir/probe.h"

#include <algorithm>

namespace croupier::engine::ir {

Ranger::Fact Ranger::expression(Id id) {
    std::vector<Fact> facts;
    for (std::size_t i = 0; i < at(id).operands.size(); ++i) {
        facts.push_back(expression(at(id).operands[i]));
    }
    switch (at(id).kind) {
    case Kind::Has:
        has(id, facts[0]);
        return std::nullopt;
    case Kind::Fits:
        fits(id, facts[0]);
        return std::nullopt;
    case Kind::Compare:
        compare(id, facts[0], facts[1]);
        return std::nullopt;
    case Kind::Choose:
        return choose(id, facts[1], facts[2]);
    case Kind::Given:
        return given(id, facts[0]);
    case Kind::Arithmetic:
        return arithmetic(id, facts);
    case Kind::Random:
        return drawn(id, facts[0]);
    case Kind::SizeOf:
        return size(id);
    default:
        return leaf(id);
    }
}

// ---- what is made of integers ----------------------------------------------------------------

Ranger::Fact Ranger::choose(Id id, const Fact& one, const Fact& other) {
    if (!one || !other) {
        return std::nullopt;
    }
    const Integer all{joined(one->bounds, other->bounds), one->sure && other->sure};
    if (all.sure && (at(id).type.kind == TypeKind::Any || at(id).type.kind == TypeKind::Int)) {
        CROUPIER_REWRITE(WholeChoice);
        make_whole(at(id).operands[1], *one);
        make_whole(at(id).operands[2], *other);
        edit_.at(id).type = all.bounds.type();
    }
    return all;
}

Ranger::Fact Ranger::given(Id id, const Fact& fact) {
    if (!fact) {
        return std::nullopt;
    }
    const Id inner = at(id).operands[0];
    if (at(id).type.kind == TypeKind::Any) {
        edit_.at(id).type = fact->bounds.type();
    }
    if (fact->sure && at(id).type.kind == TypeKind::Int) {
        CROUPIER_REWRITE(GivenAnyway);
        make_whole(inner, *fact);
        make_operand(id, inner);
    }
    return Integer{fact->bounds, true};
}

Ranger::Fact Ranger::arithmetic(Id id, const std::vector<Fact>& facts) {
    const auto how = static_cast<ExprOp>(at(id).x);
    const bool rounds = how == ExprOp::Floor || how == ExprOp::Round;
    std::vector<Bounds> of;
    bool sure = true; // of what is none it is an error
    for (std::size_t i = 0; i < facts.size(); ++i) {
        const Fact fact = as_number(at(id).operands[i], facts[i]);
        if (fact) {
            of.push_back(fact->bounds);
            if (fact->sure) {
                make_whole(at(id).operands[i], *fact);
            }
        }
        sure = sure && fact && fact->sure;
    }
    const auto made = of.size() == facts.size() ? computed(how, of) : std::nullopt;
    if (!made && !rounds) {
        return std::nullopt;
    }
    const Integer all{made ? made->bounds : Bounds{}, true};
    if (at(id).type.kind == TypeKind::Any) {
        edit_.at(id).type = all.bounds.type();
    }
    if (sure && made && rounds) {
        CROUPIER_REWRITE(RoundedAnyway);
        make_operand(id, at(id).operands[0]);
    } else if (sure && made->total && may_calculate(how)) {
        CROUPIER_REWRITE(NoOverflow);
        edit_.at(id).kind = Kind::Calculate;
    }
    return all;
}

// Anything but a positive integer is an error.
Ranger::Fact Ranger::drawn(Id id, const Fact& given) {
    const Fact below = as_number(at(id).operands[0], given);
    Integer all{{0, INT64_MAX - 1}, true};
    if (below) {
        CROUPIER_REWRITE(DrawBounded);
        all.bounds.high = std::max<std::int64_t>(below->bounds.high, 1) - 1;
        if (below->sure) {
            make_whole(at(id).operands[0], *below);
        }
    }
    edit_.at(id).type = all.bounds.type();
    return all;
}

// Of a map over a domain its rows are counted.
Ranger::Fact Ranger::size(Id id) {
    const Node node = at(at(id).operands[0]);
    const Layout& layout = *module_.catalogue->layout;
    if (node.kind == Kind::NodeAt && layout.node(node.x).kind == ShapeKind::Map &&
        layout.node(node.x).domain != 0) {
        const SchemaNode& element = layout.node(layout.node(node.x).element);
        if (element.dense && element.column != Column::Arena) {
            const std::uint32_t list =
                list_of_domain(edit_.module(), CodeList::Form::Keys, layout.node(node.x).domain);
            const auto rows = static_cast<std::int64_t>(module_.lists[list].values.size());
            const Id set = edit_.make(Kind::Rows, {TypeKind::Set, list}, node.operands, node.x);
            CROUPIER_REWRITE(SizeOfRows);
            Node made;
            made.kind = Kind::CountRows;
            made.type = Bounds{0, rows}.type();
            made.operands = {set};
            edit_.replace(id, std::move(made));
            return Integer{{0, rows}, true};
        }
    }
    edit_.at(id).type = Bounds{0, UINT32_MAX}.type();
    return Integer{{0, UINT32_MAX}, true};
}

// ---- questions -------------------------------------------------------------------------------

// A variable that is sure is so because this was asked.
void Ranger::has(Id id, const Fact& fact) {
    const Id asked = at(id).operands[0];
    bool sure = fact && fact->sure;
    if (at(asked).kind == Kind::Variable && at(asked).type.kind != TypeKind::Int) {
        const Fact& set = known_[at(asked).x];
        sure = (set && set->sure) || is_given_[at(asked).x];
    }
    if (sure && only_reads(asked)) {
        CROUPIER_REWRITE(IntegerIsThere);
        make_truth(id, true);
    }
}

void Ranger::fits(Id id, const Fact& fact) {
    if (!fact || !fact->sure || !only_reads(at(id).operands[0])) {
        return;
    }
    const TypePlan& type = module_.catalogue->types[at(id).x];
    const DomainTable& domain = module_.catalogue->layout->domain(type.domain);
    const Bounds members{0, std::int64_t{domain.size()} - 1};
    switch (type.kind) {
    case TypePlan::Kind::Any:
    case TypePlan::Kind::Int:
    case TypePlan::Kind::Number:
        CROUPIER_REWRITE(IntegerFits);
        make_truth(id, true);
        return;
    case TypePlan::Kind::Domain:
        if (!domain.numbered || fact->bounds.high < 0 || fact->bounds.low > members.high) {
            CROUPIER_REWRITE(OutOfDomain);
            make_truth(id, false);
        } else if (fact->bounds.are_in(members)) {
            CROUPIER_REWRITE(WithinDomain);
            make_truth(id, true);
        }
        return;
    default:
        CROUPIER_REWRITE(IntegerIsNoOther);
        make_truth(id, false);
    }
}

// Codes of one list are compared as they are.
void Ranger::compare(Id id, const Fact& left, const Fact& right) {
    const Fact a = as_number(at(id).operands[0], left);
    const Fact b = as_number(at(id).operands[1], right);
    if (!a || !b || !a->sure || !b->sure) {
        return;
    }
    const auto how = static_cast<ExprOp>(at(id).x);
    const Id one = at(id).operands[0];
    const Id other = at(id).operands[1];
    const auto decided = compared(how, a->bounds, b->bounds);
    if (decided && only_reads(one) && only_reads(other)) {
        CROUPIER_REWRITE(ComparisonOfBounds);
        make_truth(id, *decided);
        return;
    }
    const bool codes = at(one).type.kind == TypeKind::Code && at(one).type == at(other).type;
    if (!codes || !is_equality(how)) {
        CROUPIER_REWRITE(WholeComparison);
        make_whole(one, *a);
        make_whole(other, *b);
    }
}

void Ranger::make_whole(Id id, const Integer& whole) {
    if (at(id).type.kind == TypeKind::Int) {
        return;
    }
    Node made;
    made.kind = Kind::Whole;
    made.type = whole.bounds.type();
    if (at(id).kind == Kind::Constant) {
        made.kind = Kind::Constant;
        made.number = whole.bounds.low;
    } else {
        const Node inner = at(id);
        edit_.function().nodes.push_back(inner);
        made.operands = {static_cast<Id>(edit_.function().nodes.size() - 1)};
    }
    edit_.replace(id, std::move(made));
}

void Ranger::make_truth(Id id, bool is) {
    Node made;
    made.kind = Kind::Constant;
    made.type = {TypeKind::Truth};
    made.number = is ? 1 : 0;
    edit_.replace(id, std::move(made));
}

// It is what its operand is, with that one's errors.
void Ranger::make_operand(Id id, Id operand) {
    const Node made = at(operand);
    edit_.at(id) = made;
}

// It has no effect, so that it need not be computed.
bool Ranger::only_reads(Id id) const {
    const std::string_view effects = info_of(at(id).kind).effects;
    return effects.find_first_not_of('R') == std::string_view::npos &&
           std::all_of(at(id).operands.begin(), at(id).operands.end(),
                       [&](Id operand) { return only_reads(operand); });
}

} // namespace croupier::engine::ir
