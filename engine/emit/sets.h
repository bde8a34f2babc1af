// Sets of rows, a word of 64 rows at a time.
#pragma once

#include "engine/emit/places.h"

namespace croupier::engine::emit {

class Sets : public Places {
  protected:
    using Places::Places;
    ~Sets() = default;

    // Word `w` of a set.
    Gp word(Id set, std::uint32_t w);
    void map_rows(const Node& node, std::size_t first, const Gp& rows, std::uint32_t w);
    Gp few_bytes(Mem place, std::uint32_t count);
    void byte_rows(Mem place, const Gp& wanted, std::uint32_t count, const Gp& rows);
    Gp population(const Gp& rows);
};

} // namespace croupier::engine::emit
