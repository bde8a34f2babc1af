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
        const auto& rows = costs.table.rows();
        for (auto row = rows.begin(); row != rows.end(); ++row) {
            if (row->first.entry == kNothing) begin(row->first, row->second);
        }
        for (const auto& [key, cost] : rows) {
            if (key.entry != kNothing) take(key, cost);
        }
        // Entries were timed in the twin; their shares are of the time of the plan that is played.
        for (auto& [key, rule] : of_rules_)
            end(key, rule);
    }

    std::vector<Stack> all;

  private:
    struct OfRule {
        Cost cost;
        std::uint64_t twin_ns = 0;
        std::map<std::uint32_t, std::uint64_t> entries;
    };

    static CostKey whole(CostKey key) {
        key.entry = kNothing;
        return key;
    }

    void begin(const CostKey& key, const Cost& cost) { of_rules_[key].cost = cost; }

    void take(const CostKey& key, const Cost& cost) {
        OfRule& rule = of_rules_[whole(key)];
        rule.entries[key.entry] = cost.match_ns;
        rule.twin_ns += cost.match_ns;
    }

    void end(const CostKey& key, const OfRule& rule) {
        std::vector<std::string> frames = frames_of(key);
        if (rule.twin_ns == 0) {
            add(frames, rule.cost.match_ns);
        } else {
            for (const auto& [entry, ns] : rule.entries) {
                std::vector<std::string> inner = frames;
                add_entries(rules_[key.rule], entry, inner);
                const double share = static_cast<double>(ns) / static_cast<double>(rule.twin_ns);
                add(inner,
                    static_cast<std::uint64_t>(share * static_cast<double>(rule.cost.match_ns)));
            }
        }
        frames.emplace_back("(acts)");
        add(frames, rule.cost.act_ns);
    }

    [[nodiscard]] std::vector<std::string> frames_of(const CostKey& key) const {
        const RuleFacts& rule = rules_[key.rule];
        std::vector<std::string> frames{owner_of(rule, facts_.game, facts_.agents),
                                        std::string(name_of(key.phase))};
        if (key.seat != kNothing) frames.push_back(facts_.players[key.seat]);
        frames.push_back(rule.group + "." + rule.name);
        return frames;
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
    std::map<CostKey, OfRule> of_rules_;
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
