// What is next to the rows of a set, and how many rows there are.
#pragma once

#include "engine/emit/wide.h"

#include <unordered_map>

namespace croupier::engine::emit {

class Neighbours : public WideSets {
  protected:
    using WideSets::WideSets;
    ~Neighbours() = default;

    // -- sets that are kept (touching.cpp) --
    void make_rows(const Node& let);
    void set_rows(VarId var, Id set);
    void keep_rows(Id set, Mem place);
    [[nodiscard]] bool goes_by_pairs(Id set) const;
    x86::Xmm pair(Id set, const Gp& offset);
    void touching(const Node& node);
    Gp number_at(const Node& node);

    // -- by registers of 512 bits (wide_touching.cpp) --
    bool wide_touching(const Node& node);
    // Numbers of rows, added up: by digit, those that are not yet added.
    struct WideSum {
        std::vector<std::vector<x86::Zmm>> waiting;
        std::vector<x86::Zmm> free;

        x86::Zmm taken(Neighbours& writer);
        void add(Neighbours& writer, std::size_t digit, const x86::Zmm& more);
        void finish(Neighbours& writer, std::size_t digit, const x86::Zmm& to);
    };

    // -- how many (counts.cpp) --
    Gp count_rows(Id set);
    bool count_bytes(const Node& rows, const Gp& count);

    std::unordered_map<SchemaId, Gp> kept_counts_; // of maps: how many rows they have
};

} // namespace croupier::engine::emit
