// Random games of every revision compared ply by ply with loops over seats and cards.
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace croupier::games::oldmaid {

// Reading and writing positions of Old Maid.

using Hand = std::set<std::string>;

// A node of the position's state as JSON; empty if it is missing.
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

// The cards under a root node; none if it is missing.
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

// The card's rank; the joker has its own.
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

namespace {

struct Rules {
    bool previous = false;
    bool drawer_first = false;
    bool skips = false;
};

// The game after the deal, from rules 3 to 6 of README.md.
class Plain {
  public:
    Plain(const Position& dealt, const Rules& rules)
        : rules_(rules), players_(dealt.game().facts().players), turn_(dealt.turn()) {
        const auto hands = hands_of(dealt);
        for (const std::string& player : players_) {
            hands_.push_back(hands.at(player));
            out_.push_back(hands_.back().empty() ? 1U : 0U);
        }
    }

    [[nodiscard]] Seat turn() const { return turn_; }
    [[nodiscard]] Seat holder() const { return walk(turn_, rules_.previous ? seats() - 1 : 1); }
    [[nodiscard]] const Hand& hand(Seat seat) const { return hands_[seat]; }
    [[nodiscard]] std::size_t still_in() const {
        return static_cast<std::size_t>(std::count(out_.begin(), out_.end(), 0U));
    }
    // The seat's place, or its place if the game ended now.
    [[nodiscard]] std::size_t place(Seat seat) const {
        return out_[seat] != 0 ? out_[seat] : seats() - still_in() + 1;
    }

    void draw(const std::string& card) {
        const Seat drawer = turn_;
        const Seat target = holder();
        hands_[target].erase(card);
        Hand& hand = hands_[drawer];
        const auto match = std::find_if(hand.begin(), hand.end(), [&](const std::string& other) {
            return rank_of(other) == rank_of(card);
        });
        if (match == hand.end())
            hand.insert(card);
        else
            hand.erase(match);
        leave(rules_.drawer_first ? drawer : target);
        leave(rules_.drawer_first ? target : drawer);
        if (still_in() == 0) return;
        turn_ = walk(drawer, 1);
        if (rules_.skips && rules_.previous && out_[drawer] != 0) turn_ = walk(turn_, 1);
    }

  private:
    [[nodiscard]] std::size_t seats() const { return players_.size(); }
    [[nodiscard]] Seat walk(Seat seat, std::size_t step) const {
        std::size_t to = seat;
        do
            to = (to + step) % seats();
        while (out_[to] != 0);
        return static_cast<Seat>(to);
    }
    void leave(Seat seat) {
        if (hands_[seat].empty()) out_[seat] = seats() - still_in() + 1;
    }

    Rules rules_;
    std::vector<std::string> players_;
    std::vector<Hand> hands_;
    std::vector<std::size_t> out_; // places; 0 while playing
    Seat turn_;
};

void expect_equal(const Position& position, const Plain& plain) {
    const auto hands = hands_of(position);
    const std::vector<std::string>& players = position.game().facts().players;
    for (Seat seat = 0; seat < players.size(); ++seat)
        ASSERT_EQ(hands.at(players[seat]), plain.hand(seat)) << players[seat];
    ASSERT_EQ(position.ending() == Ending::Over, plain.still_in() < 2) << json(position);
    if (position.ending() == Ending::Over) {
        for (Seat seat = 0; seat < players.size(); ++seat) {
            ASSERT_EQ(position.place(seat), plain.place(seat)) << json(position);
            ASSERT_EQ(position.score(seat), plain.hand(seat).empty() ? 1 : 0);
        }
        return;
    }
    ASSERT_EQ(position.ending(), Ending::None);
    ASSERT_EQ(position.turn(), plain.turn());
    ASSERT_EQ(cards_at(position, "row"), plain.hand(plain.holder()));
    ASSERT_EQ(position.move_count(), plain.hand(plain.holder()).size());
}

void compare(const std::string& title, const std::vector<GameOption>& options, const Rules& rules) {
    const auto game = open_for_test(title, options);
    const auto position = game->new_position();
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Random deal = stream(seed, 0, Purpose::Deal);
        Random choices = stream(seed, 0, Purpose::Choice);
        position->start(deal);
        Plain plain(*position, rules);
        expect_equal(*position, plain);
        while (position->ending() == Ending::None && !testing::Test::HasFatalFailure()) {
            const std::size_t move = choices.below(position->move_count());
            const engine::Document state = position->state();
            const std::string card = state.find("row")->value.members.at(move).value.text();
            position->play(position->move(move), deal);
            plain.draw(card);
            expect_equal(*position, plain);
        }
        ASSERT_EQ(plain.still_in(), 1U);
        for (Seat seat = 0; seat < game->facts().seats(); ++seat)
            ASSERT_LE(plain.hand(seat).size(), 1U);
    }
}

TEST(oldmaid, every_revision_plays_as_plain_loops_do) {
    for (const char* title :
         {"oldmaid", "oldmaid:two", "oldmaid:three", "oldmaid:five", "oldmaid:six", "oldmaid:seven",
          "oldmaid:eight", "oldmaid:queen", "oldmaid:jiji"}) {
        SCOPED_TRACE(title);
        compare(title, {}, {});
    }
    compare("oldmaid:previous", {}, {.previous = true});
}

TEST(oldmaid, every_option_plays_as_plain_loops_do) {
    for (int i = 0; i < 8; ++i) {
        const Rules rules{(i & 1) != 0, (i & 2) != 0, (i & 4) != 0};
        const std::vector<GameOption> options{
            {"draw_from", rules.previous ? "previous" : "next"},
            {"simultaneous", rules.drawer_first ? "drawer" : "target"},
            {"skip_after_out", rules.skips ? "yes" : "no"}};
        SCOPED_TRACE(i);
        compare("oldmaid", options, rules);
        compare("oldmaid:eight", options, rules);
    }
}

// How often each seat loses if all draw at random, compared with exact values.

constexpr int kGames = 3000;
using Shares = std::array<double, 4>;

// `prepare` sets up the position of a game; shares are counted from seat `first`.
template <typename Prepare>
void expect_losers(Table& table, Seat first, const Shares& known, Prepare prepare) {
    std::array<int, 4> lost{};
    for (std::uint64_t deal = 0; deal < kGames; ++deal) {
        Random choices = stream(2, deal, Purpose::Choice);
        Random chance = stream(2, deal, Purpose::Play);
        prepare(deal);
        table->play_randomly(choices, chance);
        for (Seat seat = 0; seat < 4; ++seat)
            lost[(seat + 4 - first) % 4] += table->score(seat) == 0 ? 1 : 0;
    }
    double chi_square = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const double expected = kGames * known.at(i);
        chi_square += (lost.at(i) - expected) * (lost.at(i) - expected) / expected;
    }
    EXPECT_LT(chi_square, 16.27) << "one run in 1000: " << lost[0] << " " << lost[1] << " "
                                 << lost[2] << " " << lost[3]; // three degrees of freedom
}

TEST(oldmaid, seats_lose_as_often_as_known) {
    const Shares next{0.26081, 0.24084, 0.24675, 0.25160};
    const Shares previous{0.1624, 0.2854, 0.3892, 0.1630};
    Table from_next("oldmaid");
    expect_losers(from_next, 1, next, [&](std::uint64_t seed) { from_next.deal(seed); });
    Table from_previous("oldmaid:previous", {{"dealer", "D"}});
    expect_losers(from_previous, 0, previous,
                  [&](std::uint64_t seed) { from_previous.deal(seed); });
}

TEST(oldmaid, who_has_the_card_more_matters_as_known) {
    // D is dealt the first card, and A begins.
    Table table("oldmaid", {{"dealer", "C"}});
    const Shares shares{0.3140, 0.1213, 0.2371, 0.3276};
    expect_losers(table, 0, shares, [&](std::uint64_t seed) {
        table.deal(seed);
        engine::Document state = table->state();
        std::erase_if(state.members, [](const engine::Member& member) {
            return member.key == "row" || member.key == "from";
        });
        for (engine::Member& member : state.members)
            if (member.key == "turn") member.value.scalar = std::string("A");
        table.load(state);
    });
}

// Shuffled deals; packs in a known order and positions written by hand are in tests/.

// All cards of a dealt position, wherever they are.
Hand all_cards(const Position& position) {
    Hand all = cards_at(position, "laid");
    all.merge(cards_at(position, "aside"));
    for (auto [player, hand] : hands_of(position))
        all.merge(hand);
    return all;
}

// The card with which a player lost a random game, and the removed card.
std::pair<std::string, std::string> last_card(Table& table, std::uint64_t seed) {
    Random choices = stream(seed, 0, Purpose::Choice);
    Random chance = stream(seed, 0, Purpose::Play);
    table.deal(seed);
    table->play_randomly(choices, chance);
    Hand left;
    for (auto [player, hand] : hands_of(*table))
        left.merge(hand);
    EXPECT_EQ(left.size(), 1U);
    const Hand aside = cards_at(*table, "aside");
    return {*left.begin(), aside.empty() ? "" : *aside.begin()};
}

TEST(oldmaid, the_odd_card_is_a_joker_a_queen_or_unknown) {
    Table joker("oldmaid");
    Table queen("oldmaid", {{"odd", "queen"}});
    Table unknown("oldmaid", {{"odd", "unknown"}});
    Hand put_aside;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        EXPECT_EQ(all_cards(*joker.deal(seed)).size(), 53U);
        EXPECT_EQ(last_card(joker, seed).first, "JK");

        const Hand queens = all_cards(*queen.deal(seed));
        EXPECT_EQ(queens.size(), 51U);
        EXPECT_FALSE(queens.contains("JK") || queens.contains("QC"));
        EXPECT_EQ(rank_of(last_card(queen, seed).first), "Q");

        const Hand jiji = all_cards(*unknown.deal(seed));
        EXPECT_EQ(jiji.size(), 52U);
        EXPECT_FALSE(jiji.contains("JK"));
        const auto [left, aside] = last_card(unknown, seed);
        EXPECT_EQ(rank_of(left), rank_of(aside));
        put_aside.insert(aside);
    }
    EXPECT_GT(put_aside.size(), 15U);
}

TEST(oldmaid, hands_after_the_deal_hold_no_pair_and_the_first_has_the_card_more) {
    Table table("oldmaid", {{"dealer", "B"}});
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        for (const auto& [player, hand] : hands_of(*table.deal(seed))) {
            Hand ranks;
            for (const std::string& card : hand)
                ranks.insert(rank_of(card));
            EXPECT_EQ(ranks.size(), hand.size());
            EXPECT_EQ(hand.size() % 2, player == "C" ? 0U : 1U) << "14-13-13-13, less pairs";
        }
    }
}

TEST(oldmaid, the_order_of_a_hand_says_nothing) {
    // Over many deals each number stands for each rank about as often: 13 ranks and the joker.
    Table table("oldmaid");
    std::map<std::string, int> first;
    for (std::uint64_t seed = 0; seed < 1400; ++seed) {
        table.deal(seed);
        const engine::Document state = table->state();
        ++first[rank_of(state.find("row")->value.members.at(0).value.text())];
    }
    ASSERT_EQ(first.size(), 14U);
    for (const auto& [rank, times] : first) {
        if (rank == "JK") continue;
        EXPECT_GT(times, 60) << rank;
        EXPECT_LT(times, 140) << rank;
    }
}

TEST(oldmaid, a_view_holds_ones_own_hand_and_how_many_cards_the_others_have) {
    Table table("oldmaid:jiji");
    table.deal(5);
    const auto view = table->game().new_position();
    view->view_from(*table, 2);
    const auto hands = hands_of(*view);
    EXPECT_EQ(hands.size(), 1U);
    EXPECT_EQ(hands.at("C"), hands_of(*table).at("C"));
    EXPECT_EQ(at(*view, "row"), "");
    EXPECT_EQ(at(*view, "aside"), "");
    EXPECT_EQ(at(*view, "cards"), at(*table, "cards"));
    EXPECT_EQ(at(*view, "laid"), at(*table, "laid"));
}

} // namespace

} // namespace croupier::games::oldmaid
