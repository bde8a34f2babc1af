// What the adapter makes of rulesets, good and bad.
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/codes.h"
#include "games/ruleset/ruleset_game.h"
#include "games/ruleset/ruleset_position.h"
#include "games/ruleset/trial.h"
#include "games/testing/testing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

namespace croupier::games {

// Sets of moves pick and list the same moves, in the same order, as loops over bits do.

namespace {

std::vector<Move> members(const std::vector<std::uint64_t>& words) {
    std::vector<Move> all;
    for (std::size_t bit = 0; bit < 64 * words.size(); ++bit)
        if ((words[bit / 64] >> (bit % 64) & 1) != 0) all.push_back(static_cast<Move>(bit));
    return all;
}

// What the set says, asked in every way.
void expect_moves(const MoveSet& set, const std::vector<Move>& moves) {
    ASSERT_EQ(set.size(), moves.size());
    EXPECT_EQ(set.empty(), moves.empty());
    std::vector<Move> listed = {7, 7, 7};
    set.list(listed);
    EXPECT_EQ(listed, moves);
    for (std::size_t i = 0; i < moves.size(); ++i)
        EXPECT_EQ(set.at(i), moves[i]);
    for (Move move = 0; move < 400; ++move)
        EXPECT_EQ(set.contains(move), std::find(moves.begin(), moves.end(), move) != moves.end());
}

MoveSet read(const std::vector<std::uint64_t>& words) {
    MoveSet set(static_cast<std::uint32_t>(words.size()));
    set.read(reinterpret_cast<const std::byte*>(words.data()));
    return set;
}

TEST(move_set, every_bit_of_a_word_is_found) {
    std::vector<std::uint64_t> words = {1,
                                        2,
                                        ~std::uint64_t{0},
                                        std::uint64_t{1} << 63,
                                        0x8000000000000001u,
                                        0x0101010101010101u,
                                        0xff00000000000000u,
                                        0x00000000ffffffffu};
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t word = random.next();
        words.push_back(i % 2 == 0 ? word : word & random.next() & random.next());
    }
    for (const std::uint64_t word : words) {
        const std::vector<Move> all = members({word});
        for (std::uint32_t k = 0; k < all.size(); ++k) {
            ASSERT_EQ(nth_bit(word, k), all[k]) << word << " " << k;
            ASSERT_EQ(nth_by_counting(word, k), all[k]) << word << " " << k;
        }
    }
}

TEST(move_set, a_move_is_picked_as_by_its_number) {
    Random random(3);
    std::vector<std::uint64_t> words = {1, std::uint64_t{1} << 63, ~std::uint64_t{0}};
    for (int i = 0; i < 500; ++i)
        words.push_back((random.next() & random.next()) | 4);
    for (const std::uint64_t word : words) {
        for (const auto& all : {std::vector{word}, std::vector{word, word}}) {
            const MoveSet set = read(all);
            Random numbers = random;
            const Move expected = set.at(numbers.below(set.size()));
            EXPECT_EQ(set.pick(random), expected) << word;
            EXPECT_EQ(random.counter(), numbers.counter());
        }
    }
}

TEST(move_set, a_set_of_one_word_or_more_is_counted_picked_and_listed) {
    Random random(2);
    for (std::size_t size = 1; size <= 6; ++size) {
        for (int i = 0; i < 20; ++i) {
            std::vector<std::uint64_t> words(size);
            for (std::uint64_t& word : words)
                word = i == 0 ? 0 : i % 3 == 0 ? ~std::uint64_t{0} : random.next() & random.next();
            words[random.below(size)] = 0; // a gap
            expect_moves(read(words), members(words));
        }
    }
}

TEST(move_set, what_is_read_later_does_not_change_a_set) {
    std::vector<std::uint64_t> words = {5, 1};
    const MoveSet set = read(words);
    words = {~std::uint64_t{0}, 0};
    expect_moves(set, {0, 2, 64});
}

TEST(move_set, an_emptied_set_has_no_members_whatever_it_held) {
    for (const std::size_t size : {1, 3}) {
        MoveSet set = read(std::vector<std::uint64_t>(size, ~std::uint64_t{0}));
        set.clear();
        expect_moves(set, {});
        // A copy of it neither, in place of others.
        MoveSet other = read(std::vector<std::uint64_t>(size, 6));
        other.copy(set);
        expect_moves(other, {});
    }
}

TEST(move_set, copies_are_independent) {
    for (const std::size_t size : {1, 3}) {
        MoveSet set = read(std::vector<std::uint64_t>(size, 9));
        MoveSet copy(static_cast<std::uint32_t>(size));
        copy.copy(set);
        set.read(reinterpret_cast<const std::byte*>(std::vector<std::uint64_t>(size, 2).data()));
        expect_moves(copy, members(std::vector<std::uint64_t>(size, 9)));
        expect_moves(set, members(std::vector<std::uint64_t>(size, 2)));
    }
}

TEST(move_set, a_list_keeps_the_order_in_which_moves_came) {
    MoveSet list(0);
    expect_moves(list, {});
    for (const Move move : {300U, 2U, 77U})
        list.add(move);
    expect_moves(list, {300, 2, 77});
    MoveSet copy(0);
    copy.copy(list);
    list.clear();
    expect_moves(list, {});
    list.add(5); // in the room of what was there before
    expect_moves(list, {5});
    expect_moves(copy, {300, 2, 77});
    copy.copy(list); // shorter than what it held
    expect_moves(copy, {5});
}

// A game of one move; `more` are further members of the ruleset.
std::string tiny(const std::string& more,
                 const std::string& play = R"([{"action": {"over": true}}])") {
    return R"({"game": {"name": "tiny", "players": ["A", "B"]}, "state": {"turn": "A"},
               "moves": [{"action": {"moves": {"go": true, "stay": true}}}],
               "play": )" +
           play + R"(, "score": [{"action": {"score": {"A": 1, "B": 0}}}])" +
           (more.empty() ? "" : ", ") + more + "}";
}

std::vector<std::string> codes(const OpenedGame& opened) {
    std::vector<std::string> all;
    for (const engine::Diagnostic& each : opened.diagnostics.sorted())
        all.push_back(each.code);
    return all;
}

// A position with the game that it needs.
struct Started {
    std::shared_ptr<const Game> game;
    std::unique_ptr<Position> position;

    Position* operator->() const { return position.get(); }
    Position& operator*() const { return *position; }
};

Started started(const OpenedGame& opened) {
    EXPECT_NE(opened.game, nullptr);
    Started result{opened.game, opened.game->new_position()};
    Random deal(1);
    result->start(deal);
    return result;
}

TEST(ruleset, a_game_of_one_move) {
    const OpenedGame opened = open_text(tiny(""));
    const auto position = started(opened);
    EXPECT_EQ(position->ending(), Ending::None);
    EXPECT_EQ(legal(*position), (std::vector<std::string>{"go", "stay"}));
    Random chance(1);
    position->play(*position->find_move("stay"), chance);
    EXPECT_EQ(position->ending(), Ending::Over);
    EXPECT_EQ(position->score(0), 1);
    EXPECT_EQ(position->place(1), 2U);
    EXPECT_EQ(json(*position), R"({"turn":"A","over":true,"score":{"A":1,"B":0}})");
}

// Games are told apart by their lines: a move that a rule makes up counts by its text (FNV-1a of
// it).
TEST(ruleset, fingerprints_of_moves) {
    const OpenedGame made_up = open_text(tiny(""));
    const auto position = started(made_up);
    EXPECT_EQ(position->fingerprint(*position->find_move("go")), 0x08953907b53f670bU);
    EXPECT_EQ(position->fingerprint(*position->find_move("stay")), 0xaefd4d191d95cde0U);

    const OpenedGame declared = open_text(tiny(R"("types": {"Move": ["stay", "go"]},
        "shape": {"moves": {"$:Move": true}, "move": "Move"})"));
    ASSERT_EQ(codes(declared), std::vector<std::string>{});
    const auto other = started(declared);
    EXPECT_EQ(other->fingerprint(*other->find_move("go")), 1U) << "the second of its domain";
}

TEST(ruleset, play_sees_what_stands_under_the_chosen_move) {
    const OpenedGame opened = open_text(
        R"({"game": {"players": 2}, "state": {"turn": 0, "gold": 5},
            "moves": [{"action": {"moves": {"buy": {"cost": 3}}}}],
            "play": [{"condition": {"move": "$M", "moves": {"$M": {"cost": "$C"}}},
                      "action": {"gold": "$this - $C", "over": true}}],
            "score": []})");
    const auto position = started(opened);
    Random chance(1);
    position->play(position->move(0), chance);
    EXPECT_EQ(json(*position), R"({"turn":0,"gold":2,"over":true})");
}

// Moves with contents are read from bits where the shape gives each one, else listed.
TEST(ruleset, moves_may_have_contents_of_any_shape) {
    const std::pair<const char*, const char*> shapes[] = {
        {R"({"cost": "int", "for": "Move"})", R"({"cost": 3})"},
        {R"("int")", "0"},
        {R"("Move")", R"("sell")"},
        {R"({"$:Move": true})", R"({"buy": true})"},
        {R"("any")", R"({"cost": {"gold": 3}})"}};
    for (const auto& [shape, content] : shapes) {
        const OpenedGame opened = open_text(fmt::format(
            R"({{"game": {{"players": 2}}, "types": {{"Move": ["stay", "buy", "wait", "sell"]}},
                "shape": {{"turn": "int", "left": "int", "move": "Move", "moves": {{"$:Move": {0}}}, "over": "bool"}},
                "state": {{"turn": 0, "left": 2}},
                "moves": [{{"condition": {{"left": 2}}, "action": {{"moves": {{"sell": {1}, "buy": {1}}}}}}},
                          {{"condition": {{"left": 1}}, "action": {{"moves": {{"wait": {1}}}}}}}],
                "play": [{{"condition": {{"move": "$M", "moves": {{"$M": {{}}}}}}, "action": {{"left": "$this - 1"}}}},
                         {{"condition": {{"left": 0}}, "action": {{"over": true}}}}],
                "score": []}})",
            shape, content));
        ASSERT_EQ(codes(opened), std::vector<std::string>{}) << shape;
        const auto position = started(opened);
        std::vector<std::string> first = legal(*position);
        std::ranges::sort(first);
        EXPECT_EQ(first, (std::vector<std::string>{"buy", "sell"})) << shape;
        Random chance(1);
        position->play(*position->find_move("sell"), chance);
        EXPECT_EQ(legal(*position), std::vector<std::string>{"wait"}) << shape;
        position->play(*position->find_move("wait"), chance);
        EXPECT_EQ(json(*position), R"({"turn":0,"left":0,"over":true})") << shape;
    }
}

TEST(ruleset, a_failing_rule_aborts_the_game_and_is_named) {
    const OpenedGame opened =
        open_text(tiny("", R"([{"name": "halve", "action": {"n": "= 1 / 0"}}])"));
    const auto position = started(opened);
    Random chance(1);
    position->play(position->move(0), chance);
    EXPECT_EQ(position->ending(), Ending::Aborted);
    EXPECT_EQ(position->fault().rule, "halve");
    EXPECT_EQ(position->fault().what, "division by zero: 1 and 0");
    EXPECT_NE(position->fault().place.find("game.json:"), std::string::npos);
    EXPECT_EQ(position->move_count(), 0U);
    EXPECT_EQ(position->score(0), 0);
    EXPECT_EQ(position->plies(), 1U);
    // The next game of the same position knows nothing of it.
    Random deal(1);
    position->start(deal);
    EXPECT_EQ(position->ending(), Ending::None);
}

TEST(ruleset, a_passed_budget_aborts_the_game_with_the_rules_name) {
    const std::string text = tiny(
        "",
        R"([{"name": "spin", "condition": {"turn": "$P"}, "action": {"n": 1}, "repeat": 1000000}])");
    RulesetSettings settings;
    settings.budgets.firings = 1000;
    const auto opener = [&](const std::string&) { return engine::FileText{text, {}}; };
    const OpenedRuleset opened = open_ruleset("game.json", opener, settings);
    const auto position = opened.game->new_position();
    Random chance(1);
    position->start(chance);
    position->play(position->move(0), chance);
    EXPECT_EQ(position->ending(), Ending::Aborted);
    EXPECT_EQ(position->fault().rule, "spin");
    EXPECT_EQ(position->fault().what.substr(0, 15), "budget: firings");
}

TEST(ruleset, a_game_that_never_ends_is_unfinished) {
    const OpenedGame opened = open_text(tiny(R"("options": {"max_plies": 7})", "[]"));
    const auto position = started(opened);
    Random choices(1);
    Random chance(1);
    position->play_randomly(choices, chance);
    EXPECT_EQ(position->ending(), Ending::Unfinished);
    EXPECT_EQ(position->plies(), 7U);
    // Without the option there is a limit all the same.
    const auto endless = started(open_text(tiny("", "[]")));
    endless->play_randomly(choices, chance);
    EXPECT_EQ(endless->ending(), Ending::Unfinished);
    EXPECT_EQ(endless->plies(), kMaxPlies);
}

TEST(ruleset, no_legal_move_and_no_player_at_turn_abort) {
    const auto stuck = started(open_text(
        R"({"game": {"players": 2}, "state": {"turn": 0}, "moves": [], "play": [], "score": []})"));
    EXPECT_EQ(stuck->ending(), Ending::Aborted);
    EXPECT_EQ(stuck->fault().what, "no legal move");
    const auto nobody = started(open_text(
        R"({"game": {"players": 2}, "state": {"turn": "X"}, "moves": [], "play": [], "score": []})"));
    EXPECT_EQ(nobody->ending(), Ending::Aborted);
    EXPECT_EQ(nobody->fault().what, "turn names no player");
}

TEST(ruleset, a_move_that_its_shape_forbids_aborts) {
    const auto position = started(open_text(
        R"({"game": {"players": 2}, "shape": {"move": "int"}, "state": {"turn": 0},
            "moves": [{"action": {"moves": {"go": true}}}], "play": [], "score": []})"));
    Random chance(1);
    position->play(position->move(0), chance);
    EXPECT_EQ(position->ending(), Ending::Aborted);
    EXPECT_EQ(position->fault().what, "shape: move cannot hold 'go'");
}

TEST(ruleset, players_come_from_the_game_or_from_turn) {
    const auto players = [](const std::string& head) {
        const OpenedGame opened =
            open_text("{" + head + R"(, "moves": [], "play": [], "score": []})");
        return opened.game == nullptr ? std::vector<std::string>() : opened.game->facts().players;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(players(R"("game": {"players": 3})"), (Names{"0", "1", "2"}));
    EXPECT_EQ(players(R"("game": {"players": "Seat"}, "types": {"Seat": ["N", "S"]})"),
              (Names{"N", "S"}));
    EXPECT_EQ(players(R"("game": "x", "types": {"Seat": ["N", "S"]}, "shape": {"turn": "Seat"})"),
              (Names{"N", "S"}));
    EXPECT_EQ(players(R"("game": "x")"), Names{});
    EXPECT_EQ(players(R"("game": {"players": ["A", "A"]})"), Names{});
    EXPECT_EQ(players(R"("game": {"players": 1})"), Names{});
    EXPECT_EQ(players(R"("game": {"players": 9})"), Names{});
}

TEST(ruleset, options_are_set_and_checked) {
    const std::string text =
        tiny(R"("options": {"n": 3, "x": 0.5, "on": true, "name": "a", "any": null})");
    const auto with = [&](const std::string& name, engine::Scalar value) {
        return open_text(text, {{name, std::move(value)}});
    };
    const auto value = [](const OpenedGame& opened, const std::string& name) {
        for (const GameOption& option : opened.game->facts().options) {
            if (option.name == name) return engine::scalar_json(option.value);
        }
        return std::string();
    };
    EXPECT_EQ(value(with("n", std::int64_t{4}), "n"), "4");
    EXPECT_EQ(value(with("x", std::int64_t{4}), "x"), "4.0");
    EXPECT_EQ(value(with("name", std::int64_t{7}), "name"), "\"7\"");
    EXPECT_EQ(value(with("any", std::string("b")), "any"), "\"b\"");
    EXPECT_EQ(codes(with("n", std::string("four"))), std::vector<std::string>{"E0605"});
    EXPECT_EQ(codes(with("on", std::int64_t{1})), std::vector<std::string>{"E0605"});
    EXPECT_EQ(codes(with("m", std::int64_t{1})), std::vector<std::string>{"E0217"});
    EXPECT_EQ(codes(open_text(tiny(R"("options": {"max_plies": 0})"))),
              std::vector<std::string>{"E0606"});
}

// A word of the command line does not say whether it is a number or a text; the option does.
TEST(ruleset, settings_are_read_by_the_type_of_the_option) {
    const std::string text = tiny(
        R"("options": {"packets": "4-4", "n": 3, "x": 0.5, "two": "2", "mixed": 4},
           "option_values": {"packets": ["3-2", "4-4"], "two": ["1", "2", "10"],
                             "n": "0..9", "mixed": [3, 4, "all"]})");
    const auto set = [&](const std::string& name, const std::string& word) {
        const OpenedGame opened = open_text(text, {{name, parse_setting_value(word)}});
        if (opened.game == nullptr) return codes(opened).at(0);
        for (const GameOption& option : opened.game->facts().options) {
            if (option.name == name) return engine::scalar_json(option.value);
        }
        return std::string();
    };
    EXPECT_EQ(set("packets", "3-2"), R"("3-2")");
    EXPECT_EQ(set("packets", "3"), "E0219");
    EXPECT_EQ(set("n", "7"), "7");
    EXPECT_EQ(set("n", "7-3"), "E0605");
    EXPECT_EQ(set("n", "07"), "E0605");
    EXPECT_EQ(set("n", "10"), "E0219");
    EXPECT_EQ(set("x", "1e1"), "10.0");
    EXPECT_EQ(set("two", "10"), R"("10")");
    EXPECT_EQ(set("mixed", "3"), "3");
    EXPECT_EQ(set("mixed", "all"), R"("all")");
}

TEST(ruleset, a_ruleset_refuses_options_and_states) {
    const std::string text = tiny(R"("options": {"a": "x", "b": "x"}, "refuse": [
        {"condition": {"_": "options.a == 'y' && options.b == 'y'"},
         "action": {"refused": {"b": "not both"}}},
        {"condition": {"pile": "> 9"}, "action": {"refused": {"pile": "too many"}}}])");
    EXPECT_EQ(codes(open_text(text, {{"a", "y"}})), std::vector<std::string>{});
    const OpenedGame both = open_text(text, {{"a", "y"}, {"b", "y"}});
    ASSERT_EQ(codes(both), std::vector<std::string>{"E0609"});
    const engine::Diagnostic found = both.diagnostics.sorted().at(0);
    EXPECT_EQ(found.message, "not both");
    EXPECT_EQ(both.sources.place(found.span), "--set:2:1");
    const OpenedGame opened = open_text(text);
    const auto position = opened.game->new_position();
    Random chance(1);
    for (const auto& [state, expected] : {std::pair{R"({"pile": 9})", ""},
                                          {R"({"turn": "a", "pile": 10})", "E0610 too many @14"}}) {
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        const auto document = engine::read_json(sources, sources.add("state", state), diagnostics);
        ASSERT_TRUE(document);
        const bool good = position->load(*document, chance, diagnostics);
        EXPECT_EQ(good, diagnostics.empty());
        std::string said;
        for (const engine::Diagnostic& each : diagnostics.sorted())
            said += each.code + " " + each.message + " @" + std::to_string(each.span.begin);
        EXPECT_EQ(said, expected);
    }
}

TEST(ruleset, options_are_read_from_words) {
    EXPECT_EQ(parse_option_value("12"), engine::Scalar(std::int64_t{12}));
    EXPECT_EQ(parse_option_value("0.5"), engine::Scalar(0.5));
    EXPECT_EQ(parse_option_value("true"), engine::Scalar(true));
    EXPECT_EQ(parse_option_value("7H"), engine::Scalar(std::string("7H")));
    EXPECT_EQ(parse_option_value("7-3"), engine::Scalar(std::string("7-3")));
    EXPECT_EQ(parse_option_value("1e1"), engine::Scalar(10.0));
    EXPECT_EQ(parse_setting_value("1e1"), engine::Scalar(std::string("1e1")));
    EXPECT_EQ(parse_setting_value("10"), engine::Scalar(std::int64_t{10}));
    EXPECT_EQ(parse_option_value("AS,7H"), engine::Scalar(std::string("AS,7H")));
    EXPECT_EQ(parse_option_value(""), engine::Scalar(std::string()));
}

TEST(ruleset, a_pack_can_be_fixed) {
    const auto hands = [](const std::string& pack) {
        const auto game = open_for_test("exchange", {{"deck", pack}});
        const auto position = game->new_position();
        Random deal(1);
        position->start(deal);
        return engine::write_json(position->state().find("hands")->value, -1);
    };
    EXPECT_EQ(hands("c9,c1,c8,c2,c7,c3,c6,c4,c5"),
              R"({"A":{"c1":true,"c9":true},"B":{"c2":true,"c8":true},"C":{"c3":true,"c7":true},)"
              R"("D":{"c4":true,"c6":true}})");
    const std::string text = tiny(R"("types": {"Card": ["x", "y"]}, "options": {"deck": "x,y"},
        "shape": {"deck": {"$:int": "Card"}})");
    EXPECT_EQ(codes(open_text(text)), std::vector<std::string>{});
    EXPECT_EQ(codes(open_text(text, {{"deck", std::string("x,x")}})),
              std::vector<std::string>{"E0607"});
    EXPECT_EQ(codes(open_text(text, {{"deck", std::string("x,z")}})),
              std::vector<std::string>{"E0607"});
}

TEST(ruleset, phases_come_from_the_shape) {
    const auto opened = open_text(R"({
        "game": {"players": 2, "auction": ["bid"]},
        "shape": {"phase": ["deal", "bid", "play"]},
        "state": {"turn": 0, "phase": "bid"},
        "moves": [{"action": {"moves": {"go": true, "stop": true}}}],
        "play": [{"condition": {"phase": "bid", "move": "go"}, "action": {"phase": "play"}},
                 {"condition": {"phase": "play", "move": "stop"}, "action": {"phase": "@remove"}}],
        "score": []})");
    ASSERT_EQ(codes(opened), std::vector<std::string>{});
    const auto position = started(opened);
    const auto now = [&] {
        return position->phase() == Position::kNoPhase
                   ? "none"
                   : opened.game->facts().phases[position->phase()].name;
    };
    Random chance(1);
    EXPECT_EQ(now(), "bid");
    EXPECT_TRUE(position->is_auction());
    position->play(*position->find_move("go"), chance);
    EXPECT_EQ(now(), "play");
    EXPECT_FALSE(position->is_auction());
    position->play(*position->find_move("stop"), chance);
    EXPECT_EQ(now(), "none");
    EXPECT_FALSE(position->is_auction());
}

TEST(ruleset, an_auction_is_of_known_phases) {
    const auto with = [](const std::string& auction, const std::string& shape) {
        return codes(open_text(
            R"({"game": {"players": 2, "auction": )" + auction + R"(}, "shape": {"x": "int")" +
            shape + R"(}, "state": {"turn": 0}, "moves": [], "play": [], "score": []})"));
    };
    using Codes = std::vector<std::string>;
    EXPECT_EQ(with(R"("bid")", R"(, "phase": ["bid"])"), Codes{});
    EXPECT_EQ(with(R"("bids")", R"(, "phase": ["bid"])"), Codes{"E0615"});
    EXPECT_EQ(with(R"(["bid", 1])", R"(, "phase": ["bid"])"), Codes{"E0615"});
    EXPECT_EQ(with(R"("bid")", R"(, "phase": "string")"), Codes{"E0615"});
}

TEST(ruleset, places_follow_scores_and_partners_count_as_one) {
    const auto places = [](const std::string& head, const std::string& scores) {
        const OpenedGame opened = open_text(R"({"game": {)" + head + R"(}, "moves": [], "play": [],
            "score": [{"action": {"score": )" +
                                            scores + "}}]}");
        const auto position = opened.game->new_position();
        Random chance(1);
        position->evaluate(chance);
        std::string text;
        for (Seat seat = 0; seat < opened.game->facts().seats(); ++seat)
            text += std::to_string(position->place(seat)) + " ";
        return text;
    };
    EXPECT_EQ(places(R"("players": 4)", R"({"0": 7, "1": 2.5, "2": 7, "3": 9})"), "2 4 2 1 ");
    EXPECT_EQ(places(R"("players": 4, "teams": {"x": ["0", "2"], "y": ["1", "3"]})",
                     R"({"0": 3, "1": 8, "2": 3, "3": 8})"),
              "2 1 2 1 ");
    EXPECT_EQ(places(R"("players": 3)", "{}"), "1 1 1 ");
}

TEST(ruleset, views_hide_hands_and_stock) {
    const auto game =
        open_for_test("exchange", {{"deck", std::string("c9,c1,c8,c2,c7,c3,c6,c4,c5")}});
    const auto position = game->new_position();
    Random random(1);
    position->start(random);
    position->play(*position->find_move("c1"), random);
    const auto view = game->new_position();
    view->view_from(*position, 0);
    EXPECT_EQ(json(*view), R"({"turn":"B","phase":"aside","hands":{"A":{"c9":true}},)"
                           R"("secret":true,"aside":{"A":"c1"}})");
    EXPECT_EQ(view->move_count(), 0U);
    EXPECT_TRUE(view->is_secret());
    view->view_from(*position, 1);
    EXPECT_EQ(json(*view), R"({"turn":"B","phase":"aside","hands":{"B":{"c2":true,"c8":true}},)"
                           R"("secret":true,"aside":{}})");
    EXPECT_EQ(legal(*view), (std::vector<std::string>{"c2", "c8"}));
}

TEST(ruleset, a_part_can_be_seen_by_whoever_a_node_names) {
    const OpenedGame opened = open_text(
        tiny(R"("hidden": {"dog": "only bid.taker"})", R"([{"action": {"over": true}}])"));
    ASSERT_NE(opened.game, nullptr);
    const auto position = opened.game->new_position();
    const auto view = opened.game->new_position();
    const auto seen = [&](const std::string& state, Seat seat) {
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        Random chance(1);
        const auto document = engine::read_json(sources, sources.add("s", state), diagnostics);
        EXPECT_TRUE(position->load(*document, chance, diagnostics));
        view->view_from(*position, seat);
        return json(*view);
    };
    EXPECT_EQ(seen(R"({"bid": {"taker": "B"}, "dog": {"7": true}})", 1),
              R"({"turn":"A","bid":{"taker":"B"},"dog":{"7":true}})");
    EXPECT_EQ(seen(R"({"bid": {"taker": "B"}, "dog": {"7": true}})", 0),
              R"({"turn":"A","bid":{"taker":"B"}})");
    EXPECT_EQ(seen(R"({"dog": {"7": true}})", 0), R"({"turn":"A"})");
}

TEST(ruleset, states_from_outside_are_checked) {
    const auto game = open_for_test("life");
    const auto position = game->new_position();
    const auto problem = [&](const std::string& state) {
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        Random chance(1);
        const auto document = engine::read_json(sources, sources.add("s", state), diagnostics);
        const bool loaded = position->load(*document, chance, diagnostics);
        EXPECT_EQ(loaded, !diagnostics.has_errors());
        return diagnostics.empty() ? std::string() : diagnostics.sorted()[0].code;
    };
    EXPECT_EQ(problem(R"({"board": {"a1": "B"}})"), "");
    EXPECT_EQ(json(*position), R"({"board":{"a1":"B"},"turn":"B"})");
    EXPECT_EQ(problem(R"({"board": {"a1": "X"}})"), "E0410");
    EXPECT_EQ(problem(R"({"board": {"t1": "B"}})"), "E0410");
    EXPECT_EQ(problem(R"({"bord": {"a1": "B"}})"), "E0608");
    EXPECT_EQ(problem("[]"), "E0608");
}

TEST(ruleset, derive_computes_what_a_written_position_leaves_out) {
    const auto game = open_for_test("exchange");
    const auto position = game->new_position();
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    Random chance(1);
    const auto document = engine::read_json(
        sources, sources.add("s", R"({"phase": "play", "turn": "B", "table": {"c7": "A"},
                             "hands": {"B": {"c8": true}, "C": {"c2": true}, "D": {"c1": true}}})"),
        diagnostics);
    ASSERT_TRUE(position->load(*document, chance, diagnostics));
    EXPECT_EQ(engine::write_json(position->state().find("best")->value), "\"c7\"");
    position->resume(chance);
    position->play(position->move(0), chance);
    EXPECT_EQ(engine::write_json(position->state().find("best")->value), "\"c8\"");
}

TEST(ruleset, a_broken_game_is_refused_with_its_place) {
    EXPECT_EQ(codes(open_text(R"({"game": {"players": 2}, "play": [], "score": []})")),
              std::vector<std::string>{"E0603"});
    EXPECT_EQ(codes(open_text(tiny(R"("hidden": {"hand": "somebody"})"))),
              std::vector<std::string>{"E0604"});
    EXPECT_EQ(codes(open_text(tiny(R"("hidden": {"hand": {"$P": "only $Q"}})"))),
              std::vector<std::string>{"E0604"});
    EXPECT_EQ(codes(open_text(tiny(R"("shape": {"turn": "string", "over": "bool",
                                       "hands": {"$:int": {"$": true}}},
                                       "hidden": {"hnads": {"$P": "only $P"}})"))),
              std::vector<std::string>{"E0604"});
    EXPECT_EQ(codes(open_text(tiny(R"("hidden": {"dog": "only bid.taker"})"))),
              std::vector<std::string>{});
    EXPECT_EQ(codes(open_text(R"({"game": {"players": 2, "teams": {"a": ["0"]}},
                                  "moves": [], "play": [], "score": []})")),
              std::vector<std::string>{"E0602"});
    EXPECT_EQ(codes(open_text(R"({"game": {"players": 2, "teams": {"a": ["0"], "b": ["0"]}},
                                  "moves": [], "play": [], "score": []})")),
              std::vector<std::string>{"E0602"});
}

TEST(ruleset, every_code_has_a_page) {
    std::ifstream in("games/codes.md");
    std::set<std::string> pages;
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("## ")) pages.insert(line.substr(3, 5));
    EXPECT_EQ(pages, std::set<std::string>(code::kAll.begin(), code::kAll.end()));
}

// Chance of the deal is the deal's own: what is played does not move it, nor the other way round.
TEST(streams, deals_do_not_depend_on_play) {
    EXPECT_EQ(stream(1, 2, Purpose::Deal, 0, 0).next(), stream(1, 2, Purpose::Deal, 3, 1).next());
    std::set<std::uint64_t> first;
    for (std::uint64_t deal = 0; deal < 3; ++deal) {
        first.insert(stream(1, deal, Purpose::Deal).next());
        for (std::uint64_t round = 0; round < 3; ++round) {
            first.insert(stream(1, deal, Purpose::Play, round).next());
            for (Seat seat = 0; seat < 3; ++seat)
                first.insert(stream(1, deal, Purpose::Choice, round, seat).next());
        }
    }
    EXPECT_EQ(first.size(), 3U * (1 + 3 + 9));
    // What a seed means is fixed for ever.
    EXPECT_EQ(stream(1, 0, Purpose::Deal).next(), 0x6da598c6f743bc98U);
    EXPECT_EQ(stream(1, 0, Purpose::Choice, 2, 1).next(), 0x3b27e4e53b756ffbU);
}

// A game that was played with the streams of a seed is the game that a run of that seed plays.
TEST(streams, of_a_game_are_those_of_its_first_round) {
    GameStreams streams(5, 2, 3);
    EXPECT_EQ(streams.deal.next(), stream(5, 2, Purpose::Deal).next());
    EXPECT_EQ(streams.play.next(), stream(5, 2, Purpose::Play, 0).next());
    ASSERT_EQ(streams.choices.size(), 3U);
    for (Seat seat = 0; seat < 3; ++seat)
        EXPECT_EQ(streams.choices[seat].next(), stream(5, 2, Purpose::Choice, 0, seat).next());
}

// What random games tell of a ruleset, and that they tell nothing of the games that are shipped.

// Two players who take one or two of a pile.
std::string pile(const std::string& players, const std::string& most, const std::string& play) {
    return R"({"game": {"name": "pile", "players": )" + players +
           R"(}, "state": {"turn": "a", "pile": 5},
        "constants": {"take": {"1": true, "2": true}, "next": {"a": "b", "b": "a"}},
        "moves": [{"condition": {"pile": "$N", "take": {"$K": true}, "_": "$K <= $N && $K <= )" +
           most + R"("}, "action": {"moves": {"$K": true}}}],
        "play": [)" +
           play + R"(], "score": []})";
}

const std::string kTwo = R"(["a", "b"])";
const std::string kTake =
    R"({"condition": {"move": "$K", "turn": "$T", "next": {"$T": "$U"}},
        "action": {"pile": "$this - $K", "turn": "$U"}})";
const std::string kEnd = R"(, {"condition": {"pile": 0}, "action": {"over": true}})";

std::string tried(const OpenedGame& opened) {
    std::string text;
    for (const engine::Diagnostic& each : opened.diagnostics.sorted())
        text += each.code + " " + each.message + "\n";
    if (opened.game == nullptr) return text;
    engine::Diagnostics found;
    try_random_games(*opened.game->ruleset_game(), found);
    for (const engine::Diagnostic& each : found.sorted())
        text += each.code + " " + each.message + "\n";
    return text;
}

TEST(trial, a_game_without_a_flaw_gets_no_warning) {
    EXPECT_EQ(tried(open_text(pile(kTwo, "2", kTake + kEnd))), "");
}

TEST(trial, a_player_who_never_moves) {
    EXPECT_EQ(tried(open_text(pile(R"(["a", "b", "c"])", "2", kTake + kEnd))),
              "W0601 in 20 random games it is never the turn of c\n");
}

TEST(trial, a_game_that_is_aborted) {
    const std::string text = tried(open_text(
        pile(kTwo, "2",
             R"({"name": "halve", "condition": {"pile": 4}, "action": {"n": "= 1 / 0"}}, )" +
                 kTake + kEnd)));
    EXPECT_NE(text.find("random games are aborted: rule halve: division by zero"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.substr(0, 6), "W0602 ");
    // Nobody is left to move.
    EXPECT_NE(tried(open_text(pile(kTwo, "2", kTake)))
                  .find("20 of 20 random games are aborted: "
                        "no legal move"),
              std::string::npos);
}

TEST(trial, a_game_that_does_not_end) {
    EXPECT_EQ(
        tried(open_text(pile(
            kTwo, "2",
            R"({"condition": {"turn": "$T", "next": {"$T": "$U"}}, "action": {"turn": "$U"}})"))),
        "W0603 no random game ends within 500 moves\n");
}

TEST(trial, a_game_without_a_choice) {
    EXPECT_EQ(tried(open_text(pile(kTwo, "1", kTake + kEnd))),
              "W0604 in 20 random games there is never more than one legal move\n");
}

TEST(trial, the_shipped_games_get_no_warning) {
    for (const std::string& title : all_titles()) {
        const auto game = open_for_test(title);
        engine::Diagnostics found;
        try_random_games(*game->ruleset_game(), found);
        for (const engine::Diagnostic& each : found.sorted())
            ADD_FAILURE() << title << ": " << each.code << " " << each.message;
    }
}

} // namespace

} // namespace croupier::games
