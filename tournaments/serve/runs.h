// The folders of runs for `croupier serve`: what they hold, read as every other command reads them.
#pragma once

#include "tournaments/run/host.h"
#include "tournaments/serve/catalogue.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace croupier::serve {

// Commands of croupier that `croupier serve` has started: processes of their own, so that a run is
// played as from a shell, whatever becomes of the server.

// Threads share it.
class ChildRuns {
  public:
    // `program`: the executable of croupier.
    explicit ChildRuns(std::string program) : program_(std::move(program)) {}
    // Asks all to come to an end, and waits for them: what they have played is kept.
    ~ChildRuns();
    ChildRuns(const ChildRuns&) = delete;
    ChildRuns& operator=(const ChildRuns&) = delete;

    // `croupier ARGUMENTS`, known by that name from now on. False: it cannot be started.
    bool start(const std::string& name, const std::vector<std::string>& arguments);
    [[nodiscard]] std::size_t running();

    struct Child {
        std::optional<int> code; // nothing: it is running
        std::string said;        // what it has printed, the end of it
    };
    // Nothing: none of that name was started here.
    std::optional<Child> find(const std::string& name);
    // The same as Ctrl-C. False: it is not running.
    bool interrupt(const std::string& name);

  private:
    struct Process {
        pid_t id = 0;
        int output = -1; // a file in memory
        std::optional<int> code = {};
    };
    static void look(Process& process);

    const std::string program_;
    std::mutex mutex_;
    std::map<std::string, Process> processes_;
};

struct ServedRunsSettings {
    std::string program;          // the executable of croupier
    std::filesystem::path folder; // its folders are runs
    std::string games_folder;     // as it was given; empty: the usual one
    std::string agents_folder;    // the same
};

// The folders of runs as pages are told of them. Threads share it. Its calls throw Refused.
class ServedRuns {
  public:
    using Json = nlohmann::ordered_json;

    // The catalogue and the host outlive it.
    ServedRuns(ServedRunsSettings settings, const Catalogue& catalogue,
               const tournaments::HostServices& host)
        : settings_(std::move(settings)), catalogue_(catalogue), host_(host),
          children_(settings_.program) {}

    // A line for each folder, the latest first: runs, comparisons, ablations, tunings.
    Json list();
    // How far it has come: next to nothing to find out. What changes with its files is in it.
    Json progress(const std::string& name);
    // All that is known of it: takes longer the more games there are.
    Json read(const std::string& name);
    // Its games from that one on, some of them.
    Json games(const std::string& name, std::uint64_t from);
    // The page of the report; `game`: the one to be looked at ("3.1"), or some typical ones.
    std::string page(const std::string& name, const std::string& game);
    // Starts what a page asks for (README.md has the members): the name of its folder.
    std::string start(const nlohmann::json& asked);
    // These take runs that were started here, and keep what has been played.
    void stop(const std::string& name);
    void resume(const std::string& name);

  private:
    class Followed;

    [[nodiscard]] std::filesystem::path find(const std::string& name);
    [[nodiscard]] std::string state_of(const std::string& name,
                                       const std::filesystem::path& folder);
    Json made_of(const std::filesystem::path& file, const std::function<Json()>& make);
    [[nodiscard]] std::string new_folder(const std::string& title);
    void refuse_many();
    void add_folders(std::vector<std::string>& arguments) const;
    void begin(const std::string& name, const std::vector<std::string>& arguments);
    void await_beginning(const std::string& name, bool is_run);
    std::vector<std::string> arguments_for(const nlohmann::json& asked, std::string& title) const;
    [[nodiscard]] std::string agent_for(const std::string& spec, const games::Game& game) const;

    const ServedRunsSettings settings_;
    const Catalogue& catalogue_;
    const tournaments::HostServices& host_;
    std::mutex starting_;
    std::mutex remembering_; // of what follows
    std::map<std::string, std::shared_ptr<Followed>> followed_;
    // By file: how it was, and what was made of it.
    std::map<std::filesystem::path, std::pair<std::array<std::int64_t, 6>, Json>> made_;
    ChildRuns children_;
};

} // namespace croupier::serve
