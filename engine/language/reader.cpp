// Expands @include: the including object or list is laid over the included file.
#include "engine/language/reader.h"

#include "engine/language/check.h"
#include "engine/language/overlay.h"
#include "engine/language/reading.h"
#include "engine/language/ruleset_parser.h"
#include "engine/language/words.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace croupier::engine {

namespace {

constexpr std::string_view kInclude = "@include";
constexpr std::size_t kMaxIncludes = 10'000;

std::size_t count_values(const Document& document) {
    std::size_t count = 1;
    for (const Member& member : document.members)
        count += count_values(member.value);
    return count;
}

// The @include of a list element that has nothing else, or nullptr.
const Document* sole_include(const Document& element) {
    if (!element.is_object() || element.members.size() != 1) return nullptr;
    const Member* directive = element.find(kInclude);
    return directive != nullptr ? &directive->value : nullptr;
}

bool holds_only_rules(const Document& document) {
    return document.is_object() && document.members.size() == 1 &&
           document.find("rules") != nullptr && document.members[0].value.is_array();
}

// Reads files and expands their includes.
class FileReader {
  public:
    FileReader(Sources& sources, Diagnostics& diagnostics, const FileOpener& open)
        : sources_(sources), reading_{sources, diagnostics, {}}, open_(open) {}

    // Reads a file of the command line, expands its includes and normalizes it; nullopt after an
    // error.
    std::optional<Document> read(const std::string& path) {
        auto document = read_as_written(path);
        if (!document || !normalize_file(reading_, *document)) return std::nullopt;
        return document;
    }

    // The same, not normalized.
    std::optional<Document> read_as_written(const std::string& path) {
        const FileText file = open_(path);
        if (!file.text) {
            const Span start{sources_.add(path, {}), 0, 0};
            reading_.error(code::kUnreadable, start, "the file cannot be read: " + file.error);
            return std::nullopt;
        }
        return read_text(path, *file.text, Where::Top);
    }

    // Reads a text in memory, not normalized.
    std::optional<Document> read_condition(const std::string& name, std::string text) {
        return read_text(name, std::move(text), Where::Elsewhere);
    }

    // The reading with everything found so far.
    [[nodiscard]] Reading& reading() { return reading_; }

  private:
    // The kind of place decides how an object and its includes are joined.
    enum class Where { Top, Groups, Group, Elsewhere };

    std::optional<Document> read_text(const std::string& name, std::string text, Where where) {
        auto document = parse(name, std::move(text), {});
        if (!document) return std::nullopt;
        open_files_.push_back(name);
        expand(*document, where);
        open_files_.pop_back();
        if (!complete_) return std::nullopt;
        return document;
    }

    std::optional<Document> parse(const std::string& name, std::string text, Span place) {
        const ReadLimits limits;
        if (text.size() > limits.max_bytes) { // too large to count its lines
            const bool included = !open_files_.empty();
            const Span start = included ? place : Span{sources_.add(name, {}), 0, 0};
            reading_.error(code::kTooLarge, start,
                           name + " is larger than " + std::to_string(limits.max_bytes) + " bytes");
            return std::nullopt;
        }
        const std::uint32_t file = sources_.add(name, std::move(text));
        return read_json(sources_, file, reading_.diagnostics, limits);
    }

    std::optional<Document> open_file(const std::string& name, Span place) {
        const auto known = parsed_.find(name);
        if (known != parsed_.end()) return known->second;
        const FileText file = open_ ? open_(name) : FileText{{}, "no files can be included here"};
        std::optional<Document> document;
        if (!file.text) {
            reading_.error(code::kIncludeUnreadable, place,
                           "the included file " + name + " cannot be read: " + file.error,
                           "its path is relative to the file that includes it");
        } else {
            document = parse(name, *file.text, place);
        }
        reading_.lacks_files = reading_.lacks_files || !document;
        parsed_.emplace(name, document);
        return document;
    }

    void expand(Document& document, Where where) {
        if (depth_ > ReadLimits{}.max_depth) {
            reading_.error(code::kIncludeLimit, document.span,
                           "nested deeper than " + std::to_string(ReadLimits{}.max_depth) +
                               " levels, counting the files that include each other");
            document.members.clear();
            return;
        }
        ++depth_;
        if (document.is_object()) expand_object(document, where);
        if (document.is_array()) expand_array(document);
        --depth_;
    }

    void expand_object(Document& object, Where where) {
        const auto directive = std::ranges::find(object.members, kInclude, &Member::key);
        std::vector<Document> below;
        Span place = object.span;
        if (directive != object.members.end()) {
            place = directive->value.span;
            below = included(directive->value, where);
            object.members.erase(directive);
        }
        for (Member& member : object.members) {
            Where inside = Where::Elsewhere;
            if (where == Where::Top && member.key == "groups")
                inside = Where::Groups;
            else if (where == Where::Groups || (where == Where::Top && is_group_key(member.key)))
                inside = Where::Group;
            expand(member.value, inside);
        }
        if (below.empty()) return;
        Document result = std::move(below[0]);
        for (std::size_t i = 1; i < below.size(); ++i)
            join(result, std::move(below[i]), where, place);
        if (!object.members.empty()) join(result, std::move(object), where, place);
        object = std::move(result);
    }

    void join(Document& base, Document over, Where where, Span place) {
        if (where == Where::Top) {
            if (normalize_file(reading_, base) && normalize_file(reading_, over))
                overlay_file(reading_, base, std::move(over));
        } else if (where == Where::Group) {
            overlay_group(reading_, base, std::move(over));
        } else if (base.is_object() && over.is_object()) {
            merge_objects(base, std::move(over));
        } else {
            reading_.error(
                code::kIncludeMisfit, place,
                "the included file holds " + std::string(kind_name(base)) +
                    ", which cannot be joined with other keys",
                "a list or a plain value can only be included alone: {\"@include\": \"..\"}");
        }
    }

    // Splices an included list into the list that includes it.
    void expand_array(Document& array) {
        std::vector<Member> result;
        std::vector<bool> from_include;
        for (Member& element : array.members) {
            const Document* names = sole_include(element.value);
            if (names == nullptr) {
                expand(element.value, Where::Elsewhere);
                result.push_back(std::move(element));
            } else {
                for (Document& file : included(*names, Where::Elsewhere)) {
                    Document& list = holds_only_rules(file) ? file.members[0].value : file;
                    if (!list.is_array())
                        result.push_back({{}, list.span, std::move(list)});
                    else
                        std::move(list.members.begin(), list.members.end(),
                                  std::back_inserter(result));
                    from_include.resize(result.size(), true);
                }
            }
            from_include.resize(result.size(), false);
        }
        array.members = std::move(result);
        settle_included(array.members, from_include);
    }

    std::vector<Document> included(const Document& names, Where where) {
        std::vector<Document> result;
        const auto add = [&](const Document& name) {
            if (auto document = include(name, where))
                result.push_back(std::move(*document));
            else
                complete_ = false;
        };
        if (names.is_array())
            for (const Member& name : names.members)
                add(name.value);
        else
            add(names);
        return result;
    }

    std::optional<Document> include(const Document& name, Where where) {
        const auto path = resolve(name);
        if (!path) return std::nullopt;
        auto document = open_file(*path, name.span);
        if (!document) return std::nullopt;
        values_ += count_values(*document);
        if (++includes_ > kMaxIncludes || values_ > ReadLimits{}.max_values) {
            if (includes_ <= kMaxIncludes + 1) {
                reading_.error(code::kIncludeLimit, name.span, "the included files grow too large",
                               "files that include each other twice double at every level");
            }
            return std::nullopt;
        }
        open_files_.push_back(*path);
        expand(*document, where);
        open_files_.pop_back();
        return document;
    }

    std::optional<std::string> resolve(const Document& name) {
        if (!name.is_string() || name.text().empty()) {
            reading_.error(code::kIncludeForm, name.span,
                           "@include takes the name of a file or a list of names, found " +
                               std::string(name.is_string() ? "an empty text" : kind_name(name)));
            return std::nullopt;
        }
        const std::filesystem::path folder =
            std::filesystem::path(open_files_.back()).parent_path();
        std::string path = (folder / name.text()).lexically_normal().generic_string();
        const auto open = std::ranges::find(open_files_, path);
        if (open == open_files_.end()) return path;
        std::string chain;
        for (auto at = open; at != open_files_.end(); ++at)
            chain += *at + " -> ";
        reading_.error(code::kIncludeCycle, name.span,
                       "files include each other in a circle: " + chain + path,
                       "remove one of these includes");
        return std::nullopt;
    }

    Sources& sources_;
    Reading reading_;
    const FileOpener& open_;
    std::vector<std::string> open_files_; // from the outermost to the one being read
    std::map<std::string, std::optional<Document>> parsed_; // before their includes are expanded
    std::size_t depth_ = 0; // levels of the document under construction
    std::size_t includes_ = 0;
    std::size_t values_ = 0; // of all included files together
    // False once an include has failed: other errors may only follow from it.
    bool complete_ = true;
};

// The stages of a load: read and include, lay over, parse, check.

// With `unused` warns about unused variables.
void finish(Loaded& loaded, Reading reading, Document document, const LoadSettings& settings,
            bool unused) {
    name_repeated_rules(document);
    Ruleset ruleset = parse_ruleset(reading, document, settings);
    check_ruleset(reading, ruleset, {.unused = unused, .strict = settings.strict});
    const auto source = static_cast<std::uint32_t>(loaded.sources.size());
    const auto found = loaded.diagnostics.sorted();
    if (std::ranges::any_of(found,
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

// The first stages of a load, also used by export_rules.

// Lays all files over each other; nullopt if one of them has an error.
std::optional<Document> laid_over(Reading& reading, std::vector<Document> files) {
    Document whole = json::object();
    for (Document& file : files) {
        if (!normalize_file(reading, file)) return std::nullopt;
        overlay_file(reading, whole, std::move(file));
    }
    if (reading.diagnostics.has_errors()) return std::nullopt;
    name_repeated_rules(whole);
    for_each_rule_list(whole, [](const std::string&, std::vector<Member>& rules) {
        for (Member& rule : rules)
            std::erase_if(rule.value.members, [](const Member& member) {
                return member.key == "before" || member.key == "after";
            });
    });
    return whole;
}

} // namespace

Span setting_span(const LoadSettings& settings, std::size_t option, std::uint32_t source) {
    std::size_t begin = 0; // one line per setting
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
    Document whole = json::object();
    bool complete = true;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        std::optional<Document> file = files.read(paths[i]);
        complete = complete && file;
        if (!complete) continue;
        if (settings.prepare) settings.prepare(i, *file, loaded.sources, loaded.diagnostics);
        if (whole.members.empty()) whole.span = file->span;
        overlay_file(files.reading(), whole, std::move(*file));
    }
    // With only some of the files there would be spurious errors.
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
    if (!pattern) return loaded;
    if (!looks_like_rule(*pattern)) {
        Document rule = json::object(pattern->span);
        rule.members.push_back({"condition", rule.span, std::move(*pattern)});
        pattern = std::move(rule);
    }
    normalize_file(files.reading(), *pattern);
    // The variables of a bare condition are its result, so do not warn about unused ones.
    finish(loaded, files.reading(), std::move(*pattern), {}, false);
    return loaded;
}

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
        // A file without meaning by itself, such as a revision that includes nothing, stays as it
        // is.
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
