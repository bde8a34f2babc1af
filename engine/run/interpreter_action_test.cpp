// Actions by functions made by hand: changes of declared nodes, and what stands around changes.
#include "engine/run/interpreter_testing.h"
#include "engine/tree/journal.h"

#include <stdexcept>

namespace croupier::engine {
namespace {

using ir::Id;
using ir::Kind;
using ir::Maker;
using ir::Type;
using ir::TypeKind;

Id change(Hand& h, Kind kind, const std::string& path, std::vector<Id> operands) {
    return h.statement(kind, std::move(operands), {.x = h.schema(path), .note = h.at(3)});
}

TEST(interpreter_action, declared_nodes_come_with_all_above_them) {
    Hand h;
    const auto ensured = [&](const std::string& path, std::vector<Id> rows,
                             const std::string& from = "{}") {
        return h.act({change(h, Kind::Ensure, path, std::move(rows))}, from).state;
    };
    EXPECT_EQ(ensured("box", {}), R"({"box":{}})");
    EXPECT_EQ(ensured("hands.$Seat", {h.row("Seat", 2)}), R"({"hands":{"1":{}}})");
    EXPECT_EQ(ensured("hands.$Seat.$Card", {h.row("Seat", 3), h.row("Card", 1)}),
              R"({"hands":{"2":{"s7":true}}})");
    EXPECT_EQ(ensured("hands.$Seat.$Card", {h.row("Seat", 1), h.row("Card", 3)},
                      R"({"total": 1, "hands": {"0": {"hA": true}}})"),
              R"({"total":1,"hands":{"0":{"hA":true,"hK":true}}})");
    EXPECT_EQ(ensured("open", {}), R"({"open":{}})");
    EXPECT_EQ(ensured("open", {}, R"({"open": {"a": 1}})"), R"({"open":{"a":1}})");
    EXPECT_EQ(ensured("bag.$Seat", {h.row("Seat", 2)}), R"({"bag":{"1":{}}})");
    EXPECT_EQ(ensured("", {}, R"({"total": 1})"), R"({"total":1})");
}

TEST(interpreter_action, declared_leaves_hold_what_the_shape_allows) {
    Hand h;
    const auto stored = [&](const std::string& path, std::vector<Id> operands,
                            const std::string& from = "{}") {
        const Outcome outcome = h.act({change(h, Kind::Store, path, std::move(operands))}, from);
        return outcome.error.empty() ? outcome.state : outcome.error + outcome.state;
    };
    EXPECT_EQ(stored("total", {h.number(5)}), R"({"total":5})");
    EXPECT_EQ(stored("trump", {h.row("Suit", 2)}), R"({"trump":"heart"})");
    EXPECT_EQ(stored("box.lid", {h.truth(false)}), R"({"box":{"lid":false}})");
    EXPECT_EQ(stored("rate", {h.any(Value::number(0.5))}), R"({"rate":0.5})");
    EXPECT_EQ(stored("suit.$Card", {h.text("spade"), h.row("Card", 2)}),
              R"({"suit":{"hA":"spade"}})");
    EXPECT_EQ(stored("points.$Seat", {h.number(200), h.row("Seat", 1)}), R"({"points":{"0":200}})");
    EXPECT_EQ(stored("hands.$Seat.$Card", {h.truth(true), h.row("Seat", 1), h.row("Card", 1)}),
              R"({"hands":{"0":{"s7":true}}})");
    EXPECT_EQ(stored("points.$Seat", {h.number(201), h.row("Seat", 1)}),
              "shape: points.$Seat cannot hold 201 @ 3{}");
    EXPECT_EQ(stored("trump", {h.text("ace")}, R"({"trump": "spade"})"),
              R"(shape: trump cannot hold 'ace' @ 3{"trump":"spade"})");
    EXPECT_EQ(stored("hands.$Seat.$Card", {h.truth(false), h.row("Seat", 1), h.row("Card", 1)}),
              "shape: hands.$Seat.$Card cannot hold false @ 3{}");
}

TEST(interpreter_action, what_is_erased_need_not_be_there) {
    Hand h;
    const std::string from =
        R"({"total":1,"hands":{"0":{"s7":true,"hA":true},"1":{}},"open":{"a":1},"bag":{"0":{"x":1}}})";
    const auto erased = [&](const std::string& path, std::vector<Id> rows) {
        return h.act({change(h, Kind::Erase, path, std::move(rows))}, from).state;
    };
    EXPECT_EQ(erased("total", {}),
              R"({"hands":{"0":{"s7":true,"hA":true},"1":{}},"open":{"a":1},"bag":{"0":{"x":1}}})");
    EXPECT_EQ(erased("hands.$Seat.$Card", {h.row("Seat", 1), h.row("Card", 1)}),
              R"({"total":1,"hands":{"0":{"hA":true},"1":{}},"open":{"a":1},"bag":{"0":{"x":1}}})");
    EXPECT_EQ(erased("hands", {}), R"({"total":1,"open":{"a":1},"bag":{"0":{"x":1}}})");
    EXPECT_EQ(erased("bag.$Seat", {h.row("Seat", 1)}),
              R"({"total":1,"hands":{"0":{"s7":true,"hA":true},"1":{}},"open":{"a":1},"bag":{}})");
    EXPECT_EQ(erased("open", {}),
              R"({"total":1,"hands":{"0":{"s7":true,"hA":true},"1":{}},"bag":{"0":{"x":1}}})");
    EXPECT_EQ(erased("trump", {}), from);
    EXPECT_EQ(erased("bag.$Seat", {h.row("Seat", 3)}), from);
    EXPECT_EQ(erased("hands.$Seat", {h.row("Seat", 0)}), from);
}

TEST(interpreter_action, what_is_made_has_keys) {
    Hand h;
    EXPECT_THROW(h.act({change(h, Kind::Ensure, "hands.$Seat", {h.row("Seat", 0)})}),
                 std::logic_error);
    EXPECT_THROW(h.act({change(h, Kind::Store, "points.$Seat", {h.number(1), h.row("Seat", 0)})}),
                 std::logic_error);
}

TEST(interpreter_action, errors_of_changes_are_at_their_own_place) {
    Hand h;
    const Id over =
        h.statement(Kind::SetChild, {h.root(), h.name("worth"), h.number(1)}, {.note = h.at(11)});
    EXPECT_EQ(h.act({over}).error, "constant: 'worth' is a constant @ 11");
    const Id made = h.node(Kind::MakeChild, kNode, {h.root(), h.name("total")}, {.note = h.at(12)});
    EXPECT_EQ(h.act({h.statement(Kind::Do, {made}, {.note = h.at(13)})}).error,
              "shape: total holds a value, not children @ 12");
    // A value is computed before it counts whether anything may stand there.
    const Id given =
        h.node(Kind::Given, Maker::type(TypeKind::Any), {h.none()}, {.note = h.at(14)});
    const Id data = h.node(Kind::DataList, Maker::type(TypeKind::Data),
                           {h.node(Kind::DataValue, Maker::type(TypeKind::Data), {h.number(1)}),
                            h.node(Kind::DataValue, Maker::type(TypeKind::Data), {given})});
    const Id put =
        h.statement(Kind::PutChild, {h.root(), h.name("total"), data}, {.note = h.at(15)});
    EXPECT_EQ(h.act({put}).error.substr(0, 6), "shape:");
    const Id put_open =
        h.statement(Kind::PutChild, {h.root(), h.name("open"), data}, {.note = h.at(15)});
    EXPECT_EQ(h.act({put_open}).error, "no value: $this has no value here @ 14");
}

TEST(interpreter_action, one_of_two_blocks_is_done) {
    Hand h;
    const auto done = [&](bool which) {
        return h
            .act({h.statement(
                      Kind::If, {h.truth(which)}, {},
                      {h.block({h.print({h.text("then")})}), h.block({h.print({h.text("else")})})}),
                  h.print({h.text("after")})})
            .prints;
    };
    EXPECT_EQ(done(true), "then after ");
    EXPECT_EQ(done(false), "else after ");
}

TEST(interpreter_action, a_journal_hears_of_changes_of_declared_nodes) {
    Hand h;
    h.rule({h.yield()},
           {change(h, Kind::Store, "total", {h.number(2)}),
            change(h, Kind::Ensure, "hands.$Seat.$Card", {h.row("Seat", 1), h.row("Card", 1)}),
            change(h, Kind::Erase, "bag.$Seat", {h.row("Seat", 1)})});
    h.module.functions = {h.function};
    Interpreter interpreter(h.module);
    State state = h.imported(R"({"total": 1, "bag": {"0": 5}})");
    Journal journal;
    state.set_journal(&journal);
    Random random(1);
    EXPECT_FALSE(interpreter.run(h.function.group, state, random).error);
    state.set_journal(nullptr);
    journal.settle();
    std::string changed;
    for (std::size_t i = 0; i < journal.size(); ++i) {
        if (journal.has_changed(i, state)) {
            std::vector<Symbol> keys;
            journal.append_path(i, state, keys);
            for (const Symbol key : keys) {
                changed += '.' + std::string(state.symbols().text(key));
            }
            changed += ' ';
        }
    }
    EXPECT_EQ(changed, ".hands .hands.0 .hands.0.s7 .total .bag.0 ");
}

} // namespace
} // namespace croupier::engine
