// Random expressions: mostly of the right kinds, now and then bound to fail.
#include "engine/reference/writer.h"

namespace croupier::engine::reference {

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
    for (const Variable& variable : env.bound) {
        if (wanted(variable)) candidates.push_back(&variable);
    }
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

// Something without operators, numeric where possible.
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
        if (const Variable* any = pick_variable(env, is_anything)) {
            return "'k' + $" + any->name;
        }
        break;
    case 4:
        return "(" + test(env, current, 0) + ")";
    default:
        return "null";
    }
    return number(env, current, depth > 0 ? depth - 1 : 0);
}

} // namespace croupier::engine::reference
