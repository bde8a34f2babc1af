// Comparisons and ablations read back from the JSON that they were written as.
#pragma once

#include "results/report/compared.h"
#include "results/store/file.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace croupier::results {

// "compare", "ablate": what a text of JSON holds; nothing if it is neither.
std::optional<std::string> kind_of_compared(const nlohmann::ordered_json& json);

// The failure says what is missing, or which format it has; `name` stands for the text.
Failure read_compared(const std::string& name, const nlohmann::ordered_json& json,
                      RevisionSummary& into);
Failure read_compared(const std::string& name, const nlohmann::ordered_json& json,
                      AblationSummary& into);

inline constexpr std::string_view kCompareFile = "compare.json";
inline constexpr std::string_view kAblateFile = "ablate.json";

} // namespace croupier::results
