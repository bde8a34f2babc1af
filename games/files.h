// Opens rulesets and agents from files, for programs that use croupier as a library.
#pragma once

#include "engine/api/ruleset.h"

#include <string>
#include <string_view>

namespace croupier::games {

// Opens any readable file, for programs that trust their rulesets: a ruleset may @include any file.
engine::FileText read_file(const std::string& path);

// The path of data that comes with a program, as "games" or "agents": below `data`
// ("share/croupier") in the program's folder, as in a build tree, or in the nearest parent folder
// that has it, as in an installation. If none has it, the path in an installation.
std::string shipped(const std::string& program, std::string_view data, std::string_view name);

} // namespace croupier::games
