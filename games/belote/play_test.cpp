// The playing phase of the ruleset against an independent implementation, ply by ply; positions
// written by hand are in tests/.
#include "engine/api/random.h"
#include "engine/api/text.h"
#include "games/belote/testing.h"
#include "games/testing/belote.h"

#include <algorithm>

namespace croupier::plain {
namespace {

using engine::Document;

Position deal_with_any_lead(engine::Random& random) {
    Position position = deal(random);
    position.turn = static_cast<int>(random.below(4));
    return position;
}

std::set<std::string> names_of(const std::vector<Card>& cards) {
    std::set<std::string> names;
    for (const Card& card : cards) {
        names.insert(name_of(card));
    }
    return names;
}

// The root's nodes in the order of their names, only those that are asked for.
template <typename Wanted>
std::string sorted_nodes(const State& state, Wanted wanted) {
    Document document = state.export_document();
    std::erase_if(document.members, [&](const auto& member) { return !wanted(member.key); });
    std::sort(document.members.begin(), document.members.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    return engine::write_json(document);
}

// From the nodes that somebody writes by hand, `derive` finds all that the game keeps besides.
void expect_derived(Belote& belote, const State& state) {
    // The last two are what has been said and shown; nobody can tell later.
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
            if (random.below(8) == 0) {
                expect_derived(belote, state);
            }
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
