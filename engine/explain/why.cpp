// Watches one rule being matched and says what stopped it.
#include "engine/explain/why.h"

#include "engine/explain/entry_places.h"
#include "engine/explain/why_agenda.h"
#include "engine/run/machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine {

namespace {

class Watcher : public Observer {
  public:
    Watcher(const Program& program, RuleId rule, Why& why)
        : rule_(program.rules[rule]), places_(*rule_.source), why_(why) {
        for (std::uint32_t id = 0; id < places_.all().size(); ++id) {
            const EntryPlace& place = places_.all()[id];
            why_.entries.push_back({id, place.depth, place.span, 0, 0});
        }
    }

    [[nodiscard]] bool looks_at_entries() const override { return true; }
    void entry_tried(const Note& note, std::span<const Value>, const State&) override {
        ++why_.entries[note.entry].reached;
    }
    void entry_passed(const Note& note, std::span<const Value>, const State&) override {
        ++why_.entries[note.entry].passed;
    }
    void entry_cut(const Note& note, const Value* found, std::span<const Value> values,
                   const State& state) override {
        const EntryPlace& place = places_.all()[note.entry];
        if (place.local || (why_.furthest && why_.furthest->entry >= note.entry)) {
            return;
        }
        why_.furthest = stop_at(note, place, rule_, found, values, state);
    }

  private:
    const RulePlan& rule_;
    EntryPlaces places_;
    Why& why_;
};

std::string show(const Scalar& scalar) {
    Document document;
    document.scalar = scalar;
    return write_json(document, -1);
}

// The agenda group that the rule is in.
std::optional<GroupId> agenda_of(const Program& program, RuleId rule) {
    for (GroupId id = 0; id < program.groups.size(); ++id) {
        const GroupPlan& group = program.groups[id];
        if (group.mode == GroupMode::Agenda &&
            std::find(group.rules.begin(), group.rules.end(), rule) != group.rules.end())
            return id;
    }
    return std::nullopt;
}

} // namespace

std::string to_text(const NamedValues& values) {
    std::string text;
    for (const auto& [name, value] : values) {
        const bool plain = std::holds_alternative<std::string>(value);
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name,
                            plain ? std::get<std::string>(value) : show(value));
    }
    return text;
}

NamedValues named_values(const RulePlan& rule, std::span<const Value> match, const State& state) {
    NamedValues values;
    for (std::size_t v = 0; v < match.size(); ++v) {
        const std::string& name = rule.variables[v].name;
        if (!is_hidden(name)) values.emplace_back(name, to_scalar(match[v], state.symbols()));
    }
    return values;
}

std::string excerpt(const Sources& sources, Span span, std::size_t longest) {
    std::string text;
    bool space = false;
    for (const char c : sources.text(span.file).substr(span.begin, span.end - span.begin)) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!blank) {
            text += space && !text.empty() ? " " : "";
            text += c;
        }
        space = blank;
        if (text.size() > longest) {
            // Not in the middle of a character.
            while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) {
                text.pop_back();
            }
            return text + "..";
        }
    }
    return text;
}

Why explain(const Program& program, RuleId rule, State& state, Random& random,
            const Budgets& budgets) {
    Why why;
    why.rule = program.rules[rule].name;
    why.span = program.rules[rule].span;
    Watcher watcher(program, rule, why);
    Machine machine(program, budgets);
    machine.set_observer(&watcher);
    const RunResult result = machine.match(rule, state, random);
    if (result.error) {
        why.error = *result.error;
    }
    for (std::uint64_t i = 0; i < result.matches && !result.error; ++i) {
        why.matches.push_back(named_values(program.rules[rule], machine.matched(i), state));
    }
    if (!why.matches.empty()) {
        why.furthest.reset();
    }
    if (const std::optional<GroupId> group = agenda_of(program, rule)) {
        State copy = state;
        why.agenda = explain_agenda(program, *group, rule, copy, random, budgets);
    }
    return why;
}

std::string to_text(const Why& why, const Sources& sources) {
    std::string text = fmt::format("rule {} ({}) ", why.rule, sources.place(why.span));
    if (why.error) {
        text += fmt::format("stops with an error: {}: {}\n", name_of(why.error->kind),
                            why.error->detail);
    } else if (why.matches.empty()) {
        text += fmt::format("{}: its condition has no match\n",
                            why.agenda ? "cannot fire yet" : "does not fire");
    } else {
        text += fmt::format("{}: {} match{}\n", why.fires() ? "fires" : "is on the agenda",
                            why.matches.size(), why.matches.size() == 1 ? "" : "es");
        constexpr std::size_t kShown = 20;
        for (std::size_t i = 0; i < why.matches.size() && i < kShown; ++i) {
            const std::string values = to_text(why.matches[i]);
            text += fmt::format("  {}\n", values.empty() ? "(no variables)" : values);
        }
        if (why.matches.size() > kShown) {
            text += fmt::format("  and {} more\n", why.matches.size() - kShown);
        }
    }
    text += " reached  passed  condition\n";
    for (const EntryCount& entry : why.entries) {
        text += fmt::format("{:>8}{:>8}  {:<{}}{}\n", entry.reached, entry.passed, "",
                            2 * entry.depth, excerpt(sources, entry.span, 60));
    }
    if (why.furthest) {
        const Why::Stop& stop = *why.furthest;
        const std::string bound = to_text(stop.bound);
        text +=
            fmt::format("furthest partial match: {}\n", bound.empty() ? "(nothing bound)" : bound);
        text += fmt::format("stopped at {}: {}\n", sources.place(stop.span),
                            excerpt(sources, stop.span));
        if (stop.inverted) {
            text += "  something is there that must be absent\n";
        } else if (stop.found) {
            text += fmt::format("  found {}\n", show(*stop.found));
        } else {
            text += "  nothing there fits\n";
        }
    }
    if (why.agenda) text += to_text(*why.agenda);
    return text;
}

} // namespace croupier::engine
