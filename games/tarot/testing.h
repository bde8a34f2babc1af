// Shared by the tests of tarot: positions of the ruleset, and the same deal in plain C++.
#pragma once

#include "engine/api/text.h"
#include "games/testing/tarot.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace croupier::tarot {

using engine::Document;
using games::GameOption;
using games::Position;
using games::Purpose;
using games::Random;
using games::Seat;

inline const std::string kSeats = "ABCDE";

inline std::string seat_name(int seat) {
    return {kSeats[static_cast<std::size_t>(seat)]};
}

inline Document parse(const std::string& json) {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    auto document = engine::read_json(sources, sources.add("state", json), diagnostics);
    for (const engine::Diagnostic& each : diagnostics.sorted())
        ADD_FAILURE() << engine::format(each, sources);
    return document ? std::move(*document) : Document{};
}

// The node at that dotted path, as JSON; empty if there is none.
inline std::string at(const Document& document, const std::string& path) {
    const std::size_t dot = path.find('.');
    const engine::Member* member = document.find(path.substr(0, dot));
    if (member == nullptr) return "";
    if (dot != std::string::npos) return at(member->value, path.substr(dot + 1));
    return engine::write_json(member->value, -1);
}

// `{"S1": true, ..}`
inline std::string cards_json(const std::vector<Card>& cards) {
    std::string json;
    for (const Card& card : cards)
        json += (json.empty() ? "\"" : ", \"") + name_of(card) + "\": true";
    return "{" + json + "}";
}

// Half points as points: 81 is 40.5.
inline std::string halves_json(int halves) {
    return std::to_string(halves / 2) + (halves % 2 == 1 ? ".5" : "");
}

inline std::string hands_json(const std::vector<std::vector<Card>>& hands) {
    std::string json;
    for (std::size_t seat = 0; seat < hands.size(); ++seat)
        json += (seat == 0 ? "\"" : ", \"") + seat_name(static_cast<int>(seat)) +
                "\": " + cards_json(hands[seat]);
    return "{" + json + "}";
}

inline std::vector<Card> cards(const std::vector<std::string>& names) {
    std::vector<Card> cards;
    cards.reserve(names.size());
    for (const std::string& name : names)
        cards.push_back(card_named(name));
    return cards;
}

inline std::vector<std::vector<Card>>
all_cards(const std::vector<std::vector<std::string>>& names) {
    std::vector<std::vector<Card>> hands;
    hands.reserve(names.size());
    for (const auto& hand : names)
        hands.push_back(cards(hand));
    return hands;
}

inline std::vector<Card> cards_at(const Document& state, const std::string& node,
                                  const std::string& child = {}) {
    const engine::Member* member = state.find(node);
    if (member != nullptr && !child.empty()) member = member->value.find(child);
    std::vector<Card> cards;
    if (member == nullptr) return cards;
    for (const engine::Member& card : member->value.members)
        cards.push_back(card_named(card.key));
    return cards;
}

// The ruleset for that number of players.
inline std::string title_of(int players) {
    return players == 3 ? "tarot:three" : players == 5 ? "tarot:five" : "tarot";
}

// Sorted, for comparison.
inline std::vector<std::string> sorted(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
}

// The plain options as options of the ruleset.
inline std::vector<GameOption> named(const Options& options) {
    const auto text = [](const char* one, const char* other, bool second) {
        return std::string(second ? other : one);
    };
    std::vector<GameOption> made{
        {"petit_sec", text("cancel", "play", options.play_petit_sec)},
        {"poignee", text("auto", "manual", options.manual_poignee)},
        {"poignee_to", text("winner", "shower", options.poignee_to_shower)},
        {"excuse_last", options.excuse_last},
        {"excuse_slam", options.excuse_slam},
        {"half_point", text("winner", "nobody", options.half_to_nobody)},
        {"misere", std::int64_t{options.misere}},
    };
    if (options.players == 5)
        made.push_back(
            {"called_suit_lead", text("forbidden", "free", options.called_suit_lead_free)});
    return made;
}

// A game and a position of it.
class Table {
  public:
    explicit Table(const std::string& title, std::vector<GameOption> options = {})
        : game_(games::open_for_test(title, std::move(options))), position_(game_->new_position()) {
    }
    explicit Table(const Options& options) : Table(title_of(options.players), named(options)) {}

    Table& deal(std::uint64_t seed) {
        Random dealer = games::stream(seed, 0, Purpose::Deal);
        position_->start(dealer);
        return *this;
    }
    Table& load(const std::string& json) { return load(parse(json)); }
    Table& load(const Document& state) {
        read(state);
        position_->resume(random_);
        return *this;
    }
    // Scores a position written by hand.
    Table& score(const std::string& json) {
        read(parse(json));
        position_->evaluate(random_);
        return *this;
    }
    Table& play(const std::string& moves) {
        for (std::size_t start = 0; start < moves.size();) {
            const std::size_t end = std::min(moves.find(' ', start), moves.size());
            const std::string name = moves.substr(start, end - start);
            const auto move = position_->find_move(name);
            EXPECT_TRUE(move) << name << " is not legal in " << games::json(*position_);
            if (!move) return *this;
            position_->play(*move, random_);
            start = end + 1;
        }
        return *this;
    }
    [[nodiscard]] std::vector<std::string> moves() const {
        return sorted(games::legal(*position_));
    }
    [[nodiscard]] std::string at(const std::string& path) const { return tarot::at(state(), path); }
    [[nodiscard]] std::vector<int> scores() const {
        std::vector<int> scores;
        for (Seat seat = 0; seat < game_->facts().seats(); ++seat)
            scores.push_back(static_cast<int>(position_->score(seat)));
        return scores;
    }
    [[nodiscard]] Document state() const { return position_->state(); }
    [[nodiscard]] Position& position() { return *position_; }
    [[nodiscard]] const games::Game& game() const { return *game_; }

  private:
    void read(const Document& state) {
        engine::Diagnostics diagnostics;
        EXPECT_TRUE(position_->load(state, random_, diagnostics)) << engine::write_json(state, -1);
    }

    std::shared_ptr<const games::Game> game_;
    std::unique_ptr<Position> position_;
    Random random_{1};
};

// Whole deals of the ruleset and of plain C++ with the same choices, for the quick and the slow
// test.

// The part of a position that is written by hand; `derive` finds the rest.
inline Document by_hand(const Document& state) {
    Document left = state;
    std::erase_if(left.members, [](const engine::Member& member) {
        static const std::vector<std::string> kKept{"phase",  "dealer", "turn",  "contract",
                                                    "called", "hands",  "dog",   "aside",
                                                    "trick",  "taken",  "showed"};
        return std::find(kKept.begin(), kKept.end(), member.key) == kKept.end();
    });
    return left;
}

// Compares legal moves, the player to move, and derived nodes.
inline void expect_derived(Table& again, const Document& state, const Position& position) {
    Document left = by_hand(state);
    again.load(left);
    EXPECT_EQ(games::legal(again.position()), games::legal(position))
        << engine::write_json(left, -1);
    for (const char* node : {"taker", "side", "at", "led", "best", "holder", "pot", "bouts",
                             "excuse", "ally", "opening"})
        EXPECT_EQ(again.at(node), at(state, node)) << node << engine::write_json(left, -1);
}

inline void expect_same_end(const Table& table, const Deal& deal) {
    ASSERT_EQ(table.scores(), deal.scores()) << engine::write_json(table.state(), -1);
    if (deal.is_void()) return;
    const Outcome& outcome = deal.outcome();
    EXPECT_EQ(2 * std::stod(table.at("taken.attack.points")), outcome.attack_halves);
    EXPECT_EQ(182 - 2 * std::stod(table.at("taken.defence.points")), outcome.attack_halves);
    EXPECT_EQ(table.at("taken.attack.bouts"), std::to_string(outcome.attack_bouts));
    const auto side = [](int value) {
        return value > 0 ? "\"attack\"" : value < 0 ? "\"defence\"" : "";
    };
    EXPECT_EQ(table.at("petit"), side(outcome.petit));
    EXPECT_EQ(table.at("slam.made"), side(outcome.slam));
}

struct Seen {
    int played = 0;
    int petits = 0;
    int poignees = 0;
    int partners = 0;
    int miseres = 0;
};

// Plays deals from seeds; returns what occurred in them, for tests that depend on it.
inline Seen expect_same_deals(const Options& options, int deals, std::uint64_t seed) {
    Table table(options);
    Table again(options);
    Random random(seed);
    Seen seen;
    for (int i = 0; i < deals; ++i) {
        table.deal(1'000'000 * seed + static_cast<std::uint64_t>(i));
        Position& position = table.position();
        const Document state = position.state();
        std::vector<std::vector<Card>> hands;
        hands.reserve(static_cast<std::size_t>(options.players));
        for (int seat = 0; seat < options.players; ++seat)
            hands.push_back(cards_at(state, "hands", seat_name(seat)));
        Deal deal(options, 0);
        deal.dealt(hands, cards_at(state, "dog"));
        while (!deal.over()) {
            EXPECT_EQ(position.ending(), games::Ending::None);
            EXPECT_EQ(static_cast<int>(position.turn()), deal.turn());
            const std::vector<std::string> moves = sorted(deal.moves());
            EXPECT_EQ(table.moves(), moves) << games::json(position);
            if (::testing::Test::HasFailure()) return seen;
            if (random.below(64) == 0) expect_derived(again, position.state(), position);
            const std::string& move = moves[random.below(moves.size())];
            deal.play(move);
            table.play(move);
        }
        EXPECT_EQ(position.ending(), games::Ending::Over) << position.fault().what;
        expect_same_end(table, deal);
        if (::testing::Test::HasFailure()) return seen;
        seen.played += deal.is_void() ? 0 : 1;
        seen.petits += deal.outcome().petit != 0 ? 1 : 0;
        seen.poignees += static_cast<int>(deal.outcome().poignees.size());
        seen.partners += deal.partner() ? 1 : 0;
        seen.miseres += deal.outcome().miseres != 0 ? 1 : 0;
    }
    return seen;
}

} // namespace croupier::tarot
