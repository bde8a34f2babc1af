// Tests values, codes, keys and nodes of each kind with functions made by hand: forms that only
// passes make, or that rules as written cannot tell apart.
#include "engine/run/testing.h"
#include "engine/state/journal.h"

#include <stdexcept>

namespace croupier::engine {

namespace {

using form::CodeList;
using form::Id;
using form::Kind;
using form::Maker;
using form::Type;
using form::TypeKind;

TEST(executor_value, constants_are_what_their_type_says) {
    Hand h;
    EXPECT_EQ(h.value(h.truth(true)), "true");
    EXPECT_EQ(h.value(h.number(-3)), "-3");
    EXPECT_EQ(h.value(h.text("ace")), "ace");
    EXPECT_EQ(h.value(h.row("Card", 2)), "hA");
    EXPECT_EQ(h.value(h.row("Card", 0)), "");
}

TEST(executor_value, a_code_of_a_key_is_that_of_its_text) {
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

TEST(executor_value, none_is_no_value_and_equals_nothing) {
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

TEST(executor_value, what_is_not_needed_is_not_computed) {
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
    // A code, since the chosen value is one of them.
    const Id other = h.node(Kind::KeyCode, h.code("Card"), {bad});
    const Id card = h.node(Kind::Choose, h.code("Card"), {yes, h.row("Card", 2), other});
    EXPECT_EQ(h.value(h.load("suit.$Card", h.code("Suit"), {card}), R"({"suit": {"hA": "heart"}})"),
              "heart");
}

TEST(executor_value, errors_are_where_the_note_says) {
    Hand h;
    const auto arithmetic = [&](ExprOp op, std::vector<Id> of) {
        return h.value(
            h.node(Kind::Arithmetic, kAny, std::move(of), {.x = form::op(op), .note = h.at(5)}));
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

TEST(executor_value, keys_that_nothing_has_lead_to_no_node) {
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

TEST(executor_value, constants_hang_below_the_state) {
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

TEST(executor_value, declared_nodes_are_there_or_not) {
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

TEST(executor_value, a_declared_node_is_a_node) {
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

TEST(executor_value, tables_have_an_entry_for_none) {
    Hand h;
    std::vector<Value> values;
    for (std::int64_t i = 0; i < 16; ++i)
        values.push_back(Value::number(i));
    h.module.tables.push_back({{4, 4}, form::Entries(values), {}});
    const auto entry = [&](std::int64_t seat, std::int64_t card) {
        return h.value(h.node(Kind::Table, kAny, {h.row("Seat", seat), h.row("Card", card)}));
    };
    EXPECT_EQ(entry(0, 0), "0");
    EXPECT_EQ(entry(0, 3), "3");
    EXPECT_EQ(entry(2, 1), "9");
    EXPECT_EQ(entry(3, 3), "15");
}

TEST(executor_value, a_node_stands_only_where_its_result_is_wanted) {
    Hand h;
    const Id data = h.node(Kind::DataList, Maker::type(TypeKind::Data));
    for (const Id wrong : {h.print({data}), h.number(1)}) {
        h.rule({h.yield()}, {wrong});
        EXPECT_THROW(h.run_unverified(), std::logic_error);
    }
}

} // namespace

// Searches with functions made by hand: sets of rows, inner searches, budgets.

namespace {

using form::BlockId;
using form::Id;
using form::Kind;
using form::Maker;
using form::Type;
using form::TypeKind;
using form::VarId;

// The codes that a loop over the set visits, as values.
std::string rows(Hand& h, Id set, const std::string& domain, const std::string& state = "{}") {
    const VarId row = h.var("row", h.code(domain));
    const VarId shown = h.var("shown", kAny);
    const BlockId body = h.block({h.yield({h.use(row)})});
    return h.find({h.statement(Kind::EachRow, {set}, {row}, {body})}, shown, 1, state).prints;
}

TEST(executor_search, rows_come_in_the_order_of_the_domain) {
    Hand h;
    const std::string state =
        R"({"hands": {"0": {"hK": true, "s7": true}, "2": {}}, "bag": {"2": 1, "0": {}},
            "suit": {"hA": "heart"}, "many": {"69": true, "63": true, "64": true, "0": true}})";
    const auto set = [&](const std::string& domain, const std::string& path, std::vector<Id> of) {
        return rows(h, h.node(Kind::Rows, h.set(domain), std::move(of), {h.schema(path)}), domain,
                    state);
    };
    EXPECT_EQ(set("Card", "hands.$Seat", {h.row("Seat", 1)}), "s7 hK ");
    EXPECT_EQ(set("Card", "hands.$Seat", {h.row("Seat", 2)}), "");
    EXPECT_EQ(set("Card", "hands.$Seat", {h.row("Seat", 0)}), "");
    EXPECT_EQ(set("Seat", "hands", {}), "0 2 ");
    EXPECT_EQ(set("Seat", "bag", {}), "0 2 ");
    EXPECT_EQ(set("Card", "suit", {}), "hA ");
    EXPECT_EQ(set("Many", "many", {}), "0 63 64 69 ");
    EXPECT_EQ(rows(h, h.node(Kind::AllRows, h.set("Card")), "Card"), "s7 hA hK ");
    const std::string all = rows(h, h.node(Kind::AllRows, h.set("Many")), "Many");
    EXPECT_EQ(all.substr(all.size() - 6), "68 69 ");
}

TEST(executor_search, tables_of_rows_have_a_set_for_none) {
    Hand h;
    h.module.tables.push_back({{4}, {}, {0, 0, 1, 0, 0, 0x21, 3, 0}});
    const auto set = [&](std::int64_t seat) {
        return rows(h, h.node(Kind::TableRows, h.set("Many"), {h.row("Seat", seat)}), "Many");
    };
    EXPECT_EQ(set(0), "");
    EXPECT_EQ(set(1), "0 ");
    EXPECT_EQ(set(2), "64 69 ");
    EXPECT_EQ(set(3), "0 1 ");
}

TEST(executor_search, a_loop_may_want_values) {
    Hand h;
    const VarId card = h.var("card", kAny);
    const VarId shown = h.var("shown", kAny);
    const BlockId body = h.block({h.yield({h.use(card)})});
    const Id loop =
        h.statement(Kind::EachRow, {h.node(Kind::AllRows, h.set("Card"))}, {card}, {body});
    EXPECT_EQ(h.find({loop}, shown, 1).prints, "s7 hA hK ");
}

TEST(executor_search, children_of_a_type_with_or_without_their_keys) {
    Hand h;
    const VarId child = h.var("child", kNode);
    const VarId key = h.var("key", kAny);
    const VarId shown = h.var("shown", kAny);
    const Id open = h.node(Kind::NodeAt, kNode, {}, {h.schema("open")});
    const Id value = h.node(Kind::ValueOf, kAny, {h.use(child)});
    const std::string state = R"({"open": {"b": 5, "2": 6, "7": 7}})";
    const auto each = [&](std::uint32_t of_key, const char* type, Id shows) {
        return h
            .find({h.statement(Kind::EachChild, {open},
                               {child, of_key, h.catalogue().type_id({type, {}})},
                               {h.block({h.yield({shows})})})},
                  shown, 1, state)
            .prints;
    };
    EXPECT_EQ(each(0, "any", value), "5 6 7 ");
    EXPECT_EQ(each(0, "int", value), "6 7 ");
    EXPECT_EQ(each(key + 1, "Seat", h.use(key)), "2 ");
    EXPECT_EQ(each(key + 1, "any", h.use(key)), "b 2 7 ");
}

TEST(executor_search, alternatives_give_their_values_to_what_follows) {
    Hand h;
    const VarId a = h.var("a", h.code("Card"));
    const VarId b = h.var("b", kAny);
    const VarId shown = h.var("shown", kAny);
    h.var("shown", kAny);
    const Id more = h.statement(Kind::Test, {h.compare(ExprOp::NotEqual, h.use(b), h.number(2))});
    const Id any = h.statement(Kind::Alternatives, {}, {.x = a, .number = 2},
                               {h.block({h.yield({h.row("Card", 2), h.number(1)})}),
                                h.block({h.statement(Kind::Fail)}),
                                h.block({h.yield({h.row("Card", 1), h.number(2)})}),
                                h.block({h.yield({h.row("Card", 3), h.number(3)})}),
                                h.block({more, h.yield({h.use(a), h.use(b)})})});
    EXPECT_EQ(h.find({any, h.statement(Kind::Fail)}, shown, 2).prints, "hA1 hK3 ");
}

TEST(executor_search, inner_searches_stop_at_their_first_result) {
    Hand h;
    const Id bad = h.node(Kind::Truth, kTruth, {h.number(1)});
    const auto matches = [&](Kind kind, std::vector<Id> search) {
        h.rule({h.statement(kind, {}, {}, {h.block(std::move(search))}), h.yield()}, {});
        const Outcome outcome = h.run();
        return outcome.error.empty() ? std::to_string(outcome.matches) : "error";
    };
    const VarId row = h.var("row", h.code("Card"));
    // Its second round would end with an error.
    const auto first_only = [&] {
        const Id is_first = h.compare(ExprOp::Equal, h.use(row), h.row("Card", 1));
        const Id test = h.statement(Kind::Test, {h.node(Kind::Or, kTruth, {is_first, bad})});
        return std::vector<Id>{h.statement(Kind::EachRow, {h.node(Kind::AllRows, h.set("Card"))},
                                           {row}, {h.block({test, h.yield()})})};
    };
    EXPECT_EQ(matches(Kind::SomeMatch, first_only()), "1");
    EXPECT_EQ(matches(Kind::NoMatch, first_only()), "0");
    EXPECT_EQ(matches(Kind::SomeMatch, {h.statement(Kind::Fail), h.yield()}), "0");
    EXPECT_EQ(matches(Kind::NoMatch, {h.statement(Kind::Fail), h.yield()}), "1");
    EXPECT_EQ(matches(Kind::NoMatch, {h.statement(Kind::Test, {bad}), h.yield()}), "error");
}

TEST(executor_search, results_are_gathered) {
    Hand h;
    const VarId row = h.var("row", h.code("Seat"));
    const VarId total = h.var("total", kAny);
    const VarId shown = h.var("shown", kAny);
    const auto gathered = [&](KeyKind kind, const char* of, Id value, const std::string& state) {
        const Id set = h.node(Kind::Rows, h.set("Seat"), {}, {h.schema(of)});
        const Id loop =
            h.statement(Kind::EachRow, {set}, {row},
                        {h.block({h.yield(kind == KeyKind::Count ? std::vector<Id>{}
                                                                 : std::vector<Id>{value})})});
        const Id gather =
            h.statement(Kind::Gather, {}, {.x = total, .y = form::op(kind), .note = h.at(4)},
                        {h.block({loop})});
        const Outcome outcome = h.find({gather, h.yield({h.use(total)})}, shown, 1, state);
        return outcome.prints + outcome.error;
    };
    const std::string state = R"({"points": {"0": 7, "1": 3, "2": 7}})";
    const Id points = h.load("points.$Seat", Maker::integer(), {h.use(row)});
    EXPECT_EQ(gathered(KeyKind::Count, "points", points, state), "3 ");
    EXPECT_EQ(gathered(KeyKind::Sum, "points", points, state), "17 ");
    EXPECT_EQ(gathered(KeyKind::Min, "points", points, state), "3 ");
    EXPECT_EQ(gathered(KeyKind::Max, "points", points, state), "7 ");
    EXPECT_EQ(gathered(KeyKind::Max, "points", h.use(row), state), "2 "); // a key that is a number
    EXPECT_EQ(gathered(KeyKind::Count, "points", points, "{}"), "0 ");
    EXPECT_EQ(gathered(KeyKind::Sum, "points", points, "{}"), "0 ");
    EXPECT_EQ(gathered(KeyKind::Min, "points", points, "{}"), " ");
    EXPECT_EQ(gathered(KeyKind::Sum, "points", h.text("x"), state),
              "type: 'x' is not a number @ 4");
    EXPECT_EQ(gathered(KeyKind::Sum, "points", h.number(INT64_MAX), state),
              "overflow: 9223372036854775807 and 9223372036854775807 @ 4");
}

TEST(executor_search, the_last_that_a_budget_allows_is_allowed) {
    Hand h;
    const VarId row = h.var("row", h.code("Card"));
    h.rule({h.statement(Kind::EachRow, {h.node(Kind::AllRows, h.set("Card"))}, {row},
                        {h.block({h.yield()})})},
           {h.print({h.number(1)})});
    const auto run = [&](Budgets budgets) { return h.run("{}", budgets); };
    EXPECT_EQ(run({.matches_per_rule = 3}).error, "");
    const Outcome matches = run({.matches_per_rule = 2});
    EXPECT_EQ(matches.error.substr(0, 39), "budget: matches: more than 2 matches @ ");
    EXPECT_EQ(matches.matches, 2u);
    EXPECT_EQ(matches.prints, "");
    EXPECT_EQ(run({.firings = 3}).error, "");
    const Outcome firings = run({.firings = 2});
    EXPECT_EQ(firings.error.substr(0, 16), "budget: firings:");
    EXPECT_EQ(firings.prints, "1 1 ");
    EXPECT_EQ(run({.steps = 6}).error, ""); // one for a row and one for a match
    EXPECT_EQ(run({.steps = 5}).error.substr(0, 14), "budget: steps:");
}

TEST(executor_search, only_a_rule_without_a_match_does_something_else) {
    Hand h;
    const Id apply =
        h.statement(Kind::Apply, {}, {h.catalogue().rule_id("count")},
                    {h.block({h.statement(Kind::Test, {h.present("trump")}), h.yield()}),
                     h.block({h.print({h.text("does")})}), h.block({h.print({h.text("else")})})});
    h.body({h.statement(Kind::Group, {}, {h.catalogue().group_id("play")}, {h.block({apply})})});
    EXPECT_EQ(h.run("{}").prints, "else ");
    EXPECT_EQ(h.run(R"({"trump": "heart"})").prints, "does ");
    EXPECT_EQ(h.run(R"({"trump": "heart"})").firings, 1u);
}

} // namespace

// Actions with functions made by hand: changes of declared nodes, and what runs around them.

namespace {

using form::Id;
using form::Kind;
using form::Maker;
using form::Type;
using form::TypeKind;

Id change(Hand& h, Kind kind, const std::string& path, std::vector<Id> operands) {
    return h.statement(kind, std::move(operands), {.x = h.schema(path), .note = h.at(3)});
}

TEST(executor_action, declared_nodes_come_with_all_above_them) {
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

TEST(executor_action, declared_leaves_hold_what_the_shape_allows) {
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

TEST(executor_action, what_is_erased_need_not_be_there) {
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

TEST(executor_action, what_is_made_has_keys) {
    Hand h;
    EXPECT_THROW(h.act({change(h, Kind::Ensure, "hands.$Seat", {h.row("Seat", 0)})}),
                 std::logic_error);
    EXPECT_THROW(h.act({change(h, Kind::Store, "points.$Seat", {h.number(1), h.row("Seat", 0)})}),
                 std::logic_error);
}

TEST(executor_action, errors_of_changes_are_at_their_own_place) {
    Hand h;
    const Id over =
        h.statement(Kind::SetChild, {h.root(), h.name("worth"), h.number(1)}, {.note = h.at(11)});
    EXPECT_EQ(h.act({over}).error, "constant: 'worth' is a constant @ 11");
    const Id made = h.node(Kind::MakeChild, kNode, {h.root(), h.name("total")}, {.note = h.at(12)});
    EXPECT_EQ(h.act({h.statement(Kind::Do, {made}, {.note = h.at(13)})}).error,
              "shape: total holds a value, not children @ 12");
    // A value is computed before the shape of its place is checked.
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

TEST(executor_action, one_of_two_blocks_is_done) {
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

TEST(executor_action, a_journal_hears_of_changes_of_declared_nodes) {
    Hand h;
    h.rule({h.yield()},
           {change(h, Kind::Store, "total", {h.number(2)}),
            change(h, Kind::Ensure, "hands.$Seat.$Card", {h.row("Seat", 1), h.row("Card", 1)}),
            change(h, Kind::Erase, "bag.$Seat", {h.row("Seat", 1)})});
    h.module.functions = {h.function};
    Executor executor(h.module);
    State state = h.imported(R"({"total": 1, "bag": {"0": 5}})");
    Journal journal;
    state.set_journal(&journal);
    Random random(1);
    EXPECT_FALSE(executor.run(h.function.group, state, random).error);
    state.set_journal(nullptr);
    journal.settle();
    std::string changed;
    for (std::size_t i = 0; i < journal.size(); ++i) {
        if (!journal.has_changed(i, state)) continue;
        for (const Symbol key : journal.path(i))
            changed += '.' + std::string(state.symbols().text(key));
        changed += ' ';
    }
    EXPECT_EQ(changed, ".hands .hands.0 .hands.0.s7 .bag.0 .total ");
}

} // namespace

} // namespace croupier::engine
