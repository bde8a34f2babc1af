// A session's life: loading, the recognize-act cycle, reset, and what watch prints.
#include "engine/clips/session.h"

#include "engine/clips/codes.h"
#include "engine/clips/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace croupier::engine::clips {

// glibc's additive feedback generator: r[i] = r[i-3] + r[i-31], the lowest bit dropped.
void LibraryRandom::seed(std::uint32_t seed) {
    std::array<std::int32_t, 34> start{};
    start[0] = static_cast<std::int32_t>(seed == 0 ? 1 : seed);
    for (std::size_t i = 1; i < 31; ++i) {
        const std::int64_t word = (std::int64_t{16807} * start[i - 1]) % 2147483647;
        start[i] = static_cast<std::int32_t>(word < 0 ? word + 2147483647 : word);
    }
    for (std::size_t i = 0; i < 31; ++i)
        ring_[i] = static_cast<std::uint32_t>(start[i]);
    for (std::size_t i = 31; i < 34; ++i)
        ring_[i] = ring_[i - 31];
    at_ = 0; // ring_[(at_ + k) % 34] is r[n - 34 + k]
    for (int i = 0; i < 310; ++i)
        next();
}

std::uint32_t LibraryRandom::next() {
    const std::uint32_t word = ring_[(at_ + 3) % 34] + ring_[(at_ + 31) % 34];
    ring_[at_] = word;
    at_ = (at_ + 1) % 34;
    return word >> 1;
}

Session::Session(Sink sink, std::size_t memory_limit)
    : sink_(std::move(sink)), network_(*this, interner_, memory_limit),
      agenda_(Strategy::Depth, this) {
    stack_.reserve(1 << 16);
    Template& initial = templates_.emplace_back();
    initial.name = interner_.text("initial-fact");
    templates_by_name_[initial.name] = &initial;
    network_.insert(network_.new_fact(initial));
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

Value Session::fact_value(Fact* fact) {
    return Value::fact(fact);
}

Fact* Session::assert_fact(Fact* made) {
    for (std::size_t i = 0; i < made->of->slots.size(); ++i) {
        if (made->slots()[i].type == Type::FactAddress) facts_escaped_ = true;
    }
    Fact* there = fact_duplication_ ? nullptr : network_.find_equal(*made);
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
    if ((watch_facts_ || fact.of->watched) && !silent_)
        print(fmt::format("==> f-{:<5} {}\n", fact.index, shown_fact(fact)));
}

void Session::on_retract(const Fact& fact) {
    if ((watch_facts_ || fact.of->watched) && !silent_)
        print(fmt::format("<== f-{:<5} {}\n", fact.index, shown_fact(fact)));
}

// ---- activations

int Session::salience_of(Rule& rule) {
    if (salience_when_ == SalienceWhen::Defined || rule.salience_expr.eval == nullptr)
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
    if ((watch_activations_ || rule.watch_activations) && !silent_)
        print(fmt::format("==> Activation {:<6} {}: {}\n", entry.salience, rule.name->text,
                          shown_basis(*match)));
}

void Session::withdraw(Rule& rule, Match* match) {
    if ((watch_activations_ || rule.watch_activations) && !silent_)
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
    for (const Rule& rule : rules_) {
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

// ---- firing

void Session::fire(Rule& rule, const Bind* binds, std::size_t count) {
    // The match may go while its rule acts: the action reads this copy.
    Bind copy[64];
    count = std::min<std::size_t>(count, 64);
    std::copy_n(binds, count, copy);
    ++rule.fired;
    const double start = network_.profiling && clock_ ? clock_() : 0.0;
    const double matched = network_.matching_seconds();
    const Bind* old_left = left_;
    left_ = copy;
    {
        Frame frame(*this, rule.locals);
        for (const auto& [number, expr] : rule.entry)
            frame_[number] = expr.eval(*this, expr);
        for (const Expr& action : rule.actions) {
            action.eval(*this, action);
            if (flow_ != Flow::On) break;
        }
    }
    left_ = old_left;
    if (network_.profiling && clock_)
        rule.action_nanoseconds +=
            1e9 * (clock_() - start - (network_.matching_seconds() - matched));
}

// What the rule asserts from now on rests on the first elements of its match.
void Session::support_by(Match& match, std::uint16_t elements) {
    Match* supporter = &match;
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
        if (salience_when_ == SalienceWhen::EveryCycle) refresh_agenda();
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
        if ((watch_rules_ || rule.watch_firings) && !silent_)
            print(fmt::format("FIRE {:4} {}: {}\n", fired, rule.name->text, shown_basis(*match)));
        agenda_.withdraw(handle);
        match->activation = Agenda::kNone;
        if (rule.logical > 0) support_by(*match, rule.logical);
        fire(rule, match->binds(), match->count);
        supporting_ = false;
        if (watch_statistics_) {
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
    if (watch_statistics_) {
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
        rule != nullptr && (failed || (halted_ && (watch_rules_ || rule->watch_firings)));
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
    for (const Global& global : globals_)
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
    if ((watch_globals_ || global.watched) && !silent_)
        print(fmt::format(":== ?*{}* ==> {} <== {}\n", global.name->text, shown(value, true),
                          shown(global.value, true)));
    if (value.type == Type::FactAddress) facts_escaped_ = true;
    global.value = value;
}

// ---- reset and clear

void Session::focus_on() {
    focus_ = true;
    if (watch_focus_) print("==> Focus MAIN\n");
}

void Session::focus_off() {
    if (focus_ && watch_focus_) print("<== Focus MAIN\n");
    focus_ = false;
}

// With COOL built in, every reset makes its initial object anew; watch shows that.
void Session::watch_reset_instances(bool deleting) {
    constexpr std::string_view kDone = "ED:1 (<Instance-initial-object>)\n";
    const auto message = [&](std::string_view what, std::string_view in, std::string_view out) {
        if (watch_messages_) print(fmt::format("MSG >> {} {}", what, kDone));
        if (watch_handlers_)
            print(fmt::format("HND >> {} primary in class USER\n       {}", what, kDone));
        if (!in.empty() && watch_instances_) print(in);
        if (watch_handlers_)
            print(fmt::format(
                "HND << {} primary in class USER\n       ED:1 (<{}Instance-initial-object>)\n",
                what, out));
        if (watch_messages_)
            print(fmt::format("MSG << {} ED:1 (<{}Instance-initial-object>)\n", what, out));
    };
    if (deleting) {
        message("delete", "<== instance [initial-object] of INITIAL-OBJECT\n", "Stale ");
        return;
    }
    if (watch_instances_) print("==> instance [initial-object] of INITIAL-OBJECT\n");
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
    if (reset_globals_) {
        for (Global& global : globals_) {
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
    network_.insert(network_.new_fact(templates_.front()));
    for (const Deffacts& deffacts : deffacts_) {
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
    for (Rule& rule : rules_) {
        if (rule.last != nullptr) network_.remove(rule);
    }
    network_.free_buried();
    dependencies_.clear();
    rules_.clear();
    deffacts_.clear();
    functions_.clear();
    globals_.clear();
    const Text* initial = interner_.text("initial-fact");
    templates_by_name_.clear();
    while (templates_.size() > 1)
        templates_.pop_back();
    templates_by_name_[initial] = &templates_.front();
    templates_.front().roots.clear();
    network_.restart_indices();
    agenda_.clear();
    silent_ = false;
    focus_off();
    focus_on();
    watch_reset_instances(false);
    network_.insert(network_.new_fact(templates_.front()));
}

void Session::refresh_agenda() {
    listed_.clear();
    agenda_.list(listed_);
    const SalienceWhen when = salience_when_;
    salience_when_ = SalienceWhen::Activated;
    for (const Agenda::Handle handle : listed_) {
        auto* match =
            reinterpret_cast<Match*>(static_cast<std::uintptr_t>(agenda_.payload(handle)));
        const int salience = salience_of(*match->owner->rule);
        if (salience != agenda_.entry(handle).salience) agenda_.set_salience(handle, salience);
    }
    salience_when_ = when;
}

} // namespace croupier::engine::clips
