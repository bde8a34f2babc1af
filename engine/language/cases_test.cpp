// Every file of cases/bad/ must give exactly the diagnostics of its .err file, and every file of
// cases/good/ none. CROUPIER_UPDATE=1 writes the .err files anew.
#include "engine/language/print.h"
#include "engine/language/ruleset.h"
#include "engine/language/testing.h"
#include "engine/text/codes.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace croupier::engine {

namespace {

namespace fs = std::filesystem;

FileText read_file(const fs::path& path) {
    if (!fs::is_regular_file(path)) return {{}, "no such file"};
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return {text.str(), {}};
}

// Files that are cases of their own; `x.over.json` is laid over `x.json`.
std::vector<std::string> cases_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const fs::path& path = entry.path();
        if (path.extension() == ".json" && path.stem().extension() != ".over")
            names.push_back(path.stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

Loaded load_case(const fs::path& folder, const std::string& name) {
    std::vector<std::string> paths = {name + ".json"};
    if (fs::exists(folder / (name + ".over.json"))) paths.push_back(name + ".over.json");
    return load_ruleset(paths, [&](const std::string& path) { return read_file(folder / path); });
}

void collect_used(const Pattern& pattern, std::map<std::string, Document>& used) {
    for (const Entry& entry : pattern.entries) {
        for (std::size_t i = 0; i < entry.use_names.size(); ++i)
            used[entry.use_names[i]] = to_document(entry.patterns[i]);
        for (const Pattern& inner : entry.patterns)
            collect_used(inner, used);
    }
}

// A ruleset that has the printed rules, and of the rest what rules refer to.
std::string printed(const Ruleset& ruleset) {
    Document file;
    file.kind = DocumentKind::Object;
    const auto object = [] {
        Document document;
        document.kind = DocumentKind::Object;
        return document;
    };
    Document options = object();
    for (const Option& option : ruleset.options)
        options.members.push_back({option.name, {}, option.value});
    Document types = object();
    for (const Domain& domain : ruleset.types) {
        Document members;
        members.kind = DocumentKind::Array;
        for (const std::string& member : domain.members) {
            Document text;
            text.scalar = member;
            members.members.push_back({{}, {}, std::move(text)});
        }
        if (!domain.anonymous) types.members.push_back({domain.name, {}, std::move(members)});
    }
    Document patterns = object();
    std::map<std::string, Document> used;
    for_each_rule(ruleset, [&](const Rule& rule) {
        if (rule.condition) collect_used(*rule.condition, used);
    });
    for (auto& [name, pattern] : used)
        patterns.members.push_back({name, {}, std::move(pattern)});
    Document groups = object();
    for (const Group& group : ruleset.groups)
        groups.members.push_back({group.name, {}, to_document(group)});
    file.members.push_back({"options", {}, std::move(options)});
    file.members.push_back({"types", {}, std::move(types)});
    file.members.push_back({"patterns", {}, std::move(patterns)});
    file.members.push_back({"groups", {}, std::move(groups)});
    return write_json(file);
}

class BadCase : public testing::TestWithParam<std::string> {};
class GoodCase : public testing::TestWithParam<std::string> {};

const fs::path kBad = "engine/cases/bad";
const fs::path kGood = "engine/cases/good";

TEST_P(BadCase, gives_exactly_these_diagnostics) {
    const fs::path expected = kBad / (GetParam() + ".err");
    const Loaded loaded = load_case(kBad, GetParam());
    const std::string found = shown(loaded);
    if (std::getenv("CROUPIER_UPDATE") != nullptr) std::ofstream(expected) << found;
    EXPECT_NE(found, "");
    EXPECT_EQ(found, read_file(expected).text.value_or("")) << "see CROUPIER_UPDATE in this test";
    EXPECT_EQ(loaded.ruleset.has_value(), !loaded.diagnostics.has_errors());
}

TEST_P(GoodCase, loads_and_prints_as_what_it_is) {
    const Loaded loaded = load_case(kGood, GetParam());
    EXPECT_EQ(shown(loaded), "");
    ASSERT_TRUE(loaded.ruleset);
    const Loaded again = load_ruleset_text("printed.json", printed(*loaded.ruleset),
                                           [](const std::string&) { return FileText{}; });
    ASSERT_TRUE(again.ruleset) << shown(again);
    ASSERT_EQ(again.ruleset->groups.size(), loaded.ruleset->groups.size());
    for (const Group& group : loaded.ruleset->groups)
        EXPECT_EQ(print(*again.ruleset->group(group.name)), print(group));
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    return info.param;
}

INSTANTIATE_TEST_SUITE_P(lang, BadCase, testing::ValuesIn(cases_in(kBad)), test_name);
INSTANTIATE_TEST_SUITE_P(lang, GoodCase, testing::ValuesIn(cases_in(kGood)), test_name);

} // namespace

// Runs the examples of docs/codes.md: each wrong file gives its code at the marked place and no
// other, each right file nothing, and every code has a page.

namespace {

struct Page {
    std::string code;
    Files wrong, right; // none: too large for a page; cases/bad has them
    std::vector<std::string> overlays;
    std::set<std::string> marks; // "name:line:column" in the wrong files
};

// In a block, the wrong files have the lines with "-", the right ones those with "+", and both
// those with " ".
std::vector<Page> read_pages() {
    std::ifstream in("engine/docs/codes.md");
    std::vector<Page> pages;
    bool in_block = false;
    std::string name;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("### "))
            pages.push_back({line.substr(4, 5), {}, {}, {"main.json"}, {}});
        if (line.starts_with("```")) {
            in_block = line != "```";
            name = "main.json";
        } else if (in_block) {
            Page& page = pages.back();
            const std::string text = line.substr(1);
            if (text.starts_with("// --- ") || text.starts_with("// +++ ")) {
                name = text.substr(7);
                if (text[3] == '+') page.overlays.push_back(name);
            } else if (line.find_first_not_of(" ^") == std::string::npos) {
                const std::string& above = page.wrong[name];
                const auto number = std::count(above.begin(), above.end(), '\n');
                for (auto at = line.find('^'); at != std::string::npos; at = line.find('^', at + 1))
                    page.marks.insert(name + ':' + std::to_string(number) + ':' +
                                      std::to_string(at));
            } else {
                if (line[0] != '+') page.wrong[name] += text + '\n';
                if (line[0] != '-') page.right[name] += text + '\n';
            }
        }
    }
    return pages;
}

// What a failing test is shown as.
std::ostream& operator<<(std::ostream& out, const Page& page) {
    return out << page.code;
}

class CodePage : public testing::TestWithParam<Page> {};

TEST_P(CodePage, its_examples_are_true) {
    const Page& page = GetParam();
    if (page.wrong.empty()) return;
    LoadSettings settings;
    settings.strict = page.code == code::kNamelessRule; // which stands in many examples
    const Loaded bad = load_files(page.overlays, page.wrong, settings);
    std::set<std::string> places;
    for (const Diagnostic& diagnostic : bad.diagnostics.sorted()) {
        EXPECT_EQ(diagnostic.code, page.code) << shown(bad);
        places.insert(bad.sources.place(diagnostic.span));
    }
    EXPECT_EQ(places, page.marks) << shown(bad);
    EXPECT_EQ(shown(load_files(page.overlays, page.right, settings)), "");
}

std::string page_name(const testing::TestParamInfo<Page>& page) {
    return page.param.code;
}

INSTANTIATE_TEST_SUITE_P(lang, CodePage, testing::ValuesIn(read_pages()), page_name);

TEST(codes, each_has_one_page_in_order) {
    std::vector<std::string> paged;
    for (const Page& page : read_pages())
        paged.push_back(page.code);
    EXPECT_EQ(paged, std::vector<std::string>(code::kAll.begin(), code::kAll.end()));
}

} // namespace

} // namespace croupier::engine
