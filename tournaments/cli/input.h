// Reads what the user named: a file, or standard input as "-".
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <mutex>
#include <string>
#include <vector>

namespace croupier::cli {

constexpr std::size_t kInputLimit = std::size_t{256} << 20;
constexpr std::size_t kIncludeLimit = std::size_t{64} << 20;

// The files that were named, and the folders below which files may ask for others by @include.
// Threads may share it.
class IncludeRoots {
  public:
    // Everything below that folder.
    void add(const std::filesystem::path& folder);
    // That file, whatever it is; where there is one, everything below its folder, and rule files of
    // the games in the folders beside that: of those that hold a rules.json.
    void name(const std::filesystem::path& file);
    [[nodiscard]] bool is_named(const std::filesystem::path& file) const;
    // Whether the file lies there, once all links are followed.
    [[nodiscard]] bool hold(const std::filesystem::path& file) const;

  private:
    void add_beside(const std::filesystem::path& folder);
    [[nodiscard]] bool is_game_beside(const std::filesystem::path& whole) const;

    mutable std::mutex mutex_;
    std::vector<std::filesystem::path> folders_;
    std::vector<std::filesystem::path> around_; // the folders of the folders of named files
    std::vector<std::filesystem::path> named_;
};

// The whole text. Throws Mistake with the path and what is wrong: missing (with the nearest name
// beside it), a directory, unreadable, or larger than the limit.
std::string read_input(const std::string& path, std::istream& standard_input,
                       std::size_t limit = kInputLimit);

// The text of a file that another file asks for: a regular file below the roots. Nothing of any
// other is read. Throws Mistake.
std::string read_included(const std::string& path, const IncludeRoots& roots);

} // namespace croupier::cli
