#include "engine/catalogue/fits.h"

namespace croupier::engine {

bool is_of_type(const Value& value, const TypePlan& type, const Layout& layout,
                const Symbols& symbols) {
    using Kind = TypePlan::Kind;
    const bool integer_key = value.tag == Tag::Key && symbols.integer(value.symbol()).has_value();
    switch (type.kind) {
    case Kind::Any:
        return true;
    case Kind::Int:
        return value.tag == Tag::Int || integer_key;
    case Kind::Double:
        return value.tag == Tag::Double;
    case Kind::Number:
        return value.tag == Tag::Int || value.tag == Tag::Double || integer_key;
    case Kind::String:
        return value.is_text();
    case Kind::Bool:
        return value.tag == Tag::Bool;
    case Kind::Null:
        return value.tag == Tag::Null;
    case Kind::Domain: {
        const DomainTable& domain = layout.domain(type.domain);
        if (value.tag == Tag::Int) {
            return domain.numbered && value.integer >= 0 && value.integer < domain.size();
        }
        // A string is no number, so a numbered domain's members are its integers and keys.
        return (value.tag == Tag::Key || (value.tag == Tag::String && !domain.numbered)) &&
               domain.row_of(value.symbol()) != kNoRow;
    }
    }
    return false;
}

bool compares(ExprOp op, const Value& a, const Value& b, const Symbols& symbols) {
    if (a.tag == Tag::Int && b.tag == Tag::Int) {
        return compare_integers(op, a.integer, b.integer);
    }
    if (op == ExprOp::Equal) {
        return equal(a, b, symbols);
    }
    if (op == ExprOp::NotEqual) {
        return !equal(a, b, symbols);
    }
    const auto order = compare(a, b, symbols);
    if (!order) {
        return false;
    }
    switch (op) {
    case ExprOp::Less:
        return *order < 0;
    case ExprOp::LessEqual:
        return *order <= 0;
    case ExprOp::Greater:
        return *order > 0;
    default:
        return *order >= 0;
    }
}

} // namespace croupier::engine
