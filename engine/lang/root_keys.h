// Which nodes the actions of a ruleset make directly below the root of the state.
#pragma once

#include "engine/lang/ruleset.h"

#include <set>
#include <string>

namespace croupier::engine {

struct RootKeys {
    std::set<std::string> names;
    bool any = false; // a computed key stands at the root
};

RootKeys written_root_keys(const Ruleset& ruleset);

} // namespace croupier::engine
