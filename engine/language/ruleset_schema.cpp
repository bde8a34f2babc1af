// Translates `option_values` to JSON Schema.
#include "engine/language/ruleset_schema.h"

#include "engine/language/types.h"

namespace croupier::engine {
namespace {

// The values that a leaf of that shape may hold, as a schema; empty object for any value.
Document values_of(const Ruleset& ruleset, const Shape& shape) {
    Document result = json::object();
    const auto is = [&](const char* type) { json::add(result, "type", json::text(type)); };
    const auto between = [&](std::int64_t low, std::int64_t high) {
        is("integer");
        if (low != INT64_MIN) json::add(result, "minimum", json::integer(low));
        if (high != INT64_MAX) json::add(result, "maximum", json::integer(high));
    };
    switch (shape.kind) {
    case ShapeKind::Int:
        between(shape.low, shape.high);
        break;
    case ShapeKind::Double:
    case ShapeKind::Number:
        is("number");
        break;
    case ShapeKind::Bool:
        is("boolean");
        break;
    case ShapeKind::String:
        is("string");
        break;
    case ShapeKind::Unit:
        json::add(result, "const", json::boolean(true));
        break;
    case ShapeKind::Member: {
        const Domain& domain = *ruleset.domain(shape.domain);
        if (domain.numbered) {
            between(0, static_cast<std::int64_t>(domain.members.size()) - 1);
            break;
        }
        json::add(result, "enum", json::texts(domain.members));
        break;
    }
    case ShapeKind::Any:
    case ShapeKind::Record:
    case ShapeKind::Map: // the reader has refused it
        break;
    }
    return result;
}

Document schema_of(const Option& option, const Ruleset& ruleset, const Sources& sources) {
    Document result = json::object();
    if (option.values && option.values->is_array()) {
        json::add(result, "enum", *option.values);
    } else if (option.values) {
        Diagnostics none; // stays empty: the ruleset has been checked
        Reading reading{sources, none, {}};
        Ruleset declared;
        declared.types = ruleset.types;
        const Shape shape = parse_shape(reading, *option.values, declared.types);
        result = values_of(declared, shape);
    }
    json::add(result, "default", option.value);
    if (!option.doc.empty()) json::add(result, "description", json::text(option.doc));
    return result;
}

} // namespace

Document schema_for(const Ruleset& ruleset, const Sources& sources, Document schema) {
    const auto child = [](Document& document, const char* key) -> Document& {
        return json::child_object(document, key);
    };
    Document& parts = child(schema, "$defs");
    Document& blocks = child(child(parts, "ruleset"), "properties");
    Document& options = child(child(blocks, "options"), "properties");
    Document& option_values = child(child(blocks, "option_values"), "properties");
    const Document any_values = child(blocks, "option_values").find("additionalProperties")->value;
    for (const Option& option : ruleset.options) {
        json::add(options, option.name, schema_of(option, ruleset, sources));
        json::add(option_values, option.name, any_values);
    }
    Document types = json::array();
    for (const Domain& type : ruleset.types)
        if (!type.anonymous) json::append(types, json::text(type.name));
    if (!types.members.empty()) json::add(child(parts, "shape"), "examples", std::move(types));
    return schema;
}

} // namespace croupier::engine
