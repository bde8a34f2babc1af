// Files by POSIX calls: streams do not tell why they failed, and cannot be synced, cut or locked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

} // namespace croupier::results
