// Runs a rule's group, and puts into words what became of the rule.
#include "engine/explain/why.h"

#include "engine/explain/why_agenda.h"
#include "engine/explain/why_run.h"
#include "engine/run/machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine {

namespace {

constexpr std::size_t kShown = 20; // matches, and runs

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string count_matches(std::uint64_t count) {
    return counted(count, "match", "matches");
}

} // namespace

NamedValues named_values(const RulePlan& rule, std::span<const Value> match, const State& state) {
    NamedValues values;
    for (std::size_t v = 0; v < match.size(); ++v) {
        const std::string& name = rule.variables[v].name;
        if (!is_hidden(name)) values.emplace_back(name, to_scalar(match[v], state.symbols()));
    }
    return values;
}

Why explain(const Program& program, RuleId rule, State& state, Random& random,
            const Budgets& budgets) {
    Why why;
    why.rule = program.rules[rule].name;
    why.span = program.rules[rule].span;
    const RulePlace place = place_of(program, rule);
    why.group = program.groups[place.group].name;
    for (const RuleId each : place.around)
        why.around.push_back(program.rules[each].name);
    const bool inside = !place.around.empty();
    if (!inside && program.groups[place.group].mode == GroupMode::Agenda) {
        watch_match(program, rule, state, random, budgets, why);
        State copy = state;
        why.agenda = explain_agenda(program, place.group, rule, copy, random, budgets);
    } else {
        Why alone = why;
        State copy = state;
        if (!inside) {
            Random same = random;
            watch_match(program, rule, copy, same, budgets, alone);
        }
        copy = state;
        watch_group(program, rule, place, copy, random, budgets, why);
        if (!inside && why.times_run == 0) {
            alone.group_error = why.group_error;
            why = std::move(alone);
            why.alone = true;
        } else if (!inside && alone.matches.empty() != why.matches.empty() && !alone.error) {
            why.at_first = alone.matches.size();
        }
    }
    if (!why.matches.empty()) why.furthest.reset();
    return why;
}

namespace {

std::string joined(const std::vector<std::string>& names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

std::string stop_text(const WhyStop& stop, const Sources& sources) {
    const std::string bound = to_text(stop.bound);
    return fmt::format("furthest partial match: {}\nstopped at {}: {}\n  {}\n",
                       bound.empty() ? "(nothing bound)" : bound, sources.place(stop.span),
                       excerpt(sources, stop.span), to_sentence(stop, sources));
}

// Behind "rule NAME (PLACE) ".
std::string verdict(const Why& why) {
    const std::string runs =
        why.around.empty() || why.times_run == 0 ? std::string()
        : why.times_run == 1
            ? ", inside " + why.around.back()
            : fmt::format(", in {} of {} inside {}", why.times_run - why.times_without,
                          counted(why.times_run, "run", "runs"), why.around.back());
    if (why.error)
        return fmt::format("stops with an error: {}: {}", name_of(why.error->kind),
                           why.error->detail);
    if (!why.matches.empty())
        return fmt::format("{}: {}{}", why.fires() ? "fires" : "is on the agenda",
                           count_matches(why.matches.size()), runs);
    if (why.times_run == 0 && why.outside)
        return why.outside->has_matches
                   ? fmt::format("is not run: it stands in the else of {}, which has a match",
                                 why.outside->rule)
                   : fmt::format("is not run: {}, which it stands in, does not fire",
                                 why.outside->rule);
    if (why.times_run == 0 && !why.around.empty()) return "is not run";
    return fmt::format(
        "{}: its condition has no match{}", why.agenda ? "cannot fire yet" : "does not fire",
        why.times_run > 1 && !why.around.empty()
            ? fmt::format(" in any of {} runs inside {}", why.times_run, why.around.back())
            : std::string());
}

std::string match_text(const Why& why) {
    std::string text;
    for (std::size_t i = 0; i < why.matches.size() && i < kShown; ++i) {
        const std::string values = to_text(why.matches[i]);
        text += fmt::format("  {}\n", values.empty() ? "(no variables)" : values);
    }
    if (why.matches.size() > kShown)
        text += fmt::format("  and {} more\n", why.matches.size() - kShown);
    return text;
}

// Of a rule inside others that has fired in some of its runs: the others.
std::string runs_text(const Why& why, const Sources& sources) {
    if (why.around.empty() || why.matches.empty() || why.times_without == 0) return {};
    std::string text = fmt::format("no match in {}:\n", counted(why.times_without, "run", "runs"));
    std::size_t shown = 0;
    for (const Why::Run& run : why.runs) {
        if (run.matches > 0) continue;
        if (shown++ == kShown / 2) break;
        const std::string around = to_text(run.around);
        text += fmt::format("  {}{}\n", around.empty() ? "" : "with " + around + ": ",
                            run.stop ? to_sentence(*run.stop, sources) : "nothing was tried");
    }
    if (why.times_without > kShown / 2)
        text += fmt::format("  and {} more\n", why.times_without - kShown / 2);
    return text;
}

} // namespace

std::string to_text(const Why& why, const Sources& sources) {
    std::string text =
        fmt::format("rule {} ({}) {}\n", why.rule, sources.place(why.span), verdict(why));
    if (why.group_error)
        text += fmt::format("{} stops with an error in rule {}: {}: {}{}\n", why.group,
                            why.group_error->rule, name_of(why.group_error->kind),
                            why.group_error->detail,
                            why.alone ? "; this is told of the state as it is" : "");
    text += match_text(why);
    if (why.at_first)
        text += fmt::format("before {} had acted: {}\n", joined(why.before, 8),
                            *why.at_first == 0 ? "no match" : count_matches(*why.at_first));
    if (why.otherwise) text += "its else acts\n";
    if (why.times_run > 0 || why.alone) {
        text += " reached  passed  condition\n";
        for (const EntryCount& entry : why.entries)
            text += fmt::format("{:>8}{:>8}  {:<{}}{}\n", entry.reached, entry.passed, "",
                                2 * entry.depth, excerpt(sources, entry.span, 60));
    }
    text += runs_text(why, sources);
    const bool untried = !why.entries.empty() && why.entries[0].reached == 0;
    if (why.times_run > 0 && why.matches.empty() && untried)
        text += "nothing was tried: the node that its group stands at is not there any more\n";
    if (why.furthest) text += stop_text(*why.furthest, sources);
    if (why.outside && why.outside->stop)
        text += fmt::format("rule {} ({})\n{}", why.outside->rule, sources.place(why.outside->span),
                            stop_text(*why.outside->stop, sources));
    if (why.agenda) text += to_text(*why.agenda);
    return text;
}

} // namespace croupier::engine
