// Observers made of a ruleset's groups `observe`, `unseen` and `restore`: engine/LANGUAGE.md,
// section 12.
#pragma once

#include "engine/api/program.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/deals.h"
#include "games/ruleset/ruleset_position.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace croupier::games {

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
    std::array<std::byte, Deals::kMostHolders> drawn_codes_{}; // by holder; who has none has 0
    bool has_bytes_ = false;                                   // these say it all
};

} // namespace croupier::games
