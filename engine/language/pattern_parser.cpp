// Conditions: leaves, named patterns, entries with their keys and directives.
#include "engine/language/pattern_parser.h"

#include "engine/language/expression_parser.h"
#include "engine/language/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine {

namespace {

// Distinguishes the forms of leaves and reads the expressions in them.

Expr literal_expr(Scalar value, Span span) {
    Expr expr;
    expr.literal = std::move(value);
    expr.span = span;
    return expr;
}

// A text that names an option is usually meant as its value.
void warn_of_option(Reading& reading, const Document& text) {
    constexpr std::string_view kOptions = "options.";
    const std::string_view written = text.text();
    if (written.starts_with(kOptions) &&
        find_named(reading.options, written.substr(kOptions.size())) != nullptr) {
        reading.warning(code::kOptionAsText, text.span,
                        fmt::format("this is the text \"{}\", not the option", written),
                        fmt::format("\"= {0}\" is the option, \"'{0}\" the text", written));
    }
}

class LeafParser {
  public:
    explicit LeafParser(Reading& reading) : reading_(reading) {}

    // Reads a pattern that is not an object. After an error returns one that matches everything.
    Pattern leaf(const Document& document) {
        if (document.is_array()) return one_of(document);
        if (document.is_string()) return text(document);
        return literal(document, document.scalar);
    }

    // Reads the value of the key _, where every string is an expression. nullopt if it cannot be
    // one.
    std::optional<Pattern> test(const Document& value) {
        if (value.is_string()) return expression_or_binding(value);
        if (value.get<bool>() != nullptr) {
            Pattern result = literal(value, value.scalar);
            result.kind = PatternKind::Expression;
            return result;
        }
        reading_.expected(code::kValueForm, value, "the key _ takes an expression or a binding",
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

    // Replaces a part that could not be read, so that reading can continue.
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
        for (const Member& element : document.members)
            if (auto value = parse_value(reading_, element.value, "a list of values"))
                result.choices.push_back(std::move(*value));
        return result;
    }

    Pattern text(const Document& document) {
        const Quoted string = reading_.quoted(document);
        const ParsedForm form = parse_form(string);
        switch (form.form) {
        case ValueForm::Text:
            warn_of_option(reading_, document);
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
        auto expr = parse_expression(reading_, reading_.quoted(document), begin);
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
};

// Reads named patterns on demand; bounds what their uses can grow to.

// Compile time and memory grow with the square of this: some seconds at the limit.
constexpr std::size_t kMaxCondition = 2000;
// A page of patterns has hundreds of entries. These limit the cost of uses that double each time.
constexpr std::size_t kMaxCopied = 100'000;
constexpr std::size_t kMaxHeight = 500;

// Counts entries and large parts of them, so that a few entries with long lists, texts or
// expressions do not get around the limit.
template <class Part>
std::size_t size_of(const Part& part) {
    constexpr auto kText = [](const std::string& written) { return written.size() / 64; };
    std::size_t size = 0;
    if constexpr (std::is_same_v<Part, KeyPart>) {
        size = kText(part.text);
    } else if constexpr (std::is_same_v<Part, KeyTemplate>) {
        size = part.parts.empty() ? 0 : part.parts.size() - 1;
    } else if constexpr (std::is_same_v<Part, PathExpr>) {
        size = part.segments.size();
    } else if constexpr (std::is_same_v<Part, Expr>) {
        const auto* literal = std::get_if<std::string>(&part.literal);
        size = kText(literal == nullptr ? std::string() : *literal) + kText(part.variable) +
               kText(part.option) + part.args.size();
    } else if constexpr (std::is_same_v<Part, Pattern>) {
        size = kText(part.variable) + part.choices.size();
    } else if constexpr (std::is_same_v<Part, Entry>) {
        size = 1 + kText(part.variable) + part.value.size();
        for (const std::string& name : part.use_names)
            size += kText(name);
    }
    for_each_part(part, [&](const auto& below) { size += size_of(below); });
    return size;
}

std::size_t height_of(const Pattern& pattern) {
    std::size_t height = 0;
    for (const Entry& entry : pattern.entries)
        for (const auto* const patterns : {&entry.patterns, &entry.into})
            for (const Pattern& inner : *patterns)
                height = std::max(height, height_of(inner));
    return height + 1;
}

class PatternParser {
  public:
    PatternParser(Reading& reading, PatternLibrary& library)
        : reading_(reading), library_(library), leaves_(reading) {}

    Pattern pattern(const Document& document) {
        return document.is_object() ? object(document) : leaves_.leaf(document);
    }

  private:
    // {}: matches any node.
    static Pattern everything(const Document& document) {
        Pattern pattern;
        pattern.span = document.span;
        return pattern;
    }

    Pattern object(const Document& document) {
        Pattern result = everything(document);
        ++library_.depth;
        for (const Member& member : document.members)
            if (std::optional<Entry> read = entry(member))
                result.entries.push_back(std::move(*read));
        --library_.depth;
        return result;
    }

    // ---- entries -------------------------------------------------------------------------------

    std::optional<Entry> entry(const Member& member) {
        auto read = parse_or_report(reading_, reading_.quoted_key(member), parse_key);
        if (!read) return std::nullopt;
        ParsedKey& key = *read;
        Entry entry;
        entry.key_span = member.key_span;
        entry.span = join(member.key_span, member.value.span);
        switch (key.form) {
        case KeyForm::Name:
            entry.key = std::move(key.key);
            break;
        case KeyForm::Variable:
            if (!variable_entry(entry, key)) return std::nullopt;
            break;
        case KeyForm::Test:
            return test_entry(std::move(entry), member.value);
        case KeyForm::Directive:
            return directive(std::move(entry), key, member);
        }
        entry.patterns.push_back(pattern(member.value));
        return entry;
    }

    bool variable_entry(Entry& entry, const ParsedKey& key) {
        if (key.variable == "this") {
            reading_.error(code::kVariableName, key.span, "$this is a value, never a key",
                           "bind it first, as in \"_\": \"$X = ..\", and use $X");
            return false;
        }
        entry.kind = key.variable == "_" ? KeyKind::Wildcard : KeyKind::Variable;
        if (entry.kind == KeyKind::Variable) entry.variable = key.variable;
        entry.type = key.type;
        return true;
    }

    std::optional<Entry> test_entry(Entry entry, const Document& value) {
        entry.kind = KeyKind::Test;
        auto test = leaves_.test(value);
        if (!test) return std::nullopt;
        entry.patterns.push_back(std::move(*test));
        return entry;
    }

    // ---- directives ----------------------------------------------------------------------------

    std::optional<Entry> directive(Entry entry, ParsedKey& key, const Member& member) {
        const auto kind = find_condition_word(key.word);
        if (!kind) {
            report_key_word(reading_, key, condition_words());
            return std::nullopt;
        }
        entry.kind = *kind;
        switch (form_of(*kind)) {
        case EntryForm::Ways:
            return any_of(std::move(entry), member.value);
        case EntryForm::Total:
            return aggregate(std::move(entry), key.word, member.value);
        case EntryForm::Use:
            return use(std::move(entry), member.value);
        case EntryForm::Log:
            return log(std::move(entry), member.value);
        default:
            break;
        }
        if (*kind == KeyKind::Forall) return forall(std::move(entry), member.value);
        entry.path = std::move(key.path); // of @path
        entry.patterns.push_back(pattern(member.value));
        return entry;
    }

    // The members of an object that may have only `known` ones, in that order; nullptr if absent.
    std::optional<std::vector<const Document*>> parts(const Document& value, std::string_view word,
                                                      const Words& known) {
        if (!reading_.expect_object(
                code::kDirectiveForm, value,
                fmt::format("{} takes an object with {}", word, list_words(known))))
            return std::nullopt;
        std::vector<const Document*> result(known.size(), nullptr);
        for (const Member& member : value.members) {
            const auto at = std::ranges::find(known, member.key);
            if (at != known.end())
                result[static_cast<std::size_t>(at - known.begin())] = &member.value;
            else
                reading_.error(
                    code::kDirectiveForm, member.key_span,
                    fmt::format("{} has no key \"{}\"", word, member.key),
                    reading_.did_you_mean(member.key, known, "it takes " + list_words(known)));
        }
        return result;
    }

    std::optional<Entry> forall(Entry entry, const Document& value) {
        const auto given = parts(value, "@forall", {"of", "holds"});
        if (!given) return std::nullopt;
        if ((*given)[0] == nullptr || (*given)[1] == nullptr) {
            reading_.error(code::kDirectiveForm, value.span, "@forall needs both of and holds");
            return std::nullopt;
        }
        for (const Document* part : *given)
            entry.patterns.push_back(pattern(*part));
        return entry;
    }

    std::optional<Entry> any_of(Entry entry, const Document& value) {
        if (!value.is_array() || value.members.empty()) {
            reading_.error(code::kDirectiveForm, value.span,
                           "@any takes a list of one or more patterns, found " +
                               std::string(value.is_array() ? "an empty list" : kind_name(value)),
                           "for \"exists, whatever it holds\" write {} or \"@any\" as the value");
            return std::nullopt;
        }
        for (const Member& alternative : value.members)
            entry.patterns.push_back(pattern(alternative.value));
        return entry;
    }

    std::optional<Entry> aggregate(Entry entry, const std::string& word, const Document& value) {
        const auto given = parts(value, word, {"of", "value", "into"});
        if (!given) return std::nullopt;
        const auto [of, number, into] = std::tuple{(*given)[0], (*given)[1], (*given)[2]};
        if (into == nullptr) {
            reading_.error(code::kDirectiveForm, value.span, word + " needs into",
                           "as in \"into\": \"$N\" or \"into\": \"> 2\"");
            return std::nullopt;
        }
        if (entry.kind == KeyKind::Count ? number != nullptr : number == nullptr) {
            const bool counts = entry.kind == KeyKind::Count;
            reading_.error(code::kDirectiveForm, counts ? number->span : value.span,
                           counts ? "@count counts matches; it takes no value"
                                  : word + " needs value, the expression of each match",
                           counts ? "write @sum to add values" : "as in \"value\": \"$POINTS\"");
            return std::nullopt;
        }
        entry.patterns.push_back(of != nullptr ? pattern(*of) : everything(value));
        if (number != nullptr) {
            auto expr = parse_formula(reading_, *number, "value");
            if (!expr) return std::nullopt;
            forbid_this(reading_, *expr, "value has no node and so no $this");
            entry.value.push_back(std::move(*expr));
        }
        if (into->is_object() ||
            (into->is_string() && (into->text() == "@absent" || into->text() == "@any"))) {
            reading_.error(code::kDirectiveForm, into->span,
                           "into takes a variable or a test of the result, found " +
                               std::string(into->is_object() ? "an object" : into->text()));
            return std::nullopt;
        }
        entry.into.push_back(pattern(*into));
        return entry;
    }

    std::optional<Entry> use(Entry entry, const Document& value) {
        const auto add = [&](const Document& name) {
            if (!name.is_string())
                return reading_.expected(code::kDirectiveForm, name,
                                         "@use takes the name of a pattern or a list of names");
            entry.use_names.push_back(name.text());
            entry.patterns.push_back(library_.use(name.text(), name.span));
        };
        if (!value.is_array())
            add(value);
        else
            for (const Member& name : value.members)
                add(name.value);
        if (entry.use_names.empty()) return std::nullopt;
        return entry;
    }

    std::optional<Entry> log(Entry entry, const Document& value) {
        if (const bool* const flag = value.get<bool>()) {
            entry.flag = *flag;
            return entry;
        }
        reading_.expected(code::kDirectiveForm, value, "@log takes true or false");
        return std::nullopt;
    }

    Reading& reading_;
    PatternLibrary& library_;
    LeafParser leaves_;
};

} // namespace

std::optional<Expr> parse_value(Reading& reading, const Document& document, std::string_view what) {
    if (document.kind != Document::Kind::Scalar) {
        reading.expected(code::kValueForm, document,
                         std::string(what) + " holds plain values and expressions");
        return std::nullopt;
    }
    if (!document.is_string()) return literal_expr(document.scalar, document.span);
    const Quoted string = reading.quoted(document);
    const ParsedForm form = parse_form(string);
    switch (form.form) {
    case ValueForm::Text:
        warn_of_option(reading, document);
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
        return parse_expression(reading, string, form.begin);
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
    return parse_expression(reading, string, 0);
}

std::optional<Expr> parse_formula(Reading& reading, const Document& document,
                                  std::string_view what) {
    return document.is_string() ? parse_expression(reading, reading.quoted(document), 0)
                                : parse_value(reading, document, what);
}

void PatternLibrary::add(const Member& definition) {
    names_.push_back(definition.key);
    named_[definition.key].definition = &definition;
}

void PatternLibrary::finish() {
    for (const std::string& name : names_)
        read(name, named_[name]);
    for (const std::string& name : names_) {
        const Named& named = named_[name];
        if (!named.used)
            reading_.warning(code::kUnusedPattern, named.definition->key_span,
                             "no rule uses the pattern " + name);
    }
}

Pattern PatternLibrary::use(const std::string& name, Span place) {
    const auto found = named_.find(name);
    if (found == named_.end()) {
        reading_.error(code::kUnknownPattern, place, "there is no pattern \"" + name + "\"",
                       names_.empty() ? "name it under patterns"
                                      : reading_.did_you_mean(name, names_));
        return {};
    }
    Named& named = found->second;
    named.used = true;
    if (named.state == Named::State::Reading) {
        report_cycle(name, place);
        return {};
    }
    if (depth <= kMaxHeight) read(name, named);
    copied_ += named.size + 1;
    if (copied_ > kMaxCopied || std::max<std::size_t>(named.height, depth) > kMaxHeight) {
        if (std::exchange(limit_reported_, true)) return {};
        reading_.error(code::kPatternLimit, place,
                       fmt::format("the uses of patterns grow too large here: more than {} entries "
                                   "or {} levels",
                                   kMaxCopied, kMaxHeight));
        return {};
    }
    return named.pattern;
}

void PatternLibrary::refuse_large(const Pattern& condition, Span place) {
    const std::size_t size = size_of(condition);
    if (size <= kMaxCondition || limit_reported_) return;
    reading_.error(code::kPatternLimit, place,
                   fmt::format("a condition has {} entries and values at most, this one {}",
                               kMaxCondition, size),
                   "make a domain of the names under types, and ask by a variable");
}

void PatternLibrary::read(const std::string& name, Named& named) {
    if (named.state != Named::State::Unread) return;
    named.state = Named::State::Reading;
    const RuleScope outside(reading_, {}); // a mistake in it belongs to no rule
    open_.push_back(name);
    const Document& document = named.definition->value;
    if (reading_.expect_object(code::kDirectiveForm, document, "a named pattern is an object"))
        named.pattern = parse_condition(reading_, *this, document);
    open_.pop_back();
    named.size = size_of(named.pattern);
    named.height = height_of(named.pattern);
    named.state = Named::State::Read;
}

void PatternLibrary::report_cycle(const std::string& name, Span place) {
    reading_.error(code::kPatternCycle, place,
                   fmt::format("patterns use each other in a circle: {} -> {}",
                               fmt::join(std::ranges::find(open_, name), open_.end(), " -> "),
                               name),
                   "a pattern cannot contain itself");
}

Pattern parse_condition(Reading& reading, PatternLibrary& patterns, const Document& document) {
    return PatternParser(reading, patterns).pattern(document);
}

} // namespace croupier::engine
