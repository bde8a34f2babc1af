// Shapes: leaves, records and maps.
#include "engine/lang/type_parser.h"

#include "engine/lang/lexer.h"
#include "engine/lang/path_parser.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace croupier::engine {
namespace {

// The leaves that a word names.
constexpr ShapeKind kLeaves[] = {ShapeKind::Int,  ShapeKind::Double, ShapeKind::Number,
                                 ShapeKind::Bool, ShapeKind::String, ShapeKind::Any};

std::optional<std::int64_t> parse_integer(std::string_view text) {
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

class ShapeParser {
  public:
    ShapeParser(Reading& reading, std::vector<Domain>& types) : reading_(reading), types_(types) {
        for (const Domain& domain : types)
            names_.insert(domain.name);
    }

    Shape parse(const Document& document) {
        Shape shape;
        shape.span = document.span;
        if (document.is_object()) {
            read_object(document, shape);
        } else if (document.is_array()) {
            read_enumeration(document, shape);
        } else if (document.is_string()) {
            read_name(document, shape);
        } else if (document.scalar == Scalar(true)) {
            shape.kind = ShapeKind::Unit;
        } else {
            reading_.error(code::kShapeForm, document.span,
                           "a shape is a type, true, a list of values or an object, found " +
                               std::string(kind_name(document)));
        }
        return shape;
    }

  private:
    void read_name(const Document& document, Shape& shape) {
        const std::string& text = document.text();
        for (const ShapeKind leaf : kLeaves) {
            if (name_of(leaf) != text) continue;
            shape.kind = leaf;
            return;
        }
        const std::size_t dots = text.find("..");
        if (dots != std::string::npos) return read_range(document, dots, shape);
        shape.kind = ShapeKind::Member;
        shape.domain = text;
        if (!names_.contains(text)) unknown(text, document.span, shape);
    }

    void read_range(const Document& document, std::size_t dots, Shape& shape) {
        const std::string_view text = document.text();
        const auto low = parse_integer(text.substr(0, dots));
        const auto high = parse_integer(text.substr(dots + 2));
        if (!low || !high || *low > *high) {
            reading_.error(code::kShapeForm, document.span,
                           "a range is two integers, the smaller first, as in \"0..10\"");
            return;
        }
        shape.kind = ShapeKind::Int;
        shape.low = *low;
        shape.high = *high;
    }

    void read_enumeration(const Document& document, Shape& shape) {
        Domain domain;
        domain.span = document.span;
        domain.anonymous = true;
        for (const Member& element : document.members) {
            if (!element.value.is_string()) {
                reading_.error(code::kShapeForm, element.value.span,
                               "the values that a leaf may hold are listed as texts, found " +
                                   std::string(kind_name(element.value)),
                               "for numbers write a range, as in \"0..10\"");
                return;
            }
            const std::string& text = element.value.text();
            if (std::find(domain.members.begin(), domain.members.end(), text) !=
                domain.members.end()) {
                reading_.error(code::kDuplicateMember, element.value.span,
                               "\"" + text + "\" is listed twice");
                continue;
            }
            domain.members.push_back(text);
            domain.name += (domain.name.empty() ? "" : "|") + text;
        }
        if (domain.members.empty() || domain.members.size() > kMaxDomain) {
            reading_.error(code::kDomainSize, document.span,
                           "a list of values has 1 to " + std::to_string(kMaxDomain));
            return;
        }
        if (domain.members.size() == 1) domain.name += '|'; // never the name of a domain
        shape.kind = ShapeKind::Member;
        shape.domain = domain.name;
        if (names_.insert(domain.name).second) types_.push_back(std::move(domain));
    }

    void read_object(const Document& document, Shape& shape) {
        if (document.members.empty()) {
            reading_.error(code::kShapeForm, document.span, "an empty shape declares nothing",
                           "write \"any\" for a node that may hold anything, or name its fields");
            return;
        }
        for (const Member& member : document.members) {
            const Quoted string = reading_.quoted_key(member);
            ParsedKey key;
            try {
                key = parse_shape_key(string);
            } catch (const Mistake& mistake) {
                reading_.error(code::kShapeForm, string.span(mistake.begin, mistake.end),
                               mistake.what(), mistake.hint);
                continue;
            }
            if (key.form == KeyForm::Variable) {
                if (document.members.size() > 1) {
                    reading_.error(code::kShapeForm, member.key_span,
                                   "a node has either named fields or children of one kind",
                                   "give the children a node of their own");
                    return;
                }
                read_map(key, member, shape);
                return;
            }
            shape.kind = ShapeKind::Record;
            shape.fields.emplace_back(key.key.parts[0].text, parse(member.value));
        }
    }

    // `$`, `$:Domain`, `$:int`, or a name with its special characters doubled.
    ParsedKey parse_shape_key(const Quoted& string) {
        const std::string_view text = string.text();
        ParsedKey key;
        if (text.starts_with("$") && !text.starts_with("$$")) {
            key.form = KeyForm::Variable;
            if (text.size() == 1) return key;
            if (text[1] != ':' || text.size() == 2) {
                throw Mistake(code::kShapeForm, 0, text.size(), "unknown form of a map's key",
                              "write \"$:Domain\", \"$:int\" or \"$\"");
            }
            key.type = {std::string(text.substr(2)), string.span(2, text.size())};
            return key;
        }
        key.key = parse_template(string, 0, text.size());
        if (!key.key.is_name()) {
            throw Mistake(code::kShapeForm, 0, text.size(), "a shape has no variables",
                          "write \"$:Domain\", \"$:int\" or \"$\" for children of one kind");
        }
        return key;
    }

    void read_map(const ParsedKey& key, const Member& member, Shape& shape) {
        shape.kind = ShapeKind::Map;
        const std::string& type = key.type.name;
        if (type == "int" || type == "string") {
            shape.key_type = type;
        } else if (!type.empty()) {
            shape.domain = type;
            if (!names_.contains(type)) unknown(type, key.type.span, shape);
        }
        shape.fields.emplace_back(std::string{}, parse(member.value));
    }

    void unknown(const std::string& name, Span span, Shape& shape) {
        Words known = builtin_types();
        for (const Domain& domain : types_)
            known.push_back(domain.name);
        reading_.error(code::kUnknownType, span, "there is no type \"" + name + "\"",
                       reading_.did_you_mean(name, known));
        shape.domain.clear();
        if (shape.kind == ShapeKind::Member) shape.kind = ShapeKind::Any;
    }

    Reading& reading_;
    std::vector<Domain>& types_;
    std::set<std::string> names_; // of all types so far
};

} // namespace

Shape parse_shape(Reading& reading, const Document& shape, std::vector<Domain>& types) {
    return ShapeParser(reading, types).parse(shape);
}

} // namespace croupier::engine
