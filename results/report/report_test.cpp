// The report in every format, and at every width.
#include "results/report/layout.h"
#include "results/report/numbers.h"
#include "results/report/report.h"
#include "results/report/sections.h"
#include "results/report/testing.h"
#include "results/statistics/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <sstream>
#include <string>

namespace croupier::results {

// The progress line at every width.

namespace {

Progress under_way() {
    Progress progress;
    progress.games = 412;
    progress.games_planned = 1000;
    progress.seconds = 4;
    progress.standing = {{"anna", 0.54}, {"ben", 0.46}};
    progress.stop = StopStatus{"sprt", false, "undecided", 1.2, -2.94, 2.94, 206};
    return progress;
}

TEST(progress, says_everything_where_there_is_room) {
    EXPECT_EQ(progress_line(under_way()),
              "412/1000 games  41 %  103/s  6 s left  anna 54.0 %  ben 46.0 %  "
              "LLR 1.20 [-2.94, 2.94]");
}

TEST(progress, leaves_out_what_is_least_missed) {
    EXPECT_EQ(progress_line(under_way(), 80),
              "412/1000 games  103/s  6 s left  anna 54.0 %  ben 46.0 %  LLR 1.20 [-2.94, 2.94]");
    EXPECT_EQ(progress_line(under_way(), 50), "412/1000 games  6 s left  LLR 1.20 [-2.94, 2.94]");
    EXPECT_EQ(progress_line(under_way(), 20), "412/1000 games");
    for (std::size_t width = 2; width < 100; ++width)
        EXPECT_LE(display_width(progress_line(under_way(), width)), width);
}

TEST(progress, does_not_count_the_games_of_an_earlier_run_as_speed) {
    Progress progress = under_way();
    progress.games_before = 400;
    progress.standing.clear();
    progress.stop.reset();
    EXPECT_EQ(progress_line(progress), "412/1000 games  41 %  3.0/s  3 min 16 s left");
}

TEST(progress, at_the_start_promises_nothing) {
    Progress progress;
    EXPECT_EQ(progress_line(progress), "0 games");
    progress.stop = StopStatus{"sprt", false, "undecided", std::nullopt, -2.94, 2.94, 0};
    EXPECT_EQ(progress_line(progress), "0 games  LLR undefined [-2.94, 2.94]");
}

TEST(progress, durations) {
    EXPECT_EQ(duration(0.04), "0.0 s");
    EXPECT_EQ(duration(59.4), "59 s");
    EXPECT_EQ(duration(59.6), "1 min 00 s");
    EXPECT_EQ(duration(3599.7), "1 h 00 min");
    EXPECT_EQ(duration(100000), "27 h 46 min");
}

// Each pair of games is split, except the first few, both of which "Random" wins.
Report report_of(std::vector<std::string> agents, std::uint64_t blocks, std::uint64_t won_twice) {
    GameStandings standings(facts_of(2, std::move(agents)));
    for (std::uint64_t block = 0; block < blocks; ++block) {
        standings.add(game_of(block, 0, {{0, 1}, {1, 2}}));
        if (block < won_twice)
            standings.add(game_of(block, 1, {{1, 2}, {0, 1}}, 1));
        else
            standings.add(game_of(block, 1, {{1, 1}, {0, 2}}, 1));
    }
    return make_report(standings);
}

TEST(report, autoplay_is_the_old_tournaments_form) {
    EXPECT_EQ(render(report_of({"Random", "Random#2"}, 50, 4), Format::Autoplay),
              "Final results:\n"
              "Player 1 \"Random\", wins = 54.\n"
              "Player 2 \"Random\", wins = 46.\n"
              "Draws = 0\n"
              "100 game(s) played\n");
    // Names in runs: the kind, with numbers if it occurs twice.
    const std::string named = render(report_of({"random", "random#2"}, 50, 4), Format::Autoplay);
    EXPECT_TRUE(contains(named, "Player 1 \"Random\", wins = 54.\nPlayer 2 \"Random\", wins"));
    EXPECT_TRUE(contains(render(report_of({"#1", "a#b"}, 50, 4), Format::Autoplay),
                         "Player 1 \"#1\", wins = 54.\nPlayer 2 \"A#b\", wins"));
}

TEST(report, autoplay_keeps_names_that_only_look_like_twins) {
    const std::string text = render(report_of({"plan#9", "x#y"}, 5, 2), Format::Autoplay);
    EXPECT_TRUE(contains(text, "Player 1 \"Plan#9\"")) << text;
    EXPECT_TRUE(contains(text, "Player 2 \"X#y\"")) << text;
}

TEST(report, formats_have_names) {
    for (const std::string& name : format_names())
        EXPECT_TRUE(format_of(name)) << name;
    EXPECT_FALSE(format_of("xml"));
}

TEST(report, table_shows_the_duel_from_the_firsts_side) {
    Report report = report_of({"anna", "ben"}, 50, 4);
    report.status.seconds = 4;
    report.status.ended = "all games played";
    report.status.stop = StopStatus{"sprt", false, "undecided", 1.234, -2.94, 2.94, 50};
    const std::string text = render(report, Format::Table);
    EXPECT_TRUE(contains(text, "nim: 100 games in 50 blocks, seed 0, 4 s, 25 games/s")) << text;
    EXPECT_TRUE(contains(text, "anna against ben")) << text;
    EXPECT_TRUE(contains(text, "  anna     54      0      46    54.0 %  [50.1, 60.0]    0.54\n"))
        << text;
    EXPECT_TRUE(contains(text, "sprt: undecided after 50 blocks, LLR 1.23 [-2.94, 2.94]")) << text;
    EXPECT_TRUE(contains(text, "+27.85")) << text;
}

TEST(report, begins_with_who_is_ahead_and_how_surely) {
    const auto brief = [](const Report& report) {
        return render(report, Format::Table, 80, Detail::Brief);
    };
    EXPECT_EQ(brief(report_of({"anna", "ben"}, 50, 4)),
              "anna is stronger than ben: 54.0 % of games won [50.1, 60.0], +28 Elo.\n"
              "nim: 100 games in 50 blocks, seed 0\n");
    EXPECT_TRUE(brief(report_of({"anna", "ben"}, 50, 1))
                    .starts_with("anna against ben is undecided: 51.0 % of games won ["));
    EXPECT_TRUE(brief(report_of({"anna", "ben"}, 3, 3))
                    .starts_with("anna against ben has too few deals to tell: 100.0 % of games"));
}

TEST(report, is_as_long_as_is_asked_for) {
    const Report report = report_of({"anna", "ben"}, 50, 4);
    const std::string summary = render(report, Format::Table, 80, Detail::Summary);
    const std::string full = render(report, Format::Table, 80);
    EXPECT_TRUE(contains(summary, "\nstandings\n")) << summary;
    EXPECT_TRUE(contains(summary, "  P0      100    96.0 %")) << summary;
    EXPECT_FALSE(contains(summary, "anna      50"));
    EXPECT_TRUE(contains(full, "anna      50"));
    for (const char* title : {"\nanna against ben\n", "\ngame length\n", "\nendings\n"}) {
        EXPECT_FALSE(contains(summary, title)) << title;
        EXPECT_TRUE(contains(full, title)) << title;
    }
}

TEST(report, partners_share_the_row_of_a_seat) {
    GameStandings standings(facts_of(4, {"anna", "ben"}));
    for (std::uint64_t block = 0; block < 6; ++block)
        standings.add(game_of(block, 0, {{0, 1}, {1, 2}, {0, 1}, {1, 2}}));
    const std::string text = render(make_report(standings), Format::Table, 80, Detail::Summary);
    EXPECT_TRUE(contains(text, "  P0, P2      6    50.0 %")) << text;
    EXPECT_TRUE(contains(text, "  P1, P3      6     0.0 %")) << text;
}

TEST(report, lengths_beyond_a_percentile_have_a_bin_for_each_tail) {
    GameStandings standings(facts_of(2, {"anna", "ben"}));
    for (std::uint32_t block = 0; block < 400; ++block) {
        GameRecord game = game_of(block, 0, {{0, 1}, {1, 2}});
        game.plies = block == 0 ? 3 : block == 1 ? 7 : block == 399 ? 900 : 50 + block % 20;
        standings.add(game);
    }
    const std::string text = render(make_report(standings), Format::Table);
    EXPECT_TRUE(contains(text, "    3-49      2  ")) << text;
    EXPECT_TRUE(contains(text, "   50-51     38  ")) << text;
    EXPECT_TRUE(contains(text, "   68-69     39  ")) << text;
    EXPECT_TRUE(contains(text, "  70-900      1  ")) << text;
}

TEST(report, times_of_a_column_have_one_unit) {
    using Times = std::array<std::optional<double>, 2>;
    EXPECT_EQ(unit_of(Times{537, 34}), "ns");
    EXPECT_EQ(unit_of(Times{5701000, 1913}), "us");
    EXPECT_EQ(unit_of(Times{2e9, std::nullopt}), "s");
    EXPECT_EQ(unit_of(Times{}), "ns");
    EXPECT_EQ(in_unit(5701000, "us"), "5701.0");
    EXPECT_EQ(in_unit(1913, "us"), "1.9");
    EXPECT_EQ(in_unit(34, "ns"), "34");
    EXPECT_EQ(in_unit({}, "us"), "undefined");
}

TEST(report, a_duel_counts_pairs_as_croupier_stats_takes_them) {
    const Report report = report_of({"anna", "ben"}, 50, 4);
    EXPECT_TRUE(contains(render(report, Format::Table, 200),
                         "Pairs of games LL,LD,even,WD,WW: 0,0,46,0,4; even 92.0 %."));
    const auto pairs = nlohmann::json::parse(render(report, Format::Json))["meetings"][0]["pairs"];
    EXPECT_EQ(pairs["counts"], nlohmann::json::parse("[0, 0, 46, 0, 4]"));
    EXPECT_TRUE(pairs["ratio"].is_null());
    EXPECT_EQ(pairs["draw_ratio"], 0.92);
    EXPECT_TRUE(contains(render(report, Format::Csv), "\nmeeting,anna,ben,pairs_ww,4,,,\n"));
    GameStandings one_lost(facts_of(2, {"anna", "ben"}));
    for (std::uint64_t block = 0; block < 3; ++block) {
        const std::uint32_t place = block == 0 ? 2 : 1;
        one_lost.add(game_of(block, 0, {{0, place}, {1, 3 - place}}));
        one_lost.add(game_of(block, 1, {{1, 3 - place}, {0, place}}, 1));
    }
    EXPECT_TRUE(contains(render(make_report(one_lost), Format::Table, 200),
                         "1,0,0,0,2; pairs won over lost 2.00, even 0.0 %."));
}

TEST(report, a_crosstable_has_everyone_against_everyone) {
    GameStandings standings(facts_of(2, {"anna", "ben", "cleo"}));
    // ben beats anna in 3 of 4 games, cleo in one of two, the other a draw.
    standings.add(game_of(0, 0, {{0, 1}, {1, 2}}));
    for (std::uint64_t block = 1; block < 4; ++block)
        standings.add(game_of(block, 0, {{0, 2}, {1, 1}}));
    standings.add(game_of(4, 0, {{0, 1}, {2, 1}}));
    standings.add(game_of(5, 0, {{0, 2}, {2, 1}}));
    const Report report = make_report(standings);
    const std::string text = render(report, Format::Table);
    EXPECT_TRUE(contains(text, "crosstable\n"
                               "     agent      1      2      3\n"
                               "  1  ben                  0.750\n"
                               "  2  cleo                 0.750\n"
                               "  3  anna   0.250  0.250\n"
                               "  Score of the row against the column"))
        << text;
    const auto rows = nlohmann::json::parse(render(report, Format::Json))["crosstable"];
    EXPECT_EQ(rows[0]["name"], "anna");
    EXPECT_EQ(rows[0]["scores"], nlohmann::json::parse("[null, 0.25, 0.25]"));
    EXPECT_EQ(rows[1]["scores"], nlohmann::json::parse("[0.75, null, null]"));
    EXPECT_FALSE(contains(render(report_of({"a", "b"}, 9, 2), Format::Table), "crosstable"));
}

TEST(report, a_test_that_stopped_says_that_estimates_are_biased) {
    Report report = report_of({"anna", "ben"}, 50, 40);
    const auto flag = [&] {
        return nlohmann::json::parse(render(report, Format::Json))["stop"]["estimates_biased"];
    };
    report.status.stop = StopStatus{"sprt", true, "H1 accepted", 3.1, -2.94, 2.94, 50};
    EXPECT_TRUE(contains(render(report, Format::Table, 200), "it exaggerates: win rates, scores"));
    EXPECT_EQ(flag(), true);
    report.status.stop->stopped = false;
    EXPECT_FALSE(contains(render(report, Format::Table, 200), "it exaggerates"));
    EXPECT_EQ(flag(), false);
    report.status.stop = StopStatus{"width", true, "reached", 0.04, 0, 0.05, 50};
    EXPECT_EQ(flag(), false) << "the width is no choice between answers";
}

TEST(report, table_keeps_to_the_width) {
    GameStandings standings(facts_of(4, {"a rather long name", "b", "c", "d"}), false);
    for (std::uint64_t block = 0; block < 30; ++block)
        for (std::uint32_t game = 0; game < 4; ++game) {
            GameRecord record =
                game_of(block, game,
                        {{game, 1}, {(game + 1) % 4, 2}, {(game + 2) % 4, 2}, {(game + 3) % 4, 4}});
            record.fault = "a fault that needs many words to be told and more room than there is";
            standings.add(record);
        }
    const Report report = make_report(standings);
    for (const std::size_t width : {40U, 50U, 60U, 80U}) {
        std::istringstream lines(render(report, Format::Table, width));
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(display_width(line), width) << line;
    }
    EXPECT_TRUE(contains(render(report, Format::Table, 120), "points"));
    EXPECT_TRUE(contains(render(report, Format::Table, 200), "No Elo and LOS: seats only rotate"));
    EXPECT_FALSE(contains(render(report, Format::Table, 60), "draws")) << "wins matter more";
}

TEST(report, faults_are_told_above_by_agent_and_kind) {
    GameStandings standings(facts_of(2, {"anna", "ben"}));
    for (std::uint64_t block = 0; block < 10; ++block) {
        GameRecord game = game_of(block, 0, {{0, 1}, {1, 2}});
        if (block < 6) {
            game.end = End::Fault;
            game.fault = block < 5 ? "crash: gone " + std::to_string(block % 2) : "stall: slow";
            game.seats[1].at_fault = true;
        } else if (block == 6) {
            game.seats[0].substitute = 3;
            game.seats[0].lapse = "illegal: the move \"x\" is not legal";
        }
        standings.add(game);
    }
    const Report report = make_report(standings);
    const std::string text = render(report, Format::Table);
    EXPECT_TRUE(contains(text, "6 of 10 games ended by an agent's fault: ben 6 (crash 5, stall 1)"))
        << text;
    EXPECT_TRUE(contains(text, "another agent has played on in the place of: anna 1 (illegal 1)"))
        << text;
    EXPECT_TRUE(contains(render(report, Format::Autoplay),
                         "Faults = 6 (ben 6 (crash 5, stall 1))\n10 game(s) played\n"));
    EXPECT_TRUE(contains(render(report, Format::Csv), "substitute,"));
}

TEST(report, without_variance_says_undefined) {
    for (const Report& report : {report_of({"a", "b"}, 1, 0), report_of({"a", "b"}, 20, 0),
                                 report_of({"a", "b"}, 20, 20), report_of({"a", "b"}, 0, 0)}) {
        for (const std::string& name : format_names()) {
            const std::string text = render(report, *format_of(name));
            EXPECT_FALSE(contains(text, "nan")) << text;
            EXPECT_FALSE(contains(text, "inf")) << text;
            EXPECT_FALSE(contains(text, "+/- 0.0")) << text;
        }
        EXPECT_TRUE(report.summary.games == 0 ||
                    contains(render(report, Format::Table), "undefined"));
    }
}

TEST(report, json_has_null_where_nothing_is_known) {
    const auto shown = nlohmann::json::parse(render(report_of({"a", "b"}, 20, 0), Format::Json));
    EXPECT_EQ(shown["meetings"][0]["score"]["value"], 0.5);
    EXPECT_EQ(shown["meetings"][0]["elo"]["value"], 0);
    EXPECT_GT(shown["meetings"][0]["elo"]["high"], 50) << "20 drawn pairs do not show that it is 0";
    EXPECT_FALSE(shown["meetings"][0]["elo"].contains("one_sided"));
    EXPECT_TRUE(shown["meetings"][0]["normalized_elo"]["value"].is_null());
    EXPECT_EQ(shown["contestants"][0]["wins"], 20);
    EXPECT_FALSE(shown.contains("seconds")) << "time is not a function of the seed";
    EXPECT_FALSE(shown["contestants"][0].contains("rating"));
}

TEST(report, who_won_everything_has_a_bound_that_says_what_it_is) {
    const Report report = report_of({"a", "b"}, 10, 10);
    const auto shown = nlohmann::json::parse(render(report, Format::Json));
    const auto& elo = shown["meetings"][0]["elo"];
    EXPECT_TRUE(elo["value"].is_null());
    EXPECT_NEAR(elo["low"].get<double>(), 182.73, 0.01);
    EXPECT_TRUE(elo["high"].is_null());
    EXPECT_EQ(elo["one_sided"], true);
    const std::string text = render(report, Format::Table);
    EXPECT_TRUE(contains(text, "  Elo                 >= +182.73   95 %, one-sided\n")) << text;
    EXPECT_TRUE(contains(render(report, Format::Csv), "meeting,a,b,elo,,,182.7")) << text;
    const std::string few = render(report_of({"a", "b"}, 5, 5), Format::Table);
    EXPECT_TRUE(contains(few, "LOS                   too few")) << few;
}

TEST(report, csv_has_eight_cells_a_row_whatever_the_names) {
    const std::string text = render(report_of({"a,\"b", "c"}, 5, 2), Format::Csv);
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "section,name,other,metric,value,error,low,high");
    while (std::getline(lines, line)) {
        bool quoted = false;
        int commas = 0;
        for (const char c : line) {
            quoted = quoted != (c == '"');
            commas += c == ',' && !quoted ? 1 : 0;
        }
        EXPECT_EQ(commas, 7) << line;
    }
    EXPECT_TRUE(contains(text, "agent,\"a,\"\"b\",,wins,7,,,\n")) << text;
    EXPECT_TRUE(contains(text, "meeting,\"a,\"\"b\",c,score,0.7,")) << text;
}

TEST(report, rows_of_several_runs_say_which_they_are_of) {
    const RunText runs[] = {{"a", "section,name\nrun,\"x\ny\"\n"},
                            {"b,c", "section,name\nrun,z\n"}};
    EXPECT_EQ(csv_of_runs(runs), "run,section,name\na,run,\"x\ny\"\n\"b,c\",run,z\n");
    EXPECT_EQ(csv_of_runs({}), "");
}

TEST(report, markdown_escapes_what_would_break_a_table) {
    const std::string text = render(report_of({"a|b", "*c*"}, 5, 2), Format::Markdown);
    EXPECT_TRUE(contains(text, "| a\\|b | 7 | 0 | 3 | 70.0 % |")) << text;
    EXPECT_TRUE(contains(text, "\\*c\\*")) << text;
    EXPECT_TRUE(contains(text, "|---|---:|")) << text;
}

TEST(report, a_name_cannot_drive_the_terminal) {
    const Report report = report_of({"\x1b[2J", "b"}, 5, 2);
    EXPECT_FALSE(contains(render(report, Format::Table), "\x1b"));
    EXPECT_FALSE(contains(render(report, Format::Autoplay), "\x1b"));
    EXPECT_FALSE(contains(render(report, Format::Json), "\x1b"));
}

TEST(report, numbers) {
    EXPECT_EQ(fixed(-0.0001, 2), "0.00");
    EXPECT_EQ(signed_fixed(-0.0001, 2), "+0.00");
    EXPECT_EQ(p_value(0.0), "<0.001");
    EXPECT_EQ(p_value(0.0004999), "<0.001");
    EXPECT_EQ(p_value(0.0005), "0.001");
    EXPECT_EQ(p_value({}), "undefined");
    EXPECT_EQ(fixed({}, 2), "undefined");
    EXPECT_EQ(percent(0.12345), "12.3 %");
    EXPECT_EQ(interval({0.5, 0.1, 0.4, {}}, 1), "[0.4, undefined]");
    EXPECT_EQ(interval({0.5, {}, {}, {}}, 1), "undefined");
    EXPECT_EQ(counted(1, "game"), "1 game");
}

TEST(report_times, say_of_how_many_games_they_are) {
    RunFacts facts;
    facts.agents = {"random"};
    facts.players = {"A"};
    TimeTable times(1, 1);
    times.at(0, 0).count(1);
    times.at(0, 0).measure(700, 1);
    times.set_games(2);
    EXPECT_TRUE(times_of(times, facts, 2).notes.empty());
    const Section section = times_of(times, facts, 5);
    ASSERT_EQ(section.notes.size(), 1U);
    EXPECT_TRUE(section.notes[0].starts_with("Times cover 2 of 5 games: ")) << section.notes[0];
    EXPECT_EQ(time_json(times, facts)[0]["games"], 2);
}

} // namespace

} // namespace croupier::results
