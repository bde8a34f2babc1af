#include "engine/plan/in_place.h"

#include "engine/plan/fits.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

#include <algorithm>

namespace croupier::engine {

namespace {

constexpr std::uint32_t kMostCodes = 256;

// Ops that give a register a value that no byte decides.
bool fills_otherwise(OpCode code) {
    switch (code) {
    case OpCode::Read:
    case OpCode::Bind:
    case OpCode::Assign:
    case OpCode::Row:
    case OpCode::Load:
    case OpCode::MaskEach:
    case OpCode::MaskNext:
    case OpCode::MaskCount:
    case OpCode::MaskAdd:
    case OpCode::WordFirst:
    case OpCode::Start:
    case OpCode::Gather:
        return true;
    default:
        return false;
    }
}

} // namespace

void InPlace::rewrite(std::uint32_t begin) {
    std::vector<Op>& code = program_.code;
    for (std::uint32_t pc = begin; pc < code.size(); ++pc) {
        rewrite(code[pc], pc > begin ? &code[pc - 1] : nullptr);
        if (only_tests(code[pc].code)) {
            code[pc].b = code[pc].c = kZeroRow;
        }
    }
}

void InPlace::rewrite(Op& op, Op* before) {
    const Symbols& symbols = program_.symbols;
    const bool fixed = op.b == kZeroRow && op.c == kZeroRow;
    const auto has_value = [](const Value& value) { return value.tag != Tag::None; };
    switch (op.code) {
    case OpCode::ReadCode:
    case OpCode::ReadTable:
        note_source(op);
        return;
    case OpCode::Has:
        test(op, op.a, has_value);
        return;
    case OpCode::HasNot:
        test(op, op.a, [&](const Value& value) { return !has_value(value); });
        return;
    case OpCode::Constant:
        test(op, op.a, [&](const Value& value) {
            return has_value(value) && equal(value, program_.values[op.x], symbols);
        });
        return;
    case OpCode::OneOf:
        choose(op);
        return;
    case OpCode::Bind:
        bind(op, before);
        return;
    case OpCode::Compare:
        compare(op, op.a, op.x, [&](const Value& found, const Value& other) {
            return compares(static_cast<ExprOp>(op.b), found, other, symbols);
        });
        return;
    case OpCode::EqualExpr:
        compare(op, op.a, op.x, [&](const Value& found, const Value& other) {
            return equal(found, other, symbols);
        });
        return;
    case OpCode::Same:
        if (source(op.a) != nullptr && source(op.b) != nullptr) {
            pair(op, *source(op.a), *source(op.b), [&](const Value& known, const Value& found) {
                return equal(known, found, symbols) &&
                       is_of_type(found, program_.types[op.x], *program_.layout, symbols);
            });
        }
        return;
    case OpCode::CodeSame:
        if (fixed) {
            same_code(op);
        }
        return;
    case OpCode::MaskRows:
        if (op.c == kZeroRow && column(op.b) != nullptr) {
            CROUPIER_REACHED(RowsByByte);
            op.code = OpCode::ByteRows;
            op.y = column(op.b)->byte;
        }
        return;
    case OpCode::MaskTable:
        if (op.c == kZeroRow && op.s == 1 && column(op.b) != nullptr) {
            CROUPIER_REACHED(TableByByte);
            op.code = OpCode::ByteTable;
            op.x -= 1; // from none's mask on
            op.y = column(op.b)->byte;
        }
        return;
    case OpCode::Clear:
        address_set(op);
        return;
    case OpCode::OrRows:
        if (fixed) {
            address_set(op);
        }
        return;
    default:
        if (fills_otherwise(op.code)) {
            sources_.erase(op.a);
        } else if (fixed) {
            address_byte(op);
        }
        return;
    }
}

// ---- where registers come from ---------------------------------------------------------------

const InPlace::Source* InPlace::source(std::uint16_t reg) const {
    const auto found = sources_.find(reg);
    return found != sources_.end() ? &found->second : nullptr;
}

const InPlace::Source* InPlace::column(std::uint16_t reg) const {
    const Source* found = source(reg);
    return found != nullptr && found->is_column ? found : nullptr;
}

void InPlace::note_source(const Op& op) {
    const bool by_one = op.c == kZeroRow;
    const Source* index = by_one && op.b != kZeroRow ? source(op.b) : nullptr;
    if (op.code == OpCode::ReadTable && index != nullptr) {
        note_table(op, Source(*index)); // which the op may overwrite
        return;
    }
    sources_.erase(op.a);
    if (op.code == OpCode::ReadCode && by_one && op.b == kZeroRow) {
        const auto first = program_.values.begin() + op.y;
        sources_[op.a] = {op.x, {first, first + tables_.at(op.y)}, true, op.y};
    }
}

// Where the index is none nothing is read: it is known to be a value by then.
void InPlace::note_table(const Op& op, const Source& index) {
    Source made{index.byte, {}, false, 0};
    for (const Value& value : index.values) {
        made.values.push_back(value.tag == Tag::None
                                  ? Value{}
                                  : program_.values[op.x + std::size_t{value.row} * op.s]);
    }
    CROUPIER_REACHED(TableOfByte);
    sources_[op.a] = std::move(made);
}

// ---- tests -----------------------------------------------------------------------------------

void InPlace::test(Op& op, std::uint16_t reg, const Fits& fits) {
    const Source* known = source(reg);
    if (known == nullptr) {
        return;
    }
    Codes codes;
    for (std::size_t code = 0; code < known->values.size(); ++code) {
        codes[code] = (known->is_column || code > 0) && fits(known->values[code]);
    }
    set_test(op, known->byte, codes);
}

void InPlace::choose(Op& op) {
    const std::vector<ExprId>& list = program_.lists[op.x];
    const bool literals = std::all_of(list.begin(), list.end(), [&](ExprId each) {
        return program_.exprs[each].op == ExprOp::Literal;
    });
    if (literals) {
        test(op, op.a, [&](const Value& value) {
            return value.tag != Tag::None &&
                   std::any_of(list.begin(), list.end(), [&](ExprId each) {
                       return equal(value, program_.exprs[each].literal, program_.symbols);
                   });
        });
    }
}

// Where the register that is tested is filled just before, the variable is filled in its place; one
// that is only moved is read again.
void InPlace::bind(Op& op, Op* before) {
    const Source* known = source(op.b);
    const bool follows = before != nullptr && before->a == op.b &&
                         (before->code == OpCode::ReadCode || before->code == OpCode::ReadTable);
    if (known != nullptr && known->is_column && !follows &&
        program_.types[op.x].kind == TypePlan::Kind::Any) {
        CROUPIER_REACHED(MovedColumn);
        const Source from = *known; // a variable that is moved: it is known to be a value
        sources_[op.a] = from;
        op.code = OpCode::ReadCode;
        op.b = op.c = kZeroRow;
        op.x = from.byte;
        op.y = from.base;
        op.fail = kNoTarget;
        return;
    }
    if (known == nullptr || !follows) {
        sources_.erase(op.a);
        return;
    }
    CROUPIER_REACHED(BoundColumn);
    before->a = op.a;
    sources_[op.a] = *known;
    test(op, op.a, [&](const Value& value) {
        return value.tag != Tag::None &&
               is_of_type(value, program_.types[op.x], *program_.layout, program_.symbols);
    });
}

void InPlace::compare(Op& op, std::uint16_t reg, ExprId expr, const Agree& agree) {
    const ExprNode& other = program_.exprs[expr];
    if (other.op == ExprOp::Literal) {
        test(op, reg, [&](const Value& value) {
            return value.tag != Tag::None && agree(value, other.literal);
        });
    } else if (other.op == ExprOp::Variable && source(reg) != nullptr &&
               source(other.reg) != nullptr) {
        pair(op, *source(reg), *source(other.reg), agree);
    }
}

// Of two bytes, a bit for each pair of their codes.
void InPlace::pair(Op& op, const Source& a, const Source& b, const Agree& agree) {
    const auto agrees = [&](std::size_t i, std::size_t j) {
        if (CROUPIER_PLANTED(WidePairNotSwapped) &&
            (i >= a.values.size() || j >= b.values.size())) {
            return false;
        }
        const bool values = a.values[i].tag != Tag::None && b.values[j].tag != Tag::None;
        return i > 0 && j > 0 && values && agree(a.values[i], b.values[j]);
    };
    if (a.byte == b.byte) {
        CROUPIER_REACHED(PairOfOneByte);
        Codes codes;
        for (std::size_t i = 0; i < a.values.size(); ++i) {
            codes[i] = agrees(i, i);
        }
        set_test(op, a.byte, codes);
        return;
    }
    const bool swapped = b.values.size() > kWordRows && a.values.size() <= kWordRows;
    const Source& first = swapped ? b : a;
    const Source& second = swapped ? a : b;
    if (second.byte >= kNoRegister) {
        return;
    }
    const bool turned = swapped && !CROUPIER_PLANTED(WidePairNotSwapped);
    const std::uint32_t words = words_for(static_cast<std::uint32_t>(second.values.size()));
    std::vector<std::uint64_t> masks(first.values.size() * words, 0);
    for (std::size_t i = 0; i < first.values.size(); ++i) {
        for (std::size_t j = 0; j < second.values.size(); ++j) {
            masks[i * words + j / kWordRows] |= std::uint64_t{turned ? agrees(j, i) : agrees(i, j)}
                                                << (j % kWordRows);
        }
    }
    op.code = words == 1 ? OpCode::BytePair : OpCode::BytePairWide;
    CROUPIER_REACHED_IF(swapped, SwappedPair);
    CROUPIER_REACHED_IF(words == 1, Pair);
    CROUPIER_REACHED_IF(words > 1, WidePair);
    op.x = table(masks);
    op.y = first.byte;
    op.a = static_cast<std::uint16_t>(second.byte);
    op.s = words;
}

// A byte that holds the member whose row the register carries.
void InPlace::same_code(Op& op) {
    if (const Source* same = column(op.a); same != nullptr) {
        CROUPIER_REACHED(SameBytes);
        op.code = OpCode::ByteSame;
        op.y = same->byte;
    } else if (source(op.a) != nullptr) {
        CROUPIER_REACHED(PairOfRows);
        Source rows{op.x, std::vector<Value>(codes_.at(op.x)), true, 0};
        for (std::uint32_t code = 1; code < rows.values.size(); ++code) {
            rows.values[code] = Value::number(std::int64_t{code} - 1);
        }
        pair(op, *source(op.a), rows, [](const Value& member, const Value& row) {
            return std::int64_t{member.row} == row.integer;
        });
    }
}

// Holds for these codes of the byte.
void InPlace::set_test(Op& op, std::uint32_t byte, const Codes& codes) {
    const std::uint32_t count = codes_.at(byte);
    const Codes some = (~Codes() >> (kMostCodes - count)).reset(0);
    if (codes.none()) {
        CROUPIER_REACHED(TestThatNeverHolds);
        op.code = OpCode::Jump;
        op.x = op.fail;
        op.fail = kNoTarget;
    } else if (codes == some || codes == Codes(1)) {
        CROUPIER_REACHED(TestOfPresence);
        op.code = codes == some ? OpCode::ByteAny : OpCode::ByteNone;
        op.x = byte;
    } else if (codes.count() == 1) {
        CROUPIER_REACHED(TestOfOneCode);
        op.code = OpCode::ByteIs;
        op.x = byte;
        op.y = static_cast<std::uint32_t>(codes._Find_first());
    } else {
        std::vector<std::uint64_t> words(words_for(count), 0);
        for (std::uint32_t code = 0; code < count; ++code) {
            words[code / kWordRows] |= std::uint64_t{codes[code]} << (code % kWordRows);
        }
        CROUPIER_REACHED(TestOfSomeCodes);
        op.code = OpCode::ByteIn;
        op.x = table(words);
        op.y = byte;
    }
}

std::uint32_t InPlace::table(const std::vector<std::uint64_t>& words) {
    const auto next = static_cast<std::uint32_t>(program_.masks.size());
    const auto [place, is_new] = known_masks_.try_emplace(words, next);
    if (is_new) {
        program_.masks.insert(program_.masks.end(), words.begin(), words.end());
    }
    return place->second;
}

// ---- addresses -------------------------------------------------------------------------------

// A set of one word that is a field of the root.
void InPlace::address_set(Op& op) const {
    const Layout& layout = *program_.layout;
    const SchemaNode& map = layout.node(op.y);
    if (map.parent != 0 || map.kind != ShapeKind::Map || map.arrays != kNoOffset ||
        layout.node(0).kind != ShapeKind::Record) {
        return;
    }
    const SchemaNode& element = layout.node(map.element);
    if (element.kind != ShapeKind::Unit || element.words != 1) {
        return;
    }
    CROUPIER_REACHED(SetOfRoot);
    op.code = op.code == OpCode::Clear ? OpCode::ClearRows : OpCode::SetRows;
    op.x = element.presence;
    op.y = map.presence;
    op.s = map.slot;
    op.t = layout.order_of_root();
}

void InPlace::address_byte(Op& op) {
    switch (op.code) {
    case OpCode::CodeAny:
        op.code = OpCode::ByteAny;
        break;
    case OpCode::CodeNone:
        op.code = OpCode::ByteNone;
        break;
    case OpCode::CodeIs:
        op.code = OpCode::ByteIs;
        break;
    case OpCode::BitSet:
    case OpCode::BitClear:
        CROUPIER_REACHED(FlagInPlace);
        op.code = op.code == OpCode::BitSet ? OpCode::FlagSet : OpCode::FlagClear;
        op.x += op.t / 8;
        op.y = 1u << (op.t % 8);
        break;
    default:
        break;
    }
}

} // namespace croupier::engine
