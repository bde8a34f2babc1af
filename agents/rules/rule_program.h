// A rule file compiled for a game, and the tree that its rules see; engine/LANGUAGE.md, section 12.
#pragma once

#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::agents {

class LearntEvaluation;
class Net;
class RuleProgram;

// `program` is null if the diagnostics have an error.
struct OpenedRules {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    std::shared_ptr<const RuleProgram> program;
};

// The use of a file, which decides what it must contain.
enum class RuleRole { Agent, Evaluator };

// A rule of one of its groups.
struct RuleAt {
    std::string group; // "choose"
    std::string name;
};

// An option of the file, beside those of the game, that the user sets.
struct Parameter {
    std::string name;
    engine::Scalar value;

    bool operator==(const Parameter&) const = default;
};
using Parameters = std::vector<Parameter>;

struct RuleRequest {
    std::string path;
    RuleRole role = RuleRole::Agent;
    Parameters parameters = {};
    const RuleAt* without =
        nullptr;         // switched off; everything else, checks included, is as with it
    bool strict = false; // see engine::LoadSettings
};
OpenedRules open_rules(const RuleRequest& request, const engine::FileOpener& open,
                       const games::RulesetGame& game);

class Solution;

// Shared by the agents of one game: compiled programs and evaluations. Used by several threads.
class RulePrograms {
  public:
    // As `open_rules`, which is called once per file, and again only after errors.
    OpenedRules open(const RuleRequest& request, const engine::FileOpener& open,
                     const games::RulesetGame& game);
    // The result of `learn`, which is called once.
    using Learn = std::function<std::shared_ptr<const LearntEvaluation>()>;
    std::shared_ptr<const LearntEvaluation> learnt(const Learn& learn);
    // The net of that file; `open` is called once per file, and again only where it gave null.
    using OpenNet = std::function<std::shared_ptr<const Net>()>;
    std::shared_ptr<const Net> net(const std::string& path, const OpenNet& open);
    // The game's solution of at most `most` positions. It lives as long as its users; the game must
    // outlive them.
    std::shared_ptr<Solution> solution(const games::Game& game, std::uint64_t most);

  private:
    std::mutex mutex_;
    std::map<std::string, OpenedRules> opened_; // by request
    std::optional<std::shared_ptr<const LearntEvaluation>> learnt_;
    std::map<std::string, std::shared_ptr<const Net>> nets_;       // by file
    std::map<std::uint64_t, std::shared_ptr<Solution>> solutions_; // by limit of positions
};

// Whether a file with that key "game" is for this game; if not, reports it to `diagnostics`.
bool is_for(const engine::Document& game, const games::Facts& facts,
            engine::Diagnostics& diagnostics);
// The same before a file is compiled: a file for another game would cause spurious errors. If so,
// replaces the sources and diagnostics given.
bool says_another_game(const std::string& path, const engine::FileOpener& open,
                       const games::Facts& facts, engine::Sources& sources,
                       engine::Diagnostics& diagnostics);

// Immutable; threads share it. The tree of its states:
//   view    what the seat may see, of the shape of the game
//   me      the seat's player
//   moves   the legal moves
//   memory  what the rules keep, from the file's `memory`
//   seen    in `observe`: {player, move} of the move just made; without move if it was secret
//   prefer  what `choose` writes: {move: weight}
//   worth   what an evaluator writes
class RuleProgram {
  public:
    RuleProgram(engine::Ruleset ruleset, const games::RulesetGame& game);

    [[nodiscard]] const engine::Program& program() const { return *program_; }
    [[nodiscard]] const games::RulesetGame& game() const { return game_; }
    [[nodiscard]] const engine::Ruleset& ruleset() const { return ruleset_; }
    // The options that the game does not have.
    [[nodiscard]] std::vector<engine::Option> parameters() const;

    struct Groups {
        engine::GroupId observe = engine::kNone;
        engine::GroupId choose = engine::kNone;
        engine::GroupId evaluator = engine::kNone;
    };
    [[nodiscard]] const Groups& groups() const { return groups_; }

    // The state before the first move.
    [[nodiscard]] const engine::State& initial() const { return *initial_; }
    void set_me(engine::State& state, games::Seat me) const;
    // Writes the view and its legal moves into the state.
    void look(engine::State& state, const games::Position& view) const;
    void put_seen(engine::State& state, games::Seat player, std::string_view move) const;
    void drop_seen(engine::State& state) const;

    // Reads and removes the weights of legal moves, by index. Returns the number of weights for
    // other moves.
    std::uint64_t take_weights(engine::State& state, const games::Position& view,
                               std::vector<std::optional<double>>& weights) const;
    // Reads and removes what the evaluator wrote; nothing if that is not a number.
    [[nodiscard]] std::optional<double> take_worth(engine::State& state) const;

  private:
    struct Names {
        engine::Symbol view, me, moves, memory, seen, player, move, prefer, worth;
    };

    // A name in the form that the game's nodes `turn` and `move` hold. A state may have names of
    // its own, so the symbols are the state's.
    static engine::Value named(const engine::Symbols& symbols, engine::Symbol name,
                               bool may_be_number);

    const games::RulesetGame& game_;
    engine::Ruleset ruleset_;
    std::unique_ptr<engine::Program> program_;
    Names names_{};
    Groups groups_;
    std::optional<engine::Graft> view_;
    std::optional<engine::Graft> moves_; // where the game's shape declares them
    std::vector<engine::Symbol> players_;
    // If nothing is declared, a name that spells an integer is an integer.
    bool players_may_be_numbers_ = false;
    bool moves_may_be_numbers_ = false;
    std::optional<engine::State> initial_;
};

// The evaluation of positions by a rule file: its evaluator is an expression or a group.

// Use one per thread, unlike a game's evaluation. If a rule fails or writes no number, the position
// is worth nothing; `failures` counts these.
class RuleEvaluation : public games::Evaluation {
  public:
    explicit RuleEvaluation(std::shared_ptr<const RuleProgram> program);

    [[nodiscard]] double worth(const games::Position& position, games::Seat seat) const override;
    [[nodiscard]] std::uint64_t failures() const { return failures_; }

  private:
    std::shared_ptr<const RuleProgram> program_;
    mutable engine::State state_;
    mutable engine::Machine machine_;
    mutable std::uint64_t failures_ = 0;
};

} // namespace croupier::agents
