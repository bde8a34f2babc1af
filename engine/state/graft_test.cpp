// Parts of states copied into other states.
#include "engine/state/graft.h"

#include "engine/catalogue/catalogue.h"
#include "engine/language/print.h"
#include "engine/language/reader.h"

#include <gtest/gtest.h>

#include <string>

namespace croupier::engine {
namespace {

// A state, and one of another layout that has the same shape under `view`.
class Grafted {
  public:
    explicit Grafted(const std::string& types, const std::string& shape)
        : from_(load(R"({"types": )" + types + R"(, "shape": )" + shape + R"(, "rules": []})")),
          to_(load(R"({"types": )" + types + R"(, "shape": {"other": "int", "view": )" + shape +
                   R"(, "last": "string"}, "rules": []})")),
          from_catalogue_(*from_.ruleset), to_catalogue_(*to_.ruleset),
          graft_(*from_catalogue_.layout, 0, *to_catalogue_.layout,
                 to_catalogue_.layout->node(0).field(to_catalogue_.symbols.find("view"))),
          state_(*to_catalogue_.layout) {
        (void)state_.set_child(state_.root(), state_.symbols().intern("other"),
                               Value::number(std::int64_t{7}));
    }

    // Returns the contents of view after the copy; the rest must not change.
    std::string copy(const std::string& json) {
        State from(*from_catalogue_.layout);
        Sources sources;
        Diagnostics diagnostics;
        const auto document = read_json(sources, sources.add("state", json), diagnostics);
        EXPECT_TRUE(from.import(*document, diagnostics)) << json;
        graft_.copy(from, state_);
        // Earlier contents must leave no trace.
        State fresh(*to_catalogue_.layout);
        (void)fresh.set_child(fresh.root(), fresh.symbols().intern("other"),
                              Value::number(std::int64_t{7}));
        graft_.copy(from, fresh);
        EXPECT_TRUE(state_.equals(fresh)) << json;
        EXPECT_EQ(state_.hash(), fresh.hash()) << json;
        const Document whole = state_.export_document();
        EXPECT_EQ(write_json(whole.find("other")->value, -1), "7");
        const Member* view = whole.find("view");
        return view == nullptr ? "" : write_json(view->value, -1);
    }

  private:
    static Loaded load(const std::string& text) {
        Loaded loaded = load_ruleset_text("test", text);
        EXPECT_TRUE(loaded.ruleset) << text;
        return loaded;
    }

    Loaded from_;
    Loaded to_;
    Catalogue from_catalogue_;
    Catalogue to_catalogue_;
    Graft graft_;
    State state_;
};

constexpr const char* kTypes = R"({"Seat": 3, "Card": ["x", "y", "z"]})";

TEST(graft, every_kind_of_column_arrives_in_its_order) {
    Grafted grafted(kTypes, R"({"turn": "Seat", "hands": {"$:Seat": {"$:Card": true}}, "n": "int",
        "rows": {"$:Card": {"a": "int", "b": "0..9"}}, "w": "number", "t": "string",
        "wide": "0..1000", "list": {"$:Seat": "Card"}})");
    for (const std::string json :
         {R"({"n":-5,"turn":2,"hands":{"0":{"x":true},"2":{"y":true,"z":true}}})",
          R"({"wide":999,"rows":{"y":{"b":3,"a":1},"z":{"a":2}},"turn":1})",
          R"({"t":"made up","w":0.5,"list":["z","x"]})", R"({"hands":{"1":{}}})", R"({})"})
        EXPECT_EQ(grafted.copy(json), json);
}

TEST(graft, what_lives_in_no_column_is_copied_too) {
    Grafted grafted(kTypes, R"({"bag": {"$": "int"}, "free": "any", "turn": "Seat"})");
    for (const std::string json : {R"({"bag":{"apples":3,"pears":4}})",
                                   R"({"free":{"deep":[1,{"x":null}]},"turn":0})", R"({"turn":1})"})
        EXPECT_EQ(grafted.copy(json), json);
}

TEST(graft, columns_and_what_lives_in_none_stand_side_by_side) {
    Grafted grafted(kTypes,
                    R"({"turn": "Seat", "free": "any", "hands": {"$:Seat": {"$:Card": true}},
        "rows": {"$:Card": {"a": "int", "note": "any", "by": {"$:int": "string"}}}})");
    for (const std::string json :
         {R"({"rows":{"x":{"note":{"made":["up",1]},"a":1},"z":{"a":3,"note":"short"}},"turn":2})",
          R"({"turn":0,"free":[],"rows":{"x":{"a":1,"by":{"7":"seven","-2":"less"}}}})",
          R"({"free":{"made":{"up":true},"x":null},"hands":{"1":{"y":true}}})",
          R"({"hands":{"1":{"y":true}},"free":0.5,"turn":1})", R"({"turn":1})"})
        EXPECT_EQ(grafted.copy(json), json);
}

TEST(graft, what_nobody_declares_is_copied_as_a_whole) {
    const Loaded any = load_ruleset_text("any", R"({"rules": []})");
    const Loaded viewer = load_ruleset_text("viewer", R"({"shape": {"view": "any"}, "rules": []})");
    const Catalogue from_catalogue(*any.ruleset);
    const Catalogue to_catalogue(*viewer.ruleset);
    const Graft graft(*from_catalogue.layout, 0, *to_catalogue.layout,
                      to_catalogue.layout->node(0).field(to_catalogue.symbols.find("view")));
    State to(*to_catalogue.layout);
    for (const std::string json : {R"({"b":{"x":[1,"made up"]},"a":2})", R"({"a":{}})", R"({})"}) {
        State from(*from_catalogue.layout);
        Sources sources;
        Diagnostics diagnostics;
        ASSERT_TRUE(
            from.import(*read_json(sources, sources.add("state", json), diagnostics), diagnostics));
        graft.copy(from, to);
        EXPECT_EQ(write_json(to.export_document().find("view")->value, -1), json);
    }
}

TEST(graft, keys_that_no_shape_declares_are_left_out) {
    Grafted grafted(kTypes, R"({"turn": "Seat", "t": "string"})");
    EXPECT_EQ(grafted.copy(R"({"t":"a","stray":{"x":1},"turn":2})"), R"({"t":"a","turn":2})");
    EXPECT_EQ(grafted.copy(R"({"turn":0})"), R"({"turn":0})");
}

// Printed declarations read back as the same layout.
TEST(print, types_and_shapes_can_be_read_again) {
    const std::string text = R"({
        "types": {"Seat": {"members": 3, "order": "cyclic"}, "Suit": ["S", "H"],
                  "Cell": {"grid": [3, 2], "near": "rook", "wrap": true}, "Plain": {"grid": [2, 2]},
                  "Move": {"union": ["Cell", "pass"]}, "Step": {"members": ["a", "b"], "order": true}},
        "shape": {"phase": ["bid", "play"], "at": {"$:Cell": "Seat"}, "bag": {"$": "any"},
                  "by": {"$:int": {"x": "0..9", "$$y": true, "z": "number"}}},
        "rules": [{"condition": {"at": {"a1": 0}, "near": {"a1": {"c1": {}}}, "next": {"a": "b"}}}]})";
    const Loaded first = load_ruleset_text("first", text);
    ASSERT_TRUE(first.ruleset);
    std::string types;
    std::string shape;
    const auto print = [&](const Ruleset& ruleset) {
        types.clear();
        for (const Domain& domain : ruleset.types) {
            if (domain.anonymous) continue;
            types += (types.empty() ? "" : ",") + ("\"" + domain.name + "\":") +
                     write_json(to_document(domain), -1);
        }
        shape = write_json(to_document(*ruleset.shape, ruleset.types), -1);
        return R"({"types":{)" + types + R"(},"shape":)" + shape + R"(,"rules":)" +
               engine::print(*ruleset.group("rules"), -1) + "}";
    };
    const std::string once = print(*first.ruleset);
    EXPECT_NE(shape.find(R"("phase":["bid","play"])"), std::string::npos) << shape;
    EXPECT_NE(types.find(R"("Cell":{"grid":[3,2],"near":"rook","wrap":true})"), std::string::npos)
        << types;
    const Loaded again = load_ruleset_text("again", once);
    ASSERT_TRUE(again.ruleset) << once;
    EXPECT_EQ(print(*again.ruleset), once);
    EXPECT_EQ(Catalogue(*again.ruleset).layout->dense_bytes(),
              Catalogue(*first.ruleset).layout->dense_bytes());
}

} // namespace
} // namespace croupier::engine
