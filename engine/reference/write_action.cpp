// Random actions: values, removals, new nodes, nested groups.
#include "engine/reference/json.h"
#include "engine/reference/writer.h"

namespace croupier::engine::reference {

Document Writer::action(const Environment& env, int depth) {
    if (depth > 0 && chance(feature::kNested, 8)) return group(env, depth - 1, false);
    return action_tree(env.base, env, 3);
}

Document Writer::action_tree(const Trail& at, const Environment& env, int depth) {
    Document result = object();
    for (std::int64_t i = dice_.between(1, 2); i > 0; --i) {
        add_change(result, at, env, depth);
    }
    return result;
}

void Writer::add_change(Document& object, const Trail& at, const Environment& env, int depth) {
    const bool has_children = !at.back()->fields.empty();
    const bool nested = at.size() > 1;
    const int around = depth > 1 ? 5 : 0;
    switch (dice_.weighted({has_children ? 75 : 5, if_on(feature::kPaths, nested ? around : 0),
                            if_on(feature::kPaths, around), if_on(feature::kPaths, 6),
                            if_on(feature::kNested, depth > 1 ? 7 : 0), if_on(feature::kCalls, 5),
                            if_on(feature::kPrints, 5)})) {
    case 0:
        return add_child_change(object, at, env, depth);
    case 1: {
        const Trail parent(at.begin(), at.end() - 1);
        Document value = parent.size() > 1 && chance(feature::kRemovals, 10)
                             ? text("@remove")
                             : action_tree(parent, env, depth - 2);
        return add_unique(object, "@parent", std::move(value));
    }
    case 2:
        return add_unique(object, "@root", action_tree({at.front()}, env, depth - 2));
    case 3: {
        const WrittenPath path = random_path(env, false, true);
        if (path.text.empty()) return;
        return add_unique(object, "@path(" + path.text + ")", change(path.at, env, depth - 2));
    }
    case 4: {
        Environment inner = env;
        inner.base = at;
        return add_unique(object, "@rules", group(inner, 0));
    }
    case 5:
        return add_unique(object, "@call", call(env));
    default:
        return add_unique(object, "@print", print(env));
    }
}

void Writer::add_child_change(Document& object, const Trail& at, const Environment& env,
                              int depth) {
    const Kind& kind = *at.back();
    const bool new_node = !is_declared(at) && (kind.fields.empty() || dice_.chance(8));
    if (new_node) {
        const std::string key = dice_.pick({"new", "out", "0", "x"});
        return add_unique(object, key, new_value(at, env));
    }
    if (kind.fields.empty()) return;
    const auto& [name, child] = dice_.pick(kind.fields);
    const std::string key = kind.form == Form::Record ? literal_key(name) : child_key(kind, env);
    add_unique(object, key, change(at + child, env, depth - 1));
}

// What a place that the setting knows becomes.
Document Writer::change(const Trail& at, const Environment& env, int depth) {
    const Kind& kind = *at.back();
    const bool declared = is_declared(at);
    if (chance(feature::kRemovals, 12)) return text("@remove");
    if (!declared && dice_.chance(6)) return new_value(at, env);
    if (declared && !env.bound.empty() && chance(feature::kUnfit, 2)) {
        return text("$" + dice_.pick(env.bound).name);
    }
    if (!kind.is_leaf()) {
        if (kind.form == Form::List && dice_.chance(50)) return data(env, 1);
        if (depth <= 0 || chance(feature::kRemovals, 8)) return object();
        return action_tree(at, env, depth);
    }
    const bool numeric = kind.form == Form::Int || kind.form == Form::Number;
    if (numeric && dice_.chance(declared ? 30 : 50)) {
        const bool reads_old = dice_.chance(35);
        const auto current = reads_old ? std::optional{Sort::Int} : std::nullopt;
        return text(as_value(number(env, current, 2)));
    }
    if (kind.form == Form::Bool && dice_.chance(40)) {
        return text(as_value(test(env, std::nullopt, 1)));
    }
    return leaf_literal(kind, env);
}

Document Writer::new_value(const Trail& at, const Environment& env) {
    switch (dice_.weighted({30, 30, 15, if_on(feature::kArrays, 12), 13})) {
    case 0:
        return leaf_literal(Kind{}, env);
    case 1:
        return text(as_value(any_value(env, std::nullopt, 1)));
    case 2:
        return object();
    case 3:
        return data(env, 2);
    default: {
        static const Kind kUnknown{};
        return action_tree(at + kUnknown, env, 0);
    }
    }
}

Document Writer::data(const Environment& env, int depth) {
    if (depth == 0) {
        return dice_.chance(60) ? leaf_literal(Kind{}, env)
                                : text(as_value(number(env, std::nullopt, 1)));
    }
    if (depth == 1 && dice_.chance(25)) {
        Document node = entry(dice_.pick({"a", "b", "x"}), data(env, 0));
        if (!env.bound.empty()) add(node, "$" + env.bound.back().name, data(env, 0));
        return node;
    }
    Document list = array();
    for (std::size_t i = dice_.below(4); i > 0; --i) {
        append(list, data(env, depth - 1));
    }
    return list;
}

Document Writer::print(const Environment& env) {
    std::string line = dice_.pick({"", "a ", "$$ {{} "});
    for (const Variable& variable : env.bound) {
        if (dice_.chance(60)) line += "$" + variable.name + " ";
    }
    if (dice_.chance(40)) line += "{" + any_value(env, std::nullopt, 1) + "}";
    return text(std::move(line));
}

Document Writer::call(const Environment& env) {
    const auto count = [&] {
        return dice_.chance(80) ? integer(dice_.between(0, 2)) : text(number(env, std::nullopt, 0));
    };
    const auto path = [&] { return random_path(env, true, true).text; };
    Document arguments = object();
    switch (dice_.below(5)) {
    case 0:
        add(arguments, "of", text(path()));
        return entry("shuffle", std::move(arguments));
    case 1:
        add(arguments, "from", text(path()));
        add(arguments, "into", text(path()));
        if (dice_.chance(60)) add(arguments, "count", count());
        return entry("choose", std::move(arguments));
    case 2:
        add(arguments, "of", text(path()));
        if (dice_.chance(40)) add(arguments, "by", text(dice_.pick({"a", "b", "rank", "suit"})));
        if (dice_.chance(40)) add(arguments, "descending", boolean(dice_.chance(70)));
        return entry("sort", std::move(arguments));
    case 3:
        add(arguments, "a", text(as_value(any_value(env, std::nullopt, 1))));
        if (dice_.chance(70)) add(arguments, "into", text(path()));
        add(arguments, "b", count());
        return entry("mix", std::move(arguments));
    default:
        add(arguments, "from", text(path()));
        add(arguments, "to", text(path()));
        add(arguments, "count", count());
        if (!env.bound.empty() && dice_.chance(30)) {
            add(arguments, "start", text("$" + dice_.pick(env.bound).name));
        }
        return entry("deal", std::move(arguments));
    }
}

} // namespace croupier::engine::reference
