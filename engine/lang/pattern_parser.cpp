// Entries of conditions: keys and directives.
#include "engine/lang/pattern_parser.h"

#include "engine/lang/expression_parser.h"
#include "engine/lang/leaf_parser.h"
#include "engine/lang/path_parser.h"
#include "engine/lang/words.h"

#include <algorithm>

namespace croupier::engine {
namespace {

class PatternParser {
  public:
    PatternParser(Reading& reading, PatternLibrary& library, const std::vector<Option>& options)
        : reading_(reading), library_(library), options_(options) {}

    Pattern pattern(const Document& document) {
        return document.is_object() ? object(document) : parse_leaf(reading_, options_, document);
    }

  private:
    // {}: whatever exists.
    static Pattern everything(const Document& document) {
        Pattern pattern;
        pattern.span = document.span;
        return pattern;
    }

    Pattern object(const Document& document) {
        Pattern result = everything(document);
        ++library_.depth;
        for (const Member& member : document.members) {
            if (std::optional<Entry> read = entry(member))
                result.entries.push_back(std::move(*read));
        }
        --library_.depth;
        return result;
    }

    // ---- entries -------------------------------------------------------------------------------

    std::optional<Entry> entry(const Member& member) {
        const Quoted string = reading_.quoted_key(member);
        ParsedKey key;
        try {
            key = parse_key(string);
        } catch (const Mistake& mistake) {
            report(reading_, string, mistake);
            return std::nullopt;
        }
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
        auto test = parse_test(reading_, options_, value);
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
        switch (*kind) {
        case KeyKind::Path:
            entry.path = std::move(key.path);
            break;
        case KeyKind::Forall:
            return forall(std::move(entry), member.value);
        case KeyKind::AnyOf:
            return any_of(std::move(entry), member.value);
        case KeyKind::Count:
        case KeyKind::Sum:
        case KeyKind::Min:
        case KeyKind::Max:
            return aggregate(std::move(entry), key.word, member.value);
        case KeyKind::Use:
            return use(std::move(entry), member.value);
        case KeyKind::Log:
            return log(std::move(entry), member.value);
        default:
            break;
        }
        entry.patterns.push_back(pattern(member.value));
        return entry;
    }

    // The members of an object that may hold only `known` ones, in that order; nullptr for absent.
    std::optional<std::vector<const Document*>> parts(const Document& value, std::string_view word,
                                                      const Words& known) {
        if (!value.is_object()) {
            reading_.error(code::kDirectiveForm, value.span,
                           std::string(word) + " takes an object with " + list_words(known) +
                               ", found " + std::string(kind_name(value)));
            return std::nullopt;
        }
        std::vector<const Document*> result(known.size(), nullptr);
        for (const Member& member : value.members) {
            const auto at = std::find(known.begin(), known.end(), member.key);
            if (at != known.end()) {
                result[static_cast<std::size_t>(at - known.begin())] = &member.value;
                continue;
            }
            std::string hint = reading_.did_you_mean(member.key, known);
            if (hint.empty()) hint = "it takes " + list_words(known);
            reading_.error(code::kDirectiveForm, member.key_span,
                           std::string(word) + " has no key \"" + member.key + "\"",
                           std::move(hint));
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
            auto expr = full_expression(*number, "value");
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

    // Where only expressions can stand, a string needs no $ to be one.
    std::optional<Expr> full_expression(const Document& value, const std::string& what) {
        if (value.is_string())
            return parse_expression(reading_, reading_.quoted(value), 0, options_);
        return parse_value(reading_, options_, value, what);
    }

    std::optional<Entry> use(Entry entry, const Document& value) {
        const auto add = [&](const Document& name) {
            if (!name.is_string()) {
                reading_.error(code::kDirectiveForm, name.span,
                               "@use takes the name of a pattern or a list of names, found " +
                                   std::string(kind_name(name)));
                return;
            }
            entry.use_names.push_back(name.text());
            entry.patterns.push_back(library_.use(name.text(), name.span));
        };
        if (!value.is_array()) {
            add(value);
        } else {
            for (const Member& name : value.members)
                add(name.value);
        }
        if (entry.use_names.empty()) return std::nullopt;
        return entry;
    }

    std::optional<Entry> log(Entry entry, const Document& value) {
        const auto* flag = std::get_if<bool>(&value.scalar);
        if (value.kind != Document::Kind::Scalar || flag == nullptr) {
            reading_.error(code::kDirectiveForm, value.span,
                           "@log takes true or false, found " + std::string(kind_name(value)));
            return std::nullopt;
        }
        entry.flag = *flag;
        return entry;
    }

    Reading& reading_;
    PatternLibrary& library_;
    const std::vector<Option>& options_;
};

} // namespace

Pattern parse_condition(Reading& reading, PatternLibrary& patterns,
                        const std::vector<Option>& options, const Document& document) {
    return PatternParser(reading, patterns, options).pattern(document);
}

} // namespace croupier::engine
