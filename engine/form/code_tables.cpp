// Tables of expressions that depend on a few codes.
#include "engine/form/code_tables.h"

#include "engine/form/edit.h"
#include "engine/form/evaluate.h"
#include "engine/form/form.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <numeric>
#include <utility>

namespace croupier::engine::form {

// The values of expressions for all choices of the codes that they depend on.

constexpr std::uint32_t kUnknown = 0xffffffff;
// The most combinations of operands whose results are cached.
constexpr std::size_t kMaxRemembered = std::size_t{1} << 16;

// A node whose operands' outcomes are known: computed once for each combination of values.
class OutcomeMaker::Combination {
  public:
    Combination(const Module& module, const Function& function, const Node& node,
                std::vector<OutcomesPtr> operands)
        : module_(module), function_(function), node_(node), operands_(std::move(operands)),
          at_(operands_.size()), chosen_(operands_.size()) {
        std::size_t choices = 1;
        factors_.resize(operands_.size());
        for (std::size_t i = operands_.size(); i-- > 0 && choices <= kMaxRemembered;) {
            factors_[i] = choices;
            choices *= operands_[i]->values.size();
        }
        if (choices <= kMaxRemembered) remembered_.assign(choices, kUnknown);
        for (const OutcomesPtr& each : operands_) {
            std::vector<std::uint32_t> all;
            std::set_union(made_.leaves.begin(), made_.leaves.end(), each->leaves.begin(),
                           each->leaves.end(), std::back_inserter(all));
            made_.leaves = std::move(all);
        }
        if (node.kind == Kind::Table)
            find_codes();
        else if (node.kind == Kind::Compare && is_equality(node.op()))
            find_texts();
    }

    Outcomes run(const std::vector<std::uint32_t>& sizes) {
        const std::size_t count = std::accumulate(
            made_.leaves.begin(), made_.leaves.end(), std::size_t{1},
            [&](std::size_t product, std::uint32_t leaf) { return product * sizes[leaf]; });
        if (looks_up_leaves()) {
            const Entries& entries = module_.tables[node_.table()].values;
            made_.places.assign(entries.places().begin(), entries.places().end());
            made_.values.assign(entries.different().begin(), entries.different().end());
            return std::move(made_);
        }
        if (follow_one()) {
            CROUPIER_REWRITE_IF(node_.kind == Kind::Table, TableOfTable);
            return std::move(made_);
        }
        made_.places.reserve(count);
        const std::size_t row = made_.leaves.empty() ? 1 : sizes[made_.leaves.back()];
        std::vector<std::size_t> codes(made_.leaves.size()); // the last stays 0
        for (std::size_t done = 0; done < count; done += row) {
            add_row(codes, row, sizes);
            for (std::size_t i = codes.size(); i-- > 1;) {
                if (++codes[i - 1] < sizes[made_.leaves[i - 1]]) break;
                codes[i - 1] = 0;
            }
        }
        return std::move(made_);
    }

  private:
    // Whether it is a table whose operands are the leaves themselves, in order.
    [[nodiscard]] bool looks_up_leaves() const {
        bool codes = node_.kind == Kind::Table && made_.leaves.size() == operands_.size();
        for (std::size_t i = 0; i < operands_.size() && codes; ++i) {
            const Outcomes& each = *operands_[i];
            codes = each.leaves.size() == 1 && each.leaves[0] == made_.leaves[i] &&
                    each.places.size() == each.values.size() &&
                    each.places.size() == module_.tables[node_.table()].sizes[i];
            for (std::uint32_t code = 0; code < each.places.size() && codes; ++code)
                codes = each.places[code] == code && codes_[i][code] == code;
        }
        return codes;
    }

    // If only one operand depends on codes, computes one result for each of its values.
    bool follow_one() {
        const auto is_open = [](const OutcomesPtr& each) { return !each->leaves.empty(); };
        if (std::count_if(operands_.begin(), operands_.end(), is_open) != 1) return false;
        const auto open = static_cast<std::size_t>(
            std::find_if(operands_.begin(), operands_.end(), is_open) - operands_.begin());
        std::vector<std::uint32_t> results;
        for (std::uint32_t place = 0; place < operands_[open]->values.size(); ++place) {
            std::transform(operands_.begin(), operands_.end(), at_.begin(),
                           [](const OutcomesPtr& each) { return each->places[0]; });
            at_[open] = place;
            results.push_back(next_place());
        }
        made_.places.resize(operands_[open]->places.size());
        std::transform(operands_[open]->places.begin(), operands_[open]->places.end(),
                       made_.places.begin(), [&](std::uint32_t place) { return results[place]; });
        return true;
    }

    // Adds the results for all codes of the last leaf.
    void add_row(const std::vector<std::size_t>& codes, std::size_t row,
                 const std::vector<std::uint32_t>& sizes) {
        starts_.clear();
        for (const OutcomesPtr& each : operands_) {
            std::size_t start = 0;
            std::size_t k = 0;
            for (const std::uint32_t leaf : each->leaves) {
                while (made_.leaves[k] != leaf)
                    ++k;
                start = start * sizes[CROUPIER_MISTAKE(TableByOtherSize) ? 0 : leaf] + codes[k];
            }
            const bool moves = !each->leaves.empty() && each->leaves.back() == made_.leaves.back();
            starts_.push_back({each->places.data() + start, moves ? std::size_t{1} : 0});
        }
        for (std::size_t code = 0; code < row; ++code) {
            std::uint32_t* known = nullptr;
            if (!remembered_.empty()) {
                std::size_t choice = 0;
                for (std::size_t i = 0; i < starts_.size(); ++i)
                    choice += starts_[i].first[code * starts_[i].second] * factors_[i];
                known = &remembered_[choice];
            }
            if (known != nullptr && *known != kUnknown) {
                made_.places.push_back(*known);
                continue;
            }
            for (std::size_t i = 0; i < starts_.size(); ++i)
                at_[i] = starts_[i].first[code * starts_[i].second];
            made_.places.push_back(next_place());
            if (known != nullptr) *known = made_.places.back();
        }
    }

    // The index of the result for the current operands.
    std::uint32_t next_place() {
        if (node_.kind == Kind::Table) return entry();
        if (!texts_.empty()) {
            const Symbol one = texts_[0][at_[0]];
            const bool equal = one != kNoSymbol && one == texts_[1][at_[1]];
            const bool is = equal == (node_.op() == ExprOp::Equal);
            std::uint32_t& known = truths_[is ? 1 : 0];
            if (known == kUnknown) {
                known = static_cast<std::uint32_t>(made_.values.size());
                made_.values.emplace_back(Value::boolean(is));
            }
            return known;
        }
        if (const auto value = computed()) {
            const std::uint32_t place = palette_.place_of(*value);
            if (place == places_.size()) {
                places_.push_back(static_cast<std::uint32_t>(made_.values.size()));
                made_.values.emplace_back(value);
            }
            return places_[place];
        }
        return nothing();
    }

    std::uint32_t nothing() {
        if (nothing_ == kUnknown) {
            nothing_ = static_cast<std::uint32_t>(made_.values.size());
            made_.values.emplace_back();
        }
        return nothing_;
    }

    std::optional<Value> computed() {
        for (std::size_t i = 0; i < operands_.size(); ++i)
            chosen_[i] = operands_[i]->values[at_[i]];
        return result_of(module_, function_, node_, chosen_);
    }

    // Codes are the indices of a table's entries; each is looked up once for each value.
    void find_codes() {
        places_.assign(module_.tables[node_.table()].values.different().size(), kUnknown);
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            const std::uint32_t list = function_.at(node_.operands[i]).type.list;
            auto& codes = codes_.emplace_back();
            for (const auto& value : operands_[i]->values)
                codes.push_back(value ? code_of(module_, list, *value) : kUnknown);
        }
    }

    // Looks up the symbols of compared texts once: there are many if they are rows of a board.
    void find_texts() {
        std::vector<std::vector<Symbol>> found;
        for (const OutcomesPtr& each : operands_) {
            auto& symbols = found.emplace_back();
            for (const auto& value : each->values) {
                if (!value || (value->tag != Tag::None && !value->is_text())) return;
                symbols.push_back(value->tag == Tag::None ? kNoSymbol : value->symbol());
            }
        }
        texts_ = std::move(found);
    }

    // Needs no palette, since a table stores each different value once.
    std::uint32_t entry() {
        const LookupTable& table = module_.tables[node_.table()];
        std::size_t place = 0;
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            const std::uint32_t code = codes_[i][at_[i]];
            if (code == kUnknown) return nothing();
            place = place * table.sizes[i] + code;
        }
        std::uint32_t& known = places_[table.values.places()[place]];
        if (known == kUnknown) {
            known = static_cast<std::uint32_t>(made_.values.size());
            made_.values.emplace_back(table.values[place]);
        }
        return known;
    }

    const Module& module_;
    const Function& function_;
    const Node& node_;
    std::vector<OutcomesPtr> operands_;
    std::vector<std::size_t> factors_; // of each operand's index in the number of a combination
    std::vector<std::uint32_t> at_;    // current index in each operand's values
    std::vector<std::optional<Value>> chosen_;
    std::vector<std::uint32_t> remembered_; // by combination; empty if there are too many
    std::vector<std::vector<std::uint32_t>> codes_;
    std::vector<std::vector<Symbol>> texts_; // empty if there are other values
    std::array<std::uint32_t, 2> truths_ = {kUnknown, kUnknown};
    std::vector<std::pair<const std::uint32_t*, std::size_t>> starts_;
    Palette palette_;
    std::vector<std::uint32_t>
        places_; // index in made_.values of each value of the palette, or table
    std::uint32_t nothing_ = kUnknown;
    Outcomes made_;
};

OutcomesPtr OutcomeMaker::of(Id expression) {
    if (OutcomesPtr known = leaf_(expression)) return known;
    const Node& node = function_.at(expression);
    if (!can_evaluate(node.kind))
        return std::make_shared<Outcomes>(Outcomes{{}, {0}, {std::nullopt}});
    std::vector<OutcomesPtr> operands;
    for (const Id each : node.operands)
        operands.push_back(of(each));
    return std::make_shared<Outcomes>(
        Combination(module_, function_, node, std::move(operands)).run(sizes_));
}

OutcomesPtr OutcomeMaker::of_list(std::uint32_t leaf, const CodeList& list) {
    std::vector<std::optional<Value>> values = {Value{}};
    values.insert(values.end(), list.values.begin(), list.values.end());
    return of_values(leaf, std::move(values));
}

OutcomesPtr OutcomeMaker::of_values(std::uint32_t leaf, std::vector<std::optional<Value>> values) {
    Outcomes made;
    made.leaves = {leaf};
    made.places.resize(values.size());
    std::iota(made.places.begin(), made.places.end(), 0);
    made.values = std::move(values);
    return std::make_shared<Outcomes>(std::move(made));
}

bool CodeTables::is_leaf(Id id) const {
    const Node& node = edit_.function().at(id);
    return node.type.kind == TypeKind::Code &&
           (node.kind == Kind::Load ||
            (node.kind == Kind::Variable && !definitions_.contains(node.var())));
}

// Adds the leaves of the expression; false if it depends on anything else. Also updates the types
// of its variables.
bool CodeTables::find_leaves(Id id, std::vector<Id>& leaves) {
    const auto node = [&]() -> Node& { return edit_.at(id); };
    if (node().kind == Kind::Variable) {
        node().type = edit_.var(node().var()).type;
        if (const auto known = definitions_.find(node().var()); known != definitions_.end())
            return find_leaves(known->second, leaves);
    }
    if (is_leaf(id)) {
        const bool known = std::any_of(leaves.begin(), leaves.end(), [&](Id each) {
            return same_expression(edit_.module(), edit_.function(), each, id);
        });
        if (!known) leaves.push_back(id);
        return leaves.size() <= most_codes_;
    }
    if (node().kind == Kind::CountRows || node().kind == Kind::AnyRow)
        return find_leaves_of_rows(node().operands[0], leaves);
    return can_evaluate(node().kind) &&
           std::all_of(node().operands.begin(), node().operands.end(),
                       [&](Id operand) { return find_leaves(operand, leaves); });
}

std::optional<std::vector<Id>> CodeTables::leaves_of(Id expression) {
    std::vector<Id> leaves;
    return find_leaves(expression, leaves) ? std::optional(std::move(leaves)) : std::nullopt;
}

std::optional<CodeTables::Made> CodeTables::of(Id expression) {
    Made made;
    if (!edit_.at(expression).type.is_value() || !find_leaves(expression, made.leaves))
        return std::nullopt;
    std::size_t count = 1;
    for (const Id leaf : made.leaves) {
        const CodeList& list = edit_.module().lists[edit_.at(leaf).type.list];
        made.sizes.push_back(static_cast<std::uint32_t>(list.values.size() + 1));
        count *= made.sizes.back();
    }
    if (count > most_) return std::nullopt;
    std::vector<std::uint64_t> shape;
    append_shape(expression, made.leaves, shape);
    const auto [known, is_new] = known_.try_emplace(std::move(shape));
    CROUPIER_REWRITE_IF(!is_new && known->second != nullptr, TableOfSameShape);
    if (is_new) {
        OutcomesPtr found = outcomes_of(expression, made);
        const bool told = std::all_of(found->values.begin(), found->values.end(),
                                      [](const auto& each) { return each.has_value(); });
        known->second = told && found->places.size() == count ? std::move(found) : nullptr;
    }
    if (known->second == nullptr) return std::nullopt;
    made.outcomes = known->second;
    return made;
}

OutcomesPtr CodeTables::outcomes_of(Id expression, const Made& made) {
    const Module& module = edit_.module();
    const Function& function = edit_.function();
    std::vector<OutcomesPtr> leaves;
    for (const Id leaf : made.leaves) {
        leaves.push_back(OutcomeMaker::of_list(static_cast<std::uint32_t>(leaves.size()),
                                               module.lists[function.at(leaf).type.list]));
    }
    std::optional<OutcomeMaker> maker;
    const auto leaf = [&](Id each) -> OutcomesPtr {
        const Node& node = function.at(each);
        if (node.kind == Kind::CountRows || node.kind == Kind::AnyRow)
            return outcomes_of_rows(each, made);
        if (node.kind == Kind::Variable) {
            if (const auto known = definitions_.find(node.var()); known != definitions_.end())
                return maker->of(known->second);
        }
        for (std::size_t i = 0; is_leaf(each) && i < leaves.size(); ++i)
            if (same_expression(module, function, made.leaves[i], each)) return leaves[i];
        return nullptr;
    };
    maker.emplace(module, function, made.sizes, leaf);
    return maker->of(expression);
}

// Expressions of the same shape have the same values for the same codes.
void CodeTables::append_shape(Id id, const std::vector<Id>& leaves,
                              std::vector<std::uint64_t>& shape) const {
    const Node& node = edit_.function().at(id);
    if (node.kind == Kind::Variable) {
        if (const auto known = definitions_.find(node.var()); known != definitions_.end()) {
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
    const Value value = any ? edit_.module().values[node.value()] : Value{};
    shape.insert(shape.end(), {static_cast<std::uint64_t>(node.kind), any ? 0 : node.x,
                               static_cast<std::uint64_t>(node.number),
                               static_cast<std::uint64_t>(node.type.kind) << 32 | node.type.list,
                               static_cast<std::uint64_t>(value.tag),
                               static_cast<std::uint64_t>(
                                   CROUPIER_MISTAKE(ShapeWithoutConstants) ? 0 : value.integer),
                               node.operands.size()});
    for (const Id operand : node.operands)
        append_shape(operand, leaves, shape);
}

// Tables of the number of rows in sets that codes choose, and of whether there are any.

// Whether the set is an intersection of sets that are each chosen by one code; adds these leaves.
bool CodeTables::find_leaves_of_rows(Id set, std::vector<Id>& leaves) {
    const Kind kind = edit_.at(set).kind;
    const std::vector<Id> operands = edit_.at(set).operands;
    if (kind == Kind::Both)
        return find_leaves_of_rows(operands[0], leaves) && find_leaves_of_rows(operands[1], leaves);
    return kind == Kind::TableRows && operands.size() == 1 && is_leaf(operands[0]) &&
           find_leaves(operands[0], leaves);
}

// Counts the rows for each choice of the codes that the sets depend on.
OutcomesPtr CodeTables::outcomes_of_rows(Id asked, const Made& made) const {
    CROUPIER_REWRITE(KnownCount);
    const Module& module = edit_.module();
    const Function& function = std::as_const(edit_).function();
    struct Chosen {
        std::uint32_t leaf = 0;
        std::uint32_t table = 0;
        std::size_t step = 0; // choices from one code of its leaf to the next
    };
    std::vector<Chosen> sets;
    std::vector<Id> open = {function.at(asked).operands[0]};
    const std::size_t words = words_for(static_cast<std::uint32_t>(
        module.lists[function.at(open.front()).type.list].values.size()));
    while (!open.empty()) {
        const Node& set = function.at(open.back());
        open.pop_back();
        if (set.kind == Kind::Both) {
            open.insert(open.end(), set.operands.begin(), set.operands.end());
            continue;
        }
        const auto leaf = std::find_if(made.leaves.begin(), made.leaves.end(), [&](Id each) {
            return same_expression(module, function, each, set.operands[0]);
        });
        const auto number = static_cast<std::uint32_t>(leaf - made.leaves.begin());
        if (std::none_of(sets.begin(), sets.end(), [&](const Chosen& each) {
                return each.leaf == number && each.table == set.table();
            }))
            sets.push_back({number, set.table()});
    }
    Outcomes found;
    for (const Chosen& each : sets)
        found.leaves.push_back(each.leaf);
    std::sort(found.leaves.begin(), found.leaves.end());
    found.leaves.erase(std::unique(found.leaves.begin(), found.leaves.end()), found.leaves.end());
    std::size_t choices = 1;
    for (std::size_t i = found.leaves.size(); i-- > 0;) {
        for (Chosen& each : sets)
            if (each.leaf == found.leaves[i]) each.step = choices;
        choices *= made.sizes[found.leaves[i]];
    }
    const bool counts = function.at(asked).kind == Kind::CountRows;
    std::vector<std::uint32_t> places(words * kWordRows + 1, kUnknown); // by number of rows
    found.places.reserve(choices);
    std::vector<std::uint64_t> rows(words);
    for (std::size_t choice = 0; choice < choices; ++choice) {
        std::fill(rows.begin(), rows.end(), ~std::uint64_t{0});
        for (const Chosen& each : sets) {
            const std::size_t code = choice / each.step % made.sizes[each.leaf];
            const std::uint64_t* const of_code = &module.tables[each.table].words[code * words];
            for (std::size_t w = 0; w < words; ++w)
                rows[w] = CROUPIER_MISTAKE(CountOfLastSet) ? of_code[w] : rows[w] & of_code[w];
        }
        std::size_t number = 0;
        for (const std::uint64_t word : rows)
            number += word == 0 ? 0 : static_cast<std::size_t>(std::popcount(word));
        number = counts ? number : std::min<std::size_t>(number, 1);
        if (places[number] == kUnknown) {
            places[number] = static_cast<std::uint32_t>(found.values.size());
            found.values.emplace_back(counts ? Value::number(static_cast<std::int64_t>(number))
                                             : Value::boolean(number != 0));
        }
        found.places.push_back(places[number]);
    }
    return std::make_shared<Outcomes>(std::move(found));
}

} // namespace croupier::engine::form
