// A program as text, and as JSON.
#include "engine/plan/show.h"

#include "engine/text/json_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

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

struct ShownOp {
    std::uint32_t at = 0;
    std::string_view name;
    std::string operands;
    std::uint32_t otherwise = kNoTarget; // where it goes when it fails
};

struct ShownBlock {
    std::string_view title;
    std::vector<ShownOp> ops;
};

// A rule, or a group with its chain.
struct ShownPart {
    std::string name;
    const RulePlan* rule = nullptr; // null: a group
    std::vector<ShownBlock> blocks;
};

class Shower {
  public:
    Shower(const Program& program, const Sources& sources) : program_(program), sources_(sources) {}

    void rule(RuleId id) {
        const RulePlan& plan = program_.rules[id];
        ShownPart part{plan.name, &plan, {}};
        block("match", plan.match, part);
        block("action", plan.action, part);
        block("else", plan.otherwise, part);
        parts_.push_back(std::move(part));
        // Groups that it runs come after it, each once.
        for (const GroupId inner : std::exchange(run_, {}))
            group(inner);
    }

    void group(GroupId id) {
        const GroupPlan& plan = program_.groups[id];
        ShownPart part{plan.name, nullptr, {}};
        block("chain", plan.chain, part); // its rules as one piece of code, if they are
        parts_.push_back(std::move(part));
        for (const RuleId each : plan.rules)
            rule(each);
    }

    std::vector<ShownPart> take() { return std::move(parts_); }

  private:
    void block(std::string_view title, std::uint32_t from, ShownPart& into) {
        if (from == kNone) {
            return;
        }
        ShownBlock shown{title, {}};
        std::uint32_t last = from; // the furthest place that something jumps to
        for (std::uint32_t pc = from;; ++pc) {
            const Op& op = program_.code[pc];
            shown.ops.push_back(shown_op(op, pc));
            if (op.fail != kNoTarget) {
                last = std::max(last, op.fail);
            }
            if (op.code == OpCode::Jump) {
                last = std::max(last, op.x);
            }
            const bool ends =
                op.code == OpCode::Done || op.code == OpCode::End || op.code == OpCode::Jump;
            if (ends && pc >= last) {
                into.blocks.push_back(std::move(shown));
                return;
            }
        }
    }

    ShownOp shown_op(const Op& op, std::uint32_t pc) {
        const OpInfo& info = kOps[static_cast<std::size_t>(op.code)];
        ShownOp shown{pc, info.name, {}, kNoTarget};
        for (std::string_view rest = info.operands; !rest.empty();) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            const std::string text = operand(op, rest.substr(0, end));
            shown.operands += (text.empty() || shown.operands.empty() ? "" : " ") + text;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        if (op.code != OpCode::Jump && op.code != OpCode::Done) {
            shown.otherwise = op.fail;
        }
        return shown;
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
    std::vector<ShownPart> parts_;
    std::vector<GroupId> run_;
    std::set<GroupId> groups_;
};

// All rules, or the one with that name.
std::vector<ShownPart> parts_of(const Program& program, const Sources& sources,
                                std::string_view rule) {
    Shower shower(program, sources);
    if (!rule.empty()) {
        shower.rule(program.rule_id(rule));
    } else {
        for (GroupId id = 0; id < program.ruleset().groups.size(); ++id) {
            shower.group(id);
        }
    }
    return shower.take();
}

std::string text_of(const ShownPart& part, const Sources& sources) {
    std::string text = fmt::format("group {}\n", part.name);
    if (part.rule != nullptr) {
        text = fmt::format("rule {}  ({})\n", part.name, sources.place(part.rule->span));
        if (part.rule->first) {
            text += "  first match only\n";
        }
        if (part.rule->repeat > 1) {
            text += fmt::format("  up to {} rounds\n", part.rule->repeat);
        }
        for (const Variable& variable : part.rule->variables) {
            text += fmt::format("  v{} is ${}\n", variable.reg, variable.name);
        }
    }
    for (const ShownBlock& block : part.blocks) {
        text += fmt::format("  {}\n", block.title);
        for (const ShownOp& op : block.ops) {
            std::string line = fmt::format("{:4} {:<12}{}{}", op.at, op.name,
                                           op.operands.empty() ? "" : " ", op.operands);
            if (op.otherwise != kNoTarget) {
                line = fmt::format("{:<56} else {}", line, op.otherwise);
            }
            text += "    " + line + "\n";
        }
    }
    return text;
}

Document document_of(const ShownPart& part, const Sources& sources) {
    Document made =
        json::object({{part.rule == nullptr ? "group" : "rule", json::text(part.name)}});
    if (part.rule != nullptr) {
        json::add(made, "place", json::text(sources.place(part.rule->span)));
        json::add(made, "first", json::boolean(part.rule->first));
        json::add(made, "rounds", json::integer(part.rule->repeat));
        Document variables = json::object();
        for (const Variable& variable : part.rule->variables) {
            json::add(variables, variable.name, json::integer(variable.reg));
        }
        json::add(made, "variables", std::move(variables));
    }
    for (const ShownBlock& block : part.blocks) {
        Document ops = json::array();
        for (const ShownOp& op : block.ops) {
            Document shown = json::object({{"at", json::integer(op.at)},
                                           {"op", json::text(op.name)},
                                           {"operands", json::text(op.operands)}});
            if (op.otherwise != kNoTarget) {
                json::add(shown, "else", json::integer(op.otherwise));
            }
            json::append(ops, std::move(shown));
        }
        json::add(made, std::string(block.title), std::move(ops));
    }
    return made;
}

Document layout_document(const Layout& layout) {
    Document nodes = json::array();
    for (SchemaId id = 0; id < layout.size(); ++id) {
        const SchemaNode& node = layout.node(id);
        if (!node.dense) {
            continue;
        }
        Document shown = json::object({{"path", json::text(layout.path(id))},
                                       {"kind", json::text(name_of(node.kind))},
                                       {"instances", json::integer(node.instances)},
                                       {"arena", json::boolean(node.column == Column::Arena)}});
        if (node.domain != 0) {
            json::add(shown, "domain", json::text(layout.domain(node.domain).name));
        }
        if (node.column != Column::Arena && node.values != kNoOffset) {
            json::add(shown, "values_at", json::integer(node.values));
        }
        if (node.presence != kNoOffset) {
            json::add(shown, "bits_at", json::integer(node.presence));
        }
        json::append(nodes, std::move(shown));
    }
    Document made = json::object({{"bytes", json::integer(layout.dense_bytes())}});
    json::add(made, "nodes", std::move(nodes));
    return made;
}

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
    std::string text;
    for (const ShownPart& part : parts_of(program, sources, rule)) {
        text += text_of(part, sources);
    }
    return text;
}

Document plan_document(const Program& program, const Sources& sources, std::string_view rule) {
    Document parts = json::array();
    for (const ShownPart& part : parts_of(program, sources, rule)) {
        json::append(parts, document_of(part, sources));
    }
    Document made = json::object();
    if (rule.empty()) {
        json::add(made, "layout", layout_document(*program.layout));
    }
    json::add(made, "plan", std::move(parts));
    return made;
}

} // namespace croupier::engine
