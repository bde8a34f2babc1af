// An agent that is an external program, in any language: README.md describes the protocol.
#include "agents/arguments.h"
#include "agents/process/child.h"
#include "agents/registry.h"
#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

namespace croupier::agents {
namespace {

using engine::Document;
using engine::Scalar;

constexpr std::chrono::milliseconds kToEnd{500}; // time for a program to exit by itself
constexpr std::chrono::milliseconds kToTell{
    10'000}; // and until its exit status is known, with no output left
constexpr std::chrono::milliseconds kMaxTime{86'400'000};

// A program has a clock for its moves of a game, which runs while it thinks and gains `increment`
// after each answer.
struct ProcessLimits {
    std::chrono::milliseconds start{10'000};  // from the start to the first answer
    std::chrono::milliseconds move{5'000};    // for a move, even if more is left
    std::chrono::milliseconds total{600'000}; // on the clock at the beginning of a game
    std::chrono::milliseconds increment{0};
};

std::string quoted(std::string_view text) {
    return engine::scalar_json(Scalar(std::string(text)));
}

std::int64_t milliseconds(std::chrono::nanoseconds time) {
    return std::chrono::floor<std::chrono::milliseconds>(time).count();
}

std::string game_line(const Game& game, Seat me, const ProcessLimits& limits) {
    const games::Facts& facts = game.facts();
    std::string options;
    for (const games::GameOption& option : facts.options)
        options += fmt::format("{}{}:{}", options.empty() ? "" : ",", quoted(option.name),
                               engine::scalar_json(option.value));
    std::string players;
    for (const std::string& player : facts.players)
        players += (players.empty() ? "" : ",") + quoted(player);
    return fmt::format(
        R"({{"type":"game","game":{},"revision":{},"options":{{{}}},"players":[{}],"me":{},)"
        R"("limits":{{"clock_ms":{},"increment_ms":{},"move_ms":{}}}}})",
        quoted(facts.name), quoted(facts.revision), options, players, quoted(facts.players[me]),
        limits.total.count(), limits.increment.count(), limits.move.count());
}

// `most`: for this move; `left`: on the clock.
std::string choose_line(const Position& view, std::uint64_t random, std::chrono::nanoseconds most,
                        std::chrono::nanoseconds left, const ProcessLimits& limits) {
    std::string moves;
    for (std::size_t i = 0; i < view.move_count(); ++i)
        moves += (i == 0 ? "" : ",") + quoted(view.text(view.move(i)));
    return fmt::format(R"({{"type":"choose","moves":[{}],"random":{},"clock_ms":{},)"
                       R"("increment_ms":{},"move_ms":{},"view":{}}})",
                       moves, random, milliseconds(left), limits.increment.count(),
                       milliseconds(most), engine::write_json(view.state(), -1));
}

std::string result_line(const Position& view, const std::optional<Verdict>& verdict) {
    const games::Facts& facts = view.game().facts();
    std::string scores;
    std::string places;
    for (Seat seat = 0; seat < facts.seats(); ++seat) {
        const std::string name = (seat == 0 ? "" : ",") + quoted(facts.players[seat]);
        scores += fmt::format("{}:{}", name, view.score(seat));
        places += fmt::format("{}:{}", name,
                              verdict ? place_after(*verdict, facts, seat) : view.place(seat));
    }
    return fmt::format(R"({{"type":"result","ending":{},"scores":{{{}}},"places":{{{}}}}})",
                       quoted(verdict ? name_of(verdict->kind) : games::name_of(view.ending())),
                       scores, places);
}

std::string text_at(const Document& object, std::string_view key) {
    const engine::Member* member = object.is_object() ? object.find(key) : nullptr;
    return member != nullptr && member->value.is_string() ? member->value.text() : std::string();
}

bool is_true_at(const Document& object, std::string_view key) {
    const engine::Member* member = object.find(key);
    return member != nullptr && member->value.is_true();
}

// The program's output for people: one line, bounded, valid UTF-8.
std::string excerpt(std::string_view text) {
    constexpr std::size_t kMax = 80;
    return quoted(engine::valid_utf8(text, kMax)) + (text.size() > kMax ? ".." : "");
}

// "60+0.5", "300": seconds, and the increment per answer.
bool read_clock(std::string_view text, ProcessLimits& limits) {
    const std::size_t plus = text.find('+');
    const auto read = [](std::string_view word, std::chrono::milliseconds& into) {
        double seconds = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seconds);
        if (error != std::errc() || end != word.data() + word.size() || !(seconds >= 0) ||
            seconds > 86'400)
            return false;
        into = std::chrono::milliseconds(std::llround(seconds * 1000));
        return true;
    };
    if (plus != std::string_view::npos && !read(text.substr(plus + 1), limits.increment))
        return false;
    return read(text.substr(0, plus), limits.total) && limits.total.count() > 0;
}

// Any error of the program is a fault of this agent; it ends the game, or another agent plays on.
// For the next game the program is restarted. A program without a fault plays one game after
// another.
class ProcessAgent : public Agent {
  public:
    static constexpr int kProtocol = 1;

    // `other` plays on in its place; null if none does. `abandon`: see AgentServices.
    ProcessAgent(std::string command, const ProcessLimits& limits, const Clock& clock,
                 std::unique_ptr<Agent> other = nullptr, const std::atomic<bool>* abandon = nullptr)
        : command_(std::move(command)), limits_(limits), clock_(clock), child_(clock, abandon),
          other_(std::move(other)) {}

    ~ProcessAgent() override {
        if (!child_.is_running()) return;
        const auto deadline = clock_.now() + kToEnd;
        (void)child_.write_line(R"({"type":"quit"})", deadline);
        child_.finish(deadline);
    }

    void reset(const Game& game, Seat me) override {
        fault_.reset();
        verdict_.reset();
        substitution_.reset();
        offers_ = false;
        left_ = limits_.total;
        game_ = &game;
        if (other_ != nullptr) {
            other_->reset(game, me);
            other_observes_ = other_->observes();
        }
        if (!child_.is_running() && !launch(clock_.now() + limits_.start)) return;
        say(game_line(game, me, limits_), clock_.now() + limits_.move);
    }

    std::size_t choose(const Position& view, Random& random) override {
        if (!substitution_) {
            const std::size_t chosen = ask(view, random);
            if (chosen != kNoChoice || other_ == nullptr) return chosen;
            substitution_ = {view.plies(), *fault_};
        }
        return other_->choose(view, random);
    }

    [[nodiscard]] bool observes() const override { return true; }
    void observe(const Position& view, const ObservedMove& seen) override {
        if (other_observes_) other_->observe(view, seen);
        if (fault_) return;
        say(fmt::format(R"({{"type":"observe","player":{},"move":{}{}}})",
                        quoted(game_->facts().players[seen.player]),
                        seen.move.empty() ? "null" : quoted(seen.move),
                        seen.draw ? R"(,"draw":true)" : ""),
            clock_.now() + limits_.move);
    }

    void judged(const Verdict& verdict) override { verdict_ = verdict; }
    void ends(const Position& view) override {
        if (other_observes_) {
            if (verdict_) other_->judged(*verdict_);
            other_->ends(view);
        }
        if (!fault_) say(result_line(view, verdict_), clock_.now() + limits_.move);
    }

    [[nodiscard]] bool offers_draw() const override {
        return substitution_ ? other_->offers_draw() : offers_;
    }

    [[nodiscard]] const AgentFault* fault() const override {
        if (other_ != nullptr) return other_->fault();
        return fault_ ? &*fault_ : nullptr;
    }

    [[nodiscard]] const Substitution* substitution() const override {
        return substitution_ ? &*substitution_ : nullptr;
    }
    [[nodiscard]] std::int64_t process() const override { return child_.process(); }
    [[nodiscard]] std::vector<Note> notes() const override {
        return other_ == nullptr ? std::vector<Note>() : other_->notes();
    }

    [[nodiscard]] bool is_reproducible() const override { return false; }

  private:
    std::size_t ask(const Position& view, Random& random) {
        offers_ = false;
        if (fault_) return kNoChoice; // from an earlier call
        if (child_.has_spoken()) {
            fail(FaultKind::Garbage, "the program has spoken without being asked");
            return kNoChoice;
        }
        const auto begin = clock_.now();
        const auto most = std::min<std::chrono::nanoseconds>(limits_.move, left_);
        Document answer;
        // JSON integers have 63 bits.
        if (!say(choose_line(view, random.next() >> 1, most, left_, limits_), begin + most) ||
            !hear(answer, "move", begin + most))
            return kNoChoice;
        if (child_.asked_a_person()) { // the person's time does not count
            left_ += limits_.increment;
            return answer_of(answer, view);
        }
        const auto took = clock_.now() - begin;
        if (took > most) { // the answer came too late
            fail(FaultKind::Stall, "the program did not answer in time");
            return kNoChoice;
        }
        left_ += limits_.increment - took;
        return answer_of(answer, view);
    }

    std::size_t answer_of(const engine::Document& answer, const Position& view) {
        if (is_true_at(answer, "resign")) return kResigns;
        offers_ = is_true_at(answer, "draw");
        const std::string move = text_at(answer, "move");
        for (std::size_t i = 0; i < view.move_count(); ++i)
            if (view.text(view.move(i)) == move) return i;
        fail(FaultKind::Illegal, fmt::format("the move {} is not legal", excerpt(move)));
        return kNoChoice;
    }

    bool launch(std::chrono::nanoseconds deadline) {
        greeted_ = false;
        if (auto error = child_.start(command_)) {
            fail(FaultKind::Start, std::move(*error));
            return false;
        }
        Document answer;
        if (!say(fmt::format(R"({{"type":"hello","protocol":{}}})", kProtocol), deadline) ||
            !hear(answer, "hello", deadline))
            return false;
        const engine::Member* protocol = answer.find("protocol");
        if (protocol == nullptr || protocol->value.scalar != Scalar(std::int64_t{kProtocol})) {
            fail(FaultKind::Start, fmt::format("it does not speak protocol {}", kProtocol));
            return false;
        }
        greeted_ = true;
        return true;
    }

    bool say(const std::string& line, std::chrono::nanoseconds deadline) {
        const Child::Outcome outcome = child_.write_line(line, deadline);
        if (outcome != Child::Outcome::Good) fail(outcome);
        return outcome == Child::Outcome::Good;
    }

    // Reads an answer: an object of that type.
    bool hear(engine::Document& answer, std::string_view type, std::chrono::nanoseconds deadline) {
        std::string line;
        const Child::Outcome outcome = child_.read_line(line, deadline);
        if (outcome != Child::Outcome::Good) {
            fail(outcome);
            return false;
        }
        engine::Sources sources;
        engine::Diagnostics mistakes;
        auto document = engine::read_json(sources, sources.add("answer", line), mistakes);
        if (!document || mistakes.has_errors() || text_at(*document, "type") != type) {
            fail(FaultKind::Garbage,
                 fmt::format("expected an object of type {}, found {}", type, excerpt(line)));
            return false;
        }
        answer = std::move(*document);
        return true;
    }

    void fail(FaultKind kind, std::string what) {
        child_.kill();
        const std::string& errors = child_.errors();
        const std::size_t end = errors.find_last_not_of('\n');
        if (end != std::string::npos) {
            const std::size_t begin = errors.rfind('\n', end);
            what +=
                "; it last said " + excerpt(std::string_view(errors).substr(
                                        begin == std::string::npos ? 0 : begin + 1,
                                        end - (begin == std::string::npos ? 0 : begin + 1) + 1));
        }
        fault_ = {greeted_ ? kind : FaultKind::Start, std::move(what)};
    }

    void fail(Child::Outcome outcome) {
        switch (outcome) {
        case Child::Outcome::Closed:
            return fail(FaultKind::Crash,
                        "the program " + child_.how_it_ended(clock_.now() + kToTell));
        case Child::Outcome::Late:
            return fail(FaultKind::Stall, "the program did not answer in time");
        default:
            return fail(FaultKind::Flood, "the program writes more than a program may");
        }
    }

    std::string command_;
    ProcessLimits limits_;
    const Clock& clock_;
    Child child_;
    const Game* game_ = nullptr;
    bool greeted_ = false;             // its first answer has come
    std::chrono::nanoseconds left_{0}; // on its clock
    bool offers_ = false;
    std::optional<AgentFault> fault_;
    std::optional<Verdict> verdict_;
    std::unique_ptr<Agent> other_;
    bool other_observes_ = false;
    std::optional<Substitution> substitution_;
};

} // namespace

// process:COMMAND,move_ms=N,start_ms=N,total_ms=N,clock=SECONDS+SECONDS,else=AGENT
MadeAgent make_process_agent(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    if (!services.starts_programs) {
        made.error = "process: no programs are started here but those that were named when "
                     "croupier was started";
        return made;
    }
    // The command may contain anything; options after it end it.
    std::string command = spec.arguments;
    AgentSpec options{spec.name, spec.kind, {}};
    for (;;) {
        const std::size_t comma = command.rfind(',');
        const std::string last = comma == std::string::npos ? "" : command.substr(comma + 1);
        const std::string name = last.substr(0, last.find('='));
        const bool option =
            name.size() < last.size() && !name.empty() &&
            name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
        if (!option) break;
        options.arguments = last + (options.arguments.empty() ? "" : ",") + options.arguments;
        command.resize(comma);
    }
    Arguments arguments(options);
    ProcessLimits limits;
    const auto limit = [&](std::string_view name, std::chrono::milliseconds& value) {
        std::uint64_t ms = 0;
        const bool given = arguments.number(name, ms, 1, kMaxTime.count());
        if (given) value = std::chrono::milliseconds(ms);
        return given;
    };
    limit("start_ms", limits.start);
    const bool move = limit("move_ms", limits.move);
    const bool total = limit("total_ms", limits.total);
    std::string clock;
    const bool clocked = arguments.text("clock", clock);
    if (clocked && !move) limits.move = kMaxTime; // only the clock counts
    std::string other;
    const bool substitutes = arguments.text("else", other);
    made.error = arguments.error();
    if (made.error.empty() && clocked && total)
        made.error = "process: clock or total_ms is the limit, not both";
    if (made.error.empty() && clocked && !read_clock(clock, limits))
        made.error =
            fmt::format("process: clock is SECONDS+SECONDS, as in 60+0.5, found '{}'", clock);
    if (made.error.empty() && command.empty())
        made.error = "process takes a command, as in process:python3 bot.py";
    if (made.error.empty() && services.clock == nullptr)
        made.error = "process needs a clock, and there is none here";
    std::unique_ptr<Agent> plays_on;
    if (made.error.empty() && substitutes) {
        made = make_agent(parse_agent_spec(other), as_part(services));
        if (made.agent == nullptr) {
            if (!made.error.empty()) made.error = "process: else: " + made.error;
            return made;
        }
        plays_on = std::move(made.agent);
    }
    if (made.error.empty())
        made.agent = std::make_unique<ProcessAgent>(command, limits, *services.clock,
                                                    std::move(plays_on), services.abandon);
    return made;
}

} // namespace croupier::agents
