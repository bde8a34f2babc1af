// The pass `facts`: rows that are in two sets of tables, where one code chooses both.
#include "engine/ir/facts.h"
#include "engine/ir/probe.h"

#include <utility>

namespace croupier::engine::ir {

// One table says it of both, and a code that only chose one of them is not asked.
void Facts::join_sets(Id both) {
    const auto is_chosen = [&](Id set) {
        return node(set).kind == Kind::TableRows && node(set).operands.size() == 1 &&
               node(node(set).operands[0]).kind == Kind::Variable;
    };
    const Id second = node(both).operands[1];
    Id first = node(both).operands[0];
    const bool chained = node(first).kind == Kind::Both && is_chosen(node(first).operands[1]);
    first = chained ? node(first).operands[1] : first;
    if (!is_chosen(first) || !is_chosen(second)) {
        return;
    }
    // `other` by the code that chooses `kept`.
    Id kept = second;
    Id other = first;
    const auto var_of = [&](Id set) { return node(node(set).operands[0]).x; };
    std::optional<std::vector<std::uint32_t>> codes;
    if (var_of(kept) == var_of(other)) {
        codes.emplace();
        for (std::uint32_t code = 0; code < edit_.module().tables[node(kept).x].sizes[0]; ++code) {
            codes->push_back(code);
        }
    } else if (codes = possible_.codes_by(var_of(other), var_of(kept)); !codes) {
        std::swap(kept, other);
        codes = possible_.codes_by(var_of(other), var_of(kept));
    }
    if (!codes) {
        return;
    }
    CROUPIER_REWRITE(SetsByOneCode);
    Table joined = edit_.module().tables[node(kept).x];
    const Table& by_image = edit_.module().tables[node(other).x];
    const std::size_t words = joined.words.size() / joined.sizes[0];
    for (std::size_t code = 0; code < codes->size(); ++code) {
        const std::size_t from = (*codes)[code] * words;
        for (std::size_t w = 0; w < words && !CROUPIER_MISTAKE(FirstSetForgotten); ++w) {
            joined.words[code * words + w] &= by_image.words[from + w];
        }
    }
    edit_.at(kept).x = static_cast<std::uint32_t>(edit_.module().tables.size());
    edit_.module().tables.push_back(std::move(joined));
    if (chained) {
        edit_.at(both).operands = {node(node(both).operands[0]).operands[0], kept};
    } else {
        edit_.replace(both, Node(node(kept)));
    }
}

} // namespace croupier::engine::ir
