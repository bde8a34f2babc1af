// Asks the game's observer, and counts its failures.
#include "agents/search/worlds.h"

#include <fmt/format.h>

namespace croupier::agents {

void Worlds::reset(const Game& game, Seat me) {
    if (game_ != &game) {
        game_ = &game;
        observer_ = game.new_observer();
        if (doubts_ && observer_ != nullptr) observer_->doubt();
    }
    if (observer_ != nullptr) observer_->reset(me);
}

bool Worlds::look(const Position& view) {
    view_ = &view;
    return observer_ == nullptr || observer_->look(view) || fail();
}

bool Worlds::draw(Position& into, Random& random) {
    if (observer_ != nullptr) return observer_->draw(into, random) || fail();
    into.copy_from(*view_);
    return true;
}

bool Worlds::fail() {
    ++failures_;
    last_ = observer_->problem();
    return false;
}

std::vector<Note> Worlds::notes() const {
    std::vector<Note> notes;
    if (failures_ > 0)
        notes.push_back({"no position was found that fits the view: " + last_, failures_});
    const games::Draws draws = observer_ == nullptr ? games::Draws{} : observer_->draws();
    if (draws.kept > 0) notes.push_back({"positions drawn and believed", draws.kept});
    if (draws.rejected > 0) notes.push_back({"positions drawn and not believed", draws.rejected});
    if (draws.picked > 0)
        notes.push_back({"positions taken by weight, since none was believed", draws.picked});
    return notes;
}

std::string read_belief(const std::string& said, Worlds& worlds) {
    if (said == "no") worlds.doubt();
    if (said.empty() || said == "yes" || said == "no") return {};
    return fmt::format("belief is yes or no, not \"{}\"", said);
}

std::string cannot_draw(const Game& game, std::string_view kind) {
    if (!game.facts().hides || game.new_observer() != nullptr) return {};
    return fmt::format("{} draws what is hidden, and {} does not say how: its ruleset needs the "
                       "groups unseen and restore",
                       kind, game.facts().title());
}

} // namespace croupier::agents
