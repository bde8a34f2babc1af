// Which rules of a ruleset do anything while it is tested.
#pragma once

#include "engine/api/explain.h"
#include "games/contract/rule_watch.h"
#include "games/ruleset/ruleset_game.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace croupier::games {

// Of the groups that games run: setup, moves, play and score, with the rules inside their rules.
// Rules are known by their names, so that what is counted with different options adds up. Costs as
// much again as the rules that it watches.
class RuleUse : public RuleWatch {
  public:
    RuleUse() = default;

    // From now on it watches positions of this game, which must live until it watches another or is
    // asked; null: none.
    void watch_game(const RulesetGame* game);
    void runs(const RuleRun& run) override;

    // All rules that were watched in some game, in its order.
    [[nodiscard]] const std::vector<std::string>& rules();
    // Those that have found a match, or have acted without one (`else`).
    [[nodiscard]] const std::set<std::string>& fired();

  private:
    void take();

    const RulesetGame* game_ = nullptr;
    std::unique_ptr<engine::Gauge> gauge_;
    engine::Profile profile_;
    std::vector<std::string> rules_;
    std::set<std::string> known_;
    std::set<std::string> fired_;
};

} // namespace croupier::games
