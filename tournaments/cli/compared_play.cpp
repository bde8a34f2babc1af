// Threads, signals and the progress line of comparisons.
#include "tournaments/cli/compared_play.h"

#include "results/report/layout.h"
#include "results/store/games_reader.h"
#include "results/store/json_field.h"
#include "results/store/rows.h"
#include "results/store/times_file.h"
#include "tournaments/cli/machine.h"
#include "tournaments/cli/progress.h"
#include "tournaments/cli/stop_signals.h"
#include "tournaments/runner/ledger.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <utility>

namespace croupier::cli {

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
