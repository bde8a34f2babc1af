// The files of assets/ as text; the build makes assets.cpp of them (embed.cmake).
#pragma once

#include <string_view>

namespace croupier::results {

extern const std::string_view kPageStyle;  // page.css
extern const std::string_view kPageScript; // page.js

} // namespace croupier::results
