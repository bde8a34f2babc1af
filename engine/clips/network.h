// The matcher: a Rete with hashed memories that visits facts, patterns and joins in the order of
// CLIPS 6.30, so that activations come about in the same order.
#pragma once

#include "engine/clips/arena.h"
#include "engine/clips/interner.h"
#include "engine/clips/match.h"
#include "engine/run/random.h"

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace croupier::engine::clips {

class Session;

// The facts, as they are saved and restored with the arena.
struct FactList {
    Fact* first = nullptr;
    Fact* last = nullptr;
    std::int64_t next_index = 0;
    std::uint64_t next_tag = 0;
    std::uint64_t count = 0;
    Fact** table = nullptr;
    std::uint64_t table_size = 0;
    std::uint64_t hashed = 0;
    // For the names of draws: resets above bit 40, below it facts that came and went since.
    std::uint64_t events = 0;
    std::uint64_t first_tag = 0; // of the facts since the last reset
};

// The number that decides among activations in games at random. It is named by what the activation
// is, not by how many were made before, so that it does not matter who finds it or in which order.
std::uint64_t activation_draw(const Random& draws, const FactList& facts, const Rule& rule,
                              const Bind* binds, std::size_t count);

namespace seek {
class Seeker;
}

class Network {
  public:
    Network(Session& session, Interner& interner, std::size_t memory_limit);

    // Facts. `assert_fact` takes values for all slots; null if there is an equal fact already.
    Fact* new_fact(Template& of);
    // Both need its hash.
    static void hash(Fact& fact);
    [[nodiscard]] Fact* find_equal(const Fact& fact) const;
    void insert(Fact* fact); // numbers it and runs it through the network
    void retract(Fact* fact);
    void free_fact(Fact* fact);
    [[nodiscard]] const FactList& facts() const { return *facts_; }
    void restart_indices() {
        facts_->next_index = 0;
        facts_->events = ((facts_->events >> 40) + 1) << 40;
        facts_->first_tag = facts_->next_tag;
    }
    void forget_events() { facts_->events = 0; }
    [[nodiscard]] Fact* find(std::int64_t index) const;

    // Building. `finish` runs the present facts through what is new.
    PatternNode* add_node(Template& of, PatternNode* parent, PatternNode&& made);
    Memory* node_memory(bool hashed) { return new_memory(hashed); }
    PatternNode* find_node(Template& of, PatternNode* parent, const std::string& key);
    Join* find_join(Join* left, PatternNode* node, Join* right_join, const Join& wanted,
                    bool prime_joins);
    Join* add_join(Join&& made);
    void finish(std::span<Rule* const> disjuncts);
    void remove(Rule& rule);

    // Recreates what a reset does to joins that begin without a fact.
    void unprime();
    void prime();

    [[nodiscard]] Value value_at(const Bind& bind, const Place& place) const;
    [[nodiscard]] Arena& arena() { return arena_; }
    [[nodiscard]] const Arena& arena() const { return arena_; }

    // Matches of a join's right side in the order in which they came.
    static void each_right(const Join& join, const std::function<void(const Match&)>& visit);
    static void each_left(const Join& join, const std::function<void(const Match&)>& visit);

    // Whether the tests hold between a left match and a right one.
    bool passes(const Tests& tests, const Bind* left, const Bind* right, const Join* join);
    bool passes_one(const Test& test, const Bind* left, const Bind* right, bool& failed);
    // Hash of a left match at a join.
    [[nodiscard]] std::uint64_t left_hash(const Join& join, const Bind* binds) const {
        return hash_parts(join.left_keys, binds);
    }
    static Bucket* find_bucket(Memory& memory, std::uint64_t hash);
    void drive(Match* left, Match* right, Join* join, bool retracting);

    // Whether the fact would be kept at the node, which has no $? to enumerate.
    bool matches(const PatternNode& node, const Fact& fact);

    // Pattern nodes whose joins have nothing on their left stop keeping matches until something
    // comes from there. This changes the order of things, so only games at random may do it.
    void doze();
    void wake_all();

    // Until `end_games` a Seeker matches, on facts of its own: those of before wait untouched.
    void begin_games();
    void end_games();
    void attach(seek::Seeker* seeker) { seeker_ = seeker; }
    [[nodiscard]] seek::Seeker* seeker() const { return seeker_; }

    // Facts that left and whose memory may still be read by a running action.
    void bury(Fact* fact);
    void free_buried();
    void forget_buried() { buried_.clear(); }
    // The matches that a counted left match stands for, one by one.
    void list_continuations(Match* left);

    bool profiling = false;
    [[nodiscard]] double matching_seconds() const { return matching_seconds_; }

  private:
    void new_fact_list();
    Memory* new_memory(bool hashed);
    Bucket* need_bucket(Memory& memory, std::uint64_t hash);
    void rehash(Memory& memory);
    Match* new_match(std::size_t binds);
    void free_match(Match* match);

    void match_level(const std::vector<PatternNode*>& level, Fact* fact, std::uint32_t offset,
                     int offset_slot);
    void match_roots(Fact* fact);
    template <typename Item>
    std::size_t choose(const ValueIndex<Item>& index, const Fact* fact,
                       std::vector<typename ValueIndex<Item>::Entry>& into);
    void match_node(PatternNode* node, Fact* fact, std::uint32_t offset, int offset_slot);
    void match_multi(PatternNode* node, Fact* fact, std::uint32_t offset, int offset_slot);
    static PatternNode* choose_child(const PatternNode& node, const Value& value);
    bool node_tests(PatternNode* node, const Fact* fact);
    void enter(PatternNode* node, Fact* fact);
    Match* store(PatternNode* node, Fact* fact);
    bool accepts(PatternNode* node, const Fact* fact);
    void wake(PatternNode* node);

    void assert_alpha(Match* alpha, Join* join);
    void assert_right(Match* right, Join* join, bool retracting);
    void assert_left(Match* left, Join* join, bool retracting);
    void enter_first(Match* right, Join* join, bool retracting);
    void drive_empty(Match* parent, Join* join, bool retracting);
    void pass_on(Match* made, const Link& link, bool retracting);
    Match* merge(Match* left, Match* right);
    void link(Match* made, Match* left, Match* right, Join* join, bool on_right);

    void retract_right_children(Match* alpha, bool retracting);
    void retract_left_children(Match* parent, bool retracting);
    void release_blocked(Match* right, bool retracting);
    void find_other_blocker(Match* left, Match* after, Join* join, bool retracting);
    void unlink_memory(Match* match);
    static void unlink_right_parent(Match* match);
    static void unlink_left_parent(Match* match);
    static void unlink_blocked(Match* match);
    static void block(Match* left, Match* right);
    static void unblock(Match* left);
    [[nodiscard]] static bool doomed(const Match& match);
    [[nodiscard]] static Match* next_on_right(const Join& join, Match* match);
    [[nodiscard]] static Match* first_on_right(Join& join, std::uint64_t hash);

    std::uint64_t hash_parts(const std::vector<KeyPart>& keys, const Bind* binds) const;
    void remember(Match* match, Memory& memory);
    void drop_alpha(Match* match);
    static void forget_match(Match* match);

    static std::vector<Match*> matches_for_another(const std::vector<Link>& links,
                                                   const Join* join);
    void prime_from_left(Join* join);
    void prime_from_right(Join* join);
    void prime_joins_of(Join* join);
    void mark_new(Join* join, bool value);
    void release_join(Join* join);
    void release_node(PatternNode* node);
    void drop_children(Match* match);

    Session& session_;
    Interner& interner_;
    Arena arena_;
    FactList* facts_;
    seek::Seeker* seeker_ = nullptr;
    FactList* facts_before_games_ = nullptr;
    std::vector<Fact*> buried_before_games_;
    std::deque<PatternNode> nodes_;
    std::deque<Join> joins_;
    std::vector<Join*> right_primed_; // begin without a pattern; newest first
    std::vector<Join*> left_primed_;  // begin with a not; newest first
    std::vector<Marker> markers_;     // of the pattern being matched
    std::vector<Fact*> buried_;
    std::unordered_map<const Template*, ValueIndex<PatternNode>> root_indexes_;
    std::vector<ValueIndex<PatternNode>::Entry> chosen_nodes_;
    std::vector<ValueIndex<Join>::Entry> chosen_joins_;
    std::uint32_t next_rank_ = 0;
    bool incremental_ = false;

    // While profiling: time goes to the join that was entered last.
    friend class JoinTimer;
    Join* timed_ = nullptr;
    double since_ = 0;
    double matching_seconds_ = 0;
};

inline Value Network::value_at(const Bind& bind, const Place& place) const {
    const Value* slots = bind.fact->slots();
    if (place.kind == Place::Kind::Slot) return slots[place.slot];
    if (place.kind == Place::Kind::Address) return Value::fact(bind.fact);
    const Multifield& fields = slots[place.slot].fields();
    switch (place.kind) {
    case Place::Kind::FromStart:
        return fields[place.index];
    case Place::Kind::FromEnd:
        return fields[fields.size - 1 - place.index];
    case Place::Kind::Miscounted:
        return place.index < fields.size ? fields[place.index] : Value{};
    case Place::Kind::Between: {
        const Marker& marker = bind.markers[place.marker];
        return fields[marker.start + marker.length + place.index];
    }
    case Place::Kind::Rest:
        return interner_.multifield(
            {fields.begin() + place.index, fields.size - place.index - place.after});
    default: {
        const Marker& marker = bind.markers[place.marker];
        return interner_.multifield({fields.begin() + marker.start, marker.length});
    }
    }
}

} // namespace croupier::engine::clips
