// Observers made of a ruleset's groups `observe`, `unseen` and `restore`; see engine/LANGUAGE.md,
// section 12.
#pragma once

#include "engine/api/program.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/streams.h"
#include "games/ruleset/ruleset_position.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::games {

// Deals hidden things to their possible holders, with all ways equally likely.

// Uniform in [0, 1).
inline double fraction(Random& random) {
    return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

// Each thing goes to one holder that may have it; each holder has room for a number of things. The
// ways are counted, so a draw is exactly uniform and never fails. Things with the same possible
// holders form a class, and only the number of each class per holder is counted: a few hundred
// steps for the cards of a trick game, however many deals there are.
class Deals {
  public:
    static constexpr std::size_t kMaxHolders = 8;
    static constexpr std::size_t kMaxThings = 127;
    using Mask = std::uint8_t; // one bit per holder

    // may[i]: possible holders of thing i; the rooms must add up to the number of things. False if
    // there is no way, or if there are too many cases to count.
    bool prepare(const std::vector<Mask>& may, const std::vector<std::uint32_t>& room);
    // How many ways there are.
    [[nodiscard]] double count() const { return count_; }
    // holder_of[i]: the holder of thing i. Only after `prepare` returned true.
    void draw(Random& random, std::vector<std::uint8_t>& holder_of);

  private:
    using Rooms = std::array<std::uint8_t, kMaxHolders>;
    struct Class {
        Mask may = 0;
        std::vector<std::uint32_t> things;
    };

    // A way to spread a class over rooms: the rooms left, and the number of deals of all ways
    // before it.
    struct Split {
        double before = 0;
        Rooms left{};
    };
    // A class and those after it, dealt into given rooms.
    struct Case {
        double ways = 0;
        std::vector<Split> splits; // those with any deals; found when first drawn from
    };

    [[nodiscard]] static std::uint64_t key_of(std::size_t of_class, const Rooms& rooms);
    double ways(std::size_t of_class, Rooms& rooms);
    const Rooms& draw_split(std::size_t of_class, Rooms& rooms, Random& random);
    template <typename Visit>
    void split(std::size_t of_class, Mask among, std::uint32_t things, double weight, Rooms& rooms,
               const Visit& visit);

    std::vector<Class> classes_; // those with few possible holders first
    Rooms rooms_{};
    double count_ = 0;
    bool too_many_ = false;
    std::unordered_map<std::uint64_t, Case> known_; // by class and rooms
};

// The rules see the seat's view, and their notes under `observer`. Observing and looking allocate,
// once per move. A draw, made thousands of times per move, changes a copy of the state in place.
class RulesetObserver : public Observer {
  public:
    // The game must outlive it and have these groups.
    explicit RulesetObserver(const RulesetGame& game);

    void reset(Seat me) override;
    void observe(const Position& view, Seat player, std::string_view move) override;
    bool look(const Position& view) override;
    bool draw(Position& into, Random& random) override;
    [[nodiscard]] bool believes() const override { return believes_; }
    void doubt() override { believes_ = false; }
    [[nodiscard]] Draws draws() const override { return draws_; }
    [[nodiscard]] const std::string& problem() const override { return problem_; }
    // After `look`: the number of ways to fill what is open, including draws that will be rejected.
    [[nodiscard]] double ways() const { return deals_.count(); }

  private:
    // Where a thing's holder is written: at a declared place, or under its name.
    struct Thing {
        engine::Symbol name = engine::kNoSymbol;
        engine::NodeRef leaf;
    };

    // A thing's holder as a value, and as the code of the leaf; 0 if the value must be encoded
    // first.
    struct Holder {
        engine::Value value;
        std::uint32_t code = 0;
    };

    bool fail(std::string problem);
    bool fail_of(const RulesetPosition& position);
    // Runs the group on `work_` with the notes under `observer`; returns the document it leaves
    // there.
    std::optional<engine::Document> consult(engine::GroupId group);
    bool read(const engine::Document& said);
    void prepare_to_draw();
    bool put_drawn(engine::State& tree, engine::NodeRef observer);
    // Restores the holders in `holder_of_`.
    enum class Restored : std::uint8_t { Well, Rejected, Failed };
    Restored restore(RulesetPosition& into, Random& random);
    // The weight of that position in percent; nothing if the rules failed.
    std::optional<double> weigh(RulesetPosition& position, Random& random);
    bool finish(RulesetPosition& position, Random& random);

    const RulesetGame& game_;
    RulesetPosition view_; // the last one passed to `look`, with the notes
    RulesetPosition work_;
    engine::Document notes_;
    Random chance_; // for rules that use chance while they observe
    std::string problem_;
    Deals deals_;
    std::vector<std::string> things_;
    std::vector<std::string> holders_; // an extra holder gets things without room
    std::vector<std::uint8_t> holder_of_;
    std::vector<std::uint8_t> candidate_; // a rejected one
    bool believes_ = false;
    Draws draws_;
    // For the state of `view_`:
    std::vector<Thing> thing_places_;
    const engine::SchemaNode* leaf_ = nullptr; // of a declared place
    std::vector<Holder> drawn_holders_;
    std::array<std::byte, Deals::kMaxHolders> drawn_codes_{}; // by holder; 0 without one
    bool has_bytes_ = false;                                  // the codes alone are enough
};

} // namespace croupier::games
