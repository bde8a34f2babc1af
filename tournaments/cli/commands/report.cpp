// croupier report: shows the results of runs and comparisons.
#include "results/report/compared.h"
#include "results/report/sections.h"
#include "results/store/file.h"
#include "results/store/json_field.h"
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/report/source.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/tuning/tuning.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
            "or the first, the longest and one of each kind of ending.",
            "croupier report runs/life-1\n"
            "croupier report runs/life-1 --format markdown\n"
            "croupier report runs/life-1 runs/torus --format csv\n"
            "croupier report runs/life-1 runs/torus --html life.html --replay 0.0,17.1"};
    }

    void declare(Options& options) override {
        options.add("DIR", paths_, "Folders of runs, comparisons, ablations, sweeps and tunings")
            .required()
            .offers(Offers::Folders);
        options.add_flag("--coverage", html_.coverage,
                         "List the rules and options that were never exercised");
        add_report_form(options, form_);
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
    int write_page(const std::vector<tournaments::ReportSource>& sources, Context& context) const {
        std::vector<results::Chapter> chapters;
        chapters.reserve(sources.size());
        for (const tournaments::ReportSource& source : sources)
            chapters.push_back(make_chapter(source, html_, context));
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
};

} // namespace

std::unique_ptr<Command> make_report() {
    return std::make_unique<ReportRuns>();
}

} // namespace croupier::cli
