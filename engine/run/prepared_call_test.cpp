// Calls on declared maps do the same as on undeclared nodes, including errors and draws.
#include "engine/catalogue/catalogue.h"
#include "engine/form/build.h"
#include "engine/form/passes.h"
#include "engine/language/reader.h"
#include "engine/run/executor.h"
#include "engine/state/journal.h"
#include "engine/x86/code.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

namespace croupier::engine {
namespace {

struct Dealt {
    std::string state;
    std::string error; // "kind: detail @ reported place"
    std::uint64_t draws = 0;

    friend bool operator==(const Dealt&, const Dealt&) = default;
};

void PrintTo(const Dealt& dealt, std::ostream* out) {
    *out << dealt.state << " " << dealt.error << " after " << dealt.draws << " draws";
}

// A group with one rule of that action, on that state, interpreted and as machine code.
class Table {
  public:
    explicit Table(const std::string& action, bool is_declared = true)
        : text_(R"({"types": {"Seat": ["A", "B", "C"], "Card": ["s7", "s8", "h7", "h8", "d7", "d8"],
                              "Slot": 6},
                    "constants": {"fixed": {"a": 1}}, )" +
                std::string(is_declared ? R"("shape": {
                        "deck": {"$:Slot": "Card"}, "hands": {"$:Seat": {"$:Card": true}},
                        "turn": "Seat", "n": "int", "below": "any"},)"
                                        : "") +
                R"("setup": [{"name": "go", "action": )" + action + "}]}"),
          loaded_(load_ruleset_text("table", text_)), catalogue_(ruleset()),
          module_(form::build(catalogue_)) {
        for (const form::Pass& pass : form::passes())
            for (form::Function& function : module_->functions)
                pass.run(*module_, function);
        code_ = x86::emit(*module_);
    }

    Dealt run(const std::string& from) {
        Dealt walked = run_by(nullptr, from, false);
        EXPECT_EQ(walked, run_by(nullptr, from, true)) << "with a journal";
        if (code_ != nullptr) {
            EXPECT_EQ(walked, run_by(code_.get(), from, false)) << "by machine code";
        }
        return walked;
    }
    [[nodiscard]] std::string at(const std::string& text) const {
        return " @ " + std::to_string(text_.find(text));
    }

  private:
    const Ruleset& ruleset() const {
        EXPECT_TRUE(loaded_.ruleset) << text_;
        return *loaded_.ruleset;
    }
    Dealt run_by(const x86::Code* code, const std::string& from, bool has_journal) {
        Sources sources;
        Diagnostics diagnostics;
        const auto document = read_json(sources, sources.add("state", from), diagnostics);
        State state = catalogue_.initial_state();
        EXPECT_TRUE(document && catalogue_.import(state, *document, diagnostics)) << from;
        Journal journal;
        if (has_journal) state.set_journal(&journal);
        Executor executor(*module_, {}, code);
        Random random(7);
        const RunResult result = executor.run(catalogue_.group_id("setup"), state, random);
        state.set_journal(nullptr);
        Dealt dealt{write_json(state.export_document(), -1), "", random.counter()};
        if (result.error) {
            dealt.error = std::string(name_of(result.error->kind)) + ": " + result.error->detail +
                          " @ " + std::to_string(result.error->span.begin);
        }
        return dealt;
    }

    std::string text_;
    Loaded loaded_;
    Catalogue catalogue_;
    std::unique_ptr<form::Module> module_;
    std::shared_ptr<const x86::Code> code_;
};

std::string deal(const std::string& more) {
    return R"({"@call": {"deal": {"from": "deck", "to": "hands")" + more + "}}}";
}

constexpr const char* kPack =
    R"({"deck": {"1": "s7", "2": "h8", "3": "d7", "5": "s8"}, "hands": {"A": {}, "C": {"h7": true}}})";

TEST(prepared_call, a_deal_serves_the_first_receiver_first) {
    EXPECT_EQ(
        Table(deal(R"(, "count": 1)")).run(kPack).state,
        R"({"deck":{"3":"d7","5":"s8"},"hands":{"A":{"s7":true},"C":{"h7":true,"h8":true}}})");
}

TEST(prepared_call, a_deal_begins_where_it_is_told_to) {
    EXPECT_EQ(
        Table(deal(R"(, "start": "C", "count": 2)")).run(kPack).state,
        R"({"deck":{},"hands":{"A":{"s8":true,"d7":true},"C":{"s7":true,"h7":true,"h8":true}}})");
    // Only present receivers are served, and the last of them begins.
    EXPECT_EQ(Table(deal(R"(, "start": "B", "count": 1)"))
                  .run(R"({"deck": ["s7", "s8"], "hands": {"A": {}, "B": {}}})")
                  .state,
              R"({"deck":[],"hands":{"A":{"s8":true},"B":{"s7":true}}})");
}

TEST(prepared_call, a_short_pile_is_not_dealt_at_all) {
    Table table(deal(R"(, "count": 3)"));
    const Dealt dealt = table.run(kPack);
    EXPECT_EQ(dealt.error, "call: deal: 3 each for 2, 4 left" + table.at(R"("deal")"));
    EXPECT_EQ(dealt.state, Table(R"({"n": "@remove"})").run(kPack).state);
}

TEST(prepared_call, a_deal_of_none_changes_nothing) {
    const std::string before = Table(R"({"n": "@remove"})").run(kPack).state;
    const Dealt dealt = Table(deal(R"(, "count": 0)")).run(kPack);
    EXPECT_EQ(dealt.error, "");
    EXPECT_EQ(dealt.state, before);
    EXPECT_EQ(Table(deal(R"(, "count": 1)")).run(R"({"deck": ["s7"], "hands": {}})").state,
              R"({"deck":["s7"],"hands":{}})");
    EXPECT_EQ(Table(deal(R"(, "count": 1)")).run(R"({"deck": ["s7"]})").state,
              R"({"deck":["s7"]})");
}

TEST(prepared_call, nobody_begins_who_does_not_receive) {
    Table table(deal(R"(, "start": "B", "count": 1)"));
    EXPECT_EQ(table.run(kPack).error,
              "call: deal: 'B' is not among the receivers" + table.at(R"("deal")"));
}

TEST(prepared_call, a_count_is_a_whole_number) {
    EXPECT_NE(Table(deal(R"(, "count": "0 - 1")")).run(kPack).error.find("whole number from 0"),
              std::string::npos);
    EXPECT_NE(Table(deal(R"(, "count": "1 / 2")")).run(kPack).error.find("whole number from 0"),
              std::string::npos);
}

// A call passed on to the general code does not compute its arguments again.
TEST(prepared_call, arguments_are_computed_once) {
    const Dealt fits = Table(deal(R"(, "count": "random(1) + 1")")).run(kPack);
    EXPECT_EQ(fits.error, "");
    EXPECT_EQ(fits.draws, 1u);
    const Dealt lacks = Table(deal(R"(, "count": "random(1) + 5")")).run(kPack);
    EXPECT_NE(lacks.error, "");
    EXPECT_EQ(lacks.draws, 1u);
}

TEST(prepared_call, a_shuffle_draws_as_one_of_undeclared_children) {
    const std::string action = R"({"@call": {"shuffle": {"of": "deck"}}})";
    for (const char* from :
         {R"({"deck": {"0": "s7", "1": "s8", "2": "h7", "3": "h8", "4": "d7", "5": "d8"}})",
          R"({"deck": {"1": "s7", "2": "h8", "5": "s8"}})", R"({"deck": {"4": "s7"}})",
          R"({"deck": {}})", "{}"})
        EXPECT_EQ(Table(action).run(from), Table(action, false).run(from)) << from;
    EXPECT_EQ(Table(action).run(R"({"deck": {"1": "s7", "2": "h8", "5": "s8"}})").draws, 2u);
    EXPECT_EQ(Table(action).run(R"({"deck": {"4": "s7"}})").draws, 0u);
}

TEST(prepared_call, a_sort_goes_by_what_undeclared_children_hold) {
    for (const char* more : {"", R"(, "descending": true)"}) {
        const std::string action =
            R"({"@call": {"sort": {"of": "deck")" + std::string(more) + "}}}";
        for (const char* from :
             {R"({"deck": {"1": "s7", "2": "h8", "5": "d8"}})", R"({"deck": {"4": "s7"}})", "{}"})
            EXPECT_EQ(Table(action).run(from), Table(action, false).run(from)) << from;
    }
}

// A path starts at the root of the current group, which may have children of the same names.
TEST(prepared_call, another_root_has_its_own_pile) {
    const std::string below =
        R"({"below": {"@rules": [{"action": )" + deal(R"(, "count": 1)") + "}]}}";
    EXPECT_EQ(Table(below)
                  .run(R"({"deck": ["s7"], "hands": {"A": {}},
                           "below": {"deck": {"x": "h7"}, "hands": {"q": {}}}})")
                  .state,
              R"({"deck":["s7"],"hands":{"A":{}},"below":{"deck":{},"hands":{"q":{"h7":true}}}})");
}

} // namespace
} // namespace croupier::engine
