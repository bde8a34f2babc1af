// Effects of nodes made by hand, and which of them may be swapped.
#include "engine/form/effects.h"

#include "engine/form/testing.h"

#include <gtest/gtest.h>

namespace croupier::engine::form {
namespace {

// The paths of declared nodes, for comparisons: "hands hands.$Seat".
std::string shown(const Maker& m, const Places& places) {
    std::string text = places.anything ? "anything" : "";
    for (const SchemaId each : places.schemas) {
        const std::string path = m.module.catalogue->layout->path(each);
        text += (text.empty() ? "" : " ") + (path.empty() ? "(root)" : path);
    }
    return text;
}

Effects effects(const Maker& m, Id node) {
    return effects_of(m.module, m.function, node);
}

std::string reads(const Maker& m, Id node) {
    EXPECT_TRUE(effects(m, node).writes.empty());
    return shown(m, effects(m, node).reads);
}

std::string writes(const Maker& m, Id node) {
    EXPECT_TRUE(effects(m, node).reads.empty());
    return shown(m, effects(m, node).writes);
}

// The names of its other effects.
std::string does(const Maker& m, Id node) {
    const Effects of = effects(m, node);
    std::string text;
    const auto add = [&](bool is, const char* name) {
        if (is) text += (text.empty() ? "" : " ") + std::string(name);
    };
    add(of.raises, "raises");
    add(of.draws, "draws");
    add(of.loops, "loops");
    add(of.goes_back, "goes back");
    add(of.yields, "yields");
    add(of.told, "told");
    return text;
}

Id load(Maker& m, const char* path, std::vector<Id> rows = {}) {
    return m.node(Kind::Load, kAny, std::move(rows), {m.schema(path)});
}

Id test(Maker& m, Id value, std::uint32_t cut = 0) {
    return m.statement(Kind::Test, {m.node(Kind::Has, kTruth, {value})}, {0, cut});
}

Id store(Maker& m, const char* path, std::vector<Id> rows = {}, std::uint32_t y = 0) {
    rows.insert(rows.begin(), m.number(1));
    return m.statement(Kind::Store, std::move(rows), {m.schema(path), y});
}

Id divide(Maker& m) {
    return m.node(Kind::Arithmetic, kAny, {m.number(1), m.number(0)}, {op(ExprOp::Divide)});
}

TEST(effects, what_is_read) {
    Maker m;
    EXPECT_EQ(reads(m, m.number(1)), "");
    EXPECT_EQ(reads(m, load(m, "trump")), "trump");
    EXPECT_EQ(
        reads(m, m.node(Kind::Present, kTruth, {m.row("Seat", 1)}, {m.schema("hands.$Seat")})),
        "hands.$Seat");
    EXPECT_EQ(reads(m, m.node(Kind::NodeAt, kNode, {}, {m.schema("box")})), "box");
    EXPECT_EQ(
        reads(m, m.node(Kind::Rows, m.set("Card"), {m.row("Seat", 1)}, {m.schema("hands.$Seat")})),
        "hands.$Seat.$Card");
    EXPECT_EQ(reads(m, m.node(Kind::ValueOf, kAny, {m.root()})), "anything");
    EXPECT_EQ(reads(m, m.node(Kind::Table, kAny, {m.row("Card", 1)})), "") << "constants stay";
    EXPECT_EQ(
        reads(m, m.node(Kind::Choose, kAny, {m.truth(true), load(m, "total"), load(m, "trump")})),
        "trump total");
}

TEST(effects, what_is_written) {
    Maker m;
    EXPECT_EQ(writes(m, store(m, "points.$Seat", {m.row("Seat", 1)})),
              "(root) points points.$Seat");
    EXPECT_EQ(writes(m, store(m, "points.$Seat", {m.row("Seat", 1)}, 1)), "points.$Seat");
    EXPECT_EQ(writes(m, store(m, "box.lid")), "(root) box box.lid");
    EXPECT_EQ(writes(m, store(m, "box.lid", {}, 1)), "box box.lid") << "the order of a record";
    EXPECT_EQ(writes(m, m.statement(Kind::Ensure, {}, {m.schema("hands"), 1})), "(root) hands");
    EXPECT_EQ(writes(m, m.statement(Kind::Erase, {}, {m.schema("hands")})),
              "(root) hands hands.$Seat hands.$Seat.$Card");
    EXPECT_EQ(writes(m, m.statement(Kind::Erase, {m.row("Seat", 1)}, {m.schema("hands.$Seat")})),
              "hands.$Seat hands.$Seat.$Card");
    EXPECT_EQ(writes(m, m.statement(Kind::SetPath, {m.number(1), m.name("open")})), "anything");
}

TEST(effects, what_else_is_done) {
    Maker m;
    const VarId row = m.var("P", m.code("Seat"));
    const auto yield = [&] { return m.statement(Kind::Yield); };
    const auto loop = [&](std::vector<Id> inside) {
        return m.statement(Kind::EachRow, {m.node(Kind::AllRows, m.set("Seat"))}, {row},
                           {m.block(std::move(inside))});
    };
    EXPECT_EQ(does(m, m.number(1)), "");
    EXPECT_EQ(does(m, divide(m)), "raises");
    EXPECT_EQ(does(m, m.node(Kind::Random, kAny, {m.number(6)})), "raises draws");
    EXPECT_EQ(does(m, test(m, m.number(1))), "goes back");
    EXPECT_EQ(does(m, test(m, m.number(1), 1)), "goes back told");
    EXPECT_EQ(does(m, test(m, divide(m))), "raises goes back");
    EXPECT_EQ(does(m, yield()), "loops goes back yields");
    EXPECT_EQ(does(m, m.statement(Kind::Try)), "told");
    EXPECT_EQ(does(m, loop({yield()})), "loops goes back yields");
    EXPECT_EQ(does(m, m.statement(Kind::NoMatch, {}, {}, {m.block({yield()})})), "loops goes back");
    EXPECT_EQ(does(m, m.statement(Kind::SomeMatch, {}, {0, 1}, {m.block({yield()})})),
              "loops goes back told");
    EXPECT_EQ(does(m, m.statement(Kind::Gather, {}, {row, op(KeyKind::Count)},
                                  {m.block({loop({yield()})})})),
              "raises loops");
    EXPECT_EQ(does(m, m.statement(Kind::Alternatives, {}, {},
                                  {m.block({yield()}), m.block({m.statement(Kind::Try)})})),
              "loops goes back told")
        << "alternatives yield to what follows";
    EXPECT_EQ(does(m, m.statement(Kind::Alternatives, {}, {}, {m.block({}), m.block({yield()})})),
              "loops goes back yields");
    EXPECT_EQ(does(m, m.statement(Kind::If, {m.truth(true)}, {},
                                  {m.block({m.statement(Kind::Print, {divide(m)})}), m.block({})})),
              "raises told");
}

TEST(effects, variables) {
    Maker m;
    const VarId a = m.var("A", kAny);
    const VarId b = m.var("B", kAny);
    const VarId c = m.var("C", kAny);
    const auto sets = [&](Id node) { return effects(m, node).sets; };
    EXPECT_EQ(effects(m, m.statement(Kind::Let, {m.use(a)}, {b})).uses, Numbers{a});
    EXPECT_EQ(sets(m.statement(Kind::Let, {m.use(a)}, {b})), Numbers{b});
    EXPECT_EQ(sets(m.statement(Kind::Gather, {}, {c}, {m.block({})})), Numbers{c});
    EXPECT_EQ(sets(m.statement(Kind::EachRow, {m.node(Kind::AllRows, m.set("Seat"))}, {a},
                               {m.block({})})),
              Numbers{a});
    EXPECT_EQ(sets(m.statement(Kind::EachChild, {m.root()}, {c, b + 1}, {m.block({})})),
              (Numbers{b, c}));
    EXPECT_EQ(sets(m.statement(Kind::EachChild, {m.root()}, {c}, {m.block({})})), Numbers{c});
    EXPECT_EQ(sets(m.statement(Kind::Alternatives, {}, {b, 0, 2}, {m.block({})})), (Numbers{b, c}));
    EXPECT_EQ(
        sets(m.statement(Kind::Apply, {}, {0, a, 2}, {m.block({}), m.block({}), m.block({})})),
        (Numbers{a, b}));
}

TEST(effects, join) {
    Maker m;
    Effects both = effects(m, store(m, "total"));
    EXPECT_FALSE(both.reads.meet(both.writes));
    both.join(effects(m, test(m, load(m, "trump"), 1)));
    EXPECT_EQ(shown(m, both.reads), "trump");
    EXPECT_EQ(shown(m, both.writes), "(root) total");
    EXPECT_TRUE(both.raises && both.goes_back && both.told);
    EXPECT_FALSE(both.draws || both.loops || both.yields);
    both.join(effects(m, m.node(Kind::ValueOf, kAny, {m.root()})));
    EXPECT_EQ(shown(m, both.reads), "anything trump");
    EXPECT_TRUE(both.reads.meet(both.writes));
    EXPECT_TRUE(both.writes.meet(both.reads));
    EXPECT_FALSE(both.reads.meet({}));
}

class MaySwap : public ::testing::Test {
  protected:
    Maker m_;

    bool swap(Id first, Id second) {
        const bool one = may_swap(effects(m_, first), effects(m_, second));
        EXPECT_EQ(one, may_swap(effects(m_, second), effects(m_, first)));
        return one;
    }
    Id erase(const char* path) { return m_.statement(Kind::Erase, {}, {m_.schema(path)}); }
    Id let(Id value, VarId var) { return m_.statement(Kind::Let, {value}, {var}); }
};

TEST_F(MaySwap, what_is_read_and_written) {
    const VarId a = m_.var("A", kAny);
    const VarId b = m_.var("B", kAny);
    EXPECT_TRUE(swap(let(load(m_, "total"), a), let(load(m_, "total"), b)));
    EXPECT_TRUE(swap(let(load(m_, "total"), a), erase("trump")));
    EXPECT_FALSE(swap(let(load(m_, "trump"), a), erase("trump")));
    EXPECT_FALSE(swap(let(m_.node(Kind::ValueOf, kAny, {m_.root()}), a), erase("trump")));
    EXPECT_FALSE(swap(
        erase("hands"),
        let(m_.node(Kind::Present, kTruth, {m_.row("Seat", 1)}, {m_.schema("hands.$Seat")}), a)));
    EXPECT_FALSE(swap(erase("total"), erase("trump"))) << "the order of the root's children";
    const auto gone = [&](const char* path) {
        return m_.statement(Kind::Erase, {m_.row("Seat", 1)}, {m_.schema(path)});
    };
    EXPECT_TRUE(swap(gone("hands.$Seat"), gone("points.$Seat")));
    EXPECT_FALSE(swap(gone("points.$Seat"), gone("points.$Seat")));
}

TEST_F(MaySwap, variables) {
    const VarId a = m_.var("A", kAny);
    const VarId b = m_.var("B", kAny);
    EXPECT_TRUE(swap(let(m_.number(1), a), let(m_.number(1), b)));
    EXPECT_FALSE(swap(let(m_.number(1), a), let(m_.use(a), b)));
    EXPECT_FALSE(swap(let(m_.number(1), a), let(m_.number(2), a)));
    EXPECT_TRUE(swap(test(m_, m_.use(a)), test(m_, m_.use(a))));
    EXPECT_FALSE(swap(let(m_.number(1), a), test(m_, m_.use(a))));
}

// Pairs that may be swapped, and pairs whose order shows.
TEST_F(MaySwap, what_ends_skips_draws_and_is_told) {
    const VarId a = m_.var("A", kAny);
    const VarId b = m_.var("B", kAny);
    const auto pure = [&] { return let(m_.number(1), a); };
    const auto raise = [&] { return m_.statement(Kind::Let, {divide(m_)}, {m_.var("C", kAny)}); };
    const auto check = [&] { return test(m_, m_.number(1)); };
    const auto told_check = [&] { return test(m_, m_.number(1), 1); };
    const auto count = [&] {
        return m_.statement(Kind::NoMatch, {}, {}, {m_.block({m_.statement(Kind::Yield)})});
    };
    const auto told = [&] { return m_.statement(Kind::Try); };
    const auto write = [&] { return erase("trump"); };
    const auto yield = [&] { return m_.statement(Kind::Yield); };
    EXPECT_TRUE(swap(pure(), raise()));
    EXPECT_TRUE(swap(pure(), check()));
    EXPECT_TRUE(swap(pure(), told()));
    EXPECT_TRUE(swap(pure(), write()));
    EXPECT_TRUE(swap(check(), check()));
    EXPECT_TRUE(swap(check(), let(load(m_, "trump"), b)));
    EXPECT_FALSE(swap(pure(), yield()));
    EXPECT_FALSE(swap(raise(), raise())) << "one of two errors";
    EXPECT_FALSE(swap(raise(), write())) << "what an error leaves behind";
    EXPECT_FALSE(swap(raise(), told()));
    EXPECT_FALSE(swap(raise(), check())) << "an error behind a test";
    EXPECT_FALSE(swap(count(), check())) << "steps behind a test";
    EXPECT_FALSE(swap(count(), raise()));
    EXPECT_FALSE(swap(count(), count()));
    EXPECT_FALSE(swap(check(), told()));
    EXPECT_FALSE(swap(check(), told_check()));
    EXPECT_FALSE(swap(told(), told()));
    EXPECT_FALSE(swap(told(), write())) << "observers see the state";
}

TEST_F(MaySwap, the_random_stream) {
    const auto draws = [&] {
        Effects made;
        made.draws = true;
        return made;
    };
    Effects raises;
    raises.raises = true;
    Effects back;
    back.goes_back = true;
    EXPECT_TRUE(may_swap(draws(), {}));
    EXPECT_FALSE(may_swap(draws(), draws()));
    EXPECT_FALSE(may_swap(draws(), raises));
    EXPECT_FALSE(may_swap(draws(), back));
    EXPECT_FALSE(may_swap(back, draws()));
}

} // namespace
} // namespace croupier::engine::form
