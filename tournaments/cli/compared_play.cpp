// Threads, signals and the progress line of comparisons.
#include "tournaments/cli/compared_play.h"

#include "results/report/layout.h"
#include "results/store/times_file.h"
#include "tournaments/cli/machine.h"
#include "tournaments/cli/progress.h"
#include "tournaments/cli/stop_signals.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
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

    // Whether there is one.
    bool take(std::span<const results::GameRecord> games) {
        const std::uint64_t before = faults_;
        games_ += games.size();
        for (const results::GameRecord& game : games) {
            for (const results::SeatRecord& seat : game.seats) {
                if (!seat.at_fault) continue;
                ++faults_;
                ++kinds_[{seat.agent, game.fault.substr(0, game.fault.find(':'))}];
            }
        }
        return faults_ > before;
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

} // namespace

PlayedVariants play_variants(std::span<const tournaments::Variant> variants, PreparedRun& run,
                             const ComparedOptions& options,
                             const std::function<void(std::span<const results::GameRecord>)>& take,
                             Context& context) {
    StopSignals signals;
    Progress progress(options.progress, context);
    const double begun = seconds_now();
    std::uint64_t games = 0;
    const auto show = [&] {
        const double now = seconds_now();
        progress.show(now, [&] {
            results::Progress facts;
            facts.games = games;
            facts.games_planned =
                run.schedule->blocks() * run.schedule->games_per_block() * variants.size();
            facts.seconds = now - begun;
            return facts;
        });
    };
    FaultCount faults(run.facts);
    bool stopped = false;
    tournaments::VariantSink sink([&](std::span<const results::GameRecord> block) {
        take(block);
        games += block.size();
        stopped =
            faults.take(block) && run.specification.terms.faults == tournaments::FaultRule::Stop;
        show();
        return !stopped;
    });
    const std::size_t threads = options.threads == 0 ? machine_threads() : options.threads;
    std::function<double()> clock;
    if (!options.no_costs) clock = seconds_now;
    const tournaments::VariantWorkers workers(
        variants, static_cast<std::uint32_t>(run.facts.agents.size()), run.facts.seed, threads,
        clock,
        {run.specification.terms, nullptr,
         options.no_costs || options.out.empty() ? nullptr : run.clock.get(),
         &StopSignals::abandoned(), run.starts.get()});
    tournaments::RunnerSettings settings;
    settings.clock = seconds_now;
    settings.stop = &signals.wanted();
    tournaments::play_blocks(*run.schedule, workers.all(), settings, sink);
    progress.end();
    faults.tell(context);
    return {workers.seconds_per_game(), workers.decision_times(), signals.signal(), stopped,
            faults.all()};
}

std::string text_of(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void keep_compared(nlohmann::ordered_json json, const std::string& folder, std::string_view file,
                   const Context& context) {
    if (folder.empty()) return;
    json["made"] = {{"program", "croupier " CROUPIER_VERSION},
                    {"time", time_now()},
                    {"machine", describe_machine()},
                    {"command", context.command}};
    const std::string path = (std::filesystem::path(folder) / file).string();
    if (const auto failure = results::replace_file(path, text_of(json))) throw Mistake(*failure);
}

void keep_times(std::span<const std::string> names, const PlayedVariants& played,
                const results::RunFacts& facts, const ComparedOptions& options) {
    if (options.out.empty()) return;
    std::vector<results::VariantTimes> all;
    for (std::size_t i = 0; i < played.times.size(); ++i)
        if (!played.times[i].empty()) all.push_back({names[i], played.times[i]});
    if (all.empty()) return;
    const std::string path = (std::filesystem::path(options.out) / results::kTimesFile).string();
    if (const auto failure = results::replace_file(path, results::variant_times_text(all, facts)))
        throw Mistake(*failure);
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
