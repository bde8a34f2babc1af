// Short names for the builders of documents, which the generator uses in every line.
#pragma once

#include "engine/text/document.h"

#include <string>
#include <utility>

namespace croupier::engine::reference {

using json::add;
using json::append;
using json::array;
using json::boolean;
using json::integer;
using json::object;
using json::scalar;
using json::text;

// An object with one member.
inline Document entry(std::string key, Document value) {
    Document result = object();
    add(result, std::move(key), std::move(value));
    return result;
}

} // namespace croupier::engine::reference
