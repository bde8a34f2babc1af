// Imports results as the CSV that `croupier report` prints of them, and the CSV files of their
// folders: tables have the same columns.
#include "tournaments/report/database.h"

#include "results/record.h"
#include "results/report/compared.h"
#include "results/report/report.h"
#include "results/store/file.h"
#include "results/store/journal.h"
#include "results/store/measurements.h"
#include "results/store/run_file.h"
#include "tournaments/compare/comparison.h"
#include "tournaments/report/source.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/tuning/plan.h"
#include "tournaments/tuning/tuning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace croupier::tournaments {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using Kind = ReportSource::Kind;

constexpr int kApplication = 0x63727033; // marks the file, as "crp3"
constexpr int kVersion = 1;

// Columns that people ask by are named as in the CSV. `result` numbers the folders.
constexpr const char* kSchema = R"sql(
CREATE TABLE results(
  result INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, kind TEXT NOT NULL, folder TEXT NOT NULL,
  game TEXT, seed INTEGER, blocks INTEGER, games INTEGER, complete INTEGER, started TEXT,
  program TEXT, machine TEXT, command TEXT, deals TEXT, has_games INTEGER NOT NULL);
CREATE INDEX results_by_deals ON results(deals);
CREATE TABLE sides(
  result INTEGER, side INTEGER, game TEXT, ruleset TEXT, settings TEXT, specification TEXT,
  PRIMARY KEY(result, side)) WITHOUT ROWID;
CREATE TABLE agents(
  result INTEGER, number INTEGER, name TEXT, agent TEXT, files TEXT, oracle INTEGER,
  PRIMARY KEY(result, number)) WITHOUT ROWID;
CREATE TABLE measures(
  result INTEGER, section TEXT, name TEXT, other TEXT, metric TEXT, value NUMERIC, error REAL,
  low REAL, high REAL);
CREATE INDEX measures_by_result ON measures(result, section, metric);
CREATE TABLE settings(result INTEGER, point INTEGER, factor TEXT, value TEXT);
CREATE INDEX settings_by_result ON settings(result, point);
CREATE TABLE points(
  result INTEGER, point INTEGER, metric TEXT, "of" TEXT, blocks INTEGER, games INTEGER, value REAL,
  error REAL, low REAL, high REAL, difference REAL, difference_low REAL, difference_high REAL,
  p REAL, verdict TEXT, given_up INTEGER, among_best INTEGER, on_front INTEGER);
CREATE INDEX points_by_result ON points(result, point);
CREATE TABLE rules(
  result INTEGER, rule INTEGER, owner TEXT, "group" TEXT, name TEXT, phase TEXT, seat INTEGER,
  player TEXT, entry INTEGER, text TEXT, tried INTEGER, passed INTEGER, matches INTEGER,
  firings INTEGER, games INTEGER, steps INTEGER, watched INTEGER, ticks INTEGER, cpu_ns INTEGER,
  match_ns INTEGER, act_ns INTEGER, total_ns INTEGER, shared_ns INTEGER, self_ns INTEGER,
  ns_per_game REAL, share REAL, low REAL, high REAL);
CREATE INDEX rules_by_result ON rules(result);
CREATE TABLE times(
  result INTEGER, agent TEXT, seat INTEGER, player TEXT, decisions INTEGER, measured INTEGER,
  mean_ns REAL, p99_ns REAL, max_ns REAL, cpu_ns REAL, games INTEGER, weight INTEGER,
  wall_sum_ns INTEGER, cpu_weight INTEGER, cpu_sum_ns INTEGER, histogram TEXT);
CREATE INDEX times_by_result ON times(result);
CREATE TABLE games(
  result INTEGER, block INTEGER, game INTEGER, start INTEGER, seat INTEGER, player TEXT, agent TEXT,
  score REAL, place INTEGER, role TEXT, plies INTEGER, "end" TEXT, fault TEXT, substitute INTEGER,
  line TEXT, choices INTEGER, forced INTEGER, settled INTEGER, leads INTEGER, comeback INTEGER,
  fired TEXT,
  PRIMARY KEY(result, block, game, seat)) WITHOUT ROWID;

CREATE VIEW counted AS
  SELECT * FROM results r WHERE kind = 'run' AND NOT EXISTS (
    SELECT 1 FROM results o WHERE o.deals = r.deals AND o.kind = 'run' AND
      (o.blocks > r.blocks OR o.blocks = r.blocks AND o.result < r.result));
CREATE VIEW win_rates AS
  SELECT c.result, c.started, s.game, s.ruleset, s.settings, a.name, a.agent, a.files, c.games,
    m.value AS win_rate, m.low, m.high
  FROM counted c JOIN sides s USING(result) JOIN agents a USING(result)
    JOIN measures m ON m.result = c.result AND m.section = 'agent' AND m.name = a.name
      AND m.metric = 'win_rate';
CREATE VIEW lengths AS
  SELECT c.result, c.started, s.game, s.ruleset, s.settings, c.games, m.value AS plies
  FROM counted c JOIN sides s USING(result)
    JOIN measures m ON m.result = c.result AND m.section = 'run' AND m.metric = 'plies';
CREATE VIEW rule_costs AS
  SELECT c.result, c.started, s.game, s.ruleset, s.settings, c.machine, r.owner, r."group", r.name,
    r.ns_per_game, r.share, r.low, r.high
  FROM counted c JOIN sides s USING(result) JOIN rules r USING(result)
  WHERE r.rule IS NOT NULL AND r.phase IS NULL AND r.entry IS NULL;
)sql";
// All tables with rows of a result, which go with it.
constexpr std::array kTables = {"sides", "agents", "measures", "settings", "points",
                                "rules", "times",  "games",    "results"};

[[noreturn]] void fail(const std::string& path, sqlite3* database) {
    throw UserError(fmt::format("{}: {}", path, sqlite3_errmsg(database)));
}

void execute(const std::string& path, sqlite3* database, const std::string& sql) {
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        fail(path, database);
}

// Without a commit nothing is changed.
class Transaction {
  public:
    Transaction(const std::string& path, sqlite3* database) : path_(path), database_(database) {
        execute(path_, database_, "BEGIN IMMEDIATE");
    }
    ~Transaction() {
        if (open_) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    void commit() {
        execute(path_, database_, "COMMIT");
        open_ = false;
    }

  private:
    const std::string& path_;
    sqlite3* database_;
    bool open_ = true;
};

class Statement {
  public:
    Statement(const std::string& path, sqlite3* database, const std::string& sql)
        : path_(path), database_(database) {
        const auto size = static_cast<int>(sql.size());
        if (sqlite3_prepare_v2(database, sql.c_str(), size, &statement_, nullptr) != SQLITE_OK)
            fail(path, database);
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    // An empty text is NULL. Columns make numbers of texts that are such.
    Statement& bind(std::string_view text) {
        ++bound_;
        text.empty() ? sqlite3_bind_null(statement_, bound_)
                     : sqlite3_bind_text(statement_, bound_, text.data(),
                                         static_cast<int>(text.size()), SQLITE_TRANSIENT);
        return *this;
    }
    Statement& bind(std::int64_t number) {
        sqlite3_bind_int64(statement_, ++bound_, number);
        return *this;
    }
    // Whether there is a row.
    bool step() {
        const int code = sqlite3_step(statement_);
        if (code != SQLITE_ROW && code != SQLITE_DONE) fail(path_, database_);
        return code == SQLITE_ROW;
    }
    // For the next values.
    void reset() {
        sqlite3_reset(statement_);
        bound_ = 0;
    }
    void run() {
        step();
        reset();
    }
    [[nodiscard]] std::int64_t number(int column) const {
        return sqlite3_column_int64(statement_, column);
    }
    [[nodiscard]] std::string text(int column) const {
        const auto* bytes = sqlite3_column_text(statement_, column);
        return bytes == nullptr
                   ? ""
                   : std::string(bytes, bytes + sqlite3_column_bytes(statement_, column));
    }

  private:
    const std::string& path_;
    sqlite3* database_;
    sqlite3_stmt* statement_ = nullptr;
    int bound_ = 0;
};

// The library for CSV must know columns when it is compiled, and those of a table are known only to
// its file. Takes the first row off a CSV text; quoted cells may hold any
// character. False, and nothing is taken, if the row has no end.
bool take_row(std::string_view& text, std::vector<std::string>& cells) {
    cells.assign(1, {});
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            if (quoted && i + 1 < text.size() && text[i + 1] == '"')
                cells.back() += text[i++];
            else
                quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else if (c == '\n' && !quoted) {
            text.remove_prefix(i + 1);
            return true;
        } else {
            cells.back() += c;
        }
    }
    return false;
}

// Enters the rows of a CSV text in a table that has its columns, but for `left_out` of them after
// the first.
class CsvImport {
  public:
    CsvImport(const std::string& path, sqlite3* database, std::string table, std::int64_t result,
              std::size_t left_out = 0)
        : path_(path), database_(database), table_(std::move(table)), result_(result),
          left_out_(static_cast<std::ptrdiff_t>(left_out)) {}

    // Takes the complete rows off the text.
    void take(std::string_view& text) {
        while (take_row(text, cells_)) {
            cells_.erase(cells_.begin() + 1, cells_.begin() + 1 + left_out_);
            if (!insert_) {
                insert_.emplace(path_, database_,
                                fmt::format("INSERT INTO {}(result, \"{}\") VALUES(?{})", table_,
                                            fmt::join(cells_, "\", \""), repeated(cells_.size())));
                continue;
            }
            insert_->bind(result_);
            for (const std::string& cell : cells_)
                insert_->bind(cell);
            insert_->run();
        }
    }

  private:
    static std::string repeated(std::size_t times) {
        std::string text;
        for (std::size_t i = 0; i < times; ++i)
            text += ",?";
        return text;
    }

    const std::string& path_;
    sqlite3* database_;
    std::string table_;
    std::int64_t result_;
    std::ptrdiff_t left_out_;
    std::optional<Statement> insert_;
    std::vector<std::string> cells_;
};

// The file that says what was asked, written once.
std::string asked_file(const ReportSource& source) {
    if (source.kind == Kind::Run) return std::string(results::kRunFile);
    return std::string(source.kind == Kind::Tune ? kTuneFile : kAskedFile);
}

bool has_all(const ReportSource& source) {
    if (source.kind == Kind::Run) return is_complete(source.path);
    return source.kind != Kind::Tune && is_complete_comparison(source.path);
}

// All of one folder.
class FolderImport {
  public:
    FolderImport(const std::string& path, sqlite3* database, const ReportSource& source,
                 std::int64_t result, const HostServices& host)
        : path_(path), database_(database), source_(source), result_(result), host_(host) {}

    void add(const std::string& id, bool games) {
        complete_ = has_all(source_);
        source_.kind == Kind::Run ? add_run() : add_compared();
        if (games && source_.kind != Kind::Tune) add_games();
        Statement insert(path_, database_,
                         "INSERT INTO results VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
        insert.bind(result_)
            .bind(id)
            .bind(name_of(source_.kind))
            .bind(folder_of(source_))
            .bind(game_);
        insert.bind(seed_).bind(blocks_).bind(games_).bind(complete_ ? 1 : 0).bind(origin_.time);
        insert.bind(origin_.program).bind(origin_.machine).bind(origin_.command).bind(deals_);
        insert.bind(games ? 1 : 0).run();
    }

    static std::string folder_of(const ReportSource& source) {
        return fs::absolute(source.path).lexically_normal().string();
    }

  private:
    void add_run() {
        const ReadRun read = read_run(source_.path, host_);
        if (read.file.shards > 1)
            throw UserError(
                fmt::format("{}: is shard {} of {}; import what croupier merge makes of "
                            "all",
                            source_.path, read.file.shard, read.file.shards));
        RunRecorder book(read.file, read.specification, *read.schedule);
        book.replay(source_.path);
        const results::Report report = book.report();
        const results::RunFacts& facts = read.file.facts;
        game_ = facts.game;
        seed_ = static_cast<std::int64_t>(facts.seed);
        blocks_ = static_cast<std::int64_t>(report.summary.blocks);
        games_ = static_cast<std::int64_t>(report.summary.games);
        origin_ = {source_.path, read.file.program, read.file.started, read.file.machine,
                   read.file.command};
        deals_ = deals_of(read.file);
        add_side(identity_of(read.file));
        add_agents(read);
        add_csv("measures", results::render(report, results::Format::Csv));
        if (report.costs && report.costs->missing.empty())
            add_csv("rules", rules_text(report.costs->costs, facts));
        if (report.times) add_csv("times", times_text(*report.times, facts));
        whole_ = find_whole_rows(source_.path, read.file).games;
    }

    void add_agents(const ReadRun& read) {
        Statement insert(path_, database_, "INSERT INTO agents VALUES(?,?,?,?,?,?)");
        for (std::size_t i = 0; i < read.specification.agents.size(); ++i) {
            const AgentEntry& agent = read.specification.agents[i];
            const auto& oracles = read.file.facts.oracles;
            const bool oracle = std::ranges::find(oracles, agent.spec.name) != oracles.end();
            insert.bind(result_).bind(static_cast<std::int64_t>(i)).bind(agent.spec.name);
            insert.bind(agents::text_of(agent.spec))
                .bind(files_of(read.file, agents::text_of(agent.spec)));
            insert.bind(oracle ? 1 : 0).run();
        }
    }

    void add_compared() {
        const auto& json = source_.json;
        if (source_.kind == Kind::Tune) {
            const results::TuneChapter chapter = read_tuned(source_);
            const TuningPlan plan = reopen_tuning(source_.path);
            origin_ = chapter.origin;
            game_ = plan.game;
            seed_ = static_cast<std::int64_t>(plan.seed);
            blocks_ = static_cast<std::int64_t>(chapter.summary.blocks);
            games_ = blocks_ * 2 * plan.games_a_block;
            const auto& proof = chapter.summary.proof;
            const bool proved =
                chapter.summary.unchanged || plan.proof_blocks == 0 ||
                (proof && (proof->status.stopped || proof->blocks >= proof->most_blocks));
            complete_ = chapter.summary.blocks >= chapter.summary.wanted && proved;
            add_side(ordered_json::parse(plan.identity));
            return add_csv("measures", csv_of(chapter.summary));
        }
        seed_ = json.value("seed", std::int64_t{0});
        blocks_ = json.value("blocks", std::int64_t{0});
        games_ = json.value("games", std::int64_t{0});
        const std::vector<ordered_json> sides = identities_of_comparison(source_.path);
        for (const ordered_json& side : sides)
            add_side(side);
        game_ = sides.front()["the specification is"].value("game", "");
        if (!complete_) {
            results::Journal journal = results::Journal::of_comparison();
            if (const auto failure = journal.examine(source_.path)) throw UserError(*failure);
            whole_ = journal.bytes();
        }
        if (source_.kind == Kind::Sweep) {
            const results::SweepChapter chapter = read_sweep(source_);
            origin_ = chapter.origin;
            return add_points(chapter.summary);
        }
        if (source_.kind == Kind::Compare) {
            const results::CompareChapter chapter = read_comparison(source_);
            origin_ = chapter.origin;
            return add_csv("measures", csv_of(chapter.summary));
        }
        const results::AblateChapter chapter = read_ablation(source_);
        origin_ = chapter.origin;
        add_csv("measures", csv_of(chapter.summary));
    }

    void add_points(const results::SweepSummary& summary) {
        const auto& factors = summary.design.factors;
        Statement insert(path_, database_, "INSERT INTO settings VALUES(?,?,?,?)");
        for (std::size_t point = 0; point < summary.points.size(); ++point)
            for (std::size_t factor = 0; factor < factors.size(); ++factor) {
                insert.bind(result_).bind(static_cast<std::int64_t>(point + 1));
                insert.bind(factors[factor].name).bind(summary.design.value(point, factor)).run();
            }
        add_csv("points", csv_of(summary), factors.size());
    }

    void add_side(const ordered_json& identity) {
        const ordered_json& asked = identity["the specification is"];
        Statement insert(path_, database_, "INSERT INTO sides VALUES(?,?,?,?,?,?)");
        insert.bind(result_).bind(++sides_).bind(asked.value("game", ""));
        insert.bind(identity.value("the ruleset is", ""));
        insert.bind(asked.contains("set") ? asked["set"].dump() : "").bind(asked.dump()).run();
    }

    void add_csv(const std::string& table, std::string_view text, std::size_t left_out = 0) {
        CsvImport(path_, database_, table, result_, left_out).take(text);
    }

    void add_games() {
        constexpr std::size_t kPiece = 1 << 20;
        const std::string name = results::in_folder(source_.path, results::kGamesFile);
        results::File file;
        if (const auto failure = file.open(name, results::File::Mode::Read))
            throw UserError(*failure);
        CsvImport import(path_, database_, "games", result_);
        std::string piece;
        std::string rest; // of a row
        for (std::uint64_t at = 0; at < whole_; at += piece.size()) {
            if (host_.stop != nullptr && *host_.stop) throw UserError("interrupted");
            const auto most =
                static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, whole_ - at));
            if (const auto failure = file.read(at, most, piece)) throw UserError(*failure);
            if (piece.empty()) break;
            rest += piece;
            std::string_view text = rest;
            import.take(text);
            rest.erase(0, rest.size() - text.size());
        }
    }

    const std::string& path_;
    sqlite3* database_;
    const ReportSource& source_;
    std::int64_t result_;
    const HostServices& host_;
    std::int64_t sides_ = 0;
    std::string game_;
    std::int64_t seed_ = 0;
    std::int64_t blocks_ = 0;
    std::int64_t games_ = 0;
    bool complete_ = false;
    results::Origin origin_;
    std::string deals_;
    std::uint64_t whole_ = ~std::uint64_t{0}; // bytes of games.csv
};

} // namespace

struct Database::Known {
    std::int64_t result = 0;
    std::int64_t blocks = -1;
    bool complete = false;
    bool games = false;
};

void Database::Closer::operator()(sqlite3* database) const {
    sqlite3_close_v2(database);
}

Database::Database(const std::string& path) : path_(path) {
    sqlite3* database = nullptr;
    const int code = sqlite3_open(path.c_str(), &database);
    database_.reset(database);
    if (code != SQLITE_OK) fail(path_, database);
    sqlite3_busy_timeout(database, 10'000);
    open();
}

void Database::open() {
    const auto pragma = [&](const char* name) {
        Statement ask(path_, database_.get(), fmt::format("PRAGMA {}", name));
        ask.step();
        return ask.number(0);
    };
    Transaction transaction(path_, database_.get());
    if (pragma("schema_version") == 0)
        execute(path_, database_.get(),
                fmt::format("{}PRAGMA application_id = {}; PRAGMA user_version = {};", kSchema,
                            kApplication, kVersion));
    else if (pragma("application_id") != kApplication)
        throw UserError(path_ + ": is a database of another program");
    else if (pragma("user_version") != kVersion)
        throw UserError(fmt::format("{}: has format {}, and this program writes format {}; remove "
                                    "it, and import the folders again",
                                    path_, pragma("user_version"), kVersion));
    transaction.commit();
}

Database::Imported Database::import(const std::string& folder, bool games,
                                    const HostServices& host) {
    const ReportSource source = open_source(folder);
    std::string asked;
    const std::string file = results::in_folder(folder, asked_file(source));
    if (const auto failure = results::read_file(file, asked)) throw UserError(*failure);
    const std::string id = results::content_hash(asked);
    Transaction transaction(path_, database_.get());
    const Known known = find(id);
    if (known.complete && known.games >= games) {
        Statement move(path_, database_.get(), "UPDATE results SET folder = ? WHERE id = ?");
        if (has_all(source)) move.bind(FolderImport::folder_of(source)).bind(id).run();
        transaction.commit();
        return Imported::Same;
    }
    forget(known.result);
    FolderImport(path_, database_.get(), source, known.result, host).add(id, games || known.games);
    const Known now = find(id);
    if (now.blocks < known.blocks) return Imported::Same; // an older copy
    transaction.commit();
    if (known.blocks < 0) return Imported::New;
    const bool same =
        now.blocks == known.blocks && now.complete == known.complete && now.games == known.games;
    return same ? Imported::Same : Imported::Changed;
}

std::size_t Database::prune() {
    std::vector<std::int64_t> gone;
    Transaction transaction(path_, database_.get());
    Statement all(path_, database_.get(), "SELECT result, folder FROM results");
    while (all.step())
        if (!holds_results(all.text(1))) gone.push_back(all.number(0));
    for (const std::int64_t result : gone)
        forget(result);
    transaction.commit();
    return gone.size();
}

std::vector<Database::Line> Database::contents() const {
    Statement ask(path_, database_.get(),
                  "SELECT game, kind, count(*), (SELECT count(DISTINCT ruleset) FROM sides JOIN "
                  "results USING(result) WHERE results.game = r.game AND results.kind = r.kind), "
                  "sum(games), min(started), max(started) FROM results r GROUP BY game, kind "
                  "ORDER BY game, kind");
    std::vector<Line> lines;
    while (ask.step())
        lines.push_back({ask.text(0), ask.text(1), static_cast<std::uint64_t>(ask.number(2)),
                         static_cast<std::uint64_t>(ask.number(3)),
                         static_cast<std::uint64_t>(ask.number(4)), ask.text(5), ask.text(6)});
    return lines;
}

// The next free number, and nothing else, if there is none with that id.
Database::Known Database::find(const std::string& id) const {
    Statement ask(path_, database_.get(),
                  "SELECT result, blocks, complete, has_games FROM results WHERE id = ?");
    if (ask.bind(id).step())
        return {ask.number(0), ask.number(1), ask.number(2) != 0, ask.number(3) != 0};
    Statement next(path_, database_.get(), "SELECT coalesce(max(result), 0) + 1 FROM results");
    next.step();
    return {.result = next.number(0)};
}

void Database::forget(std::int64_t result) {
    for (const char* table : kTables)
        Statement(path_, database_.get(), fmt::format("DELETE FROM {} WHERE result = ?", table))
            .bind(result)
            .run();
}

} // namespace croupier::tournaments
