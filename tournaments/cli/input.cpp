// Whole files by POSIX calls, since streams do not tell why they failed.
#include "tournaments/cli/input.h"

#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <istream>
#include <sstream>
#include <system_error>
#include <vector>

namespace croupier::cli {
namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10;

[[noreturn]] void too_large(const std::string& name, std::size_t limit) {
    throw Mistake(fmt::format("{}: larger than {} MiB, the most that is read", name, limit >> 20));
}

class File {
  public:
    explicit File(const std::string& path)
        : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {} // NOLINT(*-vararg)
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    [[nodiscard]] int descriptor() const { return descriptor_; }

  private:
    int descriptor_;
};

std::string why(int error_number) {
    return std::generic_category().message(error_number);
}

std::string beside(const std::filesystem::path& path) {
    std::vector<std::string> names;
    std::error_code ignored;
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    for (std::filesystem::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        names.push_back(entry->path().filename().string());
    return did_you_mean(path.filename().string(), names);
}

std::string read_stream(std::istream& stream, std::size_t limit) {
    std::string text;
    std::vector<char> chunk(kChunk);
    while (stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size())),
           stream.gcount() > 0) {
        text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > limit) too_large("standard input", limit);
    }
    if (stream.bad()) throw Mistake("standard input: cannot be read");
    return text;
}

} // namespace

void IncludeRoots::add(const std::filesystem::path& folder) {
    std::error_code failed;
    const auto whole = std::filesystem::canonical(folder.empty() ? "." : folder, failed);
    if (failed) return; // then nothing can lie in it
    const std::lock_guard lock(mutex_);
    if (std::find(folders_.begin(), folders_.end(), whole) == folders_.end())
        folders_.push_back(whole);
}

void IncludeRoots::name(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
        add(file.parent_path());
        add_beside(file.parent_path());
    }
    const std::lock_guard lock(mutex_);
    named_.push_back(file.lexically_normal());
}

void IncludeRoots::add_beside(const std::filesystem::path& folder) {
    std::error_code failed;
    const auto whole = std::filesystem::canonical(folder.empty() ? "." : folder, failed);
    if (failed) return;
    const auto around = whole.parent_path();
    const std::lock_guard lock(mutex_);
    if (std::find(around_.begin(), around_.end(), around) == around_.end())
        around_.push_back(around);
}

// Only games: rule files in a folder with a rules.json of its own. A file from the web that is
// opened in a home folder must not reach whatever else is there.
bool IncludeRoots::is_game_beside(const std::filesystem::path& whole) const {
    const auto folder = whole.parent_path();
    std::error_code failed;
    return whole.extension() == ".json" &&
           std::find(around_.begin(), around_.end(), folder.parent_path()) != around_.end() &&
           std::filesystem::is_regular_file(folder / "rules.json", failed);
}

bool IncludeRoots::is_named(const std::filesystem::path& file) const {
    const std::lock_guard lock(mutex_);
    return std::find(named_.begin(), named_.end(), file.lexically_normal()) != named_.end();
}

bool IncludeRoots::hold(const std::filesystem::path& file) const {
    std::error_code failed;
    const auto whole = std::filesystem::weakly_canonical(file, failed);
    if (failed) return false;
    const std::lock_guard lock(mutex_);
    if (is_game_beside(whole)) return true;
    return std::any_of(folders_.begin(), folders_.end(), [&](const auto& folder) {
        return std::mismatch(folder.begin(), folder.end(), whole.begin(), whole.end()).first ==
               folder.end();
    });
}

std::string read_included(const std::string& path, const IncludeRoots& roots) {
    if (!roots.hold(path)) {
        const auto folder = std::filesystem::path(path).parent_path().string();
        throw Mistake(fmt::format("it lies outside of the folders of the file that was named, of "
                                  "games beside it, of the games and of the agents; --include-from "
                                  "{} allows it",
                                  folder.empty() ? "." : folder));
    }
    struct stat facts {};
    if (::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode))
        throw Mistake(S_ISDIR(facts.st_mode) ? "it is a directory, not a file"
                                             : "it is not a regular file");
    std::istringstream nothing;
    return read_input(path, nothing, kIncludeLimit);
}

std::string read_input(const std::string& path, std::istream& standard_input, std::size_t limit) {
    if (path == "-") return read_stream(standard_input, limit);
    if (path.empty()) throw Mistake("the name of the file is empty");
    const File file(path);
    if (file.descriptor() < 0) {
        const int error_number = errno;
        if (error_number == ENOENT) throw Mistake(path + ": no such file" + beside(path));
        throw Mistake(fmt::format("{}: cannot be read: {}", path, why(error_number)));
    }
    struct stat facts {};
    if (::fstat(file.descriptor(), &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) throw Mistake(path + ": is a directory, not a file");
        if (facts.st_size > 0 && static_cast<std::size_t>(facts.st_size) > limit)
            too_large(path, limit);
    }
    // The size is only a hint: pipes have none, and files grow.
    std::string text;
    std::vector<char> chunk(kChunk);
    while (true) {
        const ssize_t got = ::read(file.descriptor(), chunk.data(), chunk.size());
        if (got == 0) return text;
        if (got < 0) {
            if (errno == EINTR) continue;
            throw Mistake(fmt::format("{}: cannot be read: {}", path, why(errno)));
        }
        text.append(chunk.data(), static_cast<std::size_t>(got));
        if (text.size() > limit) too_large(path, limit);
    }
}

} // namespace croupier::cli
