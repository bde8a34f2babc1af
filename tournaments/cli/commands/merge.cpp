// croupier merge: makes one run of its shards.
#include "results/store/games_reader.h"
#include "results/store/measurements.h"
#include "results/store/rows.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/machine.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;

class Merge : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"merge", "Join the shards of a run",
                "The folders are those of 'croupier run --shard i/n', all n of them and complete. "
                "What is written is what a single run would have written, byte for byte; if a stop "
                "rule ends that run early, later blocks are left out.",
                "croupier merge runs/part-1 runs/part-2 --out runs/whole"};
    }

    void declare(Options& options) override {
        options.add("DIR", folders_, "Folders of the shards, in any order")
            .required()
            .offers(Offers::Folders);
        options.add("--out", out_, "Folder of the results")
            .type_name("DIR")
            .offers(Offers::Folders)
            .default_text("a new one under runs/");
        add_report_form(options, form_);
    }

    int run(Context& context) override {
        tournaments::ReadRun run = read_shards(context);
        check_shards(run, context);
        const std::string folder = tournaments::make_run_folder(out_, run.file.facts.game);
        const results::File lock = tournaments::lock_run_folder(folder);
        tournaments::refuse_run(folder); // somebody may have been quicker
        run.file.command = context.command;
        results::Failure failure = begin(folder, run.file);
        tournaments::RunBook book(run.file, run.specification, *run.schedule);
        if (!failure) failure = book.open(folder);
        if (!failure) failure = enter_all(run.file, book);
        if (!failure) failure = add_times(run.file, book);
        if (!failure) failure = book.conclude();
        if (failure) {
            context.terminal.error(context.who, *failure);
            return kFailed;
        }
        context.err().line({fmt::format("{} games of {} shards, merged in {}",
                                        book.ledger().games(), shards_.size(), folder)});
        context.out().raw(results::render(book.report(), *results::format_of(form_.name()),
                                          context.out().width()));
        const std::uint64_t games = book.ledger().games();
        return games > 0 && book.ended(results::End::Fault) == games ? kFailed : kGood;
    }

  private:
    struct ShardFolder {
        std::string folder;
        std::unique_ptr<results::GamesReader> games;
        std::unique_ptr<results::CostReader> costs; // null where nothing was watched
        std::unique_ptr<results::KeptGames> kept;
    };

    // Fills shards_ in their order, and returns the run that they are parts of.
    tournaments::ReadRun read_shards(Context& context) {
        tournaments::ReadRun first = read_run(folders_.front(), context);
        const std::uint64_t count = first.file.shards;
        if (count == 1) throw Mistake(folders_.front() + ": is a whole run, not a shard");
        shards_.resize(count);
        for (const std::string& folder : folders_) {
            results::RunFile file;
            if (const auto failure = results::read_run_file(folder, file)) throw Mistake(*failure);
            if (const std::string other = difference(first.file, file); !other.empty()) {
                throw Mistake(fmt::format("{} and {} are not parts of one run: {} not the same",
                                          folders_.front(), folder, other));
            }
            ShardFolder& shard = shards_[file.shard - 1];
            if (!shard.folder.empty()) {
                throw Mistake(fmt::format("{} and {} are both shard {}/{}", shard.folder, folder,
                                          file.shard, count));
            }
            shard.folder = folder;
        }
        refuse_missing();
        first.file.shard = first.file.shards = 1;
        tournaments::forget_time(first.file); // a part's own
        return first;
    }

    // Before anything is written. A run that may stop early can do without some blocks.
    void check_shards(const tournaments::ReadRun& run, Context& context) {
        const results::RunFile& file = run.file;
        for (ShardFolder& shard : shards_) {
            if (!run.specification.may_stop_early() && !tournaments::is_complete(shard.folder)) {
                throw Mistake(fmt::format("{}: is not complete; play the rest with: croupier "
                                          "resume {}",
                                          shard.folder, shard.folder));
            }
            results::RunFile own;
            if (const auto failure = results::read_run_file(shard.folder, own))
                throw Mistake(*failure);
            const tournaments::WholeRows whole = tournaments::find_whole_rows(shard.folder, own);
            if (!whole.warning.empty()) context.warn(whole.warning);
            shard.games = std::make_unique<results::GamesReader>(
                (fs::path(shard.folder) / results::kGamesFile).string(), file.facts, whole.games);
            if (shard.games->failure()) throw Mistake(*shard.games->failure());
            shard.kept = std::make_unique<results::KeptGames>(
                (fs::path(shard.folder) / results::kMovesFile).string(), whole.moves);
            if (!file.profile.watches()) continue;
            shard.costs = std::make_unique<results::CostReader>(
                (fs::path(shard.folder) / results::kCostsFile).string(), file.profile,
                file.facts.players.size(), whole.costs);
            if (shard.costs->failure()) throw Mistake(*shard.costs->failure());
        }
    }

    static std::string difference(const results::RunFile& one, const results::RunFile& other) {
        if (one.shards != other.shards) return "the number of shards is";
        return tournaments::what_differs(tournaments::identity_of(one),
                                         tournaments::identity_of(other));
    }

    void refuse_missing() const {
        std::vector<std::string> missing;
        for (std::size_t i = 0; i < shards_.size(); ++i)
            if (shards_[i].folder.empty())
                missing.push_back(fmt::format("{}/{}", i + 1, shards_.size()));
        if (!missing.empty())
            throw Mistake(fmt::format("missing: shard {}", fmt::join(missing, ", ")));
    }

    // The inputs of the first shard, and a run.json that tells of no shards.
    results::Failure begin(const std::string& folder, results::RunFile& file) const {
        file.started = time_now();
        file.machine = describe_machine();
        std::error_code error;
        fs::create_directories(fs::path(folder) / "inputs", error);
        for (const results::InputFile& input : file.inputs) {
            std::string text;
            if (auto failure = results::read_file(
                    (fs::path(shards_.front().folder) / input.copy).string(), text))
                return failure;
            if (auto failure =
                    results::replace_file((fs::path(folder) / input.copy).string(), text))
                return failure;
        }
        return results::replace_file((fs::path(folder) / results::kRunFile).string(),
                                     results::to_json_text(file));
    }

    results::Failure add_times(const results::RunFile& file, tournaments::RunBook& book) const {
        for (const ShardFolder& shard : shards_) {
            results::TimeTable times;
            if (auto failure = results::read_times_file(shard.folder, file.facts, times))
                return failure;
            book.add_times(times);
        }
        return {};
    }

    // Block by block, each from the shard whose turn it is.
    results::Failure enter_all(const results::RunFile& file, tournaments::RunBook& book) {
        const results::RowFormat format(file.facts);
        std::vector<results::GameRecord> games;
        std::vector<results::CostRow> costs;
        std::string rows;
        std::string records;
        tournaments::Ledger& ledger = book.ledger();
        while (!book.complete()) {
            const std::uint64_t index = ledger.blocks();
            ShardFolder& shard = shards_[index % shards_.size()];
            if (!shard.games->next(games)) {
                if (shard.games->failure()) return shard.games->failure();
                return fmt::format(
                    "{}: is not complete, block {} is missing; continue with: croupier "
                    "resume {}",
                    shard.folder, index, shard.folder);
            }
            if (games.front().block != index) {
                return fmt::format("{}: has block {} where block {} should stand", shard.folder,
                                   games.front().block, index);
            }
            rows.clear();
            for (const results::GameRecord& game : games)
                format.append(game, rows);
            if (shard.costs && !shard.costs->read(index, costs)) return shard.costs->failure();
            shard.kept->take_block(index, records);
            if (shard.kept->failure()) return shard.kept->failure();
            ledger.take({index, games, rows, costs, records});
            ledger.pause();
            if (ledger.failure()) return ledger.failure();
        }
        return {};
    }

    std::vector<std::string> folders_;
    std::string out_;
    Form form_;
    std::vector<ShardFolder> shards_;
};

} // namespace

std::unique_ptr<Command> make_merge() {
    return std::make_unique<Merge>();
}

} // namespace croupier::cli
