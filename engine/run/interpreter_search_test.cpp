// Searches by functions made by hand: sets of rows, inner searches, budgets.
#include "engine/run/interpreter_testing.h"

namespace croupier::engine {
namespace {

using ir::BlockId;
using ir::Id;
using ir::Kind;
using ir::Maker;
using ir::Type;
using ir::TypeKind;
using ir::VarId;

// The codes that a loop over the set goes through, as values.
std::string rows(Hand& h, Id set, const std::string& domain, const std::string& state = "{}") {
    const VarId row = h.var("row", h.code(domain));
    const VarId shown = h.var("shown", kAny);
    const BlockId body = h.block({h.yield({h.use(row)})});
    return h.find({h.statement(Kind::EachRow, {set}, {row}, {body})}, shown, 1, state).prints;
}

TEST(interpreter_search, rows_come_in_the_order_of_the_domain) {
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

TEST(interpreter_search, tables_of_rows_have_a_set_for_none) {
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

TEST(interpreter_search, a_loop_may_want_values) {
    Hand h;
    const VarId card = h.var("card", kAny);
    const VarId shown = h.var("shown", kAny);
    const BlockId body = h.block({h.yield({h.use(card)})});
    const Id loop =
        h.statement(Kind::EachRow, {h.node(Kind::AllRows, h.set("Card"))}, {card}, {body});
    EXPECT_EQ(h.find({loop}, shown, 1).prints, "s7 hA hK ");
}

TEST(interpreter_search, children_of_a_type_with_or_without_their_keys) {
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

TEST(interpreter_search, alternatives_give_their_values_to_what_follows) {
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

TEST(interpreter_search, inner_searches_stop_at_their_first_result) {
    Hand h;
    const Id bad = h.node(Kind::Truth, kTruth, {h.number(1)});
    const auto matches = [&](Kind kind, std::vector<Id> search) {
        h.rule({h.statement(kind, {}, {}, {h.block(std::move(search))}), h.yield()}, {});
        const Outcome outcome = h.run();
        return outcome.error.empty() ? std::to_string(outcome.matches) : "error";
    };
    const VarId row = h.var("row", h.code("Card"));
    // Its second round would end in an error.
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

TEST(interpreter_search, results_are_gathered) {
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
        const Id gather = h.statement(
            Kind::Gather, {}, {.x = total, .y = ir::op(kind), .note = h.at(4)}, {h.block({loop})});
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

TEST(interpreter_search, the_last_that_a_budget_allows_is_allowed) {
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
    EXPECT_EQ(run({.steps = 6}).error, ""); // a row and a match each
    EXPECT_EQ(run({.steps = 5}).error.substr(0, 14), "budget: steps:");
}

TEST(interpreter_search, only_a_rule_without_a_match_does_something_else) {
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
} // namespace croupier::engine
