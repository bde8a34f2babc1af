// States, shapes and types of a setting as JSON.
#include "engine/reference/json.h"
#include "engine/reference/setting.h"

namespace croupier::engine::reference {

const std::vector<std::string>& common_texts() {
    static const std::vector<std::string> kTexts = {"x",  "y", "z",  "red", "2",
                                                    "10", "",  "'q", "<3"};
    return kTexts;
}

namespace {

double random_double(Dice& dice) {
    return dice.pick({0.5, 2.0, -1.25, 3.0, 1e300, 0.1, 0.0});
}

std::int64_t random_integer(const Kind& kind, Dice& dice) {
    if (!kind.ranged && dice.chance(2)) return dice.pick({INT64_MAX, INT64_MIN, INT64_MAX - 1});
    return dice.between(kind.low, dice.chance(85) ? std::min(kind.high, kind.low + 4) : kind.high);
}

} // namespace

Scalar random_leaf(const Kind& kind, Dice& dice) {
    switch (kind.form) {
    case Form::Unit:
        return true;
    case Form::Int:
        return random_integer(kind, dice);
    case Form::Double:
        return dice.chance(80) ? Scalar{random_double(dice)} : Scalar{dice.between(-4, 4)};
    case Form::Number:
        return dice.chance(60) ? Scalar{random_integer(kind, dice)} : Scalar{random_double(dice)};
    case Form::Bool:
        return dice.chance(50);
    case Form::Text:
        return common_texts()[dice.below(dice.chance(75) ? 3 : common_texts().size())];
    case Form::Member: {
        const std::size_t index = dice.below(kind.domain->members.size());
        if (kind.domain->numbered) return static_cast<std::int64_t>(index);
        return kind.domain->members[index];
    }
    default:
        break;
    }
    switch (dice.below(6)) {
    case 0:
        return std::monostate{};
    case 1:
        return dice.chance(50);
    case 2:
        return random_double(dice);
    case 3:
        return dice.pick(common_texts());
    default:
        return random_integer(kind, dice);
    }
}

Document random_state(const Kind& kind, Dice& dice, bool complete) {
    if (kind.is_leaf()) return scalar(random_leaf(kind, dice));
    if (kind.form == Form::List) {
        Document list = array();
        for (std::size_t i = complete ? 4 : dice.below(4); i > 0; --i) {
            append(list, random_state(kind.fields[0].kind, dice, complete));
        }
        return list;
    }
    Document result = object();
    if (kind.form == Form::Record) {
        for (const auto& [name, field] : kind.fields) {
            if (complete || dice.chance(90)) add(result, name, random_state(field, dice, complete));
        }
    } else {
        for (const std::string& key : kind.key_pool()) {
            if (!complete && !dice.chance(kind.density)) continue;
            add(result, key, random_state(kind.fields[0].kind, dice, complete));
        }
    }
    if (dice.chance(20)) dice.shuffle(result.members);
    return result;
}

Document shape_of(const Kind& kind) {
    switch (kind.form) {
    case Form::Unit:
        return boolean(true);
    case Form::Int:
        return text(kind.ranged ? std::to_string(kind.low) + ".." + std::to_string(kind.high)
                                : "int");
    case Form::Double:
        return text("double");
    case Form::Number:
        return text("number");
    case Form::Bool:
        return text("bool");
    case Form::Text:
        return text("string");
    case Form::Member:
        return text(kind.domain->name);
    case Form::Mixed:
    case Form::List:
        return text("any");
    default:
        break;
    }
    Document result = object();
    if (kind.form == Form::Map) {
        const std::string key = kind.domain != nullptr ? "$:" + kind.domain->name
                                : kind.integer_keys    ? "$:int"
                                                       : "$";
        add(result, key, shape_of(kind.fields[0].kind));
        return result;
    }
    for (const auto& [name, field] : kind.fields) {
        add(result, name, shape_of(field));
    }
    return result;
}

Document types_of(const Setting& setting) {
    Document types = object();
    for (const auto& domain : setting.domains) {
        add(types, domain->name, domain->declaration);
    }
    return types;
}

} // namespace croupier::engine::reference
