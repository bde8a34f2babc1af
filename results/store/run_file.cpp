// Converts run.json to and from text.
#include "results/store/run_file.h"

#include "results/store/json_field.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>

namespace croupier::results {

namespace {

using nlohmann::ordered_json;

// Rules, entries and options to and from JSON; defaults are left out.
ordered_json entry_json(const EntryFacts& entry) {
    ordered_json json = {{"text", entry.text}, {"depth", entry.depth}};
    if (entry.inverted) json["inverted"] = true;
    if (!entry.binds.empty()) json["binds"] = entry.binds;
    if (!entry.uses.empty()) json["uses"] = entry.uses;
    return json;
}

ordered_json rule_json(const RuleFacts& rule) {
    ordered_json json = {{"group", rule.group}, {"name", rule.name}, {"place", rule.place}};
    if (rule.agent) json["agent"] = *rule.agent;
    if (!rule.acts) json["acts"] = false;
    if (!rule.ordered) json["ordered"] = false;
    if (!rule.walks.empty()) json["walks"] = rule.walks;
    for (const EntryFacts& entry : rule.entries)
        json["entries"].push_back(entry_json(entry));
    return json;
}

ordered_json option_json(const OptionFacts& option) {
    ordered_json uses = ordered_json::array();
    for (const OptionFacts::Use& use : option.uses) {
        uses.push_back({{"rule", use.rule}});
        if (use.entry != kNothing) uses.back()["entry"] = use.entry;
    }
    return {{"name", option.name}, {"value", option.value}, {"uses", uses}};
}

constexpr std::size_t kMaxDepth = 100'000; // of entries in conditions: more than possible

std::vector<std::string> read_names(const JsonField& json, const char* name) {
    const auto names = json.find(name);
    return names ? names->texts() : std::vector<std::string>();
}

bool read_truth(const JsonField& json, const char* name, bool otherwise) {
    const auto truth = json.find(name);
    return truth ? truth->truth() : otherwise;
}

EntryFacts read_entry(const JsonField& json) {
    return {json.at("text").text(), json.at("depth").index(kMaxDepth),
            read_truth(json, "inverted", false), read_names(json, "binds"),
            read_names(json, "uses")};
}

RuleFacts read_rule(const JsonField& json, std::size_t agents) {
    RuleFacts rule;
    if (const auto agent = json.find("agent")) rule.agent = agent->index(agents);
    rule.group = json.at("group").text();
    rule.name = json.at("name").text();
    rule.place = json.at("place").text();
    rule.acts = read_truth(json, "acts", true);
    rule.ordered = read_truth(json, "ordered", true);
    rule.walks = read_names(json, "walks");
    if (const auto entries = json.find("entries"))
        for (const JsonField& entry : entries->items())
            rule.entries.push_back(read_entry(entry));
    return rule;
}

OptionFacts read_option(const JsonField& json, const std::vector<RuleFacts>& rules) {
    OptionFacts option{json.at("name").text(), json.at("value").text(), {}};
    for (const JsonField& use : json.at("uses").items()) {
        OptionFacts::Use& read = option.uses.emplace_back();
        read.rule = use.at("rule").index(rules.size());
        const std::size_t entries = rules[read.rule].entries.size(); // 0 if not watched
        if (const auto entry = use.find("entry"))
            read.entry = entry->index(entries > 0 ? entries : kNothing);
    }
    return option;
}

constexpr int kFormat = 2;
constexpr std::uint64_t kMaxSeed = std::numeric_limits<std::int64_t>::max();

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
    if (!facts.oracles.empty()) json["oracles"] = facts.oracles;
    if (facts.starts != 0) json["starts"] = facts.starts;
    return json;
}

RunFacts read_facts(const JsonField& json) {
    RunFacts facts;
    facts.game = json.at("game").text();
    facts.players = json.at("players").texts();
    facts.agents = json.at("agents").texts();
    if (facts.players.empty()) json.at("players").wrong("nobody plays");
    if (facts.agents.empty()) json.at("agents").wrong("nobody plays");
    facts.seed = json.at("seed").number(0, kMaxSeed);
    if (const auto names = json.find("irreproducible")) facts.irreproducible = names->texts();
    if (const auto names = json.find("oracles")) facts.oracles = names->texts();
    if (const auto starts = json.find("starts")) facts.starts = starts->number(1, kMaxSeed);
    for (const JsonField& team : json.at("teams").items()) {
        TeamFacts& read = facts.teams.emplace_back();
        read.name = team.at("name").text();
        for (const JsonField& seat : team.at("seats").items())
            read.seats.push_back(seat.index(facts.players.size()));
        if (read.seats.empty()) team.at("seats").wrong("the team has no seat");
    }
    return facts;
}

InputFile read_input(const JsonField& json) {
    InputFile input{json.at("path").text(), json.at("copy").text(), json.at("hash").text(), {}};
    if (const auto agents = json.find("agents")) input.agents = agents->texts();
    // The author of a shared folder must not choose which files others read.
    const std::filesystem::path copy(input.copy);
    if (copy.parent_path() != "inputs" || copy.filename() == "..")
        json.at("copy").wrong("expected a file in inputs/");
    return input;
}

RunFile read_run(const JsonField& json) {
    RunFile run;
    run.program = json.at("program").text();
    run.facts = read_facts(json.at("facts"));
    run.ruleset = json.at("ruleset").text();
    const JsonField specification = json.at("specification");
    if (!specification.value().is_object()) specification.wrong("expected an object");
    run.specification = specification.value().dump();
    for (const JsonField& input : json.at("inputs").items())
        run.inputs.push_back(read_input(input));
    const auto keep = keep_of(json.at("keep").text());
    if (!keep) json.at("keep").wrong("expected none, faults or all");
    run.keep = *keep;
    run.profile = read_profile(json.at("profile"), run.facts.agents.size());
    run.coverage = json.at("coverage").truth();
    run.shards = json.at("shards").number(1, kMaxShards);
    run.shard = json.at("shard").number(1, run.shards);
    run.machine = json.at("machine").text();
    run.started = json.at("started").text();
    run.folder = json.at("folder").text();
    run.command = json.at("command").text();
    return run;
}

void refuse_other_formats(const JsonField& json) {
    const auto format = json.at("format").number(0, std::numeric_limits<int>::max());
    if (format != kFormat)
        json.at("format").wrong(
            fmt::format("this program reads format {}, found {}", kFormat, format));
}

} // namespace

ordered_json to_json(const ProfileFacts& facts) {
    ordered_json rules = ordered_json::array();
    for (const RuleFacts& rule : facts.rules)
        rules.push_back(rule_json(rule));
    ordered_json options = ordered_json::array();
    for (const OptionFacts& option : facts.options)
        options.push_back(option_json(option));
    return {{"mode", name_of(facts.mode)}, {"rules", rules}, {"options", options}};
}

ProfileFacts read_profile(const JsonField& json, std::size_t agents) {
    ProfileFacts facts;
    const JsonField mode = json.at("mode");
    const auto known = profile_mode_of(mode.text());
    if (!known) mode.wrong("expected off, sample or full");
    facts.mode = *known;
    for (const JsonField& rule : json.at("rules").items())
        facts.rules.push_back(read_rule(rule, agents));
    for (const JsonField& option : json.at("options").items())
        facts.options.push_back(read_option(option, facts.rules));
    return facts;
}

std::string to_json_text(const RunFile& run) {
    ordered_json inputs = ordered_json::array();
    for (const InputFile& input : run.inputs) {
        inputs.push_back({{"path", input.path}, {"copy", input.copy}, {"hash", input.hash}});
        if (!input.agents.empty()) inputs.back()["agents"] = input.agents;
    }
    return with_checksum({{"format", kFormat},
                          {"program", run.program},
                          {"specification", ordered_json::parse(run.specification)},
                          {"facts", facts_json(run.facts)},
                          {"ruleset", run.ruleset},
                          {"inputs", inputs},
                          {"keep", name_of(run.keep)},
                          {"profile", to_json(run.profile)},
                          {"coverage", run.coverage},
                          {"shard", run.shard},
                          {"shards", run.shards},
                          {"machine", run.machine},
                          {"started", run.started},
                          {"folder", run.folder},
                          {"command", run.command}});
}

Failure read_run_file(const std::string& folder, RunFile& run) {
    const std::string path = (std::filesystem::path(folder) / kRunFile).string();
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return fmt::format("{}: is not the folder of a run: there is no {} in it", folder,
                           kRunFile);
    return read_json_file(path, [&](const JsonField& root) {
        refuse_other_formats(root);
        refuse_altered(root);
        run = read_run(root);
    });
}

} // namespace croupier::results
