// croupier profile: which rules, and which lines of their conditions, take the time.
#include "tournaments/run/profile.h"
#include "games/ruleset/ruleset_game.h"
#include "results/costs/cost.h"
#include "results/report/compared.h"
#include "results/report/numbers.h"
#include "results/report/profile_view.h"
#include "results/store/file.h"
#include "results/store/measurements.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/session.h"
#include "tournaments/runner/ledger.h"
#include "tournaments/runner/run_facts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace croupier::cli {

// croupier profile --compare: the rules of an old run against those of now, measured in turn.

// What an old run was played with, put together again from the copies in its folder.
class OldRun {
  public:
    // Throws Mistake if the folder has no costs, or none that could be compared with the game.
    OldRun(std::string folder, const std::string& agents_folder, Context& context);

    [[nodiscard]] const results::Costs& recorded() const { return recorded_; }
    [[nodiscard]] const results::RunFacts& facts() const { return read_.file.facts; }
    [[nodiscard]] const tournaments::Specification& specification() const {
        return read_.specification;
    }
    // Opens its game. Throws Mistake if it is not that of `now`, or cannot be opened as it was.
    void open(const tournaments::PreparedRun& now, Context& context);
    tournaments::PreparedRun& run() { return run_; }

  private:
    std::string folder_;
    std::string agents_folder_;
    tournaments::ReadRun read_;
    results::Costs recorded_;
    tournaments::PreparedRun run_;
};

void print_comparison(const OldRun& old, const tournaments::PreparedRun& now,
                      const std::vector<results::CostRound>& rounds, bool json, Context& context);

// Old runs are opened from their copies; rounds take turns, so that both see the same machine.

namespace {

using results::CostChange;

constexpr std::size_t kRulesShown = 20;

std::string game_alone(const std::string& title) {
    return title.substr(0, title.find(':'));
}

} // namespace

OldRun::OldRun(std::string folder, const std::string& agents_folder, Context& context)
    : folder_(std::move(folder)), agents_folder_(agents_folder), read_(read_run(folder_, context)) {
    const results::RunFile& file = read_.file;
    if (!file.profile.watches())
        throw Mistake(folder_ + ": no rules were watched in that run: there is nothing to compare");
    recorded_.facts = file.profile;
    if (const auto failure = results::read_rules_file(folder_, file.facts, recorded_))
        throw Mistake(*failure);
}

void OldRun::open(const tournaments::PreparedRun& now, Context& context) {
    const results::RunFile& file = read_.file;
    if (game_alone(file.facts.game) != game_alone(now.facts.game))
        throw Mistake(fmt::format("{} is a run of {}, and this is {}", folder_, file.facts.game,
                                  now.facts.game));
    run_ = reopen_run(folder_, read_, agents_folder_, context);
    run_.specification = now.specification;
    run_.facts = now.facts;
    run_.profile.mode = results::ProfileMode::Sample;
    const games::RulesetGame& game = *run_.game->ruleset_game();
    if (&game == run_.game.get()) // and is not played in its place
        tournaments::add_rule_facts(game.program(), game.sources(), {}, false, run_.profile);
    const auto& agents = run_.specification.agents;
    for (std::uint32_t agent = 0; agent < agents.size(); ++agent) {
        const agents::MadeAgent made = made_agent(run_, agents[agent].spec);
        if (made.agent == nullptr)
            throw Mistake(fmt::format("{}: the agent {} cannot be made as it was", folder_,
                                      agents[agent].spec.name));
        if (made.agent->rules() != nullptr)
            tournaments::add_rule_facts(*made.agent->rules(), made.sources, agent, false,
                                        run_.profile);
    }
}

namespace {

nlohmann::ordered_json json_of(const std::vector<CostChange>& changes) {
    using Json = nlohmann::ordered_json;
    const auto number = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    Json rows = Json::array();
    for (const CostChange& change : changes) {
        rows.push_back({{"owner", change.owner},
                        {"group", change.group},
                        {"name", change.name},
                        {"recorded_ns", number(change.recorded)},
                        {"old_ns", number(change.old)},
                        {"now_ns", number(change.now)},
                        {"ratio", number(change.ratio)},
                        {"low", number(change.low)},
                        {"high", number(change.high)},
                        {"verdict", name_of(change.verdict)}});
    }
    return rows;
}

} // namespace

void print_comparison(const OldRun& old, const tournaments::PreparedRun& now,
                      const std::vector<results::CostRound>& rounds, bool json, Context& context) {
    const results::Costs& recorded = old.recorded();
    const auto changes =
        results::compare_costs(recorded, now.profile, rounds, game_alone(now.facts.game),
                               old.facts().agents, now.facts.agents);
    if (json) {
        context.out().raw(json_of(changes).dump(2) + "\n");
        return;
    }
    context.out().paragraph(
        fmt::format("CPU time in ns per game, of rules by ticks that found them at work. Old and "
                    "new rules took turns in {} rounds, now and on this machine. Intervals are "
                    "corrected for all rows together; 'same' is no more than {:.0f} % apart. "
                    "'recorded' is what the old run wrote down, '-' where it had fewer than {:.0f} "
                    "ticks of it.",
                    rounds.size(), 100 * results::kSameWithin, results::kFewestOfRule));
    Table table;
    table.columns = {{"rule"},
                     {"recorded", Align::Right},
                     {"old", Align::Right},
                     {"now", Align::Right},
                     {"ratio", Align::Right},
                     {"95 %", Align::Right},
                     {"verdict"}};
    for (std::size_t i = 0; i < std::min(changes.size(), kRulesShown + 2); ++i) {
        const CostChange& change = changes[i];
        const auto number = [](const std::optional<double>& value, int decimals) {
            return value ? results::fixed(value, decimals) : std::string("-");
        };
        table.rows.push_back({change.name, number(change.recorded, 0), number(change.old, 0),
                              number(change.now, 0), number(change.ratio, 2),
                              results::ratio_interval(change),
                              std::string(name_of(change.verdict))});
    }
    context.out().table(table);
    if (changes.size() > kRulesShown + 2)
        context.out().paragraph(fmt::format("and {} rules that changed less; --json has all",
                                            changes.size() - kRulesShown - 2));
}

namespace {

using results::CostReport;

constexpr const char* kGames = "100";
// Of tries and matches: to watch them takes a second or two.
constexpr std::uint64_t kMostWork = 40'000'000;
constexpr std::size_t kCodeShown = 3; // of rules

class ProfileGame : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "profile", "What each rule costs, down to the entries of its condition",
            "Plays games and watches every step: how often each rule was tried, matched and fired, "
            "and each entry of its condition reached and passed. Counts are exact and a function "
            "of the seed. Then it plays more games with nobody watching, and interrupts them some "
            "thousand times in a second of CPU time: shares are of what these ticks found at "
            "work, the code that plays, with intervals. Where the processor has counters, it says "
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
        add_game(options, game_).required();
        add_agent_list(options, "--agents", agents_, "Who plays").default_text("random");
        options.add("--agent", each_agent_, "Another agent")
            .one_value_each()
            .type_name("AGENT")
            .offers(Offers::Agents);
        add_settings(options, "--set", set_, "Set an option of the game");
        options.add("--games", games_, "Watch at least N games")
            .type_name("N")
            .default_text("100, fewer of games whose rules look at much");
        options.add("--seed", seed_, "Seed of all chance").type_name("N").shows_default();
        options.add("--threads", threads_, "Games to count at once; times are taken by one")
            .range(1, 1024)
            .type_name("N")
            .shows_default();
        options.add("--rule", rule_, "Show this rule alone")
            .type_name("NAME")
            .offers(Offers::RuleName);
        options.add_flag("--entries", entries_, "Show the conditions of all rules");
        const Option counts = options.add_flag("--counts", counts_, "Leave times out");
        const Option code =
            options.add_flag("--asm", asm_, "Show which instructions of the rules take the time")
                .excludes(counts);
        options.add("--seconds", seconds_, "Sample times for S seconds")
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
        add_games_folder(options, games_folder_);
        add_agents_folder(options, agents_folder_);
    }

    int run(Context& context) override {
        if (!old_.empty() && seconds_ > 0)
            throw Mistake("--seconds samples one game; --compare plays as many rounds as it needs");
        if (!old_.empty()) return compare(context);
        if (asm_) need_machine_code();
        tournaments::PreparedRun prepared = prepare(results::ProfileMode::Full, nullptr, context);
        results::ProfileView view{!counts_, entries_, {}, context.out().width()};
        const CostReport report = play(prepared, view, context);
        return show(report, prepared.facts, view, context);
    }

  private:
    // What the command line does not say, the old run does.
    tournaments::PreparedRun prepare(results::ProfileMode mode, const OldRun* old,
                                     Context& context) {
        tournaments::SpecificationInput input;
        input.add_text("GAME", "game", game_);
        if (agents_.empty() && each_agent_.empty()) {
            if (old == nullptr) agents_ = {"random"};
            for (std::size_t i = 0; old != nullptr && i < old->specification().agents.size(); ++i)
                each_agent_.push_back(old->specification().agents[i].text);
        }
        input.add_agents("--agents", agents_);
        input.add_agents("--agent", each_agent_);
        for (const std::string& setting : set_)
            input.add_setting(setting);
        for (std::size_t i = 0;
             set_.empty() && old != nullptr && i < old->specification().set.size(); ++i) {
            const games::GameOption& option = old->specification().set[i];
            const auto* text = std::get_if<std::string>(&option.value);
            input.add_setting(option.name + "=" +
                              (text != nullptr ? *text : engine::scalar_json(option.value)));
        }
        input.add_value("--games", "games", {games_.empty() ? kGames : games_});
        input.add_value("--seed", "seed", {seed_});
        return prepare_run(input, games_folder_, agents_folder_, mode, context);
    }

    int compare(Context& context) {
        OldRun old(old_, agents_folder(agents_folder_, context), context);
        tournaments::PreparedRun now = prepare(results::ProfileMode::Sample, &old, context);
        old.open(now, context);
        const auto rounds =
            measure_in_turn(old.run(), now, now.specification.games.value_or(1), context.sampler);
        print_comparison(old, now, rounds, json_, context);
        return kGood;
    }

    [[nodiscard]] CostReport play(tournaments::PreparedRun& run, results::ProfileView& view,
                                  const Context& context) const {
        tournaments::LedgerSettings settings;
        settings.schedule = run.schedule.get();
        if (games_.empty()) settings.most_work = kMostWork;
        tournaments::Ledger ledger(run.facts, std::move(settings));
        tournaments::RunnerSettings runner;
        runner.clock = [&context] { return context.seconds(); };
        const tournaments::AgentMaker maker = agent_maker(run);
        const tournaments::LocalWorkers workers(
            *run.game, run.facts, maker, threads_,
            tournaments::profile_settings(run.profile, *run.game, nullptr),
            {.terms = run.specification.terms, .starts = run.starts.get()});
        tournaments::play_blocks(*run.schedule, workers.all(), runner, ledger);
        results::CostTable costs = ledger.costs();
        if (!counts_) {
            tournaments::CodeTimes code;
            tournaments::Timing timing = this->timing(context);
            if (asm_) timing.code = &code;
            const tournaments::TimedGames timed = time_games(run, maker, timing);
            costs.take_times(timed.times);
            view.hardware = timed.hardware;
            if (costs.has_times()) view.code = hot_code(run, maker, code);
        }
        return {{run.profile, std::move(costs)}, !counts_, false, {}};
    }

    [[nodiscard]] tournaments::Timing timing(const Context& context) const {
        tournaments::Timing timing = timing_of(context);
        if (seconds_ == 0) return timing;
        timing.ticks = ~std::uint64_t{0};
        timing.seconds = static_cast<double>(seconds_);
        return timing;
    }

    [[nodiscard]] std::optional<std::uint32_t> chosen(const CostReport& report) const {
        if (rule_.empty()) return std::nullopt;
        std::vector<std::string> known;
        const auto& rules = report.costs.facts.rules;
        for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
            if (rule_ == rules[rule].name || rule_ == rules[rule].group + "." + rules[rule].name)
                return rule;
            known.push_back(rules[rule].name);
        }
        throw Mistake(fmt::format("there is no rule '{}'{}", rule_, did_you_mean(rule_, known)));
    }

    int show(const CostReport& report, const results::RunFacts& facts, results::ProfileView& view,
             Context& context) const {
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

    std::string game_;
    std::vector<std::string> agents_;
    std::vector<std::string> each_agent_;
    std::vector<std::string> set_;
    std::string games_;
    std::string seed_ = "1";
    std::size_t threads_ = 1;
    std::size_t seconds_ = 0; // 0: until it is enough
    std::string old_;
    std::string rule_;
    bool entries_ = false;
    bool counts_ = false;
    bool asm_ = false;
    bool json_ = false;
    std::string folded_;
    std::string speedscope_;
    std::string chrome_trace_;
    std::string games_folder_;
    std::string agents_folder_;
};

} // namespace

std::unique_ptr<Command> make_profile() {
    return std::make_unique<ProfileGame>();
}

} // namespace croupier::cli
