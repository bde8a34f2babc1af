// Runs all checks; has the short ones itself.
#include "engine/language/check.h"

#include "engine/language/types.h"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace croupier::engine {

namespace {

// Finds entries of one pattern that contradict each other about the same node.

// What the entries for one key demand, as far as read.
struct Demand {
    const Entry* absent = nullptr;
    const Entry* present = nullptr;
    const Entry* value = nullptr;    // a value, so no children
    const Entry* children = nullptr; // children, so no value
    const Entry* literal = nullptr;
};

bool is_literal(const Pattern& pattern) {
    return pattern.kind == PatternKind::Value && pattern.expr.is_fixed();
}

bool wants_value(const Pattern& pattern) {
    return pattern.kind == PatternKind::Value || pattern.kind == PatternKind::Compare ||
           pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::OneOf;
}

bool wants_children(const Pattern& pattern) {
    return std::ranges::any_of(pattern.entries, [](const Entry& entry) {
        const bool child = entry.kind == KeyKind::Name || entry.kind == KeyKind::Variable ||
                           entry.kind == KeyKind::Wildcard;
        return child && entry.patterns[0].kind != PatternKind::Absent;
    });
}

class Contradictions {
  public:
    explicit Contradictions(Reading& reading) : reading_(reading) {}

    // Checks its entries, but not what is below them.
    void check(const Pattern& pattern) {
        std::map<std::string, Demand> demands;
        for (const Entry& entry : pattern.entries) {
            if (entry.kind == KeyKind::Name && entry.key.is_name())
                demand(entry, demands[entry.key.parts[0].text]);
            else if (entry.kind == KeyKind::Test)
                test(entry);
        }
    }

  private:
    void test(const Entry& entry) {
        const Expr& expr = entry.patterns[0].expr;
        if (entry.patterns[0].kind != PatternKind::Expression || !expr.is_fixed() ||
            expr.literal == Scalar(true))
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
                       fmt::format("this can never match: with {}, the node \"{}\" {}",
                                   reading_.sources.place(earlier.span), entry.key.parts[0].text,
                                   why),
                       std::move(hint));
    }

    Reading& reading_;
};

// Finds rules of `play` that may act on a move which an earlier rule of the group has handled.  The
// trap is a state machine written in order: one rule ends a phase, and a later rule for the next
// phase sees the new value and the same move in the same step. Warns only about what the text
// shows: the earlier action writes the very value that the later condition asks for, and no other
// part of the two rules keeps the later one from matching.

using Values = std::vector<Scalar>;

bool holds(const Values& values, const Scalar& value) {
    return std::ranges::any_of(values,
                               [&](const Scalar& each) { return equal_scalars(each, value); });
}

bool disjoint(const Values& one, const Values& other) {
    return std::ranges::none_of(one, [&](const Scalar& each) { return holds(other, each); });
}

// What a condition demands of a node whose name is known from the text.
struct Wanted {
    enum class Kind { Present, Absent, OneOf, Not } kind = Kind::Present;
    Values values; // OneOf, Not
    Span span;
    bool meant = false; // the key has an @id: the author confirms it
};
using Wants = std::map<std::string, Wanted>; // by path, "taken.AC"

// What an action does to such a node.
struct Written {
    bool surely = false;  // whenever the rule fires
    bool unknown = false; // a value that the text does not show
    bool removed = false;
    Values values;
};
using Writes = std::map<std::string, Written>;

std::string below(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + '.' + name;
}

bool is_above(const std::string& path, const std::string& other) {
    return other.size() > path.size() && other.starts_with(path) && other[path.size()] == '.';
}

class Reader {
  public:
    explicit Reader(const Sources& sources) : sources_(sources) {}

    void wants(const Pattern& pattern, const std::string& path, Wants& into) const {
        for (const Entry& entry : pattern.entries) {
            if (entry.kind == KeyKind::Use) {
                for (const Pattern& used : entry.patterns)
                    wants(used, path, into);
            } else if (entry.kind == KeyKind::Root) {
                wants(entry.patterns[0], {}, into);
            } else if (entry.kind == KeyKind::Name && entry.key.is_name()) {
                const std::string node = below(path, entry.key.parts[0].text);
                into.try_emplace(node, wanted(entry));
                wants(entry.patterns[0], node, into);
            }
        }
    }

    void writes(const ActionNode& node, const std::string& path, bool surely, Writes& into) const {
        for (const ActionEntry& entry : node.entries) {
            if (entry.kind == ActionKeyKind::Root) {
                writes(entry.node, {}, surely, into);
            } else if (entry.kind == ActionKeyKind::Name && entry.key.is_name()) {
                const std::string name = below(path, entry.key.parts[0].text);
                write(entry.node, surely, into[name]);
                writes(entry.node, name, surely, into);
            } else if (!path.empty()) {
                into[path].unknown = true;
            }
        }
    }

    void writes(const Action& action, bool surely, Writes& into) const {
        writes(action.tree, {}, surely, into);
        if (!action.group) return;
        for (const Rule& rule : action.group->rules)
            writes(rule.action, surely && !rule.condition, into);
    }

  private:
    [[nodiscard]] Wanted wanted(const Entry& entry) const {
        const Pattern& pattern = entry.patterns[0];
        Wanted found{Wanted::Kind::Present, {}, entry.span, has_id(entry.key_span)};
        const auto one_of = [&](Wanted::Kind kind) {
            found.kind = kind;
            found.values.push_back(pattern.expr.literal);
        };
        if (pattern.kind == PatternKind::Absent) {
            found.kind = Wanted::Kind::Absent;
        } else if (pattern.kind == PatternKind::Value && pattern.expr.is_fixed()) {
            one_of(Wanted::Kind::OneOf);
        } else if (pattern.kind == PatternKind::Compare && pattern.expr.is_fixed()) {
            if (pattern.compare == ExprOp::Equal) one_of(Wanted::Kind::OneOf);
            if (pattern.compare == ExprOp::NotEqual) one_of(Wanted::Kind::Not);
        } else if (pattern.kind == PatternKind::OneOf &&
                   std::ranges::all_of(pattern.choices, &Expr::is_fixed)) {
            found.kind = Wanted::Kind::OneOf;
            for (const Expr& choice : pattern.choices)
                found.values.push_back(choice.literal);
        }
        return found;
    }

    [[nodiscard]] bool has_id(Span key) const {
        const std::string_view text =
            sources_.text(key.file).substr(key.begin, key.end - key.begin);
        const std::size_t at = text.find('@');
        return at != std::string_view::npos && text.substr(at, 2) != "@@";
    }

    static void write(const ActionNode& node, bool surely, Written& into) {
        into.surely = into.surely || surely;
        if (node.kind == ActionKind::Remove)
            into.removed = true;
        else if (node.kind == ActionKind::Set && node.expr.is_fixed())
            into.values.push_back(node.expr.literal);
        else
            into.unknown = true;
    }

    const Sources& sources_;
};

class SameStep {
  public:
    explicit SameStep(Reading& reading) : reading_(reading), reader_(reading.sources) {}

    // `move` is true if an enclosing rule has asked for the move.
    void check(const Group& group, bool move) {
        if (group.mode != GroupMode::Sequential) return;
        std::vector<Wants> wants(group.rules.size());
        std::vector<Writes> writes(group.rules.size());
        for (std::size_t i = 0; i < group.rules.size(); ++i) {
            const Rule& rule = group.rules[i];
            if (rule.condition) reader_.wants(*rule.condition, {}, wants[i]);
            reader_.writes(rule.action, true, writes[i]);
            const bool asks = move || wants[i].contains("move");
            for (std::size_t j = 0; j < i && asks; ++j)
                if (report(group.rules[j], wants[j], writes[j], rule, wants[i])) break;
            for (const Action* action : {&rule.action, &rule.otherwise})
                if (action->group) check(*action->group, asks);
        }
    }

  private:
    bool report(const Rule& first, const Wants& at_first, const Writes& written, const Rule& then,
                const Wants& at_then) {
        for (const auto& [path, wanted] : at_then) {
            if (wanted.kind != Wanted::Kind::OneOf || wanted.meant) continue;
            const auto change = written.find(path);
            if (change == written.end() || disjoint(wanted.values, change->second.values)) continue;
            const auto before = at_first.find(path);
            if (before == at_first.end() || !apart(before->second, wanted)) continue;
            if (kept_apart(at_first, written, at_then)) return false;
            const RuleScope scope(reading_, then.name);
            reading_.warning(
                code::kSameStep, wanted.span,
                fmt::format(
                    "this may fire for the move that the rule {} has just dealt with, which "
                    "sets {} to what is asked for here ({})",
                    first.name, path, reading_.sources.place(first.name_span)),
                fmt::format("put this rule before {}; if it is meant, write the key as \"{}@then\"",
                            first.name, path.substr(path.rfind('.') + 1)));
            return true;
        }
        return false;
    }

    // No node can satisfy both.
    static bool apart(const Wanted& one, const Wanted& other) {
        using Kind = Wanted::Kind;
        if (one.kind == Kind::Absent || other.kind == Kind::Absent) return one.kind != other.kind;
        if (one.kind == Kind::OneOf && other.kind == Kind::OneOf)
            return disjoint(one.values, other.values);
        const auto excluded = [](const Wanted& values, const Wanted& out) {
            return values.kind == Kind::OneOf && out.kind == Kind::Not &&
                   std::ranges::all_of(values.values,
                                       [&](const Scalar& each) { return holds(out.values, each); });
        };
        return excluded(one, other) || excluded(other, one);
    }

    // Whether another part of the two conditions, or something the first rule writes, keeps the
    // second rule from matching.
    static bool kept_apart(const Wants& at_first, const Writes& written, const Wants& at_then) {
        return std::ranges::any_of(at_then, [&](const auto& each) {
            const auto& [path, wanted] = each;
            const auto before = at_first.find(path);
            if (!is_touched(written, path))
                return before != at_first.end() && apart(before->second, wanted);
            return unfit(written, path, wanted);
        });
    }

    static bool is_touched(const Writes& written, const std::string& path) {
        return std::ranges::any_of(written, [&](const auto& each) {
            return each.first == path || is_above(each.first, path) || is_above(path, each.first);
        });
    }

    static bool unfit(const Writes& written, const std::string& path, const Wanted& wanted) {
        for (const auto& [node, change] : written) {
            if (!change.surely || change.unknown) continue;
            const bool gone = change.removed && change.values.empty();
            if (gone && wanted.kind != Wanted::Kind::Absent &&
                (node == path || is_above(node, path)))
                return true;
            if (node != path || change.removed) continue;
            if (wanted.kind == Wanted::Kind::Absent) return true;
            if (wanted.kind == Wanted::Kind::OneOf && disjoint(wanted.values, change.values))
                return true;
        }
        return false;
    }

    Reading& reading_;
    Reader reader_;
};

Damage damage_of(const Diagnostics& diagnostics) {
    Damage damage;
    for (const Diagnostic& diagnostic : diagnostics.sorted()) {
        if (diagnostic.severity != Severity::Error) continue;
        if (diagnostic.rule.empty())
            damage.outside_rules = true;
        else
            damage.rules.insert(diagnostic.rule);
    }
    return damage;
}

// Keeps the place of the first random(..) in a part of a rule.
template <class Part>
void find_chance(const Part& part, std::optional<Span>& found) {
    for_each<Expr>(part, [&](const Expr& each) {
        if (each.op == ExprOp::Random && !found) found = each.span;
    });
}

// The opening brace only: a warning need not show a whole rule.
Span first_of(Span span) {
    return {span.file, span.begin, span.begin + 1};
}

// Reports conditions that contradict themselves.
void check_contradictions(Reading& reading, const Ruleset& ruleset) {
    for_each_rule(ruleset, [&](const Rule& rule) {
        if (!rule.condition) return;
        const RuleScope named(reading, rule.name);
        Contradictions contradictions(reading);
        for_each<Pattern>(*rule.condition,
                          [&](const Pattern& pattern) { contradictions.check(pattern); });
    });
}

// Warns about rules of `play` that see a change made by an earlier one for the same move.
void check_same_step(Reading& reading, const Ruleset& ruleset) {
    if (const Group* play = ruleset.group("play")) SameStep(reading).check(*play, false);
}

// In an agenda a random condition or salience would be drawn whenever matches are updated, so no
// author could rely on it; random(..) and else are errors there.
void check_agendas(Reading& reading, const Ruleset& ruleset) {
    for (const Group& group : ruleset.groups) {
        if (group.mode != GroupMode::Agenda) continue;
        for (const Rule& rule : group.rules) {
            const RuleScope named(reading, rule.name);
            if (rule.otherwise.kind != Action::Kind::None)
                reading.error(code::kAgendaRule, rule.otherwise.span,
                              "a rule of an agenda has no else: it waits until it has a match",
                              "write another rule with the opposite condition, using @not");
            std::optional<Span> chance;
            for (const Expr& salience : rule.salience)
                find_chance(salience, chance);
            if (rule.condition) find_chance(*rule.condition, chance);
            if (chance)
                reading.error(code::kAgendaRule, *chance,
                              "random(..) has no place in a condition or salience of an agenda: "
                              "its matches are kept, not drawn again",
                              "draw in an action and read what it wrote, or use the strategy "
                              "random");
        }
    }
}

// Names of rules must be unique, nested ones included.
void check_names(Reading& reading, const Ruleset& ruleset, bool strict) {
    std::map<std::string, Span> seen;
    for_each_rule(ruleset, [&](const Rule& rule) {
        if (strict && !rule.named) {
            const RuleScope scope(reading, rule.name);
            reading.warning(code::kNamelessRule, first_of(rule.span), "this rule has no name",
                            "revisions and profiles refer to rules by their names");
        }
        const auto [first, added] = seen.try_emplace(rule.name, rule.name_span);
        if (added) return;
        reading.error(code::kDuplicateRule, rule.name_span,
                      fmt::format("a second rule named {}; the first is at {}", rule.name,
                                  reading.sources.place(first->second)),
                      "give it another name");
    });
}

} // namespace

void check_ruleset(Reading& reading, const Ruleset& ruleset, const CheckSettings& settings) {
    const Damage damage = damage_of(reading.diagnostics);
    check_names(reading, ruleset, settings.strict);
    check_agendas(reading, ruleset);
    check_shape(reading, ruleset);
    check_contradictions(reading, ruleset);
    check_same_step(reading, ruleset);
    check_data(reading, ruleset);
    // Last: after an error, the part that would have used a variable may be missing.
    check_variables(reading, ruleset, settings.unused, damage);
}

} // namespace croupier::engine
