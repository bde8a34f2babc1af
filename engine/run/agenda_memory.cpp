// Takes what machine code has found, and picks what fires next.
#include "engine/run/agenda_memory.h"

#include "engine/ir/effects.h"
#include "engine/run/call.h"
#include "engine/run/recognize.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

namespace croupier::engine {

// Looks at what actions write and at what matches stand on.

namespace {

// The key may be that of a node of the schema, in the map or record above it.
bool may_lead_to(const Layout& layout, const BasisKey& key, SchemaId schema) {
    const SchemaNode& node = layout.node(schema);
    const bool is_row = layout.node(node.parent).kind == ShapeKind::Map;
    return is_row || !key.is_text() || key.parts[0].text == node.key;
}

// The path may be that of an instance of the schema.
bool may_be(const Layout& layout, const BasisPath& path, SchemaId schema) {
    SchemaId at = schema;
    for (std::size_t i = path.size(); i-- > 0; at = layout.node(at).parent)
        if (layout.node(at).parent == kNoSchema || !may_lead_to(layout, path[i], at)) return false;
    return layout.node(at).parent == kNoSchema;
}

// It is the path of the only instance of the schema.
bool is_surely(const Layout& layout, const BasisPath& path, SchemaId schema) {
    for (SchemaId at = schema; layout.node(at).parent != kNoSchema; at = layout.node(at).parent)
        if (layout.node(layout.node(at).parent).kind != ShapeKind::Record) return false;
    return std::all_of(path.begin(), path.end(),
                       [](const BasisKey& key) { return key.is_text(); }) &&
           may_be(layout, path, schema);
}

// The declared nodes that are gone when the action has run, whatever it met: those which it removes
// and then no longer writes.
std::vector<SchemaId> removed_by(const ir::Module& module, const ir::Function& function,
                                 ir::BlockId action) {
    std::vector<SchemaId> removed;
    for (const ir::Id statement : function.blocks[action].statements) {
        const ir::Node& node = function.at(statement);
        const ir::Places written = ir::effects_of(module, function, statement).writes;
        std::erase_if(removed, [&](SchemaId schema) {
            return written.anything || std::find(written.schemas.begin(), written.schemas.end(),
                                                 schema) != written.schemas.end();
        });
        if (node.kind == ir::Kind::Erase && node.operands.empty()) removed.push_back(node.x);
    }
    return removed;
}

// Writes of the statement and of what it runs. A call of which it is known what it shuffles writes
// nothing else, if it runs at the root.
void add_writes(const ir::Module& module, const ir::Function& function, ir::Id id,
                ir::Places& written) {
    const ir::Node& node = function.at(id);
    if (node.kind == ir::Kind::Call) {
        const SchemaId shuffled = PreparedCall(module, function, node).shuffled();
        if (shuffled != kNoSchema) {
            written.schemas.push_back(shuffled);
            return;
        }
    }
    const bool runs_others =
        node.kind == ir::Kind::Group || node.kind == ir::Kind::Apply || node.kind == ir::Kind::If;
    if (!runs_others) {
        written.join(ir::effects_of(module, function, id).writes);
        return;
    }
    for (std::size_t i = 0; i < node.blocks.size(); ++i) {
        if (node.kind == ir::Kind::If && node.y == 1 && i == 1)
            continue; // nothing fires after an error
        for (const ir::Id each : function.blocks[node.blocks[i]].statements)
            add_writes(module, function, each, written);
    }
}

void add_ranges(const SchemaNode& node, std::vector<AgendaFacts::Range>& ranges) {
    if (node.values != kNoOffset && width_of(node.column) != 0)
        ranges.push_back({node.values, node.values + width_of(node.column) * node.instances});
    if (node.presence != kNoOffset) {
        const std::uint32_t groups = node.instances / node.group;
        ranges.push_back({node.presence, node.presence + groups * node.words * 8});
    }
}

// What lies close together is one range: copying a few bytes more costs less than another call.
void join_ranges(std::vector<AgendaFacts::Range>& ranges) {
    constexpr std::uint32_t kClose = 64;
    std::sort(ranges.begin(), ranges.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::vector<AgendaFacts::Range> joined;
    for (const AgendaFacts::Range& each : ranges)
        if (!joined.empty() && each.begin <= joined.back().end + kClose)
            joined.back().end = std::max(joined.back().end, each.end);
        else
            joined.push_back(each);
    ranges = std::move(joined);
}

} // namespace

AgendaFacts::AgendaFacts(const ir::Module& module, const ir::Function& function,
                         const ir::Node& node)
    : group(&module.catalogue->groups[node.x]), rules(node.blocks.size()) {
    const Layout& layout = *module.catalogue->layout;
    std::vector<const ir::Node*> applies;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const ir::Node& apply = function.at(function.blocks[node.blocks[i]].statements.back());
        applies.push_back(&apply);
        Rule& rule = rules[i];
        for (ir::VarId var = apply.y; var < apply.y + static_cast<ir::VarId>(apply.number); ++var) {
            const ir::Type& type = function.vars[var].type;
            const bool any = type.kind == ir::TypeKind::Any;
            rule.variables.push_back({type, rule.width});
            rule.width += any ? 2 : 1;
            rule.has_any = rule.has_any || any;
        }
        rule.basis = group->agenda->rules[i].basis;
    }
    const auto stands_on = [&](const Rule& rule, SchemaId schema) {
        return std::any_of(rule.basis.begin(), rule.basis.end(),
                           [&](const BasisPath& path) { return may_be(layout, path, schema); });
    };
    for (std::size_t i = 0; i < rules.size(); ++i) {
        Rule& rule = rules[i];
        rule.writes.resize(layout.size());
        ir::Places written;
        for (const ir::Id statement : function.blocks[applies[i]->blocks[1]].statements)
            add_writes(module, function, statement, written);
        if (written.anything) {
            written.schemas.clear();
            for (SchemaId schema = 1; schema < layout.size(); ++schema)
                written.schemas.push_back(schema);
            rule.concerned = ~Rules{0};
        }
        for (const SchemaId schema : written.schemas) {
            for (std::size_t other = 0; layout.node(schema).dense && other < rules.size();
                 ++other) {
                if (stands_on(rules[other], schema)) {
                    rule.concerned |= Rules{1} << other;
                    rule.writes[schema] = true;
                }
            }
            if (rule.writes[schema]) add_ranges(layout.node(schema), rule.ranges);
        }
        join_ranges(rule.ranges);
        for (const SchemaId gone : removed_by(module, function, applies[i]->blocks[1])) {
            for (std::size_t other = 0; other < rules.size(); ++other) {
                const bool ends = std::any_of(
                    rules[other].basis.begin(), rules[other].basis.end(),
                    [&](const BasisPath& path) { return is_surely(layout, path, gone); });
                rule.ended |= ends ? Rules{1} << other : 0;
            }
        }
    }
}

AgendaMemory::AgendaMemory(const ir::Module& module, const ir::Function& function,
                           const ir::Node& group)
    : module_(module), node_(group), facts_(module, function, group), plan_(*facts_.group->agenda),
      layout_(*module.catalogue->layout), readers_(1), memories_(group.blocks.size()) {
    std::uint32_t words = 0;
    for (const AgendaFacts::Rule& rule : facts_.rules) {
        single_of_.push_back(words);
        words += kSingleHead + rule.width;
        outlive_.push_back(rule.concerned & ~rule.ended);
    }
    singles_.resize(words);
}

void AgendaMemory::begin(State& state, emit::Frame& frame) {
    state_ = &state;
    frame_ = &frame;
    journal_.clear();
    set_drained();
    if (is_random())
        for (Memory& memory : memories_)
            memory.count = 0;
    activations_.clear();
    others_known_ = false;
    frame.singles = singles_.data();
    frame.outlive = outlive_.data();
    frame.single = 0;
    frame.moment = 0;
    frame.ages = 0;
    frame.noted = 0;
    frame.touched = ~std::uint64_t{0};
    frame.remembered = 0;
    frame.waiting = 0;
    frame.buffer_used = 0;
    state.set_journal(&journal_);
}

void AgendaMemory::end() {
    state_->set_journal(nullptr);
}

void AgendaMemory::drain_more() {
    frame_->noted = 1;
    others_known_ = false;
    const std::span<const Journal::Declared> declared = journal_.declared();
    readers_[0] = 0;
    SchemaId last = kNoSchema; // all whose instances have the same readers
    for (std::size_t i = drained_declared_; i < declared.size(); ++i) {
        const NodeRef node = declared[i].node;
        if (node.schema != last) {
            plan_.add_readers_of(node.schema, node.index, readers_);
            last = plan_.declared[node.schema].stride == 0 ? node.schema : kNoSchema;
        }
    }
    for (std::size_t i = drained_others_; i < journal_.others(); ++i)
        plan_.add_readers_of(journal_.path_of_other(i), readers_);
    set_drained();
    frame_->touched |= readers_[0];
}

void AgendaMemory::update(std::uint32_t rule, std::uint64_t* found,
                          Recognizer::Salience& salience) {
    Memory& memory = memories_[rule];
    const AgendaFacts::Rule& facts = facts_.rules[rule];
    const std::uint64_t count = frame_->found;
    const std::span<std::uint64_t> words(found, count * facts.width);
    if (facts.has_any) {
        // Where a member stands in its domain is a hint, which makes no other value of it.
        for (std::size_t i = 0; i < count; ++i) {
            for (const AgendaFacts::Place& each : facts.variables)
                if (each.type.kind == ir::TypeKind::Any) words[i * facts.width + each.word] &= 0xff;
        }
    }
    const std::uint64_t bit = std::uint64_t{1} << rule;
    settle(rule);
    if (((frame_->remembered | frame_->waiting) & bit) == 0) memory.known.clear();
    frame_->remembered = count == 0 ? frame_->remembered & ~bit : frame_->remembered | bit;
    const bool stays = count != 0 && count == memory.known.size() &&
                       std::equal(words.begin(), words.end(), memory.words.begin()) &&
                       !may_have_changed(rule);
    if (stays) return;
    if (count == 0 || memory.known.empty()) {
        for (Known& known : memory.known)
            drop(known);
        memory.words.assign(words.begin(), words.end());
        memory.known.assign(count, Known{});
        memory.waiting = count;
        for (std::uint32_t match = 0; match < count; ++match)
            add(rule, match, salience);
    } else {
        replace(rule, words, salience);
    }
    frame_->waiting = memory.waiting == 0 ? frame_->waiting & ~bit : frame_->waiting | bit;
    count_top(memory);
}

// The match becomes an activation.
void AgendaMemory::add(std::uint32_t rule, std::uint32_t match, Recognizer::Salience& salience) {
    const AgendaRule& plan = plan_.rules[rule];
    Known& known = memories_[rule].known[match];
    known.salience = plan.salience;
    if (!plan.fixed_salience) {
        load_values(rule, words_of(rule, match));
        known.salience = salience.of(rule, values_);
    }
    if (is_random()) return;
    activate(rule, match, frame_->moment, frame_->ages++);
}

// What came at that moment, with that age.
void AgendaMemory::activate(std::uint32_t rule, std::uint32_t match, std::uint64_t moment,
                            std::uint64_t age) {
    const AgendaRule& plan = plan_.rules[rule];
    Activation made;
    made.rank = -(std::int64_t{memories_[rule].known[match].salience} << 32);
    if (plan_.strategy == Strategy::Simplicity)
        made.rank += plan.specificity;
    else if (plan_.strategy == Strategy::Complexity)
        made.rank -= plan.specificity;
    made.moment = plan_.strategy == Strategy::Depth ? ~moment : 0;
    made.age = age;
    made.rule = rule;
    made.match = match;
    activations_.add(made);
}

// What machine code keeps of the rule is kept here from now on.
void AgendaMemory::settle(std::uint32_t rule) {
    const std::uint64_t bit = std::uint64_t{1} << rule;
    if ((frame_->single & bit) == 0) return;
    frame_->single &= ~bit;
    if (((frame_->remembered | frame_->waiting) & bit) == 0) return;
    Memory& memory = memories_[rule];
    const std::uint64_t* const single = singles_.data() + single_of_[rule];
    const std::uint64_t* const match = single + kSingleHead;
    memory.words.assign(match, match + facts_.rules[rule].width);
    memory.known.assign(1, Known{});
    memory.known[0].salience = plan_.rules[rule].salience;
    memory.known[0].fired = (frame_->waiting & bit) == 0;
    memory.waiting = memory.known[0].fired ? 0 : 1;
    if (!memory.known[0].fired) activate(rule, 0, single[0], single[1]);
}

// Among the activations it is only while it has not fired.
void AgendaMemory::drop(Known& known) {
    if (known.place != kNoPlace) {
        activations_.remove(known.place);
        known.place = kNoPlace;
    }
}

void AgendaMemory::count_top(Memory& memory) {
    if (is_random()) by_chance::count_top(memory);
}

// ---- what is next ----------------------------------------------------------------------------

std::uint32_t AgendaMemory::pick(Random& random) {
    std::uint32_t rule = 0;
    std::uint32_t match = 0;
    if (frame_->moment >= plan_.limit.value_or(UINT64_MAX)) return 0;
    for (std::uint64_t left = frame_->waiting & frame_->single; left != 0; left &= left - 1)
        settle(static_cast<std::uint32_t>(std::countr_zero(left)));
    if (is_random()) {
        const std::uint64_t choices = by_chance::choices(memories_).count;
        if (choices == 0) return 0;
        const by_chance::Choice chosen = by_chance::choice(memories_, random.below(choices));
        rule = chosen.rule;
        match = chosen.match;
    } else {
        if (activations_.empty()) return 0;
        rule = activations_.first().rule;
        match = activations_.first().match;
        activations_.remove(0);
    }
    Memory& memory = memories_[rule];
    memory.known[match].place = kNoPlace;
    memory.known[match].fired = true;
    if (--memory.waiting == 0) frame_->waiting &= ~(std::uint64_t{1} << rule);
    count_top(memory);
    ++frame_->moment;
    frame_->fired = rule;
    fire(rule);
    frame_->touched = 0;
    frame_->match = words_of(rule, match);
    return rule + 1;
}

void AgendaMemory::fire(std::uint32_t rule) {
    if (!journal_.empty()) {
        journal_.clear();
        set_drained();
    }
    frame_->noted = 0;
    others_known_ = false;
    keep_what_was(facts_.rules[rule]);
}

// Only where some match may outlive the firing does it count what it changes.
void AgendaMemory::keep_what_was(const AgendaFacts::Rule& fired) {
    if ((frame_->remembered & fired.concerned & ~fired.ended) == 0) return;
    if (before_.size() < layout_.dense_bytes()) before_.resize(layout_.dense_bytes());
    for (const AgendaFacts::Range& each : fired.ranges) {
        std::memcpy(before_.data() + each.begin, state_->data() + each.begin,
                    each.end - each.begin);
    }
}

// Which matches of an agenda's rule are those that it had before the last firing.

namespace {

std::uint64_t hash_of_words(std::span<const std::uint64_t> words) {
    std::uint64_t hash = 0x9e3779b97f4a7c15u;
    for (const std::uint64_t word : words) {
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

} // namespace

// The matches that the rule has now in place of those that it had.
void AgendaMemory::replace(std::uint32_t rule, std::span<const std::uint64_t> words,
                           Recognizer::Salience& salience) {
    Memory& memory = memories_[rule];
    find_kept(rule, words);
    for (Known& known : memory.known)
        if (!known.kept) drop(known);
    std::swap(old_, memory.known);
    memory.words.assign(words.begin(), words.end());
    memory.known.assign(same_.size(), Known{});
    for (std::uint32_t match = 0; match < same_.size(); ++match) {
        if (same_[match] != kNoPlace) {
            Known& known = memory.known[match];
            known = old_[same_[match]];
            known.kept = false;
            if (known.place != kNoPlace) activations_.set_match(known.place, match);
        }
    }
    memory.waiting = 0;
    for (std::uint32_t match = 0; match < same_.size(); ++match) {
        if (same_[match] == kNoPlace) add(rule, match, salience);
        memory.waiting += memory.known[match].fired ? 0 : 1;
    }
}

// A match that was there keeps its age and whether it has fired, unless a node that it stands on
// has changed. Of several that are the same the first is the first of those before, and so on.
void AgendaMemory::find_kept(std::uint32_t rule, std::span<const std::uint64_t> words) {
    Memory& memory = memories_[rule];
    const std::size_t width = facts_.rules[rule].width;
    const bool may_change = may_have_changed(rule);
    indexed_ = false;
    same_.clear();
    seen_.assign(memory.known.size(), false);
    std::uint32_t expected = 0;
    for (std::uint32_t i = 0; i < frame_->found; ++i) {
        const std::span<const std::uint64_t> match = words.subspan(i * width, width);
        const std::uint32_t same = find_same(rule, match, expected);
        same_.push_back(kNoPlace);
        if (same == kNoPlace) continue;
        expected = same + 1;
        seen_[same] = true;
        if (!may_change || !has_changed(rule, match.data())) {
            same_.back() = same;
            memory.known[same].kept = true;
        }
    }
}

// The first of the matches before that is the same and not yet taken: mostly the one after that
// before.
std::uint32_t AgendaMemory::find_same(std::uint32_t rule, std::span<const std::uint64_t> match,
                                      std::uint32_t expected) {
    const auto is_same = [&](std::uint32_t at) {
        return std::equal(match.begin(), match.end(), words_of(rule, at));
    };
    const std::size_t count = memories_[rule].known.size();
    if (!indexed_) {
        if (expected < count && is_same(expected)) return expected;
        // From here on by hash: what comes once may have come before `expected` too.
        indexed_ = true;
        index_.clear();
        for (std::uint32_t i = 0; i < count; ++i)
            index_.emplace_back(hash_of_words({words_of(rule, i), match.size()}), i);
        std::sort(index_.begin(), index_.end());
    }
    const std::uint64_t hash = hash_of_words(match);
    auto at = std::lower_bound(index_.begin(), index_.end(), std::pair{hash, std::uint32_t{0}});
    for (; at != index_.end() && at->first == hash; ++at)
        if (!seen_[at->second] && is_same(at->second)) return at->second;
    return kNoPlace;
}

// ---- what has changed ------------------------------------------------------------------------

// The last firing may have changed what some match of the rule stands on.
bool AgendaMemory::may_have_changed(std::uint32_t rule) {
    if (frame_->moment == 0) return false;
    find_changed_others();
    return (fired().concerned >> rule & 1) != 0 || !others_.empty();
}

// What of the undeclared nodes that were written truly differs.
void AgendaMemory::find_changed_others() {
    if (std::exchange(others_known_, true)) return;
    others_.clear();
    if (journal_.others() == 0) return;
    journal_.settle();
    set_drained();
    for (std::size_t i = 0; i < journal_.others(); ++i)
        if (journal_.has_changed(journal_.declared().size() + i, *state_)) others_.push_back(i);
}

bool AgendaMemory::has_changed(std::uint32_t rule, const std::uint64_t* words) {
    load_values(rule, words);
    const std::span<const BasisPath> basis = facts_.rules[rule].basis;
    return std::any_of(basis.begin(), basis.end(),
                       [&](const BasisPath& path) { return has_changed(path); });
}

void AgendaMemory::load_values(std::uint32_t rule, const std::uint64_t* words) {
    values_.clear();
    for (const AgendaFacts::Place& each : facts_.rules[rule].variables) {
        const std::uint64_t word = words[each.word];
        Value value;
        switch (each.type.kind) {
        case ir::TypeKind::Code:
            value = word == 0 ? Value{} : module_.lists[each.type.list].values[word - 1];
            break;
        case ir::TypeKind::Truth:
            value = Value::boolean(word != 0);
            break;
        case ir::TypeKind::Int:
            value = Value::number(static_cast<std::int64_t>(word));
            break;
        default:
            std::memcpy(static_cast<void*>(&value), words + each.word, sizeof value);
            break;
        }
        values_.push_back(value);
    }
}

// Of the match at hand.
bool AgendaMemory::has_changed(const BasisPath& path) {
    path_.clear();
    for (const BasisKey& key : path)
        path_.push_back(symbol_of(key));
    SchemaId schema = 0;
    std::uint32_t index = 0;
    for (const Symbol key : path_) {
        const SchemaNode& above = layout_.node(schema);
        schema = kNoSchema;
        if (above.kind == ShapeKind::Record) {
            schema = above.field(key);
        } else if (above.kind == ShapeKind::Map && above.domain != 0) {
            const DomainTable& domain = layout_.domain(above.domain);
            const std::uint16_t row = domain.row_of(key);
            schema = row == kNoRow ? kNoSchema : above.element;
            index = index * domain.size() + row;
        }
        const bool declared = schema != kNoSchema && layout_.node(schema).dense &&
                              layout_.node(schema).column != Column::Arena;
        if (!declared) {
            return std::any_of(others_.begin(), others_.end(), [&](std::size_t other) {
                const std::span<const Symbol> changed = journal_.path_of_other(other);
                return std::equal(changed.begin(), changed.end(), path_.begin(), path_.end());
            });
        }
    }
    return !path_.empty() && fired().writes[schema] && differs(schema, index);
}

Symbol AgendaMemory::symbol_of(const BasisKey& key) {
    const Symbols& symbols = state_->symbols();
    if (key.is_text()) return key.parts[0].text;
    if (key.parts.size() == 1 && values_[key.parts[0].variable].is_text())
        return values_[key.parts[0].variable].symbol();
    text_.clear();
    for (const BasisKey::Part& part : key.parts) {
        text_ += part.text != kNoSymbol ? std::string(symbols.text(part.text))
                                        : to_text(values_[part.variable], symbols);
    }
    return symbols.find(text_);
}

// The declared instance is there now and was not, or the other way round, or has another value.
bool AgendaMemory::differs(SchemaId schema, std::uint32_t index) const {
    const SchemaNode& node = layout_.node(schema);
    const std::byte* const now = state_->data();
    const std::byte* const before = before_.data();
    const std::uint32_t width = width_of(node.column);
    const std::size_t at = node.values + std::size_t{width} * index;
    if (width != 0 && std::memcmp(now + at, before + at, width) != 0) return true;
    if (node.presence == kNoOffset) return false;
    const auto [word, row] = presence_place(node, index);
    const std::size_t byte = word + row % kWordRows / 8;
    return ((now[byte] ^ before[byte]) >> (row % 8) & std::byte{1}) != std::byte{0};
}

} // namespace croupier::engine
