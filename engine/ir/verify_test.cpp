// A good function of every form, and what is said of one that breaks a rule: where nodes stand,
// their blocks, and the variables that are known there.
#include "engine/ir/verify.h"

#include "engine/ir/testing.h"

#include <gtest/gtest.h>

namespace croupier::engine::ir {
namespace {

TEST(verify, nothing_is_wrong_with_a_good_function) {
    Maker m;
    const VarId seat = m.var("P", m.code("Seat"));
    const VarId total = m.var("total", Maker::integer(0));
    const VarId either = m.var("E", Maker::integer(0, 9));
    const VarId child = m.var("child", kNode);
    const VarId key = m.var("K", kAny);
    const VarId given = m.var("P", m.code("Seat"));
    const VarId given_key = m.var("K", kAny);
    const VarId old = m.var("old", kAny);
    EXPECT_EQ(given_key, given + 1);
    const auto yield = [&](std::vector<Id> values) {
        return m.statement(Kind::Yield, std::move(values));
    };
    const Id inner = m.statement(
        Kind::EachChild, {m.node(Kind::Child, kNode, {m.root(), m.name("open")})}, {child, key + 1},
        {m.block(
            {m.statement(Kind::Test, {m.node(Kind::Has, kTruth, {m.use(child)}), m.use(either)},
                         {0, 1 + m.note("count", 0)}),
             yield({m.use(seat), m.use(key)})})});
    const Id alternatives = m.statement(Kind::Alternatives, {}, {either, 0, 1},
                                        {m.block({yield({m.number(3)})}),
                                         m.block({m.statement(Kind::Fail), yield({m.number(4)})}),
                                         m.block({inner, m.statement(Kind::Fail, {}, {0, 1})})});
    const Id loop = m.statement(
        Kind::EachRow, {m.node(Kind::AllRows, m.set("Seat"))}, {seat},
        {m.block({m.statement(Kind::Gather, {}, {total, op(KeyKind::Count)},
                              {m.block({m.statement(Kind::Try, {}, {0}), yield({})})}),
                  m.statement(Kind::NoMatch, {}, {}, {m.block({yield({})})}),
                  m.statement(Kind::SomeMatch, {}, {}, {m.block({yield({})})}), alternatives})});
    const Id below = m.statement(
        Kind::GroupBelow, {m.node(Kind::MakeChild, kNode, {m.root(), m.name("open")})}, {},
        {m.block({m.statement(
            Kind::Group, {}, {m.catalogue().group_id("urgency")},
            {m.block({m.statement(Kind::Apply, {}, {m.catalogue().rule_id("urgent"), old, 1},
                                  {m.block({yield({m.use(given)})}), m.block({}), m.block({}),
                                   m.block({yield({m.use(old)})})})})})})});
    m.rule(
        {loop},
        {below, m.statement(Kind::Store, {m.use(given), m.use(given)}, {m.schema("points.$Seat")})},
        given, 2);
    EXPECT_EQ(faults(m), "");
}

TEST(verify, the_node_and_the_rule_are_named) {
    Maker m;
    const Id test = m.statement(Kind::Test, {m.number(1)});
    m.rule({test, m.statement(Kind::Yield)}, {});
    EXPECT_EQ(verify(m.module, m.function),
              std::vector<std::string>{"node " + std::to_string(test) +
                                       " Test (rule count): operand 1 is int 1..1; wanted truth"});
}

TEST(verify, the_body_is_the_functions_group) {
    Maker m;
    m.rule({m.statement(Kind::Yield)}, {});
    m.function.group = m.catalogue().group_id("setup");
    EXPECT_EQ(faults(m),
              "function: its body is not just group " + std::to_string(m.function.group));
    m.body({});
    EXPECT_EQ(faults(m),
              "function: its body is not just group " + std::to_string(m.function.group));
    m.function.body = 77;
    EXPECT_EQ(faults(m).substr(0, 22), "function: block 77 of ");
}

TEST(verify, a_node_has_one_place) {
    Maker m;
    const Id shared = m.truth(true);
    const Id first = m.statement(Kind::Test, {shared});
    m.rule({first, m.statement(Kind::Test, {shared}), m.statement(Kind::Yield)}, {});
    EXPECT_EQ(faults(m), "Test (rule count): node 0 Constant has a second place");
}

TEST(verify, a_node_is_not_below_itself) {
    Maker m;
    const Id round = m.node(Kind::Not, kTruth);
    m.function.nodes[round].operands = {round};
    m.rule({m.statement(Kind::Test, {round}), m.statement(Kind::Yield)}, {});
    EXPECT_EQ(faults(m), "Not (rule count): node 0 Not has a second place");
}

TEST(verify, a_block_has_one_place) {
    Maker m;
    const BlockId shared = m.block({});
    m.rule({m.statement(Kind::Yield)},
           {m.statement(Kind::If, {m.truth(true)}, {}, {shared, shared})});
    EXPECT_EQ(faults(m), "If (rule count): block 1 has a second place");
}

TEST(verify, nodes_and_blocks_are_there) {
    Maker m;
    m.rule({99, m.statement(Kind::Test, {98}), m.statement(Kind::NoMatch, {}, {}, {97}),
            m.statement(Kind::Yield)},
           {});
    EXPECT_EQ(faults(m), "Apply (rule count): node 99 of 5\n"
                         "Test (rule count): node 98 of 5\n"
                         "NoMatch (rule count): block 97 of 5");
}

TEST(verify, a_variable_is_set_once) {
    Maker m;
    const VarId a = m.var("A", Maker::integer());
    m.rule({m.statement(Kind::Let, {m.number(1)}, {a}), m.statement(Kind::Let, {m.number(2)}, {a}),
            m.statement(Kind::Yield)},
           {});
    EXPECT_EQ(faults(m), "Let (rule count): $A is set in a second place");
}

// What every way of setting a variable lets see, and what it hides.
TEST(verify, a_variable_is_read_where_it_is_known) {
    const auto read = [](Maker& m, VarId var) {
        return m.statement(Kind::Test, {m.node(Kind::Has, kTruth, {m.use(var)})});
    };
    const auto yield = [](Maker& m) { return m.statement(Kind::Yield); };
    const std::string unknown = "Variable (rule count): $A is not known here";
    {
        Maker m; // before
        const VarId a = m.var("A", kAny);
        m.rule({read(m, a), m.statement(Kind::Let, {m.use(a)}, {a}), yield(m)}, {});
        EXPECT_EQ(faults(m), unknown + "\n" + unknown);
    }
    {
        Maker m; // outside of the block
        const VarId a = m.var("A", kAny);
        m.rule({m.statement(
                    Kind::SomeMatch, {}, {},
                    {m.block({m.statement(Kind::Let, {m.number(1)}, {a}), read(m, a), yield(m)})}),
                read(m, a), yield(m)},
               {});
        EXPECT_EQ(faults(m), unknown);
    }
    {
        Maker m; // a search's in the action
        const VarId a = m.var("A", kAny);
        m.rule({m.statement(Kind::Let, {m.number(1)}, {a}), yield(m)},
               {m.statement(Kind::Print, {m.use(a)})});
        EXPECT_EQ(faults(m), unknown);
    }
    {
        Maker m; // in the search that it is made of
        const VarId a = m.var("A", Maker::integer(0));
        m.rule({m.statement(Kind::Gather, {}, {a, op(KeyKind::Count)},
                            {m.block({read(m, a), yield(m)})}),
                read(m, a), yield(m)},
               {});
        EXPECT_EQ(faults(m), unknown);
    }
    {
        Maker m; // in an alternative
        const VarId a = m.var("A", kAny);
        m.rule({m.statement(Kind::Alternatives, {}, {a, 0, 1},
                            {m.block({read(m, a), m.statement(Kind::Yield, {m.number(1)})}),
                             m.block({read(m, a), yield(m)})})},
               {});
        EXPECT_EQ(faults(m), unknown);
    }
    {
        Maker m; // in the block for what has no result
        const VarId a = m.var("A", kAny);
        m.rule({m.statement(Kind::Yield, {m.number(1)})}, {m.statement(Kind::Print, {m.use(a)})}, a,
               1);
        EXPECT_EQ(faults(m), "");
        m.function.blocks[m.function.nodes[m.apply()].blocks[2]].statements = {
            m.statement(Kind::Print, {m.use(a)})};
        EXPECT_EQ(faults(m), unknown);
    }
}

TEST(verify, variables_that_a_node_sets_are_there) {
    Maker m;
    m.rule({m.statement(Kind::Yield)}, {}, 5, 1);
    EXPECT_EQ(faults(m), "Yield (rule count): it gives 0 values; 1 are wanted\n"
                         "Apply (rule count): variable 5 of 0");
}

TEST(verify, statements_of_searches_and_of_actions) {
    Maker m;
    const auto make = [&] { return m.node(Kind::MakeChild, kNode, {m.root(), m.name("open")}); };
    m.rule({m.statement(Kind::Print), m.statement(Kind::Do, {make()}),
            m.statement(Kind::Test, {m.node(Kind::Has, kTruth, {make()})}), m.truth(true),
            m.statement(Kind::Yield)},
           {m.statement(Kind::Fail), m.statement(Kind::Yield)});
    EXPECT_EQ(faults(m), "Print (rule count): it stands in a search\n"
                         "Do (rule count): it stands in a search\n"
                         "MakeChild (rule count): it stands in a search\n"
                         "MakeChild (rule count): it stands in a search\n"
                         "Constant (rule count): it is an operand, not a statement\n"
                         "Fail (rule count): it stands outside all searches\n"
                         "Yield (rule count): it stands outside all searches");
}

TEST(verify, what_follows_a_loop_stands_inside_it) {
    Maker m;
    const VarId seat = m.var("P", m.code("Seat"));
    const auto loop = [&](VarId var) {
        return m.statement(Kind::EachRow, {m.node(Kind::AllRows, m.set("Seat"))}, {var},
                           {m.block({})});
    };
    m.rule({loop(seat), m.statement(Kind::Fail), m.statement(Kind::Yield)}, {});
    EXPECT_EQ(faults(m), "Yield (rule count): it stands behind a loop, not in its block");
}

TEST(verify, results_are_as_they_are_wanted) {
    Maker m;
    const VarId total = m.var("total", kAny);
    const VarId text = m.var("T", m.code("Card"));
    const auto gives = [&](std::int64_t count) {
        std::vector<Id> values;
        for (std::int64_t i = 0; i < count; ++i)
            values.push_back(m.number(i));
        return m.block({m.statement(Kind::Yield, std::move(values))});
    };
    m.rule({m.statement(Kind::NoMatch, {}, {}, {gives(1)}),
            m.statement(Kind::Gather, {}, {total, op(KeyKind::Sum)}, {gives(2)}),
            m.statement(Kind::Yield, {m.number(7)})},
           {}, text, 1);
    EXPECT_EQ(faults(m), "Yield (rule count): it gives 1 values; 0 are wanted\n"
                         "Yield (rule count): it gives 2 values; 1 are wanted\n"
                         "Yield (rule count): value 1 is int 7..7; $T is Card");
}

TEST(verify, a_group_applies_its_rules) {
    Maker m;
    m.rule({m.statement(Kind::Yield)}, {});
    const RuleId other = m.catalogue().rule_id("one");
    m.function.nodes[m.apply()].x = other;
    EXPECT_EQ(faults(m), "Group: block 1 does not apply rule " +
                             std::to_string(m.catalogue().rule_id("count")));
    Node& group = m.function.nodes[m.function.blocks[0].statements[0]];
    const BlockId rule = group.blocks[0];
    group.blocks.clear();
    EXPECT_EQ(faults(m), "") << "a rule that never matches may be missing";
    group.blocks = {rule, m.block({}), m.block({})};
    EXPECT_EQ(faults(m), "Group: 3 blocks for 1 rules");
    group.blocks.clear();
    group.x = m.function.group = m.catalogue().group_id("urgency");
    EXPECT_EQ(faults(m), "Group: 0 blocks for 1 rules") << "rules of agendas have numbers";
}

TEST(verify, a_group_below_is_a_group) {
    Maker m;
    m.rule({m.statement(Kind::Yield)},
           {m.statement(Kind::GroupBelow, {m.root()}, {}, {m.block({})})});
    EXPECT_EQ(faults(m), "GroupBelow (rule count): its block has no group of its own");
}

} // namespace
} // namespace croupier::engine::ir
