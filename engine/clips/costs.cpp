// What a run cost, rule by rule.
#include "engine/clips/explain.h"
#include "engine/clips/explain_parts.h"

#include <map>

namespace croupier::engine::clips {

std::vector<RuleCost> costs(Session& session) {
    std::map<const Join*, int> users;
    for (const Rule& rule : session.rules()) {
        if (rule.last == nullptr) continue;
        for (const Join* join : joins_of(rule))
            ++users[join];
    }
    std::vector<RuleCost> all;
    for (Rule& rule : session.defined().rules) {
        if (rule.last == nullptr) continue;
        RuleCost cost;
        cost.rule = rule.name->text;
        cost.activations = rule.activated;
        cost.withdrawn = rule.withdrawn;
        cost.firings = rule.fired;
        cost.action_nanoseconds = rule.action_nanoseconds;
        for (const Join* join : joins_of(rule)) {
            ElementCost element;
            element.shared_by = users[join];
            element.offered = join->offered;
            element.tested = join->tested;
            element.passed = join->passed;
            element.nanoseconds = join->nanoseconds / element.shared_by;
            cost.match_nanoseconds += element.nanoseconds;
            std::vector<const Ce*> open;
            for (const Ce& ce : rule.conditions)
                open.push_back(&ce);
            while (!open.empty()) {
                const Ce* ce = open.back();
                open.pop_back();
                if (ce->kind == Ce::Kind::Pattern && ce->number == join->number &&
                    join->number != 0)
                    element.text = text_of(session, ce->span, 60);
                for (const Ce& part : ce->parts)
                    open.push_back(&part);
            }
            if (element.text.empty())
                element.text = join->from_right ? "(not (and ..))" : "(test ..)";
            cost.elements.push_back(std::move(element));
        }
        all.push_back(std::move(cost));
    }
    return all;
}

} // namespace croupier::engine::clips
