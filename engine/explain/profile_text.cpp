// A profile as people read it.
#include "engine/explain/profile.h"
#include "engine/explain/why.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine {

namespace {

constexpr const char* kRuleHeading =
    "     tried    passed   matches   firings     self ns    total ns  share  rule\n";
constexpr const char* kEntryHeading = "     tried    passed     self ns  share  condition\n";

std::string percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "-"
                      : fmt::format("{:.0f}%",
                                    100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

void add_rule(std::string& text, const RuleRow& row, std::uint64_t all_ns) {
    text += fmt::format("{:>10}{:>10}{:>10}{:>10}{:>12}{:>12}{:>7}  {}\n", row.cost.tried,
                        row.cost.passed, row.cost.matches, row.cost.firings, row.cost.self_ns(),
                        row.cost.total_ns, percent(row.cost.self_ns(), all_ns), row.name);
}

void add_entries(std::string& text, const RuleRow& row, const Sources& sources) {
    std::uint64_t all_ns = 0;
    for (const EntryRow& entry : row.entries) {
        all_ns += entry.cost.self_ns;
    }
    text += fmt::format("\nrule {} ({}), group {}: match {} ns, act {} ns\n", row.name,
                        sources.place(row.span), row.group, row.cost.match_ns, row.cost.act_ns);
    text += kEntryHeading;
    for (const EntryRow& entry : row.entries) {
        text +=
            fmt::format("{:>10}{:>10}{:>12}{:>7}  {:<{}}{}\n", entry.cost.tried, entry.cost.passed,
                        entry.cost.self_ns, percent(entry.cost.self_ns, all_ns), "",
                        2 * entry.depth, excerpt(sources, entry.span, 60));
    }
}

} // namespace

std::string to_text(const Program& program, const Profile& profile, const Sources& sources) {
    std::vector<RuleRow> all = rows(program, profile);
    std::uint64_t all_ns = 0;
    for (const RuleRow& row : all) {
        all_ns += row.cost.self_ns();
    }
    const auto idle = std::stable_partition(all.begin(), all.end(),
                                            [](const RuleRow& row) { return row.cost.tried > 0; });
    std::stable_sort(all.begin(), idle, [](const RuleRow& a, const RuleRow& b) {
        return a.cost.self_ns() > b.cost.self_ns();
    });
    std::string text = kRuleHeading;
    for (auto row = all.begin(); row != idle; ++row) {
        add_rule(text, *row, all_ns);
    }
    for (auto row = all.begin(); row != idle; ++row) {
        const bool seen = std::any_of(row->entries.begin(), row->entries.end(),
                                      [](const EntryRow& entry) { return entry.cost.tried > 0; });
        if (seen) {
            add_entries(text, *row, sources);
        }
    }
    if (idle != all.end()) {
        text += "\nnever tried:";
        for (auto row = idle; row != all.end(); ++row) {
            text += " " + row->name;
        }
        text += '\n';
    }
    return text;
}

} // namespace croupier::engine
