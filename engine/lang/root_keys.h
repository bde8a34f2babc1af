// Which nodes the actions of a ruleset make directly below the root of the state.
#pragma once

#include "engine/lang/ruleset.h"

#include <map>
#include <string>

namespace croupier::engine {

struct RootKeys {
    std::map<std::string, Span> names; // where each is made first
    bool any = false;                  // a computed key stands at the root
};

RootKeys written_root_keys(const Ruleset& ruleset);

} // namespace croupier::engine
