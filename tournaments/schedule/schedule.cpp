// Schedules that know all of their blocks beforehand: round robin, gauntlet, free for all.
#include "tournaments/schedule/schedule.h"

#include "games/contract/streams.h"
#include "tournaments/schedule/staged.h"
#include "tournaments/schedule/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <numeric>
#include <utility>

namespace croupier::tournaments {
namespace {

// Where no number was asked for, a stop rule ends the run; this is for rules that never would.
constexpr std::uint64_t kMostGames = 1'000'000;

// More different tables than this are not enumerated; a free for all takes any number of agents.
constexpr std::size_t kMostTables = 100'000;
constexpr std::array kKinds = {ScheduleKind::RoundRobin, ScheduleKind::Gauntlet,
                               ScheduleKind::FreeForAll, ScheduleKind::Knockout,
                               ScheduleKind::Swiss};

// Takes from..agents-1, `size` at a time, in ascending order; false if there are too many.
bool add_combinations(std::uint32_t from, std::uint32_t agents, std::size_t size,
                      std::vector<std::uint32_t>& chosen,
                      std::vector<std::vector<std::uint32_t>>& into) {
    if (size == 0) {
        into.push_back(chosen);
        return into.size() <= kMostTables;
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
        // Without rotation inside blocks, a round is as many passes as there are sides.
        rounds_ = request.rotation == Rotation::None ? seatings.sides() : 1;
        for (std::uint64_t round = 0; round < rounds_; ++round) {
            for (const auto& table : tables) {
                tables_.emplace_back();
                seatings.append(table, round, tables_.back());
            }
        }
        games_per_block_ = static_cast<std::uint32_t>(tables_.front().size() / seats_);
        blocks_ = wanted_blocks(request, games_per_block_, tables_.size());
        // Turning a table of three and more never makes two of them change places.
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
    std::vector<std::vector<std::uint32_t>> tables_; // seatings of one whole round
    std::uint32_t games_per_block_ = 0;
    std::uint64_t blocks_ = 0;
    bool balances_couples_ = true;
};

// Everyone plays at least once a round. Where tables do not come out even, the last one is filled
// with those who began the round.
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
    static constexpr std::uint64_t kShuffle = 0x7461626c6573; // "tables": no deal has this number

    Seatings seatings_;
    std::uint32_t agents_;
    std::uint64_t seed_;
    std::uint64_t tables_; // a round
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
                                     request.agents, kMostTables)};
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
        return {nullptr, fmt::format("there are more than {} different tables", kMostTables)};
    for (auto& table : tables)
        fill_up(table, request.sides.size(), others);
    return {std::make_unique<TableList>(request, tables), {}};
}

MadeSchedule make_rounds(const ScheduleRequest& request) {
    if (request.agents < 2)
        return {nullptr, fmt::format("a {} takes at least two agents", name_of(request.kind))};
    if (request.kind == ScheduleKind::Knockout)
        return make_staged(request, make_knockout(request.agents));
    std::uint32_t rounds = request.rounds;
    if (rounds == 0)
        rounds = static_cast<std::uint32_t>(std::bit_width(request.agents - 1)); // as a knockout
    return make_staged(request, make_swiss(request.agents, rounds));
}

} // namespace

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

void fill_up(std::vector<std::uint32_t>& field, std::size_t sides, std::size_t repeat) {
    while (field.size() < sides)
        field.push_back(field[field.size() - repeat]);
}

std::uint64_t wanted_blocks(const ScheduleRequest& request, std::uint64_t games_per_block,
                            std::uint64_t blocks_per_round) {
    if (request.blocks) return *request.blocks;
    const std::uint64_t games = request.games.value_or(kMostGames);
    return divide_up(divide_up(games, games_per_block), blocks_per_round) * blocks_per_round;
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
