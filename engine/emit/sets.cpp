// Sets of rows, a word of 64 rows at a time.
#include "engine/emit/values.h"
#include "engine/tree/layout.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace croupier::engine::emit {

// A register of its own, which may be changed.
x86::Gp Sets::word(Id set, std::uint32_t w) {
    const Node& node = at(set);
    CROUPIER_PROBE(emission_.write(set));
    const Gp rows = new64();
    switch (node.kind) {
    case Kind::AllRows: {
        const std::size_t left = list(node.type.list).values.size() - std::size_t{w} * kWordRows;
        const std::uint64_t all =
            left >= kWordRows
                ? ~std::uint64_t{0}
                : (std::uint64_t{1} << (left - (CROUPIER_MISTAKE(LastRowMissed) ? 1 : 0))) - 1;
        code_.mov(rows, asmjit::Imm(all));
        return rows;
    }
    case Kind::TableRows: {
        const std::uint64_t* const words = tables_.words(node.x);
        if (node.operands.empty()) {
            code_.mov(rows, asmjit::Imm(words[w]));
            return rows;
        }
        Gp index = table_index(node);
        if (words_of(set) != 1) {
            const Gp first = new64();
            code_.imul(first.r32(), index.r32(), asmjit::Imm(words_of(set)));
            index = first;
        }
        code_.mov(rows, in_table(words + w, index, 8));
        return rows;
    }
    case Kind::RowsOf:
        return kept_word(node.x, w);
    case Kind::Moved: {
        code_.xor_(rows.r32(), rows.r32());
        for (std::uint32_t from = 0; from < words_of(node.operands[0]); ++from) {
            const std::int64_t up =
                (std::int64_t{from} - std::int64_t{w}) * std::int64_t{kWordRows} + node.number;
            if (up <= -std::int64_t{kWordRows} || up >= std::int64_t{kWordRows}) {
                continue;
            }
            const Gp moved = word(node.operands[0], from);
            if (up > 0) {
                code_.shl(moved, up);
            } else if (up < 0) {
                code_.shr(moved, -up);
            }
            code_.or_(rows, moved);
        }
        return rows;
    }
    case Kind::Both: {
        const Gp both = word(node.operands[0], w);
        code_.and_(both, word(node.operands[1], w));
        return both;
    }
    case Kind::Either: {
        const Gp both = word(node.operands[0], w);
        code_.or_(both, word(node.operands[1], w));
        return both;
    }
    case Kind::Differ: {
        const Gp both = word(node.operands[0], w);
        code_.xor_(both, word(node.operands[1], w));
        return both;
    }
    case Kind::Without: {
        const Gp left = word(node.operands[0], w);
        const Gp out = word(node.operands[1], w);
        code_.not_(out);
        code_.and_(left, out);
        return left;
    }
    case Kind::Rows:
        map_rows(node, 0, rows, w);
        return rows;
    case Kind::RowsWith:
        map_rows(node, 1, rows, w);
        return rows;
    default:
        code_.xor_(rows.r32(), rows.r32());
        return rows;
    }
}

// The rows of a map that are there; with `first` 1 those whose byte is the code of the first
// operand.
void Sets::map_rows(const Node& node, std::size_t first, const Gp& rows, std::uint32_t w) {
    const std::uint32_t size = module_.catalogue->layout->domain(schema(node.x).domain).size();
    const asmjit::BaseNode* const begin = code_.cursor();
    const Label none = code_.newLabel();
    const bool is_sure_place =
        std::all_of(node.operands.begin() + static_cast<std::ptrdiff_t>(first), node.operands.end(),
                    [&](Id operand) { return is_sure(operand); });
    const SchemaNode& element = schema(schema(node.x).element);
    const bool bits = element.column == Column::None || element.column == Column::Int;
    if (!bits || !is_sure_place) {
        code_.xor_(rows.r32(), rows.r32());
    }
    check_codes(node, first, none);
    const std::uint32_t width = width_of(element.column);
    const std::int64_t stride = bits ? std::int64_t{element.words} * 8 : std::int64_t{size} * width;
    std::int64_t constant = bits ? element.presence + std::int64_t{w} * 8
                                 : element.values + std::int64_t{w} * kWordRows * width;
    Mem place =
        scaled(node, first, node.operands.size() - first, stride, constant).at(block_, constant, 8);
    if (bits) {
        code_.mov(rows, place);
        bind_if_asked_for(none, begin);
        return;
    }
    const std::uint32_t count = std::min(size - w * kWordRows, kWordRows);
    const Gp wanted = new32();
    if (first == 1) {
        code_.mov(wanted, code_of(node.operands[0]));
        if (!is_sure(node.operands[0])) {
            code_.test(wanted, wanted);
            code_.jz(none);
        }
    } else {
        code_.xor_(wanted, wanted);
    }
    if (width == 1) {
        byte_rows(place, wanted, count, rows);
    } else {
        // A value at a time.
        const Gp at = new64();
        code_.xor_(at.r32(), at.r32());
        const Gp base = new64();
        place.setSize(0);
        code_.lea(base, place);
        const Label next = code_.newLabel();
        code_.bind(next);
        const Label differs = code_.newLabel();
        if (element.column == Column::Code16) {
            code_.cmp(x86::word_ptr(base), wanted.r16());
        } else if (element.column == Column::Value) {
            code_.cmp(x86::byte_ptr(base), 0); // its tag
        } else {
            code_.cmp(x86::dword_ptr(base), 0);
        }
        code_.jne(differs);
        code_.bts(rows, at);
        code_.bind(differs);
        code_.add(base, width);
        code_.inc(at);
        code_.cmp(at, count);
        code_.jb(next);
    }
    if (first == 0) { // what is not 0
        code_.not_(rows);
        if (count < kWordRows && !CROUPIER_MISTAKE(RowsBehindLast)) {
            const Gp mask = new64();
            code_.mov(mask, asmjit::Imm((std::uint64_t{1} << count) - 1));
            code_.and_(rows, mask);
        }
    }
    code_.bind(none);
}

// Up to eight bytes, the first in the lowest; nothing behind them is read. Loads that overlap
// where no word has as many.
x86::Gp Sets::few_bytes(Mem place, std::uint32_t count) {
    const Gp some = new64();
    const auto load = [&](std::uint32_t size) {
        place.setSize(size);
        size < 4    ? code_.movzx(some.r32(), place)
        : size == 4 ? code_.mov(some.r32(), place)
                    : code_.mov(some, place);
    };
    const std::uint32_t whole = std::bit_floor(count);
    if (whole == count) {
        load(count);
        return some;
    }
    const Gp first = new64();
    load(whole);
    code_.mov(first, some);
    place.addOffset(count - whole);
    load(whole);
    code_.shl(some, (count - whole) * 8);
    code_.or_(some, first);
    return some;
}

// The bytes from the place on that are that one, sixteen at a time: the block goes on behind them.
void Sets::byte_rows(Mem place, const Gp& wanted, std::uint32_t count, const Gp& rows) {
    const x86::Xmm all = new_xmm();
    code_.movd(all, wanted);
    code_.punpcklbw(all, all);
    code_.pshuflw(all, all, asmjit::Imm(0));
    code_.punpcklqdq(all, all);
    place.setSize(16);
    for (std::uint32_t done = 0; done < count; done += 16) {
        const x86::Xmm bytes = new_xmm();
        const std::uint32_t left = count - done;
        if (left >= 16) {
            code_.movdqu(bytes, place);
        } else if (left > 8) {
            // Not beyond the column: what is there may be beyond the block.
            const x86::Xmm tail = new_xmm();
            place.setSize(8);
            code_.movq(bytes, place);
            Mem rest = place;
            rest.addOffset(static_cast<std::int64_t>(left) - 8);
            code_.movq(tail, rest);
            // The last eight, moved so that they follow.
            const Gp high = new64();
            code_.movq(high, tail);
            code_.shr(high, (16 - left) * 8);
            code_.movq(tail, high);
            code_.punpcklqdq(bytes, tail);
        } else {
            const Gp some = few_bytes(place, left);
            code_.movq(bytes, some);
        }
        code_.pcmpeqb(bytes, all);
        const Gp found = new64();
        code_.pmovmskb(found.r32(), bytes);
        if (left < 16) {
            code_.and_(found.r32(), asmjit::Imm((1u << left) - 1));
        }
        if (done != 0) {
            code_.shl(found, done);
        }
        code_.or_(rows, found);
        place.setSize(16);
        place.addOffset(16);
    }
}

// How many bits are set.
x86::Gp Sets::population(const Gp& rows) {
    const Gp count = new64();
    if (asmjit::CpuInfo::host().hasFeature(asmjit::CpuFeatures::X86::kPOPCNT)) {
        code_.popcnt(count, rows);
        return count;
    }
    const Gp rest = new64();
    const Gp less = new64();
    const Label next = code_.newLabel();
    const Label end = code_.newLabel();
    code_.mov(rest, rows);
    code_.xor_(count.r32(), count.r32());
    code_.bind(next);
    code_.test(rest, rest);
    code_.jz(end);
    code_.lea(less, x86::ptr(rest, -1));
    code_.and_(rest, less);
    code_.inc(count);
    code_.jmp(next);
    code_.bind(end);
    return count;
}

// Sets of up to 512 rows in one register each, where the processor has AVX-512: a board's sets are
// made, counted and written without going through memory.

namespace {

bool has(asmjit::CpuFeatures::X86::Id feature) {
    return asmjit::CpuInfo::host().hasFeature(feature);
}

std::uint64_t mask_of(std::uint32_t count) {
    return count >= kWordRows ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

} // namespace

bool can_be_wide() {
    using Features = asmjit::CpuFeatures::X86;
    return has(Features::kAVX512_F) && has(Features::kAVX512_BW) && has(Features::kAVX512_DQ) &&
           has(Features::kAVX512_VL);
}

const std::uint64_t* Tables::all_rows(std::uint32_t size) {
    std::unique_ptr<std::uint64_t[]>& all = all_rows_[size];
    if (all == nullptr) {
        all = std::make_unique<std::uint64_t[]>(kWideWords);
        for (std::uint32_t w = 0; w < words_for(size); ++w) {
            all[w] = mask_of(size - w * kWordRows);
        }
    }
    return all.get();
}

// ---- a set in a register ---------------------------------------------------------------------

// The register of a variable, which stays as it is, or another one.
x86::Zmm WideSets::wide(Id set) {
    const Node& node = at(set);
    if (node.kind == Kind::RowsOf && wide_rows_[node.x]) {
        CROUPIER_PROBE(emission_.write(set));
        return *wide_rows_[node.x];
    }
    const x86::Zmm made = new_zmm();
    wide_to(made, set);
    return made;
}

void WideSets::wide_to(const x86::Zmm& to, Id set) {
    const Node& node = at(set);
    CROUPIER_PROBE(emission_.write(set));
    switch (node.kind) {
    case Kind::RowsOf:
        if (wide_rows_[node.x]) {
            code_.vmovdqa64(to, *wide_rows_[node.x]);
            return;
        }
        break;
    case Kind::AllRows: {
        const Gp place = new64();
        const std::uint64_t* const all =
            tables_.all_rows(static_cast<std::uint32_t>(list(node.type.list).values.size()));
        code_.mov(place, asmjit::Imm(reinterpret_cast<std::uintptr_t>(all)));
        code_.vmovdqu64(to, x86::zmmword_ptr(place));
        return;
    }
    case Kind::Both:
        code_.vpandq(to, wide(node.operands[0]), wide(node.operands[1]));
        return;
    case Kind::Either:
        code_.vporq(to, wide(node.operands[0]), wide(node.operands[1]));
        return;
    case Kind::Differ:
        code_.vpxorq(to, wide(node.operands[0]), wide(node.operands[1]));
        return;
    case Kind::Without:
        code_.vpandnq(to, wide(node.operands[1]), wide(node.operands[0]));
        return;
    case Kind::Moved:
        if (node.number == 0) {
            wide_to(to, node.operands[0]);
            return;
        }
        break;
    case Kind::Rows:
    case Kind::RowsWith:
        if (is_wide_bytes(set)) {
            wide_bytes(to, set);
            return;
        }
        break;
    default:
        break;
    }
    // Word by word, by way of memory.
    std::vector<Gp> words;
    for (std::uint32_t w = 0; w < words_of(set); ++w) {
        words.push_back(word(set, w));
    }
    wide_from(to, words);
}

// The words, and nothing behind them.
void WideSets::wide_from(const x86::Zmm& to, const std::vector<Gp>& words) {
    std::vector<x86::Xmm> pairs;
    for (std::size_t w = 0; w < words.size(); w += 2) {
        pairs.push_back(new_xmm());
        code_.vmovq(pairs.back(), words[w]);
        if (w + 1 < words.size()) {
            code_.vpinsrq(pairs.back(), pairs.back(), words[w + 1], asmjit::Imm(1));
        }
    }
    code_.vmovdqa(to.xmm(), pairs[0]);
    for (std::uint32_t i = 1; i < pairs.size(); ++i) {
        code_.vinserti64x2(to, to, pairs[i], asmjit::Imm(i));
    }
}

// They are told by a column of bytes.
bool WideSets::is_wide_bytes(Id set) const {
    const Node& node = at(set);
    return (node.kind == Kind::Rows || node.kind == Kind::RowsWith) && is_wide(node.type.list) &&
           schema(schema(node.x).element).column == Column::Code8;
}

// Finds the rows, a word of them at a time, and gives each to `use`; goes to `none` where the map
// has none.
void WideSets::each_wide_word(
    Id set, Label none, const std::function<void(std::uint32_t w, const x86::KReg& found)>& use) {
    const Node& node = at(set);
    CROUPIER_PROBE(emission_.write(set));
    const SchemaNode& element = schema(schema(node.x).element);
    const std::uint32_t size = module_.catalogue->layout->domain(schema(node.x).domain).size();
    const std::size_t first = node.kind == Kind::RowsWith ? 1 : 0;
    check_codes(node, first, none);
    std::int64_t constant = element.values;
    const Index sum = scaled(node, first, node.operands.size() - first, size, constant);
    const std::size_t before = pool_->used[3];
    const x86::Zmm wanted = new_zmm();
    const x86::Zmm bytes = new_zmm();
    const x86::KReg found = mask();
    if (first == 1) {
        const Gp code = new32();
        code_.mov(code, code_of(node.operands[0]));
        if (!is_sure(node.operands[0])) {
            code_.test(code, code);
            code_.jz(none);
        }
        code_.vpbroadcastb(wanted, code);
    }
    for (std::uint32_t w = 0; w < words_for(size); ++w) {
        const Mem place = sum.at(block_, constant + std::int64_t{w} * kWideBytes, kWideBytes);
        const std::uint32_t left = size - w * kWordRows;
        if (left < kWordRows) { // what is behind the column may be behind the block
            const Gp all = new64();
            code_.mov(all, asmjit::Imm(mask_of(left)));
            code_.kmovq(found, all);
            code_.k(found).z().vmovdqu8(bytes, place);
        } else {
            code_.vmovdqu8(bytes, place);
        }
        if (first == 0) {
            code_.vptestmb(found, bytes, bytes);
        } else { // a code is not 0, as what is behind the column is here
            code_.vpcmpeqb(found, bytes, wanted);
        }
        use(w, found);
    }
    pool_->used[3] = before;
}

void WideSets::wide_bytes(const x86::Zmm& to, Id set) {
    const Label none = code_.newLabel();
    code_.vpxorq(to, to, to);
    std::vector<Gp> words;
    each_wide_word(set, none, [&](std::uint32_t, const x86::KReg& found) {
        words.push_back(new64());
        code_.kmovq(words.back(), found);
    });
    wide_from(to, words);
    code_.bind(none);
}

void WideSets::jump_wide(Id set, bool when, Label to) {
    if (!any_) {
        any_ = code_.newKq();
    }
    if (is_wide_bytes(set)) {
        const Label none = code_.newLabel();
        code_.kxorq(*any_, *any_, *any_);
        each_wide_word(set, none, [&](std::uint32_t, const x86::KReg& found) {
            code_.korq(*any_, *any_, found);
        });
        code_.bind(none);
    } else {
        const std::size_t before = pool_->used[3];
        const x86::Zmm rows = wide(set);
        code_.vptestmq(*any_, rows, rows);
        pool_->used[3] = before;
    }
    code_.kortestq(*any_, *any_);
    when ? code_.jnz(to) : code_.jz(to);
}

// ---- variables -------------------------------------------------------------------------------

void WideSets::set_wide(VarId var, Id set) {
    const x86::Zmm to = new_zmm();
    const std::size_t before = pool_->used[3];
    wide_to(to, set);
    pool_->used[3] = before;
    wide_rows_[var] = to;
}

// How many rows.
void WideSets::count_wide(VarId var, const Gp& count) {
    const x86::Zmm& rows = *wide_rows_[var];
    if (!has(asmjit::CpuFeatures::X86::kAVX512_VPOPCNTDQ)) {
        for (std::uint32_t w = 0; w < kWideWords; ++w) {
            const Gp each = population(kept_word(var, w));
            w == 0 ? code_.mov(count, each) : code_.add(count, each);
        }
        return;
    }
    const x86::Zmm sums = new_zmm();
    const x86::Zmm high = new_zmm();
    code_.vpopcntq(sums, rows);
    code_.vextracti64x4(high.ymm(), sums, asmjit::Imm(1));
    code_.vpaddq(sums.ymm(), sums.ymm(), high.ymm());
    code_.vextracti128(high.xmm(), sums.ymm(), asmjit::Imm(1));
    code_.vpaddq(sums.xmm(), sums.xmm(), high.xmm());
    code_.vpshufd(high.xmm(), sums.xmm(), asmjit::Imm(0xee));
    code_.vpaddq(sums.xmm(), sums.xmm(), high.xmm());
    code_.vmovq(count, sums.xmm());
}

} // namespace croupier::engine::emit
