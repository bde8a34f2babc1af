// Plays a table from every position against every defence, and reports the results.
#pragma once

#include "agents/advice/search.h"
#include "agents/advice/table.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_position.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace croupier::agents::advice {

// The positions in which a table is verified.

class Search;

// A key for a position: hashes its nodes in any order, without those of the harness and of the
// search.
std::uint64_t position_key(const AdviceTable& table, const engine::State& state);

// Numbers the positions in which we are to move: those that the table's `roots` describe, otherwise
// all that can be reached from the start of the game.
class RootSet {
  public:
    static constexpr std::uint32_t kNone = 0xffffffff;
    // Limit of the positions.
    static constexpr std::size_t kMax = 4'000'000;

    // Throws AdviceFault if there are too many, or if a rule fails.
    RootSet(const AdviceTable& table, Search& search);

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(count_); }
    // Makes `position` the one of that number, with its legal moves.
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
    std::vector<std::uint64_t> choices_;                       // of values of `roots`
    std::unique_ptr<games::RulesetPosition> base_;
    std::vector<std::unique_ptr<games::Position>> reached_;
};

// The worst result that the defence can force against the follower of the table.
enum class Outcome : std::uint8_t {
    Won,      // every line ends, and ends well
    Drawn,    // some line ends in a draw
    Lost,     // or worse
    NoAdvice, // the table has no advice
    Circle,   // some line repeats a position
    Outside,  // some line leads to a position that is not a root
};
inline constexpr std::size_t kOutcomes = 6;
std::string_view name_of(Outcome outcome);

struct VerifySettings {
    bool keep_tree = true; // if false, the table decides each move again, which differs from AL0
    // Samples each `every`-th root, and all roots reached from these.
    std::uint64_t every = 1;
    SearchSettings search;
};

struct Verification {
    std::uint64_t roots = 0;   // in which the table decided
    std::uint64_t secured = 0; // won against every defence
    std::uint32_t max = 0;     // the most moves of our own from a secured root
    double mean = 0;
    double random_mean = 0; // moves until a random defender has lost, over the secured roots
    double nodes_mean = 0;  // per decision
    std::uint64_t nodes_max = 0;
    std::vector<std::uint64_t> by_advice; // roots in which that advice was followed
    std::array<std::uint64_t, kOutcomes> outcomes{};
    std::vector<std::uint64_t> lengths; // secured roots by their number of moves
};

class Verifier {
  public:
    explicit Verifier(std::shared_ptr<const AdviceTable> table,
                      const VerifySettings& settings = {});
    ~Verifier();

    // Finds the roots; `run` does this as well.
    void enumerate();
    // Throws AdviceFault.
    const Verification& run();

    // Valid after `enumerate`.
    [[nodiscard]] std::uint32_t size() const;
    // Valid after `run`, for one root. A sample may have left the root out.
    [[nodiscard]] bool decided(std::uint32_t root) const { return results_[root].decided; }
    [[nodiscard]] Outcome outcome(std::uint32_t root) const { return results_[root].outcome; }
    // The most moves needed; of a secured root.
    [[nodiscard]] std::uint32_t length(std::uint32_t root) const { return results_[root].worst; }
    // The nodes of the position that the game documents.
    [[nodiscard]] engine::Document state(std::uint32_t root);
    [[nodiscard]] Strategy& strategy() { return strategy_; }

  private:
    struct Result {
        Outcome outcome = Outcome::Won;
        bool decided = false;
        std::uint32_t worst = 0;
        double expected = 0;
        std::size_t first_edge = 0; // its edges begin here and end before `last_edge`
        std::size_t last_edge = 0;
    };
    // A line of play from one root to the next decision.
    struct Edge {
        std::uint32_t to = 0;
        std::uint32_t moves = 0;
        double chance = 0; // the probability if replies are random
    };

    // The edges found below a tree node, reused for other nodes with the same continuation.
    struct Followed {
        std::size_t first_edge = 0;
        std::size_t last_edge = 0;
        double chance = 0;
        double expected = 0;
    };

    void decide(std::uint32_t root);
    void merge_edges(std::size_t first);
    void follow(std::size_t ply, ForcingTree::Node node, std::uint32_t moves, double chance);
    void walk(std::size_t ply, ForcingTree::Node node, std::uint32_t moves, double chance);
    void repeat(const Followed& followed, double chance);
    void end(const games::Position& position, std::uint32_t moves, double chance);
    void worsen(std::uint32_t root, Outcome outcome);
    games::RulesetPosition& at(std::size_t ply);
    void resolve();
    void add_up();

    std::shared_ptr<const AdviceTable> table_;
    VerifySettings settings_;
    Strategy strategy_;
    std::unique_ptr<RootSet> roots_;
    std::vector<Result> results_;
    std::vector<Edge> edges_;
    std::unordered_map<ForcingTree::Node, Followed> followed_; // by first child
    std::vector<std::unique_ptr<games::RulesetPosition>> line_;
    const Decision* decision_ = nullptr;
    std::uint32_t root_ = 0;
    games::Seat us_ = 0;
    Verification total_;
};

} // namespace croupier::agents::advice
