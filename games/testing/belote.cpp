// The legal moves of belote, and the effect of a played card.
#include "games/testing/belote.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace croupier::plain {

namespace {

constexpr int kQueen = 5;
constexpr int kKing = 6;

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

int plain_height(const Card& card) {
    static constexpr std::array<int, 8> kHeights{1, 2, 3, 7, 4, 5, 6, 8};
    return kHeights[index(card.rank)];
}

void add_suit(const std::vector<Card>& hand, int suit, std::vector<Card>& moves) {
    for (const Card& card : hand)
        if (card.suit == suit) moves.push_back(card);
}

void add_higher_trumps(const std::vector<Card>& hand, const Card& best, std::vector<Card>& moves) {
    for (const Card& card : hand)
        if (card.suit == best.suit && trump_height(card) > trump_height(best))
            moves.push_back(card);
}

// All except the trumps below the best one, if there is a higher one; otherwise all.
void add_without_undertrumps(const std::vector<Card>& hand, const Card& best,
                             std::vector<Card>& moves) {
    const bool has_higher = std::any_of(hand.begin(), hand.end(), [&](const Card& card) {
        return card.suit == best.suit && trump_height(card) > trump_height(best);
    });
    for (const Card& card : hand)
        if (!has_higher || card.suit != best.suit || trump_height(card) > trump_height(best))
            moves.push_back(card);
}

bool beats(const Card& card, const Card& best, int trump) {
    if (card.suit != best.suit) return card.suit == trump;
    return card.suit == trump ? trump_height(card) > trump_height(best)
                              : plain_height(card) > plain_height(best);
}

void end_trick(Position& position) {
    const int team = position.holder % 2;
    for (const Played& played : position.trick)
        position.points[index(team)] += card_points(played.card, position.trump);
    ++position.tricks[index(team)];
    position.last = team;
    position.turn = position.holder;
    position.trick.clear();
    position.led.reset();
}

} // namespace

Position deal(engine::Random& random) {
    std::vector<Card> pack;
    pack.reserve(32);
    for (int card = 0; card < 32; ++card)
        pack.push_back({card / 8, card % 8});
    for (std::size_t i = pack.size() - 1; i > 0; --i)
        std::swap(pack[i], pack[random.below(i + 1)]);
    Position position;
    for (std::size_t i = 0; i < pack.size(); ++i)
        position.hands[i / 8].push_back(pack[i]);
    position.trump = static_cast<int>(random.below(4));
    return position;
}

int trump_height(const Card& card) {
    static constexpr std::array<int, 8> kHeights{1, 2, 7, 5, 8, 3, 4, 6};
    return kHeights[index(card.rank)];
}

int card_points(const Card& card, int trump) {
    static constexpr std::array<int, 8> kPlain{0, 0, 0, 10, 2, 3, 4, 11};
    static constexpr std::array<int, 8> kTrump{0, 0, 14, 10, 20, 3, 4, 11};
    return (card.suit == trump ? kTrump : kPlain)[index(card.rank)];
}

void legal_moves(const Position& position, std::vector<Card>& moves, const Rules& rules) {
    const std::vector<Card>& hand = position.hands[index(position.turn)];
    moves.clear();
    if (!position.led) {
        moves = hand;
        return;
    }
    const int trump = position.trump;
    const bool partner_holds = position.holder == (position.turn + 2) % 4;
    if (*position.led == trump && !(partner_holds && rules.trump_lead_exempt))
        add_higher_trumps(hand, position.best, moves);
    if (moves.empty()) add_suit(hand, *position.led, moves);
    if (!moves.empty()) return;
    const bool ruffed = position.best.suit == trump;
    if (partner_holds && rules.partner_winning != Rules::Partner::MustTrump) {
        if (ruffed && rules.partner_winning == Rules::Partner::NoUndertrump)
            add_without_undertrumps(hand, position.best, moves);
        else
            moves = hand;
        return;
    }
    if (ruffed) {
        add_higher_trumps(hand, position.best, moves);
        if (moves.empty() && rules.may_discard) moves = hand;
    }
    if (moves.empty()) add_suit(hand, trump, moves);
    if (moves.empty()) moves = hand;
}

std::vector<Card> legal_moves(const Position& position, const Rules& rules) {
    std::vector<Card> moves;
    legal_moves(position, moves, rules);
    return moves;
}

void play(Position& position, const Card& card, const Rules& rules) {
    std::vector<Card>& hand = position.hands[index(position.turn)];
    hand.erase(std::find(hand.begin(), hand.end(), card));
    if (card.suit == position.trump && (card.rank == kQueen || card.rank == kKing)) {
        const Card mate{card.suit, card.rank == kQueen ? kKing : kQueen};
        const bool both = std::find(hand.begin(), hand.end(), mate) != hand.end();
        if (both && (card.rank == kKing || !rules.king_first))
            position.belote[index(position.turn % 2)] = 20;
    }
    if (!position.led) {
        position.led = card.suit;
        position.best = card;
        position.holder = position.turn;
    } else if (beats(card, position.best, position.trump)) {
        position.best = card;
        position.holder = position.turn;
    }
    position.trick.push_back({position.turn, card});
    position.turn = (position.turn + 1) % 4;
    if (position.trick.size() == 4) end_trick(position);
}

bool is_over(const Position& position) {
    return position.tricks[0] + position.tricks[1] == 8;
}

// Tries every choice of announcements, and scores a deal case by case.

namespace {

using Key = std::tuple<int, bool, int, bool>; // points, carré, height, in trumps

int carre_points(int rank, const AnnonceRules& rules) {
    static constexpr std::array<int, 8> kPoints{0, 0, 150, 100, 200, 100, 100, 100};
    static constexpr std::array<int, 8> kWithoutTrump{0, 0, 100, 150, 100, 100, 100, 200};
    return (rules.without_trump ? kWithoutTrump : kPoints)[index(rank)];
}

int run_points(int length) {
    return length >= 5 ? 100 : length == 4 ? 50 : length == 3 ? 20 : 0;
}

Key key_of(const Annonce& annonce, int trump, const AnnonceRules& rules) {
    int height = annonce.top.rank;
    if (annonce.carre && rules.ten_before_king) {
        static constexpr std::array<int, 8> kHeights{0, 0, 1, 6, 2, 4, 5, 7};
        height = kHeights[index(height)];
    }
    return {annonce.points, annonce.carre, height, !annonce.carre && annonce.top.suit == trump};
}

Key best_of(const std::vector<Annonce>& annonces, int trump, const AnnonceRules& rules) {
    Key best{};
    for (const Annonce& each : annonces)
        best = std::max(best, key_of(each, trump, rules));
    return best;
}

int total_of(const std::vector<Annonce>& annonces) {
    int total = 0;
    for (const Annonce& each : annonces)
        total += each.points;
    return total;
}

// The longest runs of the cards present.
std::vector<Annonce> runs_of(const std::array<std::array<bool, 8>, 4>& has) {
    std::vector<Annonce> runs;
    for (int suit = 0; suit < 4; ++suit) {
        int length = 0;
        for (int rank = 0; rank <= 8; ++rank) {
            if (rank < 8 && has[index(suit)][index(rank)]) {
                ++length;
                continue;
            }
            if (length >= 3) runs.push_back({false, {suit, rank - 1}, length, run_points(length)});
            length = 0;
        }
    }
    return runs;
}

} // namespace

std::vector<Annonce> annonces_of(const std::vector<Card>& hand, int trump,
                                 const AnnonceRules& rules) {
    std::array<std::array<bool, 8>, 4> has{};
    std::array<int, 8> of_rank{};
    for (const Card& card : hand) {
        has[index(card.suit)][index(card.rank)] = true;
        ++of_rank[index(card.rank)];
    }
    std::vector<int> carres;
    for (int rank = 0; rank < 8; ++rank)
        if (of_rank[index(rank)] == 4 && carre_points(rank, rules) > 0) carres.push_back(rank);
    // Tries every choice of carrés, with the runs that remain.
    std::vector<Annonce> best;
    for (std::size_t choice = 0; choice < (std::size_t{1} << carres.size()); ++choice) {
        auto left = has;
        std::vector<Annonce> annonces;
        for (std::size_t i = 0; i < carres.size(); ++i) {
            if ((choice >> i & 1) == 0) continue;
            annonces.push_back({true, {0, carres[i]}, 4, carre_points(carres[i], rules)});
            for (int suit = 0; suit < 4 && !rules.reuse_cards; ++suit)
                left[index(suit)][index(carres[i])] = false;
        }
        for (const Annonce& run : runs_of(left))
            annonces.push_back(run);
        if (std::pair(total_of(annonces), best_of(annonces, trump, rules)) >
            std::pair(total_of(best), best_of(best, trump, rules)))
            best = annonces;
    }
    return best;
}

std::array<int, 2> announced(const std::array<std::vector<Card>, 4>& hands, int trump, int first,
                             const AnnonceRules& rules) {
    std::array<int, 2> sums{};
    std::array<Key, 2> best{};
    int winner = -1; // the first in play order with the best one
    Key top{};
    for (int i = 0; i < 4; ++i) {
        const int seat = (first + i) % 4;
        const std::vector<Annonce> annonces = annonces_of(hands[index(seat)], trump, rules);
        const Key own = best_of(annonces, trump, rules);
        sums[index(seat % 2)] += total_of(annonces);
        best[index(seat % 2)] = std::max(best[index(seat % 2)], own);
        if (own > top) {
            top = own;
            winner = seat % 2;
        }
    }
    if (winner < 0 || (best[0] == best[1] && !rules.first_of_equals)) return {};
    sums[index(1 - winner)] = 0;
    return sums;
}

// ---- the score -------------------------------------------------------------------------------

Marks count(const PlayedDeal& deal, const CountRules& rules) {
    const int attack = deal.attack;
    const int defence = 1 - attack;
    std::array<int, 2> base{};
    std::array<int, 2> bonus = deal.announced;
    for (const int team : {0, 1}) {
        base[index(team)] = deal.points[index(team)] + (deal.last == team ? 10 : 0);
        if (deal.tricks[index(team)] == 8) {
            base[index(team)] = rules.capot_points;
            if (rules.capot_takes_annonces)
                bonus[index(team)] += std::exchange(bonus[index(1 - team)], 0);
        }
    }
    std::array<int, 2> total{};
    std::array<int, 2> judged{};
    for (const std::size_t team : {0, 1}) {
        total[team] = base[team] + bonus[team] + deal.belote[team];
        judged[team] = base[team];
        if (rules.basis != CountRules::Basis::Cards) judged[team] += deal.belote[team];
        if (rules.basis == CountRules::Basis::All) judged[team] += bonus[team];
    }

    int lead = judged[index(attack)] - judged[index(defence)];
    if (deal.tricks[index(attack)] == 8) lead = 1;
    if (deal.tricks[index(attack)] == 0 || (lead == 0 && rules.litige == CountRules::Litige::Fail))
        lead = -1;
    if (lead == 0 && rules.litige == CountRules::Litige::Success) lead = 1;

    const auto rounded = [&](int points) {
        if (rules.rounding == CountRules::Rounding::None) return points;
        const int units = points % 10;
        const bool up = units > 5 || (units == 5 && rules.rounding == CountRules::Rounding::FiveUp);
        return points - units + (up ? 10 : 0);
    };
    Marks made;
    made.pool = deal.pool;
    if (lead < 0) {
        const bool capot = deal.tricks[index(defence)] == 8;
        const int kept = rules.loser_keeps_belote ? deal.belote[index(attack)] : 0;
        const int taken = deal.belote[index(attack)] - kept;
        made.marks[index(attack)] = kept;
        made.marks[index(defence)] =
            rounded((capot ? rules.capot_points : rules.fail_points) + bonus[0] + bonus[1] +
                    deal.belote[index(defence)] + taken);
    } else {
        made.marks = {rounded(total[0]), rounded(total[1])};
    }
    if (lead == 0 && rules.litige == CountRules::Litige::Replay)
        made.marks = {};
    else if (lead == 0 && rules.another_deal_follows)
        made.pool += std::exchange(made.marks[index(attack)], 0);
    else if (lead != 0)
        made.marks[index(lead > 0 ? attack : defence)] += std::exchange(made.pool, 0);
    return made;
}

// Writes positions like hand-written ones.

namespace {

std::string letter(std::string_view letters, int place) {
    return '"' + std::string(1, letters[static_cast<std::size_t>(place)]) + '"';
}

std::string team_of(int team) {
    return team == 0 ? "\"AC\"" : "\"BD\"";
}

std::string hand_to_json(const std::vector<Card>& hand) {
    std::string json;
    for (const Card& card : hand)
        json += (json.empty() ? "\"" : ", \"") + name_of(card) + "\": true";
    return "{" + json + "}";
}

} // namespace

std::string name_of(const Card& card) {
    return {kRanks[static_cast<std::size_t>(card.rank)],
            kSuits[static_cast<std::size_t>(card.suit)]};
}

Card card_named(std::string_view name) {
    return {static_cast<int>(kSuits.find(name[1])), static_cast<int>(kRanks.find(name[0]))};
}

std::string position_json(const Position& position) {
    std::string json = "{\"phase\": \"play\", \"turn\": " + letter(kSeats, position.turn) +
                       ", \"trump\": " + letter(kSuits, position.trump) + ", \"hands\": {";
    for (int seat = 0; seat < 4; ++seat) {
        json += (seat == 0 ? "" : ", ") + letter(kSeats, seat) + ": " +
                hand_to_json(position.hands[static_cast<std::size_t>(seat)]);
    }
    json += "}, \"trick\": {";
    for (std::size_t i = 0; i < position.trick.size(); ++i) {
        json += (i == 0 ? "\"" : ", \"") + std::to_string(i) +
                "\": {\"player\": " + letter(kSeats, position.trick[i].player) + ", \"card\": \"" +
                name_of(position.trick[i].card) + "\"}";
    }
    json += "}, \"taken\": {";
    for (int team = 0; team < 2; ++team) {
        const auto i = static_cast<std::size_t>(team);
        json += (team == 0 ? "" : ", ") + team_of(team) +
                ": {\"points\": " + std::to_string(position.points[i]) +
                ", \"tricks\": " + std::to_string(position.tricks[i]) + "}";
    }
    json += "}, \"belote\": {";
    for (int team = 0; team < 2; ++team) {
        const auto i = static_cast<std::size_t>(team);
        json += (team == 0 ? "" : ", ") + team_of(team) + ": " + std::to_string(position.belote[i]);
    }
    json += "}";
    if (position.tricks[0] + position.tricks[1] > 0)
        json += ", \"last\": " + team_of(position.last);
    return json + "}";
}

} // namespace croupier::plain
