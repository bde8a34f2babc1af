// Whether a condition keeps its order; builds, runs passes, and prints.
#include "engine/form/show.h"

#include "engine/form/build.h"
#include "engine/form/passes.h"
#include "engine/form/to_text.h"
#include "engine/text/document.h"

#include <algorithm>

namespace croupier::engine::form {

// Looks for sets of rows in a search.

namespace {

bool has_sets(const Function& function, BlockId search) {
    bool has = false;
    for_each_node_in(function, search, [&](Id id) {
        const Kind kind = function.at(id).kind;
        has = has || kind == Kind::RowsWith || kind == Kind::TableRows || kind == Kind::Both ||
              kind == Kind::Either || kind == Kind::Without || kind == Kind::Differ ||
              kind == Kind::LetTouching || kind == Kind::LetCounts;
    });
    return has;
}

} // namespace

bool keeps_order(const Module& module, RuleId rule) {
    for (const Function& function : module.functions) {
        for (const Node& node : function.nodes)
            if (node.kind == Kind::Apply && node.rule() == rule &&
                has_sets(function, node.blocks[0]))
                return false;
    }
    return true;
}

std::vector<Stage> stages() {
    std::vector<Stage> all = {{"build", "rules as they are written, in their general way"}};
    for (const Pass& pass : passes())
        all.push_back({pass.name, pass.meaning});
    return all;
}

std::string show(const Module& module, GroupId group, RuleId rule) {
    std::string text;
    for (const Function& function : module.functions) {
        if (group == kNone && rule == kNone) {
            text += to_text(module, function);
            continue;
        }
        for (Id id = 0; id < function.nodes.size(); ++id) {
            const Node& node = function.at(id);
            if ((node.kind == Kind::Group && node.group() == group) ||
                (node.kind == Kind::Apply && node.rule() == rule))
                text += statement_to_text(module, function, id);
        }
    }
    return text;
}

std::string show_after(Catalogue& catalogue, std::string_view stage, GroupId group, RuleId rule) {
    const std::unique_ptr<Module> module = build(catalogue);
    for (const Pass& pass : passes()) {
        if (stage == "build") break;
        for (Function& function : module->functions)
            pass.run(*module, function);
        if (stage == pass.name) break;
    }
    return show(*module, group, rule);
}

namespace {

Document rule_document(const Module& module, const Sources& sources, RuleId id) {
    const RulePlan& rule = module.catalogue->rules[id];
    Document variables = json::array();
    for (const Variable& variable : rule.variables)
        json::append(variables, json::text(variable.name));
    Document lines = json::array();
    std::string text = show(module, kNone, id);
    for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1))
        json::append(lines, json::text(text.substr(0, end)));
    Document made = json::object({{"rule", json::text(rule.name)},
                                  {"place", json::text(sources.place(rule.span))},
                                  {"first", json::boolean(rule.first)},
                                  {"rounds", json::integer(rule.repeat)}});
    json::add(made, "variables", std::move(variables));
    json::add(made, "form", std::move(lines));
    return made;
}

} // namespace

Document document_of(const Module& module, const Sources& sources, RuleId rule) {
    Document made = json::array();
    if (rule != kNone) {
        json::append(made, rule_document(module, sources, rule));
        return made;
    }
    for (const GroupPlan& group : module.catalogue->groups) {
        json::append(made, json::object({{"group", json::text(group.name)}}));
        for (const RuleId each : group.rules)
            json::append(made, rule_document(module, sources, each));
    }
    return made;
}

} // namespace croupier::engine::form
