// What may be done in each phase of a deal.
#include "games/tarot/plain.h"

#include <algorithm>

namespace croupier::tarot {
namespace {

int bid_rank(const std::string& bid) {
    static const std::vector<std::string> kBids{"prise", "garde", "garde-sans", "garde-contre"};
    return static_cast<int>(std::find(kBids.begin(), kBids.end(), bid) - kBids.begin());
}

} // namespace

using Cards = std::vector<Card>;

std::vector<std::string> Deal::moves() const {
    std::vector<std::string> names;
    const auto list = [&](const Cards& cards) {
        for (const Card& card : cards)
            names.push_back(name_of(card));
    };
    switch (phase_) {
    case Phase::Bid:
        names.emplace_back("pass");
        for (const char* bid : {"prise", "garde", "garde-sans", "garde-contre"}) {
            if (bid_.empty() || bid_rank(bid) > bid_rank(bid_)) names.emplace_back(bid);
        }
        break;
    case Phase::Call:
        list(callable());
        break;
    case Phase::Aside:
        list(discardable());
        break;
    case Phase::Slam:
        return {"chelem", "play"};
    case Phase::Play:
        if (options_.manual_poignee && may_show(turn_)) return {"show", "hide"};
        list(playable());
        break;
    case Phase::Over:
        break;
    }
    return names;
}

Cards Deal::callable() const {
    Cards cards;
    for (int rank = 14; rank >= 11; --rank) {
        bool all = true;
        for (const char suit : {'S', 'H', 'D', 'C'}) {
            cards.push_back({suit, rank});
            all = all && holds(hand(taker_), {suit, rank});
        }
        if (!all) break;
    }
    return cards;
}

Cards Deal::discardable() const {
    Cards plain;
    Cards trumps;
    for (const Card& card : hand(taker_)) {
        if (is_bout(card) || (card.suit != 'T' && card.rank == 14)) continue;
        (card.suit == 'T' ? trumps : plain).push_back(card);
    }
    const std::size_t missing = static_cast<std::size_t>(sizes_.dog) - aside_.size();
    Cards cards = plain;
    if (plain.size() < missing) cards.insert(cards.end(), trumps.begin(), trumps.end());
    return cards;
}

Cards Deal::playable() const {
    const Cards& cards = hand(turn_);
    const Trick& trick = tricks_.back();
    const char suit = led(trick);
    if (suit == 0) {
        const bool opening = tricks_.size() == 1 && trick.cards.empty() && called_;
        if (!opening || options_.called_suit_lead_free) return cards;
        Cards allowed;
        for (const Card& card : cards) {
            if (card == *called_ || card.suit != called_->suit) allowed.push_back(card);
        }
        return allowed.empty() ? cards : allowed;
    }
    Cards allowed = of_suit(cards, suit);
    if (suit == 'T' || allowed.empty()) {
        allowed = of_suit(cards, 'T');
        Cards higher;
        for (const Card& card : allowed) {
            if (card.rank > highest(trick, 'T')) higher.push_back(card);
        }
        if (!higher.empty()) allowed = higher;
    }
    if (allowed.empty()) return cards;
    if (holds(cards, Card{})) allowed.push_back({});
    return allowed;
}

// ---- poignées and misères --------------------------------------------------------------------

int Deal::poignee_of(int seat) const {
    int trumps = 0;
    for (const Card& card : hand(seat))
        trumps += card.suit == 'T' || card.suit == 'E' ? 1 : 0;
    if (seat == taker_) trumps += static_cast<int>(of_suit(aside_, 'T').size());
    int worth = 0;
    for (std::size_t level = 0; level < 3; ++level) {
        if (trumps >= sizes_.poignee[level]) worth = 20 + 10 * static_cast<int>(level);
    }
    return worth;
}

bool Deal::may_show(int seat) const {
    return !asked_[static_cast<std::size_t>(seat)] && poignee_of(seat) > 0;
}

void Deal::show(int seat) {
    shown_.emplace_back(seat, poignee_of(seat));
}

void Deal::note_miseres() {
    for (int seat = 0; seat < options_.players; ++seat) {
        Cards cards = hand(seat);
        if (seat == taker_) cards.insert(cards.end(), aside_.begin(), aside_.end());
        const bool trumps = !of_suit(cards, 'T').empty() || holds(cards, Card{});
        const bool courts = std::any_of(cards.begin(), cards.end(), [](const Card& card) {
            return card.suit != 'T' && card.rank > 10;
        });
        if (!trumps || !courts) outcome_.miseres += attacks(seat) ? 1 : -1;
    }
}

} // namespace croupier::tarot
