// croupier export: every shipped rule file means the same, and plays the same, after export.
#include "engine/api/ruleset.h"
#include "games/registry.h"
#include "tournaments/cli/testing.h"
#include "tournaments/run/files.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> rule_files() {
    std::vector<std::string> files;
    for (const char* folder : {"games", "agents", "bench/rules", "engine/examples"}) {
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

class Export : public FolderTest {
  protected:
    // Returns the path of the exported file.
    [[nodiscard]] std::string exported(const std::vector<std::string>& files) const {
        std::vector<std::string> arguments = {"export", "--include-from", "."};
        arguments.insert(arguments.end(), files.begin(), files.end());
        const Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, 0) << files[0] << ran.err;
        EXPECT_EQ(ran.err, "") << files[0];
        return write("exported.json", ran.out);
    }
};

TEST_F(Export, of_every_shipped_file_is_strict_json_and_says_the_same) {
    std::size_t compared = 0;
    for (const std::string& file : rule_files()) {
        const std::string path = exported({file});
        ASSERT_TRUE(nlohmann::json::accept(text("exported.json"))) << file;
        // Parts of rulesets, which cannot be read alone, cannot be compared either.
        if (run_in_process({"check", "--no-play", "--include-from", ".", file}).code != 0) continue;
        const Ran diff = run_in_process({"diff", "--include-from", ".", file, path});
        EXPECT_EQ(diff.code, 0) << file << diff.err;
        EXPECT_EQ(diff.out, "no difference\n") << file;
        // A second export changes nothing.
        const std::string once = text("exported.json");
        EXPECT_EQ(run_in_process({"export", path}).out, once) << file;
        ++compared;
    }
    EXPECT_GT(compared, 60U);
}

TEST_F(Export, of_every_shipped_game_plays_the_same_games) {
    const auto opener = [](const std::string& path) {
        std::istringstream none;
        return engine::FileText{tournaments::read_input(path, none), {}};
    };
    std::size_t games = 0;
    const games::Registry registry("games", opener);
    for (const games::GameEntry& entry : registry.entries()) {
        const std::string path = exported({entry.path});
        for (const char* seed : {"1", "2", "3"}) {
            const auto record = [&](const std::string& game, const std::string& name) {
                const Ran ran = run_in_process({"play", game, "--seed", seed, "--record",
                                                this->path(name), "--include-from", "games"});
                EXPECT_EQ(ran.code, 0) << game << ran.err;
                // The path and the hash of the files come before the options.
                const std::string whole = text(name);
                return whole.substr(std::min(whole.find("\"options\""), whole.size()));
            };
            const std::string of_files = record(entry.path, "files.jsonl");
            EXPECT_GT(of_files.size(), 200U);
            EXPECT_TRUE(record(path, "exported.jsonl") == of_files)
                << entry.path << ", seed " << seed;
        }
        ++games;
    }
    EXPECT_GT(games, 20U);
}

TEST_F(Export, lays_files_over_each_other_and_takes_games_by_name) {
    const std::string base = write("base.json", R"({"options": {"n": 1.0, "m": 2}} // base)");
    const std::string over = write("over.json", R"({"options": {"n": 3}})");
    EXPECT_EQ(text(fs::path(exported({base, over})).filename()),
              "{\n  \"options\": {\n    \"n\": 3,\n    \"m\": 2\n  }\n}\n");
    const Ran named = run_in_process({"export", "belote:contest"});
    EXPECT_EQ(named.out, run_in_process({"export", "games/belote/contest.json"}).out);
    EXPECT_EQ(nlohmann::json::parse(named.out)["game"]["revision"], "contest");
    const Ran unknown = run_in_process({"export", "belot"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(contains(unknown.err, "did you mean 'belote'?")) << unknown.err;
    const Ran bad = run_in_process({"export", write("bad.json", "{,}")});
    EXPECT_EQ(bad.code, 2);
    EXPECT_EQ(bad.out, "");
    EXPECT_TRUE(contains(bad.err, "bad.json:1:2: error[E0003]")) << bad.err;
}

TEST_F(Export, check_strict_is_content_with_every_shipped_game) {
    std::vector<std::string> arguments = {"check", "--strict", "--no-play"};
    for (const auto& folder : fs::directory_iterator("games")) {
        if (!fs::exists(folder.path() / "rules.json")) continue; // parts of games
        for (const auto& file : fs::directory_iterator(folder.path()))
            if (file.path().extension() == ".json") arguments.push_back(file.path().string());
    }
    EXPECT_GT(arguments.size(), 30U);
    const Ran ran = run_in_process(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    const Ran nameless =
        run_in_process({"check", "--strict", write("x.json", R"([{"action": {"n": 1}}])")});
    EXPECT_EQ(nameless.code, 1);
    EXPECT_TRUE(contains(nameless.err, "x.json:1:2: warning[W0004]: this rule has no name"))
        << nameless.err;
    EXPECT_EQ(run_in_process({"check", path("x.json")}).code, 0);
}

// engine/ tests the contents of the schema: this checks that it is of these files.
TEST_F(Export, as_a_schema_knows_the_options_of_the_files) {
    const auto options_of = [](const std::vector<std::string>& files) {
        std::vector<std::string> arguments = {"export", "--schema"};
        arguments.insert(arguments.end(), files.begin(), files.end());
        const Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
        const auto schema = nlohmann::json::parse(ran.out);
        EXPECT_EQ(schema["$defs"]["ruleset"]["properties"]["setup"]["$ref"], "#/$defs/group");
        return schema["$defs"]["ruleset"]["properties"]["options"]["properties"];
    };
    const auto belote = options_of({"belote"});
    EXPECT_EQ(belote["litige"]["enum"], (nlohmann::json{"carry", "fail", "success", "replay"}));
    EXPECT_EQ(belote["deals"]["maximum"], 1'000'000);
    EXPECT_FALSE(belote.contains("trump"));
    EXPECT_TRUE(options_of({"whist"}).contains("trump"));
    const std::string revision = write("longer.json", R"({"options": {"max_plies": 77}})");
    EXPECT_EQ(options_of({"games/life/rules.json", revision})["max_plies"]["default"], 77);

    const Ran wrong = run_in_process({"export", "--schema", write("bad.json", R"({"play": 3})")});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("bad.json:1:"), std::string::npos) << wrong.err;
}

} // namespace
} // namespace croupier::cli
