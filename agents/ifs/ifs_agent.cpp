// An agent for Belote in plain C++, without rules and memory: the reference for agents of rules. It
// plays like a player who does not count cards: bids on good trumps, draws them, cashes aces, gives
// the partner points, ruffs low.
#include "agents/arguments.h"
#include "agents/registry.h"
#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace croupier::agents {
namespace {

constexpr std::string_view kRanks = "789JQKTA"; // in order of strength
constexpr std::string_view kTrumpRanks = "78QKTA9J";
constexpr std::array<int, 8> kPoints = {0, 0, 0, 2, 3, 4, 10, 11};
constexpr std::array<int, 8> kTrumpPoints = {0, 0, 3, 4, 10, 11, 14, 20};
constexpr std::string_view kSuits = "SHDC";

std::string_view word_at(const engine::Document& state, std::string_view key) {
    const engine::Member* const member = state.find(key);
    return member == nullptr ? std::string_view() : member->value.text();
}

bool names_card(std::string_view name) {
    return name.size() == 2 && kRanks.find(name[0]) != std::string_view::npos &&
           kSuits.find(name[1]) != std::string_view::npos;
}

class IfsAgent : public Agent {
  public:
    void reset(const Game& game, Seat me) override {
        me_ = me;
        for (std::size_t seat = 0; seat < players_.size(); ++seat)
            players_[seat] = game.facts().players[seat];
    }

    std::size_t choose(const Position& view, Random&) override {
        if (view.move_count() == 1) return 0;
        const engine::Document state = view.state();
        const Table table = read(state, view);
        if (table.cards.empty()) return bid(table, state, view);
        return (table.leads ? lead(table) : follow(table)).move;
    }

  private:
    struct Card {
        std::size_t move = 0; // its index, if it is legal
        char rank = 0;
        char suit = 0;
        bool trump = false;
        int points = 0;
        int height = 0; // rank within its suit
    };
    // The relevant parts of the position.
    struct Table {
        std::string_view phase;
        char trump = 0;
        bool leads = false;
        bool last = false; // last to play to the trick
        bool partner_holds = false;
        bool attacks = false; // the player or the partner has taken
        bool took = false;    // the player has taken
        Card best;            // winning the trick
        std::vector<Card> hand;
        std::vector<Card> cards; // that the player may play
    };

    [[nodiscard]] static Card card(std::string_view name, char trump) {
        Card card{.rank = name[0], .suit = name[1], .trump = name[1] == trump};
        const std::size_t height = (card.trump ? kTrumpRanks : kRanks).find(card.rank);
        card.height = static_cast<int>(height);
        card.points = (card.trump ? kTrumpPoints : kPoints)[height];
        return card;
    }

    [[nodiscard]] Table read(const engine::Document& state, const Position& view) const {
        Table table;
        table.phase = word_at(state, "phase");
        const std::string_view trump = word_at(state, "trump");
        if (!trump.empty()) table.trump = trump[0];
        const std::string_view partner = players_[(me_ + 2) % 4];
        const std::string_view taker = word_at(state, "taker");
        table.took = taker == players_[me_];
        table.attacks = table.took || taker == partner;
        table.leads = word_at(state, "led").empty();
        if (!table.leads) {
            table.partner_holds = word_at(state, "holder") == partner;
            table.best = card(word_at(state, "best"), table.trump);
            const engine::Member* const trick = state.find("trick");
            table.last = trick != nullptr && trick->value.members.size() == 3;
        }
        if (const engine::Member* const hands = state.find("hands")) {
            const engine::Member* const mine = hands->value.find(players_[me_]);
            if (mine != nullptr)
                for (const engine::Member& each : mine->value.members)
                    table.hand.push_back(card(each.key, table.trump));
        }
        for (std::size_t i = 0; i < view.move_count(); ++i) {
            const std::string_view name = view.text(view.move(i));
            if (!names_card(name)) continue;
            table.cards.push_back(card(name, table.trump));
            table.cards.back().move = i;
        }
        return table;
    }

    // Chooses a move that is not a card: a bid or an announcement.
    [[nodiscard]] static std::size_t bid(const Table& table, const engine::Document& state,
                                         const Position& view) {
        std::size_t pass = 0;
        for (std::size_t i = 0; i < view.move_count(); ++i) {
            const std::string_view name = view.text(view.move(i));
            if (name == "show") return i;
            if (name == "pass") pass = i;
            if (name == "take") {
                const std::string_view turned = word_at(state, "turned");
                if (would_take(table, turned[1], turned[0])) return i;
            }
            if (name.size() == 1 && would_take(table, name[0], 0)) return i;
        }
        return pass;
    }

    // Needs the jack or the nine, and three trumps or an ace beside them.
    [[nodiscard]] static bool would_take(const Table& table, char trump, char turned_rank) {
        int trumps = 0;
        int aces = 0;
        bool jack = turned_rank == 'J';
        bool nine = turned_rank == '9';
        if (turned_rank != 0) ++trumps;
        for (const Card& each : table.hand) {
            if (each.suit == trump) {
                ++trumps;
                if (each.rank == 'J') jack = true;
                if (each.rank == '9') nine = true;
            } else if (each.rank == 'A') {
                ++aces;
            }
        }
        if (jack && nine) return true;
        if (jack && trumps >= 3) return true;
        if (nine && trumps >= 3 && aces > 0) return true;
        return trumps >= 5;
    }

    [[nodiscard]] static const Card& lead(const Table& table) {
        if (table.attacks) {
            for (const Card& each : table.cards)
                if (each.trump && each.rank == 'J') return each;
            for (const Card& each : table.cards)
                if (each.trump && each.rank == '9' && table.took) return each;
        }
        for (const Card& each : table.cards)
            if (!each.trump && each.rank == 'A') return each;
        return cheapest(table.cards);
    }

    [[nodiscard]] static const Card& follow(const Table& table) {
        const bool sure = table.last || (table.best.trump && table.best.rank == 'J') ||
                          (!table.best.trump && table.best.rank == 'A');
        if (table.partner_holds) {
            if (!sure) return cheapest(table.cards);
            const Card* most = nullptr;
            for (const Card& each : table.cards) {
                if (each.trump || each.rank == 'A') continue;
                if (most == nullptr || each.points > most->points) most = &each;
            }
            return most == nullptr ? cheapest(table.cards) : *most;
        }
        std::vector<Card> winners;
        for (const Card& each : table.cards)
            if (beats(each, table.best)) winners.push_back(each);
        if (winners.empty()) return cheapest(table.cards);
        const Card* chosen = nullptr;
        for (const Card& each : winners) {
            if (each.trump) continue;
            if (each.rank != 'A' && !table.last) continue;
            if (chosen == nullptr || each.points > chosen->points) chosen = &each;
        }
        if (chosen == nullptr && std::ranges::all_of(winners, &Card::trump))
            chosen = &cheapest(winners);
        if (chosen == nullptr) return cheapest(table.cards);
        const std::size_t move = chosen->move;
        return *std::ranges::find(table.cards, move, &Card::move);
    }

    [[nodiscard]] static bool beats(const Card& card, const Card& best) {
        if (card.suit == best.suit) return card.height > best.height;
        return card.trump;
    }

    // The card with the fewest points; among these the lowest, preferably not a trump.
    [[nodiscard]] static const Card& cheapest(const std::vector<Card>& cards) {
        return *std::ranges::min_element(cards, [](const Card& a, const Card& b) {
            if (a.trump != b.trump) return b.trump;
            if (a.points != b.points) return a.points < b.points;
            return a.height < b.height;
        });
    }

    std::array<std::string_view, 4> players_{};
    Seat me_ = 0;
};

} // namespace

MadeAgent make_ifs_agent(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    made.error = Arguments(spec).error();
    if (made.error.empty() && services.game.facts().name != "belote")
        made.error = fmt::format("ifs plays belote, not {}", services.game.facts().title());
    if (made.error.empty()) made.agent = std::make_unique<IfsAgent>();
    return made;
}

} // namespace croupier::agents
