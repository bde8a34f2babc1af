// Follows the search of a condition: where its entries stand, what is bound, what came nearest.
#include "engine/explain/near_miss.h"

#include "engine/run/runtime.h"

#include <algorithm>

namespace croupier::engine {

// ---- what happens ------------------------------------------------------------------------------

void NearMiss::begins(Around around) {
    around_ = std::move(around);
    inside_.clear();
    nearest_.reset();
    nearest_asked_.reset();
}

void NearMiss::entry_stands(const Note& note, NodeRef at, bool child, std::span<const Value> values,
                            const Runtime& runtime) {
    values_ = values;
    runtime_ = &runtime;
    Standing& standing = standing_[note.entry];
    (child ? standing.child : standing.at) = at;
}

void NearMiss::entry_tried(std::uint32_t entry) {
    inside_.erase(entry);
    const EntryPlace& place = places_[entry];
    if (place.scope == kNone) return;
    const KeyKind kind = place.entry->kind;
    Inside& inside = inside_[place.scope];
    if (kind <= KeyKind::Max) inside.tried = entry; // not @use, nor @log
    if (kind <= KeyKind::Path && kind != KeyKind::Test) inside.last = entry;
    entry_passed(entry);
}

// The search for what fails a match of @forall begins anew with each match.
void NearMiss::entry_passed(std::uint32_t entry) {
    const EntryPlace& place = places_[entry];
    if (place.scope != kNone && place.part == 0 &&
        places_[place.scope].entry->kind == KeyKind::Forall)
        inside_[place.scope].nearest.erase(1);
}

void NearMiss::keep_nearer(std::optional<WhyStop>& kept, const WhyStop& stop) {
    if (!kept || is_nearer(stop, *kept)) kept = stop;
}

void NearMiss::entry_stopped(const Stopped& stopped) {
    values_ = stopped.values;
    runtime_ = &stopped.runtime;
    const std::uint32_t id = stopped.note.entry;
    if (id >= places_.all().size()) return;
    const EntryPlace& place = places_[id];
    const bool inside = stopped.one_of_many && searches_inside(place.entry->kind);
    if (place.scope == kNone && !inside) {
        const bool about = !asked_.empty() && holds_asked(stopped);
        // What cannot be nearer than what is known need not be put together.
        if (nearest_ && nearest_->entry > id &&
            (!about || (nearest_asked_ && nearest_asked_->entry > id)))
            return;
        const WhyStop stop = make_stop(stopped);
        keep_nearer(nearest_, stop);
        if (about) keep_nearer(nearest_asked_, stop);
        return;
    }
    const std::uint32_t scope = inside ? id : place.scope;
    Inside& search = inside_[scope];
    std::uint32_t part = place.part;
    if (inside) {
        // The alternatives are tried in their order, and one that is a value fails once.
        const auto tried = static_cast<std::uint32_t>(search.nearest.size());
        const auto last = static_cast<std::uint32_t>(place.entry->patterns.size() - 1);
        part = place.entry->kind == KeyKind::AnyOf ? std::min(tried, last) : last;
        part_ = part;
    }
    WhyStop stop = make_stop(stopped);
    part_ = 0;
    // The next alternative does not know of it.
    if (places_[scope].entry->kind == KeyKind::AnyOf && !stopped.one_of_many)
        search.tried = search.last = kNone;
    NamedValues bound;
    add_inside(bound, scope, part, &stopped);
    bound.insert(bound.end(), stop.inside.begin(), stop.inside.end());
    stop.inside = std::move(bound);
    const auto [known, is_new] = search.nearest.try_emplace(part, stop);
    if (!is_new && is_nearer(stop, known->second)) known->second = std::move(stop);
}

bool NearMiss::holds_asked(const Stopped& stopped) const {
    return std::any_of(rule_.variables.begin(), rule_.variables.end(),
                       [&](const Variable& variable) {
                           return is_bound(variable, stopped, true) &&
                                  runtime_->text(values_[variable.place]) == asked_;
                       });
}

// ---- variables and places ----------------------------------------------------------------------

const Value* NearMiss::variable(const std::string& name) const {
    for (const auto* const variables : {&rule_.variables, &rule_.inner}) {
        for (const Variable& each : *variables) {
            if (each.name == name) return &values_[each.place];
        }
    }
    for (const auto& [known, value] : around_) {
        if (known == name) return &value;
    }
    return nullptr;
}

// Values stay after their variables: of other alternatives, of rules before.
bool NearMiss::is_bound(const Variable& variable, const Stopped& stopped, bool in_each) const {
    const std::uint32_t entry = stopped.note.entry;
    // A loop has its key while it is at a child.
    const bool is_key = variable.entry == entry && stopped.one_of_many &&
                        places_[entry].entry->variable == variable.name;
    return (is_key || places_.is_known_at(entry, variable.entry, in_each)) &&
           values_[variable.place].tag != Tag::None && !is_hidden(variable.name);
}

NamedValues NearMiss::bound_at(const Stopped& stopped) const {
    NamedValues bound;
    for (const auto& [name, value] : around_)
        if (!is_hidden(name)) bound.emplace_back(name, to_scalar(value, runtime_->symbols()));
    for (const Variable& each : rule_.variables)
        if (is_bound(each, stopped, true))
            bound.emplace_back(each.name, to_scalar(values_[each.place], runtime_->symbols()));
    return bound;
}

// Adds what that part of a search inside has bound where it stopped; null: what its match has.
void NearMiss::add_inside(NamedValues& bound, std::uint32_t scope, std::uint32_t part,
                          const Stopped* stopped) const {
    for (const Variable& each : rule_.inner) {
        if (each.entry == scope || !places_.is_inside(each.entry, scope)) continue;
        const EntryPlace& place = places_[each.entry];
        if (stopped != nullptr ? !is_bound(each, *stopped, false)
                               : place.scope != scope || place.part != part)
            continue;
        const Value& value = values_[each.place];
        const bool known = std::any_of(bound.begin(), bound.end(),
                                       [&](const auto& one) { return one.first == each.name; });
        if (!known && value.tag != Tag::None && !is_hidden(each.name))
            bound.emplace_back(each.name, to_scalar(value, runtime_->symbols()));
    }
}

std::string NearMiss::key_text(const KeyTemplate& key) const {
    std::string text;
    for (const KeyPart& part : key.parts) {
        const Value* const value = part.variable ? variable(part.text) : nullptr;
        text += value != nullptr ? runtime_->text(*value) : part.text;
    }
    return text;
}

std::string NearMiss::path_of(NodeRef node) const {
    std::string path;
    for (; node; node = runtime_->parent(node)) {
        const NodeRef above = runtime_->parent(node);
        if (!above) break;
        const std::string key = runtime_->text(runtime_->key(node));
        path.insert(0, path.empty() ? key : key + ".");
    }
    return path.empty() ? "the root" : path;
}

NearMiss::Place NearMiss::child(const Place& above, const std::string& key) const {
    const Symbol symbol = runtime_->symbols().find(key);
    return {symbol == kNoSymbol ? NodeRef{} : runtime_->child(above.node, symbol),
            above.path == "the root" ? key : above.path + "." + key};
}

bool NearMiss::is_loop(const Entry& entry) const {
    if (entry.kind == KeyKind::Wildcard) return true;
    if (entry.kind != KeyKind::Variable) return false;
    for (const auto* const variables : {&rule_.variables, &rule_.inner}) {
        for (const Variable& each : *variables) {
            if (each.entry == entry.id && each.name == entry.variable) return true;
        }
    }
    return false;
}

// The node that the entry is about. Of a path it is the first that is missing.
NearMiss::Place NearMiss::place_of(const Entry& entry) const {
    const Standing& standing = standing_[entry.id];
    Place at{standing.at, path_of(standing.at)};
    switch (entry.kind) {
    case KeyKind::Name:
        return child(at, key_text(entry.key));
    case KeyKind::Variable:
        if (is_loop(entry)) return {standing.child, path_of(standing.child)};
        return child(at, runtime_->text(*variable(entry.variable)));
    case KeyKind::Wildcard:
        return {standing.child, path_of(standing.child)};
    case KeyKind::Parent: {
        const NodeRef above = runtime_->parent(standing.at);
        return {above, above ? path_of(above) : "parent of " + at.path};
    }
    case KeyKind::Root:
        return {runtime_->root(), "the root"};
    case KeyKind::Path: {
        // The first entry of a condition stands at the root of the group.
        Place place{standing_[0].at, path_of(standing_[0].at)};
        for (const KeyTemplate& segment : entry.path.segments) {
            if (!place.node) break;
            place = child(place, key_text(segment));
        }
        return place;
    }
    default:
        return at;
    }
}

std::optional<std::string> NearMiss::node_of(std::uint32_t entry, std::span<const Value> values) {
    const Entry& asked = *places_[entry].entry;
    const bool leads = asked.kind <= KeyKind::Wildcard || asked.kind == KeyKind::Path;
    if (!leads || runtime_ == nullptr) return std::nullopt;
    values_ = values;
    const Place place = place_of(asked);
    return place.node ? std::optional(place.path) : std::nullopt;
}

} // namespace croupier::engine
