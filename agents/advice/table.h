// A table of advice, read for a game: rules of AL0 whose predicates are conditions of the rule
// language, compiled together with the game itself.
#pragma once

#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace croupier::agents::advice {

// Names joined by not, and, or, then: the goals, conditions and move constraints of a table.

// "depth < 3"
enum class Compare : std::uint8_t { Equal, Less, AtMost, More, AtLeast };

inline bool compares(Compare compare, std::int64_t a, std::int64_t b) {
    switch (compare) {
    case Compare::Equal:
        return a == b;
    case Compare::Less:
        return a < b;
    case Compare::AtMost:
        return a <= b;
    case Compare::More:
        return a > b;
    case Compare::AtLeast:
        return a >= b;
    }
    return false;
}

struct Formula {
    enum class Op : std::uint8_t { Name, Depth, Not, And, Or, Then };

    Op op = Op::Name;
    std::string name;           // Name
    Compare compare{};          // Depth
    std::int64_t depth = 0;     // Depth
    std::vector<Formula> parts; // Not has one, the others two or more
    engine::Span span;
    std::string text; // the source text
};

// Binding strength, tightest first: not, and, or, then. Reports errors to `diagnostics` and returns
// nothing.
std::optional<Formula> parse_formula(const engine::Quoted& text, engine::Diagnostics& diagnostics);

// A formula over predicates, each of which is a rule of the table's program.
struct Goal {
    Formula::Op op = Formula::Op::And; // always holds if it has no parts
    engine::RuleId predicate = engine::kNone;
    Compare compare{};
    std::int64_t depth = 0;
    std::vector<Goal> parts;
    std::string text; // the source text
};

// Which moves may be made, in the order in which they are tried.
struct Moves {
    enum class Op : std::uint8_t {
        Legal,     // all of them, in the game's order
        None,      //
        Generator, // the moves that a rule of the table's program binds to M
        Depth,     // all moves, or none if the depth does not fit
        Test,      // those after which `goal` holds
        And,       // moves of the first part that all others admit
        Then,      // the parts one after the other, without duplicates
    };
    Op op = Op::Legal;
    engine::RuleId generator = engine::kNone;
    std::size_t variable = 0; // M among the generator's variables
    Compare compare{};
    std::int64_t depth = 0;
    Goal goal;
    std::vector<Moves> parts;
};

class AdviceTable;

struct Advice {
    std::string name;
    std::shared_ptr<const AdviceTable> expert; // decides in place of a search; null for most
    Goal goal;
    Goal hold;
    Moves us;
    Moves them;
    std::uint32_t plies = 0; // depth limit
    bool memo = false;       // remembers the result of a position at the same depth
};

struct AdviceRule {
    std::string name;
    Goal when;
    std::vector<std::uint32_t> tries; // indices of advice
};

// The positions in which the table must succeed: one for each combination of the values of `each`
// for which `when` holds.
struct Roots {
    struct Field {
        std::vector<std::string> path;
        std::vector<engine::Value> values;
    };
    std::vector<Field> each;
    Goal when;
};

// `table` is null if the diagnostics have an error.
struct OpenedTable {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    std::shared_ptr<const AdviceTable> table;
};

// With the tables that it names as experts.
OpenedTable open_table(const std::string& path, const engine::FileOpener& open,
                       const games::RulesetGame& game);

// The depth limit of advice that states none.
inline constexpr std::uint32_t kMaxPlies = 64;

// Immutable; threads share it.
class AdviceTable {
  public:
    struct Parts {
        std::vector<AdviceRule> rules;
        std::vector<Advice> advice;
        std::optional<games::Seat> side; // unset if either side may follow the table
        std::optional<Roots> roots;
        std::vector<std::string>
            own; // nodes that the table adds to the state, besides kUs and so on
    };
    AdviceTable(std::shared_ptr<const games::RulesetGame> game, Parts parts);

    // The game with the table's own nodes added to its state: `us`, `depth`, `root`, and the nodes
    // of its group `derive`. Played like the game itself.
    [[nodiscard]] const games::RulesetGame& game() const { return *game_; }
    [[nodiscard]] const std::vector<AdviceRule>& rules() const { return parts_.rules; }
    [[nodiscard]] const std::vector<Advice>& advice() const { return parts_.advice; }
    [[nodiscard]] std::optional<games::Seat> side() const { return parts_.side; }
    [[nodiscard]] const std::optional<Roots>& roots() const { return parts_.roots; }
    [[nodiscard]] engine::GroupId derive() const { return derive_; }
    [[nodiscard]] std::uint32_t deepest() const { return deepest_; } // of all advice

    // A state of `game` without the table's nodes.
    [[nodiscard]] engine::Document without_own(engine::Document state) const;

    struct Names {
        engine::Symbol us, depth, root;
    };
    [[nodiscard]] const Names& names() const { return names_; }
    // Whether a child of the state's root belongs to the position, and so is part of `root`.
    [[nodiscard]] bool is_field(engine::Symbol name) const {
        return std::ranges::find(others_, name) == others_.end();
    }

  private:
    std::shared_ptr<const games::RulesetGame> game_;
    Parts parts_;
    Names names_;
    std::vector<engine::Symbol> others_; // nodes of the harness and of the table
    engine::GroupId derive_;
    std::uint32_t deepest_ = 0;
};

// The names of nodes and groups that a table adds to its game.
inline constexpr std::string_view kUs = "us";
inline constexpr std::string_view kDepth = "depth";
inline constexpr std::string_view kRoot = "root";
inline constexpr std::string_view kDerive = "advice-derive";
// Root nodes that the harness keeps; not part of the position.
inline constexpr std::array<std::string_view, 7> kHarnessNodes = {"moves", "move", "over",  "score",
                                                                  "place", "role", "secret"};

} // namespace croupier::agents::advice
