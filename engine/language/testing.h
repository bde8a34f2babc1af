// Shared by the tests of the reader.
#pragma once

#include "engine/language/reader.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

namespace croupier::engine {

using Files = std::map<std::string, std::string>;

inline FileOpener opener(Files files) {
    return [files = std::move(files)](const std::string& path) -> FileText {
        const auto found = files.find(path);
        if (found == files.end()) return {{}, "no such file"};
        return {found->second, {}};
    };
}

// All diagnostics as shown to people.
inline std::string shown(const Loaded& loaded) {
    std::string text;
    for (const Diagnostic& diagnostic : loaded.diagnostics.sorted())
        text += format(diagnostic, loaded.sources);
    return text;
}

// "E0501@1:20", one per diagnostic: code and place.
inline std::string codes(const Loaded& loaded) {
    std::string text;
    for (const Diagnostic& diagnostic : loaded.diagnostics.sorted()) {
        const LineColumn at =
            loaded.sources.line_column(diagnostic.span.file, diagnostic.span.begin);
        text += (text.empty() ? "" : " ") + diagnostic.code + '@' + std::to_string(at.line) + ':' +
                std::to_string(at.column);
    }
    return text;
}

// A ruleset that must have no errors; warnings are allowed.
inline Ruleset load_good(std::string text) {
    Loaded loaded = load_ruleset_text("test.json", std::move(text));
    EXPECT_TRUE(loaded.ruleset) << shown(loaded);
    return loaded.ruleset ? std::move(*loaded.ruleset) : Ruleset{};
}

// The same for several files laid over each other.
inline Loaded load_files(const std::vector<std::string>& paths, Files files,
                         const LoadSettings& settings = {}) {
    return load_ruleset(paths, opener(std::move(files)), settings);
}

} // namespace croupier::engine
