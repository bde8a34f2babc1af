// States: order, copies, arrays, declared parts and what they forbid.
#include "engine/tree/state.h"

#include "engine/lang/reader.h"
#include "engine/run/program.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace croupier::engine {
namespace {

constexpr const char* kDeclared = R"({
    "types": {"Seat": 3, "Card": ["x", "y", "z"]},
    "shape": {"hands": {"$:Seat": {"$:Card": true}}, "turn": "Seat", "trick": {"$:Seat": "Card"},
              "rows": {"$:Card": {"a": "int", "b": "0..9"}}, "bag": {"$": "int"}},
    "rules": []})";

struct Fixture {
    Loaded loaded;
    std::unique_ptr<Program> program;

    explicit Fixture(const char* ruleset) : loaded(load_ruleset_text("test", ruleset)) {
        if (loaded.ruleset) {
            program = std::make_unique<Program>(*loaded.ruleset);
        }
    }

    [[nodiscard]] State state(const std::string& json) const {
        State made(*program->layout);
        Sources sources;
        Diagnostics diagnostics;
        const auto document = read_json(sources, sources.add("state", json), diagnostics);
        EXPECT_TRUE(made.import(*document, diagnostics)) << json;
        return made;
    }
    [[nodiscard]] std::size_t mistakes(const std::string& json) const {
        State made(*program->layout);
        Sources sources;
        Diagnostics diagnostics;
        const auto document = read_json(sources, sources.add("state", json), diagnostics);
        made.import(*document, diagnostics);
        return diagnostics.sorted().size();
    }
};

std::string text(const State& state) {
    return write_json(state.export_document(), -1);
}

NodeRef at(const State& state, std::initializer_list<const char*> path) {
    NodeRef node = state.root();
    for (const char* key : path) {
        node = state.child(node, state.symbols().find(key));
    }
    return node;
}

TEST(state, undeclared_json_comes_back_as_it_was) {
    const Fixture fixture(R"([])");
    for (const char* json :
         {R"({"b":1,"a":{"z":null,"y":[]},"c":[1,2.0,"x",[true,{}]]})", R"({})", R"([1,[2]])",
          R"({"":"","2":"2","1":1e+300,"n":-9223372036854775808})"}) {
        EXPECT_EQ(text(fixture.state(json)), json);
    }
}

TEST(state, declared_json_comes_back_with_maps_in_their_domains_order) {
    const Fixture fixture(kDeclared);
    EXPECT_EQ(
        text(fixture.state(
            R"({"turn":2,"hands":{"1":{"z":true,"x":true},"0":{}},"rows":{"y":{"b":3,"a":-1}}})")),
        R"({"turn":2,"hands":{"0":{},"1":{"x":true,"z":true}},"rows":{"y":{"b":3,"a":-1}}})");
    // A map whose domain is numbered may come as an array, and stays one while its keys allow it.
    EXPECT_EQ(text(fixture.state(R"({"trick":["z","x"]})")), R"({"trick":["z","x"]})");
}

// Counted by words of bits and of bytes, or one by one.
TEST(state, children_of_declared_maps_are_counted) {
    const Fixture fixture(R"({
        "types": {"Row": 70},
        "shape": {"set": {"$:Row": {"$:Row": true}}, "codes": {"$:Row": {"$:Row": "Row"}}, "numbers": {"$:Row": {"$:Row": "int"}}},
        "rules": []})");
    for (const std::string map : {"set", "codes", "numbers"}) {
        const std::string value = map == "set" ? "true" : "5";
        std::string rows;
        std::uint32_t count = 0;
        for (const int row : {0, 1, 7, 8, 9, 15, 16, 40, 63, 64, 68, 69}) {
            rows += (rows.empty() ? "\"" : ", \"") + std::to_string(row) + "\": " + value;
            ++count;
            const State state =
                fixture.state("{\"" + map + "\": {\"0\": {\"69\": " + value + "}, \"1\": {" + rows +
                              "}, \"2\": {\"0\": " + value + "}}}");
            const NodeRef all = state.child(state.root(), state.symbols().find(map));
            EXPECT_EQ(state.child_count(all), 3u);
            EXPECT_EQ(state.child_count(state.child(all, state.symbols().find("1"))), count)
                << map << rows;
        }
    }
}

TEST(state, new_children_are_last_and_removed_ones_come_back_last) {
    for (const char* ruleset : {kDeclared, "[]"}) {
        const Fixture fixture(ruleset);
        State state = fixture.state(R"({"turn":0,"extra":1,"bag":{"p":1,"q":2}})");
        state.remove(at(state, {"turn"}));
        state.set_child(state.root(), state.symbols().intern("late"), Value::null());
        state.set_child(state.root(), state.symbols().intern("turn"),
                        Value::number(std::int64_t{1}));
        const NodeRef bag = at(state, {"bag"});
        state.remove(at(state, {"bag", "p"}));
        state.set_child(bag, state.symbols().intern("p"), Value::number(std::int64_t{3}));
        EXPECT_EQ(text(state), R"({"extra":1,"bag":{"q":2,"p":3},"late":null,"turn":1})");
    }
}

TEST(state, root_takes_many_undeclared_keys) {
    const Fixture fixture(kDeclared);
    State state = fixture.state(R"({"turn":1})");
    std::string expected = R"({"turn":1)";
    for (int i = 0; i < 100; ++i) {
        const std::string key = "k" + std::to_string(i);
        state.set_child(state.root(), state.symbols().intern(key), Value::number(std::int64_t{i}));
        expected += ",\"" + key + "\":" + std::to_string(i);
    }
    EXPECT_EQ(text(state), expected + "}");
    const State copy = state;
    EXPECT_EQ(text(copy), expected + "}");
}

TEST(state, many_children_are_found_by_key_also_in_copies_and_after_removal) {
    const Fixture fixture("[]");
    State state = fixture.state("{}");
    for (int i = 0; i < 1000; ++i) {
        state.set_child(state.root(), state.symbols().intern("k" + std::to_string(i)),
                        Value::number(std::int64_t{i}));
    }
    State copy = state;
    state.remove_children(state.root());
    state.set_child(state.root(), state.symbols().intern("k7"), Value::boolean(true));
    EXPECT_EQ(text(state), R"({"k7":true})");
    EXPECT_EQ(copy.value(at(copy, {"k999"})).integer, 999);
    copy.remove(at(copy, {"k500"}));
    EXPECT_FALSE(at(copy, {"k500"}));
    EXPECT_EQ(copy.child_count(copy.root()), 999u);
}

TEST(state, copies_are_independent_and_equal_until_changed) {
    const Fixture fixture(kDeclared);
    const State first = fixture.state(R"({"turn":1,"hands":{"0":{"x":true}},"free":{"a":[1]}})");
    State second = first;
    EXPECT_TRUE(first.equals(second));
    EXPECT_EQ(first.hash(), second.hash());
    second.remove(at(second, {"hands", "0", "x"}));
    EXPECT_FALSE(first.equals(second));
    EXPECT_NE(first.hash(), second.hash());
    EXPECT_EQ(text(first), R"({"turn":1,"hands":{"0":{"x":true}},"free":{"a":[1]}})");
    // The same tree by another road is the same state: order counts, history does not.
    second.set_child(at(second, {"hands", "0"}), second.symbols().intern("x"),
                     Value::boolean(true));
    EXPECT_TRUE(first.equals(second));
    EXPECT_EQ(first.hash(), second.hash());
}

TEST(state, hashes_are_of_trees_not_of_how_they_came_to_be) {
    const Fixture fixture(R"({
        "types": {"Seat": 3}, "rules": [],
        "shape": {"turn": "Seat", "said": {"$:Seat": "string"}, "score": {"$:Seat": "number"}}})");
    const auto say = [](State& state, const char* seat, const char* words) {
        state.set_child(at(state, {"said"}), state.symbols().find(seat),
                        Value::string(state.symbols().intern(words)));
    };
    State first = fixture.state(R"({"turn":1,"said":{"0":"x"},"score":{"2":1.5}})");
    State second = first;
    // The same new texts, met in another order, and one that is no part of the tree.
    say(first, "1", "made up");
    say(first, "2", "later");
    say(second, "0", "gone");
    say(second, "2", "later");
    say(second, "1", "made up");
    EXPECT_NE(first.hash(), second.hash());
    say(second, "0", "x");
    EXPECT_EQ(first.hash(), second.hash());
    say(second, "2", "made up");
    say(second, "1", "later");
    EXPECT_NE(first.hash(), second.hash());

    State third = fixture.state(R"({"turn":1})");
    const std::uint64_t before = third.hash();
    const Symbol extra = third.symbols().intern("extra");
    third.set_child(third.root(), extra, Value::number(std::int64_t{1}));
    EXPECT_NE(third.hash(), before);
    third.remove(at(third, {"extra"}));
    EXPECT_EQ(third.hash(), before);
}

TEST(state, order_of_fields_counts_for_hashes) {
    const Fixture fixture(kDeclared);
    const State first = fixture.state(R"({"turn":1,"trick":{"0":"x"}})");
    EXPECT_NE(first.hash(), fixture.state(R"({"trick":{"0":"x"},"turn":1})").hash());
    EXPECT_NE(first.hash(), fixture.state(R"({"turn":1,"trick":{"1":"x"}})").hash());
    EXPECT_NE(fixture.state(R"({"rows":{"x":{"a":1,"b":2}}})").hash(),
              fixture.state(R"({"rows":{"x":{"b":2,"a":1}}})").hash());
}

TEST(state, shape_is_enforced_and_a_fault_changes_nothing) {
    const Fixture fixture(kDeclared);
    State state = fixture.state(R"({"turn":1})");
    const auto set = [&](const char* key, const Value& value) {
        state.set_child(state.root(), state.symbols().intern(key), value);
    };
    EXPECT_THROW(set("turn", Value::number(std::int64_t{3})), ShapeFault);
    EXPECT_THROW(set("turn", Value::string(state.symbols().intern("1"))), ShapeFault);
    EXPECT_THROW(set("hands", Value::null()), ShapeFault);
    const NodeRef bag = state.make_child(state.root(), state.symbols().intern("bag"));
    EXPECT_THROW(state.set_child(bag, state.symbols().intern("p"), Value::boolean(true)),
                 ShapeFault);
    EXPECT_THROW(state.make_child(bag, state.symbols().intern("p")), ShapeFault);
    EXPECT_EQ(text(state), R"({"turn":1,"bag":{}})");
    // A key that spells a member's number is stored as the number.
    set("turn", Value::key(state.symbols().intern("2")));
    EXPECT_EQ(text(state), R"({"turn":2,"bag":{}})");
}

TEST(state, import_names_every_mistake) {
    const Fixture fixture(kDeclared);
    EXPECT_EQ(fixture.mistakes(R"({"turn":1,"rows":{"x":{"b":9}}})"), 0u);
    EXPECT_EQ(fixture.mistakes(R"({"turn":7,"rows":{"w":{},"x":{"b":10,"c":1}},"hands":[1]})"), 5u);
}

} // namespace
} // namespace croupier::engine
