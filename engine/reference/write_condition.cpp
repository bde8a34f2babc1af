// Random conditions: a walk over the kinds of the setting that binds variables and meets them
// again.
#include "engine/reference/json.h"
#include "engine/reference/writer.h"

#include <algorithm>

namespace croupier::engine::reference {

bool Environment::is_bound(const std::string& name) const {
    return std::any_of(bound.begin(), bound.end(),
                       [&](const Variable& variable) { return variable.name == name; });
}

// The first free one: the same in each alternative of an @any, so that they often agree.
std::string Environment::fresh_name() const {
    for (int i = 0;; ++i) {
        std::string name(1, static_cast<char>('A' + i % 26));
        if (i >= 26) name += std::to_string(i / 26);
        const bool is_spent = std::find(spent.begin(), spent.end(), name) != spent.end();
        if (!is_spent && !is_bound(name)) return name;
    }
}

void Environment::bind(Variable variable) {
    if (!is_bound(variable.name)) bound.push_back(std::move(variable));
}

Variable variable_of_leaf(std::string name, const Kind& kind) {
    switch (kind.form) {
    case Form::Unit:
    case Form::Bool:
        return {std::move(name), Sort::Bool};
    case Form::Int:
        return {std::move(name), Sort::Int};
    case Form::Double:
    case Form::Number:
        return {std::move(name), Sort::Real};
    case Form::Text:
        return {std::move(name), Sort::Text};
    case Form::Member:
        return {std::move(name), kind.domain->numbered ? Sort::Int : Sort::Text, kind.domain};
    default:
        return {std::move(name), Sort::Any};
    }
}

Variable variable_of_key(std::string name, const Kind& map) {
    const bool integers = map.form == Form::List || map.integer_keys ||
                          (map.domain != nullptr && map.domain->numbered);
    return {std::move(name), Sort::Key, map.domain, integers};
}

std::string literal_key(const std::string& key) {
    std::string result;
    for (const char c : key) {
        if (c == '@' || c == '$') result += c;
        result += c;
    }
    return result;
}

Trail operator+(const Trail& trail, const Kind& below) {
    Trail result = trail;
    result.push_back(&below);
    return result;
}

bool Writer::is_declared(const Trail& at) const {
    if (at.size() < 2) return false;
    return std::any_of(setting_.root.fields.begin(), setting_.root.fields.end(),
                       [&](const auto& field) {
                           return &field.kind == at[1] && setting_.is_declared(field.name);
                       });
}

std::vector<std::pair<std::string, const Kind*>> Writer::fields_of(const Trail& at) const {
    std::vector<std::pair<std::string, const Kind*>> fields;
    for (const auto& [name, kind] : at.back()->fields) {
        fields.emplace_back(name, &kind);
    }
    if (at.size() == 1) {
        for (const auto& [name, kind] : setting_.constants.fields) {
            fields.emplace_back(name, &kind);
        }
    }
    return fields;
}

void Writer::add_unique(Document& object, std::string key, Document value) {
    if (object.find(key) != nullptr || chance(feature::kKeyForms, 3)) {
        key += "@" + std::to_string(object.members.size());
    }
    add(object, std::move(key), std::move(value));
}

namespace {

// The first member for that key, re-entries included.
const Member* find_key(const Document& object, const std::string& key) {
    for (const Member& member : object.members) {
        if (member.key == key || member.key.starts_with(key + "@")) return &member;
    }
    return nullptr;
}

bool is_absent(const Document& pattern) {
    return pattern.is_string() && pattern.text() == "@absent";
}

} // namespace

bool Writer::knows(const std::string& root_field) const {
    const auto is_it = [&](const auto& field) { return field.name == root_field; };
    return std::any_of(setting_.root.fields.begin(), setting_.root.fields.end(), is_it) ||
           std::any_of(setting_.constants.fields.begin(), setting_.constants.fields.end(), is_it);
}

Document Writer::pattern(const Trail& at, Environment& env, int depth) {
    const Kind& kind = *at.back();
    const bool strict = is_declared(at);
    if (!strict && chance(feature::kUnfit, 2)) return leaf_pattern(kind, env, false);
    if (kind.is_leaf()) {
        const bool looks_around = depth > 0 && chance(feature::kPaths, 3);
        return looks_around ? object_pattern(at, env, 1) : leaf_pattern(kind, env, strict);
    }
    if (depth == 0 || dice_.chance(6)) return dice_.chance(50) ? object() : text("@any");
    return object_pattern(at, env, depth);
}

Document Writer::object_pattern(const Trail& at, Environment& env, int depth) {
    Document result = object();
    for (std::size_t i = 1 + dice_.weighted({60, 30, depth > 2 ? 10 : 0}); i > 0; --i) {
        add_entry(result, at, env, depth);
    }
    return result;
}

void Writer::add_entry(Document& object, const Trail& at, Environment& env, int depth) {
    const bool has_children = !fields_of(at).empty();
    if (has_children && dice_.chance(80)) return add_child(object, at, env, depth);
    add_directive(object, at, env, depth);
}

// The pattern of a child, or that there is none.
Document Writer::below(const Trail& at, const Kind& child, Environment& env, int depth,
                       bool may_be_absent) {
    if (may_be_absent && chance(feature::kNegation, 8)) return text("@absent");
    return pattern(at + child, env, depth - 1);
}

// A key of a map that needs nothing to be bound by it: bound already, literal or a template.
std::string Writer::child_key(const Kind& map, const Environment& env) {
    std::vector<std::string> keys;
    for (const Variable& variable : env.bound) {
        const bool same =
            map.domain != nullptr ? variable.domain == map.domain : variable.domain == nullptr;
        if (same || (variable.is_numeric() && variable_of_key({}, map).integer_key)) {
            keys.push_back("$" + variable.name);
        }
    }
    if (!keys.empty() && dice_.chance(65)) return dice_.pick(keys);
    if (!env.bound.empty() && chance(feature::kUnfit, 2)) return "$" + dice_.pick(env.bound).name;
    const std::string& key = dice_.pick(map.key_pool());
    for (const Variable& variable : env.bound) {
        const bool fits = variable.is_numeric() && key.size() == 2 && key[0] == 'c';
        if (fits && chance(feature::kKeyForms, 40)) return "c{$" + variable.name + "}";
        if (variable.domain == map.domain && chance(feature::kKeyForms, 8)) {
            return "{$" + variable.name + "}";
        }
    }
    return literal_key(key);
}

void Writer::add_child(Document& object, const Trail& at, Environment& env, int depth) {
    const Kind& kind = *at.back();
    const auto fields = fields_of(at);
    const auto& [name, child] = dice_.pick(fields);
    const bool by_name = kind.form == Form::Record;
    const bool is_constant =
        at.size() == 1 && &setting_.root == at.back() && setting_.root.fields.empty();
    const int guess = by_name ? (is_constant ? 0 : 8) : 50;
    switch (
        dice_.weighted({by_name ? 80 : 30, guess, if_on(feature::kKeyForms, by_name ? 4 : 8)})) {
    case 0: {
        const std::string key = by_name ? literal_key(name) : child_key(kind, env);
        const Member* before = find_key(object, key);
        if (before == nullptr) {
            return add_unique(object, key, below(at, *child, env, depth, true));
        }
        // A second look at the node that does not contradict the first.
        if (is_absent(before->value) || before->value.is_object() == child->is_leaf()) return;
        return add_unique(object, key,
                          child->is_leaf() ? text("!= " + compared(*child, env, is_declared(at)))
                                           : object_pattern(at + *child, env, depth - 1));
    }
    case 1: {
        Variable variable = variable_of_key(env.fresh_name(), by_name ? Kind{} : kind);
        const std::string key = "$" + variable.name + type_suffix(variable);
        env.bind(std::move(variable));
        return add_unique(object, key, below(at, *child, env, depth, false));
    }
    default:
        return add_unique(object, "$_" + type_suffix(variable_of_key({}, by_name ? Kind{} : kind)),
                          below(at, *child, env, depth, false));
    }
}

} // namespace croupier::engine::reference
