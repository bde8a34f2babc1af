// Reads folders for pages, and starts and stops runs as separate processes.
#include "tournaments/serve/runs.h"

#include "results/html/charts.h"
#include "results/report/costs.h"
#include "results/store/games_file.h"
#include "results/store/journal.h"
#include "results/store/run_file.h"
#include "tournaments/compare/comparison.h"
#include "tournaments/report/source.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/schedule/schedule.h"
#include "tournaments/serve/refused.h"
#include "tournaments/tuning/tuning.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <sstream>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace croupier::serve {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Reason = Refused::Reason;

constexpr off_t kMaxHeard = 4096;
constexpr int kEndPolls = 100; // twentieths of a second until all have ended
constexpr std::size_t kMaxListed = 200;
constexpr std::uint64_t kGamesShown = 50;
constexpr std::size_t kMaxFollowed = 16;
constexpr std::size_t kMaxMade = 10'000;
constexpr std::size_t kMaxRunning = 4;
constexpr std::size_t kMaxAgents = 32;
constexpr std::size_t kMaxWord = 300;

std::string end_of(int file) {
    struct stat facts {};
    if (::fstat(file, &facts) != 0) return {};
    const off_t size = std::min(facts.st_size, kMaxHeard);
    std::string text(static_cast<std::size_t>(size), '\0');
    const ssize_t got = ::pread(file, text.data(), text.size(), facts.st_size - size);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
}

// Reports errors while reading a folder to the page.
template <class Work>
auto told(const tournaments::HostServices& host, const Work& work) {
    std::string said;
    try {
        return work(tournaments::quiet(host, said));
    } catch (const tournaments::UserError& mistake) {
        throw Refused(Reason::Wrong, said + mistake.what());
    }
}

std::string kind_of(const fs::path& folder) {
    std::error_code failed;
    if (fs::exists(folder / results::kRunFile, failed)) return "run";
    const std::string answer = tournaments::answer_in(folder.string());
    if (!answer.empty()) return answer.substr(0, answer.find('.'));
    if (tournaments::is_tuning(folder.string())) return "tune";
    if (!tournaments::is_comparison(folder.string())) return {};
    try { // an interrupted one
        const auto words = tournaments::words_of_comparison(folder.string());
        return *std::ranges::find_if(words, results::is_compared);
    } catch (const tournaments::UserError&) {
        return {};
    }
}

// What the list shows of a run besides its progress.
Json facts_of(const fs::path& folder, const std::string& kind) {
    results::RunFile file;
    if (kind == "run" && !results::read_run_file(folder.string(), file))
        return {
            {"game", file.facts.game}, {"agents", file.facts.agents}, {"started", file.started}};
    std::string text;
    if (results::is_compared(kind) &&
        !results::read_file((folder / (kind + ".json")).string(), text)) {
        const auto made = nlohmann::json::parse(text, nullptr, false);
        if (made.is_object() && made.contains("made") && made["made"].is_object() &&
            made["made"].value("time", "") != "")
            return {{"started", made["made"].value("time", "")}};
    }
    return Json::object();
}

// Whether a process plays there. Releases the lock at once; a process that is just starting
// retries.
bool is_locked(const fs::path& file) {
    const int lock = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (lock < 0) return false;
    const bool locked = ::flock(lock, LOCK_SH | LOCK_NB) != 0;
    ::close(lock);
    return locked;
}

Json course_json(const results::StopCourse& course) {
    const results::StopStatus& status = course.status();
    Json points = Json::array();
    for (const auto& [blocks, value] : course.points())
        points.push_back({blocks, value});
    return {{"rule", status.rule},        {"low", status.low},
            {"high", status.high},        {"value", status.value ? Json(*status.value) : Json()},
            {"verdict", status.verdict},  {"stopped", status.stopped},
            {"points", std::move(points)}};
}

// The rules that were tried, sorted by cost.
Json costs_json(const results::CostReport& report, const results::RunFacts& facts) {
    constexpr std::size_t kMax = 60;
    Json rules = Json::array();
    const results::CostTable& table = report.costs.table;
    if (!report.costs.facts.watches()) return rules;
    for (const std::uint32_t rule : results::dearest_first(report.costs, table.has_times())) {
        const results::Cost cost = table.rule(rule);
        if (rules.size() == kMax) break;
        if (cost.tried == 0 && cost.self_ns() == 0) continue;
        const results::RuleFacts& known = report.costs.facts.rules[rule];
        const results::Estimate share = table.share(cost.self_ns());
        rules.push_back({{"name", known.group + "/" + known.name},
                         {"owner", results::owner_of(known, facts.game, facts.agents)},
                         {"share", table.has_times() && share.value ? Json(*share.value) : Json()},
                         {"tried", cost.tried},
                         {"passed", cost.passed},
                         {"firings", cost.firings}});
    }
    return rules;
}

// Starts runs for pages: turns requests into command lines that contain only permitted values.

[[noreturn]] void refuse(const std::string& what) {
    throw Refused(Reason::Wrong, what);
}

std::string word_in(const nlohmann::json& asked, const char* name) {
    const auto found = asked.find(name);
    if (found == asked.end()) return {};
    auto text = found->is_number() ? found->dump() : found->get<std::string>();
    if (text.size() > kMaxWord) refuse(fmt::format("{}: that is too long", name));
    return text;
}

// Digits and separators only; the command checks the meaning.
void add_numbers(const nlohmann::json& asked, const char* name, std::string_view besides,
                 std::vector<std::string>& arguments) {
    const std::string text = word_in(asked, name);
    if (text.empty()) return;
    for (const char letter : text)
        if ((letter < '0' || letter > '9') && besides.find(letter) == besides.npos)
            refuse(fmt::format("{}: '{}' is not a number", name, text));
    arguments.push_back(fmt::format("--{}={}", name, text));
}

// The last message of the command, without its prefix.
std::string complaint(const std::string& said) {
    std::string text = said;
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text.empty() ? "croupier exited without a message" : text;
}

} // namespace

// Starts croupier in separate process groups.

ChildRuns::~ChildRuns() {
    for (auto& [name, process] : processes_) {
        look(process);
        if (!process.code) ::kill(process.id, SIGINT);
    }
    for (int i = 0; i < kEndPolls && running() > 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (auto& [name, process] : processes_)
        ::close(process.output);
}

void ChildRuns::look(Process& process) {
    int status = 0;
    if (process.code || ::waitpid(process.id, &status, WNOHANG) != process.id) return;
    process.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool ChildRuns::start(const std::string& name, const std::vector<std::string>& arguments) {
    const int output = ::memfd_create("croupier", MFD_CLOEXEC);
    if (output < 0) return false;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    // Ctrl-C at the server's terminal goes only to the server, which passes it on. A shell that
    // starts the server in the background makes it ignore Ctrl-C, which the run must not inherit.
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGINT);
    ::posix_spawnattr_setsigdefault(&attributes, &heard);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> texts = {"croupier"};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char*> words;
    words.reserve(texts.size() + 1);
    for (std::string& text : texts)
        words.push_back(text.data());
    words.push_back(nullptr);
    Process process{0, output};
    const int failed =
        ::posix_spawn(&process.id, program_.c_str(), &actions, &attributes, words.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        ::close(output);
        return false;
    }
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = processes_.try_emplace(name, process);
    if (!is_new) {
        ::close(place->second.output);
        place->second = process;
    }
    return true;
}

std::size_t ChildRuns::running() {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (auto& [name, process] : processes_) {
        look(process);
        count += process.code ? 0 : 1;
    }
    return count;
}

std::optional<ChildRuns::Child> ChildRuns::find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto known = processes_.find(name);
    if (known == processes_.end()) return std::nullopt;
    look(known->second);
    return Child{known->second.code, end_of(known->second.output)};
}

bool ChildRuns::interrupt(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto known = processes_.find(name);
    if (known == processes_.end()) return false;
    look(known->second);
    return !known->second.code && ::kill(known->second.id, SIGINT) == 0;
}

// A run read so far, for reading on.
class ServedRuns::Followed {
  public:
    Json read(const std::string& folder, const tournaments::HostServices& host) {
        const std::lock_guard one(reading_);
        std::string text;
        if (const auto failure =
                results::read_file(results::in_folder(folder, results::kRunFile), text))
            throw tournaments::UserError(*failure);
        if (!goes_on(folder, text)) begin(folder, text, host);
        take();
        return json();
    }

  private:
    // On an error the run is read again from the beginning, which reports it.
    bool goes_on(const std::string& folder, const std::string& text) {
        try {
            return book_ != nullptr && text == text_ && book_->replay_more(folder);
        } catch (const tournaments::UserError&) {
            return false;
        }
    }
    void begin(const std::string& folder, std::string text, const tournaments::HostServices& host) {
        book_.reset();
        courses_.clear();
        run_ = read_run(folder, host);
        text_ = std::move(text);
        book_ = std::make_unique<tournaments::RunRecorder>(run_.file, run_.specification,
                                                           *run_.schedule);
        book_->tell_games([&](std::span<const results::GameRecord>) { take(); });
        book_->replay(folder);
    }
    void take() {
        const auto all = book_->ledger().stop_status();
        courses_.resize(all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            courses_[i].add(all[i]);
    }
    [[nodiscard]] Json json() {
        const results::RunFacts& facts = run_.file.facts;
        Json json = {
            {"kind", "run"},
            {"game", facts.game},
            {"agents", facts.agents},
            {"seed", facts.seed},
            {"players", facts.players},
            {"program", run_.file.program},
            {"started", run_.file.started},
            {"machine", run_.file.machine},
            {"command", run_.file.command},
            {"report", Json::parse(results::render(book_->report(), results::Format::Json))}};
        if (!book_->warning().empty()) json["warning"] = book_->warning();
        json["planned"] = run_.specification.may_stop_early()
                              ? Json()
                              : Json(book_->wanted_blocks() * run_.schedule->games_per_block());
        json["costs"] = costs_json(book_->costs(), facts);
        json["courses"] = Json::array();
        for (const results::StopCourse& course : courses_)
            json["courses"].push_back(course_json(course));
        return json;
    }

    std::mutex reading_;
    std::string text_; // of run.json
    tournaments::ReadRun run_;
    std::unique_ptr<tournaments::RunRecorder>
        book_; // null if nothing was read; otherwise of an unfinished run
    std::vector<results::StopCourse> courses_;
};

// Looks the name up among the folders; never uses it as a path.
fs::path ServedRuns::find(const std::string& name) {
    std::error_code failed;
    for (fs::directory_iterator each(settings_.folder, failed), end; !failed && each != end;
         each.increment(failed)) {
        if (each->path().filename().string() != name) continue;
        if (!kind_of(each->path()).empty() || children_.find(name)) return each->path();
    }
    throw Refused(Reason::Unknown, "There is no such run.");
}

// The result of `make` for the file, cached until the file changes.
Json ServedRuns::made_of(const fs::path& file, const std::function<Json()>& make) {
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0) return make();
    const std::array<std::int64_t, 6> stamp = {static_cast<std::int64_t>(facts.st_ino),
                                               facts.st_size,
                                               facts.st_mtim.tv_sec,
                                               facts.st_mtim.tv_nsec,
                                               facts.st_ctim.tv_sec,
                                               facts.st_ctim.tv_nsec};
    {
        const std::lock_guard lock(remembering_);
        const auto known = made_.find(file);
        if (known != made_.end() && known->second.first == stamp) return known->second.second;
    }
    Json made = make();
    const std::lock_guard lock(remembering_);
    if (made_.size() > kMaxMade) made_.clear();
    made_[file] = {stamp, made};
    return made;
}

std::string ServedRuns::state_of(const std::string& name, const fs::path& folder) {
    const auto child = children_.find(name);
    if (child && !child->code) return "running";
    const std::string kind = kind_of(folder);
    if (kind == "run" && made_of(folder / tournaments::kSummaryFile,
                                 [&] { return tournaments::is_complete(folder.string()); }))
        return "complete";
    if (kind.empty()) return "failed";
    if (results::is_compared(kind) && tournaments::is_complete_comparison(folder.string()))
        return "complete";
    return is_locked(folder / "lock") ? "elsewhere" : "stopped";
}

ServedRuns::Json ServedRuns::list() {
    struct Line {
        std::string started;
        Json json;
    };
    std::vector<Line> lines;
    std::error_code failed;
    for (fs::directory_iterator each(settings_.folder, failed), end; !failed && each != end;
         each.increment(failed)) {
        const fs::path& folder = each->path();
        const std::string name = folder.filename().string();
        std::string kind = kind_of(folder);
        const auto child = children_.find(name);
        if (kind.empty() && !child) continue;
        Json json = {{"name", name}, {"kind", kind}, {"state", state_of(name, folder)}};
        json.update(made_of(folder / (kind + ".json"), [&] { return facts_of(folder, kind); }));
        const std::string started = json.value("started", "");
        if (started.empty() && child && !child->code)
            lines.push_back({"9", std::move(json)});
        else
            lines.push_back({started, std::move(json)});
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const Line& a, const Line& b) { return a.started > b.started; });
    Json runs = Json::array();
    for (std::size_t i = 0; i < std::min(lines.size(), kMaxListed); ++i)
        runs.push_back(std::move(lines[i].json));
    return {{"runs", std::move(runs)}, {"more", lines.size() > kMaxListed}};
}

ServedRuns::Json ServedRuns::progress(const std::string& name) {
    const fs::path folder = find(name);
    const std::string state = state_of(name, folder);
    const auto child = children_.find(name);
    Json json = {{"state", state},
                 {"here", child && !child->code},
                 {"blocks", state == "complete" ? 0 : results::blocks_written(folder)}};
    if (child && child->code && state != "complete") json["said"] = child->said;
    return json;
}

ServedRuns::Json ServedRuns::read(const std::string& name) {
    const fs::path folder = find(name);
    const std::string kind = kind_of(folder);
    if (kind != "run") {
        Json json = {{"kind", kind}, {"name", name}};
        std::string text;
        if (!results::read_file((folder / (kind + ".json")).string(), text))
            json["answer"] = Json::parse(text, nullptr, false);
        return json;
    }
    std::shared_ptr<Followed> run;
    {
        const std::lock_guard lock(remembering_);
        if (followed_.size() > kMaxFollowed) followed_.clear();
        std::shared_ptr<Followed>& known = followed_[name];
        if (known == nullptr) known = std::make_shared<Followed>();
        run = known;
    }
    Json json = told(host_, [&](const tournaments::HostServices& host) {
        return run->read(folder.string(), host);
    });
    json["name"] = name;
    return json;
}

ServedRuns::Json ServedRuns::games(const std::string& name, std::uint64_t from) {
    const std::string folder = find(name).string();
    return told(host_, [&](const tournaments::HostServices& host) -> Json {
        const tournaments::ReadRun read = read_run(folder, host);
        results::GamesReader reader(results::in_folder(folder, results::kGamesFile),
                                    read.file.facts,
                                    tournaments::find_whole_rows(folder, read.file).games);
        Json rows = Json::array();
        std::uint64_t number = 0;
        std::vector<results::GameRecord> games;
        while (rows.size() < kGamesShown && reader.next(games)) {
            for (const results::GameRecord& game : games) {
                if (number++ < from || rows.size() == kGamesShown) continue;
                Json seats = Json::array();
                for (const results::SeatRecord& seat : game.seats)
                    seats.push_back({read.file.facts.agents[seat.agent], seat.place});
                rows.push_back({{"id", fmt::format("{}.{}", game.block, game.game)},
                                {"plies", game.plies},
                                {"end", name_of(game.end)},
                                {"seats", std::move(seats)}});
            }
        }
        if (reader.failure()) throw tournaments::UserError(*reader.failure());
        return {{"players", read.file.facts.players},
                {"from", from},
                {"games", std::move(rows)},
                {"more", reader.next(games)}};
    });
}

std::string ServedRuns::page(const std::string& name, const std::string& game) {
    const std::string folder = find(name).string();
    return told(host_, [&](const tournaments::HostServices& host) {
        tournaments::HtmlOptions options;
        options.agents_folder = settings_.agents_folder;
        if (!game.empty()) options.games = {game};
        std::vector<results::Chapter> chapters;
        chapters.push_back(make_chapter(tournaments::open_source(folder), options, host));
        return results::html_page(chapters);
    });
}

// ---- what is started ----------------------------------------------------------------------------

std::string ServedRuns::agent_for(const std::string& spec, const games::Game& game) const {
    if (const auto program = catalogue_.program(spec)) return *program;
    static_cast<void>(catalogue_.make_agent(spec, {.game = game})); // throws if refused
    return spec;
}

std::vector<std::string> ServedRuns::arguments_for(const nlohmann::json& asked,
                                                   std::string& title) const {
    const std::string kind = asked.value("kind", "run");
    if (kind != "run" && kind != "compare" && kind != "ablate")
        refuse("A run, a comparison or an ablation can be started.");
    std::vector<std::string> arguments = {kind};
    const auto game_named = [&](const char* name) {
        const auto entry = catalogue_.find(word_in(asked, name));
        if (!entry) throw Refused(Reason::Unknown, "There is no such game.");
        title += (title.empty() ? "" : "-") + entry->id;
        arguments.push_back((kind == "run" ? "--game=" : "") + entry->name.game +
                            (entry->name.revision.empty() ? "" : ":" + entry->name.revision));
        return catalogue_.open(entry->name, {});
    };
    const auto game = game_named("game");
    if (kind == "compare") game_named("other");
    const nlohmann::json specs = asked.value("agents", nlohmann::json::array());
    if (!specs.is_array() || specs.size() > kMaxAgents) refuse("There are too many agents.");
    for (const nlohmann::json& each : specs) {
        const char* const option = kind == "compare" ? "agents" : "agent";
        arguments.push_back(
            fmt::format("--{}={}", option, agent_for(each.get<std::string>(), *game)));
    }
    const nlohmann::json options = asked.value("options", nlohmann::json::object());
    for (const games::GameOption& option : options_from(options)) {
        const std::string value = options.at(option.name).get<std::string>();
        if (value.size() > kMaxWord || option.name.size() > kMaxWord)
            refuse("That is too long for an option.");
        arguments.push_back(fmt::format("--set={}={}", option.name, value));
    }
    add_numbers(asked, "games", "", arguments);
    add_numbers(asked, "seed", "", arguments);
    if (kind == "run") {
        add_numbers(asked, "sprt", ".,-", arguments);
        const std::string schedule = word_in(asked, "schedule");
        const auto kinds = tournaments::schedule_kinds();
        const auto is_it = [&](const auto& each) { return name_of(each) == schedule; };
        if (!schedule.empty() && std::none_of(kinds.begin(), kinds.end(), is_it))
            refuse("There is no such schedule.");
        if (!schedule.empty()) arguments.push_back("--schedule=" + schedule);
    }
    const auto threads = asked.value("threads", std::size_t{0});
    if (threads > host_.threads) refuse("This machine has fewer threads.");
    if (threads > 0) arguments.push_back(fmt::format("--threads={}", threads));
    add_folders(arguments);
    arguments.emplace_back("--progress=none");
    return arguments;
}

std::string ServedRuns::new_folder(const std::string& title) {
    const std::string word = file_word(title, 60);
    for (int number = 1;; ++number) {
        std::string name = fmt::format("{}-{}", word, number);
        std::error_code failed;
        if (fs::create_directory(settings_.folder / name, failed)) return name;
        if (failed) throw Refused(Reason::Busy, "The folder of runs cannot be written to.");
    }
}

std::string ServedRuns::start(const nlohmann::json& asked) {
    const std::lock_guard one(starting_);
    std::string title;
    std::vector<std::string> arguments = arguments_for(asked, title);
    refuse_many();
    std::string name = new_folder(title);
    arguments.push_back("--out=" + (settings_.folder / name).string());
    begin(name, arguments);
    await_beginning(name, arguments.front() == "run");
    return name;
}

void ServedRuns::refuse_many() {
    if (children_.running() >= kMaxRunning)
        throw Refused(Reason::Busy, fmt::format("{} are running already; stop one.", kMaxRunning));
}

void ServedRuns::add_folders(std::vector<std::string>& arguments) const {
    if (!settings_.games_folder.empty())
        arguments.push_back("--games-folder=" + settings_.games_folder);
    if (!settings_.agents_folder.empty())
        arguments.push_back("--agents-folder=" + settings_.agents_folder);
}

void ServedRuns::begin(const std::string& name, const std::vector<std::string>& arguments) {
    if (!children_.start(name, arguments))
        throw Refused(Reason::Busy, "Another croupier process cannot be started.");
}

// Waits until it has begun, or has failed with a message.
void ServedRuns::await_beginning(const std::string& name, bool is_run) {
    const fs::path folder = settings_.folder / name;
    constexpr int kMax = 500; // fiftieths of a second
    for (int i = 0; i < kMax; ++i) {
        std::error_code failed;
        if (is_run && fs::exists(folder / results::kRunFile, failed)) return;
        const auto child = children_.find(name);
        if (child && child->code) {
            if (*child->code == 0) return;
            fs::remove(folder, failed); // only if it is empty
            refuse(catalogue_.without_folders(complaint(child->said)));
        }
        if (!is_run && i == 25) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

void ServedRuns::stop(const std::string& name) {
    static_cast<void>(find(name)); // throws if there is no such run
    if (!children_.interrupt(name))
        refuse("This server did not start it: stop it where it was started.");
}

void ServedRuns::resume(const std::string& name) {
    const std::lock_guard one(starting_);
    const fs::path folder = find(name);
    if (state_of(name, folder) != "stopped") refuse("This run is not stopped.");
    refuse_many();
    std::vector<std::string> arguments = {"resume", folder.string(), "--progress=none"};
    add_folders(arguments);
    begin(name, arguments);
}

} // namespace croupier::serve
