// The table of CLIPS functions and what their implementations share.
#pragma once

#include "engine/clips/session.h"

#include <span>
#include <string_view>

namespace croupier::engine::clips {

struct Builtin {
    std::string_view name;
    int least;
    int most; // -1: any number
    Evaluate eval;
};

// All of the files functions_*.cpp; by name.
const Builtin* find_builtin(std::string_view name);
std::span<const Builtin> math_functions();
std::span<const Builtin> predicate_functions();
std::span<const Builtin> text_functions();
std::span<const Builtin> multifield_functions();
std::span<const Builtin> io_functions();
std::span<const Builtin> fact_functions();
std::span<const Builtin> command_functions();
std::span<const Builtin> construct_functions();

// A form whose arguments are not simply evaluated: bind, if, assert, ... Returns false when the
// name is no such form.
bool compile_special(Session& session, const Form& form, Scope& scope, Expr& into);

// Of a call of a builtin function, as `a`: its arguments are constants and variables of conditions.
constexpr std::uint32_t kReadsOnly = 1;

inline std::string_view name_of(const Expr& expr) {
    return static_cast<const Builtin*>(expr.data)->name;
}

// The argument, of the type; otherwise the message of CLIPS, and an evaluation that is stopped.
Value wrong_type(Session& session, const Expr& expr, std::size_t argument, std::string_view wanted);
inline bool number(Session& session, const Expr& expr, std::size_t at, Value& into) {
    into = session.call(expr.args[at]);
    if (session.stopped()) return false;
    if (into.is_number()) [[likely]]
        return true;
    wrong_type(session, expr, at, "integer or float");
    return false;
}
bool integer(Session& session, const Expr& expr, std::size_t at, std::int64_t& into);
bool lexeme(Session& session, const Expr& expr, std::size_t at, Value& into);
bool multifield(Session& session, const Expr& expr, std::size_t at, Value& into);

// Says that there is no such thing.
Value unable(Session& session, std::string_view kind, std::string_view name);
// The fact of that index, or null: then that has been said.
Fact* find_fact(Session& session, std::int64_t index);
// Whether the first argument, if there is one, is a module that is there; `*` asks for all of them:
// each is named then, and what it has is indented.
bool in_module(Session& session, const Expr& expr, std::string_view& indent);

// Appends the fields of a multifield, or the one value.
inline void flatten(const Value& value, std::vector<Value>& into) {
    if (value.type == Type::Multifield)
        into.insert(into.end(), value.fields().begin(), value.fields().end());
    else if (value.type != Type::Void)
        into.push_back(value);
}

std::string number_text(const Value& value);

} // namespace croupier::engine::clips
