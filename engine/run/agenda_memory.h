// The matches that the rules of an agenda group have while it runs by machine code, and which of
// them fires next. Means the same as Recognizer, which serves those who watch.
#pragma once

#include "engine/emit/frame.h"
#include "engine/ir/ir.h"
#include "engine/run/random.h"
#include "engine/run/recognize.h"
#include "engine/tree/journal.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace croupier::engine {

// The activations of an agenda group that runs by machine code, in the order in which they fire.

// A heap in which each activation knows its place, told to its owner whenever it moves: an owner
// has `place_of(Activation)`, which gives what to write it to. Nothing is allocated once it has
// grown.
struct Activation {
    std::int64_t rank = 0;    // smaller first: by salience, and by how specific its rule is
    std::uint64_t moment = 0; // then
    std::uint64_t age = 0;    // and then
    std::uint32_t rule = 0;
    std::uint32_t match = 0;

    [[nodiscard]] bool is_before(const Activation& other) const {
        return std::tie(rank, moment, age) < std::tie(other.rank, other.moment, other.age);
    }
};

template <typename Owner>
class Activations {
  public:
    explicit Activations(Owner& owner) : owner_(owner) {}

    [[nodiscard]] bool empty() const { return heap_.empty(); }
    [[nodiscard]] const Activation& first() const { return heap_.front(); }
    void clear() { heap_.clear(); }
    void set_match(std::uint32_t place, std::uint32_t match) { heap_[place].match = match; }

    void add(const Activation& made) {
        heap_.push_back(made);
        rise(heap_.size() - 1);
    }
    void remove(std::size_t place) {
        const Activation last = heap_.back();
        heap_.pop_back();
        if (place < heap_.size()) {
            put(place, last);
            rise(place);
            sink(owner_.place_of(last));
        }
    }

  private:
    void put(std::size_t place, const Activation& activation) {
        heap_[place] = activation;
        owner_.place_of(activation) = static_cast<std::uint32_t>(place);
    }
    void rise(std::size_t at) {
        const Activation risen = heap_[at];
        for (; at > 0 && risen.is_before(heap_[(at - 1) / 2]); at = (at - 1) / 2)
            put(at, heap_[(at - 1) / 2]);
        put(at, risen);
    }
    void sink(std::size_t at) {
        const Activation sunk = heap_[at];
        for (std::size_t below = 2 * at + 1; below < heap_.size(); below = 2 * at + 1) {
            if (below + 1 < heap_.size() && heap_[below + 1].is_before(heap_[below])) ++below;
            if (!heap_[below].is_before(sunk)) break;
            put(at, heap_[below]);
            at = below;
        }
        put(at, sunk);
    }

    Owner& owner_;
    std::vector<Activation> heap_;
};

// What is known of an agenda group's rules before they run by machine code: how a match lies in
// memory, which nodes it stands on, and which of these an action may change.

struct AgendaFacts {
    // A bit for each rule of the group.
    using Rules = std::uint64_t;
    // Bytes of the state's block.
    struct Range {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };
    // A variable of a match: where it begins, in words. It takes two if it may have any value.
    struct Place {
        ir::Type type;
        std::uint32_t word = 0;
    };
    struct Rule {
        std::uint32_t width = 0; // of a match, in words
        bool has_any = false;    // a variable that may have any value
        std::vector<Place> variables;
        std::span<const BasisPath> basis;
        // Of the rule's action:
        Rules concerned = 0;       // their matches may stand on what it writes
        Rules ended = 0;           // none of their matches outlives it
        std::vector<bool> writes;  // schemas that some match stands on and it may write
        std::vector<Range> ranges; // where these are
    };

    AgendaFacts(const ir::Module& module, const ir::Function& function, const ir::Node& group);

    const GroupPlan* group = nullptr;
    std::vector<Rule> rules;
};

// Machine code searches and acts, and says what it writes to declared nodes; what is written in any
// other way stands in the journal. What matches stood on before a firing is copied only if a match
// may outlive it. Buffers are kept from run to run.
class AgendaMemory {
  public:
    AgendaMemory(const ir::Module& module, const ir::Function& function, const ir::Node& group);
    AgendaMemory(const AgendaMemory&) = delete;
    AgendaMemory& operator=(const AgendaMemory&) = delete;

    [[nodiscard]] const ir::Node& group() const { return node_; }

    // Forgets everything; all rules are to be searched. The state notes in the journal what is
    // written, until `end`.
    void begin(State& state, emit::Frame& frame);
    void end();
    // The rules that look at what has come to the journal are to be searched.
    void drain() {
        if (journal_.declared().size() != drained_declared_ || journal_.others() != drained_others_)
            drain_more();
    }
    // The matches that the rule has now, `frame.found` of them; what they are may be changed.
    void update(std::uint32_t rule, std::uint64_t* found, Recognizer::Salience& salience);
    // All instances of the schema are looked at by the same rules, which is true of none.
    [[nodiscard]] bool has_same_readers(SchemaId schema) const {
        return schema != kNoSchema && plan_.declared[schema].stride == 0;
    }
    // Those rules are to be searched.
    void touch(SchemaId schema) {
        frame_->touched |= plan_.reader_words[plan_.declared[schema].first];
    }
    // Machine code has picked the rule's only match.
    void fire(std::uint32_t rule);
    // The rule to fire, by its place from 1, or 0; `frame.match` is the match, which counts as
    // fired from now on.
    std::uint32_t pick(Random& random);

  private:
    struct Known {
        int salience = 0;
        std::uint32_t place = kNoPlace; // among the activations
        bool fired = false;
        bool kept = false;
    };
    // The matches of one rule, in order; what is left of an earlier moment unless it is remembered.
    struct Memory {
        std::vector<std::uint64_t> words;
        std::vector<Known> known;
        std::uint64_t waiting = 0; // that have not fired
        int top = 0;               // under the strategy random: the highest salience of those that
        std::uint64_t count = 0;   // have not fired, and how many have it; none: 0
    };
    friend class Activations<AgendaMemory>;
    static constexpr std::uint32_t kNoPlace = 0xffffffff;
    static constexpr std::uint32_t kSingleHead = emit::Frame::kSingleHead;

    std::uint32_t& place_of(const Activation& each) {
        return memories_[each.rule].known[each.match].place;
    }
    [[nodiscard]] bool is_random() const { return plan_.strategy == Strategy::Random; }
    [[nodiscard]] const std::uint64_t* words_of(std::uint32_t rule, std::size_t match) const {
        return memories_[rule].words.data() + match * facts_.rules[rule].width;
    }

    void drain_more();
    void set_drained() {
        drained_declared_ = journal_.declared().size();
        drained_others_ = journal_.others();
    }
    void add(std::uint32_t rule, std::uint32_t match, Recognizer::Salience& salience);
    void activate(std::uint32_t rule, std::uint32_t match, std::uint64_t moment, std::uint64_t age);
    void settle(std::uint32_t rule);
    void drop(Known& known);
    void count_top(Memory& memory);
    void keep_what_was(const AgendaFacts::Rule& fired);
    void load_values(std::uint32_t rule, const std::uint64_t* words);

    // What stayed the same (agenda_memory.cpp).
    void replace(std::uint32_t rule, std::span<const std::uint64_t> words,
                 Recognizer::Salience& salience);
    void find_kept(std::uint32_t rule, std::span<const std::uint64_t> words);
    [[nodiscard]] std::uint32_t find_same(std::uint32_t rule, std::span<const std::uint64_t> match,
                                          std::uint32_t expected);
    [[nodiscard]] bool may_have_changed(std::uint32_t rule);
    [[nodiscard]] bool has_changed(std::uint32_t rule, const std::uint64_t* words);
    [[nodiscard]] bool has_changed(const BasisPath& path);
    [[nodiscard]] const AgendaFacts::Rule& fired() const { // the last, of at least one
        return facts_.rules[frame_->fired];
    }
    [[nodiscard]] bool differs(SchemaId schema, std::uint32_t index) const;
    [[nodiscard]] Symbol symbol_of(const BasisKey& key);
    void find_changed_others();

    const ir::Module& module_;
    const ir::Node& node_;
    AgendaFacts facts_;
    const AgendaPlan& plan_;
    const Layout& layout_;
    State* state_ = nullptr;
    emit::Frame* frame_ = nullptr;
    Journal journal_;
    std::size_t drained_declared_ = 0; // so many of the journal's nodes have been looked at
    std::size_t drained_others_ = 0;
    AgendaPlan::Rules readers_; // a word, to be filled by the plan

    std::vector<Memory> memories_;
    Activations<AgendaMemory> activations_{*this};
    std::vector<std::uint64_t> singles_;
    std::vector<std::uint32_t> single_of_; // where a rule's part of them begins
    std::vector<std::uint64_t> outlive_;
    std::vector<std::byte> before_; // the block, as far as that one may have changed it
    bool others_known_ = false;
    std::vector<std::size_t> others_; // of the journal: undeclared nodes that it changed

    // Of the rule that is updated: what was known of its matches, and for each that it has now the
    // place of the same one there, or none.
    std::vector<Known> old_;
    std::vector<std::uint32_t> same_;
    std::vector<bool> seen_; // of the old ones: it is the same as one that there is now
    bool indexed_ = false;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> index_; // hash and place of old matches
    std::vector<Value> values_;                                  // of the match at hand
    std::vector<Symbol> path_;
    std::string text_;
};

} // namespace croupier::engine
