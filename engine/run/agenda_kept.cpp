// Which matches of an agenda's rule are those that it had before the last firing.
#include "engine/run/agenda_memory.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace croupier::engine {

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
    for (Known& known : memory.known) {
        if (!known.kept) {
            drop(known);
        }
    }
    std::swap(old_, memory.known);
    memory.words.assign(words.begin(), words.end());
    memory.known.assign(same_.size(), Known{});
    for (std::uint32_t match = 0; match < same_.size(); ++match) {
        if (same_[match] != kNoPlace) {
            Known& known = memory.known[match];
            known = old_[same_[match]];
            known.kept = false;
            if (known.place != kNoPlace) {
                activations_.set_match(known.place, match);
            }
        }
    }
    memory.waiting = 0;
    for (std::uint32_t match = 0; match < same_.size(); ++match) {
        if (same_[match] == kNoPlace) {
            add(rule, match, salience);
        }
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
        if (same == kNoPlace) {
            continue;
        }
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
        if (expected < count && is_same(expected)) {
            return expected;
        }
        // From here on by hash: what comes once may have come before `expected` too.
        indexed_ = true;
        index_.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            index_.emplace_back(hash_of_words({words_of(rule, i), match.size()}), i);
        }
        std::sort(index_.begin(), index_.end());
    }
    const std::uint64_t hash = hash_of_words(match);
    auto at = std::lower_bound(index_.begin(), index_.end(), std::pair{hash, std::uint32_t{0}});
    for (; at != index_.end() && at->first == hash; ++at) {
        if (!seen_[at->second] && is_same(at->second)) {
            return at->second;
        }
    }
    return kNoPlace;
}

// ---- what has changed ------------------------------------------------------------------------

// The last firing may have changed what some match of the rule stands on.
bool AgendaMemory::may_have_changed(std::uint32_t rule) {
    if (frame_->moment == 0) {
        return false;
    }
    find_changed_others();
    return (fired().concerned >> rule & 1) != 0 || !others_.empty();
}

// What of the undeclared nodes that were written truly differs.
void AgendaMemory::find_changed_others() {
    if (std::exchange(others_known_, true)) {
        return;
    }
    others_.clear();
    if (journal_.others() == 0) {
        return;
    }
    journal_.settle();
    set_drained();
    for (std::size_t i = 0; i < journal_.others(); ++i) {
        if (journal_.has_changed(journal_.declared().size() + i, *state_)) {
            others_.push_back(i);
        }
    }
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
    for (const BasisKey& key : path) {
        path_.push_back(symbol_of(key));
    }
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
    if (key.is_text()) {
        return key.parts[0].text;
    }
    if (key.parts.size() == 1 && values_[key.parts[0].variable].is_text()) {
        return values_[key.parts[0].variable].symbol();
    }
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
    if (width != 0 && std::memcmp(now + at, before + at, width) != 0) {
        return true;
    }
    if (node.presence == kNoOffset) {
        return false;
    }
    const auto [word, row] = presence_place(node, index);
    const std::size_t byte = word + row % kWordRows / 8;
    return ((now[byte] ^ before[byte]) >> (row % 8) & std::byte{1}) != std::byte{0};
}

} // namespace croupier::engine
