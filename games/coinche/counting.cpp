// The options, and the score of a deal case by case.
#include "games/coinche/plain.h"

namespace croupier::plain {
namespace {

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

// Points on the scale of 162, or 252 for all tricks.
int scaled(const PlayedCoinche& deal, int team, const CoincheOptions& options) {
    if (deal.tricks[index(team)] == 8) {
        return 252;
    }
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

// What the winner of a contract that has failed or been doubled marks, belote apart.
int won(const PlayedCoinche& deal, const CoincheOptions& options) {
    const Contract& contract = deal.contract;
    const bool made = is_made(deal, options);
    const int winner = made ? contract.by % 2 : 1 - contract.by % 2;
    const bool all_tricks = deal.tricks[index(winner)] == 8;
    const int times = contract.times == 4 ? options.number("surcoinche") : contract.times;
    const std::array<int, 2> bonus = validated(deal, options);
    const bool everything = options.text("double") == "all";
    if (options.text("method") == "bid_only") {
        return contract.value * times;
    }
    if (options.text("method") == "made") {
        const int extra = (bonus[0] + bonus[1]) * (everything ? times : 1);
        if (is_capot(deal, options)) {
            return 500 * times + extra;
        }
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
    if (how == "none") {
        return points;
    }
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
        for (const int team : {0, 1}) {
            marks[index(team)] = own(team) + deal.belote[index(team)];
        }
        if (method == "made+bid") {
            marks[index(attack)] += deal.contract.value;
        } else if (is_capot(deal, options)) {
            marks[index(attack)] = 500 + bonus[index(attack)] + deal.belote[index(attack)];
        }
    } else {
        const bool taken = options.text("belote_loser") == "taken";
        marks[index(winner)] = won(deal, options) + deal.belote[index(winner)] +
                               (taken ? deal.belote[index(loser)] : 0);
        marks[index(loser)] = taken ? 0 : deal.belote[index(loser)];
        if (made && method == "made+bid" && options.text("doubled_points") == "points") {
            marks[index(loser)] += own(loser);
        }
    }
    return {rounded(marks[0], options), rounded(marks[1], options)};
}

} // namespace croupier::plain
