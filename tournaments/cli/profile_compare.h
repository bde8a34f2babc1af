// croupier profile --compare: the rules of an old run against those of now, measured in turn.
#pragma once

#include "results/costs/compare.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/run_input.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace croupier::cli {

// What an old run was played with, put together again from the copies in its folder.
class OldRun {
  public:
    // Throws Mistake if the folder has no costs, or none that could be compared with the game.
    OldRun(std::string folder, const std::string& agents_folder, Context& context);

    [[nodiscard]] const results::Costs& recorded() const { return recorded_; }
    [[nodiscard]] const results::RunFacts& facts() const { return read_.file.facts; }
    [[nodiscard]] const tournaments::Specification& specification() const {
        return read_.specification;
    }
    // Opens its game. Throws Mistake if it is not that of `now`, or cannot be opened as it was.
    void open(const PreparedRun& now, Context& context);
    PreparedRun& run() { return run_; }

  private:
    std::string folder_;
    std::string agents_folder_;
    ReadRun read_;
    results::Costs recorded_;
    PreparedRun run_;
};

void print_comparison(const OldRun& old, const PreparedRun& now,
                      const std::vector<results::CostRound>& rounds, bool json, Context& context);

} // namespace croupier::cli
