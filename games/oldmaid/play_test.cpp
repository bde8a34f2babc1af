// Random games of every revision, ply by ply against plain loops over seats and cards.
#include "engine/api/text.h"
#include "games/oldmaid/testing.h"

#include <algorithm>

namespace croupier::games::oldmaid {
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
    // The place that the seat has, or will have if the game is over.
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
    std::vector<std::size_t> out_; // places; 0: still in
    Seat turn_;
};

void expect_equal(const Position& position, const Plain& plain) {
    const auto hands = hands_of(position);
    const std::vector<std::string>& players = position.game().facts().players;
    for (Seat seat = 0; seat < players.size(); ++seat) {
        ASSERT_EQ(hands.at(players[seat]), plain.hand(seat)) << players[seat];
    }
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

} // namespace
} // namespace croupier::games::oldmaid
