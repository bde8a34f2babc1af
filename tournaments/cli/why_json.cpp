// Writes what became of a rule as one JSON object.
#include "tournaments/cli/why_json.h"

#include "engine/api/program.h"
#include "engine/api/ruleset.h"

namespace croupier::cli {
namespace {

using engine::Document;
namespace json = engine::json;

Document object(const engine::NamedValues& values) {
    Document made = json::object();
    for (const auto& [name, value] : values)
        json::add(made, name, json::scalar(value));
    return made;
}

Document texts(const std::vector<std::string>& all) {
    Document made = json::array();
    for (const std::string& each : all)
        json::append(made, json::text(each));
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
        json::add(all, "inside", texts(why.around));
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
        json::add(all, "acted_before", texts(why.before));
    }
    if (why.agenda) json::add(all, "agenda", agenda_json(*why.agenda));
    return all;
}

} // namespace croupier::cli
