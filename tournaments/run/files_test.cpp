// All failures in reading a file named by the user.
#include "tournaments/run/files.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace croupier::tournaments {
namespace {

namespace fs = std::filesystem;

class Input : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "croupier_input_XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return (folder_ / name).string();
    }

    static std::string complaint(const std::string& path, std::size_t limit = kInputLimit) {
        std::istringstream in("0123456789");
        try {
            read_input(path, in, limit);
        } catch (const UserError& mistake) {
            return mistake.what();
        }
        return "";
    }

    fs::path folder_;
};

TEST_F(Input, reads_every_byte) {
    const std::string text("a\0\r\n\xff", 5);
    std::istringstream in;
    EXPECT_EQ(read_input(write("bytes", text), in), text);
    EXPECT_EQ(read_input(write("empty", ""), in), "");
    const std::string large(200'000, 'x');
    EXPECT_EQ(read_input(write("large", large), in), large);
}

TEST_F(Input, a_dash_is_standard_input) {
    std::istringstream in(std::string(200'000, 'y'));
    EXPECT_EQ(read_input("-", in), std::string(200'000, 'y'));
    EXPECT_EQ(read_input("-", in), ""); // at its end
}

TEST_F(Input, a_missing_file_names_the_nearest_beside_it) {
    write("belote.json", "");
    const std::string path = (folder_ / "belot.json").string();
    EXPECT_EQ(complaint(path), path + ": no such file (did you mean 'belote.json'?)");
    EXPECT_EQ(complaint("/nowhere/at/all"), "/nowhere/at/all: no such file");
    EXPECT_EQ(complaint(""), "the name of the file is empty");
}

TEST_F(Input, a_directory_is_no_file) {
    EXPECT_EQ(complaint(folder_.string()), folder_.string() + ": is a directory, not a file");
}

TEST_F(Input, an_unreadable_file_says_why) {
    const std::string path = write("secret", "x");
    EXPECT_EQ(complaint(path + "/below"), path + "/below: cannot be read: Not a directory");
    fs::permissions(path, fs::perms::none);
    if (::geteuid() != 0) { // root reads everything
        EXPECT_EQ(complaint(path), path + ": cannot be read: Permission denied");
    }
}

TEST_F(Input, the_limit_holds_for_files_streams_and_devices) {
    const std::string path = write("ten", "0123456789");
    EXPECT_EQ(complaint(path, 10), "");
    EXPECT_NE(complaint(path, 9).find("larger than"), std::string::npos);
    EXPECT_EQ(complaint("-", 10), "");
    EXPECT_NE(complaint("-", 9).find("standard input: larger than"), std::string::npos);
    EXPECT_NE(complaint("/dev/zero", 1000).find("larger than"), std::string::npos);
}

} // namespace
} // namespace croupier::tournaments
