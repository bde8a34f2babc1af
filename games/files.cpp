// Opens files and says what is wrong with them.
#include "games/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace croupier::games {

engine::FileText read_file(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return {std::nullopt, path + ": is a directory"};
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
