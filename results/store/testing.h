// Shared by tests of files.
#pragma once

#include "results/store/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace croupier::results {

// Gives each test a folder of its own, removed afterwards.
class FolderTest : public testing::Test {
  protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(testing::TempDir()) /
                  (std::string("croupier_") + test->test_suite_name() + "_" + test->name() + "_" +
                   std::to_string(getpid()));
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string path(std::string_view name) const { return folder_ / name; }
    [[nodiscard]] std::string text(std::string_view name) const { // of the file
        std::string all;
        EXPECT_EQ(read_file(path(name), all), std::nullopt);
        return all;
    }
    void write(std::string_view name, std::string_view text) const {
        std::ofstream(path(name), std::ios::binary) << text;
    }

  private:
    std::filesystem::path folder_;
};

} // namespace croupier::results
