// Masks of rows, and bytes of the root.
#include "engine/native/translator.h"
#include "engine/plan/planted.h"

#include <bit>

namespace croupier::engine::native {

namespace {

// Words of kept rows that are cleared one by one.
constexpr std::uint32_t kFewWords = 8;

} // namespace

bool Translator::translate_mask(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    switch (op.code) {
    case OpCode::MaskAll:
        mask_all(pc);
        return true;
    case OpCode::MaskRows:
        code_.load64(kMask, addressed(op));
        code_.test64(kMask, kMask);
        code_.jump(If::Zero, fail_of(op));
        return true;
    case OpCode::MaskAnd:
        code_.alu64(Alu::And, kMask, addressed(op));
        code_.jump(If::Zero, fail_of(op));
        return true;
    case OpCode::MaskAndNot:
        code_.load64(Reg::Dx, addressed(op));
        code_.not64(Reg::Dx);
        code_.alu64(Alu::And, kMask, Reg::Dx);
        code_.jump(If::Zero, fail_of(op));
        return true;
    case OpCode::MaskTable: {
        scaled_row(Reg::Ax, op.b, op.s);
        code_.load16(Reg::Cx, row(op.c));
        code_.alu32(Alu::Add, Reg::Ax, Reg::Cx);
        code_.alu64(Alu::And, kMask, mask_at(op.x, Reg::Ax));
        code_.jump(If::Zero, fail_of(op));
        return true;
    }
    case OpCode::MaskLimit:
        mask_limit(pc);
        return true;
    case OpCode::MaskCodeAny:
    case OpCode::MaskCodeIs:
    case OpCode::MaskCodeSame:
        fail_if_zeros(op);
        test_apart_with_mask(op);
        return true;
    case OpCode::MaskEach:
        code_.test64(kMask, kMask);
        code_.jump(If::Zero, fail_of(op));
        count_step(op);
        code_.move(Reg::Si, kMask);
        each_row(op);
        code_.jump(label(pc + 2));
        return true;
    case OpCode::MaskNext:
        code_.load64(Reg::Dx, in_frame(offsetof(Frame, loops)));
        code_.load64(Reg::Si, {Reg::Dx, 8 * op.c});
        code_.test64(Reg::Si, Reg::Si);
        code_.jump(If::Zero, fail_of(op));
        count_step(op);
        each_row(op);
        return true;
    case OpCode::MaskCount:
        code_.count_bits64(Reg::Ax, kMask);
        set_value(op.a, Tag::Int, Reg::Ax);
        return true;
    case OpCode::MaskAdd:
        code_.count_bits64(Reg::Ax, kMask);
        code_.alu64(Alu::Add, integer(op.a), Reg::Ax);
        code_.jump(fail_of(op));
        return true;
    case OpCode::WordFirst: {
        const bool keeps = op.c != kNoRegister;
        if (keeps && op.y > kFewWords) {
            test_apart(op);
        } else {
            code_.store16(row(op.a), std::uint16_t{0});
            code_.load64(Reg::Dx, in_frame(offsetof(Frame, loops)));
            const bool clears = keeps && !CROUPIER_PLANTED(KeptWordsNotCleared);
            for (std::uint32_t word = 0; clears && word < op.y; ++word) {
                code_.store64({Reg::Dx, static_cast<std::int32_t>(8 * (op.c + word))}, 0);
            }
        }
        code_.jump(label(pc + 2));
        return true;
    }
    case OpCode::WordNext:
        code_.increment16(row(op.a));
        code_.alu16(Alu::Cmp, row(op.a), static_cast<std::uint16_t>(op.y));
        code_.jump(If::NotBelow, fail_of(op));
        return true;
    case OpCode::KeepMask:
        code_.load16(Reg::Ax, row(op.a));
        code_.load64(Reg::Dx, in_frame(offsetof(Frame, loops)));
        code_.store64({Reg::Dx, 8 * op.c, Reg::Ax, 8}, kMask);
        code_.jump(fail_of(op));
        return true;
    case OpCode::OrRows:
        or_rows(op);
        return true;
    case OpCode::OrWords:
        return or_words(pc);
    default:
        return false;
    }
}

// Most maps of bytes hold nothing most of the time: then no row is kept, whatever is asked.
void Translator::fail_if_zeros(const Op& op) {
    if (op.c != kZeroRow || op.y > kWordRows) {
        return;
    }
    const bool by_rows = offset_of_rows(op);
    const auto bytes_from = [&](std::uint32_t at) {
        return in_block(op.x + at, by_rows ? Reg::Ax : Reg::Sp);
    };
    code_.set32(Reg::Cx, 0);
    std::uint32_t at = 0;
    for (; at + 8 <= op.y; at += 8) {
        code_.alu64(Alu::Or, Reg::Cx, bytes_from(at));
    }
    if (at + 4 <= op.y) {
        code_.load32(Reg::Dx, bytes_from(at));
        code_.alu64(Alu::Or, Reg::Cx, Reg::Dx);
        at += 4;
    }
    for (; at < op.y; ++at) {
        code_.load8(Reg::Dx, bytes_from(at));
        code_.alu64(Alu::Or, Reg::Cx, Reg::Dx);
    }
    code_.test64(Reg::Cx, Reg::Cx);
    code_.jump(If::Zero, fail_of(op));
}

void Translator::mask_all(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    const auto rows_of = [](std::uint32_t rows) { return ~std::uint64_t{0} >> (64 - rows); };
    if (op.c == kZeroRow) {
        code_.set64(kMask, rows_of(op.y < 64 ? op.y : 64));
        return;
    }
    // The last word may have fewer rows.
    const std::uint32_t last = (op.y + 63) / 64 - 1;
    code_.set64(kMask, ~std::uint64_t{0});
    code_.alu16(Alu::Cmp, row(op.c), static_cast<std::uint16_t>(last));
    code_.jump(If::NotZero, label(pc + 1));
    code_.set64(kMask, rows_of(CROUPIER_PLANTED(LastWordOneShort) && op.y - 64 * last > 1
                                   ? op.y - 64 * last - 1
                                   : op.y - 64 * last));
}

// Where the bound is an integer, and the rows' constants are: its place among the bounds from `low`
// on, at most the last.
void Translator::mask_limit(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    const Label apart = mask_aside(op, label(pc + 1));
    const Label below = aside([this, pc, &op] {
        code_.alu64(Alu::And, kMask, {Reg::Cx, 0});
        code_.jump(If::Zero, fail_of(op));
        code_.jump(label(pc + 1));
    });
    const Label within = code_.new_label();
    const auto field = [](std::size_t offset) {
        return Mem{Reg::Dx, static_cast<std::int32_t>(offset)};
    };
    code_.alu8(Alu::Cmp, tag(op.a), static_cast<std::uint8_t>(Tag::Int));
    code_.jump(If::NotZero, apart);
    code_.set64(Reg::Dx, std::bit_cast<std::uint64_t>(&limits_[op.x]));
    if (op.c != kZeroRow) {
        scaled_row(Reg::Ax, op.c, sizeof(LimitTable));
        code_.alu64(Alu::Add, Reg::Dx, Reg::Ax);
    }
    code_.load64(Reg::Cx, field(offsetof(LimitTable, masks)));
    code_.test64(Reg::Cx, Reg::Cx);
    code_.jump(If::Zero, apart);
    code_.load64(Reg::Ax, integer(op.a));
    code_.alu64(Alu::Sub, Reg::Ax, field(offsetof(LimitTable, low)));
    code_.jump(If::Overflow, apart);
    code_.jump(If::Less, below);
    code_.alu64(Alu::Cmp, Reg::Ax, field(offsetof(LimitTable, last)));
    code_.jump(If::NotGreater, within);
    code_.load64(Reg::Ax, field(offsetof(LimitTable, last)));
    code_.place(within);
    code_.alu64(Alu::And, kMask, {Reg::Cx, 0, Reg::Ax, 8});
    code_.jump(If::Zero, fail_of(op));
}

// The key of the first row that Si has, and the others for later.
void Translator::each_row(const Op& op) {
    code_.address(Reg::Ax, {Reg::Si, -1});
    code_.alu64(Alu::And, Reg::Ax, Reg::Si);
    code_.load64(Reg::Dx, in_frame(offsetof(Frame, loops)));
    code_.store64({Reg::Dx, 8 * op.c}, Reg::Ax);
    code_.first_bit64(Reg::Cx, Reg::Si);
    if (op.b != kZeroRow) {
        scaled_row(Reg::Ax, op.b, 64);
        code_.alu32(Alu::Add, Reg::Cx, Reg::Ax);
    }
    code_.shift_left32(Reg::Cx, 4);
    code_.load_value(constant(op.x, Reg::Cx));
    code_.store_value(value(op.a));
}

// ---- the root's bytes --------------------------------------------------------------------------

bool Translator::translate_bytes(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    switch (op.code) {
    case OpCode::ByteAny:
        code_.alu8(Alu::Cmp, in_block(op.x), 0);
        code_.jump(If::Zero, fail_of(op));
        return true;
    case OpCode::ByteNone:
        code_.alu8(Alu::Cmp, in_block(op.x), 0);
        code_.jump(If::NotZero, fail_of(op));
        return true;
    case OpCode::ByteIs:
        if (op.y > 0xff) {
            return false;
        }
        code_.alu8(Alu::Cmp, in_block(op.x), static_cast<std::uint8_t>(op.y));
        code_.jump(If::NotZero, fail_of(op));
        return true;
    case OpCode::ByteIn:
        code_.load8(Reg::Cx, in_block(op.y));
        code_.address(Reg::Ax, {Reg::Cx});
        code_.shift_right32(Reg::Ax, 6);
        code_.load64(Reg::Dx, mask_at(op.x, Reg::Ax));
        code_.bit64(Reg::Dx, Reg::Cx);
        code_.jump(If::NotBelow, fail_of(op));
        return true;
    case OpCode::ByteSame:
        code_.load8(Reg::Ax, in_block(op.x));
        code_.test32(Reg::Ax, Reg::Ax);
        code_.jump(If::Zero, fail_of(op));
        code_.alu8(Alu::Cmp, Reg::Ax, in_block(op.y));
        code_.jump(If::NotZero, fail_of(op));
        return true;
    case OpCode::FlagSet:
        code_.test8(in_block(op.x), static_cast<std::uint8_t>(op.y));
        code_.jump(If::Zero, fail_of(op));
        return true;
    case OpCode::FlagClear:
        code_.test8(in_block(op.x), static_cast<std::uint8_t>(op.y));
        code_.jump(If::NotZero, fail_of(op));
        return true;
    case OpCode::ByteRows:
    case OpCode::ByteRowsTable:
        byte_rows(op, fail_of(op));
        return true;
    case OpCode::AddRows:
    case OpCode::AddRowsTable:
        byte_rows(op, fail_of(op));
        set_rows(program_.code[pc + 1], fail_of(program_.code[pc + 1]));
        return true;
    case OpCode::SetRows:
        set_rows(op, fail_of(op));
        return true;
    case OpCode::ClearRows:
        clear_rows(op);
        return true;
    case OpCode::ByteTable:
        code_.load8(Reg::Ax, in_block(op.y));
        code_.alu64(Alu::And, kMask, mask_at(op.x, Reg::Ax));
        code_.jump(If::Zero, fail_of(op));
        return true;
    case OpCode::BytePair:
        code_.load8(Reg::Ax, in_block(op.y));
        code_.load8(Reg::Cx, in_block(op.a));
        code_.load64(Reg::Dx, mask_at(op.x, Reg::Ax));
        code_.bit64(Reg::Dx, Reg::Cx);
        code_.jump(If::NotBelow, fail_of(op));
        return true;
    case OpCode::BytePairWide:
        code_.load8(Reg::Cx, in_block(op.a));
        code_.load8(Reg::Ax, in_block(op.y));
        code_.multiply32(Reg::Ax, Reg::Ax, op.s);
        code_.address(Reg::Dx, {Reg::Cx});
        code_.shift_right32(Reg::Dx, CROUPIER_PLANTED(PairShiftedBySeven) ? 7 : 6);
        code_.alu32(Alu::Add, Reg::Ax, Reg::Dx);
        code_.load64(Reg::Dx, mask_at(op.x, Reg::Ax));
        code_.bit64(Reg::Dx, Reg::Cx);
        code_.jump(If::NotBelow, fail_of(op));
        return true;
    default:
        return false;
    }
}

// The byte less one is the row; none has no rows.
void Translator::byte_rows(const Op& op, Label fail) {
    code_.load8(Reg::Ax, in_block(op.y));
    code_.test32(Reg::Ax, Reg::Ax);
    code_.jump(If::Zero, fail);
    code_.multiply32(Reg::Ax, Reg::Ax, op.s);
    code_.load64(kMask, in_block(std::size_t{op.x} - op.s, Reg::Ax));
    if (op.code == OpCode::ByteRowsTable || op.code == OpCode::AddRowsTable) {
        code_.load8(Reg::Ax, in_block(op.a));
        code_.alu64(Alu::And, kMask, mask_at(op.t, Reg::Ax));
    } else {
        code_.test64(kMask, kMask);
    }
    code_.jump(If::Zero, fail);
}

void Translator::count_rows(Label apart) {
    code_.alu64(Alu::Cmp, Reg::Ax, in_frame(offsetof(Frame, most_matches)));
    code_.jump(If::Above, apart);
    code_.load64(Reg::Cx, in_frame(offsetof(Frame, firings)));
    code_.alu64(Alu::Add, Reg::Cx, Reg::Ax);
    code_.alu64(Alu::Cmp, Reg::Cx, in_frame(offsetof(Frame, most_firings)));
    code_.jump(If::Above, apart);
    if (!CROUPIER_PLANTED(RowsAreNoFirings)) {
        code_.store64(in_frame(offsetof(Frame, firings)), Reg::Cx);
    }
    code_.alu64(Alu::Add, in_frame(offsetof(Frame, matches)), Reg::Ax);
}

void Translator::set_rows(const Op& op, Label fail) {
    const Label apart = mask_aside(op, fail);
    const Label there = code_.new_label();
    code_.count_bits64(Reg::Ax, kMask);
    count_rows(apart);
    code_.alu8(Alu::Cmp, in_block(op.y), 0);
    code_.jump(If::NotZero, there);
    code_.store8(in_block(op.y), std::uint8_t{1});
    append_entry(op.t, static_cast<std::uint16_t>(op.s));
    code_.place(there);
    code_.alu64(Alu::Or, in_block(op.x), kMask);
    code_.jump(fail);
}

void Translator::ensure_map(SchemaId map) {
    make_present({&program_.layout->node(map), 0, false});
}

// Rows that are added to those of a map; only the root's maps come to be here.
void Translator::or_rows(const Op& op) {
    const Label apart = mask_aside(op, fail_of(op));
    const bool by_rows = offset_of_rows(op);
    const Mem place = in_block(op.x, by_rows ? Reg::Si : Reg::Sp);
    if (by_rows) {
        code_.move(Reg::Si, Reg::Ax);
    }
    const bool of_root = program_.layout->node(op.y).parent == 0;
    if (!of_root) {
        code_.load64(Reg::Ax, place);
        code_.test64(Reg::Ax, Reg::Ax);
        code_.jump(If::Zero, apart);
    }
    code_.count_bits64(Reg::Ax, kMask);
    count_rows(apart);
    if (of_root) {
        ensure_map(op.y);
    }
    code_.alu64(Alu::Or, place, kMask);
    code_.jump(fail_of(op));
}

// The same of a few kept masks, to a map of the root.
bool Translator::or_words(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    if (op.t > kFewWords || op.b != kZeroRow || program_.layout->node(op.y).parent != 0) {
        return false;
    }
    const auto kept = [&](std::uint32_t word) {
        return Mem{Reg::Dx, static_cast<std::int32_t>(8 * (op.c + word))};
    };
    code_.load64(Reg::Dx, in_frame(offsetof(Frame, loops)));
    code_.set32(Reg::Ax, 0);
    for (std::uint32_t word = 0; word < op.t; ++word) {
        code_.load64(Reg::Cx, kept(word));
        code_.count_bits64(Reg::Cx, Reg::Cx);
        if (CROUPIER_PLANTED(LastWordCounts)) {
            code_.set32(Reg::Ax, 0);
        }
        code_.alu32(Alu::Add, Reg::Ax, Reg::Cx);
    }
    code_.test32(Reg::Ax, Reg::Ax);
    code_.jump(If::Zero, label(pc + 1));
    count_rows(apart_aside(pc));
    code_.store32(in_frame(offsetof(Frame, rule)), op.note);
    ensure_map(op.y);
    for (std::uint32_t word = 0; word < op.t; ++word) {
        code_.load64(Reg::Cx, kept(word));
        code_.alu64(Alu::Or, in_block(op.x + std::size_t{8} * word), Reg::Cx);
    }
    code_.jump(fail_of(op));
    return true;
}

void Translator::clear_rows(const Op& op) {
    const Label next = code_.new_label();
    code_.increment64(in_frame(offsetof(Frame, matches)));
    count_firing(op);
    code_.alu8(Alu::Cmp, in_block(op.y), 0);
    code_.jump(If::Zero, next);
    code_.store8(in_block(op.y), std::uint8_t{0});
    code_.store64(in_block(op.x), 0);
    erase_entry(op.t, static_cast<std::uint16_t>(op.s));
    code_.place(next);
}

} // namespace croupier::engine::native
