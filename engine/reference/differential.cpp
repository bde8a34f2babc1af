#include "engine/reference/differential.h"

#include "engine/language/reader.h"
#include "engine/reference/json.h"
#include "engine/text/document.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace croupier::engine::reference {

// Makes a failing case smaller by removing everything that the failure does not need.

using StillFails = std::function<bool(const Document& ruleset, const Document& state)>;

// Greedy; ends when nothing can be removed or after `max_tries` calls of `fails`. Both documents
// must fail before, and fail after.
void shrink(Document& ruleset, Document& state, const StillFails& fails,
            std::size_t max_tries = 20'000);

namespace {

class Shrinker {
  public:
    Shrinker(Document& ruleset, Document& state, const StillFails& fails, std::size_t tries)
        : ruleset_(ruleset), state_(state), fails_(fails), tries_left_(tries) {}

    void run() {
        do {
            progress_ = false;
            simplify(state_);
            simplify(ruleset_);
        } while (progress_ && tries_left_ > 0);
    }

  private:
    // From the outside in: a removed part needs no further look.
    void simplify(Document& document) {
        take_away(document.members);
        for (std::size_t i = 0; i < document.members.size(); ++i) {
            Document& member = document.members[i].value;
            hoist(member);
            simplify(member);
        }
        if (document.kind == Document::Kind::Scalar) simplify_scalar(document);
    }

    // Removes chunks first, then single members.
    void take_away(std::vector<Member>& members) {
        for (std::size_t chunk = members.size(); chunk > 0; chunk /= 2) {
            for (std::size_t from = 0; from < members.size();) {
                const std::size_t count = std::min(chunk, members.size() - from);
                const auto begin = members.begin() + static_cast<std::ptrdiff_t>(from);
                const auto end = begin + static_cast<std::ptrdiff_t>(count);
                std::vector<Member> fewer(members.begin(), begin);
                fewer.insert(fewer.end(), end, members.end());
                if (!accepts(members, std::move(fewer))) from += count;
            }
        }
    }

    // Replaces an object or list by one of its own parts.
    void hoist(Document& document) {
        for (std::size_t i = 0; i < document.members.size(); ++i) {
            Document part = document.members[i].value;
            if (accepts(document, std::move(part))) i = static_cast<std::size_t>(-1);
        }
    }

    void simplify_scalar(Document& document) {
        const auto* integer = std::get_if<std::int64_t>(&document.scalar);
        if (integer == nullptr || *integer == 0 || *integer == 1) return;
        for (const std::int64_t small : {0, 1})
            if (accepts(document.scalar, Scalar{small})) return;
    }

    // Keeps `changed` if the case still fails with it.
    template <typename T>
    bool accepts(T& part, T changed) {
        if (tries_left_ == 0) return false;
        --tries_left_;
        std::swap(part, changed);
        if (fails_(ruleset_, state_)) return progress_ = true;
        std::swap(part, changed);
        return false;
    }

    Document& ruleset_;
    Document& state_;
    const StillFails& fails_;
    std::size_t tries_left_;
    bool progress_ = false;
};

} // namespace

void shrink(Document& ruleset, Document& state, const StillFails& fails, std::size_t max_tries) {
    Shrinker(ruleset, state, fails, max_tries).run();
}

namespace {

// More than a sensible case needs; a combinatorial explosion proves nothing.
constexpr std::uint64_t kMaxModelSteps = 20'000;
// Rules that copy the state into itself double its size each time, up to gigabytes.
constexpr std::uint64_t kMaxModelNodes = 20'000;
// The model keeps every match as text; a million matches, which rules may have, are gigabytes too.
constexpr std::uint64_t kMaxMatches = 10'000;

std::optional<Document> read_text(const std::string& name, const std::string& text,
                                  std::string& error) {
    Sources sources;
    Diagnostics diagnostics;
    auto document = read_json(sources, sources.add(name, text), diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.sorted())
        error += format(diagnostic, sources);
    return document;
}

void note_first_error(const Loaded& loaded, Verdict& verdict) {
    for (const Diagnostic& diagnostic : loaded.diagnostics.sorted()) {
        if (diagnostic.severity != Severity::Error) continue;
        verdict.code = diagnostic.code;
        verdict.detail += format(diagnostic, loaded.sources);
        return;
    }
}

// A host function: adds numbers and truth values, refuses texts.
HostResult mix(std::span<const Scalar> values) {
    std::int64_t sum = 0;
    for (const Scalar& value : values) {
        if (std::holds_alternative<std::string>(value)) return {.error = "no texts"};
        if (const auto* number = std::get_if<std::int64_t>(&value)) sum += *number % 1000;
        if (const auto* truth = std::get_if<bool>(&value)) sum += *truth ? 7 : 11;
    }
    return {.value = sum};
}

} // namespace

Verdict judge(const Case& random_case, const Subject& expected, const Subject& actual) {
    Verdict verdict;
    LoadSettings settings;
    settings.functions = {{"mix", {"a", "b"}, mix}};
    const Loaded loaded = load_ruleset_text("ruleset", random_case.ruleset, {}, settings);
    const auto state = read_text("state", random_case.state, verdict.detail);
    if (!loaded.ruleset || !state || loaded.ruleset->group(random_case.group) == nullptr) {
        verdict.kind = Verdict::Kind::NotLoaded;
        note_first_error(loaded, verdict);
        return verdict;
    }
    const auto run = [&](const Subject& subject, const Budgets& budgets) {
        return subject(*loaded.ruleset, loaded.sources, random_case.group, *state, random_case.seed,
                       budgets);
    };
    Budgets budgets = random_case.budgets;
    budgets.matches_per_rule = std::min(budgets.matches_per_rule, kMaxMatches);
    Budgets bounded = budgets;
    bounded.steps = kMaxModelSteps;
    bounded.nodes = kMaxModelNodes;
    const SubjectOutcome wanted = run(expected, bounded);
    if (wanted.error && (wanted.error->kind == RunErrorKind::BudgetSteps ||
                         wanted.error->kind == RunErrorKind::BudgetSize)) {
        verdict.kind = Verdict::Kind::TooLong;
        return verdict;
    }
    for (const auto& [rule, matches] : wanted.applications) {
        ++verdict.applications;
        verdict.fruitful += matches.empty() ? 0 : 1;
    }
    verdict.ended_in_error = wanted.error.has_value();
    verdict.detail = difference(wanted, run(actual, budgets));
    if (!verdict.detail.empty()) verdict.kind = Verdict::Kind::Different;
    return verdict;
}

namespace {

Failure shrunk(const Case& failing, const Subject& expected, const Subject& actual) {
    Failure failure{failing, {}};
    std::string ignored;
    auto ruleset = read_text("ruleset", failing.ruleset, ignored);
    auto state = read_text("state", failing.state, ignored);
    const auto with = [&](const Document& rules, const Document& tree) {
        Case candidate = failing;
        candidate.ruleset = write_json(rules);
        candidate.state = write_json(tree);
        return candidate;
    };
    shrink(*ruleset, *state, [&](const Document& rules, const Document& tree) {
        return judge(with(rules, tree), expected, actual).kind == Verdict::Kind::Different;
    });
    failure.shrunk = with(*ruleset, *state);
    failure.difference = judge(failure.shrunk, expected, actual).detail;
    return failure;
}

} // namespace

Tally run_cases(std::uint64_t first, std::uint64_t count, const Profile& profile,
                const Subject& expected, const Subject& actual) {
    Tally tally;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Case random_case = generate_case(first + i, profile);
        const Verdict verdict = judge(random_case, expected, actual);
        ++tally.cases;
        tally.matched += verdict.fruitful > 0 ? 1 : 0;
        tally.applications += verdict.applications;
        tally.fruitful += verdict.fruitful;
        tally.errors += verdict.ended_in_error ? 1 : 0;
        switch (verdict.kind) {
        case Verdict::Kind::Same:
            break;
        case Verdict::Kind::NotLoaded:
            ++tally.not_loaded;
            ++tally.codes[verdict.code];
            tally.diagnostics.emplace(verdict.code, verdict.detail);
            break;
        case Verdict::Kind::TooLong:
            ++tally.too_long;
            break;
        case Verdict::Kind::Different:
            tally.failure = shrunk(random_case, expected, actual);
            return tally;
        }
    }
    return tally;
}

std::string write_case(const Case& random_case) {
    std::string error;
    Document file = object();
    add(file, "ruleset", read_text("ruleset", random_case.ruleset, error).value_or(object()));
    add(file, "state", read_text("state", random_case.state, error).value_or(object()));
    add(file, "group", text(random_case.group));
    add(file, "seed", integer(static_cast<std::int64_t>(random_case.seed)));
    const Budgets usual;
    Document budgets = object();
    const auto add_limit = [&](const char* name, std::uint64_t limit, std::uint64_t otherwise) {
        if (limit != otherwise) add(budgets, name, integer(static_cast<std::int64_t>(limit)));
    };
    add_limit("matches", random_case.budgets.matches_per_rule, usual.matches_per_rule);
    add_limit("firings", random_case.budgets.firings, usual.firings);
    if (!budgets.members.empty()) add(file, "budgets", std::move(budgets));
    return write_json(file);
}

namespace {

std::uint64_t number_in(const Document& document, const char* name, std::uint64_t otherwise) {
    const Member* member = document.find(name);
    if (member == nullptr) return otherwise;
    const auto* integer = std::get_if<std::int64_t>(&member->value.scalar);
    return integer != nullptr ? static_cast<std::uint64_t>(*integer) : otherwise;
}

} // namespace

std::optional<Case> read_case(const std::string& json, std::string& error) {
    const auto file = read_text("case", json, error);
    if (!file) return std::nullopt;
    const Member* ruleset = file->find("ruleset");
    const Member* state = file->find("state");
    if (ruleset == nullptr || state == nullptr) {
        error += "a case has the members ruleset and state\n";
        return std::nullopt;
    }
    Case result;
    result.ruleset = write_json(ruleset->value);
    result.state = write_json(state->value);
    if (const Member* group = file->find("group"); group != nullptr && group->value.is_string())
        result.group = group->value.text();
    result.seed = number_in(*file, "seed", 0);
    if (const Member* budgets = file->find("budgets")) {
        Budgets& limits = result.budgets;
        limits.matches_per_rule = number_in(budgets->value, "matches", limits.matches_per_rule);
        limits.firings = number_in(budgets->value, "firings", limits.firings);
    }
    return result;
}

} // namespace croupier::engine::reference
