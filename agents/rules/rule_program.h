// A file of rules read for a game: the tree that its rules see, compiled; engine/LANGUAGE.md,
// section 12.
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
class RuleProgram;

// `program` is null if the diagnostics have an error.
struct OpenedRules {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    std::shared_ptr<const RuleProgram> program;
};

// What a file must have to be of use.
enum class RuleRole { Agent, Evaluator };

// A rule of one of its groups.
struct RuleAt {
    std::string group; // "choose"
    std::string name;
};

// What somebody sets of the options that the file has beside those of the game.
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

// What agents of one game were made of before: programs, and what positions are worth. Used by
// several threads.
class RulePrograms {
  public:
    // As `open_rules`, which is asked once for a file unless it has mistakes.
    OpenedRules open(const RuleRequest& request, const engine::FileOpener& open,
                     const games::RulesetGame& game);
    // What `learn` gives, which is asked once.
    using Learn = std::function<std::shared_ptr<const LearntEvaluation>()>;
    std::shared_ptr<const LearntEvaluation> learnt(const Learn& learn);
    // The game's solution of so many positions at most. It lives as long as any that has it, which
    // the game must outlive.
    std::shared_ptr<Solution> solution(const games::Game& game, std::uint64_t most);

  private:
    std::mutex mutex_;
    std::map<std::string, OpenedRules> opened_; // by what was requested
    std::optional<std::shared_ptr<const LearntEvaluation>> learnt_;
    std::map<std::uint64_t, std::shared_ptr<Solution>> solutions_; // by how many positions at most
};

// Whether a file with that key "game" is one for this game; else `diagnostics` say so.
bool is_for(const engine::Document& game, const games::Facts& facts,
            engine::Diagnostics& diagnostics);
// The same before a file is read in earnest: one for another game would only give mistakes that are
// none. Then its sources and what is wrong replace those given.
bool says_another_game(const std::string& path, const engine::FileOpener& open,
                       const games::Facts& facts, engine::Sources& sources,
                       engine::Diagnostics& diagnostics);

// Immutable; threads share it. The tree of its states:
//   view    what the seat may see, of the shape of the game
//   me      the seat's player
//   moves   the legal moves
//   memory  what the rules keep, from the file's `memory`
//   seen    in `observe`: {player, move} of the move just made; no move if it was made in secret
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

    // What stands there before the first move.
    [[nodiscard]] const engine::State& initial() const { return *initial_; }
    void set_me(engine::State& state, games::Seat me) const;
    // Puts the view and its legal moves there.
    void look(engine::State& state, const games::Position& view) const;
    void put_seen(engine::State& state, games::Seat player, std::string_view move) const;
    void drop_seen(engine::State& state) const;

    // The weights of the legal moves by their index; how many weights there were for others. Takes
    // them all away.
    std::uint64_t take_weights(engine::State& state, const games::Position& view,
                               std::vector<std::optional<double>>& weights) const;
    // What the evaluator has written, which goes; nothing if that is not a number.
    [[nodiscard]] std::optional<double> take_worth(engine::State& state) const;

  private:
    struct Names {
        engine::Symbol view, me, moves, memory, seen, player, move, prefer, worth;
    };

    // A name as what the game's node `turn` or `move` holds. A state may have names of its own, so
    // the symbols are those of the state.
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
    // Where nothing is declared, a name that spells an integer is one.
    bool players_may_be_numbers_ = false;
    bool moves_may_be_numbers_ = false;
    std::optional<engine::State> initial_;
};

// The worth of positions by a file of rules: its evaluator, an expression or a group.

// One per thread, unlike the evaluation of a game. A rule that fails, or that writes no worth,
// makes the position worth nothing; `failures` counts.
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
