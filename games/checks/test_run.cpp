// Reads test files and reports errors in their form; opens the game, goes to the position, and
// compares it with the file.
#include "games/checks/test_run.h"

#include "engine/api/explain.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/checks/game_checks.h"
#include "games/ruleset/codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace croupier::games {
namespace {

using engine::Document;
using engine::DocumentKind;
using engine::Member;
using Names = std::vector<std::string>;

enum class Form { Text, Texts, Object, List, Count, Anything };

struct Key {
    std::string name;
    Form form;
};

const std::vector<Key> kFileKeys = {
    {"$schema", Form::Text},     {"doc", Form::Text},   {"game", Form::Texts},
    {"set", Form::Object},       {"tests", Form::List}, {"coverage", Form::Object},
    {"one_place", Form::Object},
};
const std::vector<Key> kCaseKeys = {
    {"name", Form::Text},     {"doc", Form::Text},       {"set", Form::Object},
    {"seed", Form::Count},    {"state", Form::Object},   {"play", Form::List},
    {"expect", Form::Object}, {"sequences", Form::List}, {"random", Form::Object},
};
const std::vector<Key> kExpectKeys = {
    {"turn", Form::Text},     {"moves", Form::Anything}, {"state", Form::Object},
    {"sees", Form::Object},   {"ending", Form::Text},    {"scores", Form::Object},
    {"places", Form::Object}, {"roles", Form::Object},   {"refused", Form::Text},
};
const std::vector<Key> kMovesKeys = {{"includes", Form::List}, {"excludes", Form::List}};
const std::vector<Key> kRandomKeys = {
    {"games", Form::Count}, {"seed", Form::Count}, {"moves", Form::Count}, {"check", Form::List}};
const std::vector<Key> kCoverageKeys = {{"except", Form::List}, {"percent", Form::Count}};
const Names kChecks = {"views", "draws", "reload", "one_place"};

bool is_count(const Document& value) {
    const auto* number =
        value.kind == DocumentKind::Scalar ? std::get_if<std::int64_t>(&value.scalar) : nullptr;
    return number != nullptr && *number >= 0;
}

bool all_texts(const Document& list) {
    return list.is_array() && std::ranges::all_of(list.members, [](const Member& each) {
               return each.value.is_string();
           });
}

bool has_form(const Document& value, Form form) {
    switch (form) {
    case Form::Text:
        return value.is_string();
    case Form::Texts:
        return value.is_string() || (all_texts(value) && !value.members.empty());
    case Form::Object:
        return value.is_object();
    case Form::List:
        return value.is_array();
    case Form::Count:
        return is_count(value);
    case Form::Anything:
        break;
    }
    return true;
}

std::string_view form_name(Form form) {
    constexpr std::string_view kNames[] = {"a text", "a text or a list of texts", "an object",
                                           "a list", "a number from 0",           "a value"};
    return kNames[static_cast<std::size_t>(form)];
}

void names_in(const engine::Group& group, const std::function<void(const std::string&)>& visit) {
    for (const engine::Rule& rule : group.rules) {
        visit(rule.name);
        for (const engine::Action* action : {&rule.action, &rule.otherwise})
            engine::for_each<engine::Group>(
                *action, [&](const engine::Group& inner) { names_in(inner, visit); });
    }
}

// "3S, 4D": the names of the legal moves, in the game's order.
Names legal_names(const Position& position) {
    Names names;
    for (std::size_t i = 0; i < position.move_count(); ++i)
        names.emplace_back(position.text(position.move(i)));
    return names;
}

std::string joined_names(const Names& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

// ["3S", "4D"]
std::string names_json(const Names& names) {
    std::string text = "[";
    for (const std::string& name : names)
        text += (text.size() == 1 ? "" : ", ") + engine::quoted_json(name);
    return text + "]";
}

std::string one_line(const Document* document) {
    return document == nullptr ? "nothing" : engine::write_json(*document, -1);
}

bool same_value(const engine::Scalar& one, const engine::Scalar& other) {
    const auto number = [](const engine::Scalar& scalar) -> std::optional<double> {
        if (const auto* integer = std::get_if<std::int64_t>(&scalar))
            return static_cast<double>(*integer);
        const auto* real = std::get_if<double>(&scalar);
        return real != nullptr ? std::optional(*real) : std::nullopt;
    };
    const auto a = number(one);
    const auto b = number(other);
    return a && b ? *a == *b : one == other;
}

class Comparison {
  public:
    explicit Comparison(std::vector<TestFailure>& failures) : failures_(failures) {}

    // `found` is null if there is no such node.
    void node(const std::string& path, const Document& expected, const Document* found) {
        if (expected.is_string() && expected.text() == "@absent") {
            if (found != nullptr) fail(expected.span, path, one_line(found), "nothing");
            return;
        }
        if (found == nullptr) return fail(expected.span, path, "nothing", one_line(&expected));
        if (expected.is_string() && expected.text() == "@any") return;
        if (expected.is_object())
            children(path, expected, *found);
        else if (expected.is_array())
            list(path, expected, *found);
        else if (found->kind != DocumentKind::Scalar || !same_value(expected.scalar, found->scalar))
            fail(expected.span, path, one_line(found), one_line(&expected), one_line(found));
    }

    void fail(engine::Span span, std::string what, std::string found, std::string expected,
              std::optional<std::string> update = std::nullopt) {
        failures_.push_back(
            {span, std::move(what), std::move(found), std::move(expected), std::move(update)});
    }

  private:
    void children(const std::string& path, const Document& expected, const Document& found) {
        if (found.kind == DocumentKind::Scalar)
            return fail(expected.span, path, one_line(&found), one_line(&expected));
        for (std::size_t i = 0; i < expected.members.size(); ++i) {
            const Member& child = expected.members[i];
            node(path + "." + child.key, child.value, child_of(found, child.key));
        }
    }

    // A child by key; in a list, by index.
    static const Document* child_of(const Document& node, const std::string& key) {
        if (node.is_array()) {
            for (std::size_t i = 0; i < node.members.size(); ++i)
                if (std::to_string(i) == key) return &node.members[i].value;
            return nullptr;
        }
        const Member* member = node.find(key);
        return member == nullptr ? nullptr : &member->value;
    }

    // A list of texts matches a set in any order; otherwise a list as it is.
    void list(const std::string& path, const Document& expected, const Document& found) {
        if (found.is_object()) {
            Names keys;
            Names wanted;
            for (const Member& child : found.members)
                keys.push_back(child.key);
            for (const Member& child : expected.members)
                wanted.push_back(child.value.is_string() ? child.value.text()
                                                         : one_line(&child.value));
            Names sorted = keys;
            std::ranges::sort(sorted);
            std::ranges::sort(wanted);
            if (sorted != wanted)
                fail(expected.span, path, names_json(keys), one_line(&expected), names_json(keys));
        } else if (one_line(&found) != one_line(&expected)) {
            fail(expected.span, path, one_line(&found), one_line(&expected), one_line(&found));
        }
    }

    std::vector<TestFailure>& failures_;
};

class Expectations {
  public:
    Expectations(const Position& position, std::vector<TestFailure>& failures)
        : position_(position), facts_(position.game().facts()), compare_(failures) {}

    void hold(const Member& part) {
        const Document& expected = part.value;
        if (part.key == "turn") {
            text(part,
                 position_.ending() == Ending::None ? facts_.players[position_.turn()] : "nobody");
        } else if (part.key == "ending") {
            const std::string_view name = name_of(position_.ending());
            text(part, name.empty() ? "none" : std::string(name));
        } else if (part.key == "moves") {
            moves(expected);
        } else if (part.key == "state") {
            const Document state = position_.state();
            compare_.node("state", expected, &state);
        } else if (part.key == "sees") {
            sees(expected);
        } else if (part.key == "refused") {
            compare_.fail(expected.span, "refused", "the state is accepted",
                          engine::write_json(expected, -1));
        } else {
            of_players(part);
        }
    }

  private:
    void text(const Member& part, const std::string& found) {
        if (part.value.text() != found)
            compare_.fail(part.value.span, part.key, engine::quoted_json(found),
                          engine::quoted_json(part.value.text()), engine::quoted_json(found));
    }

    static Names names_of(const Document* list) {
        Names names;
        if (list == nullptr) return names;
        for (const Member& name : list->members)
            names.push_back(name.value.text());
        return names;
    }
    static Names without(const Names& names, const Names& others) {
        Names left;
        for (const std::string& name : names)
            if (std::ranges::find(others, name) == others.end()) left.push_back(name);
        return left;
    }

    void moves(const Document& expected) {
        const Names legal = legal_names(position_);
        if (expected.is_array()) {
            const Names wanted = names_of(&expected);
            const Names missing = without(wanted, legal);
            const Names more = without(legal, wanted);
            if (missing.empty() && more.empty()) return;
            std::string found;
            if (!more.empty()) found = joined_names(more) + " besides";
            if (!missing.empty())
                found += (found.empty() ? "" : "; ") + ("not " + joined_names(missing));
            return compare_.fail(expected.span, "moves", found, joined_names(wanted),
                                 names_json(legal));
        }
        const Member* includes = expected.find("includes");
        const Member* excludes = expected.find("excludes");
        const Names missing =
            includes == nullptr ? Names() : without(names_of(&includes->value), legal);
        if (!missing.empty())
            compare_.fail(includes->value.span, "moves.includes", joined_names(legal),
                          joined_names(missing));
        for (const std::string& name : excludes == nullptr ? Names() : names_of(&excludes->value)) {
            if (std::ranges::find(legal, name) != legal.end())
                compare_.fail(excludes->value.span, "moves.excludes", name + " is legal",
                              "not " + name);
        }
    }

    [[nodiscard]] std::optional<Seat> seat_of(const Member& player) {
        const auto seat = facts_.seat(player.key);
        if (!seat)
            compare_.fail(player.key_span, player.key, "there is no such player",
                          joined_names(facts_.players));
        return seat;
    }

    void sees(const Document& expected) {
        const auto view = position_.game().new_position();
        for (const Member& player : expected.members) {
            const auto seat = seat_of(player);
            if (!seat) continue;
            view->view_from(position_, *seat);
            const Document state = view->state();
            compare_.node("sees." + player.key, player.value, &state);
        }
    }

    // scores, places, roles
    void of_players(const Member& part) {
        for (const Member& player : part.value.members) {
            const auto seat = seat_of(player);
            if (!seat) continue;
            Document found;
            if (part.key == "roles")
                found.scalar = position_.role(*seat);
            else if (part.key == "places")
                found.scalar = static_cast<std::int64_t>(position_.place(*seat));
            else
                found.scalar = position_.score(*seat);
            const double number = part.key == "scores" ? position_.score(*seat) : 0.5;
            if (number == static_cast<double>(static_cast<std::int64_t>(number)))
                found.scalar = static_cast<std::int64_t>(number);
            compare_.node(part.key + "." + player.key, player.value, &found);
        }
    }

    const Position& position_;
    const Facts& facts_;
    Comparison compare_;
};

// Adds differences from `expected` to `failures`.
void hold_against(const Document& expected, const Position& position,
                  std::vector<TestFailure>& failures) {
    Expectations expectations(position, failures);
    for (const Member& part : expected.members)
        expectations.hold(part);
}

// The messages of a load or of a position, with places.
std::vector<std::string> formatted(const engine::Diagnostics& diagnostics,
                                   const engine::Sources& sources) {
    std::vector<std::string> all;
    for (const engine::Diagnostic& each : diagnostics.sorted())
        if (each.severity == engine::Severity::Error) all.push_back(engine::format(each, sources));
    return all;
}

// The refusal that the test expects, or null.
const Document* refusal(const TestCase& test) {
    const Member* refused = test.expect == nullptr ? nullptr : test.expect->find("refused");
    return refused == nullptr ? nullptr : &refused->value;
}

// Checks that one of the messages is the expected one.
void hold_refusal(const Document& expected, const engine::Diagnostics& said,
                  std::vector<TestFailure>& failures) {
    std::string messages;
    for (const engine::Diagnostic& each : said.sorted()) {
        if (each.severity != engine::Severity::Error) continue;
        if (each.message.find(expected.text()) != std::string::npos) return;
        messages += (messages.empty() ? "" : "; ") + each.message;
    }
    failures.push_back(
        {expected.span, "refused", messages, expected.text(), engine::quoted_json(messages)});
}

// Counts sequences of legal moves from a position. Chance is the same after equal moves.
class Sequences {
  public:
    explicit Sequences(const Game& game) : game_(game) {}

    std::uint64_t count(const Position& position, std::size_t depth, const Random& chance) {
        if (depth == 1 || position.ending() != Ending::None) return position.move_count();
        while (below_.size() < depth)
            below_.push_back(game_.new_position());
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < position.move_count(); ++i) {
            Random again = chance;
            Position& next = *below_[depth - 1];
            next.copy_from(position);
            next.play(next.move(i), again);
            sum += count(next, depth - 1, again);
        }
        return sum;
    }

  private:
    const Game& game_;
    std::vector<std::unique_ptr<Position>> below_;
};

// A set may be written as a list: {"hands": {"A": ["AS", "KS"]}}.
Document with_sets(Document written, const engine::Shape& shape) {
    const bool set = shape.kind == engine::ShapeKind::Map &&
                     shape.fields.front().shape.kind == engine::ShapeKind::Unit;
    if (set && written.is_array()) {
        written.kind = engine::DocumentKind::Object;
        for (Member& member : written.members) {
            member.key = member.value.is_string() ? member.value.text()
                                                  : engine::write_json(member.value, -1);
            member.value.kind = engine::DocumentKind::Scalar;
            member.value.scalar = true;
        }
    } else if (written.is_object()) {
        for (Member& member : written.members) {
            for (const auto& [name, field] : shape.fields)
                if (shape.kind == engine::ShapeKind::Map || name == member.key)
                    member.value = with_sets(std::move(member.value), field);
        }
    }
    return written;
}

std::uint64_t number_in(const Document& object, std::string_view key, std::uint64_t otherwise) {
    const Member* member = object.find(key);
    return member == nullptr
               ? otherwise
               : static_cast<std::uint64_t>(std::get<std::int64_t>(member->value.scalar));
}

} // namespace

class TestFile::Reader {
  public:
    Reader(TestFile& file) : file_(file) {}

    void read(const Document& document) {
        if (!document.is_object())
            return wrong(document.span, "a file of tests is an object with a list \"tests\"");
        keys(document, kFileKeys, "a file of tests");
        file_.coverage_ = part(document, "coverage");
        file_.one_place_ = part(document, "one_place");
        if (file_.coverage_ != nullptr) {
            keys(*file_.coverage_, kCoverageKeys, "coverage");
            texts(part(*file_.coverage_, "except"));
        }
        games(part(document, "game"));
        set(part(document, "set"), options_);
        const Document* tests = part(document, "tests");
        if (tests == nullptr) return wrong(document.span, "there is no list \"tests\"");
        for (const Member& test : tests->members)
            read_case(test.value);
    }

  private:
    // Null if it is missing or has another form.
    const Document* part(const Document& object, std::string_view key) {
        const Member* member = object.is_object() ? object.find(key) : nullptr;
        if (member == nullptr || unfit_.contains(&member->value)) return nullptr;
        return &member->value;
    }

    void games(const Document* named) {
        const auto add = [&](const std::string& path) {
            const std::filesystem::path folder = std::filesystem::path(file_.path_).parent_path();
            file_.games_.push_back((folder / path).lexically_normal().generic_string());
        };
        if (named == nullptr) return add("../rules.json");
        if (named->is_string()) return add(named->text());
        for (const Member& each : named->members)
            add(each.value.text());
    }

    void set(const Document* options, std::vector<std::pair<std::string, engine::Scalar>>& into) {
        if (options == nullptr) return;
        for (const Member& option : options->members) {
            if (option.value.kind != DocumentKind::Scalar) {
                wrong(option.value.span, "the value of an option is neither a list nor an object");
                continue;
            }
            std::erase_if(into, [&](const auto& each) { return each.first == option.key; });
            into.emplace_back(option.key, option.value.scalar);
        }
    }

    void read_case(const Document& test) {
        if (!test.is_object()) return wrong(test.span, "a test is an object");
        keys(test, kCaseKeys, "a test");
        TestCase read;
        const Document* name = part(test, "name");
        if (name == nullptr || name->text().empty()) return wrong(test.span, "a test has a name");
        if (!names_.insert(name->text()).second)
            wrong(name->span, "a second test named \"" + name->text() + "\"");
        read.name = name->text();
        read.span = name->span;
        read.options = options_;
        set(part(test, "set"), read.options);
        if (const Document* seed = part(test, "seed"))
            read.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(seed->scalar));
        read.state = part(test, "state");
        read.play = part(test, "play");
        read.expect = part(test, "expect");
        read.sequences = part(test, "sequences");
        read.random = part(test, "random");
        check_parts(test, read);
        file_.tests_.push_back(std::move(read));
    }

    void check_parts(const Document& test, const TestCase& read) {
        if (read.expect != nullptr) expectations(*read.expect);
        if (read.play != nullptr) {
            for (const Member& step : read.play->members) {
                if (step.value.is_object())
                    expectations(step.value);
                else if (!step.value.is_string())
                    wrong(step.value.span,
                          "play holds moves, and objects of what is expected then");
            }
        }
        if (read.sequences != nullptr) {
            for (const Member& count : read.sequences->members)
                if (!is_count(count.value)) wrong(count.value.span, "this is not a count");
        }
        if (read.random != nullptr) {
            keys(*read.random, kRandomKeys, "random");
            texts(part(*read.random, "check"), kChecks);
            if (read.state != nullptr || read.play != nullptr || read.expect != nullptr ||
                read.sequences != nullptr)
                wrong(test.span, "a test of random games begins with the deal and expects no more");
        } else if (read.expect == nullptr && read.play == nullptr && read.sequences == nullptr) {
            wrong(test.span, "this test expects nothing",
                  "a test has expect, play, sequences or random");
        }
    }

    void expectations(const Document& expected) {
        keys(expected, kExpectKeys, "what is expected");
        const Document* moves = part(expected, "moves");
        if (moves != nullptr && moves->is_object()) {
            keys(*moves, kMovesKeys, "moves");
            texts(part(*moves, "includes"));
            texts(part(*moves, "excludes"));
        } else if (moves != nullptr && !all_texts(*moves)) {
            wrong(moves->span,
                  "moves are a list of names, or an object with includes and excludes");
        }
    }

    void texts(const Document* list, const Names& known = {}) {
        if (list == nullptr) return;
        for (const Member& each : list->members)
            if (!each.value.is_string())
                wrong(each.value.span, "this is not a text");
            else if (!known.empty() && std::ranges::find(known, each.value.text()) == known.end())
                unknown(each.value.span, "there is no check", each.value.text(), known);
    }

    void keys(const Document& object, const std::vector<Key>& known, const std::string& what) {
        Names words;
        for (const Key& key : known)
            words.push_back(key.name);
        for (const Member& member : object.members) {
            const auto key = std::ranges::find(known, member.key, &Key::name);
            if (key == known.end()) {
                unknown(member.key_span, what + " has no key", member.key, words);
            } else if (!has_form(member.value, key->form)) {
                unfit_.insert(&member.value);
                wrong(member.value.span,
                      member.key + " takes " + std::string(form_name(key->form)));
            }
        }
    }

    void unknown(engine::Span place, const std::string& what, const std::string& word,
                 const Names& known) {
        wrong(place, what + " \"" + word + "\"",
              engine::hint_for(word, known, fmt::format("known are {}", fmt::join(known, ", "))));
    }

    void wrong(engine::Span place, std::string what, std::string hint = {}) {
        file_.diagnostics_.error(code::kTestForm, place, std::move(what), std::move(hint));
    }

    TestFile& file_;
    std::vector<std::pair<std::string, engine::Scalar>> options_;
    std::set<std::string> names_;
    std::set<const Document*> unfit_;
};

TestFile::TestFile(const std::string& path, const engine::FileOpener& open) : path_(path) {
    const engine::FileText file = open(path);
    const std::uint32_t source = sources_.add(path, file.text.value_or(""));
    if (!file.text) {
        diagnostics_.error(code::kTestForm, {source, 0, 0}, "cannot be read: " + file.error);
        return;
    }
    document_ = engine::read_json(sources_, source, diagnostics_);
    if (document_) Reader(*this).read(*document_);
    if (diagnostics_.has_errors()) tests_.clear();
}

// ---- running ------------------------------------------------------------------------------------

void RuleUse::watch_game(const RulesetGame* game) {
    take();
    game_ = game;
    if (game == nullptr) return;
    for (const char* name : {"setup", "moves", "play", "score"}) {
        const engine::Group* group = game->ruleset().group(name);
        if (group == nullptr) continue;
        names_in(*group, [&](const std::string& rule) {
            if (known_.insert(rule).second) rules_.push_back(rule);
        });
    }
    gauge_ = std::make_unique<engine::Gauge>(game->program(), engine::Budgets{}, false);
    profile_ = engine::Profile(game->program().catalogue());
}

void RuleUse::runs(const RuleRun& run) {
    if (game_ != nullptr && &run.program == &game_->program())
        gauge_->measure(run.group, run.state, run.random, profile_);
}

void RuleUse::take() {
    if (game_ == nullptr) return;
    const auto& rules = game_->program().catalogue().rules;
    for (std::size_t i = 0; i < rules.size(); ++i)
        if (profile_.rules()[i].fired()) fired_.insert(rules[i].name);
    profile_.clear();
}

const std::vector<std::string>& RuleUse::rules() {
    return rules_;
}

const std::set<std::string>& RuleUse::fired() {
    take();
    return fired_;
}

TestRun::TestRun(const TestFile& file, engine::FileOpener open)
    : file_(file), open_(std::move(open)) {}

std::size_t TestRun::count() const {
    return file_.tests().size() * file_.games().size();
}

TestResult TestRun::run(std::size_t i) {
    const TestCase& test = file_.tests()[i % file_.tests().size()];
    TestResult result;
    result.name = test.name;
    result.game = file_.games()[i / file_.tests().size()];
    result.span = test.span;
    if (!open_game(result.game, test, result)) return result;
    if (test.random != nullptr)
        play_randomly(test, result);
    else
        play(test, result);
    return result;
}

bool TestRun::open_game(const std::string& path, const TestCase& test, TestResult& result) {
    std::string wanted = path;
    for (const auto& [name, value] : test.options)
        wanted += "\n" + name + "=" + engine::scalar_json(value);
    if (game_ != nullptr && wanted == opened_as_) return true;
    use_.watch_game(nullptr);
    RulesetSettings settings;
    settings.name = std::filesystem::path(path).parent_path().filename().string();
    settings.options = test.options;
    OpenedRuleset opened = open_ruleset(path, open_, settings);
    game_ = std::move(opened.game);
    opened_as_ = wanted;
    if (game_ != nullptr) {
        use_.watch_game(game_.get());
        return true;
    }
    if (const Document* refused = refusal(test); refused != nullptr && test.state == nullptr)
        hold_refusal(*refused, opened.diagnostics, result.failures);
    else
        result.mistakes = formatted(opened.diagnostics, opened.sources);
    return false;
}

bool TestRun::begin(const TestCase& test, Position& position, Random& chance, TestResult& result) {
    if (test.state == nullptr) {
        Random deal = stream(test.seed, 0, Purpose::Deal);
        position.start(deal);
        return true;
    }
    engine::Diagnostics diagnostics;
    const auto& shape = game_->ruleset().shape;
    const Document state = shape ? with_sets(*test.state, *shape) : *test.state;
    if (position.load(state, chance, diagnostics)) {
        position.resume(chance);
        return true;
    }
    if (const Document* refused = refusal(test)) {
        hold_refusal(*refused, diagnostics, result.failures);
        return false;
    }
    for (const engine::Diagnostic& each : diagnostics.sorted())
        result.failures.push_back({each.span, "state", "not accepted: " + each.message});
    return false;
}

void TestRun::play(const TestCase& test, TestResult& result) {
    const auto position = game_->new_position();
    position->set_watch(&use_);
    Random chance = stream(test.seed, 0, Purpose::Play);
    if (!begin(test, *position, chance, result)) return;
    if (test.play != nullptr) make_moves(test, *position, chance, result);
    if (!result.good()) return;
    if (test.expect != nullptr) hold_against(*test.expect, *position, result.failures);
    const Member* ending = test.expect == nullptr ? nullptr : test.expect->find("ending");
    if (position->ending() == Ending::Aborted && ending == nullptr) {
        const Fault& fault = position->fault();
        result.failures.push_back(
            {result.span, "ending",
             fmt::format("aborted by {}: {} ({})", fault.rule, fault.what, fault.place)});
    }
    if (test.sequences != nullptr) count_sequences(test, *position, chance, result);
}

void TestRun::make_moves(const TestCase& test, Position& position, Random& chance,
                         TestResult& result) {
    for (const Member& step : test.play->members) {
        if (step.value.is_object()) {
            hold_against(step.value, position, result.failures);
            continue;
        }
        const auto move = position.find_move(step.value.text());
        if (!move) {
            const bool over = position.ending() != Ending::None;
            result.failures.push_back(
                {step.value.span, "play", step.value.text() + " is not legal",
                 over ? "no move, since the game is " + std::string(name_of(position.ending()))
                      : "one of " + joined_names(legal_names(position))});
            return;
        }
        position.play(*move, chance);
    }
}

void TestRun::count_sequences(const TestCase& test, const Position& position, const Random& chance,
                              TestResult& result) {
    Sequences sequences(*game_);
    std::string found;
    bool same = true;
    for (std::size_t depth = 1; depth <= test.sequences->members.size(); ++depth) {
        const std::uint64_t count = sequences.count(position, depth, chance);
        const auto& expected = test.sequences->members[depth - 1].value.scalar;
        same = same && static_cast<std::uint64_t>(std::get<std::int64_t>(expected)) == count;
        found += (depth == 1 ? "[" : ", ") + std::to_string(count);
    }
    if (!same)
        result.failures.push_back({test.sequences->span, "sequences", found + "]",
                                   engine::write_json(*test.sequences, -1), found + "]"});
}

std::vector<OnePlaceRule> TestRun::one_place(TestResult& result) const {
    if (file_.one_place() == nullptr) return declared_one_place(game_->ruleset());
    engine::Diagnostics diagnostics;
    std::vector<OnePlaceRule> rules =
        read_one_place(*file_.one_place(), game_->ruleset(), diagnostics);
    result.mistakes = formatted(diagnostics, file_.sources());
    return rules;
}

void TestRun::play_randomly(const TestCase& test, TestResult& result) {
    const Document& random = *test.random;
    GameChecks checks;
    checks.games = number_in(random, "games", checks.games);
    checks.seed = number_in(random, "seed", checks.seed);
    checks.most_moves = static_cast<std::uint32_t>(number_in(random, "moves", checks.most_moves));
    checks.watch = &use_;
    checks.one_place = one_place(result);
    if (!result.good()) return;
    if (const Member* chosen = random.find("check")) {
        const auto has = [&](std::string_view name) {
            return std::ranges::any_of(chosen->value.members, [&](const Member& each) {
                return each.value.text() == name;
            });
        };
        checks.views = has("views");
        checks.draws = has("draws");
        checks.reload = has("reload");
        if (has("one_place") && checks.one_place.empty())
            result.failures.push_back({chosen->value.span, "one_place", "nothing is declared",
                                       "game.one_place in the ruleset, or one_place here"});
        if (!has("one_place")) checks.one_place.clear();
    } else {
        checks.views = game_->facts().hides;
        checks.draws = game_->new_observer() != nullptr;
        checks.reload = true;
    }
    for (const GameProblem& problem : check_games(*game_, checks)) {
        result.failures.push_back(
            {random.span, problem.check,
             fmt::format("{} (seed {}{}{})", problem.what, problem.seed,
                         problem.moves.empty() ? "" : ", after ", problem.moves)});
    }
}

std::optional<TestResult> TestRun::coverage() {
    const Document* demanded = file_.coverage();
    if (demanded == nullptr) return std::nullopt;
    TestResult result;
    result.name = "coverage";
    result.game = file_.games()[0];
    result.span = demanded->span;
    std::vector<std::string> never;
    for (const std::string& rule : use_.rules())
        if (!use_.fired().contains(rule)) never.push_back(rule);
    if (const Member* percent = demanded->find("percent")) {
        const std::size_t all = std::max<std::size_t>(use_.rules().size(), 1);
        const std::size_t fired = (all - never.size()) * 100 / all;
        if (fired < number_in(*demanded, "percent", 0))
            result.failures.push_back({percent->value.span, "coverage.percent",
                                       fmt::format("{}: {} of {} rules have never fired: {}", fired,
                                                   never.size(), all, joined_names(never)),
                                       engine::write_json(percent->value, -1),
                                       std::to_string(fired)});
    }
    if (const Member* except = demanded->find("except")) {
        std::vector<std::string> excepted;
        for (const Member& rule : except->value.members)
            excepted.push_back(rule.value.text());
        std::vector<std::string> one = never;
        std::vector<std::string> other = excepted;
        std::ranges::sort(one);
        std::ranges::sort(other);
        if (one != other)
            result.failures.push_back({except->value.span, "rules that never fire",
                                       joined_names(never), joined_names(excepted),
                                       names_json(never)});
    }
    return result;
}

} // namespace croupier::games
