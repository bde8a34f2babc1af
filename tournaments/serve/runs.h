// The folders of runs for `croupier serve`, read as by other commands.
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

// Commands started by `croupier serve`, as processes of their own, so that a run continues as from
// a shell even if the server ends.

// Threads share it.
class ChildRuns {
  public:
    // `program`: the executable of croupier.
    explicit ChildRuns(std::string program) : program_(std::move(program)) {}
    // Interrupts all and waits for them: their results are kept.
    ~ChildRuns();
    ChildRuns(const ChildRuns&) = delete;
    ChildRuns& operator=(const ChildRuns&) = delete;

    // Starts `croupier ARGUMENTS` under that name. False if it cannot be started.
    bool start(const std::string& name, const std::vector<std::string>& arguments);
    [[nodiscard]] std::size_t running();

    struct Child {
        std::optional<int> code; // unset while it is running
        std::string said;        // the end of its output
    };
    // Nothing if none with that name was started here.
    std::optional<Child> find(const std::string& name);
    // Like Ctrl-C. False if it is not running.
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
    std::filesystem::path folder; // its subfolders are runs
    std::string games_folder;     // as the user gave it; empty for the default
    std::string agents_folder;    // the same
};

// The folders of runs, for pages. Threads share it. Its calls throw Refused.
class ServedRuns {
  public:
    using Json = nlohmann::ordered_json;

    // The catalogue and the host outlive it.
    ServedRuns(ServedRunsSettings settings, const Catalogue& catalogue,
               const tournaments::HostServices& host)
        : settings_(std::move(settings)), catalogue_(catalogue), host_(host),
          children_(settings_.program) {}

    // A line for each folder, latest first: runs, comparisons, ablations, tunings.
    Json list();
    // The progress of the run; cheap. Changes whenever its files do.
    Json progress(const std::string& name);
    // All data about the run; takes longer with more games.
    Json read(const std::string& name);
    // Some of its games, from that one on.
    Json games(const std::string& name, std::uint64_t from);
    // The report page; `game` is the one to show ("3.1"); if empty, typical ones.
    std::string page(const std::string& name, const std::string& game);
    // Starts what a page requests (README.md lists the members); returns the name of the folder.
    std::string start(const nlohmann::json& asked);
    // For runs that were started here; results so far are kept.
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
    std::mutex remembering_; // guards the members below
    std::map<std::string, std::shared_ptr<Followed>> followed_;
    // By file: its properties, and the JSON made from it.
    std::map<std::filesystem::path, std::pair<std::array<std::int64_t, 6>, Json>> made_;
    ChildRuns children_;
};

} // namespace croupier::serve
