// croupier serve, as far as it does not begin to serve.
#include "tournaments/cli/run_folder.h"
#include "tournaments/cli/testing.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>

namespace croupier::cli {
namespace {

class ServeCommand : public FolderTest {};

TEST_F(ServeCommand, a_port_that_is_taken_is_said_to_be) {
    const int taken = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    void* const any = &address;
    ASSERT_EQ(::bind(taken, static_cast<sockaddr*>(any), size), 0);
    ASSERT_EQ(::listen(taken, 1), 0);
    ASSERT_EQ(::getsockname(taken, static_cast<sockaddr*>(any), &size), 0);
    const std::string port = std::to_string(ntohs(address.sin_port));
    const Ran ran = run_in_process({"serve", "--port", port, "--folder", path("runs")});
    ::close(taken);
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(contains(ran.err, "127.0.0.1:" + port + ": the port is taken")) << ran.err;
    EXPECT_EQ(ran.out, "");
}

TEST_F(ServeCommand, mistakes_are_told_before_anything_is_served) {
    const Ran rules = run_in_process({"serve", "--rules", path("none"), "--port", "0"});
    EXPECT_EQ(rules.code, 2);
    EXPECT_TRUE(contains(rules.err, "there is no such folder")) << rules.err;
    for (const char* program : {"random", "process:true", "Mine=eval"}) {
        const Ran ran = run_in_process({"serve", "--program", program, "--port", "0"});
        EXPECT_EQ(ran.code, 2) << program;
        EXPECT_TRUE(contains(ran.err, "NAME=process:COMMAND")) << ran.err;
    }
    const std::string file = write("file", "");
    const Ran folder = run_in_process({"serve", "--folder", file, "--port", "0"});
    EXPECT_EQ(folder.code, 2);
    EXPECT_TRUE(contains(folder.err, "tables cannot be kept there")) << folder.err;
}

// Two would write into each other's records.
TEST_F(ServeCommand, one_server_at_a_time_keeps_tables_in_a_folder) {
    std::filesystem::create_directories(path("runs/tables"));
    const results::File other = lock_run_folder(path("runs/tables"));
    const Ran ran = run_in_process({"serve", "--folder", path("runs"), "--port", "0"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(contains(ran.err, "tables: another croupier is using it")) << ran.err;
}

} // namespace
} // namespace croupier::cli
