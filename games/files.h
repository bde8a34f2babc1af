// Rulesets and agents from files, for programs that use croupier as a library.
#pragma once

#include "engine/api/ruleset.h"

#include <string>

namespace croupier::games {

// Opens any file that can be read, for programs whose rulesets are their own: one that is not may
// @include what it likes.
engine::FileText read_file(const std::string& path);

} // namespace croupier::games
