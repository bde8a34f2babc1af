// The intermediate form as text: names, expressions, statements as lines.
#include "engine/form/to_text.h"

#include "engine/language/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <unordered_map>
#include <vector>

namespace croupier::engine::form {

// Operands of the intermediate form as text.

// Prints faulty functions as well, with `?` for what does not exist.
namespace {

std::string range(std::int64_t low, std::int64_t high) {
    const Type all;
    if (low == all.low && high == all.high) return "int";
    return fmt::format("int {}..{}", low == all.low ? "" : std::to_string(low),
                       high == all.high ? "" : std::to_string(high));
}

std::string name_of(const Module& module, const CodeList& list) {
    const Layout& layout = *module.catalogue->layout;
    std::string domain =
        list.domain < layout.domain_count() ? layout.domain(list.domain).name : "?";
    switch (list.form) {
    case CodeList::Form::Keys:
        return domain;
    case CodeList::Form::Texts:
        return "text of " + domain;
    case CodeList::Form::Numbers:
        return "number of " + domain;
    case CodeList::Form::Truths:
        return "code of truth";
    case CodeList::Form::Range:
        break;
    }
    return fmt::format("code {}..{}", list.low,
                       list.low + static_cast<std::int64_t>(list.values.size()) - 1);
}

std::string list_name(const Module& module, std::uint32_t list) {
    return list < module.lists.size() ? name_of(module, module.lists[list])
                                      : fmt::format("list {}?", list);
}

} // namespace

namespace {

// A type of the program, as after `$X:`.
std::string name_of_program_type(const Module& module, std::uint32_t type) {
    const std::vector<TypePlan>& types = module.catalogue->types;
    if (type >= types.size()) return fmt::format("type {}?", type);
    constexpr std::array kNames = {"any", "int", "double", "number", "string", "bool", "null"};
    return types[type].kind == TypePlan::Kind::Domain
               ? module.catalogue->layout->domain(types[type].domain).name
               : kNames.at(static_cast<std::size_t>(types[type].kind));
}

// "'text'", "\"key\"", "3", "none".
std::string text_of(const Module& module, const Value& value) {
    if (value.tag == Tag::None) return "none";
    const std::string text = to_text(value, module.catalogue->symbols);
    return value.tag == Tag::String ? "'" + text + "'"
           : value.tag == Tag::Key  ? '"' + text + '"'
                                    : text;
}

// The value of a code, "none" for 0.
std::string text_of_code(const Module& module, std::uint32_t list, std::int64_t code) {
    if (code == 0) return "none";
    if (list >= module.lists.size() || code < 0 ||
        static_cast<std::uint64_t>(code) > module.lists[list].values.size())
        return fmt::format("{}?", code);
    return to_text(module.lists[list].values[static_cast<std::size_t>(code - 1)],
                   module.catalogue->symbols);
}

// "play/1:3" from rule and entry, or "play/1@120" from rule and position in the file.
std::string text_of_note(const Module& module, NoteId note) {
    if (note >= module.notes.size()) return fmt::format("note {}?", note);
    const Note& known = module.notes[note];
    const std::string rule =
        known.rule < module.catalogue->rules.size() ? module.catalogue->rules[known.rule].name : "";
    return known.entry != kNone ? fmt::format("{}:{}", rule, known.entry)
                                : fmt::format("{}@{}", rule, known.span.begin);
}

// "hands[$P][$C]" from the texts of the rows; the root is "(root)".
std::string text_of_place(const Module& module, SchemaId schema,
                          const std::vector<std::string>& rows) {
    const Layout& layout = *module.catalogue->layout;
    if (schema >= layout.size()) return fmt::format("schema {}?", schema);
    const std::string path = layout.path(schema);
    std::string text = path.empty() ? "(root)" : "";
    std::size_t used = 0;
    for (std::size_t from = 0; from < path.size();) {
        const std::size_t end = std::min(path.find('.', from), path.size());
        if (path[from] == '$') {
            text += fmt::format("[{}]", used < rows.size() ? rows[used] : "?");
            ++used;
        } else {
            text += (text.empty() ? "" : ".") + path.substr(from, end - from);
        }
        from = end + 1;
    }
    for (; used < rows.size(); ++used)
        text += fmt::format("[{}?]", rows[used]);
    return text;
}

// Operands as text: infix where the language has it, else calls by the name of the kind.

// The text before the operands, or between them.
std::string_view text_of(ExprOp which) {
    const auto op = static_cast<std::size_t>(which);
    const bool known = op < std::size(kOperators) && !kOperators[op].text.empty();
    return known ? kOperators[op].text : "?";
}

bool is_plain(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '-';
    });
}

} // namespace

std::string name_of(const Module& module, const Type& type) {
    switch (type.kind) {
    case TypeKind::Int:
        return range(type.low, type.high);
    case TypeKind::Code:
        return list_name(module, type.list);
    case TypeKind::Set:
        return "set of " + list_name(module, type.list);
    default:
        break;
    }
    constexpr std::array kNames = {"none", "truth", "int",  "code",   "any",     "key",
                                   "node", "set",   "data", "member", "argument"};
    return kNames.at(static_cast<std::size_t>(type.kind));
}

class ExpressionPrinter {
  public:
    ExpressionPrinter(const Module& module, const Function& function)
        : module_(module), function_(function), variables_(variable_texts(function)) {}

    [[nodiscard]] std::string variable(VarId var) const {
        return var < variables_.size() ? variables_[var] : fmt::format("${}?", var);
    }

    // With its type, unless that is any value.
    [[nodiscard]] std::string typed_variable(VarId var) const {
        std::string text = variable(var);
        if (var < function_.vars.size() && function_.vars[var].type.kind != TypeKind::Any)
            text += ": " + name_of(module_, function_.vars[var].type);
        return text;
    }

    [[nodiscard]] std::string variables(std::uint32_t first, std::int64_t count) const {
        std::string text;
        for (std::int64_t i = 0; i < count; ++i) {
            text += (i == 0 ? " " : ", ") + typed_variable(first + static_cast<std::uint32_t>(i));
        }
        return text;
    }

    // The operand at that place; in parentheses if it binds less than `level`.
    [[nodiscard]] std::string operand(const Node& node, std::size_t place,
                                      Level level = Level::Conditional) const {
        const Node* found = operand_node(node, place);
        if (found == nullptr) return "?";
        Text made = expression(*found);
        return made.level < level ? "(" + made.text + ")" : std::move(made.text);
    }

    // The operands from that place on, with commas.
    [[nodiscard]] std::string operands(const Node& node, std::size_t from = 0) const {
        std::string text;
        for (std::size_t i = from; i < node.operands.size(); ++i)
            text += (i == from ? "" : ", ") + operand(node, i);
        return text;
    }

    [[nodiscard]] std::string call(const Node& node) const {
        const CallInfo* info =
            node.function() < module_.calls.size() ? &module_.calls[node.function()] : nullptr;
        std::string text = (info == nullptr ? "?" : info->function) + "(";
        for (std::size_t i = 0; i < node.operands.size(); ++i) {
            const Node* argument = operand_node(node, i);
            text += i == 0 ? "" : ", ";
            const std::size_t name =
                argument == nullptr ? kNothing : static_cast<std::size_t>(argument->number);
            if (info != nullptr && name < info->arguments.size())
                text += info->arguments[name] + ": ";
            text += operand(node, i);
        }
        return text + ")";
    }

    // By its text in nodes.def.
    [[nodiscard]] std::string text(const Node& node) const {
        std::string_view left = info_of(node.kind).text;
        if (left.empty()) return generic(node);
        std::string made;
        for (std::size_t begin = left.find('{'); begin != left.npos; begin = left.find('{')) {
            const std::size_t end = left.find('}', begin);
            made += left.substr(0, begin);
            made += part(node, left.substr(begin + 1, end - begin - 1));
            left.remove_prefix(end + 1);
        }
        return made.append(left);
    }

  private:
    struct Text {
        std::string text;
        Level level = Level::Call;
    };

    // Names of types, values, places and variables.

    [[nodiscard]] const Node* operand_node(const Node& node, std::size_t place) const {
        return place < node.operands.size() && node.operands[place] < function_.nodes.size()
                   ? &function_.nodes[node.operands[place]]
                   : nullptr;
    }

    // A key in a path or of a child: without quotes, if it is plain.
    [[nodiscard]] std::string key(const Node& node, std::size_t place) const {
        const Node* found = operand_node(node, place);
        if (found != nullptr && found->kind == Kind::Name &&
            found->symbol() < module_.catalogue->symbols.size()) {
            const std::string text(module_.catalogue->symbols.text(found->symbol()));
            return is_plain(text) ? text : '"' + text + '"';
        }
        return operand(node, place);
    }

    // The text for {name} in the text of a node.
    [[nodiscard]] std::string part(const Node& node, std::string_view name) const {
        const bool numbered = std::isdigit(static_cast<unsigned char>(name.back())) != 0;
        const std::size_t from = numbered ? static_cast<std::size_t>(name.back() - '0') : 0;
        if (numbered) name.remove_suffix(1);
        if (name.empty()) return operand(node, from);
        if (name == "*") return operands(node);
        if (name == "x") return std::to_string(node.x);
        if (name == "y") return std::to_string(node.y);
        if (name == "var") return typed_variable(node.var());
        if (name == "vars") return variables(node.var(), node.vars());
        if (name == "note") return text_of_note(module_, node.entry_note());
        if (name == "path") return path(node, from);
        if (name == "place") return place(node, from);
        if (name == "rows") return place_of_rows(node, from);
        return name == "child" ? child(node) : presence(node);
    }

    // The declared place of a node, whose rows are the operands from `from` on.
    [[nodiscard]] std::string place(const Node& node, std::size_t from = 0) const {
        std::vector<std::string> rows;
        for (std::size_t i = from; i < node.operands.size(); ++i)
            rows.push_back(operand(node, i));
        return text_of_place(module_, node.schema(), rows);
    }

    // The same for all rows of a set, the operand at `set`, as the innermost row; the outer rows
    // follow it.
    [[nodiscard]] std::string place_of_rows(const Node& node, std::size_t set) const {
        std::vector<std::string> rows;
        for (std::size_t i = set + 1; i < node.operands.size(); ++i)
            rows.push_back(operand(node, i));
        rows.push_back("each of " + operand(node, set));
        return text_of_place(module_, node.schema(), rows);
    }

    // The child of the first operand whose key is the second.
    [[nodiscard]] std::string child(const Node& node) const {
        return operand(node, 0, Level::Primary) + "." + key(node, 1);
    }

    // "@parent@path(a.{$X})", whose keys are the operands from `from` on.
    [[nodiscard]] std::string path(const Node& node, std::size_t from = 0) const {
        std::string text = node.from_state() ? "@root" : "";
        for (std::uint32_t i = 0; i < node.up(); ++i)
            text += "@parent";
        text += "@path(";
        for (std::size_t i = from; i < node.operands.size(); ++i)
            text += (i == from ? "" : ".") + key(node, i);
        return text + ")";
    }

    [[nodiscard]] static std::string presence(const Node& node) {
        if (node.is_present()) return "  (present)";
        return std::string(node.is_absent() ? "  (absent)" : "") +
               (node.hangs() ? "  (parent present)" : "");
    }

    // Any kind: "Name[x=1 y=2 number=3](operands)", without fields that are 0.
    [[nodiscard]] std::string generic(const Node& node) const {
        std::string fields;
        const auto add = [&](std::string_view name, std::int64_t value) {
            if (value != 0)
                fields += fmt::format("{}{}={}", fields.empty() ? "" : " ", name, value);
        };
        add("x", node.x);
        add("y", node.y);
        add("number", node.number);
        std::string text(info_of(node.kind).name);
        text += fields.empty() ? "" : "[" + fields + "]";
        return text + (node.operands.empty() ? "" : "(" + operands(node) + ")");
    }

    [[nodiscard]] std::string constant(const Node& node) const {
        switch (node.type.kind) {
        case TypeKind::Truth:
            return node.literal() != 0 ? "true" : "false";
        case TypeKind::Int:
            return std::to_string(node.literal());
        case TypeKind::Code:
            return "#" + text_of_code(module_, node.type.list, node.literal());
        default:
            return node.value() < module_.values.size()
                       ? text_of(module_, module_.values[node.value()])
                       : fmt::format("value {}?", node.value());
        }
    }

    [[nodiscard]] Text infix(const Node& node, std::string_view sign, Level level) const {
        // Comparisons do not chain; the other operators are left-associative.
        const Level left = level == Level::Compare ? tighter(level) : level;
        return {
            fmt::format("{} {} {}", operand(node, 0, left), sign, operand(node, 1, tighter(level))),
            level};
    }

    [[nodiscard]] Text arithmetic(const Node& node) const {
        const auto op = node.op();
        // Arithmetic that cannot end in an error has a mark.
        const std::string sign =
            fmt::format("{}{}", node.kind == Kind::Calculate ? "&" : "", text_of(op));
        if (node.operands.size() == 2 && op >= ExprOp::Add && op <= ExprOp::Modulo)
            return infix(node, sign, operator_of(op).level);
        if (op == ExprOp::Negate && node.operands.size() == 1)
            return {sign + operand(node, 0, Level::Primary), Level::Unary};
        return {fmt::format("{}({})", sign, operands(node))};
    }

    [[nodiscard]] Text expression(const Node& node) const {
        const std::string_view name = info_of(node.kind).name;
        switch (node.kind) {
        case Kind::Constant:
            return {constant(node)};
        case Kind::Variable:
        case Kind::RowsOf:
            return {variable(node.var())};
        case Kind::KeyCode:
            return {fmt::format("{}<{}>({})", name, name_of(module_, node.type), operands(node))};
        case Kind::AllRows:
            return {
                fmt::format("{}<{}>", name, name_of(module_, {TypeKind::Code, node.type.list}))};
        case Kind::Fits:
            return {fmt::format("{} is {}", operand(node, 0, Level::Sum),
                                name_of_program_type(module_, node.type_id())),
                    Level::Compare};
        case Kind::Compare:
            return infix(node, text_of(node.op()), Level::Compare);
        case Kind::Not:
            return {"!" + operand(node, 0, Level::Unary), Level::Unary};
        case Kind::And:
            return infix(node, "&&", Level::And);
        case Kind::Or:
            return infix(node, "||", Level::Or);
        case Kind::Choose:
            return {fmt::format("{} ? {} : {}", operand(node, 0, Level::Or),
                                operand(node, 1, Level::Or), operand(node, 2, Level::Conditional)),
                    Level::Conditional};
        case Kind::Arithmetic:
        case Kind::Calculate:
            return arithmetic(node);
        case Kind::Name:
            return {node.symbol() < module_.catalogue->symbols.size()
                        ? fmt::format("\"{}\"", module_.catalogue->symbols.text(node.symbol()))
                        : fmt::format("symbol {}?", node.symbol())};
        case Kind::KeyText:
            return {fmt::format("{{{}{}}}", node.interns() ? "new " : "", operands(node))};
        case Kind::Parent:
            return {operand(node, 0, Level::Primary) + ".@parent"};
        case Kind::DataObject:
            return {"{" + operands(node) + "}"};
        case Kind::DataMember:
            return {key(node, 0) + ": " + operand(node, 1)};
        default:
            return {text(node)};
        }
    }

    const Module& module_;
    const Function& function_;
    std::vector<std::string> variables_;
};

std::vector<std::string> variable_texts(const Function& function) {
    std::unordered_map<std::string, int> seen;
    std::vector<std::string> texts;
    for (const Var& var : function.vars) {
        const int nth = ++seen[var.name];
        texts.push_back("$" + var.name + (nth == 1 ? "" : fmt::format("@{}", nth)));
    }
    return texts;
}

namespace {

class Printer {
  public:
    Printer(const Module& module, const Function& function, bool notes)
        : module_(module), function_(function), expressions_(module, function), notes_(notes) {}

    std::string print() {
        block(function_.body);
        return std::move(text_);
    }
    std::string print(Id id) {
        statement(function_.at(id));
        return std::move(text_);
    }

  private:
    // A part of a statement: the text before its block.
    struct Part {
        std::string head;
        std::size_t block = 0; // index in the node's blocks
    };

    void block(BlockId id) {
        if (id >= function_.blocks.size()) {
            line(fmt::format("block {}?", id));
            return;
        }
        for (const Id each : function_.blocks[id].statements)
            if (each < function_.nodes.size())
                statement(function_.nodes[each]);
            else
                line(fmt::format("node {}?", each));
    }

    void line(const std::string& text) { text_ += std::string(4 * depth_, ' ') + text + "\n"; }

    // Prints the head and the block of each part.
    void parts(const Node& node, const std::vector<Part>& all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            line((i == 0 ? "" : "} ") + all[i].head + " {" + (i == 0 ? remark(node) : ""));
            ++depth_;
            if (all[i].block < node.blocks.size()) block(node.blocks[all[i].block]);
            --depth_;
        }
        line("}");
    }

    void statement(const Node& node) {
        std::vector<Part> blocks;
        std::string head = head_of(node, blocks);
        if (node.kind == Kind::Group) {
            group(node);
        } else if (!blocks.empty()) {
            parts(node, blocks);
        } else if (!node.blocks.empty()) {
            for (std::size_t i = 0; i < node.blocks.size(); ++i)
                blocks.push_back({i == 0 ? head : "and", i});
            parts(node, blocks);
        } else {
            line(head + remark(node));
        }
    }

    // The line of most kinds; for kinds with blocks, adds the text before each.
    std::string head_of(const Node& node, std::vector<Part>& blocks) {
        const ExpressionPrinter& of = expressions_;
        switch (node.kind) {
        case Kind::Test:
            return "test " + of.operand(node, 0) +
                   (node.operands.size() > 1 ? "  showing " + of.operands(node, 1) : "");
        case Kind::EachChild:
            return each_child(node);
        case Kind::EachRow:
            return each_row(node);
        case Kind::Alternatives:
            for (std::size_t i = 0; i + 1 < node.blocks.size(); ++i)
                blocks.push_back({i == 0 ? "either" : "or", i});
            blocks.push_back({"then" + expressions_.variables(node.var(), node.vars()),
                              node.blocks.empty() ? 0 : node.blocks.size() - 1});
            return "";
        case Kind::Gather:
            return fmt::format("{} = {} of", of.typed_variable(node.var()),
                               gathered(node.gathers()));
        case Kind::Yield:
            return node.operands.empty() ? "yield" : "yield " + of.operands(node);
        case Kind::Try:
            return (node.of_child() ? "child of " : "try ") +
                   text_of_note(module_, node.entry_note()) +
                   (node.operands.empty() ? "" : " at " + of.operands(node));
        case Kind::Apply:
            apply(node, blocks);
            return "";
        case Kind::If:
            blocks.push_back({"if " + of.operand(node, 0), 0});
            add_unless_empty(node, node.else_fails() ? "else error" : "else", 1, blocks);
            return "";
        case Kind::Call:
            return "call " + of.call(node);
        default:
            return of.text(node);
        }
    }

    std::string each_row(const Node& node) {
        std::string text = "each " + expressions_.typed_variable(node.var()) + " in " +
                           expressions_.operand(node, 0);
        if (node.order() == kNothing && node.operands.size() == 1) return text;
        text += " in the order of ";
        text += node.order() == kNothing ? "?" : fmt::format("Table{}", node.order());
        for (std::size_t i = 1; i < node.operands.size(); ++i)
            text += (i == 1 ? "[" : ", ") + expressions_.operand(node, i);
        return node.operands.size() > 1 ? text + "]" : text;
    }

    std::string each_child(const Node& node) {
        std::string text = "each " + expressions_.typed_variable(node.var());
        if (node.key_var() != kNothing)
            text += " at " + expressions_.typed_variable(node.key_var());
        const std::string type = name_of_program_type(module_, node.child_type());
        return text + " in " + expressions_.operand(node, 0) + (type == "any" ? "" : " of " + type);
    }

    static std::string gathered(KeyKind kind) {
        return kind <= KeyKind::Log && form_of(kind) == EntryForm::Total
                   ? std::string(word_of(kind).substr(1))
                   : "?";
    }

    void add_unless_empty(const Node& node, std::string head, std::size_t at,
                          std::vector<Part>& blocks) {
        if (at < node.blocks.size() && (node.blocks[at] >= function_.blocks.size() ||
                                        !function_.blocks[node.blocks[at]].statements.empty()))
            blocks.push_back({std::move(head), at});
    }

    void apply(const Node& node, std::vector<Part>& blocks) {
        std::string head = fmt::format("rule {}", node.rule());
        if (node.rule() < module_.catalogue->rules.size()) {
            const RulePlan& rule = module_.catalogue->rules[node.rule()];
            head = "rule " + rule.name + (rule.first ? ", first" : "") +
                   (rule.repeat > 1 ? fmt::format(", up to {} rounds", rule.repeat) : "");
        }
        blocks.push_back({head, 0});
        blocks.push_back({"do" + expressions_.variables(node.results(), node.vars()), 1});
        add_unless_empty(node, "else", 2, blocks);
        for (std::size_t i = 3; i < node.blocks.size(); ++i)
            blocks.push_back({"salience", i});
    }

    // A block with a single statement, usually a rule, needs no braces.
    void group(const Node& node) {
        std::string head = fmt::format("group {}", node.group());
        if (node.group() < module_.catalogue->groups.size()) {
            const GroupPlan& group = module_.catalogue->groups[node.group()];
            head = "group " + group.name +
                   (group.mode == GroupMode::AtOnce   ? ", at once"
                    : group.mode == GroupMode::Agenda ? ", agenda"
                                                      : "");
        }
        line(head + " {" + remark(node));
        ++depth_;
        for (const BlockId each : node.blocks) {
            const bool one =
                each < function_.blocks.size() && function_.blocks[each].statements.size() == 1;
            if (one) {
                block(each);
                continue;
            }
            line("{");
            ++depth_;
            block(each);
            --depth_;
            line("}");
        }
        --depth_;
        line("}");
    }

    // The origins of a statement and its operands, each note once, and what it cuts.
    std::string remark(const Node& node) {
        if (!notes_) return "";
        std::vector<NoteId> notes;
        collect(node, notes);
        std::string text;
        for (const NoteId note : notes)
            text += (text.empty() ? "" : ", ") + text_of_note(module_, note);
        if (info_of(node.kind).fields[1] == 'e' && node.cuts()) {
            text += text.empty() ? "" : ", ";
            text += node.cuts_one() ? "one of many of " : "cuts ";
            text += text_of_note(module_, node.cut());
        }
        return text.empty() ? "" : "  ; " + text;
    }

    void collect(const Node& node, std::vector<NoteId>& notes) {
        if (node.note != kNothing &&
            std::find(notes.begin(), notes.end(), node.note) == notes.end())
            notes.push_back(node.note);
        for (const Id each : node.operands)
            if (each < function_.nodes.size()) collect(function_.nodes[each], notes);
    }

    const Module& module_;
    const Function& function_;
    ExpressionPrinter expressions_;
    bool notes_;
    std::size_t depth_ = 0;
    std::string text_;
};

} // namespace

std::string to_text(const Module& module, const Function& function, bool notes) {
    return Printer(module, function, notes).print();
}

std::string statement_to_text(const Module& module, const Function& function, Id statement,
                              bool notes) {
    return Printer(module, function, notes).print(statement);
}

} // namespace croupier::engine::form
