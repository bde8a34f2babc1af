// Reads folders for pages.
#include "tournaments/cli/served_runs.h"

#include "results/html/stop_course.h"
#include "results/report/costs.h"
#include "results/store/games_reader.h"
#include "results/store/journal.h"
#include "tournaments/cli/compared_input.h"
#include "tournaments/cli/report_input.h"
#include "tournaments/cli/run_book.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/cli/tune_session.h"
#include "tournaments/serve/refused.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <system_error>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;
using serve::Refused;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostListed = 200;
constexpr std::uint64_t kGamesShown = 50;
constexpr std::size_t kMostFollowed = 16;
constexpr std::size_t kMostMade = 10'000;

// A command's context whose words go nowhere but into an answer.
class Quiet {
  public:
    Quiet() : terminal_(out_, err_, {}), context_{terminal_, in_} {}
    Context& context() { return context_; }
    [[nodiscard]] std::string said() const { return err_.str(); }

  private:
    std::ostringstream out_;
    std::ostringstream err_;
    std::istringstream in_;
    Terminal terminal_;
    Context context_;
};

// What goes wrong while a folder is read becomes what the page is told.
template <class Work>
auto told(const Work& work) {
    Quiet quiet;
    try {
        return work(quiet.context());
    } catch (const Mistake& mistake) {
        throw Refused(Refused::Why::Wrong, quiet.said() + mistake.what());
    }
}

std::string kind_of(const fs::path& folder) {
    std::error_code failed;
    if (fs::exists(folder / results::kRunFile, failed)) return "run";
    if (fs::exists(folder / results::kCompareFile, failed)) return "compare";
    if (fs::exists(folder / results::kAblateFile, failed)) return "ablate";
    if (is_tuning(folder.string())) return "tune";
    if (!is_comparison(folder.string())) return {};
    try { // one that was broken off
        const auto words = words_of_comparison(folder.string());
        return std::find(words.begin(), words.end(), "ablate") == words.end() ? "compare"
                                                                              : "ablate";
    } catch (const Mistake&) {
        return {};
    }
}

// What the list tells of a run besides how far it is.
Json facts_of(const fs::path& folder, const std::string& kind) {
    results::RunFile file;
    if (kind == "run" && !results::read_run_file(folder.string(), file))
        return {
            {"game", file.facts.game}, {"agents", file.facts.agents}, {"started", file.started}};
    std::string text;
    if ((kind == "compare" || kind == "ablate") &&
        !results::read_file((folder / (kind + ".json")).string(), text)) {
        const auto made = nlohmann::json::parse(text, nullptr, false);
        if (made.is_object() && made.contains("made") && made["made"].is_object() &&
            made["made"].value("time", "") != "")
            return {{"started", made["made"].value("time", "")}};
    }
    return Json::object();
}

// Somebody plays there. The lock is let go at once, and who begins just then tries again.
bool is_locked(const fs::path& file) {
    const int lock = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (lock < 0) return false;
    const bool locked = ::flock(lock, LOCK_SH | LOCK_NB) != 0;
    ::close(lock);
    return locked;
}

// Blocks that are safely there: the last whole line of the journal begins with their number.
std::uint64_t blocks_written(const fs::path& folder) {
    constexpr std::uint64_t kTail = 512;
    results::File file;
    std::uint64_t size = 0;
    std::string text;
    if (file.open((folder / results::kJournalFile).string(), results::File::Mode::Read) ||
        file.size(size) || file.read(size - std::min(size, kTail), kTail, text))
        return 0;
    const std::size_t end = text.rfind('\n');
    if (end == std::string::npos || end == 0) return 0;
    const std::size_t before = text.rfind('\n', end - 1);
    const std::string_view line =
        std::string_view(text).substr(before == std::string::npos ? 0 : before + 1);
    std::uint64_t blocks = 0;
    std::from_chars(line.data(), line.data() + line.size(), blocks);
    return blocks;
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

// The rules that were ever looked at, the dearest first.
Json costs_json(const results::CostReport& report, const results::RunFacts& facts) {
    constexpr std::size_t kMost = 60;
    Json rules = Json::array();
    const results::CostTable& table = report.costs.table;
    if (!report.costs.facts.watches()) return rules;
    for (const std::uint32_t rule : results::dearest_first(report.costs, table.has_times())) {
        const results::Cost cost = table.rule(rule);
        if (rules.size() == kMost) break;
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

} // namespace

// What was read of a run, to be read on.
class ServedRuns::Followed {
  public:
    Json read(const std::string& folder, Context& context) {
        const std::lock_guard one(reading_);
        std::string text;
        if (const auto failure =
                results::read_file(results::in_folder(folder, results::kRunFile), text))
            throw Mistake(*failure);
        if (!goes_on(folder, text)) begin(folder, text, context);
        take();
        return json();
    }

  private:
    // Where something is wrong, whoever reads it from the beginning says what.
    bool goes_on(const std::string& folder, const std::string& text) {
        try {
            return book_ != nullptr && text == text_ && book_->replay_more(folder);
        } catch (const Mistake&) {
            return false;
        }
    }
    void begin(const std::string& folder, std::string text, Context& context) {
        book_.reset();
        courses_.clear();
        run_ = read_run(folder, context);
        text_ = std::move(text);
        book_ = std::make_unique<RunBook>(run_.file, run_.specification, *run_.schedule);
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
    ReadRun run_;
    std::unique_ptr<RunBook> book_; // null, or it has not come to its end: nothing was read
    std::vector<results::StopCourse> courses_;
};

// A name is looked for among the folders, and never taken for a path.
fs::path ServedRuns::find(const std::string& name) {
    std::error_code failed;
    for (fs::directory_iterator each(settings_.folder, failed), end; !failed && each != end;
         each.increment(failed)) {
        if (each->path().filename().string() != name) continue;
        if (!kind_of(each->path()).empty() || children_.find(name)) return each->path();
    }
    throw Refused(Refused::Why::Unknown, "There is no such run.");
}

// What `make` makes of the file, which is not made again before the file has changed.
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
    if (made_.size() > kMostMade) made_.clear();
    made_[file] = {stamp, made};
    return made;
}

std::string ServedRuns::state_of(const std::string& name, const fs::path& folder) {
    const auto child = children_.find(name);
    if (child && !child->code) return "running";
    const std::string kind = kind_of(folder);
    if (kind == "run" &&
        made_of(folder / kSummaryFile, [&] { return is_complete(folder.string()); }))
        return "complete";
    if (kind.empty()) return "failed";
    if ((kind == "compare" || kind == "ablate") && is_complete_comparison(folder.string()))
        return "complete";
    return is_locked(folder / "lock") ? "elsewhere" : "stopped";
}

serve::RunShelf::Json ServedRuns::list() {
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
    for (std::size_t i = 0; i < std::min(lines.size(), kMostListed); ++i)
        runs.push_back(std::move(lines[i].json));
    return {{"runs", std::move(runs)}, {"more", lines.size() > kMostListed}};
}

serve::RunShelf::Json ServedRuns::progress(const std::string& name) {
    const fs::path folder = find(name);
    const std::string state = state_of(name, folder);
    const auto child = children_.find(name);
    Json json = {{"state", state},
                 {"here", child && !child->code},
                 {"blocks", state == "complete" ? 0 : blocks_written(folder)}};
    if (child && child->code && state != "complete") json["said"] = child->said;
    return json;
}

serve::RunShelf::Json ServedRuns::read(const std::string& name) {
    const fs::path folder = find(name);
    const std::string kind = kind_of(folder);
    if (kind != "run") return {{"kind", kind}, {"name", name}};
    std::shared_ptr<Followed> run;
    {
        const std::lock_guard lock(remembering_);
        if (followed_.size() > kMostFollowed) followed_.clear();
        std::shared_ptr<Followed>& known = followed_[name];
        if (known == nullptr) known = std::make_shared<Followed>();
        run = known;
    }
    Json json = told([&](Context& context) { return run->read(folder.string(), context); });
    json["name"] = name;
    return json;
}

serve::RunShelf::Json ServedRuns::games(const std::string& name, std::uint64_t from) {
    const std::string folder = find(name).string();
    return told([&](Context& context) -> Json {
        const ReadRun read = read_run(folder, context);
        results::GamesReader reader((fs::path(folder) / results::kGamesFile).string(),
                                    read.file.facts, find_whole_rows(folder, read.file).games);
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
        if (reader.failure()) throw Mistake(*reader.failure());
        return {{"players", read.file.facts.players},
                {"from", from},
                {"games", std::move(rows)},
                {"more", reader.next(games)}};
    });
}

std::string ServedRuns::page(const std::string& name, const std::string& game) {
    const std::string folder = find(name).string();
    return told([&](Context& context) {
        HtmlOptions options;
        options.agents_folder = settings_.agents_folder;
        if (!game.empty()) options.games = {game};
        std::vector<results::Chapter> chapters;
        chapters.push_back(make_chapter(open_source(folder), options, context));
        return results::html_page(chapters);
    });
}

} // namespace croupier::cli
