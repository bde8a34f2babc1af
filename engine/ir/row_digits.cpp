// Numbers of rows as binary digits, each a set: sums and comparisons of them as sets of rows.
#include "engine/ir/probe.h"
#include "engine/ir/row_numbers.h"

#include <algorithm>

namespace croupier::engine::ir {

RowNumbers::Digits RowNumbers::sum(const Digits& a, const Digits& b) {
    Digits made;
    Rows carry;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const Rows one = i < a.size() ? a[i] : Rows{};
        const Rows two = i < b.size() ? b[i] : Rows{};
        const Rows odd = kept(differ(again(one), again(two)));
        const Rows next =
            either(both(again(one), again(two)),
                   CROUPIER_MISTAKE(CarryOfTwoOnly) ? Rows{} : both(again(odd), again(carry)));
        made.push_back(kept(differ(again(odd), again(carry))));
        carry = kept(next);
    }
    if (carry.is != Rows::Is::None) {
        made.push_back(carry);
    }
    return made;
}

RowNumbers::Rows RowNumbers::less(const Digits& a, const Digits& b) {
    Rows made;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const Rows one = i < a.size() ? a[i] : Rows{};
        const Rows two = i < b.size() ? b[i] : Rows{};
        const Rows higher = without(again(two), again(one));
        made = either(higher, without(made, differ(again(one), again(two))));
    }
    return made;
}

RowNumbers::Rows RowNumbers::equal(const Digits& a, const Digits& b) {
    Rows made{Rows::Is::All};
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const Rows one = i < a.size() ? a[i] : Rows{};
        const Rows two = i < b.size() ? b[i] : Rows{};
        made = without(made, differ(again(one), again(two)));
    }
    return made;
}

// ---- sets ------------------------------------------------------------------------------------

RowNumbers::Rows RowNumbers::made(Kind kind, Id a, Id b) {
    return {Rows::Is::Some, edit_.make(kind, type(), {a, b})};
}

Id RowNumbers::expression(const Rows& rows) {
    if (rows.is == Rows::Is::Some) {
        return rows.set;
    }
    const Id all = edit_.make(Kind::AllRows, type(), {});
    return rows.is == Rows::Is::All
               ? all
               : edit_.make(Kind::Without, type(), {all, edit_.make(Kind::AllRows, type(), {})});
}

// For another place.
RowNumbers::Rows RowNumbers::again(const Rows& rows) {
    return rows.is == Rows::Is::Some ? Rows{Rows::Is::Some, edit_.copy(rows.set)} : rows;
}

// In a variable, so that it may be used often.
RowNumbers::Rows RowNumbers::kept(const Rows& rows) {
    if (rows.is != Rows::Is::Some || node(rows.set).kind == Kind::RowsOf) {
        return rows;
    }
    const VarId var = edit_.new_var("rows", type());
    before_->push_back(edit_.make(Kind::LetRows, {}, {rows.set}, var));
    return {Rows::Is::Some, edit_.make(Kind::RowsOf, type(), {}, var)};
}

RowNumbers::Rows RowNumbers::both(Rows a, Rows b) {
    if (a.is == Rows::Is::None || b.is == Rows::Is::None) {
        return {};
    }
    return a.is == Rows::Is::All ? b : b.is == Rows::Is::All ? a : made(Kind::Both, a.set, b.set);
}

RowNumbers::Rows RowNumbers::either(Rows a, Rows b) {
    if (a.is == Rows::Is::All || b.is == Rows::Is::All) {
        return {Rows::Is::All};
    }
    return a.is == Rows::Is::None   ? b
           : b.is == Rows::Is::None ? a
                                    : made(Kind::Either, a.set, b.set);
}

RowNumbers::Rows RowNumbers::without(Rows a, Rows b) {
    if (a.is == Rows::Is::None || b.is == Rows::Is::All) {
        return {};
    }
    if (b.is == Rows::Is::None) {
        return a;
    }
    if (node(b.set).kind == Kind::Without && node(node(b.set).operands[0]).kind == Kind::AllRows) {
        return both(a, {Rows::Is::Some, node(b.set).operands[1]});
    }
    return made(Kind::Without, expression(a), b.set);
}

RowNumbers::Rows RowNumbers::differ(Rows a, Rows b) {
    if (a.is == Rows::Is::All) {
        return without(a, b);
    }
    if (b.is == Rows::Is::All) {
        return without(b, a);
    }
    return a.is == Rows::Is::None   ? b
           : b.is == Rows::Is::None ? a
                                    : made(Kind::Differ, a.set, b.set);
}

} // namespace croupier::engine::ir
