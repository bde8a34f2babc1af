// The stages of a load in order: read and include, lay over, parse, check.
#include "engine/lang/check.h"
#include "engine/lang/include.h"
#include "engine/lang/overlay.h"
#include "engine/lang/reader.h"
#include "engine/lang/rule_parser.h"
#include "engine/lang/ruleset_parser.h"

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
void finish(Loaded& loaded, const Document& document, const LoadSettings& settings, bool unused) {
    Reading reading{loaded.sources, loaded.diagnostics, {}};
    Ruleset ruleset = parse_ruleset(reading, document, settings);
    check_ruleset(reading, ruleset, unused);
    if (!loaded.diagnostics.has_errors()) loaded.ruleset = std::move(ruleset);
}

} // namespace

Loaded load_ruleset(std::span<const std::string> paths, const FileOpener& open,
                    const LoadSettings& settings) {
    Loaded loaded;
    FileReader files(loaded.sources, loaded.diagnostics, open);
    Reading reading{loaded.sources, loaded.diagnostics, {}};
    Document whole = empty_object();
    bool complete = true;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        std::optional<Document> file = files.read(paths[i]);
        complete = complete && file;
        if (!complete) continue;
        if (settings.prepare) settings.prepare(i, *file, loaded.sources, loaded.diagnostics);
        if (whole.members.empty()) whole.span = file->span;
        overlay_file(reading, whole, std::move(*file));
    }
    // Half of the files would only give mistakes that are none.
    if (complete) finish(loaded, whole, settings, true);
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
    if (pattern) finish(loaded, rule_around(std::move(*pattern)), {}, false);
    return loaded;
}

} // namespace croupier::engine
