// croupier deals: how often a hand or a position occurs right after the deal.
#include "tournaments/analysis/deals.h"
#include "engine/api/text.h"
#include "results/store/file.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <string>

namespace croupier::cli {
namespace {

class Deals : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "deals", "How often a hand or position occurs right after the deal",
            "CONDITION is one of the language of rules, as JSON or in a file; it is asked of "
            "the state in which the first player is to move. If it asks only for the cards of "
            "one player, named by its seat, and the pack is dealt in any order, all hands are "
            "tried and the answer is exact; else deals are played, and the answer has an "
            "interval, or a bound if none was found. --keep writes examples as start positions "
            "for --starts. Exit code 1 if there is none.",
            "croupier deals coinche --where '{\"hands\": {\"A\": {\"JH\": true, \"9H\": true}}}'\n"
            "croupier deals tarot --where @condition.json --deals 100000 --keep found.json"};
    }

    void declare(Options& options) override {
        add_game_options(options, asked_.game);
        options.add("--where", where_, "The condition; @FILE reads it from a file")
            .type_name("CONDITION")
            .required()
            .offers(Offers::Files);
        options.add("--deals", asked_.deals, "Deals to play, unless all hands can be tried")
            .range(1, 1'000'000'000'000)
            .shows_default();
        options.add("--keep", keep_, "File for examples").offers(Offers::Files);
        options.add("--most", asked_.keep, "Examples at most").range(1, 100'000).shows_default();
        add_seed(options, asked_.seed);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        asked_.where = where_.starts_with('@') ? context.read(where_.substr(1)) : where_;
        if (keep_.empty()) asked_.keep = 0;
        const tournaments::CountedDeals counted = tournaments::count_deals(asked_, context);
        if (!keep_.empty()) keep(counted);
        json_ ? print_json(counted, context) : print(counted, context);
        return counted.found > 0 ? kGood : kFailed;
    }

  private:
    // One state a line, as --starts reads them.
    void keep(const tournaments::CountedDeals& counted) const {
        std::string lines;
        for (const engine::Document& each : counted.examples)
            lines += engine::write_json(each, -1) + "\n";
        if (const auto failure = results::replace_file(keep_, lines)) throw UserError(*failure);
    }

    // "10,518,300"
    static std::string grouped(std::uint64_t number) {
        std::string text = fmt::to_string(number);
        for (std::size_t i = text.size(); i > 3; i -= 3)
            text.insert(i - 3, ",");
        return text;
    }
    static std::string one_in(double rate) {
        return fmt::format(
            "one in {}", rate > 0.1 ? fmt::format("{:.3g}", 1 / rate)
                                    : grouped(static_cast<std::uint64_t>(std::llround(1 / rate))));
    }

    void print(const tournaments::CountedDeals& counted, Context& context) const {
        const auto chance = counted.chance();
        const bool exact = !counted.hand.empty();
        std::string text = fmt::format(
            "{} of {} {}", counted.found == 0 ? "none" : grouped(counted.found),
            grouped(counted.of),
            exact ? "hands of " + counted.hand : fmt::format("deals of seed {}", asked_.seed));
        if (counted.found > 0) {
            text += fmt::format(": {:.4g} %", chance.rate * 100);
            if (!exact)
                text +=
                    fmt::format(" (95 %: {:.4g} to {:.4g})", chance.low * 100, chance.high * 100);
            text += ", " + one_in(chance.rate);
        } else if (!exact && counted.of > 0) {
            text += fmt::format(": with 95 % confidence rarer than {}", one_in(chance.high));
        }
        context.out().paragraph(text);
        if (counted.interrupted)
            context.note(exact ? "interrupted: not all hands were tried" : "interrupted");
        if (!keep_.empty())
            context.note(fmt::format("{} kept in {}", counted.examples.size(), keep_));
    }

    void print_json(const tournaments::CountedDeals& counted, Context& context) const {
        const auto chance = counted.chance();
        nlohmann::ordered_json answer = {{"found", counted.found},
                                         {"of", counted.of},
                                         {"exact", !counted.hand.empty() && !counted.interrupted},
                                         {"chance", chance.rate},
                                         {"low", chance.low},
                                         {"high", chance.high}};
        if (!counted.hand.empty()) answer["hand"] = counted.hand;
        context.out().raw(answer.dump(2) + "\n");
    }

    tournaments::AskedDeals asked_{{}, {}, 1'000'000, 1, 10};
    std::string where_;
    std::string keep_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_deals() {
    return std::make_unique<Deals>();
}

} // namespace croupier::cli
