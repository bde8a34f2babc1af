// Rulesets and agents from files, for programs that use croupier as a library.
#pragma once

#include "engine/api/ruleset.h"

#include <string>
#include <string_view>

namespace croupier::games {

// Opens any file that can be read, for programs whose rulesets are their own: one that is not may
// @include what it likes.
engine::FileText read_file(const std::string& path);

// Where what comes with a program is, "games" or "agents": below `data` ("share/croupier") in the
// folder of the program or in one above it, as an installation and a build tree have it. If it is
// nowhere, where an installation would have it.
std::string shipped(const std::string& program, std::string_view data, std::string_view name);

} // namespace croupier::games
