// Domains and shapes; good rules must pass the checks against them.
#include "engine/language/testing.h"

namespace croupier::engine {
namespace {

TEST(types, forms_of_domains) {
    const Ruleset ruleset = load_good(R"({"types": {
        "All": {"union": ["pass", "Suit", "Seat"]},
        "Suit": ["spade", "heart"],
        "Seat": 3,
        "Ring": {"members": 4, "order": "cyclic"},
        "Line": {"members": ["x", "y"], "order": true},
        "Cell": {"grid": [28, 2], "near": "rook", "wrap": true}
    }})");
    EXPECT_EQ(ruleset.types.size(), 6U);
    EXPECT_EQ(ruleset.domain("All")->members,
              (std::vector<std::string>{"pass", "spade", "heart", "0", "1", "2"}));
    EXPECT_TRUE(ruleset.domain("Seat")->numbered);
    EXPECT_FALSE(ruleset.domain("All")->numbered);
    EXPECT_TRUE(ruleset.domain("Ring")->numbered);
    EXPECT_EQ(ruleset.domain("Ring")->order, Domain::Order::Cyclic);
    EXPECT_EQ(ruleset.domain("Line")->order, Domain::Order::Linear);
    const Domain& cell = *ruleset.domain("Cell");
    ASSERT_EQ(cell.members.size(), 56U);
    EXPECT_EQ(cell.members[0], "a1");
    EXPECT_EQ(cell.members[1], "b1");
    EXPECT_EQ(cell.members[25], "z1");
    EXPECT_EQ(cell.members[26], "aa1");
    EXPECT_EQ(cell.members[27], "ab1");
    EXPECT_EQ(cell.members[28], "a2");
    EXPECT_TRUE(cell.grid->wrap);
    EXPECT_EQ(cell.grid->near, Ways::Rook);
}

TEST(types, a_union_joins_members_of_domains_to_names) {
    const Ruleset ruleset = load_good(R"({"types": {
        "Move": {"union": ["Cell", "{Way}-{Cell}!", "pass"]},
        "Cell": {"grid": [2, 1]},
        "Way": ["up", "down"]
    }})");
    EXPECT_EQ(
        ruleset.domain("Move")->members,
        (std::vector<std::string>{"a1", "b1", "up-a1!", "up-b1!", "down-a1!", "down-b1!", "pass"}));
    const auto mistake = [](const std::string& part) {
        const Loaded loaded = load_ruleset_text("f", R"({"types": {"Cell": {"grid": [60, 60]},
"Move": {"union": ["pass", ")" + part + R"("]}}, "rules": []})");
        std::string text;
        for (const Diagnostic& each : loaded.diagnostics.sorted())
            text += format(each, loaded.sources);
        return text;
    };
    EXPECT_NE(mistake("up-{Cel}").find("f:2:28: error[E0401]: there is no domain \"Cel\" to join"),
              std::string::npos);
    EXPECT_NE(mistake("up-{Cel}").find("did you mean \"Cell\"?"), std::string::npos);
    EXPECT_NE(mistake("up-{Cell").find("E0401"), std::string::npos);
    EXPECT_NE(mistake("up-{}").find("as in \"remove-{Cell}\""), std::string::npos);
    EXPECT_NE(mistake("{Cell}{Cell}").find("this part of it alone 12960000"), std::string::npos);
    EXPECT_EQ(mistake("up-{Cell}"), "");
    EXPECT_NE(mistake("{Move}").find("would contain itself"), std::string::npos);
}

TEST(types, directions_of_grids_are_known) {
    const auto with = [](const char* key) {
        return codes(load_ruleset_text(
            "f", R"({"types": {"Cell": {"grid": [4, 3], "step": "rook", "ray": "bishop"}},
"rules": [{"condition": {"at": "$A", )" +
                     std::string(key) + R"(: {"$A": "$B"}}}, "action": {"at": "$B"}}]})"));
    };
    EXPECT_EQ(with(R"("step": {"west")"), "");
    EXPECT_EQ(with(R"("step": {"northwest")"), "E0407@2:47"); // not a rook's direction
    EXPECT_EQ(with(R"("ray": {"$_")"), "");
    EXPECT_EQ(with(R"("ray": {"up")"), "E0407@2:46");
}

TEST(types, rays_have_bounds) {
    const auto rays = [](const std::string& grid) {
        const Loaded loaded = load_ruleset_text("f", R"({"types": {"Cell": {"grid": )" + grid +
                                                         R"(}}, "rules": []})");
        std::string text;
        for (const Diagnostic& each : loaded.diagnostics.sorted())
            text += std::string(each.code) + ": " + each.message;
        return text;
    };
    EXPECT_EQ(rays(R"([64, 64], "ray": "king")"), "");
    const std::string most = "E0403: the rays of a grid have 1000000 entries at most, these ";
    EXPECT_EQ(rays(R"([4000, 1], "ray": "king")"), most + "15996000");
    EXPECT_EQ(rays(R"([2000, 2], "ray": "rook")"), most + "8000000");
    EXPECT_EQ(rays(R"([2000, 2], "ray": "bishop")"), "");
    EXPECT_EQ(rays(R"([1500, 1], "ray": "rook", "wrap": true)"), most + "4497000");
    EXPECT_EQ(rays(R"([1000, 3], "ray": "bishop", "wrap": true)"), most + "35988000");
}

TEST(types, forms_of_shapes) {
    const Ruleset ruleset = load_good(R"({
        "types": {"Suit": ["a", "b"]},
        "shape": {
            "i": "int", "d": "double", "n": "number", "s": "string", "b": "bool", "x": "any", "u": true,
            "r": "-3..10", "m": "Suit", "e": ["p", "q"], "f": ["p", "q"], "one": ["p"],
            "map": {"$:Suit": "int"}, "open": {"$": "any"}, "list": {"$:int": {"k@@": "int"}}
        }
    })");
    ASSERT_TRUE(ruleset.shape);
    const auto field = [&](const std::string& name) -> const Shape& {
        for (const auto& [key, shape] : ruleset.shape->fields)
            if (key == name) return shape;
        ADD_FAILURE() << name;
        return *ruleset.shape;
    };
    EXPECT_EQ(field("i").kind, ShapeKind::Int);
    EXPECT_EQ(field("u").kind, ShapeKind::Unit);
    EXPECT_EQ(field("x").kind, ShapeKind::Any);
    EXPECT_EQ(field("r").low, -3);
    EXPECT_EQ(field("r").high, 10);
    EXPECT_EQ(field("m").domain, "Suit");
    EXPECT_EQ(field("e").domain, "p|q");
    EXPECT_EQ(field("f").domain, "p|q");
    EXPECT_EQ(ruleset.domain("p|q")->members.size(), 2U);
    EXPECT_EQ(field("one").domain, "p|");
    EXPECT_EQ(ruleset.types.size(), 3U);
    EXPECT_EQ(field("map").domain, "Suit");
    EXPECT_EQ(field("map").fields[0].shape.kind, ShapeKind::Int);
    EXPECT_EQ(field("open").key_type, "");
    EXPECT_EQ(field("list").key_type, "int");
    EXPECT_EQ(field("list").fields[0].shape.fields[0].name, "k@");
}

TEST(types, rules_may_touch_what_is_not_declared_at_the_root) {
    EXPECT_EQ(codes(load_ruleset_text("f", R"({
        "shape": {"a": "int"},
        "state": {"b": 1},
        "constants": {"c": {"d": 1}},
        "rules": [
            {"condition": {"a": 1, "b": 1, "c": {"d": 1}, "turn": "$_P", "made": 1, "view": {"x": 1}}},
            {"action": {"made": {"any": {"thing": 1}}, "a": "$this + 1"}},
            {"condition": {"also": 1}, "action": {"x": {"@rules": [{"action": {"@root": {"also": 1}}}]}}},
            {"condition": {"into": 1}, "action": {"@call": {"choose": {"from": "a", "into": "into"}}}}
        ]
    })")),
              "");
}

TEST(types, a_computed_key_at_the_root_opens_it) {
    EXPECT_EQ(codes(load_ruleset_text(
                  "f", R"({"shape": {"a": "int"}, "rules": [{"condition": {"whatever": 1}}]})")),
              "E0407@1:50");
    EXPECT_EQ(codes(load_ruleset_text(
                  "f", R"({"shape": {"a": "int"}, "rules": [{"condition": {"whatever": 1}},
        {"condition": {"a": "$A"}, "action": {"x{$A}": 1}}]})")),
              "");
}

TEST(types, parents_inside_rules_are_known) {
    EXPECT_EQ(codes(load_ruleset_text("f", R"~({"shape": {"a": {"b": "int"}, "c": "int"}, "rules": [
        {"action": {"a": {"@rules": [
            {"condition": {"b": 1, "@parent": {"c": 1}, "@path(b)": 1, "_": "size() > 0"}, "action": {"@parent": {"c": 2}}},
            {"condition": {"c": 1}}
        ]}}}
    ]})~")),
              "E0407@4:28");
}

TEST(types, values_of_options_are_not_held_against_the_shape) {
    EXPECT_EQ(codes(load_ruleset_text(
                  "f", R"({"options": {"most": 99}, "shape": {"a": "0..10"}, "rules": [
        {"condition": {"a": "= options.most"}}, {"condition": {"a": "> options.most"}}
    ]})")),
              "");
}

} // namespace
} // namespace croupier::engine
