// run.json to and from text.
#include "results/store/run_file.h"

#include "results/store/json_field.h"
#include "results/store/profile_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>

namespace croupier::results {
namespace {

using nlohmann::ordered_json;

constexpr int kFormat = 2;
constexpr int kWithoutChecksum = 1; // older, and still read
constexpr std::uint64_t kMostSeed = std::numeric_limits<std::int64_t>::max();

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
    facts.seed = json.at("seed").number(0, kMostSeed);
    if (const auto names = json.find("irreproducible")) facts.irreproducible = names->texts();
    if (const auto names = json.find("oracles")) facts.oracles = names->texts();
    if (const auto starts = json.find("starts")) facts.starts = starts->number(1, kMostSeed);
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
    InputFile input{json.at("path").text(), json.at("copy").text(), json.at("hash").text()};
    // Whoever gives away a folder shall not choose what others read on their machine.
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
    ordered_json specification = json.at("specification").value();
    if (!specification.is_object()) json.at("specification").wrong("expected an object");
    // Runs of before could not say it: whoever broke the rules of agents made the game void.
    if (!specification.contains("faults")) specification["faults"] = "void";
    run.specification = specification.dump();
    for (const JsonField& input : json.at("inputs").items())
        run.inputs.push_back(read_input(input));
    if (const auto keep = json.find("keep")) {
        const auto read = keep_of(keep->text());
        if (!read) keep->wrong("expected none, faults or all");
        run.keep = *read;
    }
    const auto profile = json.find("profile");
    run.has_profile = profile.has_value();
    if (profile) run.profile = read_profile(*profile, run.facts.agents.size());
    if (const auto coverage = json.find("coverage")) run.coverage = coverage->truth();
    run.shards = json.at("shards").number(1, kMostShards);
    run.shard = json.at("shard").number(1, run.shards);
    run.machine = json.at("machine").text();
    run.started = json.at("started").text();
    run.folder = json.at("folder").text();
    if (const auto command = json.find("command")) run.command = command->text();
    return run;
}

// Whether the file is of this program's format, and as it was written.
bool has_checksum(const JsonField& json) {
    const auto format = json.at("format").number(0, std::numeric_limits<int>::max());
    if (format != kFormat && format != kWithoutChecksum) {
        json.at("format").wrong(
            fmt::format("this program reads format {}, found {}", kFormat, format));
    }
    if (format == kWithoutChecksum) return false;
    refuse_altered(json);
    return true;
}

} // namespace

std::string to_json_text(const RunFile& run) {
    ordered_json inputs = ordered_json::array();
    for (const InputFile& input : run.inputs)
        inputs.push_back({{"path", input.path}, {"copy", input.copy}, {"hash", input.hash}});
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
        const bool checked = has_checksum(root);
        run = read_run(root);
        run.has_checksums = checked;
    });
}

} // namespace croupier::results
