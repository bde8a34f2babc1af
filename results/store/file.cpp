// Thin layer over POSIX.
#include "results/store/file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace croupier::results {

File::File(File&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
    if (this != &other) {
        close();
        path_ = std::move(other.path_);
        descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
}

std::string File::failed(std::string_view what) const {
    return fmt::format("{}: cannot be {}: {}", path_, what, std::generic_category().message(errno));
}

Failure File::open(const std::string& path, Mode mode, unsigned permissions) {
    close();
    path_ = path;
    // To open a pipe for reading would wait for its writer.
    const int flags = mode == Mode::Read     ? O_RDONLY | O_NONBLOCK
                      : mode == Mode::Append ? O_RDWR | O_CREAT | O_APPEND
                                             : O_RDWR | O_CREAT;
    descriptor_ = ::open(path.c_str(), flags | O_CLOEXEC, permissions); // NOLINT(*-vararg)
    if (descriptor_ < 0) return failed(mode == Mode::Read ? "read" : "written");
    return {};
}

void File::close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

Failure File::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return failed("written");
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Failure File::read(std::uint64_t from, std::size_t most, std::string& into) const {
    into.resize(most);
    std::size_t got = 0;
    while (got < most) {
        const ssize_t now =
            ::pread(descriptor_, into.data() + got, most - got, static_cast<off_t>(from + got));
        if (now < 0 && errno == EINTR) continue;
        if (now < 0) return failed("read");
        if (now == 0) break;
        got += static_cast<std::size_t>(now);
    }
    into.resize(got);
    return {};
}

Failure File::size(std::uint64_t& bytes) const {
    struct stat facts {};
    if (::fstat(descriptor_, &facts) != 0) return failed("read");
    bytes = static_cast<std::uint64_t>(facts.st_size);
    return {};
}

Failure File::cut(std::uint64_t bytes) {
    if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) return failed("shortened");
    return {};
}

Failure File::sync() {
    // Pipes and some file systems know nothing of it.
    if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) return failed("synced");
    return {};
}

Failure File::try_lock(bool& locked) {
    locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno != EWOULDBLOCK) return failed("locked");
    return {};
}

std::string in_folder(const std::string& folder, std::string_view name) {
    return (std::filesystem::path(folder) / name).string();
}

Failure read_file(const std::string& path, std::string& into) {
    File file;
    if (Failure failure = file.open(path, File::Mode::Read)) return failure;
    std::uint64_t size = 0;
    if (Failure failure = file.size(size)) return failure;
    return file.read(0, static_cast<std::size_t>(size), into);
}

Failure replace_file(const std::string& path, std::string_view text, unsigned permissions) {
    const std::string draft = path + ".new";
    std::error_code error;
    std::filesystem::remove(draft, error);
    File file;
    if (Failure failure = file.open(draft, File::Mode::Append, permissions)) return failure;
    Failure failure = file.write(text);
    if (!failure) failure = file.sync();
    file.close();
    if (!failure) std::filesystem::rename(draft, path, error);
    if (!failure && error)
        failure = fmt::format("{}: cannot be written: {}", path, error.message());
    if (failure) {
        std::filesystem::remove(draft, error);
        return failure;
    }
    return sync_folder(std::filesystem::path(path).parent_path().string());
}

Failure sync_folder(const std::string& path) {
    File folder;
    if (Failure failure = folder.open(path.empty() ? "." : path, File::Mode::Read)) return failure;
    return folder.sync();
}

} // namespace croupier::results
