// What commands tell of constructs, and how they take them away again.
#include "engine/clips/function.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {

Value unable(Session& session, std::string_view kind, std::string_view name) {
    session.print(fmt::format("[PRNTUTIL1] Unable to find {} {}.\n", kind, name));
    return {};
}

bool in_module(Session& session, const Expr& expr, std::string_view& indent) {
    if (expr.args.empty()) return true;
    const Value name = session.call(expr.args[0]);
    if (session.stopped()) return false;
    if (name.is_symbol() && name.text() == "*") {
        session.print("MAIN:\n");
        indent = "   ";
        return true;
    }
    if (name.is_symbol() && name.text() == "MAIN") return true;
    const std::string_view called = name_of(expr);
    session.fail(
        fmt::format("[ARGACCES5] Function {} expected argument #1 to be of type defmodule name\n",
                    called == "rules" ? "list-defrules" : called));
    return false;
}

namespace {

bool there(const Rule& rule) {
    return rule.last != nullptr && rule.disjunct == 0;
}
bool there(const Function& function) {
    return function.name != nullptr; // null: it was refused
}
bool there(const Template&) {
    return true;
}
bool there(const Global&) {
    return true;
}
bool there(const Deffacts&) {
    return true;
}

// `before`: what CLIPS has on its own.
template <typename Construct>
void list(Session& session, const Expr& expr, const std::deque<Construct>& all,
          std::string_view kind, std::string_view before = "") {
    std::string_view indent;
    if (!in_module(session, expr, indent)) return;
    std::size_t count = 0;
    const auto tell = [&](std::string_view name) {
        session.print(fmt::format("{}{}\n", indent, name));
        ++count;
    };
    if (!before.empty()) tell(before);
    for (const Construct& one : all) {
        if (there(one)) tell(one.name->text);
    }
    const bool many = count != 1 && !kind.ends_with('s');
    if (count > 0)
        session.print(fmt::format("For a total of {} {}{}.\n", count, kind, many ? "s" : ""));
}

Value rules(Session& session, const Expr& expr) {
    list(session, expr, session.defined().rules, "defrule");
    return {};
}
Value list_templates(Session& session, const Expr& expr) {
    list(session, expr, session.defined().templates, "deftemplate");
    return {};
}
Value list_facts(Session& session, const Expr& expr) {
    list(session, expr, session.defined().deffacts, "deffacts", "initial-fact");
    return {};
}
Value list_functions(Session& session, const Expr& expr) {
    list(session, expr, session.defined().functions, "deffunction");
    return {};
}
Value list_globals(Session& session, const Expr& expr) {
    list(session, expr, session.defined().globals, "defglobal");
    return {};
}

bool named(Session& session, const Expr& expr, std::string& into) {
    const Value name = session.call(expr.args[0]);
    if (session.stopped()) return false;
    if (!name.is_symbol()) {
        wrong_type(session, expr, 0, "symbol");
        return false;
    }
    into = name.text();
    return true;
}

// The construct as CLIPS writes it.
template <typename Construct>
Value pretty(Session& session, const Expr& expr, const std::deque<Construct>& all,
             std::string_view kind) {
    std::string name;
    if (!named(session, expr, name)) return {};
    const auto found = std::find_if(all.begin(), all.end(), [&](const Construct& one) {
        return there(one) && one.name->text == name;
    });
    if (found == all.end()) return unable(session, kind, name);
    if (!found->source.empty()) session.print(session.indented(found->source) + "\n");
    return {};
}

Value pretty_rule(Session& session, const Expr& expr) {
    return pretty(session, expr, session.defined().rules, "defrule");
}
Value pretty_template(Session& session, const Expr& expr) {
    return pretty(session, expr, session.defined().templates, "deftemplate");
}
Value pretty_facts(Session& session, const Expr& expr) {
    return pretty(session, expr, session.defined().deffacts, "deffacts");
}
Value pretty_function(Session& session, const Expr& expr) {
    return pretty(session, expr, session.defined().functions, "deffunction");
}
Value pretty_global(Session& session, const Expr& expr) {
    return pretty(session, expr, session.defined().globals, "defglobal");
}

Value undefrule(Session& session, const Expr& expr) {
    std::string name;
    if (!named(session, expr, name)) return {};
    if (name == "*") {
        for (Rule& rule : session.defined().rules) {
            if (rule.last != nullptr) session.network().remove(rule);
        }
    } else if (!session.remove_rule(name)) {
        return unable(session, "defrule", name);
    }
    return {};
}
Value undeffacts(Session& session, const Expr& expr) {
    std::string name;
    if (!named(session, expr, name)) return {};
    const auto gone = std::erase_if(session.defined().deffacts, [&](const Deffacts& one) {
        return name == "*" || one.name->text == name;
    });
    if (gone == 0 && name != "*") return unable(session, "deffacts", name);
    return {};
}

Value show_globals(Session& session, const Expr& expr) {
    std::string_view indent;
    if (!in_module(session, expr, indent)) return {};
    for (const Global& global : session.defined().globals)
        session.print(fmt::format("{}?*{}* = {}\n", indent, global.name->text,
                                  session.shown(global.value, true)));
    return {};
}

constexpr Builtin kConstructCommands[] = {
    {"list-defrules", 0, 1, rules},
    {"rules", 0, 1, rules},
    {"list-deftemplates", 0, 1, list_templates},
    {"list-deffacts", 0, 1, list_facts},
    {"list-deffunctions", 0, 1, list_functions},
    {"list-defglobals", 0, 1, list_globals},
    {"ppdefrule", 1, 1, pretty_rule},
    {"ppdeftemplate", 1, 1, pretty_template},
    {"ppdeffacts", 1, 1, pretty_facts},
    {"ppdeffunction", 1, 1, pretty_function},
    {"ppdefglobal", 1, 1, pretty_global},
    {"undefrule", 1, 1, undefrule},
    {"undeffacts", 1, 1, undeffacts},
    {"show-defglobals", 0, 1, show_globals},
};

} // namespace

std::span<const Builtin> construct_functions() {
    return kConstructCommands;
}

} // namespace croupier::engine::clips
