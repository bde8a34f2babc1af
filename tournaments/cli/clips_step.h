// The browser of a CLIPS program's agenda and facts: fires rules one by one.
#pragma once

#include "engine/clips/session.h"
#include "tournaments/cli/command.h"

namespace croupier::cli {

// Reads commands from the context's input until `quit` or its end: for people, and a script for
// tests. Firings and changes of facts are shown as `watch` shows them. Returns the exit code.
int step_through(engine::clips::Session& session, Context& context);

} // namespace croupier::cli
