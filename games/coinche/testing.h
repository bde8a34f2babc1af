// What the tests of coinche share: the ruleset with options as text, deals to play, and a deal
// played by it and by plain code with the same choices.
#pragma once

#include "games/belote/testing.h"
#include "games/coinche/plain.h"

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

// The deal as somebody writes it by hand to have it scored.
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
        for (const char rank : kRanks) {
            if (const std::string card{rank, suit};
                !ruleset.at(state, {"hands", seat, card}).empty()) {
                hand.push_back(card_named(card));
            }
        }
    }
    return hand;
}

inline CoincheOptions with(const std::vector<std::pair<std::string, std::string>>& chosen) {
    CoincheOptions options;
    for (const auto& [name, value] : chosen) {
        options.set(name, value);
    }
    return options;
}

} // namespace croupier::plain
