// What is said of a node that breaks a rule by itself, wherever it stands.
#include "engine/ir/testing.h"

#include <gtest/gtest.h>

namespace croupier::engine::ir {
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

// One operand of a wrong type for every letter.
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

// Its user is looked at as well, though nothing is known of such a list.
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
} // namespace croupier::engine::ir
