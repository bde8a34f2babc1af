// The random world of a case: the form of its states, declared or not.
#pragma once

#include "engine/reference/generator.h"
#include "engine/run/random.h"
#include "engine/text/document.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::reference {

// Decisions of the generator: random, or read from the bytes that a fuzzer varies.

class Dice {
  public:
    explicit Dice(Random random) : random_(random) {}
    // Each decision uses one byte while there are any, so that a small change of the bytes is a
    // small change of the case. The bytes must outlive the dice.
    Dice(std::span<const std::uint8_t> choices, Random afterwards)
        : choices_(choices), random_(afterwards) {}

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(draw(n)); }
    // Both ends included.
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(draw(static_cast<std::uint64_t>(high - low) + 1));
    }
    bool chance(int percent) { return between(0, 99) < percent; }

    template <typename T>
    const T& pick(const std::vector<T>& from) {
        return from[below(from.size())];
    }
    template <typename T>
    T pick(std::initializer_list<T> from) {
        return *(from.begin() + below(from.size()));
    }
    // A random index; its probability is proportional to its weight. At least one weight is
    // positive.
    std::size_t weighted(std::initializer_list<int> weights) {
        std::int64_t total = 0;
        for (const int weight : weights)
            total += weight;
        std::int64_t rest = between(0, total - 1);
        std::size_t index = 0;
        for (const int weight : weights) {
            if (rest < weight) return index;
            rest -= weight;
            ++index;
        }
        return index;
    }
    template <typename T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i-- > 1;)
            std::swap(items[i], items[below(i + 1)]);
    }

  private:
    // In 0..n-1. A byte reaches 256 choices, enough for nearly all decisions.
    std::uint64_t draw(std::uint64_t n) {
        if (choices_.empty()) return random_.below(n);
        const std::uint64_t choice = choices_.front() % n;
        choices_ = choices_.subspan(1);
        return choice;
    }

    std::span<const std::uint8_t> choices_;
    Random random_;
};

struct DomainPlan {
    std::string name;
    std::vector<std::string> members;
    bool numbered = false;
    bool ordered = false;
    bool near = false;
    std::vector<std::string> step; // directions in the relations of a grid
    std::vector<std::string> ray;
    Document declaration;
};

enum class Form { Unit, Int, Double, Number, Bool, Text, Member, Mixed, Record, Map, List };

struct KindField;

// The contents of a place in the state. The tree of kinds is the generator's own shape.
struct Kind {
    Form form = Form::Mixed;
    std::int64_t low = -1; // Int
    std::int64_t high = 4;
    bool ranged = false;                // Int: declared as a range
    const DomainPlan* domain = nullptr; // Member; Map over a domain
    std::vector<std::string> keys;      // Map without a domain
    bool integer_keys = false;
    int density = 60;              // percent of a map's keys that are present initially
    std::vector<KindField> fields; // Record; Map and List have one

    [[nodiscard]] bool is_leaf() const { return form < Form::Record; }
    [[nodiscard]] const std::vector<std::string>& key_pool() const {
        return domain != nullptr ? domain->members : keys;
    }
};

struct KindField {
    std::string name;
    Kind kind;

    KindField(std::string field, Kind what) : name(std::move(field)), kind(std::move(what)) {}
};

struct Setting {
    std::vector<std::unique_ptr<DomainPlan>> domains;
    Kind root;      // a Record
    Kind constants; // a Record: constants and relations as rules see them
    Document constants_json = json::object();
    Document options = json::object();
    std::vector<std::string> declared; // fields of the root

    [[nodiscard]] bool is_declared(const std::string& field) const;
    // The domain of cards, or null.
    [[nodiscard]] const DomainPlan* deck() const;
};

// A small tree of arbitrary kinds.
Setting make_free_setting(Dice& dice, const Profile& profile);
// Domains, dense maps, constants: hands, tricks, boards. Some domains have more than 32 or 64
// members.
Setting make_table_setting(Dice& dice, const Profile& profile);

// With `complete` every field and key is present.
Document random_state(const Kind& kind, Dice& dice, bool complete = false);
Scalar random_leaf(const Kind& kind, Dice& dice);
Document shape_of(const Kind& kind);
Document types_of(const Setting& setting);

// Texts and integers used by both states and rules, so that they often match.
const std::vector<std::string>& common_texts();

} // namespace croupier::engine::reference
