// Plays known moves.
#include "tournaments/replay/game_replay.h"

#include "games/contract/streams.h"

#include <algorithm>
#include <cassert>
#include <string_view>

namespace croupier::tournaments {

bool GameReplay::begin(const agents::GameKey& key, const Start* start,
                       engine::Diagnostics& diagnostics) {
    using games::Purpose;
    chance_ = games::stream(key.seed, key.deal, Purpose::Play, key.round);
    made_ = given_ = 0;
    if (start == nullptr) {
        games::Random deal = games::stream(key.seed, key.deal, Purpose::Deal);
        position_->start(deal);
        return true;
    }
    given_ = start->moves.size();
    given_chance_ = games::stream(key.seed, start->number, Purpose::Play);
    return begin_at(*start, key.seed, *position_, diagnostics);
}

void GameReplay::play(games::Move move, agents::Listener* listener) {
    if (listener != nullptr) listener->moves(*position_, move);
    position_->play(move, chance());
    ++made_;
    if (listener != nullptr) listener->moved(*position_);
}

void GameReplay::go(std::span<const std::string> moves, std::size_t to,
                    agents::Listener* listener) {
    while (made_ < std::min(to, moves.size()) && position_->ending() == games::Ending::None) {
        const auto move = position_->find_move(moves[made_]);
        if (!move) return;
        play(*move, listener);
    }
}

SeatReplay::SeatReplay(const games::Game& game, games::Seat seat, const agents::GameKey& key,
                       const Start* start)
    : game_(game), seat_(seat), key_(key), start_(start), replay_(game),
      view_(game.facts().hides ? game.new_position() : nullptr) {}

void SeatReplay::begin() {
    engine::Diagnostics none;
    replay_.begin(key_, start_, none);
    heard_.clear();
    begun_ = true;
    begins();
}

void SeatReplay::follow(std::span<const std::string> moves) {
    const bool goes_on = begun_ && heard_.size() <= moves.size() &&
                         std::equal(heard_.begin(), heard_.end(), moves.begin());
    if (!goes_on) begin();
    for (std::size_t i = heard_.size(); i < moves.size(); ++i) {
        const games::Position& before = replay_.position();
        const games::Seat player = before.turn();
        const bool secret = before.is_secret();
        if (player == seat_) decides();
        const auto move = before.find_move(moves[i]);
        assert(move);
        replay_.play(*move);
        heard_.push_back(moves[i]);
        sees(view(), agents::ObservedMove{player, moves[i], false, secret, *move}.told_to(seat_));
    }
}

const games::Position& SeatReplay::view() {
    if (!begun_) begin();
    if (view_ == nullptr) return replay_.position();
    view_->view_from(replay_.position(), seat_);
    return *view_;
}

} // namespace croupier::tournaments
