// What comes next under each strategy, against the order that CLIPS documents and a naive model.
#include "engine/agenda/agenda.h"

#include "engine/run/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

namespace croupier::engine {
namespace {

// Time tags by payload.
class Tags : public TimeTags {
  public:
    std::map<std::uint64_t, std::vector<std::uint64_t>> of;
    void append_time_tags(std::uint64_t payload, std::vector<std::uint64_t>& tags) const override {
        const auto found = of.find(payload);
        if (found != of.end()) tags.insert(tags.end(), found->second.begin(), found->second.end());
    }
};

std::vector<std::uint64_t> drain(Agenda& agenda) {
    std::vector<std::uint64_t> fired;
    while (agenda.next() != Agenda::kNone) {
        fired.push_back(agenda.payload(agenda.next()));
        agenda.withdraw(agenda.next());
    }
    return fired;
}

using Payloads = std::vector<std::uint64_t>;

Agenda filled(Strategy strategy, const TimeTags* tags = nullptr) {
    Agenda agenda(strategy, tags);
    agenda.add({1, 0, 5, 30});
    agenda.add({2, 10, 1, 10});
    agenda.add({3, 0, 2, 20});
    agenda.add({4, 0, 5, 20});
    agenda.add({5, -7, 9, 1});
    return agenda;
}

TEST(agenda, depth_takes_the_newest_of_the_highest_salience) {
    Agenda agenda = filled(Strategy::Depth);
    EXPECT_EQ(drain(agenda), (Payloads{2, 4, 3, 1, 5}));
    EXPECT_TRUE(agenda.empty());
}

TEST(agenda, breadth_takes_the_oldest) {
    Agenda agenda = filled(Strategy::Breadth);
    EXPECT_EQ(drain(agenda), (Payloads{2, 1, 3, 4, 5}));
}

TEST(agenda, simplicity_and_complexity_break_ties_by_the_oldest) {
    Agenda simple = filled(Strategy::Simplicity);
    EXPECT_EQ(drain(simple), (Payloads{2, 3, 1, 4, 5}));
    Agenda complex = filled(Strategy::Complexity);
    EXPECT_EQ(drain(complex), (Payloads{2, 1, 4, 3, 5}));
}

TEST(agenda, random_takes_the_smallest_draw_then_the_oldest) {
    Agenda agenda = filled(Strategy::Random);
    EXPECT_EQ(drain(agenda), (Payloads{2, 3, 4, 1, 5}));
}

TEST(agenda, lex_compares_sorted_tags_then_length_then_specificity_then_age) {
    Tags tags;
    tags.of = {{1, {3, 9}}, {2, {9, 4}}, {3, {9}}, {4, {4, 9}}, {5, {9, 4, 0}}, {6, {10}}};
    Agenda agenda(Strategy::Lex, &tags);
    agenda.add({1, 0, 1, 0});
    agenda.add({2, 0, 1, 0});
    agenda.add({3, 0, 9, 0});
    agenda.add({4, 0, 2, 0});
    agenda.add({5, 0, 1, 0});
    agenda.add({6, 0, 1, 0});
    EXPECT_EQ(drain(agenda), (Payloads{6, 5, 4, 2, 1, 3}));
}

TEST(agenda, mea_looks_at_the_first_element_before_all_others) {
    Tags tags;
    tags.of = {{1, {2, 90}}, {2, {3, 4}}, {3, {0, 99}}, {4, {3, 5}}};
    Agenda agenda(Strategy::Mea, &tags);
    for (std::uint64_t payload = 1; payload <= 4; ++payload)
        agenda.add({payload, 0, 1, 0});
    EXPECT_EQ(drain(agenda), (Payloads{4, 2, 1, 3}));
}

TEST(agenda, names_are_those_of_clips) {
    EXPECT_EQ(find_strategy("mea"), Strategy::Mea);
    EXPECT_EQ(find_strategy("Depth"), std::nullopt);
    EXPECT_EQ(strategy_name(Strategy::Simplicity), "simplicity");
}

// All handles with what was added, sorted anew for each question.
struct Model {
    struct Item {
        Agenda::Handle handle;
        Agenda::Entry entry;
        std::uint64_t age;
    };
    std::vector<Item> items;
    const Tags& tags;

    [[nodiscard]] Payloads sorted_tags(const Item& item) const {
        Payloads sorted = tags.of.at(item.entry.payload);
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        return sorted;
    }
    [[nodiscard]] bool before(Strategy strategy, const Item& a, const Item& b) const {
        if (a.entry.salience != b.entry.salience) return a.entry.salience > b.entry.salience;
        const auto older = a.age < b.age;
        const auto x = a.entry.specificity;
        const auto y = b.entry.specificity;
        switch (strategy) {
        case Strategy::Depth:
            return !older;
        case Strategy::Breadth:
            return older;
        case Strategy::Simplicity:
            return x != y ? x < y : older;
        case Strategy::Complexity:
            return x != y ? x > y : older;
        case Strategy::Random:
            return a.entry.draw != b.entry.draw ? a.entry.draw < b.entry.draw : older;
        case Strategy::Mea:
            if (tags.of.at(a.entry.payload)[0] != tags.of.at(b.entry.payload)[0])
                return tags.of.at(a.entry.payload)[0] > tags.of.at(b.entry.payload)[0];
            [[fallthrough]];
        case Strategy::Lex:
            if (sorted_tags(a) != sorted_tags(b)) return sorted_tags(a) > sorted_tags(b);
            return x != y ? x > y : older;
        }
        return older;
    }
    [[nodiscard]] std::vector<Agenda::Handle> order(Strategy strategy) {
        std::sort(items.begin(), items.end(),
                  [&](const Item& a, const Item& b) { return before(strategy, a, b); });
        std::vector<Agenda::Handle> handles;
        for (const Item& item : items)
            handles.push_back(item.handle);
        return handles;
    }
};

TEST(agenda, agrees_with_sorting_everything_each_time) {
    Random random(20);
    Tags tags;
    for (std::uint64_t payload = 0; payload < 4000; ++payload) {
        std::vector<std::uint64_t>& of = tags.of[payload];
        for (std::uint64_t n = 1 + random.below(3); n > 0; --n)
            of.push_back(random.below(4));
    }
    Agenda agenda(Strategy::Depth, &tags);
    Strategy strategy = Strategy::Depth;
    Model model{{}, tags};
    for (std::uint64_t step = 0; step < 4000; ++step) {
        if (step % 100 == 0) {
            strategy = static_cast<Strategy>(step / 100 % 7);
            agenda.clear(strategy);
            model.items.clear();
        }
        if (random.below(100) < 60 || model.items.empty()) {
            const Agenda::Entry entry{step, static_cast<int>(random.below(3)) - 1,
                                      static_cast<std::uint32_t>(random.below(3)), random.below(5)};
            model.items.push_back({agenda.add(entry), entry, step});
        } else {
            const std::size_t at = random.below(model.items.size());
            agenda.withdraw(model.items[at].handle);
            model.items.erase(model.items.begin() + static_cast<std::ptrdiff_t>(at));
        }
        const std::vector<Agenda::Handle> expected = model.order(strategy);
        ASSERT_EQ(agenda.next(), expected.empty() ? Agenda::kNone : expected.front())
            << strategy_name(strategy) << " at step " << step;
        ASSERT_EQ(agenda.size(), expected.size());
    }
}

} // namespace
} // namespace croupier::engine
