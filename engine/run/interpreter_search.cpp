// Searches: what goes on with every way in which a condition can hold.
#include "engine/ir/probe.h"
#include "engine/run/interpreter.h"

#include <algorithm>
#include <bit>

namespace croupier::engine {

// Tells that a partial match fails at an entry.
void Interpreter::cut(const Node& failing, const Value* found) {
    if (!tells_entries_ || failing.y == 0) {
        return;
    }
    const bool one_of_many = (failing.y & ir::kOneOfMany) != 0;
    const Note& note = module_.notes[(failing.y & ~ir::kOneOfMany) - 1];
    if (tells_why_) {
        Stopped stopped{.note = note, .test = {}, .values = shown_, .runtime = runtime_};
        stopped.one_of_many = one_of_many;
        stopped.no_way_left = failing.kind == Kind::Fail;
        stopped.found = found;
        tell_stopped(failing, stopped);
    }
    if (!one_of_many) {
        observer_->entry_cut(note, found, shown_, runtime_.state());
    }
}

// With the two values of a comparison, computed once more: not where that would draw another
// number.
void Interpreter::tell_stopped(const Node& failing, Stopped& stopped) {
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
            stopped.compare = static_cast<ExprOp>(truth.x);
        }
    }
    observer_->entry_stopped(stopped);
}

bool Interpreter::draws(const Node& node) const {
    return node.kind == Kind::Random ||
           std::any_of(node.operands.begin(), node.operands.end(),
                       [&](ir::Id operand) { return draws(at(operand)); });
}

Interpreter::Flow Interpreter::run(Is<Kind::Let>, const Node& node, const Taker&) {
    set(node.x, slot_as(node.type, node.operands[0]));
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::LetRows>, const Node& node, const Taker&) {
    sets_[node.x] = rows(node.operands[0]);
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::LetTouching>, const Node& node, const Taker&) {
    count_touching(node, 1, [](std::uint64_t count) { return count != 0 ? 1u : 0u; });
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::LetCounts>, const Node& node, const Taker&) {
    count_touching(node, static_cast<std::uint32_t>(node.number),
                   [](std::uint64_t count) { return count; });
    return Flow::GoesOn;
}

// For each row how many rows of the set are in its own, as digits in variables.
template <typename Digits>
void Interpreter::count_touching(const Node& node, std::uint32_t digits, Digits digits_of) {
    const Rows set = rows(node.operands[0]);
    const ir::Table& table = *node.table;
    const std::uint32_t size = table.sizes[0] - 1;
    const std::size_t words = words_for(size);
    std::fill(node.words.begin(), node.words.end(), 0);
    for (std::uint32_t i = 0; i < digits; ++i) {
        sets_[node.x + i] = node.words.subspan(i * words, words);
    }
    for (std::uint32_t row = 0; row < size; ++row) {
        const std::uint64_t* const own = table.words.data() + (row + std::size_t{1}) * set.size();
        std::uint64_t count = 0;
        for (std::size_t w = 0; w < set.size(); ++w) {
            count += count_rows(set[w] & own[w]);
        }
        const std::uint64_t made = digits_of(count);
        for (std::uint32_t i = 0; i < digits; ++i) {
            node.words[i * words + row / kWordRows] |= (made >> i & 1) << row % kWordRows;
        }
    }
}

Interpreter::Flow Interpreter::run(Is<Kind::Test>, const Node& node, const Taker&) {
    if (truth(node.operands[0])) {
        return Flow::GoesOn;
    }
    if (tells_entries_ && node.operands.size() > 1) {
        const Value found = value(node.operands[1]);
        cut(node, &found);
    } else {
        cut(node, nullptr);
    }
    return Flow::GoesBack;
}

Interpreter::Flow Interpreter::run(Is<Kind::Fail>, const Node& node, const Taker&) {
    cut(node, nullptr);
    return Flow::GoesBack;
}

Interpreter::Flow Interpreter::run(Is<Kind::EachChild>, const Node& node, const Taker& taker) {
    NodeRef child = runtime_.first_child(this->node(node.operands[0]));
    for (; visit_child(node, child); child = runtime_.next_sibling(slots_[node.x].node)) {
        if (search(node.blocks[0], taker) == Flow::Ends) {
            return Flow::Ends;
        }
    }
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::EachRow>, const Node& node, const Taker& taker) {
    const Rows rows = this->rows(node.operands[0]);
    const std::vector<Value>& values = module_.lists[at(node.operands[0]).type.list].values;
    const bool as_value = node.type.kind == ir::TypeKind::Any;
    for (std::uint32_t word = 0; word < rows.size(); ++word) {
        for (std::uint64_t left = rows[word]; left != 0; left &= left - 1) {
            if (CROUPIER_MISTAKE(LastRowOfWordUnseen) && left == std::uint64_t{1} << 63) break;
            runtime_.count_step();
            const std::uint32_t row =
                word * kWordRows + static_cast<std::uint32_t>(std::countr_zero(left));
            set(node.x, as_value ? Slot(values[row]) : Slot(row + 1));
            if (search(node.blocks[0], taker) == Flow::Ends) {
                return Flow::Ends;
            }
        }
    }
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::Alternatives>, const Node& node, const Taker& taker) {
    const ir::BlockId rest = node.blocks.back();
    auto go_on = [&](const Node& yield) {
        for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(node.number); ++i) {
            set(node.x + i, slot_as(function_->vars[node.x + i].type, yield.operands[i]));
        }
        return search(rest, taker) != Flow::Ends;
    };
    for (std::size_t i = 0; i + 1 < node.blocks.size(); ++i) {
        if (search(node.blocks[i], Taker(go_on)) == Flow::Ends) {
            return Flow::Ends;
        }
    }
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::NoMatch>, const Node& node, const Taker&) {
    if (!has_result(node.blocks[0])) {
        return Flow::GoesOn;
    }
    cut(node, nullptr);
    return Flow::GoesBack;
}

Interpreter::Flow Interpreter::run(Is<Kind::SomeMatch>, const Node& node, const Taker&) {
    if (has_result(node.blocks[0])) {
        return Flow::GoesOn;
    }
    cut(node, nullptr);
    return Flow::GoesBack;
}

Interpreter::Flow Interpreter::run(Is<Kind::Gather>, const Node& node, const Taker&) {
    const auto kind = static_cast<KeyKind>(node.y);
    const bool from_zero = kind == KeyKind::Count || kind == KeyKind::Sum;
    Value total = from_zero ? Value::number(std::int64_t{0}) : Value{};
    auto add = [&](const Node& yield) {
        if (kind == KeyKind::Count) {
            ++total.integer;
            return true;
        }
        const Value next = runtime_.number(value(yield.operands[0]), span_of(node));
        if (kind == KeyKind::Sum) {
            total = runtime_.arithmetic(ExprOp::Add, total, next, span_of(node));
        } else if (total.tag == Tag::None ||
                   runtime_.compares(kind == KeyKind::Min ? ExprOp::Less : ExprOp::Greater, next,
                                     total)) {
            total = next;
        }
        return true;
    };
    search(node.blocks[0], Taker(add));
    set(node.x, Slot(total));
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::Yield>, const Node& node, const Taker& taker) {
    return taker(node) ? Flow::GoesBack : Flow::Ends;
}

// Whoever takes it takes all of its rows.
Interpreter::Flow Interpreter::run(Is<Kind::YieldRows>, const Node& node, const Taker& taker) {
    return taker(node) ? Flow::GoesBack : Flow::Ends;
}

Interpreter::Flow Interpreter::run(Is<Kind::Try>, const Node& node, const Taker&) {
    if (tells_why_) {
        observer_->entry_stands(module_.notes[node.x], this->node(node.operands[0]), node.y != 0,
                                shown_, runtime_);
    }
    if (tells_entries_ && node.y == 0) {
        observer_->entry_tried(module_.notes[node.x], shown_, runtime_.state());
    }
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::Pass>, const Node& node, const Taker&) {
    if (tells_entries_) {
        observer_->entry_passed(module_.notes[node.x], shown_, runtime_.state());
    }
    return Flow::GoesOn;
}

} // namespace croupier::engine
