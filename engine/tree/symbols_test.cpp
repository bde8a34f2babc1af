// Tables of texts and their copies, and the index of children, against the containers of the
// library.
#include "engine/run/random.h"
#include "engine/tree/child_index.h"
#include "engine/tree/symbols.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {
namespace {

void expect_holds(const Symbols& symbols, const std::vector<std::string>& texts) {
    ASSERT_EQ(symbols.size(), texts.size());
    for (Symbol symbol = 0; symbol < texts.size(); ++symbol) {
        EXPECT_EQ(symbols.text(symbol), texts[symbol]);
        EXPECT_EQ(symbols.find(texts[symbol]), symbol);
    }
}

TEST(symbols, a_copy_over_one_that_shares_the_beginning_is_the_other_and_no_more) {
    Symbols base;
    base.intern("a");
    Symbols first(&base);
    first.intern("b");
    first.intern("7");
    Symbols second = first;
    first.intern("c");
    second.intern("x");
    second.intern("c");
    expect_holds(first, {"a", "b", "7", "c"});
    expect_holds(second, {"a", "b", "7", "x", "c"});
    second = first;
    expect_holds(second, {"a", "b", "7", "c"});
    EXPECT_EQ(second.find("x"), kNoSymbol) << "what only the old table had";
    EXPECT_EQ(second.integer(2), 7);
    second.intern("y");
    expect_holds(first, {"a", "b", "7", "c"});
    first = Symbols(&base);
    expect_holds(first, {"a"});
    EXPECT_EQ(first.find("b"), kNoSymbol);
    expect_holds(second, {"a", "b", "7", "c", "y"});
}

TEST(symbols, a_copy_over_an_extension_of_another_table_shares_nothing) {
    Symbols base;
    base.intern("a");
    Symbols other_base;
    other_base.intern("p");
    other_base.intern("q");
    Symbols first(&base);
    first.intern("b");
    Symbols second(&other_base);
    second.intern("r");
    second = first;
    expect_holds(second, {"a", "b"});
    EXPECT_EQ(second.find("p"), kNoSymbol);
}

TEST(child_index, finds_what_a_map_finds) {
    Random random(7);
    ChildIndex index;
    std::map<std::pair<std::uint32_t, Symbol>, std::uint32_t> known;
    std::uint32_t most = 0;
    for (int step = 0; step < 20000; ++step) {
        const auto parent = static_cast<std::uint32_t>(1 + random.below(3));
        const auto key = static_cast<Symbol>(random.below(400));
        // Grows and shrinks by turns.
        if (random.below(10) < (step / 2000 % 2 == 0 ? 7U : 3U)) {
            index.put(parent, key, static_cast<std::uint32_t>(step + 1));
            known[{parent, key}] = static_cast<std::uint32_t>(step + 1);
        } else {
            index.erase(parent, key);
            known.erase({parent, key});
        }
        most = std::max(most, static_cast<std::uint32_t>(known.size()));
        if (step % 500 != 0) {
            continue;
        }
        const ChildIndex copy = index;
        for (std::uint32_t each = 1; each < 4; ++each) {
            for (Symbol child = 0; child < 400; ++child) {
                const auto found = known.find({each, child});
                ASSERT_EQ(copy.find(each, child), found == known.end() ? 0 : found->second);
            }
        }
    }
    EXPECT_GT(most, 600U);
}

} // namespace
} // namespace croupier::engine
