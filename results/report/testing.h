// What the tests of reports share.
#pragma once

#include <string>

namespace croupier::results {

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace croupier::results
