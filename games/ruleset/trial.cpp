// Plays random games, counts, and warns.
#include "games/ruleset/trial.h"

#include "engine/api/run.h"
#include "engine/api/text.h"
#include "games/ruleset/codes.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::games {
namespace {

// Counts steps, not seconds: the result must not depend on the machine.
constexpr std::uint64_t kMaxGames = 20;
constexpr std::uint32_t kMaxPlies = 500; // per game
constexpr std::uint32_t kPliesInAll = 600;

class Trial {
  public:
    explicit Trial(const RulesetGame& game)
        : game_(game), position_(game.new_position()), moved_(game.facts().seats()) {}

    void play() {
        while (games_ < kMaxGames && plies_ < kPliesInAll)
            play(++games_);
    }

    void report(engine::Diagnostics& diagnostics) const {
        const engine::Span place = game_.ruleset().game.span;
        if (aborted_ > 0) {
            diagnostics.warning(
                code::kAborts, place,
                fmt::format("{} of {} random games are aborted: {}", aborted_, games_, fault_),
                fmt::format("croupier play with --seed {} plays the first of them",
                            first_aborted_));
        }
        std::string still;
        for (Seat seat = 0; seat < game_.facts().seats(); ++seat)
            if (!moved_[seat]) still += (still.empty() ? "" : ", ") + game_.facts().players[seat];
        const engine::Document& about = game_.ruleset().game;
        const engine::Member* players = about.is_object() ? about.find("players") : nullptr;
        if (!still.empty()) {
            diagnostics.warning(
                code::kNeverMoves, players != nullptr ? players->value.span : place,
                fmt::format("in {} random games it is never the turn of {}", games_, still),
                "turn names whose move it is; players are listed under game");
        }
        if (ended_ == 0 && endless_ > 0) {
            diagnostics.warning(code::kNeverEnds, place,
                                fmt::format("no random game ends within {} moves", kMaxPlies),
                                "a game ends when over is true, or after the option max_plies");
        }
        if (plies_ > 0 && !choice_)
            diagnostics.warning(code::kNoChoice, place,
                                fmt::format("in {} random games there is never more than one "
                                            "legal move",
                                            games_));
    }

  private:
    void play(std::uint64_t seed) {
        GameStreams streams(seed, 0, game_.facts().seats());
        position_->start(streams.deal);
        while (position_->ending() == Ending::None && position_->plies() < kMaxPlies) {
            const Seat seat = position_->turn();
            const std::size_t legal = position_->move_count();
            moved_[seat] = true;
            choice_ = choice_ || legal > 1;
            position_->play(position_->move(streams.choices[seat].below(legal)), streams.play);
        }
        plies_ += position_->plies();
        if (position_->ending() == Ending::None) {
            ++endless_;
        } else if (position_->ending() != Ending::Aborted) {
            ++ended_;
        } else if (aborted_++ == 0) {
            const Fault& fault = position_->fault();
            first_aborted_ = seed;
            fault_ = fault.rule.empty() ? fault.what
                                        : fmt::format("rule {}: {}", fault.rule, fault.what);
        }
    }

    const RulesetGame& game_;
    std::unique_ptr<Position> position_;
    std::vector<bool> moved_;
    bool choice_ = false;
    std::uint64_t games_ = 0;
    std::uint32_t plies_ = 0;
    std::uint64_t ended_ = 0;
    std::uint64_t endless_ = 0;
    std::uint64_t aborted_ = 0;
    std::uint64_t first_aborted_ = 0;
    std::string fault_;
};

} // namespace

engine::Budgets trial_budgets() {
    engine::Budgets budgets;
    budgets.steps = std::min<std::uint64_t>(budgets.steps, 20'000'000);
    return budgets;
}

void try_random_games(const RulesetGame& game, engine::Diagnostics& diagnostics) {
    Trial trial(game);
    trial.play();
    trial.report(diagnostics);
}

} // namespace croupier::games
