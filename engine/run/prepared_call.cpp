// Calls of shuffle and deal on declared maps of bytes, as a pack of cards is one.
#include "engine/run/prepared_call.h"

#include "engine/run/block.h"
#include "engine/tree/layout.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace croupier::engine {

using ir::Kind;

namespace {

// The lowest byte of the word that is 0, by its place; 8 if there is none.
std::size_t first_empty(std::uint64_t word) {
    constexpr std::uint64_t kOnes = 0x0101010101010101u;
    const std::uint64_t empty = (word - kOnes) & ~word & (kOnes << 7);
    return static_cast<std::size_t>(std::countr_zero(empty)) / 8;
}

// The bytes that are not 0 stand at the begin without a gap; so many they are.
bool is_filled_from_first(const std::byte* held, std::uint32_t size, std::size_t& count) {
    count = 0;
    std::size_t at = 0;
    for (; at + 8 <= size; at += 8) {
        const std::uint64_t word = load_word(held + at);
        const std::size_t filled = first_empty(word);
        count += filled;
        if (filled == 8) {
            continue;
        }
        std::uint64_t rest = filled == 0 ? word : word >> (filled * 8);
        for (at += 8; at + 8 <= size; at += 8) {
            rest |= load_word(held + at);
        }
        if (at < size) { // the last eight, without those that were looked at
            rest |= load_word(held + size - 8) >> ((8 - (size - at)) * 8);
        }
        return rest == 0;
    }
    for (; at < size && held[at] != std::byte{0}; ++at) {
        ++count;
    }
    return std::all_of(held + at, held + size, [](std::byte each) { return each == std::byte{0}; });
}

} // namespace

PreparedCall::PreparedCall(const ir::Module& module, const ir::Function& function,
                           const ir::Node& call)
    : module_(&module), function_at_(&function), node_(&call) {
    const std::string_view name = module.calls[call.x].function;
    const Layout& layout = *module.catalogue->layout;
    if (name == "shuffle" && find("of", from_) && holds_bytes(from_)) {
        function_ = Function::Shuffle;
        shuffled_ = layout.node(from_.map).element;
    } else if (name == "deal" && find("from", from_) && holds_bytes(from_) && find("to", to_) &&
               holds_sets_of_cards()) {
        function_ = Function::Deal;
        count_ = value_of("count");
        start_ = value_of("start");
    }
    if (is_known()) {
        size_ = layout.node(layout.node(from_.map).element).group;
        places_.resize(size_);
    }
}

// ---- what is known in advance ----------------------------------------------------------------

// The first argument of that name that is a path, or a value; null if there is none.
const ir::Node* PreparedCall::argument(std::string_view name, bool is_path,
                                       std::size_t& place) const {
    const std::vector<std::string>& names = module_->calls[node_->x].arguments;
    for (place = 0; place < node_->operands.size(); ++place) {
        const ir::Node& each = function_at_->at(node_->operands[place]);
        if ((each.kind == Kind::ArgumentPath) == is_path &&
            names[static_cast<std::size_t>(each.number)] == name) {
            return &each;
        }
    }
    return nullptr;
}

std::size_t PreparedCall::value_of(std::string_view name) const {
    std::size_t place = 0;
    return argument(name, false, place) == nullptr ? kNoArgument : place;
}

// False if the path has to be computed or leads to something else than such a map.
bool PreparedCall::find(std::string_view name, Place& found) const {
    std::size_t place = 0;
    const ir::Node* const path = argument(name, true, place);
    const bool all_known =
        path != nullptr && path->x == 0 && !path->operands.empty() &&
        std::all_of(path->operands.begin(), path->operands.end(),
                    [&](ir::Id key) { return function_at_->at(key).kind == Kind::Name; });
    if (!all_known) {
        return false;
    }
    const Layout& layout = *module_->catalogue->layout;
    const Symbol first = function_at_->at(path->operands[0]).x;
    SchemaId schema = 0;
    if (first == kNoSymbol || module_->catalogue->has_constant(first)) {
        return false;
    }
    for (const ir::Id key : path->operands) {
        if (layout.node(schema).kind != ShapeKind::Record) {
            return false;
        }
        schema = layout.node(schema).field(function_at_->at(key).x);
        if (schema == kNoSchema) {
            return false;
        }
    }
    found.map = schema;
    found.from_state = path->y == 1;
    const SchemaNode& map = layout.node(schema);
    return map.kind == ShapeKind::Map && map.column != Column::Arena && map.domain != 0;
}

bool PreparedCall::holds_bytes(const Place& place) const {
    const Layout& layout = *module_->catalogue->layout;
    return layout.node(layout.node(place.map).element).column == Column::Code8;
}

// `to_` has a set of cards, as `from_` holds them, for each row of a small domain.
bool PreparedCall::holds_sets_of_cards() const {
    const Layout& layout = *module_->catalogue->layout;
    const SchemaNode& card = layout.node(layout.node(from_.map).element);
    const SchemaNode& hand = layout.node(layout.node(to_.map).element);
    if (card.kind != ShapeKind::Member || layout.domain(card.domain).numbered ||
        hand.kind != ShapeKind::Map || hand.domain != card.domain || hand.presence == kNoOffset ||
        hand.words != 1) {
        return false;
    }
    const SchemaNode& member = layout.node(hand.element);
    return member.kind == ShapeKind::Unit && member.presence != kNoOffset;
}

// ---- on the columns --------------------------------------------------------------------------

bool PreparedCall::is_there(const Runtime& runtime, const Place& place) const {
    return (place.from_state || runtime.is_at_root()) && runtime.is_present({place.map, 0});
}

bool PreparedCall::run(Runtime& runtime, std::span<const Value> values) {
    if (runtime.state().has_journal()) {
        return false; // what is done here is not noted
    }
    return function_ == Function::Shuffle ? shuffle(runtime) : deal(runtime, values);
}

// The places of the first bytes that are not 0, `most` at most; gives how many there are.
std::size_t PreparedCall::take(const std::byte* held, std::size_t most) {
    std::size_t count = 0;
    std::uint32_t at = 0;
    while (at < size_ && count < most) {
        if (at + 8 <= size_ && load_word(held + at) == 0) {
            at += 8;
            continue;
        }
        places_[count] = at;
        count += held[at] != std::byte{0} ? 1 : 0;
        ++at;
    }
    return count;
}

// Child i gets what child order[i] held, which is what changing places in turn comes to.
bool PreparedCall::shuffle(Runtime& runtime) {
    if (!is_there(runtime, from_)) {
        return false;
    }
    const Layout& layout = *module_->catalogue->layout;
    std::byte* const held = runtime.state().data() + layout.node(shuffled_).values;
    Random random = runtime.random();
    std::size_t count = 0;
    if (is_filled_from_first(held, size_, count)) {
        for (std::size_t i = count; i > 1; --i) {
            std::swap(held[i - 1], held[random.below(i)]);
        }
    } else {
        const std::uint32_t* const places = places_.data();
        count = take(held, size_);
        for (std::size_t i = count; i > 1; --i) {
            std::swap(held[places[i - 1]], held[places[random.below(i)]]);
        }
    }
    runtime.random() = random;
    has_moved_ = count != 0;
    return true;
}

bool PreparedCall::deal(Runtime& runtime, std::span<const Value> values) {
    if (!is_there(runtime, from_) || !is_there(runtime, to_)) {
        return false;
    }
    const Layout& layout = *module_->catalogue->layout;
    const SchemaNode& card = layout.node(layout.node(from_.map).element);
    const SchemaNode& hand = layout.node(layout.node(to_.map).element);
    const SchemaNode& member = layout.node(hand.element);
    std::byte* const data = runtime.state().data();
    const Value one = Value::number(std::int64_t{1});
    const Value& given = count_ == kNoArgument ? one : values[count_];
    if (given.tag != Tag::Int || given.integer < 1 || given.integer > size_) {
        return false;
    }
    const auto each = static_cast<std::size_t>(given.integer);
    const std::uint64_t receivers = load_word(data + hand.presence);
    std::uint32_t first = 0;
    if (start_ != kNoArgument) {
        const Value& start = values[start_];
        const DomainTable& names = layout.domain(layout.node(to_.map).domain);
        first = start.is_text() ? names.row_of(start.symbol()) : kNoRow;
        if (first == kNoRow || (receivers >> first & 1) == 0) {
            return false;
        }
    }
    std::byte* const stock = data + card.values;
    const std::size_t wanted = each * static_cast<std::size_t>(std::popcount(receivers));
    if (receivers == 0 || take(stock, wanted) < wanted) {
        return false;
    }
    const std::uint32_t* next = places_.data();
    // Those from the first on, then those before it.
    const std::uint64_t before = (std::uint64_t{1} << first) - 1;
    for (std::uint64_t turn : {receivers & ~before, receivers & before}) {
        for (; turn != 0; turn &= turn - 1) {
            const auto place = static_cast<std::size_t>(std::countr_zero(turn));
            std::byte* const words = data + member.presence + place * member.words * 8;
            for (std::size_t i = 0; i < each; ++i, ++next) {
                const std::size_t row = std::to_integer<std::size_t>(stock[*next]) - 1;
                merge_rows(words + row / 64 * 8, std::uint64_t{1} << row % 64);
                stock[*next] = std::byte{0};
            }
        }
    }
    return true;
}

} // namespace croupier::engine
