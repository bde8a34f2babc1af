// What `why` says, for programs.
#pragma once

#include "engine/api/explain.h"
#include "engine/api/text.h"

namespace croupier::cli {

engine::Document why_json(const engine::Why& why, const engine::Sources& sources);
engine::Document why_json(const engine::WhyStop& stop, const engine::Sources& sources);

} // namespace croupier::cli
