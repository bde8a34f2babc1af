// Expands @include: the included file lies under the object or list that asks for it.
#include "engine/lang/include.h"

#include "engine/lang/overlay.h"
#include "engine/lang/rule_overlay.h"
#include "engine/lang/top_keys.h"

#include <algorithm>
#include <filesystem>

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

// A list's element that holds nothing but an @include.
const Document* sole_include(const Document& element) {
    if (!element.is_object() || element.members.size() != 1) return nullptr;
    const Member* directive = element.find(kInclude);
    return directive != nullptr ? &directive->value : nullptr;
}

bool holds_only_rules(const Document& document) {
    return document.is_object() && document.members.size() == 1 &&
           document.find("rules") != nullptr && document.members[0].value.is_array();
}

} // namespace

std::optional<Document> FileReader::read(const std::string& path) {
    auto document = read_as_written(path);
    if (!document || !normalize_file(reading_, *document)) return std::nullopt;
    return document;
}

std::optional<Document> FileReader::read_as_written(const std::string& path) {
    const FileText file = open_(path);
    if (!file.text) {
        const Span start{sources_.add(path, {}), 0, 0};
        reading_.error(code::kUnreadable, start, "the file cannot be read: " + file.error);
        return std::nullopt;
    }
    return read_text(path, *file.text, Where::Top);
}

std::optional<Document> FileReader::read_condition(const std::string& name, std::string text) {
    return read_text(name, std::move(text), Where::Elsewhere);
}

std::optional<Document> FileReader::read_text(const std::string& name, std::string text,
                                              Where where) {
    auto document = parse(name, std::move(text), {});
    if (!document) return std::nullopt;
    open_files_.push_back(name);
    expand(*document, where);
    open_files_.pop_back();
    if (!complete_) return std::nullopt;
    return document;
}

std::optional<Document> FileReader::parse(const std::string& name, std::string text, Span place) {
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

std::optional<Document> FileReader::open_file(const std::string& name, Span place) {
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
    parsed_.emplace(name, document);
    return document;
}

// ---- expansion
// -----------------------------------------------------------------------------------

void FileReader::expand(Document& document, Where where) {
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

void FileReader::expand_object(Document& object, Where where) {
    const auto directive =
        std::find_if(object.members.begin(), object.members.end(),
                     [](const Member& member) { return member.key == kInclude; });
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

void FileReader::join(Document& base, Document over, Where where, Span place) {
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

// In a list an included list is spliced in.
void FileReader::expand_array(Document& array) {
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
                if (!list.is_array()) {
                    result.push_back({{}, list.span, std::move(list)});
                } else {
                    std::move(list.members.begin(), list.members.end(), std::back_inserter(result));
                }
                from_include.resize(result.size(), true);
            }
        }
        from_include.resize(result.size(), false);
    }
    array.members = std::move(result);
    settle_included(array.members, from_include);
}

std::vector<Document> FileReader::included(const Document& names, Where where) {
    std::vector<Document> result;
    const auto add = [&](const Document& name) {
        if (auto document = include(name, where))
            result.push_back(std::move(*document));
        else
            complete_ = false;
    };
    if (names.is_array()) {
        for (const Member& name : names.members)
            add(name.value);
    } else {
        add(names);
    }
    return result;
}

std::optional<Document> FileReader::include(const Document& name, Where where) {
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

std::optional<std::string> FileReader::resolve(const Document& name) {
    if (!name.is_string() || name.text().empty()) {
        reading_.error(code::kIncludeForm, name.span,
                       "@include takes the name of a file or a list of names, found " +
                           std::string(name.is_string() ? "an empty text" : kind_name(name)));
        return std::nullopt;
    }
    const std::filesystem::path folder = std::filesystem::path(open_files_.back()).parent_path();
    std::string path = (folder / name.text()).lexically_normal().generic_string();
    const auto open = std::find(open_files_.begin(), open_files_.end(), path);
    if (open == open_files_.end()) return path;
    std::string chain;
    for (auto at = open; at != open_files_.end(); ++at)
        chain += *at + " -> ";
    reading_.error(code::kIncludeCycle, name.span,
                   "files include each other in a circle: " + chain + path,
                   "remove one of these includes");
    return std::nullopt;
}

} // namespace croupier::engine
