// The winner and number of moves from every position of a small game, by retrograde analysis.
#pragma once

#include "agents/agent.h"
#include "agents/registry.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace croupier::agents {

// For two-player games without chance and hidden information, with few positions. Solves all
// positions reachable from a position when it is first requested, while other threads wait; then
// threads read it concurrently. Its answers depend on the position only.
class Solution {
  public:
    // Limits of its positions, and of their moves on average. A position takes some 60 bytes, and
    // while it is being solved 40 more, and 8 for each move.
    static constexpr std::uint64_t kMax = 1'000'000;
    static constexpr std::uint64_t kMovesEach = 32;

    // Thrown if the game cannot be solved; says why.
    struct Unsolved : std::runtime_error {
        Unsolved(FaultKind of_kind, const std::string& why)
            : std::runtime_error(why), kind(of_kind) {}
        FaultKind kind;
    };

    // The result of a position under perfect play.
    struct Worth {
        std::optional<Seat> winner; // unset for a draw
        std::uint32_t plies = 0;    // until the game is over; 0 for draws
    };

    // The game must outlive it. A position from which more than `most` positions can be reached is
    // not solved. If it would hold more in all, it first forgets what it knew.
    explicit Solution(const Game& game, std::uint64_t most = kMax);

    // The worth of a position of that game. Throws Unsolved if there are too many positions, the
    // game has chance, or `hurry` was set (may be null).
    Worth worth(const Position& position, const std::atomic<bool>* hurry = nullptr);
    // The index of the move that wins soonest, draws, or loses latest; the first of equals. `next`
    // is a scratch position of the game for trying moves.
    std::size_t best_move(const Position& position, Position& next,
                          const std::atomic<bool>* hurry = nullptr);
    [[nodiscard]] const Game& game() const { return game_; }
    // Positions that it holds.
    [[nodiscard]] std::size_t size() const;

  private:
    using Number = std::uint32_t;
    enum class Known : std::uint8_t { Open, Won, Drawn };
    struct Entry {
        Known known = Known::Open;
        std::uint8_t turn = 0;
        std::uint8_t winner = 0;
        std::uint32_t plies = 0;
    };
    // How a position was first reached.
    struct Origin {
        Number from = 0;
        std::uint32_t move = 0; // its index there
    };
    struct Kept {
        Number number = 0;
        std::unique_ptr<Position> position;
    };

    template <class Answer>
    auto ask(const Position& position, const std::atomic<bool>* hurry, const Answer& answer);
    void solve(const Position& from, const std::atomic<bool>* hurry);
    bool explore(const Position& root, const std::atomic<bool>* hurry);
    const Position& reach(Number number, std::size_t depth);
    [[nodiscard]] Kept& kept_at(std::size_t depth);
    Number number_of(const Position& position, Origin origin);
    void settle();
    void forget();
    [[nodiscard]] const Entry* find(const Position& position) const;
    [[nodiscard]] std::size_t pick(const Position& position, Position& next) const;
    [[nodiscard]] static Entry entry_of(const Position& position);
    [[nodiscard]] static Worth worth_of(const Entry& entry);
    [[nodiscard]] static bool better(const Worth& one, const Worth& other, Seat seat);

    const Game& game_;
    const std::uint64_t most_;

    mutable std::shared_mutex mutex_;                   // guards the members below
    std::unordered_map<std::uint64_t, Number> numbers_; // by position hash
    std::vector<Entry> entries_;
    std::uint64_t moves_ = 0; // total of all positions

    // Only while solving. Moves are those of positions from `first_new_` on, in order.
    Number first_new_ = 0;
    std::vector<Origin> origins_;
    std::vector<std::uint32_t> begins_; // where a position's moves begin, and the end of the last
    std::vector<Number> leads_to_;
    std::array<Kept, 1 + 64> kept_; // the first position, and the latest ones on the way to others
    std::vector<Number> missing_;
    std::unique_ptr<Position> next_;
    Random chance_;
};

// Plays games perfectly that are small enough to be solved.

// Wins as soon as possible, loses as late as possible. Agents in any threads may share the
// solution.
class TablebaseAgent : public Agent {
  public:
    // `hurry`: see AgentServices::abandon.
    explicit TablebaseAgent(std::shared_ptr<Solution> solution,
                            const std::atomic<bool>* hurry = nullptr)
        : solution_(std::move(solution)), hurry_(hurry), next_(solution_->game().new_position()) {}

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] const AgentFault* fault() const override { return fault_ ? &*fault_ : nullptr; }

  private:
    std::shared_ptr<Solution> solution_;
    const std::atomic<bool>* hurry_;
    std::unique_ptr<Position> next_;
    std::optional<AgentFault> fault_;
};

// tablebase:positions=N. Solves the game.
MadeAgent make_tablebase_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
