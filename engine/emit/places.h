// Where what is read or written lies: in the block, by codes, and in tables.
#pragma once

#include "engine/emit/variables.h"

namespace croupier::engine::emit {

// A place is one of schema x of a node, by its operands from `first` on; where one of the codes is
// 0 it goes to `none`.
class Places : public Variables {
  protected:
    using Variables::Variables;
    ~Places() = default;

    // In `into`, if it is a register and the value is not in another one anyway.
    virtual Gp code_of(Id id, Gp into = Gp()) = 0;

    struct Bit {
        Mem word;
        Gp number;               // of the bit, where it is not known
        std::uint32_t known = 0; // else

        // Then the byte that it is in.
        [[nodiscard]] Mem byte() const;
        [[nodiscard]] std::uint32_t mask() const { return 1U << known % 8; }
    };
    // A register, which is not to be changed, times a power of two that addresses may have.
    struct Index {
        Gp reg;
        std::uint32_t shift = 0;

        [[nodiscard]] Mem at(const Gp& base, std::int64_t offset, std::uint32_t size) const;
    };
    Index times(const Gp& code, std::int64_t by);
    Index sum(const Index& a, const Index& b);
    Index scaled(const Node& node, std::size_t first, std::size_t count, std::int64_t unit,
                 std::int64_t& constant);
    Mem leaf(const Node& node, std::size_t first, Label none);
    Bit presence(const Node& node, std::size_t first, Label none);
    void check_codes(const Node& node, std::size_t first, Label none);
    void jump_present(const Node& node, std::size_t first, bool when, Label to);
    void append_to_record(const Node& node, std::size_t first);

    Gp table_index(const Node& node);
    Mem in_table(const void* entries, const Gp& index, std::uint32_t width);
};

} // namespace croupier::engine::emit
