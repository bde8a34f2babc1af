// Hashes of states: of the block in one pass where nothing is undeclared, else of the tree.
#include "engine/tree/state.h"

#include <cstring>
#include <string_view>

namespace croupier::engine {
namespace {

__extension__ using Wide = unsigned __int128;

// The halves of the whole product, joined: every bit of it depends on every bit of both.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Of bytes, in pieces; which bytes came in which piece counts, too.
class BlockHash {
  public:
    void add(const std::byte* bytes, std::size_t size) {
        const std::byte* const end = bytes + size;
        // Three chains side by side, as one would wait for each product.
        for (; end - bytes >= 48; bytes += 48) {
            first_ = fold(word(bytes) ^ kFirst, word(bytes + 8) ^ first_);
            second_ = fold(word(bytes + 16) ^ kSecond, word(bytes + 24) ^ second_);
            third_ = fold(word(bytes + 32) ^ kThird, word(bytes + 40) ^ third_);
        }
        for (; end - bytes >= 16; bytes += 16) {
            first_ = fold(word(bytes) ^ kFirst, word(bytes + 8) ^ first_);
        }
        if (bytes != end) {
            std::byte rest[16] = {};
            std::memcpy(rest, bytes, static_cast<std::size_t>(end - bytes));
            first_ = fold(word(rest) ^ kSecond, word(rest + 8) ^ first_);
        }
        add(size);
    }
    void add(std::uint64_t word) { first_ = fold(word ^ kThird, first_ ^ kSecond); }
    [[nodiscard]] std::uint64_t value() const {
        return fold(first_ ^ fold(second_ ^ kFirst, third_ ^ kSecond), kThird);
    }

  private:
    static constexpr std::uint64_t kFirst = 0xa0761d6478bd642fu;
    static constexpr std::uint64_t kSecond = 0xe7037ed1a0b428dbu;
    static constexpr std::uint64_t kThird = 0x8ebc6af09c88c6e3u;

    static std::uint64_t word(const std::byte* bytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, sizeof word);
        return word;
    }

    std::uint64_t first_ = 0x589965cc75374cc3u;
    std::uint64_t second_ = 0x1d8e4e27c47d124fu;
    std::uint64_t third_ = 0xeb44accab455d165u;
};

void add_text(BlockHash& hash, std::string_view text) {
    hash.add(reinterpret_cast<const std::byte*>(text.data()), text.size());
}

// A text that the game has made up may have another symbol in an equal state.
void add_value(BlockHash& hash, const Value& value, const Symbols& symbols) {
    hash.add(static_cast<std::uint64_t>(value.tag));
    if (value.is_text()) {
        add_text(hash, symbols.text(value.symbol()));
    } else if (value.tag != Tag::None) {
        hash.add(static_cast<std::uint64_t>(value.integer));
    }
}

void add_node(BlockHash& hash, const State& state, NodeRef node) {
    hash.add(state.is_array(node) ? 1 : 0);
    add_value(hash, state.value(node), state.symbols());
    for (NodeRef child = state.first_child(node); child; child = state.next_sibling(child)) {
        add_text(hash, state.symbols().text(state.key(child).symbol()));
        add_node(hash, state, child);
    }
    hash.add(2);
}

} // namespace

// Whether anything is undeclared is a matter of the tree, so that equal trees go the same way.
std::uint64_t State::hash() const {
    BlockHash hash;
    if (arena_used_ != 0) {
        add_node(hash, *this, root());
        return hash.value();
    }
    std::uint32_t from = 0;
    for (const SchemaId id : layout_->value_columns()) {
        const SchemaNode& leaf = layout_->node(id);
        hash.add(data() + from, leaf.values - from);
        for (std::uint32_t i = 0; i < leaf.instances; ++i) {
            add_value(hash, load<Value>(leaf.values + sizeof(Value) * i), symbols_);
        }
        from = leaf.values + leaf.instances * static_cast<std::uint32_t>(sizeof(Value));
    }
    hash.add(data() + from, layout_->dense_bytes() - from);
    const std::uint32_t order = layout_->order_of_root();
    hash.add(data() + order, std::size_t{2} * (1 + load<std::uint16_t>(order)));
    return hash.value();
}

} // namespace croupier::engine
