// The left-hand side of a rule as conditional elements.
#pragma once

#include "engine/clips/session.h"

namespace croupier::engine::clips {

// Forms of a left-hand side -> elements, as written; exists and forall as the nots that they are.
// Nothing after a mistake, which was reported.
std::optional<std::vector<Ce>> read_conditions(Session& session, std::span<const Form> forms,
                                               std::string_view rule);

// Or-free alternatives in CLIPS's order, with not, exists and tests in their final form.
std::vector<std::vector<Ce>> normalise(std::vector<Ce> conditions);

// A pattern that a fact query uses, e.g. (player ? loses the game).
std::optional<Ce> read_pattern(Session& session, const Form& form, std::string_view rule);

} // namespace croupier::engine::clips
