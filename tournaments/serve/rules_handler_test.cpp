// Drafts of rulesets, and their effect on states.
#include "tournaments/serve/rules_handler.h"
#include "tournaments/serve/testing.h"

#include <nlohmann/json.hpp>

namespace croupier::serve {

namespace {

constexpr const char* kDraft = R"({
    "state": {"hand": {"7♠": 7, "9♥": 9}, "sum": 0},
    "play": [
        {"name": "add", "condition": {"hand": {"$C": "$N"}, "sum": "$S"}, "action": {"sum": "$S + $N"}},
        {"name": "low", "condition": {"sum": "< 3", "hand": {"7♠": "$N"}}, "action": {"low": true}}]})";

class RulesHandlerTest : public ServeTest {
  protected:
    void SetUp() override {
        ServeTest::SetUp();
        handler_ = std::make_unique<RulesHandler>(*catalogue_);
    }
    Json asked(const char* what, const Json& body) {
        const auto answer = handler_->post(
            {.parts = {"api", "rules", what}, .parameter = {}, .body = body, .trusted = true});
        return Json::parse(answer->body);
    }
    static std::string piece(const Json& span) {
        // Positions count UTF-16 code units; all letters used here are one unit each.
        std::u16string letters;
        const std::string text = kDraft;
        std::string out;
        std::uint32_t at = 0;
        for (const char each : text) {
            const bool begins = (static_cast<unsigned char>(each) & 0xc0U) != 0x80U;
            if (begins) ++at;
            if (at > span[0] && at <= span[1]) out += each;
        }
        return out;
    }
    std::unique_ptr<RulesHandler> handler_;
};

TEST_F(RulesHandlerTest, a_draft_runs_firing_by_firing) {
    Json body = {{"text", kDraft}, {"group", "play"}, {"firings", 1}, {"heat", true}};
    Json told = asked("look", body);
    EXPECT_EQ(told["look"]["state"]["sum"], 7);
    EXPECT_EQ(told["look"]["next"]["name"], "add");
    EXPECT_EQ(told["look"]["next"]["match"], (Json{{"C", "9♥"}, {"N", 9}, {"S", 0}}));
    EXPECT_EQ(piece(told["look"]["next"]["span"]).substr(0, 16), R"({"name": "add", )");
    EXPECT_FALSE(told["heat"].empty());
    body["firings"] = 50;
    EXPECT_EQ(asked("look", body)["look"]["firings"], 2);
    EXPECT_EQ(asked("look", body)["look"]["ended"], true);
    body["firings"] = 0;
    body["state"] = R"({"hand": {"7♠": 7}, "sum": 100})";
    EXPECT_EQ(asked("look", body)["look"]["next"]["match"]["S"], 100);
    body["state"] = "{";
    EXPECT_EQ(asked("look", body)["state_wrong"].size(), 1U);
}

TEST_F(RulesHandlerTest, a_rule_tells_its_matches_or_what_stops_it) {
    Json body = {{"text", kDraft}, {"group", "play"}, {"rule", "add"}};
    Json rule = asked("look", body)["look"]["rule"];
    EXPECT_EQ(rule["count"], 2);
    EXPECT_EQ(rule["matches"][0]["nodes"], (Json{"hand", "hand.7♠", "sum"}));
    body["rule"] = "low";
    body["state"] = R"({"hand": {"7♠": 7}, "sum": 5})";
    rule = asked("look", body)["look"]["rule"];
    EXPECT_TRUE(rule["matches"].empty());
    EXPECT_EQ(piece(rule["stop"]["span"]), R"("sum": "< 3")");
    EXPECT_EQ(rule["stop"]["node"], "sum");
}

TEST_F(RulesHandlerTest, a_mistake_is_told_at_its_place_and_not_by_where_files_lie) {
    std::string text = kDraft;
    text.replace(text.find("\"add\", \"condition\""), 18, "\"add\", \"conditoin\"");
    const Json told = asked("look", {{"text", text}});
    EXPECT_FALSE(told["good"]);
    ASSERT_FALSE(told["diagnostics"].empty());
    EXPECT_EQ(told["diagnostics"][0]["line"], 4);
    EXPECT_EQ(told.dump().find(folder_.string()), std::string::npos) << told;
}

TEST_F(RulesHandlerTest, a_game_is_told_what_it_reaches_node_by_node) {
    const std::string text =
        R"({"game": {"name": "seen", "players": ["A", "B"]}, "types": {"Player": ["A", "B"]},
        "shape": {"turn": "Player"}, "state": {"turn": "A"},
        "moves": [{"name": "m", "condition": {"turn": "A"}, "action": {"moves": {"go": true}}}],
        "play": [{"name": "p", "action": {"over": true}}], "score": []})";
    const Json told = asked("look", {{"text", text}});
    EXPECT_TRUE(told["good"]);
    std::vector<std::string> codes;
    for (const Json& each : told["diagnostics"])
        codes.push_back(each["code"]);
    EXPECT_EQ(codes, (std::vector<std::string>{"W0608", "W0608"})) << told;
    EXPECT_EQ(told["diagnostics"][0]["message"],
              "moves is reached node by node: the shape does not declare it");
}

TEST_F(RulesHandlerTest, rules_without_an_end_are_ended) {
    const Json told =
        asked("look", {{"text", R"({"state": {"n": 0}, "play": {"strategy": "depth", "rules": [
            {"name": "on", "condition": {"n": "$N"}, "action": {"n": "$N + 1"}}]}})"},
                       {"group", "play"},
                       {"firings", 1'000'000'000}});
    EXPECT_EQ(told["look"]["firings"], 100'000);
}

TEST_F(RulesHandlerTest, a_game_is_opened_where_something_fires_and_drawn) {
    for (const Catalogue::Entry& entry : catalogue_->entries()) {
        if (!entry.name.revision.empty()) continue;
        const Json text = Json::parse(handler_
                                          ->get({.parts = {"api", "rules"},
                                                 .parameter = [&](const char*) { return entry.id; },
                                                 .trusted = true})
                                          ->body)["text"];
        for (const char* group : {"moves", "play", "setup"}) {
            const Json told =
                asked("look", {{"game", entry.id}, {"text", text}, {"group", group}, {"seed", 3}});
            EXPECT_TRUE(told["state_wrong"].is_null()) << entry.id << told["state_wrong"];
            EXPECT_TRUE(told["look"].contains("next")) << entry.id << " " << group;
            EXPECT_TRUE(told["look"].contains("scene")) << entry.id;
        }
    }
    Json body = {{"game", "mine"}, {"text", R"({
        "game": {"name": "mine", "players": ["A", "B"]}, "types": {"Cell": {"grid": [3, 2]}},
        "shape": {"board": {"$:Cell": ["A", "B"]}, "turn": ["A", "B"]}, "state": {"turn": "A"},
        "moves": [{"name": "may", "condition": {"board": {"$C": "A"}}, "action": {"moves": {"$C": true}}}],
        "play": [{"name": "end", "action": {"over": true}}],
        "score": [{"name": "even", "action": {"score": {"A": 0, "B": 0}}}]})"}};
    body["state"] = R"({"board": {"b1": "A", "c2": "B"}})";
    Json told = asked("look", body);
    ASSERT_TRUE(told["look"].contains("scene")) << told;
    EXPECT_EQ(told["look"]["scene"]["boards"][0]["pieces"],
              Json::parse(R"([[1, "A", 0], [5, "B", 1]])"));
    EXPECT_EQ(told["look"]["next"]["match"], (Json{{"C", "b1"}}));
}

TEST_F(RulesHandlerTest, a_draft_is_kept_where_own_rules_are_and_nowhere_else) {
    const Json life =
        Json::parse(handler_
                        ->get({.parts = {"api", "rules"},
                               .parameter = [](const char*) { return std::string("life:torus"); },
                               .trusted = true})
                        ->body);
    Json body = {{"game", "life:torus"}, {"text", life["text"]}, {"name", "mine"}};
    EXPECT_EQ(asked("keep", body)["id"], "own/mine");
    EXPECT_NE(catalogue_->open(catalogue_->find("own/mine")->name, {}), nullptr)
        << "what it includes has come along";
    EXPECT_THROW(asked("keep", body), Refused) << "there is one already";
    body["replace"] = true;
    EXPECT_EQ(asked("keep", body)["id"], "own/mine");
    for (const char* name : {"", "../mine", "a/b", ".hidden", "a b"}) {
        body["name"] = name;
        EXPECT_THROW(asked("keep", body), Refused) << name;
    }
    body["name"] = "other";
    body["text"] = "{";
    EXPECT_THROW(asked("keep", body), Refused);
    EXPECT_THROW(handler_->get({.parts = {"rules"}, .parameter = {}}), Refused) << "no token";
}

#ifdef CROUPIER_LIBEXEC
// ---- a program of CLIPS -------------------------------------------------------------------------

constexpr const char* kProgram =
    "; two rules, ü\n"
    "(deffacts start (hand 7) (hand 9) (sum 0))\n"
    "(defrule add ; )\n  ?h <- (hand ?n) ?s <- (sum ?t)\n  =>\n  (retract ?h ?s) (printout t \"+ "
    "\" ?n crlf)"
    " (assert (sum (+ ?t ?n))))\n"
    "(defrule done (declare (salience -1)) (not (hand ?)) => (printout t \"done\" crlf))\n";

nlohmann::json look_at(const std::string& text, const nlohmann::json& asked) {
    const std::string worker = games::shipped(
        std::filesystem::read_symlink("/proc/self/exe").string(), CROUPIER_LIBEXEC, "clips");
    return nlohmann::json::parse(look_at_program(worker, text, asked).dump());
}

TEST(ClipsStudio, agenda_facts_and_output_follow_the_firings) {
    const auto first = look_at(kProgram, {{"rule", "done"}});
    EXPECT_EQ(first["good"], true);
    EXPECT_EQ(first["look"]["state"]["f-1"], "(hand 7)");
    ASSERT_EQ(first["look"]["agenda"].size(), 2U);
    EXPECT_EQ(first["look"]["next"]["name"], "add");
    EXPECT_EQ(first["look"]["next"]["nodes"], nlohmann::json({"f-1", "f-3"}));
    EXPECT_EQ(first["look"]["rule"]["error"],
              "done: condition 1, (not (hand ?)), rules it out by f-1; f-2\n");
    // In UTF-16 units the letter of two bytes counts one.
    const std::string text = kProgram;
    EXPECT_EQ(first["groups"][0]["rules"][0]["span"][0], text.find("(defrule add") - 1);
    EXPECT_EQ(first["groups"][0]["rules"][0]["span"][1], text.find("(defrule done") - 2);

    const auto second = look_at(kProgram, {{"firings", 1}});
    EXPECT_EQ(second["look"]["firings"], 1);
    EXPECT_EQ(second["look"]["printed"], nlohmann::json::array({"+ 7"}));
    const auto at_break =
        look_at(kProgram, {{"until", {"done"}}, {"rule", "done"}, {"heat", true}});
    EXPECT_EQ(at_break["look"]["firings"], 2);
    EXPECT_EQ(at_break["look"]["next"]["name"], "done");
    EXPECT_EQ(at_break["look"]["rule"]["count"], 1);
    EXPECT_EQ(at_break["heat"][0][1], 2) << "add has fired twice";
    const auto last = look_at(kProgram, {{"firings", 100000}});
    EXPECT_EQ(last["look"]["ended"], true);
    EXPECT_EQ(last["look"]["state"].size(), 2U) << last["look"]["state"];
}

TEST(ClipsStudio, mistakes_have_their_lines_and_what_hangs_is_ended) {
    const auto wrong =
        look_at("(deffacts f (a))\n(defrule r (a) => (prinout t x))\n", nlohmann::json::object());
    EXPECT_EQ(wrong["good"], false);
    ASSERT_EQ(wrong["diagnostics"].size(), 1U) << wrong;
    EXPECT_EQ(wrong["diagnostics"][0]["line"], 2);
    EXPECT_EQ(wrong["diagnostics"][0]["code"], "EXPRNPSR3");
    EXPECT_EQ(wrong["diagnostics"][0]["span"], nlohmann::json({17, 49}));
    const auto endless =
        look_at("(defrule r (initial-fact) => (while TRUE do (bind ?x 1)))", {{"firings", 5}});
    EXPECT_EQ(endless["look"]["firings"], 1);
    EXPECT_THROW(look_at("(defrule r (initial-fact) => (exit))", {{"firings", 1}}), Refused);
    EXPECT_EQ(look_at(kProgram, {{"state", "{}"}})["state_wrong"].size(), 1U);
    EXPECT_THROW(look_at_program("", kProgram, nlohmann::json::object()), Refused);
}
#endif

} // namespace

} // namespace croupier::serve
