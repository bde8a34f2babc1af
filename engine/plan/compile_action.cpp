// Actions to plans: straight lines of changes, addressed by path so that they survive removals.
#include "engine/plan/compiler.h"
#include "engine/plan/planted.h"

#include <string>
#include <utility>

namespace croupier::engine {

// A node of the tree that an action describes, by its path. Its register holds the node from when
// it is made until an entry may have removed it; from then on entries act by the path.
struct Compiler::Place {
    Place* above = nullptr; // of a child: the place that its entry stands in
    PathPlan path;
    std::optional<Site> site; // where that is, if it is declared and known
    std::uint16_t reg = kNoRegister;
    std::uint32_t epoch = 0;
    std::uint32_t ensured = 0; // the epoch in which the node at `site` was made to be there
};

// What the place hangs below is known to be there.
bool Compiler::hangs(const Place& place) const {
    return place.above != nullptr && place.above->site &&
           (place.above->site->schema == 0 || place.above->ensured == epoch_ ||
            (place.above->ensured != 0 && CROUPIER_PLANTED(ParentStaysForEver)));
}

// The state's root is always there.
bool Compiler::is_at_hand(const Place& place) const {
    const bool is_state_root = place.path.segments.empty() && place.path.up == 0 &&
                               (place.path.from_state || !nested_root_);
    return is_state_root || (place.reg != kNoRegister && place.epoch == epoch_);
}

// The register of the node, which is made if it is missing.
std::uint16_t Compiler::reg_of(Place& place) {
    if (is_at_hand(place)) {
        return place.reg == kNoRegister ? kStateRoot : place.reg;
    }
    const bool below_another = place.above != nullptr && is_at_hand(*place.above);
    const std::uint16_t above = below_another ? reg_of(*place.above) : kNoRegister;
    if (place.reg == kNoRegister) {
        place.reg = new_node();
    }
    place.epoch = epoch_;
    if (below_another) {
        const auto [plain, operand] = last_key(place);
        Op& op = emit(plain ? OpCode::MakeChild : OpCode::MakeChildKey);
        op.a = place.reg;
        op.b = above;
        op.x = operand;
    } else {
        const std::uint32_t where = path(place.path);
        Op& op = emit(OpCode::MakePath);
        op.a = place.reg;
        op.x = where;
    }
    return place.reg;
}

// Of a place below another: true and the symbol of its key, or false and the key that gives it.
std::pair<bool, std::uint32_t> Compiler::last_key(const Place& place) const {
    const std::uint32_t last = place.path.segments.back();
    const KeyPlan& plan = program_.keys[last];
    const bool plain = plan.parts.size() == 1 && plan.parts[0].reg == kNoRegister;
    return {plain, plain ? plan.parts[0].text : last};
}

std::uint32_t Compiler::compile_action(const Action& action) {
    if (action.kind == Action::Kind::None) {
        return kNone;
    }
    const std::size_t begin = program_.code.size();
    const std::vector<PendingGroup> outer_pending = std::exchange(pending_, {});
    note(action.span);
    own_fail_ = kNoTarget;
    if (action.kind == Action::Kind::Group) {
        pending_.push_back({program_.code.size(), action.group.get(), root_});
        emit(OpCode::RunHere);
    } else {
        ++epoch_;
        Place root;
        if (!nested_root_) {
            root.site = state_root();
        }
        tree(action.tree, root);
    }
    emit(OpCode::End);
    resolve_labels(begin);
    // The groups that it runs have code of their own, which must not stand in its way.
    for (const PendingGroup& group : std::exchange(pending_, outer_pending)) {
        const bool own_root = program_.code[group.op].code == OpCode::Run;
        const bool outer_nested = std::exchange(nested_root_, nested_root_ || own_root);
        const GroupId made = compile_group(*group.group, group.root);
        nested_root_ = outer_nested;
        program_.code[group.op].x = made;
    }
    return static_cast<std::uint32_t>(begin);
}

void Compiler::tree(const ActionNode& node, Place& place) {
    bool changes = false;
    for (const ActionEntry& each : node.entries) {
        changes =
            changes || (each.kind != ActionKeyKind::Print && each.kind != ActionKeyKind::Call);
    }
    if (emit_ensure(place.site, hangs(place))) {
        place.ensured = epoch_;
    } else {
        const std::uint16_t reg = reg_of(place);
        if (changes) {
            emit(OpCode::Inner).a = reg;
        }
    }
    for (const ActionEntry& each : node.entries) {
        action_entry(each, place);
    }
}

void Compiler::action_entry(const ActionEntry& each, Place& place) {
    const std::uint32_t here = note(each.span);
    // Entries that descend are watched through those below them.
    const bool descends = each.node.kind == ActionKind::Object && !each.node.entries.empty();
    const bool watched = options_.observed && each.kind != ActionKeyKind::Print &&
                         each.kind != ActionKeyKind::Rules && !descends;
    if (watched) {
        emit(OpCode::Before).x = here;
    }
    Place below;
    Place* target = &below;
    switch (each.kind) {
    case ActionKeyKind::Name:
        below.above = &place;
        below.site = site_below(place.site, each.key);
        below.path = place.path;
        below.path.segments.push_back(key(each.key));
        break;
    case ActionKeyKind::Parent:
        if (place.above != nullptr) {
            target = place.above;
            break;
        }
        below.path = place.path;
        if (below.path.segments.empty()) {
            ++below.path.up;
        } else {
            below.path.segments.pop_back();
        }
        break;
    case ActionKeyKind::Root:
        below.path.from_state = true;
        below.site = state_root();
        break;
    case ActionKeyKind::Path:
        below.path = path_plan(each.path);
        break;
    case ActionKeyKind::Rules: {
        const std::uint16_t reg = reg_of(place);
        // A register of its own: the group's rules look for their root again and again.
        const std::uint16_t root = new_node();
        pending_.push_back({program_.code.size(), each.group.get(), root});
        emit(OpCode::Run).a = reg;
        ++epoch_;
        return;
    }
    case ActionKeyKind::Call:
        call(each);
        break;
    case ActionKeyKind::Print:
        print(each);
        return;
    }
    if (each.kind != ActionKeyKind::Call) {
        std::vector<Step> steps;
        const auto member = target == &below && !below.site
                                ? child_by_member(place.site, each, steps)
                                : std::nullopt;
        if (member) {
            change_member(each, below, *member, steps[0]);
        } else {
            change(each.node, *target);
        }
        if (each.kind != ActionKeyKind::Name) {
            ++epoch_; // it may have removed what we stand in
        }
    }
    if (watched) {
        emit(OpCode::After).x = here;
    }
}

// Where the key is a member of the map's domain the short way, else the general one. Neither
// touches what is known of the places above, but by raising the epoch.
void Compiler::change_member(const ActionEntry& entry, Place& target, const Site& member,
                             const Step& row) {
    const Label no_member = new_label();
    const Label after = new_label();
    Op& op = emit(OpCode::RowOr);
    op.a = row.reg;
    op.b = row.source;
    op.x = row.domain;
    op.fail = no_member;
    Place known = target;
    known.site = member;
    change(entry.node, known);
    jump(after);
    place(no_member);
    note(entry.span); // entries below have had theirs
    change(entry.node, target);
    place(after);
}

void Compiler::change(const ActionNode& node, Place& place) {
    if (node.kind == ActionKind::Object) {
        tree(node, place);
        return;
    }
    if (emit_leaf_change(node, place.site, hangs(place))) {
        return;
    }
    struct ThreeCodes {
        OpCode by_name;
        OpCode by_key;
        OpCode by_path;
    };
    ThreeCodes codes{OpCode::Remove, OpCode::RemoveKey, OpCode::RemovePath};
    std::uint32_t what = 0;
    if (node.kind == ActionKind::Set) {
        codes = {OpCode::Set, OpCode::SetKey, OpCode::SetPath};
        what = expr(node.expr);
    } else if (node.kind == ActionKind::Array) {
        codes = {OpCode::Put, OpCode::PutKey, OpCode::PutPath};
        what = data(node);
    }
    if (place.above != nullptr && is_at_hand(*place.above)) {
        const auto [plain, operand] = last_key(place);
        const std::uint16_t above = reg_of(*place.above);
        Op& op = emit(plain ? codes.by_name : codes.by_key);
        op.b = above;
        op.x = operand;
        op.y = what;
        return;
    }
    const std::uint32_t where = path(place.path);
    Op& op = emit(codes.by_path);
    op.x = where;
    op.y = what;
}

std::uint32_t Compiler::data(const ActionNode& node) {
    DataPlan plan;
    plan.kind = node.kind;
    if (node.kind == ActionKind::Set) {
        plan.expr = expr(node.expr);
    }
    for (std::size_t i = 0; i < node.elements.size(); ++i) {
        program_.keys.push_back({{{program_.symbols.intern(std::to_string(i)), kNoRegister}}});
        const auto name = static_cast<std::uint32_t>(program_.keys.size() - 1);
        plan.children.push_back({name, data(node.elements[i])});
    }
    for (const ActionEntry& each : node.entries) {
        const std::uint32_t name = key(each.key);
        plan.children.push_back({name, data(each.node)});
    }
    program_.data.push_back(std::move(plan));
    return static_cast<std::uint32_t>(program_.data.size() - 1);
}

void Compiler::call(const ActionEntry& each) {
    CallPlan plan;
    plan.function = each.function;
    for (const CallArgument& argument : each.arguments) {
        CallPlan::Argument made;
        made.name = argument.name;
        if (!argument.path.empty()) {
            made.path = path(path_plan(argument.path[0]));
        }
        if (!argument.expr.empty()) {
            made.expr = expr(argument.expr[0]);
        }
        plan.arguments.push_back(std::move(made));
    }
    program_.calls.push_back(std::move(plan));
    emit(OpCode::Call).x = static_cast<std::uint32_t>(program_.calls.size() - 1);
    ++epoch_;
}

void Compiler::print(const ActionEntry& each) {
    PrintPlan plan;
    for (const PrintPart& part : each.print) {
        plan.parts.push_back({part.text, part.expr.empty() ? kNone : expr(part.expr[0])});
    }
    program_.prints.push_back(std::move(plan));
    emit(OpCode::Print).x = static_cast<std::uint32_t>(program_.prints.size() - 1);
}

} // namespace croupier::engine
