// Plans as JSON, agents with values.
#include "tournaments/tuning/plan.h"

#include "agents/registry.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace croupier::tournaments {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

Json json_of(const TunedParameter& parameter) {
    return {{"name", parameter.name},    {"start", parameter.start},
            {"least", parameter.least},  {"greatest", parameter.greatest},
            {"whole", parameter.whole},  {"apart", parameter.end_apart},
            {"rate", parameter.end_rate}};
}

TunedParameter parameter_of(const Json& json) {
    TunedParameter parameter{json.at("name").get<std::string>(), json.at("start").get<double>(),
                             json.at("least").get<double>(), json.at("greatest").get<double>(),
                             json.at("whole").get<bool>()};
    parameter.end_apart = json.at("apart").get<double>();
    parameter.end_rate = json.at("rate").get<double>();
    return parameter;
}

} // namespace

Json to_json(const TuningPlan& plan) {
    Json parameters = Json::array();
    for (const TunedParameter& parameter : plan.parameters)
        parameters.push_back(json_of(parameter));
    Json json = {{"format", kFormat},
                 {"game", plan.game},
                 {"set", plan.set},
                 {"agent", plan.agent},
                 {"against", plan.against},
                 {"parameters", std::move(parameters)},
                 {"blocks", plan.blocks},
                 {"blocks_a_step", plan.blocks_a_step},
                 {"proof",
                  {{"blocks", plan.proof_blocks},
                   {"elo0", plan.bounds.elo0},
                   {"elo1", plan.bounds.elo1},
                   {"alpha", plan.bounds.alpha},
                   {"beta", plan.bounds.beta},
                   {"model", to_string(plan.bounds.model)}}},
                 {"seed", plan.seed},
                 {"games_a_block", plan.games_a_block},
                 {"identity", Json::parse(plan.identity)}};
    if (plan.worth > 0) json["worth"] = plan.worth;
    return json;
}

std::optional<TuningPlan> plan_of(const Json& json, std::string& failure) {
    TuningPlan plan;
    try {
        if (json.at("format").get<int>() != kFormat) {
            failure = "is of another version of croupier";
            return std::nullopt;
        }
        plan.game = json.at("game").get<std::string>();
        plan.set = json.at("set").get<std::vector<std::string>>();
        plan.agent = json.at("agent").get<std::string>();
        plan.against = json.at("against").get<std::vector<std::string>>();
        for (const Json& parameter : json.at("parameters"))
            plan.parameters.push_back(parameter_of(parameter));
        plan.worth = json.value("worth", 0.0);
        plan.blocks = json.at("blocks").get<std::uint64_t>();
        plan.blocks_a_step = json.at("blocks_a_step").get<std::uint64_t>();
        const Json& proof = json.at("proof");
        plan.proof_blocks = proof.at("blocks").get<std::uint64_t>();
        const auto model = results::model_of(proof.at("model").get<std::string>());
        plan.bounds = {proof.at("elo0").get<double>(), proof.at("elo1").get<double>(),
                       proof.at("alpha").get<double>(), proof.at("beta").get<double>(),
                       model.value_or(results::EloModel::Normalized)};
        plan.seed = json.at("seed").get<std::uint64_t>();
        plan.games_a_block = json.at("games_a_block").get<std::uint32_t>();
        plan.identity = json.at("identity").dump();
        for (const TunedParameter& parameter : plan.parameters) {
            failure = wrong_with(parameter);
            if (!failure.empty()) failure = parameter.name + ": " + failure;
            if (!failure.empty()) return std::nullopt;
        }
        const auto bounds = results::wrong_with(plan.bounds);
        if (!(plan.worth >= 0) || plan.parameters.empty() || plan.blocks_a_step == 0 ||
            plan.games_a_block == 0 || !model || bounds) {
            failure = bounds.value_or("is damaged");
            return std::nullopt;
        }
    } catch (const nlohmann::json::exception& wrong) {
        failure = fmt::format("is damaged: {}", wrong.what());
        return std::nullopt;
    }
    return plan;
}

std::string with_values(const std::string& agent, const std::vector<TunedParameter>& parameters,
                        const std::vector<double>& values) {
    const std::size_t colon = agent.find(':');
    std::string_view rest =
        colon == std::string::npos ? std::string_view() : std::string_view(agent).substr(colon + 1);
    std::string arguments;
    const auto add = [&](std::string_view argument) {
        if (!arguments.empty()) arguments += ',';
        arguments += argument;
    };
    while (!rest.empty()) {
        const std::string_view one = rest.substr(0, agents::first_piece(rest));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        const bool replaced =
            std::any_of(parameters.begin(), parameters.end(), [&](const TunedParameter& parameter) {
                return one.starts_with(parameter.name) &&
                       one.substr(parameter.name.size()).starts_with('=');
            });
        if (!replaced) add(one);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i)
        add(parameters[i].whole
                ? fmt::format("{}={}", parameters[i].name, static_cast<std::int64_t>(values[i]))
                : fmt::format("{}={:.6g}", parameters[i].name, values[i]));
    return agent.substr(0, colon) + ":" + arguments;
}

std::optional<double> point_score(std::span<const results::GameRecord> games, double worth) {
    double sum = 0;
    std::size_t counted = 0;
    for (const results::GameRecord& game : games) {
        if (!results::has_points(game.end)) continue;
        std::array<double, 2> points{}; // of the first agent, of the others
        std::array<double, 2> seats{};
        for (const results::SeatRecord& seat : game.seats) {
            const std::size_t side = seat.agent == 0 ? 0 : 1;
            points[side] += seat.score;
            ++seats[side];
        }
        if (seats[0] == 0 || seats[1] == 0) continue;
        const double ahead = points[0] / seats[0] - points[1] / seats[1];
        sum += std::clamp((1 + ahead / worth) / 2, 0.0, 1.0);
        ++counted;
    }
    if (counted == 0) return std::nullopt;
    return sum / static_cast<double>(counted);
}

std::optional<std::optional<double>> proof_of(std::string_view line) {
    if (line == "void") return std::optional<double>();
    double score = 0;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), score);
    const bool whole = read.ec == std::errc() && read.ptr == line.data() + line.size();
    if (!whole || !(score >= 0 && score <= 1)) return std::nullopt;
    return std::optional(score);
}

std::string proof_line(std::optional<double> score) {
    return score ? fmt::format("{}\n", *score) : "void\n";
}

} // namespace croupier::tournaments
