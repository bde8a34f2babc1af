// croupier tune: the values of an agent's parameters that win the most.
#include "agents/arguments.h"
#include "agents/rules/rule_agent.h"
#include "results/store/file.h"
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/tuning/session.h"
#include "tournaments/tuning/spsa.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace croupier::cli {

// Which parameters of an agent are tuned, as the user and the agent's file say.

// What --vary and --params say; without either, all whole numbers among the options of the agent's
// file for which `option_values` gives a range. `blocks`: how many they are tuned with. Throws
// Mistake.
std::vector<tournaments::TunedParameter> parameters_to_tune(const std::vector<std::string>& varied,
                                                            const std::string& file,
                                                            const std::string& agent,
                                                            const tournaments::PreparedRun& run,
                                                            std::uint64_t blocks);

// Reads "ace=0..40,start=10,apart=2,rate=0.01", files of the same, and option_values.

namespace {

using tournaments::TunedParameter;

// As it was said, before what is missing is found elsewhere.
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
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
    return whole ? std::optional(number) : std::nullopt;
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
        return Mistake(fmt::format("--vary {}: {}; write NAME=LEAST..GREATEST, and behind it what "
                                   "else is to be said, as in ace=0..40,start=10,apart=2,rate=0.01",
                                   word, what));
    };
    Said said;
    std::string_view rest = word;
    for (bool first = true; first || !rest.empty(); first = false) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos || equals == 0)
            throw wrong(fmt::format("'{}' is no NAME=VALUE", one));
        const std::string_view key = one.substr(0, equals);
        const std::string_view value = one.substr(equals + 1);
        if (first) {
            said.name = key;
            if (!read_range(value, said)) throw wrong(fmt::format("'{}' is no range", value));
            continue;
        }
        std::optional<double>* const member = member_of(said, key);
        if (member == nullptr) throw wrong(fmt::format("there is no '{}'", key));
        *member = number_of(value);
        if (!*member) throw wrong(fmt::format("'{}' is no number", value));
    }
    return said;
}

std::vector<Said> said_in(const std::string& file) {
    std::string text;
    if (const auto failure = results::read_file(file, text)) throw Mistake(*failure);
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false, true);
    if (!json.is_object())
        throw Mistake(fmt::format("{}: it takes an object, as in {{\"ace\": {{\"least\": 0, "
                                  "\"greatest\": 40}}}}",
                                  file));
    std::vector<Said> all;
    for (const auto& [name, members] : json.items()) {
        Said said;
        said.name = name;
        if (!members.is_object())
            throw Mistake(
                fmt::format("{}: {}: it takes an object with least and greatest", file, name));
        for (const auto& [key, value] : members.items()) {
            std::optional<double>* const member = member_of(said, key);
            if (member == nullptr || !value.is_number())
                throw Mistake(fmt::format("{}: {}: {} (there are least, greatest, start, apart and "
                                          "rate)",
                                          file, name,
                                          member == nullptr ? "there is no '" + key + "'"
                                                            : key + " is no number"));
            *member = value.get<double>();
        }
        all.push_back(std::move(said));
    }
    return all;
}

// What the agent's file says of its numbers, by name.
std::map<std::string, Said> known_of(const std::string& agent,
                                     const tournaments::PreparedRun& run) {
    std::map<std::string, Said> known;
    const agents::AgentSpec spec = agents::parse_agent_spec(agent);
    const agents::Surroundings surroundings{*run.game, run.open, run.agents_folder,
                                            run.clock.get()};
    const games::RulesetGame* game = run.game->ruleset_game();
    const bool evaluates = spec.kind == "eval";
    agents::Arguments arguments(spec);
    agents::RuleRequest request{.path = arguments.word(),
                                .role = evaluates ? agents::RuleRole::Evaluator
                                                  : agents::RuleRole::Agent};
    if (game == nullptr || request.path.empty() || (!evaluates && spec.kind != "rules"))
        return known;
    request.path = agents::rule_file(request, surroundings);
    if (!evaluates) request.parameters = agents::parameters_among(arguments);
    const agents::OpenedRules opened = agents::open_rules(request, surroundings, *game);
    if (opened.program == nullptr) return known;
    for (const engine::Option& option : opened.program->parameters()) {
        Said said;
        said.name = option.name;
        const auto& value = option.value.scalar;
        if (const auto* integer = std::get_if<std::int64_t>(&value))
            said.start = static_cast<double>(*integer);
        else if (const auto* real = std::get_if<double>(&value))
            said.start = *real;
        for (const engine::Member& member : opened.program->ruleset().rest) {
            if (member.key != "option_values") continue;
            const engine::Member* range = member.value.find(option.name);
            if (range != nullptr && range->value.is_string()) read_range(range->value.text(), said);
        }
        known.emplace(option.name, said);
    }
    return known;
}

bool is_whole(std::optional<double> number) {
    return !number || *number == static_cast<double>(static_cast<std::int64_t>(*number));
}

// What is not said is what the agent's file says.
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
        throw Mistake(fmt::format("{} has no parameter '{}'{}; it has {}", agent, said.name,
                                  did_you_mean(said.name, names), fmt::join(names, ", ")));
    }
    if (!said.least || !said.greatest)
        throw Mistake(fmt::format("{}: nobody says from where to where it may go; write --vary "
                                  "{}=LEAST..GREATEST",
                                  said.name, said.name));
    if (!said.start)
        throw Mistake(fmt::format("{}: nobody says where it starts; write --vary {}={}..{},start=N",
                                  said.name, said.name, *said.least, *said.greatest));
    TunedParameter parameter{said.name, *said.start, *said.least, *said.greatest,
                             is_whole(said.least) && is_whole(said.greatest) &&
                                 is_whole(said.start)};
    parameter.end_apart = said.apart.value_or(tournaments::default_apart(parameter));
    parameter.end_rate = said.rate.value_or(tournaments::default_rate(blocks));
    const std::string wrong = wrong_with(parameter);
    if (!wrong.empty()) throw Mistake(fmt::format("{}: {}", said.name, wrong));
    return parameter;
}

} // namespace

std::vector<TunedParameter> parameters_to_tune(const std::vector<std::string>& varied,
                                               const std::string& file, const std::string& agent,
                                               const tournaments::PreparedRun& run,
                                               std::uint64_t blocks) {
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
        throw Mistake(fmt::format("{} has no parameters of its own with a range; say which of its "
                                  "arguments are tuned, as in --vary NAME=LEAST..GREATEST,start=N",
                                  agent));
    std::vector<TunedParameter> parameters;
    for (const Said& said : all) {
        const bool again =
            std::any_of(parameters.begin(), parameters.end(),
                        [&](const TunedParameter& each) { return each.name == said.name; });
        if (again) throw Mistake(fmt::format("{} is named twice", said.name));
        parameters.push_back(parameter_of(said, known, agent, blocks));
    }
    return parameters;
}

namespace {

constexpr double kGain = 8;
constexpr std::uint64_t kBlocksAStep = 32; // compiling rules for each step is then little

class Tune : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "tune", "Look for the parameters with which an agent wins the most",
            "Moves all parameters a little up and down by chance, plays the same deals with "
            "both, and goes towards whoever wins (SPSA). What it finds is then tested on fresh "
            "deals against the agent as it was: only what passes that sequential test is "
            "called stronger. Parameters of an agent of rules, or of an evaluator, are the "
            "options of its file that the game does not have; of other agents, their "
            "arguments. An answer stands in the folder, for croupier report; what was "
            "interrupted is gone on with by croupier resume.",
            "croupier tune belote --agent rules:my.json --games 20000\n"
            "croupier tune belote --agent rules:my.json --vary ace=0..40 --against rules:table\n"
            "croupier tune belote --agent rules:my.json --for points --worth 100\n"
            "croupier tune life --agent mcts:playouts=100 --vary explore=10..300,start=100"};
    }

    void declare(Options& options) override {
        add_game(options, plan_.game).required();
        options.add("--agent", plan_.agent, "Who is tuned")
            .required()
            .type_name("AGENT")
            .offers(Offers::Agents);
        add_agent_list(options, "--against", against_, "Whom it plays")
            .default_text("itself, with other values");
        options
            .add("--vary", varied_,
                 "A parameter, from where to where; behind it perhaps ,start=N ,apart=N (how far "
                 "values are moved apart in the end) ,rate=N (how much a block then counts)")
            .one_value_each()
            .type_name("NAME=LOW..HIGH,..")
            .default_text("all whole numbers that the agent's file gives a range");
        options.add("--params", params_, "A file of the same, {\"NAME\": {\"least\": N, ..}}")
            .type_name("FILE")
            .offers(Offers::Files);
        options.add("--for", what_for_, "Tune to win games, or to make points")
            .one_of({"wins", "points"})
            .shows_default();
        options
            .add("--worth", worth_,
                 "With --for points: being ahead by N points in a game counts as having won it, "
                 "by less as a part of that")
            .type_name("N");
        options.add("--games", games_, "Tune with at least N games")
            .type_name("N")
            .shows_default()
            .range(1, 1'000'000'000);
        options.add("--step", plan_.blocks_a_step, "Play N blocks with each pair of values")
            .type_name("N")
            .shows_default()
            .range(1, 1'000'000);
        options.add("--proof", proof_, "Test what was found with at most N games; 0: not at all")
            .type_name("N")
            .default_text("as many as --games");
        options.add("--gain", gain_, "What gain in normalized Elo the test should notice")
            .type_name("ELO")
            .shows_default();
        options.add("--seed", plan_.seed, "Seed of all chance").type_name("N").shows_default();
        add_settings(options, "--set", plan_.set, "Set an option of the game");
        options.add("--out", out_, "The folder of the tuning")
            .type_name("DIR")
            .default_text("the next free runs/tune-GAME-N")
            .offers(Offers::Folders);
        add_threads(options, threads_);
        add_form(options, form_, {"table", "csv", "markdown"});
        add_progress(options, progress_);
        add_games_folder(options, games_folder_);
        add_agents_folder(options, agents_folder_);
    }

    int run(Context& context) override {
        plan_.against = tournaments::split_agents(against_);
        plan_.bounds.elo1 = gain_;
        if (const auto wrong = results::wrong_with(plan_.bounds))
            throw Mistake(fmt::format("--gain {}: {}", gain_, *wrong));
        read_aim();
        const tournaments::PreparedRun prepared =
            prepare_tuning(plan_, games_folder_, agents_folder_, context);
        refuse_many_sides(prepared);
        const std::uint64_t each =
            tournaments::TunePlay(plan_, prepared, {}, context).games_a_block();
        plan_.blocks = (games_ + each - 1) / each;
        plan_.proof_blocks = (proof_.value_or(games_) + each - 1) / each;
        plan_.parameters =
            parameters_to_tune(varied_, params_, plan_.agent, prepared, plan_.blocks);
        tournaments::TunePlay(plan_, prepared, {}, context).try_ends();
        const std::string folder =
            tournaments::make_run_folder(out_, "tune-" + prepared.game->facts().title());
        const results::File lock = tournaments::lock_run_folder(folder);
        begin_tuning(folder, plan_, prepared, context);
        context.err().line({fmt::format("seed {}, results in {}", plan_.seed, folder)});
        context.show_progress(progress_);
        return cli::play_tuning(plan_, prepared, folder, threads_, form_, context);
    }

  private:
    void read_aim() {
        if (what_for_ == "wins") {
            if (worth_) throw Mistake("--worth says what points count: it goes with --for points");
            return;
        }
        if (!worth_)
            throw Mistake("--for points needs --worth N: by how many points one must be ahead in a "
                          "game for as much as a win; what is usual between these agents is best");
        if (!(*worth_ > 0 && *worth_ <= 1e9))
            throw Mistake(fmt::format("--worth {}: a number above 0 is needed", *worth_));
        plan_.worth = *worth_;
    }

    // Face to face are two.
    void refuse_many_sides(const tournaments::PreparedRun& run) const {
        const auto& facts = run.facts;
        const std::size_t sides = facts.teams.empty() ? facts.players.size() : facts.teams.size();
        if (sides == 2 || !plan_.against.empty()) return;
        throw Mistake(fmt::format("{} has {} sides: say by --against whom {} plays", facts.game,
                                  sides, plan_.agent));
    }

    tournaments::TuningPlan plan_ = [] {
        tournaments::TuningPlan plan;
        plan.blocks_a_step = kBlocksAStep;
        return plan;
    }();
    std::vector<std::string> against_;
    std::vector<std::string> varied_;
    std::string params_;
    std::string what_for_ = "wins";
    std::optional<double> worth_;
    std::uint64_t games_ = 20'000;
    std::optional<std::uint64_t> proof_;
    double gain_ = kGain;
    std::string out_;
    std::string games_folder_;
    std::string agents_folder_;
    std::size_t threads_ = 0;
    Form form_;
    std::string progress_ = "auto";
};

} // namespace

std::unique_ptr<Command> make_tune() {
    return std::make_unique<Tune>();
}

} // namespace croupier::cli
