// Profiles for people, and as JSON.
#include "results/report/profile_view.h"

#include "results/costs/hints.h"
#include "results/report/costs.h"
#include "results/report/layout.h"
#include "results/report/numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace croupier::results {
namespace {

constexpr std::size_t kProfiledRulesShown = 20;
constexpr std::size_t kConditionsShown = 3;
constexpr std::size_t kHintsShown = 12;

std::string share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "-" : percent(static_cast<double>(part) / static_cast<double>(whole));
}

class View {
  public:
    View(const CostReport& report, const RunFacts& facts, const ProfileView& view)
        : costs_(report.costs), facts_(facts), view_(view),
          rules_(dearest_first(costs_, view.times)), sums_(costs_.table.sums({.entry = true})) {
        notes_ = cost_notes(report);
    }

    std::string text() {
        add_lines(notes_, 0);
        if (view_.rule) {
            add_rules({*view_.rule});
            add_condition(*view_.rule);
        } else {
            add_rules(rules_);
            std::size_t shown = 0;
            for (const std::uint32_t rule : rules_) {
                if (has_entries(rule) && (view_.all_entries || shown++ < kConditionsShown))
                    add_condition(rule);
            }
        }
        add_hints();
        if (!view_.rule) add_idle();
        return printable(text_);
    }

  private:
    void add_lines(const std::vector<std::string>& paragraphs, std::size_t indent) {
        for (const std::string& paragraph : paragraphs) {
            for (const std::string& line : wrap(paragraph, view_.width - indent))
                text_ += std::string(indent, ' ') + line + "\n";
        }
    }

    [[nodiscard]] std::string title(std::uint32_t rule) const {
        return rule_title(costs_.facts, rule, facts_);
    }

    [[nodiscard]] Cost entry(std::uint32_t rule, std::uint32_t entry) const {
        const auto found = sums_.find({rule, Phase::Setup, kNothing, entry});
        return found == sums_.end() ? Cost{} : found->second;
    }

    [[nodiscard]] bool has_entries(std::uint32_t rule) const {
        return costs_.table.rule(rule).tried > 0 && !costs_.facts.rules[rule].entries.empty();
    }

    void add_rules(const std::vector<std::uint32_t>& rules) {
        Section section;
        section.table.columns = {{"rule"},
                                 {"tried", Align::Right},
                                 {"passed", Align::Right},
                                 {"matches", Align::Right},
                                 {"firings", Align::Right}};
        section.spare = {2};
        if (view_.times) {
            for (const char* name : {"self ns", "total ns", "share"})
                section.table.columns.push_back({name, Align::Right});
            section.spare = {6, 2, 4};
        }
        for (const std::uint32_t rule : rules) {
            const Cost cost = costs_.table.rule(rule);
            const bool room = section.table.rows.size() < kProfiledRulesShown || view_.all_entries;
            if (cost.tried == 0 || !room) continue;
            std::vector<std::string> cells{title(rule)};
            for (const std::uint64_t count : {cost.tried, cost.passed, cost.matches, cost.firings})
                cells.push_back(std::to_string(count));
            if (view_.times) {
                cells.push_back(fixed(costs_.table.per_game(cost.self_ns()), 0));
                cells.push_back(fixed(costs_.table.per_game(cost.total_ns), 0));
                cells.push_back(share(cost.self_ns(), costs_.table.self_ns()));
            }
            section.table.rows.push_back(std::move(cells));
        }
        if (section.table.rows.empty()) return;
        const LaidOut table = lay_out_within(section, view_.width);
        text_ += "\n";
        for (const auto* lines : {&table.title, &table.body}) {
            for (const std::string& line : *lines)
                text_ += line + "\n";
        }
    }

    void add_condition(std::uint32_t rule) {
        const RuleFacts& known = costs_.facts.rules[rule];
        const Cost whole = costs_.table.rule(rule);
        text_ += fmt::format("\n{} ({})", title(rule), known.place);
        if (view_.times)
            text_ += fmt::format(": match {} ns, act {} ns", whole.match_ns, whole.act_ns);
        text_ += "\n";
        if (known.entries.empty()) return add_lines({"it has no condition: it always matches"}, 2);
        std::uint64_t all = 0;
        for (std::uint32_t i = 0; i < known.entries.size(); ++i)
            all += entry(rule, i).match_ns;
        text_ += view_.times ? "     tried    passed   share  condition\n"
                             : "     tried    passed  condition\n";
        for (std::uint32_t i = 0; i < known.entries.size(); ++i) {
            const Cost cost = entry(rule, i);
            text_ += fmt::format("{:>10}{:>10}", cost.tried, cost.passed);
            if (view_.times) text_ += fmt::format("{:>8}", share(cost.match_ns, all));
            text_ += fmt::format("  {}{}\n", std::string(2 * known.entries[i].depth, ' '),
                                 known.entries[i].text);
        }
    }

    void add_hints() {
        std::vector<Hint> hints = hints_of(costs_);
        if (view_.rule)
            std::erase_if(hints, [&](const Hint& hint) { return hint.rule != *view_.rule; });
        // A rule that never matches may be for another setting of an option: what says more first.
        std::stable_partition(hints.begin(), hints.end(), [](const Hint& hint) {
            return hint.kind != Hint::Kind::NeverMatches;
        });
        if (!hints.empty()) text_ += "\nhints\n";
        for (std::size_t i = 0; i < hints.size(); ++i) {
            if (i == kHintsShown && !view_.all_entries)
                return add_lines(
                    {fmt::format("and {} more, with --entries", hints.size() - kHintsShown)}, 2);
            add_lines({title(hints[i].rule) + ": " + hints[i].text}, 2);
        }
    }

    void add_idle() {
        std::string names;
        for (std::uint32_t rule = 0; rule < costs_.facts.rules.size(); ++rule) {
            if (costs_.table.rule(rule).tried == 0)
                names += (names.empty() ? "" : ", ") + title(rule);
        }
        if (names.empty()) return;
        text_ += "\nnever tried\n";
        add_lines({names}, 2);
    }

    const Costs& costs_;
    const RunFacts& facts_;
    const ProfileView& view_;
    std::vector<std::uint32_t> rules_;
    std::map<CostKey, Cost> sums_;
    std::vector<std::string> notes_;
    std::string text_;
};

} // namespace

std::string profile_text(const CostReport& report, const RunFacts& facts, const ProfileView& view) {
    return View(report, facts, view).text();
}

std::string profile_json(const CostReport& report, const RunFacts& facts) {
    using Json = nlohmann::ordered_json;
    Json json = cost_json(report, facts);
    const auto& [known, table] = report.costs;
    const auto sums = table.sums({.entry = true});
    Json conditions = Json::array();
    for (const auto& [key, cost] : sums) {
        if (key.entry == kNothing) continue;
        const EntryFacts& entry = known.rules[key.rule].entries[key.entry];
        conditions.push_back({{"rule", key.rule},
                              {"entry", key.entry},
                              {"depth", entry.depth},
                              {"text", entry.text},
                              {"tried", cost.tried},
                              {"passed", cost.passed}});
        if (report.has_times) conditions.back()["self_ns"] = cost.match_ns;
    }
    Json hints = Json::array();
    for (const Hint& hint : hints_of(report.costs)) {
        hints.push_back({{"rule", hint.rule},
                         {"name", rule_title(known, hint.rule, facts)},
                         {"text", hint.text}});
        if (hint.entry != kNothing) hints.back()["entry"] = hint.entry;
    }
    json["entries"] = std::move(conditions);
    json["hints"] = std::move(hints);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace croupier::results
