// Enters the blocks of shards one by one, as if a single run had played them.
#include "tournaments/run/merge.h"

#include "results/store/games_file.h"
#include "results/store/measurements.h"
#include "results/store/run_file.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

namespace croupier::tournaments {

namespace {

std::string difference(const results::RunFile& one, const results::RunFile& other) {
    if (one.shards != other.shards) return "the number of shards is";
    return what_differs(identity_of(one), identity_of(other));
}

// Reads run.json of a shard. Throws UserError if it is no part of the same run as `first`, or is
// one of those that are known.
results::RunFile read_shard(const std::string& folder, const results::RunFile& first,
                            const std::string& of_first,
                            const std::function<std::string(std::uint64_t)>& known) {
    results::RunFile file;
    if (const auto failure = results::read_run_file(folder, file)) throw UserError(*failure);
    if (const std::string other = difference(first, file); !other.empty())
        throw UserError(fmt::format("{} and {} are not parts of one run: {} not the same", of_first,
                                    folder, other));
    if (const std::string twin = known(file.shard - 1); !twin.empty())
        throw UserError(
            fmt::format("{} and {} are both shard {}/{}", twin, folder, file.shard, file.shards));
    return file;
}

ReadRun read_first(const std::string& folder, const HostServices& host) {
    ReadRun first = read_run(folder, host);
    if (first.file.shards == 1) throw UserError(folder + ": is a whole run, not a shard");
    return first;
}

class ShardWatch {
  public:
    explicit ShardWatch(const HostServices& host) : host_(host) {}

    // Whether they can be merged.
    bool look(const std::vector<std::string>& folders) {
        if (folders.empty()) return false;
        if (!first_) {
            first_ = read_first(folders.front(), host_);
            first_folder_ = folders.front();
            shards_.resize(first_->file.shards);
        }
        for (const std::string& folder : folders) {
            const auto known = numbers_.find(folder);
            Shard& shard = known == numbers_.end() ? begin(folder) : shards_[known->second];
            if (shard.complete) continue;
            const std::uint64_t before = shard.blocks;
            shard.complete = is_complete(folder);
            shard.blocks = shard.complete ? wanted_blocks(shard) : results::blocks_written(folder);
            if (shard.blocks != before) shard.seen = host_.seconds();
        }
        const auto complete = [](const Shard& shard) { return shard.complete; };
        return std::ranges::all_of(shards_, complete) || is_decided();
    }

    [[nodiscard]] results::Progress progress() const {
        constexpr double kSilent = 60; // seconds without a block that are worth telling
        results::Progress progress;
        if (!first_) {
            progress.told = {"no shard has begun"};
            return progress;
        }
        std::size_t complete = 0;
        std::vector<std::string> missing;
        std::vector<std::string> silent;
        const std::uint64_t games = first_->schedule->games_per_block();
        for (std::size_t i = 0; i < shards_.size(); ++i) {
            const Shard& shard = shards_[i];
            progress.games += shard.blocks * games;
            complete += shard.complete ? 1 : 0;
            const double quiet = host_.seconds() - shard.seen;
            const std::string name = fmt::format("{}/{}", i + 1, shards_.size());
            if (shard.folder.empty())
                missing.push_back(name);
            else if (!shard.complete && quiet > kSilent)
                silent.push_back(fmt::format("{} silent for {}", name, results::duration(quiet)));
        }
        progress.games_planned = first_->schedule->blocks() * games;
        progress.told.push_back(fmt::format("{} of {} shards complete", complete, shards_.size()));
        if (!missing.empty())
            progress.told.push_back(fmt::format("missing {}", fmt::join(missing, ", ")));
        progress.told.insert(progress.told.end(), silent.begin(), silent.end());
        return progress;
    }

  private:
    struct Shard {
        std::string folder; // empty if it has not begun
        std::uint64_t number = 0;
        std::uint64_t blocks = 0;
        bool complete = false;
        double seen = 0; // when its last block was
    };

    Shard& begin(const std::string& folder) {
        const results::RunFile file =
            read_shard(folder, first_->file, first_folder_,
                       [&](std::uint64_t shard) { return shards_[shard].folder; });
        numbers_[folder] = file.shard - 1;
        Shard& shard = shards_[file.shard - 1];
        shard.folder = folder;
        shard.number = file.shard;
        shard.seen = host_.seconds();
        return shard;
    }

    [[nodiscard]] std::uint64_t wanted_blocks(const Shard& shard) const {
        results::RunFile file = first_->file;
        file.shard = shard.number;
        return RunRecorder(file, first_->specification, *first_->schedule).wanted_blocks();
    }

    // Whether a stop rule ends the run within the blocks that have no gap before them. Looks again
    // only when there are a tenth more.
    bool is_decided() {
        if (!first_->specification.may_stop_early()) return false;
        std::uint64_t whole = ~std::uint64_t{0};
        for (std::size_t i = 0; i < shards_.size(); ++i)
            whole = std::min(whole, i + shards_[i].blocks * shards_.size());
        if (whole < looked_ + looked_ / 10 + 1) return false;
        looked_ = whole;
        results::RunFile file = first_->file;
        file.shard = file.shards = 1;
        const auto schedule = schedule_of(first_->specification, file.facts).schedule;
        RunRecorder book(file, first_->specification, *schedule);
        std::vector<std::unique_ptr<results::GamesReader>> readers;
        for (const Shard& shard : shards_)
            readers.push_back(std::make_unique<results::GamesReader>(
                results::in_folder(shard.folder, results::kGamesFile), file.facts,
                find_whole_rows(shard.folder, file).games));
        std::vector<results::GameRecord> games;
        for (std::uint64_t block = 0; block < whole && !book.complete(); ++block) {
            if (!readers[block % shards_.size()]->next(games)) return false;
            book.ledger().count(games);
        }
        return book.complete();
    }

    const HostServices& host_;
    std::optional<ReadRun> first_;
    std::string first_folder_;
    std::map<std::string, std::uint64_t> numbers_; // of the shards, from 0, by folder
    std::vector<Shard> shards_;
    std::uint64_t looked_ = 0; // blocks
};

class Merger {
  public:
    Merger(const std::vector<std::string>& folders, const HostServices& host)
        : folders_(folders), host_(host) {}

    MergedRun merge(const std::string& out) {
        ReadRun run = read_shards();
        check_shards(run);
        MergedRun merged;
        merged.folder = make_run_folder(out, run.file.facts.game);
        merged.shards = shards_.size();
        const results::File lock = lock_run_folder(merged.folder);
        refuse_run(merged.folder); // another process may have been faster
        run.file.command = host_.command;
        merged.failure = begin(merged.folder, run.file);
        // With a clock rows are written now and then, not block by block.
        RunRecorder book(run.file, run.specification, *run.schedule, {},
                         [this] { return host_.seconds(); });
        if (!merged.failure) merged.failure = book.open(merged.folder);
        if (!merged.failure) merged.failure = enter_all(run.file, book);
        if (!merged.failure) merged.failure = add_times(run.file, book);
        if (!merged.failure) merged.failure = book.conclude();
        if (merged.failure) return merged;
        merged.report = book.report();
        merged.games = book.ledger().games();
        merged.nothing_but_faults =
            merged.games > 0 && book.ended(results::End::Fault) == merged.games;
        return merged;
    }

  private:
    struct ShardFolder {
        std::string folder;
        std::unique_ptr<results::GamesReader> games;
        std::unique_ptr<results::CostReader> costs; // null if rules were not watched
        std::unique_ptr<results::KeptGames> kept;
    };

    // Fills shards_ in order, and returns the run that they belong to.
    ReadRun read_shards() {
        ReadRun first = read_first(folders_.front(), host_);
        shards_.resize(first.file.shards);
        for (const std::string& folder : folders_) {
            const results::RunFile file =
                read_shard(folder, first.file, folders_.front(),
                           [&](std::uint64_t shard) { return shards_[shard].folder; });
            shards_[file.shard - 1].folder = folder;
        }
        refuse_missing();
        first.file.shard = first.file.shards = 1;
        forget_time(first.file); // differs between shards
        return first;
    }

    // Checks before writing. A run with stop rules need not have all blocks.
    void check_shards(const ReadRun& run) {
        const results::RunFile& file = run.file;
        for (ShardFolder& shard : shards_) {
            if (!run.specification.may_stop_early() && !is_complete(shard.folder)) {
                throw UserError(fmt::format("{}: is not complete; play the rest with: croupier "
                                            "resume {}",
                                            shard.folder, shard.folder));
            }
            results::RunFile own;
            if (const auto failure = results::read_run_file(shard.folder, own))
                throw UserError(*failure);
            const WholeRows whole = find_whole_rows(shard.folder, own);
            if (!whole.warning.empty()) host_.warn(whole.warning);
            shard.games = std::make_unique<results::GamesReader>(
                results::in_folder(shard.folder, results::kGamesFile), file.facts, whole.games);
            if (shard.games->failure()) throw UserError(*shard.games->failure());
            shard.kept = std::make_unique<results::KeptGames>(
                results::in_folder(shard.folder, results::kMovesFile), whole.moves);
            if (!file.profile.watches()) continue;
            shard.costs = std::make_unique<results::CostReader>(
                results::in_folder(shard.folder, results::kCostsFile), file.profile,
                file.facts.players.size(), whole.costs);
            if (shard.costs->failure()) throw UserError(*shard.costs->failure());
        }
    }

    void refuse_missing() const {
        std::vector<std::string> missing;
        for (std::size_t i = 0; i < shards_.size(); ++i)
            if (shards_[i].folder.empty())
                missing.push_back(fmt::format("{}/{}", i + 1, shards_.size()));
        if (!missing.empty())
            throw UserError(fmt::format("missing: shard {}", fmt::join(missing, ", ")));
    }

    // Writes the inputs of the first shard, and a run.json without shards.
    results::Failure begin(const std::string& folder, results::RunFile& file) const {
        file.started = host_.date();
        file.machine = host_.machine();
        std::error_code error;
        std::filesystem::create_directories(std::filesystem::path(folder) / "inputs", error);
        for (const results::InputFile& input : file.inputs) {
            std::string text;
            if (auto failure = results::read_file(
                    results::in_folder(shards_.front().folder, input.copy), text))
                return failure;
            if (auto failure = results::replace_file(results::in_folder(folder, input.copy), text))
                return failure;
        }
        return results::replace_file(results::in_folder(folder, results::kRunFile),
                                     results::to_json_text(file));
    }

    results::Failure add_times(const results::RunFile& file, RunRecorder& book) const {
        for (const ShardFolder& shard : shards_) {
            results::TimeTable times;
            if (auto failure = results::read_times_file(shard.folder, file.facts, times))
                return failure;
            book.add_times(times);
        }
        return {};
    }

    // Enters each block from the shard whose turn it is.
    results::Failure enter_all(const results::RunFile& file, RunRecorder& book) {
        const results::RowFormat format(file.facts);
        std::vector<results::GameRecord> games;
        std::vector<results::CostRow> costs;
        std::string rows;
        std::string records;
        Ledger& ledger = book.ledger();
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
                return fmt::format("{}: has block {} where block {} should be", shard.folder,
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

    const std::vector<std::string>& folders_;
    const HostServices& host_;
    std::vector<ShardFolder> shards_;
};

} // namespace

bool await_shards(const std::function<std::vector<std::string>()>& find, const HostServices& host) {
    constexpr auto kBetween = std::chrono::milliseconds(200);
    ShardWatch watch(host);
    while (!watch.look(find())) {
        host.progress([&] { return watch.progress(); });
        if (host.stop != nullptr && *host.stop) return false;
        std::this_thread::sleep_for(kBetween);
    }
    return true;
}

MergedRun merge_shards(const std::vector<std::string>& folders, const std::string& out,
                       const HostServices& host) {
    return Merger(folders, host).merge(out);
}

} // namespace croupier::tournaments
