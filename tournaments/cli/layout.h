// The layout of text, which reports need as well: its names for the command line.
#pragma once

#include "results/report/layout.h"

namespace croupier::cli {

using results::Align;
using results::Column;
using results::display_width;
using results::LaidOut;
using results::lay_out;
using results::LongWords;
using results::printable;
using results::Table;
using results::wrap;

} // namespace croupier::cli
