// Takes any text as an expression: expects a diagnostic inside the text, or a tree that prints as
// text which reads as the same tree.
#include "engine/language/expression_parser.h"
#include "engine/language/print.h"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace croupier::engine;

void require(bool holds) {
    if (!holds) std::abort();
}

bool same(const Expr& a, const Expr& b) {
    if (a.op != b.op || a.literal != b.literal || a.variable != b.variable ||
        a.option != b.option || print(a.path) != print(b.path) || a.args.size() != b.args.size())
        return false;
    for (std::size_t i = 0; i < a.args.size(); ++i)
        if (!same(a.args[i], b.args[i])) return false;
    return true;
}

std::vector<Option> options() {
    Option option;
    option.name = "limit";
    option.value.scalar = std::int64_t{17};
    return {option};
}

// Whatever the text, parse_form finds its form and the spans are inside it.
void other_forms(const Quoted& string) {
    const ParsedForm form = parse_form(string);
    require(form.begin <= string.text().size());
    try {
        parse_key(string);
        parse_path(string, 0, string.text().size());
    } catch (const Mistake& mistake) {
        require(mistake.begin <= string.text().size());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    Sources sources;
    const std::string literal = quoted_json(text);
    const auto file = sources.add("f", literal);
    const Quoted string(sources, text, {file, 0, static_cast<std::uint32_t>(literal.size())});
    Diagnostics diagnostics;
    Reading reading{sources, diagnostics, {}, {}, options()};
    other_forms(string);
    const auto expr = parse_expression(reading, string, 0);
    require(expr.has_value() == diagnostics.empty());
    for (const Diagnostic& diagnostic : diagnostics.sorted())
        require(diagnostic.span.end <= literal.size() && !format(diagnostic, sources).empty());
    if (!expr) return 0;
    const std::string printed = print(*expr);
    const auto again = parse_expression(reading, Quoted(sources, printed, {}), 0);
    require(again && same(*expr, *again) && print(*again) == printed);
    return 0;
}
