// States: order, copies, arrays, declared parts and what they forbid.
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "engine/catalogue/catalogue.h"
#include "engine/language/reader.h"
#include "engine/run/random.h"
#include "engine/state/root_field.h"
#include "engine/state/state.h"
#include "engine/state/value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {

namespace {

constexpr const char* kDeclared = R"({
    "types": {"Seat": 3, "Card": ["x", "y", "z"]},
    "shape": {"hands": {"$:Seat": {"$:Card": true}}, "turn": "Seat", "trick": {"$:Seat": "Card"},
              "rows": {"$:Card": {"a": "int", "b": "0..9"}}, "bag": {"$": "int"}},
    "rules": []})";

struct Fixture {
    Loaded loaded;
    std::unique_ptr<Catalogue> catalogue;

    explicit Fixture(const char* ruleset) : loaded(load_ruleset_text("test", ruleset)) {
        if (loaded.ruleset) catalogue = std::make_unique<Catalogue>(*loaded.ruleset);
    }

    [[nodiscard]] State state(const std::string& json) const {
        State made(*catalogue->layout);
        Sources sources;
        Diagnostics diagnostics;
        const auto document = read_json(sources, sources.add("state", json), diagnostics);
        EXPECT_TRUE(made.import(*document, diagnostics)) << json;
        return made;
    }
    [[nodiscard]] std::size_t mistakes(const std::string& json) const {
        State made(*catalogue->layout);
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
    for (const char* key : path)
        node = state.child(node, state.symbols().find(key));
    return node;
}

TEST(state, undeclared_json_comes_back_as_it_was) {
    const Fixture fixture(R"([])");
    for (const char* json :
         {R"({"b":1,"a":{"z":null,"y":[]},"c":[1,2.0,"x",[true,{}]]})", R"({})", R"([1,[2]])",
          R"({"":"","2":"2","1":1e+300,"n":-9223372036854775808})"})
        EXPECT_EQ(text(fixture.state(json)), json);
}

TEST(state, declared_json_comes_back_with_maps_in_their_domains_order) {
    const Fixture fixture(kDeclared);
    EXPECT_EQ(
        text(fixture.state(
            R"({"turn":2,"hands":{"1":{"z":true,"x":true},"0":{}},"rows":{"y":{"b":3,"a":-1}}})")),
        R"({"turn":2,"hands":{"0":{},"1":{"x":true,"z":true}},"rows":{"y":{"b":3,"a":-1}}})");
    // A map with a numbered domain may be given as an array and stays one while its keys allow it.
    EXPECT_EQ(text(fixture.state(R"({"trick":["z","x"]})")), R"({"trick":["z","x"]})");
}

// Counts by words of bits, by words of bytes, and one by one.
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
    // The same tree built in another order of steps: the order of children counts, history does
    // not.
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
    // The same new texts, added in another order, and one that is not part of the tree.
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

// Tables of texts, their copies, and the index of children, compared with standard containers.

namespace {

void expect_holds(const Symbols& symbols, const std::vector<std::string>& texts) {
    ASSERT_EQ(symbols.size(), texts.size());
    for (Symbol symbol = 0; symbol < texts.size(); ++symbol) {
        EXPECT_EQ(symbols.text(symbol), texts[symbol]);
        EXPECT_EQ(symbols.find(texts[symbol]), symbol);
    }
}

TEST(symbols, a_copy_over_one_that_shares_the_beginning_is_the_other_and_no_more) {
    Symbols base;
    base.intern("a");
    Symbols first(&base);
    first.intern("b");
    first.intern("7");
    Symbols second = first;
    first.intern("c");
    second.intern("x");
    second.intern("c");
    expect_holds(first, {"a", "b", "7", "c"});
    expect_holds(second, {"a", "b", "7", "x", "c"});
    second = first;
    expect_holds(second, {"a", "b", "7", "c"});
    EXPECT_EQ(second.find("x"), kNoSymbol) << "what only the old table had";
    EXPECT_EQ(second.integer(2), 7);
    second.intern("y");
    expect_holds(first, {"a", "b", "7", "c"});
    first = Symbols(&base);
    expect_holds(first, {"a"});
    EXPECT_EQ(first.find("b"), kNoSymbol);
    expect_holds(second, {"a", "b", "7", "c", "y"});
}

TEST(symbols, a_copy_over_an_extension_of_another_table_shares_nothing) {
    Symbols base;
    base.intern("a");
    Symbols other_base;
    other_base.intern("p");
    other_base.intern("q");
    Symbols first(&base);
    first.intern("b");
    Symbols second(&other_base);
    second.intern("r");
    second = first;
    expect_holds(second, {"a", "b"});
    EXPECT_EQ(second.find("p"), kNoSymbol);
}

TEST(child_index, finds_what_a_map_finds) {
    Random random(7);
    ChildIndex index;
    std::map<std::pair<std::uint32_t, Symbol>, std::uint32_t> known;
    std::uint32_t most = 0;
    for (int step = 0; step < 20000; ++step) {
        const auto parent = static_cast<std::uint32_t>(1 + random.below(3));
        const auto key = static_cast<Symbol>(random.below(400));
        // Grows and shrinks in turn.
        if (random.below(10) < (step / 2000 % 2 == 0 ? 7U : 3U)) {
            index.put(parent, key, static_cast<std::uint32_t>(step + 1));
            known[{parent, key}] = static_cast<std::uint32_t>(step + 1);
        } else {
            index.erase(parent, key);
            known.erase({parent, key});
        }
        most = std::max(most, static_cast<std::uint32_t>(known.size()));
        if (step % 500 != 0) continue;
        const ChildIndex copy = index;
        for (std::uint32_t each = 1; each < 4; ++each) {
            for (Symbol child = 0; child < 400; ++child) {
                const auto found = known.find({each, child});
                ASSERT_EQ(copy.find(each, child), found == known.end() ? 0 : found->second);
            }
        }
    }
    EXPECT_GT(most, 600U);
}

} // namespace

// Dropping two fields of the root at once equals dropping them one after the other.

namespace {

constexpr std::uint32_t kFields = 12;

class Fields {
  public:
    Fields() {
        for (std::uint32_t i = 0; i < kFields; ++i)
            fields_.push_back(layout().root_field(layout().node(0).field(name(i))));
    }

    [[nodiscard]] const Layout& layout() const { return *catalogue_.layout; }
    [[nodiscard]] const RootField& operator[](std::uint32_t i) const { return fields_[i]; }
    // With `count` of the fields, in random order.
    State state(std::uint32_t count, Random& random, std::vector<std::uint32_t>& order) const {
        order.clear();
        for (std::uint32_t i = 0; i < kFields; ++i)
            order.insert(order.begin() + static_cast<std::ptrdiff_t>(random.below(i + 1)), i);
        order.resize(count);
        State state(layout());
        for (const std::uint32_t i : order)
            state.set_child(state.root(), name(i), Value::number(std::int64_t{i}));
        return state;
    }
    void remove(State& state, std::uint32_t i) const {
        if (const NodeRef node = state.child(state.root(), name(i))) state.remove(node);
    }

  private:
    static std::string text() {
        std::string shape;
        for (std::uint32_t i = 0; i < kFields; ++i)
            shape += (i == 0 ? "" : ", ") + ("\"f" + std::to_string(i)) + R"(": "0..20")";
        return R"({"rules": [], "shape": {)" + shape + "}}";
    }
    [[nodiscard]] Symbol name(std::uint32_t i) const {
        return catalogue_.symbols.find("f" + std::to_string(i));
    }

    Loaded loaded_ = load_ruleset_text("test", text());
    Catalogue catalogue_{*loaded_.ruleset};
    std::vector<RootField> fields_;
};

TEST(root_field, two_go_at_once) {
    const Fields fields;
    Random random(1);
    std::vector<std::uint32_t> order;
    for (int i = 0; i < 500; ++i) {
        State state =
            fields.state(static_cast<std::uint32_t>(random.below(kFields + 1)), random, order);
        State other = state;
        const auto first = static_cast<std::uint32_t>(random.below(kFields));
        const auto second = (first + 1 + static_cast<std::uint32_t>(random.below(kFields - 1))) %
                            kFields; // mostly at least one is not near the end
        const bool both_last = order.size() >= 2 && i % 3 == 0;
        const std::uint32_t one = both_last ? order[order.size() - 2] : first;
        const std::uint32_t two = both_last ? order.back() : second;
        state.drop_fields(fields[one], fields[two]);
        fields.remove(other, one);
        fields.remove(other, two);
        ASSERT_TRUE(state.equals(other)) << i;
        ASSERT_EQ(state.hash(), other.hash()) << i;
    }
}

TEST(root_field, several_leave_the_list_in_which_they_are) {
    const Fields fields;
    Random random(2);
    std::vector<std::uint32_t> order;
    for (int i = 0; i < 1000; ++i) {
        const auto count = 1 + static_cast<std::uint32_t>(random.below(kFields));
        State state = fields.state(count, random, order);
        State other = state;
        std::uint64_t slots = 0;
        for (const std::uint32_t each : order) {
            if (random.below(3) == 0) continue;
            slots |= std::uint64_t{1} << fields[each].slot;
            state.data()[fields[each].begin] = std::byte{0};
            fields.remove(other, each);
        }
        erase_all_listed(state.data() + fields[0].order, slots);
        ASSERT_TRUE(state.equals(other)) << i;
        ASSERT_EQ(state.hash(), other.hash()) << i;
    }
}

} // namespace

// Hashes of states agree with equality, whatever the history of a state.

namespace {

constexpr const char* kHashed = R"({
    "types": {"Seat": 3, "Card": ["x", "y", "z"]},
    "shape": {"hands": {"$:Seat": {"$:Card": true}}, "turn": "Seat", "trick": {"$:Seat": "Card"},
              "rows": {"$:Card": {"a": "int", "b": "0..9", "c": "any"}}, "said": "string",
              "worth": "number", "bag": {"$": "int"}, "any": {"$:Seat": "any"}},
    "rules": []})";

struct HashFixture {
    Loaded loaded = load_ruleset_text("test", kHashed);
    Catalogue catalogue{*loaded.ruleset};

    [[nodiscard]] State state(const Document& document) const {
        State made(*catalogue.layout);
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

// Compares both ways.
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
    // The same tree again, after other nodes have used the first places of the arena and of the
    // root's list, and other texts the first numbers.
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
    // More undeclared children of the root than it first has room for; then none of them is left.
    for (int i = 0; i < 30; ++i)
        put(other.root(), ("n" + std::to_string(i)).c_str(), i);
    expect_different(made, other);
    for (int i = 29; i >= 0; --i)
        other.remove(reached(other, {("n" + std::to_string(i)).c_str()}));
    expect_same(made, other);
    // Now neither has undeclared nodes.
    for (State* state : {&made, &other})
        for (const char* key : {"a", "bag", "b"})
            state->remove(reached(*state, {key}));
    EXPECT_EQ(other.arena_nodes(), 0u);
    expect_same(made, other);
    expect_same(other, fixture.state(R"({"turn":1})"));
}

// Sets and removes at random, so that states become equal by different histories.
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
        State state(*fixture.catalogue.layout);
        Wanderer wanderer(seed);
        for (int i = 0; i < 400; ++i) {
            wanderer.step(state);
            // The same contents in a state from which nothing was ever removed.
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
    // Announce any change of these values: searches that choose moves at random depend on hashes.
    EXPECT_EQ(fixture.state(R"({"turn":1,"hands":{"0":{"x":true}}})").hash(), 0x41fa0af6e87ad394u);
    EXPECT_EQ(fixture.state(R"({"turn":1,"said":"a","free":{"k":[1]}})").hash(),
              0xf150716f416dfedcu);
}

// ---- fields of the root by their bytes ----------------------------------------------------------

TEST(root_field, is_dropped_as_by_remove) {
    const HashFixture fixture;
    const Layout& layout = *fixture.catalogue.layout;
    const State whole = fixture.state(
        R"({"hands":{"1":{"y":true}},"turn":0,"free":1,"trick":{"2":"z"},"said":"a","worth":0})");
    for (const char* key : {"hands", "turn", "trick", "said", "worth"}) {
        State state = whole;
        State other = whole;
        const Symbol name = state.symbols().find(key);
        const RootField field = layout.root_field(layout.node(0).field(name));
        ASSERT_NE(field.end, 0u) << key;
        other.remove(other.child(other.root(), name));
        for (int times = 0; times < 2; ++times) { // an absent one stays absent
            state.drop_field(field);
            expect_same(state, other);
        }
    }
    // Nodes below the root, or in the arena, have no RootField.
    const SchemaId rows = layout.node(0).field(whole.symbols().find("rows"));
    for (const SchemaId none : {SchemaId{0}, rows, layout.node(rows).element})
        EXPECT_EQ(layout.root_field(none).end, 0u);
}

TEST(root_field, of_many_bytes_is_dropped_wherever_some_are_set) {
    Loaded loaded = load_ruleset_text("test", R"({
        "types": {"Row": 200}, "rules": [],
        "shape": {"first": "Row", "wide": {"$:Row": {"n": "0..9"}}, "last": "Row"}})");
    const Catalogue catalogue(*loaded.ruleset);
    const Layout& layout = *catalogue.layout;
    const RootField field = layout.root_field(layout.node(0).field(catalogue.symbols.find("wide")));
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
    const Layout& layout = *fixture.catalogue.layout;
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
