// The phases of a deal, in order.
#include "games/testing/tarot.h"

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

// ---- actions ---------------------------------------------------------------------------------

void Deal::play(const std::string& move) {
    switch (phase_) {
    case Phase::Bid:
        bid(move);
        return;
    case Phase::Call: {
        called_ = card_named(move);
        for (int seat = 0; seat < options_.players; ++seat)
            if (seat != taker_ && holds(hand(seat), *called_)) partner_ = seat;
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
    for (const auto& [seat, card] : trick.cards)
        if (card.suit == suit && card.rank == highest(trick, suit)) trick.winner = seat;
    turn_ = trick.winner;
    if (hands_[0].empty()) {
        count();
        phase_ = Phase::Over;
    } else {
        tricks_.emplace_back();
    }
}

// The pack, the value of cards, and tricks.

std::string name_of(const Card& card) {
    return card.suit == 'E' ? "EX" : card.suit + std::to_string(card.rank);
}

Card card_named(const std::string& name) {
    if (name == "EX") return {};
    return {name[0], std::stoi(name.substr(1))};
}

Cards whole_pack() {
    Cards pack;
    for (const char suit : {'S', 'H', 'D', 'C'})
        for (int rank = 1; rank <= 14; ++rank)
            pack.push_back({suit, rank});
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

bool holds(const Cards& cards, const Card& card) {
    return std::find(cards.begin(), cards.end(), card) != cards.end();
}

Cards of_suit(const Cards& cards, char suit) {
    Cards found;
    for (const Card& card : cards)
        if (card.suit == suit) found.push_back(card);
    return found;
}

// The suit of a trick: that of its first card except the Excuse; 0 if there is none.
char led(const Trick& trick) {
    for (const auto& [seat, card] : trick.cards)
        if (card.suit != 'E') return card.suit;
    return 0;
}

int highest(const Trick& trick, char suit) {
    int rank = 0;
    for (const auto& [seat, card] : trick.cards)
        if (card.suit == suit) rank = std::max(rank, card.rank);
    return rank;
}

// The legal actions in each phase of a deal.

namespace {

int bid_rank(const std::string& bid) {
    static const std::vector<std::string> kBids{"prise", "garde", "garde-sans", "garde-contre"};
    return static_cast<int>(std::find(kBids.begin(), kBids.end(), bid) - kBids.begin());
}

} // namespace

std::vector<std::string> Deal::moves() const {
    std::vector<std::string> names;
    const auto list = [&](const Cards& cards) {
        for (const Card& card : cards)
            names.push_back(name_of(card));
    };
    switch (phase_) {
    case Phase::Bid:
        names.emplace_back("pass");
        for (const char* bid : {"prise", "garde", "garde-sans", "garde-contre"})
            if (bid_.empty() || bid_rank(bid) > bid_rank(bid_)) names.emplace_back(bid);
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
        for (const Card& card : cards)
            if (card == *called_ || card.suit != called_->suit) allowed.push_back(card);
        return allowed.empty() ? cards : allowed;
    }
    Cards allowed = of_suit(cards, suit);
    if (suit == 'T' || allowed.empty()) {
        allowed = of_suit(cards, 'T');
        Cards higher;
        for (const Card& card : allowed)
            if (card.rank > highest(trick, 'T')) higher.push_back(card);
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
    for (std::size_t level = 0; level < 3; ++level)
        if (trumps >= sizes_.poignee[level]) worth = 20 + 10 * static_cast<int>(level);
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

// Counts the piles at the end, and the results.

namespace {

// The player of that card, and the trick's number.
std::optional<std::pair<int, std::size_t>> played(const std::vector<Trick>& tricks,
                                                  const Card& card) {
    for (std::size_t i = 0; i < tricks.size(); ++i) {
        for (const auto& [seat, each] : tricks[i].cards)
            if (each == card) return std::pair(seat, i);
    }
    return std::nullopt;
}

} // namespace

void Deal::count() {
    const std::size_t last = tricks_.size() - 1;
    // Did one side win all tricks but the last?
    int attack_tricks = before_.tricks;
    for (std::size_t i = 0; i < last; ++i)
        attack_tricks += attacks(tricks_[i].winner) ? 1 : 0;
    const auto excuse = played(tricks_, Card{});
    const bool excuse_last = excuse && excuse->second == last;
    bool slam_by_excuse = false;
    if (excuse_last) {
        const bool attack = attacks(excuse->first);
        const bool all = attack ? attack_tricks == sizes_.tricks - 1 : attack_tricks == 0;
        slam_by_excuse = all && (options_.excuse_slam == "either" ||
                                 (options_.excuse_slam == "attack" && attack));
        if (slam_by_excuse) tricks_[last].winner = excuse->first;
    }
    const bool attack_won_last = attacks(tricks_[last].winner);
    attack_tricks += attack_won_last ? 1 : 0;

    // Two piles of cards, without the Excuse.
    int halves = before_.halves;
    int bouts = before_.bouts;
    const auto to_attack = [&](const Card& card) {
        halves += half_points(card);
        bouts += is_bout(card) ? 1 : 0;
    };
    for (const Trick& trick : tricks_) {
        for (const auto& [seat, card] : trick.cards)
            if (card.suit != 'E' && attacks(trick.winner)) to_attack(card);
    }
    for (const Card& card : aside_)
        to_attack(card);
    for (const Card& card : dog_)
        if (bid_ != "garde-contre") to_attack(card);
    // The Excuse, and the half point given in exchange.
    if (excuse) {
        const bool owner = attacks(excuse->first);
        const bool winner = attacks(tricks_[excuse->second].winner);
        bool keeper = owner;
        if (excuse_last && !slam_by_excuse)
            keeper = options_.excuse_last == "opponents" ? !owner : winner;
        if (keeper) to_attack(Card{});
        if (keeper && !winner) halves -= 1;
        if (!keeper && winner) halves += 1;
    }
    outcome_.attack_halves = halves;
    outcome_.attack_bouts = bouts;

    const auto petit = played(tricks_, {'T', 1});
    if (petit && (petit->second == last || (slam_by_excuse && petit->second + 1 == last)))
        outcome_.petit = attack_won_last ? 1 : -1;
    for (const auto& [seat, worth] : shown_)
        outcome_.poignees.push_back(attacks(seat) ? worth : -worth);
    outcome_.slam = attack_tricks == sizes_.tricks ? 1 : attack_tricks == 0 ? -1 : 0;
    outcome_.bid = bid_;
}

int per_defender(const Outcome& outcome, const Options& options) {
    const int mult = outcome.bid == "prise"        ? 1
                     : outcome.bid == "garde"      ? 2
                     : outcome.bid == "garde-sans" ? 4
                                                   : 6;
    static constexpr std::array<int, 4> kNeed{56, 51, 41, 36};
    const int gap =
        outcome.attack_halves - 2 * kNeed[static_cast<std::size_t>(outcome.attack_bouts)];
    const bool made = gap >= 0;
    const int sign = made ? 1 : -1;
    const int size = (std::abs(gap) + (options.half_to_nobody ? 0 : 1)) / 2;
    int each = sign * (25 + size) * mult;
    each += outcome.petit * 10 * mult;
    for (const int poignee : outcome.poignees)
        each += options.poignee_to_shower ? poignee : sign * std::abs(poignee);
    if (outcome.slam > 0) each += outcome.announced ? 400 : 200;
    if (outcome.slam <= 0 && outcome.announced) each -= 200;
    if (outcome.slam < 0) each -= 200;
    return each + outcome.miseres * options.misere * mult;
}

std::vector<int> Deal::scores() const {
    std::vector<int> scores(static_cast<std::size_t>(options_.players));
    if (is_void()) return scores;
    const int each = per_defender(outcome_, options_);
    const bool pair = partner_.has_value();
    for (int seat = 0; seat < options_.players; ++seat) {
        int& score = scores[static_cast<std::size_t>(seat)];
        if (seat == partner_)
            score = each;
        else if (seat == taker_)
            score = each * (options_.players - 1 - (pair ? 2 : 0));
        else
            score = -each;
    }
    return scores;
}

} // namespace croupier::tarot
