// The matcher of games at random: nobody sees the order in which activations come about, so it
// keeps no partial matches, only facts by what rules ask of them, and searches for whole matches
// where a fact comes or goes.
#pragma once

#include "engine/agenda/agenda.h"
#include "engine/clips/arena.h"
#include "engine/clips/network.h"
#include "engine/clips/seek/plan.h"
#include "engine/run/random.h"

#include <array>
#include <cstdint>
#include <vector>

namespace croupier::engine::clips::seek {

struct Activation;

constexpr std::uint32_t kFirstTable = 16; // of an index

inline Entry* entries(Fact* fact) {
    return reinterpret_cast<Entry*>(fact->slots() + fact->width);
}
// The same for who knows how many slots the facts of a template have.
inline Entry* entries(Fact* fact, std::size_t width) {
    return reinterpret_cast<Entry*>(fact->slots() + width);
}

// A place of an activation in a list: of a fact that it rests on, or of a gate.
struct Link {
    Link* next;
    Link** back; // what points here
    Activation* of;
};

// A match that waits to fire, or, of a counted rule, all that differ in their last fact.
struct Activation {
    SoughtRule* rule;
    Agenda::Handle handle;
    std::uint32_t bundle; // its place among those that are counted
    std::uint16_t count;  // of binds
    std::uint16_t links;

    [[nodiscard]] Bind* binds() { return reinterpret_cast<Bind*>(this + 1); }
    [[nodiscard]] Link* link(std::size_t at) {
        return reinterpret_cast<Link*>(binds() + count) + at;
    }
};

// What fires next. The binds are a copy: the activation has gone.
struct Firing {
    Rule* rule = nullptr;
    std::size_t count = 0;
    std::array<Bind, 64> binds;
};

class Seeker {
  public:
    // All that changes while games run is taken from the network's arena, so that it is saved and
    // restored with the facts. `counting`: rules whose last fact need not be told apart may be
    // counted.
    Seeker(Network& network, Program& program, bool counting);

    void insert(Fact* fact);
    void retract(Fact* fact);
    // Around a reset: until `prime` facts go without anybody looking.
    void unprime();
    void prime();

    // Remembers what waits, as the start of each game.
    void save();
    // Chance for the next game, which goes on from `save` if the arena was put back.
    void restart(const Random& random, bool restored);
    // Takes it off the agenda; false when nothing is left.
    bool next(Firing& firing);
    [[nodiscard]] bool idle() const;

  private:
    // Facts (shelves.cpp)
    [[nodiscard]] bool accepts(const Alpha& alpha, const Fact* fact) const {
        for (const Constant& constant : alpha.constants) {
            if ((fact->slots()[constant.slot] == constant.value) != constant.equal) return false;
        }
        return !alpha.more || accepts_more(alpha, fact);
    }
    [[nodiscard]] bool accepts_more(const Alpha& alpha, const Fact* fact) const;
    void shelve(const Alpha& alpha, Fact* fact);
    static void unshelve(const Alpha& alpha, Fact* fact);
    void widen(Shelf& shelf);
    Shelf& shelf_for(const Index& index, const Fact* fact);
    Shelf& shelf_by_many(const Index& index, const Fact* fact);
    Shelf& new_shelf(Index::State& state, std::uint64_t hash, const Value& key,
                     const Value& second);
    void grow(Index::State& state);
    // Null or empty when nothing is there.
    [[nodiscard]] const Shelf* find(const Step& step, const Bind* binds) const {
        if (step.look == Look::All) return &step.shelves->all;
        if (step.look == Look::Many) return find_by_many(step, binds);
        const Value key = value(binds[step.one.position].fact, step.one.place);
        if (step.look == Look::One) return look_up(*step.shelves, hash_of(0, key), key);
        const Value second = value(binds[step.two.position].fact, step.two.place);
        return look_up(*step.shelves, hash_of(hash_of(0, key), second), key, second);
    }
    [[nodiscard]] const Shelf* find_by_many(const Step& step, const Bind* binds) const;
    // By one value or two.
    template <typename... Second>
    [[gnu::always_inline]] static Shelf* look_up(const Index::State& state, std::uint64_t hash,
                                                 Value key, Second... second) {
        const std::uint32_t mask = state.size - 1;
        auto at = static_cast<std::uint32_t>(hash >> 7) & mask;
        for (;; at = (at + 1) & mask) {
            Shelf* shelf = state.table[at];
            if (shelf == nullptr || (shelf->key == key && ((shelf->second == second) && ...)))
                return shelf;
        }
    }
    [[nodiscard, gnu::always_inline]] Value value(const Fact* fact, const Place& place) const {
        if (place.kind == Place::Kind::Slot) [[likely]]
            return fact->slots()[place.slot];
        if (place.kind == Place::Kind::FromStart)
            return fact->slots()[place.slot].fields()[place.index];
        return odd_value(fact, place);
    }
    [[nodiscard]] Value odd_value(const Fact* fact, const Place& place) const;
    void wake(const Alpha& alpha);

    // Searches
    bool wake(const SoughtRule& rule);
    void wake_watchers(const Fact* fact);
    void begin(const Use& use, Fact* fact);
    void search(const Plan& plan, const Step* step);
    bool others_answer(const Use& use, const Plan& plan, Fact* fact) const;
    // Takes the place in what is bound if it passes.
    bool takes(const Step& step, Fact* fact) {
        if (step.not_seed && fact == seed_) return false;
        if (step.only != 0 && (fact->alphas & step.only) == 0) return false;
        binds_[step.position] = {fact, nullptr};
        return step.tests.empty() || holds(step);
    }
    bool holds(const Step& step);
    bool gate_holds(const Step& step, const Fact* except);
    bool concerns(const Element& gate, const Fact* fact, const Bind* binds);
    void complete(const Plan& plan);

    // Activations (activations.cpp)
    Activation* add(SoughtRule& rule, const Bind* binds, bool counted);
    void drop(Activation* activation);
    static void hang(Link* link, Link*& list);
    Link*& gate_list(const SoughtRule& rule, const Element& gate, std::uint64_t hash);
    void grow(const SoughtRule& rule, const Element& gate);
    [[nodiscard]] std::uint64_t gate_hash(const Element& gate, const Bind* binds) const;
    void strike(const Use& use, const Fact* fact);
    void list(Activation* bundle);
    [[nodiscard]] const Shelf* last_facts(Activation* bundle) const;
    // Fires a bundle, lists some, or has nothing to say because `listed` comes first.
    enum class Picked : std::uint8_t { Nothing, Fired, Listed };
    Picked pick(Agenda::Handle listed, Firing& firing);

    Network& network_;
    Program& program_;
    bool counting_;
    bool resetting_ = false;
    Agenda agenda_{Strategy::Random};
    std::vector<Activation*> bundles_;
    std::vector<Activation*> start_listed_;
    std::vector<Activation*> start_bundles_;
    std::array<Bind, 64> binds_{};
    Fact* seed_ = nullptr;
    Random draws_; // named draws
    Random picks_;
};

} // namespace croupier::engine::clips::seek
