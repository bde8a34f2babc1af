// What a table says in a position: the first rule that applies, the first of its advice that can be
// followed.
#pragma once

#include "agents/advice/search.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::agents::advice {

struct Decision {
    static constexpr std::uint32_t kNone = 0xffffffff;

    struct Attempt {
        std::uint32_t advice = 0;
        std::uint64_t nodes = 0;
        Failure failure; // of none if it can be followed
    };
    std::uint32_t rule = kNone;
    std::uint32_t advice = kNone;
    ForcingTree tree;        // empty without advice
    std::uint64_t nodes = 0; // of all attempts
    std::vector<Attempt> attempts;

    [[nodiscard]] bool found() const { return advice != kNone; }
};

// One per thread.
class Strategy {
  public:
    Strategy(std::shared_ptr<const AdviceTable> table, const SearchSettings& settings = {});

    [[nodiscard]] const AdviceTable& table() const { return *table_; }
    [[nodiscard]] Search& search() { return search_; }
    // The position to decide in; the caller fills it.
    [[nodiscard]] games::RulesetPosition& root() { return search_.root(); }
    // Makes it the same position as one of the game that the table was read for.
    void look(const games::Position& position);
    // What `us` does; good until the next call. Throws AdviceFault.
    const Decision& decide(games::Seat us);

    // "rule edge_rule", "mate_in_2: not satisfiable, ..", one a line; of the last decision.
    [[nodiscard]] std::vector<std::string> explain() const;
    [[nodiscard]] std::string tree_text() const;
    // Of a move in the tree.
    [[nodiscard]] std::string_view move_name(games::Move move) const;

  private:
    std::shared_ptr<const AdviceTable> table_;
    Search search_;
    Decision decision_;
};

// "after Ra1c1 kd7e8, at depth 2: 'not rooklost' does not hold"
std::string describe(const Failure& failure);

} // namespace croupier::agents::advice
