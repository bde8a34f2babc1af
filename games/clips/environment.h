// One environment of CLIPS, by its own library. The library has static state and trusts its
// programs, so a process makes one environment and is not worth more than it: worker_main.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games::clips {

// What the world outside gives to a program, which reaches nothing else.
struct ClipsHost {
    std::function<void(std::string_view text, bool error)> print;
    std::function<std::optional<std::string>()> read_line; // with its line feed; nothing: the end
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

// What the library's profiler tells of a construct.
struct ConstructCost {
    std::string kind; // "defrule"
    std::string name;
    long entries = 0;
    double self = 0; // seconds
    double with_children = 0;
};

// What a process ends with that has no memory left.
inline constexpr int kOutOfMemory = 3;

class Environment {
  public:
    explicit Environment(ClipsHost host);
    // Never destroyed: the library may be anywhere when its process ends.
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

    // Constructs, as (load) reads them; errors have the name and a line. False: there were some.
    bool load(const std::string& name, const std::string& text);
    // Commands, as `clips -f2` executes a file's; then those that it reads at its prompt.
    void batch(const std::string& text);
    void prompt();
    // One command, its value printed.
    void command(const std::string& text);

    static void seed(std::uint32_t seed);
    bool set_strategy(const std::string& name);
    void reset();
    // In a game (exit) ends the run and what earlier games left behind is put back.
    void begin_game(std::uint32_t seed);
    // Firings; `limit` of them at most, -1: without. What follows is of the last run.
    long long run(long long limit);
    [[nodiscard]] bool has_more() const;                      // stopped before the agenda was empty
    [[nodiscard]] bool has_failed() const { return failed_; } // printed an error since `reset`
    [[nodiscard]] bool is_over_budget() const { return budget_ != 0 && steps_ > budget_; }
    // The library asks for its periodic tasks at each firing and each turn of a loop; a run ends
    // after that many, 0: does not.
    void set_budget(std::uint64_t steps) { budget_ = steps; }
    // From a signal handler: what runs ends soon.
    static void interrupt();
    static bool take_interrupt(); // whether there was one

    void watch(const std::string& item);
    void profile();
    [[nodiscard]] std::vector<ConstructCost> costs();
    [[nodiscard]] std::vector<ListedFact> facts();
    // The facts for the game: those whose relations begin with game-. The hash is of all facts, in
    // whatever order they came.
    [[nodiscard]] std::vector<std::string> told(std::uint64_t& hash);
    // Takes whose turn it is and the moves away, and asserts what was chosen.
    void choose(const std::string& fact);
    // Facts that a pattern such as (card (suit ?) (rank 7)) or (loses $?) matches.
    [[nodiscard]] std::vector<std::string> matching(const std::string& pattern);
    [[nodiscard]] std::vector<ListedActivation> agenda();
    // The rules of all modules; the text of one, and what (matches) prints for it: empty if there
    // is no such rule.
    [[nodiscard]] std::vector<std::string> rules();
    [[nodiscard]] std::string rule_text(const std::string& rule);
    [[nodiscard]] std::string matches(const std::string& rule);
    // Changes when constructs or settings do, which a reset does not put back.
    [[nodiscard]] std::uint64_t fingerprint();

  private:
    friend struct Callbacks;
    std::string captured(const std::function<void()>& print);

    ClipsHost host_;
    void* env_;
    std::string* captured_ = nullptr;
    const std::string* source_ = nullptr; // what is loaded
    std::string source_name_;
    std::size_t source_at_ = 0;
    std::size_t told_at_ = 0;         // where the last error was told
    std::optional<std::string> line_; // of standard input
    std::size_t line_at_ = 0;
    bool input_ended_ = false;
    bool in_prompt_ = false;
    bool in_game_ = false;
    bool exiting_ = false; // a game has said (exit)
    bool failed_ = false;
    std::uint64_t steps_ = 0;
    std::uint64_t budget_ = 0;
};

} // namespace croupier::games::clips
