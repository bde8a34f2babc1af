// Steps from declared nodes to their children.
#include "engine/lang/places.h"

#include "engine/lang/fit.h"
#include "engine/lang/root_keys.h"
#include "engine/text/json_build.h"

#include <algorithm>

namespace croupier::engine {
namespace {

// What the harness puts at the root of a state or of an agent's view, LANGUAGE.md section 8.
constexpr std::string_view kHarness[] = {"turn",    "over", "move", "moves",  "score", "place",
                                         "options", "me",   "view", "memory", "prefer"};

Words field_names(const Shape& record) {
    Words names;
    for (const auto& [name, field] : record.fields)
        names.push_back(name);
    return names;
}

Spot shaped(const Shape& shape) {
    if (shape.kind == ShapeKind::Any) return {};
    return {Spot::Kind::Shaped, &shape, nullptr};
}

Descent no_such_child(Words known) {
    Descent step;
    step.exists = false;
    step.known = std::move(known);
    return step;
}

} // namespace

Places::Places(const Ruleset& ruleset)
    : ruleset_(ruleset), state_(ruleset.state ? &*ruleset.state : nullptr),
      constants_(ruleset.constants ? &*ruleset.constants : nullptr) {
    if (ruleset.shape) {
        for (const auto& [name, field] : ruleset.shape->fields)
            fields_.emplace(name, &field);
        const RootKeys written = written_root_keys(ruleset);
        open_root_ = written.any;
        for (const auto& [name, place] : written.names)
            written_.insert(name);
    }
    note_relations();
}

void Places::note_relations() {
    for (const Domain& domain : ruleset_.types) {
        if (domain.order != Domain::Order::None) relations_.insert("next");
        if (!domain.grid) continue;
        if (domain.grid->near != Ways::None) relations_.insert("near");
        note_directions("step", domain.grid->step);
        note_directions("ray", domain.grid->ray);
    }
}

void Places::note_directions(const std::string& relation, Ways ways) {
    if (ways == Ways::None) return;
    relations_.insert(relation);
    Document& known = directions_.try_emplace(relation, json::object()).first->second;
    for (const Direction& direction : kDirections) {
        if (lead(ways, direction) && known.find(direction.name) == nullptr)
            json::add(known, std::string(direction.name), {});
    }
}

Descent Places::child(const Spot& spot, const std::string& key) const {
    switch (spot.kind) {
    case Spot::Kind::Unknown:
        return {};
    case Spot::Kind::Root:
        return root_child(key);
    case Spot::Kind::Shaped:
        return shaped_child(*spot.shape, key);
    case Spot::Kind::Constant: {
        Descent step;
        step.spot.kind = Spot::Kind::Constant;
        if (spot.data == nullptr || !spot.data->is_object()) return step;
        const Member* member = spot.data->find(key);
        if (member == nullptr) {
            Words known;
            for (const Member& sibling : spot.data->members)
                known.push_back(sibling.key);
            Descent missing = no_such_child(std::move(known));
            missing.spot.kind = Spot::Kind::Constant;
            return missing;
        }
        step.spot.data = &member->value;
        return step;
    }
    case Spot::Kind::Options: {
        Words known;
        for (const Option& option : ruleset_.options)
            known.push_back(option.name);
        if (std::find(known.begin(), known.end(), key) != known.end()) return {};
        return no_such_child(std::move(known));
    }
    }
    return {};
}

Descent Places::root_child(const std::string& key) const {
    Descent step;
    if (const Member* constant = constants_.find(key)) {
        step.spot = {Spot::Kind::Constant, nullptr, &constant->value};
        return step;
    }
    if (relations_.contains(key)) {
        step.spot.kind = Spot::Kind::Constant;
        if (const auto known = directions_.find(key); known != directions_.end())
            step.spot.data = &known->second;
        return step;
    }
    if (key == "options" && !ruleset_.options.empty()) {
        step.spot.kind = Spot::Kind::Options;
        return step;
    }
    if (!ruleset_.shape) return step;
    if (const auto field = fields_.find(key); field != fields_.end()) {
        step.spot = shaped(*field->second);
        return step;
    }
    const bool in_state = state_.find(key) != nullptr;
    const bool harness =
        std::find(std::begin(kHarness), std::end(kHarness), key) != std::end(kHarness);
    if (open_root_ || in_state || harness || written_.contains(key)) return step;
    Words known = field_names(*ruleset_.shape);
    known.insert(known.end(), written_.begin(), written_.end());
    known.insert(known.end(), std::begin(kHarness), std::end(kHarness));
    for (const auto* tree : {ruleset_.state ? &*ruleset_.state : nullptr,
                             ruleset_.constants ? &*ruleset_.constants : nullptr}) {
        if (tree == nullptr) continue;
        for (const Member& member : tree->members)
            known.push_back(member.key);
    }
    return no_such_child(std::move(known));
}

Descent Places::shaped_child(const Shape& shape, const std::string& key) const {
    Descent step;
    if (shape.kind == ShapeKind::Record) {
        for (const auto& [name, field] : shape.fields) {
            if (name != key) continue;
            step.spot = shaped(field);
            return step;
        }
        return no_such_child(field_names(shape));
    }
    if (shape.kind != ShapeKind::Map) return no_such_child({});
    step.spot = shaped(shape.fields[0].second);
    if (const Domain* domain = ruleset_.domain(shape.domain)) {
        if (std::find(domain->members.begin(), domain->members.end(), key) == domain->members.end())
            return no_such_child(domain->members);
    } else if (shape.key_type == "int" && !is_integer_key(key)) {
        return no_such_child({});
    }
    return step;
}

Spot Places::any_child(const Spot& spot) {
    if (spot.kind == Spot::Kind::Constant) return {Spot::Kind::Constant, nullptr, nullptr};
    if (spot.kind != Spot::Kind::Shaped || spot.shape->kind != ShapeKind::Map) return {};
    return shaped(spot.shape->fields[0].second);
}

} // namespace croupier::engine
