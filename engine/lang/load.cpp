// The stages of a load in order: read and include, lay over, parse, check.
#include "engine/lang/check.h"
#include "engine/lang/include.h"
#include "engine/lang/overlay.h"
#include "engine/lang/reader.h"
#include "engine/lang/repeated_rules.h"
#include "engine/lang/rule_parser.h"
#include "engine/lang/ruleset_parser.h"

#include <algorithm>
#include <utility>

namespace croupier::engine {
namespace {

Document empty_object() {
    Document document;
    document.kind = Document::Kind::Object;
    return document;
}

// {"rules": [rule]}, where a bare condition becomes a rule first.
Document rule_around(Document pattern) {
    const Span span = pattern.span;
    const auto wrap = [&](Document::Kind kind, std::string key, Document inner) {
        Document outer;
        outer.kind = kind;
        outer.span = span;
        outer.members.push_back({std::move(key), span, std::move(inner)});
        return outer;
    };
    if (!looks_like_rule(pattern))
        pattern = wrap(Document::Kind::Object, "condition", std::move(pattern));
    pattern = wrap(Document::Kind::Array, {}, std::move(pattern));
    return wrap(Document::Kind::Object, "rules", std::move(pattern));
}

// `unused`: variables that nothing uses are worth a warning.
void finish(Loaded& loaded, Reading reading, Document document, const LoadSettings& settings,
            bool unused) {
    name_repeated_rules(document);
    Ruleset ruleset = parse_ruleset(reading, document, settings);
    check_ruleset(reading, ruleset, {.unused = unused, .strict = settings.strict});
    const auto source = static_cast<std::uint32_t>(loaded.sources.size());
    const auto found = loaded.diagnostics.sorted();
    if (std::any_of(found.begin(), found.end(),
                    [&](const Diagnostic& each) { return each.span.file == source; }))
        add_settings(loaded.sources, settings);
    if (!loaded.diagnostics.has_errors()) loaded.ruleset = std::move(ruleset);
}

std::string word_of(const LoadSettings& settings, std::size_t option) {
    if (option < settings.words.size()) return settings.words[option];
    const auto& [name, value] = settings.options[option];
    const auto* text = std::get_if<std::string>(&value);
    return name + "=" + (text != nullptr ? *text : scalar_json(value));
}

} // namespace

Span setting_span(const LoadSettings& settings, std::size_t option, std::uint32_t source) {
    std::size_t begin = 0; // a line for each
    for (std::size_t i = 0; i < option; ++i)
        begin += word_of(settings, i).size() + 1;
    const std::size_t end = begin + word_of(settings, option).size();
    return {source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

void add_settings(Sources& sources, const LoadSettings& settings) {
    std::string text;
    for (std::size_t i = 0; i < settings.options.size(); ++i)
        text += word_of(settings, i) + "\n";
    sources.add(settings.words_from, std::move(text));
}

Loaded load_ruleset(std::span<const std::string> paths, const FileOpener& open,
                    const LoadSettings& settings) {
    Loaded loaded;
    FileReader files(loaded.sources, loaded.diagnostics, open);
    Document whole = empty_object();
    bool complete = true;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        std::optional<Document> file = files.read(paths[i]);
        complete = complete && file;
        if (!complete) continue;
        if (settings.prepare) settings.prepare(i, *file, loaded.sources, loaded.diagnostics);
        if (whole.members.empty()) whole.span = file->span;
        overlay_file(files.reading(), whole, std::move(*file));
    }
    // Half of the files would only give mistakes that are none.
    if (complete) finish(loaded, files.reading(), std::move(whole), settings, true);
    return loaded;
}

Loaded load_ruleset_text(std::string name, std::string text, const FileOpener& open,
                         const LoadSettings& settings) {
    const FileOpener with_text = [&](const std::string& path) {
        return path == name ? FileText{text, {}}
               : open       ? open(path)
                            : FileText{{}, "no files can be included here"};
    };
    return load_ruleset(std::span(&name, 1), with_text, settings);
}

Loaded load_pattern_text(const std::string& name, std::string text) {
    Loaded loaded;
    const FileOpener none;
    FileReader files(loaded.sources, loaded.diagnostics, none);
    std::optional<Document> pattern = files.read_condition(name, std::move(text));
    // The variables of a bare condition are its answer.
    if (pattern) finish(loaded, files.reading(), rule_around(std::move(*pattern)), {}, false);
    return loaded;
}

} // namespace croupier::engine
