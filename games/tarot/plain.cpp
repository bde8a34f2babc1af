// The phases of a deal one after the other.
#include "games/tarot/plain.h"

#include <algorithm>
#include <utility>

namespace croupier::tarot {
namespace {

using Cards = std::vector<Card>;

void take(Cards& cards, const Card& card) {
    cards.erase(std::find(cards.begin(), cards.end(), card));
}

} // namespace

Deal::Deal(Options options, int dealer)
    : options_(std::move(options)), sizes_(sizes_of(options_.players)), dealer_(dealer),
      turn_((dealer + 1) % options_.players) {}

void Deal::deal(const Cards& pack) {
    std::vector<Cards> hands(static_cast<std::size_t>(options_.players));
    Cards dog;
    std::size_t next = 0;
    for (int round = 0; round * sizes_.packet < sizes_.tricks; ++round) {
        for (int i = 0; i < options_.players; ++i) {
            Cards& to = hands[static_cast<std::size_t>((dealer_ + 1 + i) % options_.players)];
            for (int card = 0; card < sizes_.packet; ++card)
                to.push_back(pack[next++]);
            if (i == 0 && round < sizes_.dog) dog.push_back(pack[next++]);
        }
    }
    dealt(std::move(hands), std::move(dog));
}

void Deal::dealt(std::vector<Cards> hands, Cards dog) {
    hands_ = std::move(hands);
    dog_ = std::move(dog);
    asked_.assign(hands_.size(), false);
    for (const Cards& cards : hands_) {
        const bool petit_sec =
            holds(cards, {'T', 1}) && of_suit(cards, 'T').size() == 1 && !holds(cards, Card{});
        if (petit_sec && !options_.play_petit_sec) phase_ = Phase::Over;
    }
}

void Deal::ending(std::vector<Cards> hands, int turn, int taker, const std::string& bid,
                  std::optional<int> partner, const Before& before) {
    hands_ = std::move(hands);
    asked_.assign(hands_.size(), true);
    turn_ = turn;
    taker_ = taker;
    bid_ = bid;
    partner_ = partner;
    before_ = before;
    phase_ = Phase::Play;
    tricks_.emplace_back();
}

// ---- doing it --------------------------------------------------------------------------------

void Deal::play(const std::string& move) {
    switch (phase_) {
    case Phase::Bid:
        bid(move);
        return;
    case Phase::Call: {
        called_ = card_named(move);
        for (int seat = 0; seat < options_.players; ++seat) {
            if (seat != taker_ && holds(hand(seat), *called_)) partner_ = seat;
        }
        after_auction();
        return;
    }
    case Phase::Aside:
        take(hand(taker_), card_named(move));
        aside_.push_back(card_named(move));
        if (static_cast<int>(aside_.size()) == sizes_.dog) phase_ = Phase::Slam;
        return;
    case Phase::Slam:
        begin(move == "chelem");
        return;
    case Phase::Play:
        if (move == "show") show(turn_);
        if (move == "show" || move == "hide") {
            asked_[static_cast<std::size_t>(turn_)] = true;
            return;
        }
        play_card(card_named(move));
        return;
    case Phase::Over:
        return;
    }
}

void Deal::bid(const std::string& move) {
    if (move != "pass") {
        bid_ = move;
        taker_ = turn_;
    }
    turn_ = (turn_ + 1) % options_.players;
    if (++spoken_ < options_.players) return;
    if (taker_ < 0) {
        phase_ = Phase::Over;
        return;
    }
    turn_ = taker_;
    phase_ = Phase::Call;
    if (options_.players != 5) after_auction();
}

void Deal::after_auction() {
    phase_ = Phase::Slam;
    if (bid_ == "prise" || bid_ == "garde") {
        hand(taker_).insert(hand(taker_).end(), dog_.begin(), dog_.end());
        dog_.clear();
        phase_ = Phase::Aside;
    }
}

void Deal::begin(bool announced) {
    outcome_.announced = announced;
    turn_ = announced ? taker_ : (dealer_ + 1) % options_.players;
    phase_ = Phase::Play;
    tricks_.emplace_back();
    note_miseres();
}

void Deal::play_card(const Card& card) {
    const auto seat = static_cast<std::size_t>(turn_);
    if (!options_.manual_poignee && may_show(turn_)) show(turn_);
    asked_[seat] = true;
    take(hands_[seat], card);
    tricks_.back().cards.emplace_back(turn_, card);
    turn_ = (turn_ + 1) % options_.players;
    if (static_cast<int>(tricks_.back().cards.size()) == options_.players) end_trick();
}

void Deal::end_trick() {
    Trick& trick = tricks_.back();
    const char suit = highest(trick, 'T') > 0 ? 'T' : led(trick);
    for (const auto& [seat, card] : trick.cards) {
        if (card.suit == suit && card.rank == highest(trick, suit)) trick.winner = seat;
    }
    turn_ = trick.winner;
    if (hands_[0].empty()) {
        count();
        phase_ = Phase::Over;
    } else {
        tricks_.emplace_back();
    }
}

} // namespace croupier::tarot
