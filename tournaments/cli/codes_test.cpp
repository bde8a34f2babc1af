// A code has one meaning in the whole program, whichever command prints it.
#include "agents/codes.h"
#include "engine/api/text.h"
#include "games/ruleset/codes.h"
#include "tournaments/spec/specification.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace croupier {
namespace {

TEST(codes, none_is_given_twice) {
    std::set<std::string_view> given;
    const auto give = [&](const auto& codes) {
        for (const std::string_view code : codes)
            EXPECT_TRUE(given.insert(code).second) << code;
    };
    give(engine::code::kAll);
    give(games::code::kAll);
    give(agents::code::kAll);
    give(tournaments::code::kAll);
    EXPECT_TRUE(given.contains("W0603"));
}

} // namespace
} // namespace croupier
