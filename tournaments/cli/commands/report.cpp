// croupier report: shows the results of runs and comparisons.
#include "results/report/compared.h"
#include "results/report/sections.h"
#include "results/store/file.h"
#include "results/store/json_field.h"
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/process.h"
#include "tournaments/report/history.h"
#include "tournaments/report/source.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/tuning/tuning.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <span>
#include <utility>

namespace croupier::cli {
namespace {

class ReportRuns : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "report", "Report the results of runs and comparisons",
            "Reads games.csv of each folder, whether the run is complete or not, or what compare, "
            "ablate and sweep have kept with --out, or tune; changes nothing. A damaged row is "
            "named "
            "with its "
            "line. Several are one document as JSON, {\"runs\": [..]}, and as CSV, with a column "
            "run.\n"
            "--html writes one page that needs nothing but itself: charts of all that, and "
            "games to be looked at move by move, which are played once more: those of --replay, "
            "or the first, the longest and one of each kind of ending.\n"
            "--history shows all runs of a game over time, what has changed since an earlier "
            "revision of its rules, also in time, and one list of ratings.",
            "croupier report runs/life-1\n"
            "croupier report runs/life-1 --format markdown\n"
            "croupier report runs/life-1 runs/torus --format csv\n"
            "croupier report runs/life-1 runs/torus --html life.html --replay 0.0,17.1\n"
            "croupier report runs --history belote --since 2026-11-01"};
    }

    void declare(Options& options) override {
        options.add("DIR", paths_, "Folders of runs, comparisons, ablations, sweeps and tunings")
            .required()
            .offers(Offers::Folders);
        options.add_flag("--coverage", html_.coverage,
                         "List the rules and options that were never exercised");
        add_report_form(options, form_);
        options
            .add("--history", history_.game,
                 "Report all runs of this game, in folders at any depth, by revision and date")
            .type_name("GAME");
        options
            .add("--since", history_.since,
                 "With --history: compare the newest revision with this one, or with the last one "
                 "begun before this day")
            .type_name("REVISION|DAY")
            .default_text("the revision before");
        options.add("--anchor", history_.anchor, "With --history: the agent whose rating is given")
            .type_name("AGENT[=ELO]")
            .default_text("the mean is 0");
        options.add("--html", file_, "Write a page there instead")
            .type_name("FILE")
            .offers(Offers::Files);
        options
            .add("--replay", html_.games,
                 "Games that the page shows move by move, as games.csv numbers them, or none")
            .separated_by(',')
            .one_value_each()
            .type_name("BLOCK.GAME,..");
        add_agents_folder(options, html_.agents_folder);
    }

    int run(Context& context) override {
        if (file_.empty() && !html_.games.empty())
            throw UserError("--replay is for the page of --html");
        if (!history_.game.empty()) return report_history(context);
        if (!history_.since.empty() || !history_.anchor.empty())
            throw UserError("--since and --anchor are for --history");
        std::vector<tournaments::ReportSource> sources;
        sources.reserve(paths_.size());
        for (const std::string& path : paths_)
            sources.push_back(tournaments::open_source(path));
        if (!file_.empty()) return write_page(sources, context);
        if (sources.size() > 1 && (form_.json || form_.format == "csv"))
            return report_together(sources, context);
        for (const tournaments::ReportSource& source : sources) {
            if (sources.size() > 1 && form_.name() == "table") context.out().heading(source.path);
            if (sources.size() > 1 && form_.name() == "markdown")
                context.out().raw(fmt::format("## {}\n\n", source.path));
            context.out().raw(text_of(source, context));
        }
        return kGood;
    }

  private:
    int report_history(Context& context) {
        if (html_.coverage || !html_.games.empty() || form_.name() == "autoplay")
            throw UserError("--coverage, --replay and the form autoplay are for single runs, not "
                            "for --history");
        history_.paths = paths_;
        const StopSignals signals;
        context.show_progress("auto");
        results::History history;
        try {
            history = tournaments::read_history(history_, context);
        } catch (const UserError&) {
            if (StopSignals::signal() == 0) throw;
            context.end_progress();
            return kSignalExit + StopSignals::signal();
        }
        context.end_progress();
        if (!file_.empty()) {
            const results::Chapter chapter = results::HistoryChapter{{}, std::move(history)};
            return write_page(std::span(&chapter, 1), context);
        }
        if (form_.json)
            context.out().raw(results::json_text(json_of(history)));
        else if (form_.format == "csv")
            context.out().raw(csv_of(history));
        else
            context.out().raw(sections_text(results::sections_of(history), {},
                                            form_.format == "markdown", context));
        return kGood;
    }

    int write_page(const std::vector<tournaments::ReportSource>& sources, Context& context) const {
        std::vector<results::Chapter> chapters;
        chapters.reserve(sources.size());
        for (const tournaments::ReportSource& source : sources)
            chapters.push_back(make_chapter(source, html_, context));
        return write_page(chapters, context);
    }

    int write_page(std::span<const results::Chapter> chapters, Context& context) const {
        const std::string page = results::html_page(chapters);
        if (const auto failure = results::replace_file(file_, page)) {
            context.terminal.error(context.who, *failure);
            return kFailed;
        }
        context.out().line({fmt::format("{}: {} kB", file_, (page.size() + 999) / 1000)});
        return kGood;
    }

    // One document for programs: {"runs": [..]}, or CSV with one header.
    int report_together(const std::vector<tournaments::ReportSource>& sources,
                        Context& context) const {
        std::vector<results::RunText> texts;
        texts.reserve(sources.size());
        for (const tournaments::ReportSource& source : sources)
            texts.push_back({source.path, text_of(source, context)});
        if (form_.format == "csv") {
            for (const tournaments::ReportSource& source : sources)
                if (source.kind == tournaments::ReportSource::Kind::Sweep)
                    throw UserError(source.path + ": the CSV of a sweep has columns of its own; "
                                                  "report it alone");
            context.out().raw(results::csv_of_runs(texts));
            return kGood;
        }
        nlohmann::ordered_json runs = nlohmann::ordered_json::array();
        for (const results::RunText& each : texts) {
            nlohmann::ordered_json run{{"run", each.run}};
            run.update(nlohmann::ordered_json::parse(each.text));
            runs.push_back(std::move(run));
        }
        const nlohmann::ordered_json all{{"runs", std::move(runs)}};
        context.out().raw(results::json_text(all));
        return kGood;
    }

    [[nodiscard]] std::string text_of(const tournaments::ReportSource& source,
                                      Context& context) const {
        if (source.kind == tournaments::ReportSource::Kind::Run) {
            const tournaments::ReadRun run = read_run(source.path, context);
            tournaments::RunRecorder book(run.file, run.specification, *run.schedule);
            if (html_.coverage) book.tell_coverage(true);
            book.replay(source.path);
            if (!book.warning().empty()) context.warn(book.warning());
            return report_text(book.report(), form_, context);
        }
        if (form_.name() == "autoplay")
            throw UserError(source.path + ": only a run has a report of the form autoplay");
        ComparedOptions options;
        options.form = form_;
        if (source.kind == tournaments::ReportSource::Kind::Compare) {
            const results::CompareChapter chapter = tournaments::read_comparison(source);
            Ahead ahead{chapter.rules, {}, {}};
            if (source.json.contains("rules"))
                ahead = {chapter.rules, "rules", source.json["rules"]};
            return compared_text(chapter.summary, ahead, options, context);
        }
        if (source.kind == tournaments::ReportSource::Kind::Tune)
            return tuning_text(tournaments::read_tuned(source).summary, form_, context);
        if (source.kind == tournaments::ReportSource::Kind::Sweep)
            return compared_text(tournaments::read_sweep(source).summary, {}, options, context);
        return compared_text(tournaments::read_ablation(source).summary, {}, options, context);
    }

    std::vector<std::string> paths_;
    Form form_;
    std::string file_;
    tournaments::HtmlOptions html_;
    tournaments::HistoryRequest history_;
};

} // namespace

std::unique_ptr<Command> make_report() {
    return std::make_unique<ReportRuns>();
}

} // namespace croupier::cli
