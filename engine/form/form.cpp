// The table of kinds, lists of values, and relations as shifts.
#include "engine/form/form.h"

#include "engine/state/layout.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <utility>

namespace croupier::engine::form {

// Letters without a star come once each.
char KindInfo::letter(std::string_view letters, std::size_t place, std::size_t count) {
    const std::size_t star = letters.find('*');
    if (star == std::string_view::npos || place + 1 < star) return letters[place];
    const std::size_t left = count - place;               // with this one
    const std::size_t behind = letters.size() - star - 1; // letters after the star
    return left > behind ? letters[star - 1] : letters[letters.size() - left];
}

// Lists of values whose indices are codes.

namespace {

// Wider ranges of integers have no codes.
constexpr std::size_t kLongestRange = 1024;

std::uint32_t find_or_add(Module& module, CodeList made) {
    for (std::uint32_t i = 0; i < module.lists.size(); ++i) {
        const CodeList& each = module.lists[i];
        const bool same =
            each.form == made.form && each.domain == made.domain && each.low == made.low &&
            each.values.size() == made.values.size() &&
            std::equal(each.values.begin(), each.values.end(), made.values.begin(), same_value);
        if (same) return i;
    }
    module.lists.push_back(std::move(made));
    return static_cast<std::uint32_t>(module.lists.size() - 1);
}

// The smallest domain of names in which all the texts are, in any order; 0 if there is none.
std::uint32_t smallest_domain(const Module& module, const std::vector<Value>& texts) {
    const Layout& layout = *module.catalogue->layout;
    std::uint32_t best = 0;
    for (std::uint32_t id = 1; id < layout.domain_count(); ++id) {
        const DomainTable& domain = layout.domain(id);
        const bool fits = std::all_of(texts.begin(), texts.end(), [&](const Value& value) {
            return value.tag == Tag::None || domain.row_of(value.symbol()) != kNoRow;
        });
        if (fits && (best == 0 || domain.size() < layout.domain(best).size())) best = id;
    }
    return best;
}

bool all_are(const std::vector<Value>& values, Tag tag) {
    return std::all_of(values.begin(), values.end(), [&](const Value& value) {
        return value.tag == tag || value.tag == Tag::None;
    });
}

} // namespace

std::uint32_t list_of_domain(Module& module, CodeList::Form form, std::uint32_t domain) {
    const auto known =
        std::find_if(module.lists.begin(), module.lists.end(), [&](const CodeList& each) {
            return each.domain == domain && each.form == form && domain != 0;
        });
    if (known != module.lists.end())
        return static_cast<std::uint32_t>(known - module.lists.begin());
    CodeList list;
    list.form = form;
    list.domain = domain;
    const DomainTable& table = module.catalogue->layout->domain(domain);
    for (std::uint32_t number = 0; number < table.size(); ++number) {
        const auto row = static_cast<std::uint16_t>(number);
        Value value = Value::key(table.members[row], domain, row);
        if (form != CodeList::Form::Keys) {
            value = form == CodeList::Form::Numbers ? Value::number(std::int64_t{row})
                                                    : Value::string(table.members[row]);
            value.domain = domain;
            value.row = row;
        }
        list.values.push_back(value);
    }
    module.lists.push_back(std::move(list));
    return static_cast<std::uint32_t>(module.lists.size() - 1);
}

std::uint32_t list_of_truths(Module& module) {
    return find_or_add(
        module, {CodeList::Form::Truths, 0, 0, {Value::boolean(false), Value::boolean(true)}});
}

std::uint32_t list_of_range(Module& module, std::int64_t low, std::int64_t high) {
    CodeList list{CodeList::Form::Range, 0, low, {}};
    const auto last = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    for (std::uint64_t i = 0; i <= last; ++i) // `high` may be the largest integer
        list.values.push_back(Value::number(low + static_cast<std::int64_t>(i)));
    return find_or_add(module, std::move(list));
}

std::uint32_t list_of_keys(Module& module, const std::vector<Symbol>& keys) {
    const Layout& layout = *module.catalogue->layout;
    for (std::uint32_t id = 1; id < layout.domain_count(); ++id)
        if (layout.domain(id).members == keys)
            return list_of_domain(module, CodeList::Form::Keys, id);
    CodeList list;
    for (const Symbol key : keys)
        list.values.push_back(Value::key(key));
    return find_or_add(module, std::move(list));
}

Type type_of_leaf(Module& module, const SchemaNode& leaf) {
    switch (leaf.column) {
    case Column::Code8:
    case Column::Code16:
        break;
    case Column::Int:
        return {TypeKind::Int, 0, leaf.low, leaf.high};
    default:
        return {TypeKind::Any};
    }
    if (leaf.kind == ShapeKind::Bool) return code_type(list_of_truths(module));
    if (leaf.kind == ShapeKind::Int) return code_type(list_of_range(module, leaf.low, leaf.high));
    const bool numbered = module.catalogue->layout->domain(leaf.domain).numbered;
    return code_type(list_of_domain(
        module, numbered ? CodeList::Form::Numbers : CodeList::Form::Texts, leaf.domain));
}

Type type_of_values(Module& module, const std::vector<Value>& values) {
    if (all_are(values, Tag::Bool)) return code_type(list_of_truths(module));
    if (all_are(values, Tag::String)) {
        const std::uint32_t domain = smallest_domain(module, values);
        return domain == 0 ? Type{TypeKind::Any}
                           : code_type(list_of_domain(module, CodeList::Form::Texts, domain));
    }
    if (all_are(values, Tag::Int)) {
        std::int64_t low = INT64_MAX;
        std::int64_t high = INT64_MIN;
        for (const Value& value : values) {
            if (value.tag == Tag::Int) {
                low = std::min(low, value.integer);
                high = std::max(high, value.integer);
            }
        }
        if (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) < kLongestRange)
            return code_type(list_of_range(module, low, high));
    }
    return {TypeKind::Any};
}

std::uint32_t code_of(const Module& module, std::uint32_t list, const Value& value) {
    const CodeList& known = module.lists[list];
    const std::vector<Value>& values = known.values;
    const auto is_at = [&](std::uint64_t place) {
        return place < values.size() && same_value(values[place], value);
    };
    // In most lists the index follows from the value.
    if (known.form == CodeList::Form::Range || known.form == CodeList::Form::Numbers) {
        const auto place =
            static_cast<std::uint64_t>(value.integer) - static_cast<std::uint64_t>(known.low);
        return is_at(place) ? static_cast<std::uint32_t>(place) + 1 : 0;
    }
    if (known.domain != 0 && value.is_text()) {
        const std::uint16_t row =
            module.catalogue->layout->domain(known.domain).row_of(value.symbol());
        return row != kNoRow && is_at(row) ? row + 1u : 0;
    }
    for (std::uint32_t i = 0; i < values.size(); ++i)
        if (is_at(i)) return i + 1;
    return 0;
}

std::uint32_t code_of_key(const Module& module, std::uint32_t list, Symbol key) {
    const CodeList& known = module.lists[list];
    if (known.domain != 0) {
        const std::uint16_t row = module.catalogue->layout->domain(known.domain).row_of(key);
        return row == kNoRow ? 0 : row + 1u;
    }
    const Symbols& symbols = module.catalogue->symbols;
    for (std::uint32_t i = 0; i < known.values.size(); ++i) {
        const Value& value = known.values[i];
        const bool same =
            value.is_text() ? value.symbol() == key : to_text(value, symbols) == symbols.text(key);
        if (same) return i + 1;
    }
    return 0;
}

// A table of sets as shifts.

constexpr std::size_t kMaxShifts = 64;
// On small domains a shift costs no more than a few rows.
constexpr std::size_t kFewShifts = 8;

std::optional<Shifts> shifts_of(const LookupTable& table, std::uint32_t size) {
    const std::uint32_t rows = table.sizes[0] - 1;
    const std::size_t words = words_for(size);
    const std::size_t allowed = std::clamp<std::size_t>(rows / 2, kFewShifts, kMaxShifts);
    std::map<std::int64_t, std::vector<std::uint64_t>> found;
    Shifts made;
    for (std::uint32_t row = 0; row < rows; ++row) {
        std::uint32_t count = 0;
        for (std::size_t w = 0; w < words; ++w) {
            std::uint64_t left = table.words[(row + std::size_t{1}) * words + w];
            for (; left != 0; left &= left - 1, ++count) {
                const auto other =
                    static_cast<std::int64_t>(w * kWordRows) + std::countr_zero(left);
                auto& of = found[other - std::int64_t{row}];
                of.resize(words_for(rows));
                add_row(of, 0, row);
            }
        }
        if (found.size() > allowed) return std::nullopt;
        made.most = std::max(made.most, count);
    }
    if (found.empty()) return std::nullopt;
    for (auto& [by, of] : found)
        made.all.push_back({by, std::move(of)});
    return made;
}

} // namespace croupier::engine::form
