// The reasoning log: what was tried, where it failed, what each action changed.
#pragma once

#include "engine/run/observer.h"
#include "engine/run/program.h"
#include "engine/text/source.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace croupier::engine {

// Observes a run and passes lines to the sink, indented by depth. Logs all rules, or only those
// with `@log`, which a rule or an entry of a condition sets for itself and all below it.
class Trace : public Observer {
  public:
    using Sink = std::function<void(const std::string& line)>;
    Trace(const Catalogue& catalogue, const Sources& sources, bool everything, Sink sink);

    void rule_begins(RuleId rule) override;
    void rule_matched(RuleId rule, std::uint64_t count, std::span<const Value> matches,
                      const State& state) override;
    void rule_fires(RuleId rule, std::span<const Value> match, const State& state) override;
    void rule_otherwise(RuleId rule) override;
    void rule_ends(RuleId rule) override;
    [[nodiscard]] bool looks_at_entries() const override { return true; }
    void entry_tried(const Note& note, std::span<const Value> values, const State& state) override;
    void entry_passed(const Note& note, std::span<const Value> values, const State& state) override;
    void entry_cut(const Note& note, const Value* found, std::span<const Value> values,
                   const State& state) override;
    void change_begins(const Note& note, const State& state) override;
    void change_ends(const Note& note, const State& state) override;

    // True if a rule or entry of the ruleset asks to be logged.
    static bool wanted(const Ruleset& ruleset);

  private:
    struct Leaf {
        std::string path;
        std::string text;
    };
    // Per rule: for each entry whether `@log` beside or above it turns logging on (1) or off (0).
    struct EntryLog {
        std::vector<signed char> flag;
        std::vector<std::uint32_t> depth;
    };

    [[nodiscard]] bool logs() const { return on_.back(); }
    [[nodiscard]] bool logs(const Note& note);
    const EntryLog& entries(RuleId rule);
    static void add_entries(const Pattern& pattern, std::uint32_t depth, signed char flag,
                            EntryLog& log);
    void line(std::size_t depth, const std::string& text);
    [[nodiscard]] std::string show(const Value& value, const State& state) const;
    [[nodiscard]] std::string bindings(RuleId rule, std::span<const Value> match,
                                       const State& state) const;
    static void flatten(const State& state, NodeRef node, const std::string& path,
                        std::vector<Leaf>& leaves);

    const Catalogue& catalogue_;
    const Sources& sources_;
    Sink sink_;
    std::vector<bool> on_; // per rule being applied, the outermost first
    std::map<RuleId, EntryLog> entries_;
    std::vector<Leaf> before_;
};

} // namespace croupier::engine
