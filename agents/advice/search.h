// Finds out whether advice can be followed in a position: the forcing tree, depth first, the first
// that there is.
#pragma once

#include "agents/advice/forcing_tree.h"
#include "agents/advice/table.h"
#include "engine/api/run.h"
#include "games/ruleset/ruleset_position.h"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::agents::advice {

// A rule of the table or of the game has failed, or a search takes too long: nobody can go on.
struct AdviceFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One advice visits no more nodes than that.
inline constexpr std::uint64_t kMostNodes = 20'000'000;

// Where the line of play ended that got furthest, for those who ask why.
struct Failure {
    enum class Why : std::uint8_t {
        None,
        Hold,       // `what` of the holding goal does not hold
        NoMove,     // we may make no move that leads on
        NoReply,    // the goal does not hold, and they may make no move
        Over,       // the game is over, and the goal does not hold
        TooDeep,    // nobody wants to look further
        HeldAlready // the goal holds where we are to move first
    };
    Why why = Why::None;
    std::size_t depth = 0;
    const Goal* what = nullptr;     // the first part that does not hold
    std::vector<std::string> moves; // from the root on
};

// How a table is followed where it is not followed to the letter.
struct SearchSettings {
    bool memo = false;    // remember positions, whatever the advice says
    bool explain = false; // keep failures
};

// One per thread. Reuses its positions, so that a search allocates little.
class Search {
  public:
    Search(const AdviceTable& table, const SearchSettings& settings);

    // The position to begin with: the caller fills it, then says that it is ready.
    [[nodiscard]] games::RulesetPosition& root() { return *line_[0]; }
    void begin(games::Seat us);

    // Of the position at the root.
    [[nodiscard]] bool holds(const Goal& goal) { return holds(goal, 0); }
    // Whether the advice can be followed; then `tree` is how.
    bool satisfy(const Advice& advice, ForcingTree& tree);
    // Of the last call.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
    [[nodiscard]] const Failure& failure() const { return failure_; }

    // The same of a position that came of the root by playing: for whoever follows a tree.
    void play(games::RulesetPosition& to, const games::RulesetPosition& from, games::Move move);

  private:
    struct Candidate {
        games::Move move = 0;
        const Goal* test = nullptr; // of the position after it
    };
    using Candidates = std::vector<Candidate>;
    using Node = ForcingTree::Node;

    bool holds(const Goal& goal, std::size_t ply);
    // A subtree that was searched before: the node that it hangs on, or none where it fails.
    struct Remembered {
        Node node = ForcingTree::kNone;
    };
    bool visit(std::size_t ply, Node node);
    bool search(std::size_t ply, Node node);
    std::uint64_t memo_key(std::size_t ply) const;
    void remember(std::uint64_t key, Node node);
    void forget_from(Node node);
    bool try_ours(std::size_t ply, Node node);
    bool try_theirs(std::size_t ply, Node node);
    bool goes_on(const Candidate& candidate, std::size_t ply);
    void list(const Moves& moves, std::size_t ply, Candidates& into);
    void list_generated(const Moves& moves, std::size_t ply, Candidates& into);
    void list_all(const Moves& moves, std::size_t ply, Candidates& into);
    void list_then(const Moves& moves, std::size_t ply, Candidates& into);
    const Goal* both_of(const Goal* one, const Goal* other);
    void enter(std::size_t ply);
    void set_depth(games::RulesetPosition& position, std::size_t ply);
    void keep_root();
    bool fail(Failure::Why why, std::size_t ply, const Goal* goal = nullptr);
    const Goal* broken(const Goal& goal, std::size_t ply);
    void check(const engine::RunResult& result);

    const AdviceTable& table_;
    SearchSettings settings_;
    engine::Machine machine_;
    engine::Random chance_;
    std::vector<std::unique_ptr<games::RulesetPosition>> line_;
    std::vector<Candidates> candidates_; // by ply
    std::vector<games::Move> path_;
    std::vector<bool> ours_;                                    // by seat
    std::map<std::pair<const Goal*, const Goal*>, Goal> pairs_; // tests that were joined
    bool remembers_ = false;                                    // in the search at hand
    std::unordered_map<std::uint64_t, Remembered> memo_;
    std::vector<std::pair<Node, std::uint64_t>> subtrees_; // that the memo knows, by their nodes
    const Advice* advice_ = nullptr;
    ForcingTree* tree_ = nullptr;
    std::uint64_t nodes_ = 0;
    Failure failure_;
};

} // namespace croupier::agents::advice
