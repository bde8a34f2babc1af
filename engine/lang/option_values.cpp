// Options against the block that says what they may be set to.
#include "engine/lang/option_values.h"

#include "engine/lang/fit.h"
#include "engine/lang/type_parser.h"
#include "engine/text/codes.h"

#include <algorithm>

namespace croupier::engine {
namespace {

class Checker {
  public:
    Checker(Reading& reading, const Ruleset& ruleset) : reading_(reading), ruleset_(ruleset) {}

    void check(const Member& member) {
        const auto option =
            std::find_if(ruleset_.options.begin(), ruleset_.options.end(),
                         [&](const Option& each) { return each.name == member.key; });
        if (option == ruleset_.options.end()) {
            report_unknown_option(reading_, member.key, member.key_span, ruleset_.options);
        } else if (member.value.is_array()) {
            check_listed(*option, member.value);
        } else {
            check_leaf(*option, member.value);
        }
    }

  private:
    void check_listed(const Option& option, const Document& list) {
        Words texts;
        std::string all;
        for (const Member& element : list.members) {
            if (element.value.kind != Document::Kind::Scalar) {
                reading_.error(code::kOptionValue, element.value.span,
                               "the values of an option are texts, numbers, true or false; found " +
                                   std::string(kind_name(element.value)));
                return;
            }
            const bool same = option.value.kind == Document::Kind::Scalar &&
                              equal_scalars(option.value.scalar, element.value.scalar);
            if (same) return;
            if (element.value.is_string()) texts.push_back(element.value.text());
            all += (all.empty() ? "" : ", ") + scalar_json(element.value.scalar);
        }
        std::string hint;
        if (option.value.is_string()) hint = reading_.did_you_mean(option.value.text(), texts);
        wrong(option, list.span, "one of " + all, std::move(hint));
    }

    void check_leaf(const Option& option, const Document& leaf) {
        Ruleset declared;
        declared.types = ruleset_.types;
        const Shape shape = parse_shape(reading_, leaf, declared.types);
        if (shape.kind == ShapeKind::Record || shape.kind == ShapeKind::Map) {
            reading_.error(code::kOptionValue, leaf.span,
                           "what an option may be is a list of values or a leaf, as in \"0..10\"");
            return;
        }
        const bool fits = option.value.kind == Document::Kind::Scalar &&
                          can_hold(declared, shape, option.value.scalar);
        if (!fits) wrong(option, leaf.span, describe(declared, shape), {});
    }

    // Where no file says what the option is, the place is that which says what it may be.
    void wrong(const Option& option, Span allowed, const std::string& expected, std::string hint) {
        const std::string found = option.value.kind == Document::Kind::Scalar
                                      ? scalar_json(option.value.scalar)
                                      : std::string(kind_name(option.value));
        const bool written = option.value.span != Span{};
        reading_.error(code::kOptionValue, written ? option.value.span : allowed,
                       "the option " + option.name + " is " + expected + ", not " + found,
                       std::move(hint));
    }

    Reading& reading_;
    const Ruleset& ruleset_;
};

} // namespace

void report_unknown_option(Reading& reading, const std::string& name, Span place,
                           const std::vector<Option>& known) {
    Words names;
    for (const Option& option : known)
        names.push_back(option.name);
    reading.error(code::kUnknownOption, place, "the ruleset has no option \"" + name + "\"",
                  reading.did_you_mean(name, names));
}

void check_option_values(Reading& reading, const Document& block, const Ruleset& ruleset) {
    if (!block.is_object()) {
        reading.error(code::kTopForm, block.span,
                      "option_values takes an object of options and what they may be, found " +
                          std::string(kind_name(block)));
        return;
    }
    Checker checker(reading, ruleset);
    for (const Member& member : block.members)
        checker.check(member);
}

} // namespace croupier::engine
