// Which values expressions may have by what is known, and what tests tell.
#include "engine/ir/possible.h"

#include "engine/ir/evaluate.h"
#include "engine/ir/lists.h"

#include <algorithm>

namespace croupier::engine::ir {

namespace {

// Choices of codes that are tried.
constexpr std::size_t kMostChoices = 2048;
constexpr std::size_t kMostRoots = 2;

// 0 where nothing is there; of what is only there or not, 2 for true.
bool keeps_codes(Column column) {
    return column == Column::Code8 || column == Column::Code16 || column == Column::None;
}

} // namespace

std::optional<Place> Possible::place_of(Id declared, std::size_t first) const {
    Place place;
    place.schema = node(declared).x;
    for (std::size_t i = first; i < node(declared).operands.size(); ++i) {
        const Node& row = node(node(declared).operands[i]);
        if (row.kind == Kind::Constant) {
            place.rows.push_back(
                {true, static_cast<std::uint32_t>(row.number), kNothing, row.type.list});
        } else if (row.kind == Kind::Variable) {
            place.rows.push_back({false, 0, row.x, row.type.list});
        } else {
            return std::nullopt;
        }
    }
    return place;
}

// ---- what an expression depends on -----------------------------------------------------------

std::optional<Possible::Root> Possible::root_of(Id id) const {
    const Node& known = node(id);
    if (known.kind == Kind::Variable) {
        if (const auto image = images_.find(known.x); image != images_.end()) {
            return image->second.root;
        }
        return known.type.kind == TypeKind::Code ? std::optional(Root{known.x, {}, known.type.list})
                                                 : std::nullopt;
    }
    const bool leaf = known.kind == Kind::Load && known.type.kind == TypeKind::Code &&
                      keeps_codes(edit_.module().catalogue->layout->node(known.x).column);
    const auto place = leaf ? place_of(id) : std::nullopt;
    if (!place) {
        return std::nullopt;
    }
    const auto holder = knowledge_.holder(*place);
    if (holder && edit_.function().vars[*holder].type == known.type && !images_.contains(*holder)) {
        return Root{*holder, {}, known.type.list};
    }
    return Root{kNothing, *place, known.type.list};
}

bool Possible::find_roots(Id id, std::vector<Root>& roots) const {
    const Node& known = node(id);
    switch (known.kind) {
    case Kind::Variable:
    case Kind::Load: {
        const auto root = root_of(id);
        if (root && std::find(roots.begin(), roots.end(), *root) == roots.end()) {
            roots.push_back(*root);
        }
        return root && roots.size() <= kMostRoots;
    }
    case Kind::Given:
    case Kind::Truth:
    case Kind::Arithmetic:
    case Kind::Whole:
    case Kind::Calculate:
        return false;
    default:
        return can_evaluate(known.kind) &&
               std::all_of(known.operands.begin(), known.operands.end(),
                           [&](Id operand) { return find_roots(operand, roots); });
    }
}

// What it comes to for all codes of the roots.
OutcomesPtr Possible::outcomes_of(Id id, const std::vector<Root>& roots) const {
    const auto leaf = [&](Id each) -> OutcomesPtr {
        const Node& known = node(each);
        if (known.kind != Kind::Variable && known.kind != Kind::Load) {
            return nullptr;
        }
        const auto root = root_of(each);
        const auto found = root ? std::find(roots.begin(), roots.end(), *root) : roots.end();
        if (found == roots.end()) {
            return nullptr;
        }
        const auto number = static_cast<std::uint32_t>(found - roots.begin());
        const auto image = known.kind == Kind::Variable ? images_.find(known.x) : images_.end();
        return image != images_.end()
                   ? OutcomeMaker::of_values(number, image->second.values)
                   : OutcomeMaker::of_list(number, edit_.module().lists[found->list]);
    };
    std::vector<std::uint32_t> sizes;
    sizes.reserve(roots.size());
    for (const Root& root : roots) {
        sizes.push_back(
            static_cast<std::uint32_t>(edit_.module().lists[root.list].values.size() + 1));
    }
    return OutcomeMaker(edit_.module(), edit_.function(), std::move(sizes), leaf).of(id);
}

Codes Possible::codes(const Root& root) const {
    const bool is_var = root.var != kNothing;
    const Codes* const known = is_var ? knowledge_.codes(root.var) : knowledge_.codes(root.place);
    Codes codes =
        known != nullptr ? *known : Codes(edit_.module().lists[root.list].values.size() + 1, 1);
    if (!is_var) {
        const auto there = knowledge_.present(root.place);
        const Column column = edit_.module().catalogue->layout->node(root.place.schema).column;
        if (column == Column::None && codes.size() == 3) {
            codes[1] = 0;
        }
        if (there == true) {
            codes[0] = 0;
        } else if (there == false) {
            std::fill(codes.begin() + 1, codes.end(), 0);
        }
    }
    return codes;
}

// Nothing where for some codes it cannot be told.
std::optional<Possible::Outcome> Possible::try_all(Id test, const std::vector<Root>& roots) const {
    std::vector<Codes> possible;
    std::size_t choices = 1;
    for (const Root& root : roots) {
        possible.push_back(codes(root));
        choices *= possible.back().size();
    }
    if (roots.empty() || choices > kMostChoices) {
        return std::nullopt;
    }
    Outcome outcome;
    for (const Codes& each : possible) {
        outcome.when[0].emplace_back(each.size());
        outcome.when[1].emplace_back(each.size());
    }
    const OutcomesPtr all = outcomes_of(test, roots);
    std::vector<std::size_t> chosen(roots.size());
    for (std::size_t choice = 0; choice < choices; ++choice) {
        std::size_t rest = choice;
        bool can = true;
        for (std::size_t i = roots.size(); i-- > 0;) {
            chosen[i] = rest % possible[i].size();
            rest /= possible[i].size();
            can = can && possible[i][chosen[i]] != 0;
        }
        if (!can) {
            continue;
        }
        const auto& found = (*all)[choice];
        if (!found || found->tag != Tag::Bool) {
            return std::nullopt;
        }
        const std::size_t which = found->truth() ? 1 : 0;
        outcome.some[which] = true;
        for (std::size_t i = 0; i < roots.size(); ++i) {
            outcome.when[which][i][chosen[i]] = 1;
        }
    }
    return outcome;
}

void Possible::define(VarId var, Id value) {
    std::vector<Root> roots;
    if (!node(value).type.is_value() || node(value).type.kind == TypeKind::Truth ||
        !(node(value).type == edit_.function().vars[var].type) || !find_roots(value, roots) ||
        roots.size() != 1 || roots[0].var == kNothing) {
        return;
    }
    Image image{roots[0], {}};
    const OutcomesPtr all = outcomes_of(value, roots);
    for (const std::uint32_t place : all->places) {
        image.values.push_back(all->values[place]);
    }
    images_.insert_or_assign(var, std::move(image));
}

std::optional<Codes> Possible::codes_of(Id id, std::uint32_t list) const {
    const std::size_t size = edit_.module().lists[list].values.size() + 1;
    const Node& known = node(id);
    if (!(known.type == code_type(list))) {
        return std::nullopt;
    }
    Codes found(size);
    if (known.kind == Kind::Constant) {
        found[static_cast<std::size_t>(known.number)] = 1;
        return found;
    }
    std::vector<Root> roots;
    if (!find_roots(id, roots) || roots.size() != 1) {
        return std::nullopt;
    }
    const Codes possible = codes(roots[0]);
    const OutcomesPtr all = outcomes_of(id, roots);
    std::vector<char> can(all->values.size());
    for (std::size_t code = 0; code < possible.size(); ++code) {
        can[all->places[code]] |= possible[code];
    }
    for (std::size_t i = 0; i < can.size(); ++i) {
        if (can[i] == 0) {
            continue;
        }
        const auto& each = all->values[i];
        const std::uint32_t other = each ? code_of(edit_.module(), list, *each) : 0;
        if (!each || (other == 0 && each->tag != Tag::None)) {
            return std::nullopt;
        }
        found[other] = 1;
    }
    return found;
}

std::optional<std::vector<std::uint32_t>> Possible::codes_by(VarId var, VarId by) const {
    const Module& module = edit_.module();
    const Type& type = edit_.function().vars[var].type;
    const auto image = images_.find(var);
    if (image == images_.end() || type.kind != TypeKind::Code ||
        !(image->second.root == Root{by, {}, edit_.function().vars[by].type.list})) {
        return std::nullopt;
    }
    std::vector<std::uint32_t> codes;
    for (const std::optional<Value>& each : image->second.values) {
        const std::uint32_t code = each ? code_of(module, type.list, *each) : 0;
        if (!each || (code == 0 && each->tag != Tag::None)) {
            return std::nullopt;
        }
        codes.push_back(code);
    }
    return codes;
}

bool Possible::is_code(VarId var) const {
    const auto image = images_.find(var);
    if (image == images_.end()) {
        const Codes* const known = knowledge_.codes(var);
        return known != nullptr && (*known)[0] == 0;
    }
    const Codes possible = codes(image->second.root);
    for (std::size_t code = 0; code < possible.size(); ++code) {
        const auto& value = image->second.values[code];
        if (possible[code] != 0 && (!value || value->tag == Tag::None)) {
            return false;
        }
    }
    return true;
}

} // namespace croupier::engine::ir
