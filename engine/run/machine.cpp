// Groups and rules: when conditions are matched and when actions run.
#include "engine/run/machine.h"
#include "engine/emit/form.h"
#include "engine/plan/planted.h"
#include "engine/run/interpreter.h"

#include <algorithm>

namespace croupier::engine {

namespace {

constexpr SchemaId kConstant = 0xfffffffd;

// A node of the constants as seen from the state, and back.
NodeRef mounted(NodeRef node) {
    return node ? NodeRef{kConstant, node.index} : node;
}

NodeRef unmounted(NodeRef node) {
    return {kArena, node.index};
}

} // namespace

Machine::Machine(const Program& program, const Budgets& budgets)
    : program_(program), budgets_(budgets), values_(program.value_registers),
      nodes_(std::max<std::uint16_t>(program.node_registers, 1)),
      cursors_(program.cursor_registers), loops_(program.cursor_registers) {
    prepare_frame();
}

Machine::~Machine() = default;

// ---- nodes -----------------------------------------------------------------------------------

NodeRef Machine::child(NodeRef node, Symbol key) const {
    if (!node || key == kNoSymbol) {
        return {};
    }
    if (node.schema == kConstant) {
        return mounted(program_.constants->child(unmounted(node), key));
    }
    const NodeRef found = state_->child(node, key);
    if (!found && program_.constants != nullptr && node == nodes_[0]) {
        return mounted(program_.constants->child(program_.constants->root(), key));
    }
    return found;
}

NodeRef Machine::first_child(NodeRef node) const {
    if (!node) {
        return {};
    }
    return node.schema == kConstant ? mounted(program_.constants->first_child(unmounted(node)))
                                    : state_->first_child(node);
}

NodeRef Machine::next_sibling(NodeRef node) const {
    return node.schema == kConstant ? mounted(program_.constants->next_sibling(unmounted(node)))
                                    : state_->next_sibling(node);
}

NodeRef Machine::parent(NodeRef node) const {
    if (!node) {
        return {};
    }
    if (node.schema != kConstant) {
        return state_->parent(node);
    }
    const NodeRef above = program_.constants->parent(unmounted(node));
    return above == program_.constants->root() ? nodes_[0] : mounted(above);
}

Value Machine::value(NodeRef node) const {
    if (!node) {
        return {};
    }
    return node.schema == kConstant ? program_.constants->value(unmounted(node))
                                    : state_->value(node);
}

Value Machine::key(NodeRef node) const {
    return node.schema == kConstant ? program_.constants->key(unmounted(node)) : state_->key(node);
}

std::uint32_t Machine::child_count(NodeRef node) const {
    if (!node) {
        return 0;
    }
    return node.schema == kConstant ? program_.constants->child_count(unmounted(node))
                                    : state_->child_count(node);
}

Document Machine::export_node(NodeRef node) const {
    return node.schema == kConstant ? program_.constants->export_document(unmounted(node))
                                    : state_->export_document(node);
}

NodeRef Machine::walk(NodeRef node, std::uint32_t path) {
    for (const std::uint32_t segment : program_.paths[path].segments) {
        node = child_by_key(node, segment);
        if (!node) {
            break;
        }
    }
    return node;
}

NodeRef Machine::child_by_key(NodeRef node, std::uint32_t key) {
    return child(node, key_symbol(program_.keys[key], false));
}

Symbol Machine::symbol_of(const Value& value, bool make) {
    if (value.is_text()) {
        return value.symbol();
    }
    const std::string text = to_text(value, state_->symbols());
    return make ? state_->symbols().intern(text) : state_->symbols().find(text);
}

Symbol Machine::key_symbol(const KeyPlan& key, bool make) {
    if (key.parts.size() == 1) {
        const KeyPlan::Part& part = key.parts[0];
        return part.reg == kNoRegister ? part.text : symbol_of(values_[part.reg], make);
    }
    scratch_.clear();
    for (const KeyPlan::Part& part : key.parts) {
        if (part.reg == kNoRegister) {
            scratch_ += state_->symbols().text(part.text);
        } else {
            scratch_ += to_text(values_[part.reg], state_->symbols());
        }
    }
    return make ? state_->symbols().intern(scratch_) : state_->symbols().find(scratch_);
}

Span Machine::span() const {
    if (frame_.acting != kNone) {
        return program_.notes[frame_.acting].span;
    }
    return frame_.rule == kNone ? Span{} : program_.rules[frame_.rule].span;
}

void Machine::fail(RunErrorKind kind, Span span, std::string detail) const {
    RunError error;
    error.kind = kind;
    error.rule = frame_.rule == kNone ? std::string() : program_.rules[frame_.rule].name;
    error.span = span;
    error.detail = std::move(detail);
    throw RunFailure(std::move(error));
}

// ---- entry points ----------------------------------------------------------------------------

// Calls `body` and gives what it did; an error ends it.
template <typename Body>
inline RunResult Machine::guarded(State& state, Random& random, Body body) {
    state_ = &state;
    random_ = &random;
    frame_.rule = kNone;
    frame_.acting = kNone;
    frame_.steps = 0;
    frame_.firings = 0;
    frame_.matches = 0;
    nodes_[0] = state.root();
    RunResult result;
    try {
        body();
    } catch (const RunFailure& failure) {
        result.error = std::make_unique<RunError>(failure.error());
        forget_depth();
    } catch (...) { // memory has run out, say
        forget_depth();
        throw;
    }
    result.matches = frame_.matches;
    result.firings = frame_.firings;
    if (observer_ != nullptr) {
        observer_->run_ends();
    }
    return result;
}

// What a run that ends well has put back itself.
void Machine::forget_depth() {
    buffer_.clear();
    counts_.clear();
    operands_.clear();
    roots_.clear();
    root_begin_ = 0;
    root_reg_ = 0;
}

RunResult Machine::run(GroupId group, State& state, Random& random) {
    if (runs_form(group, state)) {
        form_->set_log(log_);
        return form_->run(group, state, random);
    }
    buffer_.clear();
    return guarded(state, random, [&] {
        if (runs_chain(program_.groups[group])) {
            search(program_.groups[group].chain, nullptr);
        } else {
            run_group(group);
        }
    });
}

// Some groups are other machine code, which nobody can watch either.
bool Machine::runs_form(GroupId group, const State& state) {
    if (native_ == nullptr || program_.form == nullptr || observer_ != nullptr ||
        state.has_journal() || !program_.form->has(group)) {
        return false;
    }
    if (form_ == nullptr) {
        form_ = std::make_unique<Interpreter>(*program_.form->module, budgets_,
                                              program_.form->code.get());
    }
    return true;
}

RunResult Machine::match(RuleId rule, State& state, Random& random) {
    buffer_.clear();
    return guarded(state, random, [&] { match_only(rule); });
}

void Machine::match_only(RuleId id) {
    frame_.rule = id;
    find_matches(program_.rules[id]);
    if (observer_ != nullptr) {
        observer_->rule_matched(id, found_, buffer_, *state_);
    }
}

std::span<const Value> Machine::matched(std::uint64_t i) const {
    const std::size_t width =
        frame_.rule == kNone ? 0 : program_.rules[frame_.rule].variables.size();
    return std::span(buffer_).subspan(i * width, width);
}

// ---- groups ----------------------------------------------------------------------------------

void Machine::run_group(GroupId id) {
    const GroupPlan& group = program_.groups[id];
    if (group.mode == GroupMode::Agenda) {
        run_agenda(group);
        return;
    }
    if (group.mode == GroupMode::AtOnce) {
        run_at_once(group);
        return;
    }
    if (runs_chain(group)) {
        const RuleId outer = frame_.rule;
        search(group.chain, nullptr);
        frame_.rule = outer;
        return;
    }
    for (const RuleId rule : group.rules) {
        apply_rule(rule);
    }
}

// Runs a group with `node` as its root. The root is remembered by its path, so that the group's
// rules find it even if one of them removes it and makes it again.
void Machine::run_below(GroupId id, NodeRef node) {
    const std::size_t outer_begin = root_begin_;
    const std::uint16_t outer_reg = root_reg_;
    root_begin_ = roots_.size();
    for (NodeRef each = node; each && each != nodes_[0]; each = parent(each)) {
        roots_.push_back(key(each).symbol());
    }
    std::reverse(roots_.begin() + static_cast<std::ptrdiff_t>(root_begin_), roots_.end());
    root_reg_ = program_.groups[id].root;
    run_group(id);
    roots_.resize(root_begin_);
    root_begin_ = outer_begin;
    root_reg_ = outer_reg;
}

void Machine::find_root() {
    if (root_reg_ != kStateRoot) {
        nodes_[root_reg_] = node_of(keys_of_root());
    }
}

std::span<const Symbol> Machine::keys_of_root() const {
    return std::span(roots_).subspan(root_begin_);
}

// The node of the state to which the keys lead, if there is one.
NodeRef Machine::node_of(std::span<const Symbol> keys) const {
    NodeRef node = nodes_[0];
    for (std::size_t i = 0; i < keys.size() && node; ++i) {
        node = state_->child(node, keys[i]);
    }
    return node;
}

// The keys from the state's root to where the path begins.
std::span<const Symbol> Machine::base_of(const PathPlan& path) const {
    const auto keys = path.from_state ? std::span<const Symbol>() : keys_of_root();
    if (path.up > keys.size()) {
        fail(RunErrorKind::NoParent, span(), "the root of the state has no parent");
    }
    return keys.first(keys.size() - path.up);
}

// The node at the path, looked up from its beginning; nothing is kept of where that was.
NodeRef Machine::find(std::uint32_t path) {
    const PathPlan& plan = program_.paths[path];
    if (plan.fixed != kNoSchema) {
        const NodeRef node{plan.fixed, 0};
        return state_->is_present(node) ? node : NodeRef{};
    }
    return walk(node_of(base_of(plan)), path);
}

// ---- rules -----------------------------------------------------------------------------------

// Fills the buffer with the rule's matches and sets `found_`.
void Machine::find_matches(const RulePlan& rule) {
    found_ = 0;
    if (observer_ != nullptr) {
        observer_->rule_searches(frame_.rule);
    }
    find_root();
    if (rule.match == kNone) {
        found_ = 1;
        ++frame_.matches;
    } else if (nodes_[root_reg_] || rule.source->condition->entries.empty()) {
        search(rule.match, &rule);
    }
}

void Machine::fire(RuleId rule, std::uint32_t pc) {
    if (pc == kNone) {
        return;
    }
    count_firing(rule);
    act(pc);
}

void Machine::too_many_firings(RuleId rule) {
    frame_.rule = rule;
    fail(RunErrorKind::BudgetFirings, program_.rules[rule].span,
         "more firings than the budget allows");
}

void Machine::too_many_steps() const {
    fail(RunErrorKind::BudgetSteps, span(), "more things tried than the budget allows");
}

void Machine::too_many_matches(RuleId rule) {
    fail(RunErrorKind::BudgetMatches, program_.rules[rule].span,
         "more than " + std::to_string(budgets_.matches_per_rule) + " matches");
}

void Machine::load_match(const RulePlan& rule, std::size_t first) {
    for (std::size_t i = 0; i < rule.variables.size(); ++i) {
        values_[rule.variables[i].reg] = buffer_[first + i];
    }
}

// Acts on `count` matches that stand in the buffer from `first` on.
void Machine::act_on_matches(RuleId id, std::size_t first, std::uint64_t count) {
    const RulePlan& rule = program_.rules[id];
    for (std::uint64_t i = 0; i < count; ++i) {
        load_match(rule, first + i * rule.variables.size());
        frame_.rule = id;
        if (observer_ != nullptr) {
            const auto match = std::span(buffer_).subspan(first + i * rule.variables.size(),
                                                          rule.variables.size());
            observer_->rule_fires(id, match, *state_);
        }
        fire(id, rule.action);
    }
}

void Machine::act_otherwise(RuleId id) {
    const RulePlan& rule = program_.rules[id];
    if (rule.otherwise != kNone) {
        if (observer_ != nullptr) {
            observer_->rule_otherwise(id);
        }
        fire(id, rule.otherwise);
    }
}

void Machine::apply_rule(RuleId id) {
    const RulePlan& rule = program_.rules[id];
    const RuleId outer = frame_.rule;
    if (observer_ != nullptr) {
        observer_->rule_begins(id);
    }
    for (std::uint32_t round = 0; round < rule.repeat; ++round) {
        frame_.rule = id;
        const std::size_t first = buffer_.size();
        find_matches(rule);
        const std::uint64_t count = found_;
        if (observer_ != nullptr) {
            observer_->rule_matched(id, count, std::span(buffer_).subspan(first), *state_);
        }
        if (count == 0) {
            if (round == 0 || CROUPIER_PLANTED(ElseAfterRounds)) {
                act_otherwise(id);
            }
            break;
        }
        act_on_matches(id, first, count);
        buffer_.resize(first);
    }
    if (observer_ != nullptr) {
        observer_->rule_ends(id);
    }
    frame_.rule = outer;
}

void Machine::run_at_once(const GroupPlan& group) {
    const RuleId outer = frame_.rule;
    const std::size_t first = buffer_.size();
    const std::size_t first_count = counts_.size();
    for (const RuleId id : group.rules) {
        frame_.rule = id;
        const std::size_t mine = buffer_.size();
        if (observer_ != nullptr) {
            observer_->rule_begins(id);
        }
        find_matches(program_.rules[id]);
        counts_.push_back(found_);
        if (observer_ != nullptr) {
            observer_->rule_matched(id, found_, std::span(buffer_).subspan(mine), *state_);
            observer_->rule_ends(id);
        }
    }
    std::size_t next = first;
    for (std::size_t i = 0; i < group.rules.size(); ++i) {
        const RuleId id = group.rules[i];
        const std::uint64_t count = counts_[first_count + i];
        frame_.rule = id;
        if (observer_ != nullptr) {
            observer_->rule_begins(id);
        }
        if (count == 0) {
            act_otherwise(id);
        } else {
            act_on_matches(id, next, count);
        }
        next += count * program_.rules[id].variables.size();
        if (observer_ != nullptr) {
            observer_->rule_ends(id);
        }
    }
    counts_.resize(first_count);
    buffer_.resize(first);
    frame_.rule = outer;
}

} // namespace croupier::engine
