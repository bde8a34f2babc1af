// croupier profile: measures the time of rules, and of the lines of their conditions.
#include "results/report/profile_view.h"
#include "results/store/file.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/files.h"
#include "tournaments/run/rule_costs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace croupier::cli {

namespace {

constexpr std::size_t kCodeShown = 3; // of rules

class ProfileGame : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "profile", "What each rule costs, down to the entries of its condition",
            "Plays games and watches every step: how often each rule was tried, matched and fired, "
            "and each entry of its condition reached and passed. Counts are exact and a function "
            "of the seed. Then it plays more games unwatched, and interrupts them some thousand "
            "times a second of CPU time: shares are of the code that these ticks found running, "
            "with intervals. Where the processor has counters, it says "
            "how many instructions and cycles a game takes. Entries are shown "
            "for the three most expensive rules, with --entries for all, with --rule for that one. "
            "--seconds samples for longer, for rules that take little. --asm shows the machine "
            "code of the hottest rules, with the ticks that each instruction has had. "
            "--counts leaves times out. --folded, --speedscope and --chrome-trace "
            "write flame graphs for other programs.\n"
            "--compare takes the folder of an old run. It plays the rules copied there and the "
            "present ones in turn, with the agents, options and seed of the old run unless others "
            "are named, and reports what got slower.",
            "croupier profile belote --agents rules:naive,random\n"
            "croupier profile oldmaid --games 100 --rule lose\n"
            "croupier profile life --asm --seconds 10\n"
            "croupier profile life --folded life.folded"};
    }

    void declare(Options& options) override {
        add_game(options, asked_.game).required();
        add_agent_list(options, "--agents", asked_.agents, "Who plays").default_text("random");
        options.add("--agent", asked_.each_agent, "Another agent")
            .one_value_each()
            .type_name("AGENT")
            .offers(Offers::Agents);
        add_settings(options, "--set", asked_.set, "Set an option of the game");
        options.add("--games", asked_.games, "Watch at least N games")
            .type_name("N")
            .default_text("100, fewer of games whose rules look at much");
        options.add("--seed", asked_.seed, "Seed of all chance").type_name("N").shows_default();
        options
            .add("-j,--threads", asked_.threads, "Games to count at once; times are taken by one")
            .range(1, 1024)
            .type_name("N")
            .shows_default();
        options.add("--rule", rule_, "Show only this rule")
            .type_name("NAME")
            .offers(Offers::RuleName);
        options.add_flag("--entries", entries_, "Show the conditions of all rules");
        const Option counts = options.add_flag("--counts", asked_.counts, "Leave times out");
        const Option code = options
                                .add_flag("--asm", asked_.code,
                                          "Show which instructions of the rules take the time")
                                .excludes(counts);
        options.add("--seconds", asked_.seconds, "Sample times for S seconds")
            .range(1, 3600)
            .type_name("S")
            .default_text("2, or until 2,000 ticks");
        options.add_json_flag(json_);
        options.add("--compare", old_, "Compare with the rules of this run, measured in turn")
            .excludes(code)
            .type_name("DIR")
            .offers(Offers::Folders);
        const auto file = [&](const char* name, std::string& into, const char* words) {
            options.add(name, into, words).type_name("FILE").offers(Offers::Files);
        };
        file("--folded", folded_, "Write folded stacks, for flame graphs");
        file("--speedscope", speedscope_, "Write a profile for speedscope");
        file("--chrome-trace", chrome_trace_, "Write a profile for chrome://tracing and Perfetto");
        add_games_folder(options, asked_.games_folder);
        add_agents_folder(options, asked_.agents_folder);
    }

    int run(Context& context) override {
        if (!old_.empty() && asked_.seconds > 0)
            throw UserError(
                "--seconds samples one game; --compare plays as many rounds as it needs");
        if (!old_.empty()) return compare(context);
        if (asked_.code) tournaments::need_machine_code();
        results::ProfileView view{!asked_.counts, entries_, {}, context.out().width()};
        const auto [report, facts] = profile_games(asked_, view, context);
        return show(report, facts, view, context);
    }

  private:
    int compare(Context& context) const {
        const tournaments::CostComparison found = compare_with_run(old_, asked_, context);
        if (json_) {
            context.out().raw(to_json(found).dump(2) + "\n");
            return kGood;
        }
        context.out().paragraph(fmt::format(
            "CPU time in ns per game, of rules by ticks that found them at work. Old and "
            "new rules took turns in {} rounds, now and on this machine. Intervals are "
            "corrected for all rows together; 'same' is no more than {:.0f} % apart. "
            "'recorded' is what the old run wrote down, '-' where it had fewer than {:.0f} "
            "ticks of it.",
            found.rounds, 100 * results::kSameWithin, results::kMinOfRule));
        std::size_t left = 0;
        context.out().table(table_of(found, left));
        if (left > 0)
            context.out().paragraph(
                fmt::format("and {} rules that changed less; --json has all", left));
        return kGood;
    }

    [[nodiscard]] std::optional<std::uint32_t> chosen(const results::CostReport& report) const {
        if (rule_.empty()) return std::nullopt;
        std::vector<std::string> known;
        const auto& rules = report.costs.facts.rules;
        for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
            if (rule_ == rules[rule].name || rule_ == rules[rule].group + "." + rules[rule].name)
                return rule;
            known.push_back(rules[rule].name);
        }
        throw UserError(fmt::format("there is no rule '{}'{}", rule_, did_you_mean(rule_, known)));
    }

    int show(const results::CostReport& report, const results::RunFacts& facts,
             results::ProfileView& view, Context& context) const {
        view.rule = chosen(report);
        if (view.rule)
            std::erase_if(view.code, [&](const results::HotCode& each) {
                return std::count(each.rules.begin(), each.rules.end(), *view.rule) == 0;
            });
        else if (!entries_)
            view.code.resize(std::min(view.code.size(), kCodeShown));
        context.out().raw(json_ ? profile_json(report, facts, view)
                                : profile_text(report, facts, view));
        const std::pair<const std::string&,
                        std::string (*)(const results::Costs&, const results::RunFacts&)>
            files[] = {{folded_, results::folded_stacks},
                       {speedscope_, results::speedscope_json},
                       {chrome_trace_, results::chrome_trace_json}};
        for (const auto& [path, make] : files) {
            if (path.empty()) continue;
            if (const auto failure = results::replace_file(path, make(report.costs, facts))) {
                context.terminal.error(context.who, *failure);
                return kFailed;
            }
        }
        return kGood;
    }

    tournaments::AskedProfile asked_;
    std::string old_;
    std::string rule_;
    bool entries_ = false;
    bool json_ = false;
    std::string folded_;
    std::string speedscope_;
    std::string chrome_trace_;
};

} // namespace

std::unique_ptr<Command> make_profile() {
    return std::make_unique<ProfileGame>();
}

} // namespace croupier::cli
