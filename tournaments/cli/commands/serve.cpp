// croupier serve: serves tables, runs and rules to a browser.
#include "results/store/file.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/process.h"
#include "tournaments/run/files.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/serve/http.h"
#include "tournaments/serve/rules_handler.h"
#include "tournaments/serve/runs.h"
#include "tournaments/serve/runs_handler.h"
#include "tournaments/serve/tables_handler.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace croupier::cli {

namespace {

namespace fs = std::filesystem;

// Opens the desktop's default browser. False if none could be started.
bool open_in_browser(const std::string& address) {
    // xdg-open passes the address on and exits; its output is hidden.
    std::string program = "xdg-open";
    std::string argument = address;
    std::array<char*, 3> words = {program.data(), argument.data(), nullptr};
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    pid_t process = 0;
    const int failed =
        ::posix_spawnp(&process, program.c_str(), &actions, nullptr, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return false;
    int status = 0;
    return ::waitpid(process, &status, 0) == process && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

constexpr std::uint64_t kDefaultPort = 8787;

std::uint64_t random_number() {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
}

std::string random_secret() {
    return fmt::format("{:016x}{:016x}", random_number(), random_number());
}

// The host name to type into a browser: this machine's name if all addresses are served.
std::string name_in_addresses(const std::string& host) {
    if (host == "0.0.0.0" || host == "::") {
        std::array<char, 256> name{};
        return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
    }
    return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

// Whether the path is below the folder, after resolving links and dots.
bool is_below(const fs::path& folder, const std::string& path) {
    std::error_code failed;
    const fs::path whole = fs::weakly_canonical(path, failed);
    const fs::path relative = whole.lexically_relative(fs::weakly_canonical(folder, failed));
    return !failed && !relative.empty() && *relative.begin() != "..";
}

class Serve : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "serve", "Play, watch runs and try rules in a browser",
            "Lays tables in a browser: choose a game, take any of its seats, let agents or other "
            "people take the others, and play by clicking. The page shows what its seat may see "
            "and nothing else; each person has their own address. Only this machine reaches "
            "the server, unless --host names another address to listen at: then a token is "
            "part of the address that is printed. Games are kept in the folder tables below "
            "--folder as records that croupier replay reads; they continue when croupier serve is "
            "started again. Runs in the folder are shown while they are played; a form starts "
            "others, which are commands of their own and can be stopped and resumed. Rules are "
            "shown beside a state, firing by firing. --rules names a folder with rulesets of your "
            "own, which is looked through whenever a page asks, and gets what is edited there. "
            "Pages may choose any agents but programs: of these, only those that --program names. "
            "Ctrl-C ends the server.",
            "croupier serve --open\n"
            "croupier serve --port 9000 --rules my-games\n"
            "croupier serve --program 'Mine=process:python3 bot.py'"};
    }

    void declare(Options& options) override {
        options.add("--port", port_, "Port to listen at; 0: any that is free")
            .range(0, 65535)
            .type_name("N")
            .shows_default();
        options.add_flag("--open", open_, "Open the page in a browser");
        options.add("--folder", folder_, "Folder of runs; tables are kept in its folder tables")
            .type_name("DIR")
            .offers(Offers::Folders)
            .shows_default();
        options.add("--rules", rules_, "Folder with rulesets of your own")
            .type_name("DIR")
            .offers(Offers::Folders);
        options.add("--program", programs_, "An agent of kind process that pages may choose")
            .type_name("NAME=process:COMMAND")
            .one_value_each();
        options.add("--think", think_, "The longest that an agent may think, in seconds")
            .range(1, 3600)
            .type_name("S")
            .shows_default();
        options.add("--host", host_, "Address to listen at, for other machines")
            .type_name("ADDRESS")
            .default_text("127.0.0.1");
        add_games_folder(options, games_folder_);
        add_agents_folder(options, agents_folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        check_programs();
        if (!rules_.empty() && !fs::is_directory(rules_))
            throw UserError(fmt::format("--rules {}: there is no such folder", rules_));
        const std::string agents = agents_folder(agents_folder_, context);
        context.include_roots->add(agents);
        const engine::FileOpener opener = own_opener(context);
        const serve::Catalogue catalogue(
            games::Registry(games_folder(games_folder_, context), opener, context.clips_worker),
            rules_, opener, agents, programs_);
        if (!games_folder_.empty()) context.include_roots->add(games_folder_);
        const serve::TableFolder folder(fs::path(folder_) / "tables");
        if (!folder.make())
            throw UserError(fmt::format("--folder {}: tables cannot be kept there", folder_));
        // Two servers would write into each other's records.
        const results::File lock =
            tournaments::lock_run_folder((fs::path(folder_) / "tables").string());
        for (const fs::path& file : folder.read().damaged)
            context.warn(
                fmt::format("{}: is damaged, so its table cannot be opened", file.string()));

        const agents::Clock& clock = *context.clock;
        StopSignals stop;
        serve::Tables tables(catalogue,
                             {.clock = clock,
                              .secret = random_secret,
                              .seed = random_number,
                              .advisers =
                                  [agents](const games::Game& game) {
                                      return tournaments::quick_advisers(game, agents);
                                  },
                              .think = std::chrono::seconds(think_)},
                             folder);
        serve::HttpSettings settings;
        settings.key = random_secret();
        if (!host_.empty()) {
            settings.host = host_;
            settings.token = random_secret();
        }
        serve::TablesHandler tables_handler(catalogue, tables);
        serve::ServedRuns runs({"/proc/self/exe", folder_, games_folder_, agents_folder_},
                               catalogue, context);
        serve::RunsHandler runs_handler(runs, clock);
        serve::RulesHandler rules_handler(catalogue);
        serve::HttpServer server(settings, clock, {&tables_handler, &runs_handler, &rules_handler});
        const int port = server.bind(static_cast<int>(port_));
        if (port == 0)
            throw UserError(fmt::format("cannot listen at {}:{}: the port is taken, or may not be "
                                        "used; --port names another, 0 any that is free",
                                        settings.host, port_));
        const std::string address =
            fmt::format("http://{}:{}/{}", name_in_addresses(settings.host), port,
                        settings.token.empty() ? "" : "?token=" + settings.token);
        const std::string kept = (fs::path(folder_) / "tables").string();
        if (json_) {
            const nlohmann::ordered_json told = {
                {"address", address}, {"port", port}, {"tables", kept}};
            context.out().raw(told.dump() + "\n");
        } else {
            context.out().line({address});
            context.out().line({fmt::format("tables are kept in {}; Ctrl-C ends", kept)});
        }
        context.out().flush();
        std::jthread serving([&] { server.serve(); });
        if (open_ && !open_in_browser(address)) context.warn("no browser could be started");
        while (!stop.wanted())
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        server.stop();
        serving.join();
        if (!json_)
            context.out().line({"ended; games continue when croupier serve is started again"});
        return kGood;
    }

  private:
    void check_programs() const {
        for (const std::string& program : programs_) {
            const agents::AgentSpec spec = agents::parse_agent_spec(program);
            if (spec.kind != "process" || spec.name == program)
                throw UserError(
                    fmt::format("--program takes NAME=process:COMMAND, found '{}'", program));
        }
    }

    // Files in the folder of rules count as named on the command line, whenever they appear.
    [[nodiscard]] engine::FileOpener own_opener(const Context& context) const {
        return [roots = context.include_roots, rules = rules_,
                inner = file_opener(context)](const std::string& path) {
            if (!rules.empty() && is_below(rules, path)) roots->name(path);
            return inner(path);
        };
    }

    std::uint64_t port_ = kDefaultPort;
    bool open_ = false;
    std::string folder_ = "runs";
    std::string rules_;
    std::vector<std::string> programs_;
    std::uint64_t think_ = 10;
    std::string host_;
    std::string games_folder_;
    std::string agents_folder_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_serve() {
    return std::make_unique<Serve>();
}

} // namespace croupier::cli
