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

Json run_json(const std::string& folder, Context& context) {
    const ReadRun read = read_run(folder, context);
    RunBook book(read.file, read.specification, *read.schedule);
    std::vector<results::StopCourse> courses;
    const auto take = [&] {
        const auto all = book.ledger().stop_status();
        courses.resize(all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            courses[i].add(all[i]);
    };
    book.tell_games([&](std::span<const results::GameRecord>) { take(); });
    book.replay(folder);
    take();
    Json json = {{"kind", "run"},
                 {"game", read.file.facts.game},
                 {"agents", read.file.facts.agents},
                 {"seed", read.file.facts.seed},
                 {"players", read.file.facts.players},
                 {"program", read.file.program},
                 {"started", read.file.started},
                 {"machine", read.file.machine},
                 {"command", read.file.command},
                 {"report", Json::parse(results::render(book.report(), results::Format::Json))}};
    if (!book.warning().empty()) json["warning"] = book.warning();
    json["planned"] = read.specification.may_stop_early()
                          ? Json()
                          : Json(book.wanted_blocks() * read.schedule->games_per_block());
    json["costs"] = costs_json(book.costs(), read.file.facts);
    json["courses"] = Json::array();
    for (const results::StopCourse& course : courses)
        json["courses"].push_back(course_json(course));
    return json;
}

} // namespace

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

std::string ServedRuns::state_of(const std::string& name, const fs::path& folder) {
    const auto child = children_.find(name);
    if (child && !child->code) return "running";
    const std::string kind = kind_of(folder);
    if (kind == "run" && is_complete(folder.string())) return "complete";
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
        std::string started;
        results::RunFile file;
        if (kind == "run" && !results::read_run_file(folder.string(), file)) {
            started = file.started;
            json["game"] = file.facts.game;
            json["agents"] = file.facts.agents;
        }
        std::string text;
        if ((kind == "compare" || kind == "ablate") &&
            !results::read_file((folder / (kind + ".json")).string(), text)) {
            const auto made = nlohmann::json::parse(text, nullptr, false);
            if (made.is_object() && made.contains("made") && made["made"].is_object())
                started = made["made"].value("time", "");
        }
        if (started.empty() && child && !child->code)
            started = "9";
        else if (!started.empty())
            json["started"] = started;
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
    Json json = told([&](Context& context) { return run_json(folder.string(), context); });
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
