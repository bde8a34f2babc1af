// Runs the language cases of engine/cases/language on the model and on the compiled engine.
// Format of a case: engine/cases/language/README.md.
#include "engine/language/reader.h"
#include "engine/reference/subject.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace croupier::engine;
using namespace croupier::engine::reference;

std::string shown(const Diagnostics& diagnostics, const Sources& sources) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.sorted())
        text += format(diagnostic, sources);
    return text;
}

// One case, and the outcome of a subject on it.
class LanguageCase {
  public:
    explicit LanguageCase(const Document& given) : given_(given), loaded_(load()) {}

    void check(const Subject& subject) {
        const Document* loads = part("loads");
        const bool wanted = loads == nullptr;
        ASSERT_EQ(loaded_.ruleset.has_value(), wanted)
            << shown(loaded_.diagnostics, loaded_.sources);
        if (!wanted) return;
        const std::string group = text_of_part("group", "rules");
        ASSERT_NE(loaded_.ruleset->group(group), nullptr);
        Document empty;
        empty.kind = Document::Kind::Object;
        const Document* state = part("state");
        outcome_ = subject(*loaded_.ruleset, loaded_.sources, group,
                           state != nullptr ? *state : empty, number(given_, "seed", 0), budgets());
        check_error();
        check_matches();
        check_kinds();
        check_applications();
        check_prints();
        if (const Document* after = part("after")) {
            EXPECT_EQ(write_json(*after, -1), outcome_.state_json);
        }
    }

  private:
    const Document* part(std::string_view name) const {
        const Member* member = given_.find(name);
        return member != nullptr ? &member->value : nullptr;
    }

    std::string text_of_part(std::string_view name, std::string_view otherwise) const {
        const Document* document = part(name);
        return document != nullptr ? document->text() : std::string(otherwise);
    }

    static std::uint64_t number(const Document& document, std::string_view name,
                                std::uint64_t otherwise) {
        const Member* member = document.find(name);
        if (member == nullptr) return otherwise;
        return static_cast<std::uint64_t>(std::get<std::int64_t>(member->value.scalar));
    }

    Budgets budgets() const {
        Budgets limits;
        if (const Document* given = part("budgets")) {
            limits.matches_per_rule = number(*given, "matches", limits.matches_per_rule);
            limits.firings = number(*given, "firings", limits.firings);
        }
        return limits;
    }

    Loaded load() const {
        if (const Document* pattern = part("pattern"))
            return load_pattern_text("case", write_json(*pattern));
        const Document* rules = part("rules");
        if (rules == nullptr) rules = part("ruleset");
        return load_ruleset_text("case", rules != nullptr ? write_json(*rules) : "");
    }

    void check_error() const {
        const Document* wanted = part("error");
        if (wanted == nullptr) {
            EXPECT_FALSE(outcome_.error)
                << name_of(outcome_.error->kind) << ": " << outcome_.error->detail;
            return;
        }
        ASSERT_TRUE(outcome_.error) << "no error";
        EXPECT_EQ(name_of(outcome_.error->kind), wanted->find("kind")->value.text());
        EXPECT_EQ(outcome_.error->rule, wanted->find("rule")->value.text());
        if (const Member* at = wanted->find("at")) {
            const Span span = outcome_.error->span;
            EXPECT_EQ(loaded_.sources.text(span.file).substr(span.begin, span.end - span.begin),
                      at->value.text());
        }
    }

    // The matches of the first application of a rule, as JSON text.
    std::vector<SubjectOutcome::Match> first_matches() const {
        if (outcome_.applications.empty()) return {};
        return outcome_.applications.front().second;
    }

    static std::string after_colon(const std::string& text) {
        return text.substr(text.find(':') + 1);
    }

    void check_matches() const {
        const Document* wanted = part("matches");
        if (wanted == nullptr) return;
        std::string expected;
        for (const Member& match : wanted->members) {
            expected += "(";
            for (const Member& variable : match.value.members)
                expected += " " + variable.key + "=" + write_json(variable.value, -1);
            expected += " )";
        }
        std::string actual;
        for (const SubjectOutcome::Match& match : first_matches()) {
            actual += "(";
            for (const auto& [variable, value] : match)
                actual += " " + variable + "=" + after_colon(value);
            actual += " )";
        }
        EXPECT_EQ(expected, actual);
    }

    void check_kinds() const {
        const Document* wanted = part("kinds");
        if (wanted == nullptr) return;
        const auto matches = first_matches();
        ASSERT_FALSE(matches.empty());
        for (const Member& kind : wanted->members) {
            const auto found =
                std::find_if(matches[0].begin(), matches[0].end(),
                             [&](const auto& variable) { return variable.first == kind.key; });
            ASSERT_NE(found, matches[0].end()) << kind.key;
            EXPECT_EQ(found->second.substr(0, found->second.find(':')), kind.value.text())
                << kind.key;
        }
    }

    void check_applications() const {
        const Document* wanted = part("applications");
        if (wanted == nullptr) return;
        std::string actual;
        for (const auto& [rule, matches] : outcome_.applications) {
            actual += (actual.empty() ? "" : ", ") + write_json_text(rule) + ", " +
                      std::to_string(matches.size());
        }
        EXPECT_EQ(write_json(*wanted, -1), write_json(parsed("[" + actual + "]"), -1));
    }

    void check_prints() const {
        const Document* wanted = part("prints");
        if (wanted == nullptr) return;
        std::vector<std::string> lines;
        for (const Member& line : wanted->members)
            lines.push_back(line.value.text());
        EXPECT_EQ(lines, outcome_.prints);
    }

    static std::string write_json_text(const std::string& text) {
        Document document;
        document.scalar = text;
        return write_json(document, -1);
    }

    static Document parsed(const std::string& json) {
        Sources sources;
        Diagnostics diagnostics;
        return *read_json(sources, sources.add("", json), diagnostics);
    }

    const Document& given_;
    Loaded loaded_;
    SubjectOutcome outcome_;
};

void check_file(const std::filesystem::path& path, const Subject& subject, std::size_t& count) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    Sources sources;
    Diagnostics diagnostics;
    const auto file = read_json(sources, sources.add(path.filename(), text.str()), diagnostics);
    ASSERT_TRUE(file) << shown(diagnostics, sources);
    for (const Member& each : file->find("cases")->value.members) {
        const Document& given = each.value;
        SCOPED_TRACE(path.stem().string() + "." + given.find("name")->value.text() + ": " +
                     given.find("doc")->value.text());
        LanguageCase(given).check(subject);
        ++count;
    }
}

void check_all(const Subject& subject) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator("engine/cases/language"))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::size_t count = 0;
    for (const auto& file : files)
        check_file(file, subject, count);
    EXPECT_GE(count, 300u) << "cases are missing: is the working directory the project's?";
}

TEST(language_cases, model) {
    check_all([](auto&&... args) { return run_model(args...); });
}

TEST(language_cases, engine) {
    check_all(run_subject);
}

} // namespace
