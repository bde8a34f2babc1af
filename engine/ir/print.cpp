// Statements of the intermediate form as lines.
#include "engine/ir/print.h"

#include "engine/ir/print_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace croupier::engine::ir {

namespace {

class Printer {
  public:
    Printer(const Module& module, const Function& function, bool notes)
        : module_(module), function_(function), expressions_(module, function), notes_(notes) {}

    std::string print() {
        block(function_.body);
        return std::move(text_);
    }
    std::string print(Id id) {
        statement(function_.at(id));
        return std::move(text_);
    }

  private:
    // A part of a statement: what stands before its block.
    struct Part {
        std::string head;
        std::size_t block = 0; // of the node's
    };

    void block(BlockId id) {
        if (id >= function_.blocks.size()) {
            line(fmt::format("block {}?", id));
            return;
        }
        for (const Id each : function_.blocks[id].statements) {
            if (each < function_.nodes.size()) {
                statement(function_.nodes[each]);
            } else {
                line(fmt::format("node {}?", each));
            }
        }
    }

    void line(const std::string& text) { text_ += std::string(4 * depth_, ' ') + text + "\n"; }

    // Its head, and then, after each head of its parts, a block.
    void parts(const Node& node, const std::vector<Part>& all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            line((i == 0 ? "" : "} ") + all[i].head + " {" + (i == 0 ? remark(node) : ""));
            ++depth_;
            if (all[i].block < node.blocks.size()) {
                block(node.blocks[all[i].block]);
            }
            --depth_;
        }
        line("}");
    }

    void statement(const Node& node) {
        std::vector<Part> blocks;
        std::string head = head_of(node, blocks);
        if (node.kind == Kind::Group) {
            group(node);
        } else if (!blocks.empty()) {
            parts(node, blocks);
        } else if (!node.blocks.empty()) {
            for (std::size_t i = 0; i < node.blocks.size(); ++i) {
                blocks.push_back({i == 0 ? head : "and", i});
            }
            parts(node, blocks);
        } else {
            line(head + remark(node));
        }
    }

    // Most kinds of one line; for those with blocks, what stands before each.
    std::string head_of(const Node& node, std::vector<Part>& blocks) {
        const ExpressionPrinter& of = expressions_;
        switch (node.kind) {
        case Kind::Let:
        case Kind::LetRows:
            return of.typed_variable(node.x) + " = " + of.operand(node, 0);
        case Kind::LetTouching:
            return fmt::format("{} = Touching{}({})", of.typed_variable(node.x), node.y,
                               of.operand(node, 0));
        case Kind::LetCounts:
            return fmt::format("digits{} = Counts{}({})", variables(node.x, node.number), node.y,
                               of.operand(node, 0));
        case Kind::Test:
            return "test " + of.operand(node, 0) +
                   (node.operands.size() > 1 ? "  showing " + of.operands(node, 1) : "");
        case Kind::Fail:
            return "fail";
        case Kind::EachChild:
            return each_child(node);
        case Kind::EachRow:
            return fmt::format("each {} in {}", of.typed_variable(node.x), of.operand(node, 0));
        case Kind::Alternatives:
            for (std::size_t i = 0; i + 1 < node.blocks.size(); ++i) {
                blocks.push_back({i == 0 ? "either" : "or", i});
            }
            blocks.push_back({"then" + variables(node.x, node.number),
                              node.blocks.empty() ? 0 : node.blocks.size() - 1});
            return "";
        case Kind::NoMatch:
            return "no match";
        case Kind::SomeMatch:
            return "some match";
        case Kind::Gather:
            return fmt::format("{} = {} of", of.typed_variable(node.x), gathered(node.y));
        case Kind::Yield:
            return node.operands.empty() ? "yield" : "yield " + of.operands(node);
        case Kind::YieldRows:
            return "yield each of " + of.operands(node);
        case Kind::Try:
            return (node.y == 0 ? "try " : "child of ") + text_of_note(module_, node.x) +
                   (node.operands.empty() ? "" : " at " + of.operands(node));
        case Kind::Pass:
            return "pass " + text_of_note(module_, node.x);
        case Kind::Before:
            return "before " + text_of_note(module_, node.x);
        case Kind::After:
            return "after " + text_of_note(module_, node.x);
        case Kind::Apply:
            apply(node, blocks);
            return "";
        case Kind::Do:
            return "do " + of.operand(node, 0);
        case Kind::GroupBelow:
            return "below " + of.operand(node, 0);
        case Kind::If:
            blocks.push_back({"if " + of.operand(node, 0), 0});
            add_unless_empty(node, node.y == 1 ? "else error" : "else", 1, blocks);
            return "";
        case Kind::SetChild:
            return of.child(node) + " = " + of.operand(node, 2);
        case Kind::SetPath:
            return of.path(node, 1) + " = " + of.operand(node, 0);
        case Kind::RemoveChild:
            return "remove " + of.child(node);
        case Kind::RemovePath:
            return "remove " + of.path(node);
        case Kind::PutChild:
            return "put " + of.child(node) + " = " + of.operand(node, 2);
        case Kind::PutPath:
            return "put " + of.path(node, 1) + " = " + of.operand(node, 0);
        case Kind::Call:
            return "call " + of.call(node);
        case Kind::Ensure:
            return "ensure " + of.place(node) + presence(node);
        case Kind::Store:
            return of.place(node, 1) + " = " + of.operand(node, 0) + presence(node);
        case Kind::Erase:
            return "erase " + of.place(node) + presence(node);
        case Kind::StoreRows:
            return of.place_of_rows(node, 1) + " = " + of.operand(node, 0) + presence(node);
        case Kind::EraseRows:
            return "erase " + of.place_of_rows(node, 0) + presence(node);
        default:
            return of.generic(node);
        }
    }

    static std::string presence(const Node& node) {
        if (node.number == kThere) {
            return "  (present)";
        }
        return std::string(node.number == kAbsent ? "  (absent)" : "") +
               (node.y == 1 ? "  (parent present)" : "");
    }

    std::string each_child(const Node& node) {
        std::string text = "each " + expressions_.typed_variable(node.x);
        if (node.y != 0) {
            text += " at " + expressions_.typed_variable(node.y - 1);
        }
        const std::string type =
            name_of_program_type(module_, static_cast<std::uint32_t>(node.number));
        return text + " in " + expressions_.operand(node, 0) + (type == "any" ? "" : " of " + type);
    }

    static std::string gathered(std::uint32_t key_kind) {
        switch (static_cast<KeyKind>(key_kind)) {
        case KeyKind::Count:
            return "count";
        case KeyKind::Sum:
            return "sum";
        case KeyKind::Min:
            return "min";
        case KeyKind::Max:
            return "max";
        default:
            return "?";
        }
    }

    std::string variables(std::uint32_t first, std::int64_t count) {
        std::string text;
        for (std::int64_t i = 0; i < count; ++i) {
            text += (i == 0 ? " " : ", ") +
                    expressions_.typed_variable(first + static_cast<std::uint32_t>(i));
        }
        return text;
    }

    void add_unless_empty(const Node& node, std::string head, std::size_t at,
                          std::vector<Part>& blocks) {
        if (at < node.blocks.size() && (node.blocks[at] >= function_.blocks.size() ||
                                        !function_.blocks[node.blocks[at]].statements.empty())) {
            blocks.push_back({std::move(head), at});
        }
    }

    void apply(const Node& node, std::vector<Part>& blocks) {
        std::string head = fmt::format("rule {}", node.x);
        if (node.x < module_.catalogue->rules.size()) {
            const RulePlan& rule = module_.catalogue->rules[node.x];
            head = "rule " + rule.name + (rule.first ? ", first" : "") +
                   (rule.repeat > 1 ? fmt::format(", up to {} rounds", rule.repeat) : "");
        }
        blocks.push_back({head, 0});
        blocks.push_back({"do" + variables(node.y, node.number), 1});
        add_unless_empty(node, "else", 2, blocks);
        for (std::size_t i = 3; i < node.blocks.size(); ++i) {
            blocks.push_back({"salience", i});
        }
    }

    // Its blocks hold a rule each and need no heads, unless something else stands in one.
    void group(const Node& node) {
        std::string head = fmt::format("group {}", node.x);
        if (node.x < module_.catalogue->groups.size()) {
            const GroupPlan& group = module_.catalogue->groups[node.x];
            head = "group " + group.name +
                   (group.mode == GroupMode::AtOnce   ? ", at once"
                    : group.mode == GroupMode::Agenda ? ", agenda"
                                                      : "");
        }
        line(head + " {" + remark(node));
        ++depth_;
        for (const BlockId each : node.blocks) {
            const bool one =
                each < function_.blocks.size() && function_.blocks[each].statements.size() == 1;
            if (one) {
                block(each);
                continue;
            }
            line("{");
            ++depth_;
            block(each);
            --depth_;
            line("}");
        }
        --depth_;
        line("}");
    }

    // What a statement and its operands come from, each note once, and what it cuts.
    std::string remark(const Node& node) {
        if (!notes_) {
            return "";
        }
        std::vector<NoteId> notes;
        collect(node, notes);
        std::string text;
        for (const NoteId note : notes) {
            text += (text.empty() ? "" : ", ") + text_of_note(module_, note);
        }
        const KindInfo& info = info_of(node.kind);
        if (info.has('F') && info.has('O') && node.y != 0) {
            text += text.empty() ? "" : ", ";
            text += (node.y & kOneOfMany) == 0 ? "cuts " : "one of many of ";
            text += text_of_note(module_, (node.y & ~kOneOfMany) - 1);
        }
        return text.empty() ? "" : "  ; " + text;
    }

    void collect(const Node& node, std::vector<NoteId>& notes) {
        if (node.note != kNothing &&
            std::find(notes.begin(), notes.end(), node.note) == notes.end()) {
            notes.push_back(node.note);
        }
        for (const Id each : node.operands) {
            if (each < function_.nodes.size()) {
                collect(function_.nodes[each], notes);
            }
        }
    }

    const Module& module_;
    const Function& function_;
    ExpressionPrinter expressions_;
    bool notes_;
    std::size_t depth_ = 0;
    std::string text_;
};

} // namespace

std::string to_text(const Module& module, const Function& function, bool notes) {
    return Printer(module, function, notes).print();
}

std::string statement_to_text(const Module& module, const Function& function, Id statement,
                              bool notes) {
    return Printer(module, function, notes).print(statement);
}

} // namespace croupier::engine::ir
