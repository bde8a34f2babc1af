// Appends lots and finds, after a crash, the last one that is whole.
#include "results/store/journal.h"

#include "results/store/crc32c.h"
#include "results/store/rows.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

namespace croupier::results {
namespace {

// "blocks bytes checksum-of-the-lot checksum-of-this-line\n"; blocks and bytes from the beginning.
struct Lot {
    std::uint64_t blocks = 0;
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;
};

std::string line_of(const Lot& lot) {
    std::string line = fmt::format("{} {} {:08x} ", lot.blocks, lot.bytes, lot.checksum);
    line += fmt::format("{:08x}\n", crc32c(line));
    return line;
}

// Takes the next line off the text; nothing if it is not whole.
std::optional<Lot> take_lot(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end + 1);
    Lot lot;
    const char* const stop = line.data() + line.size();
    const char* at = line.data();
    for (std::uint64_t* number : {&lot.blocks, &lot.bytes}) {
        const auto [after, error] = std::from_chars(at, stop, *number);
        if (error != std::errc() || after == stop) return std::nullopt;
        at = after + 1;
    }
    if (std::from_chars(at, stop, lot.checksum, 16).ec != std::errc()) return std::nullopt;
    if (line_of(lot) != line) return std::nullopt;
    text.remove_prefix(line.size());
    return lot;
}

std::string in_folder(const std::string& folder, std::string_view name) {
    return (std::filesystem::path(folder) / name).string();
}

} // namespace

Failure Journal::open(const std::string& folder) {
    folder_ = folder;
    if (Failure failure = games_.open(in_folder(folder, kGamesFile), File::Mode::Append))
        return failure;
    if (Failure failure = log_.open(in_folder(folder, kJournalFile), File::Mode::Append))
        return failure;
    if (Failure failure = recover()) return failure;
    if (bytes_ > 0) return {};
    rows_ = kRowTitles;
    if (Failure failure = write()) return failure;
    if (Failure failure = sync()) return failure;
    return sync_folder(folder);
}

Failure Journal::recover() {
    std::uint64_t log_size = 0;
    std::uint64_t games_size = 0;
    if (Failure failure = log_.size(log_size)) return failure;
    if (Failure failure = games_.size(games_size)) return failure;
    std::string log;
    if (Failure failure = log_.read(0, static_cast<std::size_t>(log_size), log)) return failure;
    std::string_view rest = log;
    std::string rows;
    while (const auto lot = take_lot(rest)) {
        if (lot->bytes <= bytes_ || lot->bytes > games_size || lot->blocks < blocks_) break;
        const auto size = static_cast<std::size_t>(lot->bytes - bytes_);
        if (Failure failure = games_.read(bytes_, size, rows)) return failure;
        if (rows.size() != size || crc32c(rows) != lot->checksum) break;
        blocks_ = lot->blocks;
        bytes_ = lot->bytes;
        log_bytes_ = log_size - rest.size();
    }
    if (bytes_ == 0 && games_size > kRowTitles.size()) {
        return fmt::format("{}: nothing tells what of it is whole, since {} is missing or damaged",
                           in_folder(folder_, kGamesFile), kJournalFile);
    }
    torn_ = games_size - bytes_;
    if (torn_ > 0) {
        if (Failure failure = games_.cut(bytes_)) return failure;
    }
    if (log_bytes_ != log_size) return log_.cut(log_bytes_);
    return {};
}

void Journal::append(std::string_view rows) {
    rows_ += rows;
    ++blocks_;
}

Failure Journal::write() {
    if (rows_.empty()) return {};
    const std::string line = line_of({blocks_, bytes_ + rows_.size(), crc32c(rows_)});
    Failure failure = games_.write(rows_);
    if (!failure) failure = log_.write(line);
    if (failure) {
        // Shortening takes no space; and should it fail, `open` does the same.
        games_.cut(bytes_);
        log_.cut(log_bytes_);
        return failure;
    }
    bytes_ += rows_.size();
    log_bytes_ += line.size();
    rows_.clear();
    return {};
}

// The rows first: a line of the journal that tells of rows which never came is recognized, too, but
// would cost all that came after it.
Failure Journal::sync() {
    if (Failure failure = games_.sync()) return failure;
    return log_.sync();
}

Failure Journal::remove() {
    log_.close();
    games_.close();
    std::error_code error;
    const std::string path = in_folder(folder_, kJournalFile);
    std::filesystem::remove(path, error);
    if (error) return fmt::format("{}: cannot be removed: {}", path, error.message());
    return sync_folder(folder_);
}

} // namespace croupier::results
