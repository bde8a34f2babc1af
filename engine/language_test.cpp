// Runs every example of LANGUAGE.md and compares with what stands there.
// CROUPIER_UPDATE=1 writes what happened into the document instead; read the difference.
#include "engine/api/explain.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "engine/form/build.h"
#include "engine/language/ruleset_parser.h"
#include "engine/language/words.h"
#include "engine/language_blocks.h"
#include "engine/run/executor.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace croupier::engine {
namespace {

const char* const kDocument = "engine/LANGUAGE.md"; // tests run in the root of the source tree
constexpr std::size_t kLineLength = 92;

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// JSON as people write it: on one line where it fits.
std::string pretty(const Document& document, std::size_t indent = 0) {
    std::string line = write_json(document, -1);
    if (document.kind == Document::Kind::Scalar || document.members.empty()) return line;
    std::string spaced;
    bool in_string = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        spaced += line[i];
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) in_string = !in_string;
        if (!in_string && (line[i] == ',' || line[i] == ':')) spaced += ' ';
    }
    if (spaced.size() + indent <= kLineLength) return spaced;
    const bool object = document.is_object();
    std::string text = object ? "{" : "[";
    for (std::size_t i = 0; i < document.members.size(); ++i) {
        const Member& member = document.members[i];
        text += i == 0 ? "\n" : ",\n";
        text += std::string(indent + 2, ' ');
        text += object ? quoted_json(member.key) + ": " : "";
        text += pretty(member.value, indent + 2);
    }
    return text + '\n' + std::string(indent, ' ') + (object ? '}' : ']');
}

std::optional<Document> parse(const std::string& name, const std::string& text, Sources& sources,
                              Diagnostics& diagnostics) {
    return read_json(sources, sources.add(name, text), diagnostics);
}

std::string formatted(const Diagnostics& diagnostics, const Sources& sources) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.sorted())
        text += format(diagnostic, sources);
    return text;
}

class PrintedLines : public Log {
  public:
    void line(const std::string& line) override { text += line + '\n'; }
    std::string text;
};

// How rules run: as machine code, node by node after all passes, or as they are written.
enum class By { Code, Passes, Written };

// Everything that can come of an example, each in the form in which the document shows it.
class Runner {
  public:
    explicit Runner(const Example& example, By by = By::Code)
        : example_(example), by_(by), loaded_(load()) {}

    std::string actual(const Block& expected) {
        if (expected.kind == "error" || expected.kind == "warning") return diagnostics(expected);
        if (!loaded_.ruleset)
            return "the rules are not good:\n" + formatted(loaded_.diagnostics, loaded_.sources);
        const Program program(*loaded_.ruleset);
        State state = program.catalogue().initial_state();
        if (example_.state) {
            Sources sources;
            Diagnostics mistakes;
            const auto document = parse("state.json", example_.state->text, sources, mistakes);
            if (!document || !state.import(*document, mistakes))
                return "the state is not good:\n" + formatted(mistakes, sources);
        }
        if (expected.kind == "why") {
            Random random(1);
            return to_text(explain(program, rule(program, expected.argument), state, random),
                           loaded_.sources);
        }
        if (by_ == By::Written) {
            Executor executor(program.watched());
            return run_with(executor, program, state, expected);
        }
        Machine machine(program);
        machine.use_code(by_ == By::Code);
        return run_with(machine, program, state, expected);
    }

  private:
    Loaded load() {
        if (example_.subject.kind == "condition")
            return load_pattern_text("condition.json", example_.subject.text);
        std::map<std::string, std::string> files{{"rules.json", example_.subject.text}};
        std::vector<std::string> paths{"rules.json"};
        for (const Block& file : example_.files) {
            files[file.argument] = file.text;
            if (file.kind == "over") paths.push_back(file.argument);
        }
        return load_ruleset(paths, [&](const std::string& path) {
            const auto found = files.find(path);
            return found == files.end() ? FileText{{}, "there is no such file"}
                                        : FileText{found->second, {}};
        });
    }

    std::string diagnostics(const Block& expected) {
        std::string text = formatted(loaded_.diagnostics, loaded_.sources);
        if (loaded_.ruleset && text.empty() && example_.state) { // the state may be what is wrong
            const Program program(*loaded_.ruleset);
            State state = program.catalogue().initial_state();
            Sources sources;
            Diagnostics mistakes;
            const auto document = parse("state.json", example_.state->text, sources, mistakes);
            if (document) state.import(*document, mistakes);
            text = formatted(mistakes, sources);
        }
        if (text.find('[' + expected.argument + ']') == std::string::npos) {
            return "there is no " + expected.kind + ' ' + expected.argument + "; said was:\n" +
                   text;
        }
        return text;
    }

    static RuleId rule(const Program& program, const std::string& name) {
        if (name.empty()) return program.catalogue().groups.at(0).rules.at(0);
        const RuleId id = program.catalogue().rule_id(name);
        if (id == kNone) throw std::runtime_error("no rule " + name);
        return id;
    }

    std::string stopped(const RunError& error) const {
        return loaded_.sources.place(error.span) + ": rule " + error.rule +
               " stopped: " + std::string(name_of(error.kind)) + ": " + error.detail + '\n';
    }

    template <typename Machinery>
    std::string run_with(Machinery& machine, const Program& program, State& state,
                         const Block& expected) {
        return expected.kind == "matches" ? matches(machine, program, state, expected.argument)
                                          : run(machine, program, state, expected);
    }

    template <typename Machinery>
    std::string matches(Machinery& machine, const Program& program, State& state,
                        const std::string& name) {
        Random random(1);
        const RuleId id = rule(program, name);
        const RunResult result = machine.match(id, state, random);
        if (result.error) return stopped(*result.error);
        std::string text;
        for (std::uint64_t i = 0; i < result.matches; ++i) {
            std::string line;
            const auto& variables = program.catalogue().rules[id].variables;
            for (std::size_t v = 0; v < variables.size(); ++v) {
                line += (v == 0 ? "" : ", ") + variables[v].name + " = " +
                        to_text(machine.matched(i)[v], state.symbols());
            }
            text += (line.empty() ? "(matches, without variables)" : line) + '\n';
        }
        return text.empty() ? "(no match)\n" : text;
    }

    template <typename Machinery>
    std::string run(Machinery& machine, const Program& program, State& state,
                    const Block& expected) {
        Random random(1);
        PrintedLines printed;
        machine.set_log(&printed);
        std::string log;
        Trace trace(program.catalogue(), loaded_.sources, false,
                    [&](const std::string& line) { log += line + '\n'; });
        if (expected.kind == "trace") machine.set_observer(&trace);
        GroupId group = 0;
        if (expected.kind == "after" && !expected.argument.empty())
            group = program.catalogue().group_id(expected.argument);
        if (group >= program.catalogue().groups.size()) return "no such group\n";
        const RunResult result = machine.run(group, state, random);
        if (expected.kind == "trace") return log;
        if (expected.kind == "prints") return printed.text;
        std::string ending = result.error ? stopped(*result.error) : "";
        if (expected.kind == "stops") {
            const bool as_said = result.error && name_of(result.error->kind) == expected.argument;
            return as_said ? ending : "did not stop with " + expected.argument + "\n" + ending;
        }
        if (result.error) return ending;
        return pretty(state.export_document()) + '\n';
    }

    const Example& example_;
    By by_;
    Loaded loaded_;
};

// A tree is compared as a tree, so that the document may lay it out as it likes.
std::string comparable(const Block& expected, const std::string& text) {
    if (expected.kind != "after") return text;
    Sources sources;
    Diagnostics mistakes;
    const auto document = parse("after", text, sources, mistakes);
    return document ? write_json(*document) : text;
}

std::string outcome(const Example& example, const Block& expected, By by = By::Code) {
    try {
        return Runner(example, by).actual(expected);
    } catch (const std::exception& error) {
        return std::string("the test could not run it: ") + error.what() + '\n';
    }
}

TEST(language, every_example_does_what_it_says) {
    const std::string markdown = read_file(kDocument);
    ASSERT_FALSE(markdown.empty()) << kDocument << " cannot be read";
    const Examples examples = find_examples(markdown);
    for (const auto& [line, problem] : examples.problems)
        ADD_FAILURE_AT(kDocument, static_cast<int>(line)) << problem;
    const bool update = std::getenv("CROUPIER_UPDATE") != nullptr;
    std::vector<std::pair<std::size_t, std::string>> updates;
    std::size_t compared = 0;
    for (const Example& example : examples.all) {
        for (const Block& expected : example.expected) {
            const std::string actual = outcome(example, expected);
            for (const By by : {By::Passes, By::Written}) {
                EXPECT_EQ(comparable(expected, outcome(example, expected, by)),
                          comparable(expected, actual))
                    << kDocument << ':' << expected.line << ", way " << static_cast<int>(by);
            }
            ++compared;
            if (comparable(expected, actual) == comparable(expected, expected.text)) continue;
            if (update) {
                updates.emplace_back(expected.line, actual);
                continue;
            }
            ADD_FAILURE_AT(kDocument, static_cast<int>(expected.line))
                << expected.kind << ' ' << expected.argument << "\nthe document says:\n"
                << expected.text << "what happens is:\n"
                << actual;
        }
    }
    EXPECT_GT(compared, 60U) << "where have the examples gone?";
    if (!updates.empty()) std::ofstream(kDocument) << with_texts(markdown, updates);
}

// The statements [L3.1], [L3.2], .. of section 3 and so on: in order, none twice, none left out.
TEST(language, statements_are_numbered_in_order) {
    const std::string markdown = read_file(kDocument);
    std::istringstream lines(markdown);
    const std::regex heading("## ([0-9]+)\\. .*");
    const std::regex statement("\\*\\*\\[L([0-9]+)\\.([0-9]+)\\]\\*\\*");
    std::string section = "0";
    int last = 0;
    int number = 0;
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::smatch found;
        if (std::regex_match(line, found, heading)) {
            section = found[1];
            last = 0;
        }
        for (std::sregex_iterator at(line.begin(), line.end(), statement), end; at != end; ++at) {
            EXPECT_EQ((*at)[1].str(), section) << kDocument << ':' << number;
            EXPECT_EQ(std::stoi((*at)[2].str()), ++last) << kDocument << ':' << number;
            ++count;
        }
    }
    EXPECT_GT(count, 100);
}

// Every word that the reader knows is explained: in the section that begins with `heading`.
void expect_words(const std::vector<std::string>& words, const std::string& markdown) {
    for (const std::string& word : words) {
        const bool known = markdown.find('`' + word + '`') != std::string::npos ||
                           markdown.find('`' + word + '(') != std::string::npos ||
                           markdown.find('`' + word + ':') != std::string::npos ||
                           markdown.find("`\"" + word + "\"`") != std::string::npos;
        EXPECT_TRUE(known) << kDocument << " says nothing of " << word;
    }
}

TEST(language, every_word_is_explained) {
    const std::string markdown = read_file(kDocument);
    expect_words(condition_words(), markdown);
    expect_words(action_words(), markdown);
    expect_words(rule_keys(), markdown);
    expect_words(top_keys(), markdown);
}

// engine/examples/x/y.json, applied to x/state.json, gives x/y.after.json.
TEST(language, every_shipped_example_gives_its_result) {
    namespace fs = std::filesystem;
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator("engine/examples")) {
        const std::string result = entry.path().generic_string();
        constexpr std::string_view kEnding = ".after.json";
        if (!result.ends_with(kEnding)) continue;
        const std::string rules = result.substr(0, result.size() - kEnding.size()) + ".json";
        const std::string folder = entry.path().parent_path().generic_string() + '/';
        Example example;
        example.subject = {"json", "rules", "", read_file(rules), 0};
        example.state = Block{"json", "state", "", read_file(folder + "state.json"), 0};
        for (const auto& other : fs::directory_iterator(folder)) {
            const std::string path = other.path().generic_string();
            example.files.push_back(
                {"json", "file", other.path().filename().generic_string(), read_file(path), 0});
        }
        const Block expected{"json", "after", "", read_file(result), 0};
        EXPECT_EQ(comparable(expected, outcome(example, expected)),
                  comparable(expected, expected.text))
            << result;
        ++count;
    }
    EXPECT_GE(count, 5U);
}

TEST(language, the_runner_sees_what_is_missing) {
    EXPECT_EQ(find_examples("```json rules\n[]\n```\n").problems.size(), 1U);
    EXPECT_EQ(find_examples("```json after\n{}\n```\n").problems.size(), 1U);
    EXPECT_EQ(find_examples("```json rulse\n[]\n```\n").problems.size(), 1U);
    EXPECT_EQ(find_examples("```json rules\n[]\n").problems.size(), 1U);
    EXPECT_TRUE(find_examples("```json rules\n[]\n```\n```json after\n{}\n```\n").problems.empty());
}

TEST(language, the_runner_sees_what_is_different) {
    const Examples examples = find_examples("```json condition\n{\"a\": \"$X\"}\n```\n"
                                            "```json state\n{\"a\": 1}\n```\n"
                                            "```text matches\nX = 1\n```\n"
                                            "```text error E0501\n```\n");
    ASSERT_EQ(examples.all.size(), 1U);
    const Example& example = examples.all[0];
    EXPECT_EQ(outcome(example, example.expected[0]), "X = 1\n");
    EXPECT_EQ(outcome(example, example.expected[1]), "there is no error E0501; said was:\n");
}

TEST(language, a_state_serves_until_the_next_heading) {
    const std::string again = "```json condition\n{}\n```\n```text matches\n```\n"
                              "```json state\n{}\n```\n```text matches\n```\n"
                              "```json state\n{}\n```\n";
    EXPECT_EQ(find_examples(again).all.size(), 2U);
    EXPECT_TRUE(find_examples(again).problems.empty());
    const std::string markdown = "## One\n```json state\n{\"a\": 1}\n```\n"
                                 "```json condition\n{\"a\": 1}\n```\n```text matches\n```\n"
                                 "```json condition\n{\"a\": 2}\n```\n```text matches\n```\n"
                                 "## Two\n```json condition\n{}\n```\n```text matches\n```\n";
    const Examples examples = find_examples(markdown);
    ASSERT_EQ(examples.all.size(), 3U);
    EXPECT_TRUE(examples.all[1].state.has_value());
    EXPECT_FALSE(examples.all[2].state.has_value());
    EXPECT_NE(with_texts(markdown, {{8, "(no match)\n"}}).find("matches\n(no match)\n```"),
              std::string::npos);
}

} // namespace
} // namespace croupier::engine
