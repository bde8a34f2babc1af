// The matcher: runs the ops of a condition and collects its matches.
#include "engine/plan/fits.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"
#include "engine/run/block.h"
#include "engine/run/machine.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace croupier::engine {

bool Machine::has_type(const Value& value, const TypePlan& type) const {
    return is_of_type(value, type, *program_.layout, state_->symbols());
}

bool Machine::compares(ExprOp op, const Value& a, const Value& b) const {
    if (a.tag == Tag::Int && b.tag == Tag::Int) {
        return compare_integers(op, a.integer, b.integer);
    }
    return engine::compares(op, a, b, state_->symbols());
}

// One step of @count, @sum, @min or @max.
void Machine::gather(const Op& op) {
    Value& total = values_[op.a];
    const auto kind = static_cast<KeyKind>(op.b);
    if (kind == KeyKind::Count) {
        ++total.integer;
        return;
    }
    const ExprNode& expr = program_.exprs[op.x];
    const Value raw = eval(op.x, {});
    const Value number = as_number(raw, state_->symbols());
    if (number.tag == Tag::None) {
        fail(RunErrorKind::Type, expr.span,
             "'" + to_text(raw, state_->symbols()) + "' is not a number");
    }
    if (kind == KeyKind::Sum) {
        total = add(expr.span, total, number);
    } else if (total.tag == Tag::None ||
               compares(kind == KeyKind::Min ? ExprOp::Less : ExprOp::Greater, number, total)) {
        total = number;
    }
}

// `to` is `from` with its row in the domain; false if it is no member.
bool Machine::find_row(Value& to, const Value& from, std::uint32_t domain) {
    std::uint16_t row = from.row;
    if (from.domain != domain) {
        const Symbol symbol = symbol_of(from, false);
        row = symbol == kNoSymbol ? kNoRow : program_.layout->domain(domain).row_of(symbol);
        if (row == kNoRow) {
            return false;
        }
    }
    to = from;
    to.domain = domain;
    to.row = row;
    return true;
}

// The rows whose constant compares with `bound` as the plan says.
std::uint64_t Machine::limited(const LimitPlan& limit, const Value& bound) const {
    if (bound.tag == Tag::Int && !limit.masks.empty()) {
        const std::size_t last = limit.masks.size() - (CROUPIER_PLANTED(LastBoundMissed) ? 3 : 1);
        // Far above `low`, the difference fits only where it has no sign.
        const std::uint64_t above =
            static_cast<std::uint64_t>(bound.integer) - static_cast<std::uint64_t>(limit.low);
        const std::size_t place =
            bound.integer < limit.low ? 0 : std::min<std::uint64_t>(above, last);
        return limit.masks[place];
    }
    std::uint64_t mask = 0;
    for (std::size_t row = 0; row < limit.values.size(); ++row) {
        const Value& value = limit.values[row];
        const bool holds = value.tag != Tag::None && compares(limit.compare, value, bound);
        mask |= std::uint64_t{holds} << row;
    }
    return mask;
}

namespace {

// The rows of up to 64 bytes that hold `code`, eight at a time.
std::uint64_t rows_with(const std::byte* bytes, std::uint32_t rows, std::uint8_t code) {
    constexpr std::uint64_t kEach = 0x0101010101010101u;
    constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7fu;
    std::uint64_t mask = 0;
    std::uint32_t row = 0;
    for (; row + 8 <= rows; row += 8) {
        // A byte that is zero has its highest bit set in `equal`, no other has.
        const std::uint64_t differs = load_word(bytes + row) ^ (kEach * code);
        const std::uint64_t high = CROUPIER_PLANTED(HighBitOfBytesUnread) ? 0 : differs;
        const std::uint64_t equal = ~(((differs & kLow) + kLow) | high | kLow);
        mask |= ((equal >> 7) * 0x0102040810204080u >> 56) << row; // one bit of each byte
    }
    for (; row < rows; ++row) {
        mask |= std::uint64_t{bytes[row] == std::byte{code}} << row;
    }
    return mask;
}

std::uint16_t load_entry(const std::byte* from) {
    std::uint16_t entry = 0;
    std::memcpy(&entry, from, sizeof entry);
    return entry;
}

void store_entry(std::byte* to, std::size_t value) {
    const auto entry = static_cast<std::uint16_t>(value);
    std::memcpy(to, &entry, sizeof entry);
}

// The root's field that SetRows adds to is there.
void ensure_field(const Op& op, std::byte* data) {
    if (data[op.y] == std::byte{0}) {
        data[op.y] = std::byte{1};
        std::byte* const order = data + op.t;
        const std::size_t count = load_entry(order) + std::size_t{1};
        store_entry(order, count);
        store_entry(order + 2 * count, op.s);
    }
}

} // namespace

// A firing for each row of the mask, which is present from now on.
inline void Machine::count_added(const Op& op, std::byte* place, std::uint64_t mask) {
    const std::uint64_t count = count_rows(mask);
    if (count > budgets_.matches_per_rule || frame_.firings + count > budgets_.firings) {
        add_too_many(op, place, mask);
    }
    frame_.matches += count;
    frame_.firings += count;
}

inline void Machine::add_rows(const Op& op, std::byte* place, std::uint64_t mask) {
    count_added(op, place, mask);
    if (load_word(place) == 0) {
        ensure_map(op, place);
    }
    merge_rows(place, mask);
}

// The same for a set that is a field of the root, which comes last in the root's order if it is
// new.
inline void Machine::set_rows(const Op& op, std::byte* data, std::uint64_t mask) {
    count_added(op, data + op.x, mask);
    ensure_field(op, data);
    merge_rows(data + op.x, mask);
}

inline void Machine::clear_rows(const Op& op, std::byte* data) {
    ++frame_.matches;
    count_firing(op.note);
    if (data[op.y] == std::byte{0}) {
        return;
    }
    data[op.y] = std::byte{0};
    std::memset(data + op.x, 0, sizeof(std::uint64_t));
    std::byte* const order = data + op.t;
    const std::size_t count = load_entry(order);
    if (load_entry(order + 2 * count) == op.s || CROUPIER_PLANTED(LastFieldForgotten)) {
        store_entry(order + 2 * count, 0);
        store_entry(order, count - 1);
    } else {
        state_->forget_field(static_cast<std::uint16_t>(op.s));
    }
}

// The map of which the place holds rows is there.
void Machine::ensure_map(const Op& op, const std::byte* place) {
    const SchemaNode& map = program_.layout->node(op.y);
    const std::byte* first = state_->data() + program_.layout->node(map.element).presence;
    const std::size_t bytes = program_.layout->node(map.element).words * sizeof(std::uint64_t);
    state_->ensure(op.y,
                   static_cast<std::uint32_t>(static_cast<std::size_t>(place - first) / bytes));
}

// A firing for each row of the kept masks; false if there is none.
bool Machine::add_words(const Op& op, std::byte* place) {
    const std::span<std::uint64_t> masks(&loops_[op.c], op.t);
    std::uint64_t count = 0;
    for (const std::uint64_t mask : masks) {
        count += count_rows(mask);
    }
    if (count == 0) {
        return false;
    }
    frame_.rule = op.note;
    if (count > budgets_.matches_per_rule) {
        too_many_matches(op.note);
    }
    frame_.matches += count;
    frame_.firings += count;
    const bool too_many = frame_.firings > budgets_.firings;
    for (std::size_t i = masks.size(); i-- > 0;) {
        for (; masks[i] != 0 && frame_.firings > budgets_.firings; --frame_.firings) {
            masks[i] &= CROUPIER_PLANTED(FirstRowsTooLate)
                            ? masks[i] - 1
                            : ~std::bit_floor(masks[i]); // those that come too late
        }
    }
    for (std::size_t i = 0; i < masks.size(); ++i) {
        if (masks[i] != 0) {
            ensure_map(op, place);
            merge_rows(place + i * sizeof(std::uint64_t), masks[i]);
        }
    }
    if (too_many) {
        too_many_firings(op.note);
    }
    return true;
}

// The same where the budget ends the run: with all matches, and the firings that it still allows.
void Machine::add_too_many(const Op& op, std::byte* place, std::uint64_t mask) {
    const RulePlan& rule = program_.rules[op.note];
    const std::uint64_t count = count_rows(mask);
    frame_.rule = op.note;
    if (count > budgets_.matches_per_rule) {
        too_many_matches(op.note);
    }
    frame_.matches += count;
    frame_.firings += count;
    for (; frame_.firings > budgets_.firings; --frame_.firings) { // those that come too late
        mask &= CROUPIER_PLANTED(FirstRowsOfWordTooLate) ? mask - 1 : ~std::bit_floor(mask);
    }
    if (mask != 0 && op.code == OpCode::SetRows) {
        ensure_field(op, state_->data());
    } else if (mask != 0) {
        ensure_map(op, place);
    }
    merge_rows(place, mask);
    fail(RunErrorKind::BudgetFirings, rule.span, "more firings than the budget allows");
}

// A rule whose action removes one declared node.
void Machine::clear(const Op& op) {
    frame_.rule = op.note;
    ++frame_.matches;
    count_firing(op.note);
    const NodeRef node{op.y, op.x};
    if (state_->is_present(node)) {
        state_->remove(node);
    }
}

// The first or the next child that fits.
bool Machine::advance(const Op& op, bool first) {
    NodeRef node = first ? first_child(nodes_[op.b]) : next_sibling(nodes_[op.a]);
    const TypePlan& type = program_.types[op.x];
    while (node) {
        step();
        if (op.c == kNoRegister && type.kind == TypePlan::Kind::Any) {
            break;
        }
        const Value name = key(node);
        if (has_type(name, type)) {
            if (op.c != kNoRegister) {
                values_[op.c] = name;
            }
            break;
        }
        node = next_sibling(node);
    }
    nodes_[op.a] = node;
    return static_cast<bool>(node);
}

// Tests of values in general.
bool Machine::holds(const Op& op) {
    const Symbols& symbols = state_->symbols();
    switch (op.code) {
    case OpCode::Bind: {
        const Value& found = values_[op.b];
        const bool fits = found.tag != Tag::None && has_type(found, program_.types[op.x]);
        if (fits) {
            values_[op.a] = found;
        }
        return fits;
    }
    case OpCode::Same: {
        const Value& found = values_[op.b];
        return found.tag != Tag::None && equal(values_[op.a], found, symbols) &&
               has_type(found, program_.types[op.x]);
    }
    case OpCode::Constant: {
        const Value& found = values_[op.a];
        return found.tag != Tag::None && equal(found, program_.values[op.x], symbols);
    }
    case OpCode::OneOf: {
        const Value& found = values_[op.a];
        if (found.tag != Tag::None) {
            for (const ExprId choice : program_.lists[op.x]) {
                if (equal(found, eval(choice, found), symbols)) {
                    return true;
                }
            }
        }
        return false;
    }
    case OpCode::Compare: {
        const Value& found = values_[op.a];
        return found.tag != Tag::None &&
               compares(static_cast<ExprOp>(op.b), found, eval(op.x, found));
    }
    case OpCode::EqualExpr: {
        const Value& found = values_[op.a];
        return found.tag != Tag::None && equal(found, eval(op.x, found), symbols);
    }
    case OpCode::Test: {
        const Value& found = values_[op.a];
        if (found.tag == Tag::None && program_.exprs[op.x].needs_this) {
            return false;
        }
        const Value result = eval(op.x, found);
        return result.tag == Tag::Bool ? result.truth()
                                       : found.tag != Tag::None && equal(found, result, symbols);
    }
    case OpCode::True: {
        const Value result = eval(op.x, {});
        return result.tag == Tag::Bool && result.truth();
    }
    default: { // Assign and AssignSame
        const Value found = op.b == kNoRegister ? Value{} : values_[op.b];
        if (found.tag == Tag::None && program_.exprs[op.x].needs_this) {
            return false;
        }
        const Value result = eval(op.x, found);
        const bool fits = has_type(result, program_.types[op.y]);
        if (op.code == OpCode::Assign) {
            values_[op.a] = result;
            return fits;
        }
        return fits && equal(values_[op.a], result, symbols);
    }
    }
}

void Machine::keep_match(const RulePlan& rule) {
    if (++found_ > budgets_.matches_per_rule ||
        (CROUPIER_PLANTED(LastMatchRefused) && found_ == budgets_.matches_per_rule)) {
        fail(RunErrorKind::BudgetMatches, rule.span,
             "more than " + std::to_string(budgets_.matches_per_rule) + " matches");
    }
    ++frame_.matches;
    step();
    for (const Variable& variable : rule.variables) {
        buffer_.push_back(values_[variable.reg]);
    }
}

// Compare: numbers with numbers, and texts with texts where they must only differ, at once.
inline bool Machine::compares_simply(const Op& op) {
    const Value& found = values_[op.a];
    const ExprNode& expr = program_.exprs[op.x];
    const Value& other = expr.op == ExprOp::Variable ? values_[expr.reg] : expr.literal;
    const bool simple = expr.op == ExprOp::Variable || expr.op == ExprOp::Literal;
    const bool same_kind =
        simple && (found.tag == other.tag ||
                   (CROUPIER_PLANTED(TextsComparedAsNumbers) && other.tag != Tag::None));
    if (same_kind && found.tag == Tag::Int) {
        return compare_integers(static_cast<ExprOp>(op.b), found.integer, other.integer);
    }
    if (simple && found.is_text() && other.is_text()) {
        if (op.b == static_cast<int>(ExprOp::Equal)) {
            return found.symbol() == other.symbol();
        }
        if (op.b == static_cast<int>(ExprOp::NotEqual)) {
            return found.symbol() != other.symbol();
        }
    }
    return holds(op);
}

// The node to which an op of that kind leads.
inline NodeRef Machine::sought(OpCode code, const Op& op) {
    switch (code) {
    case OpCode::Child:
        return child(nodes_[op.b], op.x);
    case OpCode::ChildKey:
        return child_by_key(nodes_[op.b], op.x);
    case OpCode::Parent:
        return parent(nodes_[op.b]);
    default:
        return walk(nodes_[op.b], op.x);
    }
}

inline void Machine::first_word(const Op& op) {
    values_[op.a].row = 0;
    if (op.c != kNoRegister) {
        std::fill_n(loops_.begin() + op.c, op.y, 0);
    }
}

// The ops that have no instructions of their own, and those that translated plans leave to the
// machine; true: they go on at the next op.
template <OpCode code>
inline bool Machine::test(const Op& op) {
    const Value* const values = values_.data();
    std::byte* const data = state_->data();
    std::uint64_t& mask = frame_.mask;
    const auto instance = [&] {
        return NodeRef{op.y, static_cast<std::uint32_t>(address(values, op))};
    };
    switch (code) {
    case OpCode::Child:
    case OpCode::ChildKey:
    case OpCode::Parent:
    case OpCode::Path:
        nodes_[op.a] = sought(code, op);
        return static_cast<bool>(nodes_[op.a]);
    case OpCode::NoChild:
        return !sought(OpCode::Child, op);
    case OpCode::NoChildKey:
        return !sought(OpCode::ChildKey, op);
    case OpCode::NoParent:
        return !sought(OpCode::Parent, op);
    case OpCode::NoPath:
        return !sought(OpCode::Path, op);
    case OpCode::Each:
    case OpCode::EachNext:
        return advance(op, code == OpCode::Each);
    case OpCode::Load:
        values_[op.a] = value(nodes_[op.b]);
        return true;
    case OpCode::Read:
        values_[op.a] = state_->value_or_none(instance());
        return true;
    case OpCode::Exists:
        return state_->is_present(instance());
    case OpCode::Missing:
        return !state_->is_present(instance());
    case OpCode::Row:
        return find_row(values_[op.a], values_[op.b], op.x);
    case OpCode::CodeIs:
    case OpCode::ByteIs:
        return byte(data, address(values, op)) == op.y;
    case OpCode::MaskLimit:
        mask &= limited(program_.limits[op.x + values[op.c].row], values[op.a]);
        return mask != 0;
    case OpCode::MaskCodeAny:
        mask &= ~rows_with(data + address(values, op), rows_of_word(values, op), 0);
        return mask != 0;
    case OpCode::MaskCodeIs:
        mask &= rows_with(data + address(values, op), rows_of_word(values, op),
                          static_cast<std::uint8_t>(op.a));
        return mask != 0;
    case OpCode::MaskCodeSame:
        mask &= rows_with(data + address(values, op), rows_of_word(values, op),
                          static_cast<std::uint8_t>(values[op.a].row + 1));
        return mask != 0;
    case OpCode::WordFirst:
        first_word(op);
        return true;
    case OpCode::OrWords:
        return !add_words(op, data + op.x + std::size_t{values[op.b].row} * op.s);
    case OpCode::OrRows:
        add_rows(op, data + address(values, op), mask);
        return true;
    case OpCode::SetRows:
        set_rows(op, data, mask);
        return true;
    case OpCode::Apply:
        apply_rule(op.y);
        return true;
    case OpCode::Clear:
        clear(op);
        return true;
    case OpCode::Resume:
        frame_.target = native_->place_of(program_.jumps[op.x + cursors_[op.a]]);
        return true;
    case OpCode::Gather:
        gather(op);
        return true;
    case OpCode::Emit:
        keep_match(*emitting_);
        return true;
    case OpCode::Try:
    case OpCode::Pass:
    case OpCode::Cut:
        watch(op);
        return true;
    case OpCode::Bind:
    case OpCode::Same:
    case OpCode::Constant:
    case OpCode::OneOf:
    case OpCode::Compare:
    case OpCode::EqualExpr:
    case OpCode::Test:
    case OpCode::True:
    case OpCode::Assign:
    case OpCode::AssignSame:
        return holds(op);
    default: // all others are translated
        assert(false);
        return false;
    }
}

// One function for each op, so that the processor learns where each leads.
template <OpCode code>
std::int32_t Machine::test_apart(native::Frame* frame, const Op* op) noexcept {
    Machine& machine = *frame->machine;
    try {
        const bool holds = machine.test<code>(*op);
        if constexpr (code == OpCode::Apply) {
            frame->data = machine.state_->data(); // the block may have moved
        }
        return holds ? native::kGoesOn : native::kFails;
    } catch (...) {
        return machine.note_thrown();
    }
}

native::Apart Machine::test_apart_of(OpCode code) {
    switch (code) {
#define OP(name, operands, meaning)                                                                \
    case OpCode::name:                                                                             \
        return test_apart<OpCode::name>;
#define ACTION_OP(name, operands, meaning)
#include "engine/plan/opcodes.def"
#undef OP
    default:
        return nullptr;
    }
}

void Machine::watch(const Op& op) {
    if (observer_ == nullptr) {
        return;
    }
    const Note& note = program_.notes[op.x];
    if (op.code == OpCode::Try) {
        observer_->entry_tried(note, values_, *state_);
    } else if (op.code == OpCode::Pass) {
        observer_->entry_passed(note, values_, *state_);
    } else {
        observer_->entry_cut(note, op.a == kNoRegister ? nullptr : &values_[op.a], values_,
                             *state_);
    }
}

// How one op leads to the next: a jump at the end of each, which the processor predicts by itself,
// through addresses of labels where the compiler has them; elsewhere a switch, 1.3 times as slow.
#if defined(__GNUC__) && !defined(CROUPIER_SWITCH)
#define CROUPIER_LABELS 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#define CODE(name)                                                                                 \
    name:
// NOLINTNEXTLINE(bugprone-macro-parentheses): a jump takes none.
#define GO_ON                                                                                      \
    CROUPIER_REACHED_OP(interpreted, op->code);                                                    \
    goto* kLabels[static_cast<std::size_t>(op->code)]
#else
#define CROUPIER_LABELS 0
#define CODE(name) case OpCode::name:
#define GO_ON                                                                                      \
    CROUPIER_REACHED_OP(interpreted, op->code);                                                    \
    goto next
#endif
#define GO_TO(place)                                                                               \
    do {                                                                                           \
        op = (place);                                                                              \
        GO_ON;                                                                                     \
    } while (false)
#define NEXT GO_TO(op + 1)
#define FAIL GO_TO(code + op->fail)
// Two jumps, not one to either place: what comes next is guessed before the test is done.
#define NEXT_IF(holds)                                                                             \
    do {                                                                                           \
        if (holds) {                                                                               \
            NEXT;                                                                                  \
        }                                                                                          \
        FAIL;                                                                                      \
    } while (false)

void Machine::search(std::uint32_t pc, const RulePlan* rule) {
    emitting_ = rule;
    if (native_ == nullptr) {
        interpret(pc);
    } else {
        run_native(pc);
    }
}

// 1. Follow the ops; each either goes on to the next or jumps to its `fail`.
// 2. `Emit` keeps one match and the op after it jumps back into the innermost loop.
// 3. `Done` is where the outermost loop ends.
// Op, block, mask and tables stay in machine registers, so whatever is rare or long is a call. The
// speed is bound by the loads that find nodes, and by jumps that are guessed wrong.
void Machine::interpret(std::uint32_t pc) {
    const Op* const code = program_.code.data();
    const Op* op = code + pc;
    Value* const values = values_.data();
    std::byte* data = state_->data();
    std::uint64_t mask = 0; // the rows of the map at hand
    const std::uint64_t* const masks = program_.masks.data();
#if CROUPIER_LABELS
    static const void* const kLabels[] = {
// NOLINTNEXTLINE(bugprone-macro-parentheses): the name of a label.
#define OP(name, operands, meaning) &&name,
#define ACTION_OP(name, operands, meaning) &&Done,
#include "engine/plan/opcodes.def"
#undef OP
    };
    GO_TO(op);
#else
next:
    switch (op->code)
#endif
    {
        CODE(Root) {
            nodes_[op->a] = nodes_[0];
            NEXT;
        }
        CODE(Child) {
            NEXT_IF(test<OpCode::Child>(*op));
        }
        CODE(ChildKey) {
            NEXT_IF(test<OpCode::ChildKey>(*op));
        }
        CODE(Each) {
            if (advance(*op, true)) {
                GO_TO(op + 2);
            }
            FAIL;
        }
        CODE(EachNext) {
            NEXT_IF(test<OpCode::EachNext>(*op));
        }
        CODE(Parent) {
            NEXT_IF(test<OpCode::Parent>(*op));
        }
        CODE(Path) {
            NEXT_IF(test<OpCode::Path>(*op));
        }
        CODE(NoChild) {
            NEXT_IF(test<OpCode::NoChild>(*op));
        }
        CODE(NoChildKey) {
            NEXT_IF(test<OpCode::NoChildKey>(*op));
        }
        CODE(NoParent) {
            NEXT_IF(test<OpCode::NoParent>(*op));
        }
        CODE(NoPath) {
            NEXT_IF(test<OpCode::NoPath>(*op));
        }

        CODE(Load) {
            NEXT_IF(test<OpCode::Load>(*op));
        }
        CODE(Bind) {
            NEXT_IF(test<OpCode::Bind>(*op));
        }
        CODE(Same) {
            NEXT_IF(test<OpCode::Same>(*op));
        }
        CODE(Constant) {
            NEXT_IF(test<OpCode::Constant>(*op));
        }
        CODE(OneOf) {
            NEXT_IF(test<OpCode::OneOf>(*op));
        }
        CODE(Compare) {
            NEXT_IF(compares_simply(*op));
        }
        CODE(EqualExpr) {
            NEXT_IF(test<OpCode::EqualExpr>(*op));
        }
        CODE(Test) {
            NEXT_IF(test<OpCode::Test>(*op));
        }
        CODE(True) {
            NEXT_IF(test<OpCode::True>(*op));
        }
        CODE(Assign) {
            NEXT_IF(test<OpCode::Assign>(*op));
        }
        CODE(AssignSame) {
            NEXT_IF(test<OpCode::AssignSame>(*op));
        }

        CODE(Read) {
            NEXT_IF(test<OpCode::Read>(*op));
        }
        CODE(Exists) {
            NEXT_IF(test<OpCode::Exists>(*op));
        }
        CODE(Missing) {
            NEXT_IF(test<OpCode::Missing>(*op));
        }
        CODE(ReadCode) {
            values[op->a] = program_.values[op->y + byte(data, address(values, *op))];
            NEXT;
        }
        CODE(ReadTable) {
            values[op->a] = program_.values[address(values, *op)];
            NEXT;
        }
        CODE(Has) {
            NEXT_IF(values[op->a].tag != Tag::None);
        }
        CODE(HasNot) {
            NEXT_IF(values[op->a].tag == Tag::None);
        }
        CODE(Row) {
            NEXT_IF(test<OpCode::Row>(*op));
        }
        CODE(CodeAny) {
            NEXT_IF(byte(data, address(values, *op)) != 0);
        }
        CODE(CodeNone) {
            NEXT_IF(byte(data, address(values, *op)) == 0);
        }
        CODE(CodeIs) {
            NEXT_IF(byte(data, address(values, *op)) == op->y);
        }
        CODE(CodeSame) {
            NEXT_IF(byte(data, address(values, *op)) == values[op->a].row + 1u);
        }
        CODE(BitSet) {
            NEXT_IF(bit_at(data, values, *op));
        }
        CODE(BitClear) {
            NEXT_IF(!bit_at(data, values, *op));
        }
        CODE(MaskAll) {
            mask = ~std::uint64_t{0} >> (64 - rows_of_word(values, *op));
            NEXT;
        }
        CODE(MaskRows) {
            mask = word_at(data, values, *op);
            NEXT_IF(mask != 0);
        }
        CODE(MaskAnd) {
            mask &= word_at(data, values, *op);
            NEXT_IF(mask != 0);
        }
        CODE(MaskAndNot) {
            mask &= ~word_at(data, values, *op);
            NEXT_IF(mask != 0);
        }
        CODE(MaskTable) {
            mask &= masks[op->x + values[op->b].row * op->s + values[op->c].row];
            NEXT_IF(mask != 0);
        }
        CODE(MaskLimit) {
            mask &= limited(program_.limits[op->x + values[op->c].row], values[op->a]);
            NEXT_IF(mask != 0);
        }
        CODE(MaskCodeAny) {
            mask &= ~rows_with(data + address(values, *op), rows_of_word(values, *op), 0);
            NEXT_IF(mask != 0);
        }
        CODE(MaskCodeIs) {
            mask &= rows_with(data + address(values, *op), rows_of_word(values, *op),
                              static_cast<std::uint8_t>(op->a));
            NEXT_IF(mask != 0);
        }
        CODE(MaskCodeSame) {
            const auto wanted = static_cast<std::uint8_t>(values[op->a].row + 1);
            mask &= rows_with(data + address(values, *op), rows_of_word(values, *op), wanted);
            NEXT_IF(mask != 0);
        }
        CODE(MaskEach) {
            if (mask == 0) {
                FAIL;
            }
            step();
            values[op->a] = program_.values[row_of_word(values, *op, mask)];
            loops_[op->c] = mask & (mask - 1);
            GO_TO(op + 2);
        }
        CODE(MaskNext) {
            const std::uint64_t left = loops_[op->c];
            if (left == 0) {
                FAIL;
            }
            step();
            values[op->a] = program_.values[row_of_word(values, *op, left)];
            loops_[op->c] = left & (left - 1);
            NEXT;
        }
        CODE(MaskCount) {
            values[op->a] = Value::number(static_cast<std::int64_t>(count_rows(mask)));
            NEXT;
        }
        CODE(WordFirst) {
            first_word(*op);
            GO_TO(op + 2);
        }
        CODE(WordNext) {
            NEXT_IF(++values[op->a].row < op->y);
        }
        CODE(KeepMask) {
            loops_[std::size_t{op->c} + values[op->a].row] = mask;
            FAIL;
        }
        CODE(MaskAdd) {
            values[op->a].integer += static_cast<std::int64_t>(count_rows(mask));
            FAIL;
        }
        CODE(OrWords) {
            NEXT_IF(test<OpCode::OrWords>(*op));
        }
        CODE(OrRows) {
            add_rows(*op, data + address(values, *op), mask);
            FAIL;
        }

        CODE(SetRows) {
            set_rows(*op, data, mask);
            FAIL;
        }
        CODE(ClearRows) {
            clear_rows(*op, data);
            NEXT;
        }
        CODE(ByteAny) {
            NEXT_IF(byte(data, op->x) != 0);
        }
        CODE(ByteNone) {
            NEXT_IF(byte(data, op->x) == 0);
        }
        CODE(ByteIs) {
            NEXT_IF(byte(data, op->x) == op->y);
        }
        CODE(ByteIn) {
            const std::uint8_t held = byte(data, op->y);
            NEXT_IF(((masks[op->x + held / 64] >> (held % 64)) & 1) != 0);
        }
        CODE(ByteSame) {
            NEXT_IF(byte(data, op->x) == byte(data, op->y) && byte(data, op->x) != 0);
        }
        CODE(FlagSet) {
            NEXT_IF((byte(data, op->x) & op->y) != 0);
        }
        CODE(FlagClear) {
            NEXT_IF((byte(data, op->x) & op->y) == 0);
        }
        CODE(ByteRows) {
            mask = byte_rows(data, *op);
            NEXT_IF(mask != 0);
        }
        CODE(ByteTable) {
            mask &= masks[op->x + byte(data, op->y)];
            NEXT_IF(mask != 0);
        }
        CODE(ByteRowsTable) {
            mask = byte_rows_table(data, masks, *op);
            NEXT_IF(mask != 0);
        }
        CODE(AddRows) {
            mask = byte_rows(data, *op);
            if (mask == 0) {
                FAIL;
            }
            ++op;
            set_rows(*op, data, mask);
            FAIL;
        }
        CODE(AddRowsTable) {
            mask = byte_rows_table(data, masks, *op);
            if (mask == 0) {
                FAIL;
            }
            ++op;
            set_rows(*op, data, mask);
            FAIL;
        }
        CODE(BytePair) {
            NEXT_IF(((masks[op->x + byte(data, op->y)] >> byte(data, op->a)) & 1) != 0);
        }
        CODE(BytePairWide) {
            const std::uint8_t bit = byte(data, op->a);
            const std::size_t word = op->x + std::size_t{byte(data, op->y)} * op->s + bit / 64;
            NEXT_IF(((masks[word] >> (bit % 64)) & 1) != 0);
        }

        CODE(Enter) {
            frame_.rule = op->y;
            NEXT;
        }
        CODE(Act) {
            frame_.rule = op->y;
            ++frame_.matches;
            fire(op->y, op->x);
            data = state_->data(); // the block may have moved
            NEXT;
        }
        CODE(Within) {
            NEXT_IF(op->y <= budgets_.matches_per_rule &&
                    frame_.firings + op->y <= budgets_.firings);
        }
        CODE(Fired) {
            frame_.rule = op->y;
            ++frame_.matches;
            count_firing(op->y);
            NEXT;
        }
        CODE(Apply) {
            apply_rule(op->y);
            data = state_->data();
            NEXT;
        }
        CODE(Clear) {
            clear(*op);
            NEXT;
        }

        CODE(Jump) {
            GO_TO(code + op->x);
        }
        CODE(Choose) {
            cursors_[op->a] = op->x;
            NEXT;
        }
        CODE(Resume) {
            GO_TO(code + program_.jumps[op->x + cursors_[op->a]]);
        }
        CODE(Start) {
            const auto kind = static_cast<KeyKind>(op->b);
            const bool from_zero = kind == KeyKind::Count || kind == KeyKind::Sum;
            values[op->a] = from_zero ? Value::number(std::int64_t{0}) : Value{};
            NEXT;
        }
        CODE(Gather) {
            NEXT_IF(test<OpCode::Gather>(*op));
        }
        CODE(Finish) {
            NEXT_IF(values[op->a].tag != Tag::None);
        }
        CODE(Emit) {
            NEXT_IF(test<OpCode::Emit>(*op));
        }
        CODE(Try) {
            NEXT_IF(test<OpCode::Try>(*op));
        }
        CODE(Pass) {
            NEXT_IF(test<OpCode::Pass>(*op));
        }
        CODE(Cut) {
            NEXT_IF(test<OpCode::Cut>(*op));
        }
#if !CROUPIER_LABELS
    default: // ops of actions do not stand in conditions
#endif
        CODE(Done) {
            return;
        }
    }
}

#undef CODE
#undef GO_ON
#undef GO_TO
#undef NEXT
#undef FAIL
#undef NEXT_IF
#if CROUPIER_LABELS
#pragma GCC diagnostic pop
#endif

} // namespace croupier::engine
