// Actions: changes in the order written, at nodes that are at hand, else by path, since an action
// may remove what it stands in.
#include "engine/ir/builder.h"

namespace croupier::engine::ir {

// A node of the tree that an action describes, by its path from the group's root or the state's.
// Its variable holds the node from when it is made until an entry may have removed it.
struct Builder::Place {
    Place* above = nullptr; // of a child: the place that its entry stands in
    bool from_state = false;
    std::uint32_t up = 0; // levels above that root
    std::vector<const KeyTemplate*> path;
    VarId var = kNothing;
    std::uint32_t epoch = 0;

    [[nodiscard]] std::string name() const {
        if (path.empty()) {
            return up == 0 ? "root" : "parent";
        }
        std::string name = path.back()->is_variable() ? "at_" : "";
        for (const KeyPart& part : path.back()->parts) {
            name += part.text;
        }
        return name;
    }
};

// The state's root is always there.
bool Builder::is_at_hand(const Place& place) const {
    const bool is_state_root =
        place.path.empty() && place.up == 0 && (place.from_state || !nested_root_);
    return is_state_root || (place.var != kNothing && place.epoch == epoch_);
}

Fields Builder::start_of(const Place& place) {
    return {.x = place.up, .y = place.from_state ? 1u : 0u};
}

// The node is at hand from now on; it is made if it is missing.
void Builder::make(Place& place) {
    if (is_at_hand(place)) {
        return;
    }
    Id made = 0;
    if (place.above != nullptr && is_at_hand(*place.above)) {
        const Id above = node_at(*place.above);
        made = add(Kind::MakeChild, {above, key(*place.path.back(), true)});
    } else {
        made = add(Kind::MakePath, keys(place.path, true), start_of(place));
    }
    place.var = new_var(place.name(), TypeKind::Node);
    place.epoch = epoch_;
    let(place.var, made);
}

Id Builder::node_at(Place& place) {
    make(place);
    return node({place.var});
}

BlockId Builder::action(const Action& action) {
    return in_block([&] {
        if (action.kind == Action::Kind::None) {
            return;
        }
        note_ = note(action.span);
        if (action.kind == Action::Kind::Group) {
            group(catalogue_.inner_groups.at(action.group.get()));
            return;
        }
        ++epoch_;
        Place root;
        tree(action.tree, root);
    });
}

void Builder::tree(const ActionNode& node, Place& place) {
    bool changes = false;
    for (const ActionEntry& each : node.entries) {
        changes =
            changes || (each.kind != ActionKeyKind::Print && each.kind != ActionKeyKind::Call);
    }
    make(place);
    if (changes) {
        put(Kind::Inner, {node_at(place)});
    }
    for (const ActionEntry& each : node.entries) {
        action_entry(each, place);
    }
}

void Builder::action_entry(const ActionEntry& each, Place& place) {
    const NoteId here = note_ = note(each.span);
    // Entries that descend are watched through those below them.
    const bool descends = each.node.kind == ActionKind::Object && !each.node.entries.empty();
    const bool watched = observed_ && each.kind != ActionKeyKind::Print &&
                         each.kind != ActionKeyKind::Rules && !descends;
    if (watched) {
        put(Kind::Before, {}, {.x = here});
    }
    Place below;
    Place* target = &below;
    switch (each.kind) {
    case ActionKeyKind::Name:
        below.above = &place;
        below.from_state = place.from_state;
        below.up = place.up;
        below.path = place.path;
        below.path.push_back(&each.key);
        break;
    case ActionKeyKind::Parent:
        if (place.above != nullptr) {
            target = place.above;
            break;
        }
        below.from_state = place.from_state;
        below.up = place.up;
        below.path = place.path;
        if (below.path.empty()) {
            ++below.up;
        } else {
            below.path.pop_back();
        }
        break;
    case ActionKeyKind::Root:
        below.from_state = true;
        break;
    case ActionKeyKind::Path:
        for (const KeyTemplate& segment : each.path.segments) {
            below.path.push_back(&segment);
        }
        break;
    case ActionKeyKind::Rules:
        group_below(each, place);
        return;
    case ActionKeyKind::Call:
        call(each);
        break;
    case ActionKeyKind::Print:
        print(each);
        return;
    }
    if (each.kind != ActionKeyKind::Call) {
        change(each.node, *target);
        if (each.kind != ActionKeyKind::Name) {
            ++epoch_; // it may have removed what we stand in
        }
    }
    if (watched) {
        put(Kind::After, {}, {.x = here});
    }
}

void Builder::group_below(const ActionEntry& each, Place& place) {
    const Id root = node_at(place);
    const bool outer = std::exchange(nested_root_, true);
    const NoteId here = note_;
    const BlockId block = in_block([&] { group(catalogue_.inner_groups.at(each.group.get())); });
    nested_root_ = outer;
    note_ = here;
    put(Kind::GroupBelow, {root}, {}, {block});
    ++epoch_;
}

void Builder::change(const ActionNode& node, Place& place) {
    if (node.kind == ActionKind::Object) {
        tree(node, place);
    } else if (place.above != nullptr && is_at_hand(*place.above)) {
        change_child(node, place);
    } else {
        change_path(node, place);
    }
}

// Below a node that is at hand.
void Builder::change_child(const ActionNode& node, Place& place) {
    const KeyTemplate& name = *place.path.back();
    VarId old = kNothing;
    if (node.kind == ActionKind::Set && node.expr.mentions_this()) {
        old = new_var("old", TypeKind::Any);
        const Id above = node_at(*place.above);
        const Id child = add(Kind::Child, {above, key(name, false)});
        let(old, add(Kind::ValueOf, {child}));
    }
    const Id above = node_at(*place.above);
    const Id last = key(name, node.kind != ActionKind::Remove);
    if (node.kind == ActionKind::Remove) {
        put(Kind::RemoveChild, {above, last});
    } else if (node.kind == ActionKind::Set) {
        put(Kind::SetChild, {above, last, expression(node.expr, old)});
    } else {
        put(Kind::PutChild, {above, last, data(node)});
    }
}

// The old value is looked up before the new one is computed, and so is whether there is such a
// path.
void Builder::change_path(const ActionNode& node, const Place& place) {
    if (node.kind == ActionKind::Remove) {
        put(Kind::RemovePath, keys(place.path, false), start_of(place));
        return;
    }
    VarId old = kNothing;
    const bool from_old = node.kind == ActionKind::Set && node.expr.mentions_this();
    if (from_old || place.up > 0) {
        const Id found = add(Kind::PathNode, keys(place.path, false), start_of(place));
        if (from_old) {
            old = new_var("old", TypeKind::Any);
            let(old, add(Kind::ValueOf, {found}));
        } else {
            put(Kind::Do, {found});
        }
    }
    std::vector<Id> operands;
    operands.push_back(node.kind == ActionKind::Set ? expression(node.expr, old) : data(node));
    for (const Id each : keys(place.path, true)) {
        operands.push_back(each);
    }
    put(node.kind == ActionKind::Set ? Kind::SetPath : Kind::PutPath, std::move(operands),
        start_of(place));
}

Id Builder::data(const ActionNode& node) {
    if (node.kind == ActionKind::Set) {
        return add(Kind::DataValue, {expression(node.expr, kNothing)});
    }
    std::vector<Id> parts;
    for (const ActionNode& element : node.elements) {
        catalogue_.symbols.intern(
            std::to_string(parts.size())); // its key, which no state has to make up
        parts.push_back(data(element));
    }
    if (node.kind == ActionKind::Array) {
        return add(Kind::DataList, std::move(parts));
    }
    for (const ActionEntry& each : node.entries) {
        const Id name = key(each.key, true);
        parts.push_back(add(Kind::DataMember, {name, data(each.node)}));
    }
    return add(Kind::DataObject, std::move(parts));
}

// A function may make the places that it is given.
void Builder::call(const ActionEntry& each) {
    CallInfo info;
    info.function = each.function;
    std::vector<Id> arguments;
    for (const CallArgument& argument : each.arguments) {
        const auto number = static_cast<std::int64_t>(info.arguments.size());
        info.arguments.push_back(argument.name);
        if (!argument.path.empty()) {
            std::vector<Id> segments;
            for (const KeyTemplate& segment : argument.path[0].segments) {
                segments.push_back(key(segment, true));
            }
            arguments.push_back(add(Kind::ArgumentPath, std::move(segments), {.number = number}));
        } else if (!argument.expr.empty()) {
            const Id value = expression(argument.expr[0], kNothing);
            arguments.push_back(add(Kind::ArgumentValue, {value}, {.number = number}));
        }
    }
    module_.calls.push_back(std::move(info));
    put(Kind::Call, std::move(arguments),
        {.x = static_cast<std::uint32_t>(module_.calls.size() - 1)});
    ++epoch_;
}

void Builder::print(const ActionEntry& each) {
    std::vector<Id> parts;
    for (const PrintPart& part : each.print) {
        parts.push_back(part.expr.empty()
                            ? constant(Value::string(catalogue_.symbols.intern(part.text)))
                            : expression(part.expr[0], kNothing));
    }
    put(Kind::Print, std::move(parts));
}

} // namespace croupier::engine::ir
