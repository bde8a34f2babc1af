// The owner's side of a worker, and requests to a program.
#include "games/clips/program.h"

#include "games/clips/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace croupier::games::clips {

Worker::Worker(const std::string& program, Outside outside, std::size_t memory)
    : outside_(std::move(outside)) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Ended(std::generic_category().message(errno), {});
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    // Ctrl-C at the terminal is ours: we inform the worker, which starts with no signal blocked.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    std::string bytes = std::to_string(memory);
    std::string name = program;
    std::array<char*, 3> words{name.data(), bytes.data(), nullptr};
    const int failed =
        posix_spawn(&process_, program.c_str(), &files, &attributes, words.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    socket_ = ends[0];
    if (failed != 0) {
        process_ = -1;
        close(std::exchange(socket_, -1));
        throw Ended(program + ": " + std::generic_category().message(failed), {});
    }
}

Worker::~Worker() {
    if (socket_ >= 0) close(socket_);
    if (process_ < 0) return;
    kill();
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void Worker::interrupt() const {
    if (process_ > 0) ::kill(process_, SIGINT);
}

void Worker::kill() const {
    if (process_ > 0) ::kill(process_, SIGKILL);
}

void Worker::ended() {
    close(std::exchange(socket_, -1));
    kill(); // if it still runs, it has sent an invalid message
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV)
        throw Ended("CLIPS crashed, as it does where functions call themselves too deep", {});
    if (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemory)
        throw Ended("CLIPS has taken all the memory that it may", {});
    if (WIFSIGNALED(status))
        throw Ended("CLIPS was ended by signal " + std::to_string(WTERMSIG(status)), {});
    throw Ended("CLIPS has ended with code " + std::to_string(WEXITSTATUS(status)), {});
}

Words Worker::ask(const Words& request) {
    if (socket_ < 0) throw Ended("CLIPS has ended", {});
    if (!send_words(socket_, request)) ended();
    for (;;) {
        auto said = receive_words(socket_);
        if (!said || said->empty()) ended();
        Words& words = *said;
        const std::string what = words[0];
        words.erase(words.begin());
        if (what == "done") return words;
        words.resize(1);
        if (what == "exit") {
            int code = 0;
            std::from_chars(words[0].data(), words[0].data() + words[0].size(), code);
            throw Ended("the program has said (exit)", code & 0xff);
        }
        if (what == "out" || what == "error") {
            if (outside_.print) outside_.print(words[0], what == "error");
            continue;
        }
        std::optional<std::string> text;
        if (what == "read" && outside_.read_line) text = outside_.read_line();
        if (what == "open" && outside_.open) text = outside_.open(words[0]);
        if (!send_words(socket_, text ? Words{*text} : Words{})) ended();
    }
}

namespace {

template <typename Number = std::uint64_t>
Number number(const std::string& word) {
    Number value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}

// The output of (matches): a heading, then a line for each match, or " None".
struct Section {
    std::string heading;
    std::vector<std::string> matches;
};

std::vector<Section> sections(const std::string& printed) {
    std::vector<Section> all;
    for (std::size_t at = 0; at < printed.size();) {
        const std::size_t end = std::min(printed.find('\n', at), printed.size());
        const std::string line = printed.substr(at, end - at);
        at = end + 1;
        if (line.starts_with("Matches") || line.starts_with("Partial") ||
            line.starts_with("Activations"))
            all.push_back({line, {}});
        else if (!all.empty() && line != " None")
            all.back().matches.push_back(line);
    }
    return all;
}

// The conditions of a rule as CLIPS numbers them, without tests.
std::vector<std::string> conditions(const std::string& rule) {
    std::vector<std::string> all;
    std::string one;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < rule.size(); ++i) {
        const char letter = rule[i];
        if (quoted && letter == '\\') {
            one += letter;
            one += rule[++i];
            continue;
        }
        if (letter == '"') quoted = !quoted;
        if (!quoted && letter == '(' && ++depth == 2) one.clear();
        if (!quoted && depth == 1 && rule.compare(i, 2, "=>") == 0) break;
        const bool blank = !quoted && (letter == '\n' || letter == ' ');
        if (!blank || (!one.empty() && one.back() != ' ')) one += blank ? ' ' : letter;
        if (!quoted && letter == ')' && --depth == 1 && !one.starts_with("(test ") &&
            !one.starts_with("(declare "))
            all.push_back(one);
    }
    return all;
}

std::string some(const std::vector<std::string>& matches) {
    constexpr std::size_t kMax = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(matches.size(), kMax); ++i)
        text += (i > 0 ? "; " : "") + matches[i];
    if (matches.size() > kMax) text += fmt::format("; {} more", matches.size() - kMax);
    return text;
}

// Explains one way to match the rule: there are several only if it has `or`.
std::string why_not(const std::vector<Section>& way, const std::vector<std::string>& conditions) {
    const auto named = [&](std::size_t number) {
        return number <= conditions.size()
                   ? fmt::format("condition {}, {}", number, conditions[number - 1])
                   : fmt::format("condition {}", number);
    };
    const std::vector<std::string>* before = nullptr; // matches of the conditions so far
    const std::vector<std::string>* last = nullptr;
    for (const Section& one : way) {
        if (one.heading == "Matches for Pattern 1") {
            const bool negated = !conditions.empty() && conditions[0].starts_with("(not");
            if (!negated && one.matches.empty()) return named(1) + ", matches nothing";
            if (negated && !one.matches.empty() && !conditions[0].starts_with("(not (and"))
                return named(1) + ", rules it out by " + some(one.matches);
            if (!negated) before = &one.matches;
        }
        if (!one.heading.starts_with("Partial")) continue;
        last = &one.matches;
        if (!one.matches.empty()) {
            before = &one.matches;
            continue;
        }
        // "CEs 1 - 3", or "CEs 1 (P1) , 2 (P2 - P3)": the last number outside parentheses.
        std::size_t reached = 0;
        int depth = 0;
        for (std::size_t i = 0; i < one.heading.size(); ++i) {
            depth += one.heading[i] == '(' ? 1 : one.heading[i] == ')' ? -1 : 0;
            if (depth == 0 && one.heading[i] >= '1' && one.heading[i] <= '9' &&
                one.heading[i - 1] == ' ')
                reached = number<std::size_t>(one.heading.substr(i));
        }
        const auto alone = std::ranges::find_if(way, [&](const Section& section) {
            return section.heading == fmt::format("Matches for Pattern {}", reached);
        });
        const std::string held =
            before == nullptr || before->empty()
                ? ""
                : fmt::format("; the conditions before it hold for {}", some(*before));
        if (alone == way.end() || alone->matches.empty())
            return named(reached) + ", matches nothing" + held;
        const bool negated =
            reached <= conditions.size() && conditions[reached - 1].starts_with("(not");
        return fmt::format("{}, {} {}{}", named(reached),
                           negated ? "rules these out by" : "matches none of these, but",
                           some(alone->matches), held);
    }
    if (last == nullptr) last = before;
    if (last == nullptr) return "it has fired"; // only a `not`, which holds
    if (last->empty()) return "nothing is known of its matches";
    return fmt::format("it has fired for all that it matches: {}", some(*last));
}

} // namespace

void GamesReport::add(const GamesReport& other) {
    games += other.games;
    firings += other.firings;
    stopped += other.stopped;
    failed += other.failed;
    crashed += other.crashed;
    if (crash.empty()) crash = other.crash;
    for (const auto& [fact, count] : other.counts)
        counts[fact] += count;
}

Run Program::run(std::int64_t limit, std::uint64_t budget) {
    const Words answer = worker_.ask({"run", std::to_string(limit), std::to_string(budget)});
    return {number<std::int64_t>(answer.at(0)), answer.at(1) == "stopped",
            answer.at(1) == "interrupted", answer.at(2) == "failed"};
}

GamesReport Program::games(std::uint64_t first, std::uint64_t count, const ManyGames& many,
                           bool& changed) {
    Words request{"games", std::to_string(first), std::to_string(count), std::to_string(many.seed),
                  std::to_string(many.limit)};
    request.insert(request.end(), many.patterns.begin(), many.patterns.end());
    const Words answer = worker_.ask(request);
    GamesReport report;
    report.games = number(answer.at(0));
    report.firings = number(answer.at(1));
    report.stopped = number(answer.at(2));
    report.failed = number(answer.at(3));
    changed = answer.at(4) == "changed";
    for (std::size_t i = 5; i + 1 < answer.size(); i += 2)
        report.counts[answer[i]] = number(answer[i + 1]);
    return report;
}

std::vector<ListedFact> Program::facts() {
    const Words words = worker_.ask({"facts"});
    std::vector<ListedFact> all;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2)
        all.push_back({words[i], words[i + 1]});
    return all;
}

std::vector<ListedActivation> Program::agenda() {
    const Words words = worker_.ask({"agenda"});
    std::vector<ListedActivation> all;
    for (std::size_t i = 0; i + 2 < words.size(); i += 3)
        all.push_back({number<int>(words[i]), words[i + 1], words[i + 2]});
    return all;
}

std::vector<ConstructCost> Program::costs() {
    const Words words = worker_.ask({"costs"});
    std::vector<ConstructCost> all;
    for (std::size_t i = 0; i + 4 < words.size(); i += 5)
        all.push_back({words[i], words[i + 1], number<long>(words[i + 2]),
                       static_cast<double>(number(words[i + 3])) * 1e-9,
                       static_cast<double>(number(words[i + 4])) * 1e-9});
    return all;
}

std::string Program::why(const std::string& rule) {
    const Words answer = worker_.ask({"rule", rule});
    if (answer.at(1).empty()) return {};
    const std::vector<ListedActivation> waiting = agenda();
    std::size_t place = 0;
    std::vector<std::string> its;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        if (waiting[i].rule != rule && "MAIN::" + waiting[i].rule != rule) continue;
        if (its.empty()) place = i;
        its.push_back(waiting[i].basis);
    }
    if (!its.empty())
        return fmt::format(
            "{}: it {}, for {}\n", rule,
            place == 0 ? "fires next"
                       : fmt::format("waits behind {} other{}", place, place == 1 ? "" : "s"),
            some(its));
    const std::vector<std::string> its_conditions = conditions(answer.at(0));
    std::vector<std::vector<Section>> ways;
    for (Section& one : sections(answer.at(1))) {
        if (one.heading == "Matches for Pattern 1") ways.emplace_back();
        if (!ways.empty()) ways.back().push_back(std::move(one));
    }
    std::string text;
    for (std::size_t i = 0; i < ways.size(); ++i)
        text +=
            fmt::format("{}{}: {}\n", rule,
                        ways.size() == 1 ? "" : fmt::format(", way {} of {}", i + 1, ways.size()),
                        why_not(ways[i], its_conditions));
    return text.empty() ? rule + ": nothing is known of its matches\n" : text;
}

GamesReport play_many(const std::string& worker, const std::vector<SourceText>& sources,
                      const ManyGames& many,
                      std::function<std::optional<std::string>(const std::string&)> open,
                      const std::function<bool()>& stop) {
    constexpr std::uint64_t kPiece = 64; // short enough to be distributed evenly over workers
    std::mutex mutex;
    std::condition_variable ended;
    std::atomic<std::uint64_t> next = 0;
    std::atomic<bool> stopping = false;
    std::vector<std::unique_ptr<Program>> programs(std::max(many.workers, 1U));
    std::size_t running = programs.size();
    std::map<std::uint64_t, GamesReport>
        pieces; // by first game, so that the first crash is reported
    std::exception_ptr failure;

    const auto begin = [&](std::size_t index) -> Program& {
        auto program = std::make_unique<Program>(worker, Outside{{}, {}, open});
        program->be_silent();
        for (const SourceText& source : sources)
            program->load(source);
        if (!many.strategy.empty()) program->set_strategy(many.strategy);
        const std::lock_guard lock(mutex);
        programs[index] = std::move(program);
        return *programs[index];
    };
    const auto play = [&](std::size_t index) {
        Program* program = &begin(index);
        while (!stopping) {
            const std::uint64_t first = next.fetch_add(kPiece);
            if (first >= many.games) break;
            const std::uint64_t count = std::min(kPiece, many.games - first);
            GamesReport piece;
            bool one_by_one = false; // finds the game that ended the worker
            while (piece.games < count && !stopping) {
                bool changed = false;
                try {
                    const GamesReport more = program->games(
                        first + piece.games, one_by_one ? 1 : count - piece.games, many, changed);
                    piece.add(more);
                } catch (const Ended& crash) {
                    if (one_by_one) {
                        GamesReport lost;
                        lost.games = lost.crashed = 1;
                        lost.crash = crash.what();
                        piece.add(lost);
                    }
                    one_by_one = true;
                    changed = true;
                }
                if (changed && !stopping) program = &begin(index);
            }
            const std::lock_guard lock(mutex);
            pieces[first] = std::move(piece);
        }
    };
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < programs.size(); ++i)
        threads.emplace_back([&, i] {
            try {
                play(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
                stopping = true;
            }
            const std::lock_guard lock(mutex);
            --running;
            ended.notify_one();
        });
    {
        int patience = 20; // about a second; then workers that do not react are killed
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return running == 0; })) {
            if (!stop()) continue;
            stopping = true;
            for (const auto& program : programs)
                if (program) patience > 0 ? program->interrupt() : program->kill();
            --patience;
        }
    }
    threads.clear();
    if (failure) std::rethrow_exception(failure);
    GamesReport report;
    for (const auto& [first, piece] : pieces)
        report.add(piece);
    return report;
}

std::string mistake_in_pattern(const std::string& pattern) {
    int depth = 0;
    bool quoted = false, begun = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char letter = pattern[i];
        if (quoted && letter == '\\') {
            ++i;
            continue;
        }
        if (letter == '"') quoted = !quoted;
        if (quoted) continue;
        if (letter == '(') ++depth, begun = true;
        if (letter == ')' && --depth < 0) break;
        if (depth == 0 && letter != ')' && letter != ' ')
            return "a pattern is one list in parentheses";
        if (letter == '&' || letter == '|' || letter == '~' || letter == ':')
            return "a pattern has values, ?, $? and variables, and no other constraints";
    }
    if (!begun || depth != 0 || quoted) return "its parentheses or quotes do not close";
    return {};
}

} // namespace croupier::games::clips
