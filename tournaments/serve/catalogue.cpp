// Finds and opens games, makes agents.
#include "tournaments/serve/catalogue.h"

#include "engine/api/text.h"
#include "tournaments/serve/refused.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

namespace croupier::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using Reason = Refused::Reason;

std::vector<fs::directory_entry> sorted_entries(const fs::path& folder) {
    std::vector<fs::directory_entry> entries;
    std::error_code failed;
    for (fs::directory_iterator each(folder, failed), end; !failed && each != end;
         each.increment(failed))
        entries.push_back(*each);
    std::sort(entries.begin(), entries.end());
    return entries;
}

bool is_rule_file(const fs::directory_entry& entry) {
    std::error_code failed;
    return entry.path().extension() == ".json" && entry.is_regular_file(failed);
}

bool is_program(const fs::path& path) {
    return path.extension() == ".clp"; // a CLIPS program
}

} // namespace

Catalogue::Catalogue(games::Registry shipped, std::string own, engine::FileOpener open,
                     std::string agents, std::vector<std::string> programs)
    : shipped_(std::move(shipped)), own_(std::move(own)), open_(std::move(open)),
      agents_(std::move(agents)), programs_(std::move(programs)) {}

std::vector<Catalogue::Entry> Catalogue::entries() const {
    std::vector<Entry> all;
    if (!own_.empty()) {
        for (const fs::directory_entry& entry : sorted_entries(own_)) {
            std::error_code failed;
            if (is_rule_file(entry)) {
                all.push_back(
                    {"own/" + entry.path().stem().string(), {entry.path().string(), ""}, true});
            } else if (is_program(entry.path()) && entry.is_regular_file(failed)) {
                all.push_back(
                    {"own/" + entry.path().filename().string(), {entry.path().string(), ""}, true});
            } else if (fs::is_regular_file(entry.path() / "rules.json", failed)) {
                const std::string id = "own/" + entry.path().filename().string();
                all.push_back({id, {entry.path().string(), ""}, true});
                for (const fs::directory_entry& file : sorted_entries(entry.path())) {
                    const std::string stem = file.path().stem().string();
                    if (is_rule_file(file) && stem != "rules")
                        all.push_back({id + ":" + stem, {entry.path().string(), stem}, true});
                }
            }
        }
    }
    for (const games::GameEntry& entry : shipped_.entries())
        all.push_back({entry.title(), {entry.name, entry.revision}, false});
    return all;
}

std::optional<Catalogue::Entry> Catalogue::find(std::string_view id) const {
    for (Entry& entry : entries())
        if (entry.id == id) return std::move(entry);
    return std::nullopt;
}

std::string Catalogue::file_of(const Entry& entry) const {
    std::string error;
    std::string file = shipped_.find(entry.name, error);
    if (file.empty()) throw Refused(Reason::Unknown, without_folders(error));
    return file;
}

std::shared_ptr<const games::Game>
Catalogue::open(const games::GameName& name, std::span<const games::GameOption> options) const {
    games::OpenedGame opened = shipped_.open(name, options);
    if (opened.game != nullptr) return std::move(opened.game);
    refuse(opened.error, opened.diagnostics, opened.sources);
}

void Catalogue::refuse(std::string what, const engine::Diagnostics& diagnostics,
                       const engine::Sources& sources) const {
    for (const engine::Diagnostic& diagnostic : diagnostics.sorted())
        what += (what.empty() ? "" : "\n") + engine::format(diagnostic, sources);
    throw Refused(Reason::Wrong, without_folders(what));
}

std::vector<std::string> Catalogue::programs() const {
    std::vector<std::string> names;
    for (const std::string& program : programs_)
        names.push_back(agents::parse_agent_spec(program).name);
    return names;
}

std::optional<std::string> Catalogue::program(const std::string& name) const {
    for (const std::string& program : programs_)
        if (agents::parse_agent_spec(program).name == name) return program;
    return std::nullopt;
}

std::unique_ptr<agents::Agent> Catalogue::make_agent(const std::string& spec,
                                                     agents::AgentServices around) const {
    constexpr std::size_t kMax = 300; // bytes
    if (spec.size() > kMax) throw Refused(Reason::Wrong, "That is too long for an agent.");
    const auto known = program(spec);
    around.open = open_;
    around.folder = agents_;
    around.starts_programs = known.has_value();
    agents::MadeAgent made =
        agents::make_agent(agents::parse_agent_spec(known.value_or(spec)), around);
    if (made.agent == nullptr) refuse(made.error, made.diagnostics, made.sources);
    return std::move(made.agent);
}

std::string Catalogue::without_folders(std::string text) const {
    for (const std::string& folder : {own_, shipped_.folder(), agents_}) {
        const std::string start = (fs::path(folder) / "").string();
        for (std::size_t at = 0; !folder.empty() && (at = text.find(start, at)) != text.npos;)
            text.erase(at, start.size());
    }
    return text;
}

ordered_json options_json(const std::vector<games::GameOption>& options) {
    ordered_json json = ordered_json::object();
    for (const games::GameOption& option : options)
        json[option.name] = ordered_json::parse(engine::scalar_json(option.value));
    return json;
}

ordered_json facts_json(const games::Game& game) {
    const games::Facts& facts = game.facts();
    ordered_json options = ordered_json::array();
    for (const games::GameOption& option : facts.options) {
        ordered_json one = {{"name", option.name},
                            {"value", ordered_json::parse(engine::scalar_json(option.value))}};
        // A list of values, or a text that describes them: "1..100000".
        if (const engine::Member* values = facts.option_values.find(option.name))
            one["values"] = ordered_json::parse(engine::write_json(values->value, -1));
        if (!option.doc.empty()) one["doc"] = option.doc;
        options.push_back(std::move(one));
    }
    ordered_json teams = ordered_json::array();
    for (const games::Team& team : facts.teams)
        teams.push_back({{"name", team.name}, {"seats", team.seats}});
    return {{"title", facts.title()},    {"doc", facts.doc},     {"players", facts.players},
            {"teams", std::move(teams)}, {"hides", facts.hides}, {"options", std::move(options)}};
}

std::vector<games::GameOption> options_from(const nlohmann::json& settings) {
    constexpr std::size_t kMax = 200;
    if (!settings.is_object() || settings.size() > kMax)
        throw Refused(Reason::Wrong, "options are an object");
    std::vector<games::GameOption> options;
    for (const auto& [name, value] : settings.items()) {
        if (!value.is_string()) throw Refused(Reason::Wrong, "options are texts");
        options.push_back({name, games::parse_setting_value(value.get<std::string>())});
    }
    return options;
}

std::string file_word(std::string_view word, std::size_t most) {
    std::string name(word.substr(0, most));
    std::replace_if(
        name.begin(), name.end(),
        [](unsigned char letter) { return std::isalnum(letter) == 0 && letter != '_'; }, '-');
    return name;
}

} // namespace croupier::serve
