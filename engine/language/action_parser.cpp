// Entries of actions: keys, values and directives.
#include "engine/language/expression_parser.h"
#include "engine/language/pattern_parser.h"
#include "engine/language/ruleset_parser.h"
#include "engine/language/words.h"

namespace croupier::engine {

namespace {

enum class Takes { Path, Place, Value, Number }; // a place is below a node

struct Parameter {
    std::string name;
    Takes takes;
    bool required;
};

struct Signature {
    std::string name;
    std::vector<Parameter> parameters;
};

const std::vector<Signature>& signatures() {
    static const std::vector<Signature> kSignatures = {
        {"shuffle", {{"of", Takes::Path, true}}},
        {"choose",
         {{"from", Takes::Path, true},
          {"into", Takes::Path, true},
          {"count", Takes::Number, false}}},
        {"sort",
         {{"of", Takes::Path, true},
          {"by", Takes::Value, false},
          {"descending", Takes::Value, false}}},
        {"deal",
         {{"from", Takes::Path, true},
          {"to", Takes::Path, true},
          {"count", Takes::Number, true},
          {"start", Takes::Value, false}}},
    };
    return kSignatures;
}

class CallParser {
  public:
    explicit CallParser(RuleReading& in) : in_(in) {}

    std::optional<ActionEntry> parse(const Member& call) {
        const std::optional<Signature> signature = signature_of(call.key);
        if (!signature) unknown_function(call);
        if (!signature || !in_.reading.expect_object(code::kCallArgument, call.value,
                                                     call.key + " takes an object of arguments"))
            return std::nullopt;
        ActionEntry entry;
        entry.kind = ActionKeyKind::Call;
        entry.key_span = call.key_span;
        entry.span = join(call.key_span, call.value.span);
        entry.function = call.key;
        for (const Member& member : call.value.members)
            argument(member, *signature, entry);
        require(*signature, call);
        return entry;
    }

  private:
    // Built-in functions come first, so that rules mean the same in every host program.
    [[nodiscard]] std::optional<Signature> signature_of(std::string_view name) const {
        if (const Signature* const shipped = find_named(signatures(), name)) return *shipped;
        const HostFunction* own = find_named(in_.functions, name);
        if (own == nullptr) return std::nullopt;
        Signature signature{own->name, {}};
        for (const std::string& parameter : own->parameters)
            signature.parameters.push_back({parameter, Takes::Value, true});
        signature.parameters.push_back({"into", Takes::Place, false});
        return signature;
    }

    void unknown_function(const Member& call) {
        Words known = names_of(in_.functions);
        for (const Signature& signature : signatures())
            known.push_back(signature.name);
        in_.reading.error(
            code::kUnknownFunction, call.key_span,
            "there is no function \"" + call.key + "\" to call",
            in_.reading.did_you_mean(call.key, known, "known are " + list_words(known)));
    }

    void argument(const Member& member, const Signature& signature, ActionEntry& entry) {
        CallArgument result;
        result.name = member.key;
        result.span = member.value.span;
        const Parameter* const parameter = find_named(signature.parameters, member.key);
        if (parameter == nullptr) return unknown_argument(member, signature);
        const Takes takes = parameter->takes;
        if (takes == Takes::Path || takes == Takes::Place) {
            if (!path(member, result)) return;
            if (takes == Takes::Place && result.path[0].segments.empty()) {
                in_.reading.error(code::kCallArgument, member.value.span,
                                  member.key + " names a node below this one");
                return;
            }
        } else if (!value(member, takes, result)) {
            return;
        }
        entry.arguments.push_back(std::move(result));
    }

    bool path(const Member& member, CallArgument& result) {
        if (!member.value.is_string()) {
            in_.reading.expected(code::kCallArgument, member.value, member.key + " is a path",
                                 "as in \"hands.$P\"");
            return false;
        }
        auto path = parse_or_report(
            in_.reading, in_.reading.quoted(member.value),
            [](const Quoted& string) { return parse_path(string, 0, string.text().size()); });
        if (path) result.path.push_back(std::move(*path));
        return path.has_value();
    }

    bool value(const Member& member, Takes takes, CallArgument& result) {
        auto expr = takes == Takes::Number ? parse_formula(in_.reading, member.value, "an argument")
                                           : parse_value(in_.reading, member.value, "an argument");
        if (!expr) return false;
        forbid_this(in_.reading, *expr, "an argument has no node and so no $this");
        result.expr.push_back(std::move(*expr));
        return true;
    }

    void unknown_argument(const Member& member, const Signature& signature) {
        const Words known = names_of(signature.parameters);
        in_.reading.error(
            code::kCallArgument, member.key_span,
            signature.name + " has no argument \"" + member.key + "\"",
            in_.reading.did_you_mean(member.key, known, "it takes " + list_words(known)));
    }

    void require(const Signature& signature, const Member& call) {
        for (const Parameter& parameter : signature.parameters) {
            if (!parameter.required || call.value.find(parameter.name) != nullptr) continue;
            in_.reading.error(code::kCallArgument, call.value.span,
                              signature.name + " needs the argument " + parameter.name);
        }
    }

    RuleReading& in_;
};

// The end of the expression that begins after a brace: the offset of the matching closing brace.
std::size_t end_of_braces(std::string_view text, std::size_t at) {
    unsigned open = 0;
    for (bool in_string = false; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\'') in_string = !in_string;
        if (in_string) continue;
        if (c == '{') ++open;
        if (c == '}' && open-- == 0) return at;
    }
    return std::string_view::npos;
}

class PrintParser {
  public:
    PrintParser(Reading& reading, const Document& document)
        : reading_(reading), string_(reading.quoted(document)), text_(string_.text()) {}

    std::vector<PrintPart> parse() {
        for (std::size_t at = 0; at < text_.size();) {
            const char c = text_[at];
            const bool doubled = at + 1 < text_.size() && text_[at + 1] == c;
            if ((c == '$' || c == '{') && doubled) {
                literal_ += c;
                at += 2;
            } else if (c == '$') {
                at = variable(at);
            } else if (c == '{') {
                at = expression(at);
            } else {
                literal_ += c;
                ++at;
            }
        }
        finish_literal();
        return std::move(parts_);
    }

  private:
    std::size_t variable(std::size_t at) {
        const std::size_t end = end_of_name(text_, at + 1);
        if (end == at + 1) {
            reading_.error(code::kPrintForm, string_.span(at, at + 1),
                           "expected a variable's name after $", "a $ in a text is written $$");
            return end;
        }
        add(at, end);
        return end;
    }

    std::size_t expression(std::size_t at) {
        const std::size_t close = end_of_braces(text_, at + 1);
        if (close == std::string_view::npos) {
            reading_.error(code::kPrintForm, string_.span(at, at + 1), "an unclosed brace",
                           "close it with }; a { in a text is written {{");
            return text_.size();
        }
        add(at + 1, close);
        return close + 1;
    }

    void add(std::size_t begin, std::size_t end) {
        finish_literal();
        auto expr = parse_expression(reading_, string_, begin, end);
        if (!expr) return;
        forbid_this(reading_, *expr, "@print has no node and so no $this");
        parts_.push_back({{}, {std::move(*expr)}});
    }

    void finish_literal() {
        if (!literal_.empty()) parts_.push_back({std::exchange(literal_, {}), {}});
    }

    Reading& reading_;
    Quoted string_;
    std::string_view text_;
    std::string literal_;
    std::vector<PrintPart> parts_;
};

// Keys, values and directives of actions.

class ActionParser {
  public:
    ActionParser(RuleReading& in, std::string name) : in_(in), name_(std::move(name)) {}

    Action parse(const Document& document, std::string_view part) {
        Action action;
        action.span = document.span;
        if (document.is_array()) {
            action.kind = Action::Kind::Group;
            action.group = std::make_shared<const Group>(parse_group(in_, document, name_, true));
        } else if (document.is_object()) {
            action.kind = Action::Kind::Tree;
            action.tree = node(document);
        } else {
            in_.reading.expected(code::kActionForm, document,
                                 std::string(part) + " takes an object or a list of rules");
        }
        return action;
    }

  private:
    ActionNode node(const Document& document) {
        ActionNode result;
        result.span = document.span;
        if (document.is_object()) {
            for (const Member& member : document.members)
                entry(member, result.entries);
        } else if (document.is_array()) {
            result.kind = ActionKind::Array;
            ++data_depth_;
            for (const Member& element : document.members)
                result.elements.push_back(node(element.value));
            --data_depth_;
        } else {
            leaf(document, result);
        }
        return result;
    }

    void leaf(const Document& document, ActionNode& result) {
        result.kind = ActionKind::Set;
        if (document.is_string() && document.text().starts_with('@')) {
            result.kind = ActionKind::Remove;
            if (document.text() != "@remove" || data_depth_ > 0) {
                const Words known = data_depth_ > 0 ? Words{} : Words{"@remove"};
                report_value_word(in_.reading, in_.reading.quoted(document), known);
            }
            return;
        }
        auto value = parse_value(in_.reading, document, "an action");
        if (!value) return;
        if (data_depth_ > 0)
            forbid_this(in_.reading, *value,
                        "a list is replaced as a whole, so there is no old value $this");
        result.expr = std::move(*value);
    }

    void entry(const Member& member, std::vector<ActionEntry>& entries) {
        auto read = parse_or_report(in_.reading, in_.reading.quoted_key(member), parse_key);
        if (!read) return;
        ParsedKey& key = *read;
        ActionEntry entry;
        entry.key_span = member.key_span;
        entry.span = join(member.key_span, member.value.span);
        switch (key.form) {
        case KeyForm::Test:
            in_.reading.error(code::kActionForm, key.span,
                              "the key _ belongs to conditions and has no meaning in an action",
                              "to write a node named _ use @path(_)");
            return;
        case KeyForm::Variable:
            if (!variable(key)) return;
            entry.key = {{{key.variable, true, key.span}}, key.span};
            break;
        case KeyForm::Name:
            entry.key = std::move(key.key);
            break;
        case KeyForm::Directive:
            directive(std::move(entry), key, member, entries);
            return;
        }
        entry.node = node(member.value);
        entries.push_back(std::move(entry));
    }

    bool variable(const ParsedKey& key) {
        if (key.variable == "_" || key.variable == "this") {
            in_.reading.error(code::kActionForm, key.span,
                              "$" + key.variable + " names no node in an action",
                              "bind a variable in the condition and write it here");
            return false;
        }
        if (!key.type.name.empty()) {
            in_.reading.error(code::kActionForm, key.type.span,
                              "an action binds nothing, so its keys have no type",
                              "write only $" + key.variable);
            return false;
        }
        return true;
    }

    void directive(ActionEntry entry, ParsedKey& key, const Member& member,
                   std::vector<ActionEntry>& entries) {
        const auto kind = find_action_word(key.word);
        if (!kind || data_depth_ > 0) {
            report_key_word(in_.reading, key, data_depth_ > 0 ? Words{} : action_words());
            return;
        }
        entry.kind = *kind;
        switch (*kind) {
        case ActionKeyKind::Rules: {
            const std::string suffix = ++groups_ == 1 ? "" : std::to_string(groups_);
            entry.group = std::make_shared<const Group>(
                parse_group(in_, member.value, name_ + "/@rules" + suffix, true));
            break;
        }
        case ActionKeyKind::Call:
            return calls(member.value, entries);
        case ActionKeyKind::Print:
            if (member.value.is_string())
                entry.print = PrintParser(in_.reading, member.value).parse();
            else
                in_.reading.expected(code::kPrintForm, member.value, "@print takes a text");
            break;
        default:
            entry.path = std::move(key.path);
            entry.node = node(member.value);
            if (!fits(entry)) return;
        }
        entries.push_back(std::move(entry));
    }

    // One entry per function.
    void calls(const Document& value, std::vector<ActionEntry>& entries) {
        if (!value.is_object() || value.members.empty())
            in_.reading.error(code::kCallArgument, value.span,
                              "@call takes an object of one or more functions and their arguments",
                              "as in {\"@call\": {\"shuffle\": {\"of\": \"stock\"}}}");
        else
            for (const Member& call : value.members)
                if (auto entry = CallParser(in_).parse(call)) entries.push_back(std::move(*entry));
    }

    // Whether the node can take such an action: an ancestor or the root is entered, not replaced.
    bool fits(const ActionEntry& entry) {
        const ActionKind kind = entry.node.kind;
        const bool removable = entry.kind == ActionKeyKind::Parent;
        const bool anything = entry.kind == ActionKeyKind::Path && !entry.path.segments.empty();
        if (anything || kind == ActionKind::Object || (removable && kind == ActionKind::Remove))
            return true;
        in_.reading.error(code::kActionForm, entry.node.span,
                          std::string(removable ? "@parent takes an object or \"@remove\""
                                                : "the root takes an object"));
        return false;
    }

    RuleReading& in_;
    std::string name_;
    unsigned data_depth_ = 0; // enclosing lists, in which everything is data
    unsigned groups_ = 0;
};

} // namespace

Action parse_action(RuleReading& in, const Document& document, const std::string& rule,
                    std::string_view part) {
    // Groups of the action are named "rule/action" and "rule/@rules", those of else "rule/else..".
    const bool direct = document.is_array() || part != "action";
    return ActionParser(in, direct ? rule + '/' + std::string(part) : rule).parse(document, part);
}

} // namespace croupier::engine
