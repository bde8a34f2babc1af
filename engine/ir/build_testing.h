// Rules as the text of what is built from them.
#pragma once

#include "engine/ir/build.h"
#include "engine/ir/pass.h"
#include "engine/ir/print.h"
#include "engine/lang/testing.h"
#include "engine/reference/verify.h"

#include <memory>
#include <string>
#include <vector>

namespace croupier::engine::ir {

struct Shown {
    bool observed = false;
    bool notes = false;
};

// All groups of a ruleset.
inline std::string built(const std::string& rules, Shown shown = {}) {
    const Ruleset ruleset = load_good(rules);
    Catalogue catalogue(ruleset);
    const std::unique_ptr<Module> module = build(catalogue, shown.observed);
    std::string text = "\n";
    for (const Function& function : module->functions) {
        EXPECT_EQ(verify(*module, function), std::vector<std::string>{});
        text += to_text(*module, function, shown.notes);
    }
    return text;
}

// All groups of a ruleset after all passes up to that one.
inline std::string after(std::string_view last, const std::string& rules) {
    const Ruleset ruleset = load_good(rules);
    Catalogue catalogue(ruleset);
    const std::unique_ptr<Module> module = build(catalogue);
    for (const Pass& pass : passes()) {
        for (Function& function : module->functions) {
            pass.run(*module, function);
            EXPECT_EQ(verify(*module, function), std::vector<std::string>{}) << pass.name;
        }
        if (pass.name == last) {
            break;
        }
    }
    std::string text = "\n";
    for (const Function& function : module->functions) {
        text += to_text(*module, function);
    }
    return text;
}

// The lines between the first that begins with `from` and the next that begins with `to`, which are
// indented twice and so much more than in what is shown.
inline std::string lines_between(const std::string& text, const std::string& from,
                                 const std::string& to) {
    constexpr std::size_t kIndent = 8;
    const std::size_t head = text.find("\n    " + from);
    const std::size_t end = text.find("\n    " + to, head + 1);
    std::string lines = "\n";
    std::size_t begin = text.find('\n', head + 1) + 1;
    while (begin < end && end != std::string::npos) {
        const std::size_t next = text.find('\n', begin) + 1;
        lines += text.substr(begin + kIndent, next - begin - kIndent);
        begin = next;
    }
    return lines;
}

// The search of a rule with that condition.
inline std::string searched(const std::string& condition) {
    return lines_between(built(R"([{"name": "r", "condition": )" + condition + "}]"), "rule r {",
                         "} do");
}

// What a rule does that has $X.
inline std::string acted(const std::string& action) {
    return lines_between(
        built(R"([{"name": "r", "condition": {"x": "$X"}, "action": )" + action + "}]"), "} do",
        "}");
}

} // namespace croupier::engine::ir
