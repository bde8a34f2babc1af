// Random patterns for the value of a node.
#include "engine/reference/json.h"
#include "engine/reference/writer.h"

namespace croupier::engine::reference {

namespace {

// A plain text as the reader wants it: strings that would be read as something else get a quote.
Document plain(Scalar value) {
    if (auto* held = std::get_if<std::string>(&value)) {
        const bool special =
            held->find('$') != std::string::npos ||
            (!held->empty() && std::string("'<>=!@").find((*held)[0]) != std::string::npos);
        if (special) *held = "'" + *held;
    }
    return scalar(std::move(value));
}

} // namespace

std::string Writer::type_suffix(const Variable& variable) {
    if (!chance(feature::kTypes, 20)) return {};
    if (variable.domain != nullptr && dice_.chance(70)) return ":" + variable.domain->name;
    switch (variable.sort) {
    case Sort::Int:
        return dice_.pick({":int", ":number", ":any"});
    case Sort::Real:
        return dice_.pick({":number", ":any"});
    case Sort::Bool:
        return dice_.pick({":bool", ":any"});
    case Sort::Text:
        return dice_.pick({":string", ":any"});
    case Sort::Key:
        return variable.integer_key ? dice_.pick({":int", ":number", ":string"})
                                    : dice_.pick({":string", ":any"});
    case Sort::Any:
        return dice_.pick({":int", ":string", ":double", ":bool", ":null", ":number", ":any"});
    }
    return {};
}

Document Writer::leaf_literal(const Kind& kind, const Environment& env) {
    const Variable probe = variable_of_leaf({}, kind);
    for (const Variable& variable : env.bound) {
        const bool same = variable.sort == probe.sort ||
                          (probe.domain != nullptr && variable.domain == probe.domain);
        if (same && dice_.chance(30)) return text("$" + variable.name);
    }
    return plain(random_leaf(kind, dice_));
}

// The right side of a comparison.
std::string Writer::compared(const Kind& kind, const Environment& env, bool strict) {
    const Sort sort = variable_of_leaf({}, kind).sort;
    const bool numeric = sort == Sort::Int || sort == Sort::Real;
    const bool computes = has(feature::kExpressions) && dice_.chance(30);
    if (numeric) return number(env, sort, computes ? 1 : 0);
    if (!strict) return any_value(env, sort, 0);
    for (const Variable& variable : env.bound) {
        if (variable.sort == sort && dice_.chance(40)) return "$" + variable.name;
    }
    const Scalar literal = random_leaf(kind, dice_);
    if (const auto* truth = std::get_if<bool>(&literal)) return *truth ? "true" : "false";
    const auto* word = std::get_if<std::string>(&literal);
    const bool plain_word = word != nullptr && word->find('\'') == std::string::npos;
    return plain_word ? quoted(*word) : "$this";
}

Document Writer::leaf_pattern(const Kind& kind, Environment& env, bool strict) {
    const Sort sort = variable_of_leaf({}, kind).sort;
    const bool computes = has(feature::kExpressions);
    const auto bind = [&](Variable variable) {
        std::string key = "$" + variable.name + type_suffix(variable);
        env.bind(std::move(variable));
        return key;
    };
    switch (dice_.weighted(
        {13, 14, 42, computes ? 6 : 0, computes ? 8 : 0, computes ? 3 : 0, 8, 5, 1})) {
    case 0:
        return leaf_literal(kind, env);
    case 1: {
        const bool ordered = !strict || (sort != Sort::Bool && sort != Sort::Any);
        const std::string sign = ordered ? dice_.pick({"<", "<=", ">", ">=", "!=", "=="}) : "==";
        return text(sign + (dice_.chance(50) ? " " : "") + compared(kind, env, strict));
    }
    case 2:
        if (!env.bound.empty() && dice_.chance(15)) {
            return text("$" + dice_.pick(env.bound).name);
        }
        return text(bind(variable_of_leaf(env.fresh_name(), kind)));
    case 3: {
        const bool numeric = dice_.chance(80);
        const std::string value = numeric ? number(env, sort, 2) : any_value(env, sort, 1);
        Variable variable;
        variable.name = env.fresh_name();
        variable.sort = numeric ? Sort::Real : Sort::Any;
        return text(bind(std::move(variable)) + " = " + value);
    }
    case 4: {
        std::string wanted = test(env, sort, 2);
        return text(as_value(wanted));
    }
    case 5: {
        const bool numeric = sort == Sort::Int || sort == Sort::Real;
        if (strict && !numeric) return leaf_literal(kind, env);
        return text(as_value(numeric ? number(env, sort, 2) : any_value(env, sort, 1)));
    }
    case 6: {
        Document choices = array();
        for (std::int64_t i = dice_.between(1, 3); i > 0; --i) {
            append(choices, leaf_literal(kind, env));
        }
        return choices;
    }
    case 7:
        return dice_.chance(50) ? text("@any") : object();
    default:
        return has(feature::kUnfit) && !strict ? leaf_literal(Kind{}, env) : text("@any");
    }
}

} // namespace croupier::engine::reference
