// The manual page croupier(1), made of what the help is made of.
#pragma once

#include "tournaments/cli/surface.h"

#include <string>

namespace croupier::cli {

// In the language of man(7).
std::string man_page(const Surface& surface, std::string_view version);

} // namespace croupier::cli
