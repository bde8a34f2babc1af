// What is next to the rows of a set: its words shifted, a pair of them at a time, and added up as
// binary digits.
#include "engine/emit/values.h"
#include "engine/tree/layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

namespace croupier::engine::emit {

namespace {

constexpr std::int64_t kWordBits = kWordRows;

// The word in which the rows begin that lie so many rows further.
std::int64_t words_up(std::int64_t by) {
    return (by >= 0 ? by : by - (kWordBits - 1)) / kWordBits;
}

} // namespace

const Tables::Steps& Tables::steps(std::uint32_t table, std::uint32_t rows) {
    Steps& made = steps_[table];
    if (made.masks == nullptr) {
        made.shifts = *ir::shifts_of(module_.tables[table], rows);
        const std::size_t words = made.shifts.all[0].rows.size();
        const std::size_t even = words + words % 2;
        made.masks = std::make_unique<std::uint64_t[]>(made.shifts.all.size() * even);
        for (std::size_t i = 0; i < made.shifts.all.size(); ++i) {
            std::copy(made.shifts.all[i].rows.begin(), made.shifts.all[i].rows.end(),
                      made.masks.get() + i * even);
        }
        if (words <= kWideWords) {
            made.wide = std::make_unique<std::uint64_t[]>(made.shifts.all.size() * kWideWords);
            for (std::size_t i = 0; i < made.shifts.all.size(); ++i) {
                std::copy(made.shifts.all[i].rows.begin(), made.shifts.all[i].rows.end(),
                          made.wide.get() + i * kWideWords);
            }
        }
    }
    return made;
}

// ---- sets, a pair of words at a time ---------------------------------------------------------

// It is made of variables alone.
bool Neighbours::goes_by_pairs(Id set) const {
    const Node& node = at(set);
    switch (node.kind) {
    case Kind::RowsOf:
    case Kind::AllRows:
        return true;
    case Kind::Both:
    case Kind::Either:
    case Kind::Without:
    case Kind::Differ:
        return goes_by_pairs(node.operands[0]) && goes_by_pairs(node.operands[1]);
    default:
        return false;
    }
}

// Of all rows, those behind the last among them, since they are not in what they are joined with.
x86::Xmm Neighbours::pair(Id set, const Gp& offset) {
    const Node& node = at(set);
    CROUPIER_PROBE(emission_.write(set));
    const x86::Xmm rows = new_xmm();
    switch (node.kind) {
    case Kind::RowsOf: {
        Mem place = rows_of(node.x);
        place.setIndex(offset);
        place.setSize(16);
        code_.movdqu(rows, place);
        return rows;
    }
    case Kind::AllRows:
        code_.pcmpeqb(rows, rows);
        return rows;
    case Kind::Both:
        code_.movdqa(rows, pair(node.operands[0], offset));
        code_.pand(rows, pair(node.operands[1], offset));
        return rows;
    case Kind::Either:
        code_.movdqa(rows, pair(node.operands[0], offset));
        code_.por(rows, pair(node.operands[1], offset));
        return rows;
    case Kind::Differ:
        code_.movdqa(rows, pair(node.operands[0], offset));
        code_.pxor(rows, pair(node.operands[1], offset));
        return rows;
    default: // Without
        code_.movdqa(rows, pair(node.operands[1], offset));
        code_.pandn(rows, pair(node.operands[0], offset));
        return rows;
    }
}

void Neighbours::make_rows(const Node& let) {
    if (let.kind != Kind::LetRows) {
        if (!wide_touching(let)) {
            touching(let);
        }
    } else if (is_wide(function_.vars[let.x].type.list)) {
        set_wide(let.x, let.operands[0]);
    } else {
        keep_rows(let.operands[0], rows_of(let.x));
    }
}

// The words of a set, at a place that has room for pairs.
void Neighbours::keep_rows(Id set, Mem place) {
    const std::uint32_t words = words_of(set);
    if (is_wide(at(set).type.list)) {
        const std::size_t before = pool_->used[3];
        place.setSize(kWideBytes);
        code_.vmovdqu64(place, wide(set));
        pool_->used[3] = before;
        return;
    }
    place.setSize(8);
    if (words <= 2 || !goes_by_pairs(set)) {
        for (std::uint32_t w = 0; w < words; ++w) {
            code_.mov(place, word(set, w));
            place.addOffset(8);
        }
        return;
    }
    const auto before = std::to_array(pool_->used);
    const Gp offset = new64();
    const Label next = code_.newLabel();
    code_.xor_(offset.r32(), offset.r32());
    code_.bind(next);
    Mem pairs = place;
    pairs.setIndex(offset);
    pairs.setSize(16);
    code_.movdqu(pairs, pair(set, offset));
    code_.add(offset, 16);
    code_.cmp(offset, words * 8);
    code_.jb(next);
    std::copy(before.begin(), before.end(), std::begin(pool_->used));
    const std::size_t last = list(at(set).type.list).values.size() % kWordRows;
    if (last != 0) { // nothing behind the last row
        const Gp mask = new64();
        place.addOffset((words - std::int64_t{1}) * 8);
        code_.mov(mask, asmjit::Imm((std::uint64_t{1} << last) - 1));
        code_.and_(place, mask);
    }
}

// ---- what a table gives each row, among the rows of a set ------------------------------------

void Neighbours::touching(const Node& node) {
    const Id set = node.operands[0];
    const std::uint32_t from = words_of(set);
    const Tables::Steps& steps =
        tables_.steps(node.y, static_cast<std::uint32_t>(list(at(set).type.list).values.size()));
    const auto& shifts = steps.shifts.all;
    const std::size_t to = shifts[0].rows.size();
    const std::size_t even = to + to % 2;
    // The set's words with empty ones around them, as far as shifts reach.
    const std::int64_t below = std::max<std::int64_t>(0, -words_up(shifts.front().by));
    const std::int64_t above = std::max<std::int64_t>(0, words_up(shifts.back().by)) + 1;
    const std::int64_t reached = static_cast<std::int64_t>(even) + above;
    const std::int64_t room = below + std::max<std::int64_t>(from + from % 2, reached);
    const Mem around = code_.newStack(static_cast<std::uint32_t>((room + room % 2) * 8), 16);
    const auto at_word = [&](std::int64_t w, std::uint32_t size) {
        Mem place = around;
        place.addOffset((below + w) * 8);
        place.setSize(size);
        return place;
    };
    const Gp none = new64();
    code_.xor_(none.r32(), none.r32());
    for (std::int64_t w = -below; w < room - below; ++w) {
        if (w < 0 || w >= from) {
            code_.mov(at_word(w, 8), none);
        }
    }
    for (std::uint32_t w = 0; w < from; ++w) {
        code_.mov(at_word(w, 8), word(set, w));
    }
    const std::size_t digits =
        node.kind == Kind::LetCounts ? static_cast<std::size_t>(node.number) : 1;
    const Gp offset = new64();
    const Gp masks = new64();
    const Label next = code_.newLabel();
    std::vector<x86::Xmm> made;
    for (std::size_t i = 0; i < digits; ++i) {
        made.push_back(new_xmm());
    }
    const x86::Xmm more = new_xmm();
    const x86::Xmm high = new_xmm();
    const x86::Xmm both = new_xmm();
    code_.xor_(offset.r32(), offset.r32());
    code_.mov(masks, asmjit::Imm(reinterpret_cast<std::uintptr_t>(steps.masks.get())));
    code_.bind(next);
    for (const x86::Xmm& each : made) {
        code_.pxor(each, each);
    }
    for (std::size_t i = 0; i < shifts.size(); ++i) {
        const std::int64_t up = words_up(shifts[i].by);
        const std::int64_t bits = shifts[i].by - up * kWordBits;
        Mem place = at_word(up, 16);
        place.setIndex(offset);
        code_.movdqu(more, place);
        if (bits != 0) {
            place.addOffset(8);
            code_.movdqu(high, place);
            code_.psrlq(more, asmjit::Imm(bits));
            code_.psllq(high, asmjit::Imm(kWordBits - bits));
            if (!CROUPIER_MISTAKE(ShiftLosesNextWord)) code_.por(more, high);
        }
        Mem mask = x86::ptr(masks, offset, 0, static_cast<std::int32_t>(i * even * 8));
        mask.setSize(16);
        code_.movdqu(high, mask);
        code_.pand(more, high);
        if (node.kind == Kind::LetTouching) {
            code_.por(made[0], more);
            continue;
        }
        // So many digits can the number have by now.
        const std::size_t reach = std::min<std::size_t>(std::bit_width(i + 1), digits);
        for (std::size_t d = 0; d < reach; ++d) {
            if (d + 1 < reach) {
                code_.movdqa(both, made[d]);
                code_.pand(both, more);
            }
            code_.pxor(made[d], more);
            if (d + 1 < reach) {
                code_.movdqa(more, both);
            }
        }
    }
    for (std::size_t i = 0; i < digits; ++i) {
        Mem place = rows_of(node.x + static_cast<VarId>(i));
        place.setIndex(offset);
        place.setSize(16);
        code_.movdqu(place, made[i]);
    }
    code_.add(offset, 16);
    code_.cmp(offset, static_cast<std::int32_t>(even * 8));
    code_.jb(next);
}

// The integer whose digits the row has.
x86::Gp Neighbours::number_at(const Node& node) {
    const Gp made = new64();
    const Gp row = new32();
    const Gp place = new64();
    const Gp rows = new64();
    code_.mov(row, code_of(node.operands[0]));
    code_.dec(row);
    code_.mov(place.r32(), row);
    code_.shr(place.r32(), std::countr_zero(kWordRows));
    code_.xor_(made.r32(), made.r32());
    for (std::size_t i = node.operands.size(); i-- > 1;) {
        const std::size_t place_of =
            CROUPIER_MISTAKE(DigitsFromHighest) ? node.operands.size() - i : i;
        const Node& digit = at(node.operands[place_of]);
        Mem from;
        if (digit.kind == Kind::RowsOf) {
            CROUPIER_PROBE(emission_.write(node.operands[place_of]));
            put_rows(digit.x);
            from = rows_of(digit.x);
        } else {
            from = stack_for_rows(words_of(node.operands[place_of]));
            keep_rows(node.operands[place_of], from);
        }
        from.setIndex(place, 3);
        from.setSize(8);
        code_.mov(rows, from);
        code_.bt(rows, row.r64());
        code_.adc(made, made);
    }
    return made;
}

// Of the action of a rule; one word is in a register.
void Neighbours::set_rows(VarId var, Id set) {
    if (is_wide(at(set).type.list)) {
        set_wide(var, set);
        return;
    }
    if (words_of(set) != 1) {
        keep_rows(set, rows_of(var));
        return;
    }
    if (!registers_[var]) {
        registers_[var] = new64();
    }
    code_.mov(*registers_[var], word(set, 0));
}

// What is next to the rows of a set, where sets are in registers of 512 bits.

bool Neighbours::wide_touching(const Node& node) {
    const Id set = node.operands[0];
    if (!is_wide(function_.vars[node.x].type.list) || words_of(set) > kWideWords) {
        return false;
    }
    const Tables::Steps& steps =
        tables_.steps(node.y, static_cast<std::uint32_t>(list(at(set).type.list).values.size()));
    const bool counts = node.kind == Kind::LetCounts;
    const std::size_t digits = counts ? static_cast<std::size_t>(node.number) : 1;
    std::vector<x86::Zmm> made;
    for (std::size_t i = 0; i < digits; ++i) {
        made.push_back(new_zmm());
        code_.vpxorq(made[i], made[i], made[i]);
    }
    const std::size_t before = pool_->used[3];
    const x86::Zmm rows = new_zmm();
    const x86::Zmm none = new_zmm();
    wide_to(rows, set);
    code_.vpxorq(none, none, none);
    // The set so many words on; nothing where that is beyond all of it.
    std::map<std::int64_t, x86::Zmm> moved = {{0, rows}};
    const auto words_on = [&](std::int64_t up) {
        const auto known = moved.find(up);
        if (known != moved.end()) {
            return known->second;
        }
        if (up <= -std::int64_t{kWideWords} || up >= std::int64_t{kWideWords}) {
            return none;
        }
        const x86::Zmm each = new_zmm();
        if (up > 0) {
            code_.valignq(each, none, rows, asmjit::Imm(up));
        } else {
            code_.valignq(each, rows, none, asmjit::Imm(std::int64_t{kWideWords} + up));
        }
        return moved[up] = each;
    };
    WideSum sum;
    const Gp masks = new64();
    code_.mov(masks, asmjit::Imm(reinterpret_cast<std::uintptr_t>(steps.wide.get())));
    for (std::size_t i = 0; i < steps.shifts.all.size(); ++i) {
        const std::int64_t by = steps.shifts.all[i].by;
        const std::int64_t up =
            (by >= 0 ? by : by - (std::int64_t{kWordRows} - 1)) / std::int64_t{kWordRows};
        const std::int64_t bits = by - up * std::int64_t{kWordRows};
        x86::Zmm more = words_on(up);
        if (bits != 0) {
            const x86::Zmm next = CROUPIER_MISTAKE(ShiftLosesNextWord) ? none : words_on(up + 1);
            const x86::Zmm low = more;
            more = sum.taken(*this);
            if (asmjit::CpuInfo::host().hasFeature(asmjit::CpuFeatures::X86::kAVX512_VBMI2)) {
                code_.vpshrdq(more, low, next, asmjit::Imm(bits));
            } else {
                const x86::Zmm high = new_zmm();
                code_.vpsrlq(more, low, asmjit::Imm(bits));
                code_.vpsllq(high, next, asmjit::Imm(std::int64_t{kWordRows} - bits));
                code_.vporq(more, more, high);
            }
        }
        const Mem place = Mem(masks, static_cast<std::int32_t>(i * kWideBytes), kWideBytes);
        if (!counts) { // the rows are joined with what is in both of the others
            code_.vpternlogq(made[0], more, place, asmjit::Imm(0xf8));
            if (bits != 0) {
                sum.free.push_back(more);
            }
            continue;
        }
        if (bits == 0) { // which is still needed
            const x86::Zmm copy = sum.taken(*this);
            code_.vpandq(copy, more, place);
            more = copy;
        } else {
            code_.vpandq(more, more, place);
        }
        sum.add(*this, 0, more);
    }
    for (std::size_t i = 0; counts && i < digits; ++i) {
        sum.finish(*this, i, made[i]);
    }
    pool_->used[3] = before;
    for (std::size_t i = 0; i < digits; ++i) {
        wide_rows_[node.x + static_cast<VarId>(i)] = made[i];
    }
    return true;
}

x86::Zmm Neighbours::WideSum::taken(Neighbours& writer) {
    if (free.empty()) {
        return writer.new_zmm();
    }
    const x86::Zmm made = free.back();
    free.pop_back();
    return made;
}

// One more number for each row: of three of a kind one stays, and one goes on as a carry.
void Neighbours::WideSum::add(Neighbours& writer, std::size_t digit, const x86::Zmm& more) {
    if (waiting.size() <= digit) {
        waiting.resize(digit + 1);
    }
    std::vector<x86::Zmm>& here = waiting[digit];
    if (here.size() < 2) {
        here.push_back(more);
        return;
    }
    const x86::Zmm a = here[0];
    const x86::Zmm b = here[1];
    const x86::Zmm carry = taken(writer);
    writer.code_.vmovdqa64(carry, a);
    writer.code_.vpternlogq(carry, b, more, asmjit::Imm(0xe8));
    writer.code_.vpternlogq(a, b, more, asmjit::Imm(0x96));
    here = {a};
    free.push_back(b);
    free.push_back(more);
    add(writer, digit + 1, carry);
}

void Neighbours::WideSum::finish(Neighbours& writer, std::size_t digit, const x86::Zmm& to) {
    if (waiting.size() <= digit || waiting[digit].empty()) {
        return;
    }
    const std::vector<x86::Zmm> here = std::exchange(waiting[digit], {});
    if (here.size() == 1) {
        writer.code_.vmovdqa64(to, here[0]);
        return;
    }
    writer.code_.vpxorq(to, here[0], here[1]);
    const x86::Zmm carry = taken(writer);
    writer.code_.vpandq(carry, here[0], here[1]);
    add(writer, digit + 1, carry);
}

// How many rows a set has.

x86::Gp Neighbours::count_rows(Id set) {
    const Gp made = new64();
    if (at(set).kind == Kind::Rows && at(set).operands.empty()) {
        if (const auto kept = kept_counts_.find(at(set).x); kept != kept_counts_.end()) {
            code_.mov(made, kept->second);
            return made;
        }
    }
    code_.xor_(made.r32(), made.r32());
    if (at(set).kind == Kind::Rows && count_bytes(at(set), made)) {
        return made;
    }
    if (is_wide_bytes(set)) {
        const Label none = code_.newLabel();
        each_wide_word(set, none, [&](std::uint32_t, const x86::KReg& found) {
            const Gp rows = new64();
            code_.kmovq(rows, found);
            code_.add(made, population(rows));
        });
        code_.bind(none);
        return made;
    }
    for (std::uint32_t w = 0; w < words_of(set); ++w) {
        code_.add(made, population(word(set, w)));
    }
    return made;
}

// Adds how many rows of a map are there whose values are bytes: without asking which, sixteen at a
// time. False if the map is none of these.
bool Neighbours::count_bytes(const Node& rows, const Gp& count) {
    constexpr std::uint32_t kLane = 16;
    constexpr std::uint32_t kMost = 255 * kLane; // what a lane's byte can count
    const SchemaNode& element = schema(schema(rows.x).element);
    const std::uint32_t size = module_.catalogue->layout->domain(schema(rows.x).domain).size();
    if (element.column != Column::Code8 || size < kLane || size > kMost) {
        return false;
    }
    const Label none = code_.newLabel();
    check_codes(rows, 0, none);
    std::int64_t constant = element.values;
    const Index index = scaled(rows, 0, rows.operands.size(), size, constant);
    const auto bytes_at = [&](std::uint32_t offset) {
        return index.at(block_, constant + offset, kLane);
    };
    const x86::Xmm zero = new_xmm();
    const x86::Xmm absent = new_xmm(); // less, in each byte
    code_.pxor(zero, zero);
    code_.pxor(absent, absent);
    for (std::uint32_t done = 0; done < size; done += kLane) {
        const x86::Xmm bytes = new_xmm();
        // The last sixteen begin among those that have been counted.
        const std::uint32_t again = done + kLane > size ? done + kLane - size : 0;
        code_.movdqu(bytes, bytes_at(done - again));
        code_.pcmpeqb(bytes, zero);
        if (again != 0) {
            code_.psrldq(bytes, asmjit::Imm(again));
        }
        code_.psubb(absent, bytes);
    }
    code_.psadbw(absent, zero);
    const x86::Xmm high = new_xmm();
    const Gp missing = new64();
    code_.pshufd(high, absent, asmjit::Imm(0xee));
    code_.paddq(absent, high);
    code_.movq(missing, absent);
    code_.mov(count, asmjit::Imm(size));
    code_.sub(count, missing);
    code_.bind(none);
    return true;
}

} // namespace croupier::engine::emit
