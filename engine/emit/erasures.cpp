// Fields that go from a record, which lists what it has.
#include "engine/emit/changes.h"

#include "engine/tree/layout.h"
#include "engine/tree/root_field.h"

#include <cstring>

namespace croupier::engine::emit {

namespace {

// The entry goes from a record's list of fields, which has it.
void forget_entry(std::byte* order, std::uint32_t slot) noexcept {
    const auto entry = static_cast<std::uint16_t>(slot);
    if (CROUPIER_MISTAKE(GapFilledByLast)) {
        std::uint16_t count = 0;
        std::memcpy(&count, order, sizeof count);
        std::byte* at = order + 2;
        while (std::memcmp(at, &entry, 2) != 0) {
            at += 2;
        }
        std::memcpy(at, order + 2 * std::size_t{count}, 2);
        std::memcpy(order + 2 * std::size_t{count}, &entry, 2);
    }
    erase_from_within(order, entry);
}

// Several of the root's.
void forget_entries(std::byte* order, std::uint64_t slots) noexcept {
    erase_all_listed(order, slots);
}

constexpr std::uint32_t kFewBytes = 64; // are cleared one store after the other
constexpr std::uint32_t kMostSlots = 64;

// What makes the only instance of a declared path go; none where it has many bytes.
std::optional<Erasure> few_bytes_of(const Layout& layout, SchemaId id) {
    std::optional<Erasure> gone = layout.erasure(id, 0);
    std::uint32_t bytes = 0;
    for (const Erasure::Range& range : gone ? gone->ranges : std::vector<Erasure::Range>()) {
        bytes += range.size;
    }
    return bytes > kFewBytes ? std::nullopt : gone;
}

} // namespace

bool Changes::is_field_of_few_bytes(Id id) const {
    const Node& node = at(id);
    return node.kind == Kind::Erase && node.operands.empty() &&
           schema(node.x).above_order != kNoOffset &&
           few_bytes_of(*module_.catalogue->layout, node.x);
}

// The field goes from its record's list: mostly it is one of the last two.
void Changes::forget_field(const Node& node) {
    const Gp order = order_above(node);
    const std::uint32_t slot = schema(node.x).slot;
    const Gp count = new64();
    const Gp last = new32();
    const Label back = code_.newLabel();
    const Label removed = code_.newLabel();
    const Label elsewhere = aside([this, order, back, slot] {
        asmjit::InvokeNode* made = nullptr;
        code_.invoke(&made, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&forget_entry)),
                     asmjit::FuncSignatureT<void, std::byte*, std::uint32_t>());
        made->setArg(0, order);
        made->setArg(1, asmjit::Imm(slot));
        code_.jmp(back);
    });
    code_.movzx(count.r32(), x86::word_ptr(order));
    code_.movzx(last, x86::word_ptr(order, count, 1));
    code_.cmp(last, slot);
    code_.je(removed);
    code_.cmp(count.r32(), 2);
    code_.jb(elsewhere);
    code_.cmp(x86::word_ptr(order, count, 1, -2), slot);
    code_.jne(elsewhere);
    code_.mov(x86::word_ptr(order, count, 1, -2), last.r16());
    code_.bind(removed);
    code_.mov(x86::word_ptr(order, count, 1), 0);
    code_.dec(count.r32());
    code_.mov(x86::word_ptr(order), count.r16());
    code_.bind(back);
}

// The only instance of a declared path, which is a field of a record.
bool Changes::erase_field(Id id) {
    if (!is_field_of_few_bytes(id)) {
        return false;
    }
    const Node& node = at(id);
    const Label end = code_.newLabel();
    if (node.number != ir::kThere) {
        jump_present(node, 0, false, end);
    }
    clear_field(node);
    if (!CROUPIER_MISTAKE(RemovedFieldListed)) {
        forget_field(node);
    }
    code_.bind(end);
    return true;
}

// The fields of the root that the first of the statements erase, if these are several: the list of
// what the root has is gone through once for all. Gives how many they are.
std::size_t Changes::erase_fields(std::span<const Id> statements) {
    const auto is_field = [&](Id id) {
        return is_field_of_few_bytes(id) && schema(at(id).x).parent == 0 &&
               schema(at(id).x).slot < kMostSlots;
    };
    std::size_t count = 0;
    while (count < statements.size() && is_field(statements[count])) {
        ++count;
    }
    if (count < 2) {
        return 0;
    }
    const Gp gone = new64();
    code_.xor_(gone.r32(), gone.r32());
    for (const Id id : statements.first(count)) {
        show(id);
        CROUPIER_PROBE(emission_.write(id));
        const Label end = code_.newLabel();
        if (at(id).number != ir::kThere) {
            jump_present(at(id), 0, false, end);
        }
        clear_field(at(id));
        code_.bts(gone, asmjit::Imm(schema(at(id).x).slot));
        code_.bind(end);
    }
    const Label none = code_.newLabel();
    code_.test(gone, gone);
    code_.jz(none);
    if (!CROUPIER_MISTAKE(RemovedFieldListed)) {
        asmjit::InvokeNode* made = nullptr;
        const Gp order = order_above(at(statements[0]));
        code_.invoke(&made, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&forget_entries)),
                     asmjit::FuncSignatureT<void, std::byte*, std::uint64_t>());
        made->setArg(0, order);
        made->setArg(1, gone);
    }
    code_.bind(none);
    return count;
}

x86::Gp Changes::order_above(const Node& node) {
    const Gp order = new64();
    code_.lea(order, x86::ptr(block_, static_cast<std::int32_t>(schema(node.x).above_order)));
    return order;
}

// All of it but its place in the list.
void Changes::clear_field(const Node& node) {
    const auto gone = few_bytes_of(*module_.catalogue->layout, node.x);
    note_write(node, 0); // who looks at something below it looks at it
    for (const Erasure::Range& range : gone->ranges) {
        for (std::uint32_t done = 0; done < range.size;) {
            const std::uint32_t left = range.size - done;
            const std::uint32_t size = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
            code_.mov(Mem(block_, static_cast<std::int32_t>(range.begin + done), size), 0);
            done += size;
        }
    }
    for (const Erasure::Bits& bits : gone->bits) {
        const Gp keep = new64();
        code_.mov(keep, asmjit::Imm(~bits.mask));
        code_.and_(Mem(block_, static_cast<std::int32_t>(bits.word), 8), keep);
    }
}

} // namespace croupier::engine::emit
