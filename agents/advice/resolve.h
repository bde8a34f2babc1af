// What the names in a table stand for.
#pragma once

#include "agents/advice/compose.h"
#include "agents/advice/table.h"
#include "engine/api/program.h"
#include "engine/api/text.h"

#include <optional>
#include <string>
#include <vector>

namespace croupier::agents::advice {

// Turns formulas into goals and moves; what is wrong goes to the diagnostics, and what comes back
// then must not be used.
class Resolver {
  public:
    Resolver(const TableText& text, const engine::Program& program, const engine::Sources& sources,
             engine::Diagnostics& diagnostics);

    Goal goal(const engine::Document& formula);
    Moves moves(const engine::Document& formula);

  private:
    Goal goal_of(const Formula& formula);
    Goal goal_named(const Formula& formula);
    Goal join(const Formula& formula);
    Moves moves_of(const Formula& formula);
    Moves moves_named(const Formula& formula);
    Moves generator(const engine::Member& member);
    std::optional<Formula> parse(const engine::Document& formula);
    bool enter(const engine::Member& member);
    void unknown(const Formula& formula, bool of_moves);

    const TableText& text_;
    const engine::Program& program_;
    const engine::Sources& sources_;
    engine::Diagnostics& diagnostics_;
    std::vector<std::string> open_; // names whose formulas are being read, to find circles
};

} // namespace croupier::agents::advice
