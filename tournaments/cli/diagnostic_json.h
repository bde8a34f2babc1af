// Diagnostics as programs read them.
#pragma once

#include "engine/api/text.h"

#include <nlohmann/json_fwd.hpp>

namespace croupier::cli {

// Code, severity, place, rule, message and hint.
nlohmann::ordered_json diagnostic_json(const engine::Diagnostic& diagnostic,
                                       const engine::Sources& sources);

} // namespace croupier::cli
