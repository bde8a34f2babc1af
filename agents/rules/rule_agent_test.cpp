// Rule agents: what they see, what they remember, which move they make, and what is wrong with
// them.
#include "agents/codes.h"
#include "agents/game_runner.h"
#include "agents/random/random_agent.h"
#include "agents/rules/rule_agent.h"
#include "agents/rules/rule_program.h"
#include "agents/testing/testing.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_position.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

namespace croupier::agents {
namespace {

using games::open_for_test;
using games::Purpose;
using games::stream;

// A shipped game, and agents for it from texts.
class RuleAgents : public ::testing::Test {
  protected:
    MadeAgent make(const Game& game, const std::string& text,
                   const std::string& spec = "rules:a.json") {
        const auto open = [text](const std::string& path) {
            return path == "a.json" ? engine::FileText{text, {}} : games::test_opener()(path);
        };
        return make_agent(parse_agent_spec(spec), {game, open, games::kAgentsFolder});
    }
    static std::string mistakes(const MadeAgent& made) {
        std::string all = made.error;
        for (const engine::Diagnostic& each : made.diagnostics.sorted())
            all += engine::format(each, made.sources) + "\n";
        return all;
    }
    std::unique_ptr<Agent> good(const Game& game, const std::string& text,
                                const std::string& spec = "rules:a.json") {
        MadeAgent made = make(game, text, spec);
        if (made.agent == nullptr) throw std::runtime_error(mistakes(made));
        return std::move(made.agent);
    }
};

std::unique_ptr<Position> position_of(const Game& game, const std::string& json) {
    auto position = game.new_position();
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    Random chance(0);
    const auto document = engine::read_json(sources, sources.add("state", json), diagnostics);
    EXPECT_TRUE(position->load(*document, chance, diagnostics));
    position->resume(chance);
    return position;
}

TEST_F(RuleAgents, a_log_hears_which_rules_fired_and_what_moves_weigh) {
    struct Lines : engine::Log {
        void line(const std::string& text) override { all.push_back(text); }
        std::vector<std::string> all;
    } lines;
    const auto game = open_for_test("exchange");
    const auto agent = good(*game, R"({"game": "exchange", "choose": [
        {"name": "any", "condition": {"moves": {"$C": true}}, "action": {"prefer": {"$C": 1}}},
        {"name": "never", "condition": {"moves": {"$C": true}, "_": "1 > 2"}, "action": {"prefer": {"$C": 9}}},
        {"name": "first", "action": {"@print": "thinking"}}]})");
    agent->set_log(&lines);
    agent->reset(*game, 0);
    const auto position = game->new_position();
    Random dealer = stream(1, 0, Purpose::Deal);
    position->start(dealer);
    const auto view = game->new_position();
    view->view_from(*position, position->turn());
    Random random(3);
    const std::size_t told = agent->choose(*view, random);
    ASSERT_EQ(lines.all.size(), 3U);
    EXPECT_EQ(lines.all[0], "thinking");
    EXPECT_EQ(lines.all[1], "A chooses: any x" + std::to_string(view->move_count()) + ", first");
    EXPECT_TRUE(lines.all[2].starts_with("weights: ")) << lines.all[2];
    // Who listens changes nothing.
    agent->set_log(nullptr);
    agent->reset(*game, 0);
    Random again(3);
    EXPECT_EQ(agent->choose(*view, again), told);
    EXPECT_EQ(lines.all.size(), 3U);
}

TEST_F(RuleAgents, the_heaviest_move_is_made_and_of_equal_ones_any) {
    const auto game = open_for_test("exchange");
    const auto agent = good(*game, R"({"game": "exchange", "choose": [
        {"condition": {"moves": {"$C": true}}, "action": {"prefer": {"$C": 1}}},
        {"condition": {"moves": {"c2": true}}, "action": {"prefer": {"c2": 1.5}}}]})");
    agent->reset(*game, 0);
    const auto position = game->new_position();
    bool with_c2 = false;
    bool without = false;
    Random random(3);
    for (std::uint64_t deal = 0; deal < 40; ++deal) {
        Random dealer = stream(1, deal, Purpose::Deal);
        position->start(dealer);
        const auto view = game->new_position();
        view->view_from(*position, position->turn());
        std::map<std::string, int> made;
        for (int i = 0; i < 60; ++i)
            ++made[std::string(view->text(view->move(agent->choose(*view, random))))];
        if (made.contains("c2")) {
            EXPECT_EQ(made.size(), 1U);
            with_c2 = true;
        } else {
            EXPECT_EQ(made.size(), view->move_count());
            without = true;
        }
    }
    EXPECT_TRUE(with_c2 && without);
    EXPECT_TRUE(agent->notes().empty());
}

TEST_F(RuleAgents, what_weighs_nothing_or_is_not_legal_is_counted) {
    const auto game = open_for_test("life");
    const auto agent = good(*game, R"({"game": "life", "choose": [
        {"condition": {"me": "B"}, "action": {"prefer": {"a1": 5, "a2": 7}}}]})");
    const auto position = position_of(*game, R"({"board": {"s19": "B", "r19": "W"}})");
    Random random(1);
    agent->reset(*game, 0);
    std::set<std::size_t> made;
    for (int i = 0; i < 30; ++i)
        made.insert(agent->choose(*position, random));
    EXPECT_EQ(made.size(), position->move_count());
    const std::vector<Note> notes = agent->notes();
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_EQ(notes[0].what, "no legal move had a weight, one was made by chance");
    EXPECT_EQ(notes[0].times, 30U);
    EXPECT_EQ(notes[1].what, "a move that is not legal had a weight, which was ignored");
    EXPECT_EQ(notes[1].times, 60U);
    agent->reset(*game, 1);
    (void)agent->choose(*position, random);
    EXPECT_EQ(agent->notes()[1].times, 60U) << "me is W now";
}

// The number of moves so far is known from memory alone.
TEST_F(RuleAgents, memory_lives_for_a_game_and_sees_every_move) {
    const auto game = open_for_test("exchange");
    const auto agent = good(*game, R"({"game": "exchange",
        "shape": {"memory": {"open": "int", "secret": "int", "own": "int"}},
        "memory": {"open": 0, "secret": 0, "own": 0},
        "observe": [
          {"condition": {"seen": {"move": {}}}, "action": {"memory": {"open": "$this + 1"}}},
          {"condition": {"seen": {"move": "@absent"}}, "action": {"memory": {"secret": "$this + 1"}}},
          {"condition": {"seen": {"player": "$P"}, "me": "$P"}, "action": {"memory": {"own": "$this + 1"}}}],
        "choose": [
          {"condition": {"memory": {"own": 1, "secret": 3, "open": 1}, "moves": {"$C": true}},
           "action": {"prefer": {"$C": 1}}}]})");
    RandomAgent other;
    GameRunner table(*game);
    const std::array<Agent*, 4> seated = {agent.get(), &other, &other, &other};
    for (std::uint64_t deal = 0; deal < 3; ++deal)
        (void)table.play(seated, {1, deal, 0});
    // One of its two choices in a game uses that memory: its first own move was seen by itself,
    // the others' three were made in secret.
    ASSERT_EQ(agent->notes().size(), 1U);
    EXPECT_EQ(agent->notes()[0].times, 3U);
}

TEST_F(RuleAgents, a_rule_that_fails_is_the_agents_fault) {
    const auto game = open_for_test("life");
    const auto agent = good(*game, R"({"game": "life", "choose": [
        {"name": "bad", "condition": {"moves": {"$C": true}}, "action": {"prefer": {"$C": "= 1 / 0"}}}]})");
    RandomAgent other;
    GameRunner table(*game);
    (void)table.play(std::array<Agent*, 2>{&other, agent.get()}, {});
    ASSERT_TRUE(table.fault());
    EXPECT_EQ(table.fault()->seat, 1U);
    EXPECT_EQ(table.fault()->fault.kind, FaultKind::Crash);
    EXPECT_EQ(table.fault()->fault.what, "rule bad: division by zero: 1 and 0");
}

TEST_F(RuleAgents, games_without_a_shape_can_be_played) {
    const auto nim = open_for_test("nim");
    // Leaves a number that can be divided by three, which wins if it is possible at all.
    const auto agent = good(*nim, R"({"game": "nim", "choose": [
        {"condition": {"moves": {"$K": true}, "view": {"pile": "$N"}, "_": "($N - $K) % 3 == 0"},
         "action": {"prefer": {"$K": 1}}}]})");
    RandomAgent other;
    GameRunner table(*nim);
    for (std::uint64_t deal = 0; deal < 20; ++deal)
        EXPECT_EQ(table.play(std::array<Agent*, 2>{agent.get(), &other}, {1, deal, 0}).place(0),
                  1U);
}

TEST_F(RuleAgents, files_that_are_no_agent_are_refused_with_their_place) {
    const auto life = open_for_test("life");
    const auto wrong = [&](const std::string& text, const std::string& spec = "rules:a.json") {
        const MadeAgent made = make(*life, text, spec);
        EXPECT_EQ(made.agent, nullptr) << text;
        return mistakes(made);
    };
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    has(wrong(R"({"game": "belote", "choose": [{"action": {"prefer": {"KS": 1}}}]})"),
        "a.json:1:10: error[E0701]: this is for belote, and life is played");
    has(wrong(R"({"choose": []})"), "error[E0701]: the file does not say for which game it is");
    has(wrong(R"({"game": "life", "observe": []})"), "error[E0702]: there is no choose");
    has(wrong(R"({"game": "life", "choose": [{"action": {"prefer": {"z1": 1}}}]})"),
        "a.json:1:52: error");
    has(wrong(R"({"game": "life", "choose": [{"condition": {"view": {"bord": {}}}}]})"),
        "did you mean \"board\"");
    has(wrong(
            R"({"game": "life", "shape": {"memory": {"n": "0..9"}}, "memory": {"n": 10}, "choose": []})"),
        "a.json:1:64: error[E0703]: this cannot be the memory");
    has(wrong("", "rules:nobody"), "nobody.json");
    EXPECT_EQ(wrong("", "rules"), "rules takes a file, as in rules:FILE");
    has(wrong(R"({"game": "life", "choose": []})", "rules:a.json,depth=2"),
        "parameters of a.json:1:1: error[E0217]: the ruleset has no option \"depth\"");
    EXPECT_EQ(wrong("", "rules:a.json,b"), "rules takes no arguments, found 'b'");
}

TEST_F(RuleAgents, every_code_has_a_page) {
    std::ifstream in("agents/codes.md");
    std::set<std::string> pages;
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("## ")) pages.insert(line.substr(3, 5));
    EXPECT_EQ(pages, std::set<std::string>(code::kAll.begin(), code::kAll.end()));
}

// All seats and threads of a run share one program of a file.
TEST_F(RuleAgents, a_file_is_compiled_once_for_each_of_its_roles) {
    const auto game = open_for_test("exchange");
    const std::string both = R"({"game": "exchange", "evaluator": "0", "choose": [
        {"condition": {"moves": {"$C": true}}, "action": {"prefer": {"$C": 1}}}]})";
    std::map<std::string, int> read;
    RulePrograms programs;
    const AgentServices lending{
        .game = *game,
        .open =
            [&](const std::string& path) {
                ++read[path];
                return engine::FileText{path == "bad.json" ? "{}" : both, {}};
            },
        .programs = &programs};
    const auto one = make_agent(parse_agent_spec("rules:a.json"), lending).agent;
    ASSERT_NE(one, nullptr);
    const std::map<std::string, int> once = read;
    const auto two = make_agent(parse_agent_spec("rules:a.json"), lending).agent;
    const auto other = make_agent(parse_agent_spec("rules:b.json"), lending).agent;
    EXPECT_EQ(read["a.json"], once.at("a.json"));
    EXPECT_EQ(two->rules(), one->rules());
    EXPECT_NE(other->rules(), one->rules());

    const games::RulesetGame& rules = *game->ruleset_game();
    const auto as = [&](RuleRole role) {
        return programs.open({"a.json", role}, lending.open, rules).program;
    };
    EXPECT_EQ(&as(RuleRole::Agent)->program(), one->rules());
    EXPECT_NE(as(RuleRole::Evaluator), as(RuleRole::Agent));
    EXPECT_EQ(as(RuleRole::Evaluator), as(RuleRole::Evaluator));

    // Whoever puts a file right need not begin again.
    EXPECT_EQ(make_agent(parse_agent_spec("rules:bad.json"), lending).agent, nullptr);
    const int tried = read["bad.json"];
    EXPECT_EQ(make_agent(parse_agent_spec("rules:bad.json"), lending).agent, nullptr);
    EXPECT_GT(read["bad.json"], tried);

    // Nothing is lent: each agent has a program of its own.
    AgentServices alone = lending;
    alone.programs = nullptr;
    EXPECT_NE(make_agent(parse_agent_spec("rules:a.json"), alone).agent->rules(), one->rules());
}

TEST_F(RuleAgents, parameters_are_options_of_the_file) {
    const auto game = open_for_test("exchange");
    const std::string text = R"({"game": "exchange", "options": {"bonus": 1, "loud": false},
        "option_values": {"bonus": "-9..9"}, "choose": [
        {"condition": {"moves": {"$C": true}}, "action": {"prefer": {"$C": "= options.bonus"}}},
        {"condition": {"moves": {"$C": true}, "_": "options.loud"},
         "action": {"prefer": {"$C": "$this + 100"}}}]})";
    const auto open = [&](const std::string&) { return engine::FileText{text, {}}; };
    const auto bonus = [&](const Parameters& parameters) {
        const OpenedRules opened =
            open_rules({"a.json", RuleRole::Agent, parameters}, open, *game->ruleset_game());
        for (const engine::Diagnostic& each : opened.diagnostics.sorted())
            throw std::runtime_error(engine::format(each, opened.sources));
        std::string told;
        for (const engine::Option& option : opened.program->parameters())
            told += option.name + "=" + engine::scalar_json(option.value.scalar) + " ";
        return told;
    };
    EXPECT_EQ(bonus({}), "bonus=1 loud=false ") << "and no option of the game";
    EXPECT_EQ(bonus({{"bonus", std::string("-3")}, {"loud", std::string("true")}}),
              "bonus=-3 loud=true ")
        << "words are read as what they set";

    EXPECT_NE(good(*game, text, "rules:a.json,bonus=7,loud=true"), nullptr);
    const auto refused = [&](const std::string& spec) { return mistakes(make(*game, text, spec)); };
    EXPECT_NE(refused("rules:a.json,bonnus=7").find("E0217"), std::string::npos);
    EXPECT_NE(refused("rules:a.json,bonnus=7").find("did you mean \"bonus\""), std::string::npos)
        << refused("rules:a.json,bonnus=7");
    EXPECT_NE(refused("rules:a.json,bonus=10").find("from -9 to 9, not 10"), std::string::npos)
        << refused("rules:a.json,bonus=10");
    EXPECT_NE(refused("rules:a.json,loud=7").find("holds true or false, not"), std::string::npos)
        << refused("rules:a.json,loud=7");

    const auto belote = open_for_test("belote");
    const std::string table =
        mistakes(make_agent(parse_agent_spec("rules:table,capot_points=3"),
                            {*belote, games::test_opener(), games::kAgentsFolder}));
    EXPECT_NE(table.find("error[E0704]: capot_points is an option of the game"), std::string::npos)
        << table;

    // Programs that were compiled with other values are others.
    RulePrograms programs;
    const auto program = [&](const Parameters& parameters) {
        return programs.open({"a.json", RuleRole::Agent, parameters}, open, *game->ruleset_game())
            .program;
    };
    EXPECT_EQ(program({{"bonus", std::int64_t{3}}}), program({{"bonus", std::int64_t{3}}}));
    EXPECT_NE(program({{"bonus", std::int64_t{3}}}), program({{"bonus", std::int64_t{4}}}));
    EXPECT_NE(program({{"bonus", std::int64_t{3}}}), program({}));
}

TEST_F(RuleAgents, an_evaluator_tells_what_a_view_is_worth) {
    const auto life = open_for_test("life");
    const std::string stones = R"({"game": "life", "evaluator": [
        {"condition": {"me": "$ME", "next": {"$ME": "$OTHER"}, "view": {"board": {
            "@count": {"of": {"$_": "$ME"}, "into": "$MINE"},
            "@count@2": {"of": {"$_": "$OTHER"}, "into": "$ITS"}}}},
         "action": {"worth": "$MINE - $ITS"}}]})";
    const auto* rules = dynamic_cast<const games::RulesetGame*>(life.get());
    ASSERT_NE(rules, nullptr);
    const auto open = [&](const std::string&) { return engine::FileText{stones, {}}; };
    const OpenedRules opened = open_rules({"a.json", RuleRole::Evaluator}, open, *rules);
    ASSERT_NE(opened.program, nullptr);
    const RuleEvaluation evaluation(opened.program);
    const auto position =
        position_of(*life, R"({"board": {"a1": "B", "b1": "B", "c1": "B", "a2": "W"}})");
    EXPECT_EQ(evaluation.worth(*position, 0), 2);
    EXPECT_EQ(evaluation.worth(*position, 1), -2);
    EXPECT_EQ(evaluation.failures(), 0U);
    // An expression will do where it can say enough; and an agent can look ahead with either.
    const auto agent = good(*life, R"x({"game": "life", "evaluator": "0 - size(view.board)"})x",
                            "eval:a.json,depth=1");
    agent->reset(*life, 0);
    Random random(1);
    Random chance(1);
    std::size_t least = 400;
    for (std::size_t i = 0; i < position->move_count(); ++i) {
        const auto next = position->clone();
        next->play(position->move(i), chance);
        least = std::min(least, next->state().find("board")->value.members.size());
    }
    const std::size_t chosen = agent->choose(*position, random);
    position->play(position->move(chosen), chance);
    EXPECT_EQ(position->state().find("board")->value.members.size(), least);
}

TEST(rule_agent, greedy_knows_the_best_drops_of_life_without_trying_them) {
    const auto life = open_for_test("life");
    const auto greedy = make_agent(parse_agent_spec("rules:greedy"),
                                   {*life, games::test_opener(), games::kAgentsFolder})
                            .agent;
    ASSERT_NE(greedy, nullptr);
    const auto lead = [](const Position& position, const std::string& mine) {
        const engine::Document state = position.state();
        int sum = 0;
        for (const engine::Member& cell : state.find("board")->value.members)
            sum += cell.value.text() == mine ? 1 : -1;
        return sum;
    };
    const auto position = life->new_position();
    const auto next = life->new_position();
    Random choices(4);
    position->start(choices);
    for (int ply = 0; ply < 12 && position->ending() == games::Ending::None; ++ply) {
        const std::string& mine = life->facts().players[position->turn()];
        greedy->reset(*life, position->turn());
        const std::size_t chosen = greedy->choose(*position, choices);
        int best = -400;
        int its = -400;
        for (std::size_t i = 0; i < position->move_count(); ++i) {
            next->copy_from(*position);
            next->play(position->move(i), choices);
            best = std::max(best, lead(*next, mine));
            if (i == chosen) its = lead(*next, mine);
        }
        ASSERT_EQ(its, best) << "ply " << ply;
        position->play(position->move(choices.below(position->move_count())), choices);
    }
    EXPECT_TRUE(greedy->notes().empty());
}

// ---- the agents that come with the games of partners -------------------------------------------

class PartnersAgents : public ::testing::TestWithParam<std::string> {
  protected:
    std::shared_ptr<const Game> game_ = open_for_test(GetParam());
};

TEST_P(PartnersAgents, each_level_beats_the_one_below) {
    const std::array<std::string, 4> levels = {"random", "rules:naive", "rules:table",
                                               "rules:counting"};
    for (std::size_t i = 1; i < levels.size(); ++i) {
        const testing::Match match = testing::match(*game_, levels[i], levels[i - 1], 800);
        EXPECT_GT(match.mean, 3 * match.error)
            << levels[i] << " - " << levels[i - 1] << ": " << match.mean << " +- " << match.error;
    }
}

TEST_P(PartnersAgents, weigh_only_legal_moves_and_always_some) {
    const AgentServices around{*game_, games::test_opener(), games::kAgentsFolder};
    for (const std::string level : {"naive", "table", "counting"}) {
        std::vector<std::unique_ptr<Agent>> agents;
        std::array<Agent*, 4> seated{};
        for (Agent*& seat : seated) {
            agents.push_back(make_agent(parse_agent_spec("rules:" + level), around).agent);
            ASSERT_NE(agents.back(), nullptr) << level;
            seat = agents.back().get();
        }
        GameRunner table(*game_);
        for (std::uint64_t deal = 0; deal < 50; ++deal)
            (void)table.play(seated, {9, deal, 0});
        for (const auto& agent : agents)
            for (const Note& note : agent->notes())
                ADD_FAILURE() << level << ": " << note.what << ", " << note.times;
    }
}

TEST_P(PartnersAgents, choose_by_view_memory_and_stream_alone) {
    for (const std::string level : {"naive", "table", "counting"}) {
        testing::expect_function_of_view(*game_, "rules:" + level, 40);
        testing::expect_blind_to_other_hands(*game_, "rules:" + level);
    }
}

INSTANTIATE_TEST_SUITE_P(rules, PartnersAgents, ::testing::Values("belote", "coinche"));

} // namespace
} // namespace croupier::agents
