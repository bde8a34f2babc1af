// Opens pages in the user's browser.
#pragma once

#include <string>

namespace croupier::cli {

// False: there is none that could be started.
bool open_in_browser(const std::string& address);

} // namespace croupier::cli
