// croupier check: what is wrong with rulesets.
#include "results/report/numbers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/input.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace croupier::cli {
namespace {

using nlohmann::ordered_json;
using results::counted;

const std::string kStandardInput = "<stdin>"; // its name in messages

ordered_json to_json(const engine::Diagnostic& diagnostic, const engine::Sources& sources) {
    const auto at = sources.line_column(diagnostic.span.file, diagnostic.span.begin);
    return {{"code", diagnostic.code},
            {"severity", diagnostic.severity == engine::Severity::Error ? "error" : "warning"},
            {"file", sources.name(diagnostic.span.file)},
            {"line", at.line},
            {"column", at.column},
            {"rule", diagnostic.rule},
            {"message", diagnostic.message},
            {"hint", diagnostic.hint}};
}

// "3 groups, 41 rules, 5 types".
std::string contents(const engine::Ruleset& ruleset) {
    std::size_t rules = 0;
    for (const engine::Group& group : ruleset.groups)
        rules += group.rules.size();
    std::string text = counted(ruleset.groups.size(), "group") + ", " + counted(rules, "rule");
    const auto types = std::count_if(ruleset.types.begin(), ruleset.types.end(),
                                     [](const engine::Domain& type) { return !type.anonymous; });
    if (types > 0) text += ", " + counted(static_cast<std::size_t>(types), "type");
    if (!ruleset.options.empty()) text += ", " + counted(ruleset.options.size(), "option");
    return text;
}

class Check : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"check", "What is wrong with rulesets, and where",
                "Reads each FILE as a ruleset by itself; with --together they are laid one over "
                "the other, as a revision lies over its ruleset. Mistakes and warnings go to "
                "standard error with the line they are in. Exit code 2 if there is a mistake. "
                "'-' is standard input.",
                "croupier check rules.json\n"
                "croupier check --together rules.json revision.json\n"
                "croupier check --json - < rules.json"};
    }

    void declare(Options& options) override {
        options.add("FILE", files_, "Files with rulesets, rules or lists of rules").required();
        options.add_flag("--together", together_, "Lay the files one over the other");
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        ordered_json all = ordered_json::array();
        std::size_t errors = 0;
        for (const std::vector<std::string>& files : batches()) {
            const engine::Loaded loaded = engine::load_ruleset(files, opener(context));
            errors += count_errors(loaded.diagnostics);
            if (json_) {
                for (const auto& diagnostic : loaded.diagnostics.sorted())
                    all.push_back(to_json(diagnostic, loaded.sources));
                continue;
            }
            print_diagnostics(loaded.diagnostics, loaded.sources, context);
            if (loaded.ruleset) {
                context.out().line(
                    {fmt::format("{}: {}", fmt::join(files, " + "), contents(*loaded.ruleset))});
            }
        }
        if (json_) context.out().raw(all.dump(2) + "\n");
        if (errors > 0) throw Mistake(counted(errors, "error"));
        return kGood;
    }

  private:
    // Which files make a ruleset together.
    [[nodiscard]] std::vector<std::vector<std::string>> batches() const {
        std::vector<std::vector<std::string>> result;
        for (const std::string& file : files_) {
            if (result.empty() || !together_) result.emplace_back();
            result.back().push_back(file == "-" ? kStandardInput : file);
        }
        return result;
    }

    static engine::FileOpener opener(Context& context) {
        return [&context, open = file_opener()](const std::string& path) {
            return path == kStandardInput ? engine::FileText{read_input("-", context.in), {}}
                                          : open(path);
        };
    }

    std::vector<std::string> files_;
    bool together_ = false;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_check() {
    return std::make_unique<Check>();
}

} // namespace croupier::cli
