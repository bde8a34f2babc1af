// Random directives of conditions: tests, ways through the tree, negation, aggregates.
#include "engine/reference/json.h"
#include "engine/reference/writer.h"

#include <algorithm>

namespace croupier::engine::reference {

WrittenPath Writer::random_path(const Environment& env, bool may_be_root, bool writable) {
    WrittenPath path{{}, env.base};
    const std::int64_t steps = dice_.between(may_be_root ? 0 : 1, 3);
    for (std::int64_t i = 0; i < steps; ++i) {
        const Kind& kind = *path.at.back();
        const auto fields = fields_of(path.at);
        const std::size_t known = writable ? kind.fields.size() : fields.size();
        if (known == 0) break;
        const auto& [name, child] = fields[dice_.below(known)];
        const std::string key = kind.form == Form::Record ? name : child_key(kind, env);
        if (key.find('@') != std::string::npos || key.starts_with("$$")) break;
        path.text += (path.text.empty() ? "" : ".") + key;
        path.at.push_back(child);
    }
    return path;
}

void Writer::add_directive(Document& object, const Trail& at, Environment& env, int depth) {
    if (depth == 0) return add_test(object, env);
    const bool nested = at.size() > 1;
    switch (dice_.weighted({if_on(feature::kTests, 20), if_on(feature::kPaths, nested ? 8 : 1),
                            if_on(feature::kPaths, 6), if_on(feature::kPaths, 10),
                            if_on(feature::kNegation, 18), if_on(feature::kAlternatives, 9),
                            if_on(feature::kAggregates, 15), if_on(feature::kPatterns, 6), 1})) {
    case 0:
        return add_test(object, env);
    case 1: {
        if (!nested) return add_unique(object, "@parent", text("@absent"));
        const Trail parent(at.begin(), at.end() - 1);
        return add_unique(object, "@parent", pattern(parent, env, depth - 1));
    }
    case 2:
        return add_unique(object, "@root", pattern({at.front()}, env, depth - 1));
    case 3:
        return add_path(object, env, depth);
    case 4:
        return add_negation(object, at, env, depth);
    case 5:
        return add_alternatives(object, at, env, depth);
    case 6:
        return add_aggregate(object, at, env, depth);
    case 7:
        return add_use(object, at, env);
    default:
        return add_unique(object, "@log", boolean(true));
    }
}

std::string Writer::bare_test(const Environment& env, int depth) {
    std::string wanted = test(env, std::nullopt, depth);
    return wanted[0] == '\'' ? "(" + wanted + ")" : wanted;
}

void Writer::add_test(Document& object, Environment& env) {
    if (!has(feature::kTests)) return;
    if (dice_.chance(3)) return add_unique(object, "_", boolean(true));
    if (dice_.chance(50)) return add_unique(object, "_", text(bare_test(env, 2)));
    Variable variable;
    variable.name = env.fresh_name();
    const bool numeric = dice_.chance(75);
    variable.sort = numeric ? Sort::Real : Sort::Any;
    const std::string value =
        numeric ? number(env, std::nullopt, 2) : any_value(env, std::nullopt, 1);
    const std::string key = "$" + variable.name + type_suffix(variable);
    env.bind(std::move(variable));
    add_unique(object, "_", text(key + " = " + value));
}

void Writer::add_path(Document& object, Environment& env, int depth) {
    const WrittenPath path = random_path(env, false);
    const bool absent = !path.text.empty() && chance(feature::kNegation, 10);
    add_unique(object, "@path(" + path.text + ")",
               absent ? text("@absent") : pattern(path.at, env, depth - 1));
}

void Writer::add_negation(Document& object, const Trail& at, const Environment& env, int depth) {
    Environment local = env;
    switch (dice_.below(3)) {
    case 0:
        return add_unique(object, "@not", pattern(at, local, depth - 1));
    case 1:
        return add_unique(object, "@exists", pattern(at, local, depth - 1));
    default: {
        Document parts = entry("of", object_pattern(at, local, depth - 1));
        Document holds = dice_.chance(40) ? entry("_", text(bare_test(local, 1)))
                                          : pattern(at, local, depth - 1);
        add(parts, "holds", std::move(holds));
        return add_unique(object, "@forall", std::move(parts));
    }
    }
}

// Only what all alternatives bind is bound afterwards; the other names are spent.
void Writer::add_alternatives(Document& object, const Trail& at, Environment& env, int depth) {
    Document alternatives = array();
    std::vector<Environment> ends;
    for (std::int64_t i = dice_.between(1, 3); i > 0; --i) {
        ends.push_back(env);
        append(alternatives, pattern(at, ends.back(), depth - 1));
    }
    Environment after = env;
    for (const Variable& variable : ends.front().bound) {
        if (env.is_bound(variable.name)) continue;
        const bool common = std::all_of(ends.begin(), ends.end(), [&](const Environment& end) {
            return end.is_bound(variable.name);
        });
        if (common) after.bind({variable.name, Sort::Any});
    }
    for (const Environment& end : ends) {
        after.spent.insert(after.spent.end(), end.spent.begin(), end.spent.end());
        for (const Variable& variable : end.bound) {
            if (!after.is_bound(variable.name)) after.spent.push_back(variable.name);
        }
    }
    env = std::move(after);
    add_unique(object, "@any", std::move(alternatives));
}

void Writer::add_aggregate(Document& object, const Trail& at, Environment& env, int depth) {
    Environment local = env;
    const std::string key = dice_.pick({"@count", "@count", "@sum", "@min", "@max"});
    Document parts = croupier::engine::reference::object();
    if (dice_.chance(95)) add(parts, "of", pattern(at, local, depth - 1));
    if (key != "@count") add(parts, "value", text(number(local, std::nullopt, 1)));
    if (dice_.chance(60)) {
        Variable result{env.fresh_name(), key == "@count" ? Sort::Int : Sort::Real};
        add(parts, "into", text("$" + result.name + type_suffix(result)));
        env.bind(std::move(result));
    } else if (dice_.chance(50)) {
        add(parts, "into", integer(dice_.between(0, 3)));
    } else {
        add(parts, "into", text(dice_.pick({"> ", "<= ", "!= "}) + number(env, std::nullopt, 0)));
    }
    add_unique(object, key, std::move(parts));
}

void Writer::add_use(Document& object, const Trail& at, Environment& env) {
    for (const NamedPattern& known : patterns_) {
        if (known.at != at || !dice_.chance(60)) continue;
        for (const Variable& variable : known.binds) {
            env.bind(variable);
        }
        return add_unique(object, "@use", text(known.name));
    }
}

} // namespace croupier::engine::reference
