// Keeps the matches of an agenda group up to date from what changed.
#include "engine/run/recognize.h"

#include <algorithm>
#include <utility>

namespace croupier::engine {

namespace {

bool same_values(std::span<const Value> a, std::span<const Value> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_value);
}

std::uint64_t hash_of(std::span<const Value> match) {
    std::uint64_t hash = 0x9e3779b97f4a7c15u;
    for (const Value& value : match) {
        hash ^= static_cast<std::uint64_t>(value.integer) + static_cast<std::uint64_t>(value.tag);
        hash *= 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

} // namespace

void Recognizer::begin(const Catalogue& catalogue, const GroupPlan& group, const State& state) {
    catalogue_ = &catalogue;
    group_ = &group;
    plan_ = group.agenda.get();
    state_ = &state;
    journal_.clear();
    memories_.resize(group.rules.size());
    for (std::size_t i = 0; i < memories_.size(); ++i) {
        Memory& memory = memories_[i];
        memory.width = static_cast<std::uint32_t>(catalogue.rules[group.rules[i]].variables.size());
        memory.values.clear();
        memory.known.clear();
        memory.count = 0;
    }
    agenda_.clear(plan_->strategy);
    slots_.clear();
    free_slots_.clear();
    fresh_.clear();
    tags_.clear();
    firings_ = 0;
    first_ = true;
}

const std::vector<std::uint32_t>& Recognizer::outdated() {
    knows_changed_ = false;
    touched_.assign((memories_.size() + 63) / 64, first_ ? ~std::uint64_t{0} : 0);
    first_ = false;
    for (const Journal::Declared& each : journal_.declared())
        plan_->add_readers_of(each.node.schema, each.node.index, touched_);
    for (std::size_t i = 0; i < journal_.others(); ++i)
        plan_->add_readers_of(journal_.path_of_other(i), touched_);
    outdated_.clear();
    for (std::uint32_t rule = 0; rule < memories_.size(); ++rule)
        if ((touched_[rule / 64] >> (rule % 64) & 1) != 0) outdated_.push_back(rule);
    if (has_tags()) {
        find_changed();
        for (const Changed& each : changed_) {
            const std::span<const Symbol> path = path_of(each);
            tags_[std::vector<Symbol>(path.begin(), path.end())] = firings_;
        }
    }
    return outdated_;
}

// ---- what stayed the same --------------------------------------------------------------------

// What of the touched nodes truly differs. Few firings leave a match that would have to know.
void Recognizer::find_changed() {
    if (std::exchange(knows_changed_, true)) return;
    changed_.clear();
    changed_keys_.clear();
    journal_.settle();
    for (std::size_t i = 0; i < journal_.size(); ++i) {
        if (journal_.has_changed(i, *state_)) {
            const auto first = static_cast<std::uint32_t>(changed_keys_.size());
            journal_.append_path(i, *state_, changed_keys_);
            changed_.push_back({first, static_cast<std::uint32_t>(changed_keys_.size()) - first});
        }
    }
}

// The changed nodes that some match of the rule may stand on.
void Recognizer::find_suspects(std::uint32_t rule) {
    find_changed();
    suspects_.clear();
    for (const Changed& each : changed_) {
        const std::span<const Symbol> path = path_of(each);
        for (const BasisPath& basis : plan_->rules[rule].basis) {
            const bool may_be =
                std::equal(path.begin(), path.end(), basis.begin(), basis.end(),
                           [](Symbol key, const BasisKey& wanted) {
                               return !wanted.is_text() || wanted.parts[0].text == key;
                           });
            if (may_be) suspects_.push_back({&basis, path});
        }
    }
}

bool Recognizer::is_key(const BasisKey& key, std::span<const Value> match, Symbol text) const {
    const Symbols& symbols = state_->symbols();
    if (key.is_text()) return key.parts[0].text == text;
    if (key.parts.size() == 1) {
        const Value& value = match[key.parts[0].variable];
        return value.is_text() ? value.symbol() == text
                               : to_text(value, symbols) == symbols.text(text);
    }
    scratch_.clear();
    for (const BasisKey::Part& part : key.parts) {
        scratch_ += part.text != kNoSymbol ? std::string(symbols.text(part.text))
                                           : to_text(match[part.variable], symbols);
    }
    return scratch_ == symbols.text(text);
}

// Some node that the match stands on has changed.
bool Recognizer::has_changed(std::span<const Value> match) const {
    return std::any_of(suspects_.begin(), suspects_.end(), [&](const Suspect& suspect) {
        return std::equal(
            suspect.path.begin(), suspect.path.end(), suspect.basis->begin(),
            [&](Symbol text, const BasisKey& key) { return is_key(key, match, text); });
    });
}

void Recognizer::index(const Memory& memory) {
    index_.clear();
    for (std::uint32_t i = 0; i < memory.known.size(); ++i)
        index_.emplace_back(hash_of(values_of(memory, i)), i);
    std::sort(index_.begin(), index_.end());
}

// The first old match with these values that is not kept yet: mostly the one after that before.
std::uint32_t Recognizer::find_same(const Memory& memory, std::span<const Value> match,
                                    std::uint32_t expected) {
    if (!indexed_) {
        if (expected < memory.known.size() && same_values(values_of(memory, expected), match))
            return expected;
        // From here on by hash: what comes once may have come before `expected` too.
        indexed_ = true;
        index(memory);
    }
    const std::uint64_t hash = hash_of(match);
    auto at = std::lower_bound(index_.begin(), index_.end(), std::pair{hash, std::uint32_t{0}});
    for (; at != index_.end() && at->first == hash; ++at)
        if (!memory.known[at->second].kept && same_values(values_of(memory, at->second), match))
            return at->second;
    return kNoSlot;
}

// The rule has the same matches in the same order, and none of them stands on what has changed.
bool Recognizer::stays_as_it_is(std::uint32_t rule, std::span<const Value> matches,
                                std::uint64_t count) {
    const Memory& memory = memories_[rule];
    if (count != memory.known.size()) return false;
    if (count == 0) return true;
    if (!same_values(memory.values, matches)) return false;
    find_suspects(rule);
    return suspects_.empty();
}

void Recognizer::update(std::uint32_t rule, std::span<const Value> matches, std::uint64_t count,
                        Salience& salience) {
    if (stays_as_it_is(rule, matches, count)) return;
    Memory& memory = memories_[rule];
    std::swap(old_, memory);
    memory.width = old_.width;
    memory.values.assign(matches.begin(), matches.end());
    memory.known.clear();
    if (!old_.known.empty() && count != 0) find_suspects(rule);
    indexed_ = false;
    const AgendaRule& plan = plan_->rules[rule];
    std::uint32_t expected = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::span<const Value> match = values_of(memory, i);
        const std::uint32_t same = find_same(old_, match, expected);
        Known& known = memory.known.emplace_back();
        if (same != kNoSlot) {
            expected = same + 1;
            Known& before = old_.known[same];
            before.kept = true;
            if (!has_changed(match)) {
                known = before;
                known.kept = false;
                if (known.slot != kNoSlot) slots_[known.slot].match = i;
                continue;
            }
            drop(before);
        }
        known.salience = plan.fixed_salience ? plan.salience : salience.of(rule, match);
        if (!is_random()) make_slot(rule, i);
    }
    for (Known& each : old_.known)
        if (!each.kept) drop(each);
    count_top(memory);
}

void Recognizer::make_slot(std::uint32_t rule, std::uint32_t match) {
    std::uint32_t slot = static_cast<std::uint32_t>(slots_.size());
    if (free_slots_.empty()) {
        slots_.emplace_back();
    } else {
        slot = free_slots_.back();
        free_slots_.pop_back();
    }
    slots_[slot] = {rule, match, Agenda::kNone};
    memories_[rule].known[match].slot = slot;
    fresh_.push_back(slot);
}

// Takes a match off the agenda, where it is only while it has not fired.
void Recognizer::drop(Known& known) {
    if (known.slot != kNoSlot) {
        agenda_.withdraw(slots_[known.slot].handle);
        free_slots_.push_back(known.slot);
        known.slot = kNoSlot;
    }
}

void Recognizer::count_top(Memory& memory) {
    if (is_random()) by_chance::count_top(memory);
}

// What came at once is put on the agenda so that ties go by the order of rules and matches: under
// depth the youngest is first, under all others the oldest.
void Recognizer::updated() {
    if (plan_->strategy == Strategy::Depth) std::reverse(fresh_.begin(), fresh_.end());
    for (const std::uint32_t slot : fresh_) {
        Slot& each = slots_[slot];
        const Known& known = memories_[each.rule].known[each.match];
        each.handle = agenda_.add({slot, known.salience, plan_->rules[each.rule].specificity, 0});
    }
    fresh_.clear();
    journal_.clear();
}

// ---- what is next ----------------------------------------------------------------------------

std::uint64_t Recognizer::choices() const {
    return is_random() ? by_chance::choices(memories_).count : agenda_.empty() ? 0 : 1;
}

Recognizer::Activation Recognizer::pick(std::uint64_t choice) {
    ++firings_;
    std::uint32_t rule = 0;
    std::uint32_t match = 0;
    if (is_random()) {
        const by_chance::Choice chosen = by_chance::choice(memories_, choice);
        rule = chosen.rule;
        match = chosen.match;
    } else {
        const Slot& slot = slots_[agenda_.payload(agenda_.next())];
        rule = slot.rule;
        match = slot.match;
        drop(memories_[rule].known[match]);
    }
    Memory& memory = memories_[rule];
    memory.known[match].fired = true;
    count_top(memory);
    return {rule, match, values_of(memory, match)};
}

std::vector<Recognizer::Standing> Recognizer::standing(std::uint32_t rule) const {
    const Memory& memory = memories_[rule];
    std::vector<Standing> all;
    for (std::uint32_t i = 0; i < memory.known.size(); ++i)
        all.push_back({values_of(memory, i), memory.known[i].salience, memory.known[i].fired});
    return all;
}

void Recognizer::append_time_tags(std::uint64_t payload, std::vector<std::uint64_t>& tags) const {
    const Slot& slot = slots_[payload];
    const AgendaRule& rule = plan_->rules[slot.rule];
    const std::span<const Value> match = values_of(memories_[slot.rule], slot.match);
    const std::size_t begin = tags.size();
    for (const BasisPath& basis : rule.basis) {
        path_.clear();
        for (const BasisKey& key : basis) {
            scratch_.clear();
            for (const BasisKey::Part& part : key.parts) {
                scratch_ += part.text != kNoSymbol
                                ? std::string(state_->symbols().text(part.text))
                                : to_text(match[part.variable], state_->symbols());
            }
            path_.push_back(state_->symbols().find(scratch_));
        }
        const auto found = tags_.find(path_);
        tags.push_back(found == tags_.end() ? 0 : found->second);
    }
    if (plan_->strategy == Strategy::Mea) {
        // The first element is the condition's first entry, as recent as its newest node.
        std::uint64_t newest = 0;
        for (std::size_t i = 0; i < rule.first_entry; ++i)
            newest = std::max(newest, tags[begin + i]);
        tags.insert(tags.begin() + static_cast<std::ptrdiff_t>(begin), newest);
    }
}

} // namespace croupier::engine
