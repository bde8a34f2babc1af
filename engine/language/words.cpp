// Tables of @-words and their diagnostics.
#include "engine/language/words.h"

namespace croupier::engine {

namespace {

constexpr std::string_view kConditionWords[] = {
#define CONDITION(name, word, form) word,
#define ACTION(name, word)
#include "engine/language/keywords.def"
};

constexpr std::string_view kActionWords[] = {
#define CONDITION(name, word, form)
#define ACTION(name, word) word,
#include "engine/language/keywords.def"
};

// The kind with that word.
template <typename Kind, typename Table>
std::optional<Kind> find(const Table& table, std::string_view text) {
    const auto found = std::ranges::find(table, text);
    if (text.empty() || found == std::end(table)) return std::nullopt;
    return static_cast<Kind>(found - std::begin(table));
}

template <typename Table>
Words texts(const Table& table) {
    Words words;
    for (const std::string_view word : table)
        if (!word.empty()) words.emplace_back(word);
    return words;
}

// Tables of top-level keys.

constexpr std::string_view kData[] = {
    "game",     "types",  "shape",  "state", "options",   "option_values", "constants",
    "patterns", "hidden", "memory", "doc",   "evaluator", "groups",        "@include"};
constexpr std::string_view kGroups[] = {"setup",  "moves", "play",   "score",   "derive", "observe",
                                        "choose", "rules", "unseen", "restore", "belief", "refuse"};

// Members of tables of advice, which agents read; merged as data.
constexpr std::string_view kAdvice[] = {"define", "advice"};

} // namespace

// Wording shared by all diagnostics of the reader.

std::string Reading::did_you_mean(std::string_view word, std::span<const std::string> known,
                                  std::string otherwise) const {
    if (diagnostics.full()) return otherwise; // it would not be shown, and computing it takes time
    return hint_for(word, known, otherwise);
}

std::string list_words(std::span<const std::string> words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
        text += words[i];
    }
    return text;
}

std::string_view kind_name(const Document& document) {
    if (document.is_object()) return "an object";
    if (document.is_array()) return "an array";
    constexpr std::string_view kNames[] = {"null", "a truth value", "an integer", "a double",
                                           "a string"};
    return kNames[document.scalar.index()];
}

Span join(Span first, Span last) {
    if (first.file != last.file || last.end < first.begin) return first;
    return {first.file, first.begin, std::max(first.end, last.end)};
}

std::string_view word_of(KeyKind kind) {
    return kConditionWords[static_cast<std::size_t>(kind)];
}
std::string_view word_of(ActionKeyKind kind) {
    return kActionWords[static_cast<std::size_t>(kind)];
}

std::optional<KeyKind> find_condition_word(std::string_view word) {
    return find<KeyKind>(kConditionWords, word);
}
std::optional<ActionKeyKind> find_action_word(std::string_view word) {
    return find<ActionKeyKind>(kActionWords, word);
}

Words condition_words() {
    return texts(kConditionWords);
}
Words action_words() {
    return texts(kActionWords);
}

void report_key_word(Reading& reading, const ParsedKey& key, const Words& known) {
    const bool condition = find_condition_word(key.word).has_value();
    const bool action = find_action_word(key.word).has_value();
    if (condition || action) {
        const std::string belongs = condition == action ? ""
                                    : condition         ? " belongs to conditions and"
                                                        : " belongs to actions and";
        reading.error(code::kUnknownAtWord, key.span, key.word + belongs + " has no meaning here");
        return;
    }
    reading.error(
        code::kUnknownAtWord, key.span, "unknown word " + key.word,
        reading.did_you_mean(key.word, known, "a name that begins with @ is written with @@"));
}

void report_value_word(Reading& reading, const Quoted& string, const Words& known) {
    const std::string_view text = string.text();
    const std::size_t end = end_of_name(text, 1);
    const std::string word(text.substr(0, end));
    const bool slip = skip_spaces(text, end) < text.size() && end > 1; // "@SUM <20"
    std::string hint =
        slip ? "a variable is written $" + word.substr(1)
             : reading.did_you_mean(word, known,
                                    "a text that begins with @ is written with a leading '");
    const bool elsewhere = word == "@absent" || word == "@any" || word == "@remove";
    reading.error(code::kUnknownAtWord, string.span(0, end),
                  elsewhere ? word + " has no meaning here" : "unknown word " + word,
                  std::move(hint));
}

void forbid_this(Reading& reading, const Expr& expr, std::string_view message) {
    for_each<Expr>(expr, [&](const Expr& each) {
        if (each.op == ExprOp::This)
            reading.error(code::kMisplacedThis, each.span, std::string(message));
    });
}

const Words& top_keys() {
    static const Words kAll = [] {
        Words words(std::begin(kData), std::end(kData));
        words.insert(words.end(), std::begin(kGroups), std::end(kGroups));
        return words;
    }();
    return kAll;
}

bool is_group_key(std::string_view key) {
    return !contains(kData, key) && !contains(kAdvice, key);
}
bool is_known_group(std::string_view key) {
    return contains(kGroups, key);
}

} // namespace croupier::engine
