// What CLIPS shows below "ERROR:": the construct as far as it was read, indented its way.
#include "engine/clips/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace croupier::engine::clips {
namespace {

constexpr std::uint32_t kAll = ~std::uint32_t{0}; // nothing was refused

class Echo {
  public:
    Echo(const Session& session, const Sources& sources, std::uint32_t until)
        : session_(session), sources_(sources), until_(until) {}

    std::string construct(const Form& form) {
        const std::string_view head = form.head();
        out_ += '(';
        out_ += head;
        std::size_t at = 1;
        if (head == "defglobal") {
            put(" MAIN");
            if (form.items.size() > 1 && form.items[1].is_symbol("MAIN")) ++at;
            for (; at < form.items.size() && read(form.items[at]); ++at) {
                out_ += ' ';
                flat(form.items[at]);
            }
            close(form);
            return out_;
        }
        out_ += ' ';
        if (at < form.items.size() && read(form.items[at])) {
            const Form& name = form.items[at];
            if (name.is_symbol() && !name.value.text().starts_with("MAIN::")) put("MAIN::");
            flat(form.items[at++]);
        }
        if (at < form.items.size() && read(form.items[at]) &&
            form.items[at].kind == Form::Kind::Constant && !form.items[at].is_symbol()) {
            out_ += ' ';
            flat(form.items[at++]);
        }
        const bool rule = head == "defrule";
        const auto arrow = std::find_if(form.items.begin(), form.items.end(),
                                        [](const Form& one) { return one.is_symbol("=>"); });
        bool condition = rule;
        for (; at < form.items.size() && read(form.items[at]); ++at) {
            line(3);
            if (form.items[at].is_symbol("=>")) condition = false;
            // A fact's address, the arrow and the pattern stand in one line.
            if (condition && at + 1 < form.items.size() && form.items[at + 1].is_symbol("<-")) {
                flat(form.items[at++]);
                for (std::size_t i = 0; i < 2 && at < form.items.size() && read(form.items[at]);
                     ++i) {
                    out_ += ' ';
                    flat(form.items[at]);
                    if (i == 0) ++at;
                }
                continue;
            }
            if (condition)
                element(form.items[at], 3);
            else
                flat(form.items[at]);
        }
        // Where more was expected the next line was begun.
        if (until_ != kAll && closed(form) &&
            (head == "deffunction" || (rule && arrow == form.items.end())) && form.items.size() > 1)
            line(3);
        close(form);
        return out_;
    }

    std::string expression(const Form& form) {
        lines_ = false;
        flat(form);
        return out_;
    }

  private:
    [[nodiscard]] bool read(const Form& form) const { return form.span.begin < until_; }
    [[nodiscard]] bool closed(const Form& form) const { return form.span.end <= until_; }
    void put(std::string_view text) { out_ += text; }
    void line(std::size_t indent) {
        out_ += '\n';
        out_.append(indent, ' ');
    }
    void close(const Form& form) {
        if (closed(form)) out_ += ')';
    }

    void flat(const Form& form) {
        if (form.kind == Form::Kind::Constant) {
            out_ += session_.shown(form.value, true);
        } else if (!form.is_list()) {
            out_ += sources_.text(form.span.file)
                        .substr(form.span.begin, form.span.end - form.span.begin);
        } else if (!lines_ || !spread(form)) {
            out_ += '(';
            items(form, 0);
            close(form);
        }
    }

    // From one on, as far as they were read; constraints stand close.
    void items(const Form& form, std::size_t from) {
        const auto joins = [](const Form& one) {
            return one.kind == Form::Kind::And || one.kind == Form::Kind::Or ||
                   one.kind == Form::Kind::Not;
        };
        for (std::size_t i = from; i < form.items.size() && read(form.items[i]); ++i) {
            const Form& item = form.items[i];
            if (i > 0) {
                const Form& last = form.items[i - 1];
                const bool call = item.is_list() && (last.is_symbol(":") || last.is_symbol("="));
                const bool close = call && last.span.end == item.span.begin;
                const bool after = item.kind == Form::Kind::And || item.kind == Form::Kind::Or;
                if (!joins(last) && !close && !after) out_ += ' ';
            }
            flat(item);
        }
    }

    void element(const Form& form, std::size_t indent) {
        static constexpr std::array<std::string_view, 3> kBeside = {"and", "or", "not"};
        static constexpr std::array<std::string_view, 3> kBelow = {"exists", "forall", "logical"};
        const std::string_view head = form.head();
        const bool beside = std::find(kBeside.begin(), kBeside.end(), head) != kBeside.end();
        const bool below = std::find(kBelow.begin(), kBelow.end(), head) != kBelow.end();
        if (!beside && !below) {
            indent_ = indent;
            flat(form);
            indent_ = 3;
            return;
        }
        constexpr std::size_t kDeeper = 5;
        out_ += '(';
        out_ += head;
        for (std::size_t i = 1; i < form.items.size() && read(form.items[i]); ++i) {
            if (i == 1 && beside)
                out_.append(kDeeper - 1 - head.size(), ' ');
            else
                line(indent + kDeeper);
            element(form.items[i], indent + kDeeper);
        }
        close(form);
    }

    // Calls that hold actions stand in lines of their own, wherever the call itself stands.
    bool spread(const Form& form) {
        const std::string_view head = form.head();
        if (head == "if") {
            branches(form);
        } else if (head == "switch") {
            cases(form);
        } else if (head == "assert") {
            facts(form);
        } else if (head == "progn") {
            body(form, 1);
        } else if (head == "while" || head == "loop-for-count" || head == "progn$") {
            body(form, 2);
        } else if (head == "foreach") {
            body(form, 3);
        } else {
            return false;
        }
        return true;
    }

    void branches(const Form& form) {
        put("(if");
        bool any = false;
        for (std::size_t i = 1; i < form.items.size() && read(form.items[i]); ++i) {
            any = any || form.items[i].is_symbol("then");
            if (any)
                deeper(form.items[i], 3);
            else
                beside(form.items[i]);
        }
        close(form);
    }

    // The actions begin with item `from`, behind a `do` if there is one.
    void body(const Form& form, std::size_t from) {
        out_ += '(';
        out_ += form.head();
        for (std::size_t i = 1; i < form.items.size() && read(form.items[i]); ++i) {
            const Form& item = form.items[i];
            const bool may_do = form.head() == "while" || form.head() == "loop-for-count";
            if (i < from) {
                beside(item);
                // Behind (?variable ..) CLIPS leaves a space.
                if (item.is_list() && !item.items.empty() && form.head() != "while" &&
                    item.items[0].kind == Form::Kind::Variable && closed(item))
                    out_ += ' ';
            } else if (i == from && may_do && item.is_symbol("do")) {
                beside(item);
            } else {
                deeper(item, 3);
            }
        }
        close(form);
    }

    void cases(const Form& form) {
        put("(switch");
        indent_ += 3;
        for (std::size_t i = 1; i < form.items.size() && read(form.items[i]); ++i) {
            const Form& item = form.items[i];
            if (i == 1) {
                beside(item);
                continue;
            }
            line(indent_);
            const bool one = item.head() == "case";
            out_ += '(';
            out_ += item.head();
            if (!one) out_ += ' ';
            for (std::size_t k = 1; k < item.items.size() && read(item.items[k]); ++k) {
                if (one && k < 3)
                    beside(item.items[k]);
                else
                    deeper(item.items[k], 3);
            }
            close(item);
        }
        indent_ -= 3;
        close(form);
    }

    void facts(const Form& form) {
        put("(assert");
        for (std::size_t i = 1; i < form.items.size() && read(form.items[i]); ++i) {
            if (i == 1)
                beside(form.items[i]);
            else
                deeper(form.items[i], 8);
        }
        close(form);
    }

    void beside(const Form& form) {
        out_ += ' ';
        flat(form);
    }
    void deeper(const Form& form, std::size_t by) {
        indent_ += by;
        line(indent_);
        flat(form);
        indent_ -= by;
    }

    const Session& session_;
    const Sources& sources_;
    std::uint32_t until_;
    bool lines_ = true;
    std::size_t indent_ = 3; // of the action or element at hand
    std::string out_;
};

} // namespace

void Session::refuse(std::string_view text, std::uint32_t until) {
    if (refused_) return;
    refused_ = until;
    print(text);
}

void Session::refuse_syntax(std::string_view of, std::uint32_t until) {
    refuse(fmt::format("\n[PRNTUTIL2] Syntax Error:  Check appropriate syntax for {}.\n", of),
           until);
}

std::string Session::echo(const Form& construct, std::uint32_t until) const {
    return Echo(*this, sources_, until).construct(construct);
}

std::string Session::indented(const std::string& construct) {
    Sources sources;
    Diagnostics ignored;
    const std::uint32_t file = sources.add("construct", construct);
    FormReader reader(sources, file, interner_, ignored);
    const auto form = reader.next();
    return form ? Echo(*this, sources, kAll).construct(*form) : construct;
}

std::string Session::shown_form(const Form& form) const {
    return Echo(*this, sources_, kAll).expression(form);
}

} // namespace croupier::engine::clips
