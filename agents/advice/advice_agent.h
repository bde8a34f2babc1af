// An agent that follows a table of advice and can explain each of its moves.
#pragma once

#include "agents/advice/search.h"
#include "agents/registry.h"
#include "engine/api/run.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace croupier::agents {

// The fallback if no rule of the table applies, or if none of the rule's advice can be followed.
enum class Otherwise : std::uint8_t { Fault, Random, First };

// Follows the current forcing tree until play leaves it, then asks the table again. Only for games
// without chance and without hidden information.
class AdviceAgent : public Agent {
  public:
    AdviceAgent(std::shared_ptr<const advice::AdviceTable> table, Otherwise otherwise,
                const advice::SearchSettings& settings, bool keep_tree);

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool observes() const override { return true; }
    void observe(const Position& view, const ObservedMove& move) override;
    [[nodiscard]] const AgentFault* fault() const override { return fault_ ? &*fault_ : nullptr; }
    [[nodiscard]] std::vector<Note> notes() const override;
    void set_log(engine::Log* log) override { log_ = log; }

    // Decisions of the table, and nodes visited for them, since this agent was made.
    [[nodiscard]] std::uint64_t decisions() const { return decisions_; }
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  private:
    using Tree = advice::ForcingTree;

    bool decide(const Position& view);
    std::size_t at_a_loss(const Position& view, Random& random);
    std::size_t follow(const Position& view);
    void say(const std::string& line);

    std::shared_ptr<const advice::AdviceTable> table_;
    Otherwise otherwise_;
    bool keep_tree_;
    advice::SearchSettings settings_;
    std::unique_ptr<advice::Strategy> strategy_;
    const advice::Decision* decision_ = nullptr; // the one that the tree belongs to
    Tree::Node node_ = Tree::kNone;              // current; kNone if play left it
    Seat me_ = 0;
    std::string why_; // why the table gives no advice
    engine::Log* log_ = nullptr;
    std::optional<AgentFault> fault_;
    std::uint64_t decisions_ = 0;
    std::uint64_t nodes_ = 0;
    std::uint64_t losses_ = 0;
};

// advice:FILE, or advice:NAME of a table that comes with the game; else=random, else=first.
MadeAgent make_advice_agent(const AgentSpec& spec, const AgentServices& services);

// The file that a word names: a path, or the name of a table in the game's folder `advice`.
std::string table_file(const std::string& word, const games::RulesetGame& game);

} // namespace croupier::agents
