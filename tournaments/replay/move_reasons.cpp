// Explains moves, rule by rule.
#include "tournaments/replay/move_reasons.h"

#include "engine/api/program.h"
#include "engine/api/random.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "results/report/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace croupier::tournaments {

namespace {

using engine::Document;
namespace json = engine::json;

Document name_list(const std::vector<std::string>& names) {
    Document made = json::array();
    for (const std::string& name : names)
        json::append(made, json::text(name));
    return made;
}

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMax = 12;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kMax; ++i)
        text += (i == 0 ? "" : " ") + names[i];
    if (names.size() > kMax) text += fmt::format(" and {} more", names.size() - kMax);
    return text;
}

// `stops at "suit": {"$C": "$L"} with C = AS: suit.AS is "S", not "H"`
std::string stop_text(const engine::WhyStop& stop, const engine::Sources& sources) {
    std::string text = "stops at " + engine::excerpt(sources, stop.span);
    if (!stop.bound.empty()) text += " with " + engine::to_text(stop.bound);
    return text + ": " + engine::to_sentence(stop, sources);
}

// Only the last folder and the file.
std::string short_place(const std::string& place) {
    const std::size_t file = place.rfind('/');
    const std::size_t folder =
        file == std::string::npos || file == 0 ? file : place.rfind('/', file - 1);
    return folder == std::string::npos ? place : place.substr(folder + 1);
}

std::string name_of(const engine::RulePlan& rule) {
    return rule.name.empty() ? "a rule" : rule.name;
}

bool has(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// A rule's outcome as a JSON object.

Document object(const engine::NamedValues& values) {
    Document made = json::object();
    for (const auto& [name, value] : values)
        json::add(made, name, json::scalar(value));
    return made;
}

Document agenda_json(const engine::Why::Agenda& agenda) {
    Document fired = json::array();
    for (const auto& firing : agenda.fired)
        json::append(fired, json::object({{"number", json::integer(firing.number)},
                                          {"match", object(firing.values)}}));
    Document rivals = json::array();
    for (const auto& rival : agenda.rivals)
        json::append(rivals, json::object({{"rule", json::text(rival.rule)},
                                           {"times", json::integer(rival.times)},
                                           {"by_strategy", json::integer(rival.equal)},
                                           {"salience", json::integer(rival.salience)},
                                           {"against", json::integer(rival.against)}}));
    Document taken = json::array();
    for (const auto& each : agenda.taken)
        json::append(taken, json::object({{"by", json::text(each.by)},
                                          {"matches", json::integer(each.times)},
                                          {"first_firing", json::integer(each.firing)}}));
    Document all = json::object({{"group", json::text(agenda.group)},
                                 {"strategy", json::text(agenda.strategy)},
                                 {"firings", json::integer(agenda.firings)},
                                 {"limit_reached", json::boolean(agenda.limit_reached)}});
    json::add(all, "fired", std::move(fired));
    json::add(all, "outranked_by", std::move(rivals));
    json::add(all, "taken_away", std::move(taken));
    json::add(all, "waiting", json::integer(agenda.waiting));
    json::add(all, "fired_already", json::integer(agenda.spent));
    return all;
}

Document runs_json(const engine::Why& why, const engine::Sources& sources) {
    Document runs = json::array();
    for (const engine::Why::Run& run : why.runs) {
        Document one =
            json::object({{"around", object(run.around)}, {"matches", json::integer(run.matches)}});
        if (run.stop) json::add(one, "stop", why_json(*run.stop, sources));
        json::append(runs, std::move(one));
    }
    return runs;
}

} // namespace

MoveReasons::MoveReasons(const games::RulesetGame& game) : game_(game) {}

MoveReasons::Asked MoveReasons::ask(const games::Position& view, std::string_view move) const {
    Asked asked;
    engine::Document state = view.state();
    std::erase_if(state.members,
                  [](const engine::Member& member) { return member.key == "moves"; });
    const engine::Catalogue& catalogue = game_.program().catalogue();
    engine::State tree = catalogue.initial_state();
    engine::Diagnostics diagnostics;
    // Converted through text, like every state from outside.
    engine::Sources sources;
    const auto document =
        engine::read_json(sources, sources.add("view", engine::write_json(state)), diagnostics);
    if (!document || !catalogue.import(tree, *document, diagnostics)) return asked;
    engine::Random random(1);
    asked.why = engine::explain_children(game_.program(), catalogue.group_id("moves"), tree, random,
                                         "moves", move, game_.budgets());
    std::vector<std::string>& legal = asked.legal;
    for (const engine::ChildrenGiven& given : asked.why.rules) {
        for (const std::string& name : given.added)
            legal.push_back(name);
        std::erase_if(legal, [&](const std::string& name) { return has(given.removed, name); });
    }
    bool same = legal.size() == view.move_count() && !asked.why.error;
    for (std::size_t i = 0; i < view.move_count(); ++i)
        same = same && has(legal, view.text(view.move(i)));
    asked.can_be_asked = same;
    return asked;
}

std::vector<MoveReasons::Line> MoveReasons::tell(const games::Position& view,
                                                 std::string_view move) const {
    const Asked asked = ask(view, move);
    if (!asked.can_be_asked)
        return {{0, "",
                 "The rules that list the moves look at what is hidden from you, so that they "
                 "cannot be asked here."}};
    std::vector<Line> lines;
    const bool legal = has(asked.legal, move);
    if (!move.empty())
        lines.push_back(
            {0, "", fmt::format("{} is {}", move, legal ? "legal" : "not legal"), false});
    for (const engine::ChildrenGiven& given : asked.why.rules)
        tell(given, move, legal, lines);
    return lines;
}

std::vector<std::string> MoveReasons::lines(const games::Position& view, std::string_view move,
                                            std::size_t width) const {
    std::vector<std::string> all;
    for (const Line& each : tell(view, move)) {
        const std::string whole = results::printable(each.rule + each.text);
        const std::string indent(each.indent, ' ');
        if (!each.wraps) all.push_back(indent + whole);
        if (each.wraps)
            for (const std::string& line : results::wrap(whole, width - each.indent))
                all.push_back(line.empty() ? line : indent + line);
    }
    return all;
}

engine::Document MoveReasons::to_json(const games::Position& view, std::string_view move) const {
    const Asked asked = ask(view, move);
    engine::Document rules = json::array();
    for (const engine::ChildrenGiven& given : asked.why.rules) {
        const engine::RulePlan& rule = game_.program().catalogue().rules[given.rule];
        engine::Document one =
            json::object({{"rule", json::text(rule.name)},
                          {"place", json::text(game_.sources().place(rule.span))},
                          {"gives", name_list(given.added)},
                          {"takes", name_list(given.removed)}});
        if (given.stop) json::add(one, "stop", why_json(*given.stop, game_.sources()));
        json::append(rules, std::move(one));
    }
    engine::Document all =
        json::object({{"move", json::text(std::string(move))},
                      {"legal", json::boolean(view.find_move(move).has_value())}});
    json::add(all, "rules", std::move(rules));
    return all;
}

std::vector<std::string> MoveReasons::refusals(const games::Position& view,
                                               const std::vector<std::string>& moves) const {
    struct Refusal {
        std::string key, moves, why;
    };
    std::vector<Refusal> told;
    for (const std::string& move : moves) {
        const Asked asked = ask(view, move);
        if (!asked.can_be_asked) return {};
        std::string why;
        for (const engine::ChildrenGiven& given : asked.why.rules) {
            const auto [gives, stop, in_short] = said_of(given, move, false);
            if (in_short) continue;
            const engine::RulePlan& rule = game_.program().catalogue().rules[given.rule];
            why += fmt::format("{}{} {}", why.empty() ? "" : "; ", name_of(rule), gives);
            if (stop != nullptr)
                why += fmt::format("{}{}", gives.empty() ? "stops: " : ", but ",
                                   engine::to_sentence(*stop, game_.sources()));
            if (rule.source != nullptr && !rule.source->doc.empty())
                why += fmt::format(" ({})", rule.source->doc);
        }
        if (why.empty()) why = "no rule gives it";
        std::string key = why;
        for (std::size_t at = key.find(move); at != std::string::npos; at = key.find(move, at + 1))
            key.replace(at, move.size(), "*");
        const auto same = std::find_if(told.begin(), told.end(),
                                       [&](const Refusal& each) { return each.key == key; });
        if (same == told.end())
            told.push_back({key, move, why});
        else
            same->moves += " " + move;
    }
    std::vector<std::string> lines;
    lines.reserve(told.size());
    for (const Refusal& each : told)
        lines.push_back(fmt::format("{}: {}", each.moves, each.why));
    return lines;
}

// For an illegal move, all rules say where they fail.
MoveReasons::Said MoveReasons::said_of(const engine::ChildrenGiven& given, std::string_view move,
                                       bool legal) {
    const bool whole = move.empty() || (!legal && !given.added.empty());
    Said said;
    if (whole || has(given.added, move) || has(given.removed, move)) {
        if (!given.added.empty()) said.gives = "gives " + listed(given.added);
        if (!given.removed.empty())
            said.gives +=
                (said.gives.empty() ? "" : ", ") + ("takes away " + listed(given.removed));
    }
    if (!move.empty() && !legal && given.stop) said.stop = &*given.stop;
    said.in_short = said.gives.empty() && !given.about;
    return said;
}

void MoveReasons::tell(const engine::ChildrenGiven& given, std::string_view move, bool legal,
                       std::vector<Line>& lines) const {
    const auto [gives, stop, in_short] = said_of(given, move, legal);
    std::string said = gives;
    if (stop != nullptr) said += (said.empty() ? "" : ", and ") + stop_text(*stop, game_.sources());
    if (said.empty()) return;
    const engine::RulePlan& rule = game_.program().catalogue().rules[given.rule];
    const std::string name = name_of(rule);
    if (in_short) return lines.push_back({2, "", name + " " + said});
    lines.push_back({2, name, " (" + short_place(game_.sources().place(rule.span)) + ")", false});
    if (rule.source != nullptr && !rule.source->doc.empty())
        lines.push_back({4, "", rule.source->doc});
    lines.push_back({4, "", said});
}

Document why_json(const engine::WhyStop& stop, const engine::Sources& sources) {
    Document made = json::object({{"entry", json::text(engine::excerpt(sources, stop.span))},
                                  {"place", json::text(sources.place(stop.span))},
                                  {"bound", object(stop.bound)}});
    if (!stop.node.empty()) json::add(made, "node", json::text(stop.node));
    if (stop.found) json::add(made, "found", json::scalar(*stop.found));
    json::add(made, "says", json::text(engine::to_sentence(stop, sources)));
    if (!stop.inside.empty()) json::add(made, "inside", object(stop.inside));
    if (stop.nearest.empty()) return made;
    Document nearest = json::array();
    for (const engine::WhyStop& each : stop.nearest)
        json::append(nearest, why_json(each, sources));
    json::add(made, "nearest", std::move(nearest));
    return made;
}

Document why_json(const engine::Why& why, const engine::Sources& sources) {
    Document matches = json::array();
    for (const engine::NamedValues& match : why.matches)
        json::append(matches, object(match));
    Document entries = json::array();
    for (const engine::EntryCount& entry : why.entries) {
        json::append(entries,
                     json::object({{"entry", json::text(engine::excerpt(sources, entry.span))},
                                   {"place", json::text(sources.place(entry.span))},
                                   {"reached", json::integer(entry.reached)},
                                   {"passed", json::integer(entry.passed)}}));
    }
    Document all =
        json::object({{"rule", json::text(why.rule)}, {"fires", json::boolean(why.fires())}});
    json::add(all, "group", json::text(why.group));
    json::add(all, "matches", std::move(matches));
    json::add(all, "entries", std::move(entries));
    if (why.furthest) json::add(all, "furthest", why_json(*why.furthest, sources));
    if (!why.around.empty()) {
        json::add(all, "inside", name_list(why.around));
        json::add(all, "times_run", json::integer(why.times_run));
        json::add(all, "runs", runs_json(why, sources));
    }
    if (why.outside) {
        Document outside = json::object({{"rule", json::text(why.outside->rule)},
                                         {"has_matches", json::boolean(why.outside->has_matches)}});
        if (why.outside->stop) json::add(outside, "stop", why_json(*why.outside->stop, sources));
        json::add(all, "not_run_for", std::move(outside));
    }
    if (why.otherwise) json::add(all, "else", json::boolean(true));
    if (why.at_first) {
        json::add(all, "matches_at_first", json::integer(*why.at_first));
        json::add(all, "acted_before", name_list(why.before));
    }
    if (why.agenda) json::add(all, "agenda", agenda_json(*why.agenda));
    return all;
}

} // namespace croupier::tournaments
