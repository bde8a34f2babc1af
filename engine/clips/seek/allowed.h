// Which programs a Seeker may play.
#pragma once

#include "engine/clips/program.h"

#include <vector>

namespace croupier::engine::clips::seek {

// Whether the rule's conditions depend on nothing but their facts, so that it does not matter when
// they are asked.
bool conditions_allow(const Rule& rule);

// Whether the actions leave rules and agenda alone.
bool actions_allow(const std::vector<Expr>& actions);

} // namespace croupier::engine::clips::seek
