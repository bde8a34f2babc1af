// Appends lots and finds, after a crash, the last one that is whole.
#include "results/store/journal.h"

#include "results/store/cost_rows.h"
#include "results/store/crc32c.h"
#include "results/store/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

namespace croupier::results {
namespace {

// What a file had after a lot, and the checksum of what the lot added.
struct Part {
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;
};

// "blocks bytes checksum-of-the-lot [bytes checksum of costs.csv] checksum-of-this-line\n"; blocks
// and bytes from the beginning.
struct Lot {
    std::uint64_t blocks = 0;
    Part games;
    std::optional<Part> costs;
};

std::string line_of(const Lot& lot) {
    std::string line =
        fmt::format("{} {} {:08x} ", lot.blocks, lot.games.bytes, lot.games.checksum);
    if (lot.costs) line += fmt::format("{} {:08x} ", lot.costs->bytes, lot.costs->checksum);
    line += fmt::format("{:08x}\n", crc32c(line));
    return line;
}

// Takes a number and the space behind it off the text.
template <class Number>
bool take_number(std::string_view& text, Number& number, int base = 10) {
    const char* const end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data(), end, number, base);
    if (error != std::errc() || after == end) return false;
    text.remove_prefix(static_cast<std::size_t>(after - text.data()) + 1);
    return true;
}

// Takes the next line off the text; nothing if it is not whole.
std::optional<Lot> take_lot(std::string_view& text, bool has_costs) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end + 1);
    Lot lot;
    if (has_costs) lot.costs.emplace();
    std::string_view rest = line;
    bool good = take_number(rest, lot.blocks) && take_number(rest, lot.games.bytes) &&
                take_number(rest, lot.games.checksum, 16);
    if (lot.costs)
        good = good && take_number(rest, lot.costs->bytes) &&
               take_number(rest, lot.costs->checksum, 16);
    if (!good || line_of(lot) != line) return std::nullopt;
    text.remove_prefix(line.size());
    return lot;
}

struct Rows {
    bool whole = false; // the file has what the lot says of it
    std::uint64_t lines = 0;
};

// What a lot has added to the file, after what that had before.
Failure read_part(const File& file, std::uint64_t before, const Part& part, Rows& rows) {
    std::string text;
    const auto size = static_cast<std::size_t>(part.bytes - before);
    if (Failure failure = file.read(before, size, text)) return failure;
    rows.whole = text.size() == size && crc32c(text) == part.checksum;
    rows.lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    return {};
}

Failure cut_to(File& file, std::uint64_t bytes) {
    std::uint64_t size = 0;
    if (Failure failure = file.size(size)) return failure;
    return size == bytes ? Failure() : file.cut(bytes);
}

std::string in_folder(const std::string& folder, std::string_view name) {
    return (std::filesystem::path(folder) / name).string();
}

bool exists(const std::string& folder, std::string_view name) {
    std::error_code ignored;
    return std::filesystem::exists(in_folder(folder, name), ignored);
}

} // namespace

Failure Journal::examine(const std::string& folder) {
    folder_ = folder;
    blocks_ = bytes_ = cost_bytes_ = log_bytes_ = torn_ = altered_line_ = 0;
    lacks_costs_ = false;
    File games;
    File costs;
    File log;
    std::uint64_t games_size = 0;
    std::string lots;
    const bool has_games = exists(folder, kGamesFile);
    if (has_games) {
        if (Failure failure = games.open(in_folder(folder, kGamesFile), File::Mode::Read))
            return failure;
        if (Failure failure = games.size(games_size)) return failure;
    }
    if (exists(folder, kJournalFile)) {
        if (Failure failure = read_file(in_folder(folder, kJournalFile), lots)) return failure;
    }
    torn_ = games_size;
    // Files come into being in their order, and get their titles before the journal its first line.
    if (lots.empty() && games_size <= kRowTitles.size()) return {};
    if (!has_games) {
        return fmt::format("{}: is missing, and {} tells of its rows",
                           in_folder(folder, kGamesFile), kJournalFile);
    }
    lacks_costs_ = has_costs_ && !exists(folder, kCostsFile);
    if (has_costs_ && !lacks_costs_) {
        if (Failure failure = costs.open(in_folder(folder, kCostsFile), File::Mode::Read))
            return failure;
    }
    if (Failure failure = find_whole(games, costs, lots)) return failure;
    torn_ = games_size - bytes_;
    if (Failure failure = refuse_other_titles(games)) return failure;
    if (bytes_ == 0 && games_size > kRowTitles.size()) {
        return fmt::format("{}: nothing tells what of it is whole, since {} is missing or damaged",
                           in_folder(folder_, kGamesFile), kJournalFile);
    }
    return {};
}

// Rows of this program would not fit below those of an older one.
Failure Journal::refuse_other_titles(const File& games) const {
    std::string begin;
    if (Failure failure = games.read(0, kRowTitles.size(), begin)) return failure;
    if (begin == kRowTitles.substr(0, begin.size())) return {};
    return fmt::format("{}: has other columns than this program writes: it is an older one's, "
                       "which alone can end that run",
                       in_folder(folder_, kGamesFile));
}

// Reads lots as long as all of them agree with their checksums.
Failure Journal::find_whole(const File& games, const File& costs, std::string_view log) {
    std::uint64_t games_size = 0;
    std::uint64_t costs_size = 0;
    if (Failure failure = games.size(games_size)) return failure;
    if (costs.is_open()) {
        if (Failure failure = costs.size(costs_size)) return failure;
    }
    std::string_view rest = log;
    std::uint64_t line = 1;
    while (const auto lot = take_lot(rest, has_costs_)) {
        const Part part = lot->costs.value_or(Part{});
        if (lot->games.bytes <= bytes_ || lot->blocks < blocks_ || part.bytes < cost_bytes_) break;
        Rows rows;
        altered_line_ = line;
        if (lot->games.bytes > games_size) break;
        if (Failure failure = read_part(games, bytes_, lot->games, rows)) return failure;
        if (!rows.whole) break;
        line += rows.lines;
        if (costs.is_open()) {
            if (part.bytes > costs_size) break;
            if (Failure failure = read_part(costs, cost_bytes_, part, rows)) return failure;
            if (!rows.whole) break;
        }
        altered_line_ = 0;
        blocks_ = lot->blocks;
        bytes_ = lot->games.bytes;
        cost_bytes_ = part.bytes;
        log_bytes_ = log.size() - rest.size();
    }
    return {};
}

Failure Journal::open(const std::string& folder) {
    if (Failure failure = examine(folder)) return failure;
    if (lacks_costs_) {
        return fmt::format("{}: is missing, and nothing else tells what the rules of the first {} "
                           "blocks have cost",
                           in_folder(folder, kCostsFile), blocks_);
    }
    if (Failure failure = games_.open(in_folder(folder, kGamesFile), File::Mode::Append))
        return failure;
    if (has_costs_) {
        if (Failure failure = costs_.open(in_folder(folder, kCostsFile), File::Mode::Append))
            return failure;
    }
    if (Failure failure = log_.open(in_folder(folder, kJournalFile), File::Mode::Append))
        return failure;
    if (Failure failure = cut_torn()) return failure;
    if (bytes_ > 0) return {};
    rows_ = kRowTitles;
    if (has_costs_) cost_rows_ = kCostTitles;
    if (Failure failure = write()) return failure;
    if (Failure failure = sync()) return failure;
    return sync_folder(folder);
}

Failure Journal::cut_torn() {
    if (Failure failure = cut_to(games_, bytes_)) return failure;
    if (has_costs_) {
        if (Failure failure = cut_to(costs_, cost_bytes_)) return failure;
    }
    return cut_to(log_, log_bytes_);
}

void Journal::append(std::string_view rows, std::string_view cost_rows) {
    rows_ += rows;
    cost_rows_ += cost_rows;
    ++blocks_;
}

Failure Journal::write_all(std::string_view line) {
    if (Failure failure = games_.write(rows_)) return failure;
    if (has_costs_) {
        if (Failure failure = costs_.write(cost_rows_)) return failure;
    }
    return log_.write(line);
}

Failure Journal::write() {
    if (rows_.empty()) return {};
    Lot lot{blocks_, {bytes_ + rows_.size(), crc32c(rows_)}, {}};
    if (has_costs_) lot.costs = {cost_bytes_ + cost_rows_.size(), crc32c(cost_rows_)};
    const std::string line = line_of(lot);
    if (Failure failure = write_all(line)) {
        // Shortening takes no space; and should it fail, `open` does the same.
        games_.cut(bytes_);
        if (has_costs_) costs_.cut(cost_bytes_);
        log_.cut(log_bytes_);
        return failure;
    }
    bytes_ += rows_.size();
    cost_bytes_ += cost_rows_.size();
    log_bytes_ += line.size();
    rows_.clear();
    cost_rows_.clear();
    return {};
}

// The rows first: a line of the journal that tells of rows which never came is recognized, too, but
// would cost all that came after it.
Failure Journal::sync() {
    if (Failure failure = games_.sync()) return failure;
    if (has_costs_) {
        if (Failure failure = costs_.sync()) return failure;
    }
    return log_.sync();
}

Failure Journal::remove(bool keep_costs) {
    log_.close();
    games_.close();
    costs_.close();
    for (const std::string_view name : {kJournalFile, kCostsFile}) {
        if (name == kCostsFile && (keep_costs || !has_costs_)) continue;
        std::error_code error;
        const std::string path = in_folder(folder_, name);
        std::filesystem::remove(path, error);
        if (error) return fmt::format("{}: cannot be removed: {}", path, error.message());
    }
    return sync_folder(folder_);
}

} // namespace croupier::results
