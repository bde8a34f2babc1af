// Prints what was played, and says how it has ended.
#include "tournaments/cli/answers.h"

#include "results/report/numbers.h"
#include "results/store/json_field.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/process.h"
#include "tournaments/tuning/tuning.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace croupier::cli {

namespace {

// Takes the exit code of a signal, if one came.
int exit_code(int otherwise) {
    return StopSignals::signal() != 0 ? kSignalExit + StopSignals::signal() : otherwise;
}

int failed(const std::string& what, const std::string& folder, Context& context) {
    context.end_progress();
    context.terminal.error(
        context.who, fmt::format("{}\nwhat was written is kept; continue with: croupier resume {}",
                                 what, folder));
    return kFailed;
}

// Makes decided verdicts bold and undecided ones yellow. The spaces tell a cell from a word in a
// sentence.
std::string with_verdicts(std::string text, const Context& context) {
    constexpr Style kDecided = Style::Bold;
    return context.out().colored(std::move(text), {{"  higher", kDecided},
                                                   {"  lower", kDecided},
                                                   {"  equivalent", kDecided},
                                                   {"  helps", kDecided},
                                                   {"  hurts", kDecided},
                                                   {"  no matter", kDecided},
                                                   {": H0 accepted", kDecided},
                                                   {": H1 accepted", kDecided},
                                                   {"  undecided", Style::Notice},
                                                   {": undecided", Style::Notice},
                                                   {"  too few", Style::Notice}});
}

} // namespace

void add_session_options(Options& options, SessionOptions& session) {
    add_threads(options, session.threads);
    add_report_form(options, session.form);
    add_progress(options, session.progress);
    options.add("--pool", session.pool, "What runs the threads")
        .one_of({"tbb", "threads"})
        .type_name("POOL")
        .shows_default();
    options.add_flag("--perf-map", session.perf_map,
                     "Tell Linux's perf the names of rules: /tmp/perf-PID.map");
    options
        .add("--jitdump", session.jitdump, "Write their code for perf inject --jit: jit-PID.dump")
        .type_name("DIR")
        .offers(Offers::Folders);
}

std::string report_text(const results::Report& report, const Form& form, const Context& context,
                        results::Detail otherwise) {
    const results::Detail detail = form.brief  ? results::Detail::Brief
                                   : form.full ? results::Detail::Full
                                               : otherwise;
    std::string text =
        results::render(report, *results::format_of(form.name()), context.out().width(), detail);
    return form.name() == "table" ? with_verdicts(std::move(text), context) : text;
}

int play_session(tournaments::PreparedRun& run, const results::RunFile& file,
                 const std::string& folder, const SessionOptions& options,
                 tournaments::Cluster& cluster, Context& context) {
    const StopSignals signals;
    context.show_progress(options.progress);
    tournaments::PerfMap perf_map(static_cast<std::uint64_t>(context.clock->now().count()));
    tournaments::PlaySettings settings;
    settings.threads = options.threads;
    settings.pool = options.pool == "tbb" ? tournaments::Pool::Tbb : tournaments::Pool::Threads;
    settings.coverage = options.coverage;
    // Only where the report tells it.
    if (options.form.name() != "autoplay" && !options.form.brief)
        settings.plays_on_seconds = context.plays_on_seconds;
    if (options.perf_map || !options.jitdump.empty()) settings.perf_map = &perf_map;
    settings.while_agents_live = [&] {
        if (options.perf_map)
            if (const auto failure = perf_map.write()) context.warn("--perf-map: " + *failure);
        if (!options.jitdump.empty())
            if (const auto failure = perf_map.dump(options.jitdump))
                context.warn("--jitdump: " + *failure);
    };
    const tournaments::PlayedRun played =
        tournaments::play_run(run, file, folder, settings, cluster, context);
    if (played.failure) return failed(*played.failure, folder, context);
    context.end_progress();
    context.out().raw(report_text(played.report, options.form, context, results::Detail::Summary));
    if (played.was_complete) return kGood;
    context.out().flush();
    for (const auto& [who, times] : played.notes) {
        const auto& [agent, what] = who;
        context.warn(fmt::format("{}: {} ({} times)", file.facts.agents[agent], what, times));
    }
    const int code = played.nothing_but_faults ? kFailed : kGood;
    if (played.further > 0)
        context.note(
            fmt::format("{} were played to see what rules cost; they count for nothing else",
                        results::counted(played.further, "more game")));
    if (played.complete) {
        if (options.form.name() == "table" && !options.form.full)
            context.note(
                fmt::format("all tables: croupier report {}, as a page: --html PAGE", folder));
        return code;
    }
    if (!played.ending_fault.empty())
        context.note(fmt::format("an agent's fault ends this run: game {}", played.ending_fault));
    if (!played.lost.empty()) context.note(played.lost + " stopped answering");
    context.note(fmt::format("stopped after {} games; continue with: croupier resume {}",
                             played.games, folder));
    return exit_code(played.ending_fault.empty() ? code : kFailed);
}

int serve(const tournaments::Cluster::Prepare& prepare, std::size_t threads, Context& context) {
    const StopSignals left_to_the_first;
    context.cluster().serve(prepare, threads);
    return kGood;
}

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
    add_out(options, compared.out, "Keep the answer in this folder, for croupier report");
    options.add_flag("--no-costs", compared.no_costs,
                     "Leave times out; the rest has the same bytes every time");
    add_games_folder(options, compared.games_folder);
    add_agents_folder(options, compared.agents_folder);
}

void add_metric_options(Options& options, MetricOptions& metrics, std::vector<std::string> known,
                        ComparedOptions& compared) {
    options.add("--metric", metrics.names, "Only these metrics")
        .one_value_each()
        .type_name("METRIC,..")
        .separated_by(',')
        .one_of(std::move(known));
    options.add("--margin", metrics.margins, "Which difference is too small to matter")
        .one_value_each()
        .type_name("SHARE|METRIC=NUMBER")
        .separated_by(',')
        .default_text("0.02 of rates");
    options
        .add("--playouts", compared.playouts, "Judge who leads by N random playouts at each move")
        .range(4, 10000)
        .type_name("N")
        .default_text("none");
    options.add("--coverage", compared.coverage, "Watch which rules fire in the first N deals")
        .range(1, 1'000'000'000)
        .type_name("N")
        .default_text("none");
}

results::Margins margins_of(const MetricOptions& metrics, const ComparedOptions& compared) {
    for (const auto* const names : {&metrics.names, &metrics.sought})
        for (const std::string& name : *names)
            if (const auto kind = results::metric_of(name)) {
                if (results::is_of_lead(*kind) && compared.playouts == 0)
                    throw UserError(fmt::format("the metric {} needs --playouts N, as 64", name));
                if (kind == results::MetricKind::Coverage && compared.coverage == 0)
                    throw UserError("the metric coverage needs --coverage N, as 64");
            }
    return tournaments::parse_margins(metrics.margins);
}

void prepare_out(ComparedOptions& options, Context& context) {
    context.show_progress(context.resumed != nullptr ? context.resumed->progress
                                                     : options.progress);
    if (context.resumed != nullptr) {
        const Resumed& resumed = *context.resumed;
        options.resumes = true;
        options.out = resumed.folder;
        if (!resumed.games_folder.empty()) options.games_folder = resumed.games_folder;
        if (!resumed.agents_folder.empty()) options.agents_folder = resumed.agents_folder;
        options.threads = resumed.threads;
        options.form = resumed.form;
        options.progress = resumed.progress;
        return;
    }
    if (options.out.empty() || context.cluster().serves()) return;
    tournaments::refuse_answer(options.out);
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error) throw UserError(fmt::format("{}: cannot be made: {}", options.out, error.message()));
}

tournaments::PlayedVariants
play_compared(std::span<const tournaments::Variant> variants, tournaments::PreparedRun& run,
              const ComparedOptions& options,
              const std::function<void(std::span<const results::GameRecord>)>& take,
              const std::function<tournaments::ComparedAnswer()>& so_far, Context& context,
              const std::function<tournaments::Round()>& round) {
    constexpr double kBetween = 2; // seconds
    const StopSignals signals;
    double kept = context.seconds();
    const auto take_and_keep = [&](std::span<const results::GameRecord> games) {
        take(games);
        if (options.out.empty() || context.seconds() < kept + kBetween) return;
        // If that fails, the complete answer will tell.
        static_cast<void>(keep_so_far(so_far(), options.out, context));
        kept = context.seconds();
    };
    return play_variants(variants, run, options, take_and_keep, context.cluster(), context, round);
}

int conclude_compared(const std::string& text, const tournaments::ComparedAnswer& answer,
                      const tournaments::PlayedVariants& played, const results::RunFacts& facts,
                      const ComparedOptions& options, Context& context) {
    context.end_progress();
    context.out().raw(text);
    context.out().flush();
    const int code =
        exit_code(played.stopped_by_fault || played.nothing_but_faults ? kFailed : kGood);
    if (!played.lost.empty()) context.note(played.lost + " stopped answering");
    if (options.out.empty()) return played.lost.empty() ? code : kFailed;
    if (const auto failure = keep_answer(answer, played, facts, options.out, context))
        return failed(*failure, options.out, context);
    if (played.interrupted())
        context.note(fmt::format("stopped after {} games; continue with: croupier resume {}",
                                 played.games, options.out));
    return code;
}

std::string sections_text(std::span<const results::Section> sections,
                          const std::vector<std::string>& ahead, bool markdown,
                          const Context& context) {
    std::string text;
    for (const std::string& line : ahead)
        text += results::printable(line) + "\n";
    if (!ahead.empty()) text = (markdown ? "```\n" + text + "```\n" : text) + "\n";
    if (markdown) return text + results::markdown_text(sections);
    return text + with_verdicts(results::table_text(sections, context.out().width()), context);
}

std::string tuning_text(const results::TuningSummary& summary, const Form& form,
                        const Context& context) {
    if (form.json) return results::json_text(json_of(summary));
    if (form.format == "csv") return csv_of(summary);
    return sections_text(sections_of(summary), {}, form.format == "markdown", context);
}

int play_tuning(const tournaments::TuningPlan& plan, const tournaments::PreparedRun& run,
                const std::string& folder, std::size_t threads, const Form& form,
                Context& context) {
    const StopSignals signals;
    const results::TuneChapter chapter =
        tournaments::play_tuning(plan, run, folder, threads, context.cluster(), context);
    context.end_progress();
    context.out().raw(tuning_text(chapter.summary, form, context));
    const std::string lost = context.cluster().lost();
    if (!lost.empty()) context.note(lost + " stopped answering");
    if (StopSignals::signal() != 0 || !lost.empty())
        context.note(fmt::format("interrupted; continue with: croupier resume {}", folder));
    return exit_code(kGood);
}

} // namespace croupier::cli
