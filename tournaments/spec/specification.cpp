// Reads a specification member by member, and lists of agents.
#include "tournaments/spec/specification.h"

#include "engine/api/text.h"
#include "games/registry.h"
#include "results/statistics/stop.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::tournaments {

namespace {

using engine::Diagnostics;
using engine::Document;
using engine::Member;

std::optional<double> as_number(const Document& value) {
    if (value.kind != engine::DocumentKind::Scalar) return std::nullopt;
    if (const auto* whole = std::get_if<std::int64_t>(&value.scalar))
        return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value.scalar)) return *real;
    return std::nullopt;
}

std::string hint_for(std::string_view word, const std::vector<std::string>& known) {
    if (const auto meant = engine::nearest(word, known))
        return fmt::format("did you mean '{}'?", *meant);
    return fmt::format("there are {}", fmt::join(known, ", "));
}

constexpr std::uint64_t kMaxPlies = 1'000'000'000;
constexpr std::array<std::string_view, 5> kSprtParts = {"elo0", "elo1", "alpha", "beta", "model"};

// Reads values of a specification; reports those that do not fit, with their positions.
class Fields {
  public:
    explicit Fields(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    void error(std::string_view code, engine::Span place, std::string message,
               std::string hint = {}) {
        diagnostics_.error(code, place, std::move(message), std::move(hint));
    }
    // Reports all other keys.
    void only_keys(const Document& object, const std::vector<std::string>& known) {
        for (const Member& member : object.members) {
            if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
            error(code::kUnknownKey, member.key_span,
                  fmt::format("there is no key '{}'", member.key), hint_for(member.key, known));
        }
    }

    std::optional<std::string> text(const Document& value) {
        if (value.is_string()) return value.text();
        error(code::kForm, value.span, "a text was expected");
        return std::nullopt;
    }
    // The index of the word.
    std::optional<std::size_t> word(const Document& value, const std::vector<std::string>& words) {
        const auto found = text(value);
        if (!found) return std::nullopt;
        const auto at = std::find(words.begin(), words.end(), *found);
        if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
        error(code::kUnknownWord, value.span,
              fmt::format("'{}' is none of {}", *found, fmt::join(words, ", ")),
              engine::nearest(*found, words) ? hint_for(*found, words) : std::string());
        return std::nullopt;
    }
    // Whole numbers from 0; 1e6 is one, too.
    std::optional<std::uint64_t> whole(const Document& value) {
        constexpr double kExact = 9007199254740992.0; // beyond, doubles leave numbers out
        if (value.kind == engine::DocumentKind::Scalar) {
            const auto* whole = std::get_if<std::int64_t>(&value.scalar);
            if (whole != nullptr && *whole >= 0) return static_cast<std::uint64_t>(*whole);
            const auto* real = std::get_if<double>(&value.scalar);
            if (real != nullptr && *real >= 0 && *real <= kExact && std::floor(*real) == *real)
                return static_cast<std::uint64_t>(*real);
        }
        error(code::kNumber, value.span, "a whole number was expected, 0 or more");
        return std::nullopt;
    }
    // A whole number from 1.
    std::optional<std::uint64_t> count(const Document& value,
                                       std::uint64_t most = 1'000'000'000'000) {
        const auto number = whole(value);
        if (!number || (*number >= 1 && *number <= most)) return number;
        error(code::kNumber, value.span, fmt::format("{} is not between 1 and {}", *number, most));
        return std::nullopt;
    }
    // A number strictly between the bounds.
    std::optional<double> number(const Document& value, double low, double high,
                                 std::string_view what) {
        const auto number = as_number(value);
        if (number && *number > low && *number < high) return number;
        error(code::kNumber, value.span, fmt::format("{} was expected", what));
        return std::nullopt;
    }

  private:
    Diagnostics& diagnostics_;
};

// The five numbers of a sequential test; some have defaults.
class SprtFields {
  public:
    explicit SprtFields(Fields& fields) : fields_(fields) {}

    void read(std::string_view name, const Document& value) {
        if (name == "model") {
            const auto word = fields_.word(value, {"normalized", "logistic"});
            good_ = good_ && word;
            if (word)
                bounds_.model =
                    *word == 0 ? results::EloModel::Normalized : results::EloModel::Logistic;
            return;
        }
        const bool elo = name == "elo0" || name == "elo1";
        const auto number =
            elo ? fields_.number(value, -10000, 10000,
                                 fmt::format("a number of Elo points ({})", name))
                : fields_.number(value, 0, 0.5,
                                 fmt::format("an error rate between 0 and 0.5 ({})", name));
        good_ = good_ && number;
        if (!number) return;
        if (name == "elo0") {
            bounds_.elo0 = *number;
            has_elo0_ = true;
        } else if (name == "elo1") {
            bounds_.elo1 = *number;
            has_elo1_ = true;
        } else {
            (name == "alpha" ? bounds_.alpha : bounds_.beta) = *number;
        }
    }
    // "0,5,0.05,0.05,normalized", or a beginning of it.
    void read_list(const Document& text, std::span<const std::string_view> names) {
        std::string_view rest = text.text();
        for (std::size_t part = 0;; ++part) {
            const std::string_view word = rest.substr(0, rest.find(','));
            if (part == names.size()) {
                fields_.error(code::kStopRule, text.span,
                              fmt::format("'{}' is one too many: {}", word, fmt::join(names, ",")));
                good_ = false;
                return;
            }
            Document value;
            value.span = text.span;
            value.scalar = games::parse_option_value(word);
            read(names[part], value);
            if (word.size() == rest.size()) return;
            rest.remove_prefix(word.size() + 1);
        }
    }
    // Nothing after an error.
    std::optional<results::SprtBounds> finish(engine::Span place) {
        if (!good_) return std::nullopt;
        if (!has_elo0_ || !has_elo1_ || bounds_.elo0 >= bounds_.elo1) {
            fields_.error(code::kStopRule, place,
                          "a sequential test takes two hypotheses, elo0 below elo1",
                          "as in 0,5: is it no better, or is it better by 5 Elo?");
            return std::nullopt;
        }
        return bounds_;
    }

  private:
    Fields& fields_;
    results::SprtBounds bounds_;
    bool has_elo0_ = false;
    bool has_elo1_ = false;
    bool good_ = true;
};

class Reader {
  public:
    explicit Reader(Diagnostics& diagnostics) : fields_(diagnostics) {}

    Specification read(const Document& document) {
        static constexpr std::array<std::pair<std::string_view, Read>, 14> kKeys = {{
            {"game", &Reader::read_game},
            {"set", &Reader::read_set},
            {"agents", &Reader::read_agents},
            {"schedule", &Reader::read_schedule},
            {"games", &Reader::read_games},
            {"blocks", &Reader::read_blocks},
            {"rounds", &Reader::read_rounds},
            {"seed", &Reader::read_seed},
            {"starts", &Reader::read_starts},
            {"sprt", &Reader::read_sprt},
            {"width", &Reader::read_width},
            {"time", &Reader::read_time},
            {"faults", &Reader::read_faults},
            {"cut", &Reader::read_cut},
        }};
        result_.whole = result_.game_place = document.span;
        if (!document.is_object()) {
            fields_.error(code::kForm, document.span, "the specification of a run is an object");
            return result_;
        }
        std::vector<std::string> known(kKeys.size());
        std::transform(kKeys.begin(), kKeys.end(), known.begin(),
                       [](const auto& key) { return key.first; });
        fields_.only_keys(document, known);
        for (const auto& [key, read] : kKeys)
            if (const Member* member = document.find(key)) (this->*read)(member->value);
        if (document.find("game") == nullptr) refuse_no_game(document);
        const Member* const agents = document.find("agents");
        if (agents == nullptr)
            result_.agents.push_back({"random", agents::parse_agent_spec("random"), document.span});
        else if (agents->value.is_array() && agents->value.members.empty())
            fields_.error(code::kAgents, agents->value.span, "no agent is named",
                          "leave 'agents' out for random ones");
        check_numbers(document);
        return result_;
    }

  private:
    using Read = void (Reader::*)(const Document&);

    void read_game(const Document& value) {
        result_.game_place = value.span;
        if (const auto text = fields_.text(value)) result_.game = *text;
        if (value.is_string() && result_.game.empty()) refuse_no_game(value);
    }
    void refuse_no_game(const Document& where) {
        fields_.error(code::kGame, where.span, "no game is named", "'croupier games' lists them");
    }
    void read_set(const Document& value) {
        if (!value.is_object()) {
            fields_.error(code::kForm, value.span,
                          "'set' is an object of options and their values");
            return;
        }
        for (const Member& member : value.members) {
            if (member.value.kind == engine::DocumentKind::Scalar)
                result_.set.push_back({member.key, member.value.scalar});
            else
                fields_.error(code::kForm, member.value.span,
                              "the value of an option is a plain value");
        }
    }
    void read_agents(const Document& value) {
        if (value.is_string()) return add_agent(value);
        if (!value.is_array()) {
            fields_.error(code::kForm, value.span, "'agents' is a list of agents");
            return;
        }
        for (const Member& member : value.members)
            add_agent(member.value);
    }
    void read_schedule(const Document& value) {
        const auto kinds = schedule_kinds();
        std::vector<std::string> words(kinds.size());
        std::transform(kinds.begin(), kinds.end(), words.begin(),
                       [](ScheduleKind kind) { return name_of(kind); });
        if (const auto word = fields_.word(value, words)) result_.schedule = kinds[*word];
    }
    void read_games(const Document& value) { result_.games = fields_.count(value); }
    // A number, a word, or a list of both.
    void read_blocks(const Document& value) {
        constexpr std::array kAll = {Rotation::Rotate, Rotation::All, Rotation::None};
        if (value.is_array()) {
            for (const Member& member : value.members)
                read_blocks(member.value);
        } else if (value.is_string()) {
            std::vector<std::string> words(kAll.size());
            std::transform(kAll.begin(), kAll.end(), words.begin(),
                           [](Rotation r) { return name_of(r); });
            if (const auto word = fields_.word(value, words)) result_.rotation = kAll[*word];
        } else {
            result_.blocks = fields_.count(value);
        }
    }
    void read_rounds(const Document& value) {
        if (const auto rounds = fields_.count(value, 64))
            result_.rounds = static_cast<std::uint32_t>(*rounds);
    }
    void read_seed(const Document& value) {
        if (const auto seed = fields_.whole(value)) result_.seed = *seed;
    }
    // "FILE" or "FILE,order=random"
    void read_starts(const Document& value) {
        const auto text = fields_.text(value);
        if (!text) return;
        result_.starts_place = value.span;
        constexpr std::string_view kOrder = ",order=";
        const std::size_t at = text->rfind(kOrder);
        result_.starts = text->substr(0, at);
        if (result_.starts.empty() || result_.starts == "-")
            fields_.error(code::kStarts, value.span, "a file of start positions was expected",
                          "as in starts.json or starts.json,order=random");
        if (at == std::string::npos) return;
        Document word = value;
        word.scalar = text->substr(at + kOrder.size());
        if (const auto order = fields_.word(word, {"file", "random"}))
            result_.starts_drawn = *order == 1;
    }
    void read_sprt(const Document& value) {
        SprtFields sprt(fields_);
        if (value.is_string()) {
            sprt.read_list(value, kSprtParts);
        } else if (value.is_object()) {
            fields_.only_keys(value, {kSprtParts.begin(), kSprtParts.end()});
            for (const Member& member : value.members)
                sprt.read(member.key, member.value);
        } else {
            fields_.error(code::kForm, value.span, "'sprt' is an object, or a text as in \"0,5\"");
            return;
        }
        result_.sprt = sprt.finish(value.span);
    }
    void read_width(const Document& value) {
        result_.width = fields_.number(value, 0, 1, "a width between 0 and 1, as in 0.02");
    }
    void read_time(const Document& value) {
        result_.time = fields_.number(value, 0, 1e9, "a time in seconds");
    }
    void read_faults(const Document& value) {
        constexpr std::array kAll = {FaultRule::Loss, FaultRule::Void, FaultRule::Stop};
        std::vector<std::string> words(kAll.size());
        std::transform(kAll.begin(), kAll.end(), words.begin(),
                       [](FaultRule rule) { return std::string(name_of(rule)); });
        if (const auto word = fields_.word(value, words)) result_.terms.faults = kAll[*word];
    }
    void read_cut(const Document& value) {
        if (const auto plies = fields_.count(value, kMaxPlies))
            result_.terms.cut = static_cast<std::uint32_t>(*plies);
    }
    void add_agent(const Document& value) {
        const auto text = fields_.text(value);
        if (!text) return;
        const bool control = std::any_of(text->begin(), text->end(),
                                         [](unsigned char c) { return c < 0x20 || c == 0x7f; });
        agents::AgentSpec spec = agents::parse_agent_spec(*text);
        if (control || spec.kind.empty() || spec.name.empty()) {
            fields_.error(code::kAgents, value.span, fmt::format("'{}' names no agent", *text),
                          "an agent is written KIND, KIND:ARGUMENTS or NAME=KIND:ARGUMENTS");
            return;
        }
        result_.agents.push_back({*text, std::move(spec), value.span});
    }
    void check_numbers(const Document& document) {
        if (result_.games && result_.blocks) {
            const Member* games = document.find("games");
            fields_.error(code::kNumber, games->value.span,
                          "both a number of games and a number of blocks are given",
                          "a block is one deal in every seating; give one of the two");
        }
        if (!result_.games && !result_.blocks && !result_.may_stop_early() && !result_.time)
            result_.games = 1000;
    }

    Fields fields_;
    Specification result_;
};

} // namespace

Specification read_specification(const Document& document, Diagnostics& diagnostics) {
    return Reader(diagnostics).read(document);
}

nlohmann::ordered_json to_json(const Specification& specification) {
    nlohmann::ordered_json json = {{"game", specification.game}};
    for (const games::GameOption& option : specification.set)
        json["set"][option.name] = nlohmann::ordered_json::parse(engine::scalar_json(option.value));
    for (const AgentEntry& agent : specification.agents)
        json["agents"].push_back(agent.text);
    json["schedule"] = name_of(specification.schedule);
    if (specification.games) json["games"] = *specification.games;
    json["blocks"] = nlohmann::ordered_json::array({name_of(specification.rotation)});
    if (specification.blocks) json["blocks"].push_back(*specification.blocks);
    if (specification.rounds != 0) json["rounds"] = specification.rounds;
    json["seed"] = specification.seed;
    if (!specification.starts.empty())
        json["starts"] = specification.starts + (specification.starts_drawn ? ",order=random" : "");
    if (const auto& sprt = specification.sprt) {
        const bool logistic = sprt->model == results::EloModel::Logistic;
        json["sprt"] = {{"elo0", sprt->elo0},
                        {"elo1", sprt->elo1},
                        {"alpha", sprt->alpha},
                        {"beta", sprt->beta},
                        {"model", logistic ? "logistic" : "normalized"}};
    }
    if (specification.width) json["width"] = *specification.width;
    if (specification.time) json["time"] = *specification.time;
    json["faults"] = name_of(specification.terms.faults);
    if (specification.terms.cut != 0) json["cut"] = specification.terms.cut;
    return json;
}

// Completes lists of agents, and makes names distinct.

void complete_agents(Specification& specification, std::size_t sides) {
    if (specification.agents.size() == 1) {
        const AgentEntry alone = specification.agents.front();
        specification.agents.resize(std::max<std::size_t>(sides, 2), alone);
    }
    std::set<std::string> taken;
    for (AgentEntry& agent : specification.agents) {
        // Its name marks it as different in every table.
        const bool marked = agent.spec.name.find('*') != std::string::npos; // in run.json
        if (agent.spec.kind == agents::kOracle && !marked) agent.spec.name += "*";
        const std::string name = agent.spec.name;
        for (int number = 2; !taken.insert(agent.spec.name).second; ++number)
            agent.spec.name = fmt::format("{}#{}", name, number);
    }
}

} // namespace croupier::tournaments
