// How many rows a set has.
#include "engine/emit/neighbours.h"

#include "engine/tree/layout.h"

#include <algorithm>

namespace croupier::engine::emit {

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
