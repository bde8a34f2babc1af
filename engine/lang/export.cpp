// The first stages of a load, and what must be gone from their result.
#include "engine/lang/export.h"

#include "engine/lang/include.h"
#include "engine/lang/overlay.h"
#include "engine/lang/repeated_rules.h"

#include <algorithm>

namespace croupier::engine {
namespace {

// The files in one, or nothing where one of them has a mistake.
std::optional<Document> laid_over(Reading& reading, std::vector<Document> files) {
    Document whole;
    whole.kind = Document::Kind::Object;
    for (Document& file : files) {
        if (!normalize_file(reading, file)) return std::nullopt;
        overlay_file(reading, whole, std::move(file));
    }
    if (reading.diagnostics.has_errors()) return std::nullopt;
    name_repeated_rules(whole);
    for_each_rule_list(whole, [](const std::string&, std::vector<Member>& rules) {
        for (Member& rule : rules) {
            std::erase_if(rule.value.members, [](const Member& member) {
                return member.key == "before" || member.key == "after";
            });
        }
    });
    return whole;
}

} // namespace

Exported export_rules(std::span<const std::string> paths, const FileOpener& open) {
    Exported exported;
    FileReader files(exported.sources, exported.diagnostics, open);
    std::vector<Document> read;
    for (const std::string& path : paths) {
        std::optional<Document> file = files.read_as_written(path);
        if (!file) return exported;
        read.push_back(std::move(*file));
    }
    if (read.size() > 1) {
        exported.document = laid_over(files.reading(), std::move(read));
    } else if (!exported.diagnostics.has_errors()) {
        // What alone has no meaning, as a revision that includes nothing, is for other files.
        Diagnostics alone;
        Reading reading{exported.sources, alone, {}};
        exported.document = laid_over(reading, read);
        if (!exported.document)
            exported.document = std::move(read[0]);
        else if (read[0].is_array())
            exported.document = Document(std::move(exported.document->members[0].value));
    }
    return exported;
}

} // namespace croupier::engine
