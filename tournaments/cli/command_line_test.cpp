// The command line for its users: help, versions, errors and their exit codes.
#include "tournaments/cli/command_line.h"
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

namespace croupier::cli {

namespace {

void expect_mistake(const std::vector<std::string>& arguments, const std::string& part) {
    const Ran ran = run_in_process(arguments);
    EXPECT_EQ(ran.code, 2) << part;
    EXPECT_EQ(ran.out, "") << part;
    EXPECT_TRUE(contains(ran.err, part)) << ran.err << "lacks: " << part;
    EXPECT_TRUE(ran.err.starts_with("croupier")) << ran.err;
}

TEST(run, a_mistyped_subcommand_suggests_the_nearest) {
    expect_mistake({"versoin"}, "unknown subcommand 'versoin' (did you mean 'version'?)");
    expect_mistake({"versoin", "--json"}, "did you mean 'version'?");
    expect_mistake({"versoin", "--help"}, "did you mean 'version'?");
    expect_mistake({"frobnicate"}, "unknown subcommand 'frobnicate'\ntry 'croupier --help'");
    expect_mistake({""}, "unknown subcommand ''");
}

TEST(run, a_mistyped_option_suggests_the_nearest) {
    expect_mistake({"version", "--jsno"}, "unknown option '--jsno' (did you mean '--json'?)");
    expect_mistake({"version", "--jsno"}, "try 'croupier version --help'");
    expect_mistake({"version", "--colour=never"}, "'--colour' (did you mean '--color'?)");
    expect_mistake({"--versoin"}, "(did you mean '--version'?)");
    expect_mistake({"version", "-x"}, "unknown option '-x'\n");
}

TEST(run, a_word_too_many_is_a_mistake) {
    expect_mistake({"version", "now"}, "unexpected argument 'now'");
    expect_mistake({"version", "version"}, "unexpected argument 'version'");
}

TEST(run, a_value_outside_a_list_suggests_the_nearest) {
    expect_mistake({"--color", "nevr", "version"},
                   "'nevr' is none of auto, always, never (did you mean 'never'?)");
    expect_mistake({"version", "--color"}, "--color");
}

TEST(run, a_message_cannot_drive_the_terminal) {
    const Ran ran = run_in_process({"\x1b]0;owned\x07"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_FALSE(contains(ran.err, "\x1b"));
    EXPECT_TRUE(contains(ran.err, "\\x1b]0;owned\\x07"));
}

TEST(run, without_a_subcommand_the_help_goes_to_standard_error) {
    const Ran ran = run_in_process({});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, run_in_process({"--help"}).out);
}

TEST(run, version_prints_name_and_number) {
    const Ran ran = run_in_process({"--version"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out, "croupier " CROUPIER_VERSION "\n");
    EXPECT_EQ(run_in_process({"-V"}).out, ran.out);
    EXPECT_EQ(ran.err, "");
}

TEST(run, version_as_json_is_json) {
    const Ran ran = run_in_process({"version", "--json"});
    EXPECT_EQ(ran.code, 0);
    const auto facts = nlohmann::json::parse(ran.out);
    EXPECT_EQ(facts.at("croupier"), CROUPIER_VERSION);
    EXPECT_TRUE(contains(facts.at("compiler").get<std::string>(), "."));
    if (facts.contains("commit")) {
        const auto commit = facts.at("commit").get<std::string>();
        EXPECT_GE(commit.size(), 12U);
        EXPECT_EQ(commit.find_first_not_of("0123456789abcdef"), std::string::npos) << commit;
    }
    const bool here_is_x86 = facts.at("processor") == "x86-64";
    if (!here_is_x86) {
        EXPECT_EQ(facts.at("rules"), "interpreted");
    }
}

TEST(run, global_options_stand_before_or_after_the_subcommand) {
    TerminalFacts facts;
    facts.out_is_terminal = true;
    EXPECT_TRUE(contains(run_in_process({"--help"}, "", facts).out, "\x1b["));
    EXPECT_EQ(run_in_process({"--color", "never", "version"}, "", facts).code, 0);
    EXPECT_EQ(run_in_process({"version", "--color", "never"}, "", facts).code, 0);
}

TEST(run, color_never_holds_for_mistakes_too) {
    TerminalFacts facts;
    facts.err_is_terminal = true;
    EXPECT_TRUE(contains(run_in_process({"version", "x"}, "", facts).err, "\x1b["));
    const Ran ran = run_in_process({"version", "x", "--color", "never"}, "", facts);
    EXPECT_FALSE(contains(ran.err, "\x1b[")) << ran.err;
}

TEST(run, color_marks_what_is_wrong_in_files) {
    TerminalFacts facts;
    facts.err_is_terminal = true;
    EXPECT_TRUE(contains(run_in_process({"run", "lief"}, "", facts).err,
                         "GAME:1:1: \x1b[31merror[E0803]:\x1b[0m there is no game 'lief'"));
    facts.color_unwanted = true;
    EXPECT_FALSE(contains(run_in_process({"run", "lief"}, "", facts).err, "\x1b["));
}

TEST(run, color_marks_verdicts_in_tables_alone) {
    const std::vector<std::string> command{"compare", "oldmaid",    "oldmaid:previous",
                                           "--games", "20",         "--metric",
                                           "length",  "--no-costs", "--progress=none"};
    const auto with = [&](const char* more) {
        TerminalFacts facts;
        facts.out_is_terminal = true;
        std::vector<std::string> words = command;
        words.emplace_back(more);
        return run_in_process(words, "", facts).out;
    };
    const std::string plain = run_in_process(command).out;
    ASSERT_TRUE(contains(plain, "  too few")) << plain;
    EXPECT_TRUE(contains(with("--ascii"), "\x1b[33m  too few\x1b[0m"));
    EXPECT_FALSE(contains(with("--json"), "\x1b["));
    EXPECT_FALSE(contains(with("--color=never"), "\x1b["));
}

TEST(run, color_holds_for_help_too) {
    EXPECT_TRUE(contains(run_in_process({"--help", "--color", "always"}).out, "\x1b["));
    EXPECT_FALSE(contains(run_in_process({"--help"}).out, "\x1b["));
}

TEST(run, help_lists_every_subcommand) {
    const std::string help = run_in_process({"--help"}).out;
    for (const auto& command : make_commands()) {
        EXPECT_TRUE(contains(help, std::string(command->describe().name)));
        EXPECT_TRUE(contains(help, std::string(command->describe().summary)));
    }
}

// Every subcommand needs a working example and unique names.
TEST(run, every_subcommand_has_help_that_ends_in_an_example_of_itself) {
    std::set<std::string> names;
    for (const auto& command : make_commands()) {
        const Description description = command->describe();
        const std::string name(description.name);
        EXPECT_TRUE(names.insert(name).second) << name;
        const Ran ran = run_in_process({name, "--help"});
        EXPECT_EQ(ran.code, 0) << name;
        const std::size_t example = ran.out.rfind("Example:\n");
        ASSERT_NE(example, std::string::npos) << name;
        EXPECT_TRUE(contains(ran.out.substr(example), "croupier " + name)) << name;
        EXPECT_TRUE(contains(ran.out, "Usage: croupier " + name)) << name;
    }
}

// Checks all lines up to the example, which is printed unwrapped.
void expect_width(const std::vector<std::string>& arguments, std::size_t width) {
    TerminalFacts facts;
    facts.width = width;
    std::istringstream help(run_in_process(arguments, "", facts).out);
    std::size_t lines = 0;
    for (std::string line; std::getline(help, line) && line != "Example:"; ++lines)
        EXPECT_LE(display_width(line), width) << line;
    EXPECT_GT(lines, 10U) << arguments[0];
}

TEST(run, help_keeps_to_the_width_of_the_terminal) {
    for (const std::size_t width : {40U, 50U, 80U}) {
        expect_width({"--help"}, width);
        for (const auto& command : make_commands())
            expect_width({std::string(command->describe().name), "--help"}, width);
    }
}

} // namespace

} // namespace croupier::cli
