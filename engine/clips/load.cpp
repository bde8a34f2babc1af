// Programs and commands from text.
#include "engine/clips/codes.h"
#include "engine/clips/frame.h"
#include "engine/clips/function.h"
#include "engine/clips/special_forms.h"

#include <fmt/format.h>

#include <utility>

namespace croupier::engine::clips {
namespace {

bool is_construct(std::string_view head) {
    return head.starts_with("def") && head != "default";
}

} // namespace

bool Session::load(std::string name, std::string text, bool as_batch) {
    if (text.size() > kLargestFile) {
        const std::uint32_t file = sources_.add(std::move(name), "");
        mistake(code::kClipsTooLarge, {file, 0, 0}, "the file is larger than 256 MiB");
        return false;
    }
    const std::uint32_t file = sources_.add(std::move(name), std::move(text));
    FormReader reader(sources_, file, interner_, diagnostics_);
    bool good = true;
    while (const auto form = reader.next()) {
        const std::string_view source =
            sources_.text(file).substr(form->span.begin, form->span.end - form->span.begin);
        if (is_construct(form->head())) {
            good = define(*form, source) && good;
        } else if (as_batch || form->is_list()) {
            if (as_batch)
                execute(*form);
            else
                good = define(*form, source) && good; // says that it is none
        } else {
            print("\n[CSTRCPSR1] Expected the beginning of a construct.\n");
            mistake(code::kClipsConstruct, form->span, "expected a construct such as (defrule ..)");
            good = false;
        }
        if (exit_) break;
        if (as_batch) reader.skip_line();
        if (diagnostics_.full()) return false;
    }
    return good && !reader.failed();
}

void Session::tell_construct(std::string_view kind, std::string_view name, char mark, bool again) {
    if (!telling_) return;
    if (!watches_.compilations)
        print({&mark, 1});
    else
        print(fmt::format("{} {}: {}{}", again ? "\n[CSTRCPSR1] WARNING: Redefining" : "Defining",
                          kind, name, kind == "defrule" ? " " : "\n"));
}

void Session::execute(const Form& form) {
    Scope scope;
    scope.what = "command";
    const std::size_t errors = diagnostics_.count();
    if (!form.is_list() && form.kind != Form::Kind::Global && form.kind != Form::Kind::Variable)
        return;
    if (form.kind == Form::Kind::Variable) {
        print(fmt::format("[EVALUATN1] Variable {} is unbound\n", form.name->text));
        return;
    }
    refused_.reset();
    const Expr expr = compile(form, scope);
    if (diagnostics_.count() != errors) return;
    flow_ = Flow::On;
    {
        Frame frame(*this, scope.most_locals);
        expr.eval(*this, expr);
    }
    flow_ = Flow::On;
    if (depth_ == 0) collect_garbage();
}

Value Session::evaluate_text(const std::string& text, bool construct) {
    const std::uint32_t file = sources_.add("text", text);
    FormReader reader(sources_, file, interner_, diagnostics_);
    const auto form = reader.next();
    if (!form) return interner_.no();
    if (construct) return interner_.boolean(define(*form, text));
    Scope scope;
    scope.what = "eval";
    const std::size_t errors = diagnostics_.count();
    const auto outer = std::exchange(refused_, std::nullopt);
    const Expr expr = compile(*form, scope);
    refused_ = outer;
    if (diagnostics_.count() != errors) return interner_.no();
    Frame frame(*this, scope.most_locals);
    return expr.eval(*this, expr);
}

Value Session::assert_text(const std::string& text) {
    const std::uint32_t file = sources_.add("text", text);
    FormReader reader(sources_, file, interner_, diagnostics_);
    const auto form = reader.next();
    const auto outer = std::exchange(refused_, std::nullopt);
    Scope scope;
    scope.what = "assert-string";
    const std::size_t errors = diagnostics_.count();
    Expr fact;
    const bool good = form && compile_fact(*form, scope, fact);
    if (!form) refuse_syntax("RHS patterns", 0);
    refused_ = outer;
    return good && diagnostics_.count() == errors ? do_assert_one(*this, fact) : interner_.no();
}

void Session::read_fields(std::string_view text, std::vector<Value>& into) {
    Sources sources;
    Diagnostics ignored;
    const std::uint32_t file = sources.add("text", std::string(text));
    FormReader reader(sources, file, interner_, ignored);
    while (const auto token = reader.next_token()) {
        switch (token->kind) {
        case Form::Kind::Constant:
            into.push_back(token->value);
            break;
        default:
            // What is no value becomes its own text.
            into.push_back(interner_.string(
                sources.text(file).substr(token->span.begin, token->span.end - token->span.begin)));
        }
    }
}

std::function<Value(std::span<const Value>)> Session::callable(const Text* name, int arguments) {
    if (Function* function = find_function(name)) {
        return [this, function](std::span<const Value> values) {
            return call_function(*function, values);
        };
    }
    const Builtin* builtin = find_builtin(name->text);
    if (builtin == nullptr || builtin->least > arguments ||
        (builtin->most >= 0 && builtin->most < arguments))
        return {};
    return [this, builtin](std::span<const Value> values) {
        Expr call;
        call.eval = builtin->eval;
        call.data = builtin;
        for (const Value& value : values) {
            Expr constant;
            constant.value = value;
            constant.eval = [](Session&, const Expr& e) { return e.value; };
            call.args.push_back(std::move(constant));
        }
        return call.eval(*this, call);
    };
}

} // namespace croupier::engine::clips
