// Takes any bytes as a ruleset and as a condition: expects diagnostics whose places exist, or rules
// that print as rules which read the same.
#include "engine/language/diff.h"
#include "engine/language/print.h"
#include "engine/language/reader.h"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace croupier::engine;

void require(bool holds) {
    if (!holds) std::abort();
}

void show(const Loaded& loaded) {
    for (const Diagnostic& diagnostic : loaded.diagnostics.sorted()) {
        require(!diagnostic.code.empty() && !diagnostic.message.empty());
        require(diagnostic.span.begin <= diagnostic.span.end);
        require(diagnostic.span.end <= loaded.sources.text(diagnostic.span.file).size());
        require(!format(diagnostic, loaded.sources).empty());
    }
    require(loaded.ruleset.has_value() == !loaded.diagnostics.has_errors());
}

// Printing is canonical: a printed group that is read again prints the same.
void print_again(const Ruleset& ruleset) {
    for (const Group& group : ruleset.groups) {
        const std::string text = print(group);
        const Loaded again = load_ruleset_text("again", text);
        // Fails to load where it needs types, options or patterns of the whole ruleset.
        if (!again.ruleset) continue;
        require(print(again.ruleset->groups.at(0)) == text);
    }
    require(difference(ruleset, ruleset).empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    // The file may include itself, one other file, and nothing else.
    const FileOpener open = [&](const std::string& path) {
        if (path == "other") return FileText{text.substr(text.size() / 2), {}};
        return FileText{{}, "no such file"};
    };
    const Loaded loaded = load_ruleset_text("main", text, open);
    show(loaded);
    if (loaded.ruleset) print_again(*loaded.ruleset);
    show(load_pattern_text("pattern", text));
    return 0;
}
