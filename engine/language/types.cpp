// Reads types and shapes: lists, numbers, grids, unions and joined names.
#include "engine/language/types.h"

#include "engine/language/expression_parser.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace croupier::engine {

namespace {

// a, b, .. z, aa, ab, ..
std::string column_letters(std::uint32_t column) {
    std::string letters;
    for (std::uint64_t rest = column + std::uint64_t{1}; rest > 0; rest = (rest - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('a' + (rest - 1) % 26));
    return letters;
}

constexpr std::size_t kMaxRay = 1'000'000; // entries; larger relations took gigabytes to compile

// The number of entries of the relation `ray`.
std::size_t ray_entries(const Grid& grid) {
    std::size_t all = 0;
    for (const Direction& direction : kDirections) {
        if (!lead(grid.ray, direction)) continue;
        const bool across = direction.across != 0;
        const bool up = direction.up != 0;
        const std::size_t columns = grid.columns;
        const std::size_t rows = grid.rows;
        if (grid.wrap) { // each ray ends before the cell where it began
            const std::size_t round = across && up ? std::lcm(columns, rows)
                                      : across     ? columns
                                                   : rows;
            all += columns * rows * (round - 1);
            continue;
        }
        // Adds the number of cells that have another one `steps` steps away.
        for (std::size_t steps = 1; (!across || steps < columns) && (!up || steps < rows); ++steps)
            all += (columns - (across ? steps : 0)) * (rows - (up ? steps : 0));
    }
    return all;
}

class TypesParser {
  public:
    TypesParser(Reading& reading, const Document& types) : reading_(reading), types_(types) {}

    std::vector<Domain> parse() {
        for (const Member& member : types_.members) {
            if (!check_name(member)) continue;
            names_.push_back(member.key);
            known_.insert(member.key);
        }
        for (const Member& member : types_.members)
            if (known_.contains(member.key)) resolve(member);
        std::vector<Domain> result;
        for (const std::string& name : names_)
            result.push_back(std::move(done_[name]));
        return result;
    }

  private:
    bool check_name(const Member& member) {
        if (contains(builtin_types(), member.key)) {
            reading_.error(code::kTypeForm, member.key_span,
                           member.key + " is a type already; a domain needs another name");
            return false;
        }
        if (end_of_name(member.key, 0) == member.key.size() && !member.key.empty()) return true;
        reading_.error(code::kTypeForm, member.key_span,
                       "the name of a domain is made of letters, digits and _");
        return false;
    }

    // Unions may need domains that come later.
    const Domain* resolve(const Member& member) {
        const auto known = done_.find(member.key);
        if (known != done_.end()) return &known->second;
        open_.push_back(member.key);
        Domain domain;
        domain.name = member.key;
        domain.span = member.value.span;
        read(member.value, domain);
        open_.pop_back();
        return &(done_[member.key] = std::move(domain));
    }

    void read(const Document& value, Domain& domain) {
        if (value.is_array()) {
            read_list(value, domain);
        } else if (const auto* count = value.get<std::int64_t>()) {
            read_number(value, *count, domain);
        } else if (reading_.expect_object(code::kTypeForm, value,
                                          "a domain is a list of members, a number or an object")) {
            read_object(value, domain);
        }
    }

    void read_list(const Document& list, Domain& domain) {
        for (const Member& element : list.members) {
            if (!element.value.is_string()) {
                reading_.expected(code::kTypeForm, element.value,
                                  "the members of a domain are texts",
                                  "put it in quotes; the numbers 0 to n-1 are written as n alone");
                continue;
            }
            add(element.value.text(), element.value.span, domain);
        }
        check_size(list, domain);
    }

    void add(const std::string& member, Span span, Domain& domain) {
        if (!seen_[domain.name].insert(member).second) {
            reading_.error(
                code::kDuplicateMember, span,
                fmt::format("the domain {} has the member \"{}\" already", domain.name, member));
            return;
        }
        domain.members.push_back(member);
    }

    void check_size(const Document& list, const Domain& domain) {
        if (list.members.empty() || domain.members.size() > kMaxDomain)
            wrong_size(list.span, "this one", domain.members.size());
    }

    template <typename Count>
    void wrong_size(Span span, std::string_view what, Count found) {
        reading_.error(code::kDomainSize, span,
                       fmt::format("a domain has 1 to {} members, {} {}", kMaxDomain, what, found));
    }

    void read_number(const Document& value, std::int64_t count, Domain& domain) {
        if (count < 1 || count > static_cast<std::int64_t>(kMaxDomain))
            return wrong_size(value.span, "this one", count);
        domain.numbered = true;
        for (std::int64_t i = 0; i < count; ++i)
            domain.members.push_back(std::to_string(i));
    }

    void read_object(const Document& value, Domain& domain) {
        const Words known = {"members", "grid", "union", "order", "near", "step", "ray", "wrap"};
        const Member* members = nullptr;
        for (const Member& member : value.members) {
            if (!contains(known, member.key)) {
                reading_.error(
                    code::kTypeForm, member.key_span, "a domain has no key \"" + member.key + "\"",
                    reading_.did_you_mean(member.key, known,
                                          "the keys of a domain are " + list_words(known)));
            } else if (member.key == "members" || member.key == "grid" || member.key == "union") {
                if (members != nullptr) {
                    reading_.error(code::kTypeForm, member.key_span,
                                   "a domain has members, grid or union, only one of them");
                }
                members = &member;
            }
        }
        if (members == nullptr) {
            reading_.error(code::kTypeForm, value.span, "a domain needs members, grid or union");
            return;
        }
        if (members->key == "grid")
            read_grid(value, members->value, domain);
        else if (members->key == "union")
            read_union(members->value, domain);
        else
            read(members->value, domain);
        read_order(value, domain);
        if (members->key == "grid") return;
        for (const std::string_view key : {"near", "step", "ray", "wrap"}) {
            if (const Member* member = value.find(key)) {
                reading_.error(code::kTypeForm, member->key_span,
                               member->key + " belongs to a grid");
            }
        }
    }

    void read_order(const Document& value, Domain& domain) {
        const Member* order = value.find("order");
        if (order == nullptr) return;
        const Scalar& scalar = order->value.scalar;
        if (scalar == Scalar(true) || scalar == Scalar(std::string("linear"))) {
            domain.order = Domain::Order::Linear;
        } else if (scalar == Scalar(std::string("cyclic"))) {
            domain.order = Domain::Order::Cyclic;
        } else if (scalar != Scalar(false)) {
            reading_.error(code::kTypeForm, order->value.span,
                           "order is \"linear\" (or true) or \"cyclic\"");
        }
    }

    void read_grid(const Document& value, const Document& size, Domain& domain) {
        const bool pair = size.is_array() && size.members.size() == 2;
        const auto* columns = pair ? size.members[0].value.get<std::int64_t>() : nullptr;
        const auto* rows = pair ? size.members[1].value.get<std::int64_t>() : nullptr;
        const auto most = static_cast<std::int64_t>(kMaxDomain);
        if (columns == nullptr || rows == nullptr) {
            reading_.error(code::kTypeForm, size.span, "grid takes [columns, rows]");
            return;
        }
        if (*columns < 1 || *rows < 1 || *columns > most || *rows > most ||
            *columns * *rows > most) {
            reading_.error(code::kDomainSize, size.span,
                           "a grid has 1 to " + std::to_string(kMaxDomain) + " cells");
            return;
        }
        Grid grid;
        grid.columns = static_cast<std::uint32_t>(*columns);
        grid.rows = static_cast<std::uint32_t>(*rows);
        // Row by row: a1, b1, .. a2, b2, ..
        for (std::uint32_t row = 1; row <= grid.rows; ++row)
            for (std::uint32_t column = 0; column < grid.columns; ++column)
                domain.members.push_back(column_letters(column) + std::to_string(row));
        read_relations(value, grid);
        domain.grid = grid;
    }

    void read_relations(const Document& value, Grid& grid) {
        for (const GridRelation& relation : kGridRelations) {
            const Member* given = value.find(relation.name);
            if (given == nullptr) continue;
            const auto ways =
                given->value.is_string() ? ways_of(given->value.text()) : std::nullopt;
            if (ways) {
                grid.*relation.ways = *ways;
            } else {
                reading_.error(code::kTypeForm, given->value.span,
                               std::string(relation.name) +
                                   " is \"king\" (8 directions), \"rook\" (4), \"bishop\" (the 4 "
                                   "diagonals) or \"hex\" (6)");
            }
        }
        if (const Member* wrap = value.find("wrap")) {
            if (const bool* const flag = wrap->value.get<bool>())
                grid.wrap = *flag;
            else
                reading_.error(code::kTypeForm, wrap->value.span, "wrap is true or false");
        }
        if (const std::size_t steps = ray_entries(grid); steps > kMaxRay) {
            reading_.error(code::kDomainSize, value.find("ray")->value.span,
                           fmt::format("the rays of a grid have {} entries at most, these {}",
                                       kMaxRay, steps));
        }
    }

    void read_union(const Document& list, Domain& domain) {
        if (!list.is_array()) {
            reading_.error(code::kTypeForm, list.span,
                           "union takes a list of members and names of domains");
            return;
        }
        for (const Member& element : list.members) {
            if (!element.value.is_string()) {
                reading_.error(code::kTypeForm, element.value.span,
                               "union takes texts: members and names of domains");
                continue;
            }
            const std::string& text = element.value.text();
            const Span span = element.value.span;
            const bool named = types_.find(text) != nullptr;
            const auto members = named ? members_of(text, span) : joined(text, span);
            for (const std::string& member : members)
                add(member, span, domain);
        }
        check_size(list, domain);
    }

    // The members of another domain. Reports an error and returns none if it would contain this
    // one.
    std::vector<std::string> members_of(const std::string& name, Span span) {
        if (!contains(open_, name)) return resolve(*types_.find(name))->members;
        reading_.error(code::kTypeCycle, span, "the domain " + name + " would contain itself");
        return {};
    }

    // "remove-{Cell}" gives a member for each cell; of several domains the last one varies fastest.
    std::vector<std::string> joined(const std::string& text, Span span) {
        std::vector<std::string> members = {""};
        std::size_t at = 0;
        for (std::size_t brace = text.find('{'); brace != std::string::npos;
             brace = text.find('{', at)) {
            const std::size_t end = std::min(text.find('}', brace), text.size());
            const std::string name = text.substr(brace + 1, end - brace - 1);
            if (end == text.size() || types_.find(name) == nullptr) {
                reading_.error(
                    code::kTypeForm, span, "there is no domain \"" + name + "\" to join",
                    reading_.did_you_mean(name, names_,
                                          "as in \"remove-{Cell}\", a member for each cell"));
                return {};
            }
            const std::vector<std::string> parts = members_of(name, span);
            if (members.size() * parts.size() > kMaxDomain) {
                wrong_size(span, "this part of it alone", members.size() * parts.size());
                return {};
            }
            const std::string before = text.substr(at, brace - at);
            std::vector<std::string> longer;
            for (const std::string& member : members)
                for (const std::string& part : parts)
                    longer.push_back(member + before + part);
            members = std::move(longer);
            at = end + 1;
        }
        for (std::string& member : members)
            member += text.substr(at);
        return members;
    }

    Reading& reading_;
    const Document& types_;
    Words names_;                 // in the order of the file
    std::set<std::string> known_; // the same names
    Words open_;                  // domains being read, outermost first
    std::map<std::string, Domain> done_;
    std::map<std::string, std::set<std::string>> seen_;
};

// Shapes: leaves, records and maps.

// The kinds of leaf that have a word.
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
            reading_.expected(code::kShapeForm, document,
                              "a shape is a type, true, a list of values or an object");
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
        if (!names_.contains(text)) unknown({text, document.span}, shape);
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
                reading_.expected(code::kShapeForm, element.value,
                                  "the values that a leaf may hold are listed as texts",
                                  "for numbers write a range, as in \"0..10\"");
                return;
            }
            const std::string& text = element.value.text();
            if (contains(domain.members, text)) {
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
        if (domain.members.size() == 1) domain.name += '|'; // never a declared name
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
            } catch (const SyntaxError& mistake) {
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
            shape.fields.push_back({key.key.parts[0].text, parse(member.value)});
        }
    }

    // Parses `$`, `$:Domain`, `$:int`, or a name with its special characters doubled.
    ParsedKey parse_shape_key(const Quoted& string) {
        const std::string_view text = string.text();
        ParsedKey key;
        if (text.starts_with("$") && !text.starts_with("$$")) {
            key.form = KeyForm::Variable;
            if (text.size() == 1) return key;
            if (text[1] != ':' || text.size() == 2) {
                throw SyntaxError(code::kShapeForm, 0, text.size(), "unknown form of a map's key",
                                  "write \"$:Domain\", \"$:int\" or \"$\"");
            }
            key.type = {std::string(text.substr(2)), string.span(2, text.size())};
            return key;
        }
        key.key = parse_template(string, 0, text.size());
        if (!key.key.is_name()) {
            throw SyntaxError(code::kShapeForm, 0, text.size(), "a shape has no variables",
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
            if (!names_.contains(type)) unknown(key.type, shape);
        }
        shape.fields.push_back({{}, parse(member.value)});
    }

    void unknown(const TypeName& type, Shape& shape) {
        report_unknown_type(reading_, type, types_);
        shape.domain.clear();
        if (shape.kind == ShapeKind::Member) shape.kind = ShapeKind::Any;
    }

    Reading& reading_;
    std::vector<Domain>& types_;
    std::set<std::string> names_; // of all types so far
};

// Checks values and types against shapes: LANGUAGE.md sections 3 and 5.

// The integer that equals the number, or nullopt.
std::optional<std::int64_t> as_integer(const Scalar& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr || std::trunc(*number) != *number) return std::nullopt;
    if (!(*number >= -0x1p63 && *number < 0x1p63)) return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

bool is_number(const Scalar& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

bool in_domain(const Domain& domain, const Scalar& value) {
    if (domain.numbered) {
        const auto number = as_integer(value);
        return number && *number >= 0 && *number < static_cast<std::int64_t>(domain.members.size());
    }
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr && contains(domain.members, *text);
}

// The least and greatest integer of a leaf that holds integers.
struct Range {
    std::int64_t low;
    std::int64_t high;
};

std::optional<Range> range_of(const Ruleset& ruleset, const Shape& shape) {
    if (shape.kind == ShapeKind::Int) return Range{shape.low, shape.high};
    if (shape.kind != ShapeKind::Member) return std::nullopt;
    const Domain* domain = ruleset.domain(shape.domain);
    if (domain == nullptr || !domain->numbered) return std::nullopt;
    return Range{0, static_cast<std::int64_t>(domain->members.size()) - 1};
}

bool holds_text(const Ruleset& ruleset, const Shape& shape) {
    if (shape.kind == ShapeKind::String) return true;
    const Domain* domain = shape.kind == ShapeKind::Member ? ruleset.domain(shape.domain) : nullptr;
    return domain != nullptr && !domain->numbered;
}

bool share_member(const Domain& a, const Domain& b) {
    return std::ranges::any_of(
        a.members, [&](const std::string& member) { return contains(b.members, member); });
}

} // namespace

const Words& builtin_types() {
    static const Words kTypes = {"int", "double", "number", "string", "bool", "null", "any"};
    return kTypes;
}

void report_unknown_type(Reading& reading, const TypeName& type, std::span<const Domain> types) {
    Words known = builtin_types();
    for (const Domain& domain : types)
        known.push_back(domain.name);
    reading.error(code::kUnknownType, type.span, "there is no type \"" + type.name + "\"",
                  reading.did_you_mean(type.name, known));
}

std::vector<Domain> parse_types(Reading& reading, const Document& types) {
    if (!reading.expect_object(code::kTypeForm, types, "types takes an object of domains"))
        return {};
    return TypesParser(reading, types).parse();
}

Shape parse_shape(Reading& reading, const Document& shape, std::vector<Domain>& types) {
    return ShapeParser(reading, types).parse(shape);
}

bool equal_scalars(const Scalar& a, const Scalar& b) {
    if (!is_number(a) || !is_number(b)) return a == b;
    const auto left = as_integer(a);
    const auto right = as_integer(b);
    if (left || right) return left == right;
    return std::get<double>(a) == std::get<double>(b);
}

bool can_hold(const Ruleset& ruleset, const Shape& shape, const Scalar& value) {
    switch (shape.kind) {
    case ShapeKind::Any:
        return true;
    case ShapeKind::Unit:
        return value == Scalar(true);
    case ShapeKind::Int: {
        const auto number = as_integer(value);
        return number && *number >= shape.low && *number <= shape.high;
    }
    case ShapeKind::Double:
    case ShapeKind::Number:
        return is_number(value);
    case ShapeKind::Bool:
        return std::holds_alternative<bool>(value);
    case ShapeKind::String:
        return std::holds_alternative<std::string>(value);
    case ShapeKind::Member: {
        const Domain* domain = ruleset.domain(shape.domain);
        return domain == nullptr || in_domain(*domain, value);
    }
    case ShapeKind::Record:
    case ShapeKind::Map:
        break;
    }
    return false;
}

bool can_store(const Ruleset& ruleset, const Shape& shape, const Scalar& value) {
    if (!can_hold(ruleset, shape, value)) return false;
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (shape.kind == ShapeKind::Double)
        return integer == nullptr || as_integer(static_cast<double>(*integer)) == *integer;
    return integer != nullptr || !range_of(ruleset, shape);
}

bool can_compare(const Ruleset& ruleset, const Shape& shape, ExprOp compare, const Scalar& value) {
    if (shape.kind == ShapeKind::Any) return true;
    if (compare == ExprOp::NotEqual)
        return shape.kind != ShapeKind::Record && shape.kind != ShapeKind::Map;
    if (compare == ExprOp::Equal) return can_hold(ruleset, shape, value);
    if (std::holds_alternative<std::string>(value)) return holds_text(ruleset, shape);
    if (!is_number(value)) return false;
    if (shape.kind == ShapeKind::Double || shape.kind == ShapeKind::Number) return true;
    const auto range = range_of(ruleset, shape);
    const auto integer = as_integer(value);
    const bool below = compare == ExprOp::Less || compare == ExprOp::LessEqual;
    return range &&
           (!integer || compare_integers(compare, below ? range->low : range->high, *integer));
}

bool value_can_be(const Ruleset& ruleset, const Shape& shape, std::string_view type) {
    if (type.empty() || type == "any" || shape.kind == ShapeKind::Any)
        return shape.kind != ShapeKind::Record && shape.kind != ShapeKind::Map;
    const bool integers = range_of(ruleset, shape).has_value();
    if (const Domain* domain = ruleset.domain(type)) {
        if (shape.kind == ShapeKind::Member) {
            const Domain* held = ruleset.domain(shape.domain);
            return held == nullptr || share_member(*domain, *held);
        }
        if (domain->numbered) return integers || shape.kind == ShapeKind::Number;
        return shape.kind == ShapeKind::String;
    }
    if (type == "int") return integers || shape.kind == ShapeKind::Number;
    if (type == "double") return shape.kind == ShapeKind::Double || shape.kind == ShapeKind::Number;
    if (type == "number")
        return integers || shape.kind == ShapeKind::Double || shape.kind == ShapeKind::Number;
    if (type == "string") return holds_text(ruleset, shape);
    if (type == "bool") return shape.kind == ShapeKind::Bool || shape.kind == ShapeKind::Unit;
    return false; // null: no declared leaf can hold it
}

bool key_can_be(const Ruleset& ruleset, const Shape& parent, std::string_view type) {
    const Domain* wanted = ruleset.domain(type);
    const bool integer = type == "int" || type == "number";
    const auto fits = [&](std::string_view key) {
        return wanted != nullptr ? contains(wanted->members, key)
                                 : !integer || canonical_integer(key);
    };
    if (parent.kind == ShapeKind::Record)
        return std::ranges::any_of(parent.fields, fits, &Field::name);
    if (parent.kind != ShapeKind::Map) return true;
    if (const Domain* keys = ruleset.domain(parent.domain))
        return std::ranges::any_of(keys->members, fits);
    if (parent.key_type == "int")
        return wanted == nullptr || std::ranges::any_of(wanted->members, [](std::string_view key) {
                   return canonical_integer(key).has_value();
               });
    return true;
}

std::string describe(const Ruleset& ruleset, const Shape& shape) {
    switch (shape.kind) {
    case ShapeKind::Any:
        return "anything";
    case ShapeKind::Unit:
        return "true or nothing";
    case ShapeKind::Int:
        if (shape.low == INT64_MIN && shape.high == INT64_MAX) return "an integer";
        return fmt::format("an integer from {} to {}", shape.low, shape.high);
    case ShapeKind::Double:
        return "a double";
    case ShapeKind::Number:
        return "a number";
    case ShapeKind::Bool:
        return "true or false";
    case ShapeKind::String:
        return "a string";
    case ShapeKind::Member:
        if (const auto range = range_of(ruleset, shape)) {
            return fmt::format("an integer from 0 to {} ({})", range->high, shape.domain);
        }
        return "a member of " + shape.domain;
    case ShapeKind::Record:
    case ShapeKind::Map:
        break;
    }
    return "children, not a value";
}

std::string mend(const Reading& reading, const Ruleset& ruleset, const Shape& shape,
                 const Scalar& value) {
    const auto* text = std::get_if<std::string>(&value);
    const Domain* domain = shape.kind == ShapeKind::Member ? ruleset.domain(shape.domain) : nullptr;
    const auto integer = text != nullptr ? canonical_integer(*text) : std::nullopt;
    if (integer && can_hold(ruleset, shape, *integer)) return "write the number without quotes";
    if (shape.kind == ShapeKind::Double && is_number(value))
        return "no double has exactly this value; write it with a decimal point to have it rounded";
    if (text == nullptr && is_number(value) && domain != nullptr &&
        contains(domain->members, scalar_json(value)))
        return "write it in quotes";
    if (domain == nullptr || domain->numbered || text == nullptr) return {};
    return reading.did_you_mean(*text, domain->members);
}

} // namespace croupier::engine
