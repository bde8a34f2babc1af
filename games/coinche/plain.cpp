// The auction step by step, and the cards where no suit or every suit is trump.
#include "games/coinche/plain.h"

#include "games/belote/notation.h"

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
    if (found != chosen_.end()) {
        return found->second;
    }
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
    if (bidding_) {
        return legal_calls();
    }
    std::set<std::string> names;
    for (const Card& card : legal_cards()) {
        names.insert(name_of(card));
    }
    return names;
}

void CoincheDeal::play(const std::string& move) {
    if (bidding_) {
        call(move);
    } else {
        play_card(card_named(move));
    }
}

// ---- the auction -----------------------------------------------------------------------------

std::set<std::string> CoincheDeal::legal_calls() const {
    const Contract& contract = played_.contract;
    std::set<std::string> calls{"pass"};
    const bool ours = contract.value > 0 && contract.by % 2 == speaker_ % 2;
    if (!ours && may_be_doubled()) {
        calls.insert("coinche");
    }
    if (ours && contract.times == 2) {
        calls.insert("surcoinche");
    }
    const bool frozen = contract.times == 2 && options_.yes("coinche_freezes");
    if (asked_before_ < 0 && !frozen) {
        add_bids(calls);
    }
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
            (raises_himself && denomination == contract.denomination)) {
            continue;
        }
        for (int value = options_.number("min_bid");
             value <= options_.number("max_bid") && value < capot; value += 10) {
            const bool same_but_higher = options_.text("suit_rank") != "none" &&
                                         value == contract.value &&
                                         rank_of(denomination) > rank_of(contract.denomination);
            if (value > contract.value || same_but_higher) {
                calls.insert(std::to_string(value) + denomination);
            }
        }
        if (contract.value < capot) {
            calls.insert("capot" + denomination);
        }
        if (contract.value < 500 && options_.text("generale") == "on") {
            calls.insert("generale" + denomination);
        }
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
        speaker_ = (speaker_ + 2) % 4; // only those who have bid
        if (passes_ == 2) {
            begin_play();
        }
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
    if (contract.value == 500 && options_.text("generale_leads") == "bidder") {
        position_.turn = contract.by;
    }
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
    if (played_.contract.denomination != "TA" || !position_.led) {
        return legal_moves(position_, rules_of(options_));
    }
    std::vector<Card> of_suit;
    std::vector<Card> higher;
    const std::vector<Card>& hand = position_.hands[index(position_.turn)];
    for (const Card& card : hand) {
        if (card.suit == *position_.led) {
            of_suit.push_back(card);
            if (trump_height(card) > trump_height(position_.best)) {
                higher.push_back(card);
            }
        }
    }
    const bool partner_holds = position_.holder == (position_.turn + 2) % 4;
    if (partner_holds && options_.text("ta_partner") == "exempt") {
        higher.clear();
    }
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
        if (both && counts && in_order) {
            played_.belote[index(player % 2)] += 20;
        }
    }
    if (trick_.size() == 4) {
        trick_.clear();
    }
    trick_.push_back({player, card});
    Position before = position_;
    if (all_trump) {
        // The suit led is trump for this trick: no other can win it.
        position_.trump = position_.led ? *position_.led : card.suit;
    }
    plain::play(position_, card);
    position_.trump = before.trump;
    if (trick_.size() == 4) {
        take_trick(trick_);
    }
}

void CoincheDeal::take_trick(const std::vector<Played>& trick) {
    const int winner = position_.turn;
    played_.last = winner % 2;
    ++played_.tricks[index(winner % 2)];
    for (const Played& each : trick) {
        played_.points[index(winner % 2)] += points_of(each.card);
    }
    played_.alone = played_.alone && winner == played_.contract.by;
    over_ = is_over(position_);
}

int CoincheDeal::points_of(const Card& card) const {
    static constexpr std::array<int, 8> kAllTrump{0, 0, 9, 5, 14, 1, 3, 6};
    static constexpr std::array<int, 8> kAllTrump2015{0, 0, 9, 5, 13, 2, 3, 6};
    constexpr int kAce = 7;
    const std::string& denomination = played_.contract.denomination;
    if (denomination == "SA" && options_.text("sa_values") == "A19" && card.rank == kAce) {
        return 19;
    }
    if (denomination == "TA") {
        const std::string values = options_.text("ta_values");
        return values == "J14"       ? kAllTrump[index(card.rank)]
               : values == "ffb2015" ? kAllTrump2015[index(card.rank)]
                                     : card_points(card, card.suit);
    }
    return card_points(card, position_.trump);
}

} // namespace croupier::plain
