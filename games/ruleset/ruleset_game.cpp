// From a file to a game: options set by words, the description, and what only games need.
#include "games/ruleset/ruleset_game.h"

#include "engine/api/plan.h"
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/checks/one_place.h"
#include "games/contract/game.h"
#include "games/drawing/drawer.h"
#include "games/registry.h"
#include "games/ruleset/codes.h"
#include "games/ruleset/ruleset_observer.h"
#include "games/ruleset/ruleset_position.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace croupier::games {

namespace {

using engine::Document;
using engine::Member;
using engine::Scalar;

std::string_view kind_of(const Scalar& scalar) {
    constexpr std::array<std::string_view, 5> kNames = {"null", "true or false", "an integer",
                                                        "a number", "a text"};
    return kNames[scalar.index()];
}

// The value converted to the option's type, by its allowed values and its default, or nothing if it
// does not fit: words of the command line do not distinguish a number from a text.
std::optional<Scalar> fitted(const Scalar& value, const engine::Option& option) {
    const Scalar& known = option.value.scalar;
    if (option.values && option.values->is_array()) {
        for (const Member& element : option.values->members)
            if (element.value.kind == engine::DocumentKind::Scalar &&
                text_of(element.value.scalar) == text_of(value))
                return element.value.scalar;
    }
    if (std::holds_alternative<std::string>(known)) return text_of(value);
    const bool any = std::holds_alternative<std::monostate>(known);
    if (any || value.index() == known.index()) return value;
    Scalar read = value;
    if (const auto* word = std::get_if<std::string>(&value)) read = parse_option_value(*word);
    if (read.index() == known.index()) return read;
    const auto* integer = std::get_if<std::int64_t>(&read);
    if (std::holds_alternative<double>(known) && integer != nullptr)
        return static_cast<double>(*integer);
    return std::nullopt;
}

struct Misfit {
    std::size_t option; // index in the settings
    std::string problem;
};

// A value that does not fit is replaced by the default, so that each error is reported once.
std::vector<Misfit> fit_options(engine::LoadSettings& settings, const engine::Ruleset& defaults) {
    std::vector<Misfit> misfits;
    for (std::size_t i = 0; i < settings.options.size(); ++i) {
        auto& [name, value] = settings.options[i];
        settings.words.push_back(name + "=" + text_of(value));
        for (const engine::Option& option : defaults.options) {
            if (option.name != name) continue;
            const Scalar& known = option.value.scalar;
            auto taken = fitted(value, option);
            if (!taken) {
                misfits.push_back({i, fmt::format("the option {} holds {}, not {}", name,
                                                  kind_of(known), engine::scalar_json(value))});
            }
            value = taken ? *taken : known;
        }
    }
    return misfits;
}

// Whether the words are already among the sources: they come after all files.
bool are_shown(const engine::LoadSettings& settings, const engine::Sources& sources) {
    return sources.size() > 0 &&
           sources.name(static_cast<std::uint32_t>(sources.size()) - 1) == settings.words_from;
}

using engine::Diagnostics;
using engine::Domain;
using engine::Ruleset;
using engine::Shape;
using engine::ShapeKind;
using engine::Span;

// A ruleset's description of itself as a game, read from `game`, `doc`, `options` and `shape`:
// everything except `ruleset` and `hides`. Reports missing or wrong parts to `diagnostics`.
class Description {
  public:
    Description(const Ruleset& ruleset, Diagnostics& diagnostics)
        : ruleset_(ruleset), diagnostics_(diagnostics) {}

    Facts read() {
        if (ruleset_.game.is_string()) {
            facts_.name = ruleset_.game.text();
        } else if (ruleset_.game.is_object()) {
            facts_.name = text_of("name");
            facts_.revision = text_of("revision");
        }
        for (const Member& member : ruleset_.rest)
            if (member.key == "doc" && member.value.is_string()) facts_.doc = member.value.text();
        players();
        if (!diagnostics_.has_errors()) teams();
        phases();
        options();
        moves();
        groups();
        (void)wishes_of(ruleset_, diagnostics_); // checked here; drawers read it again
        return std::move(facts_);
    }

  private:
    [[nodiscard]] const Member* in_game(std::string_view key) const {
        return ruleset_.game.is_object() ? ruleset_.game.find(key) : nullptr;
    }

    [[nodiscard]] std::string text_of(std::string_view key) const {
        const Member* member = in_game(key);
        return member != nullptr && member->value.is_string() ? member->value.text()
                                                              : std::string();
    }

    void error(std::string_view code, Span place, std::string message, std::string hint) {
        diagnostics_.error(code, place, std::move(message), std::move(hint));
    }

    // A list of names, a number of them, or a domain; by default the domain of `turn`.
    void players() {
        constexpr std::string_view kHint =
            "write \"game\": {\"players\": [\"A\", \"B\"]}, a number, or the name of a type";
        const Member* member = in_game("players");
        const Shape* turn = root_field(ruleset_, "turn");
        const Domain* domain = nullptr;
        if (member == nullptr && turn != nullptr && turn->kind == ShapeKind::Member)
            domain = ruleset_.domain(turn->domain);
        if (member != nullptr && member->value.is_string())
            domain = ruleset_.domain(member->value.text());
        const Span place = member != nullptr ? member->value.span : ruleset_.game.span;
        if (domain != nullptr) {
            facts_.players = domain->members;
        } else if (member != nullptr && member->value.is_array()) {
            for (const Member& each : member->value.members) {
                if (!each.value.is_string() || each.value.text().empty() ||
                    facts_.seat(each.value.text())) {
                    error(code::kPlayers, each.value.span,
                          "players are different texts, one for each seat", std::string(kHint));
                    return;
                }
                facts_.players.push_back(each.value.text());
            }
        } else if (const auto* count = member == nullptr
                                           ? nullptr
                                           : std::get_if<std::int64_t>(&member->value.scalar)) {
            for (std::int64_t i = 0; i < std::min<std::int64_t>(*count, kMaxPlayers + 1); ++i)
                facts_.players.push_back(std::to_string(i));
        } else {
            error(code::kPlayers, place, "the game does not say who its players are",
                  std::string(kHint));
            return;
        }
        // Report a player that can never be to move.
        const Domain* const turns = turn != nullptr && turn->kind == ShapeKind::Member
                                        ? ruleset_.domain(turn->domain)
                                        : nullptr;
        for (const std::string& player : facts_.players) {
            if (turns == nullptr ||
                std::ranges::find(turns->members, player) != turns->members.end())
                continue;
            error(code::kPlayers, place,
                  "it can never be the turn of the player " + player + ": the type " +
                      turn->domain + " of the node turn has no such member",
                  "add it to the type, or take it from the players");
            return;
        }
        if (facts_.players.size() < 2 || facts_.players.size() > kMaxPlayers) {
            error(code::kPlayers, place,
                  "a game has two to " + std::to_string(kMaxPlayers) + " players",
                  std::string(kHint));
        }
    }

    // {"AC": ["A", "C"], "BD": ["B", "D"]}
    void teams() {
        constexpr std::string_view kHint =
            "as in \"teams\": {\"AC\": [\"A\", \"C\"], \"BD\": [\"B\", \"D\"]}";
        const Member* member = in_game("teams");
        if (member == nullptr) return;
        std::vector<bool> taken(facts_.players.size());
        for (const Member& each : member->value.members) {
            Team team{each.key, {}};
            for (const Member& name : each.value.members) {
                const auto seat =
                    name.value.is_string() ? facts_.seat(name.value.text()) : std::nullopt;
                if (!seat || taken[*seat]) {
                    error(code::kTeams, name.value.span,
                          seat ? "this player is in a team already" : "this is not a player",
                          std::string(kHint));
                    return;
                }
                taken[*seat] = true;
                team.seats.push_back(*seat);
            }
            facts_.teams.push_back(std::move(team));
        }
        if (!member->value.is_object() || std::ranges::find(taken, false) != taken.end())
            error(code::kTeams, member->value.span, "every player is in one team",
                  std::string(kHint));
    }

    // The values of the root's leaf `phase`. "auction": "bid", or a list of them.
    void phases() {
        const Shape* phase = root_field(ruleset_, "phase");
        if (phase != nullptr && phase->kind == ShapeKind::Member)
            for (const std::string& name : ruleset_.domain(phase->domain)->members)
                facts_.phases.push_back({name});
        const Member* member = in_game("auction");
        if (member == nullptr) return;
        if (!member->value.is_array()) return auction(member->value);
        for (const Member& each : member->value.members)
            auction(each.value);
    }

    void auction(const Document& name) {
        const auto known = std::ranges::find_if(facts_.phases, [&](const GamePhase& each) {
            return name.is_string() && each.name == name.text();
        });
        if (known == facts_.phases.end()) {
            error(code::kAuction, name.span, "this is not a phase of the game",
                  "as in \"auction\": [\"bid\"], of what the shape's root leaf `phase` may be");
            return;
        }
        known->auction = true;
    }

    void options() {
        facts_.max_plies = kMaxPlies;
        facts_.option_values = engine::json::object();
        for (const engine::Option& option : ruleset_.options) {
            facts_.options.push_back({option.name, option.value.scalar, option.doc});
            if (option.values) engine::json::add(facts_.option_values, option.name, *option.values);
            if (option.name != "max_plies") continue;
            const auto* plies = std::get_if<std::int64_t>(&option.value.scalar);
            if (plies == nullptr || *plies < 1 || *plies > 100'000'000) {
                error(code::kMaxPlies, option.span, "max_plies is a number of moves from 1", {});
                return;
            }
            facts_.max_plies = static_cast<std::uint32_t>(*plies);
        }
    }

    void moves() {
        const Shape* moves = root_field(ruleset_, "moves");
        if (moves == nullptr || moves->kind != ShapeKind::Map || moves->domain.empty()) return;
        if (const Domain* domain = ruleset_.domain(moves->domain)) facts_.moves = domain->members;
    }

    void groups() {
        for (const std::string_view name : {"moves", "play", "score"}) {
            if (ruleset_.group(name) != nullptr) continue;
            error(code::kMissingGroup, ruleset_.game.span,
                  "a game has the groups moves, play and score; there is no " + std::string(name),
                  "a revision begins with \"@include\": the file of the game that it changes");
        }
        for (const auto& [name, other] : {std::pair{"unseen", "restore"}, {"restore", "unseen"}}) {
            if (ruleset_.group(name) == nullptr || ruleset_.group(other) != nullptr) continue;
            error(code::kMissingGroup, ruleset_.game.span,
                  std::string("there is the group ") + name + ", but no " + other,
                  "what is hidden is drawn by both: unseen lists it, restore puts it back");
        }
        if (ruleset_.group("belief") != nullptr && ruleset_.group("unseen") == nullptr) {
            error(code::kMissingGroup, ruleset_.game.span,
                  "there is the group belief, but nothing is drawn",
                  "belief weighs what unseen and restore have drawn: write these groups");
        }
    }

    const Ruleset& ruleset_;
    Diagnostics& diagnostics_;
    Facts facts_;
};

using engine::Symbol;
using engine::Value;

// Hashes the texts of all files, in reading order, independent of their folders.
std::string content_hash(const engine::Sources& sources) {
    std::uint64_t hash = text_hash({});
    for (std::uint32_t file = 0; file < sources.size(); ++file)
        hash = text_hash(std::string_view("", 1), text_hash(sources.text(file), hash));
    return fmt::format("{:016x}", hash);
}

// ---- the pack ----------------------------------------------------------------------------------

std::vector<std::string> split_pack(std::string_view text) {
    std::vector<std::string> cards;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        cards.emplace_back(text.substr(0, comma));
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    return cards;
}

// The option `deck`, if it exists and names a pack: the first card is dealt first.
const engine::Option* fixed_pack(const engine::Ruleset& ruleset) {
    for (const engine::Option& option : ruleset.options)
        if (option.name == "deck" && option.value.is_string() && !option.value.text().empty())
            return &option;
    return nullptr;
}

Document pack_list(const engine::Option& option) {
    Document list = engine::json::array();
    for (const std::string& card : split_pack(option.value.text()))
        engine::json::append(list, engine::json::text(card));
    return list;
}

engine::State initial_state(const engine::Catalogue& catalogue) {
    engine::State state = catalogue.initial_state();
    if (const engine::Option* pack = fixed_pack(catalogue.ruleset()))
        state.put_child(state.root(), state.symbols().intern("deck"), pack_list(*pack));
    return state;
}

// Checks that the ruleset can hold the pack, by putting it into a state.
void check_pack(const engine::Ruleset& ruleset, Diagnostics& diagnostics) {
    const engine::Option* pack = fixed_pack(ruleset);
    if (pack == nullptr) return;
    std::set<std::string> seen;
    for (const std::string& card : split_pack(pack->value.text())) {
        if (!seen.insert(card).second) {
            diagnostics.error(code::kPack, pack->span,
                              fmt::format("the pack holds '{}' twice", card));
        }
    }
    try {
        (void)initial_state(engine::Catalogue(ruleset));
    } catch (const engine::ShapeFault& fault) {
        diagnostics.error(code::kPack, pack->span,
                          fmt::format("this cannot be the pack: {}", fault.what()),
                          "name the cards as the ruleset does, in the order of dealing, as in "
                          "--set deck=AS,7H");
    }
}

// Reports options that the ruleset refuses together.
void refuse_options(const RulesetGame& game, Diagnostics& diagnostics) {
    for (const RulesetGame::Refusal& refusal : game.refused(game.initial())) {
        Span place = game.ruleset().game.span;
        for (const engine::Option& option : game.ruleset().options)
            if (option.name == refusal.node) place = option.span;
        diagnostics.error(code::kRefusedOptions, place, refusal.reason);
    }
}

// Nodes that the harness reads from a position.
const std::vector<std::string> kRead = {"turn", "over", "score", "place", "role"};

// Warns of root names that rules write and the shape does not have but that resemble known names,
// and of a game that gives no scores.
void warn_of_names(const engine::Ruleset& ruleset, Diagnostics& diagnostics) {
    const engine::RootKeys written = engine::written_root_keys(ruleset);
    std::set<std::string> declared;
    if (ruleset.shape)
        for (const auto& [name, field] : ruleset.shape->fields)
            declared.insert(name);
    std::vector<std::string> known(declared.begin(), declared.end());
    known.insert(known.end(), kRead.begin(), kRead.end());
    std::erase_if(known, [&](const std::string& name) { return written.names.contains(name); });
    bool near_score = false;
    for (const auto& [name, place] : written.names) {
        if (declared.contains(name)) continue;
        const auto meant = engine::nearest(name, known);
        if (!meant) continue;
        near_score = near_score || *meant == "score";
        diagnostics.warning(
            code::kNearName, place,
            fmt::format("\"{}\" is written and not declared; nothing writes \"{}\"", name, *meant),
            fmt::format("did you mean \"{}\"?", *meant));
    }
    const bool scores = written.names.contains("score") || written.names.contains("place") ||
                        (ruleset.state && ruleset.state->find("score") != nullptr);
    if (!scores && !written.any && !near_score)
        diagnostics.warning(code::kNoScore, ruleset.group("score")->span,
                            "no rule writes score: every player has 0",
                            "as in \"action\": {\"score\": {\"$P\": 1}}");
}

void warn_of_options(const engine::Ruleset& ruleset, Diagnostics& diagnostics) {
    for (const engine::Option& option : ruleset.options)
        if (option.doc.empty())
            diagnostics.warning(
                code::kNoDoc, option.span, fmt::format("the option {} has no doc", option.name),
                R"(as in "option_values": {"target": {"values": "1..100", "doc": "Ends the game."}})");
}

void open_loaded(engine::Ruleset ruleset, const RulesetSettings& settings, OpenedRuleset& opened) {
    Facts facts = Description(ruleset, opened.diagnostics).read();
    if (facts.name.empty()) facts.name = settings.name;
    if (!settings.revision.empty()) facts.revision = settings.revision;
    facts.ruleset = content_hash(opened.sources);
    std::vector<Hidden> hidden;
    if (ruleset.hidden) hidden = read_hidden(ruleset, opened.diagnostics);
    facts.hides = !hidden.empty();
    const std::vector<MaterialNode> material = read_material(ruleset, facts, opened.diagnostics);
    const SolvingNodes solving = read_solving_nodes(ruleset, facts, opened.diagnostics);
    if (const Member* places = ruleset.game.is_object() ? ruleset.game.find("one_place") : nullptr)
        (void)read_one_place(places->value, ruleset, opened.diagnostics);
    if (!opened.diagnostics.has_errors()) check_pack(ruleset, opened.diagnostics);
    if (opened.diagnostics.has_errors()) return;
    if (settings.strict) {
        warn_of_names(ruleset, opened.diagnostics);
        warn_of_options(ruleset, opened.diagnostics);
    }
    opened.game =
        std::make_shared<RulesetGame>(std::move(ruleset), std::move(facts), hidden, opened.sources,
                                      settings.budgets, material, solving);
    if (settings.strict) warn_of_walks(opened.game->program(), kGroupsOfMoves, opened.diagnostics);
    refuse_options(*opened.game, opened.diagnostics);
    if (opened.diagnostics.has_errors()) opened.game = nullptr;
}

} // namespace

void warn_of_walks(const engine::Program& program, std::span<const std::string_view> groups,
                   engine::Diagnostics& diagnostics) {
    for (const engine::form::Walk& walk : engine::form::walks(program.unwatched(), groups)) {
        const std::size_t others = walk.rules.size() - 1;
        const std::string more = fmt::format(", in {} more rule{}", others, others > 1 ? "s" : "");
        diagnostics.warning(code::kWalk, walk.span, walk.text() + (others > 0 ? more : ""),
                            std::string(walk.cure), program.catalogue().rules[walk.rules[0]].name);
    }
}

const engine::Shape* root_field(const engine::Ruleset& ruleset, std::string_view name) {
    if (!ruleset.shape) return nullptr;
    for (const auto& [field, shape] : ruleset.shape->fields)
        if (field == name) return &shape;
    return nullptr;
}

std::string text_of(const Scalar& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : engine::scalar_json(value);
}

engine::Loaded load_with_options(std::span<const std::string> paths, const engine::FileOpener& open,
                                 engine::LoadSettings& settings) {
    const auto options = std::move(settings.options);
    settings.options.clear();
    engine::Loaded loaded = engine::load_ruleset(paths, open, settings);
    if (!loaded.ruleset || options.empty()) return loaded;
    settings.options = options;
    const std::vector<Misfit> misfits = fit_options(settings, *loaded.ruleset);
    loaded = engine::load_ruleset(paths, open, settings);
    const auto files = static_cast<std::uint32_t>(loaded.sources.size());
    const std::uint32_t source = are_shown(settings, loaded.sources) ? files - 1 : files;
    for (const Misfit& misfit : misfits)
        loaded.diagnostics.error(code::kOptionType,
                                 engine::setting_span(settings, misfit.option, source),
                                 misfit.problem);
    return loaded;
}

void show_settings(const engine::LoadSettings& settings, engine::Sources& sources,
                   const engine::Diagnostics& diagnostics) {
    if (settings.options.empty() || are_shown(settings, sources)) return;
    const auto found = diagnostics.sorted();
    if (std::ranges::any_of(found, [&](const engine::Diagnostic& each) {
            return each.span.file == sources.size();
        }))
        engine::add_settings(sources, settings);
}

OpenedRuleset open_ruleset(const std::string& path, const engine::FileOpener& open,
                           const RulesetSettings& settings) {
    return open_ruleset(std::array{path}, open, settings);
}

OpenedRuleset open_ruleset(std::span<const std::string> paths, const engine::FileOpener& open,
                           const RulesetSettings& settings) {
    OpenedRuleset opened;
    engine::LoadSettings load;
    load.strict = settings.strict;
    load.options = settings.options;
    engine::Loaded loaded = load_with_options(paths, open, load);
    opened.sources = std::move(loaded.sources);
    opened.diagnostics = std::move(loaded.diagnostics);
    if (loaded.ruleset && !opened.diagnostics.has_errors())
        open_loaded(std::move(*loaded.ruleset), settings, opened);
    show_settings(load, opened.sources, opened.diagnostics);
    return opened;
}

// ---- the game ----------------------------------------------------------------------------------

RulesetGame::RulesetGame(engine::Ruleset ruleset, Facts facts, const std::vector<Hidden>& hidden,
                         engine::Sources sources, const engine::Budgets& budgets,
                         const std::vector<MaterialNode>& material, const SolvingNodes& solving)
    : ruleset_(std::move(ruleset)), facts_(std::move(facts)), sources_(std::move(sources)),
      budgets_(budgets),
      program_(ruleset_, [&](engine::Catalogue& catalogue) { take_names(catalogue, hidden); }) {
    const engine::Catalogue& catalogue = program_.catalogue();
    groups_ = {catalogue.group_id("setup"),  catalogue.group_id("moves"),
               catalogue.group_id("play"),   catalogue.group_id("derive"),
               catalogue.group_id("score"),  catalogue.group_id("observe"),
               catalogue.group_id("unseen"), catalogue.group_id("restore"),
               catalogue.group_id("belief"), catalogue.group_id("refuse")};
    for (Seat seat = 0; seat < facts_.seats(); ++seat) {
        const std::vector<Seat> partners = facts_.partners(seat);
        leads_team_.push_back(*std::ranges::min_element(partners) == seat);
    }
    if (slots_.moves.schema != engine::kNoSchema) {
        const engine::SchemaNode& moves = catalogue.layout->node(slots_.moves.schema);
        if (moves.kind == engine::ShapeKind::Map && moves.domain != 0) {
            move_domain_ = &catalogue.layout->domain(moves.domain);
            const engine::SchemaNode& element = catalogue.layout->node(moves.element);
            if (element.presence != engine::kNoOffset) {
                first_move_word_ = element.presence;
                move_words_ = element.words;
            }
        }
    }
    if (slots_.move.schema != engine::kNoSchema) {
        const engine::SchemaNode& move = catalogue.layout->node(slots_.move.schema);
        has_move_code_ = move.kind == engine::ShapeKind::Member &&
                         &catalogue.layout->domain(move.domain) == move_domain_;
        has_move_byte_ = has_move_code_ && slots_.move.byte != engine::kNoOffset;
    }
    if (slots_.turn.byte != engine::kNoOffset) {
        const engine::SchemaNode& turn = catalogue.layout->node(slots_.turn.schema);
        const bool by_name = turn.kind == engine::ShapeKind::Member &&
                             !catalogue.layout->domain(turn.domain).numbered;
        if (by_name) {
            seats_by_code_.push_back(kNoSeat);
            for (const engine::Symbol name : catalogue.layout->domain(turn.domain).members)
                seats_by_code_.push_back(seat_of(Value::string(name), catalogue.symbols));
        }
    }
    solving_ = SolvingPlan(solving, facts_, *catalogue.layout);
    facts_.gains = solving_.owners();
    if (!material.empty()) material_.emplace(material, facts_, *catalogue.layout);
    initial_.emplace(initial_state(catalogue));
    if (material_) evaluation_in_cpp_ = games::evaluation_in_cpp(*this, *material_);
}

// Interns the names that the harness reads and writes, whether or not the rules use them.
void RulesetGame::take_names(engine::Catalogue& catalogue, const std::vector<Hidden>& hidden) {
    engine::Symbols& symbols = catalogue.symbols;
    const engine::Layout& layout = *catalogue.layout;
    const auto slot = [&](std::string_view name) {
        Slot made;
        made.key = symbols.intern(name);
        const engine::SchemaId field = layout.node(0).field(made.key);
        if (field == engine::kNoSchema || layout.node(field).column == engine::Column::Arena)
            return made;
        made.schema = field;
        made.field = layout.root_field(field);
        if (layout.node(field).column == engine::Column::Code8)
            made.byte = layout.node(field).values;
        return made;
    };
    slots_ = {slot("turn"),     slot("over"),    slot("move"), slot("moves"),
              slot("score"),    slot("place"),   slot("role"), slot("secret"),
              slot("observer"), slot("refused"), slot("phase")};
    observer_names_ = {symbols.intern("drawn"), symbols.intern("rejected"),
                       symbols.intern("weight")};
    for (const std::string& player : facts_.players)
        players_.push_back(symbols.intern(player));
    hidden_ = HiddenPlan(hidden, symbols, layout, players_);
}

std::unique_ptr<Position> RulesetGame::new_position() const {
    return std::make_unique<RulesetPosition>(*this);
}

std::unique_ptr<Observer> RulesetGame::new_observer() const {
    const engine::Group* const unseen = ruleset_.group("unseen");
    const bool told =
        unseen != nullptr && !unseen->rules.empty() && groups_.restore != engine::kNone;
    if (!facts_.hides || !told) return nullptr;
    return std::make_unique<RulesetObserver>(*this);
}

// The root may have any node, since rules may write undeclared ones; but a name that resembles a
// known one is reported.
void RulesetGame::check_root(const Document& state, Diagnostics& diagnostics) const {
    std::vector<std::string> known = kRead;
    const std::set<std::string> declared = engine::declared_root_names(ruleset_);
    known.insert(known.end(), declared.begin(), declared.end());
    for (const Member& member : state.members) {
        if (std::ranges::find(known, member.key) != known.end()) continue;
        const auto meant = engine::nearest(member.key, known);
        if (!meant) continue;
        diagnostics.error(code::kUnknownNode, member.key_span,
                          fmt::format("no state of this game has the node \"{}\"", member.key),
                          fmt::format("did you mean \"{}\"?", *meant));
    }
}

std::vector<RulesetGame::Refusal> RulesetGame::refused(engine::State state) const {
    std::vector<Refusal> all;
    if (groups_.refuse == engine::kNone) return all;
    engine::Machine machine(program_, budgets_);
    Random chance(0);
    if (const auto error = machine.run(groups_.refuse, state, chance).error) {
        all.push_back({{},
                       fmt::format("{}: rule {}: {}", sources_.place(error->span), error->rule,
                                   error->detail)});
        return all;
    }
    const engine::NodeRef node = state.child(state.root(), slots_.refused.key);
    if (!node) return all;
    for (const Member& member : state.export_document(node).members) {
        const bool text = member.value.kind == engine::DocumentKind::Scalar;
        all.push_back({member.key, text ? text_of(member.value.scalar) : member.key});
    }
    return all;
}

Seat RulesetGame::seat_of(const Value& value, const engine::Symbols& symbols) const {
    if (value.is_text()) {
        const auto named = std::ranges::find(players_, value.symbol());
        if (named != players_.end()) return static_cast<Seat>(named - players_.begin());
    }
    for (Seat seat = 0; seat < players_.size(); ++seat)
        if (engine::equal(Value::key(players_[seat]), value, symbols)) return seat;
    return kNoSeat;
}

} // namespace croupier::games
