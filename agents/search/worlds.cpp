// Asks the game's observer, and counts when it knows no answer.
#include "agents/search/worlds.h"

#include <fmt/format.h>

namespace croupier::agents {

void Worlds::reset(const Game& game, Seat me) {
    if (game_ != &game) {
        game_ = &game;
        observer_ = game.new_observer();
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
    if (failures_ == 0) return {};
    return {{"no position was found behind the view: " + last_, failures_}};
}

std::string cannot_draw(const Game& game, std::string_view kind) {
    if (!game.facts().hides || game.new_observer() != nullptr) return {};
    return fmt::format("{} draws what is hidden, and {} does not say how: its ruleset needs the "
                       "groups unseen and restore",
                       kind, game.facts().title());
}

} // namespace croupier::agents
