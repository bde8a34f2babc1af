// Sets of up to 512 rows in one register each, where the processor has AVX-512: a board's sets are
// made, counted and written without going through memory.
#include "engine/emit/wide.h"

#include "engine/tree/layout.h"

#include <vector>

namespace croupier::engine::emit {

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
