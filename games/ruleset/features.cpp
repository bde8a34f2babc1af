// Lays out the bits by the shape, and reads the columns of a state.
#include "games/ruleset/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <string_view>

namespace croupier::games {
namespace {

using engine::Column;
using engine::SchemaId;
using engine::SchemaNode;
using engine::ShapeKind;

// Numbers with more values have binary digits.
constexpr std::uint64_t kMostValues = 16;
// A number without declared limits has so many; larger ones count as the largest.
constexpr std::uint32_t kDigits = 16;
constexpr std::uint64_t kMostBits = 1U << 18; // of one leaf

// Nodes that say nothing about the position, or only after the end.
constexpr std::array<std::string_view, 8> kNoFeatures = {"move", "moves", "observer", "refused",
                                                         "over", "score", "place",    "role"};

std::uint64_t values_of(const SchemaNode& node, const engine::Layout& layout) {
    switch (node.kind) {
    case ShapeKind::Unit:
        return 1;
    case ShapeKind::Bool:
        return 2;
    case ShapeKind::Member:
        return layout.domain(node.domain).size();
    default:
        return static_cast<std::uint64_t>(node.high) - static_cast<std::uint64_t>(node.low) + 1;
    }
}

std::string relative(std::string_view own, std::size_t after) {
    return after == 0 ? std::string(own) : fmt::format("{}+{}", own, after);
}

void set_bit(std::span<std::uint8_t> bits, std::size_t at) {
    bits[at / 8] = static_cast<std::uint8_t>(bits[at / 8] | 1U << at % 8);
}

// Calls take(index, code) for each element that is not 0.
template <class Code, class Take>
void each_code(const std::byte* codes, std::uint32_t count, const Take& take) {
    constexpr std::uint32_t kAtOnce = sizeof(std::uint64_t) / sizeof(Code);
    constexpr std::uint32_t kBits = 8 * sizeof(Code);
    std::uint32_t at = 0;
    for (; at + kAtOnce <= count; at += kAtOnce) {
        std::uint64_t word = 0;
        std::memcpy(&word, codes + std::size_t{at} * sizeof(Code), sizeof word);
        while (word != 0) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(word)) / kBits;
            const std::uint64_t mask = std::uint64_t{static_cast<Code>(~Code{0})} << lane * kBits;
            take(at + lane, static_cast<std::uint32_t>((word & mask) >> lane * kBits));
            word &= ~mask;
        }
    }
    for (; at < count; ++at) {
        Code code = 0;
        std::memcpy(&code, codes + std::size_t{at} * sizeof(Code), sizeof code);
        if (code != 0) take(at, code);
    }
}

// Calls take(index) for each instance whose presence bit is set.
template <class Take>
void each_present(const std::byte* data, const SchemaNode& node, const Take& take) {
    for (std::uint32_t outer = 0; outer < node.instances / node.group; ++outer) {
        for (std::uint32_t word = 0; word < node.words; ++word) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, data + node.presence + (std::size_t{outer} * node.words + word) * 8,
                        sizeof bits);
            for (; bits != 0; bits &= bits - 1)
                take(outer * node.group + word * engine::kWordRows +
                     static_cast<std::uint32_t>(std::countr_zero(bits)));
        }
    }
}

} // namespace

void Memory::clear() {
    made_.clear();
    bids_are_over_ = false;
}

void Memory::note(const Made& made, const Position& after) {
    const bool bids = after.is_auction();
    if (bids && bids_are_over_)
        made_.clear();
    else
        made_.push_back(made);
    bids_are_over_ = !bids;
}

Features::Features(const RulesetGame& game)
    : game_(game), layout_(*game.program().catalogue().layout), turned_(layout_.domain_count()),
      team_of_(game.facts().seats()) {
    const Facts& facts = game.facts();
    for (std::uint32_t team = 0; team < facts.teams.size(); ++team)
        for (const Seat seat : facts.teams[team].seats)
            team_of_[seat] = team;
    for (std::uint32_t domain = 1; domain < layout_.domain_count(); ++domain)
        turned_[domain] = turned(layout_.domain(domain));
    engine::Diagnostics none; // it was read without mistakes before
    std::vector<Hidden> hidden;
    if (game.ruleset().hidden) hidden = read_hidden(game.ruleset(), none);
    for (const auto& [name, schema] : layout_.node(0).fields) {
        const std::string_view text = layout_.symbols().text(name);
        const bool unseen = std::ranges::any_of(hidden, [&](const Hidden& each) {
            return each.key == text && each.kind == Hidden::Kind::Nobody;
        });
        if (!unseen && std::ranges::find(kNoFeatures, text) == kNoFeatures.end()) add(schema);
    }
    seen_ = size_;
    remembers_ = facts.hides && !facts.moves.empty();
    if (remembers_) size_ += facts.seats() * static_cast<std::uint32_t>(facts.moves.size());
}

Features::Turned Features::turned(const engine::DomainTable& domain) const {
    const Facts& facts = game_.facts();
    // Rows of the seats, or of the teams, in their order.
    const auto rows_of = [&](const auto& all, const auto& name) {
        std::vector<std::uint32_t> rows;
        for (const auto& each : all) {
            const engine::Symbol symbol = layout_.symbols().find(name(each));
            const std::uint16_t row =
                symbol == engine::kNoSymbol ? engine::kNoRow : domain.row_of(symbol);
            if (row == engine::kNoRow) return std::vector<std::uint32_t>{};
            rows.push_back(row);
        }
        return rows;
    };
    const auto seats = rows_of(facts.players, [](const std::string& name) { return name; });
    const auto teams = rows_of(facts.teams, [](const Team& team) { return team.name; });
    if (seats.empty() && teams.empty()) return {};
    Turned turned;
    for (Seat me = 0; me < facts.seats(); ++me) {
        std::vector<std::uint32_t>& rows = turned.emplace_back(domain.size());
        for (std::uint32_t row = 0; row < domain.size(); ++row)
            rows[row] = row;
        const auto turn = [&](const std::vector<std::uint32_t>& from, std::size_t own) {
            for (std::size_t i = 0; i < from.size(); ++i)
                rows[from[i]] = from[(i + from.size() - own) % from.size()];
        };
        turn(seats, me);
        turn(teams, team_of_[me]);
    }
    return turned;
}

std::string Features::name_of(const engine::DomainTable& domain, std::uint32_t row) const {
    const std::string_view text = layout_.symbols().text(domain.members[row]);
    if (turned_[layout_.domain_id(domain.name)].empty()) return std::string(text);
    const Facts& facts = game_.facts();
    if (const auto seat = facts.seat(text)) return relative("me", *seat);
    const auto team = std::ranges::find(facts.teams, text, &Team::name);
    if (team == facts.teams.end()) return std::string(text);
    return relative("us", static_cast<std::size_t>(team - facts.teams.begin()));
}

void Features::add(SchemaId schema) {
    const SchemaNode& node = layout_.node(schema);
    if (node.column == Column::Arena || node.column == Column::Value) {
        left_out_.push_back(layout_.path(schema));
        return;
    }
    if (node.is_leaf()) return add_block(schema);
    if (node.kind == ShapeKind::Map) return add(node.element);
    for (const auto& [name, field] : node.fields)
        add(field);
}

void Features::add_block(SchemaId schema) {
    const SchemaNode& node = layout_.node(schema);
    const bool whole =
        node.column == Column::Int && (node.low == INT64_MIN || node.high == INT64_MAX);
    const std::uint64_t values = whole ? 0 : values_of(node, layout_);
    Block block;
    block.schema = schema;
    block.first = size_;
    block.digits = node.kind == ShapeKind::Int && (whole || values > kMostValues);
    block.has_sign = whole;
    block.low = whole ? 0 : node.low;
    const std::uint64_t each = !block.digits ? values
                               : whole       ? kDigits + 2
                                       : 1 + static_cast<std::uint64_t>(std::bit_width(values - 1));
    if (each * node.instances > kMostBits) {
        left_out_.push_back(layout_.path(schema));
        return;
    }
    block.each = static_cast<std::uint32_t>(each);
    if (node.kind == ShapeKind::Member) block.values = turned_[node.domain];
    // Turns the rows of all maps around an instance.
    bool differs = false;
    for (Seat me = 0; me < game_.facts().seats(); ++me) {
        std::vector<std::uint32_t>& places = block.places.emplace_back(node.instances);
        for (std::uint32_t instance = 0; instance < node.instances; ++instance) {
            std::uint32_t rest = instance;
            std::uint32_t seen = 0;
            std::uint32_t scale = 1;
            for (SchemaId at = schema; layout_.node(at).parent != engine::kNoSchema;
                 at = layout_.node(at).parent) {
                const SchemaNode& above = layout_.node(layout_.node(at).parent);
                if (above.kind != ShapeKind::Map) continue;
                const std::uint32_t rows = layout_.domain(above.domain).size();
                const Turned& turned = turned_[above.domain];
                const std::uint32_t row = rest % rows;
                seen += scale * (turned.empty() ? row : turned[me][row]);
                rest /= rows;
                scale *= rows;
            }
            places[instance] = block.first + seen * block.each;
            differs = differs || seen != instance;
        }
    }
    if (!differs) block.places.clear();
    size_ += block.each * node.instances;
    blocks_.push_back(std::move(block));
}

std::string Features::path(SchemaId schema, std::uint32_t instance) const {
    const SchemaNode& node = layout_.node(schema);
    if (node.parent == engine::kNoSchema) return "";
    const SchemaNode& above = layout_.node(node.parent);
    const std::string before = path(node.parent, instance / node.above_rows);
    const std::string own = above.kind == ShapeKind::Map
                                ? name_of(layout_.domain(above.domain), instance % node.above_rows)
                                : std::string(layout_.symbols().text(node.key));
    return before.empty() ? own : before + "." + own;
}

std::string Features::name(std::uint32_t bit) const {
    assert(bit < size_);
    if (bit >= seen_) {
        const std::vector<std::string>& moves = game_.facts().moves;
        return fmt::format("made.{}.{}", relative("me", (bit - seen_) / moves.size()),
                           moves[(bit - seen_) % moves.size()]);
    }
    const Block& block = *std::prev(std::ranges::upper_bound(blocks_, bit, {}, &Block::first));
    const SchemaNode& node = layout_.node(block.schema);
    const std::uint32_t value = (bit - block.first) % block.each;
    std::string where = path(block.schema, (bit - block.first) / block.each);
    if (block.digits) {
        if (value == 0) return where;
        if (block.has_sign && value == 1) return where + " < 0";
        return fmt::format("{}: {}", where, std::uint64_t{1} << (value - 1 - block.has_sign));
    }
    switch (node.kind) {
    case ShapeKind::Unit:
        return where;
    case ShapeKind::Bool:
        return where + (value == 1 ? "=true" : "=false");
    case ShapeKind::Member:
        return where + "=" + name_of(layout_.domain(node.domain), value);
    default:
        return fmt::format("{}={}", where, node.low + value);
    }
}

std::uint64_t Features::digits_of(const Block& block, std::int64_t value) {
    if (!block.has_sign)
        return 1 | (static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(block.low)) << 1;
    const std::uint64_t size =
        value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    const std::uint64_t most = (std::uint64_t{1} << kDigits) - 1;
    return 1 | (value < 0 ? 2U : 0U) | std::min(size, most) << 2;
}

void Features::write(const engine::State& view, const Memory& memory, Seat me,
                     std::span<std::uint8_t> into) const {
    assert(into.size() == bytes() && &view.layout() == &layout_);
    std::ranges::fill(into, std::uint8_t{0});
    const std::byte* const data = view.data();
    for (const Block& block : blocks_) {
        const SchemaNode& node = layout_.node(block.schema);
        const auto place = [&](std::uint32_t instance) {
            return block.places.empty() ? block.first + instance * block.each
                                        : block.places[me][instance];
        };
        const auto put_digits = [&](std::uint32_t instance, std::int64_t value) {
            for (std::uint64_t bits = digits_of(block, value); bits != 0; bits &= bits - 1)
                set_bit(into, place(instance) + static_cast<std::uint32_t>(std::countr_zero(bits)));
        };
        const auto put_code = [&](std::uint32_t instance, std::uint32_t code) {
            if (block.digits) return put_digits(instance, block.low + code - 1);
            set_bit(into, place(instance) +
                              (block.values.empty() ? code - 1 : block.values[me][code - 1]));
        };
        switch (node.column) {
        case Column::Code8:
            each_code<std::uint8_t>(data + node.values, node.instances, put_code);
            break;
        case Column::Code16:
            each_code<std::uint16_t>(data + node.values, node.instances, put_code);
            break;
        case Column::Int:
            each_present(data, node, [&](std::uint32_t instance) {
                std::int64_t value = 0;
                std::memcpy(&value, data + node.values + std::size_t{8} * instance, sizeof value);
                if (block.digits) return put_digits(instance, value);
                set_bit(into, place(instance) + static_cast<std::uint32_t>(value - block.low));
            });
            break;
        default:
            each_present(data, node,
                         [&](std::uint32_t instance) { set_bit(into, place(instance)); });
        }
    }
    if (!remembers_) return;
    const Facts& facts = game_.facts();
    for (const Memory::Made& made : memory.made())
        if (!made.secret || made.seat == me)
            set_bit(into,
                    seen_ + (made.seat + facts.seats() - me) % facts.seats() * facts.moves.size() +
                        made.move);
}

} // namespace croupier::games
