// The neighbours of the rows of a set: shifts its words, a pair of them at a time, and adds them up
// as binary digits.
#include "engine/state/layout.h"
#include "engine/x86/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

namespace croupier::engine::x86 {

namespace {

// Sums of numbers, one for each row: by digit, the sets that are not yet added.
struct WideSum {
    std::vector<std::vector<x86::Zmm>> waiting;
    std::vector<x86::Zmm> free;

    x86::Zmm taken(Context& c);
    void add(Context& c, std::size_t digit, const x86::Zmm& more);
    void finish(Context& c, std::size_t digit, const x86::Zmm& to);
};

x86::Zmm WideSum::taken(Context& c) {
    if (free.empty()) return c.new_zmm();
    const x86::Zmm made = free.back();
    free.pop_back();
    return made;
}

// Adds a set to a digit: of three sets one stays, and one becomes a carry for the next digit.
void WideSum::add(Context& c, std::size_t digit, const x86::Zmm& more) {
    if (waiting.size() <= digit) waiting.resize(digit + 1);
    std::vector<x86::Zmm>& here = waiting[digit];
    if (here.size() < 2) {
        here.push_back(more);
        return;
    }
    const x86::Zmm a = here[0];
    const x86::Zmm b = here[1];
    const x86::Zmm carry = taken(c);
    c.out.vmovdqa64(carry, a);
    c.out.vpternlogq(carry, b, more, asmjit::Imm(0xe8));
    c.out.vpternlogq(a, b, more, asmjit::Imm(0x96));
    here = {a};
    free.push_back(b);
    free.push_back(more);
    add(c, digit + 1, carry);
}

void WideSum::finish(Context& c, std::size_t digit, const x86::Zmm& to) {
    if (waiting.size() <= digit || waiting[digit].empty()) return;
    const std::vector<x86::Zmm> here = std::exchange(waiting[digit], {});
    if (here.size() == 1) {
        c.out.vmovdqa64(to, here[0]);
        return;
    }
    c.out.vpxorq(to, here[0], here[1]);
    const x86::Zmm carry = taken(c);
    c.out.vpandq(carry, here[0], here[1]);
    add(c, digit + 1, carry);
}

constexpr std::int64_t kWordBits = kWordRows;

// The word in which rows begin that are `by` rows further.
std::int64_t words_up(std::int64_t by) {
    return (by >= 0 ? by : by - (kWordBits - 1)) / kWordBits;
}

// Whether it is made only of variables.
bool goes_by_pairs(const Context& c, Id set) {
    const Node& node = c.at(set);
    switch (node.kind) {
    case Kind::RowsOf:
    case Kind::AllRows:
        return true;
    case Kind::Both:
    case Kind::Either:
    case Kind::Without:
    case Kind::Differ:
        return goes_by_pairs(c, node.operands[0]) && goes_by_pairs(c, node.operands[1]);
    default:
        return false;
    }
}

// AllRows also sets bits past the last row; the set joined with it has none there.
x86::Xmm pair(Context& c, Id set, const Gp& offset) {
    const Node& node = c.at(set);
    CROUPIER_PROBE(c.emission.write(set));
    const x86::Xmm rows = c.new_xmm();
    switch (node.kind) {
    case Kind::RowsOf: {
        Mem place = rows_of(c, node.var());
        place.setIndex(offset);
        place.setSize(16);
        c.out.movdqu(rows, place);
        return rows;
    }
    case Kind::AllRows:
        c.out.pcmpeqb(rows, rows);
        return rows;
    default:
        break;
    }
    const bool out = node.kind == Kind::Without; // rows that are not in the second
    c.out.movdqa(rows, pair(c, node.operands[out ? 1 : 0], offset));
    const x86::Xmm other = pair(c, node.operands[out ? 0 : 1], offset);
    out                         ? c.out.pandn(rows, other)
    : node.kind == Kind::Both   ? c.out.pand(rows, other)
    : node.kind == Kind::Either ? c.out.por(rows, other)
                                : c.out.pxor(rows, other);
    return rows;
}

void keep_word(Context& c, VarId var, const Gp& rows) {
    if (!c.registers[var]) c.registers[var] = c.new64();
    c.out.mov(*c.registers[var], rows);
}

// The neighbours of the rows of a set of one word.
void touching_word(Context& c, const Node& node, const std::vector<form::Shift>& shifts) {
    const Gp rows = word(c, node.operands[0], 0);
    const Gp made = c.new64();
    for (std::size_t i = 0; i < shifts.size(); ++i) {
        const Gp each = i == 0 ? made : c.new64();
        c.out.mov(each, rows);
        if (shifts[i].by > 0)
            c.out.shr(each, asmjit::Imm(shifts[i].by));
        else if (shifts[i].by < 0)
            c.out.shl(each, asmjit::Imm(-shifts[i].by));
        const Gp mask = c.new64();
        c.out.mov(mask, asmjit::Imm(shifts[i].rows[0]));
        if (!CROUPIER_MISTAKE(ShiftWithoutMask)) c.out.and_(each, mask);
        if (i > 0) c.out.or_(made, each);
    }
    keep_word(c, node.var(), made);
}

void touching(Context& c, const Node& node) {
    const Id set = node.operands[0];
    const std::uint32_t from = words_of(c, set);
    const Tables::Steps& steps = c.tables.steps(node.relation(), size_of(c, c.at(set).type));
    const auto& shifts = steps.shifts.all;
    const std::size_t to = shifts[0].rows.size();
    if (from == 1 && to == 1 && node.kind == Kind::LetTouching)
        return touching_word(c, node, shifts);
    const std::size_t even = to + to % 2;
    // The set's words with empty ones around them, as far as shifts reach.
    const std::int64_t below = std::max<std::int64_t>(0, -words_up(shifts.front().by));
    const std::int64_t above = std::max<std::int64_t>(0, words_up(shifts.back().by)) + 1;
    const std::int64_t reached = static_cast<std::int64_t>(even) + above;
    const std::int64_t room = below + std::max<std::int64_t>(from + from % 2, reached);
    const Mem around = c.out.newStack(static_cast<std::uint32_t>((room + room % 2) * 8), 16);
    const auto at_word = [&](std::int64_t w, std::uint32_t size) {
        Mem place = around;
        place.addOffset((below + w) * 8);
        place.setSize(size);
        return place;
    };
    const Gp none = c.new64();
    c.out.xor_(none.r32(), none.r32());
    for (std::int64_t w = -below; w < room - below; ++w)
        if (w < 0 || w >= from) c.out.mov(at_word(w, 8), none);
    for (std::uint32_t w = 0; w < from; ++w)
        c.out.mov(at_word(w, 8), word(c, set, w));
    const auto digits = static_cast<std::size_t>(node.vars());
    const Gp offset = c.new64();
    const Gp masks = c.new64();
    const Label next = c.out.newLabel();
    std::vector<x86::Xmm> made;
    for (std::size_t i = 0; i < digits; ++i)
        made.push_back(c.new_xmm());
    const x86::Xmm more = c.new_xmm();
    const x86::Xmm high = c.new_xmm();
    const x86::Xmm both = c.new_xmm();
    c.out.xor_(offset.r32(), offset.r32());
    c.out.mov(masks, asmjit::Imm(reinterpret_cast<std::uintptr_t>(steps.masks.get())));
    c.out.bind(next);
    for (const x86::Xmm& each : made)
        c.out.pxor(each, each);
    for (std::size_t i = 0; i < shifts.size(); ++i) {
        const std::int64_t up = words_up(shifts[i].by);
        const std::int64_t bits = shifts[i].by - up * kWordBits;
        Mem place = at_word(up, 16);
        place.setIndex(offset);
        c.out.movdqu(more, place);
        if (bits != 0) {
            place.addOffset(8);
            c.out.movdqu(high, place);
            c.out.psrlq(more, asmjit::Imm(bits));
            c.out.psllq(high, asmjit::Imm(kWordBits - bits));
            if (!CROUPIER_MISTAKE(ShiftLosesNextWord)) c.out.por(more, high);
        }
        Mem mask = x86::ptr(masks, offset, 0, static_cast<std::int32_t>(i * even * 8));
        mask.setSize(16);
        c.out.movdqu(high, mask);
        c.out.pand(more, high);
        if (node.kind == Kind::LetTouching) {
            c.out.por(made[0], more);
            continue;
        }
        // The most digits that the number can have by now.
        const std::size_t reach = std::min<std::size_t>(std::bit_width(i + 1), digits);
        for (std::size_t d = 0; d < reach; ++d) {
            if (d + 1 < reach) {
                c.out.movdqa(both, made[d]);
                c.out.pand(both, more);
            }
            c.out.pxor(made[d], more);
            if (d + 1 < reach) c.out.movdqa(more, both);
        }
    }
    for (std::size_t i = 0; i < digits; ++i) {
        Mem place = rows_of(c, node.var() + static_cast<VarId>(i));
        place.setIndex(offset);
        place.setSize(16);
        c.out.movdqu(place, made[i]);
    }
    c.out.add(offset, 16);
    c.out.cmp(offset, static_cast<std::int32_t>(even * 8));
    c.out.jb(next);
}

// The neighbours of the rows of a set, with sets in registers of 512 bits.

bool wide_touching(Context& c, const Node& node) {
    const Id set = node.operands[0];
    if (!is_wide(c, c.function.vars[node.var()].type.list) || words_of(c, set) > kWideWords)
        return false;
    const Tables::Steps& steps = c.tables.steps(node.relation(), size_of(c, c.at(set).type));
    const bool counts = node.kind == Kind::LetCounts;
    const auto digits = static_cast<std::size_t>(node.vars());
    std::vector<x86::Zmm> made;
    for (std::size_t i = 0; i < digits; ++i) {
        made.push_back(c.new_zmm());
        c.out.vpxorq(made[i], made[i], made[i]);
    }
    const std::size_t before = c.pool->used[3];
    const x86::Zmm rows = c.new_zmm();
    const x86::Zmm none = c.new_zmm();
    wide_to(c, rows, set);
    c.out.vpxorq(none, none, none);
    // The set moved by that number of words; empty if nothing of it is left.
    std::map<std::int64_t, x86::Zmm> moved = {{0, rows}};
    const auto words_on = [&](std::int64_t up) {
        const auto known = moved.find(up);
        if (known != moved.end()) return known->second;
        if (up <= -std::int64_t{kWideWords} || up >= std::int64_t{kWideWords}) return none;
        const x86::Zmm each = c.new_zmm();
        if (up > 0)
            c.out.valignq(each, none, rows, asmjit::Imm(up));
        else
            c.out.valignq(each, rows, none, asmjit::Imm(std::int64_t{kWideWords} + up));
        return moved[up] = each;
    };
    WideSum sum;
    const Gp masks = c.new64();
    c.out.mov(masks, asmjit::Imm(reinterpret_cast<std::uintptr_t>(steps.wide.get())));
    for (std::size_t i = 0; i < steps.shifts.all.size(); ++i) {
        const std::int64_t by = steps.shifts.all[i].by;
        const std::int64_t up = words_up(by);
        const std::int64_t bits = by - up * std::int64_t{kWordRows};
        x86::Zmm more = words_on(up);
        if (bits != 0) {
            const x86::Zmm next = CROUPIER_MISTAKE(ShiftLosesNextWord) ? none : words_on(up + 1);
            const x86::Zmm low = more;
            more = sum.taken(c);
            if (c.has(Feature::kAVX512_VBMI2)) {
                c.out.vpshrdq(more, low, next, asmjit::Imm(bits));
            } else {
                const x86::Zmm high = c.new_zmm();
                c.out.vpsrlq(more, low, asmjit::Imm(bits));
                c.out.vpsllq(high, next, asmjit::Imm(std::int64_t{kWordRows} - bits));
                c.out.vporq(more, more, high);
            }
        }
        const Mem place = Mem(masks, static_cast<std::int32_t>(i * kWideBytes), kWideBytes);
        if (!counts) { // adds the rows that are in both others
            c.out.vpternlogq(made[0], more, place, asmjit::Imm(0xf8));
            if (bits != 0) sum.free.push_back(more);
            continue;
        }
        if (bits == 0) { // it is still needed
            const x86::Zmm copy = sum.taken(c);
            c.out.vpandq(copy, more, place);
            more = copy;
        } else {
            c.out.vpandq(more, more, place);
        }
        sum.add(c, 0, more);
    }
    for (std::size_t i = 0; counts && i < digits; ++i)
        sum.finish(c, i, made[i]);
    c.pool->used[3] = before;
    for (std::size_t i = 0; i < digits; ++i)
        c.wide_rows[node.var() + static_cast<VarId>(i)] = made[i];
    return true;
}

} // namespace

const Tables::Steps& Tables::steps(std::uint32_t table, std::uint32_t rows) {
    Steps& made = steps_[table];
    if (made.masks == nullptr) {
        made.shifts = *form::shifts_of(module_.tables[table], rows);
        const std::size_t words = made.shifts.all[0].rows.size();
        const std::size_t even = words + words % 2;
        made.masks = std::make_unique<std::uint64_t[]>(made.shifts.all.size() * even);
        if (words <= kWideWords)
            made.wide = std::make_unique<std::uint64_t[]>(made.shifts.all.size() * kWideWords);
        for (std::size_t i = 0; i < made.shifts.all.size(); ++i) {
            const auto& rows_of = made.shifts.all[i].rows;
            std::copy(rows_of.begin(), rows_of.end(), made.masks.get() + i * even);
            if (made.wide)
                std::copy(rows_of.begin(), rows_of.end(), made.wide.get() + i * kWideWords);
        }
    }
    return made;
}

void make_rows(Context& c, const Node& let) {
    if (let.kind != Kind::LetRows) {
        if (!wide_touching(c, let)) touching(c, let);
    } else {
        set_rows(c, let.var(), let.operands[0]);
    }
}

// Writes the words of a set to a place that has room for pairs.
void keep_rows(Context& c, Id set, Mem place) {
    const std::uint32_t words = words_of(c, set);
    if (is_wide(c, c.at(set).type.list)) {
        const std::size_t before = c.pool->used[3];
        place.setSize(kWideBytes);
        c.out.vmovdqu64(place, wide(c, set));
        c.pool->used[3] = before;
        return;
    }
    place.setSize(8);
    if (words <= 2 || !goes_by_pairs(c, set)) {
        for (std::uint32_t w = 0; w < words; ++w) {
            c.out.mov(place, word(c, set, w));
            place.addOffset(8);
        }
        return;
    }
    const auto before = std::to_array(c.pool->used);
    const Gp offset = c.new64();
    const Label next = c.out.newLabel();
    c.out.xor_(offset.r32(), offset.r32());
    c.out.bind(next);
    Mem pairs = place;
    pairs.setIndex(offset);
    pairs.setSize(16);
    c.out.movdqu(pairs, pair(c, set, offset));
    c.out.add(offset, 16);
    c.out.cmp(offset, words * 8);
    c.out.jb(next);
    std::copy(before.begin(), before.end(), std::begin(c.pool->used));
    const std::size_t last = c.list(c.at(set).type.list).values.size() % kWordRows;
    if (last != 0) { // clears bits after the last row
        const Gp mask = c.new64();
        place.addOffset((words - std::int64_t{1}) * 8);
        c.out.mov(mask, asmjit::Imm((std::uint64_t{1} << last) - 1));
        c.out.and_(place, mask);
    }
}

// The integer whose digits the row has.
x86::Gp number_at(Context& c, const Node& node) {
    const Gp made = c.new64();
    const Gp row = c.new32();
    const Gp place = c.new64();
    const Gp rows = c.new64();
    c.out.mov(row, code_of(c, node.operands[0]));
    c.out.dec(row);
    c.out.mov(place.r32(), row);
    c.out.shr(place.r32(), std::countr_zero(kWordRows));
    c.out.xor_(made.r32(), made.r32());
    for (std::size_t i = node.operands.size(); i-- > 1;) {
        const std::size_t place_of =
            CROUPIER_MISTAKE(DigitsFromHighest) ? node.operands.size() - i : i;
        const Node& digit = c.at(node.operands[place_of]);
        Mem from;
        if (digit.kind == Kind::RowsOf) {
            CROUPIER_PROBE(c.emission.write(node.operands[place_of]));
            put_rows(c, digit.var());
            from = rows_of(c, digit.var());
        } else {
            from = stack_for_rows(c, words_of(c, node.operands[place_of]));
            keep_rows(c, node.operands[place_of], from);
        }
        from.setIndex(place, 3);
        from.setSize(8);
        c.out.mov(rows, from);
        c.out.bt(rows, row.r64());
        c.out.adc(made, made);
    }
    return made;
}

// Sets a variable; a set of one word is in a register.
void set_rows(Context& c, VarId var, Id set) {
    if (is_wide(c, c.at(set).type.list)) {
        set_wide(c, var, set);
        return;
    }
    if (words_of(c, set) != 1) {
        keep_rows(c, set, rows_of(c, var));
        return;
    }
    keep_word(c, var, word(c, set, 0));
}

// The number of rows of a set.

x86::Gp count_rows(Context& c, Id set) {
    const Gp made = c.new64();
    if (c.at(set).kind == Kind::Rows && c.at(set).operands.empty()) {
        if (const auto kept = c.kept_counts.find(c.at(set).schema()); kept != c.kept_counts.end()) {
            c.out.mov(made, kept->second);
            return made;
        }
    }
    c.out.xor_(made.r32(), made.r32());
    if (c.at(set).kind == Kind::Rows && count_bytes(c, c.at(set), made)) return made;
    if (is_wide_bytes(c, set)) {
        const Label none = c.out.newLabel();
        each_wide_word(c, set, none, [&](std::uint32_t, const x86::KReg& found) {
            const Gp rows = c.new64();
            c.out.kmovq(rows, found);
            c.out.add(made, population(c, rows));
        });
        c.out.bind(none);
        return made;
    }
    for (std::uint32_t w = 0; w < words_of(c, set); ++w)
        c.out.add(made, population(c, word(c, set, w)));
    return made;
}

// Adds the number of rows in a map whose values are bytes, sixteen at a time, without finding them.
// False for other maps, and for sizes that do not fit.
bool count_bytes(Context& c, const Node& rows, const Gp& count) {
    constexpr std::uint32_t kLane = 16;
    constexpr std::uint32_t kMax = 255 * kLane; // what a lane's byte can count
    const SchemaNode& element = c.schema(c.schema(rows.schema()).element);
    const std::uint32_t size = c.layout().domain(c.schema(rows.schema()).domain).size();
    if (element.column != Column::Code8 || size < kLane || size > kMax) return false;
    const Label none = c.out.newLabel();
    check_codes(c, rows, 0, none);
    std::int64_t constant = element.values;
    const Index index = scaled(c, rows, 0, rows.operands.size(), size, constant);
    const auto bytes_at = [&](std::uint32_t offset) {
        return index.at(c.block, constant + offset, kLane);
    };
    const x86::Xmm zero = c.new_xmm();
    const x86::Xmm absent = c.new_xmm(); // their number, in each byte
    c.out.pxor(zero, zero);
    c.out.pxor(absent, absent);
    for (std::uint32_t done = 0; done < size; done += kLane) {
        const x86::Xmm bytes = c.new_xmm();
        // The last sixteen overlap bytes that have been counted.
        const std::uint32_t again = done + kLane > size ? done + kLane - size : 0;
        c.out.movdqu(bytes, bytes_at(done - again));
        c.out.pcmpeqb(bytes, zero);
        if (again != 0) c.out.psrldq(bytes, asmjit::Imm(again));
        c.out.psubb(absent, bytes);
    }
    c.out.psadbw(absent, zero);
    const x86::Xmm high = c.new_xmm();
    const Gp missing = c.new64();
    c.out.pshufd(high, absent, asmjit::Imm(0xee));
    c.out.paddq(absent, high);
    c.out.movq(missing, absent);
    c.out.mov(count, asmjit::Imm(size));
    c.out.sub(count, missing);
    c.out.bind(none);
    return true;
}

} // namespace croupier::engine::x86
