// Which commit was built; commit.cmake writes the source file when HEAD moves.
#pragma once

#include <string_view>

namespace croupier::cli {

// "1f2e3d4c5b6a"; empty where the source tree was no checkout.
std::string_view commit();

} // namespace croupier::cli
