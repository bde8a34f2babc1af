// Positions drawn by observers: they agree with what was seen, and include the true one.
#include "engine/api/text.h"
#include "games/ruleset/ruleset_observer.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace croupier::games {

// Compares draws of deals with an enumeration of all deals.

namespace {

using Holders = std::vector<std::uint8_t>;

// Enumerates all ways, one thing after another.
void enumerate(const std::vector<Deals::Mask>& may, std::vector<std::uint32_t>& room, Holders& made,
               std::map<Holders, int>& all) {
    if (made.size() == may.size()) {
        all[made] = 0;
        return;
    }
    for (std::size_t holder = 0; holder < room.size(); ++holder) {
        if (room[holder] == 0 || (may[made.size()] >> holder & 1) == 0) continue;
        --room[holder];
        made.push_back(static_cast<std::uint8_t>(holder));
        enumerate(may, room, made, all);
        made.pop_back();
        ++room[holder];
    }
}

TEST(deals, every_way_is_drawn_as_often) {
    Random random(4);
    std::size_t several = 0;
    for (int round = 0; round < 30; ++round) {
        // Seven things, three holders and a stock, with random pairs forbidden.
        std::vector<std::uint32_t> room(4);
        for (int i = 0; i < 7; ++i)
            ++room[random.below(4)];
        std::vector<Deals::Mask> may(7);
        for (Deals::Mask& each : may)
            each = static_cast<Deals::Mask>(1 + random.below(15));
        std::map<Holders, int> all;
        Holders made;
        enumerate(may, room, made, all);
        Deals deals;
        ASSERT_EQ(deals.prepare(may, room), !all.empty());
        if (all.empty()) continue;
        ASSERT_DOUBLE_EQ(deals.count(), static_cast<double>(all.size()));
        if (all.size() < 2) continue;
        ++several;
        const std::size_t draws = 50 * all.size();
        for (std::size_t i = 0; i < draws; ++i) {
            deals.draw(random, made);
            const auto found = all.find(made);
            ASSERT_NE(found, all.end()) << "a deal that is none";
            ++found->second;
        }
        double chi_square = 0;
        for (const auto& [deal, times] : all)
            chi_square += (times - 50) * (times - 50) / 50.0;
        const auto freedom = static_cast<double>(all.size() - 1);
        EXPECT_NEAR(chi_square, freedom, 5 * std::sqrt(2 * freedom)) << all.size();
    }
    EXPECT_GT(several, 10U);
}

// 32 cards of belote, one hand of eight seen, three not: 24! / 8!^3.
TEST(deals, large_ones_are_counted_and_not_listed) {
    Deals deals;
    ASSERT_TRUE(deals.prepare(std::vector<Deals::Mask>(24, 7), {8, 8, 8}));
    EXPECT_DOUBLE_EQ(deals.count(), 9465511770.0);
    // 78 of tarot, one hand seen, two of the others void in a suit of 14.
    std::vector<Deals::Mask> may(63, 15);
    for (std::size_t i = 0; i < 14; ++i)
        may[i] = 0b1001;
    ASSERT_TRUE(deals.prepare(may, {15, 18, 18, 12}));
    std::vector<std::uint8_t> holder_of;
    Random random(1);
    deals.draw(random, holder_of);
    for (std::size_t i = 0; i < 14; ++i)
        EXPECT_TRUE(holder_of[i] == 0 || holder_of[i] == 3);
}

TEST(deals, what_cannot_be_is_said) {
    Deals deals;
    EXPECT_FALSE(deals.prepare({1, 1}, {1, 1})) << "two for a room of one";
    EXPECT_FALSE(deals.prepare({0}, {1})) << "nobody may have it";
    EXPECT_TRUE(deals.prepare({}, {0, 0})) << "nothing to deal, in one way";
}

// The order of a record's children must not matter.
void sort_keys(engine::Document& document) {
    std::sort(document.members.begin(), document.members.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    for (engine::Member& member : document.members)
        sort_keys(member.value);
}

std::string text_of(const Position& position) {
    engine::Document state = position.state();
    sort_keys(state);
    return engine::write_json(state, -1);
}

std::string hands_of(const Position& position) {
    engine::Document state = position.state();
    sort_keys(state);
    return engine::write_json(state.find("hands")->value, -1);
}

// Numbers of cards by player, for those with cards.
std::map<std::string, std::size_t> sizes(const Position& position) {
    const engine::Document state = position.state();
    std::map<std::string, std::size_t> sizes;
    for (const engine::Member& hand : state.find("hands")->value.members)
        if (!hand.value.members.empty()) sizes[hand.key] = hand.value.members.size();
    return sizes;
}

// A random game with an observer on each seat; `at` is called with each position and each viewer.
template <typename At>
void watch(const Game& game, std::uint64_t deal, const At& at) {
    const auto position = game.new_position();
    const auto view = game.new_position();
    std::vector<std::unique_ptr<Observer>> observers;
    for (Seat seat = 0; seat < game.facts().seats(); ++seat) {
        observers.push_back(game.new_observer());
        ASSERT_NE(observers.back(), nullptr);
        observers.back()->reset(seat);
    }
    Random chance = stream(3, deal, Purpose::Deal);
    Random choices = stream(3, deal, Purpose::Choice);
    position->start(chance);
    while (position->ending() == Ending::None) {
        const Seat turn = position->turn();
        view->view_from(*position, turn);
        at(*position, *view, *observers[turn]);
        if (::testing::Test::HasFatalFailure()) return;
        const Move move = position->move(choices.below(position->move_count()));
        const std::string name(position->text(move));
        position->play(move, chance);
        for (Seat seat = 0; seat < observers.size(); ++seat) {
            view->view_from(*position, seat);
            observers[seat]->observe(*view, turn, name);
        }
    }
}

void expect_draws_that_agree(const Game& game, std::uint64_t deals) {
    const auto drawn = game.new_position();
    const auto again = game.new_position();
    Random random(5);
    for (std::uint64_t deal = 0; deal < deals; ++deal) {
        watch(game, deal, [&](const Position& position, const Position& view, Observer& observer) {
            ASSERT_TRUE(observer.look(view)) << observer.problem();
            for (int i = 0; i < 3; ++i) {
                ASSERT_TRUE(observer.draw(*drawn, random)) << observer.problem();
                ASSERT_EQ(sizes(*drawn), sizes(position)) << text_of(*drawn);
                again->view_from(*drawn, view.turn());
                ASSERT_EQ(text_of(*again), text_of(view));
                ASSERT_EQ(legal(*drawn), legal(view));
            }
        });
    }
}

TEST(observer, of_belote_draws_what_agrees_with_the_view) {
    expect_draws_that_agree(*open_for_test("belote"), 10);
}

TEST(observer, of_coinche_draws_what_agrees_with_the_view) {
    for (const char* const title : {"coinche", "coinche:cannes2016", "coinche:contree_ludique"})
        expect_draws_that_agree(*open_for_test(title), 4);
}

TEST(observer, of_tarot_draws_what_agrees_with_the_view) {
    for (const char* const title : {"tarot", "tarot:three"})
        expect_draws_that_agree(*open_for_test(title), 6);
}

TEST(observer, of_old_maid_draws_what_agrees_with_the_view) {
    for (const char* const title : {"oldmaid", "oldmaid:jiji", "oldmaid:three"})
        expect_draws_that_agree(*open_for_test(title), 2);
}

TEST(observer, of_whist_draws_what_agrees_with_the_view) {
    expect_draws_that_agree(*open_for_test("whist"), 6);
}

TEST(observer, of_whist_leaves_the_card_turned_up_to_the_dealer) {
    const auto game = open_for_test("whist");
    const auto drawn = game->new_position();
    Random random(8);
    std::size_t looked = 0;
    for (std::uint64_t deal = 0; deal < 5; ++deal) {
        watch(*game, deal, [&](const Position& position, const Position& view, Observer& observer) {
            const engine::Document state = position.state();
            const std::string card = state.find("turned")->value.text();
            const auto held_by_a = [&](const Position& dealt) {
                const engine::Document tree = dealt.state();
                const engine::Member* hand = tree.find("hands")->value.find("A");
                return hand != nullptr && hand->value.find(card) != nullptr;
            };
            ASSERT_TRUE(observer.look(view));
            ASSERT_TRUE(observer.draw(*drawn, random));
            ASSERT_EQ(held_by_a(*drawn), held_by_a(position)) << text_of(position);
            if (held_by_a(position)) ++looked;
        });
    }
    EXPECT_GT(looked, 5U);
}

TEST(observer, of_the_example_draws_what_agrees_with_the_view) {
    for (const char* const title : {"shed", "shed:eights"})
        expect_draws_that_agree(*open_for_test(title), 20);
}

// With two cards left each, all positions that agree are drawn equally often, including the true
// one: no rule excludes any of them.
TEST(observer, of_belote_draws_the_true_hands_as_often_as_others) {
    const auto game = open_for_test("belote");
    const auto drawn = game->new_position();
    Random random(6);
    std::size_t fewer = 0;
    std::size_t looked = 0;
    for (std::uint64_t deal = 0; deal < 40; ++deal) {
        watch(*game, deal, [&](const Position& position, const Position& view, Observer& observer) {
            const std::map<std::string, std::size_t> two = {{"A", 2}, {"B", 2}, {"C", 2}, {"D", 2}};
            if (sizes(position) != two) return;
            ASSERT_TRUE(observer.look(view));
            std::map<std::string, int> times;
            constexpr int kDraws = 2000;
            for (int i = 0; i < kDraws; ++i) {
                ASSERT_TRUE(observer.draw(*drawn, random));
                ++times[hands_of(*drawn)];
            }
            ++looked;
            EXPECT_TRUE(times.contains(hands_of(position))) << text_of(position);
            ASSERT_LE(times.size(), 90U) << "6! / 2!^3";
            if (times.size() < 90) ++fewer;
            if (times.size() == 1) return;
            const double mean = kDraws / static_cast<double>(times.size());
            double chi_square = 0;
            for (const auto& [hands, count] : times)
                chi_square += (count - mean) * (count - mean) / mean;
            const auto freedom = static_cast<double>(times.size() - 1);
            EXPECT_LT(chi_square, freedom + 6 * std::sqrt(2 * freedom));
        });
    }
    EXPECT_GT(looked, 20U);
    EXPECT_GT(2 * fewer, looked) << "who did not follow suit has none: that leaves fewer deals";
}

// If so few cards are left that few positions agree, the true one is drawn.
void expect_true_hands_among_draws(const char* title, std::size_t cards, int draws) {
    const auto game = open_for_test(title);
    const auto drawn = game->new_position();
    Random random(7);
    std::size_t looked = 0;
    for (std::uint64_t deal = 0; deal < 60; ++deal) {
        watch(*game, deal, [&](const Position& position, const Position& view, Observer& observer) {
            const std::map<std::string, std::size_t> left = sizes(position);
            const bool few = std::all_of(left.begin(), left.end(),
                                         [&](const auto& hand) { return hand.second == cards; });
            if (!few || left.size() != game->facts().seats()) return;
            ASSERT_TRUE(observer.look(view));
            const std::string truth = hands_of(position);
            bool found = false;
            for (int i = 0; i < draws && !found; ++i) {
                ASSERT_TRUE(observer.draw(*drawn, random));
                found = hands_of(*drawn) == truth;
            }
            EXPECT_TRUE(found) << title << " deal " << deal << ": " << text_of(position);
            ++looked;
        });
    }
    EXPECT_GT(looked, 10U) << title;
}

TEST(observer, never_excludes_the_true_hands) {
    expect_true_hands_among_draws("coinche", 2, 3000); // of 90 ways at most
    expect_true_hands_among_draws("tarot", 1, 20000);  // of 504
    expect_true_hands_among_draws("tarot:three", 1, 20000);
    expect_true_hands_among_draws("whist", 2, 3000);
    expect_true_hands_among_draws("shed", 2, 3000); // of 78
    expect_true_hands_among_draws("shed:eights", 2, 3000);
}

// B and C have two of c, d, e and f. A believes what the rules of `belief` say.
std::string believing(const std::string& belief) {
    return R"({
    "game": {"name": "believing", "players": ["A", "B", "C"]},
    "types": {"Seat": ["A", "B", "C"], "Card": ["a", "b", "c", "d", "e", "f"]},
    "shape": {"turn": "Seat", "hands": {"$:Seat": {"$:Card": true}}, "moves": {"$:Card": true},
              "move": "Card", "over": "bool",
              "observer": {"me": "Seat", "unseen": {"$:Card": true}, "room": {"$:Seat": "0..6"},
                           "drawn": {"$:Card": "Seat"}, "weight": "double"}},
    "state": {"turn": "A", "hands": {"A": {"a": true, "b": true}, "B": {"c": true, "d": true},
                                     "C": {"e": true, "f": true}}},
    "hidden": {"hands": {"$P": "only $P"}},
    "unseen": [{"action": {"observer": {"unseen": {"c": true, "d": true, "e": true, "f": true},
                                        "room": {"B": 2, "C": 2}}}}],
    "restore": [{"condition": {"observer": {"drawn": {"$C": "$P"}}},
                 "action": {"hands": {"$P": {"$C": true}}}}],
    "belief": )" +
           belief + R"(, "play": [{"action": {"over": true}}], "score": [],
    "moves": [{"action": {"moves": {"a": true, "b": true}}}]})";
}

struct Believed {
    std::map<std::string, int> times; // by B's cards
    Draws draws;
    std::string problem; // why no more were drawn
};

Believed believed(const std::string& belief, int draws, bool doubt = false) {
    Believed found;
    const OpenedGame opened = open_text(believing(belief));
    EXPECT_NE(opened.game, nullptr);
    if (opened.game == nullptr) return found;
    const auto position = opened.game->new_position();
    const auto view = opened.game->new_position();
    Random random(9);
    position->start(random);
    view->view_from(*position, 0);
    const auto observer = opened.game->new_observer();
    EXPECT_TRUE(observer->believes());
    if (doubt) observer->doubt();
    observer->reset(0);
    EXPECT_TRUE(observer->look(*view));
    for (int i = 0; i < draws && found.problem.empty(); ++i) {
        if (!observer->draw(*position, random)) {
            found.problem = observer->problem();
            break;
        }
        std::string cards;
        const engine::Document state = position->state();
        for (const engine::Member& card : state.find("hands")->value.find("B")->value.members)
            cards += card.key;
        ++found.times[cards];
        EXPECT_EQ(state.find("observer"), nullptr);
    }
    found.draws = observer->draws();
    return found;
}

// B has c ten times as often as not, and half as often e.
constexpr const char* kFactors = R"([
    {"action": {"observer": {"weight": 100}}},
    {"condition": {"hands": {"B": {"c": "@absent"}}}, "action": {"observer": {"weight": "$this * 0.1"}}},
    {"condition": {"hands": {"B": {"e": true}}}, "action": {"observer": {"weight": "$this / 2"}}}])";

void expect_shares(const Believed& found, const std::map<std::string, double>& weights) {
    double sum = 0;
    double drawn = 0;
    for (const auto& [hand, weight] : weights)
        sum += weight;
    for (const auto& [hand, times] : found.times) {
        EXPECT_TRUE(weights.contains(hand)) << hand;
        drawn += times;
    }
    double chi_square = 0;
    for (const auto& [hand, weight] : weights) {
        const double mean = drawn * weight / sum;
        const auto at = found.times.find(hand);
        const double times = at == found.times.end() ? 0 : at->second;
        chi_square += (times - mean) * (times - mean) / mean;
    }
    EXPECT_LT(chi_square, 25) << "five degrees of freedom";
}

TEST(observer, draws_what_is_believed_as_often_as_its_weight_says) {
    const Believed found = believed(kFactors, 30'000);
    EXPECT_EQ(found.problem, "");
    expect_shares(found, {{"cd", 100}, {"ce", 50}, {"cf", 100}, {"de", 5}, {"df", 10}, {"ef", 5}});
    EXPECT_EQ(found.draws.kept + found.draws.picked, 30'000U);
    EXPECT_EQ(found.draws.picked, 0U) << "45 of a hundred are kept";
    EXPECT_NEAR(static_cast<double>(found.draws.kept) /
                    static_cast<double>(found.draws.kept + found.draws.rejected),
                0.45, 0.01);
}

TEST(observer, draws_all_alike_if_it_doubts) {
    const Believed found = believed(kFactors, 30'000, true);
    expect_shares(found, {{"cd", 1}, {"ce", 1}, {"cf", 1}, {"de", 1}, {"df", 1}, {"ef", 1}});
    EXPECT_EQ(found.draws.kept + found.draws.rejected + found.draws.picked, 0U);
}

TEST(observer, picks_by_weight_where_hardly_anything_is_believed) {
    const Believed found = believed(R"([
        {"action": {"observer": {"weight": 0.01}}},
        {"condition": {"hands": {"B": {"c": true}}}, "action": {"observer": {"weight": 0.03}}}])",
                                    6'000);
    EXPECT_EQ(found.problem, "");
    EXPECT_GT(found.draws.picked, 5'000U);
    expect_shares(found, {{"cd", 3}, {"ce", 3}, {"cf", 3}, {"de", 1}, {"df", 1}, {"ef", 1}});
    const Believed nothing = believed(R"([{"action": {"observer": {"weight": 0}}}])", 50);
    EXPECT_EQ(nothing.draws.picked, 50U) << "as good as any other";
    EXPECT_EQ(nothing.draws.rejected, 5'000U);
}

TEST(observer, believes_surely_what_has_no_weight) {
    const Believed found = believed(R"([{"condition": {"hands": {"B": {"c": "@absent"}}},
                                         "action": {"observer": {"weight": 0}}}])",
                                    3'000);
    EXPECT_EQ(found.times.size(), 3U);
    EXPECT_EQ(found.draws.kept, 3'000U);
}

TEST(observer, tells_what_is_wrong_with_a_weight) {
    for (const char* const weight : {"-1", "100.5", "1000"}) {
        const Believed found =
            believed(std::string(R"([{"action": {"observer": {"weight": )") + weight + "}}}]", 1);
        EXPECT_EQ(found.problem, "the weight of what was drawn is not a number from 0 to 100");
    }
    const Believed fault =
        believed(R"([{"name": "w", "condition": {"@count": {"of": {"hands": {"A": {"c": true}}},
                                                            "into": "$N"}},
                       "action": {"observer": {"weight": "1 / $N"}}}])",
                 1);
    EXPECT_EQ(fault.problem, "w: division by zero: 1 and 0");
}

TEST(observer, is_there_only_where_the_rules_say_how) {
    EXPECT_EQ(open_for_test("exchange")->new_observer(), nullptr);
    EXPECT_EQ(open_for_test("life")->new_observer(), nullptr);
    // A revision may remove the rules.
    EXPECT_EQ(open_for_test("tarot:five")->new_observer(), nullptr);
    const OpenedGame half =
        open_text(R"({"game": {"name": "x", "players": ["A", "B"]}, "state": {"turn": "A"},
                      "hidden": {"hands": {"$P": "only $P"}}, "unseen": [],
                      "moves": [], "play": [], "score": []})");
    EXPECT_EQ(half.game, nullptr);
    const auto said = half.diagnostics.sorted();
    EXPECT_TRUE(std::any_of(said.begin(), said.end(), [](const engine::Diagnostic& each) {
        return each.message == "there is the group unseen, but no restore";
    }));
    const OpenedGame belief =
        open_text(R"({"game": {"name": "x", "players": ["A", "B"]}, "state": {"turn": "A"},
                      "hidden": {"hands": {"$P": "only $P"}}, "belief": [],
                      "moves": [], "play": [], "score": []})");
    EXPECT_EQ(belief.game, nullptr);
    const auto lacks = belief.diagnostics.sorted();
    EXPECT_TRUE(std::any_of(lacks.begin(), lacks.end(), [](const engine::Diagnostic& each) {
        return each.message == "there is the group belief, but nothing is drawn";
    }));
}

} // namespace

} // namespace croupier::games
