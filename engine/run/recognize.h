// The memory of a recognize-act cycle: the matches of the rules of an agenda group, which of them
// have fired, and which is next.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/state/journal.h"
#include "engine/state/state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {

// The caller searches rules and runs actions; this class says which rules to search again after a
// firing, takes their matches, keeps unchanged ones and picks the next. Searching a rule again
// costs time in proportion to all its matches; a rule that reads no touched node costs nothing. A
// firing costs a look at each rule and at the matches of the one that fires. Keeps its buffers
// between runs.
class Recognizer {
  public:
    // A match of a rule of the group that has not fired.
    struct Activation {
        std::uint32_t rule = 0; // index in the group
        std::uint32_t match = 0;
        std::span<const Value> values;
    };
    // Computes the salience of a match that is about to become an activation.
    using Salience = std::function<int(std::uint32_t rule, std::span<const Value> match)>;

    // Forgets everything. Catalogue, group and state must outlive the run.
    void begin(const Catalogue& catalogue, const GroupPlan& group, const State& state);
    [[nodiscard]] Journal& journal() { return journal_; }
    // The rules whose matches may have changed, in order; all of them at first.
    const std::vector<std::uint32_t>& outdated();
    // Sets the matches of the rule; `matches` has the values of its variables for `count` matches.
    void update(std::uint32_t rule, std::span<const Value> matches, std::uint64_t count,
                const Salience& salience);
    // Call after all outdated rules are updated: starts the journal again.
    void updated() { journal_.clear(); }

    // Number of activations among which `pick` chooses by chance: those of the highest salience
    // under the strategy random, otherwise one or none.
    [[nodiscard]] std::uint64_t choices() const {
        const std::uint64_t count = best().count;
        return is_random() ? count : std::min<std::uint64_t>(count, 1);
    }
    // Returns the activation to fire and marks it as fired; `choice` is below choices().
    Activation pick(std::uint64_t choice);

    // A match between two firings, for observers.
    struct Standing {
        std::span<const Value> values;
        int salience = 0;
        bool fired = false;
    };
    // The matches of the rule with that index in the group.
    [[nodiscard]] std::vector<Standing> standing(std::uint32_t rule) const;

  private:
    static constexpr std::uint32_t kNoMatch = 0xffffffff;

    struct Known {
        bool fired = false;
        bool kept = false;
        int salience = 0;
        std::uint64_t moment = 0;        // firings before it appeared
        std::uint64_t age = 0;           // smaller is older
        std::vector<std::uint64_t> tags; // under lex and mea, in comparison order
    };
    // The matches of one rule, in order.
    struct Memory {
        std::uint32_t width = 0; // values of a match
        std::vector<Value> values;
        std::vector<Known> known;
        std::uint32_t next = kNoMatch; // the first to fire of this rule's, or none
        std::uint64_t count = 0;       // number of unfired matches with its salience
    };
    // The rule whose match fires next, and how many matches of all rules have its salience.
    struct Best {
        std::uint32_t rule = 0;
        std::uint64_t count = 0; // 0: no activation
    };
    // A changed node on which a match of the rule may stand.
    struct Suspect {
        const BasisPath* basis;
        std::span<const Symbol> path;
    };

    [[nodiscard]] bool is_before(std::uint32_t rule, std::uint32_t match, std::uint32_t other_rule,
                                 std::uint32_t other_match) const;
    [[nodiscard]] Best best() const;
    void rank(std::uint32_t rule);
    [[nodiscard]] std::vector<std::uint64_t> time_tags(std::uint32_t rule,
                                                       std::span<const Value> match);
    const std::string& text_of(const BasisKey& key, std::span<const Value> match) const;
    [[nodiscard]] bool is_random() const { return plan_->strategy == Strategy::Random; }
    [[nodiscard]] bool has_tags() const {
        return plan_->strategy == Strategy::Lex || plan_->strategy == Strategy::Mea;
    }
    [[nodiscard]] std::span<const Value> values_of(const Memory& memory,
                                                   std::uint32_t match) const {
        return std::span(memory.values).subspan(std::size_t{match} * memory.width, memory.width);
    }
    void find_changed();
    void find_suspects(std::uint32_t rule);
    bool stays_as_it_is(std::uint32_t rule, std::span<const Value> matches, std::uint64_t count);
    [[nodiscard]] bool has_changed(std::span<const Value> match) const;
    [[nodiscard]] bool is_key(const BasisKey& key, std::span<const Value> match, Symbol text) const;
    [[nodiscard]] std::uint32_t find_same(const Memory& memory, std::span<const Value> match,
                                          std::uint32_t expected);
    void index(const Memory& memory);

    const AgendaPlan* plan_ = nullptr;
    const State* state_ = nullptr;
    Journal journal_; // of the last firing, until all rules are updated
    std::vector<Memory> memories_;
    Memory old_; // of the rule being updated
    bool indexed_ = false;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> index_; // hash and index of old matches
    bool knows_changed_ = false;                   // the settled journal has been read
    std::vector<std::span<const Symbol>> changed_; // nodes that differ since the last firing
    std::vector<Suspect> suspects_;
    AgendaPlan::Rules touched_;
    std::vector<std::uint32_t> outdated_;
    std::uint64_t firings_ = 0;
    bool first_ = true;
    std::uint64_t ages_ = 0;
    std::map<std::vector<Symbol>, std::uint64_t> tags_; // of nodes changed by a firing
    mutable std::string scratch_;
};

} // namespace croupier::engine
