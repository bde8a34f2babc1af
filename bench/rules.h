// Rulesets of bench/rules, compiled and ready to run.
#pragma once

#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <memory>
#include <string>
#include <vector>

namespace croupier::bench {

enum class Layout {
    Declared,   // the ruleset as written: dense columns
    Undeclared, // the same without its shape: all nodes are in the arena
};

enum class Way {
    MachineCode, // if there is a translation for this machine
    Interpreted,
};

// The path of a file or folder of the source tree that the program was built from.
std::string in_tree(const std::string& name);

// Overlaid files, their program, and a machine for it. Throws WrongAnswer with the diagnostics if
// the files have errors.
class Rules {
  public:
    explicit Rules(const std::vector<std::string>& files, Layout layout = Layout::Declared,
                   Way way = Way::MachineCode);

    [[nodiscard]] const engine::Program& program() const { return program_; }
    // The state that the JSON text describes.
    [[nodiscard]] engine::State state(const std::string& json) const;
    [[nodiscard]] engine::State state(const engine::Document& document) const;

    [[nodiscard]] engine::GroupId group(const std::string& name) const;
    [[nodiscard]] engine::RuleId rule(const std::string& name) const;

    // The result of the run or match; `checked` throws an error as WrongAnswer.
    engine::RunResult run(engine::GroupId group, engine::State& state) {
        return machine_.run(group, state, random_);
    }
    engine::RunResult run(engine::GroupId group, engine::State& state, engine::Random& random) {
        return machine_.run(group, state, random);
    }
    engine::RunResult match(engine::RuleId rule, engine::State& state) {
        return machine_.match(rule, state, random_);
    }
    static void checked(const engine::RunResult& result);

  private:
    engine::Loaded loaded_;
    engine::Program program_;
    engine::Machine machine_;
    engine::Random random_{1};
};

// The JSON text as a document.
engine::Document parse(const std::string& json);

// The ruleset at that path below games/, as a game.
std::shared_ptr<const games::Game> open_game(const std::string& path);

} // namespace croupier::bench
