// Numbers as JSON has them: what is undefined is null.
#pragma once

#include "results/statistics/accumulator.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace croupier::results {

template <class Number>
nlohmann::ordered_json number_json(const std::optional<Number>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json estimate_json(const Estimate& value) {
    nlohmann::ordered_json object{{"value", number_json(value.value)},
                                  {"error", number_json(value.error)},
                                  {"low", number_json(value.low)},
                                  {"high", number_json(value.high)}};
    if (value.one_sided) object["one_sided"] = true;
    if (value.doubtful) object["doubtful"] = true;
    return object;
}

} // namespace croupier::results
