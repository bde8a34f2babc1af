// Functions made by hand, as text.
#include "engine/form/testing.h"
#include "engine/form/to_text.h"

#include <gtest/gtest.h>

namespace croupier::engine::form {

namespace {

std::string printed(const Maker& made, bool notes = false) {
    return "\n" + to_text(made.module, made.function, notes);
}

TEST(print, a_search_over_declared_places) {
    Maker m;
    const VarId seat = m.var("P", m.code("Seat"));
    const VarId card = m.var("C", m.code("Card"));
    const VarId seat_out = m.var("P", m.code("Seat"));
    const VarId card_out = m.var("C", Maker::type(TypeKind::Any));
    const Id inner = m.statement(
        Kind::EachRow,
        {m.node(Kind::Rows, m.set("Card"), {m.use(seat)}, {m.schema("hands.$Seat")})}, {card},
        {m.block({m.statement(Kind::Test,
                              {m.node(Kind::Compare, Maker::type(TypeKind::Truth),
                                      {m.node(Kind::Load, m.code("Suit"), {m.use(card)},
                                              {m.schema("suit.$Card")}),
                                       m.node(Kind::Load, m.code("Suit"), {}, {m.schema("trump")})},
                                      {op(ExprOp::NotEqual)})},
                              {0, 1 + m.note("count", 2), 0, m.note("count", 1)}),
                  m.statement(Kind::Yield, {m.use(seat), m.use(card)})})});
    const Id outer = m.statement(Kind::EachRow, {m.node(Kind::AllRows, m.set("Seat"))}, {seat},
                                 {m.block({inner})});
    const Id store = m.statement(Kind::Store,
                                 {m.node(Kind::Arithmetic, Maker::integer(),
                                         {m.node(Kind::Load, Maker::integer(0, 200),
                                                 {m.use(seat_out)}, {m.schema("points.$Seat")}),
                                          m.number(1)},
                                         {op(ExprOp::Add)}),
                                  m.use(seat_out)},
                                 {m.schema("points.$Seat"), 1});
    m.rule({outer}, {store}, seat_out, 2);
    EXPECT_EQ(card_out, seat_out + 1);
    EXPECT_EQ(printed(m), R"(
group play {
    rule count {
        each $P: Seat in AllRows<Seat> {
            each $C: Card in Rows(hands[$P]) {
                test suit[$C] != trump
                yield $P, $C
            }
        }
    } do $P@2: Seat, $C@2 {
        points[$P@2] = points[$P@2] + 1  (parent present)
    }
}
)");
    EXPECT_NE(printed(m, true).find("test suit[$C] != trump  ; count:1, cuts count:2\n"),
              std::string::npos)
        << printed(m, true);
}

TEST(print, what_a_search_can_hold) {
    Maker m;
    const VarId least = m.var("LEAST", Maker::type(TypeKind::Any));
    const VarId taken = m.var("TAKEN", Maker::integer(3, 4));
    const VarId child = m.var("child", Maker::type(TypeKind::Node));
    const VarId key = m.var("K", Maker::type(TypeKind::Any));
    const Id gather = m.statement(Kind::Gather, {}, {least, op(KeyKind::Min)},
                                  {m.block({m.statement(Kind::Yield, {m.number(7)})})});
    const Id either = m.statement(
        Kind::Alternatives, {}, {taken, 0, 1},
        {m.block({m.statement(Kind::Yield, {m.number(3)})}),
         m.block({m.statement(Kind::NoMatch, {}, {}, {m.block({m.statement(Kind::Fail)})}),
                  m.statement(Kind::Yield, {m.number(4)})}),
         m.block({m.statement(
             Kind::EachChild,
             {m.node(Kind::Child, Maker::type(TypeKind::Node), {m.root(), m.name("open")})},
             {child, key + 1},
             {m.block({m.statement(Kind::SomeMatch, {}, {}, {m.block({m.statement(Kind::Yield)})}),
                       m.statement(Kind::Test, {m.truth(true), m.use(key)}),
                       m.statement(Kind::Yield)})})})});
    m.rule({m.statement(Kind::Try, {}, {m.note("count", 0)}), gather,
            m.statement(Kind::Pass, {}, {0}), either},
           {});
    EXPECT_EQ(printed(m), R"(
group play {
    rule count {
        try count:0
        $LEAST = min of {
            yield 7
        }
        pass count:0
        either {
            yield 3
        } or {
            no match {
                fail
            }
            yield 4
        } then $TAKEN: int 3..4 {
            each $child: node at $K in @root.open {
                some match {
                    yield
                }
                test true  showing $K
                yield
            }
        }
    } do {
    }
}
)");
}

TEST(print, groups_and_rules) {
    Maker m;
    const auto apply = [&](const char* rule, std::vector<BlockId> more) {
        std::vector<BlockId> blocks = {m.block({m.statement(Kind::Yield)}), m.block({})};
        blocks.insert(blocks.end(), more.begin(), more.end());
        return m.statement(Kind::Apply, {}, {m.catalogue().rule_id(rule), 0, 0}, blocks);
    };
    const Id below = m.statement(
        Kind::GroupBelow, {m.node(Kind::Here, Maker::type(TypeKind::Node))}, {},
        {m.block({m.statement(
            Kind::Group, {}, {m.catalogue().group_id("score")},
            {m.block({apply("reckon", {m.block({m.statement(Kind::Print, {m.number(1)})})})})})})});
    const Id agenda = m.statement(
        Kind::Group, {}, {m.catalogue().group_id("urgency")},
        {m.block(
             {apply("urgent", {m.block({}), m.block({m.statement(Kind::Yield, {m.number(2)})})})}),
         m.block({below, apply("one", {m.block({})}), apply("again", {m.block({})})})});
    m.body({agenda});
    EXPECT_EQ(printed(m), R"(
group urgency, agenda {
    rule urgent {
        yield
    } do {
    } salience {
        yield 2
    }
    {
        below @here {
            group score, at once {
                rule reckon {
                    yield
                } do {
                } else {
                    Print(1)
                }
            }
        }
        rule one, first {
            yield
        } do {
        }
        rule again, up to 5 rounds {
            yield
        } do {
        }
    }
}
)");
}

TEST(print, what_is_wrong_is_shown_too) {
    Maker m;
    m.module.values.clear();
    m.rule({m.statement(Kind::Let, {77}, {5}), 99}, {});
    const std::string text = printed(m);
    EXPECT_NE(text.find("$5? = ?\n"), std::string::npos) << text;
    EXPECT_NE(text.find("node 99?\n"), std::string::npos) << text;
}

// All kinds in nodes.def, with operands or without.
TEST(print, every_kind_shows_its_operands) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        Maker m;
        std::vector<Id> operands;
        for (const char c : info_of(static_cast<Kind>(kind)).operands)
            if (c != '*') operands.push_back(m.number(4711));
        const std::size_t count = operands.size();
        const Id made = m.node(static_cast<Kind>(kind), {}, std::move(operands));
        m.body({m.statement(Kind::Print, {made}), made});
        const std::string text = printed(m);
        std::size_t shown = 0;
        for (std::size_t at = 0; (at = text.find("4711", at)) != std::string::npos; ++at)
            ++shown;
        EXPECT_EQ(shown, 2 * count) << text;
    }
}

} // namespace

// Actions and expressions made by hand, as text.

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
        shown(m.node(Kind::KeyCode, m.code("Card", CodeList::Form::Texts),
                     {m.any(Value::string(m.symbol("s7")))})),
        shown(logic(Kind::Has, {m.any(Value::key(m.symbol("s7")))})),
        shown(m.node(Kind::Table, Maker::type(TypeKind::Any), {m.row("Card", 1), m.row("Seat", 2)},
                     {3})),
        // A kind without a case in the printer shows its fields.
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
Print(KeyCode<text of Card>('s7'))
Print(Has("s7"))
Print(Table3[#s7, #south])
Print(Given[x=4 number=-1]($a))
)");
}

} // namespace

} // namespace croupier::engine::form
