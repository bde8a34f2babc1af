// run.json: what a run was asked to be, and with which files; written once, before the first game.
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

// What a run knows of its rules, as a member of run.json.

nlohmann::ordered_json to_json(const ProfileFacts& facts);
// Reads the profile of a run. Throws JsonMistake where something is missing or impossible.
ProfileFacts read_profile(const JsonField& json, std::size_t agents);

// A file that the run depends on, kept as it was.
struct InputFile {
    std::string path; // where it was read from
    std::string copy; // in the run's folder, "inputs/1-rules.json"
    std::string hash; // of its bytes

    friend bool operator==(const InputFile&, const InputFile&) = default;
};

struct RunFile {
    std::string program; // "croupier 0.1.0"
    RunFacts facts;
    std::string ruleset;              // hash of the game's rules
    std::string specification = "{}"; // JSON, as resolved; whoever wrote it reads it
    std::vector<InputFile> inputs;
    Keep keep = Keep::None;  // which games moves.jsonl has
    ProfileFacts profile;    // which rules are watched, and how
    bool coverage = false;   // reports tell what was never exercised
    std::uint64_t shard = 1; // of how many, from 1
    std::uint64_t shards = 1;
    // What games do not depend on.
    std::string machine;
    std::string started;
    std::string folder;  // where the command was given
    std::string command; // the command line; empty: not known
};

std::string to_json_text(const RunFile& run);
// Reads it from a run's folder. The failure names the file, where in it, and what is wrong there.
Failure read_run_file(const std::string& folder, RunFile& run);

inline constexpr std::string_view kRunFile = "run.json";
inline constexpr std::uint64_t kMaxShards = 1'000'000;

} // namespace croupier::results
