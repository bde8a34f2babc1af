// String streams in place of the real ones.
#include "tournaments/cli/testing.h"

#include "tournaments/cli/command_line.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include <unistd.h>

namespace croupier::cli {

Ran run_in_process(const std::vector<std::string>& arguments, const std::string& input,
                   const TerminalFacts& facts, double plays_on_seconds) {
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    Terminal terminal(out, err, facts);
    Context context(terminal, in);
    context.plays_on_seconds = plays_on_seconds;
    const int code = run(arguments, context);
    return {code, out.str(), err.str()};
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::vector<std::string> lines(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);)
        all.push_back(line);
    return all;
}

void FolderTest::SetUp() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    // Two trees may be tested at the same time.
    const std::string name = std::string("croupier_") + test->test_suite_name() + "_" +
                             test->name() + "_" + std::to_string(getpid());
    folder_ = std::filesystem::path(testing::TempDir()) / name;
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
}

void FolderTest::TearDown() {
    std::filesystem::remove_all(folder_);
}

std::string FolderTest::path(const std::string& name) const {
    return (folder_ / name).string();
}

std::string FolderTest::text(const std::string& name) const {
    std::ifstream in(path(name));
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string FolderTest::write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(path(name)) << text;
    return path(name);
}

void FolderTest::keep_blocks(const std::string& from, const std::string& to, int blocks,
                             results::Journal journal, int shard, int shards) const {
    std::filesystem::create_directories(path(to));
    ASSERT_EQ(journal.open(path(to)), std::nullopt);
    const std::string whole = text(from + "/games.csv");
    std::size_t at = whole.find('\n') + 1;
    for (int block = 1; block <= blocks; ++block) {
        const std::string number = std::to_string(shard + block * shards);
        const std::size_t next = whole.find("\n" + number + ",0,") + 1;
        journal.append(std::string_view(whole).substr(at, next - at));
        at = next;
    }
    ASSERT_EQ(journal.write(), std::nullopt);
}

} // namespace croupier::cli
