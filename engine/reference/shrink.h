// Makes a failing case small: takes away whatever the failure does not need.
#pragma once

#include "engine/text/document.h"

#include <functional>

namespace croupier::engine::reference {

using StillFails = std::function<bool(const Document& ruleset, const Document& state)>;

// Greedy, until nothing can be taken away or `max_tries` calls of `fails` were made. Both documents
// fail before and after.
void shrink(Document& ruleset, Document& state, const StillFails& fails,
            std::size_t max_tries = 20'000);

} // namespace croupier::engine::reference
