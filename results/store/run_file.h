// run.json: the specification of a run, and its input files; written once, before the first game.
#pragma once

#include "results/costs/cost.h"
#include "results/record.h"
#include "results/store/file.h"
#include "results/store/games_file.h"
#include "results/store/json_field.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::results {

// The facts about a run's rules, as a member of run.json.

nlohmann::ordered_json to_json(const ProfileFacts& facts);
// Reads the profile of a run. Throws JsonMistake if something is missing or invalid.
ProfileFacts read_profile(const JsonField& json, std::size_t agents);

// An input file of the run, kept as a copy.
struct InputFile {
    std::string path;                     // its original path
    std::string copy;                     // in the run's folder, "inputs/1-rules.json"
    std::string hash;                     // of its bytes
    std::vector<std::string> agents = {}; // that read it: "rules:naive"; not in old runs

    friend bool operator==(const InputFile&, const InputFile&) = default;
};

struct RunFile {
    std::string program; // "croupier 0.1.0"
    RunFacts facts;
    std::string ruleset;              // hash of the game's rules
    std::string specification = "{}"; // JSON, with defaults resolved; the writer interprets it
    std::vector<InputFile> inputs;
    Keep keep = Keep::None;  // which games are in moves.jsonl
    ProfileFacts profile;    // which rules are watched, and how
    bool coverage = false;   // whether reports list what was never exercised
    std::uint64_t shard = 1; // number, from 1
    std::uint64_t shards = 1;
    // Games do not depend on the members below.
    std::string machine;
    std::string started;
    std::string folder;  // where the command was run
    std::string command; // the command line; empty if unknown
};

std::string to_json_text(const RunFile& run);
// Reads it from a run's folder. The failure names the file, the position, and the error.
Failure read_run_file(const std::string& folder, RunFile& run);

inline constexpr std::string_view kRunFile = "run.json";
inline constexpr std::uint64_t kMaxShards = 1'000'000;

} // namespace croupier::results
