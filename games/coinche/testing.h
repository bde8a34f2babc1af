// Shared by the tests of coinche: the ruleset with options as text, deals to play, and a deal
// played by it and by plain code with the same choices.
#pragma once

#include "engine/api/random.h"
#include "games/belote/testing.h"
#include "games/testing/coinche.h"

#include <algorithm>

namespace croupier::plain {

inline Options engine_options(const CoincheOptions& options) {
    Options made;
    for (const auto& [name, value] : options.chosen()) {
        const bool number = value.find_first_not_of("0123456789") == std::string::npos;
        made.emplace_back(name, number ? engine::Scalar{std::int64_t{std::stoi(value)}}
                                       : engine::Scalar{value});
    }
    return made;
}

inline std::string both(const char* name, const std::array<int, 2>& of) {
    return std::string(", \"") + name + "\": {\"AC\": " + std::to_string(of[0]) +
           ", \"BD\": " + std::to_string(of[1]) + "}";
}

inline std::string seat_name(int seat) {
    return {'"', kSeats[static_cast<std::size_t>(seat)], '"'};
}

inline std::string to_json(const Contract& contract) {
    return "\"contract\": {\"value\": " + std::to_string(contract.value) +
           ", \"denomination\": \"" + contract.denomination + "\", \"team\": \"" +
           team_name(static_cast<std::size_t>(contract.by % 2)) +
           "\", \"by\": " + seat_name(contract.by) +
           ", \"double\": " + std::to_string(contract.times) + "}";
}

// The deal as JSON written by hand for scoring.
inline std::string to_json(const PlayedCoinche& deal) {
    std::string json = "{\"phase\": \"score\", " + to_json(deal.contract) + ", \"last\": \"" +
                       team_name(static_cast<std::size_t>(deal.last)) + '"' +
                       both("belote", deal.belote) + both("announced", deal.announced) +
                       ", \"taken\": {";
    for (const std::size_t team : {0, 1}) {
        json += (team == 0 ? "\"" : ", \"") + team_name(team) +
                "\": {\"points\": " + std::to_string(deal.points[team]) +
                ", \"tricks\": " + std::to_string(deal.tricks[team]) + "}";
    }
    return json + "}" + (deal.alone ? "" : ", \"helped\": true") + "}";
}

class Coinche : public Belote {
  public:
    explicit Coinche(const CoincheOptions& options = {})
        : Belote(engine_options(options), "games/coinche/rules.json") {}

    std::array<int, 2> marks(State& state) {
        run("score", state);
        const std::array<int, 2> made{number(state, {"score", "A"}), number(state, {"score", "B"})};
        EXPECT_EQ(number(state, {"score", "C"}), made[0]);
        EXPECT_EQ(number(state, {"score", "D"}), made[1]);
        return made;
    }
    std::array<int, 2> marks(const PlayedCoinche& deal) {
        State state = position(to_json(deal));
        return marks(state);
    }
};

inline std::vector<Card> hand_of(Belote& ruleset, const State& state, const std::string& seat) {
    std::vector<Card> hand;
    for (const char suit : kSuits) {
        for (const char rank : kRanks)
            if (const std::string card{rank, suit};
                !ruleset.at(state, {"hands", seat, card}).empty())
                hand.push_back(card_named(card));
    }
    return hand;
}

inline CoincheOptions with(const std::vector<std::pair<std::string, std::string>>& chosen) {
    CoincheOptions options;
    for (const auto& [name, value] : chosen)
        options.set(name, value);
    return options;
}

// Whole deals, from the auction to the score, by the ruleset and by plain code with the same
// choices.

// A random call, but low bids and passes more often, as high bids end the auction.
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

// The state of a new deal, and its dealer; every second deal has hands written down.
struct NewDeal {
    State state;
    std::array<std::vector<Card>, 4> hands;
    int dealer = 0;
};

inline NewDeal new_deal(Coinche& coinche, std::uint64_t seed, engine::Random& random) {
    NewDeal made{coinche.deal(seed), {}, 0};
    if (seed % 2 == 1) {
        for (const std::size_t seat : {0, 1, 2, 3})
            made.hands[seat] = hand_of(coinche, made.state, std::string(1, kSeats[seat]));
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

// Tricks taken, announcements and the score.
inline std::string counted(Coinche& coinche, State& state) {
    const std::array<int, 2> marks = coinche.marks(state);
    std::string text = coinche.at(state, {"result"});
    for (const std::size_t team : {0, 1}) {
        const std::string& name = team_name(team);
        for (const int number : {coinche.number(state, {"taken", name, "points"}),
                                 coinche.number(state, {"taken", name, "tricks"}),
                                 coinche.number(state, {"belote", name}),
                                 coinche.number(state, {"announced", name}), marks[team]})
            text += " " + std::to_string(number);
    }
    return text;
}

inline std::string counted(const CoincheDeal& deal, const CoincheOptions& options) {
    if (deal.passed_out()) return " 0 0 0 0 0 0 0 0 0 0";
    const PlayedCoinche& played = deal.played();
    const std::array<int, 2> marks = coinche_marks(played, options);
    std::string text = is_made(played, options) ? "\"made\"" : "\"failed\"";
    for (const std::size_t team : {0, 1})
        for (const int number : {played.points[team], played.tricks[team], played.belote[team],
                                 played.announced[team], marks[team]})
            text += " " + std::to_string(number);
    return text;
}

inline std::string one_line(const std::set<std::string>& moves) {
    std::string text;
    for (const std::string& move : moves)
        text += " " + move;
    return text;
}

// Plays the deal both ways; returns the difference, or an empty text.
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
    if (coinche.at(dealt.state, {"over"}) != "true") return told + " is not over";
    const std::string found = counted(coinche, dealt.state);
    const std::string expected = counted(deal, options);
    if (found != expected) return told + " comes to " + found + " and not " + expected;
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
        if (!found.empty()) break;
    }
    return seen;
}

// Sets each option to each of its values, the others unchanged; also without trump suits where the
// option concerns that.
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
