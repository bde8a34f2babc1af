// Connects run() to the operating system, including signals; the only file that reads the
// environment.
#include "tournaments/cli/process.h"

#include "results/store/file.h"
#include "tournaments/cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <istream>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace croupier::cli {

namespace {

// Writes to a descriptor and, unlike std::filebuf, remembers why a write failed.
class DescriptorBuffer : public std::streambuf {
  public:
    explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) { empty(); }
    ~DescriptorBuffer() override { write_out(); }
    DescriptorBuffer(const DescriptorBuffer&) = delete;
    DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

    // errno of the first failed write, or 0.
    [[nodiscard]] int error_number() const { return error_number_; }

  protected:
    int_type overflow(int_type next) override {
        if (!write_out()) return traits_type::eof();
        if (!traits_type::eq_int_type(next, traits_type::eof())) {
            *pptr() = traits_type::to_char_type(next);
            pbump(1);
        }
        return traits_type::not_eof(next);
    }
    int sync() override { return write_out() ? 0 : -1; }

  private:
    void empty() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

    bool write_out() {
        const char* at = pbase();
        while (at < pptr() && error_number_ == 0) {
            const ssize_t written = ::write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
            if (written >= 0)
                at += written;
            else if (errno != EINTR)
                error_number_ = errno;
        }
        empty();
        return error_number_ == 0;
    }

    int descriptor_;
    int error_number_ = 0;
    std::array<char, std::size_t{64} << 10> buffer_{};
};

// Reads a descriptor; a stop signal (StopSignals) ends the input.
class DescriptorInput : public std::streambuf {
  public:
    explicit DescriptorInput(int descriptor) : descriptor_(descriptor) {}

  protected:
    int_type underflow() override {
        constexpr int kSlice = 100; // ms between checks for signals
        for (;;) {
            if (StopSignals::signal() != 0) return traits_type::eof();
            pollfd waiting{descriptor_, POLLIN, 0};
            const int ready = ::poll(&waiting, 1, kSlice);
            if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
            const ssize_t count = ::read(descriptor_, buffer_.data(), buffer_.size());
            if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (count <= 0) return traits_type::eof();
            setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
            return traits_type::to_int_type(*gptr());
        }
    }

  private:
    int descriptor_;
    std::array<char, std::size_t{64} << 10> buffer_{};
};

// If a standard stream is closed, the next opened file gets its number, and a report would be
// written into it. /dev/null, opened in the wrong mode, keeps the number and lets writes fail.
void occupy_standard_descriptors() {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
        const bool closed = ::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF;
        if (closed) ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

std::string_view environment(const char* name) {
    const char* value = std::getenv(name); // before any thread is started
    return value == nullptr ? "" : value;
}

std::size_t terminal_width() {
    constexpr std::size_t kWidest = 1000;
    const std::string_view columns = environment("COLUMNS");
    std::size_t width = 0;
    if (results::read_number(columns, width) && width > 0) return std::min(width, kWidest);
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return TerminalFacts().width;
}

// By the first of these that is set; without any, ASCII.
bool is_utf8_locale() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        std::string value(environment(name));
        if (value.empty()) continue;
        std::transform(value.begin(), value.end(), value.begin(),
                       [](unsigned char c) { return std::tolower(c); });
        return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
    }
    return false;
}

// Set by the launchers of OpenMPI, MPICH and Slurm for the processes that they start. Otherwise
// there are no other processes.
bool is_launched() {
    constexpr std::array kSizes = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    const auto alone = [](const char* name) { return environment(name) == "1"; };
    if (std::any_of(kSizes.begin(), kSizes.end(), alone)) return false;
    constexpr std::array kTold = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK"};
    return std::any_of(kTold.begin(), kTold.end(),
                       [](const char* name) { return !environment(name).empty(); });
}

TerminalFacts find_out() {
    TerminalFacts facts;
    // Launchers give terminals of their own, and write what comes to any file.
    const bool direct = !is_launched();
    facts.out_is_terminal = direct && ::isatty(STDOUT_FILENO) == 1;
    facts.err_is_terminal = direct && ::isatty(STDERR_FILENO) == 1;
    facts.color_unwanted = !environment("NO_COLOR").empty() || environment("TERM") == "dumb";
    facts.ascii = facts.out_is_terminal && !is_utf8_locale();
    facts.width = terminal_width();
    return facts;
}

int run_with(Terminal& terminal, const std::vector<std::string>& arguments, std::istream& in,
             const DescriptorBuffer& out) {
    int code = kGood;
    try {
        Context context(terminal, in, is_launched(), std::string(environment("CROUPIER_DATA")));
        context.plays_on_seconds = 2;
        code = run(arguments, context);
        terminal.out().flush();
        return code;
    } catch (const OutputFailed&) {
        // The reader of the pipe (head, a pager) closed it on purpose; that is not an error.
        if (out.error_number() == EPIPE) return code;
        const std::string why = std::generic_category().message(out.error_number());
        terminal.error("croupier", fmt::format("cannot write to standard output: {}", why));
        return code == kGood ? kFailed : code;
    } catch (const std::exception& error) {
        terminal.error("croupier", fmt::format("internal error: {}\nthis is a bug of croupier; "
                                               "please report it with the command line",
                                               error.what()));
    }
    return kInternal;
}

std::atomic<bool> wanted_to_stop = false;
std::atomic<bool> wanted_to_abandon = false;
std::atomic<int> signal_seen = 0;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// What a program that runs commands in its own process had set.
struct sigaction before_interrupt;
struct sigaction before_terminate;
struct sigaction before_alarm;

// Written data are safe: the journal needs no closing.
void handle(int signal) {
    if (signal_seen.exchange(signal) != 0) ::_exit(kSignalExit + signal);
    wanted_to_stop = true;
    ::alarm(kGraceSeconds);
}

void handle_alarm(int) {
    wanted_to_abandon = true;
}

void catch_signal(int signal, void (*handler)(int), struct sigaction& before) {
    struct sigaction now {};
    now.sa_handler = handler;
    now.sa_flags = SA_RESTART;
    ::sigaction(signal, &now, &before);
}

} // namespace

int run_process(int argc, char** argv) noexcept {
    try {
        occupy_standard_descriptors();
        // A write then fails with EPIPE or EFBIG (ulimit -f), which is handled.
        std::signal(SIGPIPE, SIG_IGN);
        std::signal(SIGXFSZ, SIG_IGN);
        DescriptorBuffer out(STDOUT_FILENO);
        DescriptorBuffer err(STDERR_FILENO);
        std::ostream out_stream(&out);
        std::ostream err_stream(&err);
        Terminal terminal(out_stream, err_stream, find_out());
        DescriptorInput in(STDIN_FILENO);
        std::istream in_stream(&in);
        return run_with(terminal, {argv + std::min(argc, 1), argv + argc}, in_stream, out);
    } catch (...) { // out of memory before there is a terminal for a message
        return kInternal;
    }
}

// Signal handlers, limited to async-signal-safe operations.

StopSignals::StopSignals() {
    wanted_to_stop = wanted_to_abandon = false;
    signal_seen = 0;
    catch_signal(SIGALRM, handle_alarm, before_alarm);
    catch_signal(SIGINT, handle, before_interrupt);
    // Ctrl-C stays ignored if it was, as in the background of a script.
    if (before_interrupt.sa_handler == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    catch_signal(SIGTERM, handle, before_terminate);
}

StopSignals::~StopSignals() {
    ::sigaction(SIGINT, &before_interrupt, nullptr);
    ::sigaction(SIGTERM, &before_terminate, nullptr);
    ::alarm(0);
    ::sigaction(SIGALRM, &before_alarm, nullptr);
}

const std::atomic<bool>& StopSignals::abandoned() {
    return wanted_to_abandon;
}

std::atomic<bool>& StopSignals::wanted() {
    return wanted_to_stop;
}

int StopSignals::signal() {
    return signal_seen;
}

} // namespace croupier::cli
