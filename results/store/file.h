// Files by POSIX calls: streams do not say why they failed, and cannot be synced, truncated or
// locked.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace croupier::results {

// Owns a descriptor. A failing call returns what is wrong, with the path; nothing is thrown.
using Failure = std::optional<std::string>;

class File {
  public:
    enum class Mode { Read, Append, Lock }; // Append and Lock create the file

    File() = default;
    ~File() { close(); }
    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    // `permissions` of a new file, before umask.
    Failure open(const std::string& path, Mode mode, unsigned permissions = 0666);
    void close();
    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

    // Writes all of it, or fails and leaves a part.
    Failure write(std::string_view bytes);
    // Replaces `into` by up to `most` bytes from position `from`; fewer at the end.
    Failure read(std::uint64_t from, std::size_t most, std::string& into) const;
    Failure size(std::uint64_t& bytes) const;
    Failure cut(std::uint64_t bytes);
    // Makes what was written survive a loss of power.
    Failure sync();
    // Sets `locked` to false if another process has the lock.
    Failure try_lock(bool& locked);

  private:
    [[nodiscard]] std::string failed(std::string_view what) const;

    std::string path_;
    int descriptor_ = -1;
};

std::string in_folder(const std::string& folder, std::string_view name);
Failure read_file(const std::string& path, std::string& into);
// Replaces the file atomically.
Failure replace_file(const std::string& path, std::string_view text, unsigned permissions = 0666);
// Names in a folder survive a loss of power only after the folder was synced.
Failure sync_folder(const std::string& path);

// Removes a number from the front of the text; `base` if it is not 10.
template <class Number, class... Base>
bool take_number(std::string_view& text, Number& number, Base... base) {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, base...);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

// Reads a number that is the whole text.
template <class Number, class... Base>
bool read_number(std::string_view text, Number& number, Base... base) {
    return take_number(text, number, base...) && text.empty();
}

// The checksum CRC-32C (Castagnoli) of `bytes`, or of the bytes that gave `before` followed by
// `bytes`.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

// FNV-1a, 16 digits: tells contents apart, as the hash of a ruleset does.
std::string content_hash(std::string_view text);

// Checksums that show whether the files of a completed run are unchanged.
inline constexpr std::string_view kChecksumsFile = "checksums";

// Writes a line for every 64 lines of these files: file, number of lines so far, CRC-32C of these
// 64.
Failure write_checksums(const std::string& folder, std::span<const std::string_view> names);

// The failure names the first changed file and the range of lines. Files that the folder's
// checksums do not name, and named files that are missing, are ignored.
Failure check_checksums(const std::string& folder);

} // namespace croupier::results
