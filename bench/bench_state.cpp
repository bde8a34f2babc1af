// Operations on whole states: copy, hash, compare, read and write. 32 cards and a board.
#include "bench/belote_positions.h"
#include "bench/measure.h"
#include "bench/rules.h"
#include "engine/api/state.h"
#include "engine/api/text.h"

#include <string>
#include <vector>

namespace croupier::bench {
namespace {

using engine::State;

constexpr int kRounds = 16;
constexpr std::uint64_t kSeed = 11;

// States of belote, and the same positions as plain structs.
struct Input {
    std::vector<plain::Position> plain = belote_positions(2, kSeed); // 64 positions
    Rules rules;
    std::vector<State> states;

    explicit Input(Layout layout) : rules({"belote_moves.json"}, layout) {
        for (const plain::Position& position : plain)
            states.push_back(rules.state(to_json(position)));
    }
    [[nodiscard]] std::int64_t items() const {
        return kRounds * static_cast<std::int64_t>(states.size());
    }
};

template <typename Items, typename Work>
auto pass_over(Items& items, Work work) {
    return [&items, work]() mutable {
        for (int round = 0; round < kRounds; ++round) {
            for (auto& item : items) {
                work(item);
                benchmark::ClobberMemory();
            }
        }
    };
}

void copy_to(benchmark::State& state, Layout layout) {
    Input input(layout);
    State target = input.states[0];
    for (const State& source : input.states) {
        target = source;
        check(target.equals(source), "a copy differs from its source");
    }
    plain::Position plain_target = input.plain[0];
    measure(state, input.items(),
            pass_over(input.plain,
                      [&](const plain::Position& source) {
                          plain_target = source;
                          benchmark::DoNotOptimize(&plain_target);
                      }),
            pass_over(input.states, [&](const State& source) {
                target = source;
                benchmark::DoNotOptimize(target.data());
            }));
    state.counters["bytes"] = static_cast<double>(input.states[0].bytes());
}

void copy_new(benchmark::State& state, Layout layout) {
    Input input(layout);
    measure(state, input.items(),
            pass_over(input.plain,
                      [](const plain::Position& source) {
                          plain::Position copy = source;
                          benchmark::DoNotOptimize(&copy);
                      }),
            pass_over(input.states, [](const State& source) {
                State copy = source;
                benchmark::DoNotOptimize(copy.data());
            }));
    state.counters["bytes"] = static_cast<double>(input.states[0].bytes());
}

std::uint64_t plain_hash(const plain::Position& position) {
    std::uint64_t hash = 0;
    const auto add = [&hash](int number) {
        hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    };
    for (const auto& hand : position.hands) {
        for (const plain::Card& card : hand)
            add(8 * card.suit + card.rank);
        add(-1);
    }
    add(position.turn);
    add(position.trump);
    add(position.led.value_or(-1));
    add(8 * position.best.suit + position.best.rank);
    add(position.holder);
    return hash;
}

void hash(benchmark::State& state, Layout layout) {
    Input input(layout);
    const State again = input.states[3];
    check(again.hash() == input.states[3].hash(), "equal states have different hashes");
    check(again.hash() != input.states[4].hash(), "different states have equal hashes");
    measure(
        state, input.items(),
        pass_over(input.plain,
                  [](const plain::Position& each) { benchmark::DoNotOptimize(plain_hash(each)); }),
        pass_over(input.states, [](const State& each) { benchmark::DoNotOptimize(each.hash()); }));
}

// Compares equal states, which must read all of both.
void equality(benchmark::State& state, Layout layout) {
    Input input(layout);
    const State target = input.states[3];
    const plain::Position plain_target = input.plain[3];
    check(target.equals(input.states[3]), "equal states are said to differ");
    check(!target.equals(input.states[4]), "different states are said to be equal");
    std::vector<State> equal(input.states.size(), target);
    std::vector<plain::Position> plain_equal(input.plain.size(), plain_target);
    measure(state, input.items(),
            pass_over(plain_equal,
                      [&](const plain::Position& each) {
                          benchmark::DoNotOptimize(each == plain_target);
                      }),
            pass_over(equal,
                      [&](const State& each) { benchmark::DoNotOptimize(each.equals(target)); }));
}

// To and from a document; the plain version writes the same JSON by hand.
void import_document(benchmark::State& state, Layout layout) {
    Input input(layout);
    std::vector<engine::Document> documents;
    for (const State& each : input.states)
        documents.push_back(each.export_document());
    State target = input.states[0];
    engine::Diagnostics diagnostics;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        target.import(documents[i], diagnostics);
        check(!diagnostics.has_errors() && target.equals(input.states[i]),
              "an imported state differs from the one exported");
    }
    measure(state, input.items(),
            pass_over(input.plain,
                      [](const plain::Position& each) {
                          benchmark::DoNotOptimize(to_json(each).data());
                      }),
            pass_over(documents, [&](const engine::Document& document) {
                benchmark::DoNotOptimize(target.import(document, diagnostics));
            }));
}

void export_document(benchmark::State& state, Layout layout) {
    Input input(layout);
    measure(state, input.items(),
            pass_over(input.plain,
                      [](const plain::Position& each) {
                          benchmark::DoNotOptimize(to_json(each).data());
                      }),
            pass_over(input.states, [](const State& each) {
                benchmark::DoNotOptimize(each.export_document().members.data());
            }));
}

} // namespace

void add_state_rows() {
    const auto add = [](const std::string& name, auto body) {
        for (const Layout layout : {Layout::Declared, Layout::Undeclared})
            add_row("state/" + name + "/32_cards" +
                        (layout == Layout::Declared ? "/declared" : "/undeclared"),
                    [body, layout](benchmark::State& state) { body(state, layout); });
    };
    add("copy_to", copy_to);
    add("copy_new", copy_new);
    add("hash", hash);
    add("equality", equality);
    add("import", import_document);
    add("export", export_document);
}

} // namespace croupier::bench
