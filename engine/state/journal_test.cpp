// The journal of a state: which nodes were touched and which of them changed.
#include "engine/state/journal.h"

#include "engine/catalogue/catalogue.h"
#include "engine/catalogue/patch.h"
#include "engine/language/testing.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace croupier::engine {
namespace {

constexpr const char* kTarget = R"({
    "types": {"Seat": 3, "Card": ["x", "y", "z"]},
    "shape": {"hands": {"$:Seat": {"$:Card": true}}, "turn": "Seat", "rows": {"$:Card": {"a": "int", "b": "bool"}},
              "bag": {"$": "int"}, "any": {"$:Seat": "any"}},
    "state": {"turn": 1, "hands": {"0": {"x": true}, "1": {"y": true, "z": true}},
              "rows": {"y": {"a": 5}}, "bag": {"p": 1}, "free": {"list": [1, 2], "text": "old"}},
    "rules": []})";

// "path" of each node that the change touches, with a "!" where it has changed.
std::string touched(const std::string& change) {
    Loaded loaded = load_ruleset_text("test", kTarget);
    EXPECT_TRUE(loaded.ruleset) << shown(loaded);
    const Catalogue catalogue(*loaded.ruleset);
    State state = catalogue.initial_state();
    Journal journal;
    // Not with `apply`, which works on a copy.
    state.set_journal(&journal);
    Diagnostics diagnostics;
    const auto document =
        read_json(loaded.sources, loaded.sources.add("change", change), diagnostics);
    const std::function<void(NodeRef, const Document&)> lay = [&](NodeRef node,
                                                                  const Document& over) {
        for (const Member& member : over.members) {
            const Symbol key = state.symbols().intern(member.key);
            if (member.value.is_string() && member.value.text() == "@remove") {
                state.remove(state.child(node, key));
            } else if (member.value.is_object()) {
                const NodeRef child = state.make_child(node, key);
                state.make_inner(child);
                lay(child, member.value);
            } else {
                state.put_child(node, key, member.value);
            }
        }
    };
    lay(state.root(), *document);
    state.set_journal(nullptr);
    journal.settle();
    std::string text;
    for (std::size_t i = 0; i < journal.size(); ++i) {
        std::string path;
        for (const Symbol key : journal.path(i))
            path += (path.empty() ? "" : ".") + std::string(state.symbols().text(key));
        text += (text.empty() ? "" : " ") + path + (journal.has_changed(i, state) ? "!" : "");
    }
    return text;
}

// Notes are sorted by symbol, so each case touches one node or several in the file's order.
TEST(journal, values_of_declared_leaves) {
    EXPECT_EQ(touched(R"({"turn": 2})"), "turn!");
    EXPECT_EQ(touched(R"({"turn": 1})"), "turn");
    EXPECT_EQ(touched(R"({"rows": {"y": {"a": 6}}})"), "rows.y.a!");
    EXPECT_EQ(touched(R"({"hands": {"1": {"y": true}}})"), "hands.1.y");
    EXPECT_EQ(touched(R"({"hands": {"1": {"x": true}}})"), "hands.1.x!");
    EXPECT_EQ(touched(R"({"hands": {"1": {"y": "@remove"}}})"), "hands.1.y!");
    EXPECT_EQ(touched(R"({"turn": "@remove"})"), "turn!");
}

TEST(journal, nodes_made_on_the_way) {
    EXPECT_EQ(touched(R"({"hands": {"2": {"x": true}}})"), "hands.2! hands.2.x!");
    EXPECT_EQ(touched(R"({"rows": {"z": {"b": true}}})"), "rows.z! rows.z.b!");
    EXPECT_EQ(touched(R"({"new": {"deep": 1}})"), "new! new.deep!");
    EXPECT_EQ(touched(R"({"any": {"1": {"k": 1}}})"), "any! any.1! any.1.k!");
}

TEST(journal, all_below_what_is_removed) {
    EXPECT_EQ(touched(R"({"hands": {"1": "@remove"}})"), "hands.1! hands.1.y! hands.1.z!");
    EXPECT_EQ(touched(R"({"bag": "@remove"})"), "bag! bag.p!");
    EXPECT_EQ(touched(R"({"free": {"list": "@remove"}})"), "free.list! free.list.0! free.list.1!");
}

TEST(journal, removed_and_made_again_is_unchanged_where_it_is_the_same) {
    EXPECT_EQ(touched(R"({"free": {"list": [1, 3]}})"), "free.list.0 free.list.1!");
}

TEST(journal, a_value_gives_way_to_children_and_back) {
    EXPECT_EQ(touched(R"({"free": {"text": {"now": 1}}})"), "free.text! free.text.now!");
    EXPECT_EQ(touched(R"({"free": {"list": 7}})"), "free.list! free.list.0! free.list.1!");
}

// Code that is given the bytes of leaves may write them.
TEST(journal, leaves_given_away_as_bytes) {
    Loaded loaded = load_ruleset_text("test", R"({"types": {"Seat": 3, "Card": ["x", "y"]},
        "shape": {"row": {"$:Seat": "Card"}}, "state": {"row": {"0": "x", "2": "y"}}, "rules": []})");
    ASSERT_TRUE(loaded.ruleset) << shown(loaded);
    const Catalogue catalogue(*loaded.ruleset);
    State state = catalogue.initial_state();
    Journal journal;
    state.set_journal(&journal);
    const NodeRef row = state.child(state.root(), state.symbols().find("row"));
    state.leaf_bytes(row)[0] = std::byte{2};
    state.set_journal(nullptr);
    journal.settle();
    ASSERT_EQ(journal.size(), 2u);
    EXPECT_TRUE(journal.has_changed(0, state));
    EXPECT_FALSE(journal.has_changed(1, state));
}

TEST(journal, a_copy_has_none) {
    Loaded loaded = load_ruleset_text("test", kTarget);
    const Catalogue catalogue(*loaded.ruleset);
    State state = catalogue.initial_state();
    Journal journal;
    state.set_journal(&journal);
    State copy = state;
    EXPECT_FALSE(copy.has_journal());
    copy.remove(copy.root());
    EXPECT_TRUE(journal.empty());
    state.set_journal(nullptr);
}

} // namespace
} // namespace croupier::engine
