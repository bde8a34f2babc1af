// From conditional elements to pattern nodes and joins, shared where CLIPS 6.30 shares them.
#include "engine/clips/rule_build.h"

#include "engine/clips/codes.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {
namespace {

std::string place_key(const Place& place) {
    return fmt::format("{}.{}.{}.{}.{}", static_cast<int>(place.kind), place.slot, place.index,
                       place.after, place.marker);
}

std::string value_key(const Value& value) {
    return fmt::format("{}:{:x}", static_cast<int>(value.type), value.bits);
}

void add(Tests& into, Test test, const std::string& key) {
    into.all.push_back(std::move(test));
    into.key += key;
    into.key += ';';
}

void append(Tests& into, Tests&& more) {
    for (Test& test : more.all)
        into.all.push_back(std::move(test));
    into.key += more.key;
}

} // namespace

// Nodes that a pattern needs, before it is known which exist.
struct Builder::Compiled {
    std::vector<PatternNode> nodes;
    std::vector<Value> constants; // of a selector: what its child stands for
    Tests joint;
    std::vector<KeyPart> left_keys;
    std::vector<KeyPart> right_keys;
    std::string right_key; // CLIPS's own part of the key, which tells nodes apart
};

bool Builder::fail(Span span, std::string_view code, std::string message, std::string hint) {
    session.diagnostics().error(code, span, std::move(message), std::move(hint), rule.name->text);
    return false;
}

std::string expression_key(const Form& form, const Scope& scope) {
    switch (form.kind) {
    case Form::Kind::List:
    case Form::Kind::Not: {
        std::string key = form.kind == Form::Kind::Not ? "~(" : "(";
        for (const Form& item : form.items)
            key += expression_key(item, scope) + ' ';
        return key + ')';
    }
    case Form::Kind::Constant:
        return value_key(form.value);
    case Form::Kind::Variable:
    case Form::Kind::MultiVariable: {
        const auto found = scope.lhs.find(form.name);
        if (found == scope.lhs.end()) return "?" + form.name->text;
        const bool here = found->second.pattern == scope.pattern;
        return fmt::format("{}{}@{}", here ? "r" : "l", found->second.position,
                           place_key(found->second.place));
    }
    default:
        return form.name == nullptr ? "?" : "*" + form.name->text;
    }
}

bool Builder::build(const std::vector<Ce>& conditions) {
    scope.in_condition = true;
    scope.rule = rule.name->text;
    scope.what = "LHS of defrule";
    bool reuse = true;
    Join* last = nullptr;
    if (conditions.empty()) {
        Join none;
        none.first = true;
        last = session.network().find_join(nullptr, nullptr, nullptr, none, true);
        if (last == nullptr) last = session.network().add_join(std::move(none));
        rule.positions = 1;
    } else {
        Group outside;
        groups_.push_back(&outside);
        last = construct(conditions, nullptr, 0, &outside, reuse);
        if (last == nullptr) return false;
        rule.positions = static_cast<std::uint16_t>(conditions.size());
    }
    Join end;
    end.left = last;
    end.rule = &rule;
    rule.last = session.network().add_join(std::move(end));
    return true;
}

PatternNode* Builder::watch(const Ce& pattern) {
    scope.in_condition = true;
    scope.position = 0;
    scope.pattern = ++next_pattern_;
    Group outside;
    groups_.push_back(&outside);
    Compiled compiled;
    if (!compile_pattern(pattern, compiled)) return nullptr;
    compiled.right_key = "watch"; // a node of its own
    return place(compiled, *pattern.of);
}

void Builder::note_outer(const LhsVariable& variable) {
    // Every group between here and where it is bound compares it.
    for (std::size_t i = groups_.size(); i-- > 0;) {
        Group& group = *groups_[i];
        if (group.id == variable.group) return;
        if (i == 0) return;
        const auto same = [&](const LhsVariable& other) {
            return other.position == variable.position && other.place == variable.place;
        };
        if (std::none_of(group.outer.begin(), group.outer.end(), same))
            group.outer.push_back(variable);
    }
}

Join* Builder::construct(const std::vector<Ce>& conditions, Join* last, int position, Group* group,
                         bool& reuse) {
    Network& network = session.network();
    const bool outermost = group->id == 0;
    for (const Ce& ce : conditions) {
        Join made;
        made.left = last;
        made.first = last == nullptr;
        made.number = ce.number;
        scope.position = position;
        scope.pattern = ++next_pattern_;
        scope.group = group->id;
        bool prime = false;
        if (ce.kind == Ce::Kind::Not) {
            Group inner;
            inner.id = ++next_group_;
            groups_.push_back(&inner);
            const auto outside = scope.lhs;
            bool inner_reuse = reuse;
            // A test cannot begin a group: it gets an element of its own.
            Join* right = construct(ce.parts, last, position, &inner, inner_reuse);
            groups_.pop_back();
            scope.lhs = outside;
            scope.position = position;
            scope.pattern = ++next_pattern_;
            scope.group = group->id;
            if (right == nullptr) return nullptr;
            reuse = reuse && inner_reuse;
            made.right_join = right;
            made.from_right = true;
            made.exists = ce.exists;
            for (const LhsVariable& variable : inner.outer) {
                if (variable.position >= position) continue;
                Test test;
                test.kind = Test::Kind::Equal;
                test.left_position = test.right_position = variable.position;
                test.left = test.right = variable.place;
                add(made.tests, test,
                    fmt::format("n{}@{}", variable.position, place_key(variable.place)));
                made.left_keys.push_back({variable.position, variable.place, false, {}});
                made.right_keys.push_back({variable.position, variable.place, false, {}});
            }
        } else if (ce.kind == Ce::Kind::Test) {
            prime = last == nullptr;
        } else {
            Compiled compiled;
            if (!compile_pattern(ce, compiled)) return nullptr;
            for (const Form& form : ce.tests) {
                if (!add_expression(form, false, compiled.joint)) return nullptr;
            }
            made.negated = ce.negated;
            made.exists = ce.exists;
            // What is compared for equality narrows the search on both sides.
            if (compiled.right_keys.empty()) {
                for (const Test& test : compiled.joint.all) {
                    if (test.within) continue;
                    if (test.kind == Test::Kind::Equal && last != nullptr) {
                        compiled.right_keys.push_back({0, test.right, false, {}});
                        compiled.left_keys.push_back({test.left_position, test.left, false, {}});
                    } else if (test.kind == Test::Kind::EqualConstant) {
                        compiled.right_keys.push_back({0, test.right, false, {}});
                        compiled.left_keys.push_back({0, {}, true, test.value});
                    }
                }
            }
            made.node = place(compiled, *ce.of);
            made.tests = std::move(compiled.joint);
            const auto keys_differ = [&] {
                const std::vector<KeyPart>& has = made.node->keys;
                return has.size() != compiled.right_keys.size() ||
                       !std::equal(
                           has.begin(), has.end(), compiled.right_keys.begin(),
                           [](const KeyPart& a, const KeyPart& b) { return a.place == b.place; });
            };
            if (keys_differ()) {
                compiled.right_keys.clear();
                compiled.left_keys.clear();
            }
            made.left_keys = std::move(compiled.left_keys);
            made.right_keys = std::move(compiled.right_keys);
            if (made.first && !made.left_keys.empty()) {
                made.left_keys.clear(); // nothing comes from the left
                made.right_keys.clear();
            }
        }
        if (ce.kind == Ce::Kind::Pattern && (ce.negated || ce.exists)) {
            // What a not binds is known in it only.
            std::erase_if(scope.lhs,
                          [&](const auto& entry) { return entry.second.pattern == scope.pattern; });
        }
        if (ce.kind == Ce::Kind::Test) {
            for (const Form& form : ce.tests) {
                if (!add_expression(form, false, made.tests)) return nullptr;
            }
        }
        for (const Form& form : ce.later_tests) {
            if (!add_expression(form, false, made.later_tests)) return nullptr;
        }
        for (const KeyPart& part : made.left_keys)
            made.keys_text += fmt::format("{}@{}{};", part.position, place_key(part.place),
                                          part.constant ? value_key(part.value) : "");
        Join* shared =
            reuse ? network.find_join(last, made.node, made.right_join, made, prime) : nullptr;
        if (shared != nullptr) {
            last = shared;
        } else {
            reuse = false;
            last = network.add_join(std::move(made));
        }
        ++position;
        (void)outermost;
    }
    return last;
}

// ---- one pattern

bool Builder::compile_pattern(const Ce& ce, Compiled& into) {
    const int pattern = scope.pattern;
    const auto position = static_cast<std::uint16_t>(scope.position);
    if (ce.address != nullptr) {
        LhsVariable variable;
        variable.position = position;
        variable.place.kind = Place::Kind::Address;
        variable.group = scope.group;
        variable.pattern = pattern;
        if (scope.lhs.contains(ce.address))
            return fail(ce.span, code::kClipsVariable,
                        fmt::format("?{} names this fact and something else", ce.address->text));
        scope.lhs.emplace(ce.address, variable);
        scope.facts.emplace(ce.address, ce.of);
    }
    std::uint16_t marker = 0;
    // The rule itself adds one, its relation; each comparison one: see CLIPS's "complexity".
    ++rule.complexity;
    for (const SlotPattern& slot : ce.slots) {
        const bool multi = ce.of->slots[slot.slot].multi;
        const auto many = static_cast<std::size_t>(std::count_if(
            slot.fields.begin(), slot.fields.end(), [](const Field& f) { return f.many; }));
        const std::size_t singles = slot.fields.size() - many;
        bool length_needed = multi && !(singles == 0 && many > 0);
        std::size_t many_before = 0;
        std::size_t singles_before = 0;
        std::vector<PatternNode> nodes;
        std::vector<Value> constants;
        const auto with_length = [&](PatternNode& node) {
            if (!length_needed) return;
            node.length_least = static_cast<int>(singles);
            node.length_exact = many == 0;
            length_needed = false;
        };
        if (multi && slot.fields.empty()) {
            PatternNode node;
            node.slot = slot.slot;
            with_length(node);
            nodes.push_back(std::move(node));
            constants.emplace_back();
        }
        for (std::size_t i = 0; i < slot.fields.size(); ++i) {
            const Field& field = slot.fields[i];
            const std::size_t many_after = many - many_before - (field.many ? 1 : 0);
            const std::size_t singles_after = singles - singles_before - (field.many ? 0 : 1);
            Place where;
            where.slot = slot.slot;
            if (!multi) {
                where.kind = Place::Kind::Slot;
            } else if (field.many && many == 1) {
                where.kind = Place::Kind::Rest;
                where.index = static_cast<std::uint16_t>(singles_before);
                where.after = static_cast<std::uint16_t>(singles_after);
            } else if (field.many) {
                where.kind = Place::Kind::Segment;
                where.marker = marker;
            } else if (many_before == 0) {
                where.kind = Place::Kind::FromStart;
                where.index = static_cast<std::uint16_t>(i);
            } else if (many_after == 0) {
                where.kind = Place::Kind::FromEnd;
                where.index = static_cast<std::uint16_t>(singles_after);
            } else {
                where.kind = Place::Kind::Between;
                where.marker = static_cast<std::uint16_t>(marker - 1);
                std::size_t since = 0;
                for (std::size_t j = i; j > 0 && !slot.fields[j - 1].many; --j)
                    ++since;
                where.index = static_cast<std::uint16_t>(since);
            }
            Tests alone;
            bool by_constant = false;
            Value constant;
            // The variable that the field itself names.
            if (field.name != nullptr) {
                const auto found = scope.lhs.find(field.name);
                if (found == scope.lhs.end()) {
                    LhsVariable variable;
                    variable.position = position;
                    variable.place = where;
                    variable.many = field.many;
                    variable.group = scope.group;
                    variable.pattern = pattern;
                    scope.lhs.emplace(field.name, variable);
                }
            }
            Tests of_field;
            if (!field_tests(field, where, field.many, of_field, into.joint, by_constant, constant))
                return false;
            if (field.name != nullptr) {
                const LhsVariable variable = scope.lhs.at(field.name);
                const bool binding = variable.pattern == pattern && variable.place == where;
                if (!binding) {
                    if (variable.place.kind == Place::Kind::Address)
                        return fail(
                            field.span, code::kClipsVariable,
                            fmt::format("?{} is a fact and cannot be a field", field.name->text));
                    Test test;
                    test.kind = Test::Kind::Equal;
                    test.left = variable.place;
                    test.right = where;
                    ++rule.complexity;
                    if (variable.pattern == pattern) {
                        test.within = true;
                        // CLIPS puts this comparison before the field's own tests.
                        Tests before;
                        add(before, test, "=" + place_key(variable.place) + "/" + place_key(where));
                        append(before, std::move(of_field));
                        of_field = std::move(before);
                        by_constant = false;
                    } else {
                        test.left_position = variable.position;
                        note_outer(variable);
                        Tests before;
                        add(before, test,
                            fmt::format("={}@{}/{}", variable.position, place_key(variable.place),
                                        place_key(where)));
                        // Before the joint tests of this field, which were added last: the order
                        // matters only where an expression fails, so they stand in front of all.
                        append(before, std::move(into.joint));
                        into.joint = std::move(before);
                        if (variable.position < position) {
                            into.right_keys.push_back({0, where, false, {}});
                            into.left_keys.push_back(
                                {variable.position, variable.place, false, {}});
                            into.right_key += place_key(where) + ";";
                        }
                    }
                }
            }
            append(alone, std::move(of_field));
            const bool enumerates = field.many && many > 1;
            if (enumerates || !alone.empty() || by_constant ||
                (length_needed && i + 1 == slot.fields.size())) {
                PatternNode node;
                node.slot = slot.slot;
                node.field = static_cast<std::uint16_t>(i);
                node.multi = enumerates;
                node.last_multi = enumerates && many_after == 0;
                node.singles_after = static_cast<std::uint16_t>(singles_after);
                node.marker = marker;
                with_length(node);
                if (by_constant) {
                    node.selector = true;
                    node.selected = where;
                    node.key = fmt::format("S{}|{}", place_key(where), node.length_least);
                } else {
                    node.tests = std::move(alone);
                }
                nodes.push_back(std::move(node));
                constants.push_back(constant);
            }
            if (field.many) {
                ++many_before;
                if (many > 1) ++marker;
            } else {
                ++singles_before;
            }
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            PatternNode& node = nodes[i];
            if (multi && many > 1) rule.markers = true;
            node.key = fmt::format("{}.{}.{}{}{}.{}.{}|{}{}|{}", node.slot, node.field, node.multi,
                                   node.last_multi, multi && i + 1 == nodes.size() ? "e" : "",
                                   node.singles_after, node.marker, node.length_least,
                                   node.length_exact ? "x" : "",
                                   node.selector ? node.key : node.tests.key);
            into.nodes.push_back(std::move(node));
            into.constants.push_back(constants[i]);
        }
    }
    if (into.nodes.empty()) {
        PatternNode node;
        node.key = "all";
        into.nodes.push_back(std::move(node));
        into.constants.emplace_back();
    }
    into.nodes.back().markers = marker;
    return true;
}

PatternNode* Builder::place(Compiled& compiled, Template& of) {
    Network& network = session.network();
    PatternNode* at = nullptr;
    const std::uint16_t markers = compiled.nodes.back().markers;
    for (std::size_t i = 0; i < compiled.nodes.size(); ++i) {
        PatternNode& node = compiled.nodes[i];
        const Value constant = compiled.constants[i];
        const bool selector = node.selector;
        const bool last = i + 1 == compiled.nodes.size();
        if (last && !selector) node.key += "#" + compiled.right_key;
        if (last && selector) node.key += "#" + compiled.right_key;
        const std::string key = node.key;
        PatternNode* found = network.find_node(of, at, key);
        at = found != nullptr ? found : network.add_node(of, at, std::move(node));
        if (selector) {
            const std::string child_key =
                value_key(constant) + "#" + (last ? compiled.right_key : "");
            PatternNode* child = network.find_node(of, at, child_key);
            if (child == nullptr) {
                PatternNode made;
                made.key = child_key;
                made.slot = at->slot;
                made.field = at->field;
                made.constant = constant;
                child = network.add_node(of, at, std::move(made));
            }
            at = child;
        }
    }
    if (!at->stop) {
        at->stop = true;
        at->markers = markers;
        at->keys = compiled.right_keys;
        at->memory = network.node_memory(!at->keys.empty());
    }
    return at;
}

} // namespace croupier::engine::clips
