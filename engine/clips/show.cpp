// Values, facts, agenda and matches as CLIPS prints them.
#include "engine/clips/function.h"

#include <fmt/format.h>

#include <cstdio>

namespace croupier::engine::clips {

std::string number_text(const Value& value) {
    if (value.type == Type::Integer) return fmt::format("{}", value.as_integer());
    char text[40];
    (void)std::snprintf(text, sizeof text, "%.15g", value.as_real());
    std::string result = text;
    // So that it reads as a float again.
    if (result.find_first_of(".eni") == std::string::npos) result += ".0";
    return result;
}

std::string Session::shown(const Value& value, bool quoted) const {
    switch (value.type) {
    case Type::Void:
        return "";
    case Type::Integer:
    case Type::Float:
        return number_text(value);
    case Type::Symbol:
        return value.text();
    case Type::String:
        return quoted ? '"' + value.text() + '"' : value.text();
    case Type::InstanceName:
        return '[' + value.text() + ']';
    case Type::FactAddress:
        return fmt::format("<Fact-{}>", value.as_fact()->index);
    case Type::Multifield: {
        std::string text = "(";
        for (const Value& one : value.fields()) {
            if (text.size() > 1) text += ' ';
            text += shown(one, true);
        }
        return text + ')';
    }
    }
    return "";
}

std::string Session::shown_fact(const Fact& fact) const {
    std::string text = '(' + fact.of->name->text;
    for (std::size_t i = 0; i < fact.of->slots.size(); ++i) {
        const Slot& slot = fact.of->slots[i];
        const Value& value = fact.slots()[i];
        if (!fact.of->implied) text += " (" + slot.name->text;
        if (slot.multi) {
            for (const Value& one : value.fields())
                text += ' ' + shown(one, true);
        } else {
            text += ' ' + shown(value, true);
        }
        if (!fact.of->implied) text += ')';
    }
    return text + ')';
}

std::string Session::shown_basis(const Match& match) const {
    std::string text;
    for (std::size_t i = 0; i < match.count; ++i) {
        if (i > 0) text += ',';
        const Fact* fact = match.binds()[i].fact;
        text += fact == nullptr ? "*" : fmt::format("f-{}", fact->index);
    }
    return text;
}

std::string Session::describe(Agenda::Handle handle) const {
    const auto* match =
        reinterpret_cast<const Match*>(static_cast<std::uintptr_t>(agenda_.payload(handle)));
    return match->owner->rule->name->text + ": " + shown_basis(*match);
}

std::vector<const Fact*> Session::basis(Agenda::Handle handle) const {
    const auto* match =
        reinterpret_cast<const Match*>(static_cast<std::uintptr_t>(agenda_.payload(handle)));
    std::vector<const Fact*> facts;
    for (std::size_t i = 0; i < match->count; ++i) {
        if (match->binds()[i].fact != nullptr) facts.push_back(match->binds()[i].fact);
    }
    return facts;
}

void Session::show_facts(std::int64_t from, std::int64_t to, std::int64_t most) {
    std::int64_t count = 0;
    for (const Fact* fact = network_.facts().first; fact != nullptr && count != most;
         fact = fact->next) {
        if (fact->index < from || (to >= 0 && fact->index > to)) continue;
        print(fmt::format("f-{:<5} {}\n", fact->index, shown_fact(*fact)));
        ++count;
    }
    if (count > 0) print(fmt::format("For a total of {} fact{}.\n", count, count == 1 ? "" : "s"));
}

void Session::show_agenda(std::string_view indent) {
    listed_.clear();
    agenda_.list(listed_);
    for (const Agenda::Handle handle : listed_) {
        const auto* match =
            reinterpret_cast<const Match*>(static_cast<std::uintptr_t>(agenda_.payload(handle)));
        print(fmt::format("{}{:<6} {}: {}\n", indent, agenda_.entry(handle).salience,
                          match->owner->rule->name->text, shown_basis(*match)));
    }
    if (!listed_.empty())
        print(fmt::format("For a total of {} activation{}.\n", listed_.size(),
                          listed_.size() == 1 ? "" : "s"));
}

void Session::show_matches(std::string_view name) {
    bool found = false;
    for (Rule& rule : defined_.rules) {
        if (rule.last == nullptr || rule.name->text != name) continue;
        found = true;
        std::vector<const Join*> joins;
        for (const Join* at = rule.last->left; at != nullptr; at = at->left)
            joins.insert(joins.begin(), at);
        int number = 0;
        for (const Join* join : joins) {
            ++number;
            if (join->node == nullptr) continue;
            print(fmt::format("Matches for Pattern {}\n", number));
            bool any = false;
            Network::each_right(*join, [&](const Match& match) {
                print(shown_basis(match) + "\n");
                any = true;
            });
            if (!any) print(" None\n");
        }
        for (std::size_t i = 1; i < joins.size(); ++i) {
            print(fmt::format("Partial matches for CEs 1 - {}\n", i + 1));
            bool any = false;
            // What left the join is in the memories of those after it.
            const Link& after = joins[i]->links.front();
            const auto visit = [&](const Match& match) {
                print(shown_basis(match) + "\n");
                any = true;
            };
            if (after.right)
                Network::each_right(*after.join, visit);
            else
                Network::each_left(*after.join, visit);
            if (!any) print(" None\n");
        }
    }
    if (!found) {
        unable(*this, "defrule", name);
        return;
    }
    // Of all alternatives together, in the order of the agenda.
    print("Activations\n");
    bool any = false;
    listed_.clear();
    agenda_.list(listed_);
    for (const Agenda::Handle handle : listed_) {
        const auto* match =
            reinterpret_cast<const Match*>(static_cast<std::uintptr_t>(agenda_.payload(handle)));
        if (match->owner->rule->name->text != name) continue;
        print(shown_basis(*match) + "\n");
        any = true;
    }
    if (!any) print(" None\n");
}

} // namespace croupier::engine::clips
