// What is next to the rows of a set, where sets are in registers of 512 bits.
#include "engine/emit/neighbours.h"

#include "engine/tree/layout.h"

#include <map>
#include <utility>

namespace croupier::engine::emit {

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

} // namespace croupier::engine::emit
