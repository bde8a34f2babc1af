// A process that is spoken to in lines: started alone, never waited for too long, killed whole.
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

// A process between us and a program. It ends the program, with all that this has started, when we
// end, however we do; a second guardian does so if the program ends the first. It lends the program
// our terminal while that asks a person there.

// What a guardian tells, as datagrams on its line.
struct GuardianNews {
    enum class Kind : std::int32_t {
        Started,       // the value is the number of the program's process
        Ended,         // the value is how, as wait tells it
        WantsTerminal, // the program has been stopped, because it uses the terminal
    };
    Kind kind = Kind::Started;
    std::int32_t value = 0;
};

// What a guardian is told, as datagrams of one byte.
enum class GuardianOrder : std::uint8_t {
    Lend = 1, // the terminal to the program, as soon as it wants it and we have it
    TakeBack,
};

// The ends of a program's standard descriptors, in their order, and of the guardian's line.
struct GuardedLines {
    std::array<int, 3> standard{-1, -1, -1};
    int line = -1;
};

// Forks a guardian, which has /bin/sh run the arguments; returns the number of the process to wait
// for, or -1. Whatever the program starts becomes a child of the guardian when its parent ends,
// even in a session of its own, so that nothing gets away. It is all killed, and the guardian ends,
// when the other end of the line is closed, by us or by the system when we are gone, and also when
// the guardian is killed.
//
// Since the program's process group is not ours, the system stops it when it reads the terminal.
// Who waits for its answer then orders the guardian to make that group the terminal's, as a shell
// does with a job, and to take the terminal back afterwards. Ctrl-C at the program's prompt is
// Ctrl-C for us as well, if the program ends by it.
pid_t start_guardian(const GuardedLines& lines, char* const* arguments);

// It gets its own process group, no descriptor of ours but the three standard ones, and a guardian
// so that it never outlives us. Everything that could block takes a deadline, and
// ends when nobody wants to wait any more. One thread.
class Child {
  public:
    using Time = std::chrono::nanoseconds;

    // The most that may be written to standard output in a line, or to standard error in all.
    static constexpr std::size_t kLongestLine = std::size_t{1} << 20;
    static constexpr std::size_t kMaxErrors = std::size_t{1} << 24;

    // Once `abandon` is set, nothing is waited for; null: never.
    explicit Child(const Clock& clock, const std::atomic<bool>* abandon = nullptr)
        : clock_(clock), abandon_(abandon) {}
    ~Child() { kill(); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Has the shell replace itself by the command; nothing, or why that is impossible.
    std::optional<std::string> start(const std::string& command);
    [[nodiscard]] bool is_running() const { return guardian_ > 0; }
    // The number of its process; 0: it is not known yet.
    [[nodiscard]] std::int64_t process() const { return leader_; }

    // Closed: it has ended, whoever holds its lines, or has closed its output.
    enum class Outcome { Good, Closed, Late, Flood };
    Outcome write_line(std::string_view line, Time deadline);
    // While the program asks a person at the terminal, there is no deadline.
    Outcome read_line(std::string& line, Time deadline);
    // Whether it did so before the line that was read last.
    [[nodiscard]] bool asked_a_person() const { return has_terminal_; }
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
    bool ended_ = false;          // the leader
    bool wants_terminal_ = false; // and was stopped, because it is not its own
    bool has_terminal_ = false;   // it was lent, for the line that is read
    int input_ = -1;              // its standard input, and so on
    int output_ = -1;
    int error_ = -1;
    bool output_ended_ = false;
    int status_ = 0;
    std::string buffer_; // read and not yet taken
    std::string errors_;
    std::size_t error_bytes_ = 0;
};

} // namespace croupier::agents
