// Entries of actions: keys, values and directives.
#include "engine/lang/action_parser.h"

#include "engine/lang/expression_parser.h"
#include "engine/lang/leaf_parser.h"
#include "engine/lang/path_parser.h"
#include "engine/lang/words.h"

namespace croupier::engine {
namespace {

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
            in_.reading.error(code::kActionForm, document.span,
                              std::string(part) + " takes an object or a list of rules, found " +
                                  std::string(kind_name(document)));
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
        auto value = parse_value(in_.reading, in_.options, document, "an action");
        if (!value) return;
        if (data_depth_ > 0)
            forbid_this(in_.reading, *value,
                        "a list is replaced as a whole, so there is no old value $this");
        result.expr = std::move(*value);
    }

    void entry(const Member& member, std::vector<ActionEntry>& entries) {
        const Quoted string = in_.reading.quoted_key(member);
        ParsedKey key;
        try {
            key = parse_key(string);
        } catch (const Mistake& mistake) {
            report(in_.reading, string, mistake);
            return;
        }
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
            parse_calls(in_, member, entries);
            return;
        case ActionKeyKind::Print:
            entry.print = parse_print(in_, member.value);
            break;
        default:
            entry.path = std::move(key.path);
            entry.node = node(member.value);
            if (!fits(entry)) return;
        }
        entries.push_back(std::move(entry));
    }

    // Whether that node can take such an action: an ancestor or the root is entered, not replaced.
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
    unsigned data_depth_ = 0; // lists around, inside which everything is data
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
