// Counts the piles when all is over, and what it comes to.
#include "games/tarot/plain.h"

#include <algorithm>

namespace croupier::tarot {
namespace {

// Who has played that card, and to which trick.
std::optional<std::pair<int, std::size_t>> played(const std::vector<Trick>& tricks,
                                                  const Card& card) {
    for (std::size_t i = 0; i < tricks.size(); ++i) {
        for (const auto& [seat, each] : tricks[i].cards) {
            if (each == card) return std::pair(seat, i);
        }
    }
    return std::nullopt;
}

} // namespace

void Deal::count() {
    const std::size_t last = tricks_.size() - 1;
    // All tricks but the last went to one side?
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

    // Two piles of cards, the Excuse apart.
    int halves = before_.halves;
    int bouts = before_.bouts;
    const auto to_attack = [&](const Card& card) {
        halves += half_points(card);
        bouts += is_bout(card) ? 1 : 0;
    };
    for (const Trick& trick : tricks_) {
        for (const auto& [seat, card] : trick.cards) {
            if (card.suit != 'E' && attacks(trick.winner)) to_attack(card);
        }
    }
    for (const Card& card : aside_)
        to_attack(card);
    for (const Card& card : dog_) {
        if (bid_ != "garde-contre") to_attack(card);
    }
    // The Excuse, and the half point that goes the other way.
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
