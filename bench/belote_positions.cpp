// Deals and plays at random, from a fixed seed: the same positions on every machine.
#include "bench/belote_positions.h"

#include "engine/api/random.h"

#include <string_view>

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
    for (std::size_t seat = 0; seat < 4; ++seat) {
        made.hands[seat] = mask_of(position.hands[seat]);
    }
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
    for (const Card& card : cards) {
        mask |= 1u << (8 * card.suit + card.rank);
    }
    return mask;
}

} // namespace croupier::bench
