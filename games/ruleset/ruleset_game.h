// A game made of a ruleset file, by the conventions of engine/LANGUAGE.md, section 12.
#pragma once

#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/ruleset/hidden.h"
#include "games/ruleset/worth.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::games {

// The shape of a root node; null if none is declared.
const engine::Shape* root_field(const engine::Ruleset& ruleset, std::string_view name);

// Options set by words. A word does not distinguish a number from a text, so it is read by the
// option's type.

// A value as a word.
std::string text_of(const engine::Scalar& value);

// As engine::load_ruleset, but converts the values of `settings.options` to the options' types; a
// value that does not fit is an error and is dropped.
engine::Loaded load_with_options(std::span<const std::string> paths, const engine::FileOpener& open,
                                 engine::LoadSettings& settings);

// Adds the words to the sources if a diagnostic refers to them and they are not yet there.
void show_settings(const engine::LoadSettings& settings, engine::Sources& sources,
                   const engine::Diagnostics& diagnostics);

// The caller's additions to a ruleset.
struct RulesetSettings {
    std::vector<std::pair<std::string, engine::Scalar>> options; // override those of the files
    std::string name;                                            // for a ruleset that has none
    std::string revision; // replaces the ruleset's own, unless empty
    engine::Budgets budgets;
    bool strict = false; // see engine::LoadSettings
};

class RulesetGame;

// `game` is null if the diagnostics have an error.
struct OpenedRuleset {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    std::shared_ptr<const RulesetGame> game;
};

// The files are overlaid in order.
OpenedRuleset open_ruleset(std::span<const std::string> paths, const engine::FileOpener& open,
                           const RulesetSettings& settings = {});
OpenedRuleset open_ruleset(const std::string& path, const engine::FileOpener& open,
                           const RulesetSettings& settings = {});

// Warns of each undeclared node that rules of these groups reach, and says how to declare it.
void warn_of_walks(const engine::Program& program, std::span<const std::string_view> groups,
                   engine::Diagnostics& diagnostics);
// The groups of a game that run with every move.
inline constexpr std::array<std::string_view, 2> kGroupsOfMoves = {"moves", "play"};

// The limit of moves in a ruleset without the option `max_plies`.
inline constexpr std::uint32_t kMaxPlies = 10'000;

class RulesetGame : public Game {
  public:
    // A root node by name. `schema` is set if the shape gives it a fixed place, `byte` if it is a
    // leaf whose code is that byte of the state, `field` if it consists of known bytes.
    struct Slot {
        engine::Symbol key = engine::kNoSymbol;
        engine::SchemaId schema = engine::kNoSchema;
        std::uint32_t byte = engine::kNoOffset;
        engine::RootField field;
    };
    // The nodes that the harness and the rules share.
    struct Slots {
        Slot turn, over, move, moves, score, place, role, secret;
        Slot observer; // present only while an observer's rules run
        Slot refused;  // written by the group `refuse`
        Slot phase;
    };

    // The ruleset must be free of errors; `facts`, `hidden`, `material` and `solving` were read
    // from it.
    RulesetGame(engine::Ruleset ruleset, Facts facts, const std::vector<Hidden>& hidden,
                engine::Sources sources, const engine::Budgets& budgets,
                const std::vector<MaterialNode>& material = {}, const SolvingNodes& solving = {});

    [[nodiscard]] const Facts& facts() const final { return facts_; }
    [[nodiscard]] std::unique_ptr<Position> new_position() const override;
    [[nodiscard]] std::unique_ptr<Observer> new_observer() const override;
    [[nodiscard]] const Evaluation* evaluation() const override {
        return evaluation_in_cpp_ ? evaluation_in_cpp_.get() : material_ ? &*material_ : nullptr;
    }
    [[nodiscard]] const RulesetGame* ruleset_game() const override { return this; }

    [[nodiscard]] const engine::Ruleset& ruleset() const { return ruleset_; }
    [[nodiscard]] const engine::Program& program() const { return program_; }
    [[nodiscard]] const engine::Budgets& budgets() const { return budgets_; }
    [[nodiscard]] const engine::Sources& sources() const { return sources_; }
    // The state before `setup`, with the pack if an option fixes it.
    [[nodiscard]] const engine::State& initial() const { return *initial_; }
    [[nodiscard]] const Slots& slots() const { return slots_; }
    // Names below `observer`, interned before there are states, so that draws copy no texts.
    struct ObserverNames {
        engine::Symbol drawn, rejected, weight;
    };
    [[nodiscard]] const ObserverNames& observer_names() const { return observer_names_; }
    // The domain of the moves; null if the shape names none.
    [[nodiscard]] const engine::DomainTable* move_domain() const { return move_domain_; }
    // Whether it is the first seat of its team, for counting teams.
    [[nodiscard]] bool leads_team(Seat seat) const { return leads_team_[seat]; }
    // Whether a bit for each member of that domain says that it is a legal move.
    [[nodiscard]] bool has_move_bits() const { return move_words_ != 0; }
    // The position of these bits in a state, and their number of words.
    [[nodiscard]] std::uint32_t first_move_word() const { return first_move_word_; }
    [[nodiscard]] std::uint32_t move_words() const { return move_words_; }
    // Whether the root's leaf `move` holds a member of that domain, and whether in a byte.
    [[nodiscard]] bool has_move_code() const { return has_move_code_; }
    [[nodiscard]] bool has_move_byte() const { return has_move_byte_; }
    // Reports misspelt root nodes of a given state.
    void check_root(const engine::Document& state, engine::Diagnostics& diagnostics) const;
    [[nodiscard]] const HiddenPlan& hidden() const { return hidden_; }
    [[nodiscard]] const SolvingPlan& solving() const { return solving_; }
    // The name of the player on that seat.
    [[nodiscard]] engine::Symbol player(Seat seat) const { return players_[seat]; }
    // The seat that a value names, or kNoSeat.
    static constexpr Seat kNoSeat = 0xffffffff;
    [[nodiscard]] Seat seat_of(const engine::Value& value, const engine::Symbols& symbols) const;
    // The seat for each code of the leaf `turn`; empty if `turn` is not such a leaf.
    [[nodiscard]] std::span<const Seat> seats_by_code() const { return seats_by_code_; }

    // Groups; kNone if the ruleset has none.
    struct Groups {
        engine::GroupId setup, moves, play, derive, score;
        engine::GroupId observe, unseen, restore, belief; // of an observer
        engine::GroupId refuse;
    };
    [[nodiscard]] const Groups& groups() const { return groups_; }

    // Why the group `refuse` rejects a state: the node or option, and the reason.
    struct Refusal {
        std::string node;
        std::string reason;
    };
    [[nodiscard]] std::vector<Refusal> refused(engine::State state) const;

  private:
    void take_names(engine::Catalogue& catalogue, const std::vector<Hidden>& hidden);

    engine::Ruleset ruleset_;
    Facts facts_;
    engine::Sources sources_;
    engine::Budgets budgets_;
    // Set while the program is built, so declared before it.
    Slots slots_;
    ObserverNames observer_names_{};
    std::vector<engine::Symbol> players_;
    HiddenPlan hidden_;
    engine::Program program_;
    Groups groups_{};
    const engine::DomainTable* move_domain_ = nullptr;
    std::uint32_t first_move_word_ = 0;
    std::uint32_t move_words_ = 0;
    bool has_move_code_ = false;
    bool has_move_byte_ = false;
    SolvingPlan solving_;
    std::vector<Seat> seats_by_code_;
    std::vector<bool> leads_team_;
    std::optional<Material> material_;
    std::optional<engine::State> initial_;
    std::unique_ptr<const Evaluation> evaluation_in_cpp_;
};

} // namespace croupier::games
