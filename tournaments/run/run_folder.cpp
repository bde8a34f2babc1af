// Run folders: creation, and the checks before a run continues.
#include "tournaments/run/run_folder.h"

#include "results/store/file.h"
#include "results/store/games_file.h"
#include "results/store/journal.h"
#include "results/store/json_field.h"
#include "tournaments/run/files.h"
#include "tournaments/runner/run_facts.h"
#include "tournaments/tuning/plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

namespace croupier::tournaments {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using results::Failure;
using results::RunFile;

namespace {

constexpr std::string_view kLockFile = "lock";

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw UserError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
}

std::string specification_text(const ordered_json& specification) {
    return specification.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Results do not depend on the time of a pause.
ordered_json without_time(const RunFile& file) {
    ordered_json specification = ordered_json::parse(file.specification);
    specification.erase("time");
    return specification;
}

std::string hash_of(std::string_view text) {
    return fmt::format("{:08x}", results::crc32c(text));
}

// "line 12 was `..` and is `..`"
std::string first_difference(std::string_view then, std::string_view now) {
    for (std::size_t line = 1;; ++line) {
        const std::string_view old_line = then.substr(0, then.find('\n'));
        const std::string_view new_line = now.substr(0, now.find('\n'));
        const bool ends = old_line.size() == then.size() || new_line.size() == now.size();
        if (old_line != new_line || ends)
            return fmt::format("line {} was\n    {}\n  and is\n    {}", line, old_line, new_line);
        then.remove_prefix(old_line.size() + 1);
        now.remove_prefix(new_line.size() + 1);
    }
}

void compare_inputs(const std::string& folder, const RunFile& then, const RunFile& now,
                    const PreparedRun& run, std::string& changes) {
    for (std::size_t i = 0; i < std::max(then.inputs.size(), now.inputs.size()); ++i) {
        if (i >= now.inputs.size()) {
            changes += fmt::format("\n  {} is not read any more", then.inputs[i].path);
        } else if (i >= then.inputs.size()) {
            changes += fmt::format("\n  {} is read as well", now.inputs[i].path);
        } else if (then.inputs[i].hash != now.inputs[i].hash) {
            std::string old_text;
            results::read_file(results::in_folder(folder, then.inputs[i].copy), old_text);
            changes += fmt::format("\n  {}: {}", now.inputs[i].path,
                                   first_difference(old_text, run.inputs[i].second));
        }
    }
}

// The failure of the first unreadable row, if any: more useful than a checksum error.
Failure unreadable_row(const std::string& path, const results::RunFacts& facts) {
    results::GamesReader reader(path, facts);
    std::vector<results::GameRecord> games;
    while (reader.next(games)) {
    }
    return reader.failure();
}

} // namespace

Shard parse_shard(const std::string& text) {
    Shard shard;
    const char* const end = text.data() + text.size();
    const auto [slash, wrong] = std::from_chars(text.data(), end, shard.index);
    bool good = wrong == std::errc() && slash != end && *slash == '/';
    if (good) {
        const auto [stop, error] = std::from_chars(slash + 1, end, shard.count);
        good = error == std::errc() && stop == end && shard.index >= 1 &&
               shard.index <= shard.count && shard.count <= results::kMaxShards;
    }
    if (!good)
        throw UserError(fmt::format("--shard takes i/n with i from 1 to n, found '{}'", text));
    return shard;
}

bool holds(const std::string& folder, std::string_view name) {
    std::error_code ignored;
    return fs::exists(fs::path(folder) / name, ignored);
}

void refuse_run(const std::string& folder) {
    for (const std::string_view name : {results::kRunFile, results::kGamesFile, kTuneFile})
        if (holds(folder, name))
            throw UserError(fmt::format(
                "{}: holds a run or a tuning already; continue it with 'croupier resume {}', "
                "or name another folder",
                folder, folder));
}

std::string make_run_folder(const std::string& wanted, const std::string& title) {
    if (!wanted.empty()) {
        refuse_run(wanted);
        make_folder(wanted);
        return wanted;
    }
    make_folder("runs");
    std::string name = title;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ':' || c == '/' || c == ' '; }, '-');
    for (int number = 1;; ++number) {
        const fs::path folder = fs::path("runs") / fmt::format("{}-{}", name, number);
        std::error_code error;
        if (fs::create_directory(folder, error)) return folder.string();
        if (error)
            throw UserError(
                fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
    }
}

results::File lock_run_folder(const std::string& folder) {
    results::File lock;
    bool locked = false;
    Failure failure = lock.open(results::in_folder(folder, kLockFile), results::File::Mode::Lock);
    // Retries, since another process may be testing the lock.
    for (int i = 0; i < 3 && !failure && !locked; ++i) {
        if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        failure = lock.try_lock(locked);
    }
    if (failure) throw UserError(*failure);
    if (!locked) throw UserError(folder + ": another croupier is using it");
    return lock;
}

RunFile describe_run(const PreparedRun& run, const Shard& shard, const HostServices& host) {
    RunFile file;
    file.program = host.program;
    file.facts = run.facts;
    file.ruleset = run.game->facts().ruleset;
    ordered_json specification = to_json(run.specification);
    specification["blocks"] =
        ordered_json::array({specification["blocks"][0], run.schedule->blocks()});
    specification.erase("games"); // implied by the blocks
    file.specification = specification_text(specification);
    file.keep = run.keep;
    file.profile = run.profile;
    file.shard = shard.index;
    file.shards = shard.count;
    file.machine = host.machine();
    for (std::size_t i = 0; i < run.inputs.size(); ++i) {
        const auto& [path, text] = run.inputs[i];
        const std::string name = fs::path(path).filename().string();
        file.inputs.push_back({path, fmt::format("inputs/{}-{}", i + 1, name), hash_of(text), {}});
        if (const auto readers = run.readers.find(path); readers != run.readers.end())
            file.inputs.back().agents.assign(readers->second.begin(), readers->second.end());
    }
    return file;
}

std::string files_of(const RunFile& file, const std::string& agent) {
    std::string hashes;
    for (const results::InputFile& input : file.inputs)
        if (!input.path.starts_with('<') &&
            std::ranges::find(input.agents, agent) != input.agents.end())
            hashes += input.hash;
    return hashes.empty() ? "" : hash_of(hashes);
}

std::string deals_of(const RunFile& file) {
    ordered_json identity = identity_of(file);
    for (const char* key :
         {"what --profile says is", "what --coverage says is", "what --keep says is"})
        identity.erase(key);
    ordered_json& asked = identity["the specification is"];
    for (const char* key : {"sprt", "width"})
        asked.erase(key);
    const std::string schedule = asked.value("schedule", "");
    if (schedule == "round-robin" || schedule == "gauntlet")
        asked["blocks"] = asked["blocks"][0]; // how seats rotate
    if (!file.facts.irreproducible.empty()) identity["it began"] = file.started;
    return results::content_hash(identity.dump());
}

void forget_time(RunFile& file) {
    file.specification = specification_text(without_time(file));
}

nlohmann::ordered_json identity_of(const RunFile& file) {
    nlohmann::ordered_json identity = {{"the program is", file.program},
                                       {"the specification is", without_time(file)},
                                       {"the ruleset is", file.ruleset},
                                       {"what --profile says is", name_of(file.profile.mode)},
                                       {"what --coverage says is", file.coverage},

                                       {"what --keep says is", name_of(file.keep)}};
    auto& inputs = identity["the files are"] = nlohmann::ordered_json::array();
    for (const results::InputFile& input : file.inputs)
        inputs.push_back(input.hash);
    return identity;
}

std::string what_differs(const nlohmann::ordered_json& one, const nlohmann::ordered_json& other) {
    for (const auto& [what, value] : one.items())
        if (!other.contains(what) || nlohmann::json(other[what]) != nlohmann::json(value))
            return what;
    return one.size() == other.size() ? "" : "what is recorded of it is";
}

Failure begin_run_folder(const std::string& folder, const PreparedRun& run, RunFile& file,
                         const HostServices& host) {
    file.started = host.date();
    std::error_code ignored;
    file.folder = fs::current_path(ignored).string();
    make_folder(fs::path(folder) / "inputs");
    for (std::size_t i = 0; i < run.inputs.size(); ++i) {
        const std::string path = results::in_folder(folder, file.inputs[i].copy);
        if (Failure failure = results::replace_file(path, run.inputs[i].second)) return failure;
    }
    return results::replace_file(results::in_folder(folder, results::kRunFile),
                                 results::to_json_text(file));
}

void refuse_changes(const std::string& folder, const RunFile& then, const RunFile& now,
                    const PreparedRun& run) {
    std::string changes;
    compare_inputs(folder, then, now, run, changes);
    if (changes.empty() && then.ruleset != now.ruleset)
        changes += fmt::format("\n  the rules of {} are not the same", now.facts.game);
    if (then.facts.players != now.facts.players || then.facts.game != now.facts.game)
        changes += "\n  the game has another name or other players";
    if (then.facts.agents != now.facts.agents || then.facts.seed != now.facts.seed)
        changes += "\n  the agents or the seed in run.json were edited";
    // Independent of the order of members.
    if (nlohmann::json::parse(then.specification) != nlohmann::json::parse(now.specification))
        changes += "\n  the specification in run.json was edited";
    if (then.program != now.program)
        changes += fmt::format("\n  it was begun by {}, but this is {}", then.program, now.program);
    if (changes.empty()) return;
    throw UserError(fmt::format("{}: changed since the run began:{}\n"
                                "put it back, or begin a new run; the old files are in {}/inputs",
                                folder, changes, folder));
}

MadeSchedule schedule_of(const Specification& specification, const results::RunFacts& facts) {
    ScheduleRequest request;
    request.sides = sides_of(facts);
    request.kind = specification.schedule;
    request.rotation = specification.rotation;
    request.agents = static_cast<std::uint32_t>(facts.agents.size());
    request.seed = specification.seed;
    request.blocks = specification.blocks;
    request.games = specification.games;
    request.rounds = specification.rounds;
    return make_schedule(request);
}

RunRecorder::RunRecorder(const results::RunFile& file, const Specification& specification,
                         Schedule& schedule, std::function<void()> paused,
                         std::function<double()> clock)
    : file_(file), schedule_(schedule),
      journal_(file.profile.watches(), file.keep != results::Keep::None),
      standings_(file.facts, schedule.balances_couples()),
      ledger_(file.facts, settings(specification, std::move(paused), std::move(clock))),
      coverage_(file.coverage) {}

LedgerSettings RunRecorder::settings(const Specification& specification,
                                     std::function<void()> paused, std::function<double()> clock) {
    LedgerSettings settings;
    settings.schedule = &schedule_;
    // Shards are independent: only their merged run can stop early.
    if (file_.shards == 1)
        settings.rules = make_stop_rules(specification, schedule_.games_per_block());
    settings.listener = [this](auto games, const auto& outcome) {
        standings_.add_block(games, outcome);
        for (const results::GameRecord& game : games)
            ++endings_[static_cast<std::size_t>(game.end)];
        if (told_) told_(games);
    };
    settings.paused = std::move(paused);
    settings.ends_at_faults = specification.terms.faults == FaultRule::Stop;
    settings.clock = std::move(clock);
    return settings;
}

Failure RunRecorder::open(const std::string& folder) {
    folder_ = folder;
    Failure wrong = journal_.examine(folder);
    if (!wrong && journal_.lacks_costs()) {
        wrong = fmt::format("{}: is missing, so what rules cost in the first {} blocks is lost; "
                            "begin a new run",
                            results::in_folder(folder, results::kCostsFile), journal_.blocks());
    }
    if (wrong) throw UserError(*wrong);
    if (Failure failure = journal_.open(folder)) return failure;
    ledger_.write_to(journal_);
    return {};
}

std::uint64_t RunRecorder::index_of(std::uint64_t n) const {
    return file_.shard - 1 + n * file_.shards;
}

std::uint64_t RunRecorder::wanted_blocks() const {
    const std::uint64_t all = schedule_.blocks();
    return all < file_.shard ? 0 : (all - file_.shard) / file_.shards + 1;
}

void RunRecorder::replay(const std::string& folder) {
    count(folder, find_whole_rows(folder, file_));
}

bool RunRecorder::replay_more(const std::string& folder) {
    WholeRows whole = find_whole_rows(folder, file_);
    if (counted_.lots.empty() || !whole.lots.starts_with(counted_.lots)) return false;
    count(folder, std::move(whole));
    return !kept_costs_ && costs_missing_.empty(); // otherwise costs.csv is gone
}

void RunRecorder::count(const std::string& folder, WholeRows whole) {
    counted_.warning = whole.warning;
    if (whole.games == 0) return;
    results::GamesReader reader(results::in_folder(folder, results::kGamesFile), file_.facts,
                                whole.games, counted_.games);
    std::vector<results::GameRecord> games;
    std::vector<results::CostRow> rows;
    const auto costs = open_costs(folder, whole.costs);
    while (reader.next(games)) {
        const std::uint64_t wanted = index_of(ledger_.blocks());
        if (games.front().block != wanted) {
            throw UserError(fmt::format("{}: {} has block {} where block {} should be", folder,
                                        results::kGamesFile, games.front().block, wanted));
        }
        if (costs && !costs->read(wanted, rows)) throw UserError(*costs->failure());
        ledger_.count(games, rows);
        if (ledger_.blocks() == schedule_.known()) schedule_.advance();
    }
    if (reader.failure()) throw UserError(*reader.failure());
    if (const auto failure = results::read_times_file(folder, file_.facts, times_))
        throw UserError(*failure);
    counted_ = std::move(whole);
}

// Reads the costs block by block; if they are already summed, reads the sums.
std::unique_ptr<results::CostReader> RunRecorder::open_costs(const std::string& folder,
                                                             std::uint64_t bytes) {
    const results::ProfileFacts& facts = file_.profile;
    if (!facts.watches()) return nullptr;
    std::error_code ignored;
    const std::string blocks = results::in_folder(folder, results::kCostsFile);
    if (fs::exists(blocks, ignored))
        return std::make_unique<results::CostReader>(blocks, facts, file_.facts.players.size(),
                                                     bytes, counted_.costs);
    if (!fs::exists(fs::path(folder) / results::kRulesFile, ignored)) {
        costs_missing_ =
            fmt::format("Not known: there is no {} in {}.", results::kRulesFile, folder);
        return nullptr;
    }
    results::Costs costs{facts, {}};
    if (const auto failure = results::read_rules_file(folder, file_.facts, costs))
        throw UserError(*failure);
    kept_costs_ = std::move(costs.table);
    return nullptr;
}

results::CostReport RunRecorder::costs() const {
    return {
        {file_.profile, kept_costs_.value_or(ledger_.costs())}, true, coverage_, costs_missing_};
}

void RunRecorder::take_rule_times(const results::CostTable& times) {
    if (!kept_costs_) kept_costs_ = ledger_.costs();
    kept_costs_->take_times(times);
    // As it will be read back: in whole nanoseconds for the run's number of games.
    const std::uint64_t cpu_ns = kept_costs_->cpu_ns();
    kept_costs_->set_extent(kept_costs_->games(), kept_costs_->steps(), kept_costs_->watched());
    kept_costs_->set_time(kept_costs_->ticks(), cpu_ns);
}

std::optional<results::StopStatus> RunRecorder::stop_status() const {
    std::optional<results::StopStatus> told;
    for (results::StopStatus& status : ledger_.stop_status())
        if (!told || (status.stopped && !told->stopped)) told = std::move(status);
    return told;
}

// A function of the games only: no times, machines or paths.
std::string RunRecorder::summary() {
    results::RunStatus status;
    status.stop = stop_status();
    nlohmann::ordered_json json = {{"complete", complete()}};
    if (file_.shards > 1) json["shard"] = fmt::format("{}/{}", file_.shard, file_.shards);
    results::Report report = results::make_report(standings_, std::move(status));
    report.costs = costs();
    report.costs->has_times = false;
    json["report"] = nlohmann::ordered_json::parse(results::render(report, results::Format::Json));
    return results::json_text(json);
}

Failure RunRecorder::conclude() {
    ledger_.flush();
    if (ledger_.failure()) return ledger_.failure();
    if (file_.profile.mode != results::ProfileMode::Off) {
        const std::string rules = results::in_folder(folder_, results::kRulesFile);
        if (Failure failure =
                results::replace_file(rules, results::rules_text(costs().costs, file_.facts)))
            return failure;
    }
    if (!times_.empty()) {
        const std::string times = results::in_folder(folder_, results::kTimesFile);
        if (Failure failure =
                results::replace_file(times, results::times_text(times_, file_.facts)))
            return failure;
    }
    if (complete()) {
        std::vector<std::string_view> names{results::kGamesFile};
        if (file_.keep != results::Keep::None) names.push_back(results::kMovesFile);
        if (file_.profile.mode != results::ProfileMode::Off) names.push_back(results::kRulesFile);
        if (file_.profile.watches() && file_.shards > 1) names.push_back(results::kCostsFile);
        if (Failure failure = results::write_checksums(folder_, names)) return failure;
    }
    const std::string path = results::in_folder(folder_, kSummaryFile);
    if (Failure failure = results::replace_file(path, summary())) return failure;
    // The summary first: without both, a complete run could not be recognized.
    return complete() ? journal_.remove(file_.shards > 1) : Failure();
}

results::Report RunRecorder::report() {
    results::RunStatus status;
    status.seconds = seconds_;
    status.stop = stop_status();
    if (!complete()) status.ended = "interrupted";
    results::Report report = results::make_report(standings_, std::move(status));
    report.costs = costs();
    if (!times_.empty()) report.times = times_;
    return report;
}

bool is_complete(const std::string& folder) {
    std::string text;
    if (results::read_file(results::in_folder(folder, kSummaryFile), text)) return false;
    const auto summary = nlohmann::json::parse(text, nullptr, false);
    if (!summary.is_object()) return false;
    const auto complete = summary.find("complete");
    return complete != summary.end() && complete->is_boolean() && complete->get<bool>();
}

WholeRows find_whole_rows(const std::string& folder, const results::RunFile& file) {
    const std::string games = results::in_folder(folder, results::kGamesFile);
    std::error_code ignored;
    WholeRows whole;
    // A run that ends meanwhile writes its summary before removing its journal.
    const bool journal = fs::exists(fs::path(folder) / results::kJournalFile, ignored);
    if (is_complete(folder)) {
        if (const Failure altered = results::check_checksums(folder))
            throw UserError(unreadable_row(games, file.facts).value_or(*altered));
        return whole;
    }
    const auto size = fs::file_size(games, ignored);
    const bool begun = !ignored && size > results::kRowTitles.size();
    if (!journal && begun) return whole; // unknown; unreadable rows are reported
    results::Journal rows(file.profile.watches(), file.keep != results::Keep::None);
    if (const Failure failure = rows.examine(folder)) throw UserError(*failure);
    whole.games = rows.bytes();
    whole.costs = rows.cost_bytes();
    whole.moves = rows.moves_bytes();
    whole.warning = rows.warning();
    whole.lots = rows.lots();
    return whole;
}

} // namespace croupier::tournaments
