// Reset and clear, and what watch says of them.
#include "engine/clips/session.h"

#include <fmt/format.h>

namespace croupier::engine::clips {

void Session::focus_on() {
    focus_ = true;
    if (watches_.focus) print("==> Focus MAIN\n");
}

void Session::focus_off() {
    if (focus_ && watches_.focus) print("<== Focus MAIN\n");
    focus_ = false;
}

// With COOL built in, every reset makes its initial object anew; watch shows that.
void Session::watch_reset_instances(bool deleting) {
    constexpr std::string_view kDone = "ED:1 (<Instance-initial-object>)\n";
    const auto message = [&](std::string_view what, std::string_view in, std::string_view out) {
        if (watches_.messages) print(fmt::format("MSG >> {} {}", what, kDone));
        if (watches_.handlers)
            print(fmt::format("HND >> {} primary in class USER\n       {}", what, kDone));
        if (!in.empty() && watches_.instances) print(in);
        if (watches_.handlers)
            print(fmt::format(
                "HND << {} primary in class USER\n       ED:1 (<{}Instance-initial-object>)\n",
                what, out));
        if (watches_.messages)
            print(fmt::format("MSG << {} ED:1 (<{}Instance-initial-object>)\n", what, out));
    };
    if (deleting) {
        message("delete", "<== instance [initial-object] of INITIAL-OBJECT\n", "Stale ");
        return;
    }
    if (watches_.instances) print("==> instance [initial-object] of INITIAL-OBJECT\n");
    message("create", "", "");
    message("init", "", "");
}

void Session::reset() {
    const Flow flow = flow_;
    flow_ = Flow::On;
    focus_off();
    focus_on();
    network_.unprime();
    retract_due();
    // The remaining activations go silently where they rest on facts that go.
    if (settings_.reset_globals) {
        for (Global& global : defined_.globals) {
            if (global.initial.eval == nullptr) continue;
            const Value value = call(global.initial);
            flow_ = Flow::On;
            set_global(global, value);
        }
    }
    watch_reset_instances(true);
    while (network_.facts().first != nullptr)
        retract_fact(network_.facts().first);
    network_.restart_indices();
    if (depth_ == 0) {
        network_.free_buried();
        facts_escaped_ = false;
    }
    network_.prime();
    watch_reset_instances(false);
    insert_initial_fact();
    for (const Deffacts& deffacts : defined_.deffacts) {
        for (const Expr& fact : deffacts.facts) {
            call(fact);
            flow_ = Flow::On;
        }
    }
    flow_ = flow;
    if (depth_ == 0) collect_garbage();
}

void Session::clear() {
    if (running_) {
        print("[CONSTRCT1] Some constructs are still in use. Clear cannot continue.\n");
        return;
    }
    // What goes with a clear goes unseen by watch.
    silent_ = true;
    while (network_.facts().first != nullptr)
        retract_fact(network_.facts().first);
    for (Rule& rule : defined_.rules) {
        if (rule.last != nullptr) network_.remove(rule);
    }
    network_.free_buried();
    dependencies_.clear();
    defined_.rules.clear();
    defined_.deffacts.clear();
    defined_.functions.clear();
    defined_.globals.clear();
    const Text* initial = interner_.text("initial-fact");
    templates_by_name_.clear();
    while (defined_.templates.size() > 1)
        defined_.templates.pop_back();
    templates_by_name_[initial] = &defined_.templates.front();
    defined_.templates.front().roots.clear();
    network_.restart_indices();
    agenda_.clear();
    silent_ = false;
    focus_off();
    focus_on();
    watch_reset_instances(false);
    insert_initial_fact();
}

void Session::refresh_agenda() {
    listed_.clear();
    agenda_.list(listed_);
    const SalienceWhen when = settings_.salience_when;
    settings_.salience_when = SalienceWhen::Activated;
    for (const Agenda::Handle handle : listed_) {
        auto* match =
            reinterpret_cast<Match*>(static_cast<std::uintptr_t>(agenda_.payload(handle)));
        const int salience = salience_of(*match->owner->rule);
        if (salience != agenda_.entry(handle).salience) agenda_.set_salience(handle, salience);
    }
    settings_.salience_when = when;
}

} // namespace croupier::engine::clips
