// Files by POSIX calls: streams do not tell why they failed, and cannot be synced, cut or locked.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace croupier::results {

// Owns a descriptor. Whatever fails returns what is wrong, with the path; nothing is thrown.
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

    // `permissions`: of a file that is created, less what the umask takes.
    Failure open(const std::string& path, Mode mode, unsigned permissions = 0666);
    void close();
    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

    // All of it, or a failure; what was written of it stays.
    Failure write(std::string_view bytes);
    // Up to `most` bytes from there into `into`, in place of what it held; fewer at the end.
    Failure read(std::uint64_t from, std::size_t most, std::string& into) const;
    Failure size(std::uint64_t& bytes) const;
    Failure cut(std::uint64_t bytes);
    // What was written survives the loss of power.
    Failure sync();
    // False: somebody else has it.
    Failure try_lock(bool& locked);

  private:
    [[nodiscard]] std::string failed(std::string_view what) const;

    std::string path_;
    int descriptor_ = -1;
};

std::string in_folder(const std::string& folder, std::string_view name);
Failure read_file(const std::string& path, std::string& into);
// In place of what was there: all of it or nothing, whatever happens meanwhile.
Failure replace_file(const std::string& path, std::string_view text, unsigned permissions = 0666);
// Names in a folder survive the loss of power only when the folder was synced.
Failure sync_folder(const std::string& path);

// Takes a number off the front of the text; `base` where it is not 10.
template <class Number, class... Base>
bool take_number(std::string_view& text, Number& number, Base... base) {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, base...);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

// The whole text is that number.
template <class Number, class... Base>
bool read_number(std::string_view text, Number& number, Base... base) {
    return take_number(text, number, base...) && text.empty();
}

// The checksum CRC-32C (Castagnoli), of which iSCSI and file systems think well: of `bytes`, or of
// what gave `before` followed by them.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

// Whether the files of a run that has come to its end are as they were written.
inline constexpr std::string_view kChecksumsFile = "checksums";

// A line for every 64 lines of these files: the file, its lines so far, CRC-32C of these 64.
Failure write_checksums(const std::string& folder, std::span<const std::string_view> names);

// The failure names the first file that is not as it was, and between which of its lines; files
// that the folder's checksums do not name, and a file of them that is gone, are left alone.
Failure check_checksums(const std::string& folder);

} // namespace croupier::results
