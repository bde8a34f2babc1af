// A CLIPS environment, by the library of CLIPS. The library has static state and trusts its
// programs, so each environment has a process of its own: worker_main.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games::clips {

// All that a program can reach of the world outside.
struct ClipsHost {
    std::function<void(std::string_view text, bool error)> print;
    std::function<std::optional<std::string>()> read_line; // with its line feed; nothing at the end
    // The text of a file that the program may read.
    std::function<std::optional<std::string>(const std::string& name)> open;
    std::function<void(int code)> exit; // does not return
};

struct ListedFact {
    std::string index; // "f-3"
    std::string text;
};

struct ListedActivation {
    int salience = 0;
    std::string rule;
    std::string basis; // "f-1,f-3"
};

// A construct's costs by the profiler of the library.
struct ConstructCost {
    std::string kind; // "defrule"
    std::string name;
    long entries = 0;
    double self = 0; // seconds
    double with_children = 0;
};

// Exit code of a process that has no memory left.
inline constexpr int kOutOfMemory = 3;

class Environment {
  public:
    explicit Environment(ClipsHost host);
    // Never destroyed: the library may be anywhere when its process exits.
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

    // Loads constructs, as (load) does; errors are printed with the name and a line. False if there
    // were some.
    bool load(const std::string& name, const std::string& text);
    // Executes commands as `clips -f2` does those of a file, then those read at the prompt.
    void batch(const std::string& text);
    void prompt();
    // Executes a command and prints its value.
    void command(const std::string& text);

    static void seed(std::uint32_t seed);
    bool set_strategy(const std::string& name);
    void reset();
    // Begins a game: undoes what earlier games left. During a game (exit) ends the run.
    void begin_game(std::uint32_t seed);
    // Returns the number of firings, at most `limit`; -1 for no limit. The functions below are
    // about the last run.
    long long run(long long limit);
    [[nodiscard]] bool has_more() const;                      // stopped before the agenda was empty
    [[nodiscard]] bool has_failed() const { return failed_; } // printed an error since `reset`
    [[nodiscard]] bool is_over_budget() const { return budget_ != 0 && steps_ > budget_; }
    // Ends a run after that many steps; 0 for no limit. A step is a call for periodic tasks, which
    // the library makes at each firing and each loop iteration.
    void set_budget(std::uint64_t steps) { budget_ = steps; }
    // Stops the current run soon. May be called by a signal handler.
    static void interrupt();
    static bool take_interrupt(); // whether there was one

    void watch(const std::string& item);
    void profile();
    [[nodiscard]] std::vector<ConstructCost> costs();
    [[nodiscard]] std::vector<ListedFact> facts();
    // The facts for the game: those whose relations begin with game-. The hash covers all facts, in
    // any order.
    [[nodiscard]] std::vector<std::string> told(std::uint64_t& hash);
    // Retracts the facts for turn and moves, and asserts the chosen move.
    void choose(const std::string& fact);
    // Facts that a pattern such as (card (suit ?) (rank 7)) or (loses $?) matches.
    [[nodiscard]] std::vector<std::string> matching(const std::string& pattern);
    [[nodiscard]] std::vector<ListedActivation> agenda();
    // The rules of all modules; the text of one, and what (matches) prints for it. Both are empty
    // if there is no such rule.
    [[nodiscard]] std::vector<std::string> rules();
    [[nodiscard]] std::string rule_text(const std::string& rule);
    [[nodiscard]] std::string matches(const std::string& rule);
    // Changes whenever constructs change, or settings that a reset does not restore.
    [[nodiscard]] std::uint64_t fingerprint();

  private:
    friend struct Callbacks;
    std::string captured(const std::function<void()>& print);

    ClipsHost host_;
    void* env_;
    std::string* captured_ = nullptr;
    const std::string* source_ = nullptr; // the text being loaded
    std::string source_name_;
    std::size_t source_at_ = 0;
    std::size_t told_at_ = 0;         // where the last error was reported
    std::optional<std::string> line_; // of standard input
    std::size_t line_at_ = 0;
    bool input_ended_ = false;
    bool in_prompt_ = false;
    bool in_game_ = false;
    bool exiting_ = false; // a game has called (exit)
    bool failed_ = false;
    std::uint64_t steps_ = 0;
    std::uint64_t budget_ = 0;
};

} // namespace croupier::games::clips
