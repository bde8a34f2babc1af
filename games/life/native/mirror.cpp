// Writes stones and moves into the columns that the ruleset's shape declares.
#include "games/life/native/mirror.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace croupier::games::life {
namespace {

using engine::NodeRef;
using engine::State;

// As a state keeps them: a bit for each member of the ruleset's domain of moves.
using MoveBits = std::array<std::uint64_t, kCells / 64 + 1>;

NodeRef field(const State& state, const char* name) {
    return {state.layout().node(0).field(state.symbols().find(name)), 0};
}

// A bit for each column.
std::uint64_t row_of(const CellSet& cells, int row) {
    const Cell first(0, row);
    const std::uint64_t word = cells.words()[CellSet::word_of(first)];
    return word >> CellSet::bit_of(first) & (CellSet::kRow >> 1);
}

// In a map of leaves that is there, a byte is all there is to a leaf: 1 + the player's place.
void put_stones(const CellSet& cells, Colour colour, std::span<std::byte> into) {
    const std::byte code{static_cast<std::uint8_t>(1 + static_cast<unsigned>(colour))};
    for (int row = 0; row < kSide; ++row) {
        std::byte* const first = &into[Cell(0, row).index()];
        for (std::uint64_t bits = row_of(cells, row); bits != 0; bits &= bits - 1)
            first[std::countr_zero(bits)] = code;
    }
}

MoveBits bits_of(const CellSet& drops) {
    MoveBits bits{};
    if (drops.empty()) bits[kCells / 64] |= std::uint64_t{1} << (kCells % 64); // the pass
    for (unsigned row = 0; row < kSide; ++row) {
        const std::uint64_t cells = row_of(drops, static_cast<int>(row));
        const unsigned at = kSide * row;
        bits[at / 64] |= cells << (at % 64);
        if (at % 64 + kSide > 64) bits[at / 64 + 1] |= cells >> (64 - at % 64);
    }
    return bits;
}

} // namespace

Mirror::Mirror(const RulesetGame& game)
    : state_(game.initial()), board_(field(state_, "board")), turn_(field(state_, "turn")) {
    const engine::SchemaId moves = game.slots().moves.schema;
    assert(game.has_move_bits() && state_.leaf_bytes(board_).size() == kCells);
    state_.ensure(board_.schema, 0);
    state_.ensure(moves, 0);
    moves_ = state_.layout().node(state_.layout().node(moves).element).presence;
}

const State& Mirror::show(const Board& board, Colour turn, const CellSet& drops) {
    const std::span<std::byte> stones = state_.leaf_bytes(board_);
    std::fill(stones.begin(), stones.end(), std::byte{0});
    for (const Colour colour : {Colour::Black, Colour::White})
        put_stones(board.of(colour), colour, stones);
    state_.set_leaf_code(turn_, 1 + static_cast<std::uint32_t>(turn));
    const MoveBits moves = bits_of(drops);
    std::memcpy(state_.data() + moves_, moves.data(), sizeof(moves));
    return state_;
}

} // namespace croupier::games::life
