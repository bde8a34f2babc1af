// Opens files and reports errors.
#include "games/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace croupier::games {

namespace fs = std::filesystem;

std::string shipped(const std::string& program, std::string_view data, std::string_view name) {
    std::error_code failed;
    for (fs::path folder = fs::path(program).parent_path(); !folder.empty();
         folder = folder.parent_path()) {
        const fs::path path = fs::canonical(folder / data / name, failed);
        if (!failed) return path.string();
        if (folder == folder.parent_path()) break;
    }
    return (fs::path(program).parent_path().parent_path() / data / name).string();
}

engine::FileText read_file(const std::string& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return {std::nullopt, path + ": is a directory"};
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return {std::nullopt, fmt::format("{}: {}", path, std::generic_category().message(errno))};
    std::ostringstream text;
    if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
    if (!text || in.bad()) return {std::nullopt, path + ": cannot be read"};
    return {std::move(text).str(), {}};
}

} // namespace croupier::games
