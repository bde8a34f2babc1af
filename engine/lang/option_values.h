// What options may be set to.
#pragma once

#include "engine/lang/reading.h"
#include "engine/lang/ruleset.h"

#include <string>
#include <vector>

namespace croupier::engine {

// Says that the ruleset has no option of that name.
void report_unknown_option(Reading& reading, const std::string& name, Span place,
                           const std::vector<Option>& known);

// Options that mean something to whoever plays games, whatever the rules say.
bool is_read_by_host(std::string_view option);
// Whether anything in the document names `options.NAME`, or that node under `options`.
bool reads_option(const Document& ruleset, std::string_view name);

// Checks the options, as they are set, against the block `option_values`: for each name a list of
// values, or a leaf as in a shape. What is wrong goes to the reading's diagnostics.
void check_option_values(Reading& reading, const Document& block, const Ruleset& ruleset);

} // namespace croupier::engine
