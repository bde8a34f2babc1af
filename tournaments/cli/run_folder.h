// The folder of a run: found a name, locked, begun, and compared with what there is now.
#pragma once

#include "results/store/file.h"
#include "results/store/run_file.h"
#include "tournaments/cli/run_input.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace croupier::cli {

struct Shard {
    std::uint64_t index = 1; // 1 to count
    std::uint64_t count = 1;
};
// "2/8"; throws Mistake.
Shard parse_shard(const std::string& text);

// Makes the folder: `wanted`, or where that is empty the next free number under runs/, as in
// runs/life-torus-3. Throws Mistake if it holds a run.
std::string make_run_folder(const std::string& wanted, const std::string& title);

// Throws Mistake if the folder holds a run.
void refuse_run(const std::string& folder);

// Throws Mistake if another process is at work there. Held as long as the file is open.
results::File lock_run_folder(const std::string& folder);

// What goes into run.json, without `started` and `folder`, which no run depends on.
results::RunFile describe_run(const PreparedRun& run, const Shard& shard);

// No longer says when to pause, which no result depends on.
void forget_time(results::RunFile& file);

// What two parts of one run have in common: program, specification, rules and agents.
nlohmann::ordered_json identity_of(const results::RunFile& file);
// Of two of these: "the ruleset is", to be followed by "not the same"; empty if there is none.
std::string what_differs(const nlohmann::ordered_json& one, const nlohmann::ordered_json& other);

// Copies the inputs and writes run.json.
results::Failure begin_run_folder(const std::string& folder, const PreparedRun& run,
                                  results::RunFile& file);

// Throws Mistake that names what has changed since the run began.
void refuse_changes(const std::string& folder, const results::RunFile& then,
                    const results::RunFile& now, const PreparedRun& run);

} // namespace croupier::cli
