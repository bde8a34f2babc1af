// Ledger, journal and report of one run in one place.
#include "tournaments/cli/run_book.h"

#include "results/store/checksums.h"
#include "results/store/games_reader.h"
#include "results/store/rows.h"
#include "tournaments/cli/machine.h"
#include "tournaments/runner/run_facts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <system_error>
#include <utility>

namespace croupier::cli {

namespace fs = std::filesystem;
using results::Failure;

tournaments::MadeSchedule schedule_of(const tournaments::Specification& specification,
                                      const results::RunFacts& facts) {
    tournaments::ScheduleRequest request;
    request.sides = tournaments::sides_of(facts);
    request.kind = specification.schedule;
    request.rotation = specification.rotation;
    request.agents = static_cast<std::uint32_t>(facts.agents.size());
    request.seed = specification.seed;
    request.blocks = specification.blocks;
    request.games = specification.games;
    request.rounds = specification.rounds;
    return tournaments::make_schedule(request);
}

RunBook::RunBook(const results::RunFile& file, const tournaments::Specification& specification,
                 tournaments::Schedule& schedule, std::function<void()> paused)
    : file_(file), schedule_(schedule),
      journal_(file.profile.watches(), file.keep != results::Keep::None),
      standings_(file.facts, schedule.balances_couples()),
      ledger_(file.facts, settings(specification, std::move(paused))), coverage_(file.coverage) {}

tournaments::LedgerSettings RunBook::settings(const tournaments::Specification& specification,
                                              std::function<void()> paused) {
    tournaments::LedgerSettings settings;
    settings.schedule = &schedule_;
    // Shards do not know of each other: only their merger can stop early.
    if (file_.shards == 1)
        settings.rules = tournaments::make_stop_rules(specification, schedule_.games_per_block());
    settings.listener = [this](auto games, const auto& outcome) {
        standings_.add_block(games, outcome);
        for (const results::GameRecord& game : games)
            ++endings_[static_cast<std::size_t>(game.end)];
        if (told_) told_(games);
    };
    settings.paused = std::move(paused);
    settings.ends_at_faults = specification.terms.faults == tournaments::FaultRule::Stop;
    settings.clock = seconds_now;
    return settings;
}

Failure RunBook::open(const std::string& folder) {
    folder_ = folder;
    Failure wrong = journal_.examine(folder);
    if (!wrong && journal_.lacks_costs()) {
        wrong = fmt::format("{}: is missing, so what rules cost in the first {} blocks is lost; "
                            "begin a new run",
                            (fs::path(folder) / results::kCostsFile).string(), journal_.blocks());
    }
    if (wrong) throw Mistake(*wrong);
    if (Failure failure = journal_.open(folder)) return failure;
    ledger_.write_to(journal_);
    return {};
}

std::uint64_t RunBook::index_of(std::uint64_t n) const {
    return file_.shard - 1 + n * file_.shards;
}

std::uint64_t RunBook::wanted_blocks() const {
    const std::uint64_t all = schedule_.blocks();
    return all < file_.shard ? 0 : (all - file_.shard) / file_.shards + 1;
}

void RunBook::replay(const std::string& folder) {
    count(folder, find_whole_rows(folder, file_));
}

bool RunBook::replay_more(const std::string& folder) {
    WholeRows whole = find_whole_rows(folder, file_);
    if (counted_.lots.empty() || !whole.lots.starts_with(counted_.lots)) return false;
    count(folder, std::move(whole));
    return !kept_costs_ && costs_missing_.empty(); // else costs.csv has gone
}

void RunBook::count(const std::string& folder, WholeRows whole) {
    counted_.warning = whole.warning;
    if (whole.games == 0) return;
    results::GamesReader reader((fs::path(folder) / results::kGamesFile).string(), file_.facts,
                                whole.games, counted_.games);
    std::vector<results::GameRecord> games;
    std::vector<results::CostRow> rows;
    const auto costs = open_costs(folder, whole.costs);
    while (reader.next(games)) {
        const std::uint64_t wanted = index_of(ledger_.blocks());
        if (games.front().block != wanted) {
            throw Mistake(fmt::format("{}: {} has block {} where block {} should stand", folder,
                                      results::kGamesFile, games.front().block, wanted));
        }
        if (costs && !costs->read(wanted, rows)) throw Mistake(*costs->failure());
        ledger_.count(games, rows);
        if (ledger_.blocks() == schedule_.known()) schedule_.advance();
    }
    if (reader.failure()) throw Mistake(*reader.failure());
    if (const auto failure = results::read_times_file(folder, file_.facts, times_))
        throw Mistake(*failure);
    counted_ = std::move(whole);
}

// The costs block by block; where they have been added up already, those.
std::unique_ptr<results::CostReader> RunBook::open_costs(const std::string& folder,
                                                         std::uint64_t bytes) {
    const results::ProfileFacts& facts = file_.profile;
    if (!file_.has_profile)
        costs_missing_ = "Not known: the run was made before croupier recorded what rules cost.";
    if (!facts.watches()) return nullptr;
    std::error_code ignored;
    const std::string blocks = (fs::path(folder) / results::kCostsFile).string();
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
        throw Mistake(*failure);
    kept_costs_ = std::move(costs.table);
    return nullptr;
}

results::CostReport RunBook::costs() const {
    return {
        {file_.profile, kept_costs_.value_or(ledger_.costs())}, true, coverage_, costs_missing_};
}

void RunBook::take_rule_times(const results::CostTable& times) {
    if (!kept_costs_) kept_costs_ = ledger_.costs();
    kept_costs_->take_times(times);
    // As it is read back: in whole nanoseconds of as many games as the run has.
    const std::uint64_t cpu_ns = kept_costs_->cpu_ns();
    kept_costs_->set_extent(kept_costs_->games(), kept_costs_->steps(), kept_costs_->watched());
    kept_costs_->set_time(kept_costs_->ticks(), cpu_ns);
}

std::optional<results::StopStatus> RunBook::stop_status() const {
    std::optional<results::StopStatus> told;
    for (results::StopStatus& status : ledger_.stop_status()) {
        if (!told || (status.stopped && !told->stopped)) told = std::move(status);
    }
    return told;
}

// A function of the games alone: no times, no machines, no paths.
std::string RunBook::summary() {
    results::RunStatus status;
    status.stop = stop_status();
    nlohmann::ordered_json json = {{"complete", complete()}};
    if (file_.shards > 1) json["shard"] = fmt::format("{}/{}", file_.shard, file_.shards);
    results::Report report = results::make_report(standings_, std::move(status));
    report.costs = costs();
    report.costs->has_times = false;
    json["report"] = nlohmann::ordered_json::parse(results::render(report, results::Format::Json));
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Failure RunBook::conclude() {
    ledger_.flush();
    if (ledger_.failure()) return ledger_.failure();
    if (file_.profile.mode != results::ProfileMode::Off) {
        const std::string rules = (fs::path(folder_) / results::kRulesFile).string();
        if (Failure failure =
                results::replace_file(rules, results::rules_text(costs().costs, file_.facts)))
            return failure;
    }
    if (!times_.empty()) {
        const std::string times = (fs::path(folder_) / results::kTimesFile).string();
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
    const std::string path = (fs::path(folder_) / kSummaryFile).string();
    if (Failure failure = results::replace_file(path, summary())) return failure;
    // The summary first: with neither of the two nobody could tell a complete run.
    return complete() ? journal_.remove(file_.shards > 1) : Failure();
}

results::Report RunBook::report() {
    results::RunStatus status;
    status.seconds = seconds_;
    status.stop = stop_status();
    if (!complete()) status.ended = "interrupted";
    results::Report report = results::make_report(standings_, std::move(status));
    report.costs = costs();
    if (!times_.empty()) report.times = times_;
    return report;
}

void RunBook::print(const Form& form, Context& context) {
    context.out().raw(
        results::render(report(), *results::format_of(form.name()), context.out().width()));
}

bool is_complete(const std::string& folder) {
    std::string text;
    if (results::read_file((fs::path(folder) / kSummaryFile).string(), text)) return false;
    const auto summary = nlohmann::json::parse(text, nullptr, false);
    if (!summary.is_object()) return false;
    const auto complete = summary.find("complete");
    return complete != summary.end() && complete->is_boolean() && complete->get<bool>();
}

namespace {

// The row that cannot be read, if it is that what was altered; it says more than a checksum.
Failure unreadable_row(const std::string& path, const results::RunFacts& facts) {
    results::GamesReader reader(path, facts);
    std::vector<results::GameRecord> games;
    while (reader.next(games)) {
    }
    return reader.failure();
}

} // namespace

WholeRows find_whole_rows(const std::string& folder, const results::RunFile& file) {
    const std::string games = (fs::path(folder) / results::kGamesFile).string();
    std::error_code ignored;
    WholeRows whole;
    // A run that ends meanwhile has its summary before its journal goes.
    const bool journal = fs::exists(fs::path(folder) / results::kJournalFile, ignored);
    if (is_complete(folder)) {
        if (!file.has_checksums) return whole;
        if (const Failure altered = results::check_checksums(folder))
            throw Mistake(unreadable_row(games, file.facts).value_or(*altered));
        return whole;
    }
    const auto size = fs::file_size(games, ignored);
    const bool begun = !ignored && size > results::kRowTitles.size();
    if (!journal && begun) return whole; // nobody knows; rows that do not read are named
    results::Journal rows(file.profile.watches(), file.keep != results::Keep::None);
    if (const Failure failure = rows.examine(folder)) throw Mistake(*failure);
    whole.games = rows.bytes();
    whole.costs = rows.cost_bytes();
    whole.moves = rows.moves_bytes();
    whole.warning = rows.warning();
    whole.lots = rows.lots();
    return whole;
}

} // namespace croupier::cli
