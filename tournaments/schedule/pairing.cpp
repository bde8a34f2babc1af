// Who meets whom in the next round of a knockout or a Swiss tournament.
#include "tournaments/schedule/staged.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace croupier::tournaments {
namespace {

class Knockout : public Pairing {
  public:
    explicit Knockout(std::uint32_t agents) : left_(agents) {
        std::iota(left_.begin(), left_.end(), 0);
    }

    [[nodiscard]] std::uint64_t matches() const override { return left_.size() + out_ - 1; }

    std::vector<Pair> next(const std::vector<Match>& last) override {
        for (const Match& match : last) {
            const auto [first, second] = match.agents; // first stands before second in the list
            const std::uint32_t loser = match.second > match.first ? first : second;
            left_.erase(std::find(left_.begin(), left_.end(), loser));
            ++out_;
        }
        std::size_t full = 1;
        while (full * 2 <= left_.size())
            full *= 2;
        // Down to a power of two in the first round, to half of it in all others.
        const std::size_t games = full == left_.size() ? full / 2 : left_.size() - full;
        std::vector<Pair> pairs;
        for (std::size_t i = 0; i < games; ++i)
            pairs.emplace_back(left_[left_.size() - 2 * games + i], left_[left_.size() - 1 - i]);
        return pairs;
    }

  private:
    std::vector<std::uint32_t> left_; // in the order of the list
    std::size_t out_ = 0;
};

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
        if (!pair_up(table, pairs, steps)) { // there is no way, or none was found soon
            pairs.clear();
            for (std::size_t i = 0; i < table.size(); i += 2)
                pairs.emplace_back(table[i], table[i + 1]);
        }
        return pairs;
    }

  private:
    static constexpr std::size_t kMostSteps = 100'000;

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

    // The best who is left meets the next whom he has not met yet, such that the others come out.
    bool pair_up(const std::vector<std::uint32_t>& left, std::vector<Pair>& pairs,
                 std::size_t& steps) const {
        if (left.empty()) return true;
        for (std::size_t i = 1; i < left.size() && ++steps < kMostSteps; ++i) {
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
    std::vector<double> points_; // by agent: 1 for a match won
    std::vector<double> scores_; // sum of block scores
    std::vector<bool> had_bye_;
    std::set<Pair> met_;
};

} // namespace

std::unique_ptr<Pairing> make_knockout(std::uint32_t agents) {
    return std::make_unique<Knockout>(agents);
}

std::unique_ptr<Pairing> make_swiss(std::uint32_t agents, std::uint32_t rounds) {
    return std::make_unique<Swiss>(agents, rounds);
}

} // namespace croupier::tournaments
