// Plays a table from every position against every defence, and says what it is worth.
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

// All positions in which a table is to show what it is worth.

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
    static constexpr std::size_t kMax = 4'000'000;

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

// The worst that can happen from a position to whoever follows the table.
enum class Outcome : std::uint8_t {
    Won,      // every line ends, and ends well
    Drawn,    // some line ends in a draw
    Lost,     // or worse
    NoAdvice, // the table is at a loss
    Circle,   // some line comes back to where it was
    Outside,  // some line leads to a position that is none of the roots
};
inline constexpr std::size_t kOutcomes = 6;
std::string_view name_of(Outcome outcome);

struct VerifySettings {
    bool keep_tree = true; // false: a new decision for every move, which is not how AL0 is played
    // A sample: each so-many-th root, and all that these lead to.
    std::uint64_t every = 1;
    SearchSettings search;
};

struct Verification {
    std::uint64_t roots = 0;   // that were decided in
    std::uint64_t secured = 0; // won against every defence
    std::uint32_t max = 0;     // moves of our own, of the secured roots at worst
    double mean = 0;
    double random_mean = 0; // moves until a random defender has lost, over the secured roots
    double nodes_mean = 0;  // per decision
    std::uint64_t nodes_max = 0;
    std::vector<std::uint64_t> by_advice; // roots in which it is the one that is followed
    std::array<std::uint64_t, kOutcomes> outcomes{};
    std::vector<std::uint64_t> lengths; // secured roots by their moves
};

class Verifier {
  public:
    explicit Verifier(std::shared_ptr<const AdviceTable> table,
                      const VerifySettings& settings = {});
    ~Verifier();

    // Finds the roots; `run` does so too.
    void enumerate();
    // Throws AdviceFault.
    const Verification& run();

    // After `enumerate`.
    [[nodiscard]] std::uint32_t size() const;
    // After `run`: of one root. A sample may not have come to it.
    [[nodiscard]] bool decided(std::uint32_t root) const { return results_[root].decided; }
    [[nodiscard]] Outcome outcome(std::uint32_t root) const { return results_[root].outcome; }
    // Moves at worst; of a secured root.
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
        std::size_t first_edge = 0; // its edges, up to `last_edge`
        std::size_t last_edge = 0;
    };
    // A line of play from one root to the next decision.
    struct Edge {
        std::uint32_t to = 0;
        std::uint32_t moves = 0;
        double chance = 0; // if replies are made at random
    };

    // What was found below a node of the tree, for other nodes that go on as it does.
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
    std::unordered_map<ForcingTree::Node, Followed> followed_; // by their first child
    std::vector<std::unique_ptr<games::RulesetPosition>> line_;
    const Decision* decision_ = nullptr;
    std::uint32_t root_ = 0;
    games::Seat us_ = 0;
    Verification total_;
};

} // namespace croupier::agents::advice
