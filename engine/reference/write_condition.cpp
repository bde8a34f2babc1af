// Writes random conditions: walks over the kinds of the setting, binds variables and uses them
// again.
#include "engine/reference/json.h"
#include "engine/reference/writer.h"

#include <algorithm>

namespace croupier::engine::reference {

// Random expressions: mostly of the right kinds, sometimes sure to fail.

namespace {

bool is_numeric(const Variable& variable) {
    return variable.is_numeric();
}
bool is_truth(const Variable& variable) {
    return variable.sort == Sort::Bool;
}
bool is_anything(const Variable&) {
    return true;
}

} // namespace

const Variable* Writer::pick_variable(const Environment& env, bool (*wanted)(const Variable&)) {
    std::vector<const Variable*> candidates;
    for (const Variable& variable : env.bound)
        if (wanted(variable)) candidates.push_back(&variable);
    return candidates.empty() ? nullptr : dice_.pick(candidates);
}

std::string Writer::quoted(const std::string& plain) {
    return "'" + plain + "'";
}

std::string Writer::as_value(const std::string& expression) {
    const bool plain = expression.find('$') == std::string::npos || expression[0] == '\'';
    return plain ? "= " + expression : expression;
}

std::string Writer::path_text(const Environment& env) {
    return random_path(env, true).text;
}

// An operand without operators, numeric if possible.
std::string Writer::atom(const Environment& env, std::optional<Sort> current) {
    const bool reads_this = current == Sort::Int || current == Sort::Real;
    const bool has_option = has(feature::kConstants) && !setting_.options.members.empty();
    switch (dice_.weighted({50, reads_this ? 30 : 0, 25, if_on(feature::kPaths, 5),
                            calm_ ? 0 : if_on(feature::kChance, 4), if_on(feature::kErrors, 2),
                            has_option ? 6 : 0, 3})) {
    case 0:
        if (const Variable* numeric = pick_variable(env, is_numeric)) return "$" + numeric->name;
        break;
    case 1:
        return "$this";
    case 2:
        break;
    case 3:
        return "size(" + path_text(env) + ")";
    case 4:
        return "random(" + std::to_string(dice_.between(1, 6)) + ")";
    case 5:
        if (const Variable* any = pick_variable(env, is_anything)) return "$" + any->name;
        return dice_.pick({"'x'", "true", "null", "9223372036854775807"});
    case 6:
        return "options." + dice_.pick(setting_.options.members).key;
    default:
        return dice_.pick({"0.5", "2.0", "1.5"});
    }
    return std::to_string(dice_.between(0, 4));
}

std::string Writer::number(const Environment& env, std::optional<Sort> current, int depth) {
    if (depth == 0 || !has(feature::kExpressions)) return atom(env, current);
    const auto part = [&] { return number(env, current, depth - 1); };
    switch (dice_.weighted({25, 30, 18, 14, 6, 6, 8, 6, 8, 3})) {
    case 0:
        return part();
    case 1:
        return part() + " + " + part();
    case 2:
        return part() + " - (" + part() + ")";
    case 3:
        return "(" + part() + ") * (" + part() + ")";
    case 4: // a divisor that is rarely zero
        return "(" + part() + ") / (" + part() + " * 2 + 1)";
    case 5:
        return "(" + part() + ") % " + (chance(feature::kErrors, 10) ? atom(env, current) : "3");
    case 6:
        if (dice_.chance(25)) return "clamp(" + part() + ", " + part() + ", " + part() + ")";
        return std::string(dice_.pick({"min", "max"})) + "(" + part() + ", " + part() +
               (dice_.chance(20) ? ", " + part() : "") + ")";
    case 7:
        return std::string(dice_.pick({"abs", "floor", "round"})) + "(" + part() + ")";
    case 8:
        return "(" + test(env, current, depth - 1) + " ? " + part() + " : " + part() + ")";
    default:
        return "-(" + part() + ")";
    }
}

std::string Writer::test(const Environment& env, std::optional<Sort> current, int depth) {
    const auto part = [&] { return test(env, current, depth - 1); };
    const auto comparison = [&] {
        return dice_.pick({" < ", " <= ", " > ", " >= ", " == ", " != "});
    };
    const bool deep = depth > 0 && has(feature::kExpressions);
    switch (dice_.weighted({40, 25, deep ? 10 : 0, deep ? 10 : 0, deep ? 6 : 0, 5})) {
    case 0:
        return number(env, current, depth / 2) + comparison() + number(env, current, depth / 2);
    case 1:
        return any_value(env, current, 0) + comparison() + any_value(env, current, 0);
    case 2:
        return "(" + part() + " && " + part() + ")";
    case 3:
        return "(" + part() + " || " + part() + ")";
    case 4:
        return "!(" + part() + ")";
    default:
        if (const Variable* truth = pick_variable(env, is_truth)) return "$" + truth->name;
        return dice_.chance(50) ? "1 < 2" : "'x' == 'y'";
    }
}

std::string Writer::any_value(const Environment& env, std::optional<Sort> current, int depth) {
    switch (dice_.weighted({45, 15, current ? 15 : 0, depth > 0 ? 20 : 0, depth > 0 ? 10 : 0, 2})) {
    case 0:
        if (const Variable* any = pick_variable(env, is_anything)) return "$" + any->name;
        break;
    case 1:
        return quoted(dice_.pick({"x", "y", "red", "2", "c0"}));
    case 2:
        return "$this";
    case 3:
        if (const Variable* any = pick_variable(env, is_anything)) return "'k' + $" + any->name;
        break;
    case 4:
        return "(" + test(env, current, 0) + ")";
    default:
        return "null";
    }
    return number(env, current, depth > 0 ? depth - 1 : 0);
}

// Random patterns for the value of a node.

namespace {

// A plain text in the reader's syntax: strings with another meaning get a leading quote.
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
    for (const Variable& variable : env.bound)
        if (variable.sort == sort && dice_.chance(40)) return "$" + variable.name;
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
        if (!env.bound.empty() && dice_.chance(15)) return text("$" + dice_.pick(env.bound).name);
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
        for (std::int64_t i = dice_.between(1, 3); i > 0; --i)
            append(choices, leaf_literal(kind, env));
        return choices;
    }
    case 7:
        return dice_.chance(50) ? text("@any") : object();
    default:
        return has(feature::kUnfit) && !strict ? leaf_literal(Kind{}, env) : text("@any");
    }
}

bool Environment::is_bound(const std::string& name) const {
    return std::any_of(bound.begin(), bound.end(),
                       [&](const Variable& variable) { return variable.name == name; });
}

// The first free name: the same in each alternative of an @any, so that they often agree.
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
    for (const auto& [name, kind] : at.back()->fields)
        fields.emplace_back(name, &kind);
    if (at.size() == 1)
        for (const auto& [name, kind] : setting_.constants.fields)
            fields.emplace_back(name, &kind);
    return fields;
}

void Writer::add_unique(Document& object, std::string key, Document value) {
    if (object.find(key) != nullptr || chance(feature::kKeyForms, 3))
        key += "@" + std::to_string(object.members.size());
    add(object, std::move(key), std::move(value));
}

namespace {

// The first member with that key, re-entries included.
const Member* find_key(const Document& object, const std::string& key) {
    for (const Member& member : object.members)
        if (member.key == key || member.key.starts_with(key + "@")) return &member;
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
    for (std::size_t i = 1 + dice_.weighted({60, 30, depth > 2 ? 10 : 0}); i > 0; --i)
        add_entry(result, at, env, depth);
    return result;
}

void Writer::add_entry(Document& object, const Trail& at, Environment& env, int depth) {
    const bool has_children = !fields_of(at).empty();
    if (has_children && dice_.chance(80)) return add_child(object, at, env, depth);
    add_directive(object, at, env, depth);
}

// The pattern of a child, or "@absent".
Document Writer::below(const Trail& at, const Kind& child, Environment& env, int depth,
                       bool may_be_absent) {
    if (may_be_absent && chance(feature::kNegation, 8)) return text("@absent");
    return pattern(at + child, env, depth - 1);
}

// A key of a map that binds nothing: a bound variable, a literal or a template.
std::string Writer::child_key(const Kind& map, const Environment& env) {
    std::vector<std::string> keys;
    for (const Variable& variable : env.bound) {
        const bool same =
            map.domain != nullptr ? variable.domain == map.domain : variable.domain == nullptr;
        if (same || (variable.is_numeric() && variable_of_key({}, map).integer_key))
            keys.push_back("$" + variable.name);
    }
    if (!keys.empty() && dice_.chance(65)) return dice_.pick(keys);
    if (!env.bound.empty() && chance(feature::kUnfit, 2)) return "$" + dice_.pick(env.bound).name;
    const std::string& key = dice_.pick(map.key_pool());
    for (const Variable& variable : env.bound) {
        const bool fits = variable.is_numeric() && key.size() == 2 && key[0] == 'c';
        if (fits && chance(feature::kKeyForms, 40)) return "c{$" + variable.name + "}";
        if (variable.domain == map.domain && chance(feature::kKeyForms, 8))
            return "{$" + variable.name + "}";
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
        if (before == nullptr) return add_unique(object, key, below(at, *child, env, depth, true));
        // A second test of the node that does not contradict the first.
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

// Random directives of conditions: tests, paths, negation, aggregates.

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
        return add_unique(object, dice_.pick({"@exists", "@exists", "@unique"}),
                          pattern(at, local, depth - 1));
    default: {
        Document parts = entry("of", object_pattern(at, local, depth - 1));
        Document holds = dice_.chance(40) ? entry("_", text(bare_test(local, 1)))
                                          : pattern(at, local, depth - 1);
        add(parts, "holds", std::move(holds));
        return add_unique(object, "@forall", std::move(parts));
    }
    }
}

// Afterwards only variables bound by all alternatives are bound; other names are spent.
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
        for (const Variable& variable : end.bound)
            if (!after.is_bound(variable.name)) after.spent.push_back(variable.name);
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
        for (const Variable& variable : known.binds)
            env.bind(variable);
        return add_unique(object, "@use", text(known.name));
    }
}

} // namespace croupier::engine::reference
