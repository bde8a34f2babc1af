// Reads files and puts the files that they include into their place.
#pragma once

#include "engine/lang/reader.h"
#include "engine/lang/reading.h"

#include <map>

namespace croupier::engine {

class FileReader {
  public:
    FileReader(Sources& sources, Diagnostics& diagnostics, const FileOpener& open)
        : sources_(sources), reading_{sources, diagnostics, {}}, open_(open) {}

    // A file of the command line, normalized, with everything that it includes; nullopt after a
    // mistake.
    std::optional<Document> read(const std::string& path);
    // The same, not normalized.
    std::optional<Document> read_as_written(const std::string& path);
    // A text that is at hand, as it stands.
    std::optional<Document> read_condition(const std::string& name, std::string text);
    // What was found on the way.
    [[nodiscard]] Reading& reading() { return reading_; }

  private:
    // Where an object stands decides how it and what it includes are joined.
    enum class Where { Top, Groups, Group, Elsewhere };

    std::optional<Document> read_text(const std::string& name, std::string text, Where where);
    std::optional<Document> open_file(const std::string& name, Span place);
    std::optional<Document> parse(const std::string& name, std::string text, Span place);

    void expand(Document& document, Where where);
    void expand_object(Document& object, Where where);
    void expand_array(Document& array);
    std::vector<Document> included(const Document& names, Where where);
    std::optional<Document> include(const Document& name, Where where);
    std::optional<std::string> resolve(const Document& name);
    void join(Document& base, Document over, Where where, Span place);

    Sources& sources_;
    Reading reading_;
    const FileOpener& open_;
    std::vector<std::string> open_files_; // from the outermost to the one being read
    std::map<std::string, std::optional<Document>> parsed_; // before their own includes
    std::size_t depth_ = 0; // levels of the document under construction
    std::size_t includes_ = 0;
    std::size_t values_ = 0; // of all included files together
    // No include failed. After one has, other errors may only follow from it.
    bool complete_ = true;
};

} // namespace croupier::engine
