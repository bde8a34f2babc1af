// Speaks JSON lines with a program.
#include "agents/process/process_agent.h"

#include "agents/arguments.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::agents {
namespace {

using engine::Document;
using engine::Scalar;

constexpr std::chrono::milliseconds kToEnd{500}; // what a program may take to end by itself

std::string quoted(std::string_view text) {
    return engine::scalar_json(Scalar(std::string(text)));
}

std::string game_line(const Game& game, Seat me) {
    const games::Facts& facts = game.facts();
    std::string options;
    for (const games::GameOption& option : facts.options)
        options += fmt::format("{}{}:{}", options.empty() ? "" : ",", quoted(option.name),
                               engine::scalar_json(option.value));
    std::string players;
    for (const std::string& player : facts.players)
        players += (players.empty() ? "" : ",") + quoted(player);
    return fmt::format(
        R"({{"type":"game","game":{},"revision":{},"options":{{{}}},"players":[{}],"me":{}}})",
        quoted(facts.name), quoted(facts.revision), options, players, quoted(facts.players[me]));
}

std::string choose_line(const Position& view, std::uint64_t random) {
    std::string moves;
    for (std::size_t i = 0; i < view.move_count(); ++i)
        moves += (i == 0 ? "" : ",") + quoted(view.text(view.move(i)));
    return fmt::format(R"({{"type":"choose","moves":[{}],"random":{},"view":{}}})", moves, random,
                       engine::write_json(view.state(), -1));
}

std::string result_line(const Position& view) {
    const games::Facts& facts = view.game().facts();
    std::string scores;
    std::string places;
    for (Seat seat = 0; seat < facts.seats(); ++seat) {
        const std::string name = (seat == 0 ? "" : ",") + quoted(facts.players[seat]);
        scores += fmt::format("{}:{}", name, view.score(seat));
        places += fmt::format("{}:{}", name, view.place(seat));
    }
    return fmt::format(R"({{"type":"result","ending":{},"scores":{{{}}},"places":{{{}}}}})",
                       quoted(games::name_of(view.ending())), scores, places);
}

std::string text_at(const Document& object, std::string_view key) {
    const engine::Member* member = object.is_object() ? object.find(key) : nullptr;
    return member != nullptr && member->value.is_string() ? member->value.text() : std::string();
}

// What a program said, for people: one line, not too long.
std::string excerpt(std::string_view text) {
    constexpr std::size_t kMost = 80;
    return quoted(text.substr(0, kMost)) + (text.size() > kMost ? ".." : "");
}

} // namespace

ProcessAgent::ProcessAgent(std::string command, const ProcessLimits& limits, const Clock& clock)
    : command_(std::move(command)), limits_(limits), clock_(clock), child_(clock) {}

ProcessAgent::~ProcessAgent() {
    if (!child_.is_running()) return;
    const auto deadline = clock_.now() + kToEnd;
    (void)child_.write_line(R"({"type":"quit"})", deadline);
    child_.finish(deadline);
}

void ProcessAgent::fail(FaultKind kind, std::string what) {
    child_.kill();
    const std::string& errors = child_.errors();
    const std::size_t end = errors.find_last_not_of('\n');
    if (end != std::string::npos) {
        const std::size_t begin = errors.rfind('\n', end);
        what += "; it last said " + excerpt(std::string_view(errors).substr(
                                        begin == std::string::npos ? 0 : begin + 1,
                                        end - (begin == std::string::npos ? 0 : begin + 1) + 1));
    }
    fault_ = {greeted_ ? kind : FaultKind::Start, std::move(what)};
}

void ProcessAgent::fail(Child::Outcome outcome) {
    switch (outcome) {
    case Child::Outcome::Closed:
        return fail(FaultKind::Crash, "the program " + child_.how_it_ended(clock_.now() + kToEnd));
    case Child::Outcome::Late:
        return fail(FaultKind::Stall, "the program did not answer in time");
    default:
        return fail(FaultKind::Flood, "the program writes more than anybody may");
    }
}

bool ProcessAgent::say(const std::string& line, std::chrono::nanoseconds deadline) {
    const Child::Outcome outcome = child_.write_line(line, deadline);
    if (outcome != Child::Outcome::Good) fail(outcome);
    return outcome == Child::Outcome::Good;
}

// An answer: an object of that type.
bool ProcessAgent::hear(Document& answer, std::string_view type,
                        std::chrono::nanoseconds deadline) {
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

bool ProcessAgent::launch(std::chrono::nanoseconds deadline) {
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

void ProcessAgent::reset(const Game& game, Seat me) {
    fault_.reset();
    used_ = {};
    game_ = &game;
    if (!child_.is_running() && !launch(clock_.now() + limits_.start)) return;
    say(game_line(game, me), clock_.now() + limits_.move);
}

std::size_t ProcessAgent::choose(const Position& view, Random& random) {
    if (fault_) return kNoChoice; // of something before
    if (child_.has_spoken()) {
        fail(FaultKind::Garbage, "the program has spoken without being asked");
        return kNoChoice;
    }
    const auto begin = clock_.now();
    const auto left = std::min<std::chrono::nanoseconds>(limits_.move, limits_.total - used_);
    Document answer;
    // Integers of JSON have 63 bits.
    if (!say(choose_line(view, random.next() >> 1), begin + left) ||
        !hear(answer, "move", begin + left))
        return kNoChoice;
    used_ += clock_.now() - begin;
    const std::string move = text_at(answer, "move");
    for (std::size_t i = 0; i < view.move_count(); ++i) {
        if (view.text(view.move(i)) == move) return i;
    }
    fail(FaultKind::Illegal, fmt::format("the move {} is not legal", excerpt(move)));
    return kNoChoice;
}

void ProcessAgent::observe(const Position&, const Seen& move) {
    if (fault_) return;
    say(fmt::format(R"({{"type":"observe","player":{},"move":{}}})",
                    quoted(game_->facts().players[move.player]),
                    move.move.empty() ? "null" : quoted(move.move)),
        clock_.now() + limits_.move);
}

void ProcessAgent::ends(const Position& view) {
    if (!fault_) say(result_line(view), clock_.now() + limits_.move);
}

MadeAgent make_process_agent(const AgentSpec& spec, const Surroundings& surroundings) {
    MadeAgent made;
    // The command may hold anything: what ends it are options that stand behind it.
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
        if (arguments.number(name, ms, 1, 86'400'000)) value = std::chrono::milliseconds(ms);
    };
    limit("move_ms", limits.move);
    limit("start_ms", limits.start);
    limit("total_ms", limits.total);
    made.error = arguments.error();
    if (made.error.empty() && command.empty())
        made.error = "process takes a command, as in process:python3 bot.py";
    if (made.error.empty() && surroundings.clock == nullptr)
        made.error = "process needs a clock, and there is none here";
    if (made.error.empty())
        made.agent = std::make_unique<ProcessAgent>(command, limits, *surroundings.clock);
    return made;
}

} // namespace croupier::agents
