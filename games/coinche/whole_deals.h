// Whole deals, from the auction to the score, by the ruleset and by plain code with the same choices.
#pragma once

#include "games/coinche/testing.h"

namespace croupier::plain {

// Hands with more runs, carrés and capots than a shuffled pack has: ordered packs, cut and disturbed.
inline std::array<std::vector<Card>, 4> uneven_hands(engine::Random& random) {
    std::vector<Card> pack;
    pack.reserve(32);
    const bool by_rank = random.below(2) == 0;
    for (int i = 0; i < 32; ++i) {
        pack.push_back(by_rank ? Card{i % 4, i / 4} : Card{i / 8, i % 8});
    }
    std::rotate(pack.begin(), pack.begin() + static_cast<std::ptrdiff_t>(random.below(32)),
                pack.end());
    for (std::uint64_t swaps = random.below(24); swaps > 0; --swaps) {
        std::swap(pack[random.below(32)], pack[random.below(32)]);
    }
    std::array<std::vector<Card>, 4> hands;
    for (std::size_t i = 0; i < pack.size(); ++i) {
        hands[i / 8].push_back(pack[i]);
    }
    std::swap(hands[0], hands[random.below(4)]);
    return hands;
}

inline std::vector<Card> hand_of(Belote& ruleset, const State& state, const std::string& seat) {
    std::vector<Card> hand;
    for (const char suit : kSuits) {
        for (const char rank : kRanks) {
            if (const std::string card{rank, suit};
                !ruleset.at(state, {"hands", seat, card}).empty()) {
                hand.push_back(card_named(card));
            }
        }
    }
    return hand;
}

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

inline void expect_same_deal(Coinche& coinche, const CoincheOptions& options, std::uint64_t seed,
                             Seen& seen) {
    engine::Random random(seed);
    State state = coinche.deal(seed);
    std::array<std::vector<Card>, 4> hands;
    int dealer = 0;
    if (seed % 2 == 0) {
        hands = uneven_hands(random);
        dealer = static_cast<int>(random.below(4));
        Position position;
        position.hands = hands;
        std::string json = position_json(position);
        json = "{\"phase\": \"bid\", \"dealer\": " + seat_name(dealer) +
               ", \"turn\": " + seat_name((dealer + 1) % 4) + ", " +
               json.substr(json.find("\"hands\""));
        json = json.substr(0, json.find(", \"trick\"")) + "}";
        state = coinche.position(json);
    } else {
        for (const std::size_t seat : {0, 1, 2, 3}) {
            hands[seat] = hand_of(coinche, state, std::string(1, kSeats[seat]));
        }
    }
    CoincheDeal deal(options, dealer, hands);
    std::string told = "seed " + std::to_string(seed);
    while (!deal.over()) {
        ASSERT_EQ(coinche.at(state, {"turn"}), seat_name(deal.turn())) << told;
        const std::set<std::string> moves = deal.legal();
        ASSERT_EQ(coinche.moves(state), moves) << told;
        const std::string move = any_move(moves, deal.bidding(), random);
        told += " " + move;
        deal.play(move);
        coinche.play(state, move);
    }
    ASSERT_EQ(coinche.at(state, {"over"}), "true") << told;
    const std::array<int, 2> scored = coinche.marks(state);
    if (deal.passed_out()) {
        EXPECT_EQ(scored, (std::array<int, 2>{})) << told;
        return;
    }
    const PlayedCoinche& played = deal.played();
    for (const std::size_t team : {0, 1}) {
        const std::string& name = team_name(team);
        ASSERT_EQ(coinche.number(state, {"taken", name, "points"}), played.points[team]) << told;
        ASSERT_EQ(coinche.number(state, {"taken", name, "tricks"}), played.tricks[team]) << told;
        ASSERT_EQ(coinche.number(state, {"belote", name}), played.belote[team]) << told;
        ASSERT_EQ(coinche.number(state, {"announced", name}), played.announced[team]) << told;
    }
    ASSERT_EQ(scored, coinche_marks(played, options)) << told;
    const bool made = is_made(played, options);
    ASSERT_EQ(coinche.at(state, {"result"}), made ? "\"made\"" : "\"failed\"") << told;
    ++(made ? seen.made : seen.failed);
    seen.doubled_and_made += made && played.contract.times > 1 ? 1 : 0;
    seen.announced += played.announced[0] + played.announced[1] > 0 ? 1 : 0;
}

inline Seen expect_same_deals(const CoincheOptions& options, std::uint64_t first, int deals) {
    Coinche coinche(options);
    Seen seen;
    for (int i = 0; i < deals && !testing::Test::HasFatalFailure(); ++i) {
        expect_same_deal(coinche, options, first + static_cast<std::uint64_t>(i), seen);
    }
    return seen;
}

// Each option set to each of its values, the others as they are; without trump suits too, where that
// is what the option is about.
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
