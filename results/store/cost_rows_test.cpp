// costs.csv and rules.csv: what is written reads back, damage is named, and the journal cuts both.
#include "results/store/games_file.h"
#include "results/store/journal.h"
#include "results/store/measurements.h"
#include "results/store/run_file.h"
#include "results/store/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace croupier::results {
namespace {

namespace fs = std::filesystem;

class CostFiles : public FolderTest {
  protected:
    CostFiles() {
        facts_.game = "cards";
        facts_.players = {"A", "B,C"};
        facts_.agents = {"random", "good"};
        ProfileFacts& rules = costs_.facts;
        rules.mode = ProfileMode::Full;
        rules.rules.resize(3);
        rules.rules[0] = {{}, "play", "deal, then \"cut\"", "rules.json:3:5", true, false, {}};
        rules.rules[0].entries = {{"\"turn\": \"$P\"", 0, false, {"P"}, {}},
                                  {"\"x\": \"> $P\"", 1, true, {}, {"P"}}};
        rules.rules[1] = {{}, "play", "idle", "rules.json:9:5", false, true, {}};
        rules.rules[2] = {1, "choose", "lead", "good.json:1:2", true, true, {}};
        rules.options = {{"target", "1000", {{0, 1}, {2, kNothing}}}, {"deck", "\"\"", {}}};
    }

    static std::vector<CostRow> block(std::uint64_t index) {
        return {{{}, {.tried = 4, .matches = 10, .match_ns = 200}},
                {{0, Phase::Play, 1, kNothing}, {9 + index, 8, 7, 6}},
                {{0, Phase::Play, 1, 1}, {3, 2, 0, 0}},
                {{0, Phase::Any, kNothing, kNothing}, {0, 0, 0, 0, 5, 4, 12, 3}},
                {{0, Phase::Any, kNothing, 1}, {0, 0, 0, 0, 1, 0, 1, 0}},
                {{2, Phase::Choose, 0, kNothing}, {1, 1, 1, 1}},
                {{kNothing, {}, kNothing, 2}, {.match_ns = 1}}};
    }
    [[nodiscard]] std::string failure_of(const std::string& rows) const {
        write(kCostsFile, std::string(kCostTitles) + rows);
        CostReader reader(path(kCostsFile), costs_.facts, 2);
        std::vector<CostRow> read;
        EXPECT_FALSE(reader.read(0, read));
        const std::string failure = reader.failure().value_or("");
        return failure.substr(std::min(failure.size(), failure.find("costs.csv")));
    }

    RunFacts facts_;
    Costs costs_;

  private:
};

TEST_F(CostFiles, blocks_read_back_one_by_one) {
    std::string rows(kCostTitles);
    append_cost_rows(2, block(2), rows);
    append_cost_rows(5, block(5), rows);
    EXPECT_NE(rows.find("\n2,0,,,,0,0,0,0,5,4,12,3\n"), std::string::npos) << rows;
    write(kCostsFile, rows);
    CostReader reader(path(kCostsFile), costs_.facts, 2);
    std::vector<CostRow> read;
    for (const std::uint64_t index : {0, 2, 3, 5, 6}) {
        ASSERT_TRUE(reader.read(index, read)) << *reader.failure();
        const auto wanted = index == 2 || index == 5 ? block(index) : std::vector<CostRow>();
        ASSERT_EQ(read.size(), wanted.size()) << index;
        for (std::size_t i = 0; i < read.size(); ++i) {
            EXPECT_EQ(read[i].key, wanted[i].key);
            EXPECT_EQ(read[i].cost, wanted[i].cost);
        }
    }
}

TEST_F(CostFiles, damage_is_named_with_its_line) {
    EXPECT_EQ(failure_of("0,3,play,1,,1,1,1,1,1,1,1,1\n"), "costs.csv:2: there is no rule '3'");
    EXPECT_EQ(failure_of("0,0,bid,1,,1,1,1,1,1,1,1,1\n"), "costs.csv:2: the phase is 'bid'");
    EXPECT_EQ(failure_of("0,0,play,2,,1,1,1,1,1,1,1,1\n"), "costs.csv:2: there is no seat '2'");
    EXPECT_EQ(failure_of("0,1,play,1,0,1,1,1,1,1,1,1,1\n"), "costs.csv:2: there is no entry '0'");
    EXPECT_EQ(failure_of("x,0,play,1,,1,1,1,1,1,1,1,1\n"), "costs.csv:2: the block is 'x'");
    EXPECT_EQ(failure_of("0,0,play,1,,1,-1,1,1,1,1,1,1\n"),
              "costs.csv:2: the number under passed is '-1'");
    EXPECT_EQ(failure_of("0,0,play,1,,1\n"), "costs.csv:2: the row has too few cells");
    write(kCostsFile, std::string(kCostTitles) + "1,0,play,1,,1,1,1,1,1,1,1,1\n"
                                                 "0,0,play,1,,1,1,1,1,1,1,1,1\n");
    CostReader reader(path(kCostsFile), costs_.facts, 2);
    std::vector<CostRow> read;
    EXPECT_FALSE(reader.read(1, read) && reader.read(2, read));
    EXPECT_NE(reader.failure()->find("block 0 stands where block 1 should"), std::string::npos);
}

TEST_F(CostFiles, rules_csv_is_what_its_titles_say_and_reads_back) {
    costs_.table.add_game(9);
    for (const CostRow& row : block(0))
        costs_.table.add(row);
    write(kRulesFile, rules_text(costs_, facts_));
    std::string parts;
    for (const auto& [name, what] : {std::pair{"deal,,,,4", "a fresh state to deal from"},
                                     {"play,,,,5", "the move put and taken away"},
                                     {"moves,,,,6", "legal moves read"},
                                     {"score,,,,7", "scores read"},
                                     {"view,,,,8", "views made"},
                                     {"line,,,,9", "hash of the moves"},
                                     {"look,,,,10", "the view put before an agent's rules"},
                                     {"weights,,,,11", "weights of moves read"},
                                     {"record,,,,12", "records made"},
                                     {"rows,,,,13", "rows written"}})
        parts += std::string(",,,") + name + "," + what +
                 ",0,0,0,0,1,10,4,10,200,0,0,0,0,0,0.0,0.00000,0.00000,0.27753\n";
    EXPECT_EQ(
        text(kRulesFile),
        "rule,owner,group,name,phase,seat,player,entry,text,tried,passed,matches,firings,"
        "games,steps,watched,ticks,cpu_ns,match_ns,act_ns,total_ns,shared_ns,self_ns,ns_per_game,"
        "share,low,high\n"
        "0,cards,play,\"deal, then \"\"cut\"\"\",,,,,,0,0,0,0,1,10,4,10,200,"
        "5,4,12,3,9,180.0,0.90000,0.59585,0.98212\n"
        "0,cards,play,\"deal, then \"\"cut\"\"\",,,,0,\"\"\"turn\"\": \"\"$P\"\"\","
        "0,0,0,0,1,10,4,10,200,0,0,0,0,0,0.0,0.00000,0.00000,0.27753\n"
        "0,cards,play,\"deal, then \"\"cut\"\"\",,,,1,\"\"\"x\"\": \"\"> $P\"\"\","
        "0,0,0,0,1,10,4,10,200,1,0,1,0,1,20.0,0.10000,0.01788,0.40415\n"
        "0,cards,play,\"deal, then \"\"cut\"\"\",play,1,\"B,C\",1,\"\"\"x\"\": \"\"> $P\"\"\","
        "3,2,0,0,1,10,4,10,200,0,0,0,0,0,0.0,0.00000,0.00000,0.27753\n"
        "0,cards,play,\"deal, then \"\"cut\"\"\",play,1,\"B,C\",,,"
        "9,8,7,6,1,10,4,10,200,0,0,0,0,0,0.0,0.00000,0.00000,0.27753\n"
        "1,cards,play,idle,,,,,,0,0,0,0,1,10,4,10,200,0,0,0,0,0,0.0,0.00000,0.00000,0.27753\n"
        "2,good,choose,lead,,,,,,0,0,0,0,1,10,4,10,200,0,0,0,0,0,0.0,0.00000,0.00000,0.27753\n"
        "2,good,choose,lead,choose,0,A,,,1,1,1,1,1,10,4,10,200,"
        "0,0,0,0,0,0.0,0.00000,0.00000,0.27753\n"
        ",,,engine,,,,0,entering and leaving groups,0,0,0,0,1,10,4,10,200,"
        "0,0,0,0,0,0.0,0.00000,0.00000,0.27753\n"
        ",,,game,,,,1,\"the table, else around the game's rules\",0,0,0,0,1,10,4,10,200,"
        "0,0,0,0,0,0.0,0.00000,0.00000,0.27753\n"
        ",,,agents,,,,2,\"agents, else around their rules\",0,0,0,0,1,10,4,10,200,"
        "1,0,1,0,1,20.0,0.10000,0.01788,0.40415\n"
        ",,,harness,,,,3,\"schedules, else around games\",0,0,0,0,1,10,4,10,200,"
        "0,0,0,0,0,0.0,0.00000,0.00000,0.27753\n" +
            parts);
    Costs read{costs_.facts, {}};
    const Failure failure =
        read_rules_file(fs::path(path(kRulesFile)).parent_path().string(), facts_, read);
    ASSERT_EQ(failure, std::nullopt) << *failure;
    EXPECT_EQ(read.table.rows(), costs_.table.rows());
    EXPECT_EQ(read.table.per_game(5), costs_.table.per_game(5));
    EXPECT_EQ(read.table.ticks(), 10u);
    EXPECT_EQ(read.table.outside(Outside::Agents), 1u);
}

TEST_F(CostFiles, a_damaged_rules_csv_is_named) {
    const std::string folder = fs::path(path(kRulesFile)).parent_path().string();
    Costs read{costs_.facts, {}};
    EXPECT_NE(read_rules_file(folder, facts_, read)->find("rules.csv: cannot be read"),
              std::string::npos);
    std::string rows = rules_text(costs_, facts_);
    write(kRulesFile, rows.replace(rows.find("watched"), 7, "looked"));
    EXPECT_NE(
        read_rules_file(folder, facts_, read)->find("rules.csv:1: there is no column 'watched'"),
        std::string::npos);
}

TEST_F(CostFiles, what_is_known_of_rules_survives_run_json) {
    const nlohmann::ordered_json told = to_json(costs_.facts);
    EXPECT_EQ(read_profile(JsonField(told), facts_.agents.size()), costs_.facts);
    RunFile run;
    run.facts = facts_;
    run.profile = costs_.facts;
    run.specification = R"({"game": "belote"})";
    const std::string folder = fs::path(path(kRunFile)).parent_path().string();
    write(kRunFile, to_json_text(run));
    RunFile read;
    ASSERT_EQ(read_run_file(folder, read), std::nullopt);
    EXPECT_EQ(read.profile, costs_.facts);
    // A rule of an agent that does not exist.
    run.facts.agents = {"random"};
    write(kRunFile, to_json_text(run));
    EXPECT_NE(read_run_file(folder, read)->find("agent: expected a whole number from 0 to 0"),
              std::string::npos);
}

// ---- the journal --------------------------------------------------------------------------------

class CostJournal : public CostFiles {
  protected:
    // Three batches, of blocks 0 to 2.
    void write_lots() {
        const std::string folder = fs::path(path(kRunFile)).parent_path().string();
        Journal journal(true);
        ASSERT_EQ(journal.open(folder), std::nullopt);
        for (std::uint64_t index = 0; index < 3; ++index) {
            std::string rows;
            append_cost_rows(index, block(index), rows);
            journal.append("row of " + std::to_string(index) + "\n", rows);
            ASSERT_EQ(journal.write(), std::nullopt);
            sizes_.push_back(text(kCostsFile).size());
        }
    }
    // Blocks and rows left after the test changed the files.
    std::pair<std::uint64_t, std::string> reopened() {
        Journal journal(true);
        const Failure failure = journal.open(fs::path(path(kRunFile)).parent_path().string());
        EXPECT_EQ(failure, std::nullopt) << *failure;
        return {journal.blocks(), text(kGamesFile).substr(kRowTitles.size())};
    }

    std::vector<std::size_t> sizes_; // of costs.csv after each batch
};

TEST_F(CostJournal, what_is_torn_in_one_file_is_cut_off_both) {
    write_lots();
    const std::string whole = text(kCostsFile);
    write(kCostsFile, whole.substr(0, sizes_[2] - 3)); // the last batch is incomplete
    EXPECT_EQ(reopened(), (std::pair<std::uint64_t, std::string>{2, "row of 0\nrow of 1\n"}));
    EXPECT_EQ(text(kCostsFile), whole.substr(0, sizes_[1]));
}

TEST_F(CostJournal, rows_behind_the_last_lot_go) {
    write_lots();
    const std::string whole = text(kCostsFile);
    write(kCostsFile, whole + "3,0,play");
    EXPECT_EQ(reopened().first, 3u);
    EXPECT_EQ(text(kCostsFile), whole);
}

TEST_F(CostJournal, a_changed_byte_costs_what_comes_after_it) {
    write_lots();
    std::string damaged = text(kCostsFile);
    damaged[sizes_[0] + 5] = 'x';
    write(kCostsFile, damaged);
    EXPECT_EQ(reopened(), (std::pair<std::uint64_t, std::string>{1, "row of 0\n"}));
}

TEST_F(CostJournal, parts_keep_their_costs_when_they_are_complete) {
    const std::string folder = fs::path(path(kRunFile)).parent_path().string();
    for (const bool keep : {true, false}) {
        Journal journal(true);
        ASSERT_EQ(journal.open(folder), std::nullopt);
        ASSERT_EQ(journal.remove(keep), std::nullopt);
        EXPECT_EQ(fs::exists(path(kCostsFile)), keep);
        fs::remove(path(kGamesFile));
        fs::remove(path(kCostsFile));
    }
}

} // namespace
} // namespace croupier::results
