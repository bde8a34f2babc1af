// Costs as sections, JSON and numbers.
#include "results/report/costs.h"

#include "results/costs/cost.h"
#include "results/report/numbers.h"
#include "results/report/sections.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace croupier::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kRulesShown = 10;
constexpr std::size_t kRulesInSummary = 5;
constexpr std::size_t kNamesShown = 12;

constexpr double kMarkedFrom = 0.1;      // share of a rule's time that is shared
constexpr double kPartsShownFrom = 0.01; // share of all time

bool tells_times(const CostReport& report) {
    return report.has_times && report.costs.table.has_times();
}

std::string player_of(std::uint32_t seat, const RunFacts& facts) {
    return seat == kNothing ? std::string() : facts.players[seat];
}

constexpr std::uint64_t kSomeTicks = 10; // enough to estimate how many games are needed

std::string too_few_ticks(const Costs& costs) {
    const CostTable& table = costs.table;
    std::string games;
    if (costs.facts.mode == ProfileMode::Sample && table.ticks() >= kSomeTicks) {
        const double needed = static_cast<double>(table.games()) * static_cast<double>(kMinTicks) /
                              static_cast<double>(table.ticks());
        const double unit = std::pow(10, std::floor(std::log10(needed)));
        games = fmt::format("about {:.0f} games give enough, or ", std::ceil(needed / unit) * unit);
    }
    return fmt::format("Too few ticks of CPU time for times: {}, {} needed for 5 %; {}use croupier "
                       "profile GAME --seconds 10.",
                       counted(table.ticks(), "tick"), kMinTicks, games);
}

std::vector<std::string> time_notes(const CostReport& report) {
    const CostTable& table = report.costs.table;
    if (!report.has_times) return {};
    if (!table.has_times()) return {too_few_ticks(report.costs)};
    std::vector<std::string> notes{
        fmt::format("Shares of the CPU time of the {}s, {} us each, by what {} of it have found "
                    "at work. Rules with \"=\" cannot be told apart from the first of their rank.",
                    report.each, fixed(table.cpu_per_game().value_or(0) / 1000, 1),
                    counted(table.ticks(), "tick"))};
    const auto& rows = table.rows();
    if (std::ranges::any_of(rows, [](const auto& row) {
            return row.first.entry == kNothing && is_shared(row.second);
        }))
        notes.emplace_back("* Part of it is work that several rules share, divided among them.");
    return notes;
}

// Makes the column add up to the games' time.
void add_rest(const CostTable& table, std::uint64_t not_shown_ns, std::size_t not_shown,
              Detail detail, Section& section) {
    const auto row = [&](const std::string& what, std::uint64_t ns, bool all = false) {
        std::vector<std::string> cells{what};
        if (detail == Detail::Full) cells.resize(4);
        add_time(table, ns, false, cells);
        if (all) cells.back().clear();
        cells.emplace_back();
        section.table.rows.push_back(std::move(cells));
    };
    if (not_shown > 0) row(fmt::format("({})", counted(not_shown, "further rule")), not_shown_ns);
    std::uint64_t outside = 0;
    for (const auto& [what, ns] : outside_parts(table)) {
        outside += ns;
        if (detail == Detail::Full) row(what, ns);
    }
    if (detail != Detail::Full) row("(engine and agents beside rules)", outside);
    row("(all)", table.self_ns() + outside, true);
}

Section rules_of(const CostReport& report, const RunFacts& facts, Detail detail) {
    const auto& [rules, table] = report.costs;
    const bool timed = tells_times(report);
    const bool has_counts = !timed || detail == Detail::Full;
    const std::size_t most = detail == Detail::Full ? kRulesShown : kRulesInSummary;
    Section section = begin_section("costs", "rule costs", "rule");
    if (has_counts) {
        add_columns(section, ">tried|>matches|>firings");
        section.spare = {3, 1};
    }
    if (timed) {
        add_columns(section, ">ns a game|>share|>95 %|>rank");
        if (has_counts) section.spare = {3, 1, 2, 4};
    }
    std::size_t known = 0;
    std::uint64_t not_shown_ns = 0;
    for (const RankedRule& ranked : ranked_rules(report.costs, timed)) {
        const Cost cost = table.rule(ranked.rule);
        if (cost.tried == 0 && cost.self_ns() == 0) continue;
        if (++known > most) {
            not_shown_ns += cost.self_ns();
            continue;
        }
        std::vector<std::string> cells{rule_title(rules, ranked.rule, facts)};
        if (has_counts)
            for (const std::uint64_t count : {cost.tried, cost.matches, cost.firings})
                cells.push_back(std::to_string(count));
        if (timed) {
            add_time(table, cost.self_ns(), is_shared(cost), cells);
            cells.push_back(fmt::format("{}{}", ranked.rank, ranked.tied ? "=" : ""));
        }
        section.table.rows.push_back(std::move(cells));
    }
    const std::size_t not_shown = known > most ? known - most : 0;
    if (timed) add_rest(table, not_shown_ns, not_shown, detail, section);
    section.notes = timed && !has_counts ? time_notes(report) : cost_notes(report);
    if (not_shown > 0 && detail == Detail::Full)
        section.notes.push_back(counted(not_shown, "further rule") +
                                " in rules.csv, which tells what they did by phase and player");
    return section;
}

// Sums by phase and player.
std::map<std::pair<Phase, std::uint32_t>, Cost> by_phase(const CostTable& table) {
    std::map<std::pair<Phase, std::uint32_t>, Cost> sums;
    for (const auto& [key, cost] : table.rows())
        if (key.entry == kNothing && key.phase != Phase::Any) sums[{key.phase, key.seat}] += cost;
    return sums;
}

Section phases_of(const CostReport& report, const RunFacts& facts) {
    const CostTable& table = report.costs.table;
    Section section = begin_section("phases", "what rules did, by phase and player",
                                    "phase|player|>tried|>matches|>firings", {4, 3, 2});
    for (const auto& [key, cost] : by_phase(table)) {
        section.table.rows.push_back({std::string(name_of(key.first)),
                                      key.second == kNothing ? "-" : player_of(key.second, facts),
                                      std::to_string(cost.tried), std::to_string(cost.matches),
                                      std::to_string(cost.firings)});
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
    std::vector<std::string> never_tried, never_matched, never_reached, never_passed;
    std::vector<std::string> unused, unread;
};

CoverageNames coverage_names(const CostReport& report, const RunFacts& facts) {
    const ProfileFacts& known = report.costs.facts;
    const Coverage coverage = coverage_of(report.costs);
    const auto names = [](const auto& from, const auto& name_of_one) {
        std::vector<std::string> all;
        all.reserve(from.size());
        for (const auto& each : from)
            all.push_back(name_of_one(each));
        return all;
    };
    const auto rule = [&](std::uint32_t each) { return rule_title(known, each, facts); };
    const auto option = [&](std::uint32_t each) { return known.options[each].name; };
    const auto entry = [&](const EntryRef& each) {
        return rule(each.rule) + ": " + known.rules[each.rule].entries[each.entry].text;
    };
    return {names(coverage.never_tried, rule),    names(coverage.never_matched, rule),
            names(coverage.never_reached, entry), names(coverage.never_passed, entry),
            names(coverage.unused, option),       names(coverage.unread, option)};
}

Section coverage_section(const CostReport& report, const RunFacts& facts) {
    const ProfileFacts& known = report.costs.facts;
    const CoverageNames names = coverage_names(report, facts);
    Section section = begin_section("coverage", "coverage", "never exercised|>|>of");
    const auto row = [&](const char* what, std::size_t count, std::size_t of) {
        section.table.rows.push_back({what, std::to_string(count), std::to_string(of)});
    };
    row("rules never tried", names.never_tried.size(), known.rules.size());
    row("rules tried, never matched", names.never_matched.size(), known.rules.size());
    row("options that no rule came to look at", names.unused.size(), known.options.size());
    const auto note = [&](const char* what, const std::vector<std::string>& list) {
        if (!list.empty()) section.notes.push_back(fmt::format("{}: {}", what, listed(list)));
    };
    note("never tried", names.never_tried);
    note("never matched", names.never_matched);
    note("options never looked at", names.unused);
    note("options that no rule reads", names.unread);
    for (const auto& [what, list] :
         {std::pair{"never reached", &names.never_reached}, {"never passed", &names.never_passed}})
        for (const std::string& entry : *list)
            section.notes.push_back(fmt::format("{} in {}", what, entry));
    if (known.mode == ProfileMode::Sample)
        section.notes.emplace_back("Of a sample: what it did not see may have happened.");
    return section;
}

// The times of rules and of other code, with intervals of their shares; absent if there are too few
// ticks.
Json times_json(const CostReport& report, const RunFacts& facts) {
    const auto& [known, table] = report.costs;
    Json times{{"ticks", table.ticks()}, {"needed", kMinTicks}, {"cpu_ns", table.cpu_ns()}};
    const auto put = [&, &costs = table](Json row, std::uint64_t ns) {
        const Estimate share = costs.share(ns);
        row["share"] = share.value.value_or(0);
        row["low"] = share.low.value_or(0);
        row["high"] = share.high.value_or(1);
        row["ns_per_game"] = costs.per_game(ns).value_or(0);
        return row;
    };
    Json rules = Json::array();
    Json outside = Json::array();
    if (!table.has_times()) return times;
    for (const RankedRule& ranked : ranked_rules(report.costs, true)) {
        const Cost cost = table.rule(ranked.rule);
        if (cost.total_ns == 0) continue;
        const RuleFacts& rule = known.rules[ranked.rule];
        rules.push_back(put({{"rule", ranked.rule},
                             {"owner", owner_of(rule, facts.game, facts.agents)},
                             {"group", rule.group},
                             {"name", rule.name},
                             {"rank", ranked.rank},
                             {"tied", ranked.tied},
                             {"match_ns", cost.match_ns},
                             {"act_ns", cost.act_ns},
                             {"total_ns", cost.total_ns},
                             {"shared_ns", cost.shared_ns}},
                            cost.self_ns()));
    }
    for (std::size_t i = 0; i < kOutsides; ++i) {
        const auto where = static_cast<Outside>(i);
        outside.push_back(put({{"name", name_of(where)}}, table.outside(where)));
    }
    times["rules"] = std::move(rules);
    times["outside"] = std::move(outside);
    return times;
}

} // namespace

void add_time(const CostTable& table, std::uint64_t ns, bool shared,
              std::vector<std::string>& cells) {
    const Estimate share = table.share(ns);
    cells.push_back(fixed(table.per_game(ns), 0));
    cells.push_back(percent(share.value) + (shared ? " *" : ""));
    cells.push_back(interval(share, 1, kPercent));
}

std::string rule_title(const ProfileFacts& known, std::uint32_t index, const RunFacts& facts) {
    const RuleFacts& rule = known.rules[index];
    const auto twins = std::ranges::count_if(known.rules, [&](const RuleFacts& other) {
        return other.agent == rule.agent && other.name == rule.name;
    });
    const std::string name = twins > 1 ? rule.group + "." + rule.name : rule.name;
    return rule.agent ? facts.agents[*rule.agent] + ": " + name : name;
}

std::vector<std::pair<std::string, std::uint64_t>> outside_parts(const CostTable& table) {
    std::vector<std::pair<std::string, std::uint64_t>> parts;
    std::uint64_t others = 0;
    for (std::size_t i = 0; i < kOutsides; ++i) {
        const auto where = static_cast<Outside>(i);
        const std::uint64_t ns = table.outside(where);
        if (table.share(ns).value.value_or(0) < kPartsShownFrom)
            others += ns;
        else
            parts.emplace_back(fmt::format("({})", meaning_of(where)), ns);
    }
    std::ranges::stable_sort(parts,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    if (others > 0) parts.emplace_back("(else)", others);
    return parts;
}

bool is_shared(const Cost& cost) {
    return static_cast<double>(cost.shared_ns) > kMarkedFrom * static_cast<double>(cost.self_ns());
}

std::vector<RankedRule> ranked_rules(const Costs& costs, bool by_time) {
    std::vector<RankedRule> rules(costs.facts.rules.size());
    std::vector<Cost> sums;
    for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
        rules[rule].rule = rule;
        sums.push_back(costs.table.rule(rule));
    }
    const auto dear = [&](const RankedRule& each) {
        const Cost& cost = sums[each.rule];
        return by_time
                   ? std::tuple(cost.self_ns(), cost.tried, cost.matches)
                   : std::tuple(cost.matches > 0 ? std::uint64_t{1} : 0, cost.tried, cost.matches);
    };
    std::ranges::stable_sort(rules, std::ranges::greater{}, dear);
    // Rules that cannot be distinguished from the first of a rank share it.
    const auto ns = [&](std::size_t at) { return sums[rules[at].rule].self_ns(); };
    for (std::size_t i = 0, first = 0; i < rules.size(); ++i) {
        if (costs.table.differ(ns(first), ns(i))) first = i;
        rules[i].rank = first + 1;
        rules[i].tied = i != first;
        if (i != first) rules[first].tied = true;
    }
    return rules;
}

std::vector<std::uint32_t> dearest_first(const Costs& costs, bool by_time) {
    std::vector<std::uint32_t> rules;
    for (const RankedRule& each : ranked_rules(costs, by_time))
        rules.push_back(each.rule);
    return rules;
}

std::vector<std::string> cost_notes(const CostReport& report) {
    const auto& [facts, table] = report.costs;
    if (!report.missing.empty()) return {report.missing};
    if (facts.mode == ProfileMode::Off) return {"Nothing was watched (--profile off)."};
    if (facts.rules.empty())
        return {"No rules ran. What a program of CLIPS costs is told by croupier clips --profile."};
    std::vector<std::string> notes;
    if (table.watched() == 0) {
        notes.push_back(fmt::format("No step was watched: a sample of {} has none of them; "
                                    "--profile full watches all.",
                                    counted(table.steps(), "step")));
    } else if (facts.mode == ProfileMode::Full) {
        const std::string all = counted(table.games(), report.each);
        notes.push_back(report.each == "game"
                            ? fmt::format("All {} of {} were watched, so counts are exact.",
                                          counted(table.steps(), "step"), all)
                            : fmt::format("Counts are exact, of {}.", all));
    } else {
        notes.push_back(fmt::format("Counts are of a sample: {} of {} (deals and moves) were "
                                    "watched. --profile full watches all.",
                                    table.watched(), counted(table.steps(), "step")));
    }
    for (std::string& each : time_notes(report))
        notes.push_back(std::move(each));
    return notes;
}

std::vector<Section> cost_sections(const CostReport& report, const RunFacts& facts, Detail detail) {
    const bool known = report.missing.empty() && report.costs.facts.watches() &&
                       (report.costs.table.watched() > 0 || tells_times(report));
    if (!known) {
        Section section = begin_section("costs", "rule costs");
        section.notes = cost_notes(report);
        return {section};
    }
    std::vector<Section> sections{rules_of(report, facts, detail)};
    if (detail == Detail::Full) sections.push_back(phases_of(report, facts));
    if (report.coverage) sections.push_back(coverage_section(report, facts));
    return sections;
}

nlohmann::ordered_json cost_json(const CostReport& report, const RunFacts& facts) {
    const auto& [known, table] = report.costs;
    if (!report.missing.empty()) return {{"missing", report.missing}};
    Json rows = Json::array();
    for (const auto& [key, cost] : table.sums({.phase = true, .seat = true})) {
        if (key.phase == Phase::Any) continue;
        const RuleFacts& rule = known.rules[key.rule];
        rows.push_back(
            {{"rule", key.rule},
             {"owner", owner_of(rule, facts.game, facts.agents)},
             {"group", rule.group},
             {"name", rule.name},
             {"phase", name_of(key.phase)},
             {"player", key.seat == kNothing ? Json(nullptr) : Json(facts.players[key.seat])},
             {"tried", cost.tried},
             {"passed", cost.passed},
             {"matches", cost.matches},
             {"firings", cost.firings}});
    }
    Json object{{"profile", name_of(known.mode)}, {"rules", known.rules.size()},
                {"games", table.games()},         {"steps", table.steps()},
                {"watched", table.watched()},     {"rows", std::move(rows)}};
    if (report.has_times) object["times"] = times_json(report, facts);
    if (report.coverage) {
        const CoverageNames names = coverage_names(report, facts);
        object["coverage"] = {
            {"never_tried", names.never_tried},        {"never_matched", names.never_matched},
            {"never_reached", names.never_reached},    {"never_passed", names.never_passed},
            {"options_never_looked_at", names.unused}, {"options_no_rule_reads", names.unread}};
    }
    return object;
}

void add_costs(CsvRows& rows, const CostReport& report, const RunFacts& facts) {
    const auto& [known, table] = report.costs;
    rows.add("profile", std::string(name_of(known.mode)), "", "steps", table.steps());
    rows.add("profile", std::string(name_of(known.mode)), "", "watched", table.watched());
    for (std::uint32_t rule = 0; rule < known.rules.size(); ++rule) {
        const Cost cost = table.rule(rule);
        const std::string name = known.rules[rule].group + "." + known.rules[rule].name;
        const std::string owner = owner_of(known.rules[rule], facts.game, facts.agents);
        const auto add = [&](const char* metric, const nlohmann::ordered_json& value) {
            rows.add("rule", name, owner, metric, value);
        };
        add("tried", cost.tried);
        add("matches", cost.matches);
        add("firings", cost.firings);
        if (!tells_times(report)) continue;
        const Estimate share = table.share(cost.self_ns());
        add("self_ns_per_game", number_json(table.per_game(cost.self_ns())));
        add("total_ns_per_game", number_json(table.per_game(cost.total_ns)));
        add("share", number_json(share.value));
        add("share_low", number_json(share.low));
        add("share_high", number_json(share.high));
    }
}

} // namespace croupier::results
