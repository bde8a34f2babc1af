// From conditional elements to pattern nodes and joins, shared where CLIPS 6.30 shares them.
#include "engine/clips/rule_parts.h"

#include "engine/clips/codes.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {

// As CLIPS words it; it has read the whole rule by then.
bool Builder::refuse(const std::string& clips, Span span, std::string_view code,
                     std::string message) {
    session.refuse(clips, scope.construct_end(span.end));
    return fail(span, code, std::move(message));
}

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
        // Of its own pattern only the place counts, wherever in the rule that stands.
        return fmt::format("{}@{}", here ? "r" : fmt::format("l{}", found->second.position),
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
        joins = last == nullptr ? "+j" : "=j";
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
    joins += "+j";
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

// Tests that follow an element, each of them an element to CLIPS.
bool Builder::add_tests(const std::vector<Form>& forms, Tests& into) {
    scope.field.clear();
    return std::all_of(forms.begin(), forms.end(), [&](const Form& form) {
        ++scope.ce;
        return add_expression(form, false, into);
    });
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
        scope.ce = ce.place;
        scope.field.clear();
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
            if (!add_tests(ce.tests, compiled.joint)) return nullptr;
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
            --scope.ce;
            if (!add_tests(ce.tests, made.tests)) return nullptr;
        }
        if (!add_tests(ce.later_tests, made.later_tests)) return nullptr;
        for (const KeyPart& part : made.left_keys)
            made.keys_text += fmt::format("{}@{}{};", part.position, place_key(part.place),
                                          part.constant ? value_key(part.value) : "");
        Join* shared =
            reuse ? network.find_join(last, made.node, made.right_join, made, prime) : nullptr;
        joins += shared != nullptr ? "=j" : "+j";
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

} // namespace croupier::engine::clips
