// The folders of runs for `croupier serve`: what they hold, read as every other command reads them.
#pragma once

#include "engine/api/ruleset.h"
#include "tournaments/run/host.h"
#include "tournaments/serve/catalogue.h"
#include "tournaments/serve/runs_desk.h"

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
    std::string program;               // the executable of croupier
    std::filesystem::path folder;      // its folders are runs
    std::string games_folder;          // as it was given; empty: the usual one
    std::string agents_folder;         // the same
    std::string agents_place;          // where these are in either case
    std::vector<std::string> programs; // agents of kind `process` that may be started
    engine::FileOpener open;           // what agents may read that a page names
};

class ServedRuns : public RunShelf {
  public:
    // The catalogue and the host outlive it.
    ServedRuns(ServedRunsSettings settings, const Catalogue& catalogue,
               const tournaments::HostServices& host)
        : settings_(std::move(settings)), catalogue_(catalogue), host_(host),
          children_(settings_.program) {}

    Json list() override;
    Json progress(const std::string& name) override;
    Json read(const std::string& name) override;
    Json games(const std::string& name, std::uint64_t from) override;
    std::string page(const std::string& name, const std::string& game) override;
    std::string start(const nlohmann::json& asked) override;
    void stop(const std::string& name) override;
    void resume(const std::string& name) override;

  private:
    class Followed;

    [[nodiscard]] std::filesystem::path find(const std::string& name);
    [[nodiscard]] std::string state_of(const std::string& name,
                                       const std::filesystem::path& folder);
    Json made_of(const std::filesystem::path& file, const std::function<Json()>& make);
    [[nodiscard]] std::string new_folder(const std::string& title);
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
