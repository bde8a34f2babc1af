// Compiles a draft and asks the engine about it.
#include "tournaments/serve/studio.h"

#include "games/contract/streams.h"
#include "games/drawing/drawer.h"
#include "tournaments/replay/scene.h"
#include "tournaments/serve/refused.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace croupier::serve {
namespace {

using engine::Span;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDiagnostics = 100;
constexpr std::size_t kMostMatches = 100;
constexpr std::size_t kMostEntries = 2000;
// What a page's rules may take: some seconds at most.
constexpr engine::Budgets kBudgets{
    .matches_per_rule = 100'000, .firings = 100'000, .steps = 20'000'000, .nodes = 1'000'000};

Json to_json(const engine::Document& document) {
    return Json::parse(engine::write_json(document, -1));
}

Json values_json(const engine::NamedValues& values) {
    Json json = Json::object();
    for (const auto& [name, value] : values)
        json[name] = Json::parse(engine::scalar_json(value));
    return json;
}

std::string error_text(const engine::RunError& error, const engine::Sources& sources) {
    return sources.place(error.span) + ": rule " + error.rule +
           " stopped: " + std::string(engine::name_of(error.kind)) + ": " + error.detail;
}

} // namespace

Studio::Studio(const Draft& draft) {
    games::OpenedRuleset opened =
        games::open_ruleset(draft.path, [&](const std::string& path) { return draft.read(path); });
    game_ = std::move(opened.game);
    if (game_ != nullptr) {
        loaded_ = {std::move(opened.sources), std::move(opened.diagnostics), {}};
        program_ = &game_->program();
        state_ = game_->initial();
    } else {
        loaded_ = engine::load_ruleset_text(draft.path, draft.text, draft.open);
        if (loaded_.ruleset) {
            own_ = std::make_unique<engine::Program>(*loaded_.ruleset);
            program_ = own_.get();
            state_ = program_->initial_state();
        }
    }
    for (std::uint32_t file = 0; file < loaded_.sources.size(); ++file)
        if (loaded_.sources.name(file) == draft.path) file_ = file;
    letters_ = Letters(draft.text);
}

Letters::Letters(const std::string& text) {
    before_.reserve(text.size() + 1);
    std::uint32_t count = 0;
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        before_.push_back(count);
        if ((byte & 0xc0U) != 0x80U) count += byte >= 0xf0U ? 2 : 1;
    }
    before_.push_back(count);
}

Json Letters::span(std::size_t begin, std::size_t end) const {
    const std::size_t last = before_.size() - 1;
    return {before_[std::min(begin, last)], before_[std::min(end, last)]};
}

// Nothing, where it stands in another file.
Json Studio::span_json(Span span) const {
    if (!file_ || span.file != *file_) return nullptr;
    return letters_.span(span.begin, span.end);
}

Json Studio::diagnostics() const {
    Json all = Json::array();
    for (const engine::Diagnostic& each : loaded_.diagnostics.sorted()) {
        if (all.size() == kMostDiagnostics) break;
        const auto at = loaded_.sources.line_column(each.span.file, each.span.begin);
        Json one = {{"code", each.code},
                    {"error", each.severity == engine::Severity::Error},
                    {"message", each.message},
                    {"hint", each.hint},
                    {"line", at.line},
                    {"column", at.column},
                    {"span", span_json(each.span)}};
        if (one["span"].is_null()) one["file"] = loaded_.sources.name(each.span.file);
        all.push_back(std::move(one));
    }
    return all;
}

void Studio::begin(const std::string& group, std::uint64_t seed) {
    state_ = game_ != nullptr ? game_->initial() : program_->initial_state();
    if (game_ == nullptr || group == "setup") return;
    const auto position = game_->new_position();
    games::Random deal = games::stream(seed, 0, games::Purpose::Deal);
    position->start(deal);
    if (position->ending() != games::Ending::None) return;
    Json state = to_json(position->state());
    if (group == "moves") {
        set_state(state.dump());
        return;
    }
    const std::string move(position->text(position->move(0)));
    // A move that spells a number is one, unless the shape says that it is a name.
    if (Json::accept(move)) {
        state["move"] = Json::parse(move);
        if (set_state(state.dump()).is_null()) return;
    }
    state["move"] = move;
    set_state(state.dump());
}

Json Studio::set_state(const std::string& text) {
    engine::State state = program_->initial_state();
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    const std::uint32_t file = sources.add("state", text);
    if (const auto document = engine::read_json(sources, file, diagnostics))
        program_->import(state, *document, diagnostics);
    if (!diagnostics.has_errors()) {
        state_ = std::move(state);
        return nullptr;
    }
    Json all = Json::array();
    for (const engine::Diagnostic& each : diagnostics.sorted()) {
        const auto at = sources.line_column(each.span.file, each.span.begin);
        all.push_back({{"message", each.message}, {"line", at.line}, {"column", at.column}});
    }
    return all;
}

Json Studio::state_json() const {
    return to_json(state_->export_document());
}

Json Studio::rule_json(engine::RuleId rule) const {
    const engine::RulePlan& plan = program_->rules[rule];
    Json json = {{"name", plan.name}, {"span", span_json(plan.span)}};
    if (!plan.source->doc.empty()) json["doc"] = plan.source->doc;
    return json;
}

Json Studio::groups() const {
    Json all = Json::array();
    std::vector<std::pair<engine::GroupId, Json>> named;
    for (engine::RuleId rule = 0; rule < program_->rules.size(); ++rule) {
        const engine::RulePlace place = engine::place_of(*program_, rule);
        Json json = rule_json(rule);
        json["depth"] = place.around.size();
        if (named.empty() || named.back().first != place.group)
            named.emplace_back(place.group, Json::array());
        named.back().second.push_back(std::move(json));
    }
    for (auto& [group, rules] : named)
        all.push_back({{"name", program_->groups[group].name},
                       {"agenda", program_->groups[group].mode == engine::GroupMode::Agenda},
                       {"rules", std::move(rules)}});
    return all;
}

Json Studio::firing_json(const engine::Stand::Firing& firing, engine::State& state,
                         const engine::Random& random) const {
    Json json = rule_json(firing.rule);
    if (firing.otherwise) json["else"] = true;
    json["match"] = values_json(firing.match);
    json["nodes"] = Json::array();
    if (!engine::place_of(*program_, firing.rule).around.empty()) return json;
    const engine::Standing standing =
        engine::standing_matches(*program_, firing.rule, state, random, kMostMatches, kBudgets);
    for (const engine::Standing::Match& match : standing.matches)
        if (match.values == firing.match) json["nodes"] = match.nodes;
    return json;
}

Json Studio::why_json(engine::RuleId rule, engine::State& state,
                      const engine::Random& random) const {
    Json json = rule_json(rule);
    json["matches"] = Json::array();
    // What stands in other rules has matches only while these act.
    if (engine::place_of(*program_, rule).around.empty()) {
        const engine::Standing standing =
            engine::standing_matches(*program_, rule, state, random, kMostMatches, kBudgets);
        for (const engine::Standing::Match& match : standing.matches)
            json["matches"].push_back(
                {{"values", values_json(match.values)}, {"nodes", match.nodes}});
        json["count"] = standing.count;
        if (standing.error) json["error"] = error_text(*standing.error, loaded_.sources);
    }
    engine::Random same = random;
    const engine::Why why = engine::explain(*program_, rule, state, same, kBudgets);
    json["fires"] = why.fires();
    json["text"] = engine::to_text(why, loaded_.sources);
    json["entries"] = Json::array();
    for (const engine::EntryCount& entry : why.entries)
        json["entries"].push_back({{"span", span_json(entry.span)},
                                   {"reached", entry.reached},
                                   {"passed", entry.passed}});
    if (why.furthest)
        json["stop"] = {{"span", span_json(why.furthest->span)},
                        {"says", engine::to_sentence(*why.furthest, loaded_.sources)},
                        {"node", why.furthest->node},
                        {"bound", values_json(why.furthest->bound)}};
    return json;
}

Json Studio::look(const Asked& asked) const {
    const engine::GroupId group = program_->group_id(asked.group);
    if (group == engine::kNone) throw Refused(Refused::Why::Wrong, "There is no such group.");
    std::vector<engine::RuleId> until;
    for (const std::string& name : asked.until)
        if (const engine::RuleId rule = program_->rule_id(name); rule != engine::kNone)
            until.push_back(rule);
    engine::State state = *state_;
    const engine::Random random(asked.seed);
    const engine::Stand stand =
        engine::stand_after(*program_, group, state, random, asked.firings, until, kBudgets);
    Json json = {{"group", asked.group},
                 {"firings", stand.firings},
                 {"ended", stand.ended},
                 {"state", to_json(state.export_document())},
                 {"printed", stand.printed}};
    if (game_ != nullptr) {
        json["scene"] =
            tournaments::scene_json(games::Drawer(*game_).draw(state.export_document()));
        json["players"] = game_->facts().players;
    }
    if (stand.error) json["error"] = error_text(*stand.error, loaded_.sources);
    if (stand.next) json["next"] = firing_json(*stand.next, state, random);
    if (!stand.agenda.empty()) {
        json["agenda"] = Json::array();
        for (const engine::Stand::Activation& one : stand.agenda)
            json["agenda"].push_back({{"rule", program_->rules[one.rule].name},
                                      {"salience", one.salience},
                                      {"fired", one.fired},
                                      {"match", values_json(one.match)}});
    }
    if (asked.rule.empty()) return json;
    const engine::RuleId rule = program_->rule_id(asked.rule);
    if (rule != engine::kNone) json["rule"] = why_json(rule, state, random);
    return json;
}

Json Studio::heat(const Asked& asked) const {
    Json all = Json::array();
    const engine::GroupId group = program_->group_id(asked.group);
    if (group == engine::kNone) return all;
    engine::State state = *state_;
    engine::Profile profile(*program_);
    engine::Gauge gauge(*program_, kBudgets, true);
    gauge.measure(group, state, engine::Random(asked.seed), profile);
    for (const engine::RuleRow& row : engine::rows(*program_, profile)) {
        for (const engine::EntryRow& entry : row.entries) {
            if (entry.cost.tried == 0 || all.size() == kMostEntries) continue;
            Json span = span_json(entry.span);
            if (!span.is_null()) all.push_back({span[0], entry.cost.tried, entry.cost.passed});
        }
    }
    return all;
}

} // namespace croupier::serve
