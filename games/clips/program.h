// A CLIPS program, run once or for many games.
#pragma once

#include "games/clips/environment.h"
#include "games/clips/wire.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace croupier::games::clips {

// A CLIPS program in a process of its own (worker_main.cpp): a crash, a hang or a flood of output
// there is reported here and does no harm.

// Thrown when the worker has ended: the program called (exit), or something went wrong.
struct Ended : std::runtime_error {
    Ended(const std::string& how, std::optional<int> exit_code)
        : std::runtime_error(how), code(exit_code) {}
    std::optional<int> code; // of (exit)
};

// The program's connections to the world outside; each may be empty.
struct Outside {
    std::function<void(std::string_view text, bool error)> print;
    std::function<std::optional<std::string>()> read_line; // with its line feed
    std::function<std::optional<std::string>(const std::string& name)> open;
};

// One thread makes requests, any thread may interrupt. worker_main.cpp lists the requests.
class Worker {
  public:
    static constexpr std::size_t kMemory = std::size_t{2} << 30;

    // `program` is the path of the worker; throws Ended if it cannot be started.
    Worker(const std::string& program, Outside outside, std::size_t memory = kMemory);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Sends a request and returns the answer. Throws Ended.
    Words ask(const Words& request);
    // Stops the run at its next firing or loop iteration; the answer is as usual.
    void interrupt() const;
    // For a worker that does not react; a waiting request then throws Ended.
    void kill() const;

  private:
    [[noreturn]] void ended();

    Outside outside_;
    pid_t process_ = -1;
    int socket_ = -1;
};

struct SourceText {
    std::string name;
    std::string text;
};

struct Run {
    std::int64_t fired = 0;
    bool stopped = false; // at its limit; activations are left
    bool interrupted = false;
    bool failed = false; // errors were printed since the reset
};

struct ManyGames {
    std::uint64_t games = 1;
    std::uint64_t seed = 1;
    std::int64_t limit = -1; // firings per game
    std::string strategy;    // if empty, the program's own
    std::vector<std::string> patterns;
    unsigned workers = 1;
};

struct GamesReport {
    std::uint64_t games = 0;
    std::uint64_t firings = 0;
    std::uint64_t stopped = 0; // at the limit
    std::uint64_t failed = 0;  // printed an error
    std::uint64_t crashed = 0;
    std::string crash;                           // how the first one crashed
    std::map<std::string, std::uint64_t> counts; // number of games at whose end a fact existed

    void add(const GamesReport& other);
};

class Program {
  public:
    Program(const std::string& worker, Outside outside, std::size_t memory = Worker::kMemory)
        : worker_(worker, std::move(outside), memory) {}

    // False if it has errors, which were printed.
    bool load(const SourceText& source) {
        return worker_.ask({"load", source.name, source.text}).at(0) == "good";
    }
    // Always throws Ended at the end, with the code of (exit).
    void batch(const std::string& text) { worker_.ask({"batch", text}); }
    void command(const std::string& text) { worker_.ask({"command", text}); }
    void seed(std::uint32_t seed) { worker_.ask({"seed", std::to_string(seed)}); }
    // False if there is no such strategy.
    bool set_strategy(const std::string& name) { return worker_.ask({"strategy", name}).empty(); }
    void reset() { worker_.ask({"reset"}); }
    void watch(const std::string& item) { worker_.ask({"watch", item}); }
    void profile() { worker_.ask({"profile"}); }
    void be_silent() { worker_.ask({"silent"}); }
    // `budget`: Environment::set_budget; 0 for no limit.
    Run run(std::int64_t limit, std::uint64_t budget = 0);
    // Plays games from `first` on, until one changes the program; the report says how many.
    GamesReport games(std::uint64_t first, std::uint64_t count, const ManyGames& many,
                      bool& changed);
    // A turn of a game, the first where nothing is chosen: worker_main.cpp says what comes back.
    Words play(std::uint32_t seed, std::uint64_t budget, const std::string& chosen) {
        return worker_.ask({"play", std::to_string(seed), std::to_string(budget), chosen});
    }
    std::vector<ListedFact> facts();
    std::vector<ListedActivation> agenda(); // the next to fire comes first
    std::vector<std::string> rules() { return worker_.ask({"rules"}); }
    std::vector<ConstructCost> costs();
    // Says why a rule does not fire, or when it will; empty if there is no such rule.
    std::string why(const std::string& rule);
    void interrupt() const { worker_.interrupt(); }
    void kill() const { worker_.kill(); }

  private:
    Worker worker_;
};

// Plays many games with several workers. Each game begins in the same state, so the report depends
// only on program and seed. A game that ends its worker counts as crashed. `stop` is called now and
// then; games not complete when it returns true are not counted.
GamesReport play_many(const std::string& worker, const std::vector<SourceText>& sources,
                      const ManyGames& many,
                      std::function<std::optional<std::string>(const std::string&)> open,
                      const std::function<bool()>& stop);

// The error in a pattern that counts facts; empty if there is none.
std::string mistake_in_pattern(const std::string& pattern);

} // namespace croupier::games::clips
