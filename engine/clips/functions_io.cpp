// Printing and reading.
#include "engine/clips/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <cstdio>

namespace croupier::engine::clips {
namespace {

// What CLIPS prints to without a file having been opened.
bool is_router(std::string_view name) {
    static constexpr std::array<std::string_view, 9> kRouters = {
        "t", "stdout", "wdisplay", "wwarning", "werror", "wtrace", "wclips", "wdialog", "nil"};
    return std::find(kRouters.begin(), kRouters.end(), name) != kRouters.end();
}

Value printout(Session& session, const Expr& expr) {
    if (expr.a == kReadsOnly && session.silent()) return {};
    const Value router = session.call(expr.args[0]);
    if (session.stopped()) return {};
    const std::string_view name = router.is_text() ? std::string_view(router.text()) : "";
    const bool discard = session.silent() || name == "nil";
    if (!discard && !is_router(name)) {
        session.print(fmt::format("[ROUTER1] Logical name {} was not recognized by any routers\n",
                                  session.shown(router, false)));
        return {};
    }
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        const Value value = session.call(expr.args[i]);
        if (session.stopped()) return {};
        if (discard) continue;
        if (value.type == Type::Symbol) {
            const std::string& word = value.text();
            if (word == "crlf") {
                session.print("\n");
                continue;
            }
            if (word == "tab") {
                session.print("\t");
                continue;
            }
            if (word == "vtab") {
                session.print("\v");
                continue;
            }
            if (word == "ff") {
                session.print("\f");
                continue;
            }
            session.print(word);
            continue;
        }
        session.print(session.shown(value, value.type == Type::Multifield));
    }
    return {};
}

// One directive of format: "%-5.2f" and the like.
struct Directive {
    std::string flags; // from % up to the letter
    char letter = 0;
    std::size_t end = 0;
};

bool parse_directive(const std::string& text, std::size_t at, Directive& into) {
    std::size_t i = at + 1;
    while (i < text.size() &&
           std::string_view("-+ #0123456789.").find(text[i]) != std::string_view::npos)
        ++i;
    if (i >= text.size()) return false;
    into.flags = text.substr(at, i - at);
    into.letter = text[i];
    into.end = i + 1;
    return into.flags.size() < 40;
}

std::string with_printf(const std::string& pattern, auto value) {
    char small[256];
    const int size = std::snprintf(small, sizeof small, pattern.c_str(), value);
    if (size < 0) return "";
    if (static_cast<std::size_t>(size) < sizeof small)
        return {small, static_cast<std::size_t>(size)};
    std::string large(static_cast<std::size_t>(size) + 1, '\0');
    (void)std::snprintf(large.data(), large.size(), pattern.c_str(), value);
    large.pop_back();
    return large;
}

Value format(Session& session, const Expr& expr) {
    const Value router = session.call(expr.args[0]);
    Value pattern;
    if (session.stopped() || !lexeme(session, expr, 1, pattern))
        return session.interner().string("");
    const std::string& text = pattern.text();
    std::string result;
    std::size_t argument = 2;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] != '%') {
            result += text[i++];
            continue;
        }
        Directive directive;
        if (!parse_directive(text, i, directive)) {
            result += text.substr(i);
            break;
        }
        i = directive.end;
        switch (directive.letter) {
        case '%':
            result += '%';
            continue;
        case 'n':
            result += '\n';
            continue;
        case 'r':
            result += '\r';
            continue;
        case 't':
            result += '\t';
            continue;
        case 'v':
            result += '\v';
            continue;
        default:
            break;
        }
        if (argument >= expr.args.size()) {
            session.fail(fmt::format(
                "[ARGACCES4] Function format expected at least {} argument(s)\n", argument + 1));
            return session.interner().string("");
        }
        switch (directive.letter) {
        case 'd':
        case 'o':
        case 'x':
        case 'u':
        case 'c': {
            const Value value = session.call(expr.args[argument]);
            if (session.stopped()) return session.interner().string("");
            if (directive.letter == 'c') {
                if (value.is_lexeme())
                    result +=
                        with_printf(directive.flags + "c",
                                    value.text().empty() ? 0 : static_cast<int>(value.text()[0]));
                else if (value.type == Type::Integer)
                    result +=
                        with_printf(directive.flags + "c", static_cast<int>(value.as_integer()));
                else
                    return wrong_type(session, expr, argument, "symbol, string, or integer");
                break;
            }
            if (!value.is_number()) return wrong_type(session, expr, argument, "integer or float");
            const std::int64_t whole =
                value.type == Type::Integer ? value.as_integer() : truncated(value.as_real());
            result += with_printf(directive.flags + "ll" + directive.letter,
                                  static_cast<long long>(whole));
            break;
        }
        case 'f':
        case 'e':
        case 'g': {
            Value value;
            if (!number(session, expr, argument, value)) return session.interner().string("");
            result += with_printf(directive.flags + directive.letter, value.to_real());
            break;
        }
        case 's': {
            const Value value = session.call(expr.args[argument]);
            if (session.stopped()) return session.interner().string("");
            if (!value.is_lexeme()) return wrong_type(session, expr, argument, "symbol or string");
            result += with_printf(directive.flags + "s", value.text().c_str());
            break;
        }
        default:
            session.fail(fmt::format("[IOFUN3] Invalid format flag \"{}{}\" specified in format "
                                     "function.\n",
                                     directive.flags, directive.letter));
            return session.interner().string("");
        }
        ++argument;
    }
    const bool discard = router.is_text() && router.text() == "nil";
    if (!discard) session.print(result);
    return session.interner().string(result);
}

Value read(Session& session, const Expr&) {
    std::vector<Value> fields;
    for (;;) {
        const auto line = session.read_line();
        if (!line) return session.interner().symbol("EOF");
        session.read_fields(*line, fields);
        if (!fields.empty()) return fields[0];
    }
}

Value read_line(Session& session, const Expr&) {
    const auto line = session.read_line();
    if (!line) return session.interner().symbol("EOF");
    return session.interner().string(*line);
}

Value time_now(Session& session, const Expr&) {
    return Value::real(session.now());
}

constexpr Builtin kIoFunctions[] = {
    {"printout", 1, -1, printout}, {"format", 2, -1, format}, {"read", 0, 1, read},
    {"readline", 0, 1, read_line}, {"time", 0, 0, time_now},
};

} // namespace

std::span<const Builtin> io_functions() {
    return kIoFunctions;
}

} // namespace croupier::engine::clips
