// Values of expressions: codes and integers in registers, truths as jumps, any values in memory.
#pragma once

#include "engine/emit/writer.h"

#include <unordered_map>

namespace croupier::engine::emit {

// Sets of rows, a word of 64 rows at a time.

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

// Sets of up to 512 rows in one register each, where the processor has AVX-512.

// The processor has what sets in registers of 512 bits need.
bool can_be_wide();

class WideSets : public Sets {
  protected:
    using Sets::Sets;
    ~WideSets() = default;

    x86::Zmm wide(Id set);
    void wide_to(const x86::Zmm& to, Id set);
    void wide_from(const x86::Zmm& to, const std::vector<Gp>& words);
    [[nodiscard]] bool is_wide_bytes(Id set) const;
    void each_wide_word(Id set, Label none,
                        const std::function<void(std::uint32_t w, const x86::KReg& found)>& use);
    void wide_bytes(const x86::Zmm& to, Id set);
    void jump_wide(Id set, bool when, Label to);
    void set_wide(VarId var, Id set);
    void count_wide(VarId var, const Gp& count);

  private:
    std::optional<x86::KReg> any_;
};

// What is next to the rows of a set, and how many rows there are.

class Neighbours : public WideSets {
  protected:
    using WideSets::WideSets;
    ~Neighbours() = default;

    // -- sets that are kept (neighbours.cpp) --
    void make_rows(const Node& let);
    void set_rows(VarId var, Id set);
    void keep_rows(Id set, Mem place);
    [[nodiscard]] bool goes_by_pairs(Id set) const;
    x86::Xmm pair(Id set, const Gp& offset);
    void touching(const Node& node);
    Gp number_at(const Node& node);

    // -- by registers of 512 bits (neighbours.cpp) --
    bool wide_touching(const Node& node);
    // Numbers of rows, added up: by digit, those that are not yet added.
    struct WideSum {
        std::vector<std::vector<x86::Zmm>> waiting;
        std::vector<x86::Zmm> free;

        x86::Zmm taken(Neighbours& writer);
        void add(Neighbours& writer, std::size_t digit, const x86::Zmm& more);
        void finish(Neighbours& writer, std::size_t digit, const x86::Zmm& to);
    };

    // -- how many (neighbours.cpp) --
    Gp count_rows(Id set);
    bool count_bytes(const Node& rows, const Gp& count);

    std::unordered_map<SchemaId, Gp> kept_counts_; // of maps: how many rows they have
};

class Values : public Neighbours {
  protected:
    using Neighbours::Neighbours;
    ~Values() = default;

    // -- codes and integers (values.cpp) --
    [[nodiscard]] bool is_integer(Id id) const;
    [[nodiscard]] std::optional<std::int64_t> known_integer(Id id) const;
    Gp code_of(Id id, Gp into = Gp()) override;
    Gp integer(Id id, Gp into = Gp());
    Gp loaded_code(const Node& node, const Gp& made);
    [[nodiscard]] std::optional<Mem> code_in_memory(Id id);

    // -- truths (values.cpp) --
    void jump(Id truth, bool when, Label to);
    void jump_compare(const Node& node, bool when, Label to);
    void jump_table(const Node& node, bool when, Label to);
    [[nodiscard]] std::uint64_t codes_of(const Node& table) const;

    // -- calculating (values.cpp) --
    Label failure(Id id);
    [[nodiscard]] bool draws(Id id) const;
    bool given(const Node& node, Id id, const Gp& made);
    void calculate(const Node& node, const Gp& made, Label odd);
    void divide(const Gp& made, const Gp& by, Label odd, bool wants_rest);
    void divided(VarId var, Id value);
    std::optional<Gp> numbered(const Node& code);

    // -- to variables (values.cpp) --
    void set_variable(VarId var, Id value);
    void read_result(VarId var);
    void load_whole(VarId var, const Node& node);
};

} // namespace croupier::engine::emit
