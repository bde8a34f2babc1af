// One pattern: its nodes in the pattern network, what it binds, and what is left for its join.
#include "engine/clips/codes.h"
#include "engine/clips/rule_parts.h"

#include <algorithm>

namespace croupier::engine::clips {

// The variable that a field names: `named` is what it was before, or `here` if it is new.
bool Builder::name_field(const Field& field, const Slot& slot, LhsVariable here, Compiled& into,
                         LhsVariable& named) {
    const auto [found, is_new] = scope.lhs.emplace(field.name, here);
    named = found->second;
    if (!is_new && named.place.kind == Place::Kind::Address)
        return true; // refused where it is tested
    if (!is_new && named.many != field.many)
        return refuse(fmt::format("\n[ANALYSIS3] Variable ?{} is used as both a single "
                                  "and multifield variable in the LHS\n",
                                  field.name->text),
                      field.span, code::kClipsVariable,
                      fmt::format("?{} stands for one field and for many", field.name->text));
    if (!slot.multi && !named.narrow(slot.constraint))
        return refuse(
            fmt::format("\n[RULECSTR1] Variable ?{} in CE #{}{}\nhas constraint conflicts "
                        "which make the pattern unmatchable.\n",
                        field.name->text, scope.ce, scope.field),
            field.span, code::kClipsType,
            fmt::format("no value of ?{} fits all the slots that it stands in", field.name->text));
    const bool outside = named.pattern != here.pattern;
    if (outside) into.elsewhere.emplace_back(field.name, named);
    found->second = named;
    if (outside) {
        found->second.position = here.position;
        found->second.place = here.place;
        found->second.group = here.group;
        found->second.pattern = here.pattern;
    }
    return true;
}

bool Builder::compile_pattern(const Ce& ce, Compiled& into) {
    const int pattern = scope.pattern;
    const auto position = static_cast<std::uint16_t>(scope.position);
    if (ce.address != nullptr) {
        LhsVariable variable;
        variable.position = position;
        variable.place.kind = Place::Kind::Address;
        variable.group = scope.group;
        variable.pattern = pattern;
        if (scope.lhs.contains(ce.address))
            return refuse(
                fmt::format("\n[ANALYSIS1] Duplicate pattern-address ?{} found in CE #{}.\n",
                            ce.address->text, ce.place),
                ce.span, code::kClipsVariable,
                fmt::format("?{} names this fact and something else", ce.address->text));
        scope.lhs.emplace(ce.address, variable);
        scope.facts.emplace(ce.address, ce.of);
    }
    std::uint16_t marker = 0;
    // The rule itself adds one, its relation; each comparison one: see CLIPS's "complexity".
    ++rule.complexity;
    for (const SlotPattern& slot : ce.slots) {
        const bool multi = ce.of->slots[slot.slot].multi;
        const auto many = static_cast<std::size_t>(std::count_if(
            slot.fields.begin(), slot.fields.end(), [](const Field& f) { return f.many; }));
        const std::size_t singles = slot.fields.size() - many;
        bool length_needed = multi && !(singles == 0 && many > 0);
        std::size_t many_before = 0;
        std::size_t singles_before = 0;
        bool measured = many > 1; // how many fields its $? stands for is known to tests
        std::vector<PatternNode> nodes;
        std::vector<Value> constants;
        const auto with_length = [&](PatternNode& node) {
            if (!length_needed) return;
            node.length_least = static_cast<int>(singles);
            node.length_exact = many == 0;
            length_needed = false;
        };
        if (multi && slot.fields.empty()) {
            PatternNode node;
            node.slot = slot.slot;
            with_length(node);
            nodes.push_back(std::move(node));
            constants.emplace_back();
        }
        for (std::size_t i = 0; i < slot.fields.size(); ++i) {
            const Field& field = slot.fields[i];
            for (const std::vector<Term>& all : field.any_of) {
                for (const Term& term : all) {
                    if (!check_constant(ce.of->slots[slot.slot], term)) return false;
                }
            }
            const std::size_t many_after = many - many_before - (field.many ? 1 : 0);
            const std::size_t singles_after = singles - singles_before - (field.many ? 0 : 1);
            Place where;
            where.slot = slot.slot;
            if (!multi) {
                where.kind = Place::Kind::Slot;
            } else if (field.many && many == 1) {
                where.kind = Place::Kind::Rest;
                where.index = static_cast<std::uint16_t>(singles_before);
                where.after = static_cast<std::uint16_t>(singles_after);
            } else if (field.many) {
                where.kind = Place::Kind::Segment;
                where.marker = marker;
            } else if (many_before == 0) {
                where.kind = Place::Kind::FromStart;
                where.index = static_cast<std::uint16_t>(i);
            } else if (many_after == 0) {
                where.kind = Place::Kind::FromEnd;
                where.index = static_cast<std::uint16_t>(singles_after);
            } else {
                where.kind = Place::Kind::Between;
                where.marker = static_cast<std::uint16_t>(marker - 1);
                std::size_t since = 0;
                for (std::size_t j = i; j > 0 && !slot.fields[j - 1].many; --j)
                    ++since;
                where.index = static_cast<std::uint16_t>(since);
            }
            scope.field = !ce.of->implied ? " slot " + ce.of->slots[slot.slot].name->text
                                          : fmt::format(" field #{}", i + 1);
            Tests alone;
            bool by_constant = false;
            Value constant;
            // The variable that the field itself names.
            LhsVariable named;
            if (field.name != nullptr) {
                const LhsVariable here{position, where, field.many, scope.group, pattern};
                if (!name_field(field, ce.of->slots[slot.slot], here, into, named)) return false;
            }
            // CLIPS 6.30 looks for what some tests compare at the field's number in the pattern,
            // though a single $? before it stands for any number of fields.
            Place tested = where;
            if (where.kind == Place::Kind::FromEnd && !measured) {
                tested.kind = Place::Kind::Miscounted;
                tested.index = static_cast<std::uint16_t>(i);
            }
            Tests of_field;
            if (!field_tests(field, where, tested, of_field, into.joint, by_constant, constant))
                return false;
            if (field.name != nullptr) {
                const LhsVariable& variable = named;
                const bool binding = variable.pattern == pattern && variable.place == where;
                if (!binding) {
                    if (variable.place.kind == Place::Kind::Address)
                        return fail(
                            field.span, code::kClipsVariable,
                            fmt::format("?{} is a fact and cannot be a field", field.name->text));
                    Test test;
                    test.kind = Test::Kind::Equal;
                    test.left = variable.place;
                    test.right = where;
                    ++rule.complexity;
                    if (variable.pattern == pattern) {
                        test.within = true;
                        // CLIPS puts this comparison before the field's own tests.
                        Tests before;
                        add(before, test, "=" + place_key(variable.place) + "/" + place_key(where));
                        append(before, std::move(of_field));
                        of_field = std::move(before);
                        by_constant = false;
                    } else {
                        test.left_position = variable.position;
                        note_outer(variable);
                        Tests before;
                        add(before, test,
                            fmt::format("={}@{}/{}", variable.position, place_key(variable.place),
                                        place_key(where)));
                        // Before the joint tests of this field, which were added last: the order
                        // matters only where an expression fails, so they stand in front of all.
                        append(before, std::move(into.joint));
                        into.joint = std::move(before);
                        if (variable.position < position) {
                            into.right_keys.push_back({0, where, false, {}});
                            into.left_keys.push_back(
                                {variable.position, variable.place, false, {}});
                            into.right_key += place_key(where) + ";";
                        }
                    }
                }
            }
            append(alone, std::move(of_field));
            const bool enumerates = field.many && many > 1;
            const bool asks = enumerates || !alone.empty() || by_constant;
            // The length is a test of the slot's first field, even of one that asks nothing else.
            if (asks || length_needed) {
                PatternNode node;
                node.slot = slot.slot;
                node.field = static_cast<std::uint16_t>(i);
                node.multi = enumerates;
                node.last_multi = enumerates && many_after == 0;
                node.singles_after = static_cast<std::uint16_t>(singles_after);
                node.marker = marker;
                with_length(node);
                if (by_constant) {
                    node.selector = true;
                    node.selected = where;
                    node.key = fmt::format("S{}|{}", place_key(where), node.length_least);
                } else {
                    node.tests = std::move(alone);
                }
                nodes.push_back(std::move(node));
                constants.push_back(constant);
            }
            if (field.many) {
                measured = measured || asks;
                ++many_before;
                if (many > 1) ++marker;
            } else {
                ++singles_before;
            }
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            PatternNode& node = nodes[i];
            if (multi && many > 1) rule.markers = true;
            // What follows in the pattern tells only those apart that enumerate.
            const std::string many_key = node.multi ? fmt::format("*{}{}.{}", node.last_multi,
                                                                  node.singles_after, node.marker)
                                                    : "";
            node.key = fmt::format("{}.{}{}{}|{}{}|{}", node.slot, node.field, many_key,
                                   multi && i + 1 == nodes.size() ? "e" : "", node.length_least,
                                   node.length_exact ? "x" : "",
                                   node.selector ? node.key : node.tests.key);
            into.nodes.push_back(std::move(node));
            into.constants.push_back(constants[i]);
        }
    }
    if (into.nodes.empty()) {
        PatternNode node;
        // CLIPS makes a new node for each ordered pattern that is nothing but one $?.
        node.key = ce.of->implied ? fmt::format("all {} {}", rule.id, pattern) : "all";
        into.nodes.push_back(std::move(node));
        into.constants.emplace_back();
    }
    into.nodes.back().markers = marker;
    for (const auto& [name, variable] : into.elsewhere)
        scope.lhs[name] = variable;
    return true;
}

PatternNode* Builder::place(Compiled& compiled, Template& of) {
    Network& network = session.network();
    PatternNode* at = nullptr;
    const std::uint16_t markers = compiled.nodes.back().markers;
    for (std::size_t i = 0; i < compiled.nodes.size(); ++i) {
        PatternNode& node = compiled.nodes[i];
        const Value constant = compiled.constants[i];
        const bool selector = node.selector;
        const bool last = i + 1 == compiled.nodes.size();
        // Only what is hashed where it ends keeps a pattern from sharing the node.
        const std::string hashed =
            last && !compiled.right_key.empty() ? "#" + compiled.right_key : "";
        node.key += hashed;
        const std::string key = node.key;
        PatternNode* found = network.find_node(of, at, key);
        at = found != nullptr ? found : network.add_node(of, at, std::move(node));
        if (selector) {
            const std::string child_key = value_key(constant) + hashed;
            PatternNode* child = network.find_node(of, at, child_key);
            if (child == nullptr) {
                PatternNode made;
                made.key = child_key;
                made.slot = at->slot;
                made.field = at->field;
                made.constant = constant;
                child = network.add_node(of, at, std::move(made));
            }
            at = child;
        }
    }
    if (!at->stop) {
        at->stop = true;
        at->markers = markers;
        at->keys = compiled.right_keys;
        at->memory = network.node_memory(!at->keys.empty());
    }
    return at;
}

} // namespace croupier::engine::clips
