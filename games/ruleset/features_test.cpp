// Bits of positions: their names, and which are set.
#include "games/ruleset/features.h"

#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games {
namespace {

constexpr std::string_view kTypes = R"({
    "game": {"name": "kinds", "players": ["N", "E", "S"]},
    "types": {"Player": ["N", "E", "S"], "Owner": ["none", "S", "N", "E"], "Way": ["go"], "Cell": 12},
    "shape": {"turn": "Player", "moves": {"$:Way": true}, "move": "Way", "over": "bool",
              "small": "2..5", "large": "10..300", "wide": "0..1000000", "whole": "int", "open": "bool",
              "text": "string", "any": {"$": "int"}, "of": {"$:Player": "0..40"},
              "seen": {"$:Player": {"$:Owner": true}}, "cells": {"$:Cell": "Owner"}, "deck": {"$:Cell": "Cell"}},
    "hidden": {"deck": "nobody"},
    "state": {"turn": "N"},
    "moves": [{"action": {"moves": {"go": true}}}], "play": [], "score": []
})";

class FeaturesTest : public testing::Test {
  protected:
    void SetUp() override {
        opened_ = open_text(std::string(kTypes));
        ASSERT_NE(opened_.game, nullptr) << told(opened_.diagnostics, opened_.sources);
        features_.emplace(*opened_.game->ruleset_game());
    }

    std::set<std::string> seen(const std::string& state, Seat me, const Memory& memory = {}) {
        const auto position = opened_.game->new_position();
        Random chance(1);
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        const std::uint32_t file = sources.add("state", state);
        const auto document = engine::read_json(sources, file, diagnostics);
        EXPECT_TRUE(document && position->load(*document, chance, diagnostics))
            << told(diagnostics, sources);
        std::vector<std::uint8_t> bits(features_->bytes(), 0xff);
        features_->write(*position->ruleset_state(), memory, me, bits);
        std::set<std::string> names;
        for (std::uint32_t bit = 0; bit < features_->size(); ++bit)
            if ((bits[bit / 8] >> bit % 8 & 1) != 0) names.insert(features_->name(bit));
        return names;
    }
    static std::string told(const engine::Diagnostics& diagnostics,
                            const engine::Sources& sources) {
        std::string text;
        for (const engine::Diagnostic& each : diagnostics.sorted())
            text += engine::format(each, sources) + "\n";
        return text;
    }

    OpenedGame opened_;
    std::optional<Features> features_;
};

using Seen = std::set<std::string>;

TEST_F(FeaturesTest, numbers_have_a_bit_for_each_value_or_digits) {
    EXPECT_EQ(seen(R"({"small": 2, "large": 10, "whole": 0})", 0),
              (Seen{"turn=me", "small=2", "large", "whole"}));
    EXPECT_EQ(
        seen(R"({"small": 5, "large": 300, "open": true})", 0),
        (Seen{"turn=me", "small=5", "large", "large: 2", "large: 32", "large: 256", "open=true"}))
        << "290 above the least";
    EXPECT_EQ(seen(R"({"whole": -6, "wide": 1000000, "open": false})", 0),
              (Seen{"turn=me", "whole", "whole < 0", "whole: 2", "whole: 4", "open=false", "wide",
                    "wide: 64", "wide: 512", "wide: 16384", "wide: 65536", "wide: 131072",
                    "wide: 262144", "wide: 524288"}));
    const Seen huge = seen(R"({"whole": 1000000000000})", 0);
    EXPECT_EQ(huge.size(), 2U + 16U) << "the largest that has digits";
}

TEST_F(FeaturesTest, seats_count_from_the_viewer) {
    const std::string state = R"({"of": {"N": 1, "S": 2}, "seen": {"E": {"none": true, "S": true}},
                                  "cells": {"0": "none", "11": "N"}, "turn": "S"})";
    EXPECT_EQ(seen(state, 0),
              (Seen{"turn=me+2", "of.me", "of.me: 1", "of.me+2", "of.me+2: 2", "seen.me+1.none",
                    "seen.me+1.me+2", "cells.0=none", "cells.11=me"}));
    EXPECT_EQ(seen(state, 1),
              (Seen{"turn=me+1", "of.me+2", "of.me+2: 1", "of.me+1", "of.me+1: 2", "seen.me.none",
                    "seen.me.me+1", "cells.0=none", "cells.11=me+2"}));
    EXPECT_EQ(seen(state, 2),
              (Seen{"turn=me", "of.me+1", "of.me+1: 1", "of.me", "of.me: 2", "seen.me+2.none",
                    "seen.me+2.me", "cells.0=none", "cells.11=me+1"}));
}

TEST_F(FeaturesTest, moves_made_are_remembered_and_secret_ones_by_their_seat) {
    Memory memory;
    const auto after = opened_.game->new_position();
    memory.note({.seat = 1, .move = 0}, *after);
    memory.note({.seat = 2, .move = 0, .secret = true}, *after);
    EXPECT_TRUE(features_->remembers());
    const std::string state = R"({"turn": "N"})";
    EXPECT_EQ(seen(state, 0, memory), (Seen{"turn=me", "made.me+1.go"}));
    EXPECT_EQ(seen(state, 1, memory), (Seen{"turn=me+2", "made.me.go"}));
    EXPECT_EQ(seen(state, 2, memory), (Seen{"turn=me+1", "made.me.go", "made.me+2.go"}));
    memory.clear();
    EXPECT_EQ(seen(state, 2, memory), (Seen{"turn=me+1"}));
}

TEST(features, forget_moves_at_the_next_deal) {
    const auto game = open_for_test("belote", {{"match", "target"}});
    ASSERT_NE(game, nullptr);
    const auto position = game->new_position();
    Random deal(1);
    Random chance(1);
    Memory memory;
    position->start(deal);
    // One bid and 32 cards.
    for (std::size_t made = 0; made < 33; ++made) {
        EXPECT_EQ(memory.made().size(), made);
        const Seat seat = position->turn();
        const Move move = position->find_move("take").value_or(position->move(0));
        position->play(move, chance);
        memory.note({seat, move}, *position);
    }
    EXPECT_TRUE(position->is_auction());
    EXPECT_TRUE(memory.made().empty());
}

TEST_F(FeaturesTest, what_nobody_sees_and_what_has_no_place_has_no_bits) {
    EXPECT_EQ(seen(R"({"deck": {"0": 1}, "text": "words", "any": {"x": 1}})", 0),
              (Seen{"turn=me"}));
    EXPECT_EQ(features_->left_out(), (std::vector<std::string>{"text", "any"}));
    Seen names;
    for (std::uint32_t bit = 0; bit < features_->size(); ++bit)
        EXPECT_TRUE(names.insert(features_->name(bit)).second) << features_->name(bit);
}

TEST(features, of_every_shipped_game_have_different_names) {
    for (const char* name : {"belote", "coinche", "tarot", "life", "oldmaid", "krk"}) {
        const auto game = open_for_test(name);
        ASSERT_NE(game, nullptr);
        const Features features(*game->ruleset_game());
        std::set<std::string> names;
        for (std::uint32_t bit = 0; bit < features.size(); ++bit)
            names.insert(features.name(bit));
        EXPECT_EQ(names.size(), features.size()) << name;
        EXPECT_GT(features.size(), 20U) << name;
    }
}

} // namespace
} // namespace croupier::games
