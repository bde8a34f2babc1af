// Threads, signals and the progress line of comparisons.
#include "tournaments/cli/compared_play.h"

#include "results/report/layout.h"
#include "tournaments/cli/machine.h"
#include "tournaments/cli/progress.h"
#include "tournaments/cli/stop_signals.h"

#include <filesystem>

namespace croupier::cli {

int PlayedVariants::exit_code() const {
    return signal == 0 ? kGood : kSignalExit + signal;
}

PlayedVariants play_variants(std::span<const tournaments::Variant> variants, PreparedRun& run,
                             const ComparedOptions& options,
                             const tournaments::VariantSink::Take& take, Context& context) {
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
    tournaments::VariantSink sink([&](std::span<const results::GameRecord> block) {
        take(block);
        games += block.size();
        show();
    });
    const std::size_t threads = options.threads == 0 ? machine_threads() : options.threads;
    std::function<double()> clock;
    if (!options.no_costs) clock = seconds_now;
    const tournaments::VariantWorkers workers(variants,
                                              static_cast<std::uint32_t>(run.facts.agents.size()),
                                              run.facts.seed, threads, clock);
    tournaments::RunnerSettings settings;
    settings.clock = seconds_now;
    settings.stop = &signals.wanted();
    tournaments::play_blocks(*run.schedule, workers.all(), settings, sink);
    progress.end();
    return {workers.seconds_per_game(), signals.signal()};
}

void keep_compared(const std::string& json, const std::string& folder, std::string_view file) {
    if (folder.empty()) return;
    const std::string path = (std::filesystem::path(folder) / file).string();
    if (const auto failure = results::replace_file(path, json)) throw Mistake(*failure);
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
