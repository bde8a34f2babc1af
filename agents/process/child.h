// A process that is spoken to in lines: started alone, never waited for too long, killed whole.
#pragma once

#include "agents/registry.h"

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace croupier::agents {

// It gets its own process group and no descriptor of ours but the three standard ones. Everything
// that could block takes a deadline. One thread.
class Child {
  public:
    using Time = std::chrono::nanoseconds;

    // The most that may be written to standard output in a line, or to standard error in all.
    static constexpr std::size_t kLongestLine = std::size_t{1} << 20;
    static constexpr std::size_t kMostErrors = std::size_t{1} << 24;

    explicit Child(const Clock& clock) : clock_(clock) {}
    ~Child() { kill(); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Has the shell replace itself by the command; nothing, or why that is impossible.
    std::optional<std::string> start(const std::string& command);
    [[nodiscard]] bool is_running() const { return pid_ > 0; }

    enum class Outcome { Good, Closed, Late, Flood };
    Outcome write_line(std::string_view line, Time deadline);
    Outcome read_line(std::string& line, Time deadline);
    // Whether there is output that nobody has asked for; looks, and does not wait.
    bool has_spoken();

    // Waits until it has ended, then kills what is left of it.
    void finish(Time deadline);
    void kill();
    // How it ended: "ended with exit code 3", "was killed by signal 11"; after Closed.
    std::string how_it_ended(Time deadline);
    // The end of what it wrote to standard error.
    [[nodiscard]] const std::string& errors() const { return errors_; }

  private:
    struct Pipes;
    bool wait_for(short what_to_input, Time deadline);
    bool read_output();
    bool read_errors();
    [[nodiscard]] bool is_flood() const;
    void close_all();
    bool reap(Time deadline);

    const Clock& clock_;
    pid_t pid_ = -1;
    int input_ = -1; // its standard input, and so on
    int output_ = -1;
    int error_ = -1;
    bool output_ended_ = false;
    int status_ = 0;
    std::string buffer_; // read and not yet taken
    std::string errors_;
    std::size_t error_bytes_ = 0;
};

} // namespace croupier::agents
