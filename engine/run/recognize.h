// The memory of a recognize-act cycle: the matches that the rules of an agenda group have, which of
// them have fired, and which is next.
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

// Whoever runs the rules finds their matches and acts; this tells him which rules to search again
// after a firing, takes their matches, keeps what stayed the same and picks the next. Searching
// again costs time in proportion to all matches of a rule, and nothing for a rule that looks at
// nothing that was touched; a firing costs a look at each rule and at the matches of the one that
// fires. Buffers are kept from run to run.
class Recognizer {
  public:
    // A match of a rule of the group that has not fired.
    struct Activation {
        std::uint32_t rule = 0; // its place in the group
        std::uint32_t match = 0;
        std::span<const Value> values;
    };
    // The salience of a match that is about to become an activation.
    using Salience = std::function<int(std::uint32_t rule, std::span<const Value> match)>;

    // Forgets everything. Catalogue, group and state must outlive the run.
    void begin(const Catalogue& catalogue, const GroupPlan& group, const State& state);
    [[nodiscard]] Journal& journal() { return journal_; }
    // The rules whose matches may differ from what is known, in their order; at first all.
    const std::vector<std::uint32_t>& outdated();
    // The matches that the rule has now: `count` times as many values as it has variables.
    void update(std::uint32_t rule, std::span<const Value> matches, std::uint64_t count,
                const Salience& salience);
    // All outdated rules are updated: the journal begins anew.
    void updated() { journal_.clear(); }

    // How many activations `pick` chooses from by chance: those of the highest salience under the
    // strategy random, otherwise one or none.
    [[nodiscard]] std::uint64_t choices() const {
        const std::uint64_t count = best().count;
        return is_random() ? count : std::min<std::uint64_t>(count, 1);
    }
    // The activation to fire; `choice` is below choices(). It counts as fired from now on.
    Activation pick(std::uint64_t choice);

    // A match as it stands between two firings, for those who watch.
    struct Standing {
        std::span<const Value> values;
        int salience = 0;
        bool fired = false;
    };
    // Those of the rule, by its place in the group.
    [[nodiscard]] std::vector<Standing> standing(std::uint32_t rule) const;

  private:
    static constexpr std::uint32_t kNoMatch = 0xffffffff;

    struct Known {
        bool fired = false;
        bool kept = false;
        int salience = 0;
        std::uint64_t moment = 0;        // firings before it came
        std::uint64_t age = 0;           // smaller is older
        std::vector<std::uint64_t> tags; // under lex and mea, in the order in which they compare
    };
    // The matches of one rule, in order.
    struct Memory {
        std::uint32_t width = 0; // values of a match
        std::vector<Value> values;
        std::vector<Known> known;
        std::uint32_t next = kNoMatch; // to fire before all others of the rule, or none
        std::uint64_t count = 0;       // how many that have not fired have its salience
    };
    // The rule whose match fires next, and how many of all rules' have its salience.
    struct Best {
        std::uint32_t rule = 0;
        std::uint64_t count = 0; // 0: no rule has any
    };
    // A node that has changed, as a rule's match may stand on it.
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
    Journal journal_; // of the firing before, until all rules are updated
    std::vector<Memory> memories_;
    Memory old_; // of the rule that is being updated
    bool indexed_ = false;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> index_; // hash and place of old matches
    bool knows_changed_ = false; // what is in the settled journal has been looked at
    std::vector<std::span<const Symbol>> changed_; // nodes that differ from before the last firing
    std::vector<Suspect> suspects_;
    AgendaPlan::Rules touched_;
    std::vector<std::uint32_t> outdated_;
    std::uint64_t firings_ = 0;
    bool first_ = true;
    std::uint64_t ages_ = 0;
    std::map<std::vector<Symbol>, std::uint64_t> tags_; // of nodes that some firing has changed
    mutable std::string scratch_;
};

} // namespace croupier::engine
