// Finds out which text is meant, and what is asked of it.
#include "tournaments/serve/rules_desk.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <system_error>

namespace croupier::serve {
namespace {

namespace fs = std::filesystem;
using Why = Refused::Why;

constexpr int kMostLooking = 4; // at a time
constexpr std::size_t kMostName = 40;
constexpr std::uint64_t kMostFirings = 100'000;

bool is_program(const nlohmann::json& asked) {
    return asked.value("game", "").ends_with(".clp"); // of CLIPS
}

} // namespace

std::optional<Answer> RulesDesk::get(const Question& question) {
    if (!question.is(1, "rules") && !question.is(2, "api", "rules")) return std::nullopt;
    question.must_be_trusted();
    if (question.is(1, "rules")) return answer_asset("rules.html");
    return answer_json(text_of(question.parameter("id")));
}

std::optional<Answer> RulesDesk::post(const Question& question) {
    if (!question.is(3, "api", "rules")) return std::nullopt;
    question.must_be_trusted();
    if (question.parts[2] == "keep") return answer_json(keep(question.body));
    if (question.parts[2] != "look") return std::nullopt;
    struct Place {
        explicit Place(std::atomic<int>& all) : of(all), number(++of) {}
        ~Place() { --of; }
        std::atomic<int>& of;
        int number;
    };
    const Place place(looking_);
    if (place.number > kMostLooking)
        throw Refused(Why::Busy, "Others are looking at rules; try again in a moment.");
    return answer_json(look(question.body));
}

RulesDesk::Json RulesDesk::text_of(const std::string& id) const {
    const auto entry = catalogue_.find(id);
    if (!entry) throw Refused(Why::Unknown, "There is no such game.");
    engine::FileText file = open_(catalogue_.file_of(*entry));
    if (!file.text) throw Refused(Why::Unknown, catalogue_.without_folders(file.error));
    return {{"id", id}, {"own", entry->own}, {"keeps", !own_.empty()}, {"text", *file.text}};
}

// A draft of a game stands in its place, so that what it includes is found; one of none stands in
// the folder of own rules.
Draft RulesDesk::draft_of(const nlohmann::json& asked) const {
    const auto entry = catalogue_.find(asked.value("game", ""));
    return {entry ? catalogue_.file_of(*entry) : (fs::path(own_) / "draft.json").string(),
            asked.at("text").get<std::string>(), open_};
}

RulesDesk::Json RulesDesk::diagnostics_of(const Studio& studio) const {
    Json all = studio.diagnostics();
    for (Json& each : all)
        if (each.contains("file"))
            each["file"] = catalogue_.without_folders(each["file"].get<std::string>());
    return all;
}

RulesDesk::Json RulesDesk::look(const nlohmann::json& asked) const {
    if (is_program(asked))
        return look_at_program(catalogue_.clips(), asked.at("text").get<std::string>(), asked);
    Studio studio(draft_of(asked));
    Json json = {{"diagnostics", diagnostics_of(studio)}, {"good", studio.good()}};
    if (!studio.good()) return json;
    json["groups"] = studio.groups();
    Studio::Asked what;
    what.group = asked.value("group", "");
    what.firings = std::min(asked.value("firings", std::uint64_t{0}), kMostFirings);
    what.until = asked.value("until", std::vector<std::string>());
    what.seed = asked.value("seed", std::uint64_t{1});
    what.rule = asked.value("rule", "");
    const bool known = std::any_of(json["groups"].begin(), json["groups"].end(),
                                   [&](const Json& group) { return group["name"] == what.group; });
    if (!known) {
        if (json["groups"].empty()) return json;
        what.group = json["groups"][0]["name"].get<std::string>();
        for (const Json& group : json["groups"]) // what a game asks first
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

// A file of its own, so that it stays what it is whatever becomes of the game that it came from.
RulesDesk::Json RulesDesk::keep(const nlohmann::json& asked) const {
    if (own_.empty())
        throw Refused(Why::Wrong,
                      "Nothing can be kept: start croupier serve with --rules and a folder.");
    const std::string name = asked.at("name").get<std::string>();
    const bool word = !name.empty() && name.size() <= kMostName &&
                      std::all_of(name.begin(), name.end(), [](unsigned char letter) {
                          return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
                      });
    if (!word) throw Refused(Why::Wrong, "A name has letters, digits, - and _, 40 at most.");
    const bool program = is_program(asked);
    const fs::path file = fs::path(own_) / (name + (program ? ".clp" : ".json"));
    std::error_code failed;
    if (fs::exists(file, failed) && !asked.value("replace", false))
        throw Refused(Why::Stale, "There is one of that name already.");
    const Draft draft = draft_of(asked);
    if (program ? !look(asked)["good"] : !Studio(draft).good())
        throw Refused(Why::Wrong, "It has mistakes: mend them first, they are told beside it.");
    std::string text = draft.text;
    if (!program && text.find("@include") != std::string::npos) {
        const std::vector<std::string> paths = {draft.path};
        const engine::Exported whole =
            engine::export_rules(paths, [&](const std::string& path) { return draft.read(path); });
        if (!whole.document) throw Refused(Why::Wrong, "It cannot be made one file.");
        text = engine::write_json(*whole.document) + "\n";
    }
    if (const std::string wrong = write_(file, text); !wrong.empty())
        throw Refused(Why::Busy, catalogue_.without_folders(wrong));
    return {{"id", "own/" + name + (program ? ".clp" : "")}};
}

} // namespace croupier::serve
