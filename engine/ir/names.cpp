// Names of types, values, places and variables.
#include "engine/ir/names.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>

namespace croupier::engine::ir {

namespace {

std::string range(std::int64_t low, std::int64_t high) {
    const Type all;
    if (low == all.low && high == all.high) {
        return "int";
    }
    return fmt::format("int {}..{}", low == all.low ? "" : std::to_string(low),
                       high == all.high ? "" : std::to_string(high));
}

std::string list_name(const Module& module, std::uint32_t list) {
    return list < module.lists.size() ? name_of(module, module.lists[list])
                                      : fmt::format("list {}?", list);
}

} // namespace

std::string name_of(const Module& module, const CodeList& list) {
    const Layout& layout = *module.catalogue->layout;
    std::string domain =
        list.domain < layout.domain_count() ? layout.domain(list.domain).name : "?";
    switch (list.form) {
    case CodeList::Form::Keys:
        return domain;
    case CodeList::Form::Texts:
        return "text of " + domain;
    case CodeList::Form::Numbers:
        return "number of " + domain;
    case CodeList::Form::Truths:
        return "code of truth";
    case CodeList::Form::Range:
        break;
    }
    return fmt::format("code {}..{}", list.low,
                       list.low + static_cast<std::int64_t>(list.values.size()) - 1);
}

std::string name_of(const Module& module, const Type& type) {
    switch (type.kind) {
    case TypeKind::Int:
        return range(type.low, type.high);
    case TypeKind::Code:
        return list_name(module, type.list);
    case TypeKind::Set:
        return "set of " + list_name(module, type.list);
    default:
        break;
    }
    constexpr std::array kNames = {"none", "truth", "int",  "code",   "any",     "key",
                                   "node", "set",   "data", "member", "argument"};
    return kNames.at(static_cast<std::size_t>(type.kind));
}

std::string name_of_program_type(const Module& module, std::uint32_t type) {
    const std::vector<TypePlan>& types = module.catalogue->types;
    if (type >= types.size()) {
        return fmt::format("type {}?", type);
    }
    constexpr std::array kNames = {"any", "int", "double", "number", "string", "bool", "null"};
    return types[type].kind == TypePlan::Kind::Domain
               ? module.catalogue->layout->domain(types[type].domain).name
               : kNames.at(static_cast<std::size_t>(types[type].kind));
}

std::string text_of(const Module& module, const Value& value) {
    if (value.tag == Tag::None) {
        return "none";
    }
    const std::string text = to_text(value, module.catalogue->symbols);
    return value.tag == Tag::String ? "'" + text + "'"
           : value.tag == Tag::Key  ? '"' + text + '"'
                                    : text;
}

std::string text_of_code(const Module& module, std::uint32_t list, std::int64_t code) {
    if (code == 0) {
        return "none";
    }
    if (list >= module.lists.size() || code < 0 ||
        static_cast<std::uint64_t>(code) > module.lists[list].values.size()) {
        return fmt::format("{}?", code);
    }
    return to_text(module.lists[list].values[static_cast<std::size_t>(code - 1)],
                   module.catalogue->symbols);
}

std::string text_of_note(const Module& module, NoteId note) {
    if (note >= module.notes.size()) {
        return fmt::format("note {}?", note);
    }
    const Note& known = module.notes[note];
    const std::string rule =
        known.rule < module.catalogue->rules.size() ? module.catalogue->rules[known.rule].name : "";
    return known.entry != kNone ? fmt::format("{}:{}", rule, known.entry)
                                : fmt::format("{}@{}", rule, known.span.begin);
}

std::string text_of_place(const Module& module, SchemaId schema,
                          const std::vector<std::string>& rows) {
    const Layout& layout = *module.catalogue->layout;
    if (schema >= layout.size()) {
        return fmt::format("schema {}?", schema);
    }
    const std::string path = layout.path(schema);
    std::string text = path.empty() ? "(root)" : "";
    std::size_t used = 0;
    for (std::size_t from = 0; from < path.size();) {
        const std::size_t end = std::min(path.find('.', from), path.size());
        if (path[from] == '$') {
            text += fmt::format("[{}]", used < rows.size() ? rows[used] : "?");
            ++used;
        } else {
            text += (text.empty() ? "" : ".") + path.substr(from, end - from);
        }
        from = end + 1;
    }
    for (; used < rows.size(); ++used) {
        text += fmt::format("[{}?]", rows[used]);
    }
    return text;
}

std::vector<std::string> variable_texts(const Function& function) {
    std::unordered_map<std::string, int> seen;
    std::vector<std::string> texts;
    for (const Var& var : function.vars) {
        const int nth = ++seen[var.name];
        texts.push_back("$" + var.name + (nth == 1 ? "" : fmt::format("@{}", nth)));
    }
    return texts;
}

} // namespace croupier::engine::ir
