// croupier test for authors of rules.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace croupier::cli {
namespace {

class OwnTests : public FolderTest {
  protected:
    void SetUp() override {
        FolderTest::SetUp();
        // One or two are taken from a pile; the player who takes the last one wins.
        write("pile/rules.json", R"({
            "game": {"name": "pile", "players": ["A", "B"]},
            "types": {"Seat": {"members": ["A", "B"], "order": "cyclic"}},
            "constants": {"take": {"1": true, "2": true}}, "options": {"pile": 3},
            "setup": [{"name": "begin", "action": {"turn": "A", "pile": "= options.pile"}}],
            "moves": [{"name": "take", "condition": {"pile": "$N", "take": {"$K": true}, "_": "$K <= $N"},
                       "action": {"moves": {"$K": true}}}],
            "play": [{"name": "taken", "condition": {"move": "$K", "turn": "$T", "next": {"$T": "$U"}},
                      "action": {"pile": "$this - $K", "turn": "$U"}},
                     {"name": "last", "condition": {"pile": 0}, "action": {"over": true}}],
            "score": [{"name": "won", "condition": {"turn": "$L", "next": {"$W": "$L"}},
                       "action": {"score": {"$W": 1, "$L": 0}}}]})");
        write("pile/tests/a.json", "{\"tests\": [ // of the pile\n"
                                   "{\"name\": \"two\", \"play\": [\"2\", \"1\"], \"expect\": "
                                   "{\"scores\": {\"A\": 1}}},\n"
                                   "{\"name\": \"counts\", \"set\": {\"pile\": 4}, \"sequences\": "
                                   "[2, 4, 6]}]}");
    }
};

TEST_F(OwnTests, tell_where_found_and_expected_differ) {
    const Ran ran = run_in_process({"test", path("pile")});
    EXPECT_EQ(ran.code, 1);
    const std::string file = path("pile/tests/a.json");
    EXPECT_EQ(ran.out, file + ": 2 tests, 2 failed, 5 of 5 rules fired\n  FAILED two\n    " + file +
                           ":2:64: scores.A\n      found    0\n      expected 1\n"
                           "  FAILED counts\n    " +
                           file +
                           ":3:53: sequences\n      found    [2, 4, 4]\n      expected [2,4,6]\n"
                           "2 tests, 2 failed\n");
    EXPECT_EQ(ran.err, "");
    const Ran told = run_in_process({"test", path("pile/tests"), "--json"});
    EXPECT_EQ(told.code, 1);
    const auto all = nlohmann::json::parse(told.out);
    ASSERT_EQ(all["tests"].size(), 2U);
    EXPECT_EQ(all["tests"][1]["test"], "counts");
    EXPECT_EQ(all["tests"][1]["good"], false);
    EXPECT_EQ(all["tests"][1]["failures"][0]["line"], 3);
    EXPECT_EQ(all["tests"][1]["failures"][0]["found"], "[2, 4, 4]");
    EXPECT_EQ(all["coverage"][0]["rules"], 5);
}

TEST_F(OwnTests, where_there_are_none_random_games_are_checked) {
    std::filesystem::remove_all(path("pile/tests"));
    for (const std::string& word : {path("pile"), path("pile/rules.json")}) {
        const Ran ran = run_in_process({"test", word});
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(ran.out, path("pile/tests") + ": 1 test, 5 of 5 rules fired\n1 test, all good\n");
        EXPECT_EQ(ran.err,
                  path("pile/tests") + ": there are no tests, only checks of random games\n");
    }
    std::string broken = text("pile/rules.json");
    broken.replace(broken.find("\"turn\": \"$U\""), 12, "\"turn\": \"@remove\"");
    write("pile/rules.json", broken);
    EXPECT_EQ(run_in_process({"test", path("pile")}).code, 1);
}

TEST_F(OwnTests, are_chosen_by_name_and_written_anew) {
    const Ran one = run_in_process({"test", path("pile/tests/a.json"), "--only", "count"});
    EXPECT_EQ(one.code, 1);
    EXPECT_TRUE(contains(one.out, ": 1 test, 1 failed, 2 of 5 rules fired")) << one.out;
    const Ran never = run_in_process({"test", path("pile"), "--only", "count", "--coverage"});
    EXPECT_TRUE(contains(never.out, "  never fired: taken, last, won\n")) << never.out;
    const Ran update = run_in_process({"test", path("pile"), "--update"});
    EXPECT_EQ(update.code, 1);
    EXPECT_TRUE(contains(update.out, "2 values rewritten")) << update.out;
    EXPECT_EQ(
        text("pile/tests/a.json"),
        "{\"tests\": [ // of the pile\n"
        "{\"name\": \"two\", \"play\": [\"2\", \"1\"], \"expect\": {\"scores\": {\"A\": 0}}},\n"
        "{\"name\": \"counts\", \"set\": {\"pile\": 4}, \"sequences\": [2, 4, 4]}]}");
    const Ran again = run_in_process({"test", path("")}); // a folder of games
    EXPECT_EQ(again.code, 0) << again.out;
    EXPECT_TRUE(contains(again.out, "2 tests, all good\n")) << again.out;
}

TEST_F(OwnTests, with_mistakes_are_exit_code_2) {
    write("pile/tests/b.json", R"({"tests": [{"name": "x", "expct": {}}]})");
    const Ran form = run_in_process({"test", path("pile")});
    EXPECT_EQ(form.code, 2);
    EXPECT_TRUE(contains(form.err, "b.json:1:26: error[E0612]: a test has no key \"expct\""))
        << form.err;
    EXPECT_TRUE(contains(form.err, "did you mean \"expect\"?")) << form.err;
    EXPECT_TRUE(contains(form.out, "a.json: 2 tests")) << "the other file is run";
    write("pile/tests/b.json", R"({"set": {"pil": 3}, "tests": [{"name": "x", "expect": {}}]})");
    const Ran option = run_in_process({"test", path("pile/tests/b.json")});
    EXPECT_EQ(option.code, 2);
    EXPECT_TRUE(contains(option.err, "error[E0217]")) << option.err;
    const Ran nothing = run_in_process({"test", "engine"});
    EXPECT_EQ(nothing.code, 2);
    EXPECT_TRUE(contains(nothing.err, "there are no tests in 'engine'")) << nothing.err;
    EXPECT_TRUE(contains(run_in_process({"test", "whst"}).err, "did you mean 'whist'?"));
}

TEST_F(OwnTests, are_found_by_the_name_of_the_game) {
    const Ran ran = run_in_process({"test", "whist"});
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.out, "whist/tests/rules.json: ")) << ran.out;
}

TEST_F(OwnTests, are_found_however_the_game_is_named) {
    write("pile/fast.json", R"({"@include": "rules.json", "options": {"pile": 3}})");
    const Ran named = run_in_process({"test", "pile", "--games-folder", path("")});
    EXPECT_EQ(named.code, 1);
    EXPECT_TRUE(contains(named.out, "2 tests, 2 failed")) << named.out << named.err;
    for (const std::string& word :
         {path("pile/"), path("pile/rules.json"), path("pile/rules.json") + ":fast",
          path("pile") + ":fast", path("pile/tests"), path("pile/tests/")})
        EXPECT_EQ(run_in_process({"test", word}).out, named.out) << word;
    EXPECT_EQ(run_in_process({"test", "pile:fast", "--games-folder", path("")}).out, named.out);
    const Ran other = run_in_process({"test", "whist", "--games-folder", path("")});
    EXPECT_EQ(other.code, 2);
    EXPECT_TRUE(contains(other.err, "there is no game 'whist'; the games are pile")) << other.err;
    const Ran revision = run_in_process({"test", path("pile") + ":slow"});
    EXPECT_EQ(revision.code, 2);
    EXPECT_TRUE(contains(revision.err, "there is no file '")) << revision.err;
    EXPECT_TRUE(contains(run_in_process({"test", "-"}).err, "there are no tests in '-'"));
}

TEST_F(OwnTests, beside_the_folder_of_tests_are_a_file_of_tests_still) {
    write("pile/more.json",
          R"({"game": "rules.json", "tests": [{"name": "more", "play": ["1"]}]})");
    const Ran more = run_in_process({"test", path("pile/more.json")});
    EXPECT_EQ(more.code, 0) << more.out << more.err;
    EXPECT_TRUE(contains(more.out, "more.json: 1 test, ")) << more.out;
}

} // namespace
} // namespace croupier::cli
