// Matches between a search and the actions: in registers, or waiting in the buffer.
#pragma once

#include "engine/emit/changes.h"

namespace croupier::engine::emit {

class Matches : public Changes {
  protected:
    using Changes::Changes;
    ~Matches() = default;

    enum class Copies { Read, All }; // of the variables of a match: those that the action reads
    [[nodiscard]] std::uint32_t width_of_match(const Node& apply,
                                               Copies which = Copies::Read) const;
    void put_in_buffer(const Node& apply, const Node& yield, const Gp& top, std::uint32_t width,
                       Copies which);
    // The variables of the action, as far as it reads them.
    void set_match(const Node& apply, const Node& yield, Copies which = Copies::Read);
    void keep_match(const Node& apply, const Node& yield);
    void copy_match(const Node& apply, const Gp& place, bool to_buffer,
                    Copies which = Copies::Read);
};

} // namespace croupier::engine::emit
