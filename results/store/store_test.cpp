// Rows, the reader, and the journal after every kind of damage.
#include "results/store/file.h"
#include "results/store/games_file.h"
#include "results/store/journal.h"
#include "results/store/json_field.h"
#include "results/store/measurements.h"
#include "results/store/run_file.h"
#include "results/store/testing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace croupier::results {
namespace {

namespace fs = std::filesystem;

class Store : public FolderTest {
  protected:
    Store() {
        facts_.players = {"B", "W"};
        facts_.agents = {"random", "eval:a.json,depth=2", "say \"hi\" "};
    }

    [[nodiscard]] static std::vector<GameRecord> block(std::uint64_t index) {
        std::vector<GameRecord> games(2);
        for (std::uint32_t game = 0; game < 2; ++game) {
            games[game].block = index;
            games[game].game = game;
            games[game].plies = static_cast<std::uint32_t>(30 + index + game);
            games[game].line = 0x0123456789abcdefU * (index + 1);
            games[game].seats = {{game, 0.1 + static_cast<double>(index), 1, "taker", false},
                                 {1 - game, -1e300, 2, "", false}};
        }
        return games;
    }
    [[nodiscard]] std::string rows(const std::vector<GameRecord>& games) const {
        std::string text;
        for (const GameRecord& game : games)
            RowFormat(facts_).append(game, text);
        return text;
    }
    // Reads everything; returns the failure, if any.
    [[nodiscard]] std::string read_all(std::string_view text) const {
        write(kGamesFile, text);
        GamesReader reader(path(kGamesFile), facts_);
        std::vector<GameRecord> games;
        while (reader.next(games)) {
        }
        const std::string failure = reader.failure().value_or("");
        return failure.empty() ? failure : failure.substr(failure.find("games.csv"));
    }

    RunFacts facts_;
};

TEST_F(Store, crc32c_has_the_published_values) {
    EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU); // RFC 3720, B.4
    EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
    EXPECT_EQ(crc32c(" 9 bytes or more", crc32c("first")), crc32c("first 9 bytes or more"));
}

TEST_F(Store, a_row_is_what_its_title_says) {
    GameRecord game = block(3)[1];
    EXPECT_EQ(rows({game}),
              "3,1,,0,B,\"eval:a.json,depth=2\",3.1,1,taker,34,over,,,048d159e26af37bc\n"
              "3,1,,1,W,random,-1e+300,2,,34,over,,,048d159e26af37bc\n");
    game.end = End::Fault;
    game.fault = "illegal move \"x,y\"";
    game.seats[1].at_fault = true;
    EXPECT_EQ(
        rows({game}),
        "3,1,,0,B,\"eval:a.json,depth=2\",3.1,1,taker,34,fault,,,048d159e26af37bc\n"
        "3,1,,1,W,random,-1e+300,2,,34,fault,\"illegal move \"\"x,y\"\"\",,048d159e26af37bc\n");
    // A replaced agent has not ended the game.
    game.seats[0].substitute = 7;
    game.seats[0].lapse = "crash: gone";
    EXPECT_EQ(
        rows({game}).substr(0, rows({game}).find('\n')),
        "3,1,,0,B,\"eval:a.json,depth=2\",3.1,1,taker,34,fault,crash: gone,7,048d159e26af37bc");
    game.seats[1].at_fault = false;
    game.end = End::Resigned;
    game.fault.clear();
    EXPECT_EQ(rows({game}).substr(rows({game}).find('\n') + 1),
              "3,1,,1,W,random,-1e+300,2,,34,resigned,,,048d159e26af37bc\n");
}

TEST_F(Store, scores_are_written_with_as_few_characters_as_say_them) {
    const auto written = [&](double score) {
        GameRecord game = block(0)[1];
        game.seats[0].score = score;
        const std::string row = rows({game});
        const std::size_t begin = row.find("depth=2\",") + 9;
        return row.substr(begin, row.find(',', begin) - begin);
    };
    EXPECT_EQ(written(0), "0");
    EXPECT_EQ(written(-0.0), "-0");
    EXPECT_EQ(written(-162), "-162");
    EXPECT_EQ(written(99999), "99999");
    EXPECT_EQ(written(100000), "1e+05");
    EXPECT_EQ(written(100001), "100001");
    EXPECT_EQ(written(0.5), "0.5");
    EXPECT_EQ(written(-2.5e9), "-2.5e+09");
}

TEST_F(Store, what_is_written_reads_back_as_the_same) {
    std::vector<GameRecord> first = block(0);
    first[0].seats[0].agent = 2; // with quotes and a space at the end
    first[0].start = 17;
    first[1].end = End::Fault;
    first[1].fault = "it said \"no\", twice";
    first[1].seats[0].at_fault = true;
    std::vector<GameRecord> second = block(4);
    second[0].end = End::Aborted;
    second[0].fault = "deal: division by zero";
    second[1].end = End::Cut;
    second[1].seats[1].substitute = 0;
    second[1].seats[1].lapse = "start: the program ended with exit code 127";
    write(kGamesFile, std::string(kRowTitles) + rows(first) + rows(second));

    GamesReader reader(path(kGamesFile), facts_);
    std::vector<GameRecord> games;
    for (const auto& wanted : {first, second}) {
        ASSERT_TRUE(reader.next(games)) << reader.failure().value_or("");
        EXPECT_EQ(rows(games), rows(wanted));
        ASSERT_EQ(games.size(), 2U);
        for (std::size_t game = 0; game < 2; ++game) {
            EXPECT_EQ(games[game].fault, wanted[game].fault);
            EXPECT_EQ(games[game].start, wanted[game].start);
            for (std::size_t seat = 0; seat < 2; ++seat) {
                EXPECT_EQ(games[game].seats[seat].score, wanted[game].seats[seat].score);
                EXPECT_EQ(games[game].seats[seat].at_fault, wanted[game].seats[seat].at_fault);
                EXPECT_EQ(games[game].seats[seat].substitute, wanted[game].seats[seat].substitute);
                EXPECT_EQ(games[game].seats[seat].lapse, wanted[game].seats[seat].lapse);
            }
        }
    }
    EXPECT_FALSE(reader.next(games));
    EXPECT_EQ(reader.failure(), std::nullopt);
}

TEST_F(Store, nothing_is_appended_below_other_columns) {
    write(kGamesFile, "block,game,seat,player,agent,score,place,role,plies,end,fault,line\n"
                      "0,0,0,B,random,1,1,,9,over,,048d159e26af37bc\n"
                      "0,0,1,W,random,0,2,,9,over,,048d159e26af37bc\n");
    write(kJournalFile, "");
    Journal journal;
    const std::string failure = journal.open(path("")).value_or("");
    EXPECT_NE(failure.find("has other columns"), std::string::npos) << failure;
}

TEST_F(Store, times_read_back_as_the_same) {
    TimeTable times(3, 2);
    times.at(2, 1).count(40);
    for (std::uint64_t time = 1; time < 1'000'000; time *= 3)
        times.at(2, 1).measure(time, 256);
    times.at(2, 1).measure_processor(7, 3);
    times.at(0, 0).count(1);
    times.set_games(7);
    write(kTimesFile, times_text(times, facts_));
    TimeTable read;
    EXPECT_EQ(read_times_file(path(""), facts_, read), std::nullopt);
    EXPECT_EQ(times_text(read, facts_), text(kTimesFile));
    EXPECT_EQ(read.at(2, 1).quantile(0.9), times.at(2, 1).quantile(0.9));
    EXPECT_EQ(read.at(0, 0).decisions(), 1U);
    EXPECT_EQ(read.games(), 7U);
    read.add(times);
    EXPECT_EQ(read.games(), 14U) << "parts of a run are added";
    // Rows of variants are the same after a first cell with the name.
    const std::vector<VariantTimes> variants{{"life with max_plies=3, say", times}, {"none", {}}};
    std::istringstream plain(text(kTimesFile));
    std::istringstream named(variant_times_text(variants, facts_));
    std::string before = "variant,";
    for (std::string row, same; std::getline(plain, row);
         before = "\"life with max_plies=3, say\",") {
        ASSERT_TRUE(std::getline(named, same));
        EXPECT_EQ(same, before + row);
    }
    EXPECT_EQ(named.peek(), EOF);
    std::string damaged = text(kTimesFile);
    damaged.replace(damaged.rfind(':'), 1, ";");
    write(kTimesFile, damaged);
    EXPECT_NE(read_times_file(path(""), facts_, read)
                  .value_or("")
                  .find("times.csv:3: the histogram is damaged"),
              std::string::npos);
}

TEST_F(Store, a_damaged_row_is_named_with_its_line) {
    const std::string titles(kRowTitles);
    const std::string good = rows(block(0)); // lines 2 to 5
    const auto with = [&](std::string_view before, std::string_view after) {
        std::string text = rows(block(1)); // 6 to 9
        const std::size_t at = text.find(before);
        EXPECT_NE(at, std::string::npos) << before;
        return read_all(titles + good + text.replace(at, before.size(), after));
    };
    EXPECT_EQ(read_all(titles + good + rows(block(1))), "");
    EXPECT_EQ(with("1,0,,0,", "1,0,,"), "games.csv:6: the row has too few cells");
    EXPECT_EQ(with("random,1.1", "random,1.1,9"), "games.csv:6: the row has too many cells");
    EXPECT_EQ(with("1.1", "1.1x"), "games.csv:6: the score is '1.1x'");
    EXPECT_EQ(with("1,0,,0,B", "1,0,,0,C"), "games.csv:6: the player is 'C' and not 'B'");
    EXPECT_EQ(with("1,0,,1,W", "1,0,,0,W"), "games.csv:7: the seat is '0' where 1 should follow");
    EXPECT_EQ(with("random", "rand"), "games.csv:6: the run has no agent 'rand'");
    EXPECT_EQ(with("1,0,,0", "1,0,x,0"), "games.csv:6: the start is 'x'");
    EXPECT_EQ(with("1,0,,1", "1,0,2,1"),
              "games.csv:7: the row does not fit the one before it, which is of the same game");
    EXPECT_EQ(with("over", "ower"), "games.csv:6: the end is 'ower'");
    EXPECT_EQ(with("1,1,,0", "1,2,,0"),
              "games.csv:9: the row does not fit the one before it, which is of the same game");
    EXPECT_EQ(with("\"eval:a.json,depth=2\"", "\"eval"), "games.csv:7: the row is damaged");
    EXPECT_EQ(read_all(titles + good.substr(0, good.rfind("0,1,,1"))),
              "games.csv:4: the file ends in the middle of a game");
    EXPECT_EQ(read_all(titles + rows(block(1)) + good), "games.csv:6: block 0 follows block 1");
    EXPECT_EQ(read_all("block,game\n"), "games.csv:1: there is no column 'seat'");
    EXPECT_EQ(GamesReader(path("none.csv"), facts_).failure(),
              path("none.csv") + ": cannot be read: No such file or directory");
}

TEST_F(Store, a_tail_torn_at_any_byte_is_cut_back_to_the_last_whole_lot) {
    std::string whole; // the first batch: two blocks
    std::string log;
    {
        Journal journal;
        ASSERT_EQ(journal.open(path("")), std::nullopt);
        journal.append(rows(block(0)));
        journal.append(rows(block(1)));
        ASSERT_EQ(journal.write(), std::nullopt);
        whole = text(kGamesFile);
        log = text(kJournalFile);
        journal.append(rows(block(2)));
        ASSERT_EQ(journal.write(), std::nullopt);
    }
    const std::string more = text(kGamesFile);
    const std::string more_log = text(kJournalFile);
    ASSERT_EQ(whole, std::string(kRowTitles) + rows(block(0)) + rows(block(1)));
    const auto recovered = [&](std::string_view games, std::string_view lots) {
        write(kGamesFile, games);
        write(kJournalFile, lots);
        Journal journal;
        EXPECT_EQ(journal.open(path("")), std::nullopt);
        return journal.blocks();
    };
    EXPECT_EQ(recovered(more, more_log), 3U);
    EXPECT_EQ(text(kGamesFile), more);
    for (std::size_t size = whole.size(); size < more.size(); ++size) {
        EXPECT_EQ(recovered(more.substr(0, size), more_log), 2U) << size;
        EXPECT_EQ(text(kGamesFile), whole);
        EXPECT_EQ(text(kJournalFile), log);
    }
    for (std::size_t size = log.size(); size < more_log.size(); ++size) {
        EXPECT_EQ(recovered(more, more_log.substr(0, size)), 2U) << size;
        EXPECT_EQ(text(kGamesFile), whole);
        EXPECT_EQ(text(kJournalFile), log);
    }
    // A loss of power may corrupt any byte after the last sync.
    for (std::size_t at = whole.size(); at < more.size(); ++at) {
        std::string wrong = more;
        wrong[at] = static_cast<char>(wrong[at] ^ 4);
        EXPECT_EQ(recovered(wrong, more_log), 2U) << at;
    }
    for (std::size_t at = log.size(); at < more_log.size(); ++at) {
        std::string wrong = more_log;
        wrong[at] = static_cast<char>(wrong[at] ^ 4);
        EXPECT_EQ(recovered(more, wrong), 2U) << at;
    }
    // If nothing is left, or half of the first line: as if it had just begun.
    EXPECT_EQ(recovered("blo", ""), 0U);
    EXPECT_EQ(text(kGamesFile), kRowTitles);
    // Rows without a journal must not be cut.
    write(kGamesFile, more);
    write(kJournalFile, "");
    Journal journal;
    EXPECT_EQ(journal.open(path("")),
              path(kGamesFile) + ": nothing says how much of it is whole, since games.journal is "
                                 "missing or damaged");
    EXPECT_EQ(text(kGamesFile), more);
}

TEST_F(Store, a_journal_goes_on_where_it_was) {
    for (std::uint64_t index = 0; index < 3; ++index) {
        Journal journal;
        ASSERT_EQ(journal.open(path("")), std::nullopt);
        EXPECT_EQ(journal.blocks(), index);
        journal.append(rows(block(index)));
        ASSERT_EQ(journal.write(), std::nullopt);
        EXPECT_EQ(journal.torn(), 0U);
        journal.append(rows(block(index + 10))); // never written
    }
    Journal journal;
    ASSERT_EQ(journal.open(path("")), std::nullopt);
    ASSERT_EQ(journal.remove(), std::nullopt);
    EXPECT_FALSE(fs::exists(path(kJournalFile)));
    EXPECT_EQ(text(kGamesFile),
              std::string(kRowTitles) + rows(block(0)) + rows(block(1)) + rows(block(2)));
}

// Three files grow together: none may be ahead of the others.
TEST_F(Store, kept_games_are_cut_with_the_rows_that_they_belong_to) {
    const auto kept = [](int number) {
        return fmt::format("{{\"id\":\"{}.0\"}}\nmoves\n", number);
    };
    std::string log;
    std::string games;
    {
        Journal journal(false, true);
        ASSERT_EQ(journal.open(path("")), std::nullopt);
        journal.append(rows(block(0)), {}, kept(0));
        ASSERT_EQ(journal.write(), std::nullopt);
        log = text(kJournalFile);
        games = text(kGamesFile);
        journal.append(rows(block(1)), {}, {}); // no game is kept
        journal.append(rows(block(2)), {}, kept(2));
        EXPECT_EQ(journal.waiting(), (rows(block(1)) + rows(block(2)) + kept(2)).size());
        ASSERT_EQ(journal.write(), std::nullopt);
    }
    const std::string all = text(kMovesFile);
    const std::string all_games = text(kGamesFile);
    const std::string all_log = text(kJournalFile);
    ASSERT_EQ(all, kept(0) + kept(2));
    for (std::size_t size = kept(0).size(); size <= all.size(); ++size) {
        write(kMovesFile, all.substr(0, size));
        write(kGamesFile, all_games);
        write(kJournalFile, all_log);
        Journal journal(false, true);
        ASSERT_EQ(journal.open(path("")), std::nullopt);
        const bool whole = size == all.size();
        EXPECT_EQ(journal.blocks(), whole ? 3U : 1U);
        EXPECT_EQ(text(kMovesFile), whole ? all : kept(0));
        EXPECT_EQ(text(kGamesFile), whole ? all_games : games);
    }
    write(kMovesFile, all + "{\"id\":\"3.0\"");
    Journal journal(false, true);
    ASSERT_EQ(journal.open(path("")), std::nullopt);
    EXPECT_EQ(text(kMovesFile), all) << "what no lot tells of goes";
    ASSERT_EQ(journal.remove(), std::nullopt);
    EXPECT_EQ(text(kMovesFile), all) << "unlike the journal, it stays";
}

TEST_F(Store, kept_games_are_found_by_their_names) {
    const std::string one = "{\"id\":\"0.1\",\"game\":\"x\"}\n{\"ply\":0}\n";
    const std::string two = "{\"id\":\"4.0\"}\n" + std::string(600'000, 'x') + "\n";
    const std::string three = "{\"id\":\"4.1\"}\n";
    write(kMovesFile, one + two + three);
    KeptGames kept(path(kMovesFile));
    GameId id;
    std::string lines;
    const std::pair<GameId, std::string> wanted[] = {{{0, 1}, one}, {{4, 0}, two}, {{4, 1}, three}};
    for (const auto& [name, text] : wanted) {
        ASSERT_TRUE(kept.next(id, lines)) << kept.failure().value_or("");
        EXPECT_EQ(id, name);
        EXPECT_EQ(lines, text);
    }
    EXPECT_FALSE(kept.next(id, lines));
    EXPECT_EQ(kept.failure(), std::nullopt);

    KeptGames blocks(path(kMovesFile));
    const std::pair<std::uint64_t, std::string> asked[] = {
        {0, one}, {1, ""}, {4, two + three}, {5, ""}};
    for (const auto& [block, text] : asked) {
        blocks.take_block(block, lines);
        EXPECT_EQ(lines, text) << block;
    }
    EXPECT_EQ(blocks.failure(), std::nullopt);
    EXPECT_FALSE(KeptGames(path("none")).next(id, lines));

    write(kMovesFile, one + "{\"id\":\"2.0\"}");
    KeptGames cut(path(kMovesFile));
    EXPECT_FALSE(cut.next(id, lines));
    EXPECT_EQ(cut.failure(), path(kMovesFile) + ":3: the file ends within a line");
    write(kMovesFile, "{\"id\":\"2,0\"}\n");
    KeptGames damaged(path(kMovesFile));
    EXPECT_FALSE(damaged.next(id, lines));
    EXPECT_TRUE(damaged.failure()->starts_with(path(kMovesFile) + ":1: a kept game begins"));
    EXPECT_EQ(game_id_of("3.1"), (GameId{3, 1}));
    for (const char* text : {"", "3", "3.", ".1", "3.1.2", "3.1 ", "-3.1", "3.x"})
        EXPECT_EQ(game_id_of(text), std::nullopt) << text;
}

TEST_F(Store, only_one_holds_a_lock) {
    File first;
    File second;
    bool locked = false;
    ASSERT_EQ(first.open(path("lock"), File::Mode::Lock), std::nullopt);
    ASSERT_EQ(first.try_lock(locked), std::nullopt);
    EXPECT_TRUE(locked);
    ASSERT_EQ(second.open(path("lock"), File::Mode::Lock), std::nullopt);
    ASSERT_EQ(second.try_lock(locked), std::nullopt);
    EXPECT_FALSE(locked);
    first.close();
    ASSERT_EQ(second.try_lock(locked), std::nullopt);
    EXPECT_TRUE(locked);
}

TEST_F(Store, run_json_reads_back_as_the_same) {
    RunFile run;
    run.program = "croupier 1";
    facts_.game = "belote:contest";
    facts_.seed = 9223372036854775807U;
    facts_.teams = {{"NS", {0, 1}}};
    facts_.starts = 24;
    run.facts = facts_;
    run.ruleset = "abc";
    run.specification = R"({"game": "belote", "faults": "loss"})";
    run.inputs = {{"a/b.json", "inputs/1-b.json", "00ff"}};
    run.keep = Keep::All;
    run.shard = 2;
    run.shards = 3;
    ASSERT_EQ(replace_file(path(kRunFile), to_json_text(run)), std::nullopt);
    EXPECT_FALSE(fs::exists(path("run.json.new")));
    RunFile back;
    ASSERT_EQ(read_run_file(path(""), back), std::nullopt);
    EXPECT_EQ(to_json_text(back), to_json_text(run));
    EXPECT_EQ(back.facts.seed, facts_.seed);
    EXPECT_EQ(back.inputs, run.inputs);
    EXPECT_EQ(back.keep, Keep::All);
    EXPECT_EQ(back.facts.starts, 24U);

    write(kRunFile, R"({"format": 3})");
    EXPECT_EQ(read_run_file(path(""), back),
              path("") + "run.json:1:12: format: this program reads format 2, found 3");
}

TEST_F(Store, an_edited_run_json_is_noticed) {
    RunFile run;
    run.facts = facts_;
    run.facts.seed = 17;
    run.specification = R"({"game": "belote", "seed": 17})";
    const std::string good = to_json_text(run);
    RunFile back;
    const auto failure = [&](const std::string& text) {
        write(kRunFile, text);
        const auto found = read_run_file(path(""), back);
        return found ? found->substr(path("").size()) : "";
    };
    EXPECT_EQ(failure(good), "");
    for (const char* before : {"17", "random", "belote"}) {
        std::string edited = good;
        edited.replace(edited.find(before), 2, "18");
        const std::string said = failure(edited);
        EXPECT_NE(said.find(": checksum: the file was altered since it was written"),
                  std::string::npos)
            << said;
    }
    // Only the contents matter, not the layout.
    EXPECT_EQ(failure(nlohmann::ordered_json::parse(good).dump()), "");
    std::string without = good;
    without.replace(without.find("\"checksum\""), 10, "\"chucksum\"");
    EXPECT_NE(failure(without).find("checksum: is missing"), std::string::npos);
}

TEST_F(Store, what_is_wrong_in_run_json_has_a_place) {
    RunFile run;
    run.facts = facts_;
    run.facts.teams = {{"NS", {0, 1}}};
    run.specification = R"({"game": "belote"})";
    run.inputs = {{"a/b.json", "inputs/1-b.json", "00ff"}};
    auto json = nlohmann::ordered_json::parse(to_json_text(run));
    json.erase("checksum");
    const std::string good = json.dump(2);
    RunFile back;
    const auto failure = [&](const char* before, const char* after) {
        std::string text = good;
        const std::size_t at = text.find(before);
        EXPECT_NE(at, std::string::npos) << before;
        text.replace(at, std::string_view(before).size(), after);
        // The checksum is of the contents, independent of layout.
        if (nlohmann::ordered_json::accept(text)) {
            const std::string with = with_checksum(nlohmann::ordered_json::parse(text));
            text.replace(text.rfind('\n'), text.npos,
                         ",\n  " + with.substr(with.rfind("\"checksum")));
        }
        write(kRunFile, text);
        const auto found = read_run_file(path(""), back);
        return found ? found->substr(path("").size()) : "";
    };
    EXPECT_EQ(failure("format", "format"), "");
    EXPECT_EQ(failure(": 2,", ": ,"), "run.json:2:13: the file is not valid JSON from here on");
    EXPECT_EQ(failure("\"B\"", "7"), "run.json:10:7: facts.players.0: expected a text, found 7");
    EXPECT_EQ(failure("\"W\"", "\"\\\"é,\", [{}]"),
              "run.json:11:15: facts.players.2: expected a text, found a list");
    EXPECT_EQ(
        failure("1\n        ]", "2\n        ]"),
        "run.json:18:11: facts.teams.0.seats.1: expected a whole number from 0 to 1, found 2");
    EXPECT_EQ(failure("\"seed\": 0", "\"seed\": -1"),
              "run.json:27:13: facts.seed: expected a whole number from 0 to 9223372036854775807, "
              "found -1");
    EXPECT_EQ(failure("\"seed\": 0", "\"seat\": 0"), "run.json:7:12: facts.seed: is missing");
    EXPECT_EQ(failure("\"shards\": 1", "\"shards\": 1e300"),
              "run.json:45:13: shards: expected a whole number from 1 to 1000000, found 1e+300");
    EXPECT_EQ(failure("\"shard\": 1", "\"shard\": 2"),
              "run.json:44:12: shard: expected a whole number from 1 to 1, found 2");
    EXPECT_EQ(failure("inputs/1-b", "inputs/../../b"),
              "run.json:33:15: inputs.0.copy: expected a file in inputs/");
    EXPECT_EQ(failure("\"seed\": 0", "\"seed\": 1e999"),
              "run.json: is not valid JSON: a number is too large");
    write(kRunFile, "[]");
    EXPECT_EQ(read_run_file(path(""), back),
              path("run.json") + ":1:1: expected an object, found a list");
}

TEST_F(Store, checksums_tell_between_which_lines_a_file_was_altered) {
    std::string rows(kRowTitles);
    for (std::uint64_t index = 0; index < 100; ++index)
        rows += this->rows(block(index)); // lines 2 to 401
    write(kGamesFile, rows);
    write("other", "no line at its end");
    const std::string_view names[] = {kGamesFile, "other"};
    ASSERT_EQ(write_checksums(path(""), names), std::nullopt);
    EXPECT_EQ(check_checksums(path("")), std::nullopt);
    const std::string altered = path(kGamesFile) + ": altered since it was written: ";
    const auto with = [&](const std::string& text) {
        write(kGamesFile, text);
        return check_checksums(path("")).value_or("");
    };
    std::string one = rows;
    one.replace(one.find("\n63,0,,0,") + 1, 2, "64"); // line 254
    EXPECT_EQ(with(one), altered + "something in lines 193 to 256");
    EXPECT_EQ(with(rows.substr(0, rows.find("\n90,1,,0,") + 1)), // 1 + 4 * 90 + 2 are left
              altered + "something in lines 321 to 384; it had 401 lines, and has 363");
    EXPECT_EQ(with(rows + "more\n"),
              altered + "something in lines 385 to 401; it had 401 lines, and has 402");
    EXPECT_EQ(with(""), altered + "something in lines 1 to 64; it had 401 lines, and has 0");
    EXPECT_EQ(with(rows), "");
    write("other", "no line at its end!");
    EXPECT_EQ(check_checksums(path("")),
              path("other") + ": altered since it was written: something in lines 1 to 1");
    fs::remove(path("other"));
    EXPECT_EQ(check_checksums(path("")), std::nullopt);
    write(kChecksumsFile, "games.csv 64 12345678\n../a 3 12345678\n");
    EXPECT_EQ(check_checksums(path("")), path(kChecksumsFile) + ":2: the line is damaged");
}

TEST_F(Store, an_examination_changes_nothing) {
    {
        Journal journal(true);
        ASSERT_EQ(journal.open(path("")), std::nullopt);
        for (const std::uint64_t index : {0U, 1U, 2U}) {
            journal.append(rows(block(index)), "costs\n");
            ASSERT_EQ(journal.write(), std::nullopt);
        }
    }
    const std::string games = text(kGamesFile);
    const std::string lots = text(kJournalFile);
    Journal journal(true);
    ASSERT_EQ(journal.examine(path("")), std::nullopt);
    EXPECT_EQ(journal.blocks(), 3U);
    EXPECT_EQ(journal.bytes(), games.size());
    EXPECT_EQ(journal.altered_line(), 0U);

    std::string altered = games; // a row of the second block, whose batch begins in line 6
    altered.replace(altered.find("\n1,1,,0") + 1, 1, "7");
    write(kGamesFile, altered + "torn");
    ASSERT_EQ(journal.examine(path("")), std::nullopt);
    EXPECT_EQ(journal.blocks(), 1U);
    EXPECT_EQ(journal.altered_line(), 6U);
    EXPECT_EQ(journal.torn(), altered.size() + 4 - journal.bytes());
    EXPECT_EQ(text(kGamesFile), altered + "torn");
    EXPECT_EQ(text(kJournalFile), lots);

    // Without costs.csv no batch can be appended.
    fs::remove(path(kCostsFile));
    write(kGamesFile, games + "torn");
    ASSERT_EQ(journal.examine(path("")), std::nullopt);
    EXPECT_EQ(journal.blocks(), 3U);
    EXPECT_TRUE(journal.lacks_costs());
    EXPECT_EQ(journal.open(path("")),
              path(kCostsFile) + ": is missing, and nothing else says what the rules of the first "
                                 "3 blocks have cost");
    EXPECT_FALSE(fs::exists(path(kCostsFile)));
    EXPECT_EQ(text(kGamesFile), games + "torn");
    fs::remove(path(kGamesFile));
    EXPECT_EQ(journal.open(path("")),
              path(kGamesFile) + ": is missing, and games.journal records its rows");
    EXPECT_FALSE(fs::exists(path(kGamesFile)));
}

TEST_F(Store, a_reader_stops_where_what_is_whole_ends) {
    const std::string whole = std::string(kRowTitles) + rows(block(0));
    write(kGamesFile, whole + "1,0,0,B,ran");
    GamesReader reader(path(kGamesFile), facts_, whole.size());
    std::vector<GameRecord> games;
    EXPECT_TRUE(reader.next(games));
    EXPECT_FALSE(reader.next(games));
    EXPECT_EQ(reader.failure(), std::nullopt);
}

} // namespace
} // namespace croupier::results
