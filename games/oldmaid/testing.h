// What the tests of Old Maid share: positions, read and written.
#pragma once

#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace croupier::games::oldmaid {

using Hand = std::set<std::string>;

// A node of the position's state as JSON; nothing if it is not there.
inline std::string at(const Position& position, const char* node) {
    const engine::Document state = position.state();
    const engine::Member* member = state.find(node);
    return member == nullptr ? "" : engine::write_json(member->value, -1);
}

// The keys of a map of cards, or what its children hold, as `row` does.
inline Hand cards_in(const engine::Document& map) {
    Hand cards;
    for (const engine::Member& member : map.members)
        cards.insert(member.value.is_string() ? member.value.text() : member.key);
    return cards;
}

// The cards under a node of the root; none if it is not there.
inline Hand cards_at(const Position& position, const char* node) {
    const engine::Document state = position.state();
    const engine::Member* member = state.find(node);
    return member == nullptr ? Hand{} : cards_in(member->value);
}

// By the player's name.
inline std::map<std::string, Hand> hands_of(const Position& position) {
    std::map<std::string, Hand> hands;
    const engine::Document state = position.state();
    for (const engine::Member& member : state.find("hands")->value.members)
        hands[member.key] = cards_in(member.value);
    return hands;
}

// All of a card but its suit; the joker has a rank of its own.
inline std::string rank_of(const std::string& card) {
    return card == "JK" ? card : card.substr(0, 1);
}

// A game and a position of it: dealt with a seed, or written by hand.
class Table {
  public:
    explicit Table(const std::string& title, std::vector<GameOption> options = {})
        : game_(open_for_test(title, std::move(options))), position_(game_->new_position()) {}

    Table& deal(std::uint64_t seed) {
        Random dealer = stream(seed, 0, Purpose::Deal);
        position_->start(dealer);
        return *this;
    }
    Table& load(const engine::Document& state) {
        engine::Diagnostics diagnostics;
        EXPECT_TRUE(position_->load(state, random_, diagnostics));
        position_->resume(random_);
        return *this;
    }
    Position& operator*() { return *position_; }
    Position* operator->() { return position_.get(); }

  private:
    std::shared_ptr<const Game> game_;
    std::unique_ptr<Position> position_;
    Random random_{1};
};

} // namespace croupier::games::oldmaid
