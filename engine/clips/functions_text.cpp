// Strings and symbols.
#include "engine/clips/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace croupier::engine::clips {

bool lexeme(Session& session, const Expr& expr, std::size_t at, Value& into) {
    into = session.call(expr.args[at]);
    if (session.stopped()) return false;
    if (into.is_text()) return true;
    wrong_type(session, expr, at, "symbol, string, or instance name");
    return false;
}

namespace {

bool join(Session& session, const Expr& expr, std::string& into) {
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
        const Value value = session.call(expr.args[i]);
        if (session.stopped()) return false;
        if (value.type == Type::Multifield) {
            wrong_type(session, expr, i, "symbol, string, instance name, float, or integer");
            return false;
        }
        into += session.shown(value, false);
    }
    return true;
}

Value str_cat(Session& session, const Expr& expr) {
    std::string text;
    if (!join(session, expr, text)) return session.interner().no();
    return session.interner().string(text);
}
Value sym_cat(Session& session, const Expr& expr) {
    std::string text;
    if (!join(session, expr, text)) return session.interner().no();
    return session.interner().symbol(text);
}

Value str_length(Session& session, const Expr& expr) {
    Value value;
    if (!lexeme(session, expr, 0, value)) return session.interner().no();
    // Characters, not bytes.
    const auto count = std::count_if(value.text().begin(), value.text().end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    });
    return Value::integer(count);
}

template <int (*kChange)(int)>
Value change_case(Session& session, const Expr& expr) {
    Value value;
    if (!lexeme(session, expr, 0, value)) return session.interner().no();
    std::string text = value.text();
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x80)
            c = static_cast<char>(kChange(static_cast<unsigned char>(c)));
    }
    return Value::of(session.interner().text(text), value.type);
}

Value sub_string(Session& session, const Expr& expr) {
    std::int64_t from = 0;
    std::int64_t to = 0;
    Value text;
    if (!integer(session, expr, 0, from) || !integer(session, expr, 1, to) ||
        !lexeme(session, expr, 2, text))
        return session.interner().no();
    const auto size = static_cast<std::int64_t>(text.text().size());
    from = std::max<std::int64_t>(from, 1);
    to = std::min(to, size);
    if (from > to) return session.interner().string("");
    return session.interner().string(
        std::string_view(text.text())
            .substr(static_cast<std::size_t>(from - 1), static_cast<std::size_t>(to - from + 1)));
}

Value str_index(Session& session, const Expr& expr) {
    Value what;
    Value in;
    if (!lexeme(session, expr, 0, what) || !lexeme(session, expr, 1, in))
        return session.interner().no();
    if (what.text().empty()) return Value::integer(static_cast<std::int64_t>(in.text().size()) + 1);
    const std::size_t at = in.text().find(what.text());
    if (at == std::string::npos) return session.interner().no();
    return Value::integer(static_cast<std::int64_t>(at) + 1);
}

Value str_compare(Session& session, const Expr& expr) {
    Value a;
    Value b;
    if (!lexeme(session, expr, 0, a) || !lexeme(session, expr, 1, b))
        return session.interner().no();
    const int order = a.text().compare(b.text());
    return Value::integer(order < 0 ? -1 : order > 0 ? 1 : 0);
}

Value string_to_field(Session& session, const Expr& expr) {
    Value text;
    if (!lexeme(session, expr, 0, text)) return session.interner().no();
    std::vector<Value> fields;
    session.read_fields(text.text(), fields);
    return fields.empty() ? session.interner().symbol("EOF") : fields[0];
}

Value gensym(Session& session, const Expr&) {
    return session.interner().symbol(fmt::format("gen{}", session.next_symbol()));
}

Value evaluate(Session& session, const Expr& expr) {
    Value text;
    if (!lexeme(session, expr, 0, text)) return session.interner().no();
    return session.evaluate_text(text.text(), false);
}
Value build(Session& session, const Expr& expr) {
    Value text;
    if (!lexeme(session, expr, 0, text)) return session.interner().no();
    return session.evaluate_text(text.text(), true);
}

Value explode(Session& session, const Expr& expr) {
    const Value text = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    if (text.type != Type::String) return wrong_type(session, expr, 0, "string");
    std::vector<Value> fields;
    session.read_fields(text.text(), fields);
    return session.interner().multifield(fields);
}

Value implode(Session& session, const Expr& expr) {
    Value list;
    if (!multifield(session, expr, 0, list)) return session.interner().string("");
    std::string text;
    for (const Value& one : list.fields()) {
        if (!text.empty()) text += ' ';
        text += session.shown(one, true);
    }
    return session.interner().string(text);
}

constexpr Builtin kTextFunctions[] = {
    {"explode$", 1, 1, explode},
    {"str-explode", 1, 1, explode},
    {"implode$", 1, 1, implode},
    {"str-implode", 1, 1, implode},
    {"str-cat", 1, -1, str_cat},
    {"sym-cat", 1, -1, sym_cat},
    {"str-length", 1, 1, str_length},
    {"upcase", 1, 1, change_case<std::toupper>},
    {"lowcase", 1, 1, change_case<std::tolower>},
    {"sub-string", 3, 3, sub_string},
    {"str-index", 2, 2, str_index},
    {"str-compare", 2, 3, str_compare},
    {"string-to-field", 1, 1, string_to_field},
    {"gensym", 0, 0, gensym},
    {"gensym*", 0, 0, gensym},
    {"eval", 1, 1, evaluate},
    {"build", 1, 1, build},
};

} // namespace

std::span<const Builtin> text_functions() {
    return kTextFunctions;
}

} // namespace croupier::engine::clips
