// croupier diff: what one ruleset says differently from another.
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace croupier::cli {
namespace {

using engine::Difference;
using nlohmann::ordered_json;

constexpr std::size_t kShownText = 60;

std::string_view name_of(Difference kind) {
    switch (kind) {
    case Difference::Added:
        return "added";
    case Difference::Removed:
        return "removed";
    case Difference::Changed:
        return "changed";
    case Difference::Moved:
        break;
    }
    return "moved";
}

std::string shortened(const std::string& text) {
    if (text.size() <= kShownText) return text;
    std::size_t end = kShownText;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u)
        --end; // never half a character
    return text.substr(0, end) + "...";
}

std::string entry_line(const engine::EntryDifference& entry, std::string_view name) {
    switch (entry.kind) {
    case Difference::Added:
        return fmt::format("+ {}: {}", name, shortened(entry.after));
    case Difference::Removed:
        return fmt::format("- {}: {}", name, shortened(entry.before));
    case Difference::Changed:
        return fmt::format("~ {}: {} -> {}", name, shortened(entry.before), shortened(entry.after));
    case Difference::Moved:
        break;
    }
    return fmt::format("> {}: stands at another place", name);
}

ordered_json to_json(const engine::EntryDifference& entry) {
    ordered_json json = {{"kind", name_of(entry.kind)}, {"path", entry.path}};
    if (!entry.before.empty()) json["before"] = entry.before;
    if (!entry.after.empty()) json["after"] = entry.after;
    return json;
}

class Diff : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"diff", "What one ruleset says differently from another",
                "Lists rules that were added (+), removed (-), changed (~) or moved (>), with the "
                "entries of their conditions and actions, and what differs in types, options, "
                "shape and state. Rules are known by their names. With --revision, B is first "
                "laid over A. '-' is standard input, but not with --revision.",
                "croupier diff rules.json other-rules.json\n"
                "croupier diff --revision rules.json revision.json"};
    }

    void declare(Options& options) override {
        options.add("A", before_, "File with a ruleset").required();
        options.add("B", after_, "File with another").required();
        options.add_flag("--revision", revision_, "B is a revision, to be laid over A");
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const auto before = load_rules(before_, context);
        const auto after = revision_ ? load_revised(context) : load_rules(after_, context);
        const auto found = engine::difference(*before->ruleset, *after->ruleset);
        if (json_)
            print_json(found, context);
        else
            print(found, context);
        return kGood;
    }

  private:
    // B laid over A.
    [[nodiscard]] std::unique_ptr<engine::Loaded> load_revised(Context& context) const {
        const std::vector<std::string> files = {before_, after_};
        auto loaded = std::make_unique<engine::Loaded>(engine::load_ruleset(files, file_opener()));
        print_diagnostics(loaded->diagnostics, loaded->sources, context);
        if (!loaded->ruleset) throw Mistake(after_ + " does not fit over " + before_);
        return loaded;
    }

    static void print(const engine::RulesetDifference& found, Context& context) {
        for (const engine::PartDifference& part : found.parts) {
            std::string name = part.part;
            for (const std::string& step : part.entry.path)
                name += '.' + step;
            context.out().line({entry_line(part.entry, name)});
        }
        for (const engine::RuleDifference& rule : found.rules) {
            context.out().line(
                {fmt::format("{} rule {} in {}", name_of(rule.kind), rule.name, rule.group)});
            for (const engine::EntryDifference& entry : rule.entries)
                context.out().line(
                    {"    ", entry_line(entry, fmt::format("{}", fmt::join(entry.path, ".")))});
        }
        if (found.empty()) context.out().line({"no difference"});
    }

    static void print_json(const engine::RulesetDifference& found, Context& context) {
        ordered_json rules = ordered_json::array();
        for (const engine::RuleDifference& rule : found.rules) {
            ordered_json entries = ordered_json::array();
            for (const engine::EntryDifference& entry : rule.entries)
                entries.push_back(to_json(entry));
            rules.push_back({{"kind", name_of(rule.kind)},
                             {"group", rule.group},
                             {"rule", rule.name},
                             {"entries", std::move(entries)}});
        }
        ordered_json parts = ordered_json::array();
        for (const engine::PartDifference& part : found.parts) {
            ordered_json json = to_json(part.entry);
            json["part"] = part.part;
            parts.push_back(std::move(json));
        }
        const ordered_json all = {{"rules", std::move(rules)}, {"parts", std::move(parts)}};
        context.out().raw(all.dump(2) + "\n");
    }

    std::string before_;
    std::string after_;
    bool revision_ = false;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_diff() {
    return std::make_unique<Diff>();
}

} // namespace croupier::cli
