// Checks the contract of contract/game.h for every game and every revision.
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/checks/game_checks.h"
#include "games/ruleset/ruleset_game.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

namespace croupier::games {
namespace {

class Contract : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        game_ = open_for_test(GetParam(), short_game(GetParam()));
        ASSERT_NE(game_, nullptr);
    }

    [[nodiscard]] const Facts& facts() const { return game_->facts(); }

    // A position after some moves of a random game, before its end.
    [[nodiscard]] std::unique_ptr<Position> middle(std::uint64_t seed, std::uint32_t plies) const {
        auto position = game_->new_position();
        Random deal = stream(seed, 0, Purpose::Deal);
        Random chance = stream(seed, 0, Purpose::Play);
        Random choices = stream(seed, 0, Purpose::Choice);
        auto last = game_->new_position();
        position->start(deal);
        last->copy_from(*position);
        while (position->ending() == Ending::None && position->plies() < plies) {
            last->copy_from(*position);
            position->play(position->move(choices.below(position->move_count())), chance);
        }
        return position->ending() == Ending::None ? std::move(position) : std::move(last);
    }

    std::shared_ptr<const Game> game_;
};

TEST_P(Contract, facts_fit_together) {
    EXPECT_EQ(facts().title(), GetParam());
    EXPECT_GE(facts().seats(), 2U);
    EXPECT_LE(facts().seats(), kMaxPlayers);
    EXPECT_EQ(std::set<std::string>(facts().players.begin(), facts().players.end()).size(),
              facts().players.size());
    EXPECT_FALSE(facts().doc.empty()) << "a game says what it is";
    EXPECT_EQ(facts().ruleset.size(), 16U);
    std::multiset<Seat> seated;
    for (const Team& team : facts().teams)
        seated.insert(team.seats.begin(), team.seats.end());
    if (!facts().teams.empty()) {
        EXPECT_EQ(seated.size(), facts().players.size());
    }
    for (Seat seat = 0; seat < facts().seats(); ++seat) {
        EXPECT_EQ(facts().seat(facts().players[seat]), seat);
        const auto partners = facts().partners(seat);
        EXPECT_NE(std::find(partners.begin(), partners.end(), seat), partners.end());
        EXPECT_LE(seated.count(seat), 1U);
    }
}

TEST_P(Contract, there_are_legal_moves_until_the_end_and_none_twice) {
    auto position = game_->new_position();
    std::vector<Move> listed;
    for (std::uint64_t deal = 0; deal < 4; ++deal) {
        Random dealer = stream(1, deal, Purpose::Deal);
        Random chance = stream(1, deal, Purpose::Play);
        Random choices = stream(1, deal, Purpose::Choice);
        position->start(dealer);
        std::uint32_t plies = 0;
        for (; position->ending() == Ending::None; ++plies) {
            ASSERT_GT(position->move_count(), 0U);
            ASSERT_LT(position->turn(), facts().seats());
            ASSERT_EQ(position->plies(), plies);
            const std::vector<std::string> names = legal(*position);
            ASSERT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
            position->list_moves(listed);
            ASSERT_EQ(listed.size(), names.size());
            for (std::size_t i = 0; i < listed.size(); ++i) {
                ASSERT_EQ(listed[i], position->move(i));
                if (!facts().moves.empty()) {
                    ASSERT_EQ(facts().moves.at(listed[i]), names[i]);
                }
            }
            ASSERT_EQ(position->find_move(names.back()), listed.back());
            ASSERT_EQ(position->find_move("no such move"), std::nullopt);
            position->play(listed[choices.below(listed.size())], chance);
        }
        EXPECT_TRUE(position->ending() == Ending::Over || position->ending() == Ending::Unfinished)
            << position->fault().rule << ": " << position->fault().what;
        EXPECT_EQ(position->move_count(), 0U);
        EXPECT_EQ(position->plies(), plies);
        EXPECT_LE(plies, facts().max_plies);
    }
}

TEST_P(Contract, the_same_chance_and_moves_give_the_same_game) {
    auto position = game_->new_position();
    const std::string first = random_game(*position, 7);
    // Neither a used object nor a fresh one makes a difference.
    EXPECT_EQ(random_game(*position, 7), first);
    EXPECT_EQ(random_game(*game_->new_position(), 7), first);
    // Another game object of the same rules plays the same.
    const auto again = open_for_test(GetParam(), short_game(GetParam()));
    EXPECT_EQ(random_game(*again->new_position(), 7), first);
    EXPECT_NE(random_game(*position, 8), first);
}

TEST_P(Contract, a_copy_is_the_same_and_independent) {
    for (const std::uint32_t plies : {0U, 5U, 20U}) {
        const auto original = middle(3, plies);
        const std::string before = json(*original);
        const auto moves = legal(*original);
        const auto copy = original->clone();
        EXPECT_EQ(json(*copy), before);
        EXPECT_EQ(legal(*copy), moves);
        EXPECT_EQ(copy->hash(), original->hash());
        EXPECT_EQ(copy->turn(), original->turn());
        EXPECT_EQ(copy->plies(), original->plies());

        Random chance(99);
        Random choices(98);
        copy->play_randomly(choices, chance);
        EXPECT_EQ(json(*original), before);
        EXPECT_EQ(legal(*original), moves);
        EXPECT_EQ(original->ending(), Ending::None);

        // Onto an object that holds another game; then the reverse.
        copy->copy_from(*original);
        EXPECT_EQ(json(*copy), before);
        EXPECT_EQ(copy->hash(), original->hash());
        EXPECT_EQ(copy->ending(), Ending::None);
        Random one(5);
        Random other(5);
        original->play(original->move(0), one);
        copy->play(copy->move(0), other);
        EXPECT_EQ(json(*copy), json(*original));
        EXPECT_EQ(copy->hash(), original->hash());
        EXPECT_EQ(one.counter(), other.counter());
    }
}

TEST_P(Contract, different_positions_have_different_hashes) {
    std::set<std::string> states;
    std::set<std::uint64_t> hashes;
    for (std::uint32_t plies = 0; plies < 10; ++plies) {
        const auto position = middle(4, plies);
        states.insert(json(*position));
        hashes.insert(position->hash());
    }
    EXPECT_EQ(hashes.size(), states.size());
    EXPECT_GT(states.size(), 3U);
}

// Leftover bytes of removed nodes, after rules, moves and views, must not make equal positions
// differ.
TEST_P(Contract, hashes_are_of_what_stands_there) {
    const auto* rules = dynamic_cast<const RulesetGame*>(game_.get());
    if (rules == nullptr) {
        GTEST_SKIP() << "has no tree";
    }
    const auto view = game_->new_position();
    const auto expect_no_traces = [&](const Position& position) {
        const engine::State& state = *position.ruleset_state();
        engine::State fresh(state.layout());
        engine::Diagnostics diagnostics;
        ASSERT_TRUE(fresh.import(state.export_document(), diagnostics));
        ASSERT_TRUE(fresh.equals(state)) << json(position);
        ASSERT_EQ(fresh.hash(), state.hash()) << json(position);
    };
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
        const auto position = middle(seed, 0);
        Random choices(seed);
        Random chance(seed);
        for (int ply = 0; ply < 60 && position->ending() == Ending::None; ++ply) {
            expect_no_traces(*position);
            view->view_from(*position, static_cast<Seat>(ply % facts().seats()));
            expect_no_traces(*view);
            if (HasFatalFailure()) return;
            position->play(position->move(choices.below(position->move_count())), chance);
        }
        expect_no_traces(*position);
    }
}

TEST_P(Contract, moves_are_listed_as_they_are_picked) {
    std::vector<Move> listed = {1, 2, 3};
    for (std::uint32_t plies = 0; plies < 12; ++plies) {
        const auto position = middle(5, plies);
        const auto view = game_->new_position();
        for (Seat seat = 0; seat < facts().seats(); ++seat) {
            view->view_from(*position, seat);
            view->list_moves(listed);
            ASSERT_EQ(listed.size(), view->move_count());
            for (std::size_t i = 0; i < listed.size(); ++i)
                ASSERT_EQ(listed[i], view->move(i));
        }
        Random chance(1);
        Random choices(1);
        position->play_randomly(choices, chance);
        position->list_moves(listed);
        EXPECT_TRUE(listed.empty()) << "after the end";
    }
}

TEST_P(Contract, playing_randomly_is_picking_by_index) {
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
        const auto quick = middle(seed, 3);
        const auto slow = quick->clone();
        Random quick_choices(seed);
        Random slow_choices(seed);
        Random quick_chance(11);
        Random slow_chance(11);
        quick->play_randomly(quick_choices, quick_chance);
        while (slow->ending() == Ending::None)
            slow->play(slow->move(slow_choices.below(slow->move_count())), slow_chance);
        EXPECT_EQ(json(*quick), json(*slow));
        EXPECT_EQ(quick->ending(), slow->ending());
        EXPECT_EQ(quick->plies(), slow->plies());
        EXPECT_EQ(quick_choices.counter(), slow_choices.counter());
    }
}

TEST_P(Contract, a_last_move_is_a_move_without_the_next_ones) {
    const auto last = game_->new_position();
    for (std::uint64_t seed = 1; seed < 3; ++seed) {
        const auto position = middle(seed, 0);
        Random choices(seed);
        Random chance(seed);
        while (position->ending() == Ending::None) {
            const Move move = position->move(choices.below(position->move_count()));
            Random other = chance;
            last->copy_from(*position);
            last->play_last(move, other);
            position->play(move, chance);
            ASSERT_EQ(json(*last), json(*position));
            ASSERT_EQ(last->ending(), position->ending());
            ASSERT_EQ(last->plies(), position->plies());
            if (position->ending() == Ending::None) {
                ASSERT_EQ(last->turn(), position->turn());
            }
            for (Seat seat = 0; seat < facts().seats(); ++seat) {
                ASSERT_EQ(last->score(seat), position->score(seat));
                ASSERT_EQ(last->place(seat), position->place(seat));
            }
        }
    }
}

TEST_P(Contract, scores_fit_teams_and_places) {
    auto position = game_->new_position();
    for (std::uint64_t deal = 0; deal < 6; ++deal) {
        (void)random_game(*position, 2, deal);
        bool first = false;
        for (Seat seat = 0; seat < facts().seats(); ++seat) {
            first = first || position->place(seat) == 1;
            EXPECT_LE(position->place(seat), facts().seats());
            for (const Seat partner : facts().partners(seat)) {
                EXPECT_EQ(position->score(partner), position->score(seat));
                EXPECT_EQ(position->place(partner), position->place(seat));
            }
            for (Seat other = 0; other < facts().seats(); ++other)
                if (position->score(seat) > position->score(other)) {
                    EXPECT_LT(position->place(seat), position->place(other));
                }
        }
        EXPECT_TRUE(first);
    }
}

TEST_P(Contract, a_state_can_be_written_and_read) {
    for (const std::uint32_t plies : {0U, 7U, 30U}) {
        const auto position = middle(5, plies);
        const auto read = game_->new_position();
        engine::Diagnostics diagnostics;
        Random chance(1);
        ASSERT_TRUE(read->load(position->state(), chance, diagnostics));
        read->resume(chance);
        EXPECT_EQ(json(*read), json(*position));
        EXPECT_EQ(legal(*read), legal(*position));
        EXPECT_EQ(read->turn(), position->turn());
        EXPECT_EQ(read->plies(), 0U);
    }
}

// Runs each group in other ways and compares the results with one run as machine code on the same
// state: interpreted, and rule by rule, as watched rules are run.
class OtherWays : public RuleWatch {
  public:
    void runs(const RuleRun& run) override {
        engine::Machine machine(run.program, run.budgets);
        engine::State whole = run.state;
        Random chance = run.random;
        const engine::RunResult in_one_piece = machine.run(run.group, whole, chance);
        const auto agrees = [&](const char* way) {
            engine::State rules = run.state;
            Random again = run.random;
            const engine::RunResult other = machine.run(run.group, rules, again);
            EXPECT_EQ(in_one_piece.error == nullptr, other.error == nullptr) << way;
            EXPECT_EQ(in_one_piece.firings, other.firings) << way;
            EXPECT_EQ(chance.counter(), again.counter()) << way;
            EXPECT_TRUE(whole.equals(rules))
                << way << run.program.catalogue().groups[run.group].name << " of "
                << engine::write_json(run.state.export_document(), -1);
        };
        machine.use_code(false);
        agrees("interpreted ");
        engine::Observer looks_away;
        machine.set_observer(&looks_away);
        agrees("one by one, interpreted ");
        machine.use_code(true);
        agrees("one by one ");
        ++count;
    }

    std::size_t count = 0;
};

TEST_P(Contract, groups_do_the_same_in_every_way_to_run_them) {
    OtherWays watch;
    for (std::uint64_t seed = 1; seed <= 3 && !HasFailure(); ++seed) {
        const auto position = game_->new_position();
        position->set_watch(&watch);
        (void)random_game(*position, seed);
    }
    EXPECT_GT(watch.count, 10U);
}

TEST_P(Contract, the_plies_of_a_game_are_limited) {
    if (short_game(GetParam()).empty()) {
        GTEST_SKIP() << "has no option max_plies";
    }
    const auto game = open_for_test(GetParam(), {{"max_plies", std::int64_t{3}}});
    const auto position = game->new_position();
    (void)random_game(*position, 1);
    EXPECT_EQ(position->ending(), Ending::Unfinished);
    EXPECT_EQ(position->plies(), 3U);
    for (Seat seat = 1; seat < facts().seats(); ++seat)
        EXPECT_EQ(position->score(seat), position->score(0));
}

TEST_P(Contract, threads_do_not_matter) {
    constexpr std::uint64_t kGames = 12;
    const auto play = [&](std::size_t threads) {
        std::vector<std::string> games(kGames);
        const auto work = [&](std::size_t first) {
            const auto position = game_->new_position();
            for (std::uint64_t deal = first; deal < kGames; deal += threads)
                games[deal] = random_game(*position, 6, deal);
        };
        std::vector<std::thread> workers;
        for (std::size_t i = 1; i < threads; ++i)
            workers.emplace_back(work, i);
        work(0);
        for (std::thread& worker : workers)
            worker.join();
        return games;
    };
    const auto alone = play(1);
    EXPECT_EQ(play(2), alone);
    EXPECT_EQ(play(8), alone);
}

// ---- cards -------------------------------------------------------------------------------------

// Variants of the length of matches: none, or one of these.
std::vector<std::vector<GameOption>> lengths(const Facts& facts) {
    std::vector<std::vector<GameOption>> all{{}};
    const auto has = [&](std::string_view name) {
        return std::any_of(facts.options.begin(), facts.options.end(),
                           [&](const GameOption& option) { return option.name == name; });
    };
    if (!has("match")) return all;
    const GameOption match{"match", "target"};
    const GameOption deals{"deals", std::int64_t{3}};
    all.push_back({match});
    all.push_back({match, deals});
    if (has("shuffle")) {
        const GameOption gathered{"shuffle", "first_deal_only"};
        all.push_back({match, gathered});
        all.push_back({match, deals, gathered});
    }
    if (has("all_pass")) all.push_back({match, {"all_pass", "same_dealer"}});
    if (has("litige")) all.push_back({match, {"litige", "replay"}, {"contract_basis", "cards"}});
    return all;
}

TEST_P(Contract, every_card_is_in_one_place) {
    if (!CardWatch(*game_).is_card_game()) {
        GTEST_SKIP() << "has no cards";
    }
    for (const auto& options : lengths(facts())) {
        const auto game = open_for_test(GetParam(), options);
        for (const Temper temper : {Temper::Random, Temper::Shy, Temper::Silent}) {
            for (std::uint64_t seed = 1; seed <= 2; ++seed) {
                ASSERT_EQ(watch_cards(*game, seed, temper), "")
                    << "with " << (options.empty() ? "one deal" : "a match")
                    << (options.size() < 2 ? "" : " and " + options.back().name);
            }
        }
    }
}

// ---- what is hidden ----------------------------------------------------------------------------

TEST_P(Contract, a_view_is_the_position_where_nothing_is_hidden) {
    if (facts().hides) {
        GTEST_SKIP() << "hides something";
    }
    const auto position = middle(8, 6);
    const auto view = game_->new_position();
    for (Seat seat = 0; seat < facts().seats(); ++seat) {
        view->view_from(*position, seat);
        EXPECT_EQ(json(*view), json(*position));
        EXPECT_EQ(legal(*view), legal(*position));
        EXPECT_EQ(view->hash(), position->hash());
    }
}

TEST_P(Contract, a_view_does_not_depend_on_what_is_hidden) {
    if (!facts().hides) {
        GTEST_SKIP() << "hides nothing";
    }
    const auto* rules = dynamic_cast<const RulesetGame*>(game_.get());
    ASSERT_NE(rules, nullptr);
    const auto view = game_->new_position();
    const auto other = game_->new_position();
    const auto other_view = game_->new_position();
    std::size_t tried = 0;
    for (std::uint32_t plies = 0; plies < 60; ++plies) {
        const auto position = middle(9, plies);
        const engine::Document state = position->state();
        for (Seat seat = 0; seat < facts().seats(); ++seat) {
            view->view_from(*position, seat);
            EXPECT_EQ(view->move_count(), seat == position->turn() ? position->move_count() : 0U);
            for (const engine::Document& changed :
                 changed_where_hidden(*rules->ruleset().hidden, state, facts().players[seat])) {
                Random chance(1);
                engine::Diagnostics diagnostics;
                if (!other->load(changed, chance, diagnostics)) continue; // does not fit the shape
                ++tried;
                if (seat == position->turn()) other->resume(chance);
                other_view->view_from(*other, seat);
                ASSERT_EQ(json(*other_view), json(*view));
                ASSERT_EQ(legal(*other_view), legal(*view));
                ASSERT_EQ(other_view->role(seat), view->role(seat));
            }
        }
    }
    EXPECT_GT(tried, 50U);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ':' || c == '-'; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(games, Contract, testing::ValuesIn(all_titles()), test_name);

} // namespace
} // namespace croupier::games
