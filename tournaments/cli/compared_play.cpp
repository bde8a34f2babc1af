// What is compared, by threads, with signals and a progress line.
#include "tournaments/cli/compared_play.h"

#include "agents/registry.h"
#include "results/report/compared.h"
#include "results/report/layout.h"
#include "results/store/games_reader.h"
#include "results/store/journal.h"
#include "results/store/json_field.h"
#include "results/store/measurements.h"
#include "results/store/rows.h"
#include "results/store/run_file.h"
#include "tournaments/cli/agent_input.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/machine.h"
#include "tournaments/cli/process.h"
#include "tournaments/cli/run_folder.h"
#include "tournaments/cli/run_session.h"
#include "tournaments/runner/ledger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

namespace croupier::cli {

// Options of comparisons to prepared runs.

namespace {

std::string seats_of(const results::RunFacts& facts) {
    std::string text = fmt::format("{}", fmt::join(facts.players, ", "));
    if (facts.teams.empty()) return text;
    std::vector<std::string> teams;
    for (const results::TeamFacts& team : facts.teams)
        teams.push_back(team.name);
    return text + fmt::format(" in teams {}", fmt::join(teams, ", "));
}

bool same_teams(const results::RunFacts& a, const results::RunFacts& b) {
    if (a.teams.size() != b.teams.size()) return false;
    for (std::size_t i = 0; i < a.teams.size(); ++i)
        if (a.teams[i].name != b.teams[i].name || a.teams[i].seats != b.teams[i].seats)
            return false;
    return true;
}

double parse_margin(const std::string& word, const std::string& number) {
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0' || !std::isfinite(value) || value < 0)
        throw Mistake(fmt::format("--margin {}: '{}' is not a number from 0 up", word, number));
    return value;
}

} // namespace

void add_compared_options(Options& options, ComparedOptions& compared) {
    options.add("--games", compared.games, "Play at least N games of each")
        .type_name("N")
        .default_text("1000");
    options
        .add("--blocks", compared.blocks, "Play N deals; or how seats rotate: rotate, all or none")
        .type_name("N|HOW");
    options.add("--seed", compared.seed, "Seed of all chance").type_name("N").default_text("1");
    add_faults(options, compared.faults);
    options.add("--cut", compared.cut, "End a game as a draw after N moves").type_name("N");
    add_starts(options, compared.starts);
    add_threads(options, compared.threads);
    add_form(options, compared.form, {"table", "csv", "markdown"});
    add_progress(options, compared.progress);
    options.add("--out", compared.out, "Keep the answer in this folder, for croupier report")
        .type_name("DIR")
        .offers(Offers::Folders);
    options.add_flag("--no-costs", compared.no_costs,
                     "Leave times out; the rest has the same bytes every time");
    add_games_folder(options, compared.games_folder);
    add_agents_folder(options, compared.agents_folder);
}

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::string_view kAskedFile = "asked.json";
constexpr std::uint64_t kAskedFormat = 1;

bool holds(const std::string& folder, std::string_view name) {
    std::error_code ignored;
    return fs::exists(fs::path(folder) / name, ignored);
}

void refuse_answer(const std::string& folder) {
    for (const std::string_view name :
         {results::kCompareFile, results::kAblateFile, results::kRunFile})
        if (holds(folder, name))
            throw Mistake(fmt::format("{}: holds {} already; name another folder", folder, name));
    if (holds(folder, kAskedFile))
        throw Mistake(fmt::format("{}: holds a comparison already; continue it with 'croupier "
                                  "resume {}', or name another folder",
                                  folder, folder));
}

// What asked.json says.
struct Asked {
    std::vector<std::string> words;
    std::vector<ordered_json> identity;
};

Asked asked_in(const std::string& folder) {
    Asked asked;
    const std::string path = results::in_folder(folder, kAskedFile);
    const auto failure = results::read_json_file(path, [&](const results::JsonField& root) {
        if (const auto format = root.at("format");
            format.number(0, ~std::uint64_t{0}) != kAskedFormat)
            format.wrong("it is of another version of croupier");
        asked.words = root.at("words").texts();
        for (const results::JsonField& run : root.at("identity").items())
            asked.identity.push_back(run.value());
    });
    if (failure) throw Mistake(*failure);
    return asked;
}

} // namespace

void prepare_out(ComparedOptions& options, const Context& context) {
    if (context.resumed != nullptr) {
        const Resumed& resumed = *context.resumed;
        options.out = resumed.folder;
        if (!resumed.games_folder.empty()) options.games_folder = resumed.games_folder;
        if (!resumed.agents_folder.empty()) options.agents_folder = resumed.agents_folder;
        options.threads = resumed.threads;
        options.form = resumed.form;
        options.progress = resumed.progress;
        return;
    }
    if (options.out.empty()) return;
    refuse_answer(options.out);
    std::error_code error;
    fs::create_directories(options.out, error);
    if (error) throw Mistake(fmt::format("{}: cannot be made: {}", options.out, error.message()));
}

results::File begin_compared(const ComparedOptions& options,
                             std::initializer_list<const PreparedRun*> runs,
                             const Context& context) {
    if (options.out.empty()) return {};
    results::File lock = lock_run_folder(options.out);
    ordered_json identity = ordered_json::array();
    for (const PreparedRun* run : runs)
        identity.push_back(identity_of(describe_run(*run, {})));
    if (context.resumed == nullptr) {
        refuse_answer(options.out); // somebody may have been quicker
        const ordered_json asked = {
            {"format", kAskedFormat}, {"words", context.words}, {"identity", identity}};
        const std::string path = results::in_folder(options.out, kAskedFile);
        const std::string text = asked.dump(2, ' ', false, ordered_json::error_handler_t::replace);
        if (const auto failure = results::replace_file(path, text + "\n")) throw Mistake(*failure);
        return lock;
    }
    const std::vector<ordered_json> then = asked_in(options.out).identity;
    for (std::size_t i = 0; i < identity.size(); ++i) {
        const std::string differs = i < then.size() ? what_differs(identity[i], then[i]) : "";
        if (then.size() != identity.size() || !differs.empty())
            throw Mistake(fmt::format("{}: {} not the same as when it began; put it back, or begin "
                                      "another comparison",
                                      options.out, differs.empty() ? "the command is" : differs));
    }
    return lock;
}

bool is_comparison(const std::string& folder) {
    return holds(folder, kAskedFile);
}

bool is_complete_comparison(const std::string& folder) {
    return !holds(folder, results::kJournalFile) &&
           (holds(folder, results::kCompareFile) || holds(folder, results::kAblateFile));
}

std::vector<std::string> words_of_comparison(const std::string& folder) {
    std::vector<std::string> words = asked_in(folder).words;
    if (std::find_if(words.begin(), words.end(), [](const std::string& word) {
            return word == "compare" || word == "ablate";
        }) == words.end())
        throw Mistake(results::in_folder(folder, kAskedFile) + " is damaged");
    return words;
}

PreparedRun prepare_side(const ComparedSide& side, const ComparedOptions& options,
                         Context& context) {
    SpecificationInput input;
    input.add_text("GAME", "game", side.game);
    input.add_agents("--agent", side.agents);
    for (const std::string& setting : side.set)
        input.add_setting(setting);
    if (side.gauntlet) input.add_text("schedule", "schedule", "gauntlet");
    if (!options.starts.empty()) input.add_text("--starts", "starts", options.starts);
    const std::pair<const char*, const std::string&> values[] = {{"games", options.games},
                                                                 {"blocks", options.blocks},
                                                                 {"seed", options.seed},
                                                                 {"faults", options.faults},
                                                                 {"cut", options.cut}};
    for (const auto& [key, value] : values)
        if (!value.empty()) input.add_value(fmt::format("--{}", key), key, {value});
    return prepare_run(input, options.games_folder, options.agents_folder,
                       options.no_costs ? results::ProfileMode::Off : results::ProfileMode::Sample,
                       context);
}

void refuse_other_seats(const results::RunFacts& a, const results::RunFacts& b) {
    if (a.players == b.players && same_teams(a, b)) return;
    throw Mistake(fmt::format("{} seats {}, and {} {}: only games of the same seats and teams can "
                              "be compared",
                              a.game, seats_of(a), b.game, seats_of(b)));
}

std::vector<std::string> split_agents(const std::vector<std::string>& texts) {
    std::vector<std::string> all;
    for (const std::string& text : texts)
        for (const std::string_view spec : agents::split_agent_specs(text))
            all.emplace_back(spec);
    return all;
}

std::vector<std::string> metric_names() {
    std::vector<std::string> names;
    for (const results::MetricKind kind : results::metric_kinds())
        names.emplace_back(name_of(kind));
    return names;
}

results::Margins parse_margins(const std::vector<std::string>& words) {
    results::Margins margins;
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) {
            margins.share = parse_margin(word, word);
            continue;
        }
        const std::string name = word.substr(0, equals);
        const auto kind = results::metric_of(name);
        if (!kind) {
            const auto known = metric_names();
            throw Mistake(fmt::format("--margin {}: there is no metric '{}'{}; there are {}", word,
                                      name, did_you_mean(name, known), fmt::join(known, ", ")));
        }
        margins.of[*kind] = parse_margin(word, word.substr(equals + 1));
    }
    return margins;
}

std::vector<results::MetricKind> parse_metrics(const std::vector<std::string>& words) {
    std::vector<results::MetricKind> kinds;
    for (const std::string& word : words)
        if (const auto kind = results::metric_of(word)) kinds.push_back(*kind);
    return kinds;
}

int PlayedVariants::exit_code() const {
    if (signal != 0) return kSignalExit + signal;
    return stopped_by_fault || nothing_but_faults ? kFailed : kGood;
}

namespace {

// The faults of agents, which a comparison tells beside its answer.
class FaultCount {
  public:
    explicit FaultCount(const results::RunFacts& facts) : facts_(facts) {}

    void take(std::span<const results::GameRecord> games) {
        games_ += games.size();
        for (const results::GameRecord& game : games) {
            for (const results::SeatRecord& seat : game.seats) {
                if (!seat.at_fault) continue;
                ++faults_;
                ++kinds_[{seat.agent, game.fault.substr(0, game.fault.find(':'))}];
            }
        }
    }
    [[nodiscard]] bool all() const { return games_ > 0 && faults_ == games_; }
    void tell(Context& context) const {
        if (faults_ == 0) return;
        std::string whose;
        for (const auto& [key, games] : kinds_)
            whose += fmt::format("{}{} ({} {})", whose.empty() ? "" : ", ",
                                 facts_.agents[key.first], key.second, games);
        context.terminal.warning("croupier", fmt::format("{} of {} games ended by an agent's "
                                                         "fault: {}",
                                                         faults_, games_, whose));
    }

  private:
    const results::RunFacts& facts_;
    std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> kinds_;
    std::uint64_t games_ = 0;
    std::uint64_t faults_ = 0;
};

// Counts the blocks that are whole in the folder, and has those to come written there.
void go_on_in(const std::string& folder, const results::RunFacts& facts, std::size_t games_a_block,
              PlayedVariants& played, tournaments::Ledger& ledger, Context& context) {
    played.journal = std::make_unique<results::Journal>(results::Journal::of_comparison());
    results::Journal& journal = *played.journal;
    if (const auto wrong = journal.examine(folder)) throw Mistake(*wrong);
    if (const std::string warning = journal.warning(); !warning.empty())
        context.terminal.warning("croupier resume", warning);
    if (journal.bytes() > 0) {
        const std::string path = results::in_folder(folder, results::kGamesFile);
        results::GamesReader reader(path, facts, journal.bytes());
        std::vector<results::GameRecord> games;
        while (reader.next(games)) {
            if (games.front().block != ledger.blocks() || games.size() != games_a_block)
                throw Mistake(fmt::format("{}: block {} is not one of this comparison", path,
                                          games.front().block));
            ledger.count(games);
        }
        if (reader.failure()) throw Mistake(*reader.failure());
    }
    if (ledger.games() > 0)
        context.err().line({fmt::format("resuming after {} games", ledger.games())});
    played.failure = journal.open(folder);
    ledger.write_to(journal);
}

} // namespace

PlayedVariants play_variants(std::span<const tournaments::Variant> variants, PreparedRun& run,
                             const ComparedOptions& options,
                             const std::function<void(std::span<const results::GameRecord>)>& take,
                             Context& context) {
    StopSignals signals;
    Progress progress(options.progress, context);
    PlayedVariants played;
    FaultCount faults(run.facts);
    const std::size_t games_a_block = run.schedule->games_per_block() * variants.size();
    std::uint64_t earlier = 0;
    const double begun = seconds_now();
    tournaments::LedgerSettings settings;
    settings.listener = [&](std::span<const results::GameRecord> games, const auto&) {
        take(games);
        faults.take(games);
        played.games += games.size();
    };
    settings.paused = [&] {
        const double now = seconds_now();
        progress.show(now, [&] {
            results::Progress facts;
            facts.games = played.games;
            facts.games_before = earlier;
            facts.games_planned = run.schedule->blocks() * games_a_block;
            facts.seconds = now - begun;
            return facts;
        });
    };
    settings.clock = seconds_now;
    settings.ends_at_faults = run.specification.terms.faults == tournaments::FaultRule::Stop;
    tournaments::Ledger ledger(run.facts, std::move(settings));
    if (!options.out.empty())
        go_on_in(options.out, run.facts, games_a_block, played, ledger, context);
    earlier = played.games;
    const std::size_t threads = options.threads == 0 ? machine_threads() : options.threads;
    std::function<double()> clock;
    if (!options.no_costs) clock = seconds_now;
    const results::RowFormat rows(run.facts, true);
    const tournaments::VariantWorkers workers(
        variants, static_cast<std::uint32_t>(run.facts.agents.size()), run.facts.seed, threads,
        clock,
        {run.specification.terms, nullptr,
         options.no_costs || options.out.empty() ? nullptr : run.clock.get(),
         &StopSignals::abandoned(), run.starts.get()},
        options.out.empty() ? nullptr : &rows);
    if (!played.failure && ledger.blocks() < run.schedule->blocks()) {
        tournaments::RunnerSettings runner;
        runner.range.first = ledger.blocks();
        runner.clock = seconds_now;
        runner.stop = &signals.wanted();
        tournaments::play_blocks(*run.schedule, workers.all(), runner, ledger);
        ledger.flush();
        played.failure = ledger.failure();
    }
    progress.end();
    faults.tell(context);
    played.seconds_per_game = workers.seconds_per_game();
    played.times = workers.decision_times();
    played.signal = signals.signal();
    played.stopped_by_fault = !ledger.ending_fault().empty();
    played.nothing_but_faults = faults.all();
    return played;
}

std::string text_of(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

namespace {

results::Failure keep(const ComparedAnswer& answer, const PlayedVariants& played,
                      const results::RunFacts& facts, const std::string& folder,
                      const Context& context) {
    if (played.failure) return played.failure;
    std::vector<results::VariantTimes> times;
    for (std::size_t i = 0; i < played.times.size(); ++i)
        if (!played.times[i].empty()) times.push_back({answer.names[i], played.times[i]});
    if (!times.empty()) {
        if (auto failure = results::replace_file(results::in_folder(folder, results::kTimesFile),
                                                 results::variant_times_text(times, facts)))
            return failure;
    }
    nlohmann::ordered_json kept = answer.json;
    kept["made"] = {{"program", "croupier " CROUPIER_VERSION},
                    {"time", time_now()},
                    {"machine", describe_machine()},
                    {"command", context.command}};
    if (auto failure = results::replace_file(results::in_folder(folder, answer.file),
                                             results::with_checksum(std::move(kept))))
        return failure;
    return played.interrupted() ? results::Failure() : played.journal->remove();
}

} // namespace

int conclude_compared(const ComparedAnswer& answer, const PlayedVariants& played,
                      const results::RunFacts& facts, const ComparedOptions& options,
                      Context& context) {
    context.out().raw(answer.text);
    context.out().flush();
    if (options.out.empty()) return played.exit_code();
    if (const auto failure = keep(answer, played, facts, options.out, context)) {
        context.terminal.error("croupier",
                               fmt::format("{}\nwhat was written is kept; continue with: croupier "
                                           "resume {}",
                                           *failure, options.out));
        return kFailed;
    }
    if (played.interrupted())
        context.err().line({fmt::format("stopped after {} games; continue with: croupier resume {}",
                                        played.games, options.out)});
    return played.exit_code();
}

std::string sections_text(std::span<const results::Section> sections,
                          const std::vector<std::string>& ahead, bool markdown,
                          const Context& context) {
    std::string text;
    for (const std::string& line : ahead)
        text += results::printable(line) + "\n";
    if (!ahead.empty()) text = (markdown ? "```\n" + text + "```\n" : text) + "\n";
    return text + (markdown ? results::markdown_text(sections)
                            : results::table_text(sections, context.out().width()));
}

} // namespace croupier::cli
