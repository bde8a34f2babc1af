// Runs nodes of the intermediate form, each by the function of its kind; nodes.def lists the kinds.
#include "engine/run/executor.h"

#include "engine/form/effects.h"
#include "engine/run/glimpse.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace croupier::engine {

namespace {

// The value in the form in which a slot of that type holds it.
Slot slot_of(const form::Module& module, const SlotType& type, const Value& value) {
    return type.kind == form::TypeKind::Code ? Slot(form::code_of(module, type.list, value))
                                             : Slot(value);
}

bool sets_variable(form::Kind kind) {
    return kind == form::Kind::Let || kind == form::Kind::EachRow || kind == form::Kind::LetRows;
}

// Whether the statement sets variables to sets, stored in the statement's own words.
bool makes_sets(form::Kind kind) {
    return kind == form::Kind::LetTouching || kind == form::Kind::LetCounts;
}

// Whether a node with that result letter may be used where `wanted` is expected.
constexpr bool gives(char result, char wanted) {
    const bool is_slot = std::string_view("ticavkn").find(result) != std::string_view::npos;
    return result == wanted || (wanted == 'x' && is_slot);
}

} // namespace

PreparedFunction::PreparedFunction(const form::Module& module, const form::Function& function,
                                   const Slot* slots)
    : module_(module), function_(function), slots_(slots), nodes_(function.nodes.size()) {
    // Reserve all space first: nodes keep pointers into it.
    std::size_t ids = 0;
    std::size_t words = 0;
    const auto words_of = [&](const form::Node& node) -> std::size_t {
        if (makes_sets(node.kind)) {
            return static_cast<std::size_t>(node.vars()) *
                   words_for(module.tables[node.relation()].sizes[0] - 1);
        }
        return node.type.kind == form::TypeKind::Set
                   ? words_for(
                         static_cast<std::uint32_t>(module.lists[node.type.list].values.size()))
                   : 0;
    };
    for (const form::Node& node : function.nodes) {
        ids += node.operands.size() + node.blocks.size();
        words += words_of(node);
    }
    for (const form::Block& block : function.blocks)
        ids += block.statements.size();
    ids_.reserve(ids);
    words_.resize(words);
    const auto kept = [&](const std::vector<std::uint32_t>& from) {
        const std::size_t first = ids_.size();
        ids_.insert(ids_.end(), from.begin(), from.end());
        return std::span<const std::uint32_t>(ids_).subspan(first);
    };
    std::span<std::uint64_t> free(words_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const form::Node& node = function.nodes[i];
        PreparedNode& made = nodes_[i];
        made.operands = kept(node.operands);
        made.blocks = kept(node.blocks);
        made.words = free.first(words_of(node));
        free = free.subspan(made.words.size());
        prepare(made, node);
    }
    for (const form::Block& block : function.blocks)
        blocks_.push_back(kept(block.statements));
}

void PreparedFunction::prepare(PreparedNode& made, const form::Node& node) {
    static_cast<form::Fields&>(made) = node;
    made.type = sets_variable(node.kind) ? function_.vars[node.var()].type : node.type;
    if (node.type.kind == form::TypeKind::Code)
        made.values = module_.lists[node.type.list].values.data();
    if (form::is_declared(node.kind)) {
        made.place = place_of(node.schema());
    } else if (makes_sets(node.kind)) {
        made.table = &module_.tables[node.relation()];
    } else if (node.kind == form::Kind::EachRow && node.order() != form::kNothing) {
        made.table = &module_.tables[node.order()];
    } else if (node.kind == form::Kind::TableRows) {
        made.table = &module_.tables[node.table()];
    } else if (node.kind == form::Kind::Table) {
        made.table = &module_.tables[node.table()];
        made.slots = entries_of(node);
    } else if (node.kind == form::Kind::Variable) {
        made.known = slots_ + node.var();
    } else if (node.kind == form::Kind::Constant) {
        const form::TypeKind kind = node.type.kind;
        const Slot slot = kind == form::TypeKind::Truth ? Slot(node.literal() != 0)
                          : kind == form::TypeKind::Int ? Slot(node.literal())
                          : kind == form::TypeKind::Code
                              ? Slot(static_cast<std::uint32_t>(node.literal()))
                              : Slot(module_.values[node.value()]);
        made.known = &constants_.emplace_back(slot);
    }
}

const InstancePlace* PreparedFunction::place_of(SchemaId schema) {
    for (const InstancePlace& each : places_)
        if (each.schema == schema) return &each;
    const Layout& layout = *module_.catalogue->layout;
    InstancePlace& made = places_.emplace_back();
    made.schema = schema;
    made.column = layout.node(schema).column;
    made.values = layout.node(schema).values;
    std::uint32_t scale = 1; // of the next outer map
    for (SchemaId at = schema; layout.node(at).parent != kNoSchema; at = layout.node(at).parent) {
        const SchemaNode& above = layout.node(layout.node(at).parent);
        if (above.kind == ShapeKind::Map) {
            made.scales.push_back(scale);
            scale *= layout.domain(above.domain).size();
        }
    }
    std::reverse(made.scales.begin(), made.scales.end());
    return &made;
}

const Slot* PreparedFunction::entries_of(const form::Node& table) {
    const SlotType type = table.type;
    for (const Entries& each : entries_)
        if (each.table == table.table() && each.type.kind == type.kind &&
            each.type.list == type.list)
            return each.slots.data();
    Entries& made = entries_.emplace_back(Entries{table.table(), type, {}});
    for (const Value& value : module_.tables[table.table()].values.different())
        made.slots.push_back(slot_of(module_, type, value));
    return made.slots.data();
}

// ---- nodes -----------------------------------------------------------------------------------

template <char wanted, form::Kind kind>
typename Executor::Way<wanted>::Gives Executor::give_as(const Node& node,
                                                        typename Way<wanted>::Told told) {
    constexpr char kGiven = letter_of(kind);
    if constexpr (wanted == '-' && kGiven == '+') {
        give_as<'+', kind>(node, {});
        return Flow::GoesOn;
    } else if constexpr (!gives(kGiven, wanted)) {
        throw std::logic_error("no place for a node of kind " +
                               std::string(form::info_of(kind).name));
    } else if constexpr (form::info_of(kind).has('W')) {
        try {
            return run(Is<kind>{}, node, told);
        } catch (const ShapeFault& fault) {
            runtime_.fail(RunErrorKind::Shape, span_of(node), fault.what());
        }
    } else {
        return run(Is<kind>{}, node, told);
    }
}

template <char wanted>
typename Executor::Way<wanted>::Gives Executor::give(const Node& node,
                                                     typename Way<wanted>::Told told) {
    CROUPIER_INTERPRETED(node.kind);
    switch (node.kind) {
#define NODE(name, operands, result, fields, blocks, effects, text)                                \
    case Kind::name:                                                                               \
        return give_as<wanted, Kind::name>(node, told);
#include "engine/form/nodes.def"
    }
    throw std::logic_error("a node of no kind");
}

Slot Executor::slot_of_others(const Node& node) {
    return give<'x'>(node, {});
}

Executor::Rows Executor::rows(form::Id id) {
    return give<'s'>(at(id), {});
}

Document Executor::data(form::Id id, const Runtime::Allowed& place) {
    return give<'d'>(at(id), place);
}

Member Executor::member(form::Id id, const Runtime::Allowed& place) {
    return give<'w'>(at(id), place);
}

Argument Executor::argument(form::Id id) {
    return give<'q'>(at(id), {});
}

Executor::Flow Executor::step(form::Id id, const Taker& taker) {
    return give<'-'>(at(id), taker);
}

Executor::Flow Executor::search(form::BlockId id, const Taker& taker) {
    for (const form::Id statement : statements(id))
        if (const Flow flow = step(statement, taker); flow != Flow::GoesOn) return flow;
    return Flow::GoesBack;
}

bool Executor::has_result(form::BlockId block) {
    auto enough = [](const Node&) { return false; };
    return search(block, Taker(enough)) == Flow::Ends;
}

void Executor::perform(form::BlockId id) {
    for (const form::Id statement : statements(id))
        step(statement, Taker());
}

void Executor::walk_another() {
    const auto known =
        std::find_if(prepared_.begin(), prepared_.end(),
                     [&](const PreparedFunction& each) { return &each.written() == &function(); });
    walked_ = known != prepared_.end()
                  ? &*known
                  : &prepared_.emplace_back(module_, function(), slots_.data());
    nodes_ = walked_->nodes();
}

Span Executor::span_of(const Node& node) const {
    const form::NoteId note = walked_->written(node).note;
    return note == form::kNothing ? runtime_.span_of_rule() : module_.notes[note].span;
}

// Passes a variable's value on to observers.
void Executor::note_value(form::VarId var) {
    if (const std::uint32_t place = (*shown_as_)[var]; place != kNone)
        shown_[place] = value_of(function().vars[var].type, slots_[var]);
}

// A run of the executor: preparation, begin and end.

Executor::Executor(const form::Module& module, const Budgets& budgets, const x86::Code* code)
    : module_(module), catalogue_(*module.catalogue), runtime_(*module.catalogue, budgets),
      code_(budgets.matches_per_rule == 0 ? nullptr : code), unwatched_code_(code_),
      entries_(module.catalogue->groups.size()), calls_(module.calls.size()) {
    std::size_t most_vars = 0;
    for (const form::Function& function : module.functions) {
        entries_[function.group].function = &function;
        most_vars = std::max(most_vars, function.vars.size());
    }
    // May keep old values: every variable is set before it is read.
    slots_.resize(most_vars);
    sets_.resize(most_vars);
    prepare_frame();
}

Executor::~Executor() = default;

// Finds where rules are applied and which values observers see. Most executors never need it.
void Executor::find_rules() {
    if (!applied_.empty()) return;
    applied_.resize(catalogue_.rules.size());
    shown_.resize(catalogue_.shown_values);
    const form::Function* const outer = frame().function;
    for (const form::Function& each : module_.functions) {
        frame().function = &each;
        std::vector<std::uint32_t> shown(each.vars.size(), kNone);
        for (form::Id id = 0; id < each.nodes.size(); ++id) {
            const form::Node& node = each.nodes[id];
            if (node.kind == Kind::Apply) {
                applied_[node.rule()] = {&each, id};
                note_shown(catalogue_.rules[node.rule()], node.blocks[0], shown);
            }
        }
        shown_of_.push_back(std::move(shown));
    }
    frame().function = outer;
}

void Executor::set_observer(Observer* observer) {
    observer_ = observer;
    code_ = observer == nullptr ? unwatched_code_ : nullptr;
    for (x86::GroupCode& entry : entries_)
        entry.code = nullptr;
    tells_entries_ = observer != nullptr && observer->looks_at_entries();
    tells_why_ = tells_entries_ && observer->asks_why();
    if (tells_entries_) find_rules();
}

// Maps variables of the search to the rule's variables of the same name.
void Executor::note_shown(const RulePlan& rule, form::BlockId search,
                          std::vector<std::uint32_t>& shown) {
    for (const form::Id statement : function().blocks[search].statements) {
        for (const form::VarId var : form::variables_set(function(), statement)) {
            const form::Var& known = function().vars[var];
            for (const auto* const variables : {&rule.variables, &rule.inner}) {
                for (const Variable& variable : *variables)
                    if (known.entry != form::kNothing && known.name == variable.name)
                        shown[var] = variable.place;
            }
        }
    }
}

x86::GroupCode& Executor::entry_of(GroupId group) {
    if (group >= entries_.size() || entries_[group].function == nullptr)
        throw std::logic_error("the group has no function");
    x86::GroupCode& entry = entries_[group];
    if (entry.code == nullptr && code_ != nullptr) {
        entry.code =
            code_->entry(static_cast<std::size_t>(entry.function - module_.functions.data()));
    }
    return entry;
}

// Clears what a run that ended with an error left behind.
void Executor::tidy() {
    runtime_.tidy();
    buffer_.clear();
    counts_.clear();
    operands_.clear();
    path_depth_ = 0;
}

RunResult Executor::result() const {
    RunResult result;
    result.matches = runtime_.matches();
    result.firings = runtime_.firings();
    return result;
}

// Calls `body` and returns the result of the run; an error ends it.
template <typename Body>
RunResult Executor::guarded(Body body) {
    std::unique_ptr<const RunError> error;
    if (tells_entries_)
        shown_as_ = &shown_of_[static_cast<std::size_t>(&function() - module_.functions.data())];
    tidy();
    frame().stack = nullptr;
    const x86::Running running(runtime_.frame());
    walk();
    try {
        body();
    } catch (const RunFailure& failure) {
        error = std::make_unique<RunError>(failure.error());
        tidy();
    }
    RunResult result = this->result();
    result.error = std::move(error);
    return result;
}

RunResult Executor::run(GroupId group, State& state, Random& random) {
    const x86::GroupCode& entry = entry_of(group);
    // Machine code does not write to a journal.
    if (entry.code != nullptr && !state.has_journal())
        return x86::run(frame(), entry, group, state, random) ? result()
                                                              : guarded([&] { throw_on(); });
    x86::begin(frame(), entry, group, state, random);
    return guarded([&] { perform(entry.function->body); });
}

std::unique_ptr<const RunError> Executor::error_of_code() {
    return guarded([&] { throw_on(); }).error;
}

RunResult Executor::match(RuleId rule, State& state, Random& random) {
    find_rules();
    const Applied& applied = applied_[rule];
    if (applied.function == nullptr) throw std::logic_error("the rule is applied nowhere");
    x86::begin(frame(), {applied.function}, applied.function->group, state, random);
    return guarded([&] {
        runtime_.set_rule(rule);
        const std::uint64_t count = find_matches(at(applied.apply));
        tell_matches(rule, 0, count);
    });
}

std::span<const Value> Executor::matched(std::uint64_t i) const {
    const RuleId rule = runtime_.rule();
    const std::size_t width = rule == kNone ? 0 : catalogue_.rules[rule].variables.size();
    return std::span(buffer_).subspan(i * width, width);
}

// ---- what machine code leaves to the interpreter, and how it is called -----------------------

void Executor::prepare_frame() {
    static_assert(sizeof(Slot) == 16 && sizeof(Value) == 16);
    x86::Frame& frame = runtime_.frame();
    waiting_.resize(64);
    frame.buffer = waiting_.data();
    frame.buffer_size = waiting_.size();
    frame.slots = slots_.data();
    frame.step = step_for_code;
    frame.evaluate = evaluate_for_code;
    frame.first_child = first_child;
    frame.next_child = next_child;
    frame.grow = grow_buffer;
    frame.too_many_matches = over_budget<RunErrorKind::BudgetMatches>;
    frame.too_many_firings = over_budget<RunErrorKind::BudgetFirings>;
    frame.too_many_steps = over_budget<RunErrorKind::BudgetSteps>;
    frame.call = call_for_code;
    frame.take_set = take_set;
    frame.program = &catalogue_;
    frame.code = code_;
    frame.owner = this;
}

// Throws the error that machine code ended with.
void Executor::throw_on() {
    if (thrown_ == nullptr)
        runtime_.fail(RunErrorKind::Type, {}, "machine code gave up without an error");
    std::rethrow_exception(std::exchange(thrown_, nullptr));
}

// Machine code has no unwind tables, so exceptions must not pass through it.
template <typename Work>
std::int32_t Executor::guard(x86::Frame* frame, Work work) noexcept {
    auto& self = *static_cast<Executor*>(frame->owner);
    try {
        self.walk();
        const std::int32_t answer = work(self);
        frame->block = self.runtime_.state().data();
        return answer;
    } catch (...) {
        self.thrown_ = std::current_exception();
        return x86::kThrown;
    }
}

std::int32_t Executor::step_for_code(x86::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Executor& self) {
        return self.step(node, Taker()) == Flow::GoesOn ? x86::kGoesOn : x86::kGoesBack;
    });
}

// Machine code never runs on a state with a journal, so the call may bypass it.
std::int32_t Executor::call_for_code(x86::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Executor& self) {
        PreparedCall& call = self.prepared(self.at(node));
        if (!call.shuffles() || !call.shuffle(self.runtime_)) self.step(node, Taker());
        return x86::kGoesOn;
    });
}

// The next call from machine code reads the set in place.
std::int32_t Executor::take_set(x86::Frame* frame, std::uint32_t var) noexcept {
    auto& self = *static_cast<Executor*>(frame->owner);
    const std::size_t rows = self.module_.lists[self.function().vars[var].type.list].values.size();
    self.sets_[var] = Rows(frame->rows, words_for(static_cast<std::uint32_t>(rows)));
    return x86::kGoesOn;
}

std::int32_t Executor::evaluate_for_code(x86::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Executor& self) {
        const Slot found = self.slot(node);
        std::memcpy(frame->result.words, &found, sizeof found);
        return x86::kGoesOn;
    });
}

// Sets the loop's variables to that child, or to the first after it whose key has the loop's type.
bool Executor::visit_child(const Node& loop, NodeRef child) {
    const TypePlan& type = catalogue_.types[loop.child_type()];
    const bool all = type.kind == TypePlan::Kind::Any;
    for (; child; child = runtime_.next_sibling(child)) {
        runtime_.count_step();
        const Value name = all && loop.key_var() == form::kNothing ? Value{} : runtime_.key(child);
        if (all || runtime_.has_type(name, type)) {
            set(loop.var(), Slot(child));
            if (loop.key_var() != form::kNothing)
                set(loop.key_var(), slot_of(function().vars[loop.key_var()].type, name));
            return true;
        }
    }
    return false;
}

std::int32_t Executor::first_child(x86::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Executor& self) {
        const Node& loop = self.at(node);
        const NodeRef child = self.runtime_.first_child(self.node(loop.operands[0]));
        return self.visit_child(loop, child) ? x86::kGoesOn : x86::kGoesBack;
    });
}

std::int32_t Executor::next_child(x86::Frame* frame, std::uint32_t node) noexcept {
    return guard(frame, [&](Executor& self) {
        const Node& loop = self.at(node);
        const NodeRef child = self.runtime_.next_sibling(self.slots_[loop.var()].node);
        return self.visit_child(loop, child) ? x86::kGoesOn : x86::kGoesBack;
    });
}

std::int32_t Executor::grow_buffer(x86::Frame* frame, std::uint32_t words) noexcept {
    return guard(frame, [&](Executor& self) {
        self.waiting_.resize(2 * self.waiting_.size() + words);
        frame->buffer = self.waiting_.data();
        frame->buffer_size = self.waiting_.size();
        return x86::kGoesOn;
    });
}

template <RunErrorKind kind>
std::int32_t Executor::over_budget(x86::Frame* frame, std::uint32_t) noexcept {
    return guard(frame, [](Executor& self) -> std::int32_t { self.runtime_.over_budget(kind); });
}

} // namespace croupier::engine
