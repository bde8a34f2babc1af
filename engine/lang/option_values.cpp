// Options against the block that says what they may be set to.
#include "engine/lang/option_values.h"

#include "engine/lang/fit.h"
#include "engine/lang/type_parser.h"
#include "engine/text/codes.h"

#include <algorithm>
#include <cctype>

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
        wrong(option, "one of " + all, std::move(hint));
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
        if (!fits) wrong(option, describe(declared, shape), {});
    }

    void wrong(const Option& option, const std::string& expected, std::string hint) {
        const std::string found = option.value.kind == Document::Kind::Scalar
                                      ? scalar_json(option.value.scalar)
                                      : std::string(kind_name(option.value));
        reading_.error(code::kOptionValue, option.value.span,
                       "the option " + option.name + " is " + expected + ", not " + found,
                       std::move(hint));
    }

    Reading& reading_;
    const Ruleset& ruleset_;
};

// "options.NAME" in a text, a longer name apart.
bool mentions(std::string_view text, std::string_view name) {
    const std::string wanted = "options." + std::string(name);
    for (std::size_t at = text.find(wanted); at != std::string_view::npos;
         at = text.find(wanted, at + 1)) {
        const std::size_t end = at + wanted.size();
        const bool longer =
            end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                                  text[end] == '_' || text[end] == '-');
        if (!longer) return true;
    }
    return false;
}

bool reads(const Document& document, std::string_view name, bool at_top) {
    if (document.is_string()) return mentions(document.text(), name);
    return std::any_of(document.members.begin(), document.members.end(), [&](const Member& member) {
        const bool tree = !at_top && member.key == "options" && member.value.is_object();
        const auto names = [&](const Member& each) {
            return each.key == name || each.key.starts_with('$');
        };
        return mentions(member.key, name) ||
               (tree &&
                std::any_of(member.value.members.begin(), member.value.members.end(), names)) ||
               reads(member.value, name, false);
    });
}

} // namespace

bool is_read_by_host(std::string_view option) {
    return option == "max_plies" || option == "deck";
}

bool reads_option(const Document& ruleset, std::string_view name) {
    return reads(ruleset, name, true);
}

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
