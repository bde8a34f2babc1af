// Searches rules and runs their actions.
#include "engine/run/executor.h"
#include "engine/state/journal.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace croupier::engine {

namespace {

// Whether its matches are the rows of a set, for all of which it acts once.
bool takes_rows(const form::Function& function, const PreparedNode& apply) {
    return apply.count() != 0 && function.vars[apply.results()].type.kind == form::TypeKind::Set;
}

} // namespace

// ---- groups ----------------------------------------------------------------------------------

Executor::Flow Executor::run(Is<Kind::Group>, const Node& node, const Taker&) {
    switch (catalogue_.groups[node.group()].mode) {
    case GroupMode::Sequential:
        for (const form::BlockId rule : node.blocks)
            perform(rule);
        break;
    case GroupMode::AtOnce:
        run_at_once(node);
        break;
    case GroupMode::Agenda:
        run_agenda(node);
        break;
    }
    return Flow::GoesOn;
}

Executor::Flow Executor::run(Is<Kind::GroupBelow>, const Node& node, const Taker&) {
    const std::size_t outer = runtime_.enter(this->node(node.operands[0]));
    perform(node.blocks[0]);
    if (!CROUPIER_MISTAKE(RootNotLeft)) runtime_.leave(outer);
    return Flow::GoesOn;
}

// The Apply node in the block of a group's rule.
const PreparedNode& Executor::apply_of(form::BlockId id) const {
    for (const form::Id statement : statements(id))
        if (at(statement).kind == Kind::Apply) return at(statement);
    throw std::logic_error("the block of a rule does not apply it");
}

// Runs the block up to its Apply node.
const PreparedNode& Executor::reach_apply(form::BlockId id) {
    const PreparedNode& apply = apply_of(id);
    for (const form::Id statement : statements(id)) {
        if (&at(statement) == &apply) break;
        step(statement, Taker());
    }
    return apply;
}

void Executor::run_at_once(const Node& group) {
    const RuleId outer = runtime_.rule();
    const std::size_t first = buffer_.size();
    const std::size_t first_count = counts_.size();
    for (const form::BlockId rule : group.blocks) {
        const Node& apply = reach_apply(rule);
        const std::size_t mine = buffer_.size();
        tell_begins(apply.rule());
        const std::uint64_t count = find_matches(apply);
        counts_.push_back(count);
        tell_matches(apply.rule(), mine, count);
        tell_ends(apply.rule());
    }
    std::size_t next = first;
    for (std::size_t i = 0; i < group.blocks.size(); ++i) {
        const Node& apply = apply_of(group.blocks[i]);
        const std::uint64_t count = counts_[first_count + i];
        tell_begins(apply.rule());
        if (count == 0)
            act_otherwise(apply);
        else
            act_on_matches(apply, next, count);
        next += takes_rows(function(), apply) ? 0 : count * apply.count();
        tell_ends(apply.rule());
    }
    counts_.resize(first_count);
    buffer_.resize(first);
    runtime_.set_rule(outer);
}

// ---- rules -----------------------------------------------------------------------------------

void Executor::tell_begins(RuleId rule) {
    runtime_.set_rule(rule);
    if (observer_ != nullptr) observer_->rule_begins(rule);
}

// Reports `count` matches, which start at `first` in the buffer.
void Executor::tell_matches(RuleId rule, std::size_t first, std::uint64_t count) {
    if (observer_ != nullptr)
        observer_->rule_matched(rule, count, std::span(buffer_).subspan(first), runtime_.state());
}

void Executor::tell_ends(RuleId rule) {
    if (observer_ != nullptr) observer_->rule_ends(rule);
}

// Adds the rule's matches to the buffer.
std::uint64_t Executor::find_matches(const Node& apply) {
    const RulePlan& rule = catalogue_.rules[apply.rule()];
    if (observer_ != nullptr) observer_->rule_searches(apply.rule());
    std::uint64_t found = 0;
    auto keep = [&](const Node& yield) {
        if (yield.kind == Kind::YieldRows) {
            found = take_rows(apply, yield);
            return true;
        }
        runtime_.count_match(++found);
        for (const form::Id operand : yield.operands)
            buffer_.push_back(value(operand));
        return !rule.first;
    };
    search(apply.blocks[0], Taker(keep));
    return found;
}

// Stores them in the action's variables, which no other statement sets.
std::uint64_t Executor::take_rows(const Node& apply, const Node& yield) {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
        const form::VarId var = apply.results() + i;
        const SlotType type = function().vars[var].type;
        if (type.kind == form::TypeKind::Set)
            sets_[var] = rows(yield.operands[i]);
        else
            set(var, slot_as(type, yield.operands[i]));
    }
    for (const std::uint64_t word : sets_[apply.results()])
        count += count_rows(word);
    for (std::uint64_t found = 1; found <= count; ++found)
        runtime_.count_match(found);
    return count;
}

// Beyond the budget only the first ones fire.
void Executor::act_on_rows(const Node& apply, std::uint64_t count) {
    runtime_.set_rule(apply.rule());
    const x86::Counters& counters = runtime_.frame().counters;
    const std::uint64_t allowed = CROUPIER_MISTAKE(RowsFireBeyondBudget)
                                      ? count
                                      : std::min(count, counters.most_firings - counters.firings);
    std::vector<std::uint64_t> some;
    if (allowed < count) {
        some.assign(sets_[apply.results()].begin(), sets_[apply.results()].end());
        x86::keep_first(some.data(), static_cast<std::uint32_t>(some.size()), allowed);
        sets_[apply.results()] = some;
    }
    if (allowed > 0) perform(apply.blocks[1]);
    for (std::uint64_t i = 0; i < count; ++i)
        runtime_.count_firing();
}

void Executor::load_match(const Node& apply, std::span<const Value> match) {
    for (std::uint32_t i = 0; i < match.size(); ++i)
        set(apply.results() + i, slot_of(function().vars[apply.results() + i].type, match[i]));
}

// An empty action does not count as a firing.
void Executor::fire(const Action& action, form::BlockId block) {
    if (action.kind != Action::Kind::None) {
        runtime_.count_firing();
        perform(block);
    }
}

void Executor::act_on(const Node& apply, std::span<const Value> match) {
    load_match(apply, match);
    runtime_.set_rule(apply.rule());
    if (observer_ != nullptr) observer_->rule_fires(apply.rule(), match, runtime_.state());
    fire(catalogue_.rules[apply.rule()].source->action, apply.blocks[1]);
}

void Executor::act_on_matches(const Node& apply, std::size_t first, std::uint64_t count) {
    if (takes_rows(function(), apply)) {
        act_on_rows(apply, count);
        return;
    }
    const auto width = apply.count();
    for (std::uint64_t i = 0; i < count; ++i)
        act_on(apply, std::span(buffer_).subspan(first + i * width, width));
}

void Executor::act_otherwise(const Node& apply) {
    const Action& otherwise = catalogue_.rules[apply.rule()].source->otherwise;
    if (otherwise.kind != Action::Kind::None) {
        if (observer_ != nullptr) observer_->rule_otherwise(apply.rule());
        fire(otherwise, apply.blocks[2]);
    }
}

Executor::Flow Executor::run(Is<Kind::Apply>, const Node& node, const Taker&) {
    const RuleId outer = runtime_.rule();
    tell_begins(node.rule());
    for (std::uint32_t round = 0; round < catalogue_.rules[node.rule()].repeat; ++round) {
        runtime_.set_rule(node.rule());
        const std::size_t first = buffer_.size();
        const std::uint64_t count = find_matches(node);
        tell_matches(node.rule(), first, count);
        if (count == 0) {
            if (round == 0 || CROUPIER_MISTAKE(ElseAfterLastRound)) act_otherwise(node);
            break;
        }
        act_on_matches(node, first, count);
        buffer_.resize(first);
    }
    tell_ends(node.rule());
    runtime_.set_rule(outer);
    return Flow::GoesOn;
}

// Agenda groups: keeps matches between firings and fires one at a time.

// 1. Search again the rules that read a touched node.
// 2. Let the strategy pick one activation, or chance among those of the highest salience.
// 3. Run its action and journal what it touches.
void Executor::run_agenda(const Node& node) {
    const GroupPlan& group = catalogue_.groups[node.group()];
    if (recognizer_ == nullptr) recognizer_ = std::make_unique<Recognizer>();
    Recognizer& recognizer = *recognizer_;
    const Recognizer::Salience salience = [&](std::uint32_t rule, std::span<const Value> match) {
        return salience_of(apply_of(node.blocks[rule]), match);
    };
    recognizer.begin(catalogue_, group, runtime_.state());
    const Journaling journaling(runtime_.state(), recognizer.journal());
    for (std::uint64_t firing = 0;; ++firing) {
        for (const std::uint32_t rule : recognizer.outdated()) {
            const Node& apply = reach_apply(node.blocks[rule]);
            tell_begins(apply.rule());
            const std::uint64_t count = find_matches(apply);
            tell_matches(apply.rule(), 0, count);
            tell_ends(apply.rule());
            recognizer.update(rule, buffer_, count, salience);
            buffer_.clear();
        }
        recognizer.updated();
        if (observer_ != nullptr) observer_->agenda_stands(group, recognizer);
        const std::uint64_t choices = recognizer.choices();
        if (choices == 0 || firing >= group.agenda->limit.value_or(UINT64_MAX)) break;
        const bool by_chance = group.agenda->strategy == Strategy::Random;
        const Recognizer::Activation next =
            recognizer.pick(by_chance ? runtime_.random().below(choices) : 0);
        const Node& apply = apply_of(node.blocks[next.rule]);
        tell_begins(apply.rule());
        act_on(apply, next.values);
        tell_ends(apply.rule());
    }
    runtime_.set_rule(kNone);
}

int Executor::salience_of(const Node& apply, std::span<const Value> match) {
    load_match(apply, match);
    runtime_.set_rule(apply.rule());
    int salience = 0;
    auto take = [&](const Node& yield) {
        const Value given = value(yield.operands[0]);
        const Value number = as_number(given, runtime_.symbols());
        if (number.tag != Tag::Int || number.integer < INT32_MIN || number.integer > INT32_MAX)
            runtime_.fail(RunErrorKind::Type, span_of(at(yield.operands[0])),
                          "a salience is an integer of at most 32 bits");
        salience = static_cast<int>(number.integer);
        return false;
    };
    search(apply.blocks[3], Taker(take));
    return salience;
}

// Actions: changes of the state, calls and lines of the log.

// ---- nodes by keys and paths -----------------------------------------------------------------

void Executor::run(Is<Kind::Inner>, const Node& node, Nothing) {
    runtime_.state().make_inner(this->node(node.operands[0]));
}

Slot Executor::run(Is<Kind::MakeChild>, const Node& node, Nothing) {
    const NodeRef above = this->node(node.operands[0]);
    return Slot(runtime_.make_child(above, key(node.operands[1]), span_of(node)));
}

Slot Executor::run(Is<Kind::MakePath>, const Node& node, Nothing) {
    return Slot(runtime_.make(path(node), span_of(node)));
}

void Executor::run(Is<Kind::SetChild>, const Node& node, Nothing) {
    const NodeRef above = this->node(node.operands[0]);
    const Symbol key = this->key(node.operands[1]);
    const Value value = this->value(node.operands[2]);
    runtime_.set_child(above, key, value, span_of(node));
}

void Executor::run(Is<Kind::SetPath>, const Node& node, Nothing) {
    const Path path = this->path(node, 1);
    runtime_.check_base(path, span_of(node));
    const Value value = this->value(node.operands[0]);
    runtime_.set(path, value, span_of(node));
}

void Executor::run(Is<Kind::RemoveChild>, const Node& node, Nothing) {
    const NodeRef above = this->node(node.operands[0]);
    runtime_.remove_child(above, key(node.operands[1]), span_of(node));
}

void Executor::run(Is<Kind::RemovePath>, const Node& node, Nothing) {
    runtime_.remove(path(node), span_of(node));
}

// ---- data: computed even if the shape forbids the place; storing a leaf there then throws ------

void Executor::run(Is<Kind::PutChild>, const Node& node, Nothing) {
    const NodeRef above = this->node(node.operands[0]);
    const Symbol key = this->key(node.operands[1]);
    const Document document = data(node.operands[2], runtime_.allowed_below(above, key));
    runtime_.put_child(above, key, document, span_of(node));
}

void Executor::run(Is<Kind::PutPath>, const Node& node, Nothing) {
    const Path path = this->path(node, 1);
    const Document document = data(node.operands[0], runtime_.allowed_at(path, span_of(node)));
    runtime_.put(path, document, span_of(node));
}

Document Executor::run(Is<Kind::DataValue>, const Node& node, const Runtime::Allowed& place) {
    return runtime_.leaf(value(node.operands[0]), place);
}

Document Executor::run(Is<Kind::DataList>, const Node& node, const Runtime::Allowed& place) {
    Document document;
    document.kind = Document::Kind::Array;
    for (const form::Id element : node.operands) {
        const std::string name = std::to_string(document.members.size());
        const Symbol key = runtime_.symbols().intern(name);
        document.members.push_back({name, {}, data(element, runtime_.allowed_below(place, key))});
    }
    return document;
}

// If several members have the same key, the last value counts, in the place of the first.
Document Executor::run(Is<Kind::DataObject>, const Node& node, const Runtime::Allowed& place) {
    Document document;
    document.kind = Document::Kind::Object;
    for (const form::Id operand : node.operands) {
        Member made = member(operand, place);
        const auto same = std::find_if(document.members.begin(), document.members.end(),
                                       [&](const Member& each) { return each.key == made.key; });
        if (same != document.members.end()) {
            if (!CROUPIER_MISTAKE(FirstMemberCounts)) same->value = std::move(made.value);
        } else {
            document.members.push_back(std::move(made));
        }
    }
    return document;
}

Member Executor::run(Is<Kind::DataMember>, const Node& node, const Runtime::Allowed& place) {
    const Symbol key = this->key(node.operands[0]);
    std::string name(runtime_.symbols().text(key));
    Document below = data(node.operands[1], runtime_.allowed_below(place, key));
    return {std::move(name), {}, std::move(below)};
}

// ---- other statements ------------------------------------------------------------------------

void Executor::run(Is<Kind::Do>, const Node& node, Nothing) {
    slot(node.operands[0]);
}

void Executor::run(Is<Kind::If>, const Node& node, Nothing) {
    perform(node.blocks[truth(node.operands[0]) ? 0 : 1]);
}

PreparedCall& Executor::prepared(const Node& call) {
    PreparedCall& made = calls_[call.function()];
    const form::Node& written = walked_->written(call);
    if (made.node() != &written) made = PreparedCall(module_, function(), written);
    return made;
}

void Executor::run(Is<Kind::Call>, const Node& node, Nothing) {
    const form::CallInfo& info = module_.calls[node.function()];
    PreparedCall& call = prepared(node);
    const std::size_t begin = operands_.size();
    if (call.is_known()) {
        for (const form::Id operand : node.operands) {
            const bool is_value = at(operand).kind == Kind::ArgumentValue;
            operands_.push_back(is_value ? value(at(operand).operands[0]) : Value{});
        }
        if (call.run(runtime_, std::span(operands_).subspan(begin))) {
            operands_.resize(begin);
            return;
        }
    }
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const form::Id operand = node.operands[i];
        const bool has_value = call.is_known() && at(operand).kind == Kind::ArgumentValue;
        arguments.push_back(has_value ? Argument{.value = operands_[begin + i]}
                                      : argument(operand));
        arguments.back().name = info.arguments[at(operand).argument()];
    }
    operands_.resize(begin);
    Call(runtime_, info.function, arguments, span_of(node)).run();
}

Argument Executor::run(Is<Kind::ArgumentPath>, const Node& node, Nothing) {
    return {.is_path = true, .path = path(node)};
}

Argument Executor::run(Is<Kind::ArgumentValue>, const Node& node, Nothing) {
    return {.value = value(node.operands[0])};
}

void Executor::run(Is<Kind::Print>, const Node& node, Nothing) {
    std::string line;
    for (const form::Id part : node.operands)
        line += runtime_.text(value(part));
    if (log_ != nullptr) log_->line(line);
}

void Executor::run(Is<Kind::Before>, const Node& node, Nothing) {
    if (tells_entries_)
        observer_->change_begins(module_.notes[node.entry_note()], runtime_.state());
}

void Executor::run(Is<Kind::After>, const Node& node, Nothing) {
    if (tells_entries_) observer_->change_ends(module_.notes[node.entry_note()], runtime_.state());
}

// ---- declared nodes --------------------------------------------------------------------------

void Executor::run(Is<Kind::Ensure>, const Node& node, Nothing) {
    runtime_.ensure(instance(node), span_of(node));
}

void Executor::run(Is<Kind::Store>, const Node& node, Nothing) {
    const Value value = this->value(node.operands[0]);
    runtime_.store(instance(node, 1), value);
}

void Executor::run(Is<Kind::Erase>, const Node& node, Nothing) {
    runtime_.erase(instance(node));
}

// For the rows of the set (operand number `set`) writes the value to the instances in the innermost
// map, or erases them if it is null. The operands after it are the codes of the outer maps.
void Executor::write_rows(const Node& node, std::size_t set, const Value* value) {
    const std::span<const std::uint32_t> scales = node.place->scales;
    std::uint32_t first = 0;
    for (std::size_t i = set + 1; i < node.operands.size(); ++i) {
        const std::uint32_t code = this->code(node.operands[i]);
        if (code == 0) return;
        first += (code - 1) * scales[i - set - 1];
    }
    const Rows rows = this->rows(node.operands[set]);
    for (std::uint32_t word = 0; word < rows.size(); ++word) {
        for (std::uint64_t left = rows[word]; left != 0; left &= left - 1) {
            const std::uint32_t row =
                word * kWordRows + static_cast<std::uint32_t>(std::countr_zero(left));
            const NodeRef instance{node.place->schema, first + row};
            value != nullptr ? runtime_.store(instance, *value) : runtime_.erase(instance);
        }
    }
}

void Executor::run(Is<Kind::StoreRows>, const Node& node, Nothing) {
    const Value value = this->value(node.operands[0]);
    write_rows(node, 1, &value);
}

void Executor::run(Is<Kind::EraseRows>, const Node& node, Nothing) {
    write_rows(node, 0, nullptr);
}

} // namespace croupier::engine
