// Values, codes, keys and nodes, each kind by functions made by hand: what rules as they are
// written do not have, since only passes make it, or what they cannot tell apart.
#include "engine/run/interpreter_testing.h"

#include <stdexcept>

namespace croupier::engine {
namespace {

using ir::CodeList;
using ir::Id;
using ir::Kind;
using ir::Maker;
using ir::Type;
using ir::TypeKind;

TEST(interpreter_value, constants_are_what_their_type_says) {
    Hand h;
    EXPECT_EQ(h.value(h.truth(true)), "true");
    EXPECT_EQ(h.value(h.number(-3)), "-3");
    EXPECT_EQ(h.value(h.text("ace")), "ace");
    EXPECT_EQ(h.value(h.row("Card", 2)), "hA");
    EXPECT_EQ(h.value(h.row("Card", 0)), "");
}

TEST(interpreter_value, a_code_of_a_key_is_that_of_its_text) {
    Hand h;
    const auto code = [&](std::uint32_t list, Value of) {
        return h.value(h.node(Kind::KeyCode, {TypeKind::Code, list}, {h.any(of)}));
    };
    EXPECT_EQ(code(h.list("Seat"), Value::number(std::int64_t{1})), "1");
    EXPECT_EQ(code(h.list("Seat"), Value::number(1.0)), ""); // equal, but its text is 1.0
    EXPECT_EQ(code(h.list("Card"), Value::string(h.symbol("hA"))), "hA");
    EXPECT_EQ(code(h.list("Card"), Value::string(h.symbol("ace"))), "");
    const std::vector<Id> parts = {h.any(Value::string(h.symbol("h"))),
                                   h.any(Value::key(h.symbol("A")))};
    EXPECT_EQ(h.value(h.node(Kind::KeyCode, {TypeKind::Code, h.list("Card")}, parts)), "hA");
}

TEST(interpreter_value, none_is_no_value_and_equals_nothing) {
    Hand h;
    const Id none = h.row("Card", 0);
    const auto has = [&](Id of) { return h.value(h.node(Kind::Has, kTruth, {of})); };
    EXPECT_EQ(has(none), "false");
    EXPECT_EQ(has(h.none()), "false");
    EXPECT_EQ(has(h.row("Card", 1)), "true");
    EXPECT_EQ(has(h.number(0)), "true");
    EXPECT_EQ(has(h.root()), "true");
    EXPECT_EQ(has(h.node(Kind::Parent, kNode, {h.root()})), "false");
    EXPECT_EQ(h.value(h.compare(ExprOp::Equal, none, h.none())), "false");
    EXPECT_EQ(h.value(h.compare(ExprOp::NotEqual, none, h.none())), "true");
    EXPECT_EQ(h.value(h.compare(ExprOp::LessEqual, none, h.number(1))), "false");
    const std::uint32_t anything = h.catalogue().type_id({"any", {}});
    EXPECT_EQ(h.value(h.node(Kind::Fits, kTruth, {none}, {anything})), "false");
    EXPECT_EQ(h.value(h.node(Kind::Fits, kTruth, {h.number(1)}, {anything})), "true");
}

TEST(interpreter_value, what_is_not_needed_is_not_computed) {
    Hand h;
    const Id bad = h.node(Kind::Truth, kTruth, {h.number(1)}, {.note = h.at(7)});
    const Id yes = h.truth(true);
    const Id no = h.truth(false);
    const std::string error = "type: '1' is neither true nor false @ 7";
    EXPECT_EQ(h.value(h.node(Kind::And, kTruth, {no, bad})), "false");
    EXPECT_EQ(h.value(h.node(Kind::And, kTruth, {yes, bad})), error);
    EXPECT_EQ(h.value(h.node(Kind::Or, kTruth, {yes, bad})), "true");
    EXPECT_EQ(h.value(h.node(Kind::Or, kTruth, {no, bad})), error);
    EXPECT_EQ(h.value(h.node(Kind::Not, kTruth, {no})), "true");
    EXPECT_EQ(h.value(h.node(Kind::Choose, kAny, {yes, h.row("Card", 3), bad})), "hK");
    EXPECT_EQ(h.value(h.node(Kind::Choose, kAny, {no, bad, h.row("Card", 3)})), "hK");
    // A code where the choice is one of them.
    const Id other = h.node(Kind::KeyCode, h.code("Card"), {bad});
    const Id card = h.node(Kind::Choose, h.code("Card"), {yes, h.row("Card", 2), other});
    EXPECT_EQ(h.value(h.load("suit.$Card", h.code("Suit"), {card}), R"({"suit": {"hA": "heart"}})"),
              "heart");
}

TEST(interpreter_value, errors_are_where_the_note_says) {
    Hand h;
    const auto arithmetic = [&](ExprOp op, std::vector<Id> of) {
        return h.value(
            h.node(Kind::Arithmetic, kAny, std::move(of), {.x = ir::op(op), .note = h.at(5)}));
    };
    EXPECT_EQ(arithmetic(ExprOp::Add, {h.number(INT64_MAX), h.number(1)}),
              "overflow: 9223372036854775807 and 1 @ 5");
    EXPECT_EQ(arithmetic(ExprOp::Modulo, {h.number(1), h.number(0)}),
              "division by zero: 1 and 0 @ 5");
    EXPECT_EQ(arithmetic(ExprOp::Negate, {h.text("a")}), "type: 'a' is not a number @ 5");
    EXPECT_EQ(arithmetic(ExprOp::Negate, {h.number(4)}), "-4");
    EXPECT_EQ(arithmetic(ExprOp::Add, {h.row("Card", 1), h.number(1)}), "s71");
    EXPECT_EQ(arithmetic(ExprOp::Max, {h.number(1), h.row("Seat", 3), h.number(2)}), "2");
    EXPECT_EQ(h.value(h.node(Kind::Given, kAny, {h.none()}, {.note = h.at(6)})),
              "no value: $this has no value here @ 6");
    EXPECT_EQ(h.value(h.node(Kind::Given, h.code("Card"), {h.row("Card", 2)})), "hA");
    EXPECT_EQ(h.value(h.node(Kind::Random, kAny, {h.number(0)}, {.note = h.at(8)})),
              "type: random takes a positive integer, not 0 @ 8");
    EXPECT_EQ(h.value(h.node(Kind::Random, kAny, {h.number(1)})), "0");
    const Id path = h.node(Kind::PathNode, kNode, {}, {.x = 1, .note = h.at(9)});
    EXPECT_EQ(h.value(h.node(Kind::ValueOf, kAny, {path})),
              "no parent: the root of the state has no parent @ 9");
}

TEST(interpreter_value, keys_that_nothing_has_lead_to_no_node) {
    Hand h;
    const auto child = [&](Id key) {
        return h.value(h.node(Kind::Has, kTruth, {h.node(Kind::Child, kNode, {h.root(), key})}),
                       R"({"hand 1": 2})");
    };
    EXPECT_EQ(child(h.name("hand 1")), "true");
    EXPECT_EQ(child(h.node(Kind::KeyText, kKey, {h.text("hand "), h.row("Seat", 2)})), "true");
    EXPECT_EQ(child(h.node(Kind::KeyText, kKey, {h.text("never "), h.number(5)})), "false");
    EXPECT_EQ(child(h.node(Kind::KeyText, kKey, {h.text("never "), h.number(6)}, {.y = 1})),
              "false");
}

TEST(interpreter_value, constants_hang_below_the_state) {
    Hand h;
    const Id worth = h.node(Kind::Child, kNode, {h.root(), h.name("worth")});
    const Id ace = h.node(Kind::Child, kNode, {worth, h.name("hA")});
    EXPECT_EQ(h.value(h.node(Kind::ValueOf, kAny, {ace})), "11");
    EXPECT_EQ(h.value(h.node(Kind::SizeOf, Maker::integer(), {worth})), "2");
    EXPECT_EQ(h.value(h.node(Kind::SizeOf, Maker::integer(), {h.root()}), R"({"total": 1})"), "1");
    const Id above = h.node(Kind::Parent, kNode, {h.node(Kind::Parent, kNode, {ace})});
    const Id total = h.node(Kind::Child, kNode, {above, h.name("total")});
    EXPECT_EQ(h.value(h.node(Kind::ValueOf, kAny, {total}), R"({"total": 1})"), "1");
}

// ---- declared nodes --------------------------------------------------------------------------

TEST(interpreter_value, declared_nodes_are_there_or_not) {
    Hand h;
    const std::string state = R"({"hands": {"1": {"hA": true}}, "trump": "heart", "total": 7,
        "box": {"lid": false}, "suit": {"hK": "heart"}, "open": {"a": 1}, "bag": {"2": 3, "0": {"x": 4}}})";
    const auto present = [&](const std::string& path, std::vector<Id> rows) {
        return h.value(h.present(path, std::move(rows)), state);
    };
    EXPECT_EQ(present("trump", {}), "true");
    EXPECT_EQ(present("rate", {}), "false");
    EXPECT_EQ(present("hands", {}), "true");
    EXPECT_EQ(present("hands.$Seat", {h.row("Seat", 2)}), "true");
    EXPECT_EQ(present("hands.$Seat", {h.row("Seat", 1)}), "false");
    EXPECT_EQ(present("hands.$Seat.$Card", {h.row("Seat", 2), h.row("Card", 2)}), "true");
    EXPECT_EQ(present("hands.$Seat.$Card", {h.row("Seat", 2), h.row("Card", 1)}), "false");
    EXPECT_EQ(present("hands.$Seat.$Card", {h.row("Seat", 2), h.row("Card", 0)}), "false");
    EXPECT_EQ(present("hands.$Seat.$Card", {h.row("Seat", 0), h.row("Card", 2)}), "false");
    EXPECT_EQ(present("open", {}), "true");
    EXPECT_EQ(present("bag.$Seat", {h.row("Seat", 3)}), "true");
    EXPECT_EQ(present("bag.$Seat", {h.row("Seat", 2)}), "false");

    EXPECT_EQ(h.value(h.load("trump", h.code("Suit")), state), "heart");
    EXPECT_EQ(h.value(h.load("trump", h.code("Suit")), "{}"), "");
    EXPECT_EQ(h.value(h.load("trump", kAny), "{}"), "");
    EXPECT_EQ(h.value(h.load("total", Maker::integer()), state), "7");
    const Type lid{
        TypeKind::Code,
        h.add_list({CodeList::Form::Truths, 0, 0, {Value::boolean(false), Value::boolean(true)}})};
    EXPECT_EQ(h.value(h.load("box.lid", lid), state), "false");
    EXPECT_EQ(h.value(h.load("box.lid", lid), "{}"), "");
    EXPECT_EQ(h.value(h.load("box.lid", kAny), "{}"), "");
    EXPECT_EQ(h.value(h.load("suit.$Card", h.code("Suit"), {h.row("Card", 3)}), state), "heart");
    EXPECT_EQ(h.value(h.load("suit.$Card", h.code("Suit"), {h.row("Card", 2)}), state), "");
    EXPECT_EQ(h.value(h.load("suit.$Card", h.code("Suit"), {h.row("Card", 0)}), state), "");
    EXPECT_EQ(h.value(h.load("bag.$Seat", kAny, {h.row("Seat", 3)}), state), "3");
    EXPECT_EQ(h.value(h.load("bag.$Seat", kAny, {h.row("Seat", 1)}), state), "");
}

TEST(interpreter_value, a_declared_node_is_a_node) {
    Hand h;
    const std::string state =
        R"({"hands": {"1": {"hA": true, "hK": true}}, "bag": {"0": {"x": 4}}})";
    const auto size = [&](const std::string& path, std::vector<Id> rows) {
        return h.value(h.node(Kind::SizeOf, Maker::integer(),
                              {h.node(Kind::NodeAt, kNode, std::move(rows), {h.schema(path)})}),
                       state);
    };
    EXPECT_EQ(size("hands.$Seat", {h.row("Seat", 2)}), "2");
    EXPECT_EQ(size("hands.$Seat", {h.row("Seat", 1)}), "0");
    EXPECT_EQ(size("hands.$Seat", {h.row("Seat", 0)}), "0");
    EXPECT_EQ(size("bag.$Seat", {h.row("Seat", 1)}), "1");
    EXPECT_EQ(size("bag.$Seat", {h.row("Seat", 2)}), "0");
    EXPECT_EQ(size("", {}), "2");
    const Id bag = h.node(Kind::NodeAt, kNode, {h.row("Seat", 1)}, {h.schema("bag.$Seat")});
    EXPECT_EQ(
        h.value(h.node(Kind::Has, kTruth, {h.node(Kind::Child, kNode, {bag, h.name("x")})}), state),
        "true");
}

TEST(interpreter_value, tables_have_an_entry_for_none) {
    Hand h;
    std::vector<Value> values;
    for (std::int64_t i = 0; i < 16; ++i) {
        values.push_back(Value::number(i));
    }
    h.module.tables.push_back({{4, 4}, ir::Entries(values), {}});
    const auto entry = [&](std::int64_t seat, std::int64_t card) {
        return h.value(h.node(Kind::Table, kAny, {h.row("Seat", seat), h.row("Card", card)}));
    };
    EXPECT_EQ(entry(0, 0), "0");
    EXPECT_EQ(entry(0, 3), "3");
    EXPECT_EQ(entry(2, 1), "9");
    EXPECT_EQ(entry(3, 3), "15");
}

TEST(interpreter_value, a_node_stands_only_where_its_result_is_wanted) {
    Hand h;
    const Id data = h.node(Kind::DataList, Maker::type(TypeKind::Data));
    for (const Id wrong : {h.print({data}), h.number(1)}) {
        h.rule({h.yield()}, {wrong});
        EXPECT_THROW(h.run_unverified(), std::logic_error);
    }
}

} // namespace
} // namespace croupier::engine
