// Reads rules and advice, and checks that they are consistent.
#include "agents/advice/table.h"

#include "agents/codes.h"
#include "agents/rules/rule_program.h"
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace croupier::agents::advice {

using engine::Diagnostics;
using engine::Document;
using engine::Member;
using engine::Span;
using engine::json::add;
using engine::json::append;
using engine::json::text;

namespace {

constexpr std::string_view kDefineGroup = "advice-define";
constexpr std::string_view kMovesGroup = "advice-moves";

// Members of a table that have the same meaning as in rulesets.
constexpr std::array<std::string_view, 7> kShared = {"doc",   "types",    "constants", "options",
                                                     "shape", "patterns", "derive"};

// Reopens the game's files from memory, even if they have changed on disk.
engine::FileOpener with_files_of(const games::RulesetGame& game, const engine::FileOpener& open) {
    return [&game, &open](const std::string& path) {
        const engine::Sources& known = game.sources();
        for (std::uint32_t file = 0; file < known.size(); ++file)
            if (known.name(file) == path)
                return engine::FileText{std::string(known.text(file)), {}};
        return open(path);
    };
}

// Suggests the word that was meant; otherwise lists all known words after "known are" or "there
// are".
std::string hint_for(std::string_view word, const std::vector<std::string>& known,
                     std::string_view what = "known") {
    return engine::hint_for(word, known, fmt::format("{} are {}", what, fmt::join(known, ", ")));
}

// Predicates and generators become rules of the composed game.
std::string predicate_rule(std::string_view name) {
    return fmt::format("define {}", name);
}

std::string generator_rule(std::string_view name) {
    return fmt::format("moves {}", name);
}

// The parts of a table that the rule language does not know, as in the file.
struct TableText {
    engine::Document define; // name: condition, or a formula of other names
    engine::Document moves;  // name: condition that binds M, or a formula of other names
    engine::Document rules;
    engine::Document advice;
    engine::Document side;
    engine::Document roots;
    engine::Span file;            // for errors about missing parts
    std::vector<std::string> own; // nodes that it adds to the state
};

// Overlays the game's files with the rules of a table.
class Preparation {
  public:
    Preparation(const games::RulesetGame& game, TableText& text, Diagnostics& diagnostics)
        : game_(game), text_(text), diagnostics_(diagnostics) {}

    // Turns the file into part of a ruleset.
    void take(Document& file) {
        text_.file = file.span;
        Document rules = engine::json::object();
        bool says_game = false;
        for (Member& member : file.members)
            if (member.key == "game")
                says_game = is_for(member.value, game_.facts(), diagnostics_);
            else if (Document* own = own_part(member.key))
                *own = std::move(member.value);
            else if (std::ranges::find(kShared, member.key) != kShared.end())
                rules.members.push_back(std::move(member));
            else
                unknown(member);
        if (file.find("game") == nullptr) says_game = is_for({}, game_.facts(), diagnostics_);
        rules.span = file.span;
        file = std::move(rules);
        if (!says_game) return;
        add_shape(file);
        if (Member* derive = member_of(file, "derive")) derive->key = kDerive;
        check_patterns(file);
        add(file, std::string(kDefineGroup), rules_of(text_.define, predicate_rule, false));
        add(file, std::string(kMovesGroup), rules_of(text_.moves, generator_rule, true));
    }

  private:
    static Member* member_of(Document& object, std::string_view key) {
        const auto at = std::ranges::find(object.members, key, &Member::key);
        return at == object.members.end() ? nullptr : &*at;
    }

    Document* own_part(std::string_view key) {
        return key == "define"   ? &text_.define
               : key == "moves"  ? &text_.moves
               : key == "rules"  ? &text_.rules
               : key == "advice" ? &text_.advice
               : key == "side"   ? &text_.side
               : key == "roots"  ? &text_.roots
                                 : nullptr;
    }

    void unknown(const Member& member) {
        std::vector<std::string> known = {"game",   "define", "moves", "rules",
                                          "advice", "side",   "roots"};
        known.insert(known.end(), kShared.begin(), kShared.end());
        diagnostics_.error(code::kTableForm, member.key_span,
                           fmt::format("a table of advice has no key \"{}\"", member.key),
                           hint_for(member.key, known));
    }

    // Adds us, depth and root to the nodes of the game and of the table.
    void add_shape(Document& file) {
        Member* own = member_of(file, "shape");
        if (own == nullptr) {
            add(file, "shape", engine::json::object());
            own = &file.members.back();
        }
        if (!own->value.is_object()) return; // reported by the reader
        Document root = engine::json::object();
        Document turn = text("any");
        if (game_.ruleset().shape) {
            Document whole = to_document(*game_.ruleset().shape, game_.ruleset().types);
            for (Member& member : whole.members) {
                if (member.key == "turn") turn = member.value;
                taken(member.key, own->value);
                const bool harness =
                    std::ranges::find(kHarnessNodes, member.key) != kHarnessNodes.end();
                if (!harness) root.members.push_back(std::move(member));
            }
        }
        for (const Member& member : own->value.members) {
            root.members.push_back(member);
            text_.own.push_back(member.key);
        }
        add(own->value, std::string(kUs), std::move(turn));
        add(own->value, std::string(kDepth), text("int"));
        add(own->value, std::string(kRoot), std::move(root));
    }

    void taken(const std::string& name, Document& own) {
        const Member* const again = own.find(name);
        const bool reserved = name == kUs || name == kDepth || name == kRoot;
        if (again == nullptr && !reserved) return;
        diagnostics_.error(code::kTaken, again != nullptr ? again->key_span : own.span,
                           again != nullptr
                               ? fmt::format("the game has a node \"{}\" already", name)
                               : fmt::format("the game has a node \"{}\", which tables of advice "
                                             "use themselves",
                                             name));
        // Its contents would cause spurious errors.
        std::erase_if(own.members, [&](const Member& member) { return member.key == name; });
    }

    void check_patterns(const Document& file) {
        const Member* patterns = file.find("patterns");
        if (patterns == nullptr) return;
        const std::vector<std::string>& known = game_.ruleset().pattern_names;
        for (const Member& pattern : patterns->value.members) {
            if (std::ranges::find(known, pattern.key) == known.end()) continue;
            diagnostics_.error(code::kTaken, pattern.key_span,
                               fmt::format("the game has a pattern \"{}\" already", pattern.key),
                               "use it, or give this one another name");
        }
    }

    // A rule for each condition, but not for formulas.
    Document rules_of(const Document& named, std::string (*name)(std::string_view),
                      bool generators) {
        Document list = engine::json::array();
        list.span = named.span;
        for (const Member& member : named.members) {
            if (!member.value.is_object()) continue;
            Document rule = engine::json::object();
            rule.span = member.value.span;
            add(rule, "name", text(name(member.key)));
            rule.members.back().value.span = member.key_span;
            add(rule, "condition", member.value);
            if (generators) {
                // Never run: marks M as used.
                Document action = engine::json::object({{"@print", text("$M")}});
                action.span = member.key_span;
                action.members[0].key_span = action.members[0].value.span = member.key_span;
                add(rule, "action", std::move(action));
            } else {
                add(rule, "first", engine::json::boolean(true));
            }
            append(list, std::move(rule));
            list.members.back().key_span = member.key_span;
        }
        return list;
    }

    const games::RulesetGame& game_;
    TableText& text_;
    Diagnostics& diagnostics_;
};

// The game and the table's rules as one ruleset; the rest of the table is read separately.
struct Composed {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    TableText text;
    std::shared_ptr<const games::RulesetGame> game; // null if there are errors
};

Composed compose(const std::string& path, const engine::FileOpener& open,
                 const games::RulesetGame& game) {
    Composed composed;
    if (says_another_game(path, open, game.facts(), composed.sources, composed.diagnostics))
        return composed;
    engine::LoadSettings settings;
    for (const games::GameOption& option : game.facts().options)
        settings.options.emplace_back(option.name, option.value);
    settings.prepare = [&](std::size_t which, Document& file, const engine::Sources&,
                           Diagnostics& diagnostics) {
        if (which == 1 && file.is_object())
            Preparation(game, composed.text, diagnostics).take(file);
    };
    engine::Loaded loaded = engine::load_ruleset(std::array{game.sources().name(0), path},
                                                 with_files_of(game, open), settings);
    composed.sources = std::move(loaded.sources);
    composed.diagnostics = std::move(loaded.diagnostics);
    if (!loaded.ruleset || composed.diagnostics.has_errors()) return composed;
    games::Facts facts = game.facts();
    // Search has no limit of moves except that of the game's rules.
    facts.max_plies = games::kMaxPlies;
    composed.game = std::make_shared<games::RulesetGame>(
        std::move(*loaded.ruleset), std::move(facts), std::vector<games::Hidden>{},
        composed.sources, game.budgets());
    return composed;
}

using Op = Formula::Op;

// Turns formulas into goals and moves. Reports errors to the diagnostics; the result must not be
// used after an error.
class Resolver {
  public:
    Resolver(const TableText& text, const engine::Catalogue& catalogue,
             const engine::Sources& sources, engine::Diagnostics& diagnostics)
        : text_(text), catalogue_(catalogue), sources_(sources), diagnostics_(diagnostics) {}

    Goal goal(const engine::Document& formula) {
        const auto parsed = parse(formula);
        return parsed ? goal_of(*parsed) : Goal{};
    }

    Moves moves(const engine::Document& formula) {
        const auto parsed = parse(formula);
        return parsed ? moves_of(*parsed) : Moves{};
    }

  private:
    Goal goal_of(const Formula& formula) {
        Goal goal;
        switch (formula.op) {
        case Op::Name:
            goal = goal_named(formula);
            break;
        case Op::Depth:
            goal.op = Op::Depth;
            goal.compare = formula.compare;
            goal.depth = formula.depth;
            break;
        case Op::Not:
        case Op::And:
        case Op::Or:
            goal = join(formula);
            break;
        case Op::Then:
            diagnostics_.error(code::kMeaning, formula.span,
                               "a goal holds or not: then orders moves",
                               "join goals by and, or, not");
            break;
        }
        goal.text = formula.text;
        return goal;
    }

    Goal goal_named(const Formula& formula) {
        Goal goal;
        if (formula.name == "true") return goal;
        const Member* const member = text_.define.find(formula.name);
        if (member == nullptr) {
            unknown(formula, false);
        } else if (member->value.is_object()) {
            goal.op = Op::Name;
            goal.predicate = catalogue_.rule_id(predicate_rule(formula.name));
        } else if (enter(*member)) {
            goal = this->goal(member->value);
            open_.pop_back();
        }
        return goal;
    }

    Goal join(const Formula& formula) {
        Goal goal;
        goal.op = formula.op;
        for (const Formula& part : formula.parts)
            goal.parts.push_back(goal_of(part));
        return goal;
    }

    Moves moves_of(const Formula& formula) {
        Moves moves;
        switch (formula.op) {
        case Op::Name:
            return moves_named(formula);
        case Op::Depth:
            moves.op = Moves::Op::Depth;
            moves.compare = formula.compare;
            moves.depth = formula.depth;
            return moves;
        case Op::Not:
        case Op::Or:
            moves.op = Moves::Op::Test;
            moves.goal = goal_of(formula);
            return moves;
        case Op::And:
        case Op::Then:
            moves.op = formula.op == Op::And ? Moves::Op::And : Moves::Op::Then;
            for (const Formula& part : formula.parts)
                moves.parts.push_back(moves_of(part));
            return moves;
        }
        return moves;
    }

    Moves moves_named(const Formula& formula) {
        Moves moves;
        if (formula.name == "legal") return moves;
        moves.op = Moves::Op::None;
        if (formula.name == "none") return moves;
        const Member* const member = text_.moves.find(formula.name);
        if (member != nullptr && member->value.is_object()) return generator(*member);
        if (member != nullptr) {
            if (!enter(*member)) return moves;
            moves = this->moves(member->value);
            open_.pop_back();
        } else if (text_.define.find(formula.name) != nullptr) {
            moves.op = Moves::Op::Test;
            moves.goal = goal_of(formula);
        } else {
            unknown(formula, true);
        }
        return moves;
    }

    Moves generator(const engine::Member& member) {
        Moves moves;
        moves.op = Moves::Op::Generator;
        moves.generator = catalogue_.rule_id(generator_rule(member.key));
        const std::vector<engine::Variable>& variables =
            catalogue_.rules[moves.generator].variables;
        const auto at = std::ranges::find(variables, "M", &engine::Variable::name);
        moves.variable = static_cast<std::size_t>(at - variables.begin());
        return moves;
    }

    std::optional<Formula> parse(const engine::Document& formula) {
        if (!formula.is_string()) {
            diagnostics_.error(code::kTableForm, formula.span,
                               "expected names joined by and, or, not",
                               "as in \"mate and not rooklost\"");
            return std::nullopt;
        }
        return parse_formula({sources_, formula.text(), formula.span}, diagnostics_);
    }

    // False, with a message, if the names are circular.
    bool enter(const engine::Member& member) {
        const auto at = std::ranges::find(open_, member.key);
        if (at == open_.end()) {
            open_.push_back(member.key);
            return true;
        }
        diagnostics_.error(code::kCircle, member.value.span,
                           fmt::format("these names mean each other in a circle: {} -> {}",
                                       fmt::join(at, open_.end(), " -> "), member.key));
        return false;
    }

    void unknown(const Formula& formula, bool of_moves) {
        std::vector<std::string> known;
        for (const Member& member : text_.define.members)
            known.push_back(member.key);
        if (of_moves) {
            known.insert(known.end(), {"legal", "none"});
            for (const Member& member : text_.moves.members)
                known.push_back(member.key);
        } else {
            known.emplace_back("true");
        }
        diagnostics_.error(code::kUnknownName, formula.span,
                           fmt::format("nothing is defined as \"{}\"", formula.name),
                           hint_for(formula.name, known));
    }

    const TableText& text_;
    const engine::Catalogue& catalogue_;
    const engine::Sources& sources_;
    engine::Diagnostics& diagnostics_;
    std::vector<std::string> open_; // names whose formulas are being read, to detect cycles
};

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

// The depth from which on the moves are always empty.
std::int64_t bound(const Moves& moves) {
    switch (moves.op) {
    case Moves::Op::None:
        return 0;
    case Moves::Op::Depth:
        return moves.compare == Compare::Less ? moves.depth
               : moves.compare == Compare::More || moves.compare == Compare::AtLeast
                   ? kForever
                   : moves.depth + 1;
    case Moves::Op::And: {
        std::int64_t least = kForever;
        for (const Moves& part : moves.parts)
            least = std::min(least, bound(part));
        return least;
    }
    case Moves::Op::Then: {
        std::int64_t most = 0;
        for (const Moves& part : moves.parts)
            most = std::max(most, bound(part));
        return most;
    }
    default:
        return kForever;
    }
}

// Opens the table that the member names.
using OpenExpert = std::function<std::shared_ptr<const AdviceTable>(const Member&, Diagnostics&)>;

class TableReader {
  public:
    TableReader(const Composed& composed, OpenExpert open_expert, Diagnostics& diagnostics)
        : text_(composed.text), game_(*composed.game), open_expert_(std::move(open_expert)),
          diagnostics_(diagnostics), resolver_(composed.text, composed.game->program().catalogue(),
                                               composed.sources, diagnostics) {}

    AdviceTable::Parts read() {
        read_advice();
        read_rules();
        read_side();
        read_roots();
        parts_.own = text_.own;
        return std::move(parts_);
    }

  private:
    void error(Span span, std::string message, std::string hint = {}) {
        diagnostics_.error(code::kTableForm, span, std::move(message), std::move(hint));
    }

    // Checks that an object has only these keys.
    bool has_only(const Document& object, std::string_view what,
                  const std::vector<std::string>& known) {
        if (!object.is_object()) {
            error(object.span, fmt::format("{} is an object", what));
            return false;
        }
        bool good = true;
        for (const Member& member : object.members) {
            if (std::ranges::find(known, member.key) != known.end()) continue;
            error(member.key_span, fmt::format("{} has no key \"{}\"", what, member.key),
                  hint_for(member.key, known));
            good = false;
        }
        return good;
    }

    void read_advice() {
        if (!text_.advice.is_object() || text_.advice.members.empty()) {
            error(text_.advice.is_object() ? text_.advice.span : text_.file, "a table needs advice",
                  R"("advice": {"name": {"goal": .., "us": .., "them": ..}})");
            return;
        }
        for (const Member& member : text_.advice.members) {
            Advice advice;
            advice.name = member.key;
            if (const Member* const expert = member.value.find("table")) {
                if (has_only(member.value, "advice that is a table", {"table", "doc"}))
                    advice.expert = open_expert_(*expert, diagnostics_);
                parts_.advice.push_back(std::move(advice));
                continue;
            }
            if (!has_only(member.value, "advice",
                          {"goal", "hold", "us", "them", "plies", "memo", "doc"})) {
                parts_.advice.push_back(std::move(advice)); // so that its name is known
                continue;
            }
            const Member* const goal = member.value.find("goal");
            if (goal == nullptr)
                error(member.key_span, fmt::format("the advice {} has no goal", member.key));
            else
                advice.goal = resolver_.goal(goal->value);
            if (const Member* hold = member.value.find("hold"))
                advice.hold = resolver_.goal(hold->value);
            if (const Member* us = member.value.find("us")) advice.us = resolver_.moves(us->value);
            if (const Member* them = member.value.find("them"))
                advice.them = resolver_.moves(them->value);
            read_plies(member, advice);
            if (const Member* memo = member.value.find("memo")) {
                const bool* const on = std::get_if<bool>(&memo->value.scalar);
                if (on == nullptr) error(memo->value.span, "memo is true or false");
                advice.memo = on != nullptr && *on;
            }
            parts_.advice.push_back(std::move(advice));
        }
    }

    void read_plies(const Member& member, Advice& advice) {
        advice.plies = kMaxPlies;
        if (const Member* plies = member.value.find("plies")) {
            const auto* const number = std::get_if<std::int64_t>(&plies->value.scalar);
            if (number == nullptr || *number < 1 || *number > kMaxPlies)
                error(plies->value.span, fmt::format("plies is a number from 1 to {}", kMaxPlies));
            else
                advice.plies = static_cast<std::uint32_t>(*number);
        } else if (std::min(bound(advice.us), bound(advice.them)) == kForever) {
            diagnostics_.warning(
                code::kUnbounded, member.key_span,
                fmt::format("nothing bounds the advice {}; it looks {} plies ahead and no further",
                            member.key, kMaxPlies),
                "say how far it looks: \"depth < 3 and ..\" in us or them, or \"plies\": 12");
        }
    }

    void read_rules() {
        if (!text_.rules.is_array() || text_.rules.members.empty()) {
            error(text_.rules.is_array() ? text_.rules.span : text_.file, "a table needs rules",
                  R"("rules": [{"name": "always", "if": "true", "try": ["advice"]}])");
            return;
        }
        for (const Member& member : text_.rules.members) {
            if (!has_only(member.value, "a rule of a table", {"name", "if", "try", "doc"}))
                continue;
            AdviceRule rule;
            const Member* const name = member.value.find("name");
            rule.name = name != nullptr && name->value.is_string()
                            ? name->value.text()
                            : fmt::format("rules/{}", parts_.rules.size());
            if (const Member* when = member.value.find("if"))
                rule.when = resolver_.goal(when->value);
            read_tries(member.value, rule);
            parts_.rules.push_back(std::move(rule));
        }
        for (std::size_t i = 0; i < parts_.advice.size(); ++i) {
            // Advice of an included table may be unused.
            const Span place = text_.advice.members[i].key_span;
            if (!tried_.contains(i) && place.file == text_.file.file)
                diagnostics_.warning(
                    code::kUnused, text_.advice.members[i].key_span,
                    fmt::format("no rule tries the advice {}", parts_.advice[i].name));
        }
    }

    void read_tries(const Document& text, AdviceRule& rule) {
        const Member* const tries = text.find("try");
        if (tries == nullptr || !tries->value.is_array() || tries->value.members.empty()) {
            error(tries == nullptr ? text.span : tries->value.span,
                  "a rule of a table tries at least one advice", R"("try": ["mate", "squeeze"])");
            return;
        }
        for (const Member& each : tries->value.members) {
            const std::string name = each.value.is_string() ? each.value.text() : std::string();
            const auto at = std::ranges::find(parts_.advice, name, &Advice::name);
            if (at == parts_.advice.end()) {
                unknown_advice(each.value, name);
                continue;
            }
            const auto number = static_cast<std::uint32_t>(at - parts_.advice.begin());
            rule.tries.push_back(number);
            tried_.insert(number);
        }
    }

    void unknown_advice(const Document& place, const std::string& name) {
        std::vector<std::string> known;
        for (const Member& each : text_.advice.members)
            known.push_back(each.key);
        diagnostics_.error(code::kUnknownName, place.span,
                           fmt::format("there is no advice \"{}\"", name),
                           hint_for(name, known, "there"));
    }

    void read_side() {
        if (text_.side.kind == Document::Kind::Scalar && !text_.side.is_string()) return;
        const std::string name = text_.side.is_string() ? text_.side.text() : std::string();
        parts_.side = game_.facts().seat(name);
        if (!parts_.side)
            error(text_.side.span, fmt::format("there is no player \"{}\"", name),
                  fmt::format("the players are {}", fmt::join(game_.facts().players, ", ")));
    }

    // ---- all positions -----------------------------------------------------------------------

    void read_roots() {
        if (!text_.roots.is_object()) return;
        if (!has_only(text_.roots, "roots", {"each", "if"})) return;
        Roots roots;
        if (const Member* when = text_.roots.find("if")) roots.when = resolver_.goal(when->value);
        const Member* const each = text_.roots.find("each");
        if (each == nullptr || !each->value.is_array() || each->value.members.empty())
            return error(text_.roots.span, "roots needs a list of nodes",
                         R"("each": ["wk.x", "wk.y"])");
        if (!parts_.side)
            return error(text_.roots.span, "roots needs a side to move", R"("side": "W")");
        for (const Member& member : each->value.members) {
            Roots::Field field;
            if (member.value.is_string()) read_field(member.value.text(), field);
            if (field.values.empty())
                error(member.value.span,
                      "this is not a node of the game whose values the shape lists",
                      "name leaves of the shape that hold a range or members of a domain");
            roots.each.push_back(std::move(field));
        }
        parts_.roots = std::move(roots);
    }

    void read_field(std::string_view path, Roots::Field& field) const {
        const engine::Ruleset& ruleset = game_.ruleset();
        const engine::Shape* shape = ruleset.shape ? &*ruleset.shape : nullptr;
        while (shape != nullptr) {
            const std::string name(path.substr(0, path.find('.')));
            const auto at = std::ranges::find(shape->fields, name, &engine::Field::name);
            if (at == shape->fields.end()) return;
            shape = &at->shape;
            field.path.push_back(name);
            if (path.size() == name.size()) break;
            path.remove_prefix(name.size() + 1);
        }
        if (shape == nullptr) return;
        if (shape->kind == engine::ShapeKind::Int && shape->high < shape->low + 4096)
            for (std::int64_t i = shape->low; i <= shape->high; ++i)
                field.values.push_back(engine::Value::number(i));
        else if (shape->kind == engine::ShapeKind::Member)
            for (const std::string& member : ruleset.domain(shape->domain)->members)
                field.values.push_back(
                    engine::Value::key(game_.program().catalogue().symbols.find(member)));
    }

    const TableText& text_;
    const games::RulesetGame& game_;
    OpenExpert open_expert_;
    Diagnostics& diagnostics_;
    Resolver resolver_;
    AdviceTable::Parts parts_;
    std::set<std::size_t> tried_;
};

std::shared_ptr<const AdviceTable> expert_named(const Member& named, const engine::FileOpener& open,
                                                const games::RulesetGame& game,
                                                std::vector<std::string>& around,
                                                Diagnostics& diagnostics);

// `around` are the tables that are being read, the outermost first.
OpenedTable open_within(const std::string& path, const engine::FileOpener& open,
                        const games::RulesetGame& game, std::vector<std::string>& around) {
    OpenedTable opened;
    if (game.move_domain() == nullptr || game.facts().hides) {
        opened.diagnostics.error(
            code::kMeaning, {opened.sources.add(path, {}), 0, 0},
            game.facts().hides
                ? fmt::format("advice looks ahead, and {} hides things from its players",
                              game.facts().title())
                : fmt::format("advice names moves, and the shape of {} does not list them",
                              game.facts().title()),
            game.facts().hides ? "" : "declare \"moves\" as a map over a domain");
        return opened;
    }
    Composed composed = compose(path, open, game);
    opened.diagnostics = std::move(composed.diagnostics);
    if (composed.game != nullptr) {
        around.push_back(path);
        const auto open_expert = [&](const Member& named, Diagnostics& diagnostics) {
            return expert_named(named, open, game, around, diagnostics);
        };
        AdviceTable::Parts parts = TableReader(composed, open_expert, opened.diagnostics).read();
        around.pop_back();
        if (!opened.diagnostics.has_errors())
            opened.table = std::make_shared<const AdviceTable>(composed.game, std::move(parts));
    }
    opened.sources = std::move(composed.sources);
    return opened;
}

// Reads the table in the file NAME.json beside the one that names it. Its mistakes are told by one
// error: they are its own.
std::shared_ptr<const AdviceTable> expert_named(const Member& named, const engine::FileOpener& open,
                                                const games::RulesetGame& game,
                                                std::vector<std::string>& around,
                                                Diagnostics& diagnostics) {
    if (!named.value.is_string()) {
        diagnostics.error(code::kTableForm, named.value.span,
                          "expected the name of a table of advice",
                          R"(as in {"table": "endgame"})");
        return nullptr;
    }
    const std::string& outer = around.back();
    const std::string& name = named.value.text();
    const std::string path = fmt::format("{}{}{}", outer.substr(0, outer.rfind('/') + 1), name,
                                         name.ends_with(".json") ? "" : ".json");
    if (const auto at = std::ranges::find(around, path); at != around.end()) {
        diagnostics.error(code::kCircle, named.value.span,
                          fmt::format("these tables name each other in a circle: {} -> {}",
                                      fmt::join(at, around.end(), " -> "), path));
        return nullptr;
    }
    OpenedTable opened = open_within(path, open, game, around);
    if (opened.table == nullptr) {
        const engine::Diagnostic first = opened.diagnostics.sorted().front();
        diagnostics.error(code::kTableForm, named.value.span,
                          fmt::format("the table {} cannot be used: {}", path, first.message),
                          fmt::format("look at it alone: croupier advice {} --game {}", path,
                                      game.facts().title()));
    }
    return opened.table;
}

} // namespace

OpenedTable open_table(const std::string& path, const engine::FileOpener& open,
                       const games::RulesetGame& game) {
    std::vector<std::string> around;
    return open_within(path, open, game, around);
}

Document AdviceTable::without_own(Document state) const {
    std::erase_if(state.members, [&](const Member& member) {
        return member.key == kUs || member.key == kDepth || member.key == kRoot ||
               std::ranges::find(parts_.own, member.key) != parts_.own.end();
    });
    return state;
}

AdviceTable::AdviceTable(std::shared_ptr<const games::RulesetGame> game, Parts parts)
    : game_(std::move(game)), parts_(std::move(parts)),
      derive_(game_->program().catalogue().group_id(kDerive)) {
    const engine::Symbols& symbols = game_->program().catalogue().symbols;
    names_ = {symbols.find(kUs), symbols.find(kDepth), symbols.find(kRoot)};
    for (const std::string_view name : kHarnessNodes)
        others_.push_back(symbols.find(name));
    others_.insert(others_.end(), {names_.us, names_.depth, names_.root});
    for (const Advice& advice : parts_.advice)
        deepest_ = std::max(
            {deepest_, advice.plies, advice.expert != nullptr ? advice.expert->deepest() : 0});
}

} // namespace croupier::agents::advice
