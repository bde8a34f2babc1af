// From files to a checked Ruleset: reads, includes, lays over, parses, checks.
#pragma once

#include "engine/language/ruleset.h"
#include "engine/text/diagnostic.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {

// How the reader gets an included file: its text, or a message why not. The library opens no files
// itself.
struct FileText {
    std::optional<std::string> text;
    std::string error;
};
using FileOpener = std::function<FileText(const std::string& path)>;

// The result of a load. `ruleset` is set only if there are no errors.
struct Loaded {
    Sources sources;
    Diagnostics diagnostics;
    std::optional<Ruleset> ruleset;
};

// Additions of the host program to a load.
struct LoadSettings {
    std::vector<HostFunction> functions;                 // for @call, besides the built-in ones
    std::vector<std::pair<std::string, Scalar>> options; // values that override all files
    std::vector<std::string> words;   // command line text of each of `options`, for messages
    std::string words_from = "--set"; // where `words` come from, in messages
    // Called for each file of `paths`, with includes expanded, before it is laid over the earlier
    // ones: to remove the host's own keys and add the rules they mean.
    std::function<void(std::size_t which, Document& file, const Sources&, Diagnostics&)> prepare;
    bool strict = false; // also warn of things that matter only for revising or measuring the rules
};

// Errors in `options` have a place too, in an additional source that exists only if an error needs
// it. Its number is the number of sources already read.
Span setting_span(const LoadSettings& settings, std::size_t option, std::uint32_t source);
void add_settings(Sources& sources, const LoadSettings& settings);

// Reads `paths`, each laid over the earlier ones (LANGUAGE.md section 1). A text is a ruleset, a
// rule, or an array of rules; a rule or an array becomes the group "rules".
Loaded load_ruleset(std::span<const std::string> paths, const FileOpener& open,
                    const LoadSettings& settings = {});
Loaded load_ruleset_text(std::string name, std::string text, const FileOpener& open = {},
                         const LoadSettings& settings = {});

// Reads a bare condition, or a rule whose condition is used, as a ruleset with one rule in the
// group "rules".
Loaded load_pattern_text(const std::string& name, std::string text);

// Exports rule files as one file of plain JSON: includes expanded, files laid over each other.

// `document` is set unless there is an error.
struct Exported {
    Sources sources;
    Diagnostics diagnostics;
    std::optional<Document> document;
};

// Reads `paths`, each with all that it includes, and lays them over each other. Parses no rules, so
// it can also export parts of rulesets and files of agents. The result means the same as the files:
// rules that an @include repeats are named as by `load_ruleset`; placements (`before`, `after`) are
// carried out and removed. A single list of rules stays a list; a single file that means nothing by
// itself stays as it is. Order of keys, texts and numbers are as written.
Exported export_rules(std::span<const std::string> paths, const FileOpener& open);

} // namespace croupier::engine
