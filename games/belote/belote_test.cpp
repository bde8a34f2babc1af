// The ruleset of belote against an independent implementation, ply by ply, and against positions
// written by hand.
#include "engine/engine.h"
#include "games/belote/notation.h"
#include "games/belote/plain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace croupier::plain {
namespace {

using engine::Diagnostics;
using engine::Document;
using engine::NodeRef;
using engine::State;
using engine::Value;
using Options = std::vector<std::pair<std::string, engine::Scalar>>;

engine::FileText open_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        return {{}, "cannot be opened"};
    }
    return {std::string{std::istreambuf_iterator<char>(file), {}}, {}};
}

engine::Loaded load(const Options& options) {
    engine::LoadSettings settings;
    settings.options = options;
    const std::vector<std::string> paths{"games/belote/rules.json"};
    engine::Loaded loaded = engine::load_ruleset(paths, open_file, settings);
    for (const engine::Diagnostic& each : loaded.diagnostics.sorted()) {
        ADD_FAILURE() << engine::format(each, loaded.sources);
    }
    return loaded;
}

// The ruleset with these options, and what a game does with it.
class Belote {
  public:
    explicit Belote(const Options& options = {})
        : loaded_(load(options)), program_(*loaded_.ruleset), machine_(program_) {}

    State position(const std::string& json) {
        engine::Sources sources;
        Diagnostics diagnostics;
        const std::uint32_t file = sources.add("state", json);
        auto document = engine::read_json(sources, file, diagnostics);
        State state = program_.initial_state();
        if (document) {
            state.import(*document, diagnostics);
        }
        for (const engine::Diagnostic& each : diagnostics.sorted()) {
            ADD_FAILURE() << engine::format(each, sources);
        }
        run("derive", state);
        return state;
    }

    void run(const std::string& group, State& state) {
        const engine::GroupId id = program_.group_id(group);
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
             each = state.next_sibling(each)) {
            names.emplace(state.symbols().text(state.key(each).symbol()));
        }
        return names;
    }

    void play(State& state, const std::string& move) {
        state.set_child(state.root(), symbol("move"), Value::string(symbol(move)));
        run("play", state);
        drop(state, "move");
    }

    // What stands at the path, as JSON; nothing if there is nothing.
    std::string at(const State& state, const std::vector<std::string>& path) {
        NodeRef node = state.root();
        for (const std::string& key : path) {
            node = node ? state.child(node, symbol(key)) : node;
        }
        return node ? engine::write_json(state.export_document(node)) : "";
    }

  private:
    void drop(State& state, const std::string& name) {
        if (const NodeRef node = state.child(state.root(), symbol(name))) {
            state.remove(node);
        }
    }
    engine::Symbol symbol(const std::string& text) { return program_.symbols.intern(text); }

    engine::Loaded loaded_;
    engine::Program program_;
    engine::Machine machine_;
    engine::Random random_{1};
};

Position random_deal(engine::Random& random) {
    std::vector<Card> pack;
    for (int card = 0; card < 32; ++card) {
        pack.push_back({card / 8, card % 8});
    }
    for (std::size_t i = pack.size() - 1; i > 0; --i) {
        std::swap(pack[i], pack[random.below(i + 1)]);
    }
    Position position;
    for (std::size_t i = 0; i < pack.size(); ++i) {
        position.hands[i / 8].push_back(pack[i]);
    }
    position.trump = static_cast<int>(random.below(4));
    position.turn = static_cast<int>(random.below(4));
    return position;
}

std::set<std::string> names_of(const std::vector<Card>& cards) {
    std::set<std::string> names;
    for (const Card& card : cards) {
        names.insert(name_of(card));
    }
    return names;
}

// The root's nodes in the order of their names, only those that are asked for.
template <typename Wanted>
std::string sorted_nodes(const State& state, Wanted wanted) {
    Document document = state.export_document();
    std::erase_if(document.members, [&](const auto& member) { return !wanted(member.key); });
    std::sort(document.members.begin(), document.members.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    return engine::write_json(document);
}

// From the nodes that somebody writes by hand, `derive` finds all that the game keeps besides.
void expect_derived(Belote& belote, const State& state) {
    // The last two are what has been said and shown; nobody can tell later.
    const std::set<std::string> by_hand{"phase",     "turn",     "trump", "hands",
                                        "trick",     "taken",    "last",  "belote",
                                        "announced", "declared", "shown"};
    const auto no_harness = [](const std::string& key) { return key != "moves" && key != "over"; };
    const State again = belote.position(
        sorted_nodes(state, [&](const std::string& key) { return by_hand.contains(key); }));
    EXPECT_EQ(sorted_nodes(again, no_harness), sorted_nodes(state, no_harness));
}

void expect_counted(Belote& belote, const State& state, const Position& position) {
    for (const std::size_t team : {0, 1}) {
        const std::string name = team == 0 ? "AC" : "BD";
        EXPECT_EQ(belote.at(state, {"taken", name, "points"}),
                  std::to_string(position.points[team]));
        EXPECT_EQ(belote.at(state, {"taken", name, "tricks"}),
                  std::to_string(position.tricks[team]));
        EXPECT_EQ(belote.at(state, {"belote", name}), std::to_string(position.belote[team]));
    }
}

void expect_same_deals(const Options& options, const Rules& rules, int deals, std::uint64_t seed) {
    Belote belote(options);
    engine::Random random(seed);
    for (int deal = 0; deal < deals; ++deal) {
        Position position = random_deal(random);
        State state = belote.position(position_json(position));
        while (!is_over(position)) {
            const std::string before = position_json(position);
            const std::vector<Card> moves = legal_moves(position, rules);
            ASSERT_EQ(belote.moves(state), names_of(moves)) << before;
            const Card card = moves[random.below(moves.size())];
            play(position, card, rules);
            belote.play(state, name_of(card));
            if (random.below(8) == 0) {
                expect_derived(belote, state);
            }
            if (!is_over(position)) {
                ASSERT_EQ(belote.at(state, {"turn"}),
                          std::string("\"") + kSeats[static_cast<std::size_t>(position.turn)] + '"')
                    << before << name_of(card);
            }
        }
        EXPECT_EQ(belote.at(state, {"phase"}), "\"score\"");
        EXPECT_EQ(belote.at(state, {"last"}), position.last == 0 ? "\"AC\"" : "\"BD\"");
        expect_counted(belote, state, position);
    }
}

TEST(belote, plays_as_plain_code_with_the_default_options) {
    expect_same_deals({}, {}, 1000, 1);
}

TEST(belote, plays_as_plain_code_without_announcements) {
    expect_same_deals({{"annonces", "off"}}, {}, 1000, 2);
}

TEST(belote, plays_as_plain_code_with_every_option_of_play) {
    using Partner = Rules::Partner;
    std::uint64_t seed = 10;
    for (const bool exempt : {false, true}) {
        for (const bool may_discard : {false, true}) {
            for (const bool king_first : {false, true}) {
                for (const auto& [name, partner] :
                     {std::pair{"free", Partner::Free},
                      std::pair{"no_undertrump", Partner::NoUndertrump},
                      std::pair{"must_trump", Partner::MustTrump}}) {
                    const Options options{{"trump_lead_partner", exempt ? "exempt" : "must_beat"},
                                          {"undertrump", may_discard ? "may_discard" : "must"},
                                          {"belote_order", king_first ? "king_first" : "any"},
                                          {"partner_winning", name}};
                    expect_same_deals(options, {exempt, partner, may_discard, king_first}, 100,
                                      ++seed);
                }
            }
        }
    }
}

} // namespace
} // namespace croupier::plain
