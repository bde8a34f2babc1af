// Reads rules and advice, and checks that they hang together.
#include "agents/advice/table.h"

#include "agents/advice/codes.h"
#include "agents/advice/resolve.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace croupier::agents::advice {
namespace {

using engine::Diagnostics;
using engine::Document;
using engine::Member;
using engine::Span;

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

// From which depth on the moves allow none.
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

class TableReader {
  public:
    TableReader(const Composed& composed, Diagnostics& diagnostics)
        : text_(composed.text), game_(*composed.game), diagnostics_(diagnostics),
          resolver_(composed.text, composed.game->program(), composed.sources, diagnostics) {}

    AdviceTable::Parts read() {
        read_advice();
        read_rules();
        read_side();
        read_roots();
        return std::move(parts_);
    }

  private:
    void error(Span span, std::string message, std::string hint = {}) {
        diagnostics_.error(code::kTableForm, span, std::move(message), std::move(hint));
    }

    // The keys of an object, or what is wrong with them.
    bool has_only(const Document& object, std::string_view what,
                  const std::vector<std::string>& known) {
        if (!object.is_object()) {
            error(object.span, fmt::format("{} is an object", what));
            return false;
        }
        bool good = true;
        for (const Member& member : object.members) {
            if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
            const auto meant = engine::nearest(member.key, known);
            error(member.key_span, fmt::format("{} has no key \"{}\"", what, member.key),
                  meant ? fmt::format("did you mean \"{}\"?", *meant)
                        : fmt::format("known are {}", fmt::join(known, ", ")));
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
            if (!has_only(member.value, "advice",
                          {"goal", "hold", "us", "them", "plies", "memo", "doc"})) {
                parts_.advice.push_back(std::move(advice)); // its name is known all the same
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
        advice.plies = kMostPlies;
        if (const Member* plies = member.value.find("plies")) {
            const auto* const number = std::get_if<std::int64_t>(&plies->value.scalar);
            if (number == nullptr || *number < 1 || *number > kMostPlies)
                error(plies->value.span, fmt::format("plies is a number from 1 to {}", kMostPlies));
            else
                advice.plies = static_cast<std::uint32_t>(*number);
        } else if (std::min(bound(advice.us), bound(advice.them)) == kForever) {
            diagnostics_.warning(
                code::kUnbounded, member.key_span,
                fmt::format("nothing bounds the advice {}; it looks {} plies ahead and no further",
                            member.key, kMostPlies),
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
            // Of an included table some may be left out.
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
            const auto at = std::find_if(parts_.advice.begin(), parts_.advice.end(),
                                         [&](const Advice& advice) { return advice.name == name; });
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
        const auto meant = engine::nearest(name, known);
        diagnostics_.error(code::kUnknownName, place.span,
                           fmt::format("there is no advice \"{}\"", name),
                           meant ? fmt::format("did you mean \"{}\"?", *meant)
                                 : fmt::format("there are {}", fmt::join(known, ", ")));
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
            const auto at = std::find_if(shape->fields.begin(), shape->fields.end(),
                                         [&](const auto& each) { return each.first == name; });
            if (at == shape->fields.end()) return;
            shape = &at->second;
            field.path.push_back(name);
            if (path.size() == name.size()) break;
            path.remove_prefix(name.size() + 1);
        }
        if (shape == nullptr) return;
        if (shape->kind == engine::ShapeKind::Int && shape->high < shape->low + 4096) {
            for (std::int64_t i = shape->low; i <= shape->high; ++i)
                field.values.push_back(engine::Value::number(i));
        } else if (shape->kind == engine::ShapeKind::Member) {
            for (const std::string& member : ruleset.domain(shape->domain)->members)
                field.values.push_back(engine::Value::key(game_.program().symbols.find(member)));
        }
    }

    const TableText& text_;
    const games::RulesetGame& game_;
    Diagnostics& diagnostics_;
    Resolver resolver_;
    AdviceTable::Parts parts_;
    std::set<std::size_t> tried_;
};

} // namespace

OpenedTable open_table(const std::string& path, const engine::FileOpener& open,
                       const games::RulesetGame& game) {
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
        AdviceTable::Parts parts = TableReader(composed, opened.diagnostics).read();
        if (!opened.diagnostics.has_errors())
            opened.table = std::make_shared<const AdviceTable>(composed.game, std::move(parts));
    }
    opened.sources = std::move(composed.sources);
    return opened;
}

AdviceTable::AdviceTable(std::shared_ptr<const games::RulesetGame> game, Parts parts)
    : game_(std::move(game)), parts_(std::move(parts)),
      derive_(game_->program().group_id(kDerive)) {
    const engine::Symbols& symbols = game_->program().symbols;
    names_ = {symbols.find(kUs), symbols.find(kDepth), symbols.find(kRoot)};
    for (const std::string_view name : kHarnessNodes)
        others_.push_back(symbols.find(name));
    others_.insert(others_.end(), {names_.us, names_.depth, names_.root});
    for (const Advice& advice : parts_.advice)
        deepest_ = std::max(deepest_, advice.plies);
}

} // namespace croupier::agents::advice
