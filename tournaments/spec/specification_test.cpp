// What a specification may say, and what is said of one that is wrong.
#include "engine/api/text.h"
#include "tournaments/spec/specification.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace croupier::tournaments {
namespace {

struct Outcome {
    Specification specification;
    std::vector<std::string> mistakes; // "file:1:2: error[..]: message", one line each
    std::vector<std::string> hints;
};

Outcome read(const std::string& text) {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    const std::uint32_t file = sources.add("run.json", text);
    const auto document = engine::read_json(sources, file, diagnostics);
    Outcome outcome;
    if (document) outcome.specification = read_specification(*document, diagnostics);
    for (const engine::Diagnostic& each : diagnostics.sorted()) {
        const std::string all = engine::format(each, sources);
        outcome.mistakes.push_back(all.substr(0, all.find('\n')));
        outcome.hints.push_back(each.hint);
    }
    return outcome;
}

TEST(specification, everything_can_be_said) {
    const Outcome outcome = read(R"({
        "game": "belote:contest", "set": {"target": 500, "variant": "no"},
        "agents": ["random", "Good=random"], "schedule": "gauntlet", "blocks": [200, "all"],
        "seed": 7, "sprt": {"elo0": -1, "elo1": 4, "alpha": 0.01, "model": "logistic"},
        "width": 0.02, "time": 60, "faults": "stop", "cut": 300})");
    EXPECT_EQ(outcome.mistakes, std::vector<std::string>());
    const Specification& run = outcome.specification;
    EXPECT_EQ(run.game, "belote:contest");
    ASSERT_EQ(run.set.size(), 2U);
    EXPECT_EQ(run.set[0].value, engine::Scalar(std::int64_t{500}));
    EXPECT_EQ(run.agents[1].spec.name, "Good");
    EXPECT_EQ(run.agents[1].spec.kind, "random");
    EXPECT_EQ(run.schedule, ScheduleKind::Gauntlet);
    EXPECT_EQ(run.rotation, Rotation::All);
    EXPECT_EQ(run.blocks, 200U);
    EXPECT_EQ(run.games, std::nullopt);
    EXPECT_EQ(run.sprt->elo1, 4);
    EXPECT_EQ(run.sprt->alpha, 0.01);
    EXPECT_EQ(run.sprt->beta, 0.05);
    EXPECT_EQ(run.sprt->model, results::EloModel::Logistic);
    EXPECT_EQ(run.terms.faults, FaultRule::Stop);
    EXPECT_EQ(run.terms.cut, 300U);
    // What is written down reads back as the same.
    EXPECT_EQ(to_json(read(to_json(run).dump()).specification), to_json(run));
}

TEST(specification, defaults_are_a_thousand_games_unless_a_rule_ends_the_run) {
    EXPECT_EQ(read(R"({"game": "life", "agents": "random"})").specification.games, 1000U);
    EXPECT_EQ(read(R"({"game": "life", "agents": "random", "games": 1e6})").specification.games,
              1'000'000U);
    EXPECT_EQ(read(R"({"game": "life", "agents": "random"})").specification.terms, Terms{});
    EXPECT_EQ(read(R"({"game": "life", "agents": "a", "faults": "los", "cut": 0})").mistakes,
              (std::vector<std::string>{
                  "run.json:1:43: error[E0805]: 'los' is none of loss, void, stop",
                  "run.json:1:57: error[E0806]: 0 is not between 1 and 1000000000"}));
    const Outcome test = read(R"({"game": "life", "agents": ["a", "b"], "sprt": "0,5,0.1"})");
    EXPECT_EQ(test.mistakes, std::vector<std::string>());
    EXPECT_EQ(test.specification.games, std::nullopt);
    EXPECT_EQ(test.specification.sprt->alpha, 0.1);
    EXPECT_EQ(test.specification.sprt->model, results::EloModel::Normalized);
}

TEST(specification, all_mistakes_are_told_with_their_places) {
    const std::string schedules = "round-robin, gauntlet, free-for-all, knockout, swiss";
    const std::string hypotheses = "a sequential test takes two hypotheses, elo0 below elo1";
    const Outcome outcome = read(R"({"gmae": "life",
 "agents": [1, "", "x=:y"],
 "games": 0.5,
 "schedule": "gauntlot",
 "blocks": -2,
 "width": 1,
 "sprt": "5,0",
 "set": {"a": []}})");
    EXPECT_EQ(outcome.mistakes,
              (std::vector<std::string>{
                  "run.json:1:1: error[E0803]: no game is named",
                  "run.json:1:2: error[E0802]: there is no key 'gmae'",
                  "run.json:2:13: error[E0801]: a text was expected",
                  "run.json:2:16: error[E0804]: '' names no agent",
                  "run.json:2:20: error[E0804]: 'x=:y' names no agent",
                  "run.json:3:11: error[E0806]: a whole number was expected, 0 or more",
                  "run.json:4:14: error[E0805]: 'gauntlot' is none of " + schedules,
                  "run.json:5:12: error[E0806]: a whole number was expected, 0 or more",
                  "run.json:6:11: error[E0806]: a width between 0 and 1, as in 0.02 was expected",
                  "run.json:7:10: error[E0807]: " + hypotheses,
                  "run.json:8:15: error[E0801]: the value of an option is a plain value"}));
    EXPECT_EQ(outcome.hints[1], "did you mean 'game'?");
    EXPECT_EQ(outcome.hints[6], "did you mean 'gauntlet'?");
    EXPECT_EQ(read(R"({"game": ""})").mistakes,
              (std::vector<std::string>{"run.json:1:10: error[E0803]: no game is named"}));
    EXPECT_EQ(read("[]").mistakes,
              (std::vector<std::string>{
                  "run.json:1:1: error[E0801]: the specification of a run is an object"}));
    EXPECT_EQ(
        read(R"({"game": "life", "agents": "a", "sprt": "0,5,1,1,logistic,6"})").mistakes,
        (std::vector<std::string>{
            "run.json:1:41: error[E0806]: an error rate between 0 and 0.5 (alpha) was expected",
            "run.json:1:41: error[E0806]: an error rate between 0 and 0.5 (beta) was expected",
            "run.json:1:41: error[E0807]: '6' is one too many: elo0,elo1,alpha,beta,model"}));
    EXPECT_EQ(read(R"({"game": "life", "agents": "a", "games": 5, "blocks": 5})").mistakes,
              (std::vector<std::string>{"run.json:1:42: error[E0806]: both a number of games and a "
                                        "number of blocks are given"}));
}

TEST(specification, names_are_made_distinct_and_one_alone_gets_company) {
    Specification run;
    const auto names = [&](const std::string& agents, std::size_t sides) {
        run = read(R"({"game": "life", "agents": )" + agents + "}").specification;
        complete_agents(run, sides);
        std::vector<std::string> all;
        for (const AgentEntry& agent : run.agents)
            all.push_back(agent.spec.name);
        return all;
    };
    using List = std::vector<std::string>;
    EXPECT_EQ(names(R"("random")", 2), (List{"random", "random#2"}));
    EXPECT_EQ(names(R"("random")", 4), (List{"random", "random#2", "random#3", "random#4"}));
    EXPECT_EQ(names(R"(["a", "a#2=a", "a", "b"])", 2), (List{"a", "a#2", "a#3", "b"}));
}

TEST(specification, every_code_has_a_page) {
    std::ifstream in("tournaments/codes.md");
    const std::string pages{std::istreambuf_iterator<char>(in), {}};
    for (const std::string_view code : code::kAll)
        EXPECT_NE(pages.find("\n| " + std::string(code) + " |"), std::string::npos) << code;
}

} // namespace
} // namespace croupier::tournaments
