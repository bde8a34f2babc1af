// croupier db: an index of results in SQLite.
#include "results/report/layout.h"
#include "results/report/numbers.h"
#include "results/store/json_field.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/process.h"
#include "tournaments/report/database.h"
#include "tournaments/report/source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace croupier::cli {
namespace {

using tournaments::Database;

class ImportResults : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "db", "Index many results in an SQLite database",
            "Enters runs, comparisons, ablations, sweeps and tunings in a database, which sqlite3, "
            "pandas and others read: what was played, standings, verdicts, costs of rules, "
            "decision times, and each game. The folders stay as they are, and stay the truth: "
            "importing them again changes nothing but what has grown since, and a database that "
            "was lost is made again. Without folders it tells what is there. The tables are in "
            "tournaments/README.md.",
            "croupier db all.db runs\n"
            "croupier db all.db\n"
            "sqlite3 -box all.db 'select * from win_rates'"};
    }

    void declare(Options& options) override {
        options.add("FILE", file_, "The database; made if it is missing")
            .required()
            .offers(Offers::Files);
        options.add("DIR", paths_, "Folders of results, or folders that hold such, at any depth")
            .offers(Offers::Folders);
        options.add_flag("--no-games", no_games_, "Leave out single games");
        options.add_flag("--prune", prune_, "Forget results whose folders are gone");
        options.add_json_flag(json_);
        add_progress(options, progress_);
    }

    int run(Context& context) override {
        Database database(file_);
        const StopSignals signals;
        context.show_progress(progress_);
        const bool good = import_all(database, context);
        const std::size_t pruned = prune_ && !stopped() ? database.prune() : 0;
        context.end_progress();
        if (!paths_.empty())
            context.note(fmt::format("{} new, {} changed, {} as before", imported_[0], imported_[1],
                                     imported_[2]));
        if (prune_) context.note(fmt::format("{} forgotten", results::counted(pruned, "result")));
        print(database.contents(), context);
        if (stopped()) return kSignalExit + StopSignals::signal();
        return good ? kGood : kFailed;
    }

  private:
    static bool stopped() { return StopSignals::signal() != 0; }

    // Names and leaves out folders that cannot be imported; false if there were any.
    bool import_all(Database& database, Context& context) {
        bool good = true;
        for (const std::string& path : paths_) {
            const std::vector<std::string> folders = tournaments::folders_of_results(path);
            if (folders.empty()) {
                context.warn(path + ": holds no results");
                good = false;
            }
            for (std::size_t i = 0; i < folders.size() && !stopped(); ++i) {
                context.progress([&] {
                    results::Progress progress;
                    progress.told = {fmt::format("{} of {} folders", i, folders.size())};
                    return progress;
                });
                try {
                    ++imported_.at(
                        static_cast<std::size_t>(database.import(folders[i], !no_games_, context)));
                } catch (const UserError& mistake) {
                    if (stopped()) break;
                    context.warn(mistake.what());
                    good = false;
                }
            }
        }
        return good;
    }

    void print(const std::vector<Database::Line>& lines, Context& context) const {
        if (json_) {
            nlohmann::ordered_json all = nlohmann::ordered_json::array();
            for (const Database::Line& line : lines)
                all.push_back({{"game", line.game},
                               {"kind", line.kind},
                               {"results", line.results},
                               {"rulesets", line.revisions},
                               {"games", line.games},
                               {"first", line.first},
                               {"last", line.last}});
            return context.out().raw(results::json_text({{"results", std::move(all)}}));
        }
        if (lines.empty()) return context.out().line({file_ + ": holds no results"});
        const auto right = results::Align::Right;
        results::TextTable table;
        table.columns = {{"game"},         {"kind"}, {"results", right}, {"rulesets", right},
                         {"games", right}, {"last"}};
        for (const Database::Line& line : lines)
            table.rows.push_back({line.game, line.kind, std::to_string(line.results),
                                  std::to_string(line.revisions), std::to_string(line.games),
                                  line.last.substr(0, 10)});
        context.out().table(table);
    }

    std::string file_;
    std::vector<std::string> paths_;
    bool no_games_ = false;
    bool prune_ = false;
    bool json_ = false;
    std::string progress_ = "auto";
    std::array<std::size_t, 3> imported_{}; // by Database::Imported
};

} // namespace

std::unique_ptr<Command> make_db() {
    return std::make_unique<ImportResults>();
}

} // namespace croupier::cli
