// The cost of each form of the rule language beside two fast tests, compared with a rule of only
// these tests.
#include "bench/forms/forms.h"
#include "bench/measure.h"
#include "bench/rules.h"
#include "engine/api/program.h"
#include "engine/api/random.h"
#include "engine/api/state.h"
#include "engine/api/text.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace croupier::bench {
namespace {

using engine::Document;
using engine::Random;
using engine::State;
using forms::Form;
using forms::Table;

constexpr std::uint64_t kSeed = 19;
constexpr int kStates = 32;
constexpr int kRounds = 16; // makes a pass long compared with reading the clock

constexpr Form kBase{"base", forms::base, false};
// A group without rules: copies the state and runs.
constexpr Form kNothing{"nothing", [](Table&, Random&) {}};
constexpr Form kCommon[] = {kBase, kNothing};

std::vector<Table> random_tables() {
    Random random(kSeed);
    std::vector<Table> tables;
    tables.reserve(kStates);
    for (int i = 0; i < kStates; ++i)
        tables.push_back(forms::random_table(random));
    return tables;
}

// Sorts the children of objects by key, since plain C++ has no order.
void sort_members(Document& document) {
    for (engine::Member& member : document.members)
        sort_members(member.value);
    if (document.is_object()) {
        std::sort(document.members.begin(), document.members.end(),
                  [](const auto& a, const auto& b) { return a.key < b.key; });
    }
}
std::string sorted(Document document) {
    sort_members(document);
    return engine::write_json(document, -1);
}

// Runs one form, in both ways, on copies of the same states.
class Forms {
  public:
    explicit Forms(const std::string& file) : rules_({file}), states_(states_of(rules_, tables_)) {}

    // Checks that each group of the file is measured.
    void check_complete(std::span<const Form> all) const {
        for (const engine::GroupPlan& group : rules_.program().catalogue().groups) {
            const auto is_of_group = [&](const Form& form) { return form.name == group.name; };
            const bool is_nested = group.name.find('/') != std::string::npos;
            check(is_nested || is_of_group(kBase) || is_of_group(kNothing) ||
                      std::any_of(all.begin(), all.end(), is_of_group),
                  "the form " + group.name + " has no plain version");
        }
    }

    // Checks that group and plain function give equal results on each state; and on some state, if
    // they should, another result than the base.
    void check_answers(const Form& form) {
        const engine::GroupId group = rules_.group(form.name);
        Random chance(kSeed);
        Random same_chance(kSeed);
        Random none;
        bool differs = false;
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            Table plain = tables_[i];
            form.plain(plain, chance);
            work_ = states_[i];
            Rules::checked(rules_.run(group, work_, same_chance));
            const std::string expected = sorted(parse(to_json(plain)));
            const std::string found = sorted(work_.export_document());
            check(found == expected, std::string(form.name) + " comes to\n" + found +
                                         "\nand in plain C++ to\n" + expected + "\non\n" +
                                         to_json(tables_[i]));
            Table base = tables_[i];
            forms::base(base, none);
            differs = differs || sorted(parse(to_json(base))) != expected;
        }
        check(differs == form.differs, std::string(form.name) +
                                           (differs ? " differs" : " never differs") +
                                           " from the base");
    }

    [[nodiscard]] auto pass_of_rules(const Form& form) {
        return [this, group = rules_.group(form.name), random = Random(kSeed)]() mutable {
            for (int round = 0; round < kRounds; ++round) {
                for (const State& state : states_) {
                    work_ = state;
                    benchmark::DoNotOptimize(rules_.run(group, work_, random).firings);
                }
            }
        };
    }
    [[nodiscard]] auto pass_of_plain(const Form& form) {
        return [this, plain = form.plain, random = Random(kSeed)]() mutable {
            for (int round = 0; round < kRounds; ++round) {
                for (const Table& table : tables_) {
                    plain_work_ = table;
                    plain(plain_work_, random);
                    benchmark::DoNotOptimize(&plain_work_);
                    benchmark::ClobberMemory();
                }
            }
        };
    }

  private:
    static std::vector<State> states_of(const Rules& rules, const std::vector<Table>& tables) {
        std::vector<State> states;
        states.reserve(tables.size());
        for (const Table& table : tables)
            states.push_back(rules.state(to_json(table)));
        return states;
    }

    Rules rules_;
    std::vector<Table> tables_ = random_tables();
    std::vector<State> states_;
    State work_ = states_[0];
    Table plain_work_;
};

// The forms in one file of rules/forms.
struct File {
    std::string name;
    std::span<const Form> forms;
};

// `pass` makes the pass of a form, by rules or in plain C++, so that base and form are compared in
// both.
template <typename Pass>
void measure_form(benchmark::State& state, const File& file, const Form& form, Pass pass) {
    Forms all(file.name);
    all.check_complete(file.forms);
    all.check_answers(form);
    measure(state, kRounds * kStates, all.pass_of_plain(form), pass(all, form), pass(all, kBase));
}

void add(const File& file) {
    for (const Form& form : file.forms) {
        const std::string name = std::string("forms/") + form.name;
        add_row(name + "/rules", [file, form](benchmark::State& state) {
            measure_form(state, file, form,
                         [](Forms& all, const Form& one) { return all.pass_of_rules(one); });
        });
        add_row(name + "/plain", [file, form](benchmark::State& state) {
            measure_form(state, file, form,
                         [](Forms& all, const Form& one) { return all.pass_of_plain(one); });
        });
    }
}

} // namespace

void add_form_rows() {
    add({"forms/common.json", kCommon});
    add({"forms/conditions.json", forms::conditions()});
    add({"forms/actions.json", forms::actions()});
    add({"forms/groups.json", forms::groups()});
}

} // namespace croupier::bench
