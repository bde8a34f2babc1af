// Rulesets and agents from files, for programs that use croupier as a library.
#pragma once

#include "engine/api/ruleset.h"

#include <string>
#include <string_view>

namespace croupier::games {

// Opens any file that can be read, for programs whose rulesets are their own: one that is not may
// @include what it likes.
engine::FileText read_file(const std::string& path);

// The path of something that comes with a program, as "games" or "agents": below `data`
// ("share/croupier") in the program's folder, as in a build tree, or in the nearest folder above it
// that has it, as in an installation. If none has it, the path that an installation would have.
std::string shipped(const std::string& program, std::string_view data, std::string_view name);

} // namespace croupier::games
