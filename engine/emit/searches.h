// Searches: tests that fail go back to the innermost loop, results are taken where they are found.
#pragma once

#include "engine/emit/values.h"

namespace croupier::engine::emit {

class Searches : public Values {
  protected:
    using Values::Values;
    ~Searches() = default;

    // Writes what is done with each result of a search; it goes on at `next`.
    using Taker = std::function<void(const Node& yield, Label next)>;
    void search(BlockId block, Label fail, const Taker& taker);
    void alternatives(const Node& node, Label fail, const Taker& taker);
    void gather(const Node& node, Id id);
    [[nodiscard]] bool gives_integers(BlockId search) const;

    // -- loops (loops.cpp) --
    struct Ahead {
        Id before = ir::kNothing; // of the search's statements
        Id loop = 0;
    };
    [[nodiscard]] Ahead loop_ahead(BlockId block) const;
    void look_ahead(Id loop, Label fail);
    void each_row(const Node& node, Label fail, const Taker& taker);
    void each_child(Id id, Label fail, const Taker& taker);
    void count_rows_of(const Gp& rows);

    // -- what a run counts (limits.cpp) --
    void count_steps(const Gp& rows);
    void count_match(const Gp& found);
    void count_only_match();
    void count_matches(const Gp& found);
    void count_firing();
    void count_up(std::size_t count, std::size_t most, std::size_t helper);

    const Node* counted_loop_ = nullptr; // counts its rows before it goes through them,
    Gp counted_;                         // in this

  private:
    std::unordered_map<const Node*, Gp> rows_ahead_; // of loops whose set is known
};

} // namespace croupier::engine::emit
