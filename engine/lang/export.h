// Rule files as one file that holds nothing but JSON: includes resolved, files laid over each
// other.
#pragma once

#include "engine/lang/reader.h"

namespace croupier::engine {

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
