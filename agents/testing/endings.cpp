// Tries everything, with nothing that a solver could share.
#include "agents/testing/endings.h"

#include "agents/solve/double_dummy.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace croupier::agents::testing {
namespace {

using games::Ending;

class Trying {
  public:
    Trying(const Position& from, Seat me) : me_(me) {
        const games::Facts& facts = from.game().facts();
        for (Seat seat = 0; seat < facts.seats(); ++seat) {
            const std::vector<Seat> partners = facts.partners(seat);
            friends_.push_back(std::find(partners.begin(), partners.end(), me) != partners.end() ||
                               (facts.teams.empty() && from.side(seat) == from.side(me)));
        }
    }

    [[nodiscard]] double worth(const Position& position) const {
        if (position.ending() != Ending::None) return ahead(position);
        const bool mine = friends_[position.turn()];
        double best = 0;
        for (std::size_t i = 0; i < position.move_count(); ++i) {
            const double worth = worth_after(position, position.move(i));
            if (i == 0 || (mine ? worth > best : worth < best)) best = worth;
        }
        return best;
    }
    [[nodiscard]] double worth_after(const Position& position, Move move) const {
        const auto next = position.clone();
        Random chance;
        next->play(move, chance);
        return worth(*next);
    }

  private:
    [[nodiscard]] double ahead(const Position& end) const {
        double others = 0;
        double sum = 0;
        for (Seat seat = 0; seat < friends_.size(); ++seat) {
            if (friends_[seat]) continue;
            others += 1;
            sum += end.score(me_) - end.score(seat);
        }
        return others == 0 ? 0 : sum / others;
    }

    Seat me_;
    std::vector<bool> friends_; // by seat
};

} // namespace

std::unique_ptr<Position> random_ending(const Game& game, std::uint64_t deal, std::uint32_t left) {
    auto position = game.new_position();
    const auto end = game.new_position();
    Random chance = games::stream(2, deal, games::Purpose::Deal);
    Random choices(deal);
    for (position->start(chance); position->ending() == Ending::None;
         position->play(position->move(choices.below(position->move_count())), chance)) {
        if (position->is_auction()) continue;
        Random others(1);
        end->copy_from(*position);
        end->play_randomly(others, others);
        if (end->plies() - position->plies() <= left) return position;
    }
    return nullptr;
}

std::vector<double> worth_by_trying(const Position& from, Seat me) {
    const Trying trying(from, me);
    std::vector<double> worth;
    for (std::size_t i = 0; i < from.move_count(); ++i)
        worth.push_back(trying.worth_after(from, from.move(i)));
    return worth;
}

std::uint32_t expect_solved(const std::string& title, std::uint32_t deals, std::uint32_t left) {
    constexpr std::uint64_t kMost = 100'000'000;
    const auto game = games::open_for_test(title);
    DoubleDummy used;
    used.reset(*game);
    std::uint32_t endings = 0;
    for (std::uint64_t deal = 0; deal < deals; ++deal) {
        const auto position = random_ending(*game, deal, left);
        if (position == nullptr) continue;
        ++endings;
        // Of everybody in turn, not only of who moves.
        const auto me = static_cast<Seat>(deal % game->facts().seats());
        const std::vector<double> truth = worth_by_trying(*position, me);
        std::vector<double> found;
        EXPECT_TRUE(used.solve(*position, me, {kMost}, Random(1), found));
        EXPECT_EQ(found, truth) << title << ", deal " << deal << ", for seat " << me;
        DoubleDummy fresh;
        fresh.reset(*game);
        const std::uint64_t before = used.nodes();
        EXPECT_TRUE(used.solve(*position, me, {kMost}, Random(1), found));
        EXPECT_TRUE(fresh.solve(*position, me, {kMost}, Random(1), found));
        EXPECT_EQ(found, truth) << title << ", deal " << deal << ", by a new solver";
        EXPECT_EQ(fresh.nodes(), used.nodes() - before) << "what was solved before shows";
        // What single moves lose, for who is to move.
        const std::vector<double> own = worth_by_trying(*position, position->turn());
        const double best = *std::max_element(own.begin(), own.end());
        const std::size_t move = deal % own.size();
        const auto loss = used.loss(*position, move, {kMost}, Random(1));
        EXPECT_TRUE(loss.has_value());
        if (!loss) continue;
        EXPECT_EQ(loss->loss, best - own[move]) << title << ", deal " << deal;
        EXPECT_EQ(own[loss->best], best) << title << ", deal " << deal;
        EXPECT_TRUE(loss->loss != 0 || loss->best == move) << "it loses nothing";
    }
    return endings;
}

} // namespace croupier::agents::testing
