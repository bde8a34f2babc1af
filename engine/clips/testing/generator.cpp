// Writes programs rule by rule, knowing which variables are bound where.
#include "engine/clips/testing/generator.h"

#include "engine/run/random.h"

#include <array>
#include <string_view>
#include <vector>

namespace croupier::engine::clips {
namespace {

class Writer {
  public:
    explicit Writer(std::uint64_t seed) : random_(seed) {}

    bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
    template <std::size_t kSize>
    std::string_view pick(const std::array<std::string_view, kSize>& from) {
        return from[random_.below(kSize)];
    }
    std::string program() {
        out_ = "(deftemplate t (slot p) (slot q) (multislot m))\n";
        static constexpr std::array<std::string_view, 7> kStrategies = {
            "depth", "breadth", "simplicity", "complexity", "lex", "mea", "random"};
        if (chance(60)) out_ += "(set-strategy " + std::string(pick(kStrategies)) + ")\n";
        out_ += "(seed " + std::to_string(random_.below(1000)) +
                ")\n(watch facts)\n(watch activations)\n(watch rules)\n";
        const std::uint64_t rules = 1 + random_.below(5);
        const bool late = chance(15);
        if (late) commands(6);
        for (std::uint64_t i = 0; i < rules; ++i)
            rule();
        if (chance(50)) out_ += "(reset)\n";
        commands(12);
        if (chance(30)) {
            out_ += "(reset)\n";
            commands(4);
        }
        return out_ + "(exit)\n";
    }

    // For games: facts of its own, nothing watched, no groups in a not.
    std::string game() {
        groups_ = false;
        out_ = "(deftemplate t (slot p) (slot q) (multislot m))\n(deffacts start";
        for (std::uint64_t n = 8 + random_.below(16); n > 0; --n)
            out_ += " " + fact();
        out_ += ")\n";
        for (std::uint64_t n = 3 + random_.below(6); n > 0; --n)
            rule();
        return out_;
    }

  private:
    std::string value() {
        static constexpr std::array<std::string_view, 6> kValues = {"1", "2", "3", "x", "y", "2.0"};
        return std::string(pick(kValues));
    }
    // In games facts should meet often: most have one field.
    std::uint64_t some_fields() { return !groups_ && random_.below(4) > 0 ? 1 : random_.below(3); }
    std::string bound() { return "?" + bound_[random_.below(bound_.size())]; }

    std::string test() {
        static constexpr std::array<std::string_view, 4> kTests = {"eq", "neq", "eq", "neq"};
        const std::string left = bound();
        const std::string right = chance(50) ? value() : bound();
        std::string one = "(" + std::string(pick(kTests)) + " " + left + " " + right + ")";
        if (chance(15)) one = "(not " + one + ")";
        if (chance(15)) one = "(or " + one + " (numberp " + left + "))";
        return one;
    }

    // A field that may bind; what it binds is known afterwards.
    std::string field() {
        const std::uint64_t what = random_.below(100);
        if (what < 18) return value();
        if (what < 28) return "?";
        if (what < 33) return "~" + value();
        if (what < 38) return value() + "|" + value();
        if (what < 48 && !bound_.empty()) return bound();
        if (what < 53 && !bound_.empty()) return "~" + bound();
        static constexpr std::array<std::string_view, 4> kNames = {"a", "b", "c", "d"};
        const std::string name(pick(kNames));
        bool known = false;
        for (const std::string& other : bound_)
            known = known || other == name;
        std::string text = "?" + name;
        if (!known) fresh_.push_back(name);
        if (chance(12)) text += "&~" + value();
        if (chance(8)) text += "&" + value() + "|" + value();
        if (chance(8) && !bound_.empty()) text += "&~" + bound();
        if (chance(8) && !known) text += "&:(neq ?" + name + " " + value() + ")";
        if (chance(6) && !known && !bound_.empty())
            text +=
                "&:(" + std::string(chance(50) ? "eq" : "neq") + " ?" + name + " " + bound() + ")";
        if (chance(4) && !bound_.empty()) text += "&=(sym-cat " + bound() + ")";
        // One alternative that is known in the pattern, one that waits for a join.
        if (chance(6) && !known && !bound_.empty())
            text += "&" + value() + "|" + (chance(30) ? "~" : "") + value() + "&:(neq ?" + name +
                    " " + bound() + ")";
        if (!known) bound_.push_back(name);
        return text;
    }

    std::string many() {
        switch (random_.below(5)) {
        case 0:
            return "$?";
        case 1:
            return field() + " $?";
        case 2:
            return "$? " + field();
        case 3:
            return groups_ ? "$? " + field() + " $?" : field() + " $? " + field();
        default:
            return field();
        }
    }

    std::string pattern() {
        if (chance(25)) {
            std::string text = "(t";
            if (chance(60)) text += " (p " + field() + ")";
            if (chance(50)) text += " (q " + field() + ")";
            if (chance(40)) text += " (m " + many() + ")";
            return text + ")";
        }
        static constexpr std::array<std::string_view, 4> kRelations = {"r", "s", "u", "v"};
        std::string text = "(" + std::string(pick(kRelations));
        const std::uint64_t fields = some_fields();
        if (chance(15)) return text + " " + many() + ")";
        for (std::uint64_t i = 0; i < fields; ++i)
            text += " " + field();
        return text + ")";
    }

    // What is bound inside is forgotten outside.
    template <typename Write>
    std::string local(Write write) {
        const std::vector<std::string> outside = bound_;
        std::string text = write();
        bound_ = outside;
        return text;
    }

    std::string element(int depth) {
        const std::uint64_t what = random_.below(100);
        if (what < 12) return "(not " + local([&] { return pattern(); }) + ")";
        if (what < 20) return "(exists " + local([&] { return pattern(); }) + ")";
        if (what < 28 && !bound_.empty()) return "(test " + test() + ")";
        if (!groups_ && what < 41) return pattern();
        if (what < 35 && depth < 2)
            return "(not (and " + local([&] { return group(depth); }) + "))";
        if (what < 38 && depth < 2) return "(exists " + local([&] { return group(depth); }) + ")";
        if (what < 41 && depth < 1)
            return "(forall " + local([&] {
                       const std::string first = pattern();
                       return first + " " + pattern();
                   }) +
                   ")";
        if (what < 44 && depth < 1)
            return "(or " + local([&] { return pattern(); }) + " " +
                   local([&] { return pattern(); }) + ")";
        return pattern();
    }

    std::string group(int depth) {
        std::string text = pattern();
        const std::uint64_t more = 1 + random_.below(2);
        for (std::uint64_t i = 0; i < more; ++i)
            text += " " + element(depth + 1);
        return text;
    }

    void rule() {
        bound_.clear();
        const std::string name = "rule" + std::to_string(++rules_);
        out_ += "(defrule " + name;
        if (chance(25))
            out_ += " (declare (salience " +
                    std::to_string(static_cast<int>(random_.below(5)) - 2) + "))";
        std::vector<std::string> addresses;
        const std::uint64_t elements = chance(4) ? 0 : 1 + random_.below(groups_ ? 4 : 3);
        for (std::uint64_t i = 0; i < elements; ++i) {
            if (chance(25)) {
                const std::string fact = "f" + std::to_string(i);
                out_ += "\n  ?" + fact + " <- " + pattern();
                addresses.push_back(fact);
            } else {
                out_ += "\n  " + element(0);
            }
        }
        out_ += "\n  =>\n  (printout t " + name;
        for (const std::string& variable : bound_)
            out_ += " \" \" ?" + variable;
        out_ += " crlf)";
        if (chance(35)) {
            out_ += "\n  (assert (" + std::string(chance(50) ? "v" : "u");
            if (!bound_.empty()) out_ += " " + bound();
            out_ += "))";
        }
        if (!groups_ && !addresses.empty() && chance(40)) {
            out_ += "\n  (retract ?" + addresses.front() + ") (assert " + fact() + ")";
        } else if (!addresses.empty() && chance(50)) {
            out_ += "\n  (retract ?" + addresses.back() + ")";
        }
        out_ += ")\n";
    }

    std::string fact() {
        if (chance(25)) {
            std::string text = "(t";
            if (chance(80)) text += " (p " + value() + ")";
            if (chance(70)) text += " (q " + value() + ")";
            if (chance(60)) {
                text += " (m";
                for (std::uint64_t n = random_.below(4); n > 0; --n)
                    text += " " + value();
                text += ")";
            }
            return text + ")";
        }
        static constexpr std::array<std::string_view, 4> kRelations = {"r", "s", "u", "v"};
        std::string text = "(" + std::string(pick(kRelations));
        for (std::uint64_t n = some_fields(); n > 0; --n)
            text += " " + value();
        return text + ")";
    }

    void commands(std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t what = random_.below(100);
            if (what < 62)
                out_ += "(assert " + fact() + (chance(40) ? " " + fact() : "") + ")\n";
            else if (what < 78)
                out_ += "(retract " + std::to_string(1 + random_.below(12)) + ")\n";
            else if (what < 90)
                out_ += "(run " + std::to_string(1 + random_.below(20)) + ")\n";
            else if (what < 95)
                out_ += "(agenda)\n";
            else
                out_ += "(facts)\n";
        }
        out_ += "(agenda)\n(run 40)\n";
    }

    Random random_;
    std::string out_;
    std::vector<std::string> bound_;
    std::vector<std::string> fresh_;
    int rules_ = 0;
    bool groups_ = true; // and two $? in a slot
};

} // namespace

std::string generate_program(std::uint64_t seed) {
    return Writer(seed).program();
}

std::string generate_game(std::uint64_t seed) {
    return Writer(seed).game();
}

} // namespace croupier::engine::clips
