// Seatings, pairings and schedules: those that know all blocks from the start, and those in stages.
#include "tournaments/schedule/schedule.h"

#include "games/contract/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace croupier::tournaments {

namespace {

// The limit if no number is given and a stop rule should end the run, but never does.
constexpr std::uint64_t kMaxGames = 1'000'000;

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

// If there are fewer agents than sides, the last `repeat` of them are repeated until all sides are
// filled.
void fill_up(std::vector<std::uint32_t>& field, std::size_t sides, std::size_t repeat) {
    while (field.size() < sides)
        field.push_back(field[field.size() - repeat]);
}

// The requested number of blocks, or of whole rounds with at least the requested games.
std::uint64_t wanted_blocks(const ScheduleRequest& request, std::uint64_t games_per_block,
                            std::uint64_t blocks_per_round) {
    if (request.blocks) return *request.blocks;
    const std::uint64_t games = request.games.value_or(kMaxGames);
    return divide_up(divide_up(games, games_per_block), blocks_per_round) * blocks_per_round;
}

// Schedules in rounds that depend on results of earlier ones: knockout and Swiss.

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// A finished match of two agents: the sum of their block scores.
struct Match {
    Pair agents;
    double first = 0;
    double second = 0;
};

// Determines the next pairs. Agents are numbered by strength, in the user's order.
class Pairing {
  public:
    Pairing() = default;
    Pairing(const Pairing&) = delete;
    Pairing& operator=(const Pairing&) = delete;
    virtual ~Pairing() = default;

    // The number of matches in all rounds.
    [[nodiscard]] virtual std::uint64_t matches() const = 0;
    // The pairs of the next round, from the results of the last one.
    virtual std::vector<Pair> next(const std::vector<Match>& last) = 0;
};

// The loser is out; a tie goes to the one listed first. The best meet the last; if numbers do not
// fit, the best skip the first round.
class Knockout : public Pairing {
  public:
    explicit Knockout(std::uint32_t agents) : left_(agents) {
        std::iota(left_.begin(), left_.end(), 0);
    }

    [[nodiscard]] std::uint64_t matches() const override { return left_.size() + out_ - 1; }

    std::vector<Pair> next(const std::vector<Match>& last) override {
        for (const Match& match : last) {
            const auto [first, second] = match.agents; // first is listed before second
            const std::uint32_t loser = match.second > match.first ? first : second;
            left_.erase(std::find(left_.begin(), left_.end(), loser));
            ++out_;
        }
        std::size_t full = 1;
        while (full * 2 <= left_.size())
            full *= 2;
        // Reduces the field to a power of two in the first round, and to half in all others.
        const std::size_t games = full == left_.size() ? full / 2 : left_.size() - full;
        std::vector<Pair> pairs;
        for (std::size_t i = 0; i < games; ++i)
            pairs.emplace_back(left_[left_.size() - 2 * games + i], left_[left_.size() - 1 - i]);
        return pairs;
    }

  private:
    std::vector<std::uint32_t> left_; // in the user's order
    std::size_t out_ = 0;
};

// Each round pairs agents with equal standing, avoiding repeated pairs if possible. With an odd
// number, the lowest one without a bye so far gets one, which counts as a win.
class Swiss : public Pairing {
  public:
    Swiss(std::uint32_t agents, std::uint32_t rounds)
        : rounds_(rounds), points_(agents), scores_(agents), had_bye_(agents) {}

    [[nodiscard]] std::uint64_t matches() const override {
        return std::uint64_t{rounds_} * (points_.size() / 2);
    }

    std::vector<Pair> next(const std::vector<Match>& last) override {
        for (const Match& match : last) {
            const auto [first, second] = match.agents;
            const bool even = match.first == match.second;
            points_[first] += even ? 0.5 : match.first > match.second ? 1 : 0;
            points_[second] += even ? 0.5 : match.second > match.first ? 1 : 0;
            scores_[first] += match.first;
            scores_[second] += match.second;
            met_.insert(std::minmax(first, second));
        }
        std::vector<std::uint32_t> table = standing();
        if (table.size() % 2 != 0) give_bye(table);
        std::vector<Pair> pairs;
        std::size_t steps = 0;
        if (!pair_up(table, pairs, steps)) { // there is no way, or none was found quickly
            pairs.clear();
            for (std::size_t i = 0; i < table.size(); i += 2)
                pairs.emplace_back(table[i], table[i + 1]);
        }
        return pairs;
    }

  private:
    static constexpr std::size_t kMaxSteps = 100'000;

    [[nodiscard]] std::vector<std::uint32_t> standing() const {
        std::vector<std::uint32_t> table(points_.size());
        std::iota(table.begin(), table.end(), 0);
        std::stable_sort(table.begin(), table.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(points_[a], scores_[a]) > std::pair(points_[b], scores_[b]);
        });
        return table;
    }

    void give_bye(std::vector<std::uint32_t>& table) {
        auto lucky = std::find_if(table.rbegin(), table.rend(),
                                  [&](std::uint32_t agent) { return !had_bye_[agent]; });
        if (lucky == table.rend()) lucky = table.rbegin();
        had_bye_[*lucky] = true;
        points_[*lucky] += 1;
        table.erase(std::next(lucky).base());
    }

    // Pairs the best agent left with the next one it has not met, such that the others can be
    // paired.
    bool pair_up(const std::vector<std::uint32_t>& left, std::vector<Pair>& pairs,
                 std::size_t& steps) const {
        if (left.empty()) return true;
        for (std::size_t i = 1; i < left.size() && ++steps < kMaxSteps; ++i) {
            if (met_.contains(std::minmax(left[0], left[i]))) continue;
            pairs.emplace_back(left[0], left[i]);
            std::vector<std::uint32_t> rest = left;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            rest.erase(rest.begin());
            if (pair_up(rest, pairs, steps)) return true;
            pairs.pop_back();
        }
        return false;
    }

    std::uint32_t rounds_;
    std::vector<double> points_; // by agent: 1 per match won
    std::vector<double> scores_; // sum of block scores
    std::vector<bool> had_bye_;
    std::set<Pair> met_;
};

// Rounds of the pairing, with as many blocks per match as the requested total gives.
class Staged : public Schedule {
  public:
    Staged(const ScheduleRequest& request, std::unique_ptr<Pairing> pairing)
        : seatings_(request.sides, request.rotation), pairing_(std::move(pairing)) {
        begin_round({});
        Block block;
        get(0, block);
        games_per_block_ = block.games();
        // All matches have the same number of blocks.
        const std::uint64_t wanted = wanted_blocks(request, games_per_block_, pairing_->matches());
        per_match_ = divide_up(wanted, pairing_->matches());
        known_ = matches_.size() * per_match_;
    }

    [[nodiscard]] std::uint64_t blocks() const override { return pairing_->matches() * per_match_; }
    [[nodiscard]] std::uint32_t games_per_block() const override { return games_per_block_; }
    [[nodiscard]] std::uint64_t known() const override { return known_; }

    void get(std::uint64_t index, Block& into) const override {
        // Earlier rounds are no longer available; only their end is kept.
        const std::uint64_t in_round = index - round_begin_;
        const auto& [first, second] = matches_[in_round % matches_.size()].agents;
        std::vector<std::uint32_t> field{first, second};
        fill_up(field, seatings_.sides(), 2);
        into.index = into.deal = index;
        into.round = in_round / matches_.size();
        into.seats = seatings_.seats();
        into.agents.clear();
        seatings_.append(field, in_round / matches_.size(), into.agents);
    }

    void feed(std::span<const std::optional<double>> scores) override {
        Match& match = matches_[(fed_ - round_begin_) % matches_.size()];
        match.first += scores[match.agents.first].value_or(0);
        match.second += scores[match.agents.second].value_or(0);
        ++fed_;
    }

    void advance() override {
        if (fed_ != known_ || known_ == blocks()) return;
        round_begin_ = known_;
        begin_round(std::exchange(matches_, {}));
        known_ += matches_.size() * per_match_;
    }

  private:
    void begin_round(const std::vector<Match>& last) {
        for (const Pair& pair : pairing_->next(last))
            matches_.push_back({pair});
    }

    Seatings seatings_;
    std::unique_ptr<Pairing> pairing_;
    std::vector<Match> matches_; // of the current round
    std::uint64_t per_match_ = 1;
    std::uint64_t round_begin_ = 0;
    std::uint64_t known_ = 1;
    std::uint64_t fed_ = 0;
    std::uint32_t games_per_block_ = 0;
};

// Limit for enumerating tables; a free-for-all takes any number of agents.
constexpr std::size_t kMaxTables = 100'000;
constexpr std::array kKinds = {ScheduleKind::RoundRobin, ScheduleKind::Gauntlet,
                               ScheduleKind::FreeForAll, ScheduleKind::Knockout,
                               ScheduleKind::Swiss};

// Combinations of `size` agents from `from` on, in ascending order; false if there are too many.
bool add_combinations(std::uint32_t from, std::uint32_t agents, std::size_t size,
                      std::vector<std::uint32_t>& chosen,
                      std::vector<std::vector<std::uint32_t>>& into) {
    if (size == 0) {
        into.push_back(chosen);
        return into.size() <= kMaxTables;
    }
    for (std::uint32_t next = from; next + size <= agents; ++next) {
        chosen.push_back(next);
        const bool fits = add_combinations(next + 1, agents, size - 1, chosen, into);
        chosen.pop_back();
        if (!fits) return false;
    }
    return true;
}

// A fixed list of tables, played in turn.
class TableList : public Schedule {
  public:
    TableList(const ScheduleRequest& request, const std::vector<std::vector<std::uint32_t>>& tables)
        : seats_(Seatings(request.sides, request.rotation).seats()) {
        const Seatings seatings(request.sides, request.rotation);
        // Without rotation inside blocks, a round has as many passes as sides.
        rounds_ = request.rotation == Rotation::None ? seatings.sides() : 1;
        for (std::uint64_t round = 0; round < rounds_; ++round) {
            for (const auto& table : tables) {
                tables_.emplace_back();
                seatings.append(table, round, tables_.back());
            }
        }
        games_per_block_ = static_cast<std::uint32_t>(tables_.front().size() / seats_);
        blocks_ = wanted_blocks(request, games_per_block_, tables_.size());
        // Rotating a table of three or more never exchanges two of them.
        balances_couples_ = std::min<std::size_t>(request.agents, seatings.sides()) < 3 ||
                            request.rotation == Rotation::All;
    }

    [[nodiscard]] std::uint64_t blocks() const override { return blocks_; }
    [[nodiscard]] std::uint32_t games_per_block() const override { return games_per_block_; }
    [[nodiscard]] bool balances_couples() const override { return balances_couples_; }
    void get(std::uint64_t index, Block& into) const override {
        into.index = into.deal = index;
        into.round = index / tables_.size();
        into.seats = seats_;
        into.agents = tables_[index % tables_.size()];
    }

  private:
    std::uint32_t seats_;
    std::uint64_t rounds_ = 1;
    std::vector<std::vector<std::uint32_t>> tables_; // seatings of a whole round
    std::uint32_t games_per_block_ = 0;
    std::uint64_t blocks_ = 0;
    bool balances_couples_ = true;
};

// All play at least once per round. If tables do not fit, the last one is filled with those who
// began the round.
class FreeForAll : public Schedule {
  public:
    explicit FreeForAll(const ScheduleRequest& request)
        : seatings_(request.sides, request.rotation), agents_(request.agents), seed_(request.seed),
          tables_(divide_up(request.agents, request.sides.size())) {
        Block block;
        get(0, block);
        games_per_block_ = block.games();
        blocks_ = wanted_blocks(request, games_per_block_, tables_);
    }

    [[nodiscard]] std::uint64_t blocks() const override { return blocks_; }
    [[nodiscard]] std::uint32_t games_per_block() const override { return games_per_block_; }
    void get(std::uint64_t index, Block& into) const override {
        const std::uint64_t round = index / tables_;
        std::vector<std::uint32_t> order(agents_);
        std::iota(order.begin(), order.end(), 0);
        games::Random random = games::Random(seed_).stream(kShuffle).stream(round);
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[random.below(i)]);
        std::vector<std::uint32_t> field;
        for (std::size_t i = 0; i < seatings_.sides(); ++i)
            field.push_back(order[(index % tables_ * seatings_.sides() + i) % order.size()]);
        into.index = into.deal = index;
        into.round = round;
        into.seats = seatings_.seats();
        into.agents.clear();
        seatings_.append(field, round, into.agents);
    }

  private:
    static constexpr std::uint64_t kShuffle = 0x7461626c6573; // "tables"; not a deal's number

    Seatings seatings_;
    std::uint32_t agents_;
    std::uint64_t seed_;
    std::uint64_t tables_; // per round
    std::uint32_t games_per_block_ = 0;
    std::uint64_t blocks_ = 0;
};

MadeSchedule make_round_robin(const ScheduleRequest& request) {
    const std::size_t size = std::min<std::size_t>(request.agents, request.sides.size());
    std::vector<std::vector<std::uint32_t>> tables;
    std::vector<std::uint32_t> chosen;
    if (!add_combinations(0, request.agents, size, chosen, tables)) {
        return {nullptr, fmt::format("{} agents can sit together in more than {} ways; the "
                                     "schedule free-for-all takes any number of agents",
                                     request.agents, kMaxTables)};
    }
    for (auto& table : tables)
        fill_up(table, request.sides.size(), size);
    return {std::make_unique<TableList>(request, tables), {}};
}

MadeSchedule make_gauntlet(const ScheduleRequest& request) {
    if (request.agents < 2) return {nullptr, "a gauntlet takes at least two agents"};
    const std::size_t others = std::min<std::size_t>(request.agents, request.sides.size()) - 1;
    std::vector<std::vector<std::uint32_t>> tables;
    std::vector<std::uint32_t> chosen{0};
    if (!add_combinations(1, request.agents, others, chosen, tables))
        return {nullptr, fmt::format("there are more than {} different tables", kMaxTables)};
    for (auto& table : tables)
        fill_up(table, request.sides.size(), others);
    return {std::make_unique<TableList>(request, tables), {}};
}

MadeSchedule make_rounds(const ScheduleRequest& request) {
    if (request.agents < 2)
        return {nullptr, fmt::format("a {} takes at least two agents", name_of(request.kind))};
    const auto staged = [&](std::unique_ptr<Pairing> pairing) -> MadeSchedule {
        return {std::make_unique<Staged>(request, std::move(pairing)), {}};
    };
    if (request.kind == ScheduleKind::Knockout)
        return staged(std::make_unique<Knockout>(request.agents));
    std::uint32_t rounds = request.rounds;
    if (rounds == 0)
        rounds = static_cast<std::uint32_t>(std::bit_width(request.agents - 1)); // as in a knockout
    return staged(std::make_unique<Swiss>(request.agents, rounds));
}

} // namespace

std::string_view name_of(Rotation rotation) {
    switch (rotation) {
    case Rotation::Rotate:
        return "rotate";
    case Rotation::All:
        return "all";
    case Rotation::None:
        return "none";
    }
    return {};
}

Seatings::Seatings(Sides sides, Rotation rotation) : sides_(std::move(sides)), rotation_(rotation) {
    for (const auto& side : sides_)
        seats_ += static_cast<std::uint32_t>(side.size());
}

void Seatings::append_one(std::span<const std::uint32_t> by_side,
                          std::vector<std::uint32_t>& flat) const {
    const std::size_t begin = flat.size();
    flat.resize(begin + seats_);
    for (std::size_t side = 0; side < sides_.size(); ++side)
        for (const std::uint32_t seat : sides_[side])
            flat[begin + seat] = by_side[side];
}

void Seatings::append(std::span<const std::uint32_t> field, std::uint64_t round,
                      std::vector<std::uint32_t>& flat) const {
    assert(field.size() == sides_.size());
    std::vector<std::uint32_t> order(field.begin(), field.end());
    const auto advance = [&order] { std::rotate(order.begin(), order.end() - 1, order.end()); };
    switch (rotation_) {
    case Rotation::None:
        for (std::uint64_t i = round % order.size(); i > 0; --i)
            advance();
        append_one(order, flat);
        return;
    case Rotation::Rotate:
        do {
            append_one(order, flat);
            advance();
        } while (!std::equal(order.begin(), order.end(), field.begin()));
        return;
    case Rotation::All:
        std::sort(order.begin(), order.end());
        do {
            append_one(order, flat);
        } while (std::next_permutation(order.begin(), order.end()));
        return;
    }
}

std::string_view name_of(ScheduleKind kind) {
    switch (kind) {
    case ScheduleKind::RoundRobin:
        return "round-robin";
    case ScheduleKind::Gauntlet:
        return "gauntlet";
    case ScheduleKind::FreeForAll:
        return "free-for-all";
    case ScheduleKind::Knockout:
        return "knockout";
    case ScheduleKind::Swiss:
        return "swiss";
    }
    return {};
}

std::span<const ScheduleKind> schedule_kinds() {
    return kKinds;
}

MadeSchedule make_schedule(const ScheduleRequest& request) {
    assert(request.agents > 0 && !request.sides.empty());
    switch (request.kind) {
    case ScheduleKind::RoundRobin:
        return make_round_robin(request);
    case ScheduleKind::Gauntlet:
        return make_gauntlet(request);
    case ScheduleKind::FreeForAll:
        if (request.agents < request.sides.size()) return make_round_robin(request);
        return {std::make_unique<FreeForAll>(request), {}};
    case ScheduleKind::Knockout:
    case ScheduleKind::Swiss:
        return make_rounds(request);
    }
    return {};
}

} // namespace croupier::tournaments
