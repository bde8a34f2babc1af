// What is known at a place of a function: which nodes are there, which codes things may have.
#include "engine/ir/knowledge.h"

#include "engine/ir/probe.h"

#include <algorithm>

namespace croupier::engine::ir {

// It is the same node, or one below.
bool Knowledge::is_below(const Place& place, const Place& above) const {
    SchemaId at = place.schema;
    while (at != kNoSchema && at != above.schema) {
        at = layout_->node(at).parent;
    }
    return at != kNoSchema && place.rows.size() >= above.rows.size() &&
           (CROUPIER_MISTAKE(BelowAnyRow) ||
            std::equal(above.rows.begin(), above.rows.end(), place.rows.begin()));
}

std::optional<bool> Knowledge::present(const Place& place) const {
    if (std::any_of(present_.begin(), present_.end(),
                    [&](const Place& each) { return is_below(each, place); })) {
        return true;
    }
    if (std::any_of(absent_.begin(), absent_.end(),
                    [&](const Place& each) { return is_below(place, each); })) {
        return false;
    }
    return std::nullopt;
}

bool Knowledge::parent_present(const Place& place) const {
    Place above = place;
    above.schema = layout_->node(place.schema).parent;
    if (layout_->node(above.schema).kind == ShapeKind::Map) {
        above.rows.pop_back();
    }
    return above.schema == 0 || present(above) == true;
}

void Knowledge::set_present(const Place& place) {
    if (present(place) != true) {
        present_.push_back(place);
    }
}

void Knowledge::set_absent(const Place& place) {
    if (present(place) != false) {
        absent_.push_back(place);
    }
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
    for (const auto& [place, holder] : held_) {
        if (holder == var) {
            places.push_back(place);
        }
    }
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
        for (std::size_t i = 0; more != nullptr && i < codes.size(); ++i) {
            codes[i] = codes[i] != 0 || (*more)[i] != 0 ? 1 : 0;
        }
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
    for (Place each : present_) {
        if (renamed(each)) {
            made.present_.push_back(std::move(each));
        }
    }
    for (Place each : absent_) {
        if (renamed(each)) {
            made.absent_.push_back(std::move(each));
        }
    }
    for (auto each : of_places_) {
        if (renamed(each.first)) {
            made.of_places_.push_back(std::move(each));
        }
    }
    for (auto each : held_) {
        Atom var{false, 0, each.second, 0};
        if (renamed(each.first) && rename(var) && !var.known) {
            made.held_.emplace_back(std::move(each.first), var.var);
        }
    }
    return made;
}

void Knowledge::take_places(const Knowledge& other) {
    for (const Place& each : other.present_) {
        set_present(each);
    }
    for (const Place& each : other.absent_) {
        set_absent(each);
    }
    for (const auto& [place, codes] : other.of_places_) {
        set_codes(place, codes);
    }
    for (const auto& [place, var] : other.held_) {
        set_holder(place, var);
    }
}

} // namespace croupier::engine::ir
