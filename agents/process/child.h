// A child process that exchanges lines with us, with deadlines, killed with all its children.
#pragma once

#include "agents/registry.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace croupier::agents {

// A guardian is a process between us and a program. It kills the program and all its children when
// we end, for whatever reason; a second guardian does so if the program kills the first. It lends
// the program our terminal while the program asks a person there.

// Messages from a guardian, datagrams on its line.
struct GuardianNews {
    enum class Kind : std::int32_t {
        Started,       // the value is the program's process number
        Ended,         // the value is the status that wait returns
        WantsTerminal, // the program was stopped, because it uses the terminal
    };
    Kind kind = Kind::Started;
    std::int32_t value = 0;
};

// Orders to a guardian, datagrams of one byte.
enum class GuardianOrder : std::uint8_t {
    Lend = 1, // the terminal to the program, as soon as it wants it and we own it
    TakeBack,
};

// The program's ends of its standard descriptors, in order, and the guardian's line.
struct GuardedLines {
    std::array<int, 3> standard{-1, -1, -1};
    int line = -1;
};

// Forks a guardian, which runs the arguments with /bin/sh; returns the number of the process to
// wait for, or -1. Orphaned descendants of the program become children of the guardian, even from
// another session, so that none escapes. All are killed and the guardian ends when the other end of
// its line is closed (by us, or by the system after our end) and when the guardian is killed.
// the guardian is killed.
//
// The program's process group is not ours, so the system stops it when it reads the terminal. The
// caller waiting for its answer then orders the guardian to make that group the terminal's
// foreground group, as a shell does, and to take the terminal back later. Ctrl-C at the program's
// prompt also interrupts us if it ends the program.
pid_t start_guardian(const GuardedLines& lines, char* const* arguments);

// The child has its own process group, only the three standard descriptors, and a guardian that
// ends it with us. Every call that could block takes a deadline, and returns once `abandon` is set.
// Used by one thread.
class Child {
  public:
    using Time = std::chrono::nanoseconds;

    // Limits for one line of standard output, and for all of standard error.
    static constexpr std::size_t kLongestLine = std::size_t{1} << 20;
    static constexpr std::size_t kMaxErrors = std::size_t{1} << 24;

    // Once `abandon` is set, no call waits; may be null.
    explicit Child(const Clock& clock, const std::atomic<bool>* abandon = nullptr)
        : clock_(clock), abandon_(abandon) {}
    ~Child() { kill(); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Runs the command by the shell's exec. Returns why that is impossible, or nothing.
    std::optional<std::string> start(const std::string& command);
    [[nodiscard]] bool is_running() const { return guardian_ > 0; }
    // The program's process number; 0 while unknown.
    [[nodiscard]] std::int64_t process() const { return leader_; }

    // Closed: the program has ended, even if others hold its lines, or has closed its output.
    enum class Outcome { Good, Closed, Late, Flood };
    Outcome write_line(std::string_view line, Time deadline);
    // While the program asks a person at the terminal, there is no deadline.
    Outcome read_line(std::string& line, Time deadline);
    // Whether it did so before the last line read.
    [[nodiscard]] bool asked_a_person() const { return has_terminal_; }
    // Whether there is unread output; does not wait.
    bool has_spoken();

    // Waits until it has ended, then kills what is left of its children.
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
    void read_news();
    Outcome next_line(std::string& line, Time deadline);
    void order(GuardianOrder order) const;
    void wait_for_the_end() const;
    [[nodiscard]] bool is_flood() const;
    void close_all();
    bool has_ended(Time deadline);
    [[nodiscard]] bool abandons() const {
        return abandon_ != nullptr && abandon_->load(std::memory_order_relaxed);
    }

    const Clock& clock_;
    const std::atomic<bool>* abandon_;
    pid_t guardian_ = -1;
    int line_ = -1; // the guardian's
    pid_t leader_ = 0;
    bool ended_ = false;          // the program has ended
    bool wants_terminal_ = false; // and was stopped, because it does not own it
    bool has_terminal_ = false;   // it was lent, for the line being read
    int input_ = -1;              // its standard input, and so on
    int output_ = -1;
    int error_ = -1;
    bool output_ended_ = false;
    int status_ = 0;
    std::string buffer_; // read from the pipe, not yet returned
    std::string errors_;
    std::size_t error_bytes_ = 0;
};

} // namespace croupier::agents
