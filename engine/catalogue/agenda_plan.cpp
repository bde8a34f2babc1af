// Follows the conditions of an agenda's rules through the tree.
#include "engine/catalogue/agenda_plan.h"

#include <algorithm>
#include <set>
#include <utility>

namespace croupier::engine {

namespace {

constexpr char kHidden = '#';

void name_wildcards(Pattern& pattern) {
    for (Entry& entry : pattern.entries) {
        if (entry.kind == KeyKind::Wildcard) {
            entry.kind = KeyKind::Variable;
            entry.variable = kHidden + std::to_string(entry.id);
        }
        // A match stands on no node inside directives.
        const EntryForm form = form_of(entry.kind);
        if (form != EntryForm::Node && form != EntryForm::Use) continue;
        for (Pattern& below : entry.patterns)
            name_wildcards(below);
    }
}

// The number of tests in an expression.
std::uint32_t tests_of(const Expr& expr) {
    const bool joins = expr.op == ExprOp::And || expr.op == ExprOp::Or || expr.op == ExprOp::Not;
    if (!joins) return 1;
    std::uint32_t tests = 0;
    for (const Expr& arg : expr.args)
        tests += tests_of(arg);
    return tests;
}

// One condition.
class Footprint {
  public:
    Footprint(const std::vector<std::string>& variables, Symbols& symbols, std::uint32_t rule,
              AgendaPlan& plan)
        : variables_(variables), symbols_(symbols), rule_(rule), plan_(plan),
          made_(plan.rules[rule]) {}

    void condition(const Pattern& pattern) {
        bool first = true;
        if (pattern.kind != PatternKind::Object) leaf(pattern);
        for (const Entry& entry : pattern.entries) {
            this->entry(entry, {});
            if (first) made_.first_entry = made_.basis.size();
            first = false;
        }
    }

  private:
    void pattern(const Pattern& pattern, const BasisPath& at) {
        leaf(pattern);
        for (const Entry& each : pattern.entries)
            entry(each, at);
    }

    void entry(const Entry& entry, const BasisPath& at) {
        BasisPath path = at;
        switch (entry.kind) {
        case KeyKind::Name:
            path.push_back(key(entry.key));
            ++made_.specificity;
            node(entry, path);
            break;
        case KeyKind::Variable:
        case KeyKind::Wildcard:
            if (entry.kind == KeyKind::Variable && bound_.contains(entry.variable))
                ++made_.specificity;
            made_.specificity += entry.type.name.empty() ? 0 : 1;
            path.push_back(variable_key(entry));
            bound_.insert(entry.variable);
            node(entry, path);
            break;
        case KeyKind::Test:
            leaf(entry.patterns[0], true);
            break;
        case KeyKind::Parent:
            ++made_.specificity;
            if (path.empty()) break; // never matches
            path.pop_back();
            node(entry, path);
            break;
        case KeyKind::Root:
            ++made_.specificity;
            node(entry, {});
            break;
        case KeyKind::Path:
            ++made_.specificity;
            node(entry, go_down(entry.path));
            break;
        case KeyKind::Use:
            for (const Pattern& used : entry.patterns)
                pattern(used, at);
            break;
        case KeyKind::Log:
            break;
        default:
            directive(entry, at);
            break;
        }
    }

    // An entry whose node has this path.
    void node(const Entry& entry, const BasisPath& path) {
        reads(path);
        if (!inside_ && entry.patterns[0].kind != PatternKind::Absent) made_.basis.push_back(path);
        pattern(entry.patterns[0], path);
    }

    void directive(const Entry& entry, const BasisPath& at) {
        ++made_.specificity;
        const bool outer = std::exchange(inside_, true);
        const std::set<std::string> before = bound_;
        std::set<std::string> common;
        for (std::size_t i = 0; i < entry.patterns.size(); ++i) {
            if (entry.kind == KeyKind::AnyOf) bound_ = before;
            pattern(entry.patterns[i], at);
            if (i == 0) {
                common = bound_;
            } else {
                std::erase_if(common,
                              [&](const std::string& name) { return !bound_.contains(name); });
            }
        }
        for (const Expr& value : entry.value)
            expression(value);
        bound_ = entry.kind == KeyKind::AnyOf ? common : before;
        inside_ = outer;
        if (!entry.into.empty()) leaf(entry.into[0]);
    }

    // `test` is true under `_`, where there is no node and a variable is a test.
    void leaf(const Pattern& pattern, bool test = false) {
        switch (pattern.kind) {
        case PatternKind::Value:
        case PatternKind::Compare:
            ++made_.specificity;
            expression(pattern.expr);
            break;
        case PatternKind::Expression:
            made_.specificity += tests_of(pattern.expr);
            expression(pattern.expr);
            break;
        case PatternKind::OneOf:
            ++made_.specificity;
            for (const Expr& choice : pattern.choices)
                expression(choice);
            break;
        case PatternKind::Assign:
            expression(pattern.expr);
            [[fallthrough]];
        case PatternKind::Bind: {
            const bool binds = !(test && pattern.kind == PatternKind::Bind) &&
                               bound_.insert(pattern.variable).second;
            made_.specificity += (binds ? 0 : 1) + (pattern.type.name.empty() ? 0 : 1);
            break;
        }
        case PatternKind::Object:
        case PatternKind::Absent:
        case PatternKind::Any:
            break;
        }
    }

    // Records the nodes that the expression reads: those of size(..).
    void expression(const Expr& expr) {
        for_each<Expr>(expr, [&](const Expr& each) {
            if (each.op != ExprOp::Size) return;
            BasisPath path = go_down(each.path);
            path.emplace_back(); // children may come and go
            reads(path);
        });
    }

    // Walks down from the root and records a read of every node on the way.
    BasisPath go_down(const PathExpr& written) {
        BasisPath path;
        for (const KeyTemplate& segment : written.segments) {
            path.push_back(key(segment));
            reads(path);
        }
        return path;
    }

    // A key that is neither a text nor a variable of the match stands for any key.
    BasisKey key(const KeyTemplate& written) {
        BasisKey made;
        for (const KeyPart& part : written.parts) {
            BasisKey::Part each;
            if (part.variable)
                each.variable = place_of(part.text);
            else
                each.text = symbols_.intern(part.text);
            made.parts.push_back(each);
        }
        return made;
    }

    BasisKey variable_key(const Entry& entry) const {
        return {{{kNoSymbol, place_of(entry.variable)}}};
    }

    // Variables bound only in a directive get an invalid place, which is never used.
    [[nodiscard]] std::uint32_t place_of(const std::string& name) const {
        return static_cast<std::uint32_t>(std::ranges::find(variables_, name) - variables_.begin());
    }

    void reads(const BasisPath& path) {
        AgendaPlan::Reader reader{rule_, {}};
        for (const BasisKey& each : path)
            reader.path.push_back(each.is_text() ? each.parts[0].text : kNoSymbol);
        if (reader.path.empty()) return; // the root never comes, goes or holds a value
        std::vector<AgendaPlan::Reader>& known = plan_.readers[reader.path[0]];
        const bool twice = std::ranges::any_of(known, [&](const AgendaPlan::Reader& other) {
            return other.rule == rule_ && other.path == reader.path;
        });
        if (!twice) known.push_back(std::move(reader));
    }

    const std::vector<std::string>& variables_;
    Symbols& symbols_;
    std::uint32_t rule_;
    AgendaPlan& plan_;
    AgendaRule& made_;
    std::set<std::string> bound_;
    bool inside_ = false; // true inside a directive
};

} // namespace

bool AgendaPlan::Reader::sees(std::span<const Symbol> node) const {
    return std::ranges::equal(
        node, path, [](Symbol key, Symbol wanted) { return wanted == kNoSymbol || wanted == key; });
}

void AgendaPlan::add_readers_of(std::span<const Symbol> path, Rules& found) const {
    if (path.empty()) return;
    for (const Symbol first : {path[0], kNoSymbol}) {
        const auto known = readers.find(first);
        if (known == readers.end()) continue;
        for (const Reader& reader : known->second) {
            std::uint64_t& word = found[reader.rule / 64];
            const std::uint64_t bit = std::uint64_t{1} << (reader.rule % 64);
            if ((word & bit) == 0 && reader.sees(path)) word |= bit;
        }
    }
}

bool is_hidden(const std::string& variable) {
    return variable.starts_with(kHidden);
}

Group with_named_wildcards(const Group& group) {
    Group made = group;
    for (Rule& rule : made.rules)
        if (rule.condition) name_wildcards(*rule.condition);
    return made;
}

AgendaPlan plan_agenda(const Group& group, const std::vector<std::vector<std::string>>& variables,
                       Symbols& symbols) {
    AgendaPlan plan;
    plan.strategy = group.strategy;
    if (group.limit) plan.limit = static_cast<std::uint64_t>(*group.limit);
    plan.rules.resize(group.rules.size());
    for (std::uint32_t i = 0; i < group.rules.size(); ++i) {
        const Rule& rule = group.rules[i];
        if (rule.condition) Footprint(variables[i], symbols, i, plan).condition(*rule.condition);
        AgendaRule& made = plan.rules[i];
        made.fixed_salience = rule.salience.empty();
        if (!rule.salience.empty() && rule.salience[0].op == ExprOp::Literal) {
            if (const auto* number = std::get_if<std::int64_t>(&rule.salience[0].literal);
                number != nullptr && *number >= INT32_MIN && *number <= INT32_MAX) {
                made.fixed_salience = true;
                made.salience = static_cast<int>(*number);
            }
        }
    }
    return plan;
}

} // namespace croupier::engine
