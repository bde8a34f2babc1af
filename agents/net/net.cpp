// Reads a net, and computes in fixed point: values in 1 / kOne, so that sums of products fit in 32
// bits and have no order.
#include "agents/net/net.h"

#include "agents/codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace croupier::agents {

using engine::Diagnostics;
using engine::Document;
using engine::Member;
using engine::Span;

namespace {

constexpr std::int64_t kOne = 512;
constexpr std::int64_t kMostValue = 32767;
constexpr int kFactorBits = 24;
constexpr double kFactor = std::int64_t{1} << kFactorBits;
constexpr double kMostFactor = 64; // so that no product leaves 64 bits
constexpr double kMostBias = 1 << 20;
constexpr std::uint32_t kMostBits = 1 << 15;
constexpr std::uint32_t kMostUnits = 512; // 512 products of 127 and 32767 fit in 32 bits
constexpr std::size_t kMostLayers = 8;
constexpr std::uint32_t kRow = 16;     // numbers that are added at once
constexpr std::uint32_t kAtOnce = 256; // weights of up to 127 whose sum fits in 16 bits

std::uint32_t padded(std::uint32_t count) {
    return (count + kRow - 1) / kRow * kRow;
}

} // namespace

class Net::Reader {
  public:
    Reader(const games::RulesetGame& game, Net& net, Diagnostics& diagnostics)
        : facts_(game.facts()), net_(net), diagnostics_(diagnostics) {}

    void read(const Document& file) {
        if (!file.is_object()) return damaged(file.span, "a net is an object");
        const Document* game = member(file, "game");
        if (game == nullptr || !is_for_this(*game)) return;
        const Document* bits = member(file, "bits");
        const Document* moves = member(file, "moves");
        const Document* layers = member(file, "layers");
        const Document* unit = member(file, "unit");
        if (bits == nullptr || moves == nullptr || layers == nullptr || unit == nullptr) return;
        if (!read_bits(*bits) || !has_moves(*moves)) return;
        const Member* trained = file.find("trained");
        const Member* goal = trained == nullptr ? nullptr : trained->value.find("goal");
        net_.wants_wins_ =
            goal != nullptr && goal->value.is_string() && goal->value.text() == "wins";
        const auto points = number(*unit, kMostBias);
        if (!points) return;
        if (*points <= 0) return damaged(unit->span, "a unit is above 0");
        net_.unit_ = *points;
        if (!layers->is_array() || layers->members.size() < 2 ||
            layers->members.size() > kMostLayers)
            return damaged(layers->span, fmt::format("a net has 2 to {} layers", kMostLayers));
        for (const Member& each : layers->members) {
            const bool last = &each == &layers->members.back();
            if (!read_layer(each.value, last)) return;
        }
        compare(file);
    }

  private:
    void damaged(Span span, std::string message) {
        diagnostics_.error(code::kNet, span, std::move(message),
                           "python3 -m croupier.learn writes nets");
    }

    const Document* member(const Document& object, std::string_view key) {
        const Member* found = object.is_object() ? object.find(key) : nullptr;
        if (found == nullptr) damaged(object.span, fmt::format("\"{}\" is missing here", key));
        return found == nullptr ? nullptr : &found->value;
    }

    bool is_for_this(const Document& game) {
        if (game.is_string() && game.text() == facts_.title()) return true;
        another(game.span, game.is_string() ? fmt::format("this net was trained for {}, and {} is "
                                                          "played",
                                                          game.text(), facts_.title())
                                            : "a net says its game's name");
        return false;
    }

    void another(Span span, std::string message) {
        diagnostics_.error(
            code::kNetGame, span, std::move(message),
            fmt::format("train one: python3 -m croupier.learn {} --out FILE", facts_.title()));
    }

    bool read_bits(const Document& bits) {
        if (!bits.is_array() || bits.members.empty() || bits.members.size() > kMostBits) {
            damaged(bits.span, fmt::format("a net sees 1 to {} bits", kMostBits));
            return false;
        }
        std::unordered_map<std::string, std::uint32_t> known;
        for (std::uint32_t bit = 0; bit < net_.features_.size(); ++bit)
            known.emplace(net_.features_.name(bit), bit);
        net_.input_of_.assign(net_.features_.size(), -1);
        for (std::size_t i = 0; i < bits.members.size(); ++i) {
            const Document& name = bits.members[i].value;
            const auto bit = name.is_string() ? known.find(name.text()) : known.end();
            if (bit == known.end()) {
                another(name.span,
                        fmt::format("this net sees what {} does not have", facts_.title()));
                return false;
            }
            net_.input_of_[bit->second] = static_cast<std::int32_t>(i);
        }
        inputs_ = static_cast<std::uint32_t>(bits.members.size());
        return true;
    }

    bool has_moves(const Document& moves) {
        bool same = moves.is_array() && moves.members.size() == facts_.moves.size();
        for (std::size_t i = 0; same && i < facts_.moves.size(); ++i) {
            const Document& move = moves.members[i].value;
            same = move.is_string() && move.text() == facts_.moves[i];
        }
        if (!same)
            another(moves.span, fmt::format("this net knows other moves than {}", facts_.title()));
        return same;
    }

    std::optional<double> number(const Document& value, double most) {
        const double* real = value.get<double>();
        const std::int64_t* whole = value.get<std::int64_t>();
        const double found = real != nullptr    ? *real
                             : whole != nullptr ? static_cast<double>(*whole)
                                                : 2 * most;
        if (std::abs(found) <= most) return found;
        damaged(value.span, fmt::format("a number from {} to {} belongs here", -most, most));
        return std::nullopt;
    }

    // A number for each unit, as whole multiples of 1 / scale.
    bool numbers(const Document& list, double most, double scale, std::vector<std::int64_t>& into) {
        for (const Member& each : list.members) {
            const auto found = number(each.value, most);
            if (!found) return false;
            into.push_back(std::llround(*found * scale));
        }
        return true;
    }

    bool read_layer(const Document& from, bool last) {
        const Document* weights = member(from, "weights");
        const Document* factors = member(from, "factors");
        const Document* biases = member(from, "biases");
        if (weights == nullptr || factors == nullptr || biases == nullptr) return false;
        Layer layer;
        layer.inputs = inputs_;
        layer.units = static_cast<std::uint32_t>(factors->members.size());
        if (last ? layer.units != facts_.moves.size() + 1
                 : layer.units == 0 || layer.units > kMostUnits) {
            damaged(factors->span,
                    last ? fmt::format(
                               "the last layer has a unit for each of the {} moves, and one more",
                               facts_.moves.size())
                         : fmt::format("a layer between has 1 to {} units", kMostUnits));
            return false;
        }
        const std::size_t digits = std::size_t{2} * layer.inputs * layer.units;
        if (biases->members.size() != layer.units || !weights->is_string() ||
            weights->text().size() != digits) {
            damaged(weights->span,
                    fmt::format("{} inputs and {} units need {} hexadecimal digits and {} biases",
                                layer.inputs, layer.units, digits, layer.units));
            return false;
        }
        const bool first = net_.layers_.empty();
        layer.row = padded(first ? layer.units : layer.inputs);
        layer.weights.resize(std::size_t{layer.row} * (first ? layer.inputs : layer.units));
        const std::string_view text = weights->text();
        for (std::uint32_t input = 0; input < layer.inputs; ++input)
            for (std::uint32_t unit = 0; unit < layer.units; ++unit) {
                const std::size_t at = std::size_t{2} * (input * layer.units + unit);
                const int high = digit(text[at]);
                const int low = digit(text[at + 1]);
                if (high < 0 || low < 0 || (high == 8 && low == 0)) {
                    damaged(weights->span, "a weight has two hexadecimal digits, -127 to 127");
                    return false;
                }
                layer.weights[first ? input * layer.row + unit : unit * layer.row + input] =
                    static_cast<std::int16_t>(high < 8 ? high * 16 + low : high * 16 + low - 256);
            }
        // Bits count as 1, values of layers as kOne.
        if (!numbers(*factors, kMostFactor, first ? kFactor * kOne : kFactor, layer.factors) ||
            !numbers(*biases, kMostBias, kFactor * kOne, layer.biases))
            return false;
        inputs_ = layer.units;
        net_.layers_.push_back(std::move(layer));
        return true;
    }

    static int digit(char each) {
        return each >= '0' && each <= '9'   ? each - '0'
               : each >= 'a' && each <= 'f' ? each - 'a' + 10
                                            : -1;
    }

    // Options that differ, or else the rules.
    void compare(const Document& file) {
        const Member* options = file.find("options");
        for (const games::GameOption& each : facts_.options) {
            const Member* trained = options != nullptr ? options->value.find(each.name) : nullptr;
            if (trained == nullptr || trained->value.scalar == each.value) continue;
            net_.difference_ +=
                fmt::format("{}{}={}", net_.difference_.empty() ? "it was trained with " : ", ",
                            each.name, engine::scalar_json(trained->value.scalar));
        }
        const Member* ruleset = file.find("ruleset");
        const bool same = ruleset != nullptr && ruleset->value.is_string() &&
                          ruleset->value.text() == facts_.ruleset;
        if (!same && net_.difference_.empty())
            net_.difference_ = "the rules have changed since it was trained";
    }

    const games::Facts& facts_;
    Net& net_;
    Diagnostics& diagnostics_;
    std::uint32_t inputs_ = 0; // of the next layer
};

OpenedNet Net::open(const std::string& path, const engine::FileOpener& open,
                    const games::RulesetGame& game) {
    OpenedNet opened;
    const engine::FileText text = open(path);
    const std::uint32_t file = opened.sources.add(path, text.text.value_or(""));
    if (!text.text) {
        opened.diagnostics.error(code::kNet, {file, 0, 0}, text.error);
        return opened;
    }
    const auto document = engine::read_json(opened.sources, file, opened.diagnostics);
    if (!document) return opened;
    std::shared_ptr<Net> net(new Net(game));
    Reader(game, *net, opened.diagnostics).read(*document);
    if (!opened.diagnostics.has_errors()) opened.net = std::move(net);
    return opened;
}

// Sums the rows of the bits that are set into work.totals.
void Net::add_bits(const Layer& layer, Work& work) const {
    work.sums.assign(layer.row, 0);
    work.totals.assign(layer.row, 0);
    std::uint32_t added = 0;
    const auto settle = [&] {
        for (std::uint32_t i = 0; i < layer.row; ++i)
            work.totals[i] += work.sums[i];
        std::ranges::fill(work.sums, std::int16_t{0});
        added = 0;
    };
    for (std::size_t byte = 0; byte < work.bits.size(); ++byte) {
        for (std::uint32_t set = work.bits[byte]; set != 0; set &= set - 1) {
            const std::size_t bit = 8 * byte + static_cast<std::size_t>(std::countr_zero(set));
            const std::int32_t input = input_of_[bit];
            if (input < 0) continue;
            const std::int16_t* const row =
                layer.weights.data() + static_cast<std::size_t>(input) * layer.row;
            std::int16_t* const sums = work.sums.data();
            for (std::uint32_t i = 0; i < layer.row; ++i)
                sums[i] = static_cast<std::int16_t>(sums[i] + row[i]);
            if (++added == kAtOnce) settle();
        }
    }
    settle();
}

std::int64_t Net::worth_of(const Layer& layer, std::uint32_t unit,
                           const std::vector<std::int16_t>& values) {
    const std::int16_t* const row = layer.weights.data() + std::size_t{unit} * layer.row;
    std::int32_t sum = 0;
    for (std::uint32_t i = 0; i < layer.row; ++i)
        sum += std::int32_t{row[i]} * values[i];
    return sum * layer.factors[unit] + layer.biases[unit];
}

void Net::look(const Position& view, const games::Memory& memory, Seat me,
               std::span<const Move> moves, Work& work, std::vector<std::int64_t>& worths) const {
    const auto rectified = [](std::int64_t worth) {
        return static_cast<std::int16_t>(
            std::clamp<std::int64_t>(worth >> kFactorBits, 0, kMostValue));
    };
    work.bits.resize(features_.bytes());
    features_.write(*view.ruleset_state(), memory, me, work.bits);
    const Layer& first = layers_.front();
    add_bits(first, work);
    work.values.assign(padded(first.units), 0);
    for (std::uint32_t unit = 0; unit < first.units; ++unit)
        work.values[unit] = rectified(work.totals[unit] * first.factors[unit] + first.biases[unit]);
    for (std::size_t i = 1; i + 1 < layers_.size(); ++i) {
        work.next.assign(padded(layers_[i].units), 0);
        for (std::uint32_t unit = 0; unit < layers_[i].units; ++unit)
            work.next[unit] = rectified(worth_of(layers_[i], unit, work.values));
        work.values.swap(work.next);
    }
    const Layer& last = layers_.back();
    const std::int64_t here = worth_of(last, last.units - 1, work.values);
    worths.clear();
    for (const Move move : moves)
        worths.push_back(here + worth_of(last, move, work.values));
}

double Net::points(std::int64_t worth) const {
    return static_cast<double>(worth) / (kFactor * kOne) * unit_;
}

} // namespace croupier::agents
