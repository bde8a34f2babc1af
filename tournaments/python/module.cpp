// The module croupier._native: exceptions, and the commands of the command line with agents that
// are functions of Python.
#include "agents/registry.h"
#include "engine/api/text.h"
#include "tournaments/cli/command_line.h"
#include "tournaments/cli/process.h"
#include "tournaments/python/game.h"
#include "tournaments/python/session.h"

#include "games/files.h"

#include <pybind11/stl.h>

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

// The stream that asmjit writes to, if ever: see CMakeLists.txt.
extern "C" {
extern FILE* __real_stderr;                                  // NOLINT: ld's --wrap names it
[[gnu::visibility("hidden")]] FILE* __wrap_stderr = nullptr; // NOLINT
}

namespace croupier::python {

using namespace py::literals;

namespace {
std::string home; // the file of this module; games and agents lie near it
}

Session::Session()
    : context(terminal, in, false,
              std::filesystem::path(games::shipped(home, CROUPIER_INSTALLED, "games"))
                  .parent_path()
                  .string()) {
    const std::string worker = games::shipped(home, CROUPIER_LIBEXEC, "clips");
    context.clips_worker = std::filesystem::exists(worker) ? worker : "";
}

int Notes::sync() {
    if (!told) return 0;
    const std::string_view all = view();
    const std::string more(all.substr(passed_on_));
    passed_on_ = all.size();
    if (!more.empty()) told(more);
    return 0;
}

namespace {

constexpr std::size_t kMostShown = 80; // of what an agent has chosen

// The exceptions of agents, with their tracebacks, by agent.
class Tracebacks {
  public:
    void add(const std::string& agent, const std::string& text) {
        const std::lock_guard lock(mutex_);
        first_.try_emplace(agent, text); // more would be the same many times
    }
    [[nodiscard]] const std::map<std::string, std::string>& first() const { return first_; }

  private:
    std::mutex mutex_;
    std::map<std::string, std::string> first_;
};

// Calls choose(view, legal) of Python. Takes the interpreter's lock for each decision.
class PythonAgent : public agents::Agent {
  public:
    // All must outlive it; `choose` is borrowed.
    PythonAgent(std::string name, py::handle choose, bool reproducible, Tracebacks& tracebacks)
        : name_(std::move(name)), choose_(choose), reproducible_(reproducible),
          tracebacks_(tracebacks) {}

    void reset(const games::Game& game, games::Seat me) override {
        me_ = me;
        fault_.reset();
        memory_.clear();
        if (game_ == nullptr || &game_->game() != &game)
            game_ = std::make_shared<OneGame>(game.shared_from_this());
    }

    std::size_t choose(const games::Position& view, games::Random& random) override {
        const py::gil_scoped_acquire lock;
        const auto lent = std::make_shared<OnePosition>(game_, view, random, memory_, me_);
        std::size_t chosen = agents::kNoChoice;
        try {
            chosen = answer(py::cast(lent), view);
        } catch (const std::exception& error) { // where even the traceback cannot be told
            fault_ = {agents::FaultKind::Crash, error.what()};
        }
        lent->give_back();
        return chosen;
    }
    [[nodiscard]] bool observes() const override {
        return game_->facts().hides && !game_->facts().moves.empty();
    }
    void observe(const games::Position& view, const agents::ObservedMove& seen) override {
        if (!seen.move.empty()) memory_.note({seen.player, seen.number, seen.secret}, view);
    }
    [[nodiscard]] const agents::AgentFault* fault() const override {
        return fault_ ? &*fault_ : nullptr;
    }
    [[nodiscard]] bool is_reproducible() const override { return reproducible_; }

  private:
    std::size_t answer(const py::object& lent, const games::Position& view) {
        try {
            const py::tuple legal = py::tuple(py::cast(legal_in(view)));
            return index_of(choose_(lent, legal), legal);
        } catch (py::error_already_set& error) {
            tell(error);
            return agents::kNoChoice;
        }
    }

    std::size_t index_of(const py::object& move, const py::tuple& legal) {
        if (py::isinstance<py::str>(move)) {
            for (std::size_t i = 0; i < legal.size(); ++i)
                if (py::object(legal[i]).equal(move)) return i;
        } else if (PyIndex_Check(move.ptr()) != 0 && !py::isinstance<py::bool_>(move)) {
            const std::int64_t number = whole(move);
            if (number >= 0 && static_cast<std::size_t>(number) < legal.size())
                return static_cast<std::size_t>(number);
        }
        fault_ = {agents::FaultKind::Illegal,
                  "chose " + engine::valid_utf8(py::repr(move).cast<std::string>(), kMostShown)};
        return agents::kNoChoice;
    }

    void tell(py::error_already_set& error) {
        const py::module_ traceback = py::module_::import("traceback");
        const auto joined = [](const py::object& lines) {
            return py::str("").attr("join")(lines).cast<std::string>();
        };
        std::string last =
            joined(traceback.attr("format_exception_only")(error.type(), error.value()));
        last = last.substr(0, last.find('\n'));
        const py::object trace = error.trace() ? error.trace() : py::none();
        tracebacks_.add(
            name_, joined(traceback.attr("format_exception")(error.type(), error.value(), trace)));
        fault_ = {agents::FaultKind::Crash, std::move(last)};
    }

    std::string name_;
    py::handle choose_;
    bool reproducible_;
    Tracebacks& tracebacks_;
    games::Seat me_ = 0;
    games::Memory memory_;
    std::shared_ptr<OneGame> game_;
    std::optional<agents::AgentFault> fault_;
};

// Signals and MPI belong to the process, so one command runs at a time.
std::atomic<bool> command_runs = false;
std::atomic<bool> program_ends = false;

struct Running {
    Running() {
        if (program_ends) throw Refusal("the program ends");
        if (command_runs.exchange(true))
            throw Refusal("a command is running already in this process");
    }
    ~Running() { command_runs = false; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
};

// code, standard output, standard error, tracebacks by agent. `told`: called with pieces of
// standard error as they come; may be None.
py::tuple command(const std::vector<std::string>& words,
                  const std::map<std::string, py::object>& agents, const py::object& told) {
    const Running running;
    Session session;
    if (!told.is_none())
        session.notes.told = [&](const std::string& text) {
            const py::gil_scoped_acquire lock;
            try {
                told(text);
            } catch (py::error_already_set& error) {
                error.discard_as_unraisable("croupier.command"); // it concerns no game
            }
        };
    session.context.plays_on_seconds = 2;
    Tracebacks tracebacks;
    std::map<std::string, bool> reproducible;
    for (const auto& [name, choose] : agents)
        reproducible[name] = py::bool_(py::getattr(choose, "reproducible", py::bool_(false)));
    session.context.hosted_agents = [&](const std::string& name) -> std::unique_ptr<agents::Agent> {
        const auto known = agents.find(name);
        if (known == agents.end()) return nullptr;
        return std::make_unique<PythonAgent>(name, known->second, reproducible.at(name),
                                             tracebacks);
    };
    int code = 0;
    {
        const py::gil_scoped_release agents_run;
        code = cli::run(words, session.context);
    }
    return py::make_tuple(code, session.out.str(), session.notes.str(), tracebacks.first());
}

// Called when the interpreter ends: threads that play must not meet it afterwards.
void end() {
    program_ends = true;
    const py::gil_scoped_release agents_run;
    while (command_runs) {
        cli::StopSignals::wanted() = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

} // namespace

PYBIND11_MODULE(_native, module) {
    __wrap_stderr = __real_stderr;
    // Never released: the interpreter may be gone when static objects are.
    static const py::handle kError = PyErr_NewExceptionWithDoc(
        "croupier.Error",
        "A mistake by the caller, or in a ruleset: `code`, `place`, `hint` of the first, and all "
        "`mistakes`.",
        PyExc_ValueError, nullptr);
    for (const char* const fact : {"code", "place", "hint"})
        kError.attr(fact) = "";
    kError.attr("mistakes") = py::tuple();
    module.attr("Error") = kError;
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            std::rethrow_exception(std::move(thrown));
        } catch (const Refusal& refusal) {
            const py::object raised = kError(refusal.what());
            py::list all;
            for (const Mistake& each : refusal.mistakes)
                all.append(py::dict("code"_a = each.code, "place"_a = each.place,
                                    "message"_a = each.message, "hint"_a = each.hint));
            const Mistake first = refusal.mistakes.empty() ? Mistake{} : refusal.mistakes.front();
            raised.attr("code") = first.code;
            raised.attr("place") = first.place;
            raised.attr("hint") = first.hint;
            raised.attr("mistakes") = all;
            PyErr_SetObject(kError.ptr(), raised.ptr());
        } catch (const tournaments::UserError& mistake) {
            PyErr_SetString(kError.ptr(), mistake.what());
        }
    });
    add_games(module);
    add_batch(module);
    module.def("command", &command, "words"_a, "agents"_a, "told"_a);
    module.def("set_home", [](std::string file) { home = std::move(file); });
    module.def("end", &end);
}

} // namespace croupier::python
