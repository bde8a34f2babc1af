// Mistakes in programs, limits, why and lint.
#include "engine/clips/codes.h"
#include "engine/clips/explain.h"
#include "engine/clips/session.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

namespace croupier::engine::clips {
namespace {

struct Program {
    explicit Program(const std::string& text, bool batch = false)
        : session([this](std::string_view piece) { printed += piece; }) {
        session.load("p.clp", text, batch);
    }
    // "line:column code" of each diagnostic.
    std::string places() {
        std::string all;
        for (const Diagnostic& one : session.diagnostics().sorted()) {
            const LineColumn at = session.sources().line_column(one.span.file, one.span.begin);
            if (!all.empty()) all += ' ';
            all += std::to_string(at.line) + ":" + std::to_string(at.column) + " " + one.code;
        }
        return all;
    }

    std::string printed;
    Session session;
};

TEST(clips_mistakes, an_open_parenthesis_is_named_where_it_opens) {
    EXPECT_EQ(Program("(deffacts a (b))\n(defrule r (a)\n  => (assert (c))").places(), "2:1 E0901");
    EXPECT_EQ(Program("(deffacts a (b)))").places(), "1:17 E0901");
    EXPECT_EQ(Program("(deffacts a (b \"x))").places(), "1:16 E0901");
}

TEST(clips_mistakes, nesting_is_bounded) {
    EXPECT_EQ(Program(std::string(100000, '(')).places(), "1:201 E0902");
}

TEST(clips_mistakes, objects_and_modules_are_named) {
    EXPECT_EQ(Program("(defclass A (is-a USER))").places(), "1:2 E0903");
    EXPECT_EQ(Program("(defmodule M)").places(), "1:2 E0903");
    EXPECT_EQ(Program("(defrule r (object (is-a A)) =>)").places(), "1:12 E0903");
    EXPECT_EQ(Program("(defrul r =>)").places(), "1:1 E0903");
}

TEST(clips_mistakes, names_that_are_not_there) {
    Program program("(deftemplate t (slot rank))\n(defrule r (t (rnak 1)) =>)");
    EXPECT_EQ(program.places(), "2:16 E0907");
    EXPECT_EQ(program.session.diagnostics().sorted()[0].hint, "did you mean rank?");
    EXPECT_EQ(Program("(defrule r (a) => (prinout t x))").places(), "1:20 E0905");
    EXPECT_EQ(Program("(defrule r (a ?x) => (printout t ?y))").places(), "1:34 E0906");
    EXPECT_EQ(Program("(defrule r (not (a ?x)) => (printout t ?x))").places(), "1:40 E0906");
    EXPECT_EQ(Program("(defrule r (a) => (printout))").places(), "1:20 E0905");
}

TEST(clips_mistakes, values_that_a_slot_cannot_hold) {
    const std::string of = "(deftemplate t (slot n (type INTEGER) (range 0 13)))\n";
    EXPECT_EQ(Program(of + "(deffacts f (t (n 14)))").places(), "2:19 E0908");
    EXPECT_EQ(Program(of + "(deffacts f (t (n x)))").places(), "2:19 E0908");
    EXPECT_EQ(Program(of + "(deffacts f (t (n 13)))").places(), "");
}

TEST(clips_mistakes, a_refused_rule_leaves_nothing_behind) {
    Program program("(defrule r (a ?x) (b ?x) => (printout t ?z))\n(defrule s (a ?x) => )");
    program.session.reset();
    EXPECT_EQ(program.session.run(-1), 0);
    EXPECT_EQ(program.session.find_rule("r"), nullptr);
    EXPECT_NE(program.session.find_rule("s"), nullptr);
}

TEST(clips_limits, an_endless_program_ends_at_its_limit) {
    Program program(
        "(defrule r ?f <- (n ?x) => (retract ?f) (assert (n (+ ?x 1))))\n(deffacts f (n 0))");
    program.session.reset();
    EXPECT_EQ(program.session.run(100000), 100000);
    EXPECT_TRUE(program.session.limit_reached());
    // Each firing frees what it took.
    EXPECT_LT(program.session.network().arena().bytes(), std::size_t{1} << 20);
}

TEST(clips_limits, an_interrupt_ends_a_run) {
    Program program(
        "(defrule r ?f <- (n ?x) => (retract ?f) (assert (n (- 1 ?x))))\n(deffacts f (n 0))");
    int asked = 0;
    program.session.set_interrupted([&] { return ++asked == 3; });
    program.session.reset();
    EXPECT_GT(program.session.run(-1), 1000);
    EXPECT_EQ(asked, 3);
}

TEST(clips_limits, memory_is_bounded) {
    std::string printed;
    Session session([&](std::string_view text) { printed += text; }, std::size_t{8} << 20);
    session.load("p.clp", "(defrule r (n ?x) => (assert (n (+ ?x 1))))\n(deffacts f (n 0))", false);
    session.reset();
    EXPECT_THROW(session.run(-1), MemoryLimit);
}

TEST(clips_why, the_nearest_fact_and_the_failed_constraint) {
    Program program(
        "(deftemplate card (slot suit) (slot rank))\n"
        "(deffacts f (want 7) (card (suit heart) (rank 6)) (card (suit club) (rank 7)))\n"
        "(defrule r (want ?n) (card (suit heart) (rank ?n)) =>)");
    program.session.reset();
    program.session.run(-1);
    const std::string text = why(program.session, "r");
    EXPECT_NE(text.find("first 1 element: 1 match"), std::string::npos) << text;
    EXPECT_NE(text.find("slot rank: expected 7, found 6"), std::string::npos) << text;
    EXPECT_NE(text.find("slot suit: expected heart, found club"), std::string::npos) << text;
}

TEST(clips_why, what_blocks_a_not_and_what_has_fired) {
    Program program("(deffacts f (a 1) (b 1) (c 1))\n"
                    "(defrule blocked (a ?x) (not (b ?x)) =>)\n"
                    "(defrule fired (c ?x) =>)\n"
                    "(defrule low (declare (salience -5)) (c ?x) =>)\n"
                    "(defrule high (c ?x) =>)");
    program.session.reset();
    program.session.run(1);
    EXPECT_NE(why(program.session, "blocked").find("blocked by f-2 (b 1)"), std::string::npos)
        << why(program.session, "blocked");
    EXPECT_NE(why(program.session, "low").find("salience 0"), std::string::npos)
        << why(program.session, "low");
    program.session.run(-1);
    EXPECT_NE(why(program.session, "fired").find("fired already"), std::string::npos);
}

TEST(clips_lint, warns_of_what_is_likely_wrong) {
    Program program(
        "(deftemplate t (slot v))\n"
        "(defrule once (a ?x) =>)\n"
        "(defrule never (a red&blue) =>)\n"
        "(defrule cross (a ?x) (b ?y) => (printout t ?x ?y))\n"
        "(defrule again ?f <- (t) => (modify ?f (v 1)))\n"
        "(defrule fine ?f <- (t (v ?v&:(> ?v 1))) => (modify ?f (v (- ?v 1))))\n"
        "(defrule phase ?p <- (p) ?f <- (t (v ?v)) => (retract ?p) (modify ?f (v ?v)))");
    lint(program.session);
    EXPECT_EQ(program.places(), "2:18 W0901 3:19 W0902 4:23 W0903 5:29 W0904");
}

TEST(clips_codes, each_is_in_the_readme) {
    std::ifstream in("engine/clips/README.md");
    std::set<std::string> rows;
    for (std::string line; std::getline(in, line);) {
        const std::string code = line.size() > 7 ? line.substr(2, 5) : "";
        if (code.size() == 5 && code.substr(1, 2) == "09") rows.insert(code);
    }
    EXPECT_EQ(rows, std::set<std::string>(code::kAll.begin(), code::kAll.end()));
}

} // namespace
} // namespace croupier::engine::clips
