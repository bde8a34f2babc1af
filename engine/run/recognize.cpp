// Keeps the matches of an agenda group up to date from what changed.
#include "engine/run/recognize.h"

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
    plan_ = group.agenda.get();
    state_ = &state;
    journal_.clear();
    memories_.resize(group.rules.size());
    for (std::size_t i = 0; i < memories_.size(); ++i) {
        Memory& memory = memories_[i];
        memory.width = static_cast<std::uint32_t>(catalogue.rules[group.rules[i]].variables.size());
        memory.values.clear();
        memory.known.clear();
        memory.next = kNoMatch;
        memory.count = 0;
    }
    tags_.clear();
    firings_ = ages_ = 0;
    first_ = true;
}

const std::vector<std::uint32_t>& Recognizer::outdated() {
    knows_changed_ = false;
    touched_.assign((memories_.size() + 63) / 64, first_ ? ~std::uint64_t{0} : 0);
    first_ = false;
    for (std::size_t i = 0; i < journal_.size(); ++i)
        plan_->add_readers_of(journal_.path(i), touched_);
    outdated_.clear();
    for (std::uint32_t rule = 0; rule < memories_.size(); ++rule)
        if ((touched_[rule / 64] >> (rule % 64) & 1) != 0) outdated_.push_back(rule);
    if (has_tags()) {
        find_changed();
        for (const std::span<const Symbol> each : changed_)
            tags_[std::vector<Symbol>(each.begin(), each.end())] = firings_;
    }
    return outdated_;
}

// ---- what stayed the same --------------------------------------------------------------------

// Finds the touched nodes that really differ. Lazily, since few firings need it.
void Recognizer::find_changed() {
    if (std::exchange(knows_changed_, true)) return;
    changed_.clear();
    journal_.settle();
    for (std::size_t i = 0; i < journal_.size(); ++i)
        if (journal_.has_changed(i, *state_)) changed_.push_back(journal_.path(i));
}

// Finds the changed nodes that a match of the rule may stand on.
void Recognizer::find_suspects(std::uint32_t rule) {
    find_changed();
    suspects_.clear();
    for (const std::span<const Symbol> path : changed_) {
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

const std::string& Recognizer::text_of(const BasisKey& key, std::span<const Value> match) const {
    scratch_.clear();
    for (const BasisKey::Part& part : key.parts) {
        scratch_ += part.text != kNoSymbol ? std::string(state_->symbols().text(part.text))
                                           : to_text(match[part.variable], state_->symbols());
    }
    return scratch_;
}

bool Recognizer::is_key(const BasisKey& key, std::span<const Value> match, Symbol text) const {
    if (key.is_text()) return key.parts[0].text == text;
    if (key.parts.size() == 1 && match[key.parts[0].variable].is_text())
        return match[key.parts[0].variable].symbol() == text;
    return text_of(key, match) == state_->symbols().text(text);
}

// Whether a node that the match stands on has changed.
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

// The first old match with these values that is not kept yet; usually the one at `expected`.
std::uint32_t Recognizer::find_same(const Memory& memory, std::span<const Value> match,
                                    std::uint32_t expected) {
    if (!indexed_) {
        if (expected < memory.known.size() && same_values(values_of(memory, expected), match))
            return expected;
        // Use hashes from here on: the next match may be one before `expected` too.
        indexed_ = true;
        index(memory);
    }
    const std::uint64_t hash = hash_of(match);
    auto at = std::lower_bound(index_.begin(), index_.end(), std::pair{hash, std::uint32_t{0}});
    for (; at != index_.end() && at->first == hash; ++at)
        if (!memory.known[at->second].kept && same_values(values_of(memory, at->second), match))
            return at->second;
    return kNoMatch;
}

// Whether the rule has the same matches in the same order, and none stands on a changed node.
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
                        const Salience& salience) {
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
        if (same != kNoMatch) {
            expected = same + 1;
            old_.known[same].kept = true;
            if (!has_changed(match)) {
                known = std::move(old_.known[same]);
                known.kept = false;
                continue;
            }
        }
        known.salience = plan.fixed_salience ? plan.salience : salience(rule, match);
        known.moment = firings_;
        known.age = ages_++;
        if (has_tags()) known.tags = time_tags(rule, match);
    }
    rank(rule);
}

// ---- what is next ----------------------------------------------------------------------------

// Orders by salience, then by the strategy. Matches of one moment fire in the order of rules and
// matches, even if the strategy prefers the newest.
bool Recognizer::is_before(std::uint32_t rule, std::uint32_t match, std::uint32_t other_rule,
                           std::uint32_t other_match) const {
    const Known& one = memories_[rule].known[match];
    const Known& other = memories_[other_rule].known[other_match];
    if (one.salience != other.salience) return one.salience > other.salience;
    const std::uint32_t specific = plan_->rules[rule].specificity;
    const std::uint32_t other_specific = plan_->rules[other_rule].specificity;
    switch (plan_->strategy) {
    case Strategy::Depth:
        if (one.moment != other.moment) return one.moment > other.moment;
        break;
    case Strategy::Simplicity:
        if (specific != other_specific) return specific < other_specific;
        break;
    case Strategy::Lex:
    case Strategy::Mea: // larger tags first, then the longer list
        if (one.tags != other.tags) return one.tags > other.tags;
        [[fallthrough]];
    case Strategy::Complexity:
        if (specific != other_specific) return specific > other_specific;
        break;
    case Strategy::Breadth:
    case Strategy::Random:
        break;
    }
    return one.age < other.age;
}

// Finds the match of the rule that fires next.
void Recognizer::rank(std::uint32_t rule) {
    Memory& memory = memories_[rule];
    memory.next = kNoMatch;
    memory.count = 0;
    for (std::uint32_t i = 0; i < memory.known.size(); ++i) {
        if (memory.known[i].fired) continue;
        const bool none = memory.next == kNoMatch;
        const bool level = !none && memory.known[i].salience == memory.known[memory.next].salience;
        const bool before = none || is_before(rule, i, rule, memory.next);
        if (before && !level) memory.count = 0;
        if (before || level) ++memory.count;
        if (before) memory.next = i;
    }
}

Recognizer::Best Recognizer::best() const {
    Best best;
    for (std::uint32_t rule = 0; rule < memories_.size(); ++rule) {
        const Memory& memory = memories_[rule];
        if (memory.count == 0) continue;
        const Memory& top = memories_[best.rule];
        const bool level =
            best.count != 0 && memory.known[memory.next].salience == top.known[top.next].salience;
        const bool before = best.count == 0 || is_before(rule, memory.next, best.rule, top.next);
        if (before && !level) best.count = 0;
        if (before || level) best.count += memory.count;
        if (before) best.rule = rule;
    }
    return best;
}

Recognizer::Activation Recognizer::pick(std::uint64_t choice) {
    ++firings_;
    std::uint32_t rule = best().rule;
    std::uint32_t match = memories_[rule].next;
    if (is_random()) {
        const int top = memories_[rule].known[match].salience;
        const auto is_choice = [&](const Known& known) {
            return !known.fired && known.salience == top && choice-- == 0;
        };
        for (rule = 0;; ++rule) {
            const std::vector<Known>& known = memories_[rule].known;
            const auto at = std::find_if(known.begin(), known.end(), is_choice);
            if (at == known.end()) continue;
            match = static_cast<std::uint32_t>(at - known.begin());
            break;
        }
    }
    Memory& memory = memories_[rule];
    memory.known[match].fired = true;
    rank(rule);
    return {rule, match, values_of(memory, match)};
}

std::vector<Recognizer::Standing> Recognizer::standing(std::uint32_t rule) const {
    const Memory& memory = memories_[rule];
    std::vector<Standing> all;
    for (std::uint32_t i = 0; i < memory.known.size(); ++i)
        all.push_back({values_of(memory, i), memory.known[i].salience, memory.known[i].fired});
    return all;
}

// The tags of all nodes of the basis, the largest first. Under mea the list starts with the newest
// tag of the condition's first entry.
std::vector<std::uint64_t> Recognizer::time_tags(std::uint32_t rule, std::span<const Value> match) {
    const AgendaRule& plan = plan_->rules[rule];
    std::vector<std::uint64_t> tags;
    std::vector<Symbol> path;
    for (const BasisPath& basis : plan.basis) {
        path.clear();
        for (const BasisKey& key : basis)
            path.push_back(state_->symbols().find(text_of(key, match)));
        const auto found = tags_.find(path);
        tags.push_back(found == tags_.end() ? 0 : found->second);
    }
    std::uint64_t newest = 0; // of the first entry
    for (std::size_t i = 0; i < plan.first_entry; ++i)
        newest = std::max(newest, tags[i]);
    const bool mea = plan_->strategy == Strategy::Mea;
    if (mea) tags.push_back(newest);
    std::sort(tags.begin(), tags.end(), std::greater<>());
    if (mea) tags.insert(tags.begin(), newest);
    return tags;
}

} // namespace croupier::engine
