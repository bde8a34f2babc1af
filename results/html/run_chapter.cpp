// A run: the report's own sections, with charts where a picture says more and links to rules.
#include "results/html/chapters.h"
#include "results/html/charts.h"
#include "results/html/markup.h"
#include "results/html/page.h"
#include "results/report/costs.h"
#include "results/report/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace croupier::results {

namespace {

// A page should stay small, whatever its rules are.
constexpr std::size_t kMostRules = 60;
constexpr std::size_t kMostLines = 60;
constexpr std::size_t kMostBytes = 8000;

std::string_view shortened(std::string_view text) {
    std::size_t end = 0;
    for (std::size_t line = 0; line < kMostLines && end < text.size(); ++line)
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    if (end > kMostBytes) {
        end = kMostBytes;
        while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) // inside a character
            --end;
    }
    return text.substr(0, end);
}

// Names of rules on a page: links to the rules' texts, which a section of the chapter holds.
class RuleLinks {
  public:
    // Both must outlive it.
    RuleLinks(const RunChapter& chapter, Outline& outline) : chapter_(chapter), outline_(outline) {
        for (std::uint32_t rule = 0; rule < chapter.rule_texts.size(); ++rule)
            if (!chapter.rule_texts[rule].empty())
                titles_.emplace(rule_title(chapter.report.costs->costs.facts, rule,
                                           chapter.report.summary.facts),
                                rule);
    }

    // Where the page has the text of the rule; empty if it has none.
    std::string link(std::uint32_t rule) {
        if (rule >= chapter_.rule_texts.size() || chapter_.rule_texts[rule].empty()) return {};
        if (!named_.contains(rule)) {
            if (named_.size() >= kMostRules) {
                full_ = true;
                return {};
            }
            named_.insert(rule);
            if (const auto outer = around(rule)) link(*outer);
        }
        return outline_.link(id(rule));
    }

    // Markup of a cell or a note, with links: of a title alone, and in the notes of coverage
    // ("Never tried: A, B", "Never reached in A: ..").
    std::string linked(std::string_view text) {
        Markup markup;
        std::size_t plain = 0; // what is before it is written
        const bool coverage = text.starts_with("Never ");
        for (std::size_t at = 0; at < text.size(); ++at) {
            const std::string_view before = text.substr(0, at);
            if (at != 0 && !(coverage && (before.ends_with(", ") || before.ends_with(": ") ||
                                          before.ends_with(" in "))))
                continue;
            const std::string_view rest = text.substr(at);
            const std::pair<const std::string, std::uint32_t>* longest = nullptr;
            for (const auto& title : titles_) {
                if (!rest.starts_with(title.first)) continue;
                const std::string_view after = rest.substr(title.first.size());
                const bool whole = after.empty() || (coverage && (after.starts_with(", ") ||
                                                                  after.starts_with(": ") ||
                                                                  after.starts_with(" and ")));
                if (whole && (longest == nullptr || title.first.size() > longest->first.size()))
                    longest = &title;
            }
            const std::string href = longest == nullptr ? std::string() : link(longest->second);
            if (href.empty()) continue;
            markup.text(text.substr(plain, at - plain));
            markup.raw("<a href=\"" + html_text(href) + "\">").text(longest->first).raw("</a>");
            plain = at + longest->first.size();
            if (text.substr(plain).starts_with(": ")) break; // words of its condition follow
            at = plain - 1;
        }
        return markup.text(text.substr(plain)).str();
    }

    // The rules that have links, and the rules around these.
    void add_section() {
        if (named_.empty()) return;
        outline_.begin("rules", "Rules that are named above", Weight::Detail);
        for (const std::uint32_t rule : named_)
            add_text(rule);
        if (full_)
            outline_.page().element(
                "p", {{"class", "note"}},
                fmt::format(
                    "These are the first {} rules that are named; further names are no links.",
                    kMostRules));
        outline_.end();
    }

  private:
    [[nodiscard]] const RuleFacts& facts(std::uint32_t rule) const {
        return chapter_.report.costs->costs.facts.rules[rule];
    }

    // The same on every page that names the rule, and different for all of them.
    [[nodiscard]] std::string id(std::uint32_t rule) const {
        std::string id = "rule";
        const auto add = [&](std::string_view part) {
            id += '.';
            for (const char c : part) {
                const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                   (c >= '0' && c <= '9') || c == '-';
                id += plain ? std::string(1, c)
                            : fmt::format("_{:02X}", static_cast<unsigned char>(c));
            }
        };
        const RuleFacts& known = facts(rule);
        add(known.agent ? "agent" : "game");
        if (known.agent) add(chapter_.report.summary.facts.agents[*known.agent]);
        add(known.group);
        add(known.name);
        return id;
    }

    // The group of a rule inside another one begins with that one's name: "declare/action".
    [[nodiscard]] std::optional<std::uint32_t> around(std::uint32_t rule) const {
        const auto& rules = chapter_.report.costs->costs.facts.rules;
        std::string_view name = facts(rule).group;
        for (std::size_t end = name.rfind('/'); end != std::string_view::npos;
             end = name.rfind('/')) {
            name = name.substr(0, end);
            const auto found = std::ranges::find_if(rules, [&](const RuleFacts& each) {
                return each.agent == facts(rule).agent && each.name == name;
            });
            if (found != rules.end()) return static_cast<std::uint32_t>(found - rules.begin());
        }
        return std::nullopt;
    }

    void add_text(std::uint32_t rule) {
        const ProfileFacts& all = chapter_.report.costs->costs.facts;
        const RunFacts& run = chapter_.report.summary.facts;
        Markup& page = outline_.page();
        page.open("div", {{"class", "rule"}, {"id", outline_.link(id(rule)).substr(1)}});
        page.element("p", {{"class", "caption"}}, rule_title(all, rule, run));
        page.open("p", {{"class", "note"}}).element("code", {}, facts(rule).place);
        page.text(fmt::format("in {}", facts(rule).group));
        const auto outer = around(rule);
        if (outer && named_.contains(*outer)) {
            page.text(", inside ");
            page.element("a", {{"href", outline_.link(id(*outer))}}, rule_title(all, *outer, run));
        }
        page.close();
        const std::string& text = chapter_.rule_texts[rule];
        const std::string_view shown = shortened(text);
        page.element("pre", {}, shown);
        if (shown.size() < text.size())
            page.element(
                "p", {{"class", "note"}},
                fmt::format(
                    "The rest is left out: the rule has {} and {}.",
                    counted(static_cast<std::uint64_t>(std::ranges::count(text, '\n') + 1), "line"),
                    counted(text.size(), "byte")));
        page.close();
    }

    const RunChapter& chapter_;
    Outline& outline_;
    std::map<std::string, std::uint32_t, std::less<>> titles_; // of rules with texts
    std::set<std::uint32_t> named_;
    bool full_ = false; // a rule has no link, since the page has enough texts
};

constexpr std::size_t kBins = 24;
constexpr std::size_t kBars = 16;

// Of a number that has none, nothing.
std::string range_of(const Estimate& estimate, int decimals, double scale, bool sign = false) {
    return estimate.low || estimate.high ? interval(estimate, decimals, scale, sign)
                                         : std::string();
}

IntervalRow rate_row(const std::string& label, const Estimate& rate) {
    return {label, rate, percent(rate.value), range_of(rate, 1, 100), "", 0};
}

IntervalChart rates(ChartName name) {
    IntervalChart chart;
    chart.name = std::move(name);
    chart.in_percent = true;
    return chart;
}

std::string standings_chart(const Summary& summary) {
    IntervalChart chart = rates({"win-rates", "Win rates with 95 % intervals"});
    const std::size_t sides =
        summary.facts.teams.empty() ? summary.facts.players.size() : summary.facts.teams.size();
    if (sides > 0) chart.reference = 1 / static_cast<double>(sides);
    for (const std::uint32_t each : by_win_rate(summary))
        chart.rows.push_back(
            rate_row(summary.contestants[each].name, summary.contestants[each].win_rate));
    return interval_chart(chart);
}

std::string ratings_chart(const Summary& summary) {
    IntervalChart chart;
    chart.name = {"ratings", "Ratings with 95 % intervals"};
    chart.reference = 0;
    for (const ContestantRow& row : summary.contestants) {
        const Rating& rating = row.rating;
        const Estimate elo{rating.elo, rating.error, rating.low, rating.high};
        if (rating.with_prior)
            chart.rows.push_back({row.name, elo,
                                  fmt::format("({})", signed_fixed(rating.with_prior, 1)),
                                  "with a prior", "", 0});
        else
            chart.rows.push_back(
                {row.name, elo, signed_fixed(elo.value, 1), range_of(elo, 1, 1, true), "", 0});
    }
    std::ranges::stable_sort(chart.rows, [](const auto& one, const auto& other) {
        return one.estimate.value.value_or(-1e9) > other.estimate.value.value_or(-1e9);
    });
    return interval_chart(chart);
}

std::string places_chart(ChartName name, const std::vector<PlaceRow>& places) {
    IntervalChart chart = rates(std::move(name));
    for (const PlaceRow& row : places)
        if (!row.agent) // the table has them
            chart.rows.push_back(rate_row(row.name, row.win_rate));
    return interval_chart(chart);
}

std::string costs_chart(const CostReport& report, const RunFacts& facts, RuleLinks& links) {
    const auto& [rules, table] = report.costs;
    std::vector<BarRow> bars;
    if (!table.has_times()) return {};
    for (const std::uint32_t rule : dearest_first(report.costs, true)) {
        const std::uint64_t ns = table.rule(rule).self_ns();
        const auto per_game = table.per_game(ns);
        if (ns == 0 || !per_game || bars.size() == kBars) break;
        bars.push_back({rule_title(rules, rule, facts), *per_game, short_time(*per_game),
                        fmt::format("{} {}", percent(table.share(ns).value),
                                    interval(table.share(ns), 1, kPercent)),
                        false, links.link(rule)});
    }
    return bars.empty() ? std::string()
                        : bar_chart({"rule-costs", "Own time of rules, a game"}, bars);
}

std::string stop_charts(const RunChapter& chapter) {
    std::string charts;
    for (const StopCourse& course : chapter.courses) {
        const bool test = course.status().rule == "sprt";
        charts +=
            course_chart({test ? "llr" : "width", test ? "Log-likelihood ratio by blocks played"
                                                       : "Widest interval by blocks played"},
                         course);
    }
    return charts;
}

std::string chart_of(const Section& section, const RunChapter& chapter, RuleLinks& links) {
    const Summary& summary = chapter.report.summary;
    if (section.id == "standings") return standings_chart(summary);
    if (section.id == "seats") return places_chart({"seats", "Win rates by seat"}, summary.seats);
    if (section.id == "roles") return places_chart({"roles", "Win rates by role"}, summary.roles);
    if (section.id == "lengths")
        return histogram_chart({"lengths", "Lengths of games, in moves"}, summary.plies.bins(kBins),
                               "games");
    if (section.id == "stop") return stop_charts(chapter);
    if (section.id == "costs" && chapter.report.costs)
        return costs_chart(*chapter.report.costs, summary.facts, links);
    return {};
}

Weight weight_of(std::string_view id) {
    for (const std::string_view answer : {"standings", "duel", "meetings", "stop"})
        if (id == answer) return Weight::Answer;
    for (const std::string_view figure : {"seats", "roles", "lengths"})
        if (id == figure) return Weight::Figure;
    return Weight::Detail;
}

void add_flames(Outline& outline, const RunChapter& chapter) {
    const auto& costs = chapter.report.costs;
    if (!costs || !costs->missing.empty() || !costs->costs.table.has_times()) return;
    const auto stacks = cost_stacks(costs->costs, chapter.report.summary.facts);
    const auto one = costs->costs.table.per_game(1);
    const std::string graph = flame_graph(stacks, one ? 1 / *one : 0);
    if (graph.empty()) return;
    outline.begin("flames", "Where the time goes", Weight::Detail);
    outline.page().element("p", {{"class", "note"}},
                           "Whose rule, for what, which rule; below it the lines of its "
                           "condition, where the run has watched them (--profile full).");
    outline.page().raw(graph);
    outline.end();
}

void add_scores(Outline& outline, const RunChapter& chapter) {
    const bool any = std::ranges::any_of(chapter.scores,
                                         [](const auto& each) { return each.second.count() > 0; });
    if (!any) return;
    outline.begin("scores", "Scores", Weight::Figure);
    outline.page().element("p", {{"class", "note"}}, "The game's own points, by agent.");
    outline.page().open("div", {{"class", "multiples"}});
    Spread all;
    for (const auto& [agent, spread] : chapter.scores)
        all.add(spread);
    for (const auto& [agent, spread] : chapter.scores) {
        outline.page().open("div");
        outline.page().element("p", {{"class", "caption"}}, agent);
        outline.page().raw(
            spread_chart({"scores", "Scores of " + agent}, spread.bins_of(all, kBins), "scores"));
        outline.page().close();
    }
    outline.page().close();
    outline.end();
}

// Rules are called by what they do.
Section named(Section section, const RunChapter& chapter) {
    const auto& stop = chapter.report.status.stop;
    if (section.id == "duel") section.title = "head to head: " + section.title;
    if (section.id != "stop" || !stop) return section;
    const bool test = stop->rule == "sprt";
    section.title = test ? "sequential test" : "stop rule";
    for (std::string& note : section.notes)
        if (test && note.starts_with("sprt: ")) note.erase(0, std::string_view("sprt: ").size());
    return section;
}

} // namespace

std::string title_of(const RunChapter& chapter) {
    return chapter.report.summary.facts.game;
}

std::vector<std::string> summary_of(const RunChapter& chapter) {
    std::vector<std::string> notes = sections_of(chapter.report, 0).front().notes;
    const std::string title = title_of(chapter) + ": "; // stands above it
    if (!notes.empty() && notes[0].starts_with(title)) notes[0].erase(0, title.size());
    return notes;
}

void add_chapter(Outline& outline, const RunChapter& chapter) {
    const Summary& summary = chapter.report.summary;
    if (summary.games == 0)
        outline.page().element("p", {{"class", "empty"}},
                               "This run is empty: no game has been played yet.");
    RuleLinks links(chapter, outline);
    for (const Section& each : sections_of(chapter.report, 0)) {
        if (each.id == "summary") continue; // below the title
        const Section section = named(each, chapter);
        if (section.id == "costs" || section.id == "coverage")
            outline.set_words([&](std::string_view text) { return links.linked(text); });
        outline.add(section, weight_of(section.id), chart_of(section, chapter, links));
        outline.set_words(html_text);
        if (section.id == "standings" && summary.contestants.size() > 2) {
            outline.begin("ratings", "Ratings", Weight::Answer);
            outline.page().raw(ratings_chart(summary));
            outline.end();
        }
        if (section.id == "lengths") add_scores(outline, chapter);
        if (section.id == "costs") add_flames(outline, chapter);
    }
    links.add_section();
    if (chapter.regret)
        add_regret(outline, *chapter.regret, chapter.replays, chapter.origin.folder);
    if (!chapter.replays.empty()) add_viewer(outline, chapter.replays);
}

} // namespace croupier::results
