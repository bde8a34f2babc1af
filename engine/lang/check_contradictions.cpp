// Finds entries of one pattern that demand different things of the same node.
#include "engine/lang/check.h"

#include "engine/lang/fit.h"
#include "engine/lang/walk.h"

#include <algorithm>
#include <map>

namespace croupier::engine {
namespace {

// What the entries for one key have demanded so far.
struct Demand {
    const Entry* absent = nullptr;
    const Entry* present = nullptr;
    const Entry* value = nullptr;    // a value, so no children
    const Entry* children = nullptr; // children, so no value
    const Entry* literal = nullptr;
};

bool is_literal(const Pattern& pattern) {
    return pattern.kind == PatternKind::Value && pattern.expr.op == ExprOp::Literal &&
           pattern.expr.option.empty();
}

bool wants_value(const Pattern& pattern) {
    return pattern.kind == PatternKind::Value || pattern.kind == PatternKind::Compare ||
           pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::OneOf;
}

bool wants_children(const Pattern& pattern) {
    return std::any_of(pattern.entries.begin(), pattern.entries.end(), [](const Entry& entry) {
        const bool child = entry.kind == KeyKind::Name || entry.kind == KeyKind::Variable ||
                           entry.kind == KeyKind::Wildcard;
        return child && entry.patterns[0].kind != PatternKind::Absent;
    });
}

class Contradictions {
  public:
    explicit Contradictions(Reading& reading) : reading_(reading) {}

    void check(const Pattern& pattern) {
        std::map<std::string, Demand> demands;
        for (const Entry& entry : pattern.entries) {
            if (entry.kind == KeyKind::Name && entry.key.is_name()) {
                demand(entry, demands[entry.key.parts[0].text]);
            } else if (entry.kind == KeyKind::Test) {
                test(entry);
            }
            for (const Pattern& inner : entry.patterns)
                check(inner);
        }
    }

  private:
    void test(const Entry& entry) {
        const Expr& expr = entry.patterns[0].expr;
        if (entry.patterns[0].kind != PatternKind::Expression || expr.op != ExprOp::Literal ||
            !expr.option.empty() || expr.literal == Scalar(true))
            return;
        reading_.error(code::kNeverMatches, expr.span,
                       "this is never true, so nothing ever matches",
                       "remove the rule if it is not wanted");
    }

    void demand(const Entry& entry, Demand& demand) {
        const Pattern& pattern = entry.patterns[0];
        const auto against = [&](const Entry* earlier, const std::string& why) {
            if (earlier != nullptr) report(entry, *earlier, why);
            return earlier != nullptr;
        };
        if (pattern.kind == PatternKind::Absent) {
            if (!against(demand.present, "must exist and must be absent")) demand.absent = &entry;
            return;
        }
        if (against(demand.absent, "must be absent and must exist")) return;
        demand.present = &entry;
        if (wants_value(pattern)) {
            if (against(demand.children, "must have children and a value")) return;
            demand.value = &entry;
        }
        if (wants_children(pattern)) {
            if (against(demand.value, "must have a value and children")) return;
            demand.children = &entry;
        }
        if (!is_literal(pattern)) return;
        if (demand.literal != nullptr &&
            !equal_scalars(demand.literal->patterns[0].expr.literal, pattern.expr.literal)) {
            report(entry, *demand.literal, "must be equal to two different values",
                   "for one of several values write a list: [\"a\", \"b\"]");
            return;
        }
        demand.literal = &entry;
    }

    void report(const Entry& entry, const Entry& earlier, const std::string& why,
                std::string hint = {}) {
        reading_.error(code::kNeverMatches, entry.span,
                       "this can never match: with " + reading_.sources.place(earlier.span) +
                           ", the node \"" + entry.key.parts[0].text + "\" " + why,
                       std::move(hint));
    }

    Reading& reading_;
};

} // namespace

void check_contradictions(Reading& reading, const Ruleset& ruleset) {
    for_each_rule(ruleset, [&](const Rule& rule) {
        if (!rule.condition) return;
        const RuleScope named(reading, rule.name);
        Contradictions(reading).check(*rule.condition);
    });
}

} // namespace croupier::engine
