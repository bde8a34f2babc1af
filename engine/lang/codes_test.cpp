// Runs the examples of docs/codes.md: each wrong file gives its code at the marked place and no
// other, each right file nothing, and every code has a page.
#include "engine/lang/testing.h"
#include "engine/text/codes.h"

#include <fstream>
#include <optional>
#include <set>
#include <sstream>

namespace croupier::engine {
namespace {

struct Page {
    std::string code;
    std::vector<std::string> blocks; // wrong and right, or none
};

std::vector<Page> read_pages() {
    std::ifstream in("engine/docs/codes.md");
    std::vector<Page> pages;
    bool in_block = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("### ")) {
            pages.push_back({line.substr(4, 5), {}});
        } else if (line == "```json") {
            in_block = true;
            pages.back().blocks.emplace_back();
        } else if (line == "```") {
            in_block = false;
        } else if (in_block) {
            pages.back().blocks.back() += line + '\n';
        }
    }
    return pages;
}

// A block taken apart: its files, and "name:line:column" of the places marked by "// ^".
struct Example {
    Files files;
    std::vector<std::string> overlays;
    std::set<std::string> marks;
};

Example split(const std::string& block) {
    Example example;
    std::istringstream in(block);
    std::string name = "main.json";
    std::size_t number = 0;
    example.overlays.push_back(name);
    for (std::string line; std::getline(in, line);) {
        const bool beside = line.starts_with("// --- ");
        const bool above = line.starts_with("// +++ ");
        if (beside || above) {
            name = line.substr(7);
            number = 0;
            if (above) example.overlays.push_back(name);
            continue;
        }
        const std::size_t caret = line.find('^');
        const bool mark = line.starts_with("//") && caret != std::string::npos &&
                          line.find_first_not_of(' ', 2) == caret && caret + 1 == line.size();
        if (!mark) {
            ++number;
            example.files[name] += line + '\n';
            continue;
        }
        // A mark is no line of its own: columns are those of the line above it.
        example.marks.insert(name + ':' + std::to_string(number) + ':' + std::to_string(caret + 1));
    }
    return example;
}

// What a failing test is shown as.
std::ostream& operator<<(std::ostream& out, const Page& page) {
    return out << page.code;
}

class CodePage : public testing::TestWithParam<Page> {};

TEST_P(CodePage, its_examples_are_true) {
    const Page& page = GetParam();
    if (page.blocks.empty()) return; // too large for a page; cases/bad has them
    ASSERT_EQ(page.blocks.size(), 2U);
    const Example wrong = split(page.blocks[0]);
    LoadSettings settings;
    settings.strict = page.code == code::kNamelessRule; // which stands in many examples
    const Loaded bad = load_files(wrong.overlays, wrong.files, settings);
    std::set<std::string> places;
    for (const Diagnostic& diagnostic : bad.diagnostics.sorted()) {
        EXPECT_EQ(diagnostic.code, page.code) << shown(bad);
        places.insert(bad.sources.place(diagnostic.span));
    }
    EXPECT_EQ(places, wrong.marks) << shown(bad);
    const Example right = split(page.blocks[1]);
    EXPECT_EQ(shown(load_files(right.overlays, right.files, settings)), "");
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
