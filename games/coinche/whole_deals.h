// Whole deals, from the auction to the score, by the ruleset and by plain code with the same
// choices.
#pragma once

#include "engine/api/random.h"
#include "games/coinche/testing.h"

namespace croupier::plain {

// Any call, but low bids and passes more often: high ones nobody makes.
inline std::string any_move(const std::set<std::string>& moves, bool bidding,
                            engine::Random& random) {
    std::vector<std::string> likely(moves.begin(), moves.end());
    if (bidding && random.below(4) != 0) {
        std::erase_if(likely, [](const std::string& call) {
            return call != "pass" && call.compare(0, 1, "8") != 0 && call.compare(0, 1, "9") != 0 &&
                   call.find("coinche") == std::string::npos;
        });
    }
    return likely[random.below(likely.size())];
}

struct Seen {
    int made = 0;
    int failed = 0;
    int doubled_and_made = 0;
    int announced = 0;
};

// The state of a new deal, and who deals: every second one from hands written down.
struct NewDeal {
    State state;
    std::array<std::vector<Card>, 4> hands;
    int dealer = 0;
};

inline NewDeal new_deal(Coinche& coinche, std::uint64_t seed, engine::Random& random) {
    NewDeal made{coinche.deal(seed), {}, 0};
    if (seed % 2 == 1) {
        for (const std::size_t seat : {0, 1, 2, 3}) {
            made.hands[seat] = hand_of(coinche, made.state, std::string(1, kSeats[seat]));
        }
        return made;
    }
    made.dealer = static_cast<int>(random.below(4));
    Position position;
    position.hands = made.hands = uneven_hands(random, 24);
    const std::string json = position_json(position);
    const std::size_t hands = json.find("\"hands\"");
    made.state = coinche.position("{\"phase\": \"bid\", \"dealer\": " + seat_name(made.dealer) +
                                  ", \"turn\": " + seat_name((made.dealer + 1) % 4) + ", " +
                                  json.substr(hands, json.find(", \"trick\"") - hands) + "}");
    return made;
}

// What has been taken and announced, and the score.
inline std::string counted(Coinche& coinche, State& state) {
    const std::array<int, 2> marks = coinche.marks(state);
    std::string text = coinche.at(state, {"result"});
    for (const std::size_t team : {0, 1}) {
        const std::string& name = team_name(team);
        for (const int number : {coinche.number(state, {"taken", name, "points"}),
                                 coinche.number(state, {"taken", name, "tricks"}),
                                 coinche.number(state, {"belote", name}),
                                 coinche.number(state, {"announced", name}), marks[team]}) {
            text += " " + std::to_string(number);
        }
    }
    return text;
}

inline std::string counted(const CoincheDeal& deal, const CoincheOptions& options) {
    if (deal.passed_out()) {
        return " 0 0 0 0 0 0 0 0 0 0";
    }
    const PlayedCoinche& played = deal.played();
    const std::array<int, 2> marks = coinche_marks(played, options);
    std::string text = is_made(played, options) ? "\"made\"" : "\"failed\"";
    for (const std::size_t team : {0, 1}) {
        for (const int number : {played.points[team], played.tricks[team], played.belote[team],
                                 played.announced[team], marks[team]}) {
            text += " " + std::to_string(number);
        }
    }
    return text;
}

inline std::string one_line(const std::set<std::string>& moves) {
    std::string text;
    for (const std::string& move : moves) {
        text += " " + move;
    }
    return text;
}

// Plays the deal with both; what is different, or nothing.
inline std::string difference(Coinche& coinche, const CoincheOptions& options, std::uint64_t seed,
                              Seen& seen) {
    engine::Random random(seed);
    NewDeal dealt = new_deal(coinche, seed, random);
    CoincheDeal deal(options, dealt.dealer, dealt.hands);
    std::string told = "seed " + std::to_string(seed) + ":";
    while (!deal.over()) {
        const std::set<std::string> expected = deal.legal();
        const std::set<std::string> moves = coinche.moves(dealt.state);
        if (coinche.at(dealt.state, {"turn"}) != seat_name(deal.turn()) || moves != expected) {
            return told + ", then " + coinche.at(dealt.state, {"turn"}) + one_line(moves) +
                   " and not " + seat_name(deal.turn()) + one_line(expected);
        }
        const std::string move = any_move(moves, deal.bidding(), random);
        told += " " + move;
        deal.play(move);
        coinche.play(dealt.state, move);
    }
    if (coinche.at(dealt.state, {"over"}) != "true") {
        return told + " is not over";
    }
    const std::string found = counted(coinche, dealt.state);
    const std::string expected = counted(deal, options);
    if (found != expected) {
        return told + " comes to " + found + " and not " + expected;
    }
    if (!deal.passed_out()) {
        const PlayedCoinche& played = deal.played();
        const bool made = is_made(played, options);
        ++(made ? seen.made : seen.failed);
        seen.doubled_and_made += made && played.contract.times > 1 ? 1 : 0;
        seen.announced += played.announced[0] + played.announced[1] > 0 ? 1 : 0;
    }
    return {};
}

inline Seen expect_same_deals(const CoincheOptions& options, std::uint64_t first, int deals) {
    Coinche coinche(options);
    Seen seen;
    for (int i = 0; i < deals; ++i) {
        const std::string found =
            difference(coinche, options, first + static_cast<std::uint64_t>(i), seen);
        EXPECT_EQ(found, "");
        if (!found.empty()) {
            break;
        }
    }
    return seen;
}

// Each option set to each of its values, the others as they are; without trump suits too, where
// that is what the option is about.
inline void expect_same_deals_with_each_option(std::uint64_t first, int deals) {
    for (const Choice& choice : coinche_choices()) {
        for (std::size_t i = 1; i < choice.values.size(); ++i) {
            for (const bool all_kinds : {false, true}) {
                CoincheOptions options;
                if (all_kinds) {
                    options.set("sa_ta", "on");
                    options.set("generale", "on");
                }
                options.set(choice.name, choice.values[i]);
                SCOPED_TRACE(choice.name + " = " + choice.values[i]);
                expect_same_deals(options, first, deals);
                first += static_cast<std::uint64_t>(deals);
            }
        }
    }
}

} // namespace croupier::plain
