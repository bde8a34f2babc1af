// Appends batches, and after a crash finds the last complete one.
#include "results/store/journal.h"

#include "results/store/file.h"
#include "results/store/games_file.h"
#include "results/store/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace croupier::results {
namespace {

// The size of a file after a batch, and the checksum of what the batch added.
struct FilePart {
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;
};

// A line: "blocks [bytes checksum-of-batch for each file] checksum-of-line
// "; blocks and bytes count from the beginning.
struct Lot {
    std::uint64_t blocks = 0;
    std::vector<FilePart> parts; // games.csv first
};

std::string line_of(const Lot& lot) {
    std::string line = fmt::format("{} ", lot.blocks);
    for (const FilePart& part : lot.parts)
        line += fmt::format("{} {:08x} ", part.bytes, part.checksum);
    line += fmt::format("{:08x}\n", crc32c(line));
    return line;
}

// Removes a number and the following space from the text.
template <class Number>
bool take_word(std::string_view& text, Number& number, int base = 10) {
    if (!take_number(text, number, base) || text.empty()) return false;
    text.remove_prefix(1);
    return true;
}

// Removes the next line from the text; nothing if it is incomplete.
std::optional<Lot> take_lot(std::string_view& text, std::size_t files) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end + 1);
    Lot lot;
    lot.parts.resize(files);
    std::string_view rest = line;
    bool good = take_word(rest, lot.blocks);
    for (FilePart& part : lot.parts)
        good = good && take_word(rest, part.bytes) && take_word(rest, part.checksum, 16);
    if (!good || line_of(lot) != line) return std::nullopt;
    text.remove_prefix(line.size());
    return lot;
}

struct Rows {
    bool whole = false; // the file agrees with the batch
    std::uint64_t lines = 0;
};

// Reads what a batch added to the file, after its size before.
Failure read_part(const File& file, std::uint64_t before, const FilePart& part, Rows& rows) {
    std::string text;
    const auto size = static_cast<std::size_t>(part.bytes - before);
    if (Failure failure = file.read(before, size, text)) return failure;
    rows.whole = text.size() == size && crc32c(text) == part.checksum;
    rows.lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    return {};
}

Failure cut_to(File& file, std::uint64_t bytes) {
    std::uint64_t size = 0;
    if (Failure failure = file.size(size)) return failure;
    return size == bytes ? Failure() : file.cut(bytes);
}

bool exists(const std::string& folder, std::string_view name) {
    std::error_code ignored;
    return std::filesystem::exists(in_folder(folder, name), ignored);
}

} // namespace

Journal::Journal(bool costs, bool moves) {
    files_.push_back({kGamesFile, kRowTitles});
    if (costs) files_.push_back({kCostsFile, kCostTitles});
    if (moves) files_.push_back({kMovesFile, {}});
}

Journal Journal::of_comparison() {
    Journal journal;
    journal.files_.front().titles = kComparedTitles;
    return journal;
}

const Journal::Growing* Journal::file(std::string_view name) const {
    const auto found = std::ranges::find(files_, name, &Growing::name);
    return found == files_.end() ? nullptr : &*found;
}

Journal::Growing* Journal::file(std::string_view name) {
    return const_cast<Growing*>(std::as_const(*this).file(name)); // NOLINT(*-const-cast)
}

bool Journal::lacks_costs() const {
    const Growing* const costs = file(kCostsFile);
    return costs != nullptr && costs->missing;
}

std::uint64_t Journal::cost_bytes() const {
    const Growing* const costs = file(kCostsFile);
    return costs == nullptr ? 0 : costs->bytes;
}

std::uint64_t Journal::moves_bytes() const {
    const Growing* const kept = file(kMovesFile);
    return kept == nullptr ? 0 : kept->bytes;
}

std::string Journal::warning() const {
    if (altered_line_ == 0) return {};
    return fmt::format("{}:{}: rows from here on are not as they were written, and do not count; "
                       "'croupier resume' plays their games again",
                       in_folder(folder_, kGamesFile), altered_line_);
}

Failure Journal::examine(const std::string& folder) {
    folder_ = folder;
    blocks_ = log_bytes_ = torn_ = altered_line_ = 0;
    lots_.clear();
    for (Growing& each : files_) {
        each.bytes = 0;
        each.missing = false;
    }
    std::vector<File> open(files_.size());
    std::uint64_t games_size = 0;
    std::string lots;
    const bool has_games = exists(folder, kGamesFile);
    if (has_games) {
        if (Failure failure = open.front().open(in_folder(folder, kGamesFile), File::Mode::Read))
            return failure;
        if (Failure failure = open.front().size(games_size)) return failure;
    }
    if (exists(folder, kJournalFile)) {
        if (Failure failure = read_file(in_folder(folder, kJournalFile), lots)) return failure;
    }
    torn_ = games_size;
    // Files are created in order, and get their titles before the journal's first line.
    if (lots.empty() && games_size <= titles()) return {};
    if (!has_games) {
        return fmt::format("{}: is missing, and {} records its rows", in_folder(folder, kGamesFile),
                           kJournalFile);
    }
    for (std::size_t i = 1; i < files_.size(); ++i) {
        files_[i].missing = !exists(folder, files_[i].name);
        if (files_[i].missing) continue;
        if (Failure failure = open[i].open(in_folder(folder, files_[i].name), File::Mode::Read))
            return failure;
    }
    if (Failure failure = find_whole(open, lots)) return failure;
    torn_ = games_size - bytes();
    if (Failure failure = refuse_other_titles(open.front())) return failure;
    if (bytes() == 0 && games_size > titles()) {
        return fmt::format(
            "{}: nothing says how much of it is whole, since {} is missing or damaged",
            in_folder(folder_, kGamesFile), kJournalFile);
    }
    return {};
}

// This program's rows would not fit below an older program's titles.
Failure Journal::refuse_other_titles(const File& games) const {
    std::string begin;
    if (Failure failure = games.read(0, titles(), begin)) return failure;
    if (begin == files_.front().titles.substr(0, begin.size())) return {};
    return fmt::format("{}: has other columns than this version writes: finish the run with the "
                       "version that began it",
                       in_folder(folder_, kGamesFile));
}

// Reads batches while all agree with their checksums.
Failure Journal::find_whole(std::vector<File>& open, std::string_view log) {
    std::vector<std::uint64_t> sizes(open.size());
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (!open[i].is_open()) continue;
        if (Failure failure = open[i].size(sizes[i])) return failure;
    }
    std::string_view rest = log;
    std::uint64_t line = 1;
    while (const auto lot = take_lot(rest, files_.size())) {
        bool follows = lot->parts.front().bytes > bytes() && lot->blocks >= blocks_;
        for (std::size_t i = 0; i < files_.size(); ++i)
            follows = follows && lot->parts[i].bytes >= files_[i].bytes;
        if (!follows) break;
        altered_line_ = line;
        bool whole = true;
        for (std::size_t i = 0; whole && i < files_.size(); ++i) {
            if (!open[i].is_open()) continue;
            whole = lot->parts[i].bytes <= sizes[i];
            if (!whole) break;
            Rows rows;
            if (Failure failure = read_part(open[i], files_[i].bytes, lot->parts[i], rows))
                return failure;
            whole = rows.whole;
            if (i == 0) line += rows.lines;
        }
        if (!whole) break;
        altered_line_ = 0;
        blocks_ = lot->blocks;
        for (std::size_t i = 0; i < files_.size(); ++i)
            files_[i].bytes = lot->parts[i].bytes;
        log_bytes_ = log.size() - rest.size();
    }
    lots_ = log.substr(0, log_bytes_);
    return {};
}

Failure Journal::open(const std::string& folder) {
    if (Failure failure = examine(folder)) return failure;
    for (const Growing& each : files_) {
        if (!each.missing) continue;
        const std::string path = in_folder(folder, each.name);
        if (each.name == kCostsFile)
            return fmt::format("{}: is missing, and nothing else says what the rules of the first "
                               "{} blocks have cost",
                               path, blocks_);
        return fmt::format("{}: is missing, and {} records the first {} blocks", path, kJournalFile,
                           blocks_);
    }
    for (Growing& each : files_)
        if (Failure failure = each.file.open(in_folder(folder, each.name), File::Mode::Append))
            return failure;
    if (Failure failure = log_.open(in_folder(folder, kJournalFile), File::Mode::Append))
        return failure;
    if (Failure failure = cut_torn()) return failure;
    if (bytes() > 0) return {};
    for (Growing& each : files_)
        each.waiting = each.titles;
    if (Failure failure = write()) return failure;
    if (Failure failure = sync()) return failure;
    return sync_folder(folder);
}

Failure Journal::cut_torn() {
    for (Growing& each : files_)
        if (Failure failure = cut_to(each.file, each.bytes)) return failure;
    return cut_to(log_, log_bytes_);
}

void Journal::append(std::string_view rows, std::string_view cost_rows, std::string_view moves) {
    files_.front().waiting += rows;
    if (Growing* costs = file(kCostsFile)) costs->waiting += cost_rows;
    if (Growing* kept = file(kMovesFile)) kept->waiting += moves;
    ++blocks_;
}

std::size_t Journal::waiting() const {
    std::size_t all = 0;
    for (const Growing& each : files_)
        all += each.waiting.size();
    return all;
}

Failure Journal::write_all(std::string_view line) {
    for (Growing& each : files_)
        if (Failure failure = each.file.write(each.waiting)) return failure;
    return log_.write(line);
}

Failure Journal::write() {
    if (files_.front().waiting.empty()) return {};
    Lot lot{blocks_, {}};
    for (const Growing& each : files_)
        lot.parts.push_back({each.bytes + each.waiting.size(), crc32c(each.waiting)});
    const std::string line = line_of(lot);
    if (Failure failure = write_all(line)) {
        // Truncating needs no space; if it fails, `open` repeats it.
        for (Growing& each : files_)
            each.file.cut(each.bytes);
        log_.cut(log_bytes_);
        return failure;
    }
    for (Growing& each : files_) {
        each.bytes += each.waiting.size();
        each.waiting.clear();
    }
    log_bytes_ += line.size();
    return {};
}

// Syncs the rows first: a journal line whose rows were lost is detected, but all later rows would
// be lost with it.
Failure Journal::sync() {
    for (Growing& each : files_)
        if (Failure failure = each.file.sync()) return failure;
    return log_.sync();
}

Failure Journal::remove(bool keep_costs) {
    const bool drop_costs = !keep_costs && file(kCostsFile) != nullptr;
    log_.close();
    for (Growing& each : files_)
        each.file.close();
    for (const std::string_view name : {kJournalFile, kCostsFile}) {
        if (name == kCostsFile && !drop_costs) continue;
        std::error_code error;
        const std::string path = in_folder(folder_, name);
        std::filesystem::remove(path, error);
        if (error) return fmt::format("{}: cannot be removed: {}", path, error.message());
    }
    return sync_folder(folder_);
}

std::uint64_t blocks_written(const std::string& folder) {
    constexpr std::uint64_t kTail = 512;
    File file;
    std::uint64_t size = 0;
    std::string text;
    if (file.open(in_folder(folder, kJournalFile), File::Mode::Read) || file.size(size) ||
        file.read(size - std::min(size, kTail), kTail, text))
        return 0;
    const std::size_t end = text.rfind('\n');
    if (end == std::string::npos || end == 0) return 0;
    const std::size_t before = text.rfind('\n', end - 1);
    std::string_view line = text;
    line.remove_prefix(before == std::string::npos ? 0 : before + 1);
    std::uint64_t blocks = 0;
    take_number(line, blocks);
    return blocks;
}

} // namespace croupier::results
