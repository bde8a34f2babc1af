// From a file to a game: reads, checks what only games need, compiles.
#include "games/ruleset/ruleset_game.h"

#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/checks/one_place.h"

#include "games/registry.h"
#include "games/ruleset/codes.h"
#include "games/ruleset/describe.h"
#include "games/ruleset/option_words.h"
#include "games/ruleset/ruleset_observer.h"
#include "games/ruleset/ruleset_position.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace croupier::games {
namespace {

using engine::Diagnostics;
using engine::Document;
using engine::Member;
using engine::Span;
using engine::Symbol;
using engine::Value;

// The texts of all files, in the order in which they were read: what the rules say, wherever the
// files lie.
std::string content_hash(const engine::Sources& sources) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3u; };
    for (std::uint32_t file = 0; file < sources.size(); ++file) {
        for (const char c : sources.text(file))
            add(static_cast<unsigned char>(c));
        add(0);
    }
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

// The option `deck`, if the ruleset has it and it names a pack: the first card is dealt first.
const engine::Option* fixed_pack(const engine::Ruleset& ruleset) {
    for (const engine::Option& option : ruleset.options) {
        if (option.name == "deck" && option.value.is_string() && !option.value.text().empty())
            return &option;
    }
    return nullptr;
}

Document pack_list(const engine::Option& option) {
    Document list = engine::json::array();
    for (const std::string& card : split_pack(option.value.text()))
        engine::json::append(list, engine::json::text(card));
    return list;
}

engine::State initial_state(engine::Catalogue& program) {
    engine::State state = program.initial_state();
    if (const engine::Option* pack = fixed_pack(program.ruleset()))
        state.put_child(state.root(), state.symbols().intern("deck"), pack_list(*pack));
    return state;
}

// Whether the pack is one that the ruleset can hold; the state tells.
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
        engine::Catalogue catalogue(ruleset);
        (void)initial_state(catalogue);
    } catch (const engine::ShapeFault& fault) {
        diagnostics.error(code::kPack, pack->span,
                          fmt::format("this cannot be the pack: {}", fault.what()),
                          "name the cards as the ruleset does, in the order of dealing, as in "
                          "--set deck=AS,7H");
    }
}

} // namespace

namespace {

// Options that do not go together, as the ruleset says.
void refuse_options(const RulesetGame& game, Diagnostics& diagnostics) {
    for (const RulesetGame::Refusal& refusal : game.refused(game.initial())) {
        Span place = game.ruleset().game.span;
        for (const engine::Option& option : game.ruleset().options) {
            if (option.name == refusal.node) place = option.span;
        }
        diagnostics.error(code::kRefusedOptions, place, refusal.reason);
    }
}

// What the harness reads of a position.
const std::vector<std::string> kRead = {"turn", "over", "score", "place", "role"};

// Names at the root that rules write and the shape does not have, and that are nearly others that
// are declared or read; and a game in which nobody is given a score.
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

void open_loaded(engine::Ruleset ruleset, const RulesetSettings& settings, OpenedRuleset& opened) {
    Facts facts = describe(ruleset, opened.diagnostics);
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
    if (settings.strict) warn_of_names(ruleset, opened.diagnostics);
    opened.game =
        std::make_shared<RulesetGame>(std::move(ruleset), std::move(facts), hidden, opened.sources,
                                      settings.budgets, material, solving);
    refuse_options(*opened.game, opened.diagnostics);
    if (opened.diagnostics.has_errors()) opened.game = nullptr;
}

} // namespace

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
      program_(ruleset_), slots_{slot("turn"),     slot("over"),    slot("move"), slot("moves"),
                                 slot("score"),    slot("place"),   slot("role"), slot("secret"),
                                 slot("observer"), slot("refused"), slot("phase")},
      observer_names_{program_.symbols.intern("drawn"), program_.symbols.intern("rejected"),
                      program_.symbols.intern("weight")},
      groups_{program_.group_id("setup"),  program_.group_id("moves"),
              program_.group_id("play"),   program_.group_id("derive"),
              program_.group_id("score"),  program_.group_id("observe"),
              program_.group_id("unseen"), program_.group_id("restore"),
              program_.group_id("belief"), program_.group_id("refuse")} {
    for (const std::string& player : facts_.players)
        players_.push_back(program_.symbols.intern(player));
    hidden_ = HiddenPlan(hidden, program_.symbols, *program_.layout, players_);
    for (Seat seat = 0; seat < facts_.seats(); ++seat) {
        const std::vector<Seat> partners = facts_.partners(seat);
        leads_team_.push_back(*std::min_element(partners.begin(), partners.end()) == seat);
    }
    if (slots_.moves.schema != engine::kNoSchema) {
        const engine::SchemaNode& moves = program_.layout->node(slots_.moves.schema);
        if (moves.kind == engine::ShapeKind::Map && moves.domain != 0) {
            move_domain_ = &program_.layout->domain(moves.domain);
            const engine::SchemaNode& element = program_.layout->node(moves.element);
            if (element.kind == engine::ShapeKind::Unit) {
                first_move_word_ = element.presence;
                move_words_ = element.words;
            }
        }
    }
    if (slots_.move.schema != engine::kNoSchema) {
        const engine::SchemaNode& move = program_.layout->node(slots_.move.schema);
        has_move_code_ = move.kind == engine::ShapeKind::Member &&
                         &program_.layout->domain(move.domain) == move_domain_;
        has_move_byte_ = has_move_code_ && slots_.move.byte != engine::kNoOffset;
    }
    if (slots_.turn.byte != engine::kNoOffset) {
        const engine::SchemaNode& turn = program_.layout->node(slots_.turn.schema);
        const bool by_name = turn.kind == engine::ShapeKind::Member &&
                             !program_.layout->domain(turn.domain).numbered;
        if (by_name) {
            seats_by_code_.push_back(kNoSeat);
            for (const engine::Symbol name : program_.layout->domain(turn.domain).members)
                seats_by_code_.push_back(seat_of(Value::string(name), program_.symbols));
        }
    }
    solving_ = SolvingPlan(solving, facts_, *program_.layout);
    facts_.gains = solving_.owners();
    if (!material.empty()) material_.emplace(material, facts_, *program_.layout);
    // Last: states see only what was interned before them.
    initial_.emplace(initial_state(program_));
    if (material_) evaluation_in_cpp_ = games::evaluation_in_cpp(*this, *material_);
}

RulesetGame::Slot RulesetGame::slot(std::string_view name) {
    Slot slot;
    slot.key = program_.symbols.intern(name);
    const engine::SchemaNode& root = program_.layout->node(0);
    const engine::SchemaId field = root.field(slot.key);
    if (field != engine::kNoSchema && program_.layout->node(field).column != engine::Column::Arena)
        slot.schema = field;
    if (slot.schema == engine::kNoSchema) return slot;
    slot.field = program_.layout->root_field(field);
    if (program_.layout->node(field).column == engine::Column::Code8)
        slot.byte = program_.layout->node(field).values;
    return slot;
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

// Any node may stand at the root, rules may write what no shape declares; but what is nearly the
// name of a known node is a slip.
void RulesetGame::check_root(const Document& state, Diagnostics& diagnostics) const {
    std::vector<std::string> known = kRead;
    if (ruleset_.shape) {
        for (const auto& [name, field] : ruleset_.shape->fields)
            known.push_back(name);
    }
    if (ruleset_.state) {
        for (const Member& member : ruleset_.state->members)
            known.push_back(member.key);
    }
    for (const Member& member : state.members) {
        if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
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
        const auto named = std::find(players_.begin(), players_.end(), value.symbol());
        if (named != players_.end()) return static_cast<Seat>(named - players_.begin());
    }
    for (Seat seat = 0; seat < players_.size(); ++seat) {
        if (engine::equal(Value::key(players_[seat]), value, symbols)) return seat;
    }
    return kNoSeat;
}

} // namespace croupier::games
