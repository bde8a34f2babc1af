// Observers made of a ruleset's groups `observe`, `unseen` and `restore`: engine/LANGUAGE.md,
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

// Deals unseen things to those who may hold them, every way being as likely.

// Uniform in [0, 1).
inline double fraction(Random& random) {
    return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

// Each thing goes to one holder that may have it, each holder has room for so many. The ways are
// counted, so a draw is exactly uniform and never in vain. Things that the same holders may have
// are one class, and only how many of a class go where is counted: a few hundred steps for the
// cards of a trick game, however many deals there are.
class Deals {
  public:
    static constexpr std::size_t kMaxHolders = 8;
    static constexpr std::size_t kMaxThings = 127;
    using Mask = std::uint8_t; // a bit a holder

    // may[i]: who may have thing i; as much room as there are things. False: there is no way, or
    // there are more cases than anybody can count.
    bool prepare(const std::vector<Mask>& may, const std::vector<std::uint32_t>& room);
    // How many ways there are.
    [[nodiscard]] double count() const { return count_; }
    // holder_of[i]: who has thing i. After `prepare` said yes.
    void draw(Random& random, std::vector<std::uint8_t>& holder_of);

  private:
    using Rooms = std::array<std::uint8_t, kMaxHolders>;
    struct Class {
        Mask may = 0;
        std::vector<std::uint32_t> things;
    };

    // A way to spread a class over rooms: what is left of them, and how many deals all ways before
    // it have.
    struct Split {
        double before = 0;
        Rooms left{};
    };
    // A class and those after it, dealt into certain rooms.
    struct Case {
        double ways = 0;
        std::vector<Split> splits; // of which there are deals; found when first drawn from
    };

    [[nodiscard]] static std::uint64_t key_of(std::size_t of_class, const Rooms& rooms);
    double ways(std::size_t of_class, Rooms& rooms);
    const Rooms& draw_split(std::size_t of_class, Rooms& rooms, Random& random);
    template <typename Visit>
    void split(std::size_t of_class, Mask among, std::uint32_t things, double weight, Rooms& rooms,
               const Visit& visit);

    std::vector<Class> classes_; // who may have few come first
    Rooms rooms_{};
    double count_ = 0;
    bool too_many_ = false;
    std::unordered_map<std::uint64_t, Case> known_; // by class and rooms
};

// The rules see the seat's view, and under `observer` what they noted before. To observe and to
// look allocates: that is done once a move. A draw, of which there are thousands a move, changes a
// copy of the state in place.
class RulesetObserver : public Observer {
  public:
    // The game must outlive it, and have these groups.
    explicit RulesetObserver(const RulesetGame& game);

    void reset(Seat me) override;
    void observe(const Position& view, Seat player, std::string_view move) override;
    bool look(const Position& view) override;
    bool draw(Position& into, Random& random) override;
    [[nodiscard]] bool believes() const override { return believes_; }
    void doubt() override { believes_ = false; }
    [[nodiscard]] Draws draws() const override { return draws_; }
    [[nodiscard]] const std::string& problem() const override { return problem_; }
    // After `look`: in how many ways what is open can be filled, draws that will be rejected
    // included.
    [[nodiscard]] double ways() const { return deals_.count(); }

  private:
    // Where the holder of a thing is written: at a declared place, or under its name.
    struct Thing {
        engine::Symbol name = engine::kNoSymbol;
        engine::NodeRef leaf;
    };

    // Whose it is: as a value, and as the code of the leaf; 0: it must be asked what to make of the
    // value.
    struct Holder {
        engine::Value value;
        std::uint32_t code = 0;
    };

    bool fail(std::string problem);
    bool fail_of(const RulesetPosition& position);
    // Runs the group of `work_` with the notes under `observer`; what it leaves there.
    std::optional<engine::Document> consult(engine::GroupId group);
    bool read(const engine::Document& said);
    void prepare_to_draw();
    bool put_drawn(engine::State& tree, engine::NodeRef observer);
    // What `holder_of_` says, restored.
    enum class Restored : std::uint8_t { Well, Rejected, Failed };
    Restored restore(RulesetPosition& into, Random& random);
    // How likely that is, of a hundred; nothing: the rules have failed.
    std::optional<double> weigh(RulesetPosition& position, Random& random);
    bool finish(RulesetPosition& position, Random& random);

    const RulesetGame& game_;
    RulesetPosition view_; // the last that was looked at, with the notes
    RulesetPosition work_;
    engine::Document notes_;
    Random chance_; // of rules that ask for it while they watch
    std::string problem_;
    Deals deals_;
    std::vector<std::string> things_;
    std::vector<std::string> holders_; // what no holder has room for goes to one more
    std::vector<std::uint8_t> holder_of_;
    std::vector<std::uint8_t> candidate_; // one of those not kept
    bool believes_ = false;
    Draws draws_;
    // For the state of `view_`:
    std::vector<Thing> thing_places_;
    const engine::SchemaNode* leaf_ = nullptr; // of a declared place
    std::vector<Holder> drawn_holders_;
    std::array<std::byte, Deals::kMaxHolders> drawn_codes_{}; // by holder; who has none has 0
    bool has_bytes_ = false;                                  // these say it all
};

} // namespace croupier::games
