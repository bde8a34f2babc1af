// What is known at a place of a function: which nodes are there, which codes things may have.
#include "engine/ir/knowledge.h"

#include "engine/ir/evaluate.h"
#include "engine/ir/ir.h"
#include "engine/ir/probe.h"

#include <algorithm>

namespace croupier::engine::ir {

// It is the same node, or one below.
bool Knowledge::is_below(const Place& place, const Place& above) const {
    SchemaId at = place.schema;
    while (at != kNoSchema && at != above.schema)
        at = layout_->node(at).parent;
    return at != kNoSchema && place.rows.size() >= above.rows.size() &&
           (CROUPIER_MISTAKE(BelowAnyRow) ||
            std::equal(above.rows.begin(), above.rows.end(), place.rows.begin()));
}

std::optional<bool> Knowledge::present(const Place& place) const {
    if (std::any_of(present_.begin(), present_.end(),
                    [&](const Place& each) { return is_below(each, place); }))
        return true;
    if (std::any_of(absent_.begin(), absent_.end(),
                    [&](const Place& each) { return is_below(place, each); }))
        return false;
    return std::nullopt;
}

bool Knowledge::parent_present(const Place& place) const {
    Place above = place;
    above.schema = layout_->node(place.schema).parent;
    if (layout_->node(above.schema).kind == ShapeKind::Map) above.rows.pop_back();
    return above.schema == 0 || present(above) == true;
}

void Knowledge::set_present(const Place& place) {
    if (present(place) != true) present_.push_back(place);
}

void Knowledge::set_absent(const Place& place) {
    if (present(place) != false) absent_.push_back(place);
}

const Codes* Knowledge::codes(VarId var) const {
    const auto found = of_vars_.find(var);
    return found == of_vars_.end() ? nullptr : &found->second;
}

const Codes* Knowledge::codes(const Place& leaf) const {
    const auto found = std::find_if(of_places_.begin(), of_places_.end(),
                                    [&](const auto& each) { return each.first == leaf; });
    return found == of_places_.end() ? nullptr : &found->second;
}

void Knowledge::set_codes(const Place& leaf, Codes codes) {
    std::erase_if(of_places_, [&](const auto& each) { return each.first == leaf; });
    of_places_.emplace_back(leaf, std::move(codes));
}

std::optional<VarId> Knowledge::holder(const Place& leaf) const {
    const auto found = std::find_if(held_.begin(), held_.end(),
                                    [&](const auto& each) { return each.first == leaf; });
    return found == held_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Place> Knowledge::held_by(VarId var) const {
    std::vector<Place> places;
    for (const auto& [place, holder] : held_)
        if (holder == var) places.push_back(place);
    return places;
}

void Knowledge::set_holder(const Place& leaf, VarId var) {
    std::erase_if(held_, [&](const auto& each) { return each.first == leaf; });
    held_.emplace_back(leaf, var);
}

void Knowledge::forget(const Changes& changes) {
    if (changes.anything) {
        forget_places();
        return;
    }
    std::erase_if(present_, [&](const Place& each) { return changes.removed[each.schema] != 0; });
    std::erase_if(absent_, [&](const Place& each) {
        return changes.made[each.schema] != 0 && !CROUPIER_MISTAKE(AbsentForEver);
    });
    const auto changed = [&](const auto& each) {
        const SchemaId schema = each.first.schema;
        return changes.removed[schema] != 0 || changes.made[schema] != 0 ||
               changes.written[schema] != 0;
    };
    std::erase_if(of_places_, changed);
    if (!CROUPIER_MISTAKE(HeldPastWrites)) std::erase_if(held_, changed);
}

void Knowledge::forget_places() {
    present_.clear();
    absent_.clear();
    of_places_.clear();
    held_.clear();
}

void Knowledge::meet(const Knowledge& other) {
    if (CROUPIER_MISTAKE(MeetingKeepsFacts)) return;
    std::erase_if(present_, [&](const Place& each) { return other.present(each) != true; });
    std::erase_if(absent_, [&](const Place& each) { return other.present(each) != false; });
    std::erase_if(held_, [&](const auto& each) { return other.holder(each.first) != each.second; });
    const auto join = [](Codes& codes, const Codes* more) {
        for (std::size_t i = 0; more != nullptr && i < codes.size(); ++i)
            codes[i] = codes[i] != 0 || (*more)[i] != 0 ? 1 : 0;
        return more != nullptr;
    };
    const auto meet_all = [&](auto& all) {
        for (auto at = all.begin(); at != all.end();) {
            at = join(at->second, other.codes(at->first)) ? std::next(at) : all.erase(at);
        }
    };
    meet_all(of_places_);
    meet_all(of_vars_);
}

Knowledge Knowledge::of_places(const std::map<VarId, Atom>& names,
                               const std::vector<std::uint32_t>& own) const {
    Knowledge made(*layout_);
    const auto rename = [&](Atom& atom) {
        const auto found = atom.known ? names.end() : names.find(atom.var);
        if (found != names.end()) {
            atom = found->second;
            return true;
        }
        return atom.known || !std::binary_search(own.begin(), own.end(), atom.var);
    };
    const auto renamed = [&](Place& place) {
        return std::all_of(place.rows.begin(), place.rows.end(), rename);
    };
    for (Place each : present_)
        if (renamed(each)) made.present_.push_back(std::move(each));
    for (Place each : absent_)
        if (renamed(each)) made.absent_.push_back(std::move(each));
    for (auto each : of_places_)
        if (renamed(each.first)) made.of_places_.push_back(std::move(each));
    for (auto each : held_) {
        Atom var{false, 0, each.second, 0};
        if (renamed(each.first) && rename(var) && !var.known)
            made.held_.emplace_back(std::move(each.first), var.var);
    }
    return made;
}

void Knowledge::take_places(const Knowledge& other) {
    for (const Place& each : other.present_)
        set_present(each);
    for (const Place& each : other.absent_)
        set_absent(each);
    for (const auto& [place, codes] : other.of_places_)
        set_codes(place, codes);
    for (const auto& [place, var] : other.held_)
        set_holder(place, var);
}

// Which values expressions may have by what is known, and what tests tell.

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
        if (const auto image = images_.find(known.x); image != images_.end())
            return image->second.root;
        return known.type.kind == TypeKind::Code ? std::optional(Root{known.x, {}, known.type.list})
                                                 : std::nullopt;
    }
    const bool leaf = known.kind == Kind::Load && known.type.kind == TypeKind::Code &&
                      keeps_codes(edit_.module().catalogue->layout->node(known.x).column);
    const auto place = leaf ? place_of(id) : std::nullopt;
    if (!place) return std::nullopt;
    const auto holder = knowledge_.holder(*place);
    if (holder && edit_.function().vars[*holder].type == known.type && !images_.contains(*holder))
        return Root{*holder, {}, known.type.list};
    return Root{kNothing, *place, known.type.list};
}

bool Possible::find_roots(Id id, std::vector<Root>& roots) const {
    const Node& known = node(id);
    switch (known.kind) {
    case Kind::Variable:
    case Kind::Load: {
        const auto root = root_of(id);
        if (root && std::find(roots.begin(), roots.end(), *root) == roots.end())
            roots.push_back(*root);
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
        if (known.kind != Kind::Variable && known.kind != Kind::Load) return nullptr;
        const auto root = root_of(each);
        const auto found = root ? std::find(roots.begin(), roots.end(), *root) : roots.end();
        if (found == roots.end()) return nullptr;
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
        if (column == Column::None && codes.size() == 3) codes[1] = 0;
        if (there == true)
            codes[0] = 0;
        else if (there == false)
            std::fill(codes.begin() + 1, codes.end(), 0);
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
    if (roots.empty() || choices > kMostChoices) return std::nullopt;
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
        if (!can) continue;
        const auto& found = (*all)[choice];
        if (!found || found->tag != Tag::Bool) return std::nullopt;
        const std::size_t which = found->truth() ? 1 : 0;
        outcome.some[which] = true;
        for (std::size_t i = 0; i < roots.size(); ++i)
            outcome.when[which][i][chosen[i]] = 1;
    }
    return outcome;
}

void Possible::define(VarId var, Id value) {
    std::vector<Root> roots;
    if (!node(value).type.is_value() || node(value).type.kind == TypeKind::Truth ||
        !(node(value).type == edit_.function().vars[var].type) || !find_roots(value, roots) ||
        roots.size() != 1 || roots[0].var == kNothing)
        return;
    Image image{roots[0], {}};
    const OutcomesPtr all = outcomes_of(value, roots);
    for (const std::uint32_t place : all->places)
        image.values.push_back(all->values[place]);
    images_.insert_or_assign(var, std::move(image));
}

std::optional<Codes> Possible::codes_of(Id id, std::uint32_t list) const {
    const std::size_t size = edit_.module().lists[list].values.size() + 1;
    const Node& known = node(id);
    if (!(known.type == code_type(list))) return std::nullopt;
    Codes found(size);
    if (known.kind == Kind::Constant) {
        found[static_cast<std::size_t>(known.number)] = 1;
        return found;
    }
    std::vector<Root> roots;
    if (!find_roots(id, roots) || roots.size() != 1) return std::nullopt;
    const Codes possible = codes(roots[0]);
    const OutcomesPtr all = outcomes_of(id, roots);
    std::vector<char> can(all->values.size());
    for (std::size_t code = 0; code < possible.size(); ++code)
        can[all->places[code]] |= possible[code];
    for (std::size_t i = 0; i < can.size(); ++i) {
        if (can[i] == 0) continue;
        const auto& each = all->values[i];
        const std::uint32_t other = each ? code_of(edit_.module(), list, *each) : 0;
        if (!each || (other == 0 && each->tag != Tag::None)) return std::nullopt;
        found[other] = 1;
    }
    return found;
}

std::optional<std::vector<std::uint32_t>> Possible::codes_by(VarId var, VarId by) const {
    const Module& module = edit_.module();
    const Type& type = edit_.function().vars[var].type;
    const auto image = images_.find(var);
    if (image == images_.end() || type.kind != TypeKind::Code ||
        !(image->second.root == Root{by, {}, edit_.function().vars[by].type.list}))
        return std::nullopt;
    std::vector<std::uint32_t> codes;
    for (const std::optional<Value>& each : image->second.values) {
        const std::uint32_t code = each ? code_of(module, type.list, *each) : 0;
        if (!each || (code == 0 && each->tag != Tag::None)) return std::nullopt;
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
        if (possible[code] != 0 && (!value || value->tag == Tag::None)) return false;
    }
    return true;
}

// What tests tell of nodes and codes, and which are decided by what is known.

std::optional<bool> Possible::truth(Id test) const {
    const Node& known = node(test);
    switch (known.kind) {
    case Kind::Constant:
        return known.number != 0;
    case Kind::Not: {
        const auto inner = truth(known.operands[0]);
        return inner ? std::optional(!*inner) : std::nullopt;
    }
    case Kind::Present: {
        const auto place = place_of(test);
        return place ? knowledge_.present(*place) : std::nullopt;
    }
    default: {
        std::vector<Root> roots;
        const auto all = find_roots(test, roots) ? try_all(test, roots) : std::nullopt;
        return all && all->some[0] != all->some[1] ? std::optional(all->some[1]) : std::nullopt;
    }
    }
}

void Possible::narrow(const Root& root, const Codes& codes) {
    const bool none = codes[0] != 0;
    if (root.var == kNothing) {
        knowledge_.set_codes(root.place, codes);
        if (!none) knowledge_.set_present(root.place);
        return;
    }
    knowledge_.set_codes(root.var, codes);
    for (const Place& each : knowledge_.held_by(root.var))
        if (!none) knowledge_.set_present(each);
}

// What has a value there is there.
void Possible::learn_present(Id value) {
    if (node(value).kind == Kind::Load) {
        if (const auto place = place_of(value)) knowledge_.set_present(*place);
    } else if (node(value).kind == Kind::Variable) {
        for (const Place& each : knowledge_.held_by(node(value).x))
            knowledge_.set_present(each);
    }
}

void Possible::learn(Id test, bool holds) {
    const Node& known = node(test);
    switch (known.kind) {
    case Kind::Not:
        learn(known.operands[0], !holds);
        return;
    case Kind::And:
    case Kind::Or:
        if (holds == (known.kind == Kind::And) || CROUPIER_MISTAKE(BothFailed)) {
            learn(known.operands[0], holds);
            learn(known.operands[1], holds);
            return;
        }
        break;
    case Kind::Present:
        if (const auto place = place_of(test))
            holds ? knowledge_.set_present(*place) : knowledge_.set_absent(*place);
        return;
    case Kind::Has:
    case Kind::Compare:
        if (holds && (known.kind == Kind::Has || static_cast<ExprOp>(known.x) != ExprOp::NotEqual))
            for (const Id operand : known.operands)
                learn_present(operand);
        break;
    default:
        break;
    }
    std::vector<Root> roots;
    const auto all = find_roots(test, roots) ? try_all(test, roots) : std::nullopt;
    for (std::size_t i = 0; all && i < roots.size(); ++i)
        narrow(roots[i], all->when[holds ? 1 : 0][i]);
}

} // namespace croupier::engine::ir
