// Shared by the tests of belote: the ruleset, run as a game runs it.
#pragma once

#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/testing/belote.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace croupier::plain {

using engine::Diagnostics;
using engine::NodeRef;
using engine::State;
using engine::Value;
using Options = std::vector<std::pair<std::string, engine::Scalar>>;

inline engine::FileText open_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) return {{}, "cannot be opened"};
    return {std::string{std::istreambuf_iterator<char>(file), {}}, {}};
}

inline engine::Loaded load(const Options& options, const std::string& path) {
    engine::LoadSettings settings;
    settings.options = options;
    const std::vector<std::string> paths{path};
    engine::Loaded loaded = engine::load_ruleset(paths, open_file, settings);
    for (const engine::Diagnostic& each : loaded.diagnostics.sorted())
        ADD_FAILURE() << engine::format(each, loaded.sources);
    return loaded;
}

// The ruleset, by default of this table, with options, and the operations of a game.
class Belote {
  public:
    explicit Belote(const Options& options = {},
                    const std::string& path = "games/belote/rules.json")
        : loaded_(load(options, path)), program_(*loaded_.ruleset), machine_(program_) {}

    State position(const std::string& json) {
        engine::Sources sources;
        Diagnostics diagnostics;
        const std::uint32_t file = sources.add("state", json);
        auto document = engine::read_json(sources, file, diagnostics);
        State state = program_.catalogue().initial_state();
        if (document) state.import(*document, diagnostics);
        for (const engine::Diagnostic& each : diagnostics.sorted())
            ADD_FAILURE() << engine::format(each, sources);
        run("derive", state);
        return state;
    }

    void run(const std::string& group, State& state) {
        const engine::GroupId id = program_.catalogue().group_id(group);
        ASSERT_NE(id, engine::kNone) << group;
        const engine::RunResult result = machine_.run(id, state, random_);
        ASSERT_FALSE(result.error) << result.error->rule << ": " << result.error->detail;
    }

    std::set<std::string> moves(State& state) {
        drop(state, "moves");
        run("moves", state);
        std::set<std::string> names;
        const NodeRef moves = state.child(state.root(), symbol("moves"));
        for (NodeRef each = moves ? state.first_child(moves) : moves; each;
             each = state.next_sibling(each))
            names.emplace(state.symbols().text(state.key(each).symbol()));
        return names;
    }

    void play(State& state, const std::string& move) {
        state.set_child(state.root(), symbol("move"), Value::string(symbol(move)));
        run("play", state);
        drop(state, "move");
    }

    // The node at the path, as JSON; empty if there is none.
    std::string at(const State& state, const std::vector<std::string>& path) {
        NodeRef node = state.root();
        for (const std::string& key : path)
            node = node ? state.child(node, symbol(key)) : node;
        return node ? engine::write_json(state.export_document(node)) : "";
    }

    // The number at the path; 0 if there is none.
    int number(const State& state, const std::vector<std::string>& path) {
        const std::string text = at(state, path);
        return text.empty() ? 0 : std::stoi(text);
    }

    // A deal from the pack that the seed shuffles.
    State deal(std::uint64_t seed) {
        random_ = engine::Random(seed);
        State state = program_.catalogue().initial_state();
        run("setup", state);
        return state;
    }

  private:
    void drop(State& state, const std::string& name) {
        if (const NodeRef node = state.child(state.root(), symbol(name))) state.remove(node);
    }
    [[nodiscard]] engine::Symbol symbol(const std::string& text) const {
        return program_.catalogue().symbols.find(text);
    }

    engine::Loaded loaded_;
    engine::Program program_;
    engine::Machine machine_;
    engine::Random random_{1};
};

// Hands with more runs, carrés and capots than a shuffled pack has: ordered packs, cut and
// disturbed by fewer than `most` swaps.
inline std::array<std::vector<Card>, 4> uneven_hands(engine::Random& random, std::uint64_t most) {
    std::vector<Card> pack;
    pack.reserve(32);
    const bool by_rank = random.below(2) == 0;
    for (int i = 0; i < 32; ++i)
        pack.push_back(by_rank ? Card{i % 4, i / 4} : Card{i / 8, i % 8});
    std::rotate(pack.begin(), pack.begin() + static_cast<std::ptrdiff_t>(random.below(32)),
                pack.end());
    for (std::uint64_t swaps = random.below(most); swaps > 0; --swaps)
        std::swap(pack[random.below(32)], pack[random.below(32)]);
    std::array<std::vector<Card>, 4> hands;
    for (std::size_t i = 0; i < pack.size(); ++i)
        hands[i / 8].push_back(pack[i]);
    std::swap(hands[0], hands[random.below(4)]);
    return hands;
}

inline const std::string& team_name(std::size_t team) {
    static const std::array<std::string, 2> kNames{"AC", "BD"};
    return kNames[team];
}

} // namespace croupier::plain
