// Opens the game, gets to the position, holds it against the file.
#include "games/checks/test_run.h"

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/checks/expectations.h"
#include "games/checks/game_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace croupier::games {
namespace {

using engine::Document;
using engine::Member;

// The messages of a load or of a position, with their places.
std::vector<std::string> formatted(const engine::Diagnostics& diagnostics,
                                   const engine::Sources& sources) {
    std::vector<std::string> all;
    for (const engine::Diagnostic& each : diagnostics.sorted()) {
        if (each.severity == engine::Severity::Error) all.push_back(engine::format(each, sources));
    }
    return all;
}

// What a test expects to be refused, or null.
const Document* refusal(const TestCase& test) {
    const Member* refused = test.expect == nullptr ? nullptr : test.expect->find("refused");
    return refused == nullptr ? nullptr : &refused->value;
}

// Whether one of the messages is the one that was expected; else says so.
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

// Sequences of so many legal moves from a position. Whatever chance does, it does the same after
// equal moves.
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

// What a set holds may be written as a list: {"hands": {"A": ["AS", "KS"]}}.
Document with_sets(Document written, const engine::Shape& shape) {
    const bool set = shape.kind == engine::ShapeKind::Map &&
                     shape.fields.front().second.kind == engine::ShapeKind::Unit;
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
            for (const auto& [name, field] : shape.fields) {
                if (shape.kind == engine::ShapeKind::Map || name == member.key)
                    member.value = with_sets(std::move(member.value), field);
            }
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
        result.failures.push_back({each.span, "state", "not accepted: " + each.message, {}, {}});
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
            {result.span,
             "ending",
             fmt::format("aborted by {}: {} ({})", fault.rule, fault.what, fault.place),
             {},
             {}});
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
                {step.value.span,
                 "play",
                 step.value.text() + " is not legal",
                 over ? "no move, since the game is " + std::string(name_of(position.ending()))
                      : "one of " + joined_names(legal_names(position)),
                 {}});
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
            return std::any_of(chosen->value.members.begin(), chosen->value.members.end(),
                               [&](const Member& each) { return each.value.text() == name; });
        };
        checks.views = has("views");
        checks.draws = has("draws");
        checks.reload = has("reload");
        if (has("one_place") && checks.one_place.empty())
            result.failures.push_back({chosen->value.span,
                                       "one_place",
                                       "nothing is declared",
                                       "game.one_place in the ruleset, or one_place here",
                                       {}});
        if (!has("one_place")) checks.one_place.clear();
    } else {
        checks.views = game_->facts().hides;
        checks.draws = game_->new_observer() != nullptr;
        checks.reload = true;
    }
    for (const GameProblem& problem : check_games(*game_, checks)) {
        result.failures.push_back(
            {random.span,
             problem.check,
             fmt::format("{} (seed {}{}{})", problem.what, problem.seed,
                         problem.moves.empty() ? "" : ", after ", problem.moves),
             {},
             {}});
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
    for (const std::string& rule : use_.rules()) {
        if (!use_.fired().contains(rule)) never.push_back(rule);
    }
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
        std::sort(one.begin(), one.end());
        std::sort(other.begin(), other.end());
        if (one != other)
            result.failures.push_back({except->value.span, "rules that never fire",
                                       joined_names(never), joined_names(excepted),
                                       names_json(never)});
    }
    return result;
}

} // namespace croupier::games
