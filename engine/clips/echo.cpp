// What CLIPS shows below "ERROR:": the construct as far as it was read, indented its way.
#include "engine/clips/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace croupier::engine::clips {
namespace {

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
            for (; at < form.items.size() && read(form.items[at]); ++at) {
                out_ += ' ';
                flat(form.items[at]);
            }
            close(form);
            return out_;
        }
        out_ += ' ';
        if (at < form.items.size() && read(form.items[at])) {
            if (form.items[at].is_symbol()) put("MAIN::");
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
                action(form.items[at], 3);
        }
        // Where more was expected the next line was begun.
        if (closed(form) && (head == "deffunction" || (rule && arrow == form.items.end())) &&
            form.items.size() > 1)
            line(3);
        close(form);
        return out_;
    }

    std::string expression(const Form& form) {
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
        } else {
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
        if (!beside && !below) return flat(form);
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

    void action(const Form& form, std::size_t indent) {
        if (form.head() != "if") return flat(form);
        put("(if");
        bool branches = false;
        for (std::size_t i = 1; i < form.items.size() && read(form.items[i]); ++i) {
            const Form& item = form.items[i];
            branches = branches || item.is_symbol("then");
            if (branches)
                line(indent + 3);
            else
                out_ += ' ';
            action(item, indent + 3);
        }
        close(form);
    }

    const Session& session_;
    const Sources& sources_;
    std::uint32_t until_;
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

std::string Session::shown_form(const Form& form) const {
    return Echo(*this, sources_, ~std::uint32_t{0}).expression(form);
}

} // namespace croupier::engine::clips
