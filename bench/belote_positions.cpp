// Deals and plays at random, from a fixed seed: the same positions on every machine.
#include "bench/belote_positions.h"

#include "engine/api/random.h"

#include <string_view>

namespace croupier::bench::bits {

// The decision list as selections of masks.

namespace {

constexpr std::uint32_t of_suit(unsigned suit) {
    return 0xffu << (8 * suit);
}

// For each card the cards of its suit that are higher trumps.
constexpr std::array<std::uint32_t, 32> kHigher = [] {
    constexpr std::array<int, 8> kHeights{1, 2, 7, 5, 8, 3, 4, 6};
    std::array<std::uint32_t, 32> table{};
    for (unsigned card = 0; card < 32; ++card) {
        for (unsigned rank = 0; rank < 8; ++rank)
            if (kHeights[rank] > kHeights[card % 8]) table[card] |= 1u << (card / 8 * 8 + rank);
    }
    return table;
}();

// Strength and points of a rank, plain and as a trump.
constexpr std::array<std::array<std::uint8_t, 8>, 2> kHeight{
    {{1, 2, 3, 7, 4, 5, 6, 8}, {1, 2, 7, 5, 8, 3, 4, 6}}};
constexpr std::array<std::array<std::uint8_t, 8>, 2> kPoints{
    {{0, 0, 0, 10, 2, 3, 4, 11}, {0, 0, 14, 10, 20, 3, 4, 11}}};
constexpr std::uint32_t kKingAndQueen = 0x60;

std::uint32_t first_of(std::uint32_t a, std::uint32_t b) {
    return a != 0 ? a : b;
}

} // namespace

std::uint32_t legal_moves(const Position& position) {
    const std::uint32_t hand = position.hands[position.turn];
    if (position.led == kNoSuit) return hand;
    const std::uint32_t followers = hand & of_suit(position.led);
    const std::uint32_t higher = hand & kHigher[position.best];
    if (followers != 0)
        return position.led == position.trump ? first_of(higher, followers) : followers;
    if ((position.holder ^ position.turn) == 2) return hand;
    const std::uint32_t trumps = hand & of_suit(position.trump);
    const bool ruffed = position.best / 8 == position.trump;
    return first_of(ruffed ? higher : 0, first_of(trumps, hand));
}

void play(Position& position, std::uint32_t card) {
    const std::uint32_t bit = 1u << card;
    std::uint32_t& hand = position.hands[position.turn];
    const bool is_trump = card / 8 == position.trump;
    const std::uint32_t belote = kKingAndQueen << (8 * position.trump);
    if ((belote & bit) != 0 && (hand & belote) == belote) position.belote[position.turn & 1] = 20;
    hand &= ~bit;
    const std::uint32_t best = position.best;
    const bool higher =
        card / 8 == best / 8 ? kHeight[is_trump][card % 8] > kHeight[is_trump][best % 8] : is_trump;
    if (position.led == kNoSuit) position.led = static_cast<std::uint8_t>(card / 8);
    if (position.in_trick == 0 || higher) {
        position.best = static_cast<std::uint8_t>(card);
        position.holder = position.turn;
    }
    position.pot = static_cast<std::uint8_t>(position.pot + kPoints[is_trump][card % 8]);
    position.turn = (position.turn + 1) & 3;
    if (++position.in_trick == 4) {
        const std::uint8_t team = position.holder & 1;
        position.points[team] = static_cast<std::uint8_t>(position.points[team] + position.pot);
        ++position.tricks[team];
        position.last = team;
        position.turn = position.holder;
        position.led = kNoSuit;
        position.in_trick = position.pot = 0;
    }
}

} // namespace croupier::bench::bits

namespace croupier::bench {

namespace {

using plain::Card;
using plain::kSeats;
using plain::kSuits;
using plain::name_of;
using plain::Position;

} // namespace

std::vector<Position> belote_positions(int deals, std::uint64_t seed) {
    engine::Random random(seed);
    std::vector<Position> positions;
    for (int i = 0; i < deals; ++i) {
        Position position = plain::deal(random);
        for (int ply = 0; ply < 32; ++ply) {
            positions.push_back(position);
            const std::vector<Card> moves = plain::legal_moves(position);
            const Card card = moves[random.below(moves.size())];
            plain::play(position, card);
        }
    }
    return positions;
}

bits::Position to_bits(const Position& position) {
    bits::Position made;
    for (std::size_t seat = 0; seat < 4; ++seat)
        made.hands[seat] = mask_of(position.hands[seat]);
    made.turn = static_cast<std::uint8_t>(position.turn);
    made.trump = static_cast<std::uint8_t>(position.trump);
    made.led = position.led ? static_cast<std::uint8_t>(*position.led) : bits::kNoSuit;
    made.best = static_cast<std::uint8_t>(8 * position.best.suit + position.best.rank);
    made.holder = static_cast<std::uint8_t>(position.holder);
    return made;
}

std::string to_json(const Position& position) {
    const auto field = [](const char* name, const std::string& text) {
        return std::string("\"") + name + "\": \"" + text + "\", ";
    };
    const auto letter = [](std::string_view letters, int place) {
        return std::string(1, letters[static_cast<std::size_t>(place)]);
    };
    std::string json = "{" + field("turn", letter(kSeats, position.turn)) +
                       field("trump", letter(kSuits, position.trump));
    if (position.led) {
        json += field("led", letter(kSuits, *position.led)) +
                field("best", name_of(position.best)) +
                field("holder", letter(kSeats, position.holder));
    }
    json += "\"hands\": {";
    for (std::size_t seat = 0; seat < 4; ++seat) {
        json += std::string(seat == 0 ? "" : ", ") + "\"" + kSeats[seat] + "\": {";
        for (std::size_t i = 0; i < position.hands[seat].size(); ++i) {
            json += std::string(i == 0 ? "" : ", ") + "\"" + name_of(position.hands[seat][i]) +
                    "\": true";
        }
        json += "}";
    }
    return json + "}}";
}

std::uint32_t mask_of(const std::vector<Card>& cards) {
    std::uint32_t mask = 0;
    for (const Card& card : cards)
        mask |= 1u << (8 * card.suit + card.rank);
    return mask;
}

} // namespace croupier::bench
