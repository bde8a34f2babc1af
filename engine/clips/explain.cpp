// Walks a rule's joins to the one that nothing passes, and finds what came nearest.
#include "engine/clips/explain.h"

#include "engine/clips/explain_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace croupier::engine::clips {
namespace {

std::string place_name(const Template& of, const Place& place) {
    if (place.kind == Place::Kind::Address) return "fact";
    std::string slot = of.implied ? "field" : "slot " + of.slots[place.slot].name->text;
    switch (place.kind) {
    case Place::Kind::FromStart:
    case Place::Kind::Miscounted:
        return fmt::format("{} {}", slot, place.index + 1);
    case Place::Kind::FromEnd:
        return fmt::format("{} {} from the end", slot, place.index + 1);
    default:
        return slot;
    }
}

class Explainer {
  public:
    explicit Explainer(Session& session) : session_(session) {}

    std::string explain(Rule& rule) {
        out_.clear();
        if (on_agenda(rule) || fired_already(rule)) return out_;
        const std::vector<Join*> joins = joins_of(rule);
        std::vector<const Match*> left;
        for (std::size_t i = 0; i < joins.size(); ++i) {
            std::vector<const Match*> after;
            const Join& next = i + 1 < joins.size() ? *joins[i + 1] : *rule.last;
            Network::each_left(next, [&](const Match& match) { after.push_back(&match); });
            if (after.empty()) {
                failed_at(rule, *joins[i], i, left);
                return out_;
            }
            left = std::move(after);
        }
        return out_;
    }

  private:
    bool on_agenda(const Rule& rule) {
        std::vector<Agenda::Handle> all;
        session_.agenda().list(all);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto* match = reinterpret_cast<const Match*>(
                static_cast<std::uintptr_t>(session_.agenda().payload(all[i])));
            if (match->owner->rule != &rule) continue;
            const Agenda& agenda = session_.agenda();
            out_ += fmt::format("on the agenda: {} (salience {})\n", session_.describe(all[i]),
                                agenda.entry(all[i]).salience);
            if (session_.limit_reached()) out_ += "  the run ended at its limit\n";
            if (i == 0) {
                out_ += "  it fires next\n";
            } else {
                const int first = agenda.entry(all[0]).salience;
                out_ +=
                    fmt::format("  outranked by {}: {}\n", session_.describe(all[0]),
                                first > agenda.entry(all[i]).salience
                                    ? fmt::format("salience {}", first)
                                    : fmt::format("strategy {}", strategy_name(agenda.strategy())));
            }
            return true;
        }
        return false;
    }

    bool fired_already(const Rule& rule) {
        const Match* one = nullptr;
        std::size_t count = 0;
        Network::each_left(*rule.last, [&](const Match& match) {
            one = &match;
            ++count;
        });
        if (one == nullptr) return false;
        out_ +=
            fmt::format("fired already for each of its {} match{}, such as {}; it fires again when "
                        "one of these facts is asserted anew\n",
                        count, count == 1 ? "" : "es", session_.shown_basis(*one));
        return true;
    }

    void failed_at(const Rule& rule, Join& join, std::size_t number,
                   const std::vector<const Match*>& left) {
        if (number == 0)
            out_ += "nothing matches its first condition element\n";
        else
            out_ += fmt::format(
                "the longest satisfied prefix is its first {} element{}: {} match{}\n", number,
                number == 1 ? "" : "s", left.size(), left.size() == 1 ? "" : "es");
        const Ce* element = element_of(rule, join);
        const std::string text = element == nullptr ? "" : text_of(session_, element->span);
        out_ += fmt::format("element {} fails{}{}\n", number + 1, text.empty() ? "" : ": ", text);
        if (element != nullptr)
            out_ += fmt::format("  at {}\n", session_.sources().place(element->span));
        if (join.negated || join.from_right) {
            const Match* blocked = number == 0 ? nullptr : left.front();
            Network::each_left(join, [&](const Match& match) {
                if (match.blocker != nullptr && blocked == nullptr) blocked = &match;
            });
            if (blocked != nullptr && blocked->blocker != nullptr) {
                const Match& by = *blocked->blocker;
                const Fact* fact = by.binds()[by.count - 1].fact;
                out_ += fmt::format("  after {} it is blocked by {}{}\n",
                                    number == 0 ? "nothing" : session_.shown_basis(*blocked),
                                    session_.shown_basis(by),
                                    fact == nullptr ? "" : " " + session_.shown_fact(*fact));
            }
            return;
        }
        if (join.node == nullptr) {
            out_ += "  its test is false\n";
            return;
        }
        nearest_facts(join, left);
    }

    static const Ce* find(const std::vector<Ce>& conditions, int number) {
        for (const Ce& ce : conditions) {
            if (ce.kind == Ce::Kind::Pattern && ce.number == number) return &ce;
            if (const Ce* inner = find(ce.parts, number)) return inner;
        }
        return nullptr;
    }
    static const Ce* element_of(const Rule& rule, const Join& join) {
        return join.number == 0 ? nullptr : find(rule.conditions, join.number);
    }

    struct Miss {
        bool broken = false; // it has not even the fields that are asked for
        const Fact* fact = nullptr;
        const Match* left = nullptr;
        std::vector<std::string> reasons;
    };

    void nearest_facts(Join& join, const std::vector<const Match*>& left) {
        std::vector<Miss> misses;
        const Template& of = *join.node->of;
        std::size_t looked_at = 0;
        for (Fact* fact = session_.network().facts().first; fact != nullptr && looked_at < 10000;
             fact = fact->next) {
            if (fact->of != &of) continue;
            ++looked_at;
            std::vector<const Match*> sides(
                left.begin(),
                left.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(left.size(), 20)));
            if (sides.empty()) sides.push_back(nullptr);
            for (const Match* side : sides) {
                Miss miss;
                miss.fact = fact;
                miss.left = side;
                alone(*join.node, *fact, miss);
                if (!miss.broken) joint(join, *fact, side, miss);
                misses.push_back(std::move(miss));
            }
        }
        if (misses.empty()) {
            out_ += fmt::format("  there is no fact {}\n", of.name->text);
            return;
        }
        std::stable_sort(misses.begin(), misses.end(), [](const Miss& a, const Miss& b) {
            return a.reasons.size() + (a.broken ? 100 : 0) <
                   b.reasons.size() + (b.broken ? 100 : 0);
        });
        out_ += "  nearest:\n";
        for (std::size_t i = 0; i < std::min<std::size_t>(misses.size(), 3); ++i) {
            const Miss& miss = misses[i];
            out_ += fmt::format(
                "    f-{} {}{}\n", miss.fact->index, session_.shown_fact(*miss.fact),
                miss.left == nullptr ? "" : " after " + session_.shown_basis(*miss.left));
            for (const std::string& reason : miss.reasons)
                out_ += "      " + reason + "\n";
        }
    }

    void compare(const Template& of, const Place& place, const Fact& fact, const Value& wanted,
                 bool equal, Miss& miss) {
        const Bind bind{const_cast<Fact*>(&fact), nullptr};
        const Value found = session_.network().value_at(bind, place);
        if ((found == wanted) == equal) return;
        miss.reasons.push_back(fmt::format(
            "{}: expected {}{}, found {}", place_name(of, place), equal ? "" : "anything but ",
            session_.shown(wanted, true), session_.shown(found, true)));
    }

    void test(const Test& test, const Template& of, const Fact& fact, const Match* left,
              Miss& miss) {
        const Bind right{const_cast<Fact*>(&fact), nullptr};
        const Bind* binds = left == nullptr ? nullptr : left->binds();
        switch (test.kind) {
        case Test::Kind::EqualConstant:
        case Test::Kind::DifferConstant:
            compare(of, test.right, fact, test.value, test.kind == Test::Kind::EqualConstant, miss);
            return;
        case Test::Kind::Equal:
        case Test::Kind::Differ: {
            const Bind& other = test.within ? right : binds[test.left_position];
            compare(of, test.right, fact, session_.network().value_at(other, test.left),
                    test.kind == Test::Kind::Equal, miss);
            return;
        }
        default:
            bool failed = false;
            if (!session_.network().passes_one(test, binds, &right, failed)) {
                const std::string source = text_of(session_, test.expr.span);
                miss.reasons.push_back(source.empty() ? "a constraint does not hold"
                                                      : source + " is FALSE");
            }
        }
    }

    // The tests of the pattern network, from the root down.
    void alone(const PatternNode& node, const Fact& fact, Miss& miss) {
        if (node.parent != nullptr) alone(*node.parent, fact, miss);
        if (miss.broken) return;
        if (node.length_least >= 0) {
            const std::uint32_t size = fact.slots()[node.slot].fields().size;
            const auto least = static_cast<std::uint32_t>(node.length_least);
            if (node.length_exact ? size != least : size < least) {
                miss.reasons.push_back(fmt::format("expected {}{} fields, found {}",
                                                   node.length_exact ? "" : "at least ", least,
                                                   size));
                miss.broken = true;
                return;
            }
        }
        if (node.multi || node.markers > 0) {
            miss.reasons.emplace_back("its fields do not fit");
            miss.broken = true;
            return;
        }
        if (node.parent != nullptr && node.parent->selector)
            compare(*node.of, node.parent->selected, fact, node.constant, true, miss);
        for (const Test& one : node.tests.all)
            test(one, *node.of, fact, nullptr, miss);
    }

    void joint(const Join& join, const Fact& fact, const Match* left, Miss& miss) {
        for (const Test& one : join.tests.all) {
            if (left == nullptr && !one.within && one.kind != Test::Kind::EqualConstant &&
                one.kind != Test::Kind::DifferConstant && join.left != nullptr)
                continue;
            test(one, *join.node->of, fact, left, miss);
        }
    }

    Session& session_;
    std::string out_;
};

} // namespace

std::string why(Session& session, std::string_view name) {
    std::string text;
    std::size_t alternatives = 0;
    for (const Rule& rule : session.rules())
        alternatives += rule.last != nullptr && rule.name->text == name ? 1 : 0;
    for (Rule& rule : session.defined().rules) {
        if (rule.last == nullptr || rule.name->text != name) continue;
        text += "rule " + rule.name->text +
                (alternatives > 1 ? fmt::format(", alternative {}", rule.disjunct + 1) : "") + "\n";
        text += Explainer(session).explain(rule);
    }
    return text;
}

} // namespace croupier::engine::clips
