// From a ruleset to a program: layout, constants, groups, rules.
#include "engine/emit/form.h"
#include "engine/native/code.h"
#include "engine/plan/agenda_guards.h"
#include "engine/plan/compiler.h"
#include "engine/plan/reached.h"
#include "engine/plan/relations.h"
#include "engine/text/codes.h"
#include "engine/text/json_build.h"

#include <algorithm>

namespace croupier::engine {

namespace {

void intern_texts(const Document& document, Symbols& symbols) {
    if (document.is_string()) {
        symbols.intern(document.text());
    }
    for (std::size_t i = 0; i < document.members.size(); ++i) {
        symbols.intern(document.is_array() ? std::to_string(i) : document.members[i].key);
        intern_texts(document.members[i].value, symbols);
    }
}

// The ruleset's own constants, its options, and the relations that its domains bring.
Document all_constants(const Ruleset& ruleset) {
    Document constants = ruleset.constants.value_or(json::object());
    if (!ruleset.options.empty()) {
        Document& options = json::child_object(constants, "options");
        for (const Option& option : ruleset.options) {
            json::add(options, option.name, option.value);
        }
    }
    add_relations(ruleset.types, constants);
    return constants;
}

} // namespace

Program::Program(const Ruleset& ruleset, const CompileOptions& options) : ruleset_(&ruleset) {
    layout =
        std::make_unique<Layout>(ruleset.types, ruleset.shape ? &*ruleset.shape : nullptr, symbols);
    const Document fixed = all_constants(ruleset);
    intern_texts(fixed, symbols);
    if (ruleset.state) {
        intern_texts(*ruleset.state, symbols);
    }
    if (!fixed.members.empty()) {
        constants_layout = std::make_unique<Layout>(symbols);
        constants = std::make_unique<State>(*constants_layout);
        constants->write(constants->root(), fixed);
    }
    Compiler(*this, options).compile_groups(ruleset.groups);
    for ([[maybe_unused]] const Op& op : code) {
        CROUPIER_REACHED_OP(emitted, op.code);
    }
    if (!options.observed) {
        native = native::translate(*this);
        if (native != nullptr && options.rows && options.form) {
            form = emit::make_form(*this);
        }
    }
}

GroupId Program::group_id(std::string_view name) const {
    for (GroupId id = 0; id < groups.size(); ++id) {
        if (groups[id].name == name) {
            return id;
        }
    }
    return kNone;
}

const GroupPlan* Program::group(std::string_view name) const {
    const GroupId id = group_id(name);
    return id == kNone ? nullptr : &groups[id];
}

RuleId Program::rule_id(std::string_view name) const {
    for (RuleId id = 0; id < rules.size(); ++id) {
        if (rules[id].name == name) {
            return id;
        }
    }
    return kNone;
}

std::uint32_t Program::type_id(const TypeName& name) {
    TypePlan plan;
    using Kind = TypePlan::Kind;
    if (name.name.empty() || name.name == "any") {
        plan.kind = Kind::Any;
    } else if (name.name == "int") {
        plan.kind = Kind::Int;
    } else if (name.name == "double") {
        plan.kind = Kind::Double;
    } else if (name.name == "number") {
        plan.kind = Kind::Number;
    } else if (name.name == "string") {
        plan.kind = Kind::String;
    } else if (name.name == "bool") {
        plan.kind = Kind::Bool;
    } else if (name.name == "null") {
        plan.kind = Kind::Null;
    } else {
        plan.kind = Kind::Domain;
        plan.domain = layout->domain_id(name.name);
    }
    for (std::uint32_t i = 0; i < types.size(); ++i) {
        if (types[i].kind == plan.kind && types[i].domain == plan.domain) {
            return i;
        }
    }
    types.push_back(plan);
    return static_cast<std::uint32_t>(types.size() - 1);
}

State Program::initial_state() const {
    State state(*layout);
    if (ruleset_->state) {
        state.write(state.root(), *ruleset_->state);
    }
    return state;
}

bool Program::import(State& state, const Document& document, Diagnostics& diagnostics) const {
    bool clean = true;
    for (const Member& member : document.members) {
        const Symbol name = symbols.find(member.key);
        if (name != kNoSymbol && has_constant(name)) {
            diagnostics.error(code::kConstantClash, member.key_span,
                              "the state has the node '" + member.key + "', which is a constant",
                              "rules read constants at the root of the state; rename one of them");
            clean = false;
        }
    }
    return state.import(document, diagnostics) && clean;
}

const CallPlan::Argument* CallPlan::find(std::string_view name) const {
    for (const Argument& argument : arguments) {
        if (argument.name == name) {
            return &argument;
        }
    }
    return nullptr;
}

// ---- code ------------------------------------------------------------------------------------

Op& Compiler::emit(OpCode code) {
    Op op;
    op.code = code;
    op.fail = own_fail_;
    op.note = note_;
    program_.code.push_back(op);
    return program_.code.back();
}

Compiler::Label Compiler::new_label() {
    labels_.push_back(kNoTarget);
    return static_cast<Label>(labels_.size() - 1);
}

void Compiler::place(Label label) {
    labels_[label] = static_cast<std::uint32_t>(program_.code.size());
}

void Compiler::jump(Label label) {
    emit(OpCode::Jump).x = label;
}

void Compiler::resolve_labels(std::size_t from) {
    for (std::size_t i = from; i < program_.code.size(); ++i) {
        Op& op = program_.code[i];
        op.fail = op.fail == kNoTarget ? kNoTarget : labels_[op.fail];
        if (op.code == OpCode::Jump) {
            op.x = labels_[op.x];
        } else if (op.code == OpCode::Resume) {
            for (std::uint32_t j = 0; j < op.y; ++j) {
                program_.jumps[op.x + j] = labels_[program_.jumps[op.x + j]];
            }
        }
    }
}

std::uint16_t Compiler::new_value() {
    program_.value_registers = std::max<std::uint16_t>(program_.value_registers, next_value_ + 1);
    tabled_.erase(next_value_);
    loop_domains_.erase(next_value_);
    return next_value_++;
}

std::uint16_t Compiler::new_node() {
    program_.node_registers = std::max<std::uint16_t>(program_.node_registers, next_node_ + 1);
    return next_node_++;
}

std::uint16_t Compiler::new_cursor() {
    program_.cursor_registers =
        std::max<std::uint16_t>(program_.cursor_registers, next_cursor_ + 1);
    return next_cursor_++;
}

std::uint32_t Compiler::note(Span span, std::uint32_t entry) {
    program_.notes.push_back({span, rule_, entry});
    note_ = static_cast<std::uint32_t>(program_.notes.size() - 1);
    return note_;
}

// ---- groups and rules ------------------------------------------------------------------------

void Compiler::compile_groups(const std::vector<Group>& groups) {
    // Named groups come first, so that their numbers are their places in the ruleset.
    for (const Group& group : groups) {
        program_.groups.push_back(
            {group.name, group.mode, 0, {}, group.span, kNone, false, nullptr});
    }
    for (GroupId id = 0; id < groups.size(); ++id) {
        const bool agenda = groups[id].mode == GroupMode::Agenda;
        if (agenda) {
            program_.agendas.push_back(with_named_wildcards(groups[id]));
        }
        const Group& group = agenda ? program_.agendas.back() : groups[id];
        is_slow_ = false;
        for (const Rule& rule : group.rules) {
            names_.clear();
            bound_.clear();
            next_value_ = 1; // 0 is the register whose row is always 0
            next_node_ = 0;
            next_cursor_ = 0;
            root_ = new_node(); // register 0: the state's root
            nested_root_ = false;
            const RuleId made = compile_rule(rule, root_);
            program_.groups[id].rules.push_back(made);
        }
        program_.groups[id].is_slow = is_slow_ || group.mode == GroupMode::AtOnce;
        if (agenda) {
            finish_agenda(group, id);
        }
        if (options_.rows && !options_.observed && group.mode == GroupMode::Sequential) {
            compile_chain(group, id);
        }
    }
}

void Compiler::finish_agenda(const Group& group, GroupId id) {
    std::vector<std::vector<std::string>> variables;
    for (const RuleId rule : program_.groups[id].rules) {
        std::vector<std::string>& names = variables.emplace_back();
        for (const Variable& variable : program_.rules[rule].variables) {
            names.push_back(variable.name);
        }
    }
    AgendaPlan plan = plan_agenda(group, variables, program_.symbols, *program_.layout);
    for (std::size_t i = 0; i < group.rules.size(); ++i) {
        if (const auto& condition = group.rules[i].condition) {
            plan.rules[i].never = is_never(*condition);
            plan.rules[i].guards =
                guards_of(*condition, *program_.layout, program_.symbols, program_.constants.get());
        }
    }
    program_.groups[id].agenda = std::make_shared<AgendaPlan>(std::move(plan));
}

GroupId Compiler::compile_group(const Group& group, std::uint16_t root) {
    const auto id = static_cast<GroupId>(program_.groups.size());
    program_.inner_groups.emplace(&group, id);
    program_.groups.push_back(
        {group.name, group.mode, root, {}, group.span, kNone, false, nullptr});
    is_slow_ = is_slow_ || group.mode != GroupMode::Sequential || nested_root_;
    const Registers names = names_;
    for (const Rule& rule : group.rules) {
        const RuleId made = compile_rule(rule, root);
        program_.groups[id].rules.push_back(made);
    }
    compile_inner_chain(group, id, names);
    return id;
}

RuleId Compiler::compile_rule(const Rule& rule, std::uint16_t root) {
    const auto id = static_cast<RuleId>(program_.rules.size());
    RulePlan plan;
    plan.name = rule.name;
    plan.span = rule.span;
    plan.repeat = rule.repeat;
    plan.first = rule.first;
    plan.log = rule.log;
    plan.source = &rule;
    program_.rules.push_back(std::move(plan));

    // Nested rules see the variables and the rule of the action they stand in; restored at the end.
    const RuleId outer_rule = std::exchange(rule_, id);
    const std::uint16_t outer_root = std::exchange(root_, root);
    const Registers outer_bound = bound_;
    const std::vector<Variable> outer_fresh = std::exchange(fresh_, {});
    const Label outer_fail = fail_;
    const Label outer_own_fail = own_fail_;

    if (rule.condition) {
        compile_condition(rule, id);
    }
    program_.rules[id].variables = fresh_;
    if (!rule.salience.empty()) {
        program_.rules[id].salience = expr(rule.salience[0]);
    }
    program_.rules[id].action = compile_action(rule.action);
    bound_ = outer_bound;
    program_.rules[id].otherwise = compile_action(rule.otherwise);

    rule_ = outer_rule;
    root_ = outer_root;
    fresh_ = outer_fresh;
    fail_ = outer_fail;
    own_fail_ = outer_own_fail;
    return id;
}

} // namespace croupier::engine
