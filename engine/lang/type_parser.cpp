// Domains: lists, numbers, grids, unions and what these join.
#include "engine/lang/type_parser.h"

#include "engine/lang/lexer.h"

#include <algorithm>
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

std::optional<std::int64_t> integer_of(const Document& document) {
    const auto* value = std::get_if<std::int64_t>(&document.scalar);
    if (document.kind != Document::Kind::Scalar || value == nullptr) return std::nullopt;
    return *value;
}

constexpr std::size_t kMaxRay = 1'000'000; // entries: larger ones took gigabytes to compile

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
        // Adds the number of cells that have another so many steps away.
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
        for (const Member& member : types_.members) {
            if (known_.contains(member.key)) resolve(member);
        }
        std::vector<Domain> result;
        for (const std::string& name : names_)
            result.push_back(std::move(done_[name]));
        return result;
    }

  private:
    bool check_name(const Member& member) {
        const Words& builtin = builtin_types();
        if (std::find(builtin.begin(), builtin.end(), member.key) != builtin.end()) {
            reading_.error(code::kTypeForm, member.key_span,
                           member.key + " is a type already; a domain needs another name");
            return false;
        }
        if (end_of_name(member.key, 0) == member.key.size() && !member.key.empty()) return true;
        reading_.error(code::kTypeForm, member.key_span,
                       "the name of a domain is made of letters, digits and _");
        return false;
    }

    // Unions ask for other domains before their turn.
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
        } else if (integer_of(value)) {
            read_number(value, domain);
        } else if (value.is_object()) {
            read_object(value, domain);
        } else {
            reading_.error(code::kTypeForm, value.span,
                           "a domain is a list of members, a number or an object, found " +
                               std::string(kind_name(value)));
        }
    }

    void read_list(const Document& list, Domain& domain) {
        for (const Member& element : list.members) {
            if (!element.value.is_string()) {
                reading_.error(code::kTypeForm, element.value.span,
                               "the members of a domain are texts, found " +
                                   std::string(kind_name(element.value)),
                               "put it in quotes; the numbers 0 to n-1 are written as n alone");
                continue;
            }
            add(element.value.text(), element.value.span, domain);
        }
        check_size(list, domain);
    }

    void add(const std::string& member, Span span, Domain& domain) {
        if (!seen_[domain.name].insert(member).second) {
            reading_.error(code::kDuplicateMember, span,
                           "the domain " + domain.name + " has the member \"" + member +
                               "\" already");
            return;
        }
        domain.members.push_back(member);
    }

    void check_size(const Document& list, const Domain& domain) {
        if (!list.members.empty() && domain.members.size() <= kMaxDomain) return;
        reading_.error(code::kDomainSize, list.span,
                       "a domain has 1 to " + std::to_string(kMaxDomain) + " members, this one " +
                           std::to_string(domain.members.size()));
    }

    void read_number(const Document& value, Domain& domain) {
        const std::int64_t count = *integer_of(value);
        if (count < 1 || count > static_cast<std::int64_t>(kMaxDomain)) {
            reading_.error(code::kDomainSize, value.span,
                           "a domain has 1 to " + std::to_string(kMaxDomain) +
                               " members, this one " + std::to_string(count));
            return;
        }
        domain.numbered = true;
        for (std::int64_t i = 0; i < count; ++i)
            domain.members.push_back(std::to_string(i));
    }

    void read_object(const Document& value, Domain& domain) {
        const Words known = {"members", "grid", "union", "order", "near", "step", "ray", "wrap"};
        const Member* members = nullptr;
        for (const Member& member : value.members) {
            if (std::find(known.begin(), known.end(), member.key) == known.end()) {
                std::string hint = reading_.did_you_mean(member.key, known);
                if (hint.empty()) hint = "the keys of a domain are " + list_words(known);
                reading_.error(code::kTypeForm, member.key_span,
                               "a domain has no key \"" + member.key + "\"", std::move(hint));
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
        const auto columns = pair ? integer_of(size.members[0].value) : std::nullopt;
        const auto rows = pair ? integer_of(size.members[1].value) : std::nullopt;
        const auto most = static_cast<std::int64_t>(kMaxDomain);
        if (!columns || !rows) {
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
        for (std::uint32_t row = 1; row <= grid.rows; ++row) {
            for (std::uint32_t column = 0; column < grid.columns; ++column)
                domain.members.push_back(column_letters(column) + std::to_string(row));
        }
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
                                   " is \"king\" (8 directions), \"rook\" (4) or \"bishop\" (the 4 "
                                   "diagonals)");
            }
        }
        if (const Member* wrap = value.find("wrap")) {
            const auto* flag = std::get_if<bool>(&wrap->value.scalar);
            if (wrap->value.kind == Document::Kind::Scalar && flag != nullptr) {
                grid.wrap = *flag;
            } else {
                reading_.error(code::kTypeForm, wrap->value.span, "wrap is true or false");
            }
        }
        if (const std::size_t steps = ray_entries(grid); steps > kMaxRay) {
            reading_.error(code::kDomainSize, value.find("ray")->value.span,
                           "the rays of a grid have " + std::to_string(kMaxRay) +
                               " entries at most, these " + std::to_string(steps));
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

    // Of another domain; none, and an error, if that would contain this one.
    std::vector<std::string> members_of(const std::string& name, Span span) {
        if (std::find(open_.begin(), open_.end(), name) == open_.end())
            return resolve(*types_.find(name))->members;
        reading_.error(code::kTypeCycle, span, "the domain " + name + " would contain itself");
        return {};
    }

    // "remove-{Cell}" is a member for each cell; with several domains, the last one changes
    // fastest.
    std::vector<std::string> joined(const std::string& text, Span span) {
        std::vector<std::string> members = {""};
        std::size_t at = 0;
        for (std::size_t brace = text.find('{'); brace != std::string::npos;
             brace = text.find('{', at)) {
            const std::size_t end = std::min(text.find('}', brace), text.size());
            const std::string name = text.substr(brace + 1, end - brace - 1);
            if (end == text.size() || types_.find(name) == nullptr) {
                std::string hint = reading_.did_you_mean(name, names_);
                if (hint.empty()) hint = "as in \"remove-{Cell}\", a member for each cell";
                reading_.error(code::kTypeForm, span, "there is no domain \"" + name + "\" to join",
                               std::move(hint));
                return {};
            }
            const std::vector<std::string> parts = members_of(name, span);
            if (members.size() * parts.size() > kMaxDomain) {
                reading_.error(code::kDomainSize, span,
                               "a domain has 1 to " + std::to_string(kMaxDomain) +
                                   " members, this part of it alone " +
                                   std::to_string(members.size() * parts.size()));
                return {};
            }
            const std::string before = text.substr(at, brace - at);
            std::vector<std::string> longer;
            for (const std::string& member : members) {
                for (const std::string& part : parts)
                    longer.push_back(member + before + part);
            }
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
    std::set<std::string> known_; // the same
    Words open_;                  // domains being read, outermost first
    std::map<std::string, Domain> done_;
    std::map<std::string, std::set<std::string>> seen_;
};

} // namespace

const Words& builtin_types() {
    static const Words kTypes = {"int", "double", "number", "string", "bool", "null", "any"};
    return kTypes;
}

std::vector<Domain> parse_types(Reading& reading, const Document& types) {
    if (!types.is_object()) {
        reading.error(code::kTypeForm, types.span,
                      "types takes an object of domains, found " + std::string(kind_name(types)));
        return {};
    }
    return TypesParser(reading, types).parse();
}

} // namespace croupier::engine
