// Plays random games and keeps some of their positions; then moves the weights towards the results
// of these games, a little for each position (normalized least mean squares).
#include "agents/eval/learnt_evaluation.h"

#include "agents/search/sides.h"
#include "engine/api/state.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace croupier::agents {
namespace {

using engine::Column;
using engine::NodeRef;
using engine::SchemaId;
using engine::SchemaNode;
using engine::State;
using games::Ending;
using games::Position;
using games::Seat;

constexpr std::uint64_t kSeed = 1; // fixed, so that the result depends only on the ruleset
constexpr std::uint64_t kMaxGames = 3000;
constexpr std::uint64_t kMaxPlies = 200'000;
constexpr std::size_t kMaxFeatures = 3'000'000; // over all kept positions
constexpr std::uint64_t kKeptEvery = 3;         // plies, on average: neighbours are similar
constexpr int kRounds = 16;
constexpr double kFirstRate = 0.2;
constexpr double kCooling = 0.65; // of the learning rate per round: the last rounds only smooth
constexpr double kPercent = 100;
constexpr double kHalf = 0.5;

} // namespace

// Positions with their features and results.
class LearntEvaluation::Lesson {
  public:
    void begin_game() { of_game_ = ends_.size(); }
    void add_feature(std::uint32_t feature) { features_.push_back(feature); }
    void end_position() { ends_.push_back(features_.size()); }
    void end_game(const std::vector<double>& rewards) {
        for (std::size_t i = of_game_; i < ends_.size(); ++i)
            rewards_.insert(rewards_.end(), rewards.begin(), rewards.end());
        sides_ = rewards.size();
    }
    // The game did not end.
    void drop_game() {
        ends_.resize(of_game_);
        features_.resize(ends_.empty() ? 0 : ends_.back());
    }
    [[nodiscard]] bool is_full() const { return features_.size() >= kMaxFeatures; }
    [[nodiscard]] std::size_t positions() const { return ends_.size(); }
    [[nodiscard]] double reward(std::size_t position, std::size_t side) const {
        return rewards_[position * sides_ + side];
    }
    template <class Use>
    void each_feature(std::size_t position, const Use& use) const {
        for (std::size_t i = position == 0 ? 0 : ends_[position - 1]; i < ends_[position]; ++i)
            use(features_[i]);
    }
    [[nodiscard]] std::size_t count(std::size_t position) const {
        return ends_[position] - (position == 0 ? 0 : ends_[position - 1]);
    }

  private:
    std::vector<std::uint32_t> features_;
    std::vector<std::size_t> ends_; // of positions, in features_
    std::vector<double> rewards_;   // by position and side
    std::size_t of_game_ = 0;       // its first position
    std::size_t sides_ = 0;
};

template <class Use>
void LearntEvaluation::each_feature(const State& state, const Use& use) const {
    for (const Codes& codes : codes_) {
        const std::byte* const bytes = state.data() + codes.begin;
        for (std::uint32_t row = 0; row < codes.rows; ++row) {
            const auto code = static_cast<std::uint32_t>(bytes[row]);
            if (code != 0 && code <= codes.values) use(codes.first + row * codes.values + code - 1);
        }
    }
    for (const Bits& bits : bits_) {
        for (std::uint32_t row = 0; row < bits.rows; ++row)
            if (state.is_present({bits.schema, row})) use(bits.first + row);
    }
}

// Nodes shared with the harness do not show who is ahead.
void LearntEvaluation::find_leaves(const games::RulesetGame& game) {
    const engine::Layout& layout = *game.program().catalogue().layout;
    const auto& slots = game.slots();
    const std::array ours = {slots.over.schema,   slots.move.schema,     slots.moves.schema,
                             slots.score.schema,  slots.place.schema,    slots.role.schema,
                             slots.secret.schema, slots.observer.schema, slots.refused.schema};
    const auto is_ours = [&](SchemaId id) {
        for (; id != engine::kNoSchema; id = layout.node(id).parent) {
            if (std::ranges::find(ours, id) != ours.end()) return true;
        }
        return false;
    };
    std::uint32_t first = 0;
    for (SchemaId id = 0; id < layout.size(); ++id) {
        const SchemaNode& node = layout.node(id);
        if (!node.dense || !node.is_leaf() || is_ours(id)) continue;
        if (node.column == Column::None) {
            bits_.push_back({id, node.instances, first});
            first += node.instances;
        } else if (node.column == Column::Code8) {
            const std::uint32_t values = node.kind == engine::ShapeKind::Member
                                             ? layout.domain(node.domain).size()
                                         : node.kind == engine::ShapeKind::Int
                                             ? static_cast<std::uint32_t>(node.high - node.low + 1)
                                             : 2;
            codes_.push_back({node.values, node.instances, values, first});
            first += node.instances * values;
        }
    }
    weights_.assign(weights_.size(), std::vector<double>(first));
}

std::shared_ptr<const LearntEvaluation> LearntEvaluation::learn(const games::RulesetGame& game) {
    const games::Facts& facts = game.facts();
    const Sides sides(facts);
    std::shared_ptr<LearntEvaluation> learnt(new LearntEvaluation);
    std::vector<Seat> firsts; // the first seat of each side
    for (Seat seat = 0; seat < facts.seats(); ++seat) {
        const Seat first = facts.partners(seat).front();
        const auto known = std::ranges::find(firsts, first);
        learnt->side_.push_back(static_cast<std::size_t>(known - firsts.begin()));
        if (known == firsts.end()) firsts.push_back(first);
    }
    if (firsts.size() == 2) firsts.pop_back();
    learnt->weights_.resize(firsts.size());
    learnt->base_.resize(firsts.size());
    learnt->find_leaves(game);
    if (learnt->weights_.front().empty()) return nullptr;

    const auto position = game.new_position();
    Lesson lesson;
    std::uint64_t plies = 0;
    std::uint64_t number = 0;
    for (; number < kMaxGames && plies < kMaxPlies && !lesson.is_full(); ++number) {
        games::GameStreams streams(kSeed, number, facts.seats());
        games::Random& choices = streams.choices.front();
        position->start(streams.deal);
        lesson.begin_game();
        for (; position->ending() == Ending::None; ++plies) {
            const State* const state = position->ruleset_state();
            if (state == nullptr) return nullptr;
            if (choices.below(kKeptEvery) == 0) {
                learnt->each_feature(*state, [&](std::uint32_t each) { lesson.add_feature(each); });
                lesson.end_position();
            }
            position->play(position->move(choices.below(position->move_count())), streams.play);
        }
        if (position->ending() != Ending::Over) {
            lesson.drop_game();
            continue;
        }
        ++learnt->games_;
        std::vector<double> rewards;
        rewards.reserve(firsts.size());
        for (const Seat first : firsts)
            rewards.push_back(sides.reward(*position, first));
        lesson.end_game(rewards);
    }
    if (lesson.positions() == 0) return nullptr;

    for (std::size_t side = 0; side < firsts.size(); ++side) {
        std::vector<double>& weights = learnt->weights_[side];
        double& base = learnt->base_[side];
        double rate = kFirstRate;
        for (int round = 0; round < kRounds; ++round, rate *= kCooling) {
            for (std::size_t i = 0; i < lesson.positions(); ++i) {
                double expected = base;
                lesson.each_feature(i, [&](std::uint32_t each) { expected += weights[each]; });
                const double missed = lesson.reward(i, side) - kHalf - expected;
                const double by = rate * missed / static_cast<double>(lesson.count(i) + 1);
                base += by;
                lesson.each_feature(i, [&](std::uint32_t each) { weights[each] += by; });
            }
        }
    }
    return learnt;
}

double LearntEvaluation::worth(const Position& position, Seat seat) const {
    const std::size_t side = side_[seat];
    const bool other = side >= weights_.size(); // the second of two sides
    const std::vector<double>& weights = weights_[other ? 0 : side];
    double sum = base_[other ? 0 : side];
    each_feature(*position.ruleset_state(), [&](std::uint32_t each) { sum += weights[each]; });
    return (other ? -sum : sum) * 2 * kPercent;
}

} // namespace croupier::agents
