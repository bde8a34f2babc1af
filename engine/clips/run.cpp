// The recognize-act cycle.
#include "engine/clips/session.h"

#include "engine/clips/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace croupier::engine::clips {

void Session::fire(Rule& rule, const Match& match) {
    // The match may go while its rule acts: the action reads this copy.
    Bind copy[64];
    std::copy_n(match.binds(), std::min<std::size_t>(match.count, 64), copy);
    if (rule.logical > 0) support_by(match, rule.logical);
    fire(rule, copy);
    supporting_ = false;
}

void Session::fire(Rule& rule, const Bind* binds) {
    ++rule.fired;
    const double start = network_.profiling && clock_ ? clock_() : 0.0;
    const double matched = network_.matching_seconds();
    const Bind* old_left = left_;
    left_ = binds;
    const auto act = [&] {
        for (const Expr& action : rule.actions) {
            action.eval(*this, action);
            if (flow_ != Flow::On) break;
        }
    };
    if (rule.locals == 0) {
        act();
    } else {
        Frame frame(*this, rule.locals);
        for (const auto& [number, expr] : rule.entry)
            frame_[number] = expr.eval(*this, expr);
        act();
    }
    left_ = old_left;
    if (network_.profiling && clock_)
        rule.action_nanoseconds +=
            1e9 * (clock_() - start - (network_.matching_seconds() - matched));
}

// What the rule asserts from now on rests on the first elements of its match.
void Session::support_by(const Match& match, std::uint16_t elements) {
    auto* supporter = const_cast<Match*>(&match);
    while (supporter->count > elements)
        supporter = supporter->left_parent;
    supporter->supports = true;
    supporting_ = true;
    supporter_ = supporter;
}

std::int64_t Session::run(std::int64_t limit) {
    if (depth_ > 0 && running_) return 0;
    if (network_.seeker() != nullptr) return run_sought(limit);
    running_ = true;
    ++depth_;
    halted_ = false;
    limit_reached_ = false;
    std::int64_t fired = 0;
    std::uint64_t facts_sum = network_.facts().count;
    std::uint64_t facts_most = facts_sum;
    std::uint64_t agenda_sum = agenda_.size();
    std::uint64_t agenda_most = agenda_sum;
    if (!focus_) focus_on();
    for (;;) {
        if (fired == limit) {
            limit_reached_ = agenda_.next() != Agenda::kNone || !bundles_.empty();
            break;
        }
        if (settings_.salience_when == SalienceWhen::EveryCycle) refresh_agenda();
        const Agenda::Handle handle = agenda_.next();
        if (!bundles_.empty()) {
            const bool any = handle != Agenda::kNone;
            const Fired what = fire_bundle(any ? agenda_.entry(handle).salience : 0, any);
            if (what == Fired::Listed) continue;
            if (what == Fired::Yes) {
                ++fired;
                if (!after_firing(nullptr)) break;
                continue;
            }
        }
        if (handle == Agenda::kNone) {
            focus_off();
            break;
        }
        auto* match =
            reinterpret_cast<Match*>(static_cast<std::uintptr_t>(agenda_.payload(handle)));
        Rule& rule = *match->owner->rule;
        ++fired;
        if ((watches_.rules || rule.watch_firings) && !silent_)
            print(fmt::format("FIRE {:4} {}: {}\n", fired, rule.name->text, shown_basis(*match)));
        agenda_.withdraw(handle);
        match->activation = Agenda::kNone;
        fire(rule, *match);
        if (watches_.statistics) {
            facts_sum += network_.facts().count;
            facts_most = std::max(facts_most, network_.facts().count);
            agenda_sum += agenda_.size();
            agenda_most = std::max<std::uint64_t>(agenda_most, agenda_.size());
        }
        if (!after_firing(&rule)) break;
    }
    --depth_;
    running_ = false;
    // CLIPS compares what is left of the limit with what was fired.
    if (limit >= 0 && limit - fired == fired) print("rule firing limit reached\n");
    if (watches_.statistics) {
        const auto mean = [&](std::uint64_t sum) {
            return std::llround(static_cast<double>(sum) / static_cast<double>(fired + 1));
        };
        print(fmt::format("{} rules fired\n{} mean number of facts ({} maximum).\n"
                          "1 mean number of instances (1 maximum).\n"
                          "{} mean number of activations ({} maximum).\n",
                          fired, mean(facts_sum), facts_most, mean(agenda_sum), agenda_most));
    }
    return fired;
}

// False when the run ends here.
bool Session::after_firing(const Rule* rule) {
    const bool failed = flow_ == Flow::Error;
    const bool says_so =
        rule != nullptr && (failed || (halted_ && (watches_.rules || rule->watch_firings)));
    if (says_so) {
        print(fmt::format("[PRCCODE4] Execution halted during the actions of defrule {}.\n",
                          rule->name->text));
    }
    flow_ = Flow::On;
    if (depth_ == 1) collect_garbage();
    if (interrupted_ && interrupted_now()) halted_ = true;
    return !failed && !halted_ && !exit_;
}

void Session::collect_garbage() {
    for (const auto& [markers, count] : buried_markers_)
        network_.arena().give(const_cast<Marker*>(markers), count * sizeof(Marker));
    buried_markers_.clear();
    if (!facts_escaped_) network_.free_buried();
    if (interner_.multifield_bytes() < garbage_mark_) return;
    for (const Fact* fact = network_.facts().first; fact != nullptr; fact = fact->next) {
        for (std::size_t i = 0; i < fact->of->slots.size(); ++i)
            Interner::mark(fact->slots()[i]);
    }
    for (const Global& global : defined_.globals)
        Interner::mark(global.value);
    for (const Value& value : constants_)
        Interner::mark(value);
    for (const Value& value : held_)
        Interner::mark(value);
    if (!facts_escaped_ && !network_.arena().saved() && network_.seeker() == nullptr)
        interner_.sweep();
    garbage_mark_ = std::max(std::size_t{8} << 20, interner_.multifield_bytes() * 2);
}

void Session::bury_markers(const Marker* markers, std::size_t count) {
    buried_markers_.emplace_back(markers, count);
}

} // namespace croupier::engine::clips
