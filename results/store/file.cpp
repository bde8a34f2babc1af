// A thin layer over POSIX; and checksums by pieces, which locate an altered row to within some
// lines.
#include "results/store/file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

namespace croupier::results {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78; // bits reversed

constexpr auto kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
        table[byte] = crc;
    }
    return table;
}();

std::uint32_t crc_by_table(std::uint32_t crc, std::string_view bytes) {
    for (const char each : bytes)
        crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(each)) & 0xff];
    return crc;
}

#if defined(__x86_64__)

// With the instruction for it, eight bytes at a time.
[[gnu::target("sse4.2")]] std::uint32_t crc_by_words(std::uint32_t crc, std::string_view& bytes) {
    for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        crc = static_cast<std::uint32_t>(__builtin_ia32_crc32di(crc, word));
    }
    return crc;
}

const bool kCountsWords = __builtin_cpu_supports("sse4.2") != 0;

#endif

constexpr std::uint64_t kLines = 64; // per piece
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;

struct Piece {
    std::uint64_t lines = 0; // from the beginning of the file to the end of the piece
    std::uint32_t checksum = 0;

    friend bool operator==(const Piece&, const Piece&) = default;
};

class Pieces {
  public:
    void add(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
            open_.checksum = crc32c(text.substr(0, size), open_.checksum);
            text.remove_prefix(size);
            begun_ = true;
            inside_ = end == std::string_view::npos;
            if (!inside_ && ++open_.lines % kLines == 0) close();
        }
    }
    std::vector<Piece> take() {
        if (inside_) ++open_.lines; // the last line has no newline
        if (begun_) close();
        return std::move(all_);
    }

  private:
    void close() {
        all_.push_back(open_);
        open_.checksum = 0;
        begun_ = false;
    }

    Piece open_;
    bool begun_ = false;
    bool inside_ = false; // a line
    std::vector<Piece> all_;
};

Failure read_pieces(const std::string& path, std::vector<Piece>& pieces) {
    File file;
    if (Failure failure = file.open(path, File::Mode::Read)) return failure;
    Pieces made;
    std::string chunk;
    for (std::uint64_t at = 0;; at += chunk.size()) {
        if (Failure failure = file.read(at, kReadAtOnce, chunk)) return failure;
        if (chunk.empty()) break;
        made.add(chunk);
    }
    pieces = made.take();
    return {};
}

struct FilePieces {
    std::string name;
    std::vector<Piece> pieces;
};

// "games.csv 64 5a1c93e2"
bool read_line(std::string_view line, std::vector<FilePieces>& files) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || space == 0) return false;
    const std::string_view name = line.substr(0, space);
    if (name.find('/') != std::string_view::npos) return false; // only files in this folder
    line.remove_prefix(space + 1);
    Piece piece;
    if (!take_number(line, piece.lines) || !line.starts_with(' ')) return false;
    line.remove_prefix(1);
    if (!read_number(line, piece.checksum, 16)) return false;
    if (files.empty() || files.back().name != name) files.push_back({std::string(name), {}});
    files.back().pieces.push_back(piece);
    return true;
}

Failure read_checksums(const std::string& folder, std::vector<FilePieces>& files) {
    const std::string path = in_folder(folder, kChecksumsFile);
    std::string text;
    if (Failure failure = read_file(path, text)) return failure;
    std::string_view rest = text;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos || !read_line(rest.substr(0, end), files))
            return fmt::format("{}:{}: the line is damaged", path, number);
        rest.remove_prefix(end + 1);
    }
    return {};
}

Failure compare(const std::string& path, const std::vector<Piece>& then,
                const std::vector<Piece>& now) {
    const auto [old_piece, new_piece] =
        std::mismatch(then.begin(), then.end(), now.begin(), now.end());
    if (old_piece == then.end() && new_piece == now.end()) return {};
    const std::uint64_t first = old_piece == then.begin() ? 1 : std::prev(old_piece)->lines + 1;
    const std::uint64_t written = then.empty() ? 0 : then.back().lines;
    const std::uint64_t found = now.empty() ? 0 : now.back().lines;
    std::string what = fmt::format("{}: altered since it was written: ", path);
    if (old_piece == then.end())
        return what + fmt::format("it had {} lines, and has {}", written, found);
    what += fmt::format("something in lines {} to {}", first, old_piece->lines);
    if (written != found) what += fmt::format("; it had {} lines, and has {}", written, found);
    return what;
}

} // namespace

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
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
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
    // Pipes and some file systems do not support it.
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

std::string content_hash(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return fmt::format("{:016x}", hash);
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
    std::uint32_t crc = ~before;
#if defined(__x86_64__)
    if (kCountsWords) crc = crc_by_words(crc, bytes);
#endif
    return ~crc_by_table(crc, bytes);
}

Failure write_checksums(const std::string& folder, std::span<const std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) {
        std::vector<Piece> pieces;
        if (Failure failure = read_pieces(in_folder(folder, name), pieces)) return failure;
        for (const Piece& piece : pieces)
            text += fmt::format("{} {} {:08x}\n", name, piece.lines, piece.checksum);
    }
    return replace_file(in_folder(folder, kChecksumsFile), text);
}

Failure check_checksums(const std::string& folder) {
    std::vector<FilePieces> files;
    if (Failure failure = read_checksums(folder, files)) return failure;
    for (const FilePieces& file : files) {
        const std::string path = in_folder(folder, file.name);
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) continue;
        std::vector<Piece> pieces;
        if (Failure failure = read_pieces(path, pieces)) return failure;
        if (Failure failure = compare(path, file.pieces, pieces)) return failure;
    }
    return {};
}

} // namespace croupier::results
