// Converts patterns, actions and rules to documents and text.
#include "engine/language/print.h"

#include "engine/language/expression_parser.h"
#include "engine/language/words.h"

#include <fmt/format.h>

#include <map>

namespace croupier::engine {

namespace {

// Expressions, keys and paths as text, with as few parentheses as possible.

std::string operand(const Expr& expr, Level least);

// Doubles each of those characters.
std::string doubled(const std::string& text, std::string_view characters) {
    std::string all;
    for (const char c : text)
        all.append(characters.find(c) == std::string_view::npos ? 1 : 2, c);
    return all;
}

std::string literal(const Expr& expr) {
    if (!expr.option.empty()) return "options." + expr.option;
    const auto* text = std::get_if<std::string>(&expr.literal);
    if (text == nullptr) return scalar_json(expr.literal);
    return '\'' + doubled(*text, "'") + '\'';
}

bool is_plain_number(const Expr& expr) {
    return expr.is_fixed() && (std::holds_alternative<std::int64_t>(expr.literal) ||
                               std::holds_alternative<double>(expr.literal));
}

// The text, and how tightly it binds.
std::pair<std::string, Level> print_at_level(const Expr& expr) {
    const Operator& known = operator_of(expr.op);
    if (known.is_infix()) {
        // Equal levels group from the left; comparisons do not group at all.
        const Level right = tighter(known.level);
        const Level left = known.level == Level::Compare ? right : known.level;
        return {fmt::format("{} {} {}", operand(expr.args[0], left), known.text,
                            operand(expr.args[1], right)),
                known.level};
    }
    switch (expr.op) {
    case ExprOp::Literal:
        return {literal(expr), Level::Primary};
    case ExprOp::Variable:
        return {'$' + expr.variable, Level::Primary};
    case ExprOp::This:
        return {"$this", Level::Primary};
    case ExprOp::Not:
        return {'!' + operand(expr.args[0], Level::Unary), Level::Unary};
    case ExprOp::Negate: {
        // -5 is a number; the negation of 5 is written as -(5).
        const std::string inner = operand(expr.args[0], Level::Unary);
        const bool number = is_plain_number(expr.args[0]) && !inner.starts_with('-');
        return {number ? "-(" + inner + ')' : '-' + inner, Level::Unary};
    }
    case ExprOp::Conditional:
        return {operand(expr.args[0], Level::Or) + " ? " + print(expr.args[1]) + " : " +
                    print(expr.args[2]),
                Level::Conditional};
    case ExprOp::Size:
        return {"size(" + print(expr.path) + ')', Level::Primary};
    default:
        break;
    }
    std::string text = std::string(known.text) + '(';
    for (std::size_t i = 0; i < expr.args.size(); ++i)
        text += (i > 0 ? ", " : "") + print(expr.args[i]);
    return {text + ')', Level::Primary};
}

std::string operand(const Expr& expr, Level least) {
    const auto [text, level] = print_at_level(expr);
    return level >= least ? text : '(' + text + ')';
}

// A single variable is $X in paths and actions; in conditions $X would bind, so there it is {$X}.
std::string print_template(const KeyTemplate& key, bool bare) {
    if (bare && key.is_variable()) return '$' + key.parts[0].text;
    std::string text;
    for (const KeyPart& part : key.parts)
        text += part.variable ? "{$" + part.text + '}' : doubled(part.text, "@$");
    return text;
}

std::string with_type(const std::string& variable, const TypeName& type) {
    return type.name.empty() ? variable : variable + ':' + type.name;
}

using json::add;
using json::append;
using json::array;
using json::scalar;
using json::text;

// Members whose keys may repeat: the second `gold` becomes `gold@2`.
class ObjectWriter {
  public:
    explicit ObjectWriter(Span span) : object_(json::object(span)) {}

    void add(const std::string& key, Span key_span, Document value) {
        const unsigned count = ++counts_[key];
        object_.members.push_back(
            {count == 1 ? key : key + '@' + std::to_string(count), key_span, std::move(value)});
    }
    Document take() { return std::move(object_); }

  private:
    Document object_;
    std::map<std::string, unsigned> counts_;
};

// A string that stands for itself, with a leading ' if it would otherwise mean something else.
std::string plain_text(const std::string& text) {
    const Sources none;
    const ParsedForm form = parse_form(Quoted(none, text, {}));
    return form.form == ValueForm::Text && form.begin == 0 ? text : '\'' + text;
}

// A value where both expressions and plain values are allowed.
Document value(const Expr& expr) {
    if (expr.is_fixed()) {
        const auto* text = std::get_if<std::string>(&expr.literal);
        return scalar(text != nullptr ? Scalar(plain_text(*text)) : expr.literal, expr.span);
    }
    std::string text = print(expr);
    if (text.starts_with('\'')) text = '(' + text + ')';
    if (text.find('$') == std::string::npos) text = "= " + text;
    return scalar(std::move(text), expr.span);
}

// A value where only an expression is allowed.
Document expression(const Expr& expr) {
    if (expr.is_fixed() && !std::holds_alternative<std::string>(expr.literal))
        return scalar(expr.literal, expr.span);
    std::string text = print(expr);
    if (text.starts_with('\'')) text = '(' + text + ')';
    return scalar(std::move(text), expr.span);
}

Document pattern_leaf(const Pattern& pattern) {
    const auto text = [&](std::string written) { return scalar(std::move(written), pattern.span); };
    switch (pattern.kind) {
    case PatternKind::Value:
        return pattern.expr.is_fixed() ? value(pattern.expr) : text("= " + print(pattern.expr));
    case PatternKind::Compare:
        return text(std::string(operator_of(pattern.compare).text) + ' ' + print(pattern.expr));
    case PatternKind::Bind:
        return text(with_type('$' + pattern.variable, pattern.type));
    case PatternKind::Assign:
        return text(with_type('$' + pattern.variable, pattern.type) + " = " + print(pattern.expr));
    case PatternKind::Expression:
        // A single variable would bind.
        if (pattern.expr.op == ExprOp::Variable) return text('(' + print(pattern.expr) + ')');
        return expression(pattern.expr);
    case PatternKind::Absent:
        return text("@absent");
    default:
        return text("@any");
    }
}

Document aggregate(const Entry& entry) {
    ObjectWriter object(entry.span);
    const Pattern& of = entry.patterns[0];
    if (of.kind != PatternKind::Object || !of.entries.empty())
        object.add("of", of.span, to_document(of));
    for (const Expr& each : entry.value)
        object.add("value", each.span, expression(each));
    object.add("into", entry.into[0].span, to_document(entry.into[0]));
    return object.take();
}

Document entry_value(const Entry& entry) {
    switch (form_of(entry.kind)) {
    case EntryForm::Ways: {
        Document list = array(entry.span);
        for (const Pattern& alternative : entry.patterns)
            append(list, to_document(alternative));
        return list;
    }
    case EntryForm::Total:
        return aggregate(entry);
    case EntryForm::Use: {
        if (entry.use_names.size() == 1) return scalar(entry.use_names[0], entry.span);
        Document list = array(entry.span);
        for (const std::string& name : entry.use_names)
            append(list, scalar(name, entry.span));
        return list;
    }
    case EntryForm::Log:
        return scalar(entry.flag, entry.span);
    default:
        break;
    }
    if (entry.kind != KeyKind::Forall) return to_document(entry.patterns[0]);
    ObjectWriter object(entry.span);
    object.add("of", entry.patterns[0].span, to_document(entry.patterns[0]));
    object.add("holds", entry.patterns[1].span, to_document(entry.patterns[1]));
    return object.take();
}

std::string print_text(const ActionEntry& entry) {
    std::string text;
    for (const PrintPart& part : entry.print) {
        text += doubled(part.text, "${");
        for (const Expr& expr : part.expr)
            text += '{' + print(expr) + '}';
    }
    return text;
}

Document call(const ActionEntry& entry) {
    ObjectWriter arguments(entry.span);
    for (const CallArgument& argument : entry.arguments) {
        Document given =
            argument.path.empty()
                ? argument.name == "count" ? expression(argument.expr[0]) : value(argument.expr[0])
                : scalar(print(argument.path[0]), argument.span);
        arguments.add(argument.name, argument.span, std::move(given));
    }
    ObjectWriter functions(entry.span);
    functions.add(entry.function, entry.key_span, arguments.take());
    return functions.take();
}

Document action_value(const ActionEntry& entry) {
    switch (entry.kind) {
    case ActionKeyKind::Rules:
        return to_document(*entry.group);
    case ActionKeyKind::Call:
        return call(entry);
    case ActionKeyKind::Print:
        return scalar(print_text(entry), entry.span);
    default:
        return to_document(entry.node);
    }
}

// Types and shapes as documents that can be read back.

void add_grid(Document& object, const Grid& grid) {
    Document size = json::array();
    json::append(size, json::integer(grid.columns));
    json::append(size, json::integer(grid.rows));
    add(object, "grid", std::move(size));
    for (const GridRelation& relation : kGridRelations) {
        const Ways ways = grid.*relation.ways;
        if (ways != Ways::None) add(object, std::string(relation.name), text(name_of(ways)));
    }
    if (grid.wrap) add(object, "wrap", json::boolean(true));
}

Document leaf(const Shape& shape, const std::vector<Domain>& types) {
    if (shape.kind == ShapeKind::Unit) return json::boolean(true);
    const Domain* const domain =
        shape.kind == ShapeKind::Member ? find_named(types, shape.domain) : nullptr;
    return domain != nullptr && domain->anonymous ? json::texts(domain->members)
                                                  : text(leaf_name(shape));
}

} // namespace

std::string print(const Expr& expr) {
    return print_at_level(expr).first;
}

std::string print(const PathExpr& path) {
    std::string text;
    for (const KeyTemplate& segment : path.segments)
        text += (text.empty() ? "" : ".") + print_template(segment, true);
    return text;
}

std::string print_key(const Entry& entry) {
    switch (entry.kind) {
    case KeyKind::Name:
        return print_template(entry.key, false);
    case KeyKind::Variable:
        return with_type('$' + entry.variable, entry.type);
    case KeyKind::Wildcard:
        return with_type("$_", entry.type);
    case KeyKind::Test:
        return "_";
    case KeyKind::Path:
        return "@path(" + print(entry.path) + ')';
    default:
        return std::string(word_of(entry.kind));
    }
}

std::string print_key(const ActionEntry& entry) {
    if (entry.kind == ActionKeyKind::Name) return print_template(entry.key, true);
    const std::string word(word_of(entry.kind));
    return entry.kind == ActionKeyKind::Path ? word + '(' + print(entry.path) + ')' : word;
}

Document to_document(const Pattern& pattern) {
    if (pattern.kind == PatternKind::OneOf) {
        Document list = array(pattern.span);
        for (const Expr& choice : pattern.choices)
            append(list, value(choice));
        return list;
    }
    if (pattern.kind != PatternKind::Object) return pattern_leaf(pattern);
    ObjectWriter object(pattern.span);
    for (const Entry& entry : pattern.entries)
        object.add(print_key(entry), entry.key_span, entry_value(entry));
    return object.take();
}

Document to_document(const ActionNode& node) {
    switch (node.kind) {
    case ActionKind::Set:
        return value(node.expr);
    case ActionKind::Remove:
        return scalar(std::string("@remove"), node.span);
    case ActionKind::Array: {
        Document list = array(node.span);
        for (const ActionNode& element : node.elements)
            append(list, to_document(element));
        return list;
    }
    case ActionKind::Object:
        break;
    }
    ObjectWriter object(node.span);
    for (const ActionEntry& entry : node.entries)
        object.add(print_key(entry), entry.key_span, action_value(entry));
    return object.take();
}

Document to_document(const Action& action) {
    if (action.kind == Action::Kind::None) return {};
    return action.kind == Action::Kind::Group ? to_document(*action.group)
                                              : to_document(action.tree);
}

Document to_document(const Rule& rule) {
    ObjectWriter object(rule.span);
    const auto add = [&](const std::string& key, Document value) {
        const Span span = value.span;
        object.add(key, span, std::move(value));
    };
    if (rule.named) add("name", scalar(rule.name, rule.name_span));
    if (!rule.doc.empty()) add("doc", scalar(rule.doc, rule.span));
    if (rule.log) add("@log", scalar(*rule.log, rule.span));
    if (rule.first) add("first", scalar(true, rule.span));
    if (rule.repeat > 1) add("repeat", scalar(std::int64_t{rule.repeat}, rule.span));
    for (const Expr& salience : rule.salience)
        add("salience", expression(salience));
    if (rule.condition) add("condition", to_document(*rule.condition));
    if (rule.action.kind != Action::Kind::None) add("action", to_document(rule.action));
    if (rule.otherwise.kind != Action::Kind::None) add("else", to_document(rule.otherwise));
    return object.take();
}

Document to_document(const Group& group) {
    Document rules = array(group.span);
    for (const Rule& rule : group.rules)
        append(rules, to_document(rule));
    if (group.mode == GroupMode::Sequential) return rules;
    ObjectWriter object(group.span);
    if (group.mode == GroupMode::AtOnce)
        object.add("at_once", group.span, scalar(true, group.span));
    else
        object.add("strategy", group.span,
                   scalar(std::string(name_of(group.strategy)), group.span));
    if (group.limit) object.add("limit", group.span, scalar(*group.limit, group.span));
    object.add("rules", group.span, std::move(rules));
    return object.take();
}

std::string print(const Rule& rule, int indent) {
    return write_json(to_document(rule), indent);
}
std::string print(const Group& group, int indent) {
    return write_json(to_document(group), indent);
}

std::string leaf_name(const Shape& shape) {
    if (shape.kind == ShapeKind::Member) return shape.domain;
    if (shape.kind == ShapeKind::Int && (shape.low != INT64_MIN || shape.high != INT64_MAX))
        return fmt::format("{}..{}", shape.low, shape.high);
    return std::string(name_of(shape.kind));
}

std::string map_key(const Shape& shape) {
    const std::string& keys = shape.domain.empty() ? shape.key_type : shape.domain;
    return keys.empty() ? "$" : "$:" + keys;
}

Document to_document(const Domain& domain) {
    Document object = json::object();
    if (domain.grid)
        add_grid(object, *domain.grid);
    else if (domain.numbered)
        add(object, "members", json::integer(domain.members.size()));
    else
        add(object, "members", json::texts(domain.members));
    if (domain.order != Domain::Order::None)
        add(object, "order", text(domain.order == Domain::Order::Cyclic ? "cyclic" : "linear"));
    return object;
}

Document to_document(const Shape& shape, const std::vector<Domain>& types) {
    if (shape.kind != ShapeKind::Record && shape.kind != ShapeKind::Map) return leaf(shape, types);
    Document object = json::object();
    for (const auto& [name, field] : shape.fields)
        add(object, shape.kind == ShapeKind::Map ? map_key(shape) : doubled(name, "@$"),
            to_document(field, types));
    return object;
}

} // namespace croupier::engine
