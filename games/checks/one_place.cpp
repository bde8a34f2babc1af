// Finds things by the shape, and compares their places before and after a move.
#include "games/checks/one_place.h"

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/codes.h"

#include <algorithm>

namespace croupier::games {
namespace {

using engine::Document;
using engine::Member;
using engine::Shape;
using engine::ShapeKind;

const Document* node_of(const Document& object, std::string_view key) {
    const Member* member = object.is_object() ? object.find(key) : nullptr;
    return member == nullptr ? nullptr : &member->value;
}

void collect_things(const std::string& type, const Shape& shape, const Document& node,
                    const std::string& path, OnePlace::Places& places) {
    if (shape.kind == ShapeKind::Member && shape.domain == type && node.is_string()) {
        places[node.text()].push_back(path);
    } else if (shape.kind == ShapeKind::Record) {
        for (const auto& [name, field] : shape.fields)
            if (const Document* child = node_of(node, name))
                collect_things(type, field, *child, path + "." + name, places);
    } else if (shape.kind == ShapeKind::Map && node.kind != engine::DocumentKind::Scalar) {
        const Shape& element = shape.fields.front().shape;
        const bool set = shape.domain == type && element.kind == ShapeKind::Unit;
        for (std::size_t i = 0; i < node.members.size(); ++i) {
            const Member& child = node.members[i];
            const std::string key = node.is_array() ? std::to_string(i) : child.key;
            if (set)
                places[key].push_back(path);
            else
                collect_things(type, element, child.value, path + "." + key, places);
        }
    }
}

std::string listed_things(const std::set<std::string>& things) {
    std::string text;
    for (const std::string& thing : things)
        text += (text.empty() ? "" : " ") + thing;
    return text;
}

class Reader {
  public:
    Reader(const engine::Ruleset& ruleset, engine::Diagnostics& diagnostics)
        : ruleset_(ruleset), diagnostics_(diagnostics) {}

    std::vector<OnePlaceRule> read(const Document& declared) {
        std::vector<OnePlaceRule> rules;
        if (!declared.is_object()) wrong(declared.span, "one_place takes an object by type");
        for (const Member& type : declared.members) {
            if (ruleset_.domain(type.key) == nullptr)
                wrong(type.key_span, "there is no type \"" + type.key + "\"");
            rules.push_back(rule(type));
        }
        return rules;
    }

  private:
    OnePlaceRule rule(const Member& type) {
        OnePlaceRule rule;
        rule.type = type.key;
        if (!type.value.is_object()) wrong(type.value.span, "this takes an object");
        for (const Member& part : type.value.members) {
            if (part.key != "repeats" && part.key != "leave") {
                wrong(part.key_span, "one_place has no key \"" + part.key + "\"");
                continue;
            }
            rule.counts = rule.counts || part.key == "leave";
            if (!part.value.is_object())
                wrong(part.value.span, part.key + " takes an object of nodes");
            for (const Member& node : part.value.members)
                read_node(part.key, node, rule);
        }
        return rule;
    }

    void read_node(const std::string& part, const Member& node, OnePlaceRule& rule) {
        const bool known = is_root_node(node.key);
        if (!known) wrong(node.key_span, "the shape declares no node \"" + node.key + "\"");
        const bool named = part == "repeats" && node.value.is_string();
        if (!named && !node.value.is_true())
            wrong(node.value.span, part == "repeats"
                                       ? "write true, or the node since when it only repeats"
                                       : "write true");
        if (part == "leave")
            rule.leave.insert(node.key);
        else
            rule.repeats[node.key] = named ? node.value.text() : std::string();
    }

    [[nodiscard]] bool is_root_node(const std::string& name) const {
        return ruleset_.shape &&
               std::ranges::any_of(ruleset_.shape->fields,
                                   [&](const auto& field) { return field.name == name; });
    }

    void wrong(engine::Span place, std::string what) {
        diagnostics_.error(code::kOnePlace, place, std::move(what),
                           "as in {\"Card\": {\"repeats\": {\"best\": true, \"turned\": "
                           "\"taker\"}, \"leave\": {\"trick\": true}}}");
    }

    const engine::Ruleset& ruleset_;
    engine::Diagnostics& diagnostics_;
};

} // namespace

std::vector<OnePlaceRule> read_one_place(const Document& declared, const engine::Ruleset& ruleset,
                                         engine::Diagnostics& diagnostics) {
    return Reader(ruleset, diagnostics).read(declared);
}

std::vector<OnePlaceRule> declared_one_place(const engine::Ruleset& ruleset) {
    const Document* declared = node_of(ruleset.game, "one_place");
    if (declared == nullptr) return {};
    engine::Diagnostics diagnostics;
    std::vector<OnePlaceRule> rules = read_one_place(*declared, ruleset, diagnostics);
    if (diagnostics.has_errors()) rules.clear();
    return rules;
}

OnePlace::OnePlace(const RulesetGame& game, OnePlaceRule rule)
    : ruleset_(game.ruleset()), rule_(std::move(rule)) {}

OnePlace::Places OnePlace::places_of(const Document& state) const {
    Places places;
    if (!ruleset_.shape) return places;
    for (const auto& [name, field] : ruleset_.shape->fields) {
        const Document* node = node_of(state, name);
        if (node == nullptr || name == "move" || name == "moves") continue;
        const auto repeats = rule_.repeats.find(name);
        if (repeats != rule_.repeats.end() &&
            (repeats->second.empty() || node_of(state, repeats->second) != nullptr))
            continue;
        collect_things(rule_.type, field, *node, name, places);
    }
    return places;
}

std::string OnePlace::look(const Document& state) {
    now_ = places_of(state);
    for (const auto& [thing, places] : now_)
        if (places.size() > 1) return thing + " is in " + places[0] + " and in " + places[1];
    return {};
}

std::string OnePlace::begins(const Document& state) {
    std::string problem = look(state);
    all_ = now_.size();
    return problem;
}

bool OnePlace::may_leave(const std::vector<std::string>& places) const {
    return std::ranges::any_of(places, [&](const std::string& place) {
        return rule_.leave.contains(place.substr(0, place.find('.')));
    });
}

std::string OnePlace::moved(const Document& state, std::string_view move) {
    const Places before = std::move(now_);
    std::string problem = look(state);
    if (!problem.empty() || !rule_.counts || now_.size() == all_) return problem;
    std::set<std::string> lost;
    std::set<std::string> found;
    for (const auto& [thing, places] : before)
        if (!now_.contains(thing) && thing != move && !may_leave(places)) lost.insert(thing);
    for (const auto& each : now_)
        if (!before.contains(each.first)) found.insert(each.first);
    if (!lost.empty())
        return listed_things(lost) + " was where nothing leaves from, and is nowhere";
    if (!found.empty()) return listed_things(found) + " had gone, and is there without the others";
    return {};
}

} // namespace croupier::games
