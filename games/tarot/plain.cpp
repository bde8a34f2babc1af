// The phases of a deal one after the other, and what may be done in each.
#include "games/tarot/plain.h"

#include <algorithm>
#include <utility>

namespace croupier::tarot {
namespace {

using Cards = std::vector<Card>;

bool holds(const Cards& cards, const Card& card) {
    return std::find(cards.begin(), cards.end(), card) != cards.end();
}

void take(Cards& cards, const Card& card) {
    cards.erase(std::find(cards.begin(), cards.end(), card));
}

Cards of_suit(const Cards& cards, char suit) {
    Cards found;
    for (const Card& card : cards) {
        if (card.suit == suit) found.push_back(card);
    }
    return found;
}

// The suit of a trick: that of its first card that is not the Excuse; 0 if there is none.
char led(const Trick& trick) {
    for (const auto& [seat, card] : trick.cards) {
        if (card.suit != 'E') return card.suit;
    }
    return 0;
}

int highest(const Trick& trick, char suit) {
    int rank = 0;
    for (const auto& [seat, card] : trick.cards) {
        if (card.suit == suit) rank = std::max(rank, card.rank);
    }
    return rank;
}

int bid_rank(const std::string& bid) {
    static const std::vector<std::string> kBids{"prise", "garde", "garde-sans", "garde-contre"};
    return static_cast<int>(std::find(kBids.begin(), kBids.end(), bid) - kBids.begin());
}

} // namespace

std::string name_of(const Card& card) {
    return card.suit == 'E' ? "EX" : card.suit + std::to_string(card.rank);
}

Card card_named(const std::string& name) {
    if (name == "EX") return {};
    return {name[0], std::stoi(name.substr(1))};
}

Cards whole_pack() {
    Cards pack;
    for (const char suit : {'S', 'H', 'D', 'C'}) {
        for (int rank = 1; rank <= 14; ++rank)
            pack.push_back({suit, rank});
    }
    for (int rank = 1; rank <= 21; ++rank)
        pack.push_back({'T', rank});
    pack.push_back({});
    return pack;
}

bool is_bout(const Card& card) {
    return card.suit == 'E' || (card.suit == 'T' && (card.rank == 1 || card.rank == 21));
}

int half_points(const Card& card) {
    if (is_bout(card)) return 9;
    if (card.suit == 'T' || card.rank <= 10) return 1;
    return 2 * (card.rank - 10) + 1;
}

Sizes sizes_of(int players) {
    if (players == 3) return {4, 6, 24, {13, 15, 18}};
    if (players == 5) return {3, 3, 15, {8, 10, 13}};
    return {};
}

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

// ---- what may be done ------------------------------------------------------------------------

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
