// run.json to and from text.
#include "results/store/run_file.h"

#include "results/store/profile_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace croupier::results {
namespace {

using nlohmann::ordered_json;

constexpr int kFormat = 1;

ordered_json facts_json(const RunFacts& facts) {
    ordered_json teams = ordered_json::array();
    for (const TeamFacts& team : facts.teams)
        teams.push_back({{"name", team.name}, {"seats", team.seats}});
    ordered_json json = {{"game", facts.game},
                         {"players", facts.players},
                         {"teams", teams},
                         {"agents", facts.agents},
                         {"seed", facts.seed}};
    if (!facts.irreproducible.empty()) json["irreproducible"] = facts.irreproducible;
    return json;
}

RunFacts read_facts(const ordered_json& json) {
    RunFacts facts;
    json.at("game").get_to(facts.game);
    json.at("players").get_to(facts.players);
    json.at("agents").get_to(facts.agents);
    json.at("seed").get_to(facts.seed);
    if (json.contains("irreproducible")) json["irreproducible"].get_to(facts.irreproducible);
    for (const ordered_json& team : json.at("teams")) {
        facts.teams.push_back({team.at("name").get<std::string>(),
                               team.at("seats").get<std::vector<std::uint32_t>>()});
    }
    return facts;
}

RunFile read_run(const ordered_json& json) {
    RunFile run;
    json.at("program").get_to(run.program);
    run.facts = read_facts(json.at("facts"));
    json.at("ruleset").get_to(run.ruleset);
    run.specification = json.at("specification");
    for (const ordered_json& input : json.at("inputs")) {
        run.inputs.push_back({input.at("path").get<std::string>(),
                              input.at("copy").get<std::string>(),
                              input.at("hash").get<std::string>()});
    }
    run.has_profile = json.contains("profile");
    if (run.has_profile) run.profile = read_profile(json.at("profile"));
    json.at("shard").get_to(run.shard);
    json.at("shards").get_to(run.shards);
    json.at("machine").get_to(run.machine);
    json.at("started").get_to(run.started);
    json.at("folder").get_to(run.folder);
    return run;
}

// Whether indices lead somewhere.
bool fits(const RunFile& run) {
    const std::vector<RuleFacts>& rules = run.profile.rules;
    const auto has_agent = [&](const RuleFacts& rule) {
        return !rule.agent || *rule.agent < run.facts.agents.size();
    };
    const auto has_rules = [&](const OptionFacts& option) {
        return std::all_of(option.uses.begin(), option.uses.end(),
                           [&](const OptionFacts::Use& use) { return use.rule < rules.size(); });
    };
    return std::all_of(rules.begin(), rules.end(), has_agent) &&
           std::all_of(run.profile.options.begin(), run.profile.options.end(), has_rules);
}

} // namespace

std::string to_json_text(const RunFile& run) {
    ordered_json inputs = ordered_json::array();
    for (const InputFile& input : run.inputs)
        inputs.push_back({{"path", input.path}, {"copy", input.copy}, {"hash", input.hash}});
    const ordered_json json = {{"format", kFormat},
                               {"program", run.program},
                               {"specification", run.specification},
                               {"facts", facts_json(run.facts)},
                               {"ruleset", run.ruleset},
                               {"inputs", inputs},
                               {"profile", to_json(run.profile)},
                               {"shard", run.shard},
                               {"shards", run.shards},
                               {"machine", run.machine},
                               {"started", run.started},
                               {"folder", run.folder}};
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Failure read_run_file(const std::string& folder, RunFile& run) {
    const std::string path = (std::filesystem::path(folder) / kRunFile).string();
    std::string text;
    if (Failure failure = read_file(path, text)) return failure;
    try {
        const ordered_json json = ordered_json::parse(text);
        const int format = json.at("format").get<int>();
        if (format != kFormat) {
            return fmt::format("{}: has format {}, and this program reads format {}", path, format,
                               kFormat);
        }
        run = read_run(json);
        if (!fits(run)) return path + ": is damaged: a rule or an agent is named that is not there";
    } catch (const ordered_json::exception& error) {
        return fmt::format("{}: is damaged: {}", path, error.what());
    }
    return {};
}

} // namespace croupier::results
