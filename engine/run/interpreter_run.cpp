// A run of the interpreter: what is prepared for all runs, how one begins and ends.
#include "engine/run/agenda_memory.h"
#include "engine/run/glimpse.h"
#include "engine/run/interpreter.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace croupier::engine {

Interpreter::Interpreter(const ir::Module& module, const Budgets& budgets, const emit::Code* code)
    : module_(module), catalogue_(*module.catalogue), runtime_(*module.catalogue, budgets),
      code_(budgets.matches_per_rule == 0 ? nullptr : code), unwatched_code_(code_),
      entries_(module.catalogue->groups.size()), calls_(module.calls.size()) {
    std::size_t most_vars = 0;
    for (const ir::Function& function : module.functions) {
        entries_[function.group].function = &function;
        most_vars = std::max(most_vars, function.vars.size());
    }
    // What a run before has left there is set before it is read.
    slots_.resize(most_vars);
    sets_.resize(most_vars);
    prepare_frame();
}

Interpreter::~Interpreter() = default;

// Where rules are applied, and what observers are shown: most interpreters are never asked.
void Interpreter::find_rules() {
    if (!applied_.empty()) {
        return;
    }
    applied_.resize(catalogue_.rules.size());
    shown_.resize(catalogue_.shown_values);
    const ir::Function* const outer = function_;
    for (const ir::Function& function : module_.functions) {
        function_ = &function;
        std::vector<std::uint32_t> shown(function.vars.size(), kNone);
        for (ir::Id id = 0; id < function.nodes.size(); ++id) {
            const ir::Node& node = function.nodes[id];
            if (node.kind == Kind::Apply) {
                applied_[node.x] = {&function, id};
                note_shown(catalogue_.rules[node.x], node.blocks[0], shown);
            }
        }
        shown_of_.push_back(std::move(shown));
    }
    function_ = outer;
}

void Interpreter::set_observer(Observer* observer) {
    observer_ = observer;
    code_ = observer == nullptr ? unwatched_code_ : nullptr;
    for (Entry& entry : entries_) {
        entry.code = nullptr;
    }
    tells_entries_ = observer != nullptr && observer->looks_at_entries();
    tells_why_ = tells_entries_ && observer->asks_why();
    if (tells_entries_) {
        find_rules();
    }
}

// The variables that the search sets for the rule's own, which have its names.
void Interpreter::note_shown(const RulePlan& rule, ir::BlockId id,
                             std::vector<std::uint32_t>& shown) {
    const auto note = [&](ir::VarId var) {
        const ir::Var& known = function_->vars[var];
        for (const auto* const variables : {&rule.variables, &rule.inner}) {
            for (const Variable& variable : *variables) {
                if (known.entry != ir::kNothing && known.name == variable.name) {
                    shown[var] = variable.place;
                }
            }
        }
    };
    for (const ir::Id statement : function_->blocks[id].statements) {
        const ir::Node& node = function_->nodes[statement];
        if (node.kind == Kind::Let || node.kind == Kind::Gather || node.kind == Kind::EachRow) {
            note(node.x);
        } else if (node.kind == Kind::EachChild && node.y != 0) {
            note(node.y - 1);
        } else if (node.kind == Kind::Alternatives) {
            for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(node.number); ++i) {
                note(node.x + i);
            }
        }
        for (const ir::BlockId below : node.blocks) {
            note_shown(rule, below, shown);
        }
    }
}

Interpreter::Entry& Interpreter::entry_of(GroupId group) {
    if (group >= entries_.size() || entries_[group].function == nullptr) {
        throw std::logic_error("the group has no function");
    }
    Entry& entry = entries_[group];
    if (entry.code == nullptr && code_ != nullptr) {
        entry.code =
            code_->entry(static_cast<std::size_t>(entry.function - module_.functions.data()));
    }
    return entry;
}

// What a run that ends well takes back itself.
void Interpreter::tidy() {
    runtime_.tidy();
    buffer_.clear();
    counts_.clear();
    operands_.clear();
    path_depth_ = 0;
    is_tidy_ = true;
}

RunResult Interpreter::result() const {
    RunResult result;
    result.matches = runtime_.matches();
    result.firings = runtime_.firings();
    return result;
}

// Calls `body` and gives what the run did; an error ends it.
template <typename Body>
RunResult Interpreter::guarded(Body body) {
    std::unique_ptr<const RunError> error;
    if (tells_entries_) {
        shown_as_ = &shown_of_[static_cast<std::size_t>(function_ - module_.functions.data())];
    }
    is_tidy_ = false;
    runtime_.frame().stack = nullptr;
    const Running running(runtime_.frame());
    walk();
    try {
        body();
    } catch (const RunFailure& failure) {
        error = std::make_unique<RunError>(failure.error());
    }
    RunResult result = this->result();
    result.error = std::move(error);
    return result;
}

// There is machine code, as far as it has been asked for, and it may run: a journal is told of
// every write.
inline bool Interpreter::may_run_code(const Entry& entry, const State& state) const {
    return entry.code != nullptr && !state.has_journal();
}

// False if an error waits.
inline bool Interpreter::run_code(const Entry& entry, State& state, Random& random) {
    begin(*entry.function, state, random);
    emit::Frame& frame = runtime_.frame();
    frame.block = state.data();
    frame.buffer_used = 0;
    frame.stack = nullptr;
    const Running running(frame);
    const std::int32_t ended = entry.code(&frame);
    if (memory_ != nullptr) {
        end_agenda();
    }
    return ended != emit::kThrown;
}

RunResult Interpreter::run(GroupId group, State& state, Random& random) {
    const Entry& entry = entry_of(group);
    if (!may_run_code(entry, state)) {
        begin(*entry.function, state, random);
        return guarded([&] { perform(entry.function->body); });
    }
    return run_code(entry, state, random) ? result() : guarded([&] { throw_on(); });
}

// Nothing but `why_not` is needed behind the machine code.
bool Interpreter::run(GroupId group, State& state, Random& random,
                      std::unique_ptr<const RunError>& why_not) {
    const Entry* const entry = entries_.data() + group;
    if (entry >= std::to_address(entries_.end()) || !may_run_code(*entry, state)) {
        return run_slowly(group, state, random, why_not);
    }
    return run_code(*entry, state, random) || tell_error(why_not);
}

bool Interpreter::run_slowly(GroupId group, State& state, Random& random,
                             std::unique_ptr<const RunError>& why_not) {
    why_not = run(group, state, random).error;
    return why_not == nullptr;
}

// With which machine code has ended.
bool Interpreter::tell_error(std::unique_ptr<const RunError>& why_not) {
    why_not = guarded([&] { throw_on(); }).error;
    return false;
}

RunResult Interpreter::match(RuleId rule, State& state, Random& random) {
    find_rules();
    const Applied& applied = applied_[rule];
    if (applied.function == nullptr) {
        throw std::logic_error("the rule is applied nowhere");
    }
    begin(*applied.function, state, random);
    return guarded([&] {
        runtime_.set_rule(rule);
        const std::uint64_t count = find_matches(at(applied.apply));
        tell_matches(rule, 0, count);
    });
}

std::span<const Value> Interpreter::matched(std::uint64_t i) const {
    const RuleId rule = runtime_.rule();
    const std::size_t width = rule == kNone ? 0 : catalogue_.rules[rule].variables.size();
    return std::span(buffer_).subspan(i * width, width);
}

} // namespace croupier::engine
