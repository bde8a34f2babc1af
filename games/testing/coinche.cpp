// The auction step by step, and play with no suit or every suit as trump.
#include "games/testing/coinche.h"

#include "games/testing/belote.h"

#include <algorithm>

namespace croupier::plain {

namespace {

const std::vector<std::string> kDenominations{"C", "D", "H", "S", "SA", "TA"}; // upwards

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

bool begins_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

int rank_of(const std::string& denomination) {
    return static_cast<int>(std::find(kDenominations.begin(), kDenominations.end(), denomination) -
                            kDenominations.begin());
}

Rules rules_of(const CoincheOptions& options) {
    Rules rules;
    rules.trump_lead_exempt = options.text("trump_lead_partner") == "exempt";
    rules.partner_winning = options.text("partner_winning") == "free" ? Rules::Partner::Free
                            : options.text("partner_winning") == "no_undertrump"
                                ? Rules::Partner::NoUndertrump
                                : Rules::Partner::MustTrump;
    rules.may_discard = options.text("undertrump") == "may_discard";
    rules.king_first = options.text("belote_order") == "king_first";
    return rules;
}

} // namespace

std::string CoincheOptions::text(const std::string& name) const {
    const auto found = chosen_.find(name);
    if (found != chosen_.end()) return found->second;
    const auto& all = coinche_choices();
    return std::find_if(all.begin(), all.end(), [&](const Choice& one) { return one.name == name; })
        ->values.front();
}

CoincheDeal::CoincheDeal(const CoincheOptions& options, int dealer,
                         const std::array<std::vector<Card>, 4>& hands)
    : options_(options), dealer_(dealer), speaker_((dealer + 1) % 4) {
    position_.hands = hands;
}

std::set<std::string> CoincheDeal::legal() const {
    if (bidding_) return legal_calls();
    std::set<std::string> names;
    for (const Card& card : legal_cards())
        names.insert(name_of(card));
    return names;
}

void CoincheDeal::play(const std::string& move) {
    if (bidding_)
        call(move);
    else
        play_card(card_named(move));
}

// ---- the auction -----------------------------------------------------------------------------

std::set<std::string> CoincheDeal::legal_calls() const {
    const Contract& contract = played_.contract;
    std::set<std::string> calls{"pass"};
    const bool ours = contract.value > 0 && contract.by % 2 == speaker_ % 2;
    if (!ours && may_be_doubled()) calls.insert("coinche");
    if (ours && contract.times == 2) calls.insert("surcoinche");
    const bool frozen = contract.times == 2 && options_.yes("coinche_freezes");
    if (asked_before_ < 0 && !frozen) add_bids(calls);
    return calls;
}

bool CoincheDeal::may_be_doubled() const {
    const Contract& contract = played_.contract;
    const bool capot = contract.value >= options_.number("capot_bid");
    return contract.value > 0 && contract.times == 1 && (!capot || options_.yes("capot_doublable"));
}

void CoincheDeal::add_bids(std::set<std::string>& calls) const {
    const Contract& contract = played_.contract;
    const int capot = options_.number("capot_bid");
    const bool raises_himself =
        contract.value > 0 && contract.by == speaker_ && contract.times == 1;
    for (const std::string& denomination : kDenominations) {
        const bool suit = denomination.size() == 1;
        if ((!suit && options_.text("sa_ta") == "off") ||
            (raises_himself && denomination == contract.denomination))
            continue;
        for (int value = options_.number("min_bid");
             value <= options_.number("max_bid") && value < capot; value += 10) {
            const bool same_but_higher = options_.text("suit_rank") != "none" &&
                                         value == contract.value &&
                                         rank_of(denomination) > rank_of(contract.denomination);
            if (value > contract.value || same_but_higher)
                calls.insert(std::to_string(value) + denomination);
        }
        if (contract.value < capot) calls.insert("capot" + denomination);
        if (contract.value < 500 && options_.text("generale") == "on")
            calls.insert("generale" + denomination);
    }
}

void CoincheDeal::call(const std::string& word) {
    Contract& contract = played_.contract;
    if (word == "pass") {
        pass();
    } else if (word == "coinche") {
        contract.times = 2;
        asked_before_ = -1;
        passes_ = 0;
        speaker_ = (speaker_ + 1) % 4;
    } else if (word == "surcoinche") {
        contract.times = 4;
        begin_play();
    } else {
        bid(word);
    }
}

void CoincheDeal::bid(const std::string& word) {
    Contract& contract = played_.contract;
    const auto suit = word.find_last_not_of("SHDCTA") + 1;
    contract.denomination = word.substr(suit);
    contract.value = begins_with(word, "capot")      ? options_.number("capot_bid")
                     : begins_with(word, "generale") ? 500
                                                     : std::stoi(word);
    contract.by = speaker_;
    contract.times = 1;
    passes_ = 0;
    speaker_ = (speaker_ + 1) % 4;
    if (options_.yes("coinche_any_time") && may_be_doubled()) {
        asked_before_ = speaker_;
        speaker_ = (speaker_ + 2) % 4;
    }
}

void CoincheDeal::pass() {
    const Contract& contract = played_.contract;
    if (asked_before_ >= 0) {
        speaker_ = asked_before_;
        asked_before_ = -1;
        return;
    }
    ++passes_;
    if (contract.value == 0) {
        over_ = passes_ == 4;
        bidding_ = !over_;
    } else if (contract.times == 2 && options_.yes("coinche_freezes")) {
        speaker_ = (speaker_ + 2) % 4; // only seats that have bid
        if (passes_ == 2) begin_play();
        return;
    } else {
        const bool once_more = contract.times == 1 && options_.yes("self_raise_other_suit");
        if (passes_ == (once_more ? 4 : 3)) {
            begin_play();
            return;
        }
    }
    speaker_ = (speaker_ + 1) % 4;
}

// ---- the cards -------------------------------------------------------------------------------

void CoincheDeal::begin_play() {
    const Contract& contract = played_.contract;
    bidding_ = false;
    position_.turn = (dealer_ + 1) % 4;
    if (contract.value == 500 && options_.text("generale_leads") == "bidder")
        position_.turn = contract.by;
    const bool suit = contract.denomination.size() == 1;
    position_.trump = suit ? static_cast<int>(kSuits.find(contract.denomination)) : -1;
    if (options_.text("annonces") == "on") {
        AnnonceRules rules;
        rules.reuse_cards = options_.yes("reuse_cards");
        rules.ten_before_king = options_.text("carre_100_order") == "A 10 K Q";
        rules.first_of_equals = options_.text("annonce_tie") == "first";
        rules.without_trump = contract.denomination == "SA" && options_.text("sa_carres") == "ffb";
        played_.announced = announced(position_.hands, position_.trump, position_.turn, rules);
    }
}

std::vector<Card> CoincheDeal::legal_cards() const {
    if (played_.contract.denomination != "TA" || !position_.led)
        return legal_moves(position_, rules_of(options_));
    std::vector<Card> of_suit;
    std::vector<Card> higher;
    const std::vector<Card>& hand = position_.hands[index(position_.turn)];
    for (const Card& card : hand) {
        if (card.suit == *position_.led) {
            of_suit.push_back(card);
            if (trump_height(card) > trump_height(position_.best)) higher.push_back(card);
        }
    }
    const bool partner_holds = position_.holder == (position_.turn + 2) % 4;
    if (partner_holds && options_.text("ta_partner") == "exempt") higher.clear();
    return !higher.empty() ? higher : !of_suit.empty() ? of_suit : hand;
}

void CoincheDeal::play_card(const Card& card) {
    constexpr int kQueen = 5;
    constexpr int kKing = 6;
    const bool all_trump = played_.contract.denomination == "TA";
    const int player = position_.turn;
    const std::vector<Card>& hand = position_.hands[index(player)];
    if ((card.suit == position_.trump || all_trump) &&
        (card.rank == kQueen || card.rank == kKing)) {
        const Card mate{card.suit, card.rank == kQueen ? kKing : kQueen};
        const bool both = std::find(hand.begin(), hand.end(), mate) != hand.end();
        const bool counts =
            options_.text("belote_by") == "all" || player % 2 == played_.contract.by % 2;
        const bool in_order = card.rank == kKing || options_.text("belote_order") == "any";
        if (both && counts && in_order) played_.belote[index(player % 2)] += 20;
    }
    if (trick_.size() == 4) trick_.clear();
    trick_.push_back({player, card});
    Position before = position_;
    if (all_trump) {
        // Without trumps, treat the suit led as trump for this trick: no other suit can win it.
        position_.trump = position_.led ? *position_.led : card.suit;
    }
    plain::play(position_, card);
    position_.trump = before.trump;
    if (trick_.size() == 4) take_trick(trick_);
}

void CoincheDeal::take_trick(const std::vector<Played>& trick) {
    const int winner = position_.turn;
    played_.last = winner % 2;
    ++played_.tricks[index(winner % 2)];
    for (const Played& each : trick)
        played_.points[index(winner % 2)] += points_of(each.card);
    played_.alone = played_.alone && winner == played_.contract.by;
    over_ = is_over(position_);
}

int CoincheDeal::points_of(const Card& card) const {
    static constexpr std::array<int, 8> kAllTrump{0, 0, 9, 5, 14, 1, 3, 6};
    static constexpr std::array<int, 8> kAllTrump2015{0, 0, 9, 5, 13, 2, 3, 6};
    constexpr int kAce = 7;
    const std::string& denomination = played_.contract.denomination;
    if (denomination == "SA" && options_.text("sa_values") == "A19" && card.rank == kAce) return 19;
    if (denomination == "TA") {
        const std::string values = options_.text("ta_values");
        return values == "J14"       ? kAllTrump[index(card.rank)]
               : values == "ffb2015" ? kAllTrump2015[index(card.rank)]
                                     : card_points(card, card.suit);
    }
    return card_points(card, position_.trump);
}

// The options, and the score of a deal case by case.

namespace {

// Points on the scale of 162, or 252 for all tricks.
int scaled(const PlayedCoinche& deal, int team, const CoincheOptions& options) {
    if (deal.tricks[index(team)] == 8) return 252;
    const int points = deal.points[index(team)] + (deal.last == team ? 10 : 0);
    const std::string& denomination = deal.contract.denomination;
    const int pack = denomination == "SA" && options.text("sa_values") == "raw"          ? 130
                     : denomination == "TA" && options.text("ta_values") == "convert258" ? 258
                                                                                         : 162;
    return (2 * points * 162 + pack) / (2 * pack); // half up
}

std::array<int, 2> validated(const PlayedCoinche& deal, const CoincheOptions& options) {
    std::array<int, 2> sums = deal.announced;
    for (const std::size_t team : {0, 1}) {
        if (deal.tricks[team] == 8 && options.yes("capot_takes_annonces")) {
            sums[team] += sums[1 - team];
            sums[1 - team] = 0;
        }
    }
    return sums;
}

bool is_capot(const PlayedCoinche& deal, const CoincheOptions& options) {
    return deal.contract.value >= options.number("capot_bid");
}

// The score of the winner of a contract that failed or was doubled, without belote.
int won(const PlayedCoinche& deal, const CoincheOptions& options) {
    const Contract& contract = deal.contract;
    const bool made = is_made(deal, options);
    const int winner = made ? contract.by % 2 : 1 - contract.by % 2;
    const bool all_tricks = deal.tricks[index(winner)] == 8;
    const int times = contract.times == 4 ? options.number("surcoinche") : contract.times;
    const std::array<int, 2> bonus = validated(deal, options);
    const bool everything = options.text("double") == "all";
    if (options.text("method") == "bid_only") return contract.value * times;
    if (options.text("method") == "made") {
        const int extra = (bonus[0] + bonus[1]) * (everything ? times : 1);
        if (is_capot(deal, options)) return 500 * times + extra;
        return options.number("fail_base") * times + (times > 1 && all_tricks ? 100 : 0) + extra;
    }
    const bool as_capot = all_tricks || (is_capot(deal, options) &&
                                         (made || options.text("capot_fail_base") == "capot"));
    int points = options.number(as_capot ? "capot_base" : "fail_base") + bonus[0] + bonus[1];
    if (made && options.text("doubled_points") == "points") {
        points = (all_tricks ? options.number("capot_base") : scaled(deal, winner, options)) +
                 bonus[index(winner)];
    }
    return everything ? (points + contract.value) * times : points + contract.value * times;
}

int rounded(int points, const CoincheOptions& options) {
    const std::string how = options.text("rounding");
    if (how == "none") return points;
    const int units = points % 10;
    return points - units + (units > 5 || (units == 5 && how == "5up") ? 10 : 0);
}

} // namespace

const std::vector<Choice>& coinche_choices() {
    static const std::vector<Choice> kChoices{
        {"packets", {"3-2-3", "3-3-2", "2-3-3"}},
        {"min_bid", {"80", "90"}},
        {"max_bid", {"160", "180", "260"}},
        {"capot_bid", {"250", "270"}},
        {"suit_rank", {"none", "C<D<H<S<SA<TA"}},
        {"generale", {"off", "on"}},
        {"generale_leads", {"first", "bidder"}},
        {"coinche_any_time", {"no", "yes"}},
        {"capot_doublable", {"yes", "no"}},
        {"coinche_freezes", {"yes", "no"}},
        {"self_raise_other_suit", {"no", "yes"}},
        {"sa_ta", {"off", "on"}},
        {"sa_values", {"A19", "raw"}},
        {"sa_carres", {"same", "ffb"}},
        {"ta_values", {"J14", "ffb2015", "convert258"}},
        {"ta_partner", {"must_beat", "exempt"}},
        {"trump_lead_partner", {"must_beat", "exempt"}},
        {"partner_winning", {"free", "no_undertrump", "must_trump"}},
        {"undertrump", {"may_discard", "must"}},
        {"belote_order", {"any", "king_first"}},
        {"belote_by", {"all", "attack"}},
        {"annonces", {"on", "off"}},
        {"reuse_cards", {"no", "yes"}},
        {"carre_100_order", {"A K Q 10", "A 10 K Q"}},
        {"annonce_tie", {"cancel", "first"}},
        {"capot_takes_annonces", {"yes", "no"}},
        {"belote_counts", {"yes", "no"}},
        {"annonces_count", {"yes", "no"}},
        {"must_beat_defence", {"yes", "no"}},
        {"eighty_needs_82", {"no", "yes"}},
        {"method", {"made+bid", "made", "bid_only"}},
        {"double", {"all", "bid"}},
        {"surcoinche", {"4", "3"}},
        {"fail_base", {"160", "162"}},
        {"capot_base", {"250", "252"}},
        {"capot_fail_base", {"capot", "normal"}},
        {"doubled_points", {"base", "points"}},
        {"belote_loser", {"kept", "taken"}},
        {"rounding", {"5up", "6up", "none"}},
    };
    return kChoices;
}

bool is_made(const PlayedCoinche& deal, const CoincheOptions& options) {
    const int attack = deal.contract.by % 2;
    if (is_capot(deal, options)) {
        const bool alone = deal.contract.value != 500 || deal.alone;
        return deal.tricks[index(attack)] == 8 && alone;
    }
    const std::array<int, 2> bonus = validated(deal, options);
    const auto judged = [&](int team) {
        return scaled(deal, team, options) +
               (options.yes("belote_counts") ? deal.belote[index(team)] : 0) +
               (options.yes("annonces_count") ? bonus[index(team)] : 0);
    };
    const int needed =
        deal.contract.value == 80 && options.yes("eighty_needs_82") ? 82 : deal.contract.value;
    return judged(attack) >= needed &&
           (!options.yes("must_beat_defence") || judged(attack) > judged(1 - attack));
}

std::array<int, 2> coinche_marks(const PlayedCoinche& deal, const CoincheOptions& options) {
    const int attack = deal.contract.by % 2;
    const std::array<int, 2> bonus = validated(deal, options);
    const auto own = [&](int team) {
        const bool all_tricks = deal.tricks[index(team)] == 8;
        return (all_tricks ? options.number("capot_base") : scaled(deal, team, options)) +
               bonus[index(team)];
    };
    const bool made = is_made(deal, options);
    const int winner = made ? attack : 1 - attack;
    const int loser = 1 - winner;
    const std::string method = options.text("method");
    std::array<int, 2> marks{};
    if (method == "bid_only") {
        marks[index(winner)] = won(deal, options);
    } else if (made && deal.contract.times == 1) {
        for (const int team : {0, 1})
            marks[index(team)] = own(team) + deal.belote[index(team)];
        if (method == "made+bid")
            marks[index(attack)] += deal.contract.value;
        else if (is_capot(deal, options))
            marks[index(attack)] = 500 + bonus[index(attack)] + deal.belote[index(attack)];
    } else {
        const bool taken = options.text("belote_loser") == "taken";
        marks[index(winner)] = won(deal, options) + deal.belote[index(winner)] +
                               (taken ? deal.belote[index(loser)] : 0);
        marks[index(loser)] = taken ? 0 : deal.belote[index(loser)];
        if (made && method == "made+bid" && options.text("doubled_points") == "points")
            marks[index(loser)] += own(loser);
    }
    return {rounded(marks[0], options), rounded(marks[1], options)};
}

} // namespace croupier::plain
