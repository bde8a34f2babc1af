// All positions in which a table is to show what it is worth.
#pragma once

#include "agents/advice/table.h"
#include "engine/api/state.h"
#include "games/ruleset/ruleset_position.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace croupier::agents::advice {

class Search;

// What makes a position the same one: its nodes, in whatever order they came to be there, without
// what the harness and the search keep beside them.
std::uint64_t position_key(const AdviceTable& table, const engine::State& state);

// Numbers for positions in which we are to move: those that the table's `roots` describe, else all
// that can be reached from the start of the game.
class RootSet {
  public:
    static constexpr std::uint32_t kNone = 0xffffffff;
    // More positions than that are not gone through.
    static constexpr std::size_t kMost = 4'000'000;

    // Throws AdviceFault if there are too many, or if a rule fails.
    RootSet(const AdviceTable& table, Search& search);

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(count_); }
    // Becomes that position, with its legal moves.
    void put(std::uint32_t number, games::RulesetPosition& position) const;
    [[nodiscard]] std::uint32_t find(std::uint64_t key) const;

  private:
    void choose_values(Search& search);
    void reach(const games::RulesetGame& game);
    bool put_choice(std::uint64_t choice, games::RulesetPosition& position) const;
    void add(std::uint64_t key);

    const AdviceTable& table_;
    std::size_t count_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_; // by key
    std::vector<std::uint64_t> choices_;                       // of the values of `roots`
    std::unique_ptr<games::RulesetPosition> base_;
    std::vector<std::unique_ptr<games::Position>> reached_;
};

} // namespace croupier::agents::advice
