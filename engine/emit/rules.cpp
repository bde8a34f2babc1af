// Rules and groups: what is searched when, and what is done with what was found.
#include "engine/emit/emitter.h"

#include "engine/ir/effects.h"
#include "engine/ir/print.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::emit {

namespace {

// What follows it in a search may have several results.
bool is_loop(Kind kind) {
    return kind == Kind::EachRow || kind == Kind::EachChild || kind == Kind::Alternatives;
}

} // namespace

void Emitter::block(BlockId id) {
    const std::span<const Id> all = function_.blocks[id].statements;
    for (std::size_t i = 0; i < all.size();) {
        if (const std::size_t erased = erase_fields(all.subspan(i)); erased != 0) {
            i += erased;
        } else {
            statement(all[i++]);
        }
    }
}

// Its first line: what stands inside comes with the code for that.
void Emitter::show(Id id) {
    if (shows_) {
        std::string text = ir::statement_to_text(module_, function_, id, true);
        code_.comment(("; " + text.substr(0, text.find('\n'))).c_str());
    }
}

void Emitter::statement(Id id) {
    show(id);
    const At here(*this);
    const Node& node = at(id);
    go_to_entry_of(node);
    CROUPIER_PROBE(emission_.write(id));
    switch (node.kind) {
    case Kind::Group:
        group(id);
        return;
    case Kind::GroupBelow:
        // Where nobody asks for the root of the group, it need not be known.
        if (asks_for_root(node.blocks[0])) {
            perform(id);
        } else {
            block(node.blocks[0]);
        }
        return;
    case Kind::Apply:
        apply(id);
        return;
    case Kind::Let:
        set_variable(node.x, node.operands[0]);
        return;
    case Kind::Store:
        store(id);
        return;
    case Kind::Ensure:
        ensure(id);
        return;
    case Kind::Erase:
        erase(id);
        return;
    case Kind::StoreRows:
    case Kind::EraseRows:
        write_rows(id);
        return;
    case Kind::Call:
        spill(id);
        call(offsetof(Frame, call), id);
        return;
    case Kind::If:
        choose(node);
        return;
    case Kind::LetRows:
    case Kind::LetTouching:
    case Kind::LetCounts:
        make_rows(node);
        return;
    default:
        perform(id);
        return;
    }
}

void Emitter::choose(const Node& node) {
    if (node.y == 1) { // the other way is an error, which ends the function
        const Label otherwise = aside([this, &node] {
            block(node.blocks[1]);
            code_.jmp(thrown_);
        });
        jump(node.operands[0], false, otherwise);
        block(node.blocks[0]);
        return;
    }
    const Label otherwise = code_.newLabel();
    const Label end = code_.newLabel();
    jump(node.operands[0], false, otherwise);
    block(node.blocks[0]);
    code_.jmp(end);
    code_.bind(otherwise);
    block(node.blocks[1]);
    code_.bind(end);
}

bool Emitter::asks_for_root(BlockId block) const {
    const auto& statements = function_.blocks[block].statements;
    return std::any_of(statements.begin(), statements.end(),
                       [&](Id each) { return asks_for_root_in(each); });
}

bool Emitter::asks_for_root_in(Id id) const {
    const Node& node = at(id);
    switch (node.kind) {
    case Kind::Here:
        return true;
    case Kind::PathNode:
    case Kind::MakePath:
    case Kind::SetPath:
    case Kind::RemovePath:
    case Kind::PutPath:
    case Kind::ArgumentPath:
        if (node.y == 0) {
            return true;
        }
        break;
    default:
        break;
    }
    return std::any_of(node.operands.begin(), node.operands.end(),
                       [&](Id each) { return asks_for_root_in(each); }) ||
           std::any_of(node.blocks.begin(), node.blocks.end(),
                       [&](BlockId each) { return asks_for_root(each); });
}

void Emitter::group(Id id) {
    const Node& node = at(id);
    const GroupMode mode = module_.catalogue->groups[node.x].mode;
    const bool emitted = std::all_of(node.blocks.begin(), node.blocks.end(), [&](BlockId each) {
        const auto& rule = function_.blocks[each].statements;
        return rule.size() == 1 && at(rule[0]).kind == Kind::Apply;
    });
    if (mode == GroupMode::Agenda && emitted && emits_agenda(node)) {
        agenda(id);
        return;
    }
    if (mode == GroupMode::Agenda || (mode == GroupMode::AtOnce && !emitted)) {
        perform(id);
        return;
    }
    const RuleId outer = rule_;
    if (mode == GroupMode::AtOnce) {
        at_once(node);
        if (outer != kNone) {
            enter_rule(outer);
        }
        return;
    }
    const Node* const outer_group = std::exchange(group_, &node);
    const std::size_t outer_place = place_;
    std::vector<Label> begins;
    for (std::size_t i = 0; i <= node.blocks.size(); ++i) {
        begins.push_back(code_.newLabel());
    }
    begins.swap(begins_);
    std::size_t left_out = 0; // rules up to this can be left out together
    for (place_ = 0; place_ < node.blocks.size(); ++place_) {
        if (outer == kNone) {
            here_.reset();
        }
        code_.bind(begins_[place_]);
        if (place_ >= left_out) {
            left_out = leave_out(place_);
        }
        for (const Id each : function_.blocks[node.blocks[place_]].statements) {
            if (at(each).kind != Kind::Apply) {
                go_to({rules_that_read(node, place_, at(each))});
            }
            statement(each);
        }
    }
    code_.bind(begins_[place_]);
    begins.swap(begins_);
    group_ = outer_group;
    place_ = outer_place;
    if (outer != kNone && !CROUPIER_MISTAKE(RuleOfInnerGroup)) {
        enter_rule(outer);
    }
}

void Emitter::enter_rule(RuleId rule) {
    rule_ = rule;
    go_to(rule == kNone ? Origin{} : Origin{{rule}});
}

// What follows in the loop reads nothing of the state, and has a match for each row.
bool Emitter::is_bare(BlockId loop) const {
    const auto& body = function_.blocks[loop].statements;
    const Node& yield = at(body.back());
    return yield.kind == Kind::Yield &&
           std::all_of(yield.operands.begin(), yield.operands.end(),
                       [&](Id each) { return at(each).kind == Kind::Variable; }) &&
           std::all_of(body.begin(), body.end() - 1, [&](Id each) {
               return at(each).kind == Kind::Let && ir::is_total(function_, at(each).operands[0]) &&
                      ir::effects_of(module_, function_, at(each).operands[0]).reads.empty();
           });
}

// A search without loops finds one match at most, and of a rule with `first` no other one counts.
// One that is a loop over a set and nothing else has all its matches in the set before the first is
// acted on.
Emitter::Mode Emitter::mode_of(const Node& apply) const {
    if (module_.catalogue->rules[apply.x].first && !CROUPIER_MISTAKE(FirstFindsAll)) {
        return Mode::Once;
    }
    for (const Id id : function_.blocks[apply.blocks[0]].statements) {
        const Node& node = at(id);
        if (is_loop(node.kind)) {
            const bool at_once = node.kind == Kind::EachRow &&
                                 (is_bare(node.blocks[0]) || CROUPIER_MISTAKE(ActsAtOnceAlways));
            return at_once ? Mode::Rows : Mode::Buffered;
        }
    }
    return Mode::Once;
}

void Emitter::apply(Id id) {
    const Node& node = at(id);
    const RulePlan& rule = module_.catalogue->rules[node.x];
    enter_rule(node.x);
    const bool repeats = rule.repeat != 1;
    const Mode mode = mode_of(node);
    const Label none = code_.newLabel();
    const Label end = code_.newLabel();
    const Label again = code_.newLabel();
    const Gp found = new64();
    const Gp rounds = new64();
    if (repeats) {
        code_.xor_(rounds.r32(), rounds.r32());
        code_.bind(again);
    }
    if (takes_rows(node)) {
        search(node.blocks[0], none,
               [&](const Node& yield, Label next) { take_rows(node, yield, found, next); });
        act_on_rows(node, found);
        code_.jmp(beyond(node.blocks[1], end));
        code_.bind(none);
        act_otherwise(node);
        code_.bind(end);
        return;
    }
    if (mode == Mode::Once) {
        once(node, none);
    } else {
        code_.xor_(found.r32(), found.r32());
        if (mode == Mode::Rows) {
            rows(node, found);
        } else {
            const Gp begin = new64();
            collect(node, begin, found);
            act(node, begin, found);
            code_.mov(in_frame(offsetof(Frame, buffer_used)), begin);
        }
        code_.test(found, found);
        code_.jz(none);
    }
    if (repeats) {
        code_.inc(rounds);
        code_.cmp(rounds, rule.repeat);
        code_.jb(again);
    }
    const bool ends_here = !repeats && rule.source->otherwise.kind == Action::Kind::None;
    if (!ends_here) {
        code_.jmp(end);
    }
    code_.bind(none);
    if (repeats) { // only if there never was one
        code_.test(rounds, rounds);
        if (!CROUPIER_MISTAKE(ElseAfterRounds)) code_.jnz(end);
    }
    act_otherwise(node);
    code_.bind(end);
}

void Emitter::act_otherwise(const Node& apply) {
    const At here(*this);
    go_to_part(Origin::Part::Action);
    if (module_.catalogue->rules[apply.x].source->otherwise.kind != Action::Kind::None) {
        count_firing();
        block(apply.blocks[2]);
    }
}

// One more match; `found` with it.
void Emitter::count_match(const Gp& found) {
    const Label over = aside([this] {
        call(offsetof(Frame, too_many_matches), 0);
        code_.jmp(thrown_);
    });
    code_.inc(found);
    code_.cmp(found, counter(offsetof(Counters, most_matches)));
    CROUPIER_MISTAKE(LastMatchRefused) ? code_.jae(over) : code_.ja(over);
    code_.add(counter(offsetof(Counters, matches)), 1);
}

// The first, of a rule that finds no other: one there may be.
void Emitter::count_only_match() {
    code_.inc(counter(offsetof(Counters, matches)));
}

// So many at once.
void Emitter::count_matches(const Gp& found) {
    const Label over = aside([this] {
        const Gp most = new64();
        code_.mov(most, counter(offsetof(Counters, most_matches)));
        code_.add(counter(offsetof(Counters, matches)), most);
        call(offsetof(Frame, too_many_matches), 0);
        code_.jmp(thrown_);
    });
    code_.cmp(found, counter(offsetof(Counters, most_matches)));
    code_.ja(over);
    code_.add(counter(offsetof(Counters, matches)), found);
}

// One more of what a run counts; `helper` ends it where that is more than the bound.
void Emitter::count_up(std::size_t count, std::size_t most, std::size_t helper) {
    const Label over = aside([this, helper] {
        call(helper, 0);
        code_.jmp(thrown_);
    });
    const Gp counted = new64();
    code_.mov(counted, counter(count));
    code_.inc(counted);
    code_.mov(counter(count), counted);
    code_.cmp(counted, counter(most));
    code_.ja(over);
}

void Emitter::count_firing() {
    count_up(offsetof(Counters, firings), offsetof(Counters, most_firings),
             offsetof(Frame, too_many_firings));
}

// An action that does nothing is no firing.
void Emitter::fire(const Node& apply) {
    if (module_.catalogue->rules[apply.x].source->action.kind == Action::Kind::None) {
        return;
    }
    const At here(*this);
    go_to_part(Origin::Part::Action);
    if (!(CROUPIER_MISTAKE(RowsAreNoFirings) && mode_of(apply) == Mode::Rows)) count_firing();
    block(apply.blocks[1]);
}

void Emitter::once(const Node& apply, Label none) {
    const auto& statements = function_.blocks[apply.blocks[0]].statements;
    const bool has_loop = std::any_of(statements.begin(), statements.end(),
                                      [&](Id each) { return is_loop(at(each).kind); });
    const Label found_one = code_.newLabel();
    search(apply.blocks[0], none, [&](const Node& yield, Label) {
        count_only_match();
        keep_match(apply, yield);
        if (has_loop) {
            code_.jmp(found_one);
        }
    });
    if (has_loop) {
        code_.bind(found_one);
    }
    fire(apply);
}

// Not for `first`. The set is whole, and its rows are counted, before the first of them is acted
// on.
void Emitter::rows(const Node& apply, const Gp& found) {
    const Label end = code_.newLabel();
    counted_ = found;
    counted_loop_ = &at(function_.blocks[apply.blocks[0]].statements.back());
    const std::vector<SchemaId> maps = count_along(apply.blocks[1]);
    search(apply.blocks[0], end, [&](const Node& yield, Label next) {
        set_match(apply, yield);
        fire(apply);
        code_.jmp(next);
    });
    stop_counting(maps);
    code_.bind(end);
}

} // namespace croupier::engine::emit
