// croupier stats: what counts of results say, without a run.
#include "results/report/numbers.h"
#include "results/statistics/means.h"
#include "results/statistics/ratings.h"
#include "results/statistics/stop.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::cli {
namespace {

using results::Estimate;
using results::fixed;

constexpr std::uint64_t kMostCount = 1'000'000'000'000'000; // doubles count that far one by one

// "365,16618,.." of one option, as many as it has names for.
std::vector<std::uint64_t> parse_counts(const std::string& option, const std::string& text,
                                        const std::vector<std::string>& names) {
    std::vector<std::uint64_t> counts;
    std::size_t start = 0;
    while (start <= text.size()) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::string word = text.substr(start, end - start);
        std::uint64_t count = 0;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), count);
        const std::string place = fmt::format("{} {}: character {}", option, text, start + 1);
        const std::string which =
            counts.size() < names.size() ? " for " + names[counts.size()] : "";
        if (error != std::errc() || stop != word.data() + word.size() || count > kMostCount)
            throw Mistake(fmt::format("{}: expected a count{}, found '{}'", place, which, word));
        if (counts.size() == names.size())
            throw Mistake(fmt::format("{}: '{}' is one count too many; expected {}", place, word,
                                      fmt::join(names, ",")));
        counts.push_back(count);
        start = end + 1;
    }
    if (counts.size() < names.size())
        throw Mistake(fmt::format("{} {}: character {}: expected a count for {}", option, text,
                                  text.size() + 1, names[counts.size()]));
    return counts;
}

struct Answer {
    std::uint64_t blocks = 0;
    std::uint32_t games_per_block = 1;
    std::optional<Estimate> wins; // of single games
    Estimate score;
    Estimate elo;
    Estimate normalized_elo;
    std::optional<double> los;
    std::optional<double> llr;
    std::optional<results::SprtBounds> bounds; // absent: no test was asked for
};

Answer answer_of(const results::ScoreCounts& counts, std::optional<results::SprtBounds> bounds) {
    const double z = results::two_sided_z(results::kConfidence);
    const results::BlockMean mean = counts.mean();
    Answer answer;
    answer.blocks = counts.blocks();
    answer.games_per_block = counts.games_per_block();
    if (answer.games_per_block == 1 && answer.blocks > 0) {
        const auto games = static_cast<double>(answer.blocks);
        const auto won = static_cast<double>(counts.counts().rbegin()->second);
        answer.wins = results::wilson(won / games, games, z);
    }
    answer.score = mean.estimate(z);
    answer.elo = elo_of(mean, z);
    answer.normalized_elo = normalized_elo_of(mean, answer.games_per_block, z);
    answer.los = likelihood_of_superiority(mean);
    answer.bounds = bounds;
    if (bounds) answer.llr = log_likelihood_ratio(counts, *bounds);
    return answer;
}

nlohmann::ordered_json json_of(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json json_of(const Estimate& estimate) {
    return {{"value", json_of(estimate.value)},
            {"error", json_of(estimate.error)},
            {"low", json_of(estimate.low)},
            {"high", json_of(estimate.high)}};
}

nlohmann::ordered_json json_of(const Answer& answer) {
    nlohmann::ordered_json object{{"blocks", answer.blocks},
                                  {"games", answer.blocks * answer.games_per_block},
                                  {"score", json_of(answer.score)},
                                  {"elo", json_of(answer.elo)},
                                  {"normalized_elo", json_of(answer.normalized_elo)},
                                  {"los", json_of(answer.los)}};
    if (answer.wins) object["wins"] = json_of(*answer.wins);
    if (!answer.bounds) return object;
    object["sprt"] = {{"model", to_string(answer.bounds->model)},
                      {"elo0", answer.bounds->elo0},
                      {"elo1", answer.bounds->elo1},
                      {"alpha", answer.bounds->alpha},
                      {"beta", answer.bounds->beta},
                      {"llr", json_of(answer.llr)},
                      {"low", lower_bound(*answer.bounds)},
                      {"high", upper_bound(*answer.bounds)},
                      {"verdict", to_string(verdict_of(answer.llr, *answer.bounds))}};
    return object;
}

// "value +/- reach", with the reach that the published tables use: half of the 95 % interval.
std::string with_reach(const Estimate& estimate) {
    if (!estimate.error) return fixed(estimate.value, 2);
    const double z = results::two_sided_z(results::kConfidence);
    return fixed(estimate.value, 2) + " " + results::plus_minus(*estimate.error * z, 2);
}

Table table_of(const Answer& answer) {
    const std::string blocks =
        answer.games_per_block == 1
            ? results::counted(answer.blocks, "game")
            : fmt::format("{} of {} games", results::counted(answer.blocks, "block"),
                          answer.games_per_block);
    Table table{{{""}, {""}, {""}},
                {{"results", blocks},
                 {"score", fixed(answer.score.value, 4), results::interval(answer.score, 4)},
                 {"Elo", with_reach(answer.elo), results::interval(answer.elo, 2, 1, true)},
                 {"nElo", with_reach(answer.normalized_elo),
                  results::interval(answer.normalized_elo, 2, 1, true)},
                 {"LOS", answer.los ? fixed(*answer.los * 100, 2) + " %" : fixed({}, 2)}}};
    if (answer.wins)
        table.rows.insert(table.rows.begin() + 1, {"wins", results::percent(answer.wins->value),
                                                   results::interval(*answer.wins, 1, 100)});
    if (!answer.bounds) return table;
    const auto& bounds = *answer.bounds;
    table.rows.push_back(
        {"LLR", fixed(answer.llr, 2),
         fmt::format("[{:.2f}, {:.2f}] for {} Elo {} against {}", lower_bound(bounds),
                     upper_bound(bounds), to_string(bounds.model), bounds.elo0, bounds.elo1)});
    table.rows.push_back({"verdict", std::string(to_string(verdict_of(answer.llr, bounds)))});
    return table;
}

class Stats : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"stats", "Statistics of counts of results",
                "Score, Elo, normalized Elo and the chance of being the stronger, with 95 % "
                "intervals, from counts alone; with --elo0 and --elo1 the log-likelihood ratio of "
                "the sequential test too. --penta takes pairs of games on the same deal, by their "
                "sum: both lost, a loss and a draw, even, a win and a draw, both won.",
                "croupier stats --penta 365,16618,36229,16974,390 --elo0 0 --elo1 2\n"
                "croupier stats --wdl 136,111,96 --json"};
    }

    void declare(Options& options) override {
        const Option penta =
            options.add("--penta", penta_, "Pairs by result: LL,LD,EVEN,WD,WW").type_name("COUNTS");
        options.add("--wdl", wdl_, "Single games: WINS,DRAWS,LOSSES")
            .type_name("COUNTS")
            .excludes(penta);
        options.add("--elo0", elo0_, "Elo of the null hypothesis").type_name("ELO");
        options.add("--elo1", elo1_, "Elo of the alternative").type_name("ELO");
        options.add("--alpha", bounds_.alpha, "Chance to accept elo1 wrongly")
            .shows_default()
            .type_name("CHANCE");
        options.add("--beta", bounds_.beta, "Chance to accept elo0 wrongly")
            .shows_default()
            .type_name("CHANCE");
        options.add("--model", model_, "What Elo means: logistic or normalized")
            .shows_default()
            .one_of({"logistic", "normalized"})
            .type_name("MODEL");
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const Answer answer = answer_of(counts(), test());
        if (json_)
            context.out().raw(json_of(answer).dump(2) + "\n");
        else
            context.out().table(table_of(answer));
        return kGood;
    }

  private:
    [[nodiscard]] results::ScoreCounts counts() const {
        if (!penta_.empty())
            return results::ScoreCounts(
                parse_counts("--penta", penta_, {"LL", "LD", "EVEN", "WD", "WW"}));
        if (wdl_.empty()) throw Mistake("nothing to count: give --penta or --wdl");
        auto counts = parse_counts("--wdl", wdl_, {"WINS", "DRAWS", "LOSSES"});
        std::swap(counts.front(), counts.back());
        return results::ScoreCounts(counts);
    }

    [[nodiscard]] std::optional<results::SprtBounds> test() const {
        if (!elo0_ && !elo1_) return std::nullopt;
        if (!elo0_ || !elo1_) throw Mistake("a test needs both --elo0 and --elo1");
        results::SprtBounds bounds = bounds_;
        bounds.elo0 = *elo0_;
        bounds.elo1 = *elo1_;
        bounds.model = *results::model_of(model_);
        if (const auto wrong = wrong_with(bounds)) throw Mistake(*wrong);
        return bounds;
    }

    std::string penta_;
    std::string wdl_;
    std::optional<double> elo0_;
    std::optional<double> elo1_;
    results::SprtBounds bounds_;
    std::string model_ = "normalized";
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_stats() {
    return std::make_unique<Stats>();
}

} // namespace croupier::cli
