// Reads and draws the points of a sweep, and prepares each.
#include "tournaments/compare/sweep.h"

#include "agents/registry.h"
#include "results/store/file.h"
#include "results/store/json_field.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace croupier::tournaments {
namespace {

using results::Factor;
using results::SweepDesign;
using Random = games::Random;

constexpr std::uint64_t kSweepStream = 0x73776565; // of the seed
constexpr std::size_t kMostValues = 100'000;       // of a factor
constexpr const char* kGame = "game";              // factors that are no options
constexpr const char* kAgents = "agents";

std::optional<double> finite(std::string_view text) {
    double value = 0;
    const bool good = results::read_number(text, value) && std::isfinite(value);
    return good ? std::optional(value) : std::nullopt;
}

// All numbers of "1..9/2"; nothing if it is not a range.
std::optional<std::vector<std::string>> numbers_of(const std::string& vary,
                                                   const std::string& text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) return std::nullopt;
    const std::size_t slash = text.find('/', dots);
    const auto low = finite(text.substr(0, dots));
    const auto high = finite(text.substr(dots + 2, slash - dots - 2));
    const auto step = slash == std::string::npos ? 1.0 : finite(text.substr(slash + 1));
    if (!low || !high) return std::nullopt;
    if (!step || !(*step > 0) || *high < *low)
        throw UserError(
            fmt::format("--vary {}: '{}' is not a range; LOW..HIGH or LOW..HIGH/STEP is "
                        "expected, as 10..50/5",
                        vary, text));
    const double count = std::floor((*high - *low) / *step + 1e-9) + 1;
    if (count > kMostValues)
        throw UserError(fmt::format("--vary {}: {} has {:.0f} values; {} are the most", vary, text,
                                    count, kMostValues));
    std::vector<std::string> numbers;
    for (double i = 0; i < count; ++i)
        numbers.push_back(fmt::format("{:.10g}", *low + i * *step));
    return numbers;
}

void add_factor(Factor factor, const std::string& option, std::vector<Factor>& factors) {
    if (std::ranges::find(factors, factor.name, &Factor::name) != factors.end())
        throw UserError(fmt::format("{}: {} is varied twice", option, factor.name));
    const std::set<std::string> distinct(factor.values.begin(), factor.values.end());
    if (distinct.size() != factor.values.size())
        throw UserError(fmt::format("{}: a value is named twice", option));
    factors.push_back(std::move(factor));
}

Factor factor_of(const std::string& vary) {
    const std::size_t equals = vary.find('=');
    const std::string name = vary.substr(0, equals);
    if (equals == std::string::npos || name.empty() || equals + 1 == vary.size())
        throw UserError(fmt::format("--vary {}: NAME=VALUE,.. is expected", vary));
    Factor factor{name, {}};
    for (std::size_t at = equals; at != std::string::npos;) {
        const std::size_t comma = vary.find(',', at + 1);
        const std::string value = vary.substr(at + 1, comma - at - 1);
        if (value.empty()) throw UserError(fmt::format("--vary {}: a value is empty", vary));
        if (const auto numbers = numbers_of(vary, value))
            factor.values.insert(factor.values.end(), numbers->begin(), numbers->end());
        else
            factor.values.push_back(value);
        at = comma;
    }
    return factor;
}

std::vector<Factor> factors_of(const AskedSweep& asked) {
    std::vector<Factor> factors;
    if (asked.games.size() > 1) add_factor({kGame, asked.games}, "GAME", factors);
    for (const std::string& vary : asked.vary)
        add_factor(factor_of(vary), "--vary " + vary, factors);
    if (asked.lineups.size() > 1) add_factor({kAgents, asked.lineups}, "--lineup", factors);
    return factors;
}

// The points of a file: [{"annonces": "on", "capot_points": 252}, ..].
SweepDesign read_points(const std::string& path) {
    SweepDesign design;
    const auto failure = results::read_json_file(path, [&](const results::JsonField& root) {
        for (const results::JsonField& point : root.items()) {
            if (!point.value().is_object() || point.value().empty())
                point.wrong("an object of options and their values is expected");
            if (design.points.empty())
                for (const auto& [name, value] : point.value().items())
                    design.factors.push_back({name, {}});
            for (const auto& [name, value] : point.value().items())
                if (std::ranges::find(design.factors, name, &Factor::name) == design.factors.end())
                    point.at(name).wrong("the first point has no such member");
            std::vector<std::uint32_t>& values = design.points.emplace_back();
            for (Factor& factor : design.factors) {
                const results::JsonField field = point.at(factor.name);
                if (field.value().is_structured() || field.value().is_null())
                    field.wrong("a word, a number, true or false is expected");
                const std::string text =
                    field.value().is_string() ? field.text() : field.value().dump();
                const auto known = std::ranges::find(factor.values, text);
                values.push_back(static_cast<std::uint32_t>(known - factor.values.begin()));
                if (known == factor.values.end()) factor.values.push_back(text);
            }
        }
    });
    if (failure) throw UserError(*failure);
    const std::set<std::vector<std::uint32_t>> distinct(design.points.begin(), design.points.end());
    if (distinct.size() != design.points.size())
        throw UserError(path + ": a point is listed twice");
    return design;
}

// Exact up to 2^53, and at least "too many" beyond.
double combinations(const std::vector<Factor>& factors) {
    return std::accumulate(factors.begin(), factors.end(), 1.0, [](double all, const Factor& one) {
        return all * static_cast<double>(one.values.size());
    });
}

void add_grid(SweepDesign& design) {
    std::vector<std::uint32_t> point(design.factors.size());
    for (;;) {
        design.points.push_back(point);
        std::size_t at = point.size();
        while (at > 0 && ++point[at - 1] == design.factors[at - 1].values.size())
            point[--at] = 0;
        if (at == 0) return;
    }
}

void add_point(std::vector<std::uint32_t> point, SweepDesign& design) {
    if (std::ranges::find(design.points, point) == design.points.end())
        design.points.push_back(std::move(point));
}

void add_sample(std::uint64_t count, Random& random, SweepDesign& design) {
    while (design.points.size() < count) {
        std::vector<std::uint32_t> point;
        for (const Factor& factor : design.factors)
            point.push_back(static_cast<std::uint32_t>(random.below(factor.values.size())));
        add_point(std::move(point), design);
    }
}

// Each of `count` parts of a factor's values is met once.
void add_latin(std::uint64_t count, Random& random, SweepDesign& design) {
    std::vector<std::vector<std::uint32_t>> points(count);
    for (const Factor& factor : design.factors) {
        std::vector<std::uint64_t> parts(count);
        std::iota(parts.begin(), parts.end(), 0);
        for (std::size_t left = parts.size(); left > 1; --left)
            std::swap(parts[left - 1], parts[random.below(left)]);
        const std::uint64_t values = factor.values.size();
        for (std::size_t i = 0; i < count; ++i)
            points[i].push_back(
                static_cast<std::uint32_t>((parts[i] * values + random.below(values)) / count));
    }
    for (auto& point : points)
        add_point(std::move(point), design);
}

// "annonces=on, agents=random,rules:naive"
std::string name_of_point(const SweepDesign& design, std::size_t point) {
    std::string name;
    for (std::size_t i = 0; i < design.factors.size(); ++i)
        name += fmt::format("{}{}={}", i > 0 ? ", " : "", design.factors[i].name,
                            design.value(point, i));
    return name;
}

ComparedSide side_of(const AskedSweep& asked, const SweepDesign& design, std::size_t point) {
    ComparedSide side;
    side.game = asked.games.front();
    side.set = asked.set;
    std::vector<std::string> agents = asked.lineups.empty() ? asked.agents : asked.lineups;
    for (std::size_t i = 0; i < design.factors.size(); ++i) {
        const Factor& factor = design.factors[i];
        const std::string& value = design.value(point, i);
        if (factor.name == kGame)
            side.game = value;
        else if (factor.name == kAgents)
            agents = {value};
        else
            side.set.push_back(fmt::format("{}={}", factor.name, value));
    }
    side.agents = split_agents(agents);
    if (side.agents.empty()) side.agents = {"random"};
    if (std::ranges::find(design.factors, kAgents, &Factor::name) == design.factors.end())
        return side;
    // The same names at all points: the parts that these agents play in turn. A single agent plays
    // as many of them as the others of its factor.
    const Factor& lineups = *std::ranges::find(design.factors, kAgents, &Factor::name);
    std::size_t parts = 0;
    for (const std::string& each : lineups.values)
        parts = std::max(parts, split_agents({each}).size());
    if (side.agents.size() == 1) side.agents.resize(parts, side.agents.front());
    for (std::size_t i = 0; i < side.agents.size(); ++i) {
        const agents::AgentSpec spec = agents::parse_agent_spec(side.agents[i]);
        side.agents[i] = fmt::format("agent{}={}{}{}", i + 1, spec.kind,
                                     spec.arguments.empty() ? "" : ":", spec.arguments);
    }
    return side;
}

// As parse_option_value() reads it.
std::string word_of(const engine::Scalar& value) {
    const auto* const text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : engine::scalar_json(value);
}

// Options that are varied without values get all that their game lists, its own first.
AskedSweep with_all_values(AskedSweep asked, const ComparedSettings& settings,
                           const HostServices& host) {
    std::optional<PreparedRun> run;
    for (std::string& vary : asked.vary) {
        if (vary.find('=') != std::string::npos) continue;
        if (!run) run = prepare_side({asked.games.front(), {"random"}, asked.set}, settings, host);
        const games::Facts& facts = run->game->facts();
        const auto option = std::ranges::find(facts.options, vary, &games::GameOption::name);
        if (option == facts.options.end()) {
            std::vector<std::string> known;
            for (const games::GameOption& each : facts.options)
                known.push_back(each.name);
            throw UserError(fmt::format("--vary {}: {} has no such option{}; it has {}", vary,
                                        facts.name, did_you_mean(vary, known),
                                        fmt::join(known, ", ")));
        }
        const engine::Member* const values = facts.option_values.find(vary);
        if (values == nullptr || values->value.members.empty())
            throw UserError(
                fmt::format("--vary {}: which values? As {}=1,2 or {}=10..50/5", vary, vary, vary));
        const std::string own = word_of(option->value);
        std::string all = own;
        for (const engine::Member& each : values->value.members)
            if (const std::string text = word_of(each.value.scalar); text != own) all += "," + text;
        vary += "=" + all;
    }
    return asked;
}

// Shows line-ups by the names that their agents were given, if these differ.
void name_lineups(SweepDesign& design) {
    const auto lineups = std::ranges::find(design.factors, kAgents, &Factor::name);
    if (lineups == design.factors.end()) return;
    std::vector<std::string> names;
    for (const std::string& lineup : lineups->values) {
        std::string& name = names.emplace_back();
        for (const std::string& agent : split_agents({lineup})) {
            const agents::AgentSpec spec = agents::parse_agent_spec(agent);
            const bool named = agent.starts_with(spec.name + "=");
            name += (name.empty() ? "" : ",") + (named ? spec.name : agent);
        }
    }
    if (std::set(names.begin(), names.end()).size() == names.size()) lineups->values = names;
}

} // namespace

std::vector<Variant> Sweep::variants() const {
    std::vector<Variant> variants;
    for (const PreparedRun& run : runs)
        variants.push_back({run.game.get(), agent_maker(run)});
    return variants;
}

std::vector<std::string> Sweep::names() const {
    std::vector<std::string> names;
    names.reserve(runs.size());
    for (std::size_t point = 0; point < runs.size(); ++point)
        names.push_back(name_of_point(design, point));
    return names;
}

results::SweepTally Sweep::tally() const {
    const PreparedRun& first = runs.front();
    return {first.facts,
            design,
            sought,
            first.schedule->blocks(),
            first.schedule->games_per_block(),
            std::ranges::any_of(runs, agents_vary)};
}

SweepDesign design_of(const AskedSweep& asked, std::uint64_t seed) {
    if (!asked.points.empty()) {
        if (!asked.vary.empty() || asked.sample || asked.latin || asked.games.size() > 1 ||
            asked.lineups.size() > 1)
            throw UserError("--points lists all points: it goes without --vary, --lineup, --sample "
                            "and --latin, and with one game");
        SweepDesign design = read_points(asked.points);
        if (design.points.size() < 2 || design.points.size() > kMostPoints)
            throw UserError(fmt::format("{}: has {} points; 2 to {} can be swept", asked.points,
                                        design.points.size(), kMostPoints));
        return design;
    }
    SweepDesign design{factors_of(asked), {}, false};
    const double all = combinations(design.factors);
    if (all < 2)
        throw UserError("one point is no sweep: name a second value with --vary, a second "
                        "--lineup, a second game, or points with --points");
    if (asked.sample && asked.latin) throw UserError("--sample and --latin exclude each other");
    const std::uint64_t count = asked.sample ? *asked.sample : asked.latin.value_or(0);
    if (count > kMostPoints || (count == 0 && all > kMostPoints))
        throw UserError(fmt::format("{:.15g} points: {} are the most; take a part of them with "
                                    "--sample N or --latin N",
                                    count > 0 ? static_cast<double>(count) : all, kMostPoints));
    if (count == 0 || (asked.sample && static_cast<double>(count) >= all)) {
        add_grid(design);
        design.grid = true;
        return design;
    }
    Random random = Random(seed).stream(kSweepStream);
    add_point(std::vector<std::uint32_t>(design.factors.size()), design);
    if (asked.sample)
        add_sample(count, random, design);
    else
        add_latin(count, random, design);
    if (design.points.size() < 2)
        throw UserError("one point is no sweep: --sample and --latin take 2 and more");
    return design;
}

std::vector<results::Sought> parse_sought(const std::vector<std::string>& texts) {
    using Goal = results::Sought::Goal;
    std::vector<results::Sought> all;
    for (const std::string& text : texts) {
        const std::size_t equals = text.rfind('=');
        const std::size_t colon = text.find(':');
        results::Sought sought;
        sought.metric = text.substr(0, std::min(equals, colon));
        if (colon < equals) sought.of = text.substr(colon + 1, equals - colon - 1);
        const std::vector<std::string> known = results::swept_names();
        if (std::ranges::find(known, sought.metric) == known.end())
            throw UserError(fmt::format("--seek {}: there is no metric '{}'{}; there are {}", text,
                                        sought.metric, did_you_mean(sought.metric, known),
                                        fmt::join(known, ", ")));
        const bool by_scope = sought.metric == "win" || sought.metric == "score";
        if (by_scope == sought.of.empty())
            throw UserError(fmt::format("--seek {}: {}", text,
                                        by_scope ? "whose? Name a seat, team, role or agent, as "
                                                   "win:NAME=most"
                                                 : "it is of all games, not of one NAME"));
        const std::string goal = equals == std::string::npos ? "" : text.substr(equals + 1);
        if (goal == "most" || (goal.empty() && sought.metric == "skill"))
            sought.goal = Goal::Most;
        else if (const auto number = finite(goal))
            sought = {sought.metric, sought.of, Goal::Near, *number};
        else if (goal != "least" && !(goal.empty() && sought.metric == "seats"))
            throw UserError(
                fmt::format("--seek {}: least, most or a number is expected, as {}=least", text,
                            text.substr(0, equals)));
        for (const results::Sought& other : all)
            if (other.metric == sought.metric && other.of == sought.of)
                throw UserError(fmt::format("--seek {}: {} is sought twice", text, sought.metric));
        all.push_back(std::move(sought));
    }
    return all;
}

Sweep prepare_sweep(const AskedSweep& asked, const ComparedSettings& settings,
                    const HostServices& host) {
    if (!asked.agents.empty() && !asked.lineups.empty())
        throw UserError("--agents plays all points, and --lineup some of them: name one of both");
    Sweep sweep;
    sweep.sought = parse_sought(asked.seek);
    std::uint64_t seed = 1; // a wrong one is told below
    std::from_chars(settings.seed.data(), settings.seed.data() + settings.seed.size(), seed);
    sweep.design = design_of(with_all_values(asked, settings, host), seed);
    for (const std::string& set : asked.set)
        for (const Factor& factor : sweep.design.factors)
            if (set.starts_with(factor.name + "="))
                throw UserError(fmt::format("--set {}: {} is varied", set, factor.name));
    sweep.runs.reserve(sweep.design.points.size());
    for (std::size_t point = 0; point < sweep.design.points.size(); ++point) {
        try {
            sweep.runs.push_back(prepare_side(side_of(asked, sweep.design, point), settings, host));
            const results::RunFacts& own = sweep.runs.back().facts;
            const results::RunFacts& first = sweep.runs.front().facts;
            refuse_other_seats(first, own);
            if (own.agents.size() != first.agents.size())
                throw UserError(fmt::format("it has {} agents, and the first point {}: all points "
                                            "need equally many",
                                            own.agents.size(), first.agents.size()));
        } catch (const UserError& mistake) {
            throw UserError(fmt::format("point {} ({}): {}", point + 1,
                                        name_of_point(sweep.design, point), mistake.what()));
        }
    }
    name_lineups(sweep.design);
    return sweep;
}

} // namespace croupier::tournaments
