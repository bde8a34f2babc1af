// Chooses what an evaluation likes best after looking some moves ahead.
#pragma once

#include "agents/arguments.h"
#include "agents/registry.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace croupier::agents {

// What a search has found out about positions, by hash. Entries hold for one decision: the table
// forgets at once and without being cleared. An entry gives way to any later one of its place. Two
// positions of the same hash are taken for one.
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
        entries_.assign(entries_.size(), {}); // the numbers begin again
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
    std::uint64_t nodes = 0; // positions looked at in one decision; 0: as many as it takes
    TimeLimit time = {};
    Resignation resignation = {}; // by the worth of the move that it makes
};

// Alpha-beta, one move deeper at a time until a limit is reached; what the last finished depth says
// is played, of equal moves one by chance. Everybody else is taken to play against the agent's
// side. For games that hide nothing. Where moves have random consequences, one course of them is
// looked at, drawn by the agent itself.
//
// The first decisions of a game allocate; the later ones do not.
class EvalAgent : public Agent {
  public:
    // `owned` wins over the game's own evaluation; one of them must be there.
    EvalAgent(std::shared_ptr<const games::Evaluation> owned, const SearchLimits& limits);

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool is_reproducible() const override { return limits_.time.clock == nullptr; }

    // Positions looked at since it was made.
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

    std::shared_ptr<const games::Evaluation> owned_; // perhaps by several
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
    bool out_ = false; // of nodes or of time
};

// eval:depth=N,nodes=N,ms=N,resign=N
MadeAgent make_eval_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
