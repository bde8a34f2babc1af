// Overlays the state that an agent sees with a rule file, and compiles both.
#include "agents/rules/rule_program.h"

#include "agents/codes.h"
#include "agents/tablebase/tablebase.h"
#include "engine/api/program.h"
#include "engine/api/random.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace croupier::agents {

using engine::Diagnostics;
using engine::Document;
using engine::NodeRef;
using engine::Shape;
using engine::ShapeKind;
using engine::State;
using engine::Tag;
using engine::Value;
using engine::json::add;
using engine::json::text;
using games::Move;
using games::Position;
using games::root_field;
using games::RulesetGame;
using games::Seat;

namespace {

// ---- what every agent of the game sees, as a file below the agent's own ----------------------

// The shape of a field of the game's state, or `any`.
Document field_shape(const engine::Ruleset& ruleset, std::string_view name) {
    const Shape* field = root_field(ruleset, name);
    return field == nullptr ? text("any") : to_document(*field, ruleset.types);
}

Document shape_of_agents(const engine::Ruleset& ruleset, RuleRole role) {
    Document shape = engine::json::object();
    // First, so that its layout equals the game's, and it is copied in one piece.
    add(shape, "view", ruleset.shape ? to_document(*ruleset.shape, ruleset.types) : text("any"));
    add(shape, "me", field_shape(ruleset, "turn"));
    add(shape, "moves", field_shape(ruleset, "moves"));
    Document seen = engine::json::object();
    add(seen, "player", field_shape(ruleset, "turn"));
    add(seen, "move", field_shape(ruleset, "move"));
    add(shape, "seen", std::move(seen));
    const Shape* moves = root_field(ruleset, "moves");
    const bool listed = moves != nullptr && moves->kind == ShapeKind::Map && !moves->domain.empty();
    Document prefer = engine::json::object();
    add(prefer, listed ? "$:" + moves->domain : "$", text("number"));
    add(shape, "prefer", std::move(prefer));
    // A game may have constants with that name, for agents to read.
    if (role == RuleRole::Evaluator) add(shape, "worth", text("number"));
    return shape;
}

std::string what_agents_see(const engine::Ruleset& ruleset, RuleRole role) {
    Document all = engine::json::object();
    Document types = engine::json::object();
    for (const engine::Domain& domain : ruleset.types)
        if (!domain.anonymous) add(types, domain.name, to_document(domain));
    add(all, "types", std::move(types));
    if (ruleset.constants) add(all, "constants", *ruleset.constants);
    Document options = engine::json::object();
    for (const engine::Option& option : ruleset.options)
        add(options, option.name, option.value);
    add(all, "options", std::move(options));
    add(all, "shape", shape_of_agents(ruleset, role));
    return engine::write_json(all);
}

// ---- reading ---------------------------------------------------------------------------------

std::string game_of(const Document& game) {
    if (game.is_string()) return game.text();
    const engine::Member* name = game.is_object() ? game.find("name") : nullptr;
    return name != nullptr && name->value.is_string() ? name->value.text() : std::string();
}

// {"worth": expression}, as a group.
engine::Group group_of(const engine::Expr& worth) {
    engine::ActionEntry entry;
    entry.key.parts.push_back({.text = "worth", .variable = false, .span = worth.span});
    entry.span = worth.span;
    entry.node.kind = engine::ActionKind::Set;
    entry.node.expr = worth;
    engine::Rule rule;
    rule.name = "evaluator";
    rule.span = worth.span;
    rule.action.kind = engine::Action::Kind::Tree;
    rule.action.tree.entries.push_back(std::move(entry));
    engine::Group group;
    group.name = "evaluator";
    group.span = worth.span;
    group.rules.push_back(std::move(rule));
    return group;
}

void check_memory(const engine::Ruleset& ruleset, Diagnostics& diagnostics) {
    if (!ruleset.memory) return;
    try {
        engine::Symbols symbols;
        const engine::Layout layout(ruleset.types, &*ruleset.shape, symbols);
        State state(layout);
        state.put_child(state.root(), state.symbols().intern("memory"), *ruleset.memory);
    } catch (const engine::ShapeFault& fault) {
        diagnostics.error(code::kMemory, ruleset.memory->span,
                          fmt::format("this cannot be the memory: {}", fault.what()),
                          "shape.memory says what it may hold");
    }
}

void switch_off(const RuleAt& rule, engine::Ruleset& ruleset) {
    for (engine::Group& group : ruleset.groups) {
        if (group.name != rule.group) continue;
        std::erase_if(group.rules,
                      [&](const engine::Rule& each) { return each.name == rule.name; });
    }
}

bool has_option(const engine::Ruleset& ruleset, std::string_view name) {
    return std::ranges::any_of(ruleset.options,
                               [&](const engine::Option& option) { return option.name == name; });
}

// Agents cannot change the game's options.
void refuse_options_of_the_game(const engine::LoadSettings& settings, const RulesetGame& game,
                                OpenedRules& refused) {
    for (std::size_t i = 0; i < settings.options.size(); ++i) {
        const std::string& name = settings.options[i].first;
        if (!has_option(game.ruleset(), name)) continue;
        refused.diagnostics.error(
            code::kParameter, engine::setting_span(settings, i, 0),
            fmt::format("{} is an option of the game, which an agent cannot set", name),
            "--set sets options of the game");
    }
    if (refused.diagnostics.has_errors()) engine::add_settings(refused.sources, settings);
}

} // namespace

bool is_for(const Document& game, const games::Facts& facts, Diagnostics& diagnostics) {
    const std::string name = game_of(game);
    if (name == facts.name) return true;
    const std::string hint = fmt::format("write \"game\": \"{}\"", facts.name);
    if (name.empty())
        diagnostics.error(code::kGame, game.span, "the file does not say for which game it is",
                          hint);
    else
        diagnostics.error(code::kGame, game.span,
                          fmt::format("this is for {}, and {} is played", name, facts.name),
                          "take a file that was written for the game");
    return false;
}

bool says_another_game(const std::string& path, const engine::FileOpener& open,
                       const games::Facts& facts, engine::Sources& sources,
                       Diagnostics& diagnostics) {
    const engine::FileText file = open(path);
    if (!file.text) return false;
    engine::Sources read;
    Diagnostics found;
    const auto document = engine::read_json(read, read.add(path, *file.text), found);
    const engine::Member* game =
        document && document->is_object() ? document->find("game") : nullptr;
    if (game == nullptr || is_for(game->value, facts, found)) return false;
    sources = std::move(read);
    diagnostics = std::move(found);
    return true;
}

OpenedRules open_rules(const RuleRequest& request, const engine::FileOpener& open,
                       const RulesetGame& game) {
    OpenedRules opened;
    const games::Facts& facts = game.facts();
    if (says_another_game(request.path, open, facts, opened.sources, opened.diagnostics))
        return opened;
    const std::string base = fmt::format("<what agents of {} see>", facts.name);
    const engine::FileOpener with_base = [&](const std::string& name) {
        return name == base ? engine::FileText{what_agents_see(game.ruleset(), request.role), {}}
                            : open(name);
    };
    engine::LoadSettings settings;
    settings.strict = request.strict;
    settings.words_from = "parameters of " + request.path;
    for (const Parameter& parameter : request.parameters)
        settings.options.emplace_back(parameter.name, parameter.value);
    refuse_options_of_the_game(settings, game, opened);
    if (opened.diagnostics.has_errors()) return opened;
    const std::array files{base, request.path};
    engine::Loaded loaded = games::load_with_options(files, with_base, settings);
    opened.sources = std::move(loaded.sources);
    opened.diagnostics = std::move(loaded.diagnostics);
    games::show_settings(settings, opened.sources, opened.diagnostics);
    if (!loaded.ruleset || !is_for(loaded.ruleset->game, facts, opened.diagnostics)) return opened;
    engine::Ruleset& ruleset = *loaded.ruleset;
    if (!ruleset.evaluator.empty()) ruleset.groups.push_back(group_of(ruleset.evaluator[0]));
    const bool is_agent = request.role == RuleRole::Agent;
    const std::string_view needed = is_agent ? "choose" : "evaluator";
    if (ruleset.group(needed) == nullptr) {
        opened.diagnostics.error(
            code::kMissing, ruleset.game.span, fmt::format("there is no {}", needed),
            is_agent ? "the group choose writes prefer.<move>: weight"
                     : "evaluator is an expression, or a group that writes worth");
    }
    check_memory(ruleset, opened.diagnostics);
    if (request.without != nullptr) switch_off(*request.without, ruleset);
    if (!opened.diagnostics.has_errors())
        opened.program = std::make_shared<const RuleProgram>(std::move(ruleset), game);
    if (opened.program != nullptr && request.strict)
        games::warn_of_walks(opened.program->program(), {}, opened.diagnostics);
    return opened;
}

OpenedRules RulePrograms::open(const RuleRequest& request, const engine::FileOpener& open,
                               const RulesetGame& game) {
    assert(request.without == nullptr && !request.strict);
    std::string key = fmt::format("{}\n{}", request.role == RuleRole::Agent, request.path);
    for (const Parameter& parameter : request.parameters)
        key += fmt::format("\n{}={}", parameter.name, engine::scalar_json(parameter.value));
    // Other threads wait while one compiles the same file.
    const std::scoped_lock lock(mutex_);
    OpenedRules& known = opened_[std::move(key)];
    assert(known.program == nullptr || &known.program->game() == &game);
    if (known.program == nullptr) known = open_rules(request, open, game);
    return known;
}

std::shared_ptr<const LearntEvaluation> RulePrograms::learnt(const Learn& learn) {
    const std::scoped_lock lock(mutex_);
    if (!learnt_) learnt_ = learn();
    return *learnt_;
}

std::shared_ptr<const Net> RulePrograms::net(const std::string& path, const OpenNet& open) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<const Net>& known = nets_[path];
    if (known == nullptr) known = open();
    return known;
}

std::shared_ptr<Solution> RulePrograms::solution(const games::Game& game, std::uint64_t most) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<Solution>& known = solutions_[most];
    if (known == nullptr) known = std::make_shared<Solution>(game, most);
    assert(&known->game() == &game);
    return known;
}

// ---- the tree of an agent --------------------------------------------------------------------

RuleProgram::RuleProgram(engine::Ruleset ruleset, const RulesetGame& game)
    : game_(game), ruleset_(std::move(ruleset)) {
    // Names that this class reads and writes, whether or not the rules use them.
    program_ = std::make_unique<engine::Program>(ruleset_, [&](engine::Catalogue& catalogue) {
        engine::Symbols& symbols = catalogue.symbols;
        names_ = {symbols.intern("view"),   symbols.intern("me"),     symbols.intern("moves"),
                  symbols.intern("memory"), symbols.intern("seen"),   symbols.intern("player"),
                  symbols.intern("move"),   symbols.intern("prefer"), symbols.intern("worth")};
        for (const std::string& player : game.facts().players)
            players_.push_back(symbols.intern(player));
    });
    const engine::Catalogue& catalogue = program_->catalogue();
    groups_ = {catalogue.group_id("observe"), catalogue.group_id("choose"),
               catalogue.group_id("evaluator")};
    const engine::Layout& mine = *catalogue.layout;
    const engine::Layout& its = *game.program().catalogue().layout;
    view_.emplace(its, 0, mine, mine.node(0).field(names_.view));
    const engine::SchemaId moves = game.slots().moves.schema;
    if (moves != engine::kNoSchema)
        moves_.emplace(its, moves, mine, mine.node(0).field(names_.moves));
    const Shape* turn = root_field(game.ruleset(), "turn");
    players_may_be_numbers_ = turn == nullptr || turn->kind == ShapeKind::Any;
    moves_may_be_numbers_ = root_field(game.ruleset(), "move") == nullptr;
    initial_.emplace(catalogue.initial_state());
    if (ruleset_.memory) initial_->put_child(initial_->root(), names_.memory, *ruleset_.memory);
}

std::vector<engine::Option> RuleProgram::parameters() const {
    std::vector<engine::Option> own;
    for (const engine::Option& option : ruleset_.options)
        if (!has_option(game_.ruleset(), option.name)) own.push_back(option);
    return own;
}

Value RuleProgram::named(const engine::Symbols& symbols, engine::Symbol name, bool may_be_number) {
    const auto integer = may_be_number ? symbols.integer(name) : std::nullopt;
    return integer ? Value::number(*integer) : Value::key(name);
}

void RuleProgram::set_me(State& state, Seat me) const {
    state.set_child(state.root(), names_.me,
                    named(state.symbols(), players_[me], players_may_be_numbers_));
}

void RuleProgram::look(State& state, const Position& view) const {
    const State* const shown = view.ruleset_state();
    if (shown != nullptr)
        view_->copy(*shown, state);
    else // from the documented state
        state.put_child(state.root(), names_.view, view.state());
    if (shown != nullptr && moves_) {
        moves_->copy(*shown, state);
        return;
    }
    const NodeRef old = state.child(state.root(), names_.moves);
    if (old) state.remove(old);
    const NodeRef moves = state.make_child(state.root(), names_.moves);
    for (std::size_t i = 0; i < view.move_count(); ++i)
        state.set_child(moves, state.symbols().intern(view.text(view.move(i))),
                        Value::boolean(true));
}

void RuleProgram::put_seen(State& state, Seat player, std::string_view move) const {
    const NodeRef seen = state.make_child(state.root(), names_.seen);
    const auto put = [&](engine::Symbol node, engine::Symbol name, bool may_be_number) {
        state.set_child(seen, node, named(state.symbols(), name, may_be_number));
    };
    put(names_.player, players_[player], players_may_be_numbers_);
    if (!move.empty()) put(names_.move, state.symbols().intern(move), moves_may_be_numbers_);
}

void RuleProgram::drop_seen(State& state) const {
    const NodeRef seen = state.child(state.root(), names_.seen);
    if (seen) state.remove(seen);
}

std::uint64_t RuleProgram::take_weights(State& state, const Position& view,
                                        std::vector<std::optional<double>>& weights) const {
    weights.assign(view.move_count(), std::nullopt);
    const NodeRef prefer = state.child(state.root(), names_.prefer);
    if (!prefer) return 0;
    std::uint64_t others = 0;
    std::size_t next = 0; // index where the search for a move begins
    // Weights are mostly in the order of the moves.
    const auto take = [&](NodeRef node, const auto& is) {
        std::size_t i = next;
        while (i < weights.size() && !is(i))
            ++i;
        if (i == weights.size()) {
            i = 0;
            while (i < next && !is(i))
                ++i;
            if (i == next) i = weights.size();
        }
        if (i == weights.size()) {
            ++others;
            return;
        }
        next = i + 1;
        const Value weight = state.value(node);
        weights[i] = weight.tag == Tag::Int ? static_cast<double>(weight.integer) : weight.real();
    };
    if (game_.move_domain() != nullptr && prefer.schema != engine::kArena) {
        const engine::SchemaId element = state.layout().node(prefer.schema).element;
        const std::uint32_t rows = game_.move_domain()->size();
        for (std::uint32_t row = state.next_row(prefer, 0); row < rows;
             row = state.next_row(prefer, row + 1))
            take({element, row}, [&](std::size_t i) { return view.move(i) == row; });
    } else {
        for (NodeRef node = state.first_child(prefer); node; node = state.next_sibling(node))
            take(node, [&](std::size_t i) {
                return view.text(view.move(i)) == state.symbols().text(state.key(node).symbol());
            });
    }
    state.remove(prefer);
    return others;
}

std::optional<double> RuleProgram::take_worth(State& state) const {
    const NodeRef node = state.child(state.root(), names_.worth);
    if (!node) return std::nullopt;
    const Value worth = state.value(node);
    state.remove(node);
    return worth.tag == Tag::Int ? static_cast<double>(worth.integer) : worth.real();
}

// Gives the position to the rules and reads the worth that they write.
RuleEvaluation::RuleEvaluation(std::shared_ptr<const RuleProgram> program)
    : program_(std::move(program)), state_(program_->initial()), machine_(program_->program()) {}

double RuleEvaluation::worth(const games::Position& position, games::Seat seat) const {
    program_->look(state_, position);
    program_->set_me(state_, seat);
    // The worth must not depend on chance: the stream is always the same.
    engine::Random random;
    const bool failed = machine_.run(program_->groups().evaluator, state_, random).error != nullptr;
    const std::optional<double> worth = program_->take_worth(state_);
    if (failed || !worth) ++failures_;
    return failed ? 0 : worth.value_or(0);
}

} // namespace croupier::agents
