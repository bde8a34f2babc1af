// Finds out whether advice can be followed in a position, by a depth-first search for the first
// forcing tree.
#pragma once

#include "agents/advice/table.h"
#include "engine/api/run.h"
#include "games/contract/game.h"
#include "games/ruleset/ruleset_position.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::agents::advice {

// A forcing tree: one move of ours for every permitted reply, up to positions where the goal holds.

// Nodes are numbers; the root is 0. A parent is added before its children; `cut` removes a branch
// that failed.
class ForcingTree {
  public:
    using Node = std::uint32_t;
    static constexpr Node kNone = 0xffffffff;

    enum class Kind : std::uint8_t { Leaf, Ours, Theirs };

    void clear() { nodes_.clear(); }
    [[nodiscard]] bool empty() const { return nodes_.empty(); }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    // Adds a node after the other children of `parent`, reached by `move`. kNone as parent adds the
    // root.
    Node add(Node parent, games::Move move, Kind kind);
    // Removes the nodes from number `size` on, which must be the last ones added.
    void cut(std::size_t size, Node parent);
    void set_kind(Node node, Kind kind) { nodes_[node].kind = kind; }
    // Lets `node` continue with the children of `other`.
    void share(Node node, Node other) {
        nodes_[node].kind = nodes_[other].kind;
        nodes_[node].first = nodes_[other].first;
        nodes_[node].last = nodes_[other].last;
    }

    [[nodiscard]] Kind kind(Node node) const { return nodes_[node].kind; }
    [[nodiscard]] games::Move move(Node node) const { return nodes_[node].move; }
    [[nodiscard]] Node first(Node node) const { return nodes_[node].first; }
    [[nodiscard]] Node next(Node node) const { return nodes_[node].next; }
    // The child that the move leads to, or kNone.
    [[nodiscard]] Node after(Node node, games::Move move) const;

    // For example "Ra1c1 {kd7e8 Rc1c6 *; kd7d6 *}": our move, then in braces what follows each
    // reply; * is a leaf.
    [[nodiscard]] std::string text(const std::function<std::string(games::Move)>& name) const;

  private:
    struct Entry {
        games::Move move = 0;
        Node first = kNone;
        Node last = kNone;
        Node next = kNone;
        Kind kind = Kind::Leaf;
    };
    void write(std::string& text, Node node,
               const std::function<std::string(games::Move)>& name) const;

    std::vector<Entry> nodes_;
};

// Thrown if a rule of the table or of the game failed, or if a search exceeds its limits.
struct AdviceFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Limit of the nodes visited for one piece of advice.
inline constexpr std::uint64_t kMaxNodes = 20'000'000;

// Where the longest line of play failed, for explanations.
struct Failure {
    enum class Why : std::uint8_t {
        None,
        Hold,        // `what` of the holding goal does not hold
        NoMove,      // we have no move that continues the line
        NoReply,     // the goal does not hold, and the opponent has no permitted move
        Over,        // the game is over, and the goal does not hold
        TooDeep,     // the depth limit is reached
        HeldAlready, // the goal holds before our first move
        Expert       // the table that should decide has no advice
    };
    Why why = Why::None;
    std::size_t depth = 0;
    const Goal* what = nullptr;     // the first part that does not hold
    std::vector<std::string> moves; // from the root
};

// Settings for cases in which a table is not followed exactly as written.
struct SearchSettings {
    bool memo = false;    // remember positions for all advice
    bool explain = false; // keep failures
};

// Use one per thread. Reuses its positions, so that a search allocates little.
class Search {
  public:
    Search(const AdviceTable& table, const SearchSettings& settings);

    // The position where the search begins: the caller fills it, then calls `begin`.
    [[nodiscard]] games::RulesetPosition& root() { return *line_[0]; }
    void begin(games::Seat us);

    // Whether the goal holds in the position at the root.
    [[nodiscard]] bool holds(const Goal& goal) { return holds(goal, 0); }
    // Whether the advice can be followed; if so, `tree` receives the forcing tree.
    bool satisfy(const Advice& advice, ForcingTree& tree);
    // Nodes and failure of the last call.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
    [[nodiscard]] const Failure& failure() const { return failure_; }

    // Plays a move in a position reached from the root, for a caller that follows a tree.
    void play(games::RulesetPosition& to, const games::RulesetPosition& from, games::Move move);

  private:
    struct Candidate {
        games::Move move = 0;
        const Goal* test = nullptr; // must hold after the move
    };
    using Candidates = std::vector<Candidate>;
    using Node = ForcingTree::Node;

    bool holds(const Goal& goal, std::size_t ply);
    // A subtree that was searched before: its node, or kNone if the search failed.
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
    std::map<std::pair<const Goal*, const Goal*>, Goal> pairs_; // joined tests
    bool remembers_ = false;                                    // in the current search
    std::unordered_map<std::uint64_t, Remembered> memo_;
    std::vector<std::pair<Node, std::uint64_t>> subtrees_; // subtrees that the memo knows, by node
    const Advice* advice_ = nullptr;
    ForcingTree* tree_ = nullptr;
    std::uint64_t nodes_ = 0;
    Failure failure_;
};

// The decision of a table in a position: the first rule that applies, and the first piece of its
// advice that can be followed.

struct Decision {
    static constexpr std::uint32_t kNone = 0xffffffff;

    struct Attempt {
        std::uint32_t advice = 0;
        std::uint64_t nodes = 0;
        Failure failure; // unset if it can be followed
    };
    std::uint32_t rule = kNone;
    std::uint32_t advice = kNone;
    std::string by;          // names the advice, after the expert that has it, as in endgame/mate
    ForcingTree tree;        // empty without advice
    std::uint64_t nodes = 0; // of all attempts
    std::vector<Attempt> attempts;

    [[nodiscard]] bool found() const { return advice != kNone; }
};

// Use one per thread.
class Strategy {
  public:
    Strategy(std::shared_ptr<const AdviceTable> table, const SearchSettings& settings = {});

    [[nodiscard]] const AdviceTable& table() const { return *table_; }
    [[nodiscard]] Search& search() { return search_; }
    // The position to decide in; the caller fills it.
    [[nodiscard]] games::RulesetPosition& root() { return search_.root(); }
    // Copies a position of the game that the table was read for.
    void look(const games::Position& position) { look(position.state()); }
    void look(const engine::Document& state);
    // Decides for `us`. The result is valid until the next call. Throws AdviceFault.
    const Decision& decide(games::Seat us);

    // Explains the last decision, one line each: "rule edge_rule", "mate_in_2: not satisfiable,
    // ..".
    [[nodiscard]] std::vector<std::string> explain() const;
    [[nodiscard]] std::string tree_text() const;
    // The name of a move in the tree.
    [[nodiscard]] std::string_view move_name(games::Move move) const;

  private:
    bool ask_expert(std::uint32_t advice, games::Seat us);

    std::shared_ptr<const AdviceTable> table_;
    SearchSettings settings_;
    Search search_;
    Decision decision_;
    std::vector<std::unique_ptr<Strategy>> experts_; // by advice; null until asked
};

// "after Ra1c1 kd7e8, at depth 2: 'not rooklost' does not hold"
std::string describe(const Failure& failure);

} // namespace croupier::agents::advice
