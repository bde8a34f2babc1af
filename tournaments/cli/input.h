// Reads what the user named: a file, or standard input as "-".
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

namespace croupier::cli {

constexpr std::size_t kInputLimit = std::size_t{256} << 20;

// The whole text. Throws Mistake with the path and what is wrong: missing (with the nearest name
// beside it), a directory, unreadable, or larger than the limit.
std::string read_input(const std::string& path, std::istream& standard_input,
                       std::size_t limit = kInputLimit);

} // namespace croupier::cli
