// Whether rules run as machine code here.
#pragma once

namespace croupier::engine::native {

// This processor is of the kind that is translated for, and the system lets a program run what it
// has written.
bool can_translate();

} // namespace croupier::engine::native
