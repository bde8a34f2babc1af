// Searches: runs the rest of the block for every way in which a condition can hold.
#include "engine/form/evaluate.h"
#include "engine/run/executor.h"

#include <algorithm>
#include <bit>

namespace croupier::engine {

namespace {

std::span<std::uint64_t> none_of(std::span<std::uint64_t> words) {
    std::fill(words.begin(), words.end(), 0);
    return words;
}

} // namespace

// Reports that a partial match fails at an entry.
void Executor::cut(const Node& failing, const Value* found) {
    if (!tells_entries_ || !failing.cuts()) return;
    const bool one_of_many = failing.cuts_one();
    const Note& note = module_.notes[failing.cut()];
    if (tells_why_) {
        Stopped stopped{.note = note, .test = {}, .values = shown_, .runtime = runtime_};
        stopped.one_of_many = one_of_many;
        stopped.no_way_left = failing.kind == Kind::Fail;
        stopped.found = found;
        tell_stopped(failing, stopped);
    }
    if (!one_of_many) observer_->entry_cut(note, found, shown_, runtime_.state());
}

// Reports the two values of a comparison, computed again, unless that would draw another random
// number.
void Executor::tell_stopped(const Node& failing, Stopped& stopped) {
    Value left;
    Value right;
    if (failing.kind == Kind::Test) {
        const Node& truth = at(failing.operands[0]);
        stopped.test = span_of(truth);
        if (truth.kind == Kind::Compare && !draws(truth)) {
            left = value(truth.operands[0]);
            right = value(truth.operands[1]);
            stopped.left = &left;
            stopped.right = &right;
            stopped.compare = truth.op();
        }
    }
    observer_->entry_stopped(stopped);
}

bool Executor::draws(const Node& node) const {
    return node.kind == Kind::Random ||
           std::any_of(node.operands.begin(), node.operands.end(),
                       [&](form::Id operand) { return draws(at(operand)); });
}

void Executor::run(Is<Kind::Let>, const Node& node, Nothing) {
    set(node.var(), slot_as(node.type, node.operands[0]));
}

void Executor::run(Is<Kind::LetRows>, const Node& node, Nothing) {
    sets_[node.var()] = rows(node.operands[0]);
}

void Executor::run(Is<Kind::LetTouching>, const Node& node, Nothing) {
    count_touching(node, 1, [](std::uint64_t count) { return count != 0 ? 1u : 0u; });
}

void Executor::run(Is<Kind::LetCounts>, const Node& node, Nothing) {
    count_touching(node, node.count(), [](std::uint64_t count) { return count; });
}

// Counts for each row how many rows of the set its own mask shares, as binary digits in variables.
template <typename Digits>
void Executor::count_touching(const Node& node, std::uint32_t digits, Digits digits_of) {
    const Rows set = rows(node.operands[0]);
    const form::LookupTable& table = *node.table;
    const std::uint32_t size = table.sizes[0] - 1;
    const std::size_t words = words_for(size);
    std::fill(node.words.begin(), node.words.end(), 0);
    for (std::uint32_t i = 0; i < digits; ++i)
        sets_[node.var() + i] = node.words.subspan(i * words, words);
    for (std::uint32_t row = 0; row < size; ++row) {
        const std::uint64_t* const own = table.words.data() + (row + std::size_t{1}) * set.size();
        std::uint64_t count = 0;
        for (std::size_t w = 0; w < set.size(); ++w)
            count += count_rows(set[w] & own[w]);
        const std::uint64_t made = digits_of(count);
        for (std::uint32_t i = 0; i < digits; ++i)
            node.words[i * words + row / kWordRows] |= (made >> i & 1) << row % kWordRows;
    }
}

Executor::Flow Executor::run(Is<Kind::Test>, const Node& node, const Taker&) {
    if (truth(node.operands[0])) return Flow::GoesOn;
    if (tells_entries_ && node.operands.size() > 1) {
        const Value found = value(node.operands[1]);
        cut(node, &found);
    } else {
        cut(node, nullptr);
    }
    return Flow::GoesBack;
}

Executor::Flow Executor::run(Is<Kind::Fail>, const Node& node, const Taker&) {
    cut(node, nullptr);
    return Flow::GoesBack;
}

Executor::Flow Executor::run(Is<Kind::EachChild>, const Node& node, const Taker& taker) {
    NodeRef child = runtime_.first_child(this->node(node.operands[0]));
    for (; visit_child(node, child); child = runtime_.next_sibling(slots_[node.var()].node))
        if (search(node.blocks[0], taker) == Flow::Ends) return Flow::Ends;
    return Flow::GoesOn;
}

Executor::Flow Executor::run(Is<Kind::EachRow>, const Node& node, const Taker& taker) {
    const Rows rows = this->rows(node.operands[0]);
    const std::vector<Value>& values = module_.lists[at(node.operands[0]).type.list].values;
    const bool as_value = node.type.kind == form::TypeKind::Any;
    const auto visit = [&](std::uint32_t row) {
        runtime_.count_step();
        set(node.var(), as_value ? Slot(values[row]) : Slot(row + 1));
        return search(node.blocks[0], taker);
    };
    if (node.table != nullptr) {
        const std::size_t entry = entry_of(node, 1);
        std::size_t entries = 1;
        for (const std::uint32_t size : node.table->sizes)
            entries *= size;
        const std::uint64_t* const order =
            &node.table->words[entry * (node.table->words.size() / entries)];
        for (std::size_t i = 0; const std::uint32_t code = form::row_in_order(order, i); ++i) {
            const std::uint32_t row = code - 1;
            const bool there = (rows[row / kWordRows] >> row % kWordRows & 1) != 0;
            if (there && visit(row) == Flow::Ends) return Flow::Ends;
        }
        return Flow::GoesOn;
    }
    for (std::uint32_t word = 0; word < rows.size(); ++word) {
        for (std::uint64_t left = rows[word]; left != 0; left &= left - 1) {
            if (CROUPIER_MISTAKE(LastRowOfWordUnseen) && left == std::uint64_t{1} << 63) break;
            if (visit(word * kWordRows + static_cast<std::uint32_t>(std::countr_zero(left))) ==
                Flow::Ends)
                return Flow::Ends;
        }
    }
    return Flow::GoesOn;
}

Executor::Flow Executor::run(Is<Kind::Alternatives>, const Node& node, const Taker& taker) {
    const form::BlockId rest = node.blocks.back();
    auto go_on = [&](const Node& yield) {
        for (std::uint32_t i = 0; i < node.count(); ++i)
            set(node.var() + i, slot_as(function().vars[node.var() + i].type, yield.operands[i]));
        return search(rest, taker) != Flow::Ends;
    };
    for (std::size_t i = 0; i + 1 < node.blocks.size(); ++i)
        if (search(node.blocks[i], Taker(go_on)) == Flow::Ends) return Flow::Ends;
    return Flow::GoesOn;
}

Executor::Flow Executor::run(Is<Kind::NoMatch>, const Node& node, const Taker&) {
    if (!has_result(node.blocks[0])) return Flow::GoesOn;
    cut(node, nullptr);
    return Flow::GoesBack;
}

Executor::Flow Executor::run(Is<Kind::SomeMatch>, const Node& node, const Taker&) {
    if (has_result(node.blocks[0])) return Flow::GoesOn;
    cut(node, nullptr);
    return Flow::GoesBack;
}

Executor::Flow Executor::run(Is<Kind::Gather>, const Node& node, const Taker&) {
    const auto kind = node.gathers();
    const bool from_zero = kind == KeyKind::Count || kind == KeyKind::Sum;
    Value total = from_zero ? Value::number(std::int64_t{0}) : Value{};
    auto add = [&](const Node& yield) {
        if (kind == KeyKind::Count) {
            ++total.integer;
            return true;
        }
        const Value next = runtime_.number(value(yield.operands[0]), span_of(node));
        if (kind == KeyKind::Sum)
            total = runtime_.arithmetic(ExprOp::Add, total, next, span_of(node));
        else if (total.tag == Tag::None ||
                 runtime_.compares(kind == KeyKind::Min ? ExprOp::Less : ExprOp::Greater, next,
                                   total))
            total = next;
        return true;
    };
    search(node.blocks[0], Taker(add));
    set(node.var(), Slot(total));
    return Flow::GoesOn;
}

Executor::Flow Executor::run(Is<Kind::Yield>, const Node& node, const Taker& taker) {
    return taker(node) ? Flow::GoesBack : Flow::Ends;
}

// The taker takes all rows at once.
Executor::Flow Executor::run(Is<Kind::YieldRows>, const Node& node, const Taker& taker) {
    return taker(node) ? Flow::GoesBack : Flow::Ends;
}

void Executor::run(Is<Kind::Try>, const Node& node, Nothing) {
    if (tells_why_) {
        observer_->entry_stands(module_.notes[node.entry_note()], this->node(node.operands[0]),
                                node.of_child(), shown_, runtime_);
    }
    if (tells_entries_ && !node.of_child())
        observer_->entry_tried(module_.notes[node.entry_note()], shown_, runtime_.state());
}

void Executor::run(Is<Kind::Pass>, const Node& node, Nothing) {
    if (tells_entries_)
        observer_->entry_passed(module_.notes[node.entry_note()], shown_, runtime_.state());
}

// ---- declared nodes --------------------------------------------------------------------------

// Computes all codes, also after one that is 0.
NodeRef Executor::instance(const Node& node, std::size_t first) {
    const InstancePlace& place = *node.place;
    std::uint32_t index = 0;
    bool is_any = true;
    for (std::size_t i = first; i < node.operands.size(); ++i) {
        const std::uint32_t code = this->code(node.operands[i]);
        is_any = is_any && code != 0;
        index += (code - 1) * place.scales[i - first];
    }
    return is_any ? NodeRef{place.schema, index} : NodeRef{};
}

Slot Executor::run(Is<Kind::Present>, const Node& node, Nothing) {
    return Slot(runtime_.is_present(instance(node)));
}

Slot Executor::run(Is<Kind::Load>, const Node& node, Nothing) {
    const NodeRef leaf = instance(node);
    // Such a column stores the codes of the leaf's list.
    const InstancePlace& place = *node.place;
    const bool as_code = node.type.kind == form::TypeKind::Code;
    if (place.column == Column::Code8 && as_code) {
        const std::byte* const held = runtime_.state().data() + place.values;
        return Slot(leaf ? static_cast<std::uint32_t>(held[leaf.index]) : 0u);
    }
    if (place.column == Column::Code16 && as_code)
        return Slot(leaf ? static_cast<std::uint32_t>(runtime_.state().held(leaf).low) : 0u);
    return slot_of(node.type, runtime_.value_at(leaf));
}

Slot Executor::run(Is<Kind::NodeAt>, const Node& node, Nothing) {
    return Slot(runtime_.node_at(instance(node)));
}

// ---- tables ----------------------------------------------------------------------------------

std::size_t Executor::entry_of(const Node& node, std::size_t first) {
    std::size_t entry = 0;
    for (std::size_t i = first; i < node.operands.size(); ++i) {
        entry = entry * node.table->sizes[CROUPIER_MISTAKE(EntryByFirstSize) ? 0 : i - first] +
                code(node.operands[i]);
    }
    return entry;
}

Slot Executor::run(Is<Kind::Table>, const Node& node, Nothing) {
    return node.slots[node.table->values.places()[entry_of(node)]];
}

Executor::Rows Executor::run(Is<Kind::TableRows>, const Node& node, Nothing) {
    const std::size_t words = node.words.size();
    return Rows(node.table->words).subspan(entry_of(node) * words, words);
}

// ---- sets of rows, each in its node's words --------------------------------------------------

Executor::Rows Executor::run(Is<Kind::Rows>, const Node& node, Nothing) {
    const NodeRef map = instance(node);
    const std::span<std::uint64_t> rows = none_of(node.words);
    if (!map) return rows;
    const State& state = runtime_.state();
    const std::uint32_t size = size_of(node.type.list);
    for (std::uint32_t row = state.next_row(map, 0); row < size; row = state.next_row(map, row + 1))
        rows[row / kWordRows] |= std::uint64_t{1} << row % kWordRows;
    return rows;
}

Executor::Rows Executor::run(Is<Kind::AllRows>, const Node& node, Nothing) {
    const std::span<std::uint64_t> all = node.words;
    const std::uint32_t size = size_of(node.type.list);
    std::fill(all.begin(), all.end(), ~std::uint64_t{0});
    if (size % kWordRows != 0) all.back() = (std::uint64_t{1} << (size % kWordRows)) - 1;
    return all;
}

Executor::Rows Executor::run(Is<Kind::RowsWith>, const Node& node, Nothing) {
    const std::uint32_t wanted = code(node.operands[0]);
    const NodeRef map = instance(node, 1);
    const std::span<std::uint64_t> rows = none_of(node.words);
    if (!map || wanted == 0) return rows;
    const State& state = runtime_.state();
    const SchemaId element = catalogue_.layout->node(map.schema).element;
    const std::uint32_t size = size_of(node.type.list);
    const std::uint32_t first = (CROUPIER_MISTAKE(RowsOfFirstMap) ? 0 : map.index) * size;
    for (std::uint32_t row = 0; row < size; ++row) {
        const bool has = state.held({element, first + row}).low == wanted;
        rows[row / kWordRows] |= std::uint64_t{has} << row % kWordRows;
    }
    return rows;
}

Executor::Rows Executor::run(Is<Kind::RowsOf>, const Node& node, Nothing) {
    return sets_[node.var()];
}

// Joins the words of both operands.
template <typename Join>
Executor::Rows Executor::joined(const Node& node, Join join) {
    const Rows a = rows(node.operands[0]);
    const Rows b = rows(node.operands[1]);
    for (std::size_t i = 0; i < node.words.size(); ++i)
        node.words[i] = join(a[i], b[i]);
    return node.words;
}

Executor::Rows Executor::run(Is<Kind::Both>, const Node& node, Nothing) {
    return joined(node, [](std::uint64_t a, std::uint64_t b) { return a & b; });
}

Executor::Rows Executor::run(Is<Kind::Either>, const Node& node, Nothing) {
    return joined(node, [](std::uint64_t a, std::uint64_t b) { return a | b; });
}

Executor::Rows Executor::run(Is<Kind::Without>, const Node& node, Nothing) {
    return joined(node, [](std::uint64_t a, std::uint64_t b) { return a & ~b; });
}

Executor::Rows Executor::run(Is<Kind::Differ>, const Node& node, Nothing) {
    return joined(node, [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
}

Executor::Rows Executor::run(Is<Kind::Moved>, const Node& node, Nothing) {
    const Rows set = rows(node.operands[0]);
    const std::span<std::uint64_t> moved = none_of(node.words);
    for (std::uint32_t word = 0; word < set.size(); ++word) {
        for (std::uint64_t left = set[word]; left != 0; left &= left - 1) {
            const auto row = static_cast<std::uint32_t>(
                word * kWordRows + std::uint32_t(std::countr_zero(left)) + node.by());
            moved[row / kWordRows] |= std::uint64_t{1} << row % kWordRows;
        }
    }
    return moved;
}

Executor::Rows Executor::run(Is<Kind::Spread>, const Node& node, Nothing) {
    const Rows set = rows(node.operands[0]);
    const Rows places = rows(node.operands[1]);
    const std::span<std::uint64_t> made = none_of(node.words);
    std::uint32_t row = 0;
    for (std::uint32_t word = 0; word < places.size(); ++word) {
        for (std::uint64_t left = places[word]; left != 0; left &= left - 1, ++row)
            if (row / kWordRows < set.size() && (set[row / kWordRows] >> row % kWordRows & 1) != 0)
                made[word] |= left & -left;
    }
    return made;
}

Slot Executor::run(Is<Kind::NumberAt>, const Node& node, Nothing) {
    const std::uint32_t row = code(node.operands[0]) - 1;
    std::int64_t number = 0;
    for (std::size_t i = node.operands.size(); i-- > 1;) {
        const Rows digit = rows(node.operands[i]);
        number =
            number * 2 + static_cast<std::int64_t>(digit[row / kWordRows] >> row % kWordRows & 1);
    }
    return Slot(number);
}

Slot Executor::run(Is<Kind::AnyRow>, const Node& node, Nothing) {
    const Rows rows = this->rows(node.operands[0]);
    return Slot(
        std::any_of(rows.begin(), rows.end(), [](std::uint64_t word) { return word != 0; }));
}

Slot Executor::run(Is<Kind::CountRows>, const Node& node, Nothing) {
    std::int64_t count = 0;
    for (const std::uint64_t word : rows(node.operands[0]))
        count += count_rows(word);
    return Slot(count);
}

// Calls `use` with the operands' values. They are pushed above those of outer nodes, so that no
// allocation is needed after warm-up.
template <typename Use>
auto Executor::with_values(const Node& node, Use use) {
    const std::size_t begin = operands_.size();
    for (const form::Id operand : node.operands) {
        const Value each = value(operand);
        operands_.push_back(each);
    }
    const auto made = use(std::span<const Value>(operands_).subspan(begin));
    operands_.resize(begin);
    return made;
}

// ---- codes -----------------------------------------------------------------------------------

std::uint32_t Executor::size_of(std::uint32_t list) const {
    return static_cast<std::uint32_t>(module_.lists[list].values.size());
}

// The code of the list's value that equals `value`, or 0.
std::uint32_t Executor::code_of(std::uint32_t list, const Value& value) const {
    using Form = form::CodeList::Form;
    const form::CodeList& known = module_.lists[list];
    // A value from a list carries its row.
    if (value.row < known.values.size() && same_value(known.values[value.row], value))
        return value.row + 1u;
    if (known.form == Form::Range && value.tag == Tag::Int && known.low <= value.integer &&
        value.integer <= known.values.back().integer)
        return static_cast<std::uint32_t>(value.integer - known.low) + 1;
    const Symbols& symbols = runtime_.symbols();
    std::uint32_t code = 0;
    const auto spells_member = [&](Symbol symbol) {
        const std::uint32_t row = catalogue_.layout->domain(known.domain).row_of(symbol);
        return row == kNoRow ? 0 : row + 1u;
    };
    const auto nth = [&](const Value& number) {
        const bool whole = number.tag == Tag::Int && number.integer >= known.low;
        const auto place = whole ? static_cast<std::uint64_t>(number.integer) -
                                       static_cast<std::uint64_t>(known.low)
                                 : known.values.size();
        return place < known.values.size() ? static_cast<std::uint32_t>(place) + 1 : 0;
    };
    Value number = as_number(value, symbols);
    if (number.tag == Tag::Double && number.real() >= -0x1p62 && number.real() <= 0x1p62)
        number = Value::number(static_cast<std::int64_t>(number.real())); // compared below
    const bool listed = known.form == Form::Keys && known.domain == 0;    // not in a known order
    switch (listed ? Form::Truths : known.form) {
    case Form::Keys:
    case Form::Texts:
        code = value.is_text() ? spells_member(value.symbol())
               : number.tag == Tag::Int
                   ? spells_member(symbols.find(std::to_string(number.integer)))
                   : 0;
        break;
    case Form::Numbers:
    case Form::Range:
        code = nth(number);
        break;
    case Form::Truths:
        while (code < known.values.size() && !equal(known.values[code], value, symbols))
            ++code;
        code = code == known.values.size() ? 0 : code + 1;
        break;
    }
    return code != 0 && equal(known.values[code - 1], value, symbols) ? code : 0;
}

Value Executor::value_of(const SlotType& type, const Slot& slot) const {
    switch (type.kind) {
    case form::TypeKind::Code:
        return slot.id == 0 ? Value{} : module_.lists[type.list].values[slot.id - 1];
    case form::TypeKind::Truth:
    case form::TypeKind::Int:
    case form::TypeKind::Any:
        return slot.value;
    default:
        return {};
    }
}

Slot Executor::slot_of(const SlotType& type, const Value& value) const {
    return type.kind == form::TypeKind::Code ? Slot(code_of(type.list, value)) : Slot(value);
}

Value Executor::value(form::Id id) {
    const Node& node = at(id);
    const Slot found = slot(node);
    if (node.type.kind == form::TypeKind::Code)
        return found.id == 0 ? Value{} : node.values[found.id - 1];
    return value_of(node.type, found);
}

// The node's result in the form of that type: codes become values if any value is allowed.
Slot Executor::slot_as(const SlotType& type, form::Id id) {
    return type.kind == form::TypeKind::Any ? Slot(value(id)) : slot(id);
}

// ---- values ----------------------------------------------------------------------------------

Slot Executor::run(Is<Kind::Constant>, const Node& node, Nothing) {
    return *node.known;
}

Slot Executor::run(Is<Kind::Variable>, const Node& node, Nothing) {
    return *node.known;
}

Slot Executor::run(Is<Kind::KeyCode>, const Node& node, Nothing) {
    const Symbol key = with_values(
        node, [&](std::span<const Value> parts) { return runtime_.key_of(parts, false); });
    return Slot(key == kNoSymbol ? 0u : form::code_of_key(module_, node.type.list, key));
}

Slot Executor::run(Is<Kind::Has>, const Node& node, Nothing) {
    switch (at(node.operands[0]).type.kind) {
    case form::TypeKind::Node:
        return Slot(static_cast<bool>(this->node(node.operands[0])));
    case form::TypeKind::Code:
        return Slot(code(node.operands[0]) != 0);
    default:
        break;
    }
    return Slot(value(node.operands[0]).tag != Tag::None);
}

Slot Executor::run(Is<Kind::Fits>, const Node& node, Nothing) {
    return Slot(runtime_.has_type(value(node.operands[0]), catalogue_.types[node.type_id()]));
}

Slot Executor::run(Is<Kind::Compare>, const Node& node, Nothing) {
    const Value a = value(node.operands[0]);
    const Value b = value(node.operands[1]);
    return Slot(runtime_.compares(node.op(), a, b));
}

Slot Executor::run(Is<Kind::Not>, const Node& node, Nothing) {
    return Slot(!truth(node.operands[0]));
}

Slot Executor::run(Is<Kind::And>, const Node& node, Nothing) {
    return Slot(truth(node.operands[0]) && truth(node.operands[1]));
}

Slot Executor::run(Is<Kind::Or>, const Node& node, Nothing) {
    return Slot(truth(node.operands[0]) || truth(node.operands[1]));
}

Slot Executor::run(Is<Kind::Choose>, const Node& node, Nothing) {
    return slot_as(node.type, node.operands[truth(node.operands[0]) ? 1 : 2]);
}

Slot Executor::run(Is<Kind::Given>, const Node& node, Nothing) {
    if (value(node.operands[0]).tag == Tag::None)
        runtime_.fail(RunErrorKind::NoValue, span_of(node), "$this has no value here");
    return slot_as(node.type, node.operands[0]);
}

Slot Executor::run(Is<Kind::Truth>, const Node& node, Nothing) {
    return Slot(runtime_.truth(value(node.operands[0]), span_of(node)));
}

Slot Executor::run(Is<Kind::Arithmetic>, const Node& node, Nothing) {
    const auto op = node.op();
    const Span span = span_of(node);
    return with_values(node, [&](std::span<const Value> of) {
        switch (op) {
        case ExprOp::Negate:
            return Slot(runtime_.arithmetic(op, Value::number(std::int64_t{0}), of[0], span));
        case ExprOp::Min:
        case ExprOp::Max:
        case ExprOp::Abs:
        case ExprOp::Floor:
        case ExprOp::Round:
            return Slot(runtime_.function(op, of, span));
        default:
            return Slot(runtime_.arithmetic(op, of[0], of[1], span));
        }
    });
}

Slot Executor::run(Is<Kind::Whole>, const Node& node, Nothing) {
    return Slot(as_number(value(node.operands[0]), runtime_.symbols()).integer);
}

Slot Executor::run(Is<Kind::Calculate>, const Node& node, Nothing) {
    const auto how = node.op();
    std::int64_t of[] = {slot(node.operands[0]).value.integer, 0};
    if (node.operands.size() == 1) return Slot(form::calculate(how, std::span(of).first(1)));
    for (const form::Id next : node.operands.subspan(1)) {
        of[1] = slot(next).value.integer;
        of[0] = form::calculate(how, of);
    }
    return Slot(of[0]);
}

Slot Executor::run(Is<Kind::Random>, const Node& node, Nothing) {
    return Slot(runtime_.draw(value(node.operands[0]), span_of(node)));
}

// ---- keys and nodes of the tree --------------------------------------------------------------

Slot Executor::run(Is<Kind::Name>, const Node& node, Nothing) {
    return Slot(node.symbol());
}

Slot Executor::run(Is<Kind::KeyText>, const Node& node, Nothing) {
    return Slot(with_values(node, [&](std::span<const Value> parts) {
        return runtime_.key_of(parts, node.interns());
    }));
}

Slot Executor::run(Is<Kind::Root>, const Node&, Nothing) {
    return Slot(runtime_.root());
}

Slot Executor::run(Is<Kind::Here>, const Node&, Nothing) {
    return Slot(runtime_.here());
}

Slot Executor::run(Is<Kind::Child>, const Node& node, Nothing) {
    const NodeRef above = this->node(node.operands[0]);
    return Slot(runtime_.child(above, key(node.operands[1])));
}

Slot Executor::run(Is<Kind::Parent>, const Node& node, Nothing) {
    return Slot(runtime_.parent(this->node(node.operands[0])));
}

// Valid until the next call, except that a path computed for a key of another has its own place.
const Path& Executor::path(const Node& node, std::size_t first) {
    if (paths_.size() == path_depth_) paths_.emplace_back();
    Path& path = paths_[path_depth_++];
    path.from_state = node.from_state();
    path.up = node.up();
    path.keys.clear();
    for (std::size_t i = first; i < node.operands.size(); ++i)
        path.keys.push_back(key(node.operands[i]));
    --path_depth_;
    return path;
}

Slot Executor::run(Is<Kind::PathNode>, const Node& node, Nothing) {
    return Slot(runtime_.find(path(node), span_of(node)));
}

Slot Executor::run(Is<Kind::ValueOf>, const Node& node, Nothing) {
    return Slot(runtime_.value(this->node(node.operands[0])));
}

Slot Executor::run(Is<Kind::SizeOf>, const Node& node, Nothing) {
    return Slot(std::int64_t{runtime_.child_count(this->node(node.operands[0]))});
}

} // namespace croupier::engine
