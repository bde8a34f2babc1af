// Run folders: creation and the check before a run goes on.
#include "tournaments/cli/run_folder.h"

#include "tournaments/tuning/plan.h"

#include "results/store/crc32c.h"
#include "results/store/journal.h"
#include "tournaments/cli/machine.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

namespace croupier::cli {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using results::Failure;
using results::RunFile;

namespace {

constexpr std::string_view kLockFile = "lock";

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Mistake(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
}

std::string specification_text(const ordered_json& specification) {
    return specification.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// When to pause is no part of what results depend on.
ordered_json without_time(const RunFile& file) {
    ordered_json specification = ordered_json::parse(file.specification);
    specification.erase("time");
    return specification;
}

std::string hash_of(std::string_view text) {
    return fmt::format("{:08x}", results::crc32c(text));
}

// "line 12 was `..` and is `..`"
std::string first_difference(std::string_view then, std::string_view now) {
    for (std::size_t line = 1;; ++line) {
        const std::string_view old_line = then.substr(0, then.find('\n'));
        const std::string_view new_line = now.substr(0, now.find('\n'));
        const bool ends = old_line.size() == then.size() || new_line.size() == now.size();
        if (old_line != new_line || ends) {
            return fmt::format("line {} was\n    {}\n  and is\n    {}", line, old_line, new_line);
        }
        then.remove_prefix(old_line.size() + 1);
        now.remove_prefix(new_line.size() + 1);
    }
}

void compare_inputs(const std::string& folder, const RunFile& then, const RunFile& now,
                    const PreparedRun& run, std::string& changes) {
    for (std::size_t i = 0; i < std::max(then.inputs.size(), now.inputs.size()); ++i) {
        if (i >= now.inputs.size()) {
            changes += fmt::format("\n  {} is not read any more", then.inputs[i].path);
        } else if (i >= then.inputs.size()) {
            changes += fmt::format("\n  {} is read as well", now.inputs[i].path);
        } else if (then.inputs[i].hash != now.inputs[i].hash) {
            std::string old_text;
            results::read_file((fs::path(folder) / then.inputs[i].copy).string(), old_text);
            changes += fmt::format("\n  {}: {}", now.inputs[i].path,
                                   first_difference(old_text, run.inputs[i].second));
        }
    }
}

} // namespace

Shard parse_shard(const std::string& text) {
    Shard shard;
    const char* const end = text.data() + text.size();
    const auto [slash, wrong] = std::from_chars(text.data(), end, shard.index);
    bool good = wrong == std::errc() && slash != end && *slash == '/';
    if (good) {
        const auto [stop, error] = std::from_chars(slash + 1, end, shard.count);
        good = error == std::errc() && stop == end && shard.index >= 1 &&
               shard.index <= shard.count && shard.count <= results::kMostShards;
    }
    if (!good) throw Mistake(fmt::format("--shard takes i/n with i from 1 to n, found '{}'", text));
    return shard;
}

void refuse_run(const std::string& folder) {
    std::error_code ignored;
    const bool held = fs::exists(fs::path(folder) / results::kRunFile, ignored) ||
                      fs::exists(fs::path(folder) / results::kGamesFile, ignored) ||
                      fs::exists(fs::path(folder) / tournaments::kTuneFile, ignored);
    if (held) {
        throw Mistake(fmt::format(
            "{}: holds a run or a tuning already; continue it with 'croupier resume {}', "
            "or name another folder",
            folder, folder));
    }
}

std::string make_run_folder(const std::string& wanted, const std::string& title) {
    if (!wanted.empty()) {
        refuse_run(wanted);
        make_folder(wanted);
        return wanted;
    }
    make_folder("runs");
    std::string name = title;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ':' || c == '/' || c == ' '; }, '-');
    for (int number = 1;; ++number) {
        const fs::path folder = fs::path("runs") / fmt::format("{}-{}", name, number);
        std::error_code error;
        if (fs::create_directory(folder, error)) return folder.string();
        if (error)
            throw Mistake(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
    }
}

results::File lock_run_folder(const std::string& folder) {
    results::File lock;
    bool locked = false;
    Failure failure = lock.open((fs::path(folder) / kLockFile).string(), results::File::Mode::Lock);
    // More than once: somebody may be looking just now whether it is free.
    for (int i = 0; i < 3 && !failure && !locked; ++i) {
        if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        failure = lock.try_lock(locked);
    }
    if (failure) throw Mistake(*failure);
    if (!locked) throw Mistake(folder + ": another croupier is using it");
    return lock;
}

RunFile describe_run(const PreparedRun& run, const Shard& shard) {
    RunFile file;
    file.program = "croupier " CROUPIER_VERSION;
    file.facts = run.facts;
    file.ruleset = run.game->facts().ruleset;
    ordered_json specification = tournaments::to_json(run.specification);
    specification["blocks"] =
        ordered_json::array({specification["blocks"][0], run.schedule->blocks()});
    specification.erase("games"); // said more exactly by the blocks
    file.specification = specification_text(specification);
    file.keep = run.keep;
    file.profile = run.profile;
    file.shard = shard.index;
    file.shards = shard.count;
    file.machine = describe_machine();
    for (std::size_t i = 0; i < run.inputs.size(); ++i) {
        const auto& [path, text] = run.inputs[i];
        const std::string name = fs::path(path).filename().string();
        file.inputs.push_back({path, fmt::format("inputs/{}-{}", i + 1, name), hash_of(text)});
    }
    return file;
}

void forget_time(RunFile& file) {
    file.specification = specification_text(without_time(file));
}

nlohmann::ordered_json identity_of(const RunFile& file) {
    nlohmann::ordered_json identity = {{"the program is", file.program},
                                       {"the specification is", without_time(file)},
                                       {"the ruleset is", file.ruleset},
                                       {"what --profile says is", name_of(file.profile.mode)},
                                       {"what --coverage says is", file.coverage},

                                       {"what --keep says is", name_of(file.keep)}};
    auto& inputs = identity["the files are"] = nlohmann::ordered_json::array();
    for (const results::InputFile& input : file.inputs)
        inputs.push_back(input.hash);
    return identity;
}

std::string what_differs(const nlohmann::ordered_json& one, const nlohmann::ordered_json& other) {
    for (const auto& [what, value] : one.items()) {
        if (!other.contains(what) || nlohmann::json(other[what]) != nlohmann::json(value))
            return what;
    }
    return one.size() == other.size() ? "" : "what is recorded of it is";
}

Failure begin_run_folder(const std::string& folder, const PreparedRun& run, RunFile& file) {
    file.started = time_now();
    std::error_code ignored;
    file.folder = fs::current_path(ignored).string();
    make_folder(fs::path(folder) / "inputs");
    for (std::size_t i = 0; i < run.inputs.size(); ++i) {
        const std::string path = (fs::path(folder) / file.inputs[i].copy).string();
        if (Failure failure = results::replace_file(path, run.inputs[i].second)) return failure;
    }
    return results::replace_file((fs::path(folder) / results::kRunFile).string(),
                                 results::to_json_text(file));
}

void refuse_changes(const std::string& folder, const RunFile& then, const RunFile& now,
                    const PreparedRun& run) {
    std::string changes;
    compare_inputs(folder, then, now, run, changes);
    if (changes.empty() && then.ruleset != now.ruleset)
        changes += fmt::format("\n  the rules of {} are not the same", now.facts.game);
    if (then.facts.players != now.facts.players || then.facts.game != now.facts.game)
        changes += "\n  the game has another name or other players";
    if (then.facts.agents != now.facts.agents || then.facts.seed != now.facts.seed)
        changes += "\n  the agents or the seed in run.json were edited";
    // Whatever the order of their members.
    if (nlohmann::json::parse(then.specification) != nlohmann::json::parse(now.specification))
        changes += "\n  the specification in run.json was edited";
    if (then.program != now.program)
        changes += fmt::format("\n  it was begun by {}, and this is {}", then.program, now.program);
    if (changes.empty()) return;
    throw Mistake(fmt::format("{}: changed since the run began:{}\n"
                              "put it back, or begin a new run; the old files are in {}/inputs",
                              folder, changes, folder));
}

} // namespace croupier::cli
