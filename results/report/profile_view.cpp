// Profiles for people, and as JSON.
#include "results/report/profile_view.h"

#include "results/costs/cost.h"
#include "results/report/costs.h"
#include "results/report/layout.h"
#include "results/report/numbers.h"
#include "results/store/json_field.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace croupier::results {

namespace {

using Json = nlohmann::ordered_json;

// Costs as stacks, and in three formats for other programs.
class Stacks {
  public:
    Stacks(const Costs& costs, const RunFacts& facts) : facts_(facts), rules_(costs.facts.rules) {
        for (const auto& [key, cost] : costs.table.rows())
            if (key.entry != kNothing && key.phase == Phase::Any)
                of_rules_[key.rule].entries[key.entry] = cost.match_ns;
            else if (key.phase == Phase::Any)
                of_rules_[key.rule].cost = cost;
            else if (key.entry == kNothing)
                of_rules_[key.rule].tried[key.phase] += cost.tried;
        for (const auto& [rule, known] : of_rules_)
            add_rule(rule, known);
        for (std::size_t i = 0; i < kOutsides; ++i) {
            const auto where = static_cast<Outside>(i);
            add({fmt::format("({})", meaning_of(where))}, costs.table.outside(where));
        }
    }

    std::vector<Stack> all;

  private:
    struct OfRule {
        Cost cost;
        std::map<Phase, std::uint64_t> tried;
        std::map<std::uint32_t, std::uint64_t> entries;
    };

    // Search time that belongs to no entry is on the rule's frame.
    void add_rule(std::uint32_t rule, const OfRule& known) {
        std::vector<std::string> frames{owner_of(rules_[rule], facts_.game, facts_.agents)};
        // Show a rule that runs in several phases in the one with the most tries.
        const auto most = std::ranges::max_element(
            known.tried, [](const auto& a, const auto& b) { return a.second < b.second; });
        if (most != known.tried.end()) frames.emplace_back(name_of(most->first));
        frames.push_back(rules_[rule].group + "." + rules_[rule].name);
        std::uint64_t rest = known.cost.match_ns;
        for (const auto& [entry, ns] : known.entries) {
            std::vector<std::string> inner = frames;
            add_entries(rules_[rule], entry, inner);
            add(inner, ns);
            rest -= std::min(rest, ns);
        }
        add(frames, rest);
        frames.emplace_back("(acts)");
        add(frames, known.cost.act_ns);
    }

    // The entry and those around it, outermost first.
    static void add_entries(const RuleFacts& rule, std::uint32_t entry,
                            std::vector<std::string>& frames) {
        const std::size_t at = frames.size();
        std::uint32_t depth = rule.entries[entry].depth + 1;
        for (std::uint32_t i = entry + 1; i-- > 0;) {
            if (rule.entries[i].depth >= depth) continue;
            depth = rule.entries[i].depth;
            frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(at), rule.entries[i].text);
        }
    }

    void add(const std::vector<std::string>& frames, std::uint64_t ns) {
        if (ns > 0) all.push_back({frames, ns});
    }

    const RunFacts& facts_;
    const std::vector<RuleFacts>& rules_;
    std::map<std::uint32_t, OfRule> of_rules_;
};

constexpr std::size_t kProfiledRulesShown = 20;
constexpr std::size_t kConditionsShown = 3;
constexpr std::size_t kHintsShown = 12;
constexpr std::size_t kLinesAround = 2;  // around a line with ticks
constexpr std::size_t kCodeColumns = 48; // of an instruction, before its entry
constexpr std::size_t kSharersNamed = 3; // rules named for shared code

std::string code_title(const HotCode& code, const CostReport& report, const RunFacts& facts) {
    if (code.rules.empty())
        return (code.agent ? facts.agents[*code.agent] : facts.game) + ": between rules";
    std::string title;
    for (std::size_t i = 0; i < std::min(code.rules.size(), kSharersNamed); ++i)
        title += (i == 0 ? "" : " + ") + rule_title(report.costs.facts, code.rules[i], facts);
    if (code.rules.size() > kSharersNamed)
        title += fmt::format(" + {} more", code.rules.size() - kSharersNamed);
    return title;
}

std::string hardware_note(const std::optional<HardwareCounts>& counts, const std::string& each) {
    if (!counts) return "The processor's counters of instructions and cycles cannot be read here.";
    const auto& [instructions, cycles, branch_misses, cache_misses] = *counts;
    return fmt::format(
        "The processor counts {:.0f} instructions a {} and {:.0f} cycles, {} for "
        "an instruction; {:.1f} branch misses and {:.1f} cache misses.",
        instructions, each, cycles,
        fixed(instructions > 0 ? std::optional(cycles / instructions) : std::nullopt, 2),
        branch_misses, cache_misses);
}

class View {
  public:
    View(const CostReport& report, const RunFacts& facts, const ProfileView& view)
        : report_(report), costs_(report.costs), facts_(facts), view_(view),
          times_(view.times && costs_.table.has_times()), rules_(dearest_first(costs_, times_)),
          sums_(costs_.table.sums({.entry = true})) {
        notes_ = cost_notes(report);
        if (view.times) notes_.push_back(hardware_note(view.hardware, report.each));
    }

    std::string text() {
        add_lines(notes_, 0);
        if (view_.rule) {
            add_rules({*view_.rule});
            add_condition(*view_.rule);
        } else {
            add_rules(rules_);
            std::size_t shown = 0;
            for (const std::uint32_t rule : rules_)
                if (has_entries(rule) && (view_.all_entries || shown++ < kConditionsShown))
                    add_condition(rule);
        }
        for (const HotCode& code : view_.code)
            add_code(code);
        if (has_few_) {
            text_ += "\n";
            add_lines(
                {fmt::format("\"-\": fewer than {:.0f} ticks have found the rule's search, or "
                             "the code; --seconds N samples for longer.",
                             kMinOfRule)},
                0);
        }
        add_hints();
        if (!view_.rule) add_idle();
        return printable(text_);
    }

  private:
    void add_lines(const std::vector<std::string>& paragraphs, std::size_t indent) {
        for (const std::string& paragraph : paragraphs)
            for (const std::string& line : wrap(paragraph, view_.width - indent))
                text_ += std::string(indent, ' ') + line + "\n";
    }

    [[nodiscard]] std::string title(std::uint32_t rule) const {
        return rule_title(costs_.facts, rule, facts_);
    }

    [[nodiscard]] bool has_entries(std::uint32_t rule) const {
        return costs_.table.rule(rule).tried > 0 && !costs_.facts.rules[rule].entries.empty();
    }

    void add_rules(const std::vector<std::uint32_t>& rules) {
        Section section = begin_section("", "", "rule|>tried|>passed|>matches|>firings", {2});
        if (times_) {
            add_columns(section, ">ns a " + report_.each + "|>share|>95 %");
            section.spare = {2, 4, 1, 5};
        }
        std::size_t left_out = 0;
        std::uint64_t left_out_ns = 0;
        for (const std::uint32_t rule : rules) {
            const Cost cost = costs_.table.rule(rule);
            const bool room = section.table.rows.size() < kProfiledRulesShown || view_.all_entries;
            if (cost.tried == 0 && cost.self_ns() == 0) continue;
            if (!room) {
                ++left_out;
                left_out_ns += cost.self_ns();
                continue;
            }
            std::vector<std::string> cells{title(rule)};
            for (const std::uint64_t count : {cost.tried, cost.passed, cost.matches, cost.firings})
                cells.push_back(std::to_string(count));
            if (times_) add_time(costs_.table, cost.self_ns(), is_shared(cost), cells);
            section.table.rows.push_back(std::move(cells));
        }
        if (left_out > 0) {
            std::vector<std::string> cells{
                fmt::format("({}, with --entries)", counted(left_out, "further rule")), "", "", "",
                ""};
            if (times_) add_time(costs_.table, left_out_ns, false, cells);
            section.table.rows.push_back(std::move(cells));
        }
        if (times_ && !view_.rule) add_rest(section);
        if (section.table.rows.empty()) return;
        const LaidOut table = lay_out_within(section, view_.width);
        text_ += "\n";
        for (const auto* lines : {&table.title, &table.body})
            for (const std::string& line : *lines)
                text_ += line + "\n";
    }

    void add_rest(Section& section) const {
        for (const auto& [what, ns] : outside_parts(costs_.table)) {
            std::vector<std::string> cells{what, "", "", "", ""};
            add_time(costs_.table, ns, false, cells);
            section.table.rows.push_back(std::move(cells));
        }
    }

    // The share of a rule's search, or of code; "-" if it has too few ticks.
    std::string share_of(std::uint64_t whole_ns, std::uint64_t ns) {
        if (costs_.table.ticks_of(whole_ns) < kMinOfRule) {
            has_few_ = true;
            return "-";
        }
        return percent(static_cast<double>(ns) / static_cast<double>(whole_ns));
    }

    void add_condition(std::uint32_t rule) {
        const RuleFacts& known = costs_.facts.rules[rule];
        const Cost whole = costs_.table.rule(rule);
        text_ += fmt::format("\n{} ({})", title(rule), known.place);
        if (times_)
            text_ +=
                fmt::format(": match {}, act {}", percent(costs_.table.share(whole.match_ns).value),
                            percent(costs_.table.share(whole.act_ns).value));
        text_ += "\n";
        if (known.entries.empty()) return add_lines({"it has no condition: it always matches"}, 2);
        text_ += times_ ? "     tried    passed   share  condition\n"
                        : "     tried    passed  condition\n";
        for (std::uint32_t i = 0; i < known.entries.size(); ++i) {
            const Cost cost = entry_of(sums_, rule, i);
            text_ += fmt::format("{:>10}{:>10}", cost.tried, cost.passed);
            if (times_) text_ += fmt::format("{:>8}", share_of(whole.match_ns, cost.match_ns));
            text_ += fmt::format("  {}{}\n", std::string(2 * known.entries[i].depth, ' '),
                                 known.entries[i].text);
        }
    }

    void add_code(const HotCode& code) {
        text_ +=
            fmt::format("\nmachine code of {}: {:.0f} ticks, {}\n"
                        "     ticks   share  {:<{}}  condition\n",
                        code_title(code, report_, facts_), costs_.table.ticks_of(code.ns),
                        percent(costs_.table.share(code.ns).value), "instruction", kCodeColumns);
        const auto& lines = code.lines;
        std::size_t left_out = 0;
        std::uint32_t entry = kNothing; // of the previous line
        const auto add_left_out = [&] {
            if (left_out > 0)
                text_ +=
                    fmt::format("{:20}({} without ticks)\n", "", counted(left_out, "instruction"));
            left_out = 0;
        };
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const HotCode::Line& line = lines[i];
            const auto from =
                lines.begin() + static_cast<std::ptrdiff_t>(i - std::min(i, kLinesAround));
            const auto to = lines.begin() + static_cast<std::ptrdiff_t>(
                                                std::min(i + kLinesAround + 1, lines.size()));
            if (std::none_of(from, to, [](const auto& near) { return near.ns > 0; })) {
                left_out += line.is_instruction ? 1 : 0;
                continue;
            }
            add_left_out();
            std::string shown = fmt::format("{:18}", "");
            if (line.ns > 0)
                shown = fmt::format("{:>10.0f}{:>8}", costs_.table.ticks_of(line.ns),
                                    share_of(code.ns, line.ns));
            shown += "  " + line.text;
            if (line.is_instruction && line.entry != entry) {
                entry = line.entry;
                if (entry != kNothing)
                    shown = fmt::format("{:<{}}  {}", shown, kCodeColumns + 20,
                                        costs_.facts.rules[code.rules[0]].entries[entry].text);
            }
            text_ += shown + "\n";
        }
        add_left_out();
    }

    void add_hints() {
        std::vector<Hint> hints = hints_of(costs_);
        if (view_.rule)
            std::erase_if(hints, [&](const Hint& hint) { return hint.rule != *view_.rule; });
        // A rule that never matches may be for other options: list more useful hints first.
        std::ranges::stable_sort(
            hints, {}, [](const Hint& hint) { return hint.kind == Hint::Kind::NeverMatches; });
        if (!hints.empty()) text_ += "\nhints\n";
        for (std::size_t i = 0; i < hints.size(); ++i) {
            if (i == kHintsShown && !view_.all_entries)
                return add_lines(
                    {fmt::format("and {} more, with --entries", hints.size() - kHintsShown)}, 2);
            add_lines({title(hints[i].rule) + ": " + hints[i].text}, 2);
        }
    }

    void add_idle() {
        std::vector<std::string> names;
        for (std::uint32_t rule = 0; rule < costs_.facts.rules.size(); ++rule)
            if (costs_.table.rule(rule).tried == 0) names.push_back(title(rule));
        if (names.empty()) return;
        text_ += "\nnever tried\n";
        add_lines({fmt::format("{}", fmt::join(names, ", "))}, 2);
    }

    const CostReport& report_;
    const Costs& costs_;
    const RunFacts& facts_;
    const ProfileView& view_;
    bool times_;           // requested and known
    bool has_few_ = false; // some rule has too few ticks for entries
    std::vector<std::uint32_t> rules_;
    std::map<CostKey, Cost> sums_;
    std::vector<std::string> notes_;
    std::string text_;
};

} // namespace

std::vector<Stack> cost_stacks(const Costs& costs, const RunFacts& facts) {
    return Stacks(costs, facts).all;
}

std::string folded_stacks(const Costs& costs, const RunFacts& facts) {
    std::string text;
    for (const Stack& stack : cost_stacks(costs, facts)) {
        for (std::size_t i = 0; i < stack.frames.size(); ++i) {
            std::string frame = stack.frames[i];
            std::ranges::replace(frame, ';', ',');
            text += (i == 0 ? "" : ";") + frame;
        }
        text += fmt::format(" {}\n", stack.ns);
    }
    return text;
}

std::string speedscope_json(const Costs& costs, const RunFacts& facts) {
    std::map<std::string, std::size_t> index;
    Json frames = Json::array();
    Json samples = Json::array();
    Json weights = Json::array();
    std::uint64_t end = 0;
    for (const Stack& stack : cost_stacks(costs, facts)) {
        Json sample = Json::array();
        for (const std::string& frame : stack.frames) {
            const auto [known, is_new] = index.emplace(frame, index.size());
            if (is_new) frames.push_back({{"name", frame}});
            sample.push_back(known->second);
        }
        samples.push_back(std::move(sample));
        weights.push_back(stack.ns);
        end += stack.ns;
    }
    const Json json = {{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                       {"name", facts.game},
                       {"shared", {{"frames", frames}}},
                       {"profiles",
                        {{{"type", "sampled"},
                          {"name", facts.game},
                          {"unit", "nanoseconds"},
                          {"startValue", 0},
                          {"endValue", end},
                          {"samples", samples},
                          {"weights", weights}}}}};
    return json_text(json, 1);
}

std::string chrome_trace_json(const Costs& costs, const RunFacts& facts) {
    struct Open {
        std::string frame;
        std::uint64_t begin;
    };
    Json events = Json::array();
    std::vector<Open> open;
    std::uint64_t now = 0;
    const auto close = [&](std::size_t depth) {
        for (; open.size() > depth; open.pop_back())
            events.push_back({{"name", open.back().frame},
                              {"ph", "X"},
                              {"pid", 1},
                              {"tid", 1},
                              {"ts", static_cast<double>(open.back().begin) / 1000},
                              {"dur", static_cast<double>(now - open.back().begin) / 1000}});
    };
    for (const Stack& stack : cost_stacks(costs, facts)) {
        std::size_t same = 0;
        while (same < std::min(open.size(), stack.frames.size()) &&
               open[same].frame == stack.frames[same])
            ++same;
        close(same);
        for (std::size_t i = same; i < stack.frames.size(); ++i)
            open.push_back({stack.frames[i], now});
        now += stack.ns;
    }
    close(0);
    const Json json = {{"displayTimeUnit", "ns"}, {"traceEvents", events}};
    return json_text(json, 1);
}

std::string profile_text(const CostReport& report, const RunFacts& facts, const ProfileView& view) {
    return View(report, facts, view).text();
}

std::string profile_json(const CostReport& report, const RunFacts& facts, const ProfileView& view) {
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
    if (report.has_times) json["hardware"] = nullptr;
    if (view.hardware) {
        const auto& [instructions, cycles, branch_misses, cache_misses] = *view.hardware;
        json["hardware"] = {{"instructions", instructions},
                            {"cycles", cycles},
                            {"branch_misses", branch_misses},
                            {"cache_misses", cache_misses}};
    }
    for (const HotCode& each : view.code) {
        Json lines = Json::array();
        for (const HotCode::Line& line : each.lines) {
            lines.push_back({{"text", line.text}, {"self_ns", line.ns}});
            if (line.entry != kNothing) lines.back()["entry"] = line.entry;
        }
        json["code"].push_back({{"name", code_title(each, report, facts)},
                                {"rules", each.rules},
                                {"self_ns", each.ns},
                                {"lines", std::move(lines)}});
    }
    return json_text(json);
}

} // namespace croupier::results
