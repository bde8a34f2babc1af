// News for pages that watch a run, and how rarely the run is read for them.
#include "tournaments/serve/refused.h"
#include "tournaments/serve/runs_handler.h"
#include "tournaments/serve/testing.h"

#include <nlohmann/json.hpp>

#include <thread>

namespace croupier::serve {

namespace {

// Advances by hours, when a test says so.
class HastyClock : public TestClock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override {
        return TestClock::now() + std::chrono::hours(more.load());
    }
    std::atomic<int> more = 0;
};

// A run that grows whenever its progress is requested, and that takes long to read.
struct GrowingRun {
    using Json = RunNews::Json;
    Json progress(const std::string& name) {
        if (name != "run") throw Refused(Refused::Reason::Unknown, "There is no such run.");
        return {{"blocks", grows ? ++blocks : blocks.load()}};
    }
    Json read() {
        ++reads;
        clock.more += reading;
        return {{"games", blocks.load()}};
    }

    std::atomic<int> blocks = 0;
    std::atomic<int> reads = 0;
    std::atomic<bool> grows = true;
    int reading = 0; // hours
    HastyClock clock;
    RunNews news{[this](const std::string& name) { return progress(name); },
                 [this](const std::string&) { return read(); }, clock,
                 std::chrono::milliseconds(1)};
};

TEST(RunNews, ten_pages_have_it_read_once) {
    GrowingRun run;
    run.reading = 1;
    std::atomic<int> told = 0;
    {
        std::vector<std::jthread> pages;
        pages.reserve(10);
        for (int i = 0; i < 10; ++i)
            pages.emplace_back([&] {
                std::uint64_t version = 0;
                while (version < 20) {
                    const auto seen = run.news.wait("run", version, std::chrono::hours(1000));
                    if (!seen) return;
                    version = seen->version;
                    ++told;
                }
            });
    }
    EXPECT_GE(told, 10) << "everybody is told";
    // The next read is due only after a hundred hours.
    EXPECT_EQ(run.reads, 1);
}

TEST(RunNews, nothing_is_told_while_nothing_happens) {
    GrowingRun run;
    run.grows = false;
    const auto first = run.news.wait("run", 0, std::chrono::seconds(60));
    ASSERT_TRUE(first);
    EXPECT_EQ(*first->json, R"({"progress":{"blocks":0},"run":{"games":0}})");
    EXPECT_FALSE(run.news.wait("run", first->version, std::chrono::milliseconds(20)));
    EXPECT_EQ(run.reads, 1);
    EXPECT_THROW(run.news.wait("none", 0, std::chrono::seconds(60)), Refused);
    run.news.stop();
    EXPECT_FALSE(run.news.wait("run", 0, std::chrono::seconds(60)));
}

} // namespace

} // namespace croupier::serve
