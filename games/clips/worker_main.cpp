// A process with one CLIPS environment that executes requests of its owner (program.h), over the
// socket given as standard input. A program can harm only this process.
#include "games/clips/environment.h"
#include "games/clips/wire.h"

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <poll.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace croupier::games::clips {
namespace {

constexpr int kSocket = 0;

class Work {
  public:
    Work()
        : environment_({.print = [this](auto text, bool error) { print(text, error); },
                        .read_line = [this] { return ask({"read"}); },
                        .open =
                            [this](const auto& name) {
                                return ask({"open", name});
                            },
                        .exit = [this](int code) { leave(code); }}) {}

    // Runs until the owner is gone.
    void go_on() {
        while (auto request = receive_words(kSocket)) {
            request->resize(std::max<std::size_t>(request->size(), 3));
            environment_.take_interrupt(); // of a request that has ended
            Words answer = done(*request);
            answer.insert(answer.begin(), "done");
            flush();
            send(answer);
        }
    }

  private:
    static void send(const Words& words) {
        if (!send_words(kSocket, words)) _exit(0);
    }

    void flush() {
        if (!said_.empty()) send({said_is_error_ ? "error" : "out", std::exchange(said_, {})});
    }

    void print(std::string_view text, bool error) {
        if (silent_ && !error) return;
        if (error != said_is_error_) flush();
        said_is_error_ = error;
        said_ += text;
        if (said_.size() > kMaxKept) flush();
    }

    std::optional<std::string> ask(const Words& question) {
        flush();
        send(question);
        auto answer = receive_words(kSocket);
        if (!answer) _exit(0);
        return answer->empty() ? std::nullopt : std::optional(std::move(answer->front()));
    }

    [[noreturn]] void leave(int code) {
        flush();
        send({"exit", std::to_string(code)});
        _exit(0);
    }

    static long long number(const std::string& word) {
        long long value = 0;
        std::from_chars(word.data(), word.data() + word.size(), value);
        return value;
    }

    Words done(const Words& words) {
        const std::string& what = words[0];
        if (what == "load") return {environment_.load(words[1], words[2]) ? "good" : "bad"};
        if (what == "strategy") return environment_.set_strategy(words[1]) ? Words{} : Words{"bad"};
        if (what == "run" || what == "games") return what == "run" ? run(words) : games(words);
        if (what == "play") return play(words);
        if (what == "agenda") return agenda();
        if (what == "facts") return facts();
        if (what == "rules") return environment_.rules();
        if (what == "rule")
            return {environment_.rule_text(words[1]), environment_.matches(words[1])};
        if (what == "costs") return costs();
        if (what == "batch") {
            environment_.batch(words[1]);
            environment_.prompt();
        }
        if (what == "command") environment_.command(words[1]);
        if (what == "seed") Environment::seed(static_cast<std::uint32_t>(number(words[1])));
        if (what == "reset") environment_.reset();
        if (what == "watch") environment_.watch(words[1]);
        if (what == "profile") environment_.profile();
        if (what == "silent") silent_ = true; // except for errors
        return {};
    }

    // run LIMIT BUDGET: returns firings, how it ended, whether errors were printed.
    Words run(const Words& words) {
        environment_.set_budget(static_cast<std::uint64_t>(number(words[2])));
        const long long fired = environment_.run(number(words[1]));
        return {std::to_string(fired),
                environment_.take_interrupt() ? "interrupted"
                : environment_.has_more()     ? "stopped"
                                              : "ended",
                environment_.has_failed() ? "failed" : "good"};
    }

    // games FIRST COUNT SEED LIMIT PATTERN...: returns played, firings, stopped, failed; then facts
    // and the number of games with them. Ends early if a game changed the program, as `played`
    // shows.
    Words games(const Words& words) {
        const long long first = number(words[1]);
        const long long count = number(words[2]);
        const auto seed = static_cast<std::uint64_t>(number(words.at(3)));
        long long played = 0, firings = 0, stopped = 0, failed = 0;
        std::map<std::string, long long> counts;
        const std::uint64_t before = environment_.fingerprint();
        bool changed = false;
        while (played < count && !changed) {
            // Splitmix: seeds of different games are unrelated.
            std::uint64_t mixed =
                seed + static_cast<std::uint64_t>(first + played + 1) * 0x9e3779b97f4a7c15;
            mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
            mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
            environment_.begin_game(static_cast<std::uint32_t>(mixed >> 32));
            firings += environment_.run(number(words.at(4)));
            if (Environment::take_interrupt()) break;
            ++played;
            stopped += environment_.has_more() ? 1 : 0;
            failed += environment_.has_failed() ? 1 : 0;
            for (std::size_t i = 5; i < words.size(); ++i)
                for (std::string& fact : environment_.matching(words[i]))
                    ++counts[std::move(fact)];
            changed = environment_.fingerprint() != before;
        }
        Words answer{std::to_string(played), std::to_string(firings), std::to_string(stopped),
                     std::to_string(failed), changed ? "changed" : "same"};
        for (const auto& [fact, games] : counts) {
            answer.push_back(fact);
            answer.push_back(std::to_string(games));
        }
        return answer;
    }

    // play SEED BUDGET FACT: plays a turn; the first without a fact. Returns how it went, the hash
    // of the facts, and the facts for the game; "changed" if an earlier game has changed the
    // program.
    Words play(const Words& words) {
        const auto seed = static_cast<std::uint32_t>(number(words[1]));
        environment_.set_budget(static_cast<std::uint64_t>(number(words[2])));
        const std::string chosen = words.size() > 3 ? words[3] : "";
        if (chosen.empty()) {
            if (!begun_) begun_ = environment_.fingerprint();
            if (*begun_ != environment_.fingerprint()) return {"changed"};
            environment_.begin_game(seed);
        } else {
            Environment::seed(seed);
            environment_.choose(chosen);
        }
        environment_.run(-1);
        std::uint64_t hash = 0;
        Words told = environment_.told(hash);
        told.insert(told.begin(), std::to_string(hash));
        told.insert(told.begin(), environment_.is_over_budget() ? "budget"
                                  : environment_.has_failed()   ? "failed"
                                                                : "good");
        return told;
    }

    Words agenda() {
        Words all;
        for (ListedActivation& one : environment_.agenda()) {
            all.push_back(std::to_string(one.salience));
            all.push_back(std::move(one.rule));
            all.push_back(std::move(one.basis));
        }
        return all;
    }

    Words facts() {
        Words all;
        for (ListedFact& one : environment_.facts()) {
            all.push_back(std::move(one.index));
            all.push_back(std::move(one.text));
        }
        return all;
    }

    Words costs() {
        Words all;
        for (ConstructCost& one : environment_.costs()) {
            all.push_back(std::move(one.kind));
            all.push_back(std::move(one.name));
            all.push_back(std::to_string(one.entries));
            all.push_back(std::to_string(static_cast<long long>(one.self * 1e9)));
            all.push_back(std::to_string(static_cast<long long>(one.with_children * 1e9)));
        }
        return all;
    }

    static constexpr std::size_t kMaxKept = 1 << 14;

    std::string said_;
    bool said_is_error_ = false;
    bool silent_ = false;
    std::optional<std::uint64_t> begun_; // the fingerprint before the first game
    Environment environment_;
};

} // namespace
} // namespace croupier::games::clips

// worker BYTES: the limit of its memory.
int main(int count, char** words) {
    using namespace croupier::games::clips;
#ifdef CROUPIER_SANITIZED
    count = 0;
#endif
    if (count > 1) {
        const rlim_t bytes = std::strtoull(words[1], nullptr, 10);
        const rlimit memory{bytes, bytes};
        setrlimit(RLIMIT_AS, &memory);
    }
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    std::set_new_handler([] { _exit(kOutOfMemory); });
    std::signal(SIGINT, [](int) { Environment::interrupt(); });
    // Ends with its owner, even during a request. This thread never calls the library.
    std::thread([] {
        pollfd owner{kSocket, POLLRDHUP, 0};
        while (poll(&owner, 1, -1) < 1 || (owner.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0) {
        }
        _exit(0);
    }).detach();
    (new Work)->go_on();
    _exit(0);
}
