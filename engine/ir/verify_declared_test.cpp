// What is said of a node that speaks of declared nodes in a wrong way.
#include "engine/ir/testing.h"

#include <gtest/gtest.h>

namespace croupier::engine::ir {
namespace {

TEST(verify_declared, rows_of_declared_nodes) {
    Maker m;
    const auto present = [&](SchemaId schema, std::vector<Id> rows) {
        return faults_of(m, m.node(Kind::Present, kTruth, std::move(rows), {schema}));
    };
    const SchemaId card = m.schema("hands.$Seat.$Card");
    EXPECT_EQ(present(card, {m.row("Seat", 1), m.row("Card", 0)}), "");
    EXPECT_EQ(present(card, {m.row("Seat", 1),
                             m.node(Kind::Constant, m.code("Card", CodeList::Form::Texts), {},
                                    {0, 0, 1})}),
              "");
    EXPECT_EQ(present(card, {m.row("Seat", 1)}),
              "Present (rule count): 1 rows for hands.$Seat.$Card");
    EXPECT_EQ(present(card, {m.row("Card", 1), m.row("Seat", 1)}),
              "Present (rule count): operand 1 is Card; the rows are Seat\n"
              "Present (rule count): operand 2 is Seat; the rows are Card");
    EXPECT_EQ(present(999, {}), "Present (rule count): schema 999 of " +
                                    std::to_string(m.catalogue().layout->size()));
    EXPECT_EQ(present(m.schema("open.$"), {}),
              "Present (rule count): open.$ has no place of its own");
}

TEST(verify_declared, rows_that_are_written) {
    Maker m;
    const auto erase = [&](const char* path, const char* domain, std::vector<Id> above) {
        above.insert(above.begin(), m.node(Kind::AllRows, m.set(domain)));
        return faults_in_action(m, {m.statement(Kind::EraseRows, above, {m.schema(path)})});
    };
    EXPECT_EQ(erase("hands.$Seat.$Card", "Card", {m.row("Seat", 1)}), "");
    EXPECT_EQ(erase("hands.$Seat.$Card", "Seat", {m.row("Seat", 1)}),
              "EraseRows (rule count): operand 1 is set of Seat; the map's rows are Card");
    EXPECT_EQ(erase("hands.$Seat.$Card", "Card", {}),
              "EraseRows (rule count): 0 rows for hands.$Seat");
    EXPECT_EQ(erase("trump", "Card", {}), "EraseRows (rule count): trump does not stand in a map");
}

TEST(verify_declared, sets_of_declared_rows) {
    Maker m;
    const auto rows = [&](const char* path, const char* domain, std::vector<Id> above) {
        return faults_in_search(
            m, {m.statement(
                   Kind::SomeMatch, {}, {},
                   {m.block({m.statement(
                       Kind::EachRow,
                       {m.node(Kind::Rows, m.set(domain), std::move(above), {m.schema(path)})},
                       {m.var("C", m.code(domain))}, {m.block({m.statement(Kind::Yield)})})})})});
    };
    EXPECT_EQ(rows("hands.$Seat", "Card", {m.row("Seat", 1)}), "");
    EXPECT_EQ(rows("hands.$Seat", "Seat", {m.row("Seat", 1)}),
              "Rows (rule count): its result is set of Seat; the map's rows are Card");
    EXPECT_EQ(rows("box", "Seat", {}), "Rows (rule count): box is no map over a domain");
}

TEST(verify_declared, values_of_declared_nodes) {
    Maker m;
    CodeList truths;
    truths.form = CodeList::Form::Truths;
    truths.values = {Value::boolean(false), Value::boolean(true)};
    const Type truth_code{TypeKind::Code, m.add_list(truths)};
    const auto load = [&](const char* path, Type type, std::vector<Id> rows = {}) {
        return faults_of(m, m.node(Kind::Load, type, std::move(rows), {m.schema(path)}));
    };
    EXPECT_EQ(load("trump", m.code("Suit")), "");
    EXPECT_EQ(load("trump", kAny), "");
    EXPECT_EQ(load("box.lid", truth_code), "");
    EXPECT_EQ(load("total", Maker::integer()), "");
    EXPECT_EQ(load("trump", m.code("Card")), "Load (rule count): trump has no value that is Card");
    EXPECT_EQ(load("trump", Maker::integer()), "Load (rule count): trump has no value that is int");
    EXPECT_EQ(load("box.lid", kTruth), "Load (rule count): box.lid has no value that is truth");
    EXPECT_EQ(load("box.lid", m.code("Seat")),
              "Load (rule count): box.lid has no value that is Seat");
    EXPECT_EQ(load("box", kAny), "Load (rule count): box has no value that is any");
    EXPECT_EQ(load("total", truth_code),
              "Load (rule count): total has no value that is code of truth");
    CodeList points;
    points.form = CodeList::Form::Range;
    points.values.resize(201);
    const Type range{TypeKind::Code, m.add_list(points)};
    EXPECT_EQ(load("points.$Seat", range, {m.row("Seat", 1)}), "");
    m.module.lists[range.list].values.resize(200);
    EXPECT_EQ(load("points.$Seat", range, {m.row("Seat", 1)}),
              "Load (rule count): points.$Seat has no value that is code 0..199");
}

TEST(verify_declared, changes_of_declared_nodes) {
    Maker m;
    EXPECT_EQ(faults_in_action(
                  m, {m.statement(Kind::Store, {m.number(1), m.row("Seat", 1)},
                                  {m.schema("points.$Seat")}),
                      m.statement(Kind::Ensure, {m.row("Seat", 1)}, {m.schema("hands.$Seat")}),
                      m.statement(Kind::Erase, {}, {m.schema("hands")})}),
              "");
    EXPECT_EQ(
        faults_in_action(m, {m.statement(Kind::Store, {m.number(1)}, {m.schema("points.$Seat")}),
                             m.statement(Kind::Store, {m.number(1)}, {m.schema("box")}),
                             m.statement(Kind::Erase, {}, {m.schema("")})}),
        "Store (rule count): 0 rows for points.$Seat\n"
        "Store (rule count): box is no leaf\n"
        "Erase (rule count): the root cannot go");
}

} // namespace
} // namespace croupier::engine::ir
