// Conditional elements into the form that joins are built from: what CLIPS's reorder pass does.
#include "engine/clips/rule_read.h"

#include <iterator>

namespace croupier::engine::clips {
namespace {

using Ces = std::vector<Ce>;

// and-or to or-and, not-or to and-not; nested ands and ors flattened.
void lift_or(Ce& ce) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < ce.parts.size(); ++i) {
            Ce& part = ce.parts[i];
            if (ce.kind == Ce::Kind::And && part.kind == Ce::Kind::Or) {
                Ce any;
                any.kind = Ce::Kind::Or;
                any.span = ce.span;
                const Ces choices = part.parts;
                for (const Ce& choice : choices) {
                    Ce copy = ce;
                    copy.parts[i] = choice;
                    any.parts.push_back(std::move(copy));
                }
                ce = std::move(any);
                changed = true;
                break;
            }
            if (ce.kind == Ce::Kind::Not && part.kind == Ce::Kind::Or) {
                Ces choices = std::move(part.parts);
                ce.kind = Ce::Kind::And;
                ce.parts.clear();
                for (Ce& choice : choices) {
                    Ce none;
                    none.kind = Ce::Kind::Not;
                    none.span = choice.span;
                    none.parts.push_back(std::move(choice));
                    ce.parts.push_back(std::move(none));
                }
                changed = true;
                break;
            }
            if (ce.kind == part.kind && (ce.kind == Ce::Kind::And || ce.kind == Ce::Kind::Or)) {
                Ces inner = std::move(part.parts);
                ce.parts.erase(ce.parts.begin() + static_cast<std::ptrdiff_t>(i));
                ce.parts.insert(ce.parts.begin() + static_cast<std::ptrdiff_t>(i),
                                std::make_move_iterator(inner.begin()),
                                std::make_move_iterator(inner.end()));
                changed = true;
                break;
            }
        }
    }
}

// A negated test holds its forms as one list, of which `and` is meant.
void negate_test(Ce& test) {
    test.negated = !test.negated;
    if (test.negated) {
        Form all;
        all.span = test.span;
        all.items = std::move(test.tests);
        test.tests.clear();
        test.tests.push_back(std::move(all));
    } else {
        std::vector<Form> forms = std::move(test.tests[0].items);
        test.tests = std::move(forms);
    }
}

// Tests go to the pattern before them; groups of one become what they hold.
void compress(Ce& ce, int depth) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < ce.parts.size() && !changed; ++i) {
            Ce& part = ce.parts[i];
            const bool pair = i + 1 < ce.parts.size() && ce.parts[i + 1].kind == Ce::Kind::Test;
            if (ce.kind == Ce::Kind::Not && part.kind == Ce::Kind::Test) {
                Ce test = std::move(part);
                negate_test(test);
                ce = std::move(test);
                return;
            }
            const bool plain = part.kind == Ce::Kind::Pattern && !part.negated && !part.exists;
            const bool attaches = plain || (part.kind == Ce::Kind::Test && !part.negated);
            if (ce.kind == Ce::Kind::And && attaches && pair && !ce.parts[i + 1].negated) {
                Ce& next = ce.parts[i + 1];
                part.tests.insert(part.tests.end(), next.tests.begin(), next.tests.end());
                ce.parts.erase(ce.parts.begin() + static_cast<std::ptrdiff_t>(i + 1));
                changed = true;
            } else if (ce.kind == Ce::Kind::And && ce.parts.size() == 1 &&
                       (part.kind == Ce::Kind::Test ||
                        (part.kind == Ce::Kind::Pattern && depth > 1))) {
                Ce only = std::move(part);
                ce = std::move(only);
                return;
            }
        }
    }
}

void pass(Ce& ce, bool first, int depth) {
    for (bool again = true; again;) {
        again = false;
        const auto before = [&] { return ce.parts.size() * 8 + static_cast<std::size_t>(ce.kind); };
        const std::size_t was = before();
        if (first) lift_or(ce);
        compress(ce, depth);
        if (before() != was) again = true;
        for (Ce& part : ce.parts) {
            if (part.kind == Ce::Kind::Pattern || part.kind == Ce::Kind::Test) continue;
            const Ce::Kind kind = part.kind;
            const std::size_t size = part.parts.size();
            pass(part, first, depth + 1);
            if (part.kind != kind || part.parts.size() != size) again = true;
        }
    }
}

// not (pattern) and not (not ..) into their final forms. What is left of Not is a group.
void settle_not(Ce& ce) {
    for (Ce& part : ce.parts)
        settle_not(part);
    if (ce.kind != Ce::Kind::Not) return;
    Ce& inner = ce.parts[0];
    if (inner.kind == Ce::Kind::Test) {
        Ce test = std::move(inner);
        negate_test(test);
        ce = std::move(test);
        return;
    }
    if (inner.kind == Ce::Kind::Pattern && !inner.negated && !inner.exists) {
        Ce pattern = std::move(inner);
        pattern.negated = true;
        ce = std::move(pattern);
        return;
    }
    if (inner.kind == Ce::Kind::Pattern && inner.negated && !inner.exists &&
        inner.later_tests.empty()) {
        Ce pattern = std::move(inner);
        pattern.negated = false;
        pattern.exists = true;
        ce = std::move(pattern);
        return;
    }
    if (inner.kind == Ce::Kind::Pattern && inner.exists) {
        Ce pattern = std::move(inner);
        pattern.exists = false;
        pattern.negated = true;
        ce = std::move(pattern);
        return;
    }
    if (inner.kind == Ce::Kind::Not && !inner.exists) {
        Ce group = std::move(inner);
        group.exists = true;
        ce = std::move(group);
        return;
    }
    if (inner.kind == Ce::Kind::Not && inner.exists) {
        Ce group = std::move(inner);
        group.exists = false;
        ce = std::move(group);
        return;
    }
    if (inner.kind == Ce::Kind::And) {
        Ces parts = std::move(inner.parts);
        ce.parts = std::move(parts);
    }
}

// Tests behind a negated pattern or a group wait for it.
void attach_later(Ces& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].parts.empty()) attach_later(parts[i].parts);
        const bool takes =
            parts[i].kind == Ce::Kind::Not ||
            (parts[i].kind == Ce::Kind::Pattern && (parts[i].negated || parts[i].exists));
        while (i + 1 < parts.size() && parts[i + 1].kind == Ce::Kind::Test) {
            Ce test = std::move(parts[i + 1]);
            Form form;
            form.span = test.span;
            if (test.negated) {
                form = test.tests[0];
                form.kind = Form::Kind::Not; // marks the negation, see compile_test
                test.tests = {form};
            }
            std::vector<Form>& into = takes ? parts[i].later_tests : parts[i].tests;
            into.insert(into.end(), test.tests.begin(), test.tests.end());
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i + 1));
        }
        if (parts[i].kind == Ce::Kind::Test && parts[i].negated) {
            Form form = parts[i].tests[0];
            form.kind = Form::Kind::Not;
            parts[i].tests = {form};
            parts[i].negated = false;
        }
    }
}

} // namespace

std::vector<std::vector<Ce>> normalise(std::vector<Ce> conditions) {
    Ce top;
    top.kind = Ce::Kind::And;
    top.parts = std::move(conditions);
    if (top.parts.empty()) return {{}};
    pass(top, true, 1);
    Ces alternatives;
    if (top.kind == Ce::Kind::Or)
        alternatives = std::move(top.parts);
    else
        alternatives.push_back(std::move(top));
    std::vector<Ces> result;
    for (Ce& one : alternatives) {
        if (one.kind != Ce::Kind::And) {
            Ce wrapped;
            wrapped.kind = Ce::Kind::And;
            wrapped.parts.push_back(std::move(one));
            one = std::move(wrapped);
        }
        for (Ce& part : one.parts)
            settle_not(part);
        compress(one, 1);
        if (one.kind != Ce::Kind::And) {
            Ce only = std::move(one);
            one = Ce{};
            one.kind = Ce::Kind::And;
            one.parts.push_back(std::move(only));
        }
        attach_later(one.parts);
        result.push_back(std::move(one.parts));
    }
    return result;
}

} // namespace croupier::engine::clips
