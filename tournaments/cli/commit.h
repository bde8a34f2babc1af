// The commit that was built; commit.cmake writes the source file when HEAD moves.
#pragma once

#include <string_view>

namespace croupier::cli {

// "1f2e3d4c5b6a"; empty if the source tree was not a checkout.
std::string_view commit();

} // namespace croupier::cli
