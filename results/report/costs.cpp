// Costs as sections, JSON and numbers.
#include "results/report/costs.h"

#include "results/costs/coverage.h"
#include "results/report/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace croupier::results {
namespace {

constexpr std::size_t kRulesShown = 10;
constexpr std::size_t kNamesShown = 12;

std::optional<double> share_of(const Cost& cost, std::uint64_t all_ns) {
    if (all_ns == 0) return std::nullopt;
    return static_cast<double>(cost.self_ns()) / static_cast<double>(all_ns);
}

std::string player_of(std::uint32_t seat, const RunFacts& facts) {
    return seat == kNothing ? std::string() : facts.players[seat];
}

Section rules_of(const CostReport& report, const RunFacts& facts) {
    const auto& [rules, table] = report.costs;
    Section section;
    section.id = "costs";
    section.title = "rule costs";
    section.table.columns = {
        {"rule"}, {"tried", Align::Right}, {"matches", Align::Right}, {"firings", Align::Right}};
    section.spare = {3, 1};
    if (report.has_times) {
        for (const char* title : {"self ns", "total ns", "share"})
            section.table.columns.push_back({title, Align::Right});
        section.spare = {5, 3, 1};
    }
    const std::uint64_t all = table.self_ns();
    std::size_t tried = 0;
    for (const std::uint32_t rule : dearest_first(report.costs, report.has_times)) {
        const Cost cost = table.rule(rule);
        if (cost.tried == 0 || ++tried > kRulesShown) continue;
        std::vector<std::string> cells{rule_title(rules, rule, facts), std::to_string(cost.tried),
                                       std::to_string(cost.matches), std::to_string(cost.firings)};
        if (report.has_times) {
            cells.push_back(fixed(table.per_game(cost.self_ns()), 0));
            cells.push_back(fixed(table.per_game(cost.total_ns), 0));
            cells.push_back(percent(share_of(cost, all)));
        }
        section.table.rows.push_back(std::move(cells));
    }
    section.notes = cost_notes(report);
    if (tried > kRulesShown)
        section.notes.push_back(counted(tried - kRulesShown, "further rule") +
                                " in rules.csv, which tells them by phase and player");
    return section;
}

// Sums of the rules' own costs by phase and player.
std::map<std::pair<Phase, std::uint32_t>, Cost> by_phase(const CostTable& table) {
    std::map<std::pair<Phase, std::uint32_t>, Cost> sums;
    for (const auto& [key, cost] : table.rows()) {
        if (key.entry == kNothing) sums[{key.phase, key.seat}] += cost;
    }
    return sums;
}

Section phases_of(const CostReport& report, const RunFacts& facts) {
    const CostTable& table = report.costs.table;
    Section section;
    section.id = "phases";
    section.title = "rule costs by phase and player";
    section.table.columns = {{"phase"},
                             {"player"},
                             {"tried", Align::Right},
                             {"matches", Align::Right},
                             {"firings", Align::Right}};
    section.spare = {4, 3, 2};
    if (report.has_times) {
        section.table.columns.push_back({"self ns", Align::Right});
        section.table.columns.push_back({"share", Align::Right});
    }
    for (const auto& [key, cost] : by_phase(table)) {
        std::vector<std::string> cells{std::string(name_of(key.first)),
                                       key.second == kNothing ? "-" : player_of(key.second, facts),
                                       std::to_string(cost.tried), std::to_string(cost.matches),
                                       std::to_string(cost.firings)};
        if (report.has_times) {
            cells.push_back(fixed(table.per_game(cost.self_ns()), 0));
            cells.push_back(percent(share_of(cost, table.self_ns())));
        }
        section.table.rows.push_back(std::move(cells));
    }
    return section;
}

// ---- coverage -----------------------------------------------------------------------------------

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kNamesShown); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kNamesShown) text += fmt::format(" and {} more", names.size() - kNamesShown);
    return text;
}

struct CoverageNames {
    CoverageNames(const CostReport& report, const RunFacts& facts) {
        const ProfileFacts& known = report.costs.facts;
        const Coverage coverage = coverage_of(report.costs);
        const auto rules = [&](const std::vector<std::uint32_t>& from) {
            std::vector<std::string> names;
            names.reserve(from.size());
            for (const std::uint32_t rule : from)
                names.push_back(rule_title(known, rule, facts));
            return names;
        };
        const auto options = [&](const std::vector<std::uint32_t>& from) {
            std::vector<std::string> names;
            names.reserve(from.size());
            for (const std::uint32_t option : from)
                names.push_back(known.options[option].name);
            return names;
        };
        const auto entries = [&](const std::vector<EntryRef>& from) {
            std::vector<std::string> names;
            names.reserve(from.size());
            for (const auto& [rule, entry] : from)
                names.push_back(rule_title(known, rule, facts) + ": " +
                                known.rules[rule].entries[entry].text);
            return names;
        };
        never_tried = rules(coverage.never_tried);
        never_matched = rules(coverage.never_matched);
        never_reached = entries(coverage.never_reached);
        never_passed = entries(coverage.never_passed);
        unused = options(coverage.unused);
        unread = options(coverage.unread);
        all_rules = known.rules.size();
        all_options = known.options.size();
    }

    std::vector<std::string> never_tried, never_matched, never_reached, never_passed;
    std::vector<std::string> unused, unread;
    std::size_t all_rules = 0;
    std::size_t all_options = 0;
};

Section coverage_section(const CostReport& report, const RunFacts& facts) {
    const CoverageNames names(report, facts);
    Section section;
    section.id = "coverage";
    section.title = "coverage";
    section.table.columns = {{"never exercised"}, {"", Align::Right}, {"of", Align::Right}};
    const auto row = [&](const char* what, std::size_t count, std::size_t of) {
        section.table.rows.push_back({what, std::to_string(count), std::to_string(of)});
    };
    row("rules never tried", names.never_tried.size(), names.all_rules);
    row("rules tried, never matched", names.never_matched.size(), names.all_rules);
    row("options that no rule came to look at", names.unused.size(), names.all_options);
    const auto note = [&](const char* what, const std::vector<std::string>& list) {
        if (!list.empty()) section.notes.push_back(fmt::format("{}: {}", what, listed(list)));
    };
    note("never tried", names.never_tried);
    note("never matched", names.never_matched);
    note("options never looked at", names.unused);
    note("options that no rule reads", names.unread);
    for (const auto& [what, list] : {std::pair{"never reached", &names.never_reached},
                                     {"never passed", &names.never_passed}}) {
        for (const std::string& entry : *list)
            section.notes.push_back(fmt::format("{} in {}", what, entry));
    }
    if (report.costs.facts.mode == ProfileMode::Sample)
        section.notes.emplace_back("Of a sample: what it did not see may have happened.");
    return section;
}

} // namespace

std::string rule_title(const ProfileFacts& known, std::uint32_t index, const RunFacts& facts) {
    const RuleFacts& rule = known.rules[index];
    const auto twins =
        std::count_if(known.rules.begin(), known.rules.end(), [&](const RuleFacts& other) {
            return other.agent == rule.agent && other.name == rule.name;
        });
    const std::string name = twins > 1 ? rule.group + "." + rule.name : rule.name;
    return rule.agent ? facts.agents[*rule.agent] + ": " + name : name;
}

std::vector<std::uint32_t> dearest_first(const Costs& costs, bool by_time) {
    std::vector<std::uint32_t> rules(costs.facts.rules.size());
    std::vector<Cost> sums;
    for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
        rules[rule] = rule;
        sums.push_back(costs.table.rule(rule));
    }
    const auto dear = [&](std::uint32_t rule) {
        return std::pair(by_time ? sums[rule].self_ns() : 0, sums[rule].tried);
    };
    std::stable_sort(rules.begin(), rules.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return dear(a) > dear(b); });
    return rules;
}

std::vector<std::string> cost_notes(const CostReport& report) {
    const auto& [facts, table] = report.costs;
    if (!report.missing.empty()) return {report.missing};
    if (facts.mode == ProfileMode::Off) return {"Nothing was watched (--profile off)."};
    if (facts.rules.empty())
        return {"Neither the game nor an agent runs rules: they are written in C++, or elsewhere."};
    if (table.watched() == 0)
        return {fmt::format("No step was watched: a sample of {} has none of them; --profile full "
                            "watches all.",
                            counted(table.steps(), "step"))};
    const std::string times =
        report.has_times ? " Times are ns per game, rules taken one by one." : "";
    if (facts.mode == ProfileMode::Full)
        return {fmt::format("All {} were watched, so counts are exact.{}",
                            counted(table.steps(), "step"), times)};
    return {fmt::format("A sample: {} of {} (deals and moves) were watched.{} --profile full "
                        "watches all.",
                        table.watched(), counted(table.steps(), "step"), times)};
}

std::vector<Section> cost_sections(const CostReport& report, const RunFacts& facts) {
    const bool known =
        report.missing.empty() && report.costs.facts.watches() && report.costs.table.watched() > 0;
    if (!known) {
        Section section;
        section.id = "costs";
        section.title = "rule costs";
        section.notes = cost_notes(report);
        return {section};
    }
    std::vector<Section> sections{rules_of(report, facts), phases_of(report, facts)};
    if (report.coverage) sections.push_back(coverage_section(report, facts));
    return sections;
}

nlohmann::ordered_json cost_json(const CostReport& report, const RunFacts& facts) {
    using Json = nlohmann::ordered_json;
    const auto& [known, table] = report.costs;
    if (!report.missing.empty()) return {{"missing", report.missing}};
    Json rows = Json::array();
    for (const auto& [key, cost] : table.sums({.phase = true, .seat = true})) {
        const RuleFacts& rule = known.rules[key.rule];
        Json row{{"rule", key.rule},
                 {"owner", owner_of(rule, facts.game, facts.agents)},
                 {"group", rule.group},
                 {"name", rule.name},
                 {"phase", name_of(key.phase)},
                 {"player", key.seat == kNothing ? Json(nullptr) : Json(facts.players[key.seat])},
                 {"tried", cost.tried},
                 {"passed", cost.passed},
                 {"matches", cost.matches},
                 {"firings", cost.firings}};
        if (report.has_times) {
            row["self_ns"] = cost.self_ns();
            row["total_ns"] = cost.total_ns;
            row["ns_per_game"] = table.per_game(cost.self_ns()).value_or(0);
            row["share"] = share_of(cost, table.self_ns()).value_or(0);
        }
        rows.push_back(std::move(row));
    }
    Json object{{"profile", name_of(known.mode)}, {"rules", known.rules.size()},
                {"games", table.games()},         {"steps", table.steps()},
                {"watched", table.watched()},     {"rows", std::move(rows)}};
    if (report.coverage) {
        const CoverageNames names(report, facts);
        object["coverage"] = {
            {"never_tried", names.never_tried},        {"never_matched", names.never_matched},
            {"never_reached", names.never_reached},    {"never_passed", names.never_passed},
            {"options_never_looked_at", names.unused}, {"options_no_rule_reads", names.unread}};
    }
    return object;
}

void cost_numbers(const CostReport& report, const RunFacts& facts, const NumberRow& row) {
    const auto& [known, table] = report.costs;
    const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
    row("profile", std::string(name_of(known.mode)), "", "steps", number(table.steps()));
    row("profile", std::string(name_of(known.mode)), "", "watched", number(table.watched()));
    for (std::uint32_t rule = 0; rule < known.rules.size(); ++rule) {
        const Cost cost = table.rule(rule);
        const std::string name = known.rules[rule].group + "." + known.rules[rule].name;
        const std::string owner = owner_of(known.rules[rule], facts.game, facts.agents);
        row("rule", name, owner, "tried", number(cost.tried));
        row("rule", name, owner, "matches", number(cost.matches));
        row("rule", name, owner, "firings", number(cost.firings));
        if (!report.has_times) continue;
        row("rule", name, owner, "self_ns_per_game", table.per_game(cost.self_ns()));
        row("rule", name, owner, "total_ns_per_game", table.per_game(cost.total_ns));
        row("rule", name, owner, "share", share_of(cost, table.self_ns()));
    }
}

} // namespace croupier::results
