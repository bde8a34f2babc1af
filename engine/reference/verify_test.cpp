// Good functions of every form, and the errors of bad ones: places of nodes, their blocks, and the
// variables known there.
#include "engine/form/testing.h"
#include "engine/reference/verify.h"

#include <gtest/gtest.h>

namespace croupier::engine::form {

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

// Where each way of setting a variable makes it visible, and where not.
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
        Maker m; // set by a search, in the action
        const VarId a = m.var("A", kAny);
        m.rule({m.statement(Kind::Let, {m.number(1)}, {a}), yield(m)},
               {m.statement(Kind::Print, {m.use(a)})});
        EXPECT_EQ(faults(m), unknown);
    }
    {
        Maker m; // in the search that sets it
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
        Maker m; // in the block for no result
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

// The errors of a node that breaks a rule by itself, wherever it is.

namespace {

TEST(verify_node, counts_of_operands_and_blocks) {
    Maker m;
    EXPECT_EQ(faults_in_search(m, {m.statement(Kind::Test), m.statement(Kind::NoMatch),
                                   m.statement(Kind::Fail, {m.truth(true)})}),
              "Test (rule count): 0 operands; wanted \"tv*\"\n"
              "NoMatch (rule count): 0 blocks; wanted \"s\"\n"
              "Fail (rule count): 1 operands; wanted \"\"");
    m.rule({m.statement(Kind::Yield)}, {});
    std::vector<BlockId>& blocks = m.function.nodes[m.apply()].blocks;
    blocks.push_back(m.block({m.statement(Kind::Yield, {m.number(1)})}));
    EXPECT_EQ(faults(m), "");
    blocks.push_back(m.block({m.statement(Kind::Yield, {m.number(1)})}));
    EXPECT_EQ(faults(m), "Apply (rule count): 5 blocks; wanted 3 or 4");
}

// For every letter, one operand of a wrong type.
TEST(verify_node, types_of_operands) {
    const auto wrong = [](Kind kind, std::vector<Id> (*operands)(Maker&)) {
        Maker m;
        const Type type = info_of(kind).result == 't'   ? kTruth
                          : info_of(kind).result == 'n' ? kNode
                          : info_of(kind).result == 's' ? m.set("Card")
                                                        : kAny;
        const Id made = m.node(kind, info_of(kind).result == '-' ? Type{} : type, operands(m));
        m.rule({m.statement(Kind::Yield)},
               {info_of(kind).result == '-' ? made : m.statement(Kind::Print, {made})});
        const std::string all = faults(m);
        return all.substr(0, all.find('\n'));
    };
    const auto number = [](Maker& m) { return std::vector<Id>{m.number(1)}; };
    const auto node = [](Maker& m) { return std::vector<Id>{m.root()}; };
    EXPECT_EQ(wrong(Kind::Not, number), "Not (rule count): operand 1 is int 1..1; wanted truth");
    EXPECT_EQ(wrong(Kind::Rows, number), "Rows (rule count): operand 1 is int 1..1; wanted code");
    EXPECT_EQ(wrong(Kind::ValueOf, number),
              "ValueOf (rule count): operand 1 is int 1..1; wanted node");
    EXPECT_EQ(wrong(Kind::PathNode, number),
              "PathNode (rule count): operand 1 is int 1..1; wanted key");
    EXPECT_EQ(wrong(Kind::EachRow, number), "EachRow (rule count): it stands outside all searches");
    EXPECT_EQ(wrong(Kind::Random, node), "Random (rule count): operand 1 is node; wanted value");
    EXPECT_EQ(wrong(Kind::Call, number),
              "Call (rule count): operand 1 is int 1..1; wanted argument");
    const auto key = [](Maker& m) { return std::vector<Id>{m.name("a")}; };
    EXPECT_EQ(wrong(Kind::Has, key), "Has (rule count): operand 1 is key; wanted value or node");
    const auto data = [](Maker& m) { return std::vector<Id>{m.root(), m.name("a"), m.number(1)}; };
    EXPECT_EQ(wrong(Kind::PutChild, data),
              "PutChild (rule count): operand 3 is int 1..1; wanted data");
    Maker m;
    EXPECT_EQ(faults_in_search(
                  m, {m.statement(Kind::EachRow, {m.number(1)}, {m.var("A", kAny)}, {m.block({})})})
                  .substr(0, 61),
              "EachRow (rule count): operand 1 is int 1..1; wanted set\nYield");
}

TEST(verify_node, the_letter_of_a_member_and_the_last_of_many) {
    Maker m;
    EXPECT_EQ(faults_in_action(
                  m, {m.statement(Kind::PutPath,
                                  {m.node(Kind::DataObject, Maker::type(TypeKind::Data),
                                          {m.node(Kind::DataList, Maker::type(TypeKind::Data))}),
                                   m.name("a"), m.number(1)})}),
              "DataObject (rule count): operand 1 is data; wanted member\n"
              "PutPath (rule count): operand 3 is int 1..1; wanted key");
}

TEST(verify_node, results) {
    Maker m;
    EXPECT_EQ(
        faults_in_action(m, {m.statement(Kind::Print, {m.node(Kind::Not, kAny, {m.truth(true)})}),
                             m.node(Kind::Print, kAny),
                             m.statement(Kind::Do, {m.node(Kind::Root, kTruth)})}),
        "Not (rule count): its result is any; wanted truth\n"
        "Print (rule count): its result is any; wanted none\n"
        "Root (rule count): its result is truth; wanted node\n"
        "Do (rule count): operand 1 is truth; wanted node");
}

TEST(verify_node, types_by_themselves) {
    Maker m;
    EXPECT_EQ(faults_of(m, m.node(Kind::Load, Maker::integer(5, 1), {}, {m.schema("total")})),
              "Load (rule count): no integer is in 5..1");
    Maker n;
    n.var("A", {TypeKind::Code, 7});
    n.rule({n.statement(Kind::Yield)}, {});
    EXPECT_EQ(faults(n), "variable 0 $A: list 7 of 0");
    n.list("Card");
    n.function.vars[0].type.list = 0;
    EXPECT_EQ(faults(n), "");
    n.module.lists[0].values.pop_back();
    EXPECT_EQ(faults(n), "variable 0 $A: list 0 has 2 values, its domain 3 members");
    n.module.lists[0].domain = 9;
    EXPECT_EQ(faults(n), "variable 0 $A: domain 9 of 4");
}

// The node that uses it is checked too, though nothing is known about such a list.
TEST(verify_node, lists_that_are_not_there) {
    Maker m;
    const auto code = [&] {
        return m.node(Kind::Load, {TypeKind::Code, 9}, {}, {m.schema("trump")});
    };
    m.module.tables.push_back({{1}, Entries(1), {}});
    EXPECT_EQ(faults_of(m, m.node(Kind::Present, kTruth, {code()}, {m.schema("hands.$Seat")})),
              "Load (rule count): list 9 of 0\n"
              "Present (rule count): operand 1 is list 9?; the rows are Seat");
    EXPECT_EQ(faults_of(m, m.node(Kind::Table, kAny, {code()})), "Load (rule count): list 9 of 0");
}

TEST(verify_node, notes) {
    Maker m;
    m.note("count", 0);
    EXPECT_EQ(
        faults_in_search(m, {m.statement(Kind::Fail, {}, {0, 2}), m.statement(Kind::Try, {}, {1}),
                             m.statement(Kind::Pass, {}, {0, 0, 0, 5})}),
        "Fail (rule count): cut note 1 of 1\n"
        "Try (rule count): note 1 of 1\n"
        "Pass (rule count): note 5 of 1");
    EXPECT_EQ(faults_in_action(
                  m, {m.statement(Kind::Before, {}, {1}), m.statement(Kind::After, {}, {2})}),
              "Before (rule count): note 1 of 1\n"
              "After (rule count): note 2 of 1");
}

TEST(verify_node, constants) {
    Maker m;
    const auto constant = [&](Type type, std::int64_t number, std::uint32_t x = 0) {
        return m.node(Kind::Constant, type, {}, {x, 0, number});
    };
    EXPECT_EQ(faults_of(m, constant(kTruth, 2)), "Constant (rule count): truth 2 of 2");
    EXPECT_EQ(faults_of(m, constant(Maker::integer(0, 3), 4)),
              "Constant (rule count): 4 is no int 0..3");
    EXPECT_EQ(faults_of(m, constant(Maker::integer(0), -1)),
              "Constant (rule count): -1 is no int 0..");
    EXPECT_EQ(faults_of(m, constant(m.code("Card"), 3)), "");
    EXPECT_EQ(faults_of(m, constant(m.code("Card"), 4)), "Constant (rule count): code 4 of 4");
    EXPECT_EQ(faults_of(m, constant(m.code("Card"), -1)), "Constant (rule count): code -1 of 4");
    EXPECT_EQ(faults_of(m, constant(kAny, 0, 0)), "Constant (rule count): value 0 of 0");
}

TEST(verify_node, fields_that_refer_to_something) {
    Maker m;
    const std::string types = std::to_string(m.catalogue().types.size());
    const std::string symbols = std::to_string(m.catalogue().symbols.size());
    EXPECT_EQ(faults_of(m, m.node(Kind::Fits, kTruth, {m.number(1)}, {99})),
              "Fits (rule count): type 99 of " + types);
    EXPECT_EQ(
        faults_of(m, m.node(Kind::Child, kNode, {m.root(), m.node(Kind::Name, kKey, {}, {9999})})),
        "Name (rule count): symbol 9999 of " + symbols);
    EXPECT_EQ(faults_of(m, m.node(Kind::PathNode, kNode, {m.name("a")}, {0, 2})),
              "PathNode (rule count): y 2 of 2");
    EXPECT_EQ(faults_of(m, m.node(Kind::Variable, kAny, {}, {3})),
              "Variable (rule count): variable 3 of 0");
    EXPECT_EQ(faults_in_action(m, {m.statement(Kind::Group, {}, {99})}),
              "Group (rule count): group 99 of 4");
    m.rule({m.statement(Kind::Yield)}, {});
    m.function.nodes[m.apply()].x = 99;
    EXPECT_EQ(faults(m), "Group: block 1 does not apply rule 0\nApply: rule 99 of 5");
}

TEST(verify_node, calls) {
    Maker m;
    const auto call = [&](std::uint32_t x, std::int64_t number) {
        return m.statement(Kind::Call,
                           {m.node(Kind::ArgumentValue, kArgument, {m.number(1)}, {0, 0, number})},
                           {x});
    };
    EXPECT_EQ(faults_in_action(m, {call(0, 0)}), "Call (rule count): call 0 of 0");
    m.module.calls.push_back({"choose", {"from"}});
    EXPECT_EQ(faults_in_action(m, {call(0, 0)}), "");
    EXPECT_EQ(faults_in_action(m, {call(0, 1)}), "Call (rule count): argument 1 of 1");
}

TEST(verify_node, operators) {
    Maker m;
    const auto made = [&](Kind kind, ExprOp which, std::vector<Id> operands) {
        return faults_of(m, m.node(kind, kind == Kind::Compare ? kTruth : kAny, std::move(operands),
                                   {op(which)}));
    };
    const std::string add = std::to_string(op(ExprOp::Add));
    const std::string less = std::to_string(op(ExprOp::Less));
    EXPECT_EQ(made(Kind::Compare, ExprOp::Less, {m.number(1), m.number(2)}), "");
    EXPECT_EQ(made(Kind::Compare, ExprOp::Add, {m.number(1), m.number(2)}),
              "Compare (rule count): operator " + add + " is no comparison");
    EXPECT_EQ(made(Kind::Arithmetic, ExprOp::Less, {m.number(1), m.number(2)}),
              "Arithmetic (rule count): operator " + less + " is no arithmetic");
    EXPECT_EQ(made(Kind::Arithmetic, ExprOp::Add, {m.number(1)}),
              "Arithmetic (rule count): 1 operands for operator " + add);
    EXPECT_EQ(made(Kind::Arithmetic, ExprOp::Negate, {m.number(1)}), "");
    EXPECT_EQ(made(Kind::Arithmetic, ExprOp::Max, {m.number(1), m.number(2), m.number(3)}), "");
    EXPECT_EQ(made(Kind::Arithmetic, ExprOp::Max, {m.number(1)}),
              "Arithmetic (rule count): 1 operands for operator " +
                  std::to_string(op(ExprOp::Max)));
}

TEST(verify_node, what_an_operand_is_its_result_is) {
    Maker m;
    EXPECT_EQ(faults_of(m, m.node(Kind::Choose, Maker::integer(0, 5),
                                  {m.truth(true), m.number(7), m.any(Value::null())})),
              "Choose (rule count): operand 2 is int 7..7; its result is int 0..5\n"
              "Choose (rule count): operand 3 is any; its result is int 0..5");
    EXPECT_EQ(faults_of(m, m.node(Kind::Given, m.code("Card"), {m.row("Suit", 1)})),
              "Given (rule count): operand 1 is Suit; its result is Card");
    EXPECT_EQ(faults_of(m, m.node(Kind::Given, kAny, {m.row("Suit", 1)})), "");
}

TEST(verify_node, variables_have_the_type_of_what_they_are_set_to) {
    Maker m;
    const auto child = [&](Type node, std::uint32_t key, std::int64_t type) {
        return m.statement(Kind::EachChild, {m.root()}, {m.var("N", node), key, type},
                           {m.block({m.statement(Kind::Yield)})});
    };
    const auto alone = [&](Id statement) {
        m.rule({statement}, {});
        return faults(m);
    };
    const VarId card = m.var("C", m.code("Card"));
    EXPECT_EQ(faults_in_search(m, {m.statement(Kind::Let, {m.row("Suit", 1)}, {card})}),
              "Let (rule count): the value is Suit; its variable Card");
    EXPECT_EQ(faults_in_search(
                  m, {m.statement(Kind::Let, {m.number(3)}, {m.var("N", Maker::integer(0, 2))})}),
              "Let (rule count): the value is int 3..3; its variable int 0..2");
    EXPECT_EQ(alone(m.statement(Kind::EachRow, {m.node(Kind::AllRows, m.set("Seat"))}, {card},
                                {m.block({m.statement(Kind::Yield)})})),
              "EachRow (rule count): the code is Seat; its variable Card");
    EXPECT_EQ(alone(child(kAny, 0, 0)),
              "EachChild (rule count): the child is node; its variable any");
    EXPECT_EQ(alone(child(kNode, card + 1, 0)),
              "EachChild (rule count): the key is any; its variable Card");
    EXPECT_EQ(alone(child(kNode, 0, 99)),
              "EachChild (rule count): type 99 of " + std::to_string(m.catalogue().types.size()));
    m.rule({m.statement(Kind::Let, {m.row("Card", 1)}, {card}), m.statement(Kind::Yield)}, {});
    EXPECT_EQ(faults(m), "");
    m.rule({m.statement(Kind::Let, {m.row("Card", 1)}, {card}),
            m.statement(Kind::Test,
                        {m.node(Kind::Has, kTruth, {m.node(Kind::Variable, kAny, {}, {card})})}),
            m.statement(Kind::Yield)},
           {});
    EXPECT_EQ(faults(m), "Variable (rule count): is any, its variable Card");
}

TEST(verify_node, what_is_gathered) {
    Maker m;
    const auto gather = [&](KeyKind kind, Type type) {
        std::vector<Id> values;
        if (kind != KeyKind::Count) values.push_back(m.number(1));
        return faults_in_search(m, {m.statement(Kind::Gather, {}, {m.var("N", type), op(kind)},
                                                {m.block({m.statement(Kind::Yield, values)})})});
    };
    EXPECT_EQ(gather(KeyKind::Count, Maker::integer(0)), "");
    EXPECT_EQ(gather(KeyKind::Sum, Maker::integer()), "");
    EXPECT_EQ(gather(KeyKind::Min, kAny), "");
    EXPECT_EQ(gather(KeyKind::Count, kNode),
              "Gather (rule count): the number is int 0..; its variable node");
    EXPECT_EQ(gather(KeyKind::Sum, kNode),
              "Gather (rule count): the sum is any; its variable node");
    EXPECT_EQ(gather(KeyKind::Max, Maker::integer()),
              "Gather (rule count): the least or greatest, or none, is any; its variable int");
    EXPECT_EQ(gather(KeyKind::Not, kAny),
              "Gather (rule count): gathers " + std::to_string(op(KeyKind::Not)));
}

TEST(verify_node, tables) {
    Maker m;
    const auto entry = [&](std::vector<Id> codes) {
        return faults_of(m, m.node(Kind::Table, kAny, std::move(codes)));
    };
    EXPECT_EQ(entry({m.row("Card", 1)}), "Table (rule count): table 0 of 0");
    m.module.tables.push_back({{4, 3}, Entries(12), std::vector<std::uint64_t>(11)});
    EXPECT_EQ(entry({m.row("Card", 1), m.row("Seat", 2)}), "");
    EXPECT_EQ(entry({m.row("Card", 1)}), "Table (rule count): 1 codes for a table of 2");
    EXPECT_EQ(entry({m.row("Seat", 1), m.row("Suit", 1)}),
              "Table (rule count): operand 1 has 3 codes, the table 4");
    const auto rows = [&] {
        return faults_in_search(
            m,
            {m.statement(
                Kind::NoMatch, {}, {},
                {m.block({m.statement(
                    Kind::EachRow,
                    {m.node(Kind::TableRows, m.set("Card"), {m.row("Card", 1), m.row("Seat", 2)})},
                    {m.var("C", m.code("Card"))}, {m.block({m.statement(Kind::Yield)})})})})});
    };
    EXPECT_EQ(rows(), "TableRows (rule count): table 0 holds 11; wanted 12");
    m.module.tables[0].words.resize(12);
    EXPECT_EQ(rows(), "");
    m.module.tables[0].values = Entries(11);
    EXPECT_EQ(entry({m.row("Card", 1), m.row("Seat", 2)}),
              "Table (rule count): table 0 holds 11; wanted 12");
}

} // namespace

// The errors of a node that refers to declared nodes wrongly.

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

} // namespace croupier::engine::form
