// The rounds of a schedule that looks at results.
#include "tournaments/schedule/staged.h"

#include "tournaments/schedule/tables.h"

#include <utility>

namespace croupier::tournaments {
namespace {

class Staged : public Schedule {
  public:
    Staged(const ScheduleRequest& request, std::unique_ptr<Pairing> pairing)
        : seatings_(request.sides, request.rotation), pairing_(std::move(pairing)) {
        begin_round({});
        Block block;
        get(0, block);
        games_per_block_ = block.games();
        // Every match of equally many.
        const std::uint64_t wanted = wanted_blocks(request, games_per_block_, pairing_->matches());
        per_match_ = divide_up(wanted, pairing_->matches());
        known_ = matches_.size() * per_match_;
    }

    [[nodiscard]] std::uint64_t blocks() const override { return pairing_->matches() * per_match_; }
    [[nodiscard]] std::uint32_t games_per_block() const override { return games_per_block_; }
    [[nodiscard]] std::uint64_t known() const override { return known_; }

    void get(std::uint64_t index, Block& into) const override {
        // Earlier rounds are not asked for again; what is left of them is where they ended.
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
    std::vector<Match> matches_; // of this round
    std::uint64_t per_match_ = 1;
    std::uint64_t round_begin_ = 0;
    std::uint64_t known_ = 1;
    std::uint64_t fed_ = 0;
    std::uint32_t games_per_block_ = 0;
};

} // namespace

MadeSchedule make_staged(const ScheduleRequest& request, std::unique_ptr<Pairing> pairing) {
    return {std::make_unique<Staged>(request, std::move(pairing)), {}};
}

} // namespace croupier::tournaments
