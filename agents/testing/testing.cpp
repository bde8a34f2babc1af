// Plays the same game with the same agent under different circumstances.
#include "agents/testing/testing.h"

#include "agents/game_runner.h"
#include "agents/random/random_agent.h"
#include "agents/registry.h"
#include "agents/solve/double_dummy.h"
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace croupier::agents::testing {

namespace {

// The first moves of a game.
class Line : public Listener {
  public:
    explicit Line(std::uint32_t plies) : plies_(plies) {}
    std::vector<std::string> moves_made;

    void moves(const Position& before, Move move) override {
        if (moves_made.size() < plies_) moves_made.emplace_back(before.text(move));
    }

  private:
    std::uint32_t plies_;
};

// Stops the game after enough moves.
class Until : public Agent {
  public:
    Until(Agent& agent, std::uint32_t plies) : agent_(agent), plies_(plies) {}
    void reset(const Game& game, Seat me) override { agent_.reset(game, me); }
    std::size_t choose(const Position& view, Random& random) override {
        return view.plies() < plies_ ? agent_.choose(view, random) : kNoChoice;
    }
    [[nodiscard]] bool observes() const override { return agent_.observes(); }
    void observe(const Position& view, const ObservedMove& seen) override {
        agent_.observe(view, seen);
    }
    [[nodiscard]] const AgentFault* fault() const override { return &enough_; }

  private:
    Agent& agent_;
    std::uint32_t plies_;
    AgentFault enough_;
};

} // namespace

void expect_function_of_view(const Game& game, std::string_view spec, std::uint32_t plies) {
    const AgentServices around{game, games::test_opener(), games::kAgentsFolder};
    const auto seats = game.facts().seats();
    const auto make = [&] {
        std::vector<std::unique_ptr<Agent>> agents;
        for (Seat seat = 0; seat < seats; ++seat) {
            MadeAgent made = make_agent(parse_agent_spec(spec), around);
            EXPECT_NE(made.agent, nullptr) << spec << ": " << made.error;
            agents.push_back(std::move(made.agent));
        }
        return agents;
    };
    GameRunner table(game);
    const auto play = [&](const std::vector<std::unique_ptr<Agent>>& agents, const GameKey& key) {
        std::vector<std::unique_ptr<Until>> until;
        std::vector<Agent*> seated;
        for (const auto& agent : agents) {
            until.push_back(std::make_unique<Until>(*agent, plies));
            seated.push_back(until.back().get());
        }
        Line line(plies);
        (void)table.play(seated, key, &line);
        return line.moves_made;
    };
    const auto fresh = make();
    if (fresh[0] == nullptr) return;
    const auto used = make();
    const auto first = play(fresh, {5, 1, 0});
    (void)play(used, {6, 2, 0}); // plays another game first
    EXPECT_EQ(play(used, {5, 1, 0}), first) << spec;
    EXPECT_EQ(play(fresh, {5, 1, 0}), first) << spec;
    EXPECT_FALSE(first.empty());
}

namespace {

// Exchanges the hands of two players other than `me`; false if there are no two.
bool exchange_hands(engine::Document& state, const std::string& me) {
    std::vector<engine::Document*> others;
    for (engine::Member& member : state.members) {
        if (member.key != "hands") continue;
        for (engine::Member& hand : member.value.members)
            if (hand.key != me) others.push_back(&hand.value);
    }
    if (others.size() < 2) return false;
    std::swap(*others.front(), *others.back());
    return true;
}

} // namespace

void expect_blind_to_other_hands(const Game& game, std::string_view spec) {
    const MadeAgent made =
        make_agent(parse_agent_spec(spec), {game, games::test_opener(), games::kAgentsFolder});
    ASSERT_NE(made.agent, nullptr) << made.error;
    const auto position = game.new_position();
    const auto other = game.new_position();
    const auto view = game.new_position();
    Random choices(3);
    int tried = 0;
    for (std::uint64_t deal = 0; deal < 10; ++deal) {
        Random chance = games::stream(2, deal, games::Purpose::Deal);
        position->start(chance);
        for (; position->ending() == games::Ending::None;
             position->play(position->move(choices.below(position->move_count())), chance)) {
            const Seat me = position->turn();
            const auto choose = [&](const Position& from) {
                view->view_from(from, me);
                made.agent->reset(game, me);
                Random stream(9);
                return view->text(view->move(made.agent->choose(*view, stream)));
            };
            engine::Document state = position->state();
            engine::Diagnostics diagnostics;
            if (!exchange_hands(state, game.facts().players[me]) ||
                !other->load(state, chance, diagnostics))
                continue;
            other->resume(chance);
            if (other->ending() != games::Ending::None || other->turn() != me) continue;
            const std::string chosen(choose(*position));
            ASSERT_EQ(choose(*other), chosen) << spec;
            ++tried;
        }
    }
    EXPECT_GT(tried, 50);
}

// Exchanges sides and sums up blocks.

Match match(const Game& game, const std::string& one, const std::string& other, std::uint64_t deals,
            std::uint64_t seed) {
    const AgentServices around{game, games::test_opener(), games::kAgentsFolder};
    const std::size_t seats = game.facts().seats();
    std::vector<std::unique_ptr<Agent>> agents;
    for (std::size_t i = 0; i < seats; ++i) {
        const std::string& spec = i < seats / 2 ? one : other;
        MadeAgent made = make_agent(parse_agent_spec(spec), around);
        if (made.agent == nullptr) {
            ADD_FAILURE() << "cannot make " << spec << " " << made.error;
            return {};
        }
        agents.push_back(std::move(made.agent));
    }
    GameRunner table(game);
    Match match;
    double sum = 0;
    double squares = 0;
    std::vector<Agent*> seated(seats);
    for (std::uint64_t deal = 0; deal < deals; ++deal) {
        double block = 0;
        for (std::uint64_t round = 0; round < 2; ++round) {
            for (std::size_t seat = 0; seat < seats; ++seat)
                seated[seat] = agents[(seat % 2 == round ? 0 : seats / 2) + seat / 2].get();
            const Position& end = table.play(seated, {seed, deal, round});
            if (table.fault()) {
                ADD_FAILURE() << table.fault()->fault.what;
            }
            double ahead = 0; // partners have the same score
            for (std::size_t seat = 0; seat < seats; ++seat)
                ahead += (seat % 2 == round ? 1 : -1) * end.score(static_cast<Seat>(seat));
            const std::size_t half = seats / 2;
            ahead /= static_cast<double>(half);
            ++(ahead > 0 ? match.won : ahead < 0 ? match.lost : match.drawn);
            block += ahead / 2;
        }
        sum += block;
        squares += block * block;
    }
    const auto n = static_cast<double>(deals);
    match.mean = sum / n;
    match.error = std::sqrt(std::max(0.0, squares / n - match.mean * match.mean) / n);
    return match;
}

// Exhaustive search, sharing no code with solvers.

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
    constexpr std::uint64_t kMax = 100'000'000;
    const auto game = games::open_for_test(title);
    DoubleDummy used;
    used.reset(*game);
    std::uint32_t endings = 0;
    for (std::uint64_t deal = 0; deal < deals; ++deal) {
        const auto position = random_ending(*game, deal, left);
        if (position == nullptr) continue;
        ++endings;
        // Each seat in turn, not only the one to move.
        const auto me = static_cast<Seat>(deal % game->facts().seats());
        const std::vector<double> truth = worth_by_trying(*position, me);
        std::vector<double> found;
        EXPECT_TRUE(used.solve(*position, me, {kMax}, Random(1), found));
        EXPECT_EQ(found, truth) << title << ", deal " << deal << ", for seat " << me;
        DoubleDummy fresh;
        fresh.reset(*game);
        const std::uint64_t before = used.nodes();
        EXPECT_TRUE(used.solve(*position, me, {kMax}, Random(1), found));
        EXPECT_TRUE(fresh.solve(*position, me, {kMax}, Random(1), found));
        EXPECT_EQ(found, truth) << title << ", deal " << deal << ", by a new solver";
        EXPECT_EQ(fresh.nodes(), used.nodes() - before) << "what was solved before shows";
        // The loss of each move for the player to move.
        const std::vector<double> own = worth_by_trying(*position, position->turn());
        const double best = *std::max_element(own.begin(), own.end());
        const std::size_t move = deal % own.size();
        const auto loss = used.loss(*position, move, {kMax}, Random(1));
        EXPECT_TRUE(loss.has_value());
        if (!loss) continue;
        EXPECT_EQ(loss->loss, best - own[move]) << title << ", deal " << deal;
        EXPECT_EQ(own[loss->best], best) << title << ", deal " << deal;
        EXPECT_TRUE(loss->loss != 0 || loss->best == move) << "it loses nothing";
    }
    return endings;
}

} // namespace croupier::agents::testing
