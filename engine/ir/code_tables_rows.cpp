// Tables of how many rows are in sets that codes choose, and whether there are any.
#include "engine/ir/code_tables.h"
#include "engine/ir/probe.h"
#include "engine/ir/same.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace croupier::engine::ir {

namespace {

constexpr std::uint32_t kNotYet = 0xffffffff;

} // namespace

// The set is the rows that are in several sets, each of which one code chooses.
bool CodeTables::find_leaves_of_rows(Id set, std::vector<Id>& leaves) {
    const Kind kind = edit_.at(set).kind;
    const std::vector<Id> operands = edit_.at(set).operands;
    if (kind == Kind::Both) {
        return find_leaves_of_rows(operands[0], leaves) && find_leaves_of_rows(operands[1], leaves);
    }
    return kind == Kind::TableRows && operands.size() == 1 && is_leaf(operands[0]) &&
           find_leaves(operands[0], leaves);
}

// For each choice of codes, of those that the sets depend on.
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
                return each.leaf == number && each.table == set.x;
            })) {
            sets.push_back({number, set.x});
        }
    }
    Outcomes found;
    for (const Chosen& each : sets) {
        found.leaves.push_back(each.leaf);
    }
    std::sort(found.leaves.begin(), found.leaves.end());
    found.leaves.erase(std::unique(found.leaves.begin(), found.leaves.end()), found.leaves.end());
    std::size_t choices = 1;
    for (std::size_t i = found.leaves.size(); i-- > 0;) {
        for (Chosen& each : sets) {
            if (each.leaf == found.leaves[i]) {
                each.step = choices;
            }
        }
        choices *= made.sizes[found.leaves[i]];
    }
    const bool counts = function.at(asked).kind == Kind::CountRows;
    std::vector<std::uint32_t> places(words * kWordRows + 1, kNotYet); // of each number
    found.places.reserve(choices);
    std::vector<std::uint64_t> rows(words);
    for (std::size_t choice = 0; choice < choices; ++choice) {
        std::fill(rows.begin(), rows.end(), ~std::uint64_t{0});
        for (const Chosen& each : sets) {
            const std::size_t code = choice / each.step % made.sizes[each.leaf];
            const std::uint64_t* const of_code = &module.tables[each.table].words[code * words];
            for (std::size_t w = 0; w < words; ++w) {
                rows[w] = CROUPIER_MISTAKE(CountOfLastSet) ? of_code[w] : rows[w] & of_code[w];
            }
        }
        std::size_t number = 0;
        for (const std::uint64_t word : rows) {
            number += word == 0 ? 0 : static_cast<std::size_t>(std::popcount(word));
        }
        number = counts ? number : std::min<std::size_t>(number, 1);
        if (places[number] == kNotYet) {
            places[number] = static_cast<std::uint32_t>(found.values.size());
            found.values.emplace_back(counts ? Value::number(static_cast<std::int64_t>(number))
                                             : Value::boolean(number != 0));
        }
        found.places.push_back(places[number]);
    }
    return std::make_shared<Outcomes>(std::move(found));
}

} // namespace croupier::engine::ir
