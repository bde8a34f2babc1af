// Runs the command line within a test's process.
#pragma once

#include "results/store/journal.h"
#include "tournaments/cli/terminal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

struct Ran {
    int code;
    std::string out;
    std::string err;
};

// `croupier ARGUMENTS <<< input`, without a terminal unless the facts say so. `plays_on_seconds`:
// see Context.
Ran run_in_process(const std::vector<std::string>& arguments, const std::string& input = "",
                   const TerminalFacts& facts = {}, double plays_on_seconds = 0);

bool contains(const std::string& text, std::string_view part);
std::vector<std::string> lines(const std::string& text);

// Gives each test a folder of its own, removed afterwards.
class FolderTest : public testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;

    [[nodiscard]] std::string path(const std::string& name) const;
    [[nodiscard]] std::string text(const std::string& name) const; // of the file
    // Writes the file, creating its folders; returns its path.
    std::string write(const std::string& name, const std::string& text) const;
    // Makes the folder hold the first blocks of the other's games, as if it was killed after them.
    // `shard`, from 0, of `shards`.
    void keep_blocks(const std::string& from, const std::string& to, int blocks,
                     results::Journal journal, int shard = 0, int shards = 1) const;

  private:
    std::filesystem::path folder_;
};

} // namespace croupier::cli
