// An agent for Belote written in C++ as one writes it without rules: ifs, and no memory. What
// agents of rules are compared with.
#pragma once

#include "agents/registry.h"

#include <array>
#include <string_view>
#include <vector>

namespace croupier::agents {

class IfsAgent : public Agent {
  public:
    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;

  private:
    struct Card {
        std::size_t move = 0; // its index, where it is a legal move
        char rank = 0;
        char suit = 0;
        bool trump = false;
        int points = 0;
        int height = 0; // among cards of its suit
    };
    // What the position says.
    struct Table {
        std::string_view phase;
        char trump = 0;
        bool leads = false;
        bool last = false; // to play to the trick
        bool partner_holds = false;
        bool attacks = false; // he or his partner has taken
        bool took = false;    // himself
        Card best;            // holds the trick
        std::vector<Card> hand;
        std::vector<Card> cards; // that he may play
    };

    [[nodiscard]] static Card card(std::string_view name, char trump);
    [[nodiscard]] Table read(const engine::Document& state, const Position& view) const;
    [[nodiscard]] static std::size_t bid(const Table& table, const engine::Document& state,
                                         const Position& view);
    [[nodiscard]] static bool would_take(const Table& table, char trump, char turned_rank);
    [[nodiscard]] static const Card& lead(const Table& table);
    [[nodiscard]] static const Card& follow(const Table& table);
    [[nodiscard]] static bool beats(const Card& card, const Card& best);
    [[nodiscard]] static const Card& cheapest(const std::vector<Card>& cards);

    std::array<std::string_view, 4> players_{};
    Seat me_ = 0;
};

MadeAgent make_ifs_agent(const AgentSpec& spec, const Surroundings& surroundings);

} // namespace croupier::agents
