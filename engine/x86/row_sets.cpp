// Sets of rows, a word of 64 rows at a time; where the processor has AVX-512, up to 512 rows in one
// register, so that a board's sets are made, counted and written without going through memory.
#include "engine/state/layout.h"
#include "engine/x86/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace croupier::engine::x86 {

namespace {

std::uint64_t mask_of(std::uint32_t count) {
    return count >= kWordRows ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// Loads up to eight bytes, the first in the lowest, and reads nothing after them. If no load has
// that size, two loads overlap.
x86::Gp few_bytes(Context& c, Mem place, std::uint32_t count) {
    const Gp some = c.new64();
    const auto load = [&](std::uint32_t size) {
        place.setSize(size);
        size < 4    ? c.out.movzx(some.r32(), place)
        : size == 4 ? c.out.mov(some.r32(), place)
                    : c.out.mov(some, place);
    };
    const std::uint32_t whole = std::bit_floor(count);
    if (whole == count) {
        load(count);
        return some;
    }
    const Gp first = c.new64();
    load(whole);
    c.out.mov(first, some);
    place.addOffset(count - whole);
    load(whole);
    c.out.shl(some, (count - whole) * 8);
    c.out.or_(some, first);
    return some;
}

// Adds the rows whose byte, from the place on, is `wanted`, sixteen at a time; 0 if it is none. At
// least `room` bytes from the place on can be read.
void byte_rows(Context& c, Mem place, const std::optional<Gp>& wanted, std::uint32_t count,
               std::uint32_t room, const Gp& rows) {
    const x86::Xmm all = c.new_xmm();
    if (wanted) {
        c.out.movd(all, *wanted);
        c.out.punpcklbw(all, all);
        c.out.pshuflw(all, all, asmjit::Imm(0));
        c.out.punpcklqdq(all, all);
    } else {
        c.out.pxor(all, all);
    }
    place.setSize(16);
    for (std::uint32_t done = 0; done < count; done += 16) {
        const x86::Xmm bytes = c.new_xmm();
        const std::uint32_t left = count - done;
        if (done + 16 <= room) {
            c.out.movdqu(bytes, place);
        } else if (left > 8) {
            // Reads nothing beyond the column, which may be the end of the block.
            const x86::Xmm tail = c.new_xmm();
            place.setSize(8);
            c.out.movq(bytes, place);
            Mem rest = place;
            rest.addOffset(static_cast<std::int64_t>(left) - 8);
            c.out.movq(tail, rest);
            // The last eight bytes, shifted so that they follow the first eight.
            const Gp high = c.new64();
            c.out.movq(high, tail);
            c.out.shr(high, (16 - left) * 8);
            c.out.movq(tail, high);
            c.out.punpcklqdq(bytes, tail);
        } else {
            const Gp some = few_bytes(c, place, left);
            c.out.movq(bytes, some);
        }
        c.out.pcmpeqb(bytes, all);
        const Gp found = c.new64();
        c.out.pmovmskb(found.r32(), bytes);
        if (left < 16) c.out.and_(found.r32(), asmjit::Imm((1u << left) - 1));
        if (done != 0) c.out.shl(found, done);
        c.out.or_(rows, found);
        place.setSize(16);
        place.addOffset(16);
    }
}

// The words, followed by zeros.
void wide_from(Context& c, const x86::Zmm& to, const std::vector<Gp>& words) {
    std::vector<x86::Xmm> pairs;
    for (std::size_t w = 0; w < words.size(); w += 2) {
        pairs.push_back(c.new_xmm());
        c.out.vmovq(pairs.back(), words[w]);
        if (w + 1 < words.size())
            c.out.vpinsrq(pairs.back(), pairs.back(), words[w + 1], asmjit::Imm(1));
    }
    c.out.vmovdqa(to.xmm(), pairs[0]);
    for (std::uint32_t i = 1; i < pairs.size(); ++i)
        c.out.vinserti64x2(to, to, pairs[i], asmjit::Imm(i));
}

// An intersection of sets of one word: its parts, by how many rows each is moved, and the rows that
// all of them may have. A part is rotated, since the rows that go over an end are not among these.
struct Parts {
    std::vector<std::pair<Id, std::int64_t>> all;
    std::uint64_t rows = ~std::uint64_t{0};

    void add(Context& c, Id set, std::int64_t by);
};

void Parts::add(Context& c, Id set, std::int64_t by) {
    const Node& node = c.at(set);
    switch (node.kind) {
    case Kind::Both:
        add(c, node.operands[0], by);
        add(c, node.operands[1], by);
        break;
    case Kind::Moved:
        if (words_of(c, node.operands[0]) != 1) {
            all.emplace_back(set, by);
            return;
        }
        add(c, node.operands[0], by + node.by());
        rows &= form::moved_rows(mask_of(size_of(c, c.at(node.operands[0]).type)), by + node.by());
        break;
    case Kind::TableRows:
        if (node.operands.empty()) {
            if (by == 0 || !CROUPIER_MISTAKE(ShiftWithoutMask))
                rows &= form::moved_rows(c.tables.words(node.table())[0], by);
            break;
        }
        [[fallthrough]];
    default:
        all.emplace_back(set, by);
        return;
    }
    CROUPIER_PROBE(c.emission.write(set));
}

// The word of a set, rotated, in a register of its own.
x86::Gp rotated(Context& c, Id set, std::int64_t by) {
    if (by == 0) return word(c, set, 0);
    const asmjit::Imm right(static_cast<std::uint64_t>(-by) % kWordRows);
    const Node& node = c.at(set);
    if (node.kind == Kind::RowsOf && !c.wide_rows[node.var()] && c.has(Feature::kBMI2)) {
        CROUPIER_PROBE(c.emission.write(set));
        const Gp rows = c.new64();
        const auto& kept = c.registers[node.var()];
        kept ? c.out.rorx(rows, *kept, right) : c.out.rorx(rows, rows_of(c, node.var()), right);
        return rows;
    }
    const Gp rows = word(c, set, 0);
    c.out.ror(rows, right);
    return rows;
}

x86::Gp word_of_parts(Context& c, Id set) {
    Parts parts;
    parts.add(c, set, 0);
    std::optional<Gp> made;
    for (const auto& [each, by] : parts.all) {
        if (!made) {
            made = rotated(c, each, by);
            continue;
        }
        const auto before = std::to_array(c.pool->used);
        c.out.and_(*made, rotated(c, each, by));
        std::copy(before.begin(), before.end(), std::begin(c.pool->used));
    }
    const std::uint64_t all = mask_of(size_of(c, c.at(set).type));
    if ((parts.rows & all) == all && made) return *made;
    if ((parts.rows & all) <= INT32_MAX && made) {
        c.out.and_(*made, asmjit::Imm(parts.rows & all));
        return *made;
    }
    const Gp mask = c.new64();
    c.out.mov(mask, asmjit::Imm(parts.rows & all));
    if (made) c.out.and_(mask, *made);
    return mask;
}

// Moves the next rows of `set`, the lowest bits, to the places, from the lowest on, and drops them.
// Without `rows` it only drops them.
void deposit(Context& c, const Gp& set, const Gp& places, const Gp* rows) {
    if (c.has(Feature::kBMI2)) {
        if (rows != nullptr) c.out.pdep(*rows, set, places);
        c.out.shrx(set, set, population(c, places));
        return;
    }
    const Label next = c.out.newLabel();
    const Label end = c.out.newLabel();
    const Label absent = c.out.newLabel();
    const Gp place = c.new64();
    if (rows != nullptr) c.out.xor_(rows->r32(), rows->r32());
    c.out.bind(next);
    c.out.mov(place, places);
    c.out.neg(place);
    c.out.and_(place, places);
    c.out.jz(end);
    c.out.xor_(places, place);
    c.out.shr(set, 1);
    c.out.jnc(absent);
    if (rows != nullptr) c.out.or_(*rows, place);
    c.out.bind(absent);
    c.out.jmp(next);
    c.out.bind(end);
}

// The rows of a set of one word at the places that another set has.
void spread_word(Context& c, const Node& node, std::uint32_t w, const Gp& rows) {
    const Gp set = word(c, node.operands[0], 0);
    for (std::uint32_t each = 0; each <= w; ++each) {
        const Gp places = word(c, node.operands[1], each);
        deposit(c, set, places, each == w ? &rows : nullptr);
    }
}

void wide_bytes(Context& c, const x86::Zmm& to, Id set) {
    const Label none = c.out.newLabel();
    c.out.vpxorq(to, to, to);
    std::vector<Gp> words;
    each_wide_word(c, set, none, [&](std::uint32_t, const x86::KReg& found) {
        words.push_back(c.new64());
        c.out.kmovq(words.back(), found);
    });
    wide_from(c, to, words);
    c.out.bind(none);
}

} // namespace

const std::uint64_t* Tables::all_rows(std::uint32_t size) {
    std::unique_ptr<std::uint64_t[]>& all = all_rows_[size];
    if (all == nullptr) {
        all = std::make_unique<std::uint64_t[]>(kWideWords);
        for (std::uint32_t w = 0; w < words_for(size); ++w)
            all[w] = mask_of(size - w * kWordRows);
    }
    return all.get();
}

// Returns a register of its own, which the caller may change.
x86::Gp word(Context& c, Id set, std::uint32_t w) {
    const Node& node = c.at(set);
    CROUPIER_PROBE(c.emission.write(set));
    const Gp rows = c.new64();
    switch (node.kind) {
    case Kind::AllRows: {
        const std::size_t left = c.list(node.type.list).values.size() - std::size_t{w} * kWordRows;
        const std::uint64_t all =
            left >= kWordRows
                ? ~std::uint64_t{0}
                : (std::uint64_t{1} << (left - (CROUPIER_MISTAKE(LastRowMissed) ? 1 : 0))) - 1;
        c.out.mov(rows, asmjit::Imm(all));
        return rows;
    }
    case Kind::TableRows: {
        const std::uint64_t* const words = c.tables.words(node.table());
        if (node.operands.empty()) {
            c.out.mov(rows, asmjit::Imm(words[w]));
            return rows;
        }
        Gp index = table_index(c, node.table(), node.operands);
        if (words_of(c, set) != 1) {
            const Gp first = c.new64();
            c.out.imul(first.r32(), index.r32(), asmjit::Imm(words_of(c, set)));
            index = first;
        }
        c.out.mov(rows, in_table(c, words + w, index, 8));
        return rows;
    }
    case Kind::RowsOf:
        return kept_word(c, node.var(), w);
    case Kind::Moved: {
        if (words_of(c, set) == 1 && words_of(c, node.operands[0]) == 1)
            return word_of_parts(c, set);
        c.out.xor_(rows.r32(), rows.r32());
        for (std::uint32_t from = 0; from < words_of(c, node.operands[0]); ++from) {
            const std::int64_t up =
                (std::int64_t{from} - std::int64_t{w}) * std::int64_t{kWordRows} + node.by();
            if (up <= -std::int64_t{kWordRows} || up >= std::int64_t{kWordRows}) continue;
            const Gp moved = word(c, node.operands[0], from);
            if (up > 0)
                c.out.shl(moved, up);
            else if (up < 0)
                c.out.shr(moved, -up);
            c.out.or_(rows, moved);
        }
        return rows;
    }
    case Kind::Spread:
        spread_word(c, node, w, rows);
        return rows;
    case Kind::Both:
        if (words_of(c, set) == 1) return word_of_parts(c, set);
        [[fallthrough]];
    case Kind::Either:
    case Kind::Differ: {
        const Gp made = word(c, node.operands[0], w);
        const Gp other = word(c, node.operands[1], w);
        node.kind == Kind::Both     ? c.out.and_(made, other)
        : node.kind == Kind::Either ? c.out.or_(made, other)
                                    : c.out.xor_(made, other);
        return made;
    }
    case Kind::Without: {
        const Gp left = word(c, node.operands[0], w);
        const Gp out = word(c, node.operands[1], w);
        c.out.not_(out);
        c.out.and_(left, out);
        return left;
    }
    case Kind::Rows:
        map_rows(c, node, 0, rows, w);
        return rows;
    case Kind::RowsWith:
        map_rows(c, node, 1, rows, w);
        return rows;
    default:
        c.out.xor_(rows.r32(), rows.r32());
        return rows;
    }
}

// The rows of a map that exist; if `first` is 1, those whose value is the code of the first
// operand.
void map_rows(Context& c, const Node& node, std::size_t first, const Gp& rows, std::uint32_t w) {
    const std::uint32_t size = c.layout().domain(c.schema(node.schema()).domain).size();
    const asmjit::BaseNode* const begin = c.out.cursor();
    const Label none = c.out.newLabel();
    const bool is_sure_place =
        std::all_of(node.operands.begin() + static_cast<std::ptrdiff_t>(first), node.operands.end(),
                    [&](Id operand) { return is_sure(c, operand); });
    const SchemaNode& element = c.schema(c.schema(node.schema()).element);
    const bool bits = element.column == Column::None || element.column == Column::Int;
    if (!bits || !is_sure_place) c.out.xor_(rows.r32(), rows.r32());
    check_codes(c, node, first, none);
    const std::uint32_t width = width_of(element.column);
    const std::int64_t stride = bits ? std::int64_t{element.words} * 8 : std::int64_t{size} * width;
    std::int64_t constant = bits ? element.presence + std::int64_t{w} * 8
                                 : element.values + std::int64_t{w} * kWordRows * width;
    Mem place = scaled(c, node, first, node.operands.size() - first, stride, constant)
                    .at(c.block, constant, 8);
    if (bits) {
        c.out.mov(rows, place);
        c.bind_if_asked_for(none, begin);
        return;
    }
    const std::uint32_t count = std::min(size - w * kWordRows, kWordRows);
    std::optional<Gp> wanted;
    if (first == 1) {
        wanted = c.new32();
        c.out.mov(*wanted, code_of(c, node.operands[0]));
        if (!is_sure(c, node.operands[0])) {
            c.out.test(*wanted, *wanted);
            c.out.jz(none);
        }
    }
    if (width == 1) {
        const std::uint32_t end = element.values + element.instances;
        const std::uint32_t after = std::max(c.layout().dense_bytes(), end) - end;
        byte_rows(c, place, wanted, count, size - w * kWordRows + after, rows);
    } else {
        // One value at a time.
        const Gp at = c.new64();
        c.out.xor_(at.r32(), at.r32());
        const Gp base = c.new64();
        place.setSize(0);
        c.out.lea(base, place);
        const Label next = c.out.newLabel();
        c.out.bind(next);
        const Label differs = c.out.newLabel();
        if (element.column == Column::Code16)
            wanted ? c.out.cmp(x86::word_ptr(base), wanted->r16())
                   : c.out.cmp(x86::word_ptr(base), 0);
        else if (element.column == Column::Value)
            c.out.cmp(x86::byte_ptr(base), 0); // its tag
        else
            c.out.cmp(x86::dword_ptr(base), 0);
        c.out.jne(differs);
        c.out.bts(rows, at);
        c.out.bind(differs);
        c.out.add(base, width);
        c.out.inc(at);
        c.out.cmp(at, count);
        c.out.jb(next);
    }
    if (first == 0) { // values that are not 0
        c.out.not_(rows);
        if (count < kWordRows && !CROUPIER_MISTAKE(RowsBehindLast)) {
            const Gp mask = c.new64();
            c.out.mov(mask, asmjit::Imm((std::uint64_t{1} << count) - 1));
            c.out.and_(rows, mask);
        }
    }
    c.out.bind(none);
}

// The number of bits that are set.
x86::Gp population(Context& c, const Gp& rows) {
    const Gp count = c.new64();
    if (c.has(Feature::kPOPCNT)) {
        c.out.popcnt(count, rows);
        return count;
    }
    const Gp rest = c.new64();
    const Gp less = c.new64();
    const Label next = c.out.newLabel();
    const Label end = c.out.newLabel();
    c.out.mov(rest, rows);
    c.out.xor_(count.r32(), count.r32());
    c.out.bind(next);
    c.out.test(rest, rest);
    c.out.jz(end);
    c.out.lea(less, x86::ptr(rest, -1));
    c.out.and_(rest, less);
    c.out.inc(count);
    c.out.jmp(next);
    c.out.bind(end);
    return count;
}

// The register of a variable, which must not be changed, or a new one.
x86::Zmm wide(Context& c, Id set) {
    const Node& node = c.at(set);
    if (node.kind == Kind::RowsOf && c.wide_rows[node.var()]) {
        CROUPIER_PROBE(c.emission.write(set));
        return *c.wide_rows[node.var()];
    }
    const x86::Zmm made = c.new_zmm();
    wide_to(c, made, set);
    return made;
}

void wide_to(Context& c, const x86::Zmm& to, Id set) {
    const Node& node = c.at(set);
    CROUPIER_PROBE(c.emission.write(set));
    switch (node.kind) {
    case Kind::RowsOf:
        if (c.wide_rows[node.var()]) {
            c.out.vmovdqa64(to, *c.wide_rows[node.var()]);
            return;
        }
        break;
    case Kind::AllRows: {
        const Gp place = c.new64();
        const std::uint64_t* const all = c.tables.all_rows(size_of(c, node.type));
        c.out.mov(place, asmjit::Imm(reinterpret_cast<std::uintptr_t>(all)));
        c.out.vmovdqu64(to, x86::zmmword_ptr(place));
        return;
    }
    case Kind::Both:
        c.out.vpandq(to, wide(c, node.operands[0]), wide(c, node.operands[1]));
        return;
    case Kind::Either:
        c.out.vporq(to, wide(c, node.operands[0]), wide(c, node.operands[1]));
        return;
    case Kind::Differ:
        c.out.vpxorq(to, wide(c, node.operands[0]), wide(c, node.operands[1]));
        return;
    case Kind::Without:
        c.out.vpandnq(to, wide(c, node.operands[1]), wide(c, node.operands[0]));
        return;
    case Kind::Moved:
        if (node.by() == 0) {
            wide_to(c, to, node.operands[0]);
            return;
        }
        break;
    case Kind::Rows:
    case Kind::RowsWith:
        if (is_wide_bytes(c, set)) {
            wide_bytes(c, to, set);
            return;
        }
        break;
    default:
        break;
    }
    // Word by word.
    std::vector<Gp> words;
    for (std::uint32_t w = 0; w < words_of(c, set); ++w)
        words.push_back(word(c, set, w));
    wide_from(c, to, words);
}

// Whether the rows follow from a column of bytes.
bool is_wide_bytes(const Context& c, Id set) {
    const Node& node = c.at(set);
    return (node.kind == Kind::Rows || node.kind == Kind::RowsWith) && is_wide(c, node.type.list) &&
           c.schema(c.schema(node.schema()).element).column == Column::Code8;
}

// Finds the rows, a word of them at a time, and passes each word to `use`; jumps to `none` if the
// map has none.
void each_wide_word(Context& c, Id set, Label none,
                    const std::function<void(std::uint32_t w, const x86::KReg& found)>& use) {
    const Node& node = c.at(set);
    CROUPIER_PROBE(c.emission.write(set));
    const SchemaNode& element = c.schema(c.schema(node.schema()).element);
    const std::uint32_t size = c.layout().domain(c.schema(node.schema()).domain).size();
    const std::size_t first = node.kind == Kind::RowsWith ? 1 : 0;
    check_codes(c, node, first, none);
    std::int64_t constant = element.values;
    const Index sum = scaled(c, node, first, node.operands.size() - first, size, constant);
    const std::size_t before = c.pool->used[3];
    const x86::Zmm wanted = c.new_zmm();
    const x86::Zmm bytes = c.new_zmm();
    const x86::KReg found = c.mask();
    if (first == 1) {
        const Gp code = c.new32();
        c.out.mov(code, code_of(c, node.operands[0]));
        if (!is_sure(c, node.operands[0])) {
            c.out.test(code, code);
            c.out.jz(none);
        }
        c.out.vpbroadcastb(wanted, code);
    }
    for (std::uint32_t w = 0; w < words_for(size); ++w) {
        const Mem place = sum.at(c.block, constant + std::int64_t{w} * kWideBytes, kWideBytes);
        const std::uint32_t left = size - w * kWordRows;
        if (left < kWordRows) { // the column may be the end of the block
            const Gp all = c.new64();
            c.out.mov(all, asmjit::Imm(mask_of(left)));
            c.out.kmovq(found, all);
            c.out.k(found).z().vmovdqu8(bytes, place);
        } else {
            c.out.vmovdqu8(bytes, place);
        }
        if (first == 0)
            c.out.vptestmb(found, bytes, bytes);
        else // the zeros after the column do not match, since a code is not 0
            c.out.vpcmpeqb(found, bytes, wanted);
        use(w, found);
    }
    c.pool->used[3] = before;
}

void jump_wide(Context& c, Id set, bool when, Label to) {
    if (!c.any_mask) c.any_mask = c.out.newKq();
    if (is_wide_bytes(c, set)) {
        const Label none = c.out.newLabel();
        c.out.kxorq(*c.any_mask, *c.any_mask, *c.any_mask);
        each_wide_word(c, set, none, [&](std::uint32_t, const x86::KReg& found) {
            c.out.korq(*c.any_mask, *c.any_mask, found);
        });
        c.out.bind(none);
    } else {
        const std::size_t before = c.pool->used[3];
        const x86::Zmm rows = wide(c, set);
        c.out.vptestmq(*c.any_mask, rows, rows);
        c.pool->used[3] = before;
    }
    c.out.kortestq(*c.any_mask, *c.any_mask);
    when ? c.out.jnz(to) : c.out.jz(to);
}

void set_wide(Context& c, VarId var, Id set) {
    const x86::Zmm to = c.new_zmm();
    const std::size_t before = c.pool->used[3];
    wide_to(c, to, set);
    c.pool->used[3] = before;
    c.wide_rows[var] = to;
}

// The number of rows.
void count_wide(Context& c, VarId var, const Gp& count) {
    const x86::Zmm& rows = *c.wide_rows[var];
    if (!c.has(Feature::kAVX512_VPOPCNTDQ)) {
        for (std::uint32_t w = 0; w < kWideWords; ++w) {
            const Gp each = population(c, kept_word(c, var, w));
            w == 0 ? c.out.mov(count, each) : c.out.add(count, each);
        }
        return;
    }
    const x86::Zmm sums = c.new_zmm();
    const x86::Zmm high = c.new_zmm();
    c.out.vpopcntq(sums, rows);
    c.out.vextracti64x4(high.ymm(), sums, asmjit::Imm(1));
    c.out.vpaddq(sums.ymm(), sums.ymm(), high.ymm());
    c.out.vextracti128(high.xmm(), sums.ymm(), asmjit::Imm(1));
    c.out.vpaddq(sums.xmm(), sums.xmm(), high.xmm());
    c.out.vpshufd(high.xmm(), sums.xmm(), asmjit::Imm(0xee));
    c.out.vpaddq(sums.xmm(), sums.xmm(), high.xmm());
    c.out.vmovq(count, sums.xmm());
}

} // namespace croupier::engine::x86
