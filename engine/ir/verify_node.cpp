// Checks of one node by itself.
#include "engine/ir/verify_node.h"

#include "engine/ir/names.h"

#include <fmt/format.h>

namespace croupier::engine::ir {

namespace {

bool has_letter(const Type& type, char letter) {
    switch (letter) {
    case 't':
        return type.kind == TypeKind::Truth;
    case 'i':
        return type.kind == TypeKind::Int;
    case 'c':
        return type.kind == TypeKind::Code;
    case 'a':
        return type.kind == TypeKind::Any;
    case 'v':
        return type.is_value();
    case 'k':
        return type.kind == TypeKind::Key;
    case 'n':
        return type.kind == TypeKind::Node;
    case 'x':
        return type.is_value() || type.kind == TypeKind::Node;
    case 's':
        return type.kind == TypeKind::Set;
    case 'r':
        return type.kind == TypeKind::Set || type.is_value();
    case 'd':
        return type.kind == TypeKind::Data;
    case 'w':
        return type.kind == TypeKind::Member;
    case 'q':
        return type.kind == TypeKind::Argument;
    default:
        return type.kind == TypeKind::None;
    }
}

std::string_view meaning_of(char letter) {
    switch (letter) {
    case 't':
        return "truth";
    case 'i':
        return "integer";
    case 'c':
        return "code";
    case 'a':
    case 'v':
        return "value";
    case 'k':
        return "key";
    case 'n':
        return "node";
    case 'x':
        return "value or node";
    case 's':
        return "set";
    case 'r':
        return "set or value";
    case 'd':
        return "data";
    case 'w':
        return "member";
    case 'q':
        return "argument";
    default:
        return "none";
    }
}

} // namespace

bool fits(const Type& type, const Type& wanted) {
    if (wanted.kind == TypeKind::Any) {
        return type.is_value();
    }
    return type.kind == wanted.kind && (!has_list(type) || type.list == wanted.list) &&
           (type.kind != TypeKind::Int || (type.low >= wanted.low && type.high <= wanted.high));
}

std::vector<std::string> NodeCheck::check(const Node& node) {
    faults_.clear();
    operands(node);
    result(node);
    if (node.note != kNothing) {
        in_range("note", node.note, module_.notes.size());
    }
    if (faults_.empty()) { // the rest relies on all operands being there, each of its kind
        kind(node);
    }
    return std::move(faults_);
}

std::vector<std::string> NodeCheck::check(const Type& type) {
    faults_.clear();
    if (type.kind == TypeKind::Int && type.low > type.high) {
        wrong(fmt::format("no integer is in {}..{}", type.low, type.high));
    }
    if (has_list(type) && in_range("list", type.list, module_.lists.size())) {
        const CodeList& list = module_.lists[type.list];
        const bool of_domain =
            list.form != CodeList::Form::Truths && list.form != CodeList::Form::Range &&
            (list.form != CodeList::Form::Keys || list.domain != 0); // keys of constants
        const Layout& layout = *module_.catalogue->layout;
        if (of_domain && in_range("domain", list.domain, layout.domain_count()) &&
            list.values.size() != layout.domain(list.domain).size()) {
            wrong(fmt::format("list {} has {} values, its domain {} members", type.list,
                              list.values.size(), layout.domain(list.domain).size()));
        }
    }
    return std::move(faults_);
}

bool NodeCheck::in_range(const char* what, std::uint64_t index, std::uint64_t size) {
    if (index >= size) {
        wrong(fmt::format("{} {} of {}", what, static_cast<std::int64_t>(index), size));
    }
    return index < size;
}

void NodeCheck::operands(const Node& node) {
    const KindInfo& info = info_of(node.kind);
    const std::size_t count = node.operands.size();
    if (!info.takes_blocks(node.blocks.size())) {
        wrong(fmt::format("{} blocks; wanted \"{}\"", node.blocks.size(), info.blocks));
    }
    if (!info.takes_operands(count)) {
        wrong(fmt::format("{} operands; wanted \"{}\"", count, info.operands));
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const char letter = info.operand(i, count);
        // Where any value is wanted, the others will do.
        if (!has_letter(type_of(node, i), letter == 'a' ? 'v' : letter)) {
            wrong(fmt::format("operand {} is {}; wanted {}", i + 1,
                              name_of(module_, type_of(node, i)), meaning_of(letter)));
        }
    }
}

void NodeCheck::result(const Node& node) {
    const char letter = info_of(node.kind).result;
    if (!has_letter(node.type, letter)) {
        wrong(fmt::format("its result is {}; wanted {}", name_of(module_, node.type),
                          meaning_of(letter)));
    }
    std::vector<std::string> before = std::move(faults_);
    for (std::string& each : check(node.type)) {
        before.push_back(std::move(each));
    }
    faults_ = std::move(before);
}

} // namespace croupier::engine::ir
