// Tells the forms of leaves apart and reads the expressions in them.
#include "engine/lang/leaf_parser.h"

#include "engine/lang/expression_parser.h"
#include "engine/lang/value_form.h"
#include "engine/lang/words.h"

#include <algorithm>

namespace croupier::engine {
namespace {

Expr literal_expr(Scalar value, Span span) {
    Expr expr;
    expr.literal = std::move(value);
    expr.span = span;
    return expr;
}

// A text that is the name of an option is mostly meant to be its value.
void warn_of_option(Reading& reading, const std::vector<Option>& options, const Document& text) {
    constexpr std::string_view kOptions = "options.";
    const std::string& written = text.text();
    const bool named = written.starts_with(kOptions) &&
                       std::any_of(options.begin(), options.end(), [&](const Option& option) {
                           return option.name == written.substr(kOptions.size());
                       });
    if (named) {
        reading.warning(code::kOptionAsText, text.span,
                        "this is the text \"" + written + "\", not the option",
                        "\"= " + written + "\" is the option, \"'" + written + "\" the text");
    }
}

class LeafParser {
  public:
    LeafParser(Reading& reading, const std::vector<Option>& options)
        : reading_(reading), options_(options) {}

    Pattern leaf(const Document& document) {
        if (document.is_array()) return one_of(document);
        if (document.is_string()) return text(document);
        return literal(document, document.scalar);
    }

    std::optional<Pattern> test(const Document& value) {
        if (value.is_string()) return expression_or_binding(value);
        if (value.kind == DocumentKind::Scalar && std::holds_alternative<bool>(value.scalar)) {
            Pattern result = literal(value, value.scalar);
            result.kind = PatternKind::Expression;
            return result;
        }
        reading_.error(code::kValueForm, value.span,
                       "the key _ takes an expression or a binding, found " +
                           std::string(kind_name(value)),
                       "as in \"_\": \"$A < $B\" or \"_\": \"$SUM = $A + $B\"");
        return std::nullopt;
    }

  private:
    static Pattern make(PatternKind kind, const Document& document) {
        Pattern pattern;
        pattern.kind = kind;
        pattern.span = document.span;
        return pattern;
    }

    // Stands for what could not be read, so that the reading can go on.
    static Pattern unreadable(const Document& document) { return make(PatternKind::Any, document); }

    static Pattern literal(const Document& document, Scalar value) {
        Pattern result = make(PatternKind::Value, document);
        result.expr = literal_expr(std::move(value), document.span);
        return result;
    }

    Pattern one_of(const Document& document) {
        Pattern result = make(PatternKind::OneOf, document);
        if (document.members.empty()) {
            reading_.error(code::kValueForm, document.span, "an empty list matches nothing",
                           "list the values that are allowed, or write {} for any");
        }
        for (const Member& element : document.members) {
            if (auto value = parse_value(reading_, options_, element.value, "a list of values"))
                result.choices.push_back(std::move(*value));
        }
        return result;
    }

    Pattern text(const Document& document) {
        const Quoted string = reading_.quoted(document);
        const ParsedForm form = parse_form(string);
        switch (form.form) {
        case ValueForm::Text:
            warn_of_option(reading_, options_, document);
            return literal(document, std::string(string.text().substr(form.begin)));
        case ValueForm::Word:
            return word(document);
        case ValueForm::Comparison: {
            Pattern result = computed(PatternKind::Compare, document, form.begin);
            result.compare = form.compare;
            return result;
        }
        case ValueForm::Equals:
            return computed(PatternKind::Value, document, form.begin);
        case ValueForm::Bind:
        case ValueForm::Assign:
            return binding(document, form);
        case ValueForm::Expression:
            break;
        }
        return computed(PatternKind::Expression, document, 0);
    }

    Pattern computed(PatternKind kind, const Document& document, std::size_t begin) {
        auto expr = parse_expression(reading_, reading_.quoted(document), begin, options_);
        if (!expr) return unreadable(document);
        Pattern result = make(kind, document);
        result.expr = std::move(*expr);
        return result;
    }

    Pattern binding(const Document& document, const ParsedForm& form) {
        if (form.variable == "this" || form.variable == "_") {
            reading_.error(code::kVariableName, form.variable_span,
                           "$" + form.variable + " cannot be bound",
                           form.variable == "_" ? "\"@any\" matches whatever the node holds"
                                                : "$this is the value of the node itself");
            return unreadable(document);
        }
        Pattern result = form.form == ValueForm::Assign
                             ? computed(PatternKind::Assign, document, form.begin)
                             : make(PatternKind::Bind, document);
        result.variable = form.variable;
        result.type = form.type;
        return result;
    }

    Pattern word(const Document& document) {
        const std::string& text = document.text();
        if (text == "@absent") return make(PatternKind::Absent, document);
        if (text != "@any")
            report_value_word(reading_, reading_.quoted(document), {"@absent", "@any"});
        return make(PatternKind::Any, document);
    }

    Pattern expression_or_binding(const Document& value) {
        const Quoted string = reading_.quoted(value);
        const ParsedForm form = parse_form(string);
        if (form.form == ValueForm::Word) {
            report_value_word(reading_, string, {});
            return unreadable(value);
        }
        if (form.form == ValueForm::Comparison || form.form == ValueForm::Equals) {
            reading_.error(code::kNoLeftSide, value.span,
                           "the key _ has no node, so its comparison needs a left side",
                           "as in \"$X < 20\"");
            return unreadable(value);
        }
        if (form.form == ValueForm::Assign) return without_this(binding(value, form));
        if (form.form == ValueForm::Bind && !form.type.name.empty()) {
            reading_.error(code::kNoLeftSide, value.span,
                           "the key _ has no node whose value $" + form.variable + " could be",
                           "as in \"$" + form.variable + ":" + form.type.name + " = ..\"");
            return unreadable(value);
        }
        if (string.text().starts_with('\'')) {
            reading_.error(code::kValueForm, value.span,
                           "the key _ takes an expression, not a text");
            return unreadable(value);
        }
        return without_this(computed(PatternKind::Expression, value, 0));
    }

    Pattern without_this(Pattern pattern) {
        forbid_this(reading_, pattern.expr, "the key _ has no node and so no $this");
        return pattern;
    }

    Reading& reading_;
    const std::vector<Option>& options_;
};

} // namespace

Pattern parse_leaf(Reading& reading, const std::vector<Option>& options, const Document& document) {
    return LeafParser(reading, options).leaf(document);
}

std::optional<Pattern> parse_test(Reading& reading, const std::vector<Option>& options,
                                  const Document& document) {
    return LeafParser(reading, options).test(document);
}

std::optional<Expr> parse_value(Reading& reading, const std::vector<Option>& options,
                                const Document& document, std::string_view what) {
    if (document.kind != Document::Kind::Scalar) {
        reading.error(code::kValueForm, document.span,
                      std::string(what) + " holds plain values and expressions, found " +
                          std::string(kind_name(document)));
        return std::nullopt;
    }
    if (!document.is_string()) return literal_expr(document.scalar, document.span);
    const Quoted string = reading.quoted(document);
    const ParsedForm form = parse_form(string);
    switch (form.form) {
    case ValueForm::Text:
        warn_of_option(reading, options, document);
        return literal_expr(std::string(string.text().substr(form.begin)), document.span);
    case ValueForm::Word:
        report_value_word(reading, string, {});
        return std::nullopt;
    case ValueForm::Comparison:
        reading.error(code::kNoLeftSide, document.span,
                      std::string(what) + " cannot hold a comparison without a left side",
                      "to write the text itself, begin the string with '");
        return std::nullopt;
    case ValueForm::Equals:
        return parse_expression(reading, string, form.begin, options);
    case ValueForm::Assign:
        reading.error(code::kNoLeftSide, document.span,
                      std::string(what) + " cannot bind $" + form.variable,
                      "bind it in the condition; equality is written ==");
        return std::nullopt;
    case ValueForm::Bind:
    case ValueForm::Expression:
        break;
    }
    if (!form.type.name.empty()) {
        reading.error(code::kNoLeftSide, form.type.span,
                      std::string(what) + " cannot name a type, as nothing is bound here",
                      "write only $" + form.variable);
        return std::nullopt;
    }
    return parse_expression(reading, string, 0, options);
}

} // namespace croupier::engine
