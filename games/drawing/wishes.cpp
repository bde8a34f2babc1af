// Reads `"draw": {"pot": false, "board": "chess"}`.
#include "games/drawing/wishes.h"

#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/codes.h"

#include <algorithm>
#include <optional>

namespace croupier::games {
namespace {

constexpr std::string_view kDrawHint =
    "as in \"draw\": {\"pot\": false, \"board\": \"chess\"}: false leaves a node out";

const engine::Shape* shape_of(const engine::Ruleset& ruleset, const std::string& node) {
    if (!ruleset.shape) return nullptr;
    for (const auto& [name, shape] : ruleset.shape->fields)
        if (name == node) return &shape;
    return nullptr;
}

std::optional<Wish> wish_of(const engine::Document& value) {
    if (value.scalar == engine::Scalar(false)) return Wish::Leave;
    if (value.is_string() && value.text() == "chess") return Wish::Chess;
    if (value.is_string() && value.text() == "letters") return Wish::Letters;
    if (value.is_string() && value.text() == "hand") return Wish::Hand;
    return std::nullopt;
}

} // namespace

std::vector<std::pair<std::string, Wish>> wishes_of(const engine::Ruleset& ruleset,
                                                    engine::Diagnostics& diagnostics) {
    std::vector<std::pair<std::string, Wish>> wishes;
    const engine::Member* const draw =
        ruleset.game.is_object() ? ruleset.game.find("draw") : nullptr;
    if (draw == nullptr) return wishes;
    std::vector<std::string> known;
    if (ruleset.shape)
        for (const auto& [name, shape] : ruleset.shape->fields)
            known.push_back(name);
    if (!draw->value.is_object())
        diagnostics.error(code::kDraw, draw->value.span, "draw takes an object of nodes",
                          std::string(kDrawHint));
    for (const engine::Member& member : draw->value.members) {
        const auto wish = wish_of(member.value);
        if (!wish) {
            diagnostics.error(code::kDraw, member.value.span,
                              "a node in draw is false, \"chess\", \"letters\" or \"hand\"",
                              std::string(kDrawHint));
        } else if (std::find(known.begin(), known.end(), member.key) == known.end()) {
            const auto meant = engine::nearest(member.key, known);
            diagnostics.error(code::kDraw, member.key_span,
                              "the shape has no node \"" + member.key + "\"",
                              meant ? "did you mean \"" + *meant + "\"?" : std::string(kDrawHint));
        } else if (const engine::Shape* const shape = shape_of(ruleset, member.key);
                   *wish == Wish::Hand && shape->kind != engine::ShapeKind::Member) {
            diagnostics.error(code::kDraw, member.value.span,
                              "\"hand\" is for a node that names a player",
                              "its shape is the type of the players");
        } else {
            wishes.emplace_back(member.key, *wish);
        }
    }
    return wishes;
}

} // namespace croupier::games
