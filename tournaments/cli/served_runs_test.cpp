// Folders of runs as pages see them.
#include "games/files.h"
#include "games/registry.h"
#include "games/testing/testing.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/testing.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/serve/refused.h"
#include "tournaments/serve/runs.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace croupier::cli {

// croupier serve, up to the start of serving.

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

// Two servers would write into each other's records.
TEST_F(ServeCommand, one_server_at_a_time_keeps_tables_in_a_folder) {
    std::filesystem::create_directories(path("runs/tables"));
    const results::File other = tournaments::lock_run_folder(path("runs/tables"));
    const Ran ran = run_in_process({"serve", "--folder", path("runs"), "--port", "0"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(contains(ran.err, "tables: another croupier is using it")) << ran.err;
}

} // namespace

namespace {

using nlohmann::json;
using serve::Refused;

class ServedRunsTest : public FolderTest {
  protected:
    void SetUp() override {
        FolderTest::SetUp();
        std::filesystem::create_directories(path("runs"));
        ran_ = run_in_process({"run", "--game", "life", "--agents", "rules:greedy,random",
                               "--games", "20", "--sprt", "0,50", "--out", path("runs/one"),
                               "--progress", "none"});
        settings_ = {"/bin/false", path("runs"), "", ""};
        runs_ = std::make_unique<serve::ServedRuns>(settings_, catalogue_, host_);
    }
    std::string refused(const json& asked) {
        try {
            runs_->start(asked);
        } catch (const Refused& refused) {
            return refused.what();
        }
        return "it was started";
    }

    Ran ran_{};
    serve::Catalogue catalogue_{games::Registry(games::kGamesFolder, games::read_file), "",
                                games::read_file, games::kAgentsFolder};
    std::ostringstream said_;
    std::istringstream nothing_;
    Terminal terminal_{said_, said_, {}};
    Context host_{terminal_, nothing_};
    serve::ServedRunsSettings settings_;
    std::unique_ptr<serve::ServedRuns> runs_;
};

TEST_F(ServedRunsTest, a_run_of_the_command_line_is_listed_and_read) {
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    const auto list = runs_->list()["runs"];
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0]["name"], "one");
    EXPECT_EQ(list[0]["state"], "complete");
    EXPECT_EQ(runs_->progress("one")["state"], "complete");
    const auto read = runs_->read("one");
    EXPECT_EQ(read["report"]["games"], 20);
    EXPECT_EQ(read["courses"][0]["points"].size(), 10U) << "one a block";
    EXPECT_FALSE(read["report"]["contestants"][0]["score"]["low"].is_null());
    const auto games = runs_->games("one", 18);
    EXPECT_EQ(games["games"].size(), 2U);
    EXPECT_EQ(games["games"][1]["id"], "9.1");
    EXPECT_EQ(games["more"], false);
    EXPECT_NE(runs_->page("one", "9.1").find("9.1"), std::string::npos);
    EXPECT_THROW(runs_->page("one", "77.0"), Refused);
}

TEST_F(ServedRunsTest, a_run_that_was_stopped_is_as_far_as_it_came) {
    const Ran short_run = run_in_process({"run", "--game", "life", "--games", "4000000", "--time",
                                          "1", "--out", path("runs/long"), "--progress", "none"});
    EXPECT_NE(short_run.err.find("stopped after"), std::string::npos) << short_run.err;
    const auto progress = runs_->progress("long");
    EXPECT_EQ(progress["state"], "stopped");
    EXPECT_EQ(progress["blocks"], runs_->read("long")["report"]["blocks"]);
    EXPECT_GT(progress["blocks"], 0);
    EXPECT_THROW(runs_->stop("long"), Refused) << "it is nobody's";
    const results::File lock = tournaments::lock_run_folder(path("runs/long"));
    EXPECT_EQ(runs_->progress("long")["state"], "elsewhere");
    EXPECT_THROW(runs_->resume("long"), Refused);
}

TEST_F(ServedRunsTest, a_run_that_is_read_on_is_told_as_if_it_were_read_anew) {
    namespace fs = std::filesystem;
    const auto play = [&](const char* name, const char* games) {
        const Ran ran = run_in_process({"run", "--game", "life", "--agents", "rules:greedy,random",
                                        "--games", games, "--sprt=-1,1", "--time", "0.0001",
                                        "--out", path(name), "--progress", "none"});
        ASSERT_EQ(ran.code, 0) << ran.err;
    };
    const auto told = [](serve::ServedRuns& runs) {
        try {
            return runs.read("long").dump(1);
        } catch (const Refused& refused) {
            return std::string(refused.what());
        }
    };
    const auto same = [&](const std::string& what) {
        serve::ServedRuns anew(settings_, catalogue_, host_);
        EXPECT_EQ(told(*runs_), told(anew)) << what;
    };
    play("runs/long", "4000000");
    same("its beginning");
    for (int times = 0; times < 3; ++times) {
        const json before = runs_->read("long");
        ASSERT_EQ(run_in_process({"resume", path("runs/long")}).code, 0);
        same("more games");
        EXPECT_GT(runs_->read("long")["report"]["games"].get<int>(),
                  before["report"]["games"].get<int>());
    }
    for (const char* const name : {"games.csv", "costs.csv", "games.journal", "run.json"}) {
        const std::string file = std::string("runs/long/") + name;
        const std::string whole = text(file);
        std::string damaged = whole;
        damaged[whole.size() / 2] ^= 1;
        for (const std::string& other : {damaged, whole.substr(0, whole.size() / 2), whole + "1"}) {
            write(file, other);
            same(file + " is damaged");
            write(file, whole);
            same(file + " is whole again");
        }
        fs::remove(path(file));
        same(file + " is gone");
        write(file, whole);
        same(file + " is there again");
    }
    fs::remove_all(path("runs/long"));
    play("runs/long", "40");
    same("another run of that name");
    for (int times = 0; !fs::exists(path("runs/long/checksums")) && times < 50; ++times) {
        ASSERT_EQ(run_in_process({"resume", path("runs/long")}).code, 0);
        same("more games, or its end");
    }
    EXPECT_EQ(runs_->progress("long")["state"], "complete");
}

TEST_F(ServedRunsTest, the_list_is_as_if_all_were_read_anew) {
    const auto same = [&](const std::string& what) {
        EXPECT_EQ(runs_->list(), serve::ServedRuns(settings_, catalogue_, host_).list()) << what;
    };
    same("a complete run");
    for (const char* const name : {"run.json", "summary.json"}) {
        const std::string file = std::string("runs/one/") + name;
        const std::string whole = text(file);
        write(file, whole.substr(0, whole.size() / 2));
        same(file + " is damaged");
        write(file, whole);
        same(file + " is whole again");
        std::filesystem::remove(path(file));
        same(file + " is gone");
        write(file, whole);
    }
    EXPECT_EQ(runs_->list()["runs"][0]["state"], "complete");
    const std::string file = "runs/two/compare.json";
    write(file, R"({"made":{"time":"2026-01-01T00:00:00Z"}})");
    same("a comparison");
    write(file, R"({"made": {"time":"2026-01-02T00:00:00Z"}})");
    same("another one");
    EXPECT_EQ(runs_->list()["runs"][1]["started"], "2026-01-02T00:00:00Z");
}

TEST_F(ServedRunsTest, what_was_read_of_a_run_is_not_read_again) {
    ASSERT_EQ(run_in_process({"run", "--game", "life", "--games", "4000000", "--time", "0.0001",
                              "--out", path("runs/long"), "--progress", "none"})
                  .code,
              0);
    const tournaments::ReadRun read = read_run(path("runs/long"), host_);
    tournaments::RunRecorder book(read.file, read.specification, *read.schedule);
    book.replay(path("runs/long"));
    const std::uint64_t before = book.ledger().blocks();
    std::uint64_t blocks = 0;
    book.tell_games([&](std::span<const results::GameRecord>) { ++blocks; });
    EXPECT_TRUE(book.replay_more(path("runs/long")));
    EXPECT_EQ(blocks, 0U) << "nothing has happened";
    ASSERT_EQ(run_in_process({"resume", path("runs/long")}).code, 0);
    EXPECT_TRUE(book.replay_more(path("runs/long")));
    EXPECT_GT(blocks, 0U);
    EXPECT_EQ(book.ledger().blocks(), before + blocks);
    write("runs/long/games.journal", "");
    EXPECT_THROW(book.replay_more(path("runs/long")), UserError);
}

TEST_F(ServedRunsTest, a_comparison_that_was_broken_off_is_stopped) {
    const Ran ran = run_in_process({"compare", "life", "life:torus", "--games", "4", "--no-costs",
                                    "--out", path("runs/pair"), "--progress", "none"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(runs_->progress("pair")["state"], "complete");
    write("runs/pair/games.journal", ""); // removed at the end
    EXPECT_EQ(runs_->progress("pair")["state"], "stopped");
    std::filesystem::remove(path("runs/pair/compare.json"));
    EXPECT_EQ(runs_->progress("pair")["state"], "stopped") << "it was killed";
    EXPECT_EQ(runs_->read("pair")["kind"], "compare");
}

TEST_F(ServedRunsTest, a_name_is_no_path) {
    write("other/run.json", "{}");
    for (const char* name : {"", ".", "..", "../other", "one/../one", "none"})
        EXPECT_THROW(runs_->read(name), Refused) << name;
}

TEST_F(ServedRunsTest, what_may_not_be_started_is_refused_before_anything_is) {
    const json good = {{"game", "life"}, {"agents", {"random", "random"}}, {"games", "10"}};
    const auto with = [&](const char* key, const json& value) {
        json asked = good;
        asked[key] = value;
        return refused(asked);
    };
    EXPECT_EQ(with("game", "nothing"), "There is no such game.");
    EXPECT_NE(with("agents", {"process:true"}).find("process"), std::string::npos);
    EXPECT_NE(with("agents", {"rules:nobody"}).find("nobody"), std::string::npos);
    EXPECT_NE(with("games", "10 --out=/").find("is not a number"), std::string::npos);
    EXPECT_NE(with("sprt", "0,10;x").find("sprt"), std::string::npos);
    EXPECT_EQ(with("schedule", "mine"), "There is no such schedule.");
    EXPECT_EQ(with("threads", 100'000), "This machine has fewer threads.");
    EXPECT_NE(with("kind", "serve").find("can be started"), std::string::npos);
    EXPECT_EQ(refused(good), "croupier exited without a message") << "as /bin/false does";
    EXPECT_EQ(runs_->list()["runs"].size(), 1U) << "there is no other folder";
    EXPECT_FALSE(std::filesystem::exists(path("runs/life-1")));
}

} // namespace

} // namespace croupier::cli
