// Finds names of rules in texts, and keeps the texts of rules short.
#include "results/html/rule_links.h"

#include "results/report/costs.h"
#include "results/report/numbers.h"

#include <fmt/format.h>

#include <algorithm>

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

} // namespace

RuleLinks::RuleLinks(const RunChapter& chapter, Outline& outline)
    : chapter_(chapter), outline_(outline) {
    for (std::uint32_t rule = 0; rule < chapter.rule_texts.size(); ++rule)
        if (!chapter.rule_texts[rule].empty())
            titles_.emplace(
                rule_title(chapter.report.costs->costs.facts, rule, chapter.report.summary.facts),
                rule);
}

const RuleFacts& RuleLinks::facts(std::uint32_t rule) const {
    return chapter_.report.costs->costs.facts.rules[rule];
}

// The same on every page that names the rule, and different for all of them.
std::string RuleLinks::id(std::uint32_t rule) const {
    std::string id = "rule";
    const auto add = [&](std::string_view part) {
        id += '.';
        for (const char c : part) {
            const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                               (c >= '0' && c <= '9') || c == '-';
            id += plain ? std::string(1, c) : fmt::format("_{:02X}", static_cast<unsigned char>(c));
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
std::optional<std::uint32_t> RuleLinks::around(std::uint32_t rule) const {
    const auto& rules = chapter_.report.costs->costs.facts.rules;
    std::string_view name = facts(rule).group;
    for (std::size_t end = name.rfind('/'); end != std::string_view::npos; end = name.rfind('/')) {
        name = name.substr(0, end);
        const auto found = std::find_if(rules.begin(), rules.end(), [&](const RuleFacts& each) {
            return each.agent == facts(rule).agent && each.name == name;
        });
        if (found != rules.end()) return static_cast<std::uint32_t>(found - rules.begin());
    }
    return std::nullopt;
}

std::string RuleLinks::link(std::uint32_t rule) {
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

std::string RuleLinks::linked(std::string_view text) {
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
            const bool whole =
                after.empty() || (coverage && (after.starts_with(", ") || after.starts_with(": ") ||
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

void RuleLinks::add_text(std::uint32_t rule) {
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
        page.element("p", {{"class", "note"}},
                     fmt::format("The rest is left out: the rule has {} and {}.",
                                 counted(static_cast<std::uint64_t>(
                                             std::count(text.begin(), text.end(), '\n') + 1),
                                         "line"),
                                 counted(text.size(), "byte")));
    page.close();
}

void RuleLinks::add_section() {
    if (named_.empty()) return;
    outline_.begin("rules", "Rules that are named above", Weight::Detail);
    for (const std::uint32_t rule : named_)
        add_text(rule);
    if (full_)
        outline_.page().element(
            "p", {{"class", "note"}},
            fmt::format("These are the first {} rules that are named; further names are no links.",
                        kMostRules));
    outline_.end();
}

} // namespace croupier::results
