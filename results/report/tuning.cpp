// What tuning has come to, for people and programs.
#include "results/report/tuning.h"

#include "results/report/formats.h"
#include "results/report/numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace croupier::results {
namespace {

std::string number(double value) {
    return fmt::format("{:.6g}", value);
}

Section heading_of(const TuningSummary& summary) {
    Section section = begin_section("summary");
    const std::string against =
        summary.against.empty() ? "itself" : fmt::format("{}", fmt::join(summary.against, ", "));
    section.notes.push_back(fmt::format(
        "{}: {} tuned {}against {} in {}{}, seed {}", summary.game, summary.agent,
        summary.worth > 0 ? fmt::format("for points ({} count as a win) ", number(summary.worth))
                          : "",
        against, counted(summary.blocks, "deal"),
        summary.blocks < summary.wanted ? fmt::format(" of {}; interrupted", summary.wanted) : "",
        summary.seed));
    return section;
}

Section values_of(const TuningSummary& summary) {
    Section section =
        begin_section("values", "Values", "parameter|>from|>to|>start|>tuned", {1, 2});
    for (const TunedValue& value : summary.values)
        section.table.rows.push_back({value.name, number(value.least), number(value.greatest),
                                      number(value.start), number(value.tuned)});
    section.notes.push_back("With these values: " + summary.tuned);
    return section;
}

Section proof_of(const TuningSummary& summary) {
    Section section = begin_section("proof", "Is it stronger?");
    if (summary.unchanged) {
        section.notes.push_back("Nothing to prove: the values are those of the start.");
        return section;
    }
    if (!summary.proof) {
        section.notes.push_back("Not asked: nothing was played with the tuned values.");
        return section;
    }
    const TuningProof& proof = *summary.proof;
    section.notes.push_back(fmt::format(
        "{}: against the agent as it was, on {} that nothing was tuned with, it scores {} {} a "
        "deal; LLR {} in [{:.2f}, {:.2f}], {}.",
        verdict_of(proof), counted(proof.blocks, "deal"), fixed(proof.score.value, 3),
        interval(proof.score, 3), fixed(proof.status.value, 2), proof.status.low, proof.status.high,
        proof.status.verdict));
    if (proof.status.stopped)
        section.notes.push_back("A test that ends as soon as it can shows the score further from "
                                "0.5 than it is.");
    return section;
}

} // namespace

std::string verdict_of(const TuningProof& proof) {
    if (!proof.status.stopped) return "undecided";
    return proof.status.verdict == to_string(SprtVerdict::AcceptH1) ? "stronger" : "not stronger";
}

std::vector<Section> sections_of(const TuningSummary& summary) {
    return {heading_of(summary), values_of(summary), proof_of(summary)};
}

nlohmann::ordered_json json_of(const TuningSummary& summary) {
    using Json = nlohmann::ordered_json;
    Json values = Json::array();
    for (const TunedValue& value : summary.values)
        values.push_back({{"name", value.name},
                          {"least", value.least},
                          {"greatest", value.greatest},
                          {"start", value.start},
                          {"tuned", value.tuned}});
    Json proof = nullptr;
    if (summary.proof) {
        const StopStatus& status = summary.proof->status;
        proof = {{"verdict", verdict_of(*summary.proof)},
                 {"blocks", summary.proof->blocks},
                 {"most_blocks", summary.proof->most_blocks},
                 {"score", estimate_json(summary.proof->score)},
                 {"llr", number_json(status.value)},
                 {"low", status.low},
                 {"high", status.high}};
    }
    return {{"game", summary.game},
            {"agent", summary.agent},
            {"against", summary.against},
            {"tuned", summary.tuned},
            {"for", summary.worth > 0 ? Json{{"points", summary.worth}} : Json("wins")},
            {"seed", summary.seed},
            {"blocks", summary.blocks},
            {"wanted_blocks", summary.wanted},
            {"values", std::move(values)},
            {"unchanged", summary.unchanged},
            {"proof", std::move(proof)}};
}

std::string csv_of(const TuningSummary& summary) {
    const nlohmann::ordered_json json = json_of(summary);
    CsvRows rows;
    rows.take("tune", summary.agent, "", json, {"blocks"});
    for (const auto& value : json.at("values"))
        rows.take("parameter", value.at("name"), "", value, {"start", "tuned"});
    if (summary.proof)
        rows.take("proof", summary.tuned, summary.agent, json.at("proof"),
                  {"blocks", "score", "llr"});
    return rows.text();
}

} // namespace croupier::results
