// The playing phase of the ruleset against an independent implementation, ply by ply; positions
// written by hand are in tests/.
#include "engine/api/random.h"
#include "engine/api/text.h"
#include "games/belote/testing.h"
#include "games/testing/belote.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace croupier::plain {

// Known facts of probability: over all 10,518,300 hands, and over deals of the ruleset.

namespace {

constexpr std::uint32_t kTrumps = 0xff; // card = 8 * suit + rank; spades are trump
constexpr std::uint32_t kKingAndQueen = 0x60;

Card card_of(int index) {
    return {index / 8, index % 8};
}

// All hands of eight of the 32 cards.
template <typename Body>
void for_all_hands(Body body) {
    for (std::uint64_t hand = 0xff; hand < (std::uint64_t{1} << 32);) {
        body(static_cast<std::uint32_t>(hand));
        const std::uint64_t lowest = hand & (0 - hand);
        const std::uint64_t carried = hand + lowest;
        hand = carried | (((hand ^ carried) >> 2) / lowest);
    }
}

// The cards of a suit from the strongest, as bits of a suit.
std::array<int, 8> from_the_top(bool trump) {
    return trump ? std::array{4, 2, 7, 3, 6, 5, 1, 0} : std::array{7, 3, 6, 5, 4, 2, 1, 0};
}

// Whether the top cards in a row, led one after another, leave no other player with that suit.
bool draws_all(std::uint32_t cards, bool trump, bool needs_all_out) {
    const int count = std::popcount(cards);
    int top = 0;
    for (const int rank : from_the_top(trump)) {
        if ((cards >> rank & 1) == 0) break;
        ++top;
    }
    return top >= 8 - count || (!needs_all_out && top == count);
}

// On lead, it takes every trick whatever the other hands are.
bool is_capot_proof(std::uint32_t hand) {
    if (!draws_all(hand & kTrumps, true, true)) return false;
    return draws_all(hand >> 8 & 0xff, false, false) &&
           draws_all(hand >> 16 & 0xff, false, false) && draws_all(hand >> 24, false, false);
}

TEST(belote, hands_count_as_often_as_known) {
    std::array<int, 32> points{};
    for (int card = 0; card < 32; ++card)
        points[static_cast<std::size_t>(card)] = card_points(card_of(card), 0);
    std::int64_t hands = 0;
    std::int64_t with_belote = 0;
    std::array<int, 153> by_points{};
    for_all_hands([&](std::uint32_t hand) {
        int sum = 0;
        for (std::uint32_t left = hand; left != 0; left &= left - 1)
            sum += points[static_cast<std::size_t>(std::countr_zero(left))];
        ++hands;
        ++by_points[static_cast<std::size_t>(sum)];
        with_belote += (hand & kKingAndQueen) == kKingAndQueen ? 1 : 0;
    });
    EXPECT_EQ(hands, 10'518'300);
    EXPECT_EQ(by_points[98], 6);
    EXPECT_EQ(std::count_if(by_points.begin() + 99, by_points.end(), [](int n) { return n > 0; }),
              0);
    EXPECT_EQ(by_points[0], 165);
    EXPECT_EQ(with_belote * 992, hands * 56);
}

// C leads such a hand from the top, trumps first; the others play at random.
TEST(belote, as_many_hands_as_known_take_every_trick) {
    std::vector<std::uint32_t> proof;
    for_all_hands([&](std::uint32_t hand) {
        if ((hand & kTrumps) != 0 && is_capot_proof(hand)) proof.push_back(hand);
    });
    EXPECT_EQ(proof.size(), 227U);

    Belote belote(Options{{"annonces", "off"}});
    engine::Random random(3);
    for (const std::uint32_t hand : proof) {
        Position position;
        position.turn = 2;
        std::vector<Card> others;
        for (int card = 0; card < 32; ++card)
            ((hand >> card & 1) != 0 ? position.hands[2] : others).push_back(card_of(card));
        for (std::size_t i = others.size() - 1; i > 0; --i)
            std::swap(others[i], others[random.below(i + 1)]);
        for (std::size_t i = 0; i < others.size(); ++i)
            position.hands[std::array{0, 1, 3}[i % 3]].push_back(others[i]);
        State state = belote.position(position_json(position));
        std::vector<Card> leads;
        for (int suit = 0; suit < 4; ++suit) {
            for (const int rank : from_the_top(suit == 0))
                if ((hand >> (8 * suit + rank) & 1) != 0) leads.push_back({suit, rank});
        }
        for (const Card& lead : leads) {
            ASSERT_EQ(belote.at(state, {"turn"}), "\"C\"") << position_json(position);
            belote.play(state, name_of(lead));
            for (int i = 0; i < 3; ++i) {
                const std::set<std::string> moves = belote.moves(state);
                const auto chosen = random.below(moves.size());
                belote.play(state, *std::next(moves.begin(), static_cast<std::ptrdiff_t>(chosen)));
            }
        }
        EXPECT_EQ(belote.number(state, {"taken", "AC", "tricks"}), 8);
    }
}

// Checks that `found` of `tries` agrees with `chance`, within five standard deviations.
void expect_chance(const char* what, int found, int tries, double chance) {
    const double share = static_cast<double>(found) / tries;
    const double deviation = std::sqrt(chance * (1 - chance) / tries);
    EXPECT_NEAR(share, chance, 5 * deviation) << what;
}

TEST(belote, deals_hold_belotes_and_announcements_as_often_as_known) {
    constexpr int kDeals = 6000;
    Belote belote(Options{{"reuse_cards", "yes"}});
    int belotes = 0;
    int carres = 0;
    int runs = 0;
    for (int deal = 0; deal < kDeals; ++deal) {
        State state = belote.deal(static_cast<std::uint64_t>(deal));
        belote.play(state, deal % 2 == 0 ? "take" : "pass");
        if (deal % 2 == 1) belote.play(state, "take");
        const std::string trump = belote.at(state, {"trump"}).substr(1, 1);
        for (const char* seat : {"A", "B", "C", "D"}) {
            const auto has = [&](const std::string& card) {
                return !belote.at(state, {"hands", seat, card}).empty();
            };
            belotes += has("K" + trump) && has("Q" + trump) ? 1 : 0;
            bool carre = false;
            bool run = false;
            for (const char rank : kRanks) {
                carre = carre || belote.number(state, {"annonces", seat, {rank}}) == 4;
                for (const char suit : kSuits)
                    run = run || belote.number(state, {"annonces", seat, {rank, suit}}) >= 3;
            }
            carres += carre ? 1 : 0;
            runs += run ? 1 : 0;
        }
    }
    expect_chance("belote in some hand", belotes, kDeals, 0.2258);
    expect_chance("carré in a hand", carres, 4 * kDeals, 0.01168);
    expect_chance("run in a hand", runs, 4 * kDeals, 0.2259);
}

using engine::Document;

Position deal_with_any_lead(engine::Random& random) {
    Position position = deal(random);
    position.turn = static_cast<int>(random.below(4));
    return position;
}

std::set<std::string> names_of(const std::vector<Card>& cards) {
    std::set<std::string> names;
    for (const Card& card : cards)
        names.insert(name_of(card));
    return names;
}

// The wanted root nodes, in the order of their names.
template <typename Wanted>
std::string sorted_nodes(const State& state, Wanted wanted) {
    Document document = state.export_document();
    std::erase_if(document.members, [&](const auto& member) { return !wanted(member.key); });
    std::sort(document.members.begin(), document.members.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    return engine::write_json(document);
}

// From hand-written nodes, `derive` finds all other nodes of the game.
void expect_derived(Belote& belote, const State& state) {
    // The last two are announcements made and shown, which cannot be derived.
    const std::set<std::string> by_hand{"phase",     "turn",     "trump", "hands",
                                        "trick",     "taken",    "last",  "belote",
                                        "announced", "declared", "shown"};
    const auto no_harness = [](const std::string& key) { return key != "moves" && key != "over"; };
    const State again = belote.position(
        sorted_nodes(state, [&](const std::string& key) { return by_hand.contains(key); }));
    EXPECT_EQ(sorted_nodes(again, no_harness), sorted_nodes(state, no_harness));
}

void expect_counted(Belote& belote, const State& state, const Position& position) {
    for (const std::size_t team : {0, 1}) {
        const std::string& name = team_name(team);
        EXPECT_EQ(belote.at(state, {"taken", name, "points"}),
                  std::to_string(position.points[team]));
        EXPECT_EQ(belote.at(state, {"taken", name, "tricks"}),
                  std::to_string(position.tricks[team]));
        EXPECT_EQ(belote.at(state, {"belote", name}), std::to_string(position.belote[team]));
    }
}

void expect_same_deals(const Options& options, const Rules& rules, int deals, std::uint64_t seed) {
    Belote belote(options);
    engine::Random random(seed);
    for (int i = 0; i < deals; ++i) {
        Position position = deal_with_any_lead(random);
        State state = belote.position(position_json(position));
        while (!is_over(position)) {
            const std::string before = position_json(position);
            const std::vector<Card> moves = legal_moves(position, rules);
            ASSERT_EQ(belote.moves(state), names_of(moves)) << before;
            const Card card = moves[random.below(moves.size())];
            play(position, card, rules);
            belote.play(state, name_of(card));
            if (random.below(8) == 0) expect_derived(belote, state);
            if (!is_over(position)) {
                ASSERT_EQ(belote.at(state, {"turn"}),
                          std::string("\"") + kSeats[static_cast<std::size_t>(position.turn)] + '"')
                    << before << name_of(card);
            }
        }
        EXPECT_EQ(belote.at(state, {"phase"}), "\"score\"");
        EXPECT_EQ(belote.at(state, {"last"}), position.last == 0 ? "\"AC\"" : "\"BD\"");
        expect_counted(belote, state, position);
    }
}

TEST(belote, plays_as_plain_code_with_the_default_options) {
    expect_same_deals({}, {}, 1000, 1);
}

TEST(belote, plays_as_plain_code_without_announcements) {
    expect_same_deals({{"annonces", "off"}}, {}, 1000, 2);
}

TEST(belote, plays_as_plain_code_with_every_option_of_play) {
    using Partner = Rules::Partner;
    std::uint64_t seed = 10;
    for (const bool exempt : {false, true}) {
        for (const bool may_discard : {false, true}) {
            for (const bool king_first : {false, true}) {
                for (const auto& [name, partner] :
                     {std::pair{"free", Partner::Free},
                      std::pair{"no_undertrump", Partner::NoUndertrump},
                      std::pair{"must_trump", Partner::MustTrump}}) {
                    const Options options{{"trump_lead_partner", exempt ? "exempt" : "must_beat"},
                                          {"undertrump", may_discard ? "may_discard" : "must"},
                                          {"belote_order", king_first ? "king_first" : "any"},
                                          {"partner_winning", name}};
                    expect_same_deals(options, {exempt, partner, may_discard, king_first}, 100,
                                      ++seed);
                }
            }
        }
    }
}

} // namespace

} // namespace croupier::plain
