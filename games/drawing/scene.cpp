// Applies what a ruleset hides.
#include "games/drawing/scene.h"

#include "engine/api/text.h"

namespace croupier::games {
namespace {

using engine::Document;
using engine::Member;

const Document* child_of(const Document& map, const std::string& name) {
    const Member* const member = map.find(name);
    return member == nullptr ? nullptr : &member->value;
}

// The text at the path; empty if there is none.
std::string text_at(const Document& state, const std::vector<std::string>& path) {
    const Document* value = &state;
    for (const std::string& key : path) {
        value = value->is_object() ? child_of(*value, key) : nullptr;
        if (value == nullptr) return {};
    }
    return value->is_string() ? value->text() : std::string();
}

} // namespace

const Document* Scene::at(const std::string& name) const {
    return child_of(state, name);
}

const Document* Scene::likely_at(const std::string& name) const {
    return likely ? child_of(*likely, name) : nullptr;
}

bool Scene::hides(const Hidden* said, const std::string& key) const {
    if (said == nullptr) return false;
    switch (said->kind) {
    case Hidden::Kind::Nobody:
        return true;
    case Hidden::Kind::OnlyVariable:
        return viewer && key != facts.players[*viewer];
    case Hidden::Kind::OnlyNamed:
        return viewer && text_at(state, said->path) != facts.players[*viewer];
    case Hidden::Kind::Below:
        break;
    }
    if (key.empty()) return false;
    for (const Hidden& entry : said->entries)
        if ((entry.variable || entry.key == key) && entry.kind != Hidden::Kind::Below &&
            hides(&entry, key))
            return true;
    return false;
}

} // namespace croupier::games
