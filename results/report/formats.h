// The formats for programs, each in its file; render() is what everybody else calls.
#pragma once

#include "results/report/report.h"

#include <string>

namespace croupier::results {

// One object, indented; what is undefined is null. The members are listed in results/README.md.
std::string as_json(const Report& report);

// One number a row, so that a new number is no new column: see results/README.md.
std::string as_csv(const Report& report);

} // namespace croupier::results
