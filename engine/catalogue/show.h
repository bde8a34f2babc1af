// Where a state lies in memory, as text and as JSON, for `croupier plan`.
#pragma once

#include "engine/text/document.h"
#include "engine/tree/layout.h"

#include <string>

namespace croupier::engine {

// Every declared path with where it lives in a state's block.
std::string show_layout(const Layout& layout);

// The same as values: "bytes", and "nodes" in the order of the shape.
Document layout_document(const Layout& layout);

} // namespace croupier::engine
