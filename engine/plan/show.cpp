// A program as text.
#include "engine/plan/show.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace croupier::engine {

namespace {

struct OpInfo {
    std::string_view name;
    std::string_view operands;
    std::string_view meaning;
};

constexpr std::array kOps = {
#define OP(name, operands, meaning) OpInfo{#name, operands, meaning},
#include "engine/plan/opcodes.def"
#undef OP
};

class Shower {
  public:
    Shower(const Program& program, const Sources& sources) : program_(program), sources_(sources) {}

    std::string rule(RuleId id) {
        const RulePlan& plan = program_.rules[id];
        std::string text = fmt::format("rule {}  ({})\n", plan.name, sources_.place(plan.span));
        if (plan.first) {
            text += "  first match only\n";
        }
        if (plan.repeat > 1) {
            text += fmt::format("  up to {} rounds\n", plan.repeat);
        }
        for (const Variable& variable : plan.variables) {
            text += fmt::format("  v{} is ${}\n", variable.reg, variable.name);
        }
        text += block("match", plan.match) + block("action", plan.action) +
                block("else", plan.otherwise);
        // Groups that it runs come after it, each once.
        for (const GroupId group : std::exchange(run_, {})) {
            text += fmt::format("group {}\n", program_.groups[group].name);
            text += chain(program_.groups[group]);
            for (const RuleId inner : program_.groups[group].rules) {
                text += this->rule(inner);
            }
        }
        return text;
    }

    // All rules of a group as one piece of code, if they are.
    std::string chain(const GroupPlan& group) { return block("chain", group.chain); }

  private:
    std::string block(std::string_view title, std::uint32_t from) {
        if (from == kNone) {
            return "";
        }
        std::string text = fmt::format("  {}\n", title);
        std::uint32_t last = from; // the furthest place that something jumps to
        for (std::uint32_t pc = from;; ++pc) {
            const Op& op = program_.code[pc];
            text += "    " + line(op, pc);
            if (op.fail != kNoTarget) {
                last = std::max(last, op.fail);
            }
            if (op.code == OpCode::Jump) {
                last = std::max(last, op.x);
            }
            const bool ends =
                op.code == OpCode::Done || op.code == OpCode::End || op.code == OpCode::Jump;
            if (ends && pc >= last) {
                return text;
            }
        }
    }

    std::string line(const Op& op, std::uint32_t pc) {
        const OpInfo& info = kOps[static_cast<std::size_t>(op.code)];
        std::string operands;
        for (std::string_view rest = info.operands; !rest.empty();) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            const std::string shown = operand(op, rest.substr(0, end));
            operands += shown.empty() ? "" : " " + shown;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        std::string text = fmt::format("{:4} {:<12}{}", pc, info.name, operands);
        if (op.fail != kNoTarget && op.code != OpCode::Jump && op.code != OpCode::Done) {
            text = fmt::format("{:<56} else {}", text, op.fail);
        }
        return text + "\n";
    }

    std::string operand(const Op& op, std::string_view field) {
        const char which = field[0];
        const std::string_view what = field.substr(2);
        const std::uint32_t value = which == 'a'   ? op.a
                                    : which == 'b' ? op.b
                                    : which == 'c' ? op.c
                                    : which == 'x' ? op.x
                                    : which == 's' ? op.s
                                    : which == 't' ? op.t
                                                   : op.y;
        if (what == "n" || what == "v" || what == "c") {
            return value == kNoRegister ? "" : fmt::format("{}{}", what, value);
        }
        if (what == "sym") {
            return fmt::format("'{}'", program_.symbols.text(value));
        }
        if (what == "key") {
            return key(program_.keys[value]);
        }
        if (what == "path") {
            const PathPlan& plan = program_.paths[value];
            std::string text = plan.from_state ? "@root " : "";
            for (std::uint32_t i = 0; i < plan.up; ++i) {
                text += "@parent ";
            }
            text += "@path(";
            for (const std::uint32_t segment : plan.segments) {
                text += (text.back() == '(' ? "" : ".") + key(program_.keys[segment]);
            }
            return text + ")";
        }
        if (what == "expr") {
            return value == kNone ? "" : "{" + source(program_.exprs[value].span) + "}";
        }
        if (what == "const") {
            return to_text(program_.values[value], program_.symbols);
        }
        if (what == "cmp") {
            constexpr std::array kNames = {"==", "!=", "<", "<=", ">", ">="};
            return kNames.at(value - static_cast<std::uint32_t>(ExprOp::Equal));
        }
        if (what == "kind") {
            constexpr std::array kNames = {"count", "sum", "min", "max"};
            return kNames.at(value - static_cast<std::uint32_t>(KeyKind::Count));
        }
        if (what == "type") {
            const TypePlan& type = program_.types[value];
            return type.kind == TypePlan::Kind::Any ? "" : fmt::format(":{}", type_name(type));
        }
        if (what == "group") {
            if (groups_.insert(value).second) {
                run_.push_back(value);
            }
            return program_.groups[value].name;
        }
        if (what == "byte") {
            return fmt::format("@{}", value);
        }
        if (what == "data") {
            return fmt::format("#{}", value);
        }
        if (what == "call") {
            return program_.calls[value].function;
        }
        if (what == "list") {
            std::string text;
            for (const ExprId each : program_.lists[value]) {
                text += (text.empty() ? "{" : ", {") + source(program_.exprs[each].span) + "}";
            }
            return text;
        }
        if (what == "note") {
            return source(program_.notes[value].span);
        }
        return fmt::format("{}", value);
    }

    std::string type_name(const TypePlan& type) {
        constexpr std::array kNames = {"any", "int", "double", "number", "string", "bool", "null"};
        return type.kind == TypePlan::Kind::Domain
                   ? program_.layout->domain(type.domain).name
                   : std::string(kNames.at(static_cast<std::size_t>(type.kind)));
    }

    std::string key(const KeyPlan& plan) {
        std::string text;
        for (const KeyPlan::Part& part : plan.parts) {
            text += part.reg == kNoRegister ? std::string(program_.symbols.text(part.text))
                                            : fmt::format("[v{}]", part.reg);
        }
        return "'" + text + "'";
    }

    [[nodiscard]] std::string source(Span span) const {
        const std::string_view all = sources_.text(span.file);
        std::string text(all.substr(span.begin, span.end - span.begin));
        for (char& c : text) {
            c = c == '\n' || c == '\t' ? ' ' : c;
        }
        constexpr std::size_t kLongest = 40;
        return text.size() <= kLongest ? text : text.substr(0, kLongest) + "..";
    }

    const Program& program_;
    const Sources& sources_;
    std::vector<GroupId> run_;
    std::set<GroupId> groups_;
};

} // namespace

std::string show_layout(const Program& program) {
    const Layout& layout = *program.layout;
    std::string text = fmt::format("layout: {} bytes declared\n", layout.dense_bytes());
    for (SchemaId id = 0; id < layout.size(); ++id) {
        const SchemaNode& node = layout.node(id);
        if (!node.dense) {
            continue;
        }
        const std::string path = layout.path(id).empty() ? "(root)" : layout.path(id);
        std::string kind(name_of(node.kind));
        if (node.domain != 0) {
            kind += " of " + layout.domain(node.domain).name;
        }
        text += fmt::format("  {:<32} {:<20} {:>6} x", path, kind, node.instances);
        if (node.column == Column::Arena) {
            text += " in the arena";
        } else if (node.values != kNoOffset) {
            text += fmt::format(" values at {}", node.values);
        }
        if (node.presence != kNoOffset) {
            text += fmt::format(" bits at {}", node.presence);
        }
        text += "\n";
    }
    return text;
}

std::string show_plan(const Program& program, const Sources& sources, std::string_view rule) {
    Shower shower(program, sources);
    if (!rule.empty()) {
        return shower.rule(program.rule_id(rule));
    }
    std::string text;
    for (GroupId id = 0; id < program.ruleset().groups.size(); ++id) {
        const GroupPlan& group = program.groups[id];
        text += fmt::format("group {}\n", group.name);
        text += shower.chain(group);
        for (const RuleId each : group.rules) {
            text += shower.rule(each);
        }
    }
    return text;
}

} // namespace croupier::engine
