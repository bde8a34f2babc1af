// A sequential group as one piece of code: its rules one after the other, without a return between
// them. Rules that add whole masks of rows, and those that match at most once, run inside it; all
// others are applied from it.
#include "engine/plan/chain.h"

#include "engine/plan/compiler.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

#include <algorithm>
#include <utility>

namespace croupier::engine {

namespace {

// `path.$C: true` and nothing else: the keys down to the map, and the variable.
struct Addition {
    std::vector<const KeyTemplate*> path;
    std::string variable;
};

std::optional<Addition> addition(const Action& action) {
    if (action.kind != Action::Kind::Tree) {
        return std::nullopt;
    }
    Addition found;
    const ActionNode* node = &action.tree;
    while (node->kind == ActionKind::Object) {
        if (node->entries.size() != 1 || node->entries[0].kind != ActionKeyKind::Name) {
            return std::nullopt;
        }
        const ActionEntry& entry = node->entries[0];
        node = &entry.node;
        if (node->kind == ActionKind::Set && entry.key.is_variable()) {
            found.variable = entry.key.parts[0].text;
        } else {
            found.path.push_back(&entry.key);
        }
    }
    const bool sets_true = node->kind == ActionKind::Set && node->expr.op == ExprOp::Literal &&
                           node->expr.literal == Scalar(true);
    return sets_true && !found.variable.empty() ? std::optional(found) : std::nullopt;
}

bool runs_groups(const ActionNode& node) {
    return std::any_of(node.entries.begin(), node.entries.end(), [](const ActionEntry& entry) {
        return entry.kind == ActionKeyKind::Rules || runs_groups(entry.node);
    });
}

bool has_loop(const std::vector<Step>& steps) {
    return first_loop(steps) < steps.size();
}

// The place of the last Each; the number of steps if there is none.
std::size_t last_loop(const std::vector<Step>& steps) {
    for (std::size_t at = steps.size(); at-- > 0;) {
        if (steps[at].kind == Step::Kind::Each) {
            return at;
        }
    }
    return steps.size();
}

// One of the moves, done in their order, changes what a later one moves.
bool overwrites(const std::vector<Chained::Move>& moves) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
        for (std::size_t j = i + 1; j < moves.size(); ++j) {
            if (moves[i].to == moves[j].from) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

// ---- what each rule can be -------------------------------------------------------------------

Chained Compiler::chained(const Rule& rule, RuleId id) {
    Chained made;
    made.rule = &rule;
    made.id = id;
    if (rule.otherwise.kind != Action::Kind::None) {
        return made;
    }
    const Registers names = names_;
    const auto cached = cached_;
    note(rule.span);
    rule_ = id;
    bool lowered = true;
    if (const auto wanted = addition(rule.action)) {
        wish_ = {wanted->variable, domain_of_set(wanted->path)};
    }
    if (rule.condition) {
        auto steps = lower(*rule.condition);
        lowered = steps.has_value();
        made.steps = lowered ? std::move(*steps) : lower_beginning(*rule.condition);
    }
    wish_ = {};
    if (drop_known(made)) {
        CROUPIER_REACHED(NeverMatches);
        made.kind = Chained::Kind::Never;
        made.steps.clear();
        cached_ = cached; // nothing is read for it
        return made;
    }
    if (lowered && rule.repeat <= 1) {
        if (!rule.first && (add_rows(made) || add_inner(made) || add_clear(made))) {
            return made;
        }
        if (add_action(made) || add_group(made)) {
            return made;
        }
    }
    keep_guard(made);
    if (made.steps.empty()) {
        names_ = names;
        cached_ = cached;
    }
    return made;
}

// The domain of the set at the path; 0: there is none.
std::uint32_t Compiler::domain_of_set(const std::vector<const KeyTemplate*>& path) const {
    SchemaId set = 0;
    for (const KeyTemplate* key : path) {
        const SchemaNode& node = program_.layout->node(set);
        if (node.kind == ShapeKind::Map && node.domain != 0) {
            set = node.element;
            continue;
        }
        set = key->is_name() && node.kind == ShapeKind::Record
                  ? node.field(program_.symbols.find(key->parts[0].text))
                  : kNoSchema;
        if (set == kNoSchema) {
            return 0;
        }
    }
    const SchemaNode& node = program_.layout->node(set);
    return node.kind == ShapeKind::Map ? node.domain : 0;
}

// Drops tests that always hold; true if one never does, before anything that could end in an error.
bool Compiler::drop_known(Chained& made) const {
    const auto known = [&](const Step& step) {
        const bool expression =
            step.kind == Step::Kind::Test && step.leaf.kind == PatternKind::Expression;
        return expression && program_.exprs[step.leaf.expr].op == ExprOp::Literal
                   ? program_.exprs[step.leaf.expr].literal
                   : Value{};
    };
    for (const Step& step : made.steps) {
        if (const Value value = known(step); value.tag == Tag::Bool && !value.truth()) {
            return true;
        }
        if (!is_pure(step) && known(step).tag == Tag::None && !CROUPIER_PLANTED(KnownPastErrors)) {
            break;
        }
    }
    std::erase_if(made.steps, [&](const Step& step) {
        const Value value = known(step);
        const bool holds = value.tag == Tag::Bool && value.truth();
        CROUPIER_REACHED_IF(holds, TestThatHolds);
        return holds;
    });
    return false;
}

// Of a rule that is applied as it is, the tests at its beginning: where they fail it cannot match.
void Compiler::keep_guard(Chained& made) const {
    const auto end = std::find_if(made.steps.begin(), made.steps.end(), [&](const Step& step) {
        return step.kind == Step::Kind::Each || !is_pure(step);
    });
    made.steps.erase(end, made.steps.end());
    CROUPIER_REACHED_IF(!made.steps.empty(), GuardedRule);
}

// A loop whose tests its mask can do, and an action that adds its rows to a set; around it may be
// others.
bool Compiler::add_rows(Chained& made) {
    const auto wanted = addition(made.rule->action);
    const std::size_t at = last_loop(made.steps);
    if (!wanted || at == made.steps.size()) {
        return false;
    }
    const Step& loop = made.steps[at];
    const auto variable = bound_.find(wanted->variable);
    if (variable == bound_.end() || variable->second != loop.reg ||
        !split(made.steps, at).rest.empty()) {
        return false;
    }
    Site site;
    site.schema = 0;
    std::vector<Step> rows;
    for (const KeyTemplate* key : wanted->path) {
        const Site above = site;
        if (!child_site(above, *key, site, rows)) {
            return false;
        }
    }
    if (!rows.empty() || site.constant || site.terms.size() > 1 || site.depends_on(loop.reg)) {
        return false;
    }
    const SchemaNode& map = program_.layout->node(site.schema);
    if (map.kind != ShapeKind::Map || map.column == Column::Arena ||
        !is_prefix(loop.domain, map.domain)) {
        return false;
    }
    const SchemaNode& element = program_.layout->node(map.element);
    if (element.kind != ShapeKind::Unit || !loops_are_safe(made, first_loop(made.steps) < at)) {
        return false;
    }
    CROUPIER_REACHED(RowsInChain);
    made.kind = Chained::Kind::Rows;
    made.target = site;
    return true;
}

// If there are loops: whether the rule may act on each match before the others are found.
bool Compiler::loops_are_safe(Chained& made, bool loops) const {
    const auto most = most_matches(made.steps);
    if (loops && (!most || !acts_apart(made.steps, made.rule->action))) {
        return false;
    }
    made.most = loops ? *most : 1;
    return true;
}

// At most one match, and a group of rules that belong into the same piece of code.
bool Compiler::add_inner(Chained& made) {
    if (made.rule->action.kind != Action::Kind::Group || has_loop(made.steps) ||
        made.rule->action.group->mode != GroupMode::Sequential) {
        return false;
    }
    const Registers bound = bound_;
    const std::vector<RuleId> ids = inner_ids(made.id);
    const auto& rules = made.rule->action.group->rules;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        bound_ = bound;
        made.inner.push_back(chained(rules[i], ids[i]));
        if (made.inner.back().is_barrier()) {
            made.inner.clear();
            bound_ = bound;
            return false;
        }
    }
    bound_ = bound;
    CROUPIER_REACHED(GroupInChain);
    made.kind = Chained::Kind::Inner;
    return true;
}

// At most one match, and `key: @remove` of a declared key of the root.
bool Compiler::add_clear(Chained& made) const {
    const Action& action = made.rule->action;
    if (action.kind != Action::Kind::Tree || action.tree.kind != ActionKind::Object ||
        action.tree.entries.size() != 1 || has_loop(made.steps)) {
        return false;
    }
    const ActionEntry& entry = action.tree.entries[0];
    if (entry.kind != ActionKeyKind::Name || entry.node.kind != ActionKind::Remove ||
        !entry.key.is_name() || program_.layout->node(0).kind != ShapeKind::Record) {
        return false;
    }
    const Symbol name = program_.symbols.intern(entry.key.parts[0].text);
    const SchemaId schema = program_.layout->node(0).field(name);
    if (program_.has_constant(name) || schema == kNoSchema ||
        program_.layout->node(schema).column == Column::Arena) {
        return false;
    }
    CROUPIER_REACHED(RemovalInChain);
    made.kind = Chained::Kind::Clear;
    made.target.schema = schema;
    return true;
}

// A plain action.
bool Compiler::add_action(Chained& made) {
    if (made.rule->action.kind != Action::Kind::Tree || runs_groups(made.rule->action.tree) ||
        !loops_are_safe(made, has_loop(made.steps) && !made.rule->first)) {
        return false;
    }
    CROUPIER_REACHED_IF(made.most > 1, ActionsInLoop);
    CROUPIER_REACHED_IF(made.most <= 1, ActionInChain);
    made.kind = Chained::Kind::Act;
    made.known = {bound_, domain_of_, literal_of_};
    return true;
}

// At most one match, and a group of rules, whose code looks for variables where the rule by itself
// has them.
bool Compiler::add_group(Chained& made) {
    if (made.rule->action.kind != Action::Kind::Group ||
        (has_loop(made.steps) && !made.rule->first)) {
        return false;
    }
    for (const Variable& variable : program_.rules[made.id].variables) {
        const auto from = bound_.find(variable.name);
        if (from == bound_.end()) {
            return false;
        }
        made.moves.push_back({variable.reg, from->second});
        from->second = variable.reg;
    }
    made.known.bound = bound_;
    const auto keeps = [&](const Chained::Move& move) { return move.to == move.from; };
    std::erase_if(made.moves, keeps);
    if (overwrites(made.moves) && !CROUPIER_PLANTED(MovesOverwrite)) {
        CROUPIER_REACHED(MovesTurned);
        std::reverse(made.moves.begin(), made.moves.end());
    }
    if (overwrites(made.moves) && !CROUPIER_PLANTED(MovesOverwrite)) {
        made.moves.clear();
        return false;
    }
    CROUPIER_REACHED(GroupByItself);
    CROUPIER_REACHED_IF(!made.moves.empty(), VariablesMoved);
    made.kind = Chained::Kind::Act;
    made.has_own_code = true;
    return true;
}

// The rules of the group that is the whole action of a rule.
std::vector<RuleId> Compiler::inner_ids(RuleId id) const {
    const Op& op = program_.code[program_.rules[id].action];
    return program_.groups[op.x].rules;
}

// ---- code ------------------------------------------------------------------------------------

void Compiler::compile_chain(const Group& group, GroupId id) {
    next_value_ = 1;
    next_node_ = 0;
    next_cursor_ = 0;
    root_ = new_node();
    nested_root_ = false;
    names_.clear();
    bound_.clear();
    domain_of_.clear();
    literal_of_.clear();
    emit_segments(group, id);
    bound_.clear();
}

// Of a group in an action, whose rules see the variables of the rule around it. `names` are those
// that had registers before the group was compiled rule by rule.
void Compiler::compile_inner_chain(const Group& group, GroupId id, const Registers& names) {
    if (nested_root_ || !options_.rows || options_.observed ||
        group.mode != GroupMode::Sequential) {
        return;
    }
    Scope outer = scope();
    names_ = names;
    const RuleId rule = rule_;
    const Label fail = fail_;
    const Label own_fail = own_fail_;
    emit_segments(group, id);
    own_fail_ = own_fail;
    fail_ = fail;
    rule_ = rule;
    restore(std::move(outer));
}

void Compiler::emit_segments(const Group& group, GroupId id) {
    Scope around = scope();
    around.fresh.clear();
    pending_acts_.clear();
    const auto begin = static_cast<std::uint32_t>(program_.code.size());
    std::size_t next = 0;
    while (next < group.rules.size()) {
        // A segment ends with the first rule that may change what the others have read.
        std::vector<Chained> segment;
        caching_ = true;
        cached_.clear();
        do {
            restore(around);
            segment.push_back(chained(group.rules[next], program_.groups[id].rules[next]));
            ++next;
        } while (next < group.rules.size() && !segment.back().is_barrier());
        caching_ = false;
        const Label end = new_label();
        fail_ = own_fail_ = end;
        emit_cached();
        emit_chain(segment, end);
        place(end);
    }
    cached_.clear(); // its registers are the next rules' to use
    fail_ = own_fail_ = new_label();
    place(fail_);
    emit(OpCode::Done);
    resolve_labels(begin);
    tighten(begin);
    program_.groups[id].chain = begin;
    const std::vector<PendingAct> acts = std::exchange(pending_acts_, {});
    const std::size_t end = program_.code.size();
    for (std::size_t pc = begin; pc < end; ++pc) {
        if (program_.code[pc].code == OpCode::Act) {
            const PendingAct& act = acts[program_.code[pc].x];
            if (act.code != kNone) {
                program_.code[pc].x = act.code;
                continue;
            }
            bound_ = act.known.bound;
            domain_of_ = act.known.domain_of;
            literal_of_ = act.known.literal_of;
            rule_ = act.rule;
            const std::uint32_t code = compile_action(program_.rules[act.rule].source->action);
            program_.code[pc].x = code;
        }
    }
}

// Columns that the segment's rules read, once for all of them.
void Compiler::emit_cached() {
    for (const auto& [schema, reg] : cached_) {
        CROUPIER_REACHED(ColumnReadOnce);
        const std::uint32_t table = code_table(schema);
        Op& op = emit(OpCode::ReadCode);
        op.a = reg;
        op.b = op.c = kZeroRow;
        op.x = program_.layout->node(schema).values;
        op.y = table;
    }
}

// The place among the steps of the test that a set is absent; only where nothing before it can fail
// in an error, so that it may be done first.
std::optional<std::size_t> Compiler::guard(const Chained& each, SchemaId set) const {
    for (std::size_t i = 0; i < each.steps.size(); ++i) {
        const Step& step = each.steps[i];
        if (step.kind == Step::Kind::Absent && only_node_at(step.site) == set) {
            CROUPIER_REACHED(AbsenceFirst);
            return i;
        }
        if (!is_pure(step) && !CROUPIER_PLANTED(AbsencePastErrors)) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

// The schema, if only one node is of it: then the schema says which node it is.
SchemaId Compiler::only_node_at(const Site& site) const {
    const bool only = !site.constant && (program_.layout->node(site.schema).instances == 1 ||
                                         CROUPIER_PLANTED(AnyNodeIsTheOnly));
    return only ? site.schema : kNoSchema;
}

// The set to which all rules of the list add that add to any; it decides who is passed over.
SchemaId Compiler::common_target(const std::vector<Chained>& rules) const {
    SchemaId target = kNoSchema;
    for (const Chained& each : rules) {
        SchemaId own = kNoSchema;
        if (each.kind == Chained::Kind::Rows) {
            own = only_node_at(each.target);
        } else if (each.kind == Chained::Kind::Inner) {
            own = common_target(each.inner);
        }
        if (own != kNoSchema && target != kNoSchema && own != target) {
            return kNoSchema;
        }
        target = own == kNoSchema ? target : own;
    }
    return target;
}

// The rules in order; `end` is where the last one leads. A rule that waits for the set to be absent
// is passed over by those before it that have added to the set, and is entered behind its test by a
// rule that has made the same test and then failed.
void Compiler::emit_chain(const std::vector<Chained>& rules, Label end) {
    const SchemaId set = common_target(rules);
    const std::size_t n = rules.size();
    std::vector<std::optional<std::size_t>> guards(n);
    std::vector<Label> entries(n + 1, end);
    std::vector<Label> behind(n + 1, end);
    for (std::size_t i = 0; i < n; ++i) {
        guards[i] = set == kNoSchema ? std::nullopt : guard(rules[i], set);
        entries[i] = new_label();
        behind[i] = guards[i] ? new_label() : entries[i];
    }
    std::vector<Label> when_added(n, end);
    for (std::size_t i = n; i-- > 0;) {
        if (i + 1 < n) {
            when_added[i] = guards[i + 1] ? when_added[i + 1] : entries[i + 1];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        const Chained& each = rules[i];
        std::vector<Step> steps = each.steps;
        place(entries[i]);
        rule_ = each.id;
        fail_ = own_fail_ = entries[i + 1];
        if (guards[i]) {
            fail_ = own_fail_ = when_added[i];
            emit_presence(steps[*guards[i]], false);
            steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(*guards[i]));
            place(behind[i]);
            fail_ = own_fail_ = behind[i + 1];
        }
        const bool adds_to_set =
            each.kind == Chained::Kind::Rows && only_node_at(each.target) == set;
        emit_rule(each, std::move(steps), entries[i + 1],
                  adds_to_set ? when_added[i] : entries[i + 1]);
    }
}

// `next` is where a rule leads, `added` where one does that has added rows. Rules that act on each
// match before they have found the others do so while no budget can end them in between.
void Compiler::emit_rule(const Chained& each, std::vector<Step> steps, Label next, Label added) {
    const bool loops = each.most > 1;
    const Label by_itself = loops ? new_label() : next;
    const bool may_fail =
        std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return !is_pure(step); });
    if (may_fail) {
        emit(OpCode::Enter).y = each.id;
    }
    if (loops) {
        // The rule by itself takes the first steps again: not those that could tell, by an error or
        // a draw.
        const auto first = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
            return step.kind == Step::Kind::Each || !is_pure(step);
        });
        emit_before(steps, static_cast<std::size_t>(first - steps.begin()));
        steps.erase(steps.begin(), first);
        own_fail_ = by_itself;
        emit(OpCode::Within).y = each.most;
        fail_ = own_fail_ = next; // it may have acted by then
    }
    switch (each.kind) {
    case Chained::Kind::Rows:
        emit_rows_rule(each, steps, added);
        break;
    case Chained::Kind::Inner:
        emit_steps(steps, 0);
        emit(OpCode::Fired).y = each.id;
        emit_chain(each.inner, next);
        break;
    case Chained::Kind::Clear: {
        emit_steps(steps, 0);
        Op& op = emit(OpCode::Clear);
        op.x = 0;
        op.y = each.target.schema;
        op.note = each.id; // whose match and firing it is
        jump(next);
        break;
    }
    case Chained::Kind::Act:
        emit_act(each, steps, next);
        break;
    case Chained::Kind::Apply:
        emit_steps(steps, 0);
        emit(OpCode::Apply).y = each.id;
        break;
    case Chained::Kind::Never:
        break;
    }
    if (loops) {
        place(by_itself);
        emit(OpCode::Apply).y = each.id;
    }
}

void Compiler::emit_act(const Chained& each, const std::vector<Step>& steps, Label next) {
    emit_steps(steps, 0);
    for (const Chained::Move& move : each.moves) {
        const std::uint32_t any = type({});
        Op& op = emit(OpCode::Bind);
        op.a = move.to;
        op.b = move.from;
        op.x = any;
    }
    Op& op = emit(OpCode::Act);
    op.x = static_cast<std::uint32_t>(pending_acts_.size());
    op.y = each.id;
    const std::uint32_t own = each.has_own_code ? program_.rules[each.id].action : kNone;
    pending_acts_.push_back({each.id, each.known, own});
    jump(each.most > 1 ? fail_ : next);
}

// `next` is where those go on that have added rows.
void Compiler::emit_rows_rule(const Chained& each, std::vector<Step> steps, Label next) {
    std::size_t loop = first_loop(steps);
    while (last_loop(steps) != loop) {
        CROUPIER_REACHED(RowsInLoops);
        emit_before(steps, loop);
        Masked masked = emit_mask(steps, loop);
        emit_loop(steps[loop], masked.word);
        steps = std::move(masked.rest);
        loop = first_loop(steps);
        next = fail_;
    }
    emit_before(steps, loop);
    if (words_of(steps[loop]) > 1) {
        emit_words_rule(each, steps, loop, next);
        return;
    }
    emit_mask(steps, loop);
    emit_addition(OpCode::OrRows, each, next).c = kZeroRow;
}

// Of several words the masks are all there before the first row is added.
void Compiler::emit_words_rule(const Chained& each, const std::vector<Step>& steps,
                               std::size_t loop, Label next) {
    CROUPIER_REACHED(RowsOfWords);
    const std::uint32_t words = words_of(steps[loop]);
    const std::uint16_t kept = new_cursor();
    for (std::uint32_t i = 1; i < words; ++i) {
        new_cursor();
    }
    const Label outer = fail_;
    const Label done = new_label();
    fail_ = own_fail_ = done;
    const std::uint16_t word = emit_mask(steps, loop, kept).word;
    Op& keep = emit(OpCode::KeepMask);
    keep.a = word;
    keep.c = kept;
    place(done);
    Op& op = emit_addition(OpCode::OrWords, each, next);
    op.c = kept;
    op.t = words;
    fail_ = own_fail_ = outer;
    jump(outer);
}

Op& Compiler::emit_addition(OpCode code, const Chained& each, Label next) {
    const SchemaNode& map = program_.layout->node(each.target.schema);
    const SchemaNode& element = program_.layout->node(map.element);
    Op& op = emit_at(code, each.target, element.presence, 8 * element.words, false);
    op.y = each.target.schema;
    op.note = each.id; // whose matches and firings they are
    op.fail = next;
    return op;
}

} // namespace croupier::engine
