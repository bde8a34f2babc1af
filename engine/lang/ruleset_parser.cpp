// Sorts the top-level keys of a ruleset and hands each to its parser.
#include "engine/lang/ruleset_parser.h"

#include "engine/lang/expression_parser.h"
#include "engine/lang/leaf_parser.h"
#include "engine/lang/option_values.h"
#include "engine/lang/rule_parser.h"
#include "engine/lang/top_keys.h"
#include "engine/lang/type_parser.h"

#include "engine/text/nearest.h"

#include <algorithm>
#include <set>

namespace croupier::engine {
namespace {

class RulesetParser {
  public:
    RulesetParser(Reading& reading, const Document& document, const LoadSettings& settings)
        : reading_(reading), document_(document), settings_(settings) {}

    Ruleset parse() {
        // Expressions read options and patterns, so these come first whatever the file's order.
        if (const Member* types = document_.find("types"))
            ruleset_.types = parse_types(reading_, types->value);
        if (const Member* options = document_.find("options")) read_options(options->value);
        refuse_unread_options();
        apply_settings();
        if (const Member* values = document_.find("option_values"))
            check_option_values(reading_, values->value, ruleset_);
        PatternLibrary patterns(reading_, ruleset_.options);
        if (const Member* named = document_.find("patterns")) read_patterns(named->value, patterns);
        RuleReading rules{reading_, patterns, ruleset_.options, settings_.functions};
        for (const Member& member : document_.members)
            read(member, rules);
        patterns.finish();
        ruleset_.functions = settings_.functions;
        return std::move(ruleset_);
    }

  private:
    void read(const Member& member, RuleReading& rules) {
        const std::string& key = member.key;
        if (key == "types" || key == "options" || key == "patterns") return;
        if (key == "game") {
            read_game(member);
        } else if (key == "shape") {
            read_shape(member.value);
        } else if (key == "state") {
            ruleset_.state = member.value;
        } else if (key == "constants") {
            if (expect_object(member)) ruleset_.constants = member.value;
        } else if (key == "hidden") {
            ruleset_.hidden = member.value;
        } else if (key == "memory") {
            ruleset_.memory = member.value;
        } else if (key == "doc" || key == "option_values") {
            ruleset_.rest.push_back(member);
        } else if (key == "evaluator") {
            read_evaluator(member, rules);
        } else if (key == "groups") {
            if (expect_object(member)) {
                for (const Member& group : member.value.members)
                    read_group(group, rules);
            }
        } else if (is_known_group(key)) {
            read_group(member, rules);
        } else {
            read_other(member, rules);
        }
    }

    bool expect_object(const Member& member) {
        if (member.value.is_object()) return true;
        reading_.error(code::kTopForm, member.value.span,
                       member.key + " takes an object, found " +
                           std::string(kind_name(member.value)));
        return false;
    }

    void read_game(const Member& member) {
        if (!member.value.is_object() && !member.value.is_string()) {
            reading_.error(
                code::kTopForm, member.value.span,
                "game takes a name or an object with name, revision, players, ..; found " +
                    std::string(kind_name(member.value)));
            return;
        }
        ruleset_.game = member.value;
    }

    void read_shape(const Document& value) {
        if (!value.is_object()) {
            reading_.error(code::kShapeForm, value.span,
                           "shape takes an object with the nodes of the state, found " +
                               std::string(kind_name(value)));
            return;
        }
        Shape shape = parse_shape(reading_, value, ruleset_.types);
        if (shape.kind == ShapeKind::Map) {
            reading_.error(code::kShapeForm, value.span, "the root of a state has named nodes",
                           "give the children of one kind a node of their own");
            return;
        }
        ruleset_.shape = std::move(shape);
    }

    void read_options(const Document& value) {
        if (!value.is_object()) {
            reading_.error(code::kTopForm, value.span,
                           "options takes an object of names and defaults, found " +
                               std::string(kind_name(value)));
            return;
        }
        for (const Member& member : value.members)
            ruleset_.options.push_back({member.key, member.value, member.key_span});
    }

    // A revision may add an option of its own; one that nothing reads is a slip in the name of
    // another.
    void refuse_unread_options() {
        for (const auto& [name, place] : reading_.added_options) {
            if (is_read_by_host(name) || reads_option(document_, name)) continue;
            std::vector<Option> others = ruleset_.options;
            std::erase_if(others, [&](const Option& option) {
                return std::any_of(reading_.added_options.begin(), reading_.added_options.end(),
                                   [&](const auto& added) { return added.first == option.name; });
            });
            report_unknown_option(reading_, name, place, others);
        }
    }

    // What the command line says about options is the last file that is laid over.
    void apply_settings() {
        const auto source = static_cast<std::uint32_t>(reading_.sources.size());
        for (std::size_t i = 0; i < settings_.options.size(); ++i) {
            const std::string& name = settings_.options[i].first;
            const auto at = std::find_if(ruleset_.options.begin(), ruleset_.options.end(),
                                         [&](const Option& option) { return option.name == name; });
            const Span place = setting_span(settings_, i, source);
            if (at != ruleset_.options.end()) {
                at->value.kind = Document::Kind::Scalar;
                at->value.members.clear();
                at->value.scalar = settings_.options[i].second;
                at->value.span = place;
                at->span = place;
                continue;
            }
            report_unknown_option(reading_, name, place, ruleset_.options);
        }
    }

    void read_patterns(const Document& value, PatternLibrary& patterns) {
        if (!value.is_object()) {
            reading_.error(code::kTopForm, value.span,
                           "patterns takes an object of named conditions, found " +
                               std::string(kind_name(value)));
            return;
        }
        for (const Member& member : value.members)
            patterns.add(member);
        ruleset_.pattern_names = patterns.names();
    }

    void read_evaluator(const Member& member, RuleReading& rules) {
        if (looks_like_group(member.value)) {
            read_group(member, rules);
            return;
        }
        ruleset_.rest.push_back(member);
        std::optional<Expr> worth;
        if (member.value.is_string()) {
            worth = parse_expression(reading_, reading_.quoted(member.value), 0, ruleset_.options);
        } else {
            worth = parse_value(reading_, ruleset_.options, member.value, "evaluator");
        }
        if (worth) ruleset_.evaluator.push_back(std::move(*worth));
    }

    void read_group(const Member& member, RuleReading& rules) {
        if (!group_names_.insert(member.key).second) {
            reading_.error(code::kGroupForm, member.key_span, "a second group named " + member.key);
            return;
        }
        ruleset_.groups.push_back(parse_group(rules, member.value, member.key, false));
    }

    // A key of the author's own names a group, unless it is a slip of a documented one.
    void read_other(const Member& member, RuleReading& rules) {
        const auto known = nearest(member.key, top_keys());
        if (!known && looks_like_group(member.value)) {
            read_group(member, rules);
            return;
        }
        std::string hint =
            "known are " + list_words(top_keys()) + "; any other name holds a list of rules";
        if (known) hint = "did you mean \"" + *known + "\"?";
        if (known && looks_like_group(member.value))
            hint += " A group with a name so near to it goes under groups";
        reading_.error(code::kUnknownTopKey, member.key_span,
                       "a ruleset has no key \"" + member.key + "\"", std::move(hint));
    }

    Reading& reading_;
    const Document& document_;
    const LoadSettings& settings_;
    std::set<std::string> group_names_;
    Ruleset ruleset_;
};

} // namespace

Ruleset parse_ruleset(Reading& reading, const Document& document, const LoadSettings& settings) {
    return RulesetParser(reading, document, settings).parse();
}

} // namespace croupier::engine
