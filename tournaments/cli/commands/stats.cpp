// croupier stats: computes statistics of given counts of results, without a run.
#include "results/store/file.h"
#include "tournaments/analysis/counted_results.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::cli {
namespace {

constexpr std::uint64_t kMaxCount = 1'000'000'000'000'000; // doubles are exact below

// Parses "365,16618,.." of an option, one number per name.
std::vector<std::uint64_t> parse_counts(const std::string& option, const std::string& text,
                                        const std::vector<std::string>& names) {
    std::vector<std::uint64_t> counts;
    std::size_t start = 0;
    while (start <= text.size()) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::string word = text.substr(start, end - start);
        std::uint64_t count = 0;
        const std::string place = fmt::format("{} {}: character {}", option, text, start + 1);
        const std::string which =
            counts.size() < names.size() ? " for " + names[counts.size()] : "";
        if (!results::read_number(word, count) || count > kMaxCount)
            throw UserError(fmt::format("{}: expected a count{}, found '{}'", place, which, word));
        if (counts.size() == names.size())
            throw UserError(fmt::format("{}: '{}' is one count too many; expected {}", place, word,
                                        fmt::join(names, ",")));
        counts.push_back(count);
        start = end + 1;
    }
    if (counts.size() < names.size())
        throw UserError(fmt::format("{} {}: character {}: expected a count for {}", option, text,
                                    text.size() + 1, names[counts.size()]));
    return counts;
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
        const auto found = tournaments::sum_up(counts(), test());
        if (json_)
            context.out().raw(to_json(found).dump(2) + "\n");
        else
            context.out().table(table_of(found));
        return kGood;
    }

  private:
    [[nodiscard]] results::ScoreCounts counts() const {
        if (!penta_.empty())
            return results::ScoreCounts(
                parse_counts("--penta", penta_, {"LL", "LD", "EVEN", "WD", "WW"}));
        if (wdl_.empty()) throw UserError("nothing to count: give --penta or --wdl");
        auto counts = parse_counts("--wdl", wdl_, {"WINS", "DRAWS", "LOSSES"});
        std::swap(counts.front(), counts.back());
        return results::ScoreCounts(counts);
    }

    [[nodiscard]] std::optional<results::SprtBounds> test() const {
        if (!elo0_ && !elo1_) return std::nullopt;
        if (!elo0_ || !elo1_) throw UserError("a test needs both --elo0 and --elo1");
        results::SprtBounds bounds = bounds_;
        bounds.elo0 = *elo0_;
        bounds.elo1 = *elo1_;
        bounds.model = *results::model_of(model_);
        if (const auto wrong = wrong_with(bounds)) throw UserError(*wrong);
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
