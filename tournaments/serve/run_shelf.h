// The folders of runs as pages are told of them; whoever has files and processes implements it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace croupier::serve {

// Threads share it. Its calls throw Refused.
class RunShelf {
  public:
    using Json = nlohmann::ordered_json;

    RunShelf() = default;
    virtual ~RunShelf() = default;
    RunShelf(const RunShelf&) = delete;
    RunShelf& operator=(const RunShelf&) = delete;

    // A line for each folder, the latest first: runs, comparisons, ablations, tunings.
    virtual Json list() = 0;
    // How far it has come: next to nothing to find out. What changes with its files is in it.
    virtual Json progress(const std::string& name) = 0;
    // All that is known of it: takes longer the more games there are.
    virtual Json read(const std::string& name) = 0;
    // Its games from that one on, some of them.
    virtual Json games(const std::string& name, std::uint64_t from) = 0;
    // The page of the report; `game`: the one to be looked at ("3.1"), or some typical ones.
    virtual std::string page(const std::string& name, const std::string& game) = 0;
    // Starts what a page asks for (README.md has the members): the name of its folder.
    virtual std::string start(const nlohmann::json& asked) = 0;
    // Of those that were started here: what has been played is kept.
    virtual void stop(const std::string& name) = 0;
    virtual void resume(const std::string& name) = 0;
};

} // namespace croupier::serve
