// A function that the program around the engine brings for @call.
#pragma once

#include "engine/text/document.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine {

// What a call came to. With an error, the rule stops there; the value goes where `into` says.
struct HostResult {
    std::optional<Scalar> value = {};
    std::string error = {};
};

// The body gets the values of its parameters in their order; keys are texts. It sees nothing of the
// state, and changes it by its result alone. Machines call it from their threads, at the same time;
// games can be had again only if the result is a function of the values (chance is handed in, as in
// "seed": "random(1000)") and calls do nothing that others could see. What it throws is its error.
struct HostFunction {
    std::string name;
    std::vector<std::string> parameters; // a call names all of them, and perhaps `into`
    std::function<HostResult(std::span<const Scalar> values)> body = {};
};

// Nothing if there is none of that name.
const HostFunction* find_function(std::span<const HostFunction> functions, std::string_view name);

} // namespace croupier::engine
