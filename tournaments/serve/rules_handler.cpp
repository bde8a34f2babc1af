// Compiles and runs drafts of rulesets and programs, and serves their addresses.
#include "tournaments/serve/rules_handler.h"

#include "games/clips/program.h"
#include "games/contract/streams.h"
#include "games/drawing/drawer.h"
#include "results/store/file.h"
#include "tournaments/replay/recorder.h"
#include "tournaments/serve/refused.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <regex>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

namespace croupier::serve {

// Compiles a draft and asks the engine about it.

namespace {

namespace fs = std::filesystem;
using engine::Span;
using Json = nlohmann::ordered_json;
using Reason = Refused::Reason;

constexpr std::size_t kMaxDiagnostics = 100;
constexpr std::size_t kMaxMatches = 100;
constexpr std::size_t kMaxEntries = 2000;
// Budgets for a page's rules: some seconds at most.
constexpr engine::Budgets kBudgets{
    .matches_per_rule = 100'000, .firings = 100'000, .steps = 20'000'000, .nodes = 1'000'000};
constexpr int kMaxLooking = 4; // at a time
constexpr std::size_t kMaxName = 40;
constexpr std::uint64_t kMaxFirings = 100'000;
// Budgets for a CLIPS program.
constexpr std::uint64_t kMaxClipsFirings = 100'000;
constexpr std::uint64_t kMaxSteps = 2'000'000;
constexpr std::size_t kMemory = std::size_t{256} << 20;
constexpr std::size_t kMaxSaid = std::size_t{1} << 16;
constexpr std::chrono::seconds kPatience{30};

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

bool is_program(const nlohmann::json& asked) {
    return asked.value("game", "").ends_with(".clp"); // a CLIPS program
}

// Shows a CLIPS program in the form that the studio uses for rulesets.

// Ends a program that takes too long in a way that no budget counts.
class Guard {
  public:
    explicit Guard(const games::clips::Program& program)
        : thread_([this, &program](const std::stop_token& over) {
              std::unique_lock lock(mutex_);
              changed_.wait_for(lock, over, kPatience, [] { return false; });
              if (!over.stop_requested()) program.kill();
          }) {}

  private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::jthread thread_; // destroyed before what it waits on
};

// The end of a list that begins there.
std::size_t end_of_list(const std::string& text, std::size_t at) {
    int depth = 0;
    bool quoted = false;
    for (; at < text.size(); ++at) {
        if (quoted) {
            if (text[at] == '\\')
                ++at;
            else if (text[at] == '"')
                quoted = false;
        } else if (text[at] == ';') {
            at = std::min(text.find('\n', at), text.size() - 1);
        } else if (text[at] == '"') {
            quoted = true;
        } else if (text[at] == '(') {
            ++depth;
        } else if (text[at] == ')' && --depth == 0) {
            return at + 1;
        }
    }
    return text.size();
}

class Looker {
  public:
    Looker(games::clips::Program& program, const std::string& text, std::string& said)
        : program_(program), text_(text), said_(said), letters_(text) {
        static const std::regex kRule(R"re(\(\s*defrule\s+(?:MAIN::)?([^\s()";]+))re");
        for (std::sregex_iterator one(text.begin(), text.end(), kRule), end; one != end; ++one) {
            const auto begin = static_cast<std::size_t>(one->position());
            places_.emplace((*one)[1], letters_.span(begin, end_of_list(text, begin)));
        }
    }

    Json look(const nlohmann::json& asked) {
        const bool good = program_.load({"program", text_});
        Json json = {
            {"clips", true}, {"diagnostics", good ? Json::array() : diagnostics()}, {"good", good}};
        if (!good) return json;
        Json rules = Json::array();
        for (const std::string& rule : program_.rules()) {
            rules.push_back(named(rule));
            rules.back()["depth"] = 0;
        }
        json["groups"] =
            Json::array({{{"name", "program"}, {"agenda", true}, {"rules", std::move(rules)}}});
        const bool heat = asked.value("heat", false);
        if (heat) program_.profile();
        const std::int64_t fired = run(asked);
        for (const games::clips::ListedFact& fact : program_.facts())
            facts_[fact.index] = fact.text;
        json["look"] = stand(fired, asked.value("rule", ""));
        json["heat"] = Json::array();
        for (const games::clips::ConstructCost& cost :
             heat ? program_.costs() : decltype(program_.costs()){})
            if (const auto at = places_.find(cost.name);
                cost.kind == "defrule" && at != places_.end())
                json["heat"].push_back({at->second[0], cost.entries, cost.entries});
        if (!asked.value("state", "").empty())
            json["state_wrong"] = Json::array(
                {{{"message", "facts come from the text of the program: change them there"},
                  {"line", 1},
                  {"column", 1}}});
        return json;
    }

  private:
    // The library's messages while reading: "program:7:", the error, the construct.
    [[nodiscard]] Json diagnostics() const {
        Json all = Json::array();
        static const std::regex kError(R"(program:(\d+):\s*\[(\w+)\] ([^\n]*))");
        for (std::sregex_iterator one(said_.begin(), said_.end(), kError), end; one != end; ++one) {
            const std::size_t line = std::stoul((*one)[1]);
            std::size_t begin = 0;
            for (std::size_t passed = 1; passed < line && begin < text_.size(); ++passed)
                begin = std::min(text_.find('\n', begin), text_.size() - 1) + 1;
            all.push_back(
                {{"error", true},
                 {"code", (*one)[2].str()},
                 {"message", (*one)[3].str()},
                 {"hint", ""},
                 {"line", line},
                 {"column", 1},
                 {"span", letters_.span(begin, std::min(text_.find('\n', begin), text_.size()))}});
        }
        return all;
    }

    [[nodiscard]] Json named(const std::string& rule) const {
        const auto at = places_.find(rule);
        return {{"name", rule}, {"span", at == places_.end() ? Json() : at->second}};
    }

    std::int64_t run(const nlohmann::json& asked) {
        program_.reset();
        for (const games::clips::ListedFact& fact : program_.facts()) // as in a game
            if (fact.text.starts_with("(game-strategy "))
                program_.set_strategy(fact.text.substr(15, fact.text.size() - 16));
        program_.seed(static_cast<std::uint32_t>(asked.value("seed", std::uint64_t{1})));
        program_.reset();
        said_.clear();
        const std::uint64_t wanted =
            std::min(asked.value("firings", std::uint64_t{0}), kMaxClipsFirings);
        std::int64_t fired =
            wanted == 0 ? 0 : program_.run(static_cast<std::int64_t>(wanted), kMaxSteps).fired;
        const auto until = asked.value("until", std::vector<std::string>());
        for (const std::string& rule : until)
            if (places_.contains(rule)) program_.command("(set-break " + rule + ")\n");
        if (!until.empty()) fired += program_.run(kMaxClipsFirings, kMaxSteps).fired;
        return fired;
    }

    [[nodiscard]] Json match(const std::string& basis) const {
        Json facts = Json::object();
        std::istringstream words(basis);
        for (std::string index; std::getline(words, index, ',');)
            if (facts_.contains(index)) facts[index] = facts_[index];
        return facts;
    }

    static Json keys(const Json& object) {
        Json all = Json::array();
        for (const auto& [key, value] : object.items())
            all.push_back(key);
        return all;
    }

    Json stand(std::int64_t fired, const std::string& rule) {
        Json look = {{"group", "program"},
                     {"firings", fired},
                     {"state", facts_},
                     {"printed", Json::array()},
                     {"agenda", Json::array()}};
        Json matches = Json::array(); // of the rule requested
        for (const games::clips::ListedActivation& one : program_.agenda()) {
            Json facts = match(one.basis);
            if (look["agenda"].empty()) {
                look["next"] = named(one.rule);
                look["next"].update({{"match", facts}, {"nodes", keys(facts)}});
            }
            if (one.rule == rule) matches.push_back({{"values", facts}, {"nodes", keys(facts)}});
            look["agenda"].push_back({{"rule", one.rule},
                                      {"salience", one.salience},
                                      {"fired", false},
                                      {"match", std::move(facts)}});
        }
        look["ended"] = look["agenda"].empty();
        std::istringstream lines(said_);
        for (std::string line; std::getline(lines, line);)
            look["printed"].push_back(line);
        const std::string why = rule.empty() ? "" : program_.why(rule);
        if (why.empty()) return look;
        look["rule"] = named(rule);
        look["rule"].update({{"count", matches.size()},
                             {"entries", Json::array()},
                             {"fires", false},
                             {"text", why}});
        if (matches.empty()) look["rule"]["error"] = why;
        look["rule"]["matches"] = std::move(matches);
        return look;
    }

    games::clips::Program& program_;
    const std::string& text_;
    std::string& said_;
    Letters letters_;
    std::map<std::string, Json> places_; // of rules
    Json facts_ = Json::object();
};

} // namespace

Studio::Studio(const Draft& draft) {
    games::OpenedRuleset opened =
        games::open_ruleset(draft.path, [&](const std::string& path) { return draft.read(path); });
    game_ = std::move(opened.game);
    if (game_ != nullptr) {
        games::warn_of_walks(game_->program(), games::kGroupsOfMoves, opened.diagnostics);
        loaded_ = {std::move(opened.sources), std::move(opened.diagnostics), {}};
        program_ = &game_->program();
        state_ = game_->initial();
    } else {
        loaded_ = engine::load_ruleset_text(draft.path, draft.text, draft.open);
        if (loaded_.ruleset) {
            own_ = std::make_unique<engine::Program>(*loaded_.ruleset);
            program_ = own_.get();
            state_ = program_->catalogue().initial_state();
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

// Null if it is in another file.
Json Studio::span_json(Span span) const {
    if (!file_ || span.file != *file_) return nullptr;
    return letters_.span(span.begin, span.end);
}

Json Studio::diagnostics() const {
    Json all = Json::array();
    for (const engine::Diagnostic& each : loaded_.diagnostics.sorted()) {
        if (all.size() == kMaxDiagnostics) break;
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
    state_ = game_ != nullptr ? game_->initial() : program_->catalogue().initial_state();
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
    // A move that spells a number is a number, unless the shape says that it is a name.
    if (Json::accept(move)) {
        state["move"] = Json::parse(move);
        if (set_state(state.dump()).is_null()) return;
    }
    state["move"] = move;
    set_state(state.dump());
}

Json Studio::set_state(const std::string& text) {
    engine::State state = program_->catalogue().initial_state();
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    const std::uint32_t file = sources.add("state", text);
    if (const auto document = engine::read_json(sources, file, diagnostics))
        program_->catalogue().import(state, *document, diagnostics);
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
    const engine::RulePlan& plan = program_->catalogue().rules[rule];
    Json json = {{"name", plan.name}, {"span", span_json(plan.span)}};
    if (!plan.source->doc.empty()) json["doc"] = plan.source->doc;
    return json;
}

Json Studio::groups() const {
    const engine::Catalogue& catalogue = program_->catalogue();
    Json all = Json::array();
    std::vector<std::pair<engine::GroupId, Json>> named;
    for (engine::RuleId rule = 0; rule < catalogue.rules.size(); ++rule) {
        const engine::RulePlace place = engine::place_of(catalogue, rule);
        Json json = rule_json(rule);
        json["depth"] = place.around.size();
        if (named.empty() || named.back().first != place.group)
            named.emplace_back(place.group, Json::array());
        named.back().second.push_back(std::move(json));
    }
    for (auto& [group, rules] : named)
        all.push_back({{"name", catalogue.groups[group].name},
                       {"agenda", catalogue.groups[group].mode == engine::GroupMode::Agenda},
                       {"rules", std::move(rules)}});
    return all;
}

Json Studio::firing_json(const engine::Stand::Firing& firing, engine::State& state,
                         const engine::Random& random) const {
    Json json = rule_json(firing.rule);
    if (firing.otherwise) json["else"] = true;
    json["match"] = values_json(firing.match);
    json["nodes"] = Json::array();
    if (!engine::place_of(program_->catalogue(), firing.rule).around.empty()) return json;
    const engine::Standing standing =
        engine::standing_matches(*program_, firing.rule, state, random, kMaxMatches, kBudgets);
    for (const engine::Standing::Match& match : standing.matches)
        if (match.values == firing.match) json["nodes"] = match.nodes;
    return json;
}

Json Studio::why_json(engine::RuleId rule, engine::State& state,
                      const engine::Random& random) const {
    Json json = rule_json(rule);
    json["matches"] = Json::array();
    // Nested rules have matches only while the outer rule acts.
    if (engine::place_of(program_->catalogue(), rule).around.empty()) {
        const engine::Standing standing =
            engine::standing_matches(*program_, rule, state, random, kMaxMatches, kBudgets);
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
    const engine::Catalogue& catalogue = program_->catalogue();
    const engine::GroupId group = catalogue.group_id(asked.group);
    if (group == engine::kNone) throw Refused(Reason::Wrong, "There is no such group.");
    std::vector<engine::RuleId> until;
    for (const std::string& name : asked.until)
        if (const engine::RuleId rule = catalogue.rule_id(name); rule != engine::kNone)
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
            json["agenda"].push_back({{"rule", catalogue.rules[one.rule].name},
                                      {"salience", one.salience},
                                      {"fired", one.fired},
                                      {"match", values_json(one.match)}});
    }
    if (asked.rule.empty()) return json;
    const engine::RuleId rule = catalogue.rule_id(asked.rule);
    if (rule != engine::kNone) json["rule"] = why_json(rule, state, random);
    return json;
}

Json Studio::heat(const Asked& asked) const {
    Json all = Json::array();
    const engine::GroupId group = program_->catalogue().group_id(asked.group);
    if (group == engine::kNone) return all;
    engine::State state = *state_;
    engine::Profile profile(program_->catalogue());
    engine::Gauge gauge(*program_, kBudgets, true);
    gauge.measure(group, state, engine::Random(asked.seed), profile);
    for (const engine::RuleRow& row : engine::rows(program_->catalogue(), profile)) {
        for (const engine::EntryRow& entry : row.entries) {
            if (entry.cost.tried == 0 || all.size() == kMaxEntries) continue;
            Json span = span_json(entry.span);
            if (!span.is_null()) all.push_back({span[0], entry.cost.tried, entry.cost.passed});
        }
    }
    return all;
}

// ---- a program of CLIPS -------------------------------------------------------------------------

Json look_at_program(const std::string& worker, const std::string& text,
                     const nlohmann::json& asked) {
    if (worker.empty()) throw Refused(Reason::Wrong, "There is no library of CLIPS in this build.");
    std::string said;
    const auto print = [&](std::string_view more, bool) {
        said += more.substr(0, kMaxSaid - std::min(kMaxSaid, said.size()));
    };
    try {
        games::clips::Program program(worker, {print, {}, {}}, kMemory);
        const Guard guard(program);
        return Looker(program, text, said).look(asked);
    } catch (const games::clips::Ended& end) {
        throw Refused(Reason::Wrong, end.code ? "The program has said (exit)." : end.what());
    }
}

// ---- the addresses ------------------------------------------------------------------------------

std::optional<Answer> RulesHandler::get(const Question& question) {
    if (!question.is(1, "rules") && !question.is(2, "api", "rules")) return std::nullopt;
    question.must_be_trusted();
    if (question.is(1, "rules")) return answer_asset("rules.html");
    return answer_json(text_of(question.parameter("id")));
}

std::optional<Answer> RulesHandler::post(const Question& question) {
    if (!question.is(3, "api", "rules")) return std::nullopt;
    question.must_be_trusted();
    if (question.parts[2] == "keep") return answer_json(keep(question.body));
    if (question.parts[2] != "look") return std::nullopt;
    const Slot slot(looking_, kMaxLooking, "Others are looking at rules; try again in a moment.");
    return answer_json(look(question.body));
}

RulesHandler::Json RulesHandler::text_of(const std::string& id) const {
    const auto entry = catalogue_.find(id);
    if (!entry) throw Refused(Reason::Unknown, "There is no such game.");
    engine::FileText file = catalogue_.opener()(catalogue_.file_of(*entry));
    if (!file.text) throw Refused(Reason::Unknown, catalogue_.without_folders(file.error));
    return {{"id", id},
            {"own", entry->own},
            {"keeps", !catalogue_.own().empty()},
            {"text", *file.text}};
}

// A draft of a game replaces its file, so that its includes are found; other drafts are in the
// folder of own rules.
Draft RulesHandler::draft_of(const nlohmann::json& asked) const {
    const auto entry = catalogue_.find(asked.value("game", ""));
    return {entry ? catalogue_.file_of(*entry)
                  : (fs::path(catalogue_.own()) / "draft.json").string(),
            asked.at("text").get<std::string>(), catalogue_.opener()};
}

RulesHandler::Json RulesHandler::diagnostics_of(const Studio& studio) const {
    Json all = studio.diagnostics();
    for (Json& each : all)
        if (each.contains("file"))
            each["file"] = catalogue_.without_folders(each["file"].get<std::string>());
    return all;
}

RulesHandler::Json RulesHandler::look(const nlohmann::json& asked) const {
    if (is_program(asked))
        return look_at_program(catalogue_.clips(), asked.at("text").get<std::string>(), asked);
    Studio studio(draft_of(asked));
    Json json = {{"diagnostics", diagnostics_of(studio)}, {"good", studio.good()}};
    if (!studio.good()) return json;
    json["groups"] = studio.groups();
    Studio::Asked what;
    what.group = asked.value("group", "");
    what.firings = std::min(asked.value("firings", std::uint64_t{0}), kMaxFirings);
    what.until = asked.value("until", std::vector<std::string>());
    what.seed = asked.value("seed", std::uint64_t{1});
    what.rule = asked.value("rule", "");
    const bool known = std::any_of(json["groups"].begin(), json["groups"].end(),
                                   [&](const Json& group) { return group["name"] == what.group; });
    if (!known) {
        if (json["groups"].empty()) return json;
        what.group = json["groups"][0]["name"].get<std::string>();
        for (const Json& group : json["groups"]) // the groups that a game runs first
            if (group["name"] == "moves") what.group = "moves";
    }
    const std::string state = asked.value("state", "");
    studio.begin(what.group, what.seed);
    json["state_wrong"] = state.empty() ? Json() : studio.set_state(state);
    json["start"] = studio.state_json();
    json["look"] = studio.look(what);
    if (json["look"].contains("rule"))
        json["look"]["rule"]["text"] =
            catalogue_.without_folders(json["look"]["rule"]["text"].get<std::string>());
    if (asked.value("heat", false)) json["heat"] = studio.heat(what);
    return json;
}

// Writes a file of its own, independent of the game that it came from.
RulesHandler::Json RulesHandler::keep(const nlohmann::json& asked) const {
    if (catalogue_.own().empty())
        throw Refused(Reason::Wrong,
                      "Nothing can be kept: start croupier serve with --rules and a folder.");
    const std::string name = asked.at("name").get<std::string>();
    const bool word = !name.empty() && name.size() <= kMaxName &&
                      std::all_of(name.begin(), name.end(), [](unsigned char letter) {
                          return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
                      });
    if (!word) throw Refused(Reason::Wrong, "A name has letters, digits, - and _, 40 at most.");
    const bool program = is_program(asked);
    const fs::path file = fs::path(catalogue_.own()) / (name + (program ? ".clp" : ".json"));
    std::error_code failed;
    if (fs::exists(file, failed) && !asked.value("replace", false))
        throw Refused(Reason::Stale, "That name is already in use.");
    const Draft draft = draft_of(asked);
    if (program ? !look(asked)["good"] : !Studio(draft).good())
        throw Refused(Reason::Wrong, "It has mistakes: fix the errors listed here first.");
    std::string text = draft.text;
    if (!program && text.find("@include") != std::string::npos) {
        const std::vector<std::string> paths = {draft.path};
        const engine::Exported whole =
            engine::export_rules(paths, [&](const std::string& path) { return draft.read(path); });
        if (!whole.document) throw Refused(Reason::Wrong, "It cannot be made one file.");
        text = engine::write_json(*whole.document) + "\n";
    }
    if (const auto wrong = results::replace_file(file.string(), text))
        throw Refused(Reason::Busy, catalogue_.without_folders(*wrong));
    return {{"id", "own/" + name + (program ? ".clp" : "")}};
}

} // namespace croupier::serve
