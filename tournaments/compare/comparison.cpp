// Plays comparisons on threads.
#include "tournaments/compare/comparison.h"

#include "agents/registry.h"
#include "results/report/compared.h"
#include "results/report/layout.h"
#include "results/store/games_file.h"
#include "results/store/journal.h"
#include "results/store/json_field.h"
#include "results/store/measurements.h"
#include "results/store/run_file.h"
#include "tournaments/run/files.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/runner/ledger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

namespace croupier::tournaments {

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
        throw UserError(fmt::format("--margin {}: '{}' is not a number from 0 up", word, number));
    return value;
}

using nlohmann::ordered_json;

constexpr std::uint64_t kAskedFormat = 1;

// The contents of asked.json.
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
    if (failure) throw UserError(*failure);
    return asked;
}

// Counts agents' faults, which a comparison reports beside its answer.
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
    void tell(const HostServices& host) const {
        if (faults_ == 0) return;
        std::string whose;
        for (const auto& [key, games] : kinds_)
            whose += fmt::format("{}{} ({} {})", whose.empty() ? "" : ", ",
                                 facts_.agents[key.first], key.second, games);
        host.warn(
            fmt::format("{} of {} games ended by an agent's fault: {}", faults_, games_, whose));
    }

  private:
    const results::RunFacts& facts_;
    std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> kinds_;
    std::uint64_t games_ = 0;
    std::uint64_t faults_ = 0;
};

ordered_json identity_of_all(std::span<const PreparedRun* const> runs, const HostServices& host) {
    ordered_json identity = ordered_json::array();
    for (const PreparedRun* run : runs)
        identity.push_back(identity_of(describe_run(*run, {}, host)));
    return identity;
}

// For what_differs, which names members.
ordered_json named(const ordered_json& identity) {
    ordered_json all = ordered_json::object();
    for (std::size_t i = 0; i < identity.size(); ++i)
        for (const auto& [what, value] : identity[i].items())
            all[fmt::format("of side {} {}", i + 1, what)] = value;
    return all;
}

// How the players of a comparison play, and whether they are timed.
PlayerSettings players_of(const PreparedRun& run, const ComparedSettings& settings) {
    return {run.specification.terms,
            nullptr,
            settings.no_costs || settings.out.empty() ? nullptr : run.clock.get(),
            run.abandon,
            run.starts.get(),
            static_cast<std::uint32_t>(settings.playouts),
            settings.coverage};
}

std::function<double()> clock_of(const ComparedSettings& settings, const HostServices& host) {
    if (settings.no_costs || settings.playouts > 0 || settings.coverage > 0) return {};
    return [&host] { return host.seconds(); };
}

class VariantPart : public Part {
  public:
    VariantPart(std::vector<Variant> variants, std::vector<const PreparedRun*> runs,
                std::shared_ptr<void> owner, const ComparedSettings& settings,
                const HostServices& host)
        : owner_(std::move(owner)), variants_(std::move(variants)), runs_(std::move(runs)),
          settings_(settings), host_(host), rows_(runs_.front()->facts, true) {}

    [[nodiscard]] ordered_json identity() const override {
        return named(identity_of_all(runs_, host_));
    }
    std::vector<Worker*> workers(std::size_t threads) override {
        const PreparedRun& run = *runs_.front();
        workers_.emplace(variants_, static_cast<std::uint32_t>(run.facts.agents.size()),
                         run.facts.seed, threads, clock_of(settings_, host_),
                         players_of(run, settings_), &rows_);
        return workers_->all();
    }

  private:
    std::shared_ptr<void> owner_;
    std::vector<Variant> variants_;
    std::vector<const PreparedRun*> runs_;
    const ComparedSettings& settings_;
    const HostServices& host_;
    results::RowFormat rows_;
    std::optional<VariantWorkers> workers_;
};

// Counts the complete blocks in the folder, and makes later ones be written there.
void go_on_in(const std::string& folder, const results::RunFacts& facts,
              const std::function<std::size_t()>& games_a_block, PlayedVariants& played,
              Ledger& ledger, const HostServices& host) {
    played.journal = std::make_unique<results::Journal>(results::Journal::of_comparison());
    results::Journal& journal = *played.journal;
    if (const auto wrong = journal.examine(folder)) throw UserError(*wrong);
    if (const std::string warning = journal.warning(); !warning.empty()) host.warn(warning);
    if (journal.bytes() > 0) {
        const std::string path = results::in_folder(folder, results::kGamesFile);
        results::GamesReader reader(path, facts, journal.bytes());
        std::vector<results::GameRecord> games;
        while (reader.next(games)) {
            if (games.front().block != ledger.blocks() || games.size() != games_a_block())
                throw UserError(fmt::format("{}: block {} is not one of this comparison", path,
                                            games.front().block));
            ledger.count(games);
        }
        if (reader.failure()) throw UserError(*reader.failure());
    }
    if (ledger.games() > 0) host.note(fmt::format("resuming after {} games", ledger.games()));
    played.failure = journal.open(folder);
    ledger.write_to(journal);
}

} // namespace

void refuse_answer(const std::string& folder) {
    std::string answer = answer_in(folder);
    if (holds(folder, results::kRunFile)) answer = results::kRunFile;
    if (!answer.empty())
        throw UserError(fmt::format("{}: holds {} already; name another folder", folder, answer));
    if (holds(folder, kAskedFile))
        throw UserError(fmt::format("{}: holds a comparison already; continue it with 'croupier "
                                    "resume {}', or name another folder",
                                    folder, folder));
}

results::File begin_compared(const ComparedSettings& settings,
                             std::span<const PreparedRun* const> runs, Cluster& cluster,
                             const HostServices& host) {
    const ordered_json identity = identity_of_all(runs, host);
    cluster.hire(named(identity), runs.front()->facts);
    if (settings.out.empty()) return {};
    results::File lock = lock_run_folder(settings.out);
    if (!settings.resumes) {
        refuse_answer(settings.out); // another process may have been faster
        const ordered_json asked = {
            {"format", kAskedFormat}, {"words", host.words}, {"identity", identity}};
        const std::string path = results::in_folder(settings.out, kAskedFile);
        if (const auto failure = results::replace_file(path, results::json_text(asked)))
            throw UserError(*failure);
        return lock;
    }
    const std::vector<ordered_json> then = asked_in(settings.out).identity;
    for (std::size_t i = 0; i < identity.size(); ++i) {
        const std::string differs = i < then.size() ? what_differs(identity[i], then[i]) : "";
        if (then.size() != identity.size() || !differs.empty())
            throw UserError(
                fmt::format("{}: {} not the same as when it began; put it back, or begin "
                            "another comparison",
                            settings.out, differs.empty() ? "the command is" : differs));
    }
    return lock;
}

bool is_comparison(const std::string& folder) {
    return holds(folder, kAskedFile);
}

std::string answer_in(const std::string& folder) {
    for (const std::string_view name : results::kComparedFiles)
        if (holds(folder, name)) return std::string(name);
    return {};
}

bool is_complete_comparison(const std::string& folder) {
    return !holds(folder, results::kJournalFile) && !answer_in(folder).empty();
}

std::vector<ordered_json> identities_of_comparison(const std::string& folder) {
    return asked_in(folder).identity;
}

std::vector<std::string> words_of_comparison(const std::string& folder) {
    std::vector<std::string> words = asked_in(folder).words;
    if (std::find_if(words.begin(), words.end(), [](const std::string& word) {
            return results::is_compared(word);
        }) == words.end())
        throw UserError(results::in_folder(folder, kAskedFile) + " is damaged");
    return words;
}

PreparedRun prepare_side(const ComparedSide& side, const ComparedSettings& settings,
                         const HostServices& host) {
    SpecificationInput input;
    input.add_text("GAME", "game", side.game);
    input.add_agents("--agent", side.agents);
    input.add_settings(side.set);
    if (side.gauntlet) input.add_text("schedule", "schedule", "gauntlet");
    if (!settings.starts.empty()) input.add_text("--starts", "starts", settings.starts);
    input.add_given({{"games", settings.games},
                     {"blocks", settings.blocks},
                     {"seed", settings.seed},
                     {"faults", settings.faults},
                     {"cut", settings.cut}});
    PreparedRun run = prepare_run(
        input, settings.games_folder, settings.agents_folder,
        settings.no_costs ? results::ProfileMode::Off : results::ProfileMode::Sample, host);
    if (settings.coverage > 0 && run.game->ruleset_game() == nullptr)
        throw UserError(run.facts.game + " has no rules that --coverage can watch");
    return run;
}

void refuse_other_seats(const results::RunFacts& a, const results::RunFacts& b) {
    if (a.players == b.players && same_teams(a, b)) return;
    throw UserError(
        fmt::format("{} seats {}, and {} {}: only games of the same seats and teams can "
                    "be compared",
                    a.game, seats_of(a), b.game, seats_of(b)));
}

bool agents_vary(const PreparedRun& run) {
    const auto& all = run.specification.agents;
    return std::any_of(all.begin(), all.end(), [&](const AgentEntry& each) {
        return each.spec.kind != all[0].spec.kind || each.spec.arguments != all[0].spec.arguments;
    });
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
            throw UserError(fmt::format("--margin {}: there is no metric '{}'{}; there are {}",
                                        word, name, did_you_mean(name, known),
                                        fmt::join(known, ", ")));
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

std::unique_ptr<Part> part_of(std::vector<Variant> variants, std::vector<const PreparedRun*> runs,
                              std::shared_ptr<void> owner, const ComparedSettings& settings,
                              const HostServices& host) {
    return std::make_unique<VariantPart>(std::move(variants), std::move(runs), std::move(owner),
                                         settings, host);
}

PlayedVariants play_variants(std::span<const Variant> variants, PreparedRun& run,
                             const ComparedSettings& settings,
                             const std::function<void(std::span<const results::GameRecord>)>& take,
                             Cluster& cluster, const HostServices& host,
                             const std::function<Round()>& round) {
    PlayedVariants played;
    FaultCount faults(run.facts);
    Round now{{}, run.schedule->blocks()};
    for (std::uint32_t variant = 0; variant < variants.size(); ++variant)
        now.variants.push_back(variant);
    if (round) now = round();
    const auto games_a_block = [&] {
        return run.schedule->games_per_block() * now.variants.size();
    };
    std::uint64_t blocks = 0;
    std::uint64_t earlier = 0;
    const double begun = host.seconds();
    const std::function<double()> clock = [&host] { return host.seconds(); };
    LedgerSettings ledger_settings;
    ledger_settings.listener = [&](std::span<const results::GameRecord> games, const auto&) {
        take(games);
        faults.take(games);
        played.games += games.size();
        if (++blocks == now.end && round) now = round();
    };
    ledger_settings.paused = [&] {
        host.progress([&] {
            results::Progress facts;
            facts.games = played.games;
            facts.games_before = earlier;
            facts.games_planned =
                played.games + (run.schedule->blocks() - blocks) * games_a_block();
            facts.seconds = host.seconds() - begun;
            return facts;
        });
    };
    ledger_settings.clock = clock;
    ledger_settings.ends_at_faults = run.specification.terms.faults == FaultRule::Stop;
    Ledger ledger(run.facts, std::move(ledger_settings));
    if (!settings.out.empty())
        go_on_in(settings.out, run.facts, games_a_block, played, ledger, host);
    earlier = played.games;
    const results::RowFormat rows(run.facts, true);
    std::vector<Worker*> workers =
        cluster.workers([&host] { return host.stop != nullptr && *host.stop; });
    RunnerSettings runner;
    std::optional<VariantWorkers> own;
    if (workers.empty()) {
        own.emplace(variants, static_cast<std::uint32_t>(run.facts.agents.size()), run.facts.seed,
                    settings.threads == 0 ? host.threads : settings.threads,
                    clock_of(settings, host), players_of(run, settings),
                    settings.out.empty() ? nullptr : &rows);
        workers = own->all();
    } else {
        Cluster::settle(runner);
    }
    runner.clock = clock;
    runner.stop = host.stop;
    for (bool goes_on = !played.failure; goes_on && ledger.blocks() < run.schedule->blocks();) {
        for (Worker* worker : workers)
            worker->set_up({now.variants});
        runner.range.first = ledger.blocks();
        runner.range.end = now.end;
        play_blocks(*run.schedule, workers, runner, ledger);
        ledger.flush();
        played.failure = ledger.failure();
        goes_on =
            ledger.blocks() == runner.range.end && !played.failure && ledger.ending_fault().empty();
    }
    WorkerTimes times = measured_by(workers);
    times.resize(variants.size());
    for (std::size_t variant = 0; variant < variants.size(); ++variant)
        played.seconds_per_game.push_back(times.seconds_a_game(variant));
    played.times = std::move(times.decisions);
    faults.tell(host);
    played.lost = cluster.lost();
    played.stopped = (host.stop != nullptr && *host.stop) || !played.lost.empty();
    played.stopped_by_fault = !ledger.ending_fault().empty();
    played.nothing_but_faults = faults.all();
    return played;
}

nlohmann::ordered_json made_json(const HostServices& host) {
    return {{"program", host.program},
            {"time", host.date()},
            {"machine", host.machine()},
            {"command", host.command}};
}

results::Failure keep_so_far(const ComparedAnswer& answer, const std::string& folder,
                             const HostServices& host) {
    nlohmann::ordered_json kept = answer.json;
    kept["made"] = made_json(host);
    return results::replace_file(results::in_folder(folder, answer.file),
                                 results::with_checksum(std::move(kept)));
}

results::Failure keep_answer(const ComparedAnswer& answer, const PlayedVariants& played,
                             const results::RunFacts& facts, const std::string& folder,
                             const HostServices& host) {
    if (played.failure) return played.failure;
    std::vector<results::VariantTimes> times;
    for (std::size_t i = 0; i < played.times.size(); ++i)
        if (!played.times[i].empty()) times.push_back({answer.names[i], played.times[i]});
    if (!times.empty()) {
        if (auto failure = results::replace_file(results::in_folder(folder, results::kTimesFile),
                                                 results::variant_times_text(times, facts)))
            return failure;
    }
    if (auto failure = keep_so_far(answer, folder, host)) return failure;
    return played.interrupted() ? results::Failure() : played.journal->remove();
}

} // namespace croupier::tournaments
