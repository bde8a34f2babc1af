// What is typed at the prompt: reset, run, facts, watch, ...
#include "engine/clips/codes.h"
#include "engine/clips/function.h"

#include <fmt/format.h>

namespace croupier::engine::clips {
namespace {

Value reset(Session& session, const Expr&) {
    session.reset();
    return {};
}
Value clear(Session& session, const Expr&) {
    session.clear();
    return {};
}
Value run(Session& session, const Expr& expr) {
    std::int64_t limit = -1;
    if (!expr.args.empty() && !integer(session, expr, 0, limit)) return {};
    session.run(limit);
    return {};
}
Value facts(Session& session, const Expr& expr) {
    std::int64_t numbers[] = {0, -1, -1}; // from, to, how many
    std::size_t at = 0;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
        const Value value = session.call(expr.args[i]);
        if (session.stopped()) return {};
        if (i == 0 && value.is_symbol()) {
            if (value.text() != "MAIN" && value.text() != "*")
                return unable(session, "defmodule", value.text());
            continue;
        }
        if (at == 3) break;
        if (value.type != Type::Integer)
            return wrong_type(session, expr, i, i == 0 ? "symbol or positive number" : "integer");
        if (value.as_integer() < 0)
            return wrong_type(session, expr, i,
                              i == 0 ? "symbol or positive number" : "positive number");
        numbers[at++] = value.as_integer();
    }
    session.show_facts(numbers[0], numbers[1], numbers[2]);
    return {};
}
Value agenda(Session& session, const Expr& expr) {
    std::string_view indent;
    if (in_module(session, expr, indent)) session.show_agenda(indent);
    return {};
}
Value matches(Session& session, const Expr& expr) {
    Value name;
    if (!lexeme(session, expr, 0, name)) return {};
    session.show_matches(name.text());
    return {};
}
template <bool kOn>
Value watch(Session& session, const Expr& expr) {
    const Value what = session.call(expr.args[0]);
    if (session.stopped()) return {};
    const std::string_view name = what.is_symbol() ? std::string_view(what.text()) : "";
    struct Item {
        std::string_view name;
        bool Watches::*flag;
    };
    static constexpr Item kItems[] = {
        {"facts", &Watches::facts},
        {"rules", &Watches::rules},
        {"activations", &Watches::activations},
        {"globals", &Watches::globals},
        {"focus", &Watches::focus},
        {"statistics", &Watches::statistics},
        {"deffunctions", &Watches::functions},
        {"instances", &Watches::instances},
        {"messages", &Watches::messages},
        {"message-handlers", &Watches::handlers},
        {"compilations", &Watches::compilations},
    };
    static constexpr std::string_view kOthers[] = {"slots", "generic-functions", "methods"};
    bool known = name == "all";
    // One rule, or the facts of one deftemplate.
    if (expr.args.size() > 1 && (name == "facts" || name == "rules" || name == "activations")) {
        for (std::size_t i = 1; i < expr.args.size(); ++i) {
            const Value which = session.call(expr.args[i]);
            if (!which.is_text()) continue;
            if (name == "facts") {
                if (Template* of = session.find_template(which.as_text())) of->watched = kOn;
            }
            for (Rule& rule : session.defined().rules) {
                if (rule.last == nullptr || rule.name != which.as_text()) continue;
                (name == "rules" ? rule.watch_firings : rule.watch_activations) = kOn;
            }
        }
        return {};
    }
    for (const Item& item : kItems) {
        if (name != "all" && name != item.name) continue;
        session.watches().*item.flag = kOn;
        known = true;
    }
    for (const std::string_view other : kOthers)
        known = known || other == name;
    if (!known) return wrong_type(session, expr, 0, "watchable symbol");
    if (!kOn) {
        for (Rule& rule : session.defined().rules) {
            if (name == "rules" || name == "all") rule.watch_firings = false;
            if (name == "activations" || name == "all") rule.watch_activations = false;
        }
        for (Template& of : session.defined().templates) {
            if (name == "facts" || name == "all") of.watched = false;
        }
    }
    return {};
}

Value set_strategy(Session& session, const Expr& expr) {
    const Value name = session.call(expr.args[0]);
    if (session.stopped()) return {};
    const Value old = session.interner().symbol(strategy_name(session.agenda().strategy()));
    const auto strategy = name.is_text() ? find_strategy(name.text()) : std::nullopt;
    if (!strategy)
        return wrong_type(
            session, expr, 0,
            "symbol with value depth, breadth, lex, mea, complexity, simplicity, or random");
    session.set_strategy(*strategy);
    return old;
}
Value get_strategy(Session& session, const Expr&) {
    return session.interner().symbol(strategy_name(session.agenda().strategy()));
}

Value set_salience_evaluation(Session& session, const Expr& expr) {
    static constexpr std::string_view kNames[] = {"when-defined", "when-activated", "every-cycle"};
    const Value name = session.call(expr.args[0]);
    const Value old = session.interner().symbol(
        kNames[static_cast<std::size_t>(session.settings().salience_when)]);
    for (std::size_t i = 0; i < 3; ++i) {
        if (name.is_text() && name.text() == kNames[i]) {
            session.settings().salience_when = static_cast<SalienceWhen>(i);
            return old;
        }
    }
    return wrong_type(session, expr, 0,
                      "symbol with value when-defined, when-activated, or every-cycle");
}
Value refresh_agenda(Session& session, const Expr&) {
    session.refresh_agenda();
    return {};
}
Value refresh(Session& session, const Expr& expr) {
    Value name;
    if (!lexeme(session, expr, 0, name)) return {};
    if (session.find_rule(name.text()) == nullptr) unable(session, "defrule", name.text());
    for (Rule& rule : session.defined().rules) {
        if (rule.last == nullptr || rule.name->text != name.text()) continue;
        std::vector<Match*> fired;
        Network::each_left(*rule.last, [&](const Match& match) {
            if (match.activation == Agenda::kNone) fired.push_back(const_cast<Match*>(&match));
        });
        for (Match* match : fired)
            session.activate(rule, match);
    }
    return {};
}

template <bool Settings::*kFlag>
Value set_flag(Session& session, const Expr& expr) {
    const Value value = session.call(expr.args[0]);
    const bool old = session.settings().*kFlag;
    session.settings().*kFlag = value != session.interner().no();
    return session.interner().boolean(old);
}

Value exit_program(Session& session, const Expr& expr) {
    std::int64_t code = 0;
    if (!expr.args.empty() && !integer(session, expr, 0, code)) return {};
    session.leave(static_cast<int>(code));
    return {};
}

// `kTold`: says what it defines.
template <bool kBatch, bool kTold = false>
Value load(Session& session, const Expr& expr) {
    Value name;
    if (!lexeme(session, expr, 0, name)) return session.interner().no();
    auto text = session.open(name.text());
    if (!text) {
        session.fail(fmt::format("[ARGACCES2] Function {} was unable to open file {}.\n",
                                 name_of(expr), name.text()));
        session.go_on();
        return session.interner().no();
    }
    if (kTold) session.tell_loading(true);
    const bool good = session.load(name.text(), std::move(*text), kBatch);
    if (kTold && !session.watches().compilations) session.print("\n");
    if (kTold) session.tell_loading(false);
    return session.interner().boolean(good);
}

// There is one module, and it always has the focus.
Value focus(Session& session, const Expr& expr) {
    for (const Expr& argument : expr.args) {
        const Value name = session.call(argument);
        if (session.stopped()) return {};
        if (name.is_text() && name.text() == "MAIN") continue;
        unable(session, "defmodule", session.shown(name, false));
        return session.interner().no();
    }
    return session.interner().yes();
}

constexpr Builtin kCommands[] = {
    {"reset", 0, 0, reset},
    {"clear", 0, 0, clear},
    {"run", 0, 1, run},
    {"facts", 0, 4, facts},
    {"agenda", 0, 1, agenda},
    {"matches", 1, 2, matches},
    {"watch", 1, -1, watch<true>},
    {"unwatch", 1, -1, watch<false>},
    {"set-strategy", 1, 1, set_strategy},
    {"get-strategy", 0, 0, get_strategy},
    {"set-salience-evaluation", 1, 1, set_salience_evaluation},
    {"refresh-agenda", 0, 1, refresh_agenda},
    {"refresh", 1, 1, refresh},
    {"set-fact-duplication", 1, 1, set_flag<&Settings::fact_duplication>},
    {"set-reset-globals", 1, 1, set_flag<&Settings::reset_globals>},
    {"exit", 0, 1, exit_program},
    {"load", 1, 1, load<false, true>},
    {"load*", 1, 1, load<false>},
    {"batch", 1, 1, load<true>},
    {"batch*", 1, 1, load<true>},
    {"focus", 1, -1, focus},
};

} // namespace

std::span<const Builtin> command_functions() {
    return kCommands;
}

} // namespace croupier::engine::clips
