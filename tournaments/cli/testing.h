// Runs the command line inside a test's process.
#pragma once

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

// `croupier ARGUMENTS <<< input`, on no terminal unless the facts say so. Runs that are too short
// to tell what rules cost play on for so many seconds at most.
Ran run_in_process(const std::vector<std::string>& arguments, const std::string& input = "",
                   const TerminalFacts& facts = {}, double plays_on_seconds = 0);

bool contains(const std::string& text, std::string_view part);
std::vector<std::string> lines(const std::string& text);

// A folder of its own for each test, gone with it.
class FolderTest : public testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;

    [[nodiscard]] std::string path(const std::string& name) const;
    [[nodiscard]] std::string text(const std::string& name) const; // of the file
    // Writes the file, in folders that are made; returns its path.
    std::string write(const std::string& name, const std::string& text) const;

  private:
    std::filesystem::path folder_;
};

} // namespace croupier::cli
