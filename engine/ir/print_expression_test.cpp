// Actions and expressions made by hand, as text.
#include "engine/ir/print.h"

#include "engine/ir/testing.h"

#include <gtest/gtest.h>

namespace croupier::engine::ir {
namespace {

// The lines of the action of a rule without anything else.
std::string printed_action(Maker& made, std::vector<Id> statements) {
    made.rule({made.statement(Kind::Yield)}, std::move(statements));
    const std::string text = to_text(made.module, made.function);
    const std::string begin = "    } do {\n";
    const std::size_t from = text.find(begin) + begin.size();
    std::string lines = "\n";
    for (std::size_t at = from; text.compare(at, 5, "    }") != 0;) {
        const std::size_t end = text.find('\n', at) + 1;
        lines += text.substr(at + 8, end - at - 8);
        at = end;
    }
    return lines;
}

TEST(print_expression, actions) {
    Maker m;
    const Type node = Maker::type(TypeKind::Node);
    const Type data = Maker::type(TypeKind::Data);
    m.module.calls.push_back({"shuffle", {"path", "seed"}});
    const VarId who = m.var("WHO", Maker::type(TypeKind::Any));
    const auto text_key = [&](std::uint32_t fresh) {
        return m.node(Kind::KeyText, Maker::type(TypeKind::Key), {m.use(who)}, {0, fresh});
    };
    const auto some_data = [&] {
        const Id number = m.node(Kind::DataValue, data, {m.number(1)});
        const Id member = m.node(Kind::DataMember, Maker::type(TypeKind::Member),
                                 {m.name("a"), m.node(Kind::DataList, data, {number})});
        return m.node(Kind::DataObject, data, {member});
    };
    const std::vector<Id> statements = {
        m.statement(Kind::Let, {m.any(Value::null())}, {who}),
        m.statement(Kind::SetChild, {m.root(), m.name("open door"), m.number(3)}),
        m.statement(Kind::SetPath, {m.number(3), m.name("a"), text_key(1)}, {2, 0}),
        m.statement(Kind::RemoveChild, {m.root(), text_key(0)}),
        m.statement(Kind::RemovePath, {m.name("a")}, {0, 1}),
        m.statement(Kind::PutChild, {m.root(), m.name("open"), some_data()}),
        m.statement(Kind::PutPath, {some_data(), m.name("open")}),
        m.statement(Kind::Do, {m.node(Kind::MakePath, node, {m.name("open")})}),
        m.statement(Kind::Inner, {m.node(Kind::MakeChild, node, {m.root(), m.name("open")})}),
        m.statement(
            Kind::Call,
            {m.node(Kind::ArgumentValue, Maker::type(TypeKind::Argument), {m.number(5)}, {0, 0, 1}),
             m.node(Kind::ArgumentPath, Maker::type(TypeKind::Argument), {m.name("open")})}),
        m.statement(Kind::Ensure, {m.row("Seat", 2)}, {m.schema("hands.$Seat"), 1}),
        m.statement(Kind::Erase, {m.row("Seat", 0), m.row("Card", 3)},
                    {m.schema("hands.$Seat.$Card")}),
        m.statement(Kind::If, {m.truth(false)}, {},
                    {m.block({m.statement(Kind::Before, {}, {m.note("count", 0)})}), m.block({})}),
        m.statement(Kind::If, {m.truth(true)}, {},
                    {m.block({}), m.block({m.statement(Kind::After, {}, {0})})}),
    };
    EXPECT_EQ(printed_action(m, statements), R"(
$WHO = null
@root."open door" = 3
@parent@parent@path(a.{new $WHO}) = 3
remove @root.{$WHO}
remove @root@path(a)
put @root.open = {a: [1]}
put @path(open) = {a: [1]}
do Make(@path(open))
Inner(Make(@root.open))
call shuffle(seed: 5, path: @path(open))
ensure hands[#south]  (parent present)
erase hands[#none][#hK]
if false {
    before count:0
}
if true {
} else {
    after count:0
}
)");
}

TEST(print_expression, expressions) {
    Maker m;
    const Type truth = Maker::type(TypeKind::Truth);
    const VarId a = m.var("a", Maker::integer(0, 7));
    const auto make = [&](Kind kind, ExprOp which, std::vector<Id> operands) {
        return m.node(kind, kind == Kind::Arithmetic ? Maker::integer() : truth,
                      std::move(operands), {op(which)});
    };
    const auto shown = [&](Id id) { return m.statement(Kind::Print, {id}); };
    const auto sum = [&](Id left, Id right) {
        return make(Kind::Arithmetic, ExprOp::Add, {left, right});
    };
    const auto less = [&](Id left, Id right) {
        return make(Kind::Compare, ExprOp::Less, {left, right});
    };
    const auto logic = [&](Kind kind, std::vector<Id> operands) {
        return m.node(kind, truth, std::move(operands));
    };
    const std::vector<Id> statements = {
        shown(
            make(Kind::Arithmetic, ExprOp::Multiply,
                 {sum(m.use(a), m.number(1)), make(Kind::Arithmetic, ExprOp::Negate, {m.use(a)})})),
        shown(sum(m.use(a), sum(m.number(1), m.number(2)))),
        shown(sum(sum(m.use(a), m.number(1)), m.number(2))),
        shown(make(Kind::Arithmetic, ExprOp::Max, {m.use(a), m.number(-1)})),
        shown(logic(Kind::Or, {logic(Kind::And, {less(m.use(a), m.number(1)), m.truth(true)}),
                               m.truth(false)})),
        shown(logic(Kind::And, {logic(Kind::Or, {m.truth(true), m.truth(false)}),
                                logic(Kind::Not, {less(m.use(a), m.number(1))})})),
        shown(
            m.node(Kind::Choose, Maker::integer(),
                   {less(m.use(a), m.number(3)), m.number(1),
                    m.node(Kind::Choose, Maker::integer(), {m.truth(true), m.use(a), m.use(a)})})),
        shown(m.node(Kind::ToCode, m.code("Card", CodeList::Form::Texts),
                     {m.any(Value::string(m.symbol("s7")))})),
        shown(logic(Kind::Has, {m.any(Value::key(m.symbol("s7")))})),
        shown(m.node(Kind::Table, Maker::type(TypeKind::Any), {m.row("Card", 1), m.row("Seat", 2)},
                     {3})),
        // A kind of which the printer knows nothing comes with its fields.
        shown(m.node(Kind::Given, Maker::type(TypeKind::Any), {m.use(a)}, {4, 0, -1})),
    };
    EXPECT_EQ(printed_action(m, statements), R"(
Print(($a + 1) * -$a)
Print($a + (1 + 2))
Print($a + 1 + 2)
Print(max($a, -1))
Print($a < 1 && true || false)
Print((true || false) && !($a < 1))
Print($a < 3 ? 1 : true ? $a : $a)
Print(ToCode<text of Card>('s7'))
Print(Has("s7"))
Print(Table3[#s7, #south])
Print(Given[x=4 number=-1]($a))
)");
}

} // namespace
} // namespace croupier::engine::ir
