// Lists the costs that the matcher of CLIPS has counted.
#include "tournaments/cli/clips_profile.h"

#include "engine/clips/explain.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace croupier::cli {
namespace {

namespace clips = engine::clips;

std::vector<clips::RuleCost> dearest_first(clips::Session& session) {
    std::vector<clips::RuleCost> all = clips::costs(session);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return a.match_nanoseconds + a.action_nanoseconds >
               b.match_nanoseconds + b.action_nanoseconds;
    });
    return all;
}

} // namespace

std::string clips_profile_text(clips::Session& session) {
    std::string text = "\nrule: activations made, withdrawn, firings, us matching, us acting\n"
                       "    condition: offered, tested, passed, us (its share)\n";
    for (const clips::RuleCost& rule : dearest_first(session)) {
        text += fmt::format("{}: {}, {}, {}, {:.0f}, {:.0f}\n", rule.rule, rule.activations,
                            rule.withdrawn, rule.firings, rule.match_nanoseconds / 1000,
                            rule.action_nanoseconds / 1000);
        for (const clips::ElementCost& element : rule.elements) {
            text += fmt::format("    {}: {}, {}, {}, {:.1f}{}\n", element.text, element.offered,
                                element.tested, element.passed, element.nanoseconds / 1000,
                                element.shared_by > 1
                                    ? fmt::format(" (shared by {} rules)", element.shared_by)
                                    : "");
        }
    }
    return text;
}

std::string clips_profile_json(clips::Session& session, std::int64_t firings) {
    using Json = nlohmann::ordered_json;
    Json rules = Json::array();
    for (const clips::RuleCost& rule : dearest_first(session)) {
        Json elements = Json::array();
        for (const clips::ElementCost& element : rule.elements)
            elements.push_back({{"text", element.text},
                                {"offered", element.offered},
                                {"tested", element.tested},
                                {"passed", element.passed},
                                {"shared_by", element.shared_by},
                                {"match_ns", std::llround(element.nanoseconds)}});
        rules.push_back({{"rule", rule.rule},
                         {"activations", rule.activations},
                         {"withdrawn", rule.withdrawn},
                         {"firings", rule.firings},
                         {"match_ns", std::llround(rule.match_nanoseconds)},
                         {"action_ns", std::llround(rule.action_nanoseconds)},
                         {"conditions", std::move(elements)}});
    }
    // A program's texts may be bytes that are no UTF-8.
    return Json({{"firings", firings}, {"rules", std::move(rules)}})
               .dump(2, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

} // namespace croupier::cli
