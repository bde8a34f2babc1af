// Lays what a table says in rules over the files of its game.
#include "agents/advice/compose.h"

#include "agents/advice/codes.h"
#include "agents/advice/table.h"
#include "agents/rules/rule_program.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace croupier::agents::advice {

using engine::Diagnostics;
using engine::Document;
using engine::Member;
using engine::json::add;
using engine::json::append;
using engine::json::text;

namespace {

constexpr std::string_view kDefineGroup = "advice-define";
constexpr std::string_view kMovesGroup = "advice-moves";

// What a table may say in the words of rulesets.
constexpr std::array<std::string_view, 7> kShared = {"doc",   "types",    "constants", "options",
                                                     "shape", "patterns", "derive"};

// The game is read again from what it was read from, whatever has become of the files.
engine::FileOpener with_files_of(const games::RulesetGame& game, const engine::FileOpener& open) {
    return [&game, &open](const std::string& path) {
        const engine::Sources& known = game.sources();
        for (std::uint32_t file = 0; file < known.size(); ++file) {
            if (known.name(file) == path)
                return engine::FileText{std::string(known.text(file)), {}};
        }
        return open(path);
    };
}

class Preparation {
  public:
    Preparation(const games::RulesetGame& game, TableText& text, Diagnostics& diagnostics)
        : game_(game), text_(text), diagnostics_(diagnostics) {}

    // The file is then a part of a ruleset.
    void take(Document& file) {
        text_.file = file.span;
        Document rules = engine::json::object();
        bool says_game = false;
        for (Member& member : file.members) {
            if (member.key == "game")
                says_game = is_for(member.value, game_.facts(), diagnostics_);
            else if (Document* own = own_part(member.key))
                *own = std::move(member.value);
            else if (std::find(kShared.begin(), kShared.end(), member.key) != kShared.end())
                rules.members.push_back(std::move(member));
            else
                unknown(member);
        }
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
        const auto at = std::find_if(object.members.begin(), object.members.end(),
                                     [&](const Member& each) { return each.key == key; });
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
        const auto meant = engine::nearest(member.key, known);
        diagnostics_.error(code::kTableForm, member.key_span,
                           fmt::format("a table of advice has no key \"{}\"", member.key),
                           meant ? fmt::format("did you mean \"{}\"?", *meant)
                                 : fmt::format("known are {}", fmt::join(known, ", ")));
    }

    // us, depth and root beside the game's nodes and those of the table.
    void add_shape(Document& file) {
        Member* own = member_of(file, "shape");
        if (own == nullptr) {
            add(file, "shape", engine::json::object());
            own = &file.members.back();
        }
        if (!own->value.is_object()) return; // which the reader says
        Document root = engine::json::object();
        Document turn = text("any");
        if (game_.ruleset().shape) {
            Document whole = to_document(*game_.ruleset().shape, game_.ruleset().types);
            for (Member& member : whole.members) {
                if (member.key == "turn") turn = member.value;
                taken(member.key, own->value);
                const bool harness = std::find(kHarnessNodes.begin(), kHarnessNodes.end(),
                                               member.key) != kHarnessNodes.end();
                if (!harness) root.members.push_back(std::move(member));
            }
        }
        for (const Member& member : own->value.members)
            root.members.push_back(member);
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
        // What stands below it would only give mistakes that are none.
        std::erase_if(own.members, [&](const Member& member) { return member.key == name; });
    }

    void check_patterns(const Document& file) {
        const Member* patterns = file.find("patterns");
        if (patterns == nullptr) return;
        const std::vector<std::string>& known = game_.ruleset().pattern_names;
        for (const Member& pattern : patterns->value.members) {
            if (std::find(known.begin(), known.end(), pattern.key) == known.end()) continue;
            diagnostics_.error(code::kTaken, pattern.key_span,
                               fmt::format("the game has a pattern \"{}\" already", pattern.key),
                               "use it, or give this one another name");
        }
    }

    // A rule for each condition; formulas are none.
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
                // Never run: it says that M is used.
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

} // namespace

std::string predicate_rule(std::string_view name) {
    return fmt::format("define {}", name);
}

std::string generator_rule(std::string_view name) {
    return fmt::format("moves {}", name);
}

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
    // What is looked ahead to has no end but that of the game's rules.
    facts.max_plies = games::kMaxPlies;
    composed.game = std::make_shared<games::RulesetGame>(
        std::move(*loaded.ruleset), std::move(facts), std::vector<games::Hidden>{},
        composed.sources, game.budgets());
    return composed;
}

} // namespace croupier::agents::advice
