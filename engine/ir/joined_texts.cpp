// Comparisons with texts that are joined of codes.
#include "engine/ir/joined_texts.h"

#include "engine/ir/probe.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

namespace {

class JoinedText {
  public:
    explicit JoinedText(Editor& edit) : edit_(edit) {}

    // What the expression joins, if it joins texts whatever its codes are.
    std::optional<std::vector<Id>> parts(Id joined) {
        std::vector<Id> found;
        return add_parts(joined, found) ? std::optional(std::move(found)) : std::nullopt;
    }

    // That which is read there is a text of a list, or nothing.
    [[nodiscard]] bool is_text_of_list(Id id) const {
        const Node& known = node(id);
        if (known.type.kind != TypeKind::Code || !is_read(id)) {
            return false;
        }
        const auto& values = edit_.module().lists[known.type.list].values;
        return std::all_of(values.begin(), values.end(),
                           [this](const Value& each) { return is_text(each); });
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    [[nodiscard]] bool is_read(Id id) const {
        return node(id).kind == Kind::Variable || node(id).kind == Kind::Load;
    }

    // No number in sums, either.
    [[nodiscard]] bool is_text(const Value& value) const {
        return value.tag == Tag::String ||
               (value.tag == Tag::Key &&
                !edit_.module().catalogue->symbols.integer(value.symbol()));
    }

    [[nodiscard]] bool is_sum(Id id) const {
        return node(id).kind == Kind::Arithmetic &&
               static_cast<ExprOp>(node(id).x) == ExprOp::Add && node(id).operands.size() == 2;
    }

    // A sum joins as soon as one side is a text, which has to be known of it here.
    [[nodiscard]] bool joins(Id id) const {
        if (node(id).kind == Kind::Constant) {
            return node(id).type.kind == TypeKind::Any &&
                   is_text(edit_.module().values[node(id).x]);
        }
        return is_sum(id) && (joins(node(id).operands[0]) || joins(node(id).operands[1]));
    }

    bool add_parts(Id id, std::vector<Id>& found) {
        if (is_sum(id) && joins(id)) {
            return add_parts(node(id).operands[0], found) && add_parts(node(id).operands[1], found);
        }
        found.push_back(id);
        return node(id).kind == Kind::Constant ||
               (node(id).type.kind == TypeKind::Code && is_read(id));
    }

    Editor& edit_;
};

} // namespace

void compare_joined_text(Editor& edit, Id compare) {
    JoinedText text(edit);
    const Node known = edit.at(compare);
    for (const std::size_t side : {0, 1}) {
        const Id read = known.operands[1 - side];
        const Id joined = known.operands[side];
        if (edit.at(joined).kind != Kind::Arithmetic || !text.is_text_of_list(read)) {
            continue;
        }
        auto parts = text.parts(joined);
        if (!parts) {
            continue;
        }
        CROUPIER_REWRITE(JoinedTextAsCode);
        if (CROUPIER_MISTAKE(JoinedWithoutLastPart)) {
            parts->pop_back();
        }
        // What is not in the list is none there, which equals nothing.
        const Id code = edit.make(Kind::KeyCode, edit.at(read).type, std::move(*parts));
        edit.at(compare).operands[side] = code;
        return;
    }
}

} // namespace croupier::engine::ir
