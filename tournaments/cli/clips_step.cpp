// Commands of croupier clips --step.
#include "tournaments/cli/clips_step.h"

#include "engine/clips/explain.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <istream>
#include <string>
#include <vector>

namespace croupier::cli {
namespace {

namespace clips = engine::clips;
using engine::Agenda;

class Stepper {
  public:
    Stepper(clips::Session& session, Context& context) : session_(session), context_(context) {}

    int run() {
        session_.watches().facts = session_.watches().rules = true;
        help();
        show_next();
        std::string line;
        while (std::getline(context_.in, line)) {
            const std::size_t space = line.find(' ');
            const std::string word = line.substr(0, space);
            const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
            if (word == "quit" || word == "q") break;
            execute(word, rest);
            if (session_.exit_code()) return *session_.exit_code();
        }
        return kGood;
    }

  private:
    void execute(const std::string& word, const std::string& rest) {
        if (word.empty() || word == "step" || word == "s")
            fire(1);
        else if (word == "run" || word == "r")
            fire_some(rest);
        else if (word == "next" || word == "n")
            show_next();
        else if (word == "agenda" || word == "a")
            show_agenda();
        else if (word == "facts" || word == "f")
            show_facts(rest);
        else if (word == "why" || word == "w")
            why(rest);
        else if (word == "help" || word == "h")
            help();
        else
            line(fmt::format(
                "unknown command '{}'{}", word,
                did_you_mean(word, std::vector<std::string>{"agenda", "facts", "run", "step",
                                                            "next", "why", "help", "quit"})));
    }

    void line(const std::string& text) { context_.out().line({text}); }

    void help() {
        line("next, agenda, facts [RELATION], run [N], why RULE, help, quit; an empty line fires "
             "once");
    }

    // Its salience and rule, then the facts that it matches.
    void show(Agenda::Handle handle) {
        line(fmt::format("{:<6} {}", session_.agenda().entry(handle).salience,
                         session_.describe(handle)));
        for (const clips::Fact* fact : session_.basis(handle))
            line(fmt::format("         f-{:<5} {}", fact->index, session_.shown_fact(*fact)));
    }

    void show_next() {
        const Agenda::Handle next = session_.agenda().next();
        if (next == Agenda::kNone) {
            line("the agenda is empty");
            return;
        }
        line("next:");
        show(next);
    }

    void show_agenda() {
        std::vector<Agenda::Handle> all;
        session_.agenda().list(all);
        for (const Agenda::Handle handle : all)
            show(handle);
        line(fmt::format("{} activation{}, {}", all.size(), all.size() == 1 ? "" : "s",
                         engine::strategy_name(session_.agenda().strategy())));
    }

    void show_facts(const std::string& relation) {
        std::size_t count = 0;
        for (const clips::Fact* fact = session_.network().facts().first; fact != nullptr;
             fact = fact->next) {
            if (!relation.empty() && fact->of->name->text != relation) continue;
            line(fmt::format("f-{:<5} {}", fact->index, session_.shown_fact(*fact)));
            ++count;
        }
        line(fmt::format("{} fact{}", count, count == 1 ? "" : "s"));
    }

    void why(const std::string& rule) {
        const std::string text = clips::why(session_, rule);
        if (!text.empty()) {
            context_.out().raw(text);
            return;
        }
        std::vector<std::string> known;
        for (const clips::Rule& one : session_.rules())
            if (one.last != nullptr) known.push_back(one.name->text);
        line(fmt::format("there is no rule '{}'{}", rule, did_you_mean(rule, known)));
    }

    void fire_some(const std::string& count) {
        std::int64_t limit = -1;
        const char* end = count.data() + count.size();
        const auto read = std::from_chars(count.data(), end, limit);
        if (!count.empty() && (read.ec != std::errc() || read.ptr != end || limit < 0)) {
            line(fmt::format("'{}' is not a number of firings", count));
            return;
        }
        fire(limit);
    }

    void fire(std::int64_t limit) {
        const std::int64_t fired = session_.run(limit);
        line(fmt::format("{} fired", fired));
        show_next();
    }

    clips::Session& session_;
    Context& context_;
};

} // namespace

int step_through(clips::Session& session, Context& context) {
    return Stepper(session, context).run();
}

} // namespace croupier::cli
