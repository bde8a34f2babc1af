// Deals of the ruleset against an independent implementation, move by move, with every option; ends
// of deals, where the Excuse and slams matter.
#include "games/tarot/testing.h"

namespace croupier::tarot {
namespace {

TEST(tarot, deals_are_those_of_plain_code) {
    for (const int players : {3, 4, 5}) {
        Options options;
        options.players = players;
        const Seen seen = expect_same_deals(options, 300, static_cast<std::uint64_t>(players));
        EXPECT_GT(seen.played, 280);
        EXPECT_GT(seen.petits, 0);
        EXPECT_GT(seen.poignees, 0);
        EXPECT_EQ(seen.partners > 100, players == 5);
    }
}

TEST(tarot, deals_are_those_of_plain_code_with_every_option) {
    std::vector<Options> all;
    for (const int players : {3, 4, 5}) {
        const auto add = [&](auto change) {
            Options options;
            options.players = players;
            change(options);
            all.push_back(options);
        };
        add([](Options& options) { options.play_petit_sec = true; });
        add([](Options& options) { options.manual_poignee = true; });
        add([](Options& options) { options.poignee_to_shower = true; });
        add([](Options& options) { options.excuse_last = "trick_winner"; });
        add([](Options& options) { options.excuse_slam = "either"; });
        add([](Options& options) { options.half_to_nobody = true; });
        add([](Options& options) { options.misere = 10; });
        add([](Options& options) { options.called_suit_lead_free = true; });
    }
    std::uint64_t seed = 100;
    int miseres = 0;
    for (const Options& options : all)
        miseres += expect_same_deals(options, 60, ++seed).miseres;
    EXPECT_GT(miseres, 0);
}

// ---- ends of deals ---------------------------------------------------------------------------

// The last tricks, with bouts and court cards more often than a pack has them.
std::vector<std::vector<Card>> rich_hands(int players, int left, Random& random) {
    std::vector<Card> pool = whole_pack();
    for (std::size_t i = pool.size() - 1; i > 0; --i)
        std::swap(pool[i], pool[random.below(i + 1)]);
    std::stable_partition(pool.begin(), pool.end(), [&](const Card& card) {
        return is_bout(card) || (half_points(card) > 1 && random.below(3) == 0);
    });
    pool.resize(static_cast<std::size_t>(players) * static_cast<std::size_t>(left));
    for (std::size_t i = pool.size() - 1; i > 0; --i)
        std::swap(pool[i], pool[random.below(i + 1)]);
    std::vector<std::vector<Card>> hands(static_cast<std::size_t>(players));
    for (std::size_t i = 0; i < pool.size(); ++i)
        hands[i % hands.size()].push_back(pool[i]);
    return hands;
}

void expect_same_endings(const Options& options, int endings, std::uint64_t seed) {
    Table table(options);
    Random random(seed);
    const auto pick = [&](int below) {
        return static_cast<int>(random.below(static_cast<std::uint64_t>(below)));
    };
    int slams = 0;
    for (int i = 0; i < endings; ++i) {
        const int left = 1 + pick(3);
        const int before_tricks = sizes_of(options.players).tricks - left;
        Deal::Before before;
        before.tricks = std::array{0, before_tricks, 1 + pick(before_tricks - 1)}[random.below(3)];
        before.halves = pick(120);
        const auto hands = rich_hands(options.players, left, random);
        const int turn = pick(options.players);
        const int taker = pick(options.players);
        const int other = pick(options.players);
        std::optional<int> partner;
        if (options.players == 5 && other != taker) partner = other;
        const std::string bid = std::array{"prise", "garde", "garde-sans"}[random.below(3)];
        std::string json = R"({"phase": "play", "dealer": "A", "turn": ")" + seat_name(turn) +
                           R"(", "contract": {"name": ")" + bid + R"(", "by": ")" +
                           seat_name(taker) + '"';
        if (partner) json += R"(, "partner": ")" + seat_name(*partner) + '"';
        json += R"(}, "hands": )" + hands_json(hands) + R"(, "taken": {"attack": {"points": )" +
                std::to_string(before.halves / 2) + (before.halves % 2 == 1 ? ".5" : "") +
                R"(, "bouts": 0, "tricks": )" + std::to_string(before.tricks) + "}}}";
        table.load(json);
        Deal deal(options, 0);
        deal.ending(hands, turn, taker, bid, partner, before);
        std::string told = json;
        while (!deal.over()) {
            const std::vector<std::string> moves = sorted(deal.moves());
            ASSERT_EQ(table.moves(), moves) << told;
            const std::string& move = moves[random.below(moves.size())];
            told += " " + move;
            deal.play(move);
            table.play(move);
        }
        const Outcome& outcome = deal.outcome();
        slams += outcome.slam != 0 ? 1 : 0;
        ASSERT_EQ(2 * std::stod(table.at("taken.attack.points")), outcome.attack_halves) << told;
        ASSERT_EQ(table.at("taken.attack.bouts"), std::to_string(outcome.attack_bouts)) << told;
        ASSERT_EQ(table.at("petit"), outcome.petit > 0   ? "\"attack\""
                                     : outcome.petit < 0 ? "\"defence\""
                                                         : "")
            << told;
        ASSERT_EQ(table.scores(), deal.scores()) << told;
    }
    EXPECT_GT(slams, endings / 20);
}

TEST(tarot, ends_of_deals_are_those_of_plain_code) {
    std::uint64_t seed = 0;
    for (const int players : {3, 4, 5}) {
        for (const char* last : {"opponents", "trick_winner"}) {
            for (const char* slam : {"attack", "either", "nobody"}) {
                Options options;
                options.players = players;
                options.excuse_last = last;
                options.excuse_slam = slam;
                expect_same_endings(options, 300, ++seed);
            }
        }
    }
}

} // namespace
} // namespace croupier::tarot
