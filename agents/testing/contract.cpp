// Plays the same game with the same agent in different circumstances.
#include "agents/testing/contract.h"

#include "agents/random/random_agent.h"
#include "agents/registry.h"
#include "agents/table.h"
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <vector>

namespace croupier::agents::testing {
namespace {

// The moves of a game, so many at most.
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

// Leaves the game when enough has been seen.
class Until : public Agent {
  public:
    Until(Agent& agent, std::uint32_t plies) : agent_(agent), plies_(plies) {}
    void reset(const Game& game, Seat me) override { agent_.reset(game, me); }
    std::size_t choose(const Position& view, Random& random) override {
        return view.plies() < plies_ ? agent_.choose(view, random) : kNoChoice;
    }
    [[nodiscard]] bool observes() const override { return agent_.observes(); }
    void observe(const Position& view, const Seen& seen) override { agent_.observe(view, seen); }
    [[nodiscard]] const AgentFault* fault() const override { return &enough_; }

  private:
    Agent& agent_;
    std::uint32_t plies_;
    AgentFault enough_;
};

} // namespace

void expect_function_of_view(const Game& game, std::string_view spec, std::uint32_t plies) {
    const Surroundings around{game, games::test_opener(), games::kAgentsFolder};
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
    Table table(game);
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
    (void)play(used, {6, 2, 0}); // another game before it
    EXPECT_EQ(play(used, {5, 1, 0}), first) << spec;
    EXPECT_EQ(play(fresh, {5, 1, 0}), first) << spec;
    EXPECT_FALSE(first.empty());
}

namespace {

// Exchanges what two players other than `me` hold; false if there are no two.
bool exchange_hands(engine::Document& state, const std::string& me) {
    std::vector<engine::Document*> others;
    for (engine::Member& member : state.members) {
        if (member.key != "hands") continue;
        for (engine::Member& hand : member.value.members) {
            if (hand.key != me) others.push_back(&hand.value);
        }
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

} // namespace croupier::agents::testing
