// CLIPS programs as games, and their possible errors.
#include "games/files.h"
#include "games/registry.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace croupier::games {
namespace {

class ClipsGame : public testing::Test {
  protected:
    ClipsGame()
        : registry_("games", read_file,
                    shipped(std::filesystem::read_symlink("/proc/self/exe").string(),
                            CROUPIER_LIBEXEC, "clips")) {}

    OpenedGame open_text(const std::string& name, const std::string& text) {
        const std::string path =
            fmt::format("{}/croupier_game_{}_{}.clp", testing::TempDir(), name, getpid());
        std::ofstream(path) << text;
        OpenedGame opened = registry_.open({path, ""});
        std::filesystem::remove(path);
        return opened;
    }
    std::shared_ptr<const Game> nim() {
        return registry_.open({"games/examples/nim.clp", ""}).game;
    }

    Registry registry_;
};

TEST_F(ClipsGame, choices_are_played_to_the_end) {
    const auto game = nim();
    ASSERT_NE(game, nullptr);
    EXPECT_EQ(game->facts().name, "nim");
    EXPECT_EQ(game->facts().players, (std::vector<std::string>{"First", "Second"}));
    const auto position = game->new_position();
    Random chance(1);
    position->start(chance);
    EXPECT_EQ(position->turn(), 0U);
    ASSERT_EQ(position->move_count(), 3U);
    for (int round = 0; round < 3; ++round) { // the second player leaves a multiple of four
        position->play(*position->find_move("take 1"), chance);
        EXPECT_EQ(position->turn(), 1U);
        position->play(*position->find_move("take 3"), chance);
    }
    EXPECT_EQ(position->ending(), Ending::Over);
    EXPECT_EQ(position->plies(), 6U);
    EXPECT_EQ(position->move_count(), 0U);
    EXPECT_EQ(position->score(0), -1);
    EXPECT_EQ(position->score(1), 1);
    EXPECT_EQ(position->place(0), 2U);
    EXPECT_EQ(position->place(1), 1U);
}

TEST_F(ClipsGame, a_copy_goes_on_by_itself_and_equal_positions_have_equal_hashes) {
    const auto game = nim();
    const auto one = game->new_position(), other = game->new_position();
    Random chance(1), elsewhere(2);
    one->start(chance);
    one->play(*one->find_move("take 1"), chance);
    one->play(*one->find_move("take 2"), chance);
    other->copy_from(*one);
    EXPECT_EQ(other->hash(), one->hash());
    other->play(*other->find_move("take 3"), elsewhere);
    EXPECT_EQ(one->plies(), 2U);
    EXPECT_NE(other->hash(), one->hash());
    one->play(*one->find_move("take 3"), chance);
    EXPECT_EQ(other->hash(), one->hash());
    // The same pile and turn by other moves.
    other->start(elsewhere);
    for (const char* move : {"take 2", "take 2", "take 2"})
        other->play(*other->find_move(move), elsewhere);
    EXPECT_EQ(other->hash(), one->hash());
}

TEST_F(ClipsGame, a_view_has_what_the_seat_may_see_and_no_more) {
    const auto opened = open_text(
        "views", "(deffacts f (game-players A B) (game-turn A) (game-move hit 1) (game-move pass)\n"
                 " (game-sees A hand \"7 (hearts\") (game-sees B nothing) (secret 42))\n");
    ASSERT_NE(opened.game, nullptr) << opened.error;
    const auto position = opened.game->new_position(), view = opened.game->new_position();
    Random chance(1);
    position->start(chance);
    view->view_from(*position, 0);
    EXPECT_EQ(engine::write_json(view->state(), -1),
              R"({"turn":"A","moves":["hit 1","pass"],"sees":{"A":["hand \"7 (hearts\""]}})");
    view->view_from(*position, 1);
    EXPECT_EQ(engine::write_json(view->state(), -1),
              R"({"turn":"A","moves":[],"sees":{"B":["nothing"]}})");
    EXPECT_EQ(view->move_count(), 0U);
}

TEST_F(ClipsGame, a_game_without_choices_is_over_at_once_by_the_seed_alone) {
    const auto opened = registry_.open({"games/oldmaid/as-written.clp", ""});
    ASSERT_NE(opened.game, nullptr) << opened.error;
    const auto first = opened.game->new_position(), second = opened.game->new_position();
    std::map<int, int> losers; // number of games by number of losers: as written, there may be two
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random chance(seed);
        first->start(chance);
        ASSERT_EQ(first->ending(), Ending::Over);
        int lost = 0;
        for (Seat seat = 0; seat < 4; ++seat)
            lost += first->score(seat) < 0 ? 1 : 0;
        ++losers[lost];
        if (seed % 64 != 63) continue; // one that has played no other games since
        Random again(seed);
        second->start(again);
        EXPECT_EQ(second->hash(), first->hash()) << seed;
    }
    EXPECT_EQ(losers.begin()->first, 1);
    EXPECT_EQ(losers.rbegin()->first, 2) << "the flaw of the seed's program does not show";
}

TEST_F(ClipsGame, whatever_goes_wrong_is_told_and_the_next_game_is_played) {
    const std::string players = "(deffacts f (game-players A B) (go))\n";
    // Chance decides whether a game goes wrong.
    const auto aborted = [&](const std::string& name, const std::string& action) {
        const auto opened = open_text(name, players +
                                                "(defrule sometimes (go) (not (done)) => (assert "
                                                "(done))\n (if (= (random 0 1) 1) then " +
                                                action + "))\n");
        EXPECT_NE(opened.game, nullptr) << opened.error;
        const auto position = opened.game->new_position();
        std::string fault;
        int over = 0;
        for (std::uint64_t seed = 0; seed < 12 && (seed < 4 || over == 0 || fault.empty());
             ++seed) {
            Random chance(seed);
            position->start(chance);
            over += position->ending() == Ending::Over ? 1 : 0;
            if (position->ending() == Ending::Aborted) fault = position->fault().what;
        }
        EXPECT_GT(over, 0) << name;
        EXPECT_EQ(over == 12, fault.empty()) << name;
        return fault;
    };
    EXPECT_NE(aborted("error", "(bind ?x (/ 1 0))").find("Attempt to divide by zero"),
              std::string::npos);
    EXPECT_NE(aborted("loop", "(while TRUE do (bind ?x 1))").find("more than 10000000 steps"),
              std::string::npos);
    EXPECT_NE(aborted("turn", "(assert (game-move x))").find("no (game-turn ..)"),
              std::string::npos);
    EXPECT_EQ(aborted("exit", "(exit 3)"), "");
    EXPECT_EQ(aborted("changes", "(assert (game-score A x))"),
              "(game-score A x) has no number of points");
}

TEST_F(ClipsGame, programs_that_are_no_games_are_refused_with_the_reason) {
    EXPECT_NE(open_text("nobody", "(defrule r =>)")
                  .error.find("(game-players ..) names two to 8 players, and here are 0"),
              std::string::npos);
    EXPECT_NE(open_text("broken", "(deffacts f (a))\n(defrule r (a) => (prinout t x))")
                  .error.find(":2:\n[EXPRNPSR3]"),
              std::string::npos);
    EXPECT_NE(open_text("strategy", "(deffacts f (game-players A B) (game-strategy deep))")
                  .error.find("there is no strategy 'deep'"),
              std::string::npos);
    EXPECT_NE(registry_.open({"no/such.clp", ""}).error.find("No such file"), std::string::npos);
    const std::vector<GameOption> options{{"pile", std::int64_t{7}}};
    EXPECT_NE(registry_.open({"games/examples/nim.clp", ""}, options).error.find("has no options"),
              std::string::npos);
    EXPECT_NE(Registry("games", read_file)
                  .open({"games/examples/nim.clp", ""})
                  .error.find("no library of CLIPS"),
              std::string::npos);
}

} // namespace
} // namespace croupier::games
