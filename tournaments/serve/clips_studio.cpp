// A program of CLIPS looked at: what it says is put as the studio puts rulesets.
#include "games/clips/program.h"
#include "tournaments/serve/refused.h"
#include "tournaments/serve/studio.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <regex>
#include <sstream>
#include <thread>
#include <utility>

namespace croupier::serve {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostClipsFirings = 100'000;
constexpr std::uint64_t kMostSteps = 2'000'000;
constexpr std::size_t kMemory = std::size_t{256} << 20;
constexpr std::size_t kMostSaid = std::size_t{1} << 16;
constexpr std::chrono::seconds kPatience{30};

// Ends a program that takes too long, for what no budget counts.
class Guard {
  public:
    explicit Guard(const games::clips::Program& program)
        : thread_([this, &program](const std::stop_token& over) {
              std::unique_lock lock(mutex_);
              changed_.wait_for(lock, over, kPatience, [] { return false; });
              if (!over.stop_requested()) program.kill();
          }) {}

  private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::jthread thread_; // ends before what it waits on
};

// Where a list of the text ends that begins there.
std::size_t end_of_list(const std::string& text, std::size_t at) {
    int depth = 0;
    bool quoted = false;
    for (; at < text.size(); ++at) {
        if (quoted) {
            if (text[at] == '\\')
                ++at;
            else if (text[at] == '"')
                quoted = false;
        } else if (text[at] == ';') {
            at = std::min(text.find('\n', at), text.size() - 1);
        } else if (text[at] == '"') {
            quoted = true;
        } else if (text[at] == '(') {
            ++depth;
        } else if (text[at] == ')' && --depth == 0) {
            return at + 1;
        }
    }
    return text.size();
}

class Looker {
  public:
    Looker(games::clips::Program& program, const std::string& text, std::string& said)
        : program_(program), text_(text), said_(said), letters_(text) {
        static const std::regex kRule(R"re(\(\s*defrule\s+(?:MAIN::)?([^\s()";]+))re");
        for (std::sregex_iterator one(text.begin(), text.end(), kRule), end; one != end; ++one) {
            const auto begin = static_cast<std::size_t>(one->position());
            places_.emplace((*one)[1], letters_.span(begin, end_of_list(text, begin)));
        }
    }

    Json look(const nlohmann::json& asked) {
        const bool good = program_.load({"program", text_});
        Json json = {
            {"clips", true}, {"diagnostics", good ? Json::array() : diagnostics()}, {"good", good}};
        if (!good) return json;
        Json rules = Json::array();
        for (const std::string& rule : program_.rules()) {
            rules.push_back(named(rule));
            rules.back()["depth"] = 0;
        }
        json["groups"] =
            Json::array({{{"name", "program"}, {"agenda", true}, {"rules", std::move(rules)}}});
        const bool heat = asked.value("heat", false);
        if (heat) program_.profile();
        const std::int64_t fired = run(asked);
        for (const games::clips::ListedFact& fact : program_.facts())
            facts_[fact.index] = fact.text;
        json["look"] = stand(fired, asked.value("rule", ""));
        json["heat"] = Json::array();
        for (const games::clips::ConstructCost& cost :
             heat ? program_.costs() : decltype(program_.costs()){})
            if (const auto at = places_.find(cost.name);
                cost.kind == "defrule" && at != places_.end())
                json["heat"].push_back({at->second[0], cost.entries, cost.entries});
        if (!asked.value("state", "").empty())
            json["state_wrong"] = Json::array(
                {{{"message", "facts come from the text of the program: change them there"},
                  {"line", 1},
                  {"column", 1}}});
        return json;
    }

  private:
    // What the library said while it read the text: "program:7:", the error, the construct.
    [[nodiscard]] Json diagnostics() const {
        Json all = Json::array();
        static const std::regex kError(R"(program:(\d+):\s*\[(\w+)\] ([^\n]*))");
        for (std::sregex_iterator one(said_.begin(), said_.end(), kError), end; one != end; ++one) {
            const std::size_t line = std::stoul((*one)[1]);
            std::size_t begin = 0;
            for (std::size_t passed = 1; passed < line && begin < text_.size(); ++passed)
                begin = std::min(text_.find('\n', begin), text_.size() - 1) + 1;
            all.push_back(
                {{"error", true},
                 {"code", (*one)[2].str()},
                 {"message", (*one)[3].str()},
                 {"hint", ""},
                 {"line", line},
                 {"column", 1},
                 {"span", letters_.span(begin, std::min(text_.find('\n', begin), text_.size()))}});
        }
        return all;
    }

    [[nodiscard]] Json named(const std::string& rule) const {
        const auto at = places_.find(rule);
        return {{"name", rule}, {"span", at == places_.end() ? Json() : at->second}};
    }

    std::int64_t run(const nlohmann::json& asked) {
        program_.reset();
        for (const games::clips::ListedFact& fact : program_.facts()) // as where it is a game
            if (fact.text.starts_with("(game-strategy "))
                program_.set_strategy(fact.text.substr(15, fact.text.size() - 16));
        program_.seed(static_cast<std::uint32_t>(asked.value("seed", std::uint64_t{1})));
        program_.reset();
        said_.clear();
        const std::uint64_t wanted =
            std::min(asked.value("firings", std::uint64_t{0}), kMostClipsFirings);
        std::int64_t fired =
            wanted == 0 ? 0 : program_.run(static_cast<std::int64_t>(wanted), kMostSteps).fired;
        const auto until = asked.value("until", std::vector<std::string>());
        for (const std::string& rule : until)
            if (places_.contains(rule)) program_.command("(set-break " + rule + ")\n");
        if (!until.empty()) fired += program_.run(kMostClipsFirings, kMostSteps).fired;
        return fired;
    }

    [[nodiscard]] Json match(const std::string& basis) const {
        Json facts = Json::object();
        std::istringstream words(basis);
        for (std::string index; std::getline(words, index, ',');)
            if (facts_.contains(index)) facts[index] = facts_[index];
        return facts;
    }

    static Json keys(const Json& object) {
        Json all = Json::array();
        for (const auto& [key, value] : object.items())
            all.push_back(key);
        return all;
    }

    Json stand(std::int64_t fired, const std::string& rule) {
        Json look = {{"group", "program"},
                     {"firings", fired},
                     {"state", facts_},
                     {"printed", Json::array()},
                     {"agenda", Json::array()}};
        Json matches = Json::array(); // of the rule that is asked about
        for (const games::clips::ListedActivation& one : program_.agenda()) {
            Json facts = match(one.basis);
            if (look["agenda"].empty()) {
                look["next"] = named(one.rule);
                look["next"].update({{"match", facts}, {"nodes", keys(facts)}});
            }
            if (one.rule == rule) matches.push_back({{"values", facts}, {"nodes", keys(facts)}});
            look["agenda"].push_back({{"rule", one.rule},
                                      {"salience", one.salience},
                                      {"fired", false},
                                      {"match", std::move(facts)}});
        }
        look["ended"] = look["agenda"].empty();
        std::istringstream lines(said_);
        for (std::string line; std::getline(lines, line);)
            look["printed"].push_back(line);
        const std::string why = rule.empty() ? "" : program_.why(rule);
        if (why.empty()) return look;
        look["rule"] = named(rule);
        look["rule"].update({{"count", matches.size()},
                             {"entries", Json::array()},
                             {"fires", false},
                             {"text", why}});
        if (matches.empty()) look["rule"]["error"] = why;
        look["rule"]["matches"] = std::move(matches);
        return look;
    }

    games::clips::Program& program_;
    const std::string& text_;
    std::string& said_;
    Letters letters_;
    std::map<std::string, Json> places_; // of rules
    Json facts_ = Json::object();
};

} // namespace

Json look_at_program(const std::string& worker, const std::string& text,
                     const nlohmann::json& asked) {
    using Why = Refused::Why;
    if (worker.empty()) throw Refused(Why::Wrong, "There is no library of CLIPS in this build.");
    std::string said;
    const auto print = [&](std::string_view more, bool) {
        said += more.substr(0, kMostSaid - std::min(kMostSaid, said.size()));
    };
    try {
        games::clips::Program program(worker, {print, {}, {}}, kMemory);
        const Guard guard(program);
        return Looker(program, text, said).look(asked);
    } catch (const games::clips::Ended& end) {
        throw Refused(Why::Wrong, end.code ? "The program has said (exit)." : end.what());
    }
}

} // namespace croupier::serve
