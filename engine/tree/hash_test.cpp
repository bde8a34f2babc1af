// Hashes of states agree with equality, whatever a state has been through.
#include "engine/lang/reader.h"
#include "engine/run/program.h"
#include "engine/run/random.h"
#include "engine/tree/root_field.h"
#include "engine/tree/state.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace croupier::engine {
namespace {

constexpr const char* kHashed = R"({
    "types": {"Seat": 3, "Card": ["x", "y", "z"]},
    "shape": {"hands": {"$:Seat": {"$:Card": true}}, "turn": "Seat", "trick": {"$:Seat": "Card"},
              "rows": {"$:Card": {"a": "int", "b": "0..9", "c": "any"}}, "said": "string",
              "worth": "number", "bag": {"$": "int"}, "any": {"$:Seat": "any"}},
    "rules": []})";

struct HashFixture {
    Loaded loaded = load_ruleset_text("test", kHashed);
    Program program{*loaded.ruleset};

    [[nodiscard]] State state(const Document& document) const {
        State made(*program.layout);
        Diagnostics diagnostics;
        EXPECT_TRUE(made.import(document, diagnostics));
        return made;
    }
    [[nodiscard]] State state(const std::string& json) const {
        Sources sources;
        Diagnostics diagnostics;
        return state(*read_json(sources, sources.add("state", json), diagnostics));
    }
};

NodeRef reached(State& state, std::initializer_list<const char*> path) {
    NodeRef node = state.root();
    for (const char* key : path)
        node = state.child(node, state.symbols().intern(key));
    return node;
}

// By both, and the other way round.
void expect_same(const State& a, const State& b) {
    EXPECT_TRUE(a.equals(b));
    EXPECT_TRUE(b.equals(a));
    EXPECT_EQ(a.hash(), b.hash());
}

void expect_different(const State& a, const State& b) {
    EXPECT_FALSE(a.equals(b));
    EXPECT_FALSE(b.equals(a));
    EXPECT_NE(a.hash(), b.hash());
}

TEST(hash, of_declared_nodes_counts_beside_undeclared_ones) {
    const HashFixture fixture;
    const std::vector<std::string> all = {R"({"turn":1,"free":{"k":[1,2]}})",
                                          R"({"turn":2,"free":{"k":[1,2]}})",
                                          R"({"free":{"k":[1,2]},"turn":1})",
                                          R"({"free":{"k":[1,2]}})",
                                          R"({"turn":1,"free":{"k":[2,1]}})",
                                          R"({"turn":1,"free":{"k":{"0":1,"1":2}}})",
                                          R"({"turn":1,"free":{"k":[1]}})",
                                          R"({"turn":1,"free":{"k":[1,2.0]}})",
                                          R"({"turn":1,"free":{"k":[]}})",
                                          R"({"turn":1,"free":{"k":{}}})",
                                          R"({"turn":1,"free":{}})",
                                          R"({"turn":1,"free":null})",
                                          R"({"turn":1,"free":false})",
                                          R"({"turn":1,"free":0})",
                                          R"({"turn":1,"free":0.0})",
                                          R"({"turn":1,"free":-0.0})",
                                          R"({"turn":1,"free":"0"})",
                                          R"({"turn":1,"k":{"free":[1,2]}})",
                                          R"({"turn":1,"bag":{"p":1}})",
                                          R"({"turn":1,"bag":{"q":1}})",
                                          R"({"turn":1,"bag":{}})",
                                          R"({"turn":1,"any":{"0":{"p":1}}})",
                                          R"({"turn":1,"any":{"1":{"p":1}}})",
                                          R"({"turn":1,"any":{"0":{"p":1},"1":{"p":1}}})",
                                          R"({"turn":1,"a":1,"b":2})",
                                          R"({"turn":1,"b":2,"a":1})",
                                          R"({"turn":1,"a":{"b":{}},"c":1})",
                                          R"({"turn":1,"a":{"b":{},"c":1}})",
                                          R"({"turn":1,"a":{},"b":{}})",
                                          R"({"turn":1,"a":{"b":{}}})",
                                          R"({"rows":{"x":{"a":1,"c":{}}}})",
                                          R"({"rows":{"x":{"c":{},"a":1}}})",
                                          R"({"rows":{"x":{"c":{}},"y":{}}})",
                                          R"({"rows":{"x":{},"y":{"c":{}}}})",
                                          R"({"said":"p","free":1})",
                                          R"({"said":"q","free":1})",
                                          R"({"worth":1,"free":1})",
                                          R"({"worth":1.0,"free":1})"};
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t k = 0; k < all.size(); ++k) {
            SCOPED_TRACE(all[i] + " " + all[k]);
            if (i == k)
                expect_same(fixture.state(all[i]), fixture.state(all[k]));
            else
                expect_different(fixture.state(all[i]), fixture.state(all[k]));
        }
    }
}

TEST(hash, of_undeclared_nodes_does_not_depend_on_where_they_lie) {
    const HashFixture fixture;
    State made = fixture.state(R"({"turn":1,"a":{"k":1},"bag":{"p":1},"b":"text"})");
    // The same tree again, after other nodes have taken and left the first places of the arena and
    // of the root's list, and other texts the first numbers.
    State other = fixture.state(R"({"gone":[1,2,3],"also":{"new":{"deep":"made up"}}})");
    const auto put = [&other](NodeRef node, const char* key, std::int64_t value) {
        other.set_child(node, other.symbols().intern(key), Value::number(value));
    };
    put(other.root(), "turn", 1);
    put(other.make_child(other.root(), other.symbols().intern("a")), "k", 1);
    other.remove(reached(other, {"gone"}));
    put(other.make_child(other.root(), other.symbols().intern("bag")), "p", 1);
    other.remove(reached(other, {"also"}));
    other.set_child(other.root(), other.symbols().intern("b"),
                    Value::string(other.symbols().intern("text")));
    expect_same(made, other);
    // More undeclared children of the root than it first had room for, and none of them left.
    for (int i = 0; i < 30; ++i)
        put(other.root(), ("n" + std::to_string(i)).c_str(), i);
    expect_different(made, other);
    for (int i = 29; i >= 0; --i)
        other.remove(reached(other, {("n" + std::to_string(i)).c_str()}));
    expect_same(made, other);
    // Nothing undeclared is left in either.
    for (State* state : {&made, &other})
        for (const char* key : {"a", "bag", "b"})
            state->remove(reached(*state, {key}));
    EXPECT_EQ(other.arena_nodes(), 0u);
    expect_same(made, other);
    expect_same(other, fixture.state(R"({"turn":1})"));
}

// Sets and removes at random, so that states meet again by other roads.
class Wanderer {
  public:
    explicit Wanderer(std::uint64_t seed) : random_(seed) {}

    void step(State& state) {
        static constexpr const char* kSeats[] = {"0", "1", "2"};
        static constexpr const char* kCards[] = {"x", "y", "z"};
        const char* const seat = kSeats[random_.below(3)];
        const char* const card = kCards[random_.below(3)];
        const auto number = static_cast<std::int64_t>(random_.below(2));
        const auto text = [&](const char* of) { return Value::string(symbol(state, of)); };
        const auto below = [&](std::initializer_list<const char*> path) {
            NodeRef node = state.root();
            for (const char* key : path)
                node = state.make_child(node, symbol(state, key));
            return node;
        };
        switch (random_.below(12)) {
        case 0:
            state.set_child(below({"hands", seat}), symbol(state, card), Value::boolean(true));
            break;
        case 1:
            state.set_child(state.root(), symbol(state, "turn"), Value::number(number));
            break;
        case 2:
            state.set_child(below({"trick"}), symbol(state, seat), text(card));
            break;
        case 3:
            state.set_child(below({"rows", card}), symbol(state, number == 0 ? "a" : "b"),
                            Value::number(number));
            break;
        case 4:
            state.set_child(below({"rows", card}), symbol(state, "c"), Value::number(number));
            break;
        case 5:
            state.set_child(state.root(), symbol(state, "said"), text(number == 0 ? "new" : "old"));
            break;
        case 6:
            state.set_child(below({number == 0 ? "bag" : "any"}), symbol(state, seat),
                            Value::number(number));
            break;
        case 7:
            state.set_child(state.root(), symbol(state, number == 0 ? "p" : "q"),
                            Value::number(1.5));
            break;
        default:
            remove(state);
        }
    }

  private:
    static Symbol symbol(State& state, const char* text) { return state.symbols().intern(text); }

    // Any node, at any depth.
    void remove(State& state) {
        NodeRef node = state.root();
        while (const std::uint32_t count = state.child_count(node)) {
            if (node != state.root() && random_.below(2) == 0) break;
            node = state.first_child(node);
            for (auto k = random_.below(count); k > 0; --k)
                node = state.next_sibling(node);
        }
        if (node != state.root()) state.remove(node);
    }

    Random random_;
};

TEST(hash, of_states_is_equal_where_they_are_however_they_came_to_be) {
    const HashFixture fixture;
    std::vector<State> met;
    std::size_t equal = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        State state(*fixture.program.layout);
        Wanderer wanderer(seed);
        for (int i = 0; i < 400; ++i) {
            wanderer.step(state);
            // As it would be if nothing had ever been removed from it.
            const State fresh = fixture.state(state.export_document());
            ASSERT_TRUE(state.equals(fresh)) << write_json(state.export_document(), -1);
            ASSERT_EQ(state.hash(), fresh.hash()) << write_json(state.export_document(), -1);
            if (state.child_count(state.root()) <= 3) met.push_back(state);
        }
    }
    for (std::size_t i = 0; i < met.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            ASSERT_EQ(met[i].equals(met[k]), met[i].hash() == met[k].hash())
                << write_json(met[i].export_document(), -1) << " "
                << write_json(met[k].export_document(), -1);
            if (met[i].equals(met[k])) ++equal;
        }
    }
    EXPECT_GT(equal, 20u) << "too few met again";
    EXPECT_GT(met.size(), 50u);
}

TEST(hash, is_the_same_in_every_run_of_the_program) {
    const HashFixture fixture;
    // Whoever changes them says so: searches that leave moves to chance play by hashes.
    EXPECT_EQ(fixture.state(R"({"turn":1,"hands":{"0":{"x":true}}})").hash(), 0x41fa0af6e87ad394u);
    EXPECT_EQ(fixture.state(R"({"turn":1,"said":"a","free":{"k":[1]}})").hash(),
              0xf150716f416dfedcu);
}

// ---- fields of the root by their bytes ----------------------------------------------------------

TEST(root_field, is_dropped_as_by_remove) {
    const HashFixture fixture;
    const Layout& layout = *fixture.program.layout;
    const State whole = fixture.state(
        R"({"hands":{"1":{"y":true}},"turn":0,"free":1,"trick":{"2":"z"},"said":"a","worth":0})");
    for (const char* key : {"hands", "turn", "trick", "said", "worth"}) {
        State state = whole;
        State other = whole;
        const Symbol name = state.symbols().find(key);
        const RootField field = layout.root_field(layout.node(0).field(name));
        ASSERT_NE(field.end, 0u) << key;
        other.remove(other.child(other.root(), name));
        for (int times = 0; times < 2; ++times) { // what is absent stays so
            state.drop_field(field);
            expect_same(state, other);
        }
    }
    // Of nodes below the root, or in the arena, not all bytes are known.
    const SchemaId rows = layout.node(0).field(whole.symbols().find("rows"));
    for (const SchemaId none : {SchemaId{0}, rows, layout.node(rows).element})
        EXPECT_EQ(layout.root_field(none).end, 0u);
}

TEST(root_field, of_many_bytes_is_dropped_wherever_some_are_set) {
    Loaded loaded = load_ruleset_text("test", R"({
        "types": {"Row": 200}, "rules": [],
        "shape": {"first": "Row", "wide": {"$:Row": {"n": "0..9"}}, "last": "Row"}})");
    const Program program(*loaded.ruleset);
    const Layout& layout = *program.layout;
    const RootField field = layout.root_field(layout.node(0).field(program.symbols.find("wide")));
    for (const char* row : {"", "0", "63", "199"}) {
        State state(layout);
        const auto name = [&](const char* text) { return state.symbols().intern(text); };
        state.set_child(state.root(), name("first"), Value::number(std::int64_t{7}));
        const State without = state;
        const NodeRef wide = state.make_child(state.root(), name("wide"));
        if (*row != 0)
            state.set_child(state.make_child(wide, name(row)), name("n"),
                            Value::number(std::int64_t{0}));
        EXPECT_FALSE(state.equals(without));
        state.drop_field(field);
        expect_same(state, without);
        state.drop_field(field);
        expect_same(state, without);
    }
}

TEST(root_field, takes_a_code_as_by_set) {
    const HashFixture fixture;
    const Layout& layout = *fixture.program.layout;
    State state = fixture.state(R"({"said":"a"})");
    State other = state;
    const Symbol turn = state.symbols().find("turn");
    for (const std::int64_t seat : {2, 0}) { // absent before, then present
        state.put_byte(layout.root_field(layout.node(0).field(turn)),
                       static_cast<std::uint8_t>(seat + 1));
        other.set_child(other.root(), turn, Value::number(seat));
        expect_same(state, other);
    }
}

} // namespace
} // namespace croupier::engine
