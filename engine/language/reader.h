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

// How the reader gets the text of an included file: the text, or a message why not. The library
// opens no files by itself.
struct FileText {
    std::optional<std::string> text;
    std::string error;
};
using FileOpener = std::function<FileText(const std::string& path)>;

// Everything one load produced. `ruleset` is set only when there are no errors.
struct Loaded {
    Sources sources;
    Diagnostics diagnostics;
    std::optional<Ruleset> ruleset;
};

// What the host program adds to a load.
struct LoadSettings {
    std::vector<HostFunction> functions; // that @call may use besides the shipped ones
    std::vector<std::pair<std::string, Scalar>> options; // values that win over all files
    std::vector<std::string> words; // of the command line, one for each of `options`, for messages
    std::string words_from = "--set"; // where they stand, in messages
    // Gets each file of `paths`, includes done, before it is laid over the ones before it: to take
    // out what is the host's own and to add what it means in rules.
    std::function<void(std::size_t which, Document& file, const Sources&, Diagnostics&)> prepare;
    bool strict = false; // warn also of what only matters to those who revise or measure the rules
};

// Mistakes in `options` have a place as well: in one more source, which is there only if a mistake
// needs it. Its number is that of the sources that have been read.
Span setting_span(const LoadSettings& settings, std::size_t option, std::uint32_t source);
void add_settings(Sources& sources, const LoadSettings& settings);

// Reads `paths` one laid over the other (LANGUAGE.md section 1). The text is a ruleset, a rule, or
// an array of rules; a rule or an array becomes the group "rules".
Loaded load_ruleset(std::span<const std::string> paths, const FileOpener& open,
                    const LoadSettings& settings = {});
Loaded load_ruleset_text(std::string name, std::string text, const FileOpener& open = {},
                         const LoadSettings& settings = {});

// A condition alone, or a rule whose condition is used: a ruleset whose group "rules" holds one
// rule.
Loaded load_pattern_text(const std::string& name, std::string text);

// Rule files as one file that holds nothing but JSON: includes resolved, files laid over each
// other.

// `document` is set unless there is an error.
struct Exported {
    Sources sources;
    Diagnostics diagnostics;
    std::optional<Document> document;
};

// Reads `paths`, each with all that it includes, and lays them one over the other; parses no rules,
// so that parts of rulesets and files of agents can be exported too. What it makes says the same as
// the files: names of rules that an @include has put into several places are as in `load_ruleset`,
// and where rules go (`before`, `after`) is done and no longer said. A single list of rules stays a
// list; a single file that has no meaning but over another stays as it is. Order of keys, texts and
// numbers are as written.
Exported export_rules(std::span<const std::string> paths, const FileOpener& open);

} // namespace croupier::engine
