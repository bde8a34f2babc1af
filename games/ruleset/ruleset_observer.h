// Observers made of a ruleset's groups `observe`, `unseen` and `restore`: engine/LANGUAGE.md,
// section 12.
#pragma once

#include "games/ruleset/deals.h"
#include "games/ruleset/ruleset_position.h"

#include <string>
#include <vector>

namespace croupier::games {

// The rules see the seat's view, and under `observer` what they noted before. Allocates: it is used
// once a move and once a draw, and what it serves costs far more.
class RulesetObserver : public Observer {
  public:
    // The game must outlive it, and have these groups.
    explicit RulesetObserver(const RulesetGame& game);

    void reset(Seat me) override;
    void observe(const Position& view, Seat player, std::string_view move) override;
    bool look(const Position& view) override;
    bool draw(Position& into, Random& random) override;
    [[nodiscard]] const std::string& problem() const override { return problem_; }

  private:
    bool fail(std::string problem);
    bool read(const engine::Document& said);
    [[nodiscard]] engine::Document drawn() const;

    const RulesetGame& game_;
    RulesetPosition view_; // the last that was looked at
    RulesetPosition work_;
    engine::Document notes_;
    Random chance_; // of rules that ask for it while they watch
    std::string problem_;
    Deals deals_;
    std::vector<std::string> things_;
    std::vector<std::string> holders_; // what no holder has room for goes to one more
    std::vector<std::uint8_t> holder_of_;
};

} // namespace croupier::games
