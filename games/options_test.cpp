// Every value of every option changes some game: no option is declared without effect.
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace croupier::games {
namespace {

using engine::Document;
using engine::Member;
using Options = std::vector<GameOption>;

// How to make an option have an effect: with other options, and a value if there are many.
struct Shown {
    std::string_view game;
    std::string_view option;
    Options with;
    std::vector<engine::Scalar> values;
};

const std::vector<Shown>& table() {
    static const std::vector<Shown> kTable = {
        {"belote", "match", {{"target", std::int64_t{200}}}, {}},
        {"belote", "target", {{"match", "target"}}, {std::int64_t{200}}},
        {"belote", "deals", {{"match", "target"}}, {std::int64_t{2}}},
        {"belote",
         "end_rule",
         {{"match", "target"}, {"target", std::int64_t{100}}, {"rounding", "5up"}},
         {}},
        {"belote", "shuffle", {{"match", "target"}, {"target", std::int64_t{200}}}, {}},
        {"belote", "dealer", {}, {"B"}},
        {"belote", "all_pass", {{"match", "target"}}, {}},
        {"belote", "litige", {{"match", "target"}}, {}},
        {"coinche", "match", {}, {}},
        {"coinche", "target", {{"match", "target"}}, {std::int64_t{200}}},
        {"coinche", "deals", {{"match", "target"}}, {std::int64_t{2}}},
        {"coinche", "end_rule", {{"match", "target"}, {"target", std::int64_t{480}}}, {}},
        {"coinche", "rounding", {{"max_bid", std::int64_t{80}}, {"doubled_points", "points"}}, {}},
        {"coinche", "shuffle", {{"match", "target"}, {"target", std::int64_t{200}}}, {}},
        {"coinche", "dealer", {}, {"B"}},
        {"coinche", "min_bid", {}, {std::int64_t{100}}},
        {"coinche", "max_bid", {}, {std::int64_t{120}}},
        {"coinche", "suit_rank", {}, {}},
        {"coinche", "capot_bid", {{"max_bid", std::int64_t{260}}}, {}},
        {"coinche", "generale_leads", {{"generale", "on"}}, {}},
        {"coinche", "sa_values", {{"sa_ta", "on"}}, {}},
        {"coinche", "sa_carres", {{"sa_ta", "on"}}, {}},
        {"coinche", "ta_values", {{"sa_ta", "on"}}, {}},
        {"coinche", "ta_partner", {{"sa_ta", "on"}}, {}},
        {"coinche", "eighty_needs_82", {{"must_beat_defence", "no"}}, {}},
        {"kpk", "wk", {}, {"a1"}},
        {"kpk", "wp", {}, {"a2"}},
        {"kpk", "bk", {}, {"h8"}},
        {"kpk", "max_plies", {}, {std::int64_t{3}}},
        {"krk", "wk", {}, {"a1"}},
        {"krk", "wr", {}, {"a2"}},
        {"krk", "bk", {}, {"h8"}},
        {"krk", "max_plies", {}, {std::int64_t{3}}},
        {"life", "max_plies", {}, {std::int64_t{3}}},
        {"oldmaid", "dealer", {}, {"B"}},
        {"oldmaid", "skip_after_out", {{"draw_from", "previous"}}, {}},
        {"subtraction", "pile", {}, {std::int64_t{5}}},
        {"subtraction", "max_plies", {}, {std::int64_t{1}}},
        {"tarot", "deals", {{"match", "target"}}, {std::int64_t{2}}},
        {"tarot", "match", {{"deals", std::int64_t{2}}}, {}},
        {"tarot", "dealer", {}, {"B"}},
        {"whist", "dealer", {}, {"B"}},
    };
    return kTable;
}

std::string game_of(const std::string& title) {
    return title.substr(0, title.find(':'));
}

// Options that random deals show too rarely, and the test that shows them with chosen cards.
bool is_shown_elsewhere(const std::string& title, const std::string& option) {
    const std::string game = game_of(title);
    return option == "deck" ||                    // a pack: positions and deals of every game
           option == "belote_alone_cannot_end" || // match_test, deal_test
           option == "carre_100_order" ||         // count_test
           (title == "tarot" && option == "half_point") || // four players have none: tarot:five
           (game == "tarot" && (option == "excuse_last" || option == "excuse_slam" || // ending_test
                                option == "misere"));                                 // count_test
}

Options over(Options options, const std::string& name, const engine::Scalar& value) {
    options.push_back({name, value});
    return options;
}

// Whether random games with the same chance diverge at some move, or end differently.
bool differ(const Game& a, const Game& b, int games) {
    const auto x = a.new_position();
    const auto y = b.new_position();
    for (int deal = 0; deal < games; ++deal) {
        const auto number = static_cast<std::uint64_t>(deal);
        Random deal_x = stream(7, number, Purpose::Deal);
        Random deal_y = stream(7, number, Purpose::Deal);
        Random chance_x = stream(7, number, Purpose::Play);
        Random chance_y = stream(7, number, Purpose::Play);
        Random choices = stream(7, number, Purpose::Choice);
        x->start(deal_x);
        y->start(deal_y);
        while (x->ending() == Ending::None && y->ending() == Ending::None) {
            if (x->hash() != y->hash() || legal(*x) != legal(*y)) return true;
            const std::size_t move = choices.below(x->move_count());
            x->play(x->move(move), chance_x);
            y->play(y->move(move), chance_y);
        }
        if (x->ending() != y->ending()) return true;
        for (Seat seat = 0; seat < a.facts().seats(); ++seat)
            if (x->score(seat) != y->score(seat) || x->place(seat) != y->place(seat)) return true;
    }
    return false;
}

std::vector<engine::Scalar> other_values(const GameOption& option, const Document& allowed,
                                         const Shown* shown) {
    std::vector<engine::Scalar> values;
    if (shown != nullptr && !shown->values.empty()) return shown->values;
    for (const Member& element : allowed.members)
        if (allowed.is_array() && !(element.value.scalar == option.value))
            values.push_back(element.value.scalar);
    return values;
}

class EveryOption : public testing::TestWithParam<std::string> {};

TEST_P(EveryOption, each_value_of_each_option_makes_a_difference) {
    const std::string& title = GetParam();
    const auto game = open_for_test(title);
    ASSERT_NE(game, nullptr);
    for (const Member& member : game->facts().option_values.members) {
        const auto option = std::find_if(game->facts().options.begin(), game->facts().options.end(),
                                         [&](const auto& each) { return each.name == member.key; });
        ASSERT_NE(option, game->facts().options.end()) << member.key;
        if (is_shown_elsewhere(title, member.key)) continue;
        const auto shown = std::find_if(table().begin(), table().end(), [&](const Shown& each) {
            return each.game == game_of(title) && each.option == member.key;
        });
        const Shown* const how = shown == table().end() ? nullptr : &*shown;
        const Options with = how == nullptr ? Options{} : how->with;
        const auto without = open_for_test(title, with);
        const auto values = other_values(*option, member.value, how);
        EXPECT_FALSE(values.empty()) << "say above what " << member.key << " may be for this test";
        for (const engine::Scalar& value : values) {
            const auto changed = open_for_test(title, over(with, member.key, value));
            EXPECT_TRUE(differ(*without, *changed, 3000))
                << member.key << " = " << engine::scalar_json(value);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(games, EveryOption,
                         testing::Values("belote", "coinche", "kpk", "krk", "life", "oldmaid",
                                         "subtraction", "tarot", "tarot:five", "whist"),
                         [](const auto& each) {
                             std::string name = each.param;
                             std::replace(name.begin(), name.end(), ':', '_');
                             return name;
                         });

} // namespace
} // namespace croupier::games
