// Parses "ace=0..40,start=10,apart=2,rate=0.01", files of such lines, and option_values.
#include "tournaments/tuning/parameters.h"

#include "agents/arguments.h"
#include "agents/rules/rule_agent.h"
#include "results/store/file.h"
#include "tournaments/run/files.h"
#include "tournaments/tuning/spsa.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace croupier::tournaments {

namespace {

// As given, before defaults are added.
struct Said {
    std::string name;
    std::optional<double> least;
    std::optional<double> greatest;
    std::optional<double> start;
    std::optional<double> apart;
    std::optional<double> rate;
};

std::optional<double> number_of(std::string_view text) {
    double number = 0;
    return results::read_number(text, number) ? std::optional(number) : std::nullopt;
}

// "0..40"
bool read_range(std::string_view text, Said& said) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) return false;
    said.least = number_of(text.substr(0, dots));
    said.greatest = number_of(text.substr(dots + 2));
    return said.least && said.greatest;
}

std::optional<double>* member_of(Said& said, std::string_view key) {
    if (key == "least") return &said.least;
    if (key == "greatest") return &said.greatest;
    if (key == "start") return &said.start;
    if (key == "apart") return &said.apart;
    if (key == "rate") return &said.rate;
    return nullptr;
}

Said said_by(const std::string& word) {
    const auto wrong = [&](std::string_view what) {
        return UserError(fmt::format("--vary {}: {}; write NAME=LEAST..GREATEST, then optional "
                                     "settings, as in ace=0..40,start=10,apart=2,rate=0.01",
                                     word, what));
    };
    Said said;
    std::string_view rest = word;
    for (bool first = true; first || !rest.empty(); first = false) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos || equals == 0)
            throw wrong(fmt::format("'{}' is not NAME=VALUE", one));
        const std::string_view key = one.substr(0, equals);
        const std::string_view value = one.substr(equals + 1);
        if (first) {
            said.name = key;
            if (!read_range(value, said)) throw wrong(fmt::format("'{}' is not a range", value));
            continue;
        }
        std::optional<double>* const member = member_of(said, key);
        if (member == nullptr) throw wrong(fmt::format("there is no '{}'", key));
        *member = number_of(value);
        if (!*member) throw wrong(fmt::format("'{}' is not a number", value));
    }
    return said;
}

std::vector<Said> said_in(const std::string& file) {
    std::string text;
    if (const auto failure = results::read_file(file, text)) throw UserError(*failure);
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false, true);
    if (!json.is_object())
        throw UserError(fmt::format("{}: it takes an object, as in {{\"ace\": {{\"least\": 0, "
                                    "\"greatest\": 40}}}}",
                                    file));
    std::vector<Said> all;
    for (const auto& [name, members] : json.items()) {
        Said said;
        said.name = name;
        if (!members.is_object())
            throw UserError(
                fmt::format("{}: {}: it takes an object with least and greatest", file, name));
        for (const auto& [key, value] : members.items()) {
            std::optional<double>* const member = member_of(said, key);
            if (member == nullptr || !value.is_number())
                throw UserError(fmt::format(
                    "{}: {}: {} (there are least, greatest, start, apart and "
                    "rate)",
                    file, name,
                    member == nullptr ? "there is no '" + key + "'" : key + " is not a number"));
            *member = value.get<double>();
        }
        all.push_back(std::move(said));
    }
    return all;
}

// The numbers in the agent's file, by name.
std::map<std::string, Said> known_of(const std::string& agent, const PreparedRun& run) {
    std::map<std::string, Said> known;
    const agents::AgentSpec spec = agents::parse_agent_spec(agent);
    const agents::AgentServices services{*run.game, run.open, run.agents_folder, run.clock.get()};
    const games::RulesetGame* game = run.game->ruleset_game();
    const bool evaluates = spec.kind == "eval";
    agents::Arguments arguments(spec);
    agents::RuleRequest request{.path = arguments.word(),
                                .role = evaluates ? agents::RuleRole::Evaluator
                                                  : agents::RuleRole::Agent};
    if (game == nullptr || request.path.empty() || (!evaluates && spec.kind != "rules"))
        return known;
    request.path = agents::agent_file(spec.kind, request.path, services);
    if (!evaluates) request.parameters = agents::parameters_among(arguments);
    const agents::OpenedRules opened = agents::open_rules(request, services, *game);
    if (opened.program == nullptr) return known;
    for (const engine::Option& option : opened.program->parameters()) {
        Said said;
        said.name = option.name;
        const auto& value = option.value.scalar;
        if (const auto* integer = std::get_if<std::int64_t>(&value))
            said.start = static_cast<double>(*integer);
        else if (const auto* real = std::get_if<double>(&value))
            said.start = *real;
        if (option.values && option.values->is_string()) read_range(option.values->text(), said);
        known.emplace(option.name, said);
    }
    return known;
}

bool is_whole(std::optional<double> number) {
    return !number || *number == static_cast<double>(static_cast<std::int64_t>(*number));
}

// Missing parts are taken from the agent's file.
TunedParameter parameter_of(Said said, const std::map<std::string, Said>& known,
                            const std::string& agent, std::uint64_t blocks) {
    const auto its = known.find(said.name);
    if (its != known.end()) {
        if (!said.start) said.start = its->second.start;
        if (!said.least) said.least = its->second.least;
        if (!said.greatest) said.greatest = its->second.greatest;
    } else if (!known.empty()) {
        std::vector<std::string> names;
        names.reserve(known.size());
        for (const auto& [name, each] : known)
            names.push_back(name);
        throw UserError(fmt::format("{} has no parameter '{}'{}; it has {}", agent, said.name,
                                    did_you_mean(said.name, names), fmt::join(names, ", ")));
    }
    if (!said.least || !said.greatest)
        throw UserError(fmt::format("{}: no range given; write --vary {}=LEAST..GREATEST",
                                    said.name, said.name));
    if (!said.start)
        throw UserError(fmt::format("{}: no start value given; write --vary {}={}..{},start=N",
                                    said.name, said.name, *said.least, *said.greatest));
    TunedParameter parameter{said.name, *said.start, *said.least, *said.greatest,
                             is_whole(said.least) && is_whole(said.greatest) &&
                                 is_whole(said.start)};
    parameter.end_perturbation = said.apart.value_or(default_apart(parameter));
    parameter.end_rate = said.rate.value_or(default_rate(blocks));
    const std::string wrong = wrong_with(parameter);
    if (!wrong.empty()) throw UserError(fmt::format("{}: {}", said.name, wrong));
    return parameter;
}

} // namespace

std::vector<TunedParameter> parameters_to_tune(const std::vector<std::string>& varied,
                                               const std::string& file, const std::string& agent,
                                               const PreparedRun& run, std::uint64_t blocks) {
    const auto known = known_of(agent, run);
    std::vector<Said> all;
    if (!file.empty()) all = said_in(file);
    for (const std::string& word : varied)
        all.push_back(said_by(word));
    if (varied.empty() && file.empty()) {
        for (const auto& [name, said] : known)
            if (said.start && said.least) all.push_back(said);
    }
    if (all.empty())
        throw UserError(
            fmt::format("{} has no parameters of its own with a range; say which of its "
                        "arguments are tuned, as in --vary NAME=LEAST..GREATEST,start=N",
                        agent));
    std::vector<TunedParameter> parameters;
    for (const Said& said : all) {
        const bool again =
            std::any_of(parameters.begin(), parameters.end(),
                        [&](const TunedParameter& each) { return each.name == said.name; });
        if (again) throw UserError(fmt::format("{} is named twice", said.name));
        parameters.push_back(parameter_of(said, known, agent, blocks));
    }
    return parameters;
}

} // namespace croupier::tournaments
