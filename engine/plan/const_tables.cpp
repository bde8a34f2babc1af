// Tables of the constants: what stands at a path for every choice of rows, looked up once, here.
#include "engine/plan/compiler.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

#include <algorithm>

namespace croupier::engine {

namespace {

constexpr std::uint32_t kLargestTable = 1u << 18;

// The rows of one word whose integer compares so with the bound.
std::uint64_t limit_mask(const LimitPlan& limit, std::int64_t bound) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < limit.values.size(); ++i) {
        const Value& value = limit.values[i];
        const bool holds =
            value.tag != Tag::None && compare_integers(limit.compare, value.integer, bound);
        mask |= std::uint64_t{holds} << i;
    }
    return mask;
}

// The smallest domain that fits, the first of several; 0 if there is none.
template <typename Fits>
std::uint32_t smallest_domain(const Layout& layout, Fits fits) {
    std::uint32_t best = 0;
    for (std::uint32_t id = 1; id < layout.domain_count(); ++id) {
        const DomainTable& domain = layout.domain(id);
        const bool smaller = best == 0 || domain.size() < layout.domain(best).size();
        if (smaller && fits(domain)) {
            best = id;
        }
    }
    return best;
}

} // namespace

std::uint32_t Compiler::combinations(const std::vector<Term>& terms) const {
    std::uint64_t count = 1;
    for (const Term& term : terms) {
        count *= program_.layout->domain(term.domain).size();
    }
    return count > kLargestTable ? 0 : static_cast<std::uint32_t>(count);
}

// The node at the site when its terms, in order, have those rows.
NodeRef Compiler::constant_node(const Site& site, const std::vector<std::uint16_t>& rows) const {
    NodeRef node = program_.constants->root();
    std::size_t next = 0;
    for (const Site::Key& key : site.keys) {
        const Symbol symbol = key.symbol != kNoSymbol
                                  ? key.symbol
                                  : program_.layout->domain(key.term.domain).members[rows[next++]];
        node = program_.constants->child(node, symbol);
        if (!node) {
            break;
        }
    }
    return node;
}

// The rows that choose an entry of the site's table, with their strides, the last changing fastest.
std::vector<Term> Compiler::table_terms(const Site& site) const {
    std::vector<Term> terms;
    for (const Site::Key& key : site.keys) {
        if (key.symbol == kNoSymbol) {
            terms.push_back(key.term);
        }
    }
    std::uint32_t stride = combinations(terms);
    for (Term& term : terms) {
        stride /= program_.layout->domain(term.domain).size();
        term.stride = stride;
    }
    return terms;
}

// Ops address two rows, and a table has its bounds; other sites go the general way.
bool Compiler::has_table(const Site& site) const {
    const auto terms = static_cast<std::size_t>(
        std::count_if(site.keys.begin(), site.keys.end(),
                      [](const Site::Key& key) { return key.symbol == kNoSymbol; }));
    return terms <= 2 && combinations(table_terms(site)) > 0;
}

// Reads an entry of a table into a register.
void Compiler::read_table(const ConstTable& table, std::uint16_t reg) {
    Op& op = emit(OpCode::ReadTable);
    op.a = reg;
    op.x = table.base;
    op.b = op.c = kZeroRow;
    if (!table.terms.empty()) {
        op.b = table.terms[0].reg;
        op.s = table.terms[0].stride;
    }
    if (table.terms.size() > 1) {
        op.c = table.terms[1].reg;
        op.t = table.terms[1].stride;
    }
}

// A site is asked about more than once: what domain its values are of, then for the values.
Compiler::ConstTable Compiler::value_table(const Site& site) {
    std::vector<std::pair<Symbol, std::uint32_t>> keys;
    for (const Site::Key& key : site.keys) {
        keys.emplace_back(key.symbol, key.term.domain);
    }
    const auto [place, is_new] = value_tables_.try_emplace(std::move(keys));
    if (is_new) {
        place->second = make_value_table(site);
    }
    ConstTable table = place->second;
    table.terms = table_terms(site);
    return table;
}

Compiler::ConstTable Compiler::make_value_table(const Site& site) {
    ConstTable table;
    table.terms = table_terms(site);
    const std::uint32_t count = combinations(table.terms);
    std::vector<Value> values;
    for (std::uint32_t i = 0; i < count; ++i) {
        const NodeRef node = constant_node(site, rows_of(table.terms, i));
        values.push_back(node ? program_.constants->value(node) : Value{});
    }
    // The smallest domain of which every value is a member gives them their rows.
    const auto row_in = [&](const Value& value, const DomainTable& domain) {
        if (value.tag == Tag::Int) {
            return domain.numbered && value.integer >= 0 && value.integer < domain.size()
                       ? static_cast<std::uint16_t>(value.integer)
                       : kNoRow;
        }
        return value.tag == Tag::String && !domain.numbered ? domain.row_of(value.symbol())
                                                            : kNoRow;
    };
    table.domain = smallest_domain(*program_.layout, [&](const DomainTable& domain) {
        return std::all_of(values.begin(), values.end(), [&](const Value& value) {
            return value.tag == Tag::None || row_in(value, domain) != kNoRow;
        });
    });
    for (Value& value : values) {
        if (table.domain != 0 && value.tag != Tag::None) {
            value.domain = table.domain;
            value.row = row_in(value, program_.layout->domain(table.domain));
        }
    }
    table.base = static_cast<std::uint32_t>(program_.values.size());
    table.count = count;
    program_.values.insert(program_.values.end(), values.begin(), values.end());
    return table;
}

// `true` where the node exists.
Compiler::ConstTable Compiler::presence_table(const Site& site) {
    ConstTable table;
    table.terms = table_terms(site);
    const std::uint32_t count = combinations(table.terms);
    table.base = static_cast<std::uint32_t>(program_.values.size());
    table.count = count;
    for (std::uint32_t i = 0; i < count; ++i) {
        program_.values.push_back(
            constant_node(site, rows_of(table.terms, i)) ? Value::boolean(true) : Value{});
    }
    return table;
}

// The smallest domain of which all children of the site, whatever its rows, are members in their
// order: a loop over them is one over its rows. 0 if there is none.
std::uint32_t Compiler::domain_of_children(const Site& site) const {
    return smallest_domain(*program_.layout, [&](const DomainTable& domain) {
        return holds_children(domain, site, Holds::AllInOrder);
    });
}

// The smallest domain of which all keys below the site, whatever its rows, are members, in any
// order: a value is looked up there by its row. 0 if there is none.
std::uint32_t Compiler::domain_of_keys(const Site& site) const {
    return smallest_domain(*program_.layout, [&](const DomainTable& domain) {
        return holds_children(domain, site, Holds::All);
    });
}

// The keys below the constant are members of the domain, as `how` says.
bool Compiler::holds_children(const DomainTable& domain, const Site& site, Holds how) const {
    if (how != Holds::All && domain.size() > kMostRows) {
        return false;
    }
    const std::vector<Term> terms = table_terms(site);
    const std::uint32_t count = combinations(terms);
    bool some = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const NodeRef node = constant_node(site, rows_of(terms, i));
        std::int32_t last = -1;
        for (NodeRef child = node ? program_.constants->first_child(node) : node; child;
             child = program_.constants->next_sibling(child)) {
            const std::uint16_t row = domain.row_of(program_.constants->key(child).symbol());
            if (row == kNoRow && how == Holds::SomeInOrder) {
                continue;
            }
            if (row == kNoRow || (how != Holds::All && row <= last)) {
                return false;
            }
            last = row;
            some = true;
        }
    }
    return some;
}

// The rows that combination number i stands for.
std::vector<std::uint16_t> Compiler::rows_of(const std::vector<Term>& terms, std::uint32_t i) {
    std::vector<std::uint16_t> rows;
    for (const Term& term : terms) {
        rows.push_back(static_cast<std::uint16_t>(i / term.stride));
        i %= term.stride;
    }
    return rows;
}

// Masks over the rows of `row`: one for each row of the site's other term, or of the variable that
// the leaf must equal.
// Of a site with one variable in it: whether a member of the domain equals the values there all the
// same, be it a key or what a leaf holds. A key that spells an integer equals the text as well as
// the number.
bool Compiler::is_told_by_row(const Site& site, std::uint32_t domain) const {
    if (CROUPIER_PLANTED(TextsAreNumbers)) {
        return true;
    }
    const DomainTable& members = program_.layout->domain(domain);
    const auto spells_integer = [&](Symbol symbol) {
        return program_.symbols.integer(symbol).has_value();
    };
    const bool some_integer =
        members.numbered ||
        std::any_of(members.members.begin(), members.members.end(), spells_integer);
    const std::uint32_t rows = program_.layout->domain(table_terms(site).at(0).domain).size();
    for (std::uint32_t row = 0; some_integer && row < rows; ++row) {
        const NodeRef node = constant_node(site, {static_cast<std::uint16_t>(row)});
        const Value value = node ? program_.constants->value(node) : Value{};
        const bool doubtful = members.numbered ? value.is_text() && spells_integer(value.symbol())
                                               : value.tag == Tag::Int || value.tag == Tag::Double;
        if (doubtful) {
            return false;
        }
    }
    return true;
}

Compiler::MaskTable Compiler::mask_table(const Step& step, std::uint16_t row) {
    const Site& site = step.site;
    const LeafForm& form = step.leaf;
    program_.masks.push_back(0); // of no row: where a byte that may be none picks the mask
    MaskTable table;
    table.base = static_cast<std::uint32_t>(program_.masks.size());
    std::uint32_t rows = 0;
    std::uint32_t others = 1;
    bool row_first = true;
    for (const Site::Key& key : site.keys) {
        if (key.symbol != kNoSymbol) {
            continue;
        }
        const std::uint32_t size = program_.layout->domain(key.term.domain).size();
        if (key.term.reg == row) {
            rows = size;
        } else {
            others = size;
            table.index = key.term.reg;
            row_first = rows != 0;
        }
    }
    const bool by_value = step.kind == Step::Kind::Leaf && form.kind == PatternKind::Bind;
    const DomainTable* domain = by_value ? &program_.layout->domain(form.domain) : nullptr;
    if (by_value) {
        others = domain->size();
        table.index = form.reg;
    }
    for (std::uint32_t other = 0; other < others; ++other) {
        std::vector<std::uint64_t> mask(words_for(rows), 0);
        for (std::uint32_t i = 0; i < rows; ++i) {
            std::vector<std::uint16_t> choice{static_cast<std::uint16_t>(i)};
            if (!by_value && table.index != kZeroRow) {
                choice.insert(row_first ? choice.end() : choice.begin(),
                              static_cast<std::uint16_t>(other));
            }
            const NodeRef node = constant_node(site, choice);
            bool holds = static_cast<bool>(node);
            if (step.kind == Step::Kind::Absent) {
                holds = !holds;
            } else if (holds && step.kind == Step::Kind::Leaf) {
                const Value value = program_.constants->value(node);
                const Value wanted = !by_value          ? form.value
                                     : domain->numbered ? Value::number(std::int64_t{other})
                                                        : Value::string(domain->members[other]);
                holds = value.tag != Tag::None && equal(value, wanted, program_.symbols);
            }
            mask[i / kWordRows] |= std::uint64_t{holds} << (i % kWordRows);
        }
        program_.masks.insert(program_.masks.end(), mask.begin(), mask.end());
    }
    return table;
}

// Rows by how the constant at the site compares with a number.
std::uint32_t Compiler::limit_table(const Site& site, std::uint16_t row, ExprOp compare) {
    std::uint32_t domain = 0;
    for (const Site::Key& key : site.keys) {
        domain = key.symbol == kNoSymbol && key.term.reg == row ? key.term.domain : domain;
    }
    const std::uint32_t rows = program_.layout->domain(domain).size();
    std::vector<Value> values;
    for (std::uint32_t i = 0; i < rows; ++i) {
        const NodeRef node = constant_node(site, {static_cast<std::uint16_t>(i)});
        values.push_back(node ? program_.constants->value(node) : Value{});
    }
    return limit_plans(values, compare);
}

// Rows by how their values compare with a number: the mask of the rows that compare so with a
// number below all, equal to each, between, and above all; one plan for each word of rows.
std::uint32_t Compiler::limit_plans(const std::vector<Value>& values, ExprOp compare) {
    const auto rows = static_cast<std::uint32_t>(values.size());
    // Small integers, as ranks and points are, get a mask for each.
    std::int64_t low = 0;
    std::int64_t high = -1;
    bool integers = true;
    for (const Value& value : values) {
        if (value.tag == Tag::None) {
            continue;
        }
        integers = integers && value.tag == Tag::Int;
        low = high < low ? value.integer : std::min(low, value.integer);
        high = std::max(high, value.integer);
        integers = integers && value.integer > -1000 && value.integer < 1000;
    }
    const auto first = static_cast<std::uint32_t>(program_.limits.size());
    for (std::uint32_t begin = 0; begin < rows; begin += kWordRows) {
        LimitPlan limit;
        limit.compare = compare;
        limit.values.assign(values.begin() + begin,
                            values.begin() + std::min(rows, begin + kWordRows));
        if (integers && high >= low) {
            CROUPIER_REACHED(MaskForEachBound);
            limit.low = low - 1;
            for (std::int64_t bound = low - 1; bound <= high + 1; ++bound) {
                limit.masks.push_back(limit_mask(limit, bound));
            }
        }
        program_.limits.push_back(std::move(limit));
    }
    return first;
}

// The code of a value in a Code8 column; 0 if it can never stand there.
std::uint32_t Compiler::code_of(SchemaId schema, const Value& value) {
    const SchemaNode& node = program_.layout->node(schema);
    const DomainTable& domain = program_.layout->domain(node.domain);
    for (std::uint32_t row = 0; row < domain.size(); ++row) {
        const Value member =
            domain.numbered ? Value::number(std::int64_t{row}) : Value::string(domain.members[row]);
        if (equal(member, value, program_.symbols)) {
            return row + 1;
        }
    }
    return 0;
}

} // namespace croupier::engine
