// Conditions: searches in the order written. Whatever goes several ways, loops and alternatives,
// holds all that follows, so statements go to a block further and further inside.
#include "engine/ir/builder.h"

#include <algorithm>

namespace croupier::engine::ir {

namespace {

std::string name_of(const KeyTemplate& key) {
    std::string name;
    for (const KeyPart& part : key.parts) {
        name += part.text;
    }
    return name;
}

// The name of the variable for the node whose key a variable of the rules holds.
std::string node_of(const Entry& entry) {
    return entry.variable.empty() ? "each" : "at_" + entry.variable;
}

} // namespace

void Builder::apply(const Pattern& pattern, At at) {
    switch (pattern.kind) {
    case PatternKind::Object:
        for (const Entry& each : pattern.entries) {
            entry(each, at);
        }
        break;
    case PatternKind::Any:
        break;
    case PatternKind::Absent: // of a node that is there
        fail();
        break;
    default:
        leaf_of_node(pattern, at);
        break;
    }
}

void Builder::entry(const Entry& each, At at) {
    const NoteId outer_note = std::exchange(note_, note(each.span, each.id));
    const std::uint32_t outer_cut = std::exchange(cut_, observed_ ? note_ + 1 : 0);
    const VarId outer_shown = std::exchange(shown_, kNothing);
    const NoteId here = note_;
    entry_ = each.id;
    if (observed_) {
        put(Kind::Try, {node(at)}, {.x = here});
    }
    entry_of_kind(each, at);
    if (observed_) {
        put(Kind::Pass, {}, {.x = here});
    }
    note_ = outer_note;
    cut_ = outer_cut;
    shown_ = outer_shown;
}

void Builder::entry_of_kind(const Entry& each, At at) {
    switch (each.kind) {
    case KeyKind::Name: {
        const Id above = node(at);
        child(each, add(Kind::Child, {above, key(each.key, false)}), name_of(each.key));
        break;
    }
    case KeyKind::Variable:
        variable_entry(each, at);
        break;
    case KeyKind::Wildcard:
        each_child(each, at, kNothing);
        break;
    case KeyKind::Test:
        test_entry(each.patterns[0]);
        break;
    case KeyKind::Parent:
        child(each, add(Kind::Parent, {node(at)}), "parent");
        break;
    case KeyKind::Root:
        apply(each.patterns[0], {});
        break;
    case KeyKind::Path:
        path_entry(each);
        break;
    case KeyKind::Not:
        not_entry(each, at);
        break;
    case KeyKind::Exists:
        exists_entry(each, at);
        break;
    case KeyKind::Forall:
        forall_entry(each, at);
        break;
    case KeyKind::AnyOf:
        any_entry(each, at);
        break;
    case KeyKind::Count:
    case KeyKind::Sum:
    case KeyKind::Min:
    case KeyKind::Max:
        aggregate_entry(each, at);
        break;
    case KeyKind::Use:
        for (const Pattern& used : each.patterns) {
            apply(used, at);
        }
        break;
    case KeyKind::Log:
        break;
    }
}

// ---- nodes -------------------------------------------------------------------------------------

// The entry's pattern at a node that is looked up: it must be there, or must not.
void Builder::child(const Entry& each, Id found, std::string name) {
    if (each.patterns[0].kind == PatternKind::Absent) {
        test(add(Kind::Not, {add(Kind::Has, {found})}));
        return;
    }
    const At at{new_var(std::move(name), TypeKind::Node)};
    let(at.var, found);
    test(add(Kind::Has, {node(at)}));
    apply(each.patterns[0], at);
}

void Builder::variable_entry(const Entry& each, At at) {
    const auto known = bound_.find(each.variable);
    if (known == bound_.end()) {
        each_child(each, at, bind(each.variable));
        return;
    }
    fits(known->second, each.type);
    const Id above = node(at);
    child(each, add(Kind::Child, {above, key_of(known->second, false)}), node_of(each));
}

void Builder::each_child(const Entry& each, At at, VarId key) {
    const At below{new_var(node_of(each), TypeKind::Node)};
    const BlockId body = new_block();
    put(Kind::EachChild, {node(at)},
        {.x = below.var,
         .y = key == kNothing ? 0 : key + 1,
         .number = catalogue_.type_id(each.type)},
        {body});
    const std::uint32_t own = cut_;
    go_on_in(body);
    if (observed_) {
        put(Kind::Try, {node(below)}, {.x = note_, .y = 1});
    }
    cut_ = one_of_many(own);
    apply(each.patterns[0], below);
    cut_ = 0;
}

// What follows goes to a block inside. Whoever watches is told when no way is left.
void Builder::go_on_in(BlockId block) {
    if (observed_) {
        fail();
    }
    block_ = block;
    cut_ = 0;
}

void Builder::path_entry(const Entry& each) {
    Id found = node(root_);
    for (const KeyTemplate& segment : each.path.segments) {
        found = add(Kind::Child, {found, key(segment, false)});
    }
    child(each, found, each.path.segments.empty() ? "root" : name_of(each.path.segments.back()));
}

// ---- searches inside ---------------------------------------------------------------------------

void Builder::exists_entry(const Entry& each, At at) {
    const std::uint32_t own = std::exchange(cut_, one_of_many(cut_));
    const BlockId inside = search([&] {
        apply(each.patterns[0], at);
        put(Kind::Yield);
    });
    put(Kind::SomeMatch, {}, {.y = own}, {inside});
}

void Builder::not_entry(const Entry& each, At at) {
    const std::uint32_t own = std::exchange(cut_, 0);
    const BlockId inside = search([&] {
        apply(each.patterns[0], at);
        put(Kind::Yield);
    });
    put(Kind::NoMatch, {}, {.y = own}, {inside});
}

// No match of the first pattern is without a match of the second.
void Builder::forall_entry(const Entry& each, At at) {
    const std::uint32_t own = std::exchange(cut_, 0);
    const BlockId inside = search([&] {
        apply(each.patterns[0], at);
        const BlockId holds = search([&] {
            cut_ = one_of_many(own);
            apply(each.patterns[1], at);
            put(Kind::Yield);
        });
        cut_ = 0;
        put(Kind::NoMatch, {}, {}, {holds});
        put(Kind::Yield);
    });
    put(Kind::NoMatch, {}, {.y = own}, {inside});
}

// Bound afterwards is what every alternative binds: each yields these variables.
void Builder::any_entry(const Entry& each, At at) {
    struct Alternative {
        BlockId end = 0; // where its search has got to
        Bound bound;
    };
    std::vector<BlockId> blocks;
    std::vector<Alternative> alternatives;
    std::vector<Fresh> common;
    const std::uint32_t own = cut_;
    for (const Pattern& pattern : each.patterns) {
        const std::size_t before = fresh_.size();
        cut_ = one_of_many(own);
        blocks.push_back(search([&] {
            apply(pattern, at);
            alternatives.push_back({block_, bound_});
            if (alternatives.size() == 1) {
                common.assign(fresh_.begin() + static_cast<std::ptrdiff_t>(before), fresh_.end());
            }
        }));
    }
    std::erase_if(common, [&](const Fresh& fresh) {
        return std::any_of(alternatives.begin(), alternatives.end(),
                           [&](const Alternative& of) { return !of.bound.contains(fresh.name); });
    });
    for (const Alternative& alternative : alternatives) {
        std::vector<Id> values;
        values.reserve(common.size());
        for (const Fresh& fresh : common) {
            values.push_back(variable(alternative.bound.at(fresh.name)));
        }
        const Id yield = add(Kind::Yield, std::move(values));
        function_.blocks[alternative.end].statements.push_back(yield);
    }
    const auto first = static_cast<VarId>(function_.vars.size());
    for (Fresh& fresh : common) {
        fresh.var = new_var(fresh.name, TypeKind::Any, fresh.entry);
        bound_[fresh.name] = fresh.var;
        fresh_.push_back(fresh);
    }
    const BlockId rest = new_block();
    blocks.push_back(rest);
    cut_ = own;
    put(Kind::Alternatives, {},
        {.x = common.empty() ? 0 : first, .number = static_cast<std::int64_t>(common.size())},
        std::move(blocks));
    go_on_in(rest);
}

void Builder::aggregate_entry(const Entry& each, At at) {
    const std::uint32_t own = std::exchange(cut_, 0);
    const NoteId here = note_;
    const BlockId inside = search([&] {
        if (!each.patterns.empty()) {
            apply(each.patterns[0], at);
        }
        std::vector<Id> values;
        if (!each.value.empty()) {
            values.push_back(expression(each.value[0], kNothing));
        }
        put(Kind::Yield, std::move(values));
    });
    cut_ = own;
    entry_ = each.id; // not one of those inside
    const Pattern* into = each.into.empty() ? nullptr : &each.into[0];
    const VarId total =
        into != nullptr && is_free(*into) ? bind(into->variable) : new_var("total", TypeKind::Any);
    note_ = each.value.empty() ? here : note(each.value[0].span);
    put(Kind::Gather, {}, {.x = total, .y = static_cast<std::uint32_t>(each.kind)}, {inside});
    note_ = here;
    shown_ = cut_ != 0 ? total : kNothing;
    if (each.kind == KeyKind::Min || each.kind == KeyKind::Max) {
        test(add(Kind::Has, {variable(total)}));
    }
    if (into != nullptr) {
        Subject result{total, true};
        leaf(*into, result);
    }
}

// ---- variables ---------------------------------------------------------------------------------

VarId Builder::bind(const std::string& name) {
    const VarId made = new_var(name, TypeKind::Any, entry_);
    bound_.emplace(name, made);
    fresh_.push_back({name, made, entry_});
    return made;
}

} // namespace croupier::engine::ir
