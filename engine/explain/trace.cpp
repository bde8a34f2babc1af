// The reasoning log.
#include "engine/explain/trace.h"

#include "engine/explain/why.h"

#include <fmt/format.h>

namespace croupier::engine {

namespace {

bool wants_log(const Rule& rule) {
    bool wanted = rule.log.value_or(false);
    if (rule.condition)
        for_each<Entry>(*rule.condition, [&](const Entry& entry) { wanted |= entry.flag; });
    return wanted;
}

} // namespace

bool Trace::wanted(const Ruleset& ruleset) {
    bool found = false;
    for_each_rule(ruleset, [&](const Rule& rule) { found = found || wants_log(rule); });
    return found;
}

Trace::Trace(const Catalogue& catalogue, const Sources& sources, bool everything, Sink sink)
    : catalogue_(catalogue), sources_(sources), sink_(std::move(sink)), on_{everything} {}

void Trace::line(std::size_t depth, const std::string& text) {
    sink_(std::string(2 * depth, ' ') + text);
}

const Trace::EntryLog& Trace::entries(RuleId rule) {
    const auto [place, made] = entries_.try_emplace(rule);
    const Rule& source = *catalogue_.rules[rule].source;
    if (made && source.condition) {
        place->second.flag.assign(source.entry_count, -1);
        place->second.depth.assign(source.entry_count, 0);
        add_entries(*source.condition, 0, -1, place->second);
    }
    return place->second;
}

// `flag` is the setting of the nearest enclosing @log, or -1.
void Trace::add_entries(const Pattern& pattern, std::uint32_t depth, signed char flag,
                        EntryLog& log) {
    for (const Entry& entry : pattern.entries)
        if (entry.kind == KeyKind::Log) flag = entry.flag ? 1 : 0;
    for (const Entry& entry : pattern.entries) {
        log.flag[entry.id] = entry.kind == KeyKind::Log ? 0 : flag; // @log itself tries nothing
        log.depth[entry.id] = depth;
        for (const Pattern& below : entry.patterns)
            add_entries(below, depth + 1, flag, log);
    }
}

bool Trace::logs(const Note& note) {
    const signed char flag = entries(note.rule).flag[note.entry];
    return flag < 0 ? logs() : flag == 1;
}

std::string Trace::show(const Value& value, const State& state) const {
    return value.tag == Tag::Key ? to_text(value, state.symbols())
                                 : scalar_json(to_scalar(value, state.symbols()));
}

std::string Trace::bindings(RuleId rule, std::span<const Value> match, const State& state) const {
    std::string text;
    for (std::size_t i = 0; i < match.size(); ++i) {
        const std::string& name = catalogue_.rules[rule].variables[i].name;
        if (!is_hidden(name))
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, show(match[i], state));
    }
    return text;
}

void Trace::rule_begins(RuleId rule) {
    on_.push_back(catalogue_.rules[rule].log.value_or(logs()));
    if (logs()) {
        line(on_.size() - 2, fmt::format("rule {} ({})", catalogue_.rules[rule].name,
                                         sources_.place(catalogue_.rules[rule].span)));
    }
}

void Trace::rule_matched(RuleId, std::uint64_t count, std::span<const Value>, const State&) {
    if (logs()) {
        line(on_.size() - 1, count == 0   ? "no match"
                             : count == 1 ? "1 match"
                                          : fmt::format("{} matches", count));
    }
}

void Trace::rule_fires(RuleId rule, std::span<const Value> match, const State& state) {
    if (logs()) {
        const std::string values = bindings(rule, match, state);
        line(on_.size() - 1, values.empty() ? "acts" : "acts with " + values);
    }
}

void Trace::rule_otherwise(RuleId) {
    if (logs()) line(on_.size() - 1, "acts: else");
}

void Trace::rule_ends(RuleId) {
    on_.pop_back();
}

void Trace::entry_tried(const Note& note, std::span<const Value>, const State&) {
    if (logs(note)) {
        line(on_.size() - 1 + entries(note.rule).depth[note.entry],
             "try " + excerpt(sources_, note.span));
    }
}

void Trace::entry_passed(const Note& note, std::span<const Value> values, const State& state) {
    if (!logs(note)) return;
    std::string bound;
    for (const Variable& variable : catalogue_.rules[note.rule].variables) {
        if (variable.entry == note.entry && !is_hidden(variable.name)) {
            bound += fmt::format("{}{} = {}", bound.empty() ? "" : ", ", variable.name,
                                 show(values[variable.place], state));
        }
    }
    if (!bound.empty()) line(on_.size() + entries(note.rule).depth[note.entry], "with " + bound);
}

void Trace::entry_cut(const Note& note, const Value* found, std::span<const Value>,
                      const State& state) {
    if (!logs(note)) return;
    const bool value = found != nullptr && found->tag != Tag::None;
    line(on_.size() + entries(note.rule).depth[note.entry],
         fmt::format("cut at {}{}", sources_.place(note.span),
                     value ? ": found " + show(*found, state) : ""));
}

void Trace::flatten(const State& state, NodeRef node, const std::string& path,
                    std::vector<Leaf>& leaves) {
    const NodeRef first = state.first_child(node);
    if (!first) {
        const Document leaf = state.export_document(node);
        leaves.push_back({path, write_json(leaf, -1)});
    }
    for (NodeRef child = first; child; child = state.next_sibling(child)) {
        const std::string name = to_text(state.key(child), state.symbols());
        flatten(state, child, path.empty() ? name : fmt::format("{}.{}", path, name), leaves);
    }
}

void Trace::change_begins(const Note&, const State& state) {
    before_.clear();
    if (logs()) flatten(state, state.root(), "", before_);
}

void Trace::change_ends(const Note&, const State& state) {
    if (!logs()) return;
    std::vector<Leaf> after;
    flatten(state, state.root(), "", after);
    std::map<std::string, std::string> old;
    for (const Leaf& leaf : before_)
        old[leaf.path] = leaf.text;
    for (const Leaf& leaf : after) {
        const auto known = old.find(leaf.path);
        if (known == old.end()) {
            line(on_.size(), fmt::format("{}: new, {}", leaf.path, leaf.text));
        } else {
            if (known->second != leaf.text)
                line(on_.size(), fmt::format("{}: {} -> {}", leaf.path, known->second, leaf.text));
            old.erase(known);
        }
    }
    for (const Leaf& leaf : before_)
        if (old.contains(leaf.path))
            line(on_.size(), fmt::format("{}: {} -> removed", leaf.path, leaf.text));
}

} // namespace croupier::engine
