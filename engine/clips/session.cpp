// A session's facts, activations and calls, and what watch prints of them.
#include "engine/clips/session.h"

#include "engine/clips/frame.h"

#include "engine/clips/codes.h"
#include "engine/clips/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace croupier::engine::clips {

Session::Session(Sink sink, std::size_t memory_limit)
    : sink_(std::move(sink)), network_(*this, interner_, memory_limit),
      agenda_(Strategy::Depth, this) {
    stack_.reserve(1 << 16);
    Template& initial = defined_.templates.emplace_back();
    initial.name = interner_.text("initial-fact");
    templates_by_name_[initial.name] = &initial;
    insert_initial_fact();
}

Session::~Session() = default;

std::int64_t Session::draw() {
    ++draws_;
    return free_random_ ? static_cast<std::int64_t>(game_random_.next() >> 33)
                        : static_cast<std::int64_t>(random_.next());
}

Value Session::fail(std::string_view message) {
    if (flow_ != Flow::Error) {
        print(message);
        flow_ = Flow::Error;
        had_error_ = true;
    }
    return interner_.no();
}

void Session::mistake(std::string_view code, Span span, std::string message, std::string hint,
                      std::string_view rule) {
    diagnostics_.error(code, span, std::move(message), std::move(hint), std::string(rule));
}

// ---- facts

void Session::insert_initial_fact() {
    Fact* fact = network_.new_fact(defined_.templates.front());
    Network::hash(*fact);
    network_.insert(fact);
}

Value Session::fact_value(Fact* fact) {
    return Value::fact(fact);
}

Fact* Session::assert_fact(Fact* made) {
    for (std::uint32_t i = 0; i < made->width; ++i) {
        if (made->slots()[i].type == Type::FactAddress) facts_escaped_ = true;
    }
    Network::hash(*made);
    Fact* there = settings_.fact_duplication ? nullptr : network_.find_equal(*made);
    if (there != nullptr) {
        network_.free_fact(made);
        if (!supporting_)
            dependencies_.release(*there);
        else if (supporter_ != nullptr && dependencies_.rests(*there))
            dependencies_.add(const_cast<Match&>(*supporter_), *there);
        return nullptr;
    }
    if (supporting_) {
        if (supporter_ == nullptr) {
            network_.free_fact(made);
            return nullptr;
        }
        dependencies_.add(const_cast<Match&>(*supporter_), *made);
    }
    network_.insert(made);
    if (!dependencies_.empty()) retract_due();
    return made;
}

void Session::retract_fact(Fact* fact) {
    if (dependencies_.empty()) return network_.retract(fact);
    dependencies_.release(*fact);
    network_.retract(fact);
    retract_due();
}

void Session::retract_due() {
    if (retracting_due_) return;
    retracting_due_ = true;
    while (Fact* fact = dependencies_.take_due())
        retract_fact(fact);
    retracting_due_ = false;
}

void Session::support_ends(const Match& match) {
    if (&match == supporter_) supporter_ = nullptr;
    dependencies_.end(match);
}

void Session::support_forgotten(const Match& match) {
    if (&match == supporter_) supporter_ = nullptr;
    dependencies_.forget(match);
}

void Session::on_assert(const Fact& fact) {
    if ((watches_.facts || fact.of->watched) && !silent_)
        print(fmt::format("==> f-{:<5} {}\n", fact.index, shown_fact(fact)));
}

void Session::on_retract(const Fact& fact) {
    if ((watches_.facts || fact.of->watched) && !silent_)
        print(fmt::format("<== f-{:<5} {}\n", fact.index, shown_fact(fact)));
}

// ---- activations

int Session::salience_of(Rule& rule) {
    if (settings_.salience_when == SalienceWhen::Defined || rule.salience_expr.eval == nullptr)
        return rule.salience;
    const Value value = call(rule.salience_expr);
    if (!stopped() && value.type == Type::Integer && value.as_integer() >= -10000 &&
        value.as_integer() <= 10000)
        rule.salience = static_cast<int>(value.as_integer());
    return rule.salience;
}

void Session::activate(Rule& rule, Match* match) {
    Agenda::Entry entry;
    entry.payload = reinterpret_cast<std::uintptr_t>(match);
    entry.salience = salience_of(rule);
    entry.specificity = rule.complexity;
    if (!free_random_) {
        entry.draw = random_.next();
    } else if (agenda_.strategy() == Strategy::Random) {
        entry.draw =
            activation_draw(game_draws_, network_.facts(), rule, match->binds(), match->count);
    }
    match->activation = agenda_.add(entry);
    ++rule.activated;
    if ((watches_.activations || rule.watch_activations) && !silent_)
        print(fmt::format("==> Activation {:<6} {}: {}\n", entry.salience, rule.name->text,
                          shown_basis(*match)));
}

void Session::withdraw(Rule& rule, Match* match) {
    if ((watches_.activations || rule.watch_activations) && !silent_)
        print(fmt::format("<== Activation {:<6} {}: {}\n",
                          agenda_.entry(match->activation).salience, rule.name->text,
                          shown_basis(*match)));
    ++rule.withdrawn;
    agenda_.withdraw(match->activation);
    match->activation = Agenda::kNone;
}

void Session::append_time_tags(std::uint64_t payload, std::vector<std::uint64_t>& tags) const {
    const auto* match = reinterpret_cast<const Match*>(static_cast<std::uintptr_t>(payload));
    for (std::size_t i = 0; i < match->count; ++i) {
        const Fact* fact = match->binds()[i].fact;
        // Tags count from 0 in a fact list; 0 is kept for "no fact".
        tags.push_back(fact == nullptr ? 0 : fact->tag + 1);
    }
}

bool Session::test(const Expr& expr, const Bind* left, const Bind* right, bool& failed) {
    const Bind* old_left = left_;
    const Bind* old_right = right_;
    left_ = left;
    right_ = right;
    const Flow old_flow = flow_;
    flow_ = Flow::On;
    Frame frame(*this, 0);
    const Value value = expr.eval(*this, expr);
    failed = flow_ == Flow::Error;
    flow_ = old_flow;
    left_ = old_left;
    right_ = old_right;
    return value != interner_.no();
}

void Session::test_failed(const Join* join) {
    std::string text = "\n[DRIVE1] This error occurred in the join network\n"
                       "   Problem resides in associated join\n";
    if (join == nullptr)
        text = "\n[FACTMCH1] This error occurred in the fact pattern network\n"
               "   Currently active fact: \n";
    for (const Rule& rule : defined_.rules) {
        if (join == nullptr) break;
        int depth = 0;
        for (const Join* at = rule.last; at != nullptr; at = at->left) {
            if (at == join) {
                text +=
                    fmt::format("      Of pattern #{} in rule {}\n", join->depth, rule.name->text);
                ++depth;
                break;
            }
        }
    }
    print(text + "\n");
}

Value Session::call_function(const Function& function, std::span<const Value> arguments) {
    if (depth_ > 1000) return fail("[PRCCODE9] The functions call each other too deeply.\n");
    ++depth_;
    Value last = interner_.no();
    {
        Frame frame(*this, function.locals);
        const std::size_t named = function.parameters.size() - (function.rest ? 1 : 0);
        for (std::size_t i = 0; i < named; ++i)
            frame_[i] = arguments[i];
        if (function.rest) {
            std::vector<Value> rest;
            for (std::size_t i = named; i < arguments.size(); ++i)
                flatten(arguments[i], rest);
            frame_[named] = interner_.multifield(rest);
        }
        for (const Expr& action : function.actions) {
            last = action.eval(*this, action);
            if (flow_ != Flow::On) break;
        }
    }
    --depth_;
    if (flow_ == Flow::Return) {
        flow_ = Flow::On;
        last = returned_;
    }
    if (flow_ == Flow::Error) {
        if (!silent_)
            print(fmt::format("[PRCCODE4] Execution halted during the actions of deffunction {}.\n",
                              function.name->text));
        return interner_.no();
    }
    return last;
}

void Session::set_global(Global& global, const Value& value) {
    if ((watches_.globals || global.watched) && !silent_)
        print(fmt::format(":== ?*{}* ==> {} <== {}\n", global.name->text, shown(value, true),
                          shown(global.value, true)));
    if (value.type == Type::FactAddress) facts_escaped_ = true;
    global.value = value;
}

} // namespace croupier::engine::clips
