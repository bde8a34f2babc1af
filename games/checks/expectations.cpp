// Compares part by part; where a value differs says what would be right.
#include "games/checks/expectations.h"

#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::games {
namespace {

using engine::Document;
using engine::DocumentKind;
using engine::Member;
using Names = std::vector<std::string>;

std::string one_line(const Document* document) {
    return document == nullptr ? "nothing" : engine::write_json(*document, -1);
}

bool same_value(const engine::Scalar& one, const engine::Scalar& other) {
    const auto number = [](const engine::Scalar& scalar) -> std::optional<double> {
        if (const auto* integer = std::get_if<std::int64_t>(&scalar))
            return static_cast<double>(*integer);
        const auto* real = std::get_if<double>(&scalar);
        return real != nullptr ? std::optional(*real) : std::nullopt;
    };
    const auto a = number(one);
    const auto b = number(other);
    return a && b ? *a == *b : one == other;
}

class Comparison {
  public:
    explicit Comparison(std::vector<TestFailure>& failures) : failures_(failures) {}

    // `found` null: the node is not there.
    void node(const std::string& path, const Document& expected, const Document* found) {
        if (expected.is_string() && expected.text() == "@absent") {
            if (found != nullptr) fail(expected.span, path, one_line(found), "nothing");
            return;
        }
        if (found == nullptr) return fail(expected.span, path, "nothing", one_line(&expected));
        if (expected.is_string() && expected.text() == "@any") return;
        if (expected.is_object())
            children(path, expected, *found);
        else if (expected.is_array())
            list(path, expected, *found);
        else if (found->kind != DocumentKind::Scalar || !same_value(expected.scalar, found->scalar))
            fail(expected.span, path, one_line(found), one_line(&expected), one_line(found));
    }

    void fail(engine::Span span, std::string what, std::string found, std::string expected,
              std::optional<std::string> update = std::nullopt) {
        failures_.push_back(
            {span, std::move(what), std::move(found), std::move(expected), std::move(update)});
    }

  private:
    void children(const std::string& path, const Document& expected, const Document& found) {
        if (found.kind == DocumentKind::Scalar)
            return fail(expected.span, path, one_line(&found), one_line(&expected));
        for (std::size_t i = 0; i < expected.members.size(); ++i) {
            const Member& child = expected.members[i];
            node(path + "." + child.key, child.value, child_of(found, child.key));
        }
    }

    // Of a list the child by its number.
    static const Document* child_of(const Document& node, const std::string& key) {
        if (node.is_array()) {
            for (std::size_t i = 0; i < node.members.size(); ++i) {
                if (std::to_string(i) == key) return &node.members[i].value;
            }
            return nullptr;
        }
        const Member* member = node.find(key);
        return member == nullptr ? nullptr : &member->value;
    }

    // A list of texts is what a set holds, whatever the order; else a list as it stands.
    void list(const std::string& path, const Document& expected, const Document& found) {
        if (found.is_object()) {
            Names keys;
            Names wanted;
            for (const Member& child : found.members)
                keys.push_back(child.key);
            for (const Member& child : expected.members)
                wanted.push_back(child.value.is_string() ? child.value.text()
                                                         : one_line(&child.value));
            Names sorted = keys;
            std::sort(sorted.begin(), sorted.end());
            std::sort(wanted.begin(), wanted.end());
            if (sorted != wanted)
                fail(expected.span, path, names_json(keys), one_line(&expected), names_json(keys));
        } else if (one_line(&found) != one_line(&expected)) {
            fail(expected.span, path, one_line(&found), one_line(&expected), one_line(&found));
        }
    }

    std::vector<TestFailure>& failures_;
};

class Expectations {
  public:
    Expectations(const Position& position, std::vector<TestFailure>& failures)
        : position_(position), facts_(position.game().facts()), compare_(failures) {}

    void hold(const Member& part) {
        const Document& expected = part.value;
        if (part.key == "turn") {
            text(part,
                 position_.ending() == Ending::None ? facts_.players[position_.turn()] : "nobody");
        } else if (part.key == "ending") {
            const std::string_view name = name_of(position_.ending());
            text(part, name.empty() ? "none" : std::string(name));
        } else if (part.key == "moves") {
            moves(expected);
        } else if (part.key == "state") {
            const Document state = position_.state();
            compare_.node("state", expected, &state);
        } else if (part.key == "sees") {
            sees(expected);
        } else if (part.key == "refused") {
            compare_.fail(expected.span, "refused", "the state is accepted",
                          engine::write_json(expected, -1));
        } else {
            of_players(part);
        }
    }

  private:
    void text(const Member& part, const std::string& found) {
        if (part.value.text() != found)
            compare_.fail(part.value.span, part.key, engine::quoted_json(found),
                          engine::quoted_json(part.value.text()), engine::quoted_json(found));
    }

    static Names names_of(const Document* list) {
        Names names;
        if (list == nullptr) return names;
        for (const Member& name : list->members)
            names.push_back(name.value.text());
        return names;
    }
    static Names without(const Names& names, const Names& others) {
        Names left;
        for (const std::string& name : names) {
            if (std::find(others.begin(), others.end(), name) == others.end()) left.push_back(name);
        }
        return left;
    }

    void moves(const Document& expected) {
        const Names legal = legal_names(position_);
        if (expected.is_array()) {
            const Names wanted = names_of(&expected);
            const Names missing = without(wanted, legal);
            const Names more = without(legal, wanted);
            if (missing.empty() && more.empty()) return;
            std::string found;
            if (!more.empty()) found = joined_names(more) + " besides";
            if (!missing.empty())
                found += (found.empty() ? "" : "; ") + ("not " + joined_names(missing));
            return compare_.fail(expected.span, "moves", found, joined_names(wanted),
                                 names_json(legal));
        }
        const Member* includes = expected.find("includes");
        const Member* excludes = expected.find("excludes");
        const Names missing =
            includes == nullptr ? Names() : without(names_of(&includes->value), legal);
        if (!missing.empty())
            compare_.fail(includes->value.span, "moves.includes", joined_names(legal),
                          joined_names(missing));
        for (const std::string& name : excludes == nullptr ? Names() : names_of(&excludes->value)) {
            if (std::find(legal.begin(), legal.end(), name) != legal.end())
                compare_.fail(excludes->value.span, "moves.excludes", name + " is legal",
                              "not " + name);
        }
    }

    [[nodiscard]] std::optional<Seat> seat_of(const Member& player) {
        const auto seat = facts_.seat(player.key);
        if (!seat)
            compare_.fail(player.key_span, player.key, "there is no such player",
                          joined_names(facts_.players));
        return seat;
    }

    void sees(const Document& expected) {
        const auto view = position_.game().new_position();
        for (const Member& player : expected.members) {
            const auto seat = seat_of(player);
            if (!seat) continue;
            view->view_from(position_, *seat);
            const Document state = view->state();
            compare_.node("sees." + player.key, player.value, &state);
        }
    }

    // scores, places, roles
    void of_players(const Member& part) {
        for (const Member& player : part.value.members) {
            const auto seat = seat_of(player);
            if (!seat) continue;
            Document found;
            if (part.key == "roles")
                found.scalar = position_.role(*seat);
            else if (part.key == "places")
                found.scalar = static_cast<std::int64_t>(position_.place(*seat));
            else
                found.scalar = position_.score(*seat);
            const double number = part.key == "scores" ? position_.score(*seat) : 0.5;
            if (number == static_cast<double>(static_cast<std::int64_t>(number)))
                found.scalar = static_cast<std::int64_t>(number);
            compare_.node(part.key + "." + player.key, player.value, &found);
        }
    }

    const Position& position_;
    const Facts& facts_;
    Comparison compare_;
};

} // namespace

std::vector<std::string> legal_names(const Position& position) {
    Names names;
    for (std::size_t i = 0; i < position.move_count(); ++i)
        names.emplace_back(position.text(position.move(i)));
    return names;
}

std::string joined_names(const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string names_json(const std::vector<std::string>& names) {
    std::string text = "[";
    for (const std::string& name : names)
        text += (text.size() == 1 ? "" : ", ") + engine::quoted_json(name);
    return text + "]";
}

void hold_against(const engine::Document& expected, const Position& position,
                  std::vector<TestFailure>& failures) {
    Expectations expectations(position, failures);
    for (const Member& part : expected.members)
        expectations.hold(part);
}

} // namespace croupier::games
