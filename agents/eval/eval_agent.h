// Chooses the move with the best evaluation after a search of some plies.
#pragma once

#include "agents/arguments.h"
#include "agents/registry.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace croupier::agents {

// Search results by position hash. Entries are valid for one decision: the table is emptied without
// being cleared. A later entry replaces an earlier one in its place. Positions with equal hashes
// are treated as one.
class Transpositions {
  public:
    enum class Bound : std::uint8_t { Exact, AtLeast, AtMost };
    struct Entry {
        std::uint64_t hash = 0;
        double worth = 0;
        std::uint32_t decision = 0;
        std::uint32_t best = 0; // index of the move that was best
        std::uint16_t depth = 0;
        Bound bound = Bound::Exact;
    };

    // 2^bits entries.
    explicit Transpositions(unsigned bits) : entries_(std::size_t{1} << bits) {}

    void forget() {
        if (++decision_ != 0) return;
        entries_.assign(entries_.size(), {}); // the numbers start again
        decision_ = 1;
    }
    [[nodiscard]] const Entry* find(std::uint64_t hash) const {
        const Entry& entry = entries_[hash & (entries_.size() - 1)];
        return entry.decision == decision_ && entry.hash == hash ? &entry : nullptr;
    }
    void keep(Entry entry) {
        entry.decision = decision_;
        entries_[entry.hash & (entries_.size() - 1)] = entry;
    }

  private:
    std::vector<Entry> entries_;
    std::uint32_t decision_ = 0;
};

// How far to look.
struct SearchLimits {
    std::uint64_t depth = 1; // moves ahead
    std::uint64_t nodes = 0; // positions searched in one decision; 0 if unlimited
    TimeLimit time = {};
    Resignation resignation = {}; // by the value of the chosen move
};

// Alpha-beta with iterative deepening until a limit is reached; plays the result of the last
// finished depth, with random choice among equal moves. All others are assumed to play against the
// agent's side. Not for games with hidden information. Where moves have random consequences, it
// searches one sample of them, drawn by itself.
//
// The first decisions of a game allocate; the later ones do not.
class EvalAgent : public Agent {
  public:
    // Uses `owned` if given, else the game's own evaluation; one of them must exist.
    EvalAgent(std::shared_ptr<const games::Evaluation> owned, const SearchLimits& limits);

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool is_reproducible() const override { return limits_.time.clock == nullptr; }

    // Positions searched since it was made.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  private:
    struct RootMove {
        std::uint32_t index = 0; // among the legal moves
        double worth = 0;
    };

    [[nodiscard]] std::optional<std::size_t> best_at_once(const Position& view, Random& random);
    void advance(const Position& position, std::uint32_t index, Position& next, bool last);
    bool search_root(const Position& view, std::uint64_t depth);
    double search(std::size_t ply, std::uint64_t left, double alpha, double beta);
    double try_moves(std::size_t ply, std::uint64_t left, double alpha, double beta,
                     std::uint32_t first, std::uint32_t& best);
    [[nodiscard]] double worth(const Position& position, std::size_t ply) const;
    [[nodiscard]] std::size_t pick(Random& random);
    bool is_out();

    std::shared_ptr<const games::Evaluation> owned_; // may be shared
    SearchLimits limits_;
    const games::Evaluation* evaluation_ = nullptr;
    const Game* game_ = nullptr;
    Seat me_ = 0;
    std::vector<bool> mine_;                      // seats of my side
    std::vector<std::unique_ptr<Position>> line_; // positions on the way down
    std::vector<RootMove> root_;
    Transpositions table_;
    Random chance_;
    std::uint64_t nodes_ = 0;
    std::uint64_t node_limit_ = 0; // where the current decision must stop
    std::chrono::nanoseconds until_{0};
    bool out_ = false; // the limit of nodes or time is reached
};

// eval:depth=N,nodes=N,ms=N,resign=N
MadeAgent make_eval_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
