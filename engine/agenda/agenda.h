// The conflict set of a recognize-act cycle: which of all activations comes next under a strategy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace croupier::engine {

// The conflict resolution strategies of CLIPS 6.30. Salience comes before all of them; among equal
// saliences:
//   Depth       the newest activation first
//   Breadth     the oldest first
//   Simplicity  the least specific rule first, then the oldest
//   Complexity  the most specific rule first, then the oldest
//   Lex         time tags of the basis, largest first, compared one by one; then the longer basis,
//               the more specific rule, the oldest
//   Mea         the time tag of the first element, larger first; then as Lex
//   Random      the smallest draw first, then the oldest
enum class Strategy : std::uint8_t { Depth, Breadth, Simplicity, Complexity, Lex, Mea, Random };

std::string_view strategy_name(Strategy strategy);
std::optional<Strategy> find_strategy(std::string_view name);

// What an activation rests on, told by whoever owns the activations. Asked under Lex and Mea only.
class TimeTags {
  public:
    TimeTags() = default;
    virtual ~TimeTags() = default;
    TimeTags(const TimeTags&) = delete;
    TimeTags& operator=(const TimeTags&) = delete;

    // Appends one tag per element of the basis, in the order of the condition; 0 for an element
    // that no single fact stands for (not, exists).
    virtual void append_time_tags(std::uint64_t payload,
                                  std::vector<std::uint64_t>& tags) const = 0;
};

// A total order, so what is next never depends on how the set came about. Adding, withdrawing and
// asking for the next cost O(1) under Depth and Breadth and O(log n) under the others (Lex and Mea
// besides read time tags once per activation); nothing is allocated once the buffers have grown.
class Agenda {
  public:
    // Names an activation until it is withdrawn; then it may name another.
    using Handle = std::uint32_t;
    static constexpr Handle kNone = ~Handle{0};

    struct Entry {
        std::uint64_t payload = 0;     // the owner's: an index, a pointer
        int salience = 0;              // larger first
        std::uint32_t specificity = 0; // of the rule: "complexity" in CLIPS
        std::uint64_t draw = 0;        // the random number it was given when it was made
    };

    // `tags` may be missing where Lex and Mea are not used; it must outlive the agenda.
    explicit Agenda(Strategy strategy = Strategy::Depth, const TimeTags* tags = nullptr)
        : strategy_(strategy), tags_source_(tags) {}

    // Each is younger than all before it.
    Handle add(const Entry& entry);
    void withdraw(Handle handle);
    // The activation to fire, or kNone. It stays until it is withdrawn.
    [[nodiscard]] Handle next() const;

    [[nodiscard]] std::uint64_t payload(Handle handle) const { return nodes_[handle].payload; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }

    // Withdraws all, and goes on by that strategy. Ages go on counting.
    void clear(Strategy strategy);

  private:
    using Level = std::uint32_t; // index into levels_

    struct Node {
        std::uint64_t payload;
        std::uint64_t key; // what the strategy compares first, smaller first
        std::uint64_t age; // smaller is older
        std::uint64_t draw;
        std::uint32_t specificity;
        Level level;
        // Listed: neighbours by age. In a heap: `previous` is the place in it. Free: `next`.
        Handle previous;
        Handle next;
    };

    // The activations of one salience: a list from the oldest to the youngest, or a heap.
    struct Group {
        int salience;
        Handle oldest = kNone;
        Handle youngest = kNone;
        std::vector<Handle> heap;

        [[nodiscard]] bool empty() const { return oldest == kNone && heap.empty(); }
    };

    [[nodiscard]] bool listed() const {
        return strategy_ == Strategy::Depth || strategy_ == Strategy::Breadth;
    }
    [[nodiscard]] bool tagged() const {
        return strategy_ == Strategy::Lex || strategy_ == Strategy::Mea;
    }
    [[nodiscard]] bool before(Handle a, Handle b) const;
    [[nodiscard]] bool before_by_tags(Handle a, Handle b) const;
    void prepare(Handle handle);
    Level level_of(int salience);
    void insert(Handle handle);
    void insert_by_age(Group& group, Handle handle);
    void remove(Handle handle);
    void place(Group& group, std::size_t at, Handle handle);
    void sift_up(Group& group, std::size_t at);
    void sift_down(Group& group, std::size_t at);

    Strategy strategy_;
    const TimeTags* tags_source_;
    std::vector<Node> nodes_;
    std::vector<std::vector<std::uint64_t>> tags_; // by handle, largest first; under Lex and Mea
    Handle free_ = kNone;
    std::vector<Group> levels_;
    std::vector<Level> by_salience_;       // highest first
    mutable std::size_t first_filled_ = 0; // in by_salience_; all before it are empty
    Level last_level_ = 0;                 // most activations come in runs of one salience
    std::uint64_t next_age_ = 0;
    std::size_t size_ = 0;
};

} // namespace croupier::engine
