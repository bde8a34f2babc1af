// Plans as JSON, agents with values, and the file of steps.
#include "tournaments/tuning/plan.h"

#include "agents/registry.h"
#include "results/store/file.h"
#include "tournaments/run/run_folder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace croupier::tournaments {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 2;

Json json_of(const TunedParameter& parameter) {
    return {{"name", parameter.name},    {"start", parameter.start},
            {"least", parameter.least},  {"greatest", parameter.greatest},
            {"whole", parameter.whole},  {"apart", parameter.end_perturbation},
            {"rate", parameter.end_rate}};
}

TunedParameter parameter_of(const results::JsonField& json) {
    TunedParameter parameter{json.at("name").text(), json.at("start").real(),
                             json.at("least").real(), json.at("greatest").real(),
                             json.at("whole").truth()};
    parameter.end_perturbation = json.at("apart").real();
    parameter.end_rate = json.at("rate").real();
    const std::string wrong = wrong_with(parameter);
    if (!wrong.empty()) json.wrong(wrong);
    return parameter;
}

std::string titles_of(const Spsa& spsa) {
    std::string line = "blocks,result";
    for (const TunedParameter& parameter : spsa.parameters())
        line += "," + parameter.name;
    return line + "\n";
}

std::string row_of(const Spsa& spsa, double result) {
    std::string line = fmt::format("{},{}", spsa.blocks(), result);
    for (const double value : spsa.values())
        line += fmt::format(",{}", value);
    return line + "\n";
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

TuningPlan plan_of(const results::JsonField& json) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
    TuningPlan plan;
    if (json.at("format").number(0, kMax) != kFormat)
        json.at("format").wrong("it is of another version of croupier");
    refuse_altered(json);
    plan.game = json.at("game").text();
    plan.set = json.at("set").texts();
    plan.agent = json.at("agent").text();
    plan.against = json.at("against").texts();
    for (const results::JsonField& parameter : json.at("parameters").items())
        plan.parameters.push_back(parameter_of(parameter));
    if (plan.parameters.empty()) json.at("parameters").wrong("there is none");
    if (const auto worth = json.find("worth")) plan.worth = worth->real();
    if (!(plan.worth >= 0)) json.at("worth").wrong("it is below 0");
    plan.blocks = json.at("blocks").number(0, kMax);
    plan.blocks_a_step = json.at("blocks_a_step").number(1, kMax);
    const results::JsonField proof = json.at("proof");
    plan.proof_blocks = proof.at("blocks").number(0, kMax);
    const auto model = results::model_of(proof.at("model").text());
    if (!model) proof.at("model").wrong("there is no such model");
    plan.bounds = {proof.at("elo0").real(), proof.at("elo1").real(), proof.at("alpha").real(),
                   proof.at("beta").real(), *model};
    if (const auto wrong = results::wrong_with(plan.bounds)) proof.wrong(*wrong);
    plan.seed = json.at("seed").number(0, ~std::uint64_t{0});
    plan.games_a_block = static_cast<std::uint32_t>(
        json.at("games_a_block").number(1, std::numeric_limits<std::uint32_t>::max()));
    plan.identity = json.at("identity").value().dump();
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
        std::array<double, 2> points{}; // of the first agent, and of the others
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

std::optional<std::optional<double>> ProofLines::read(std::string_view line) {
    const std::string_view text = line.substr(0, line.find(','));
    double number = 0;
    const bool is_score = results::read_number(text, number) && number >= 0 && number <= 1;
    if (text != "void" && !is_score) return std::nullopt;
    const auto score = is_score ? std::optional(number) : std::nullopt;
    if (write(score) != std::string(line) + "\n") return std::nullopt;
    return score;
}

std::string ProofLines::write(std::optional<double> score) {
    const std::string text = score ? fmt::format("{}", *score) : "void";
    checksum_ = results::crc32c(text, checksum_);
    return fmt::format("{},{:08x}\n", text, checksum_);
}

// Rows are written after learning, and learnt again when read: the result must equal the row.

results::Failure read_steps(const std::string& folder, Spsa& spsa, std::vector<TuningStep>& steps,
                            std::uint64_t& bytes) {
    bytes = 0;
    const std::string path = results::in_folder(folder, kStepsFile);
    if (!holds(folder, kStepsFile)) return {};
    std::string text;
    if (auto failure = results::read_file(path, text)) return failure;
    text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
    bytes = text.size();
    if (text.empty()) return {};
    const std::string titles = titles_of(spsa);
    if (!text.starts_with(titles))
        return fmt::format("{}: its first line is not \"{}\"", path,
                           titles.substr(0, titles.size() - 1));
    std::string_view rest = std::string_view(text).substr(titles.size());
    for (std::size_t line = 2; !rest.empty(); ++line) {
        const std::string_view row = rest.substr(0, rest.find('\n') + 1);
        rest.remove_prefix(row.size());
        // After the number of blocks; a row without a comma is invalid anyway.
        std::string_view numbers = row.substr(row.find(',') + 1);
        double result = 0;
        if (results::take_number(numbers, result) && !spsa.is_done()) spsa.learn(result);
        if (row != row_of(spsa, result))
            return fmt::format("{}:{}: not what follows from the rows before it and the parameters",
                               path, line);
        steps.push_back({spsa.blocks(), result, spsa.values()});
    }
    return {};
}

results::Failure StepsFile::open(const std::string& folder, Spsa& spsa) {
    std::uint64_t whole = 0;
    if (auto failure = read_steps(folder, spsa, steps_, whole)) return failure;
    const std::string path = results::in_folder(folder, kStepsFile);
    if (auto failure = file_.open(path, results::File::Mode::Append)) return failure;
    std::uint64_t size = 0;
    if (auto failure = file_.size(size)) return failure;
    if (size > whole) {
        if (auto failure = file_.cut(whole)) return failure;
    }
    return whole == 0 ? file_.write(titles_of(spsa)) : results::Failure();
}

results::Failure StepsFile::append(const Spsa& spsa, double result) {
    steps_.push_back({spsa.blocks(), result, spsa.values()});
    return file_.write(row_of(spsa, result));
}

} // namespace croupier::tournaments
