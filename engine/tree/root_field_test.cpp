// Fields of the root that go together leave what they would leave one after the other.
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "engine/run/random.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace croupier::engine {
namespace {

constexpr std::uint32_t kFields = 12;

class Fields {
  public:
    Fields() {
        for (std::uint32_t i = 0; i < kFields; ++i)
            fields_.push_back(layout().root_field(layout().node(0).field(name(i))));
    }

    [[nodiscard]] const Layout& layout() const { return *program_.layout; }
    [[nodiscard]] const RootField& operator[](std::uint32_t i) const { return fields_[i]; }
    // With `count` of the fields, in an order that chance gives them.
    State state(std::uint32_t count, Random& random, std::vector<std::uint32_t>& order) const {
        order.clear();
        for (std::uint32_t i = 0; i < kFields; ++i)
            order.insert(order.begin() + static_cast<std::ptrdiff_t>(random.below(i + 1)), i);
        order.resize(count);
        State state(layout());
        for (const std::uint32_t i : order)
            state.set_child(state.root(), name(i), Value::number(std::int64_t{i}));
        return state;
    }
    void remove(State& state, std::uint32_t i) const {
        if (const NodeRef node = state.child(state.root(), name(i))) state.remove(node);
    }

  private:
    static std::string text() {
        std::string shape;
        for (std::uint32_t i = 0; i < kFields; ++i)
            shape += (i == 0 ? "" : ", ") + ("\"f" + std::to_string(i)) + R"(": "0..20")";
        return R"({"rules": [], "shape": {)" + shape + "}}";
    }
    [[nodiscard]] Symbol name(std::uint32_t i) const {
        return program_.symbols.find("f" + std::to_string(i));
    }

    Loaded loaded_ = load_ruleset_text("test", text());
    Program program_{*loaded_.ruleset};
    std::vector<RootField> fields_;
};

TEST(root_field, two_go_at_once) {
    const Fields fields;
    Random random(1);
    std::vector<std::uint32_t> order;
    for (int i = 0; i < 500; ++i) {
        State state =
            fields.state(static_cast<std::uint32_t>(random.below(kFields + 1)), random, order);
        State other = state;
        const auto first = static_cast<std::uint32_t>(random.below(kFields));
        const auto second = (first + 1 + static_cast<std::uint32_t>(random.below(kFields - 1))) %
                            kFields; // mostly both are not the last ones
        const bool both_last = order.size() >= 2 && i % 3 == 0;
        const std::uint32_t one = both_last ? order[order.size() - 2] : first;
        const std::uint32_t two = both_last ? order.back() : second;
        state.drop_fields(fields[one], fields[two]);
        fields.remove(other, one);
        fields.remove(other, two);
        ASSERT_TRUE(state.equals(other)) << i;
        ASSERT_EQ(state.hash(), other.hash()) << i;
    }
}

TEST(root_field, several_leave_the_list_in_which_they_are) {
    const Fields fields;
    Random random(2);
    std::vector<std::uint32_t> order;
    for (int i = 0; i < 1000; ++i) {
        const auto count = 1 + static_cast<std::uint32_t>(random.below(kFields));
        State state = fields.state(count, random, order);
        State other = state;
        std::uint64_t slots = 0;
        for (const std::uint32_t each : order) {
            if (random.below(3) == 0) continue;
            slots |= std::uint64_t{1} << fields[each].slot;
            state.data()[fields[each].begin] = std::byte{0};
            fields.remove(other, each);
        }
        erase_all_listed(state.data() + fields[0].order, slots);
        ASSERT_TRUE(state.equals(other)) << i;
        ASSERT_EQ(state.hash(), other.hash()) << i;
    }
}

} // namespace
} // namespace croupier::engine
