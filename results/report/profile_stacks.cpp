// Costs as stacks, and in three formats that other programs draw.
#include "results/report/stacks.h"

#include "results/report/costs.h"
#include "results/report/profile_view.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace croupier::results {
namespace {

class Stacks {
  public:
    Stacks(const Costs& costs, const RunFacts& facts) : facts_(facts), rules_(costs.facts.rules) {
        for (const auto& [key, cost] : costs.table.rows()) {
            if (key.entry != kNothing && key.phase == Phase::Any)
                of_rules_[key.rule].entries[key.entry] = cost.match_ns;
            else if (key.phase == Phase::Any)
                of_rules_[key.rule].cost = cost;
            else if (key.entry == kNothing)
                of_rules_[key.rule].tried[key.phase] += cost.tried;
        }
        for (const auto& [rule, known] : of_rules_)
            add_rule(rule, known);
        for (std::size_t i = 0; i < kOutsides; ++i) {
            const auto where = static_cast<Outside>(i);
            add({fmt::format("({})", meaning_of(where))}, costs.table.outside(where));
        }
    }

    std::vector<Stack> all;

  private:
    struct OfRule {
        Cost cost;
        std::map<Phase, std::uint64_t> tried;
        std::map<std::uint32_t, std::uint64_t> entries;
    };

    // What of its search is for no entry of its own stands beside them.
    void add_rule(std::uint32_t rule, const OfRule& known) {
        std::vector<std::string> frames{owner_of(rules_[rule], facts_.game, facts_.agents)};
        // A rule that runs in several phases is shown where it is tried most.
        const auto most =
            std::max_element(known.tried.begin(), known.tried.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        if (most != known.tried.end()) frames.emplace_back(name_of(most->first));
        frames.push_back(rules_[rule].group + "." + rules_[rule].name);
        std::uint64_t rest = known.cost.match_ns;
        for (const auto& [entry, ns] : known.entries) {
            std::vector<std::string> inner = frames;
            add_entries(rules_[rule], entry, inner);
            add(inner, ns);
            rest -= std::min(rest, ns);
        }
        add(frames, rest);
        frames.emplace_back("(acts)");
        add(frames, known.cost.act_ns);
    }

    // The entries around it, the outermost first, and itself.
    static void add_entries(const RuleFacts& rule, std::uint32_t entry,
                            std::vector<std::string>& frames) {
        const std::size_t at = frames.size();
        std::uint32_t depth = rule.entries[entry].depth + 1;
        for (std::uint32_t i = entry + 1; i-- > 0;) {
            if (rule.entries[i].depth >= depth) continue;
            depth = rule.entries[i].depth;
            frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(at), rule.entries[i].text);
        }
    }

    void add(const std::vector<std::string>& frames, std::uint64_t ns) {
        if (ns > 0) all.push_back({frames, ns});
    }

    const RunFacts& facts_;
    const std::vector<RuleFacts>& rules_;
    std::map<std::uint32_t, OfRule> of_rules_;
};

} // namespace

std::vector<Stack> cost_stacks(const Costs& costs, const RunFacts& facts) {
    return Stacks(costs, facts).all;
}

std::string folded_stacks(const Costs& costs, const RunFacts& facts) {
    std::string text;
    for (const Stack& stack : cost_stacks(costs, facts)) {
        for (std::size_t i = 0; i < stack.frames.size(); ++i) {
            std::string frame = stack.frames[i];
            std::replace(frame.begin(), frame.end(), ';', ',');
            text += (i == 0 ? "" : ";") + frame;
        }
        text += fmt::format(" {}\n", stack.ns);
    }
    return text;
}

std::string speedscope_json(const Costs& costs, const RunFacts& facts) {
    using Json = nlohmann::ordered_json;
    std::map<std::string, std::size_t> index;
    Json frames = Json::array();
    Json samples = Json::array();
    Json weights = Json::array();
    std::uint64_t end = 0;
    for (const Stack& stack : cost_stacks(costs, facts)) {
        Json sample = Json::array();
        for (const std::string& frame : stack.frames) {
            const auto [known, is_new] = index.emplace(frame, index.size());
            if (is_new) frames.push_back({{"name", frame}});
            sample.push_back(known->second);
        }
        samples.push_back(std::move(sample));
        weights.push_back(stack.ns);
        end += stack.ns;
    }
    const Json json = {{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                       {"name", facts.game},
                       {"shared", {{"frames", frames}}},
                       {"profiles",
                        {{{"type", "sampled"},
                          {"name", facts.game},
                          {"unit", "nanoseconds"},
                          {"startValue", 0},
                          {"endValue", end},
                          {"samples", samples},
                          {"weights", weights}}}}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string chrome_trace_json(const Costs& costs, const RunFacts& facts) {
    using Json = nlohmann::ordered_json;
    struct Open {
        std::string frame;
        std::uint64_t begin;
    };
    Json events = Json::array();
    std::vector<Open> open;
    std::uint64_t now = 0;
    const auto close = [&](std::size_t depth) {
        for (; open.size() > depth; open.pop_back()) {
            events.push_back({{"name", open.back().frame},
                              {"ph", "X"},
                              {"pid", 1},
                              {"tid", 1},
                              {"ts", static_cast<double>(open.back().begin) / 1000},
                              {"dur", static_cast<double>(now - open.back().begin) / 1000}});
        }
    };
    for (const Stack& stack : cost_stacks(costs, facts)) {
        std::size_t same = 0;
        while (same < std::min(open.size(), stack.frames.size()) &&
               open[same].frame == stack.frames[same])
            ++same;
        close(same);
        for (std::size_t i = same; i < stack.frames.size(); ++i)
            open.push_back({stack.frames[i], now});
        now += stack.ns;
    }
    close(0);
    const Json json = {{"displayTimeUnit", "ns"}, {"traceEvents", events}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace croupier::results
