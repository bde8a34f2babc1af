// The legal cards of belote: JSON rules against plain C++ and hand-written bit masks.
#include "bench/belote_positions.h"
#include "bench/measure.h"
#include "bench/rules.h"
#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::bench {
namespace {

using engine::NodeRef;
using engine::State;
using engine::Symbol;

constexpr int kDeals = 128; // 4096 positions
constexpr std::uint64_t kSeed = 2024;

// The positions, and the moves that all versions must find in each.
struct Positions {
    std::vector<plain::Position> plain;
    std::vector<bits::Position> bits;
    std::vector<std::uint32_t> moves;

    explicit Positions(int deals) : plain(belote_positions(deals, kSeed)) {
        for (const plain::Position& position : plain) {
            bits.push_back(to_bits(position));
            moves.push_back(mask_of(plain::legal_moves(position)));
            check(bits::legal_moves(bits.back()) == moves.back(),
                  "bit masks and plain C++ disagree on " + to_json(position));
        }
    }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(plain.size()); }
};

// The plain version, to which all others are compared.
auto plain_pass(const Positions& positions) {
    return [&positions, moves = std::vector<plain::Card>()]() mutable {
        for (const plain::Position& position : positions.plain) {
            plain::legal_moves(position, moves);
            benchmark::DoNotOptimize(moves.data());
            benchmark::ClobberMemory();
        }
    };
}

void plain_new_vector(benchmark::State& state, int deals) {
    const Positions positions(deals);
    measure(state, positions.count(), plain_pass(positions), [&] {
        for (const plain::Position& position : positions.plain) {
            const std::vector<plain::Card> moves = plain::legal_moves(position);
            benchmark::DoNotOptimize(moves.data());
            benchmark::ClobberMemory();
        }
    });
}

void bit_masks(benchmark::State& state, int deals) {
    const Positions positions(deals);
    measure(state, positions.count(), plain_pass(positions), [&] {
        for (const bits::Position& position : positions.bits)
            benchmark::DoNotOptimize(bits::legal_moves(position));
    });
}

// ---- the engine ------------------------------------------------------------------------------

// How the moves of the previous position are removed.
enum class Clearing {
    Rule, // a rule at the beginning of the group
    Host, // the program, before it runs the group
    Copy, // nothing: each run is on a fresh copy of the position
};

class Engine {
  public:
    Engine(const Positions& positions, const std::vector<std::string>& files, Layout layout,
           Way way)
        : rules_(files, layout, way), group_(rules_.group("moves")),
          moves_(rules_.program().catalogue().symbols.find("moves")),
          work_(rules_.program().catalogue().initial_state()) {
        for (const plain::Position& position : positions.plain)
            states_.push_back(rules_.state(to_json(position)));
    }

    // The state for position i.
    template <Clearing clearing>
    State& state_of(std::size_t i) {
        return clearing == Clearing::Copy ? work_ : states_[i];
    }

    template <Clearing clearing>
    engine::RunResult find_moves(std::size_t i) {
        State& state = state_of<clearing>(i);
        if constexpr (clearing == Clearing::Copy) {
            state = states_[i];
        } else if constexpr (clearing == Clearing::Host) {
            if (const NodeRef before = state.child(state.root(), moves_)) state.remove(before);
        }
        return rules_.run(group_, state);
    }

    [[nodiscard]] std::uint32_t moves_of(const State& state) const {
        std::uint32_t mask = 0;
        const NodeRef moves = state.child(state.root(), moves_);
        for (NodeRef each = moves ? state.first_child(moves) : moves; each;
             each = state.next_sibling(each)) {
            const std::string_view name = state.symbols().text(state.key(each).symbol());
            mask |= mask_of({plain::card_named(name)});
        }
        return mask;
    }

    template <Clearing clearing>
    void verify(const Positions& positions) {
        for (int round = 0; round < 2; ++round) {
            for (std::size_t i = 0; i < positions.plain.size(); ++i) {
                Rules::checked(find_moves<clearing>(i));
                check(moves_of(state_of<clearing>(i)) == positions.moves[i],
                      "the rules and plain C++ disagree on " + to_json(positions.plain[i]));
            }
        }
    }

  private:
    Rules rules_;
    engine::GroupId group_;
    Symbol moves_;
    State work_;
    std::vector<State> states_;
};

template <Clearing clearing, Way way = Way::MachineCode>
void rules(benchmark::State& state, int deals, const std::vector<std::string>& files,
           Layout layout) {
    const Positions positions(deals);
    Engine engine(positions, files, layout, way);
    engine.verify<clearing>(positions);
    measure(state, positions.count(), plain_pass(positions), [&] {
        for (std::size_t i = 0; i < positions.plain.size(); ++i)
            benchmark::DoNotOptimize(engine.find_moves<clearing>(i).firings);
    });
}

// The cost of entering the machine: a group without rules, or with only the clearing.
void overhead(benchmark::State& state, int deals, const std::string& group) {
    const Positions positions(deals);
    Rules rules({"belote_moves.json", "belote_overhead.json"});
    const engine::GroupId id = rules.group(group);
    std::vector<State> states;
    for (const plain::Position& position : positions.plain) {
        states.push_back(rules.state(to_json(position)));
        Rules::checked(rules.run(id, states.back()));
        check(states.back().equals(rules.state(to_json(position))), group + " changes a position");
    }
    measure(state, positions.count(), plain_pass(positions), [&] {
        for (State& each : states)
            benchmark::DoNotOptimize(rules.run(id, each).firings);
    });
}

} // namespace

void add_belote_rows() {
    const std::string flat = "belote_moves.json";
    const std::string nested = "belote_moves_nested.json";
    const std::string clear = "belote_clear.json";
    const auto add = [](const std::string& name, auto body) {
        add_row("belote/moves/" + name, [body](benchmark::State& s) { body(s, kDeals); });
    };
    const auto add_rules = [&add](const std::string& name, auto pass,
                                  const std::vector<std::string>& files, Layout layout) {
        add(name, [=](benchmark::State& s, int deals) { pass(s, deals, files, layout); });
    };
    add("plain_new_vector", plain_new_vector);
    add("bit_masks", bit_masks);
    for (const std::string group : {"nothing", "only_clear"}) {
        add("overhead/" + group,
            [group](benchmark::State& s, int deals) { overhead(s, deals, group); });
    }
    for (const bool is_flat : {true, false}) {
        const std::string name = is_flat ? "rules_flat" : "rules_nested";
        const std::string file = is_flat ? flat : nested;
        add_rules(name + "/clearing_rule", rules<Clearing::Rule>, {file, clear}, Layout::Declared);
        add_rules(name + "/clearing_host", rules<Clearing::Host>, {file}, Layout::Declared);
        add_rules(name + "/copying", rules<Clearing::Copy>, {file}, Layout::Declared);
    }
    add_rules("rules_flat/interpreted", rules<Clearing::Rule, Way::Interpreted>, {flat, clear},
              Layout::Declared);
    add_rules("rules_flat/undeclared", rules<Clearing::Rule>, {flat, clear}, Layout::Undeclared);
}

} // namespace croupier::bench
