// The addresses for rules: texts of games, the effect of a draft on a state, saved drafts.
#pragma once

#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/serve/catalogue.h"
#include "tournaments/serve/route_handler.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace croupier::serve {

// Shows rules during editing: a text, a state, and the effect of the rules. Nothing is kept between
// requests: each contains the whole text.

// A text that replaces a file.
struct Draft {
    std::string path;
    std::string text;
    engine::FileOpener open; // opens what it includes

    [[nodiscard]] engine::FileText read(const std::string& file) const {
        return file == path ? engine::FileText{text, {}} : open(file);
    }
};

// Converts positions in a text to those of pages, which count UTF-16 code units.
class Letters {
  public:
    explicit Letters(const std::string& text = {});
    // The position of these bytes.
    [[nodiscard]] nlohmann::ordered_json span(std::size_t begin, std::size_t end) const;

  private:
    std::vector<std::uint32_t> before_; // by byte: code units before it
};

// The ruleset of a draft, with its errors. Work is bounded, so that endless rules in a page cannot
// keep the server busy.
class Studio {
  public:
    using Json = nlohmann::ordered_json;

    explicit Studio(const Draft& draft);

    [[nodiscard]] bool good() const { return program_ != nullptr; }
    [[nodiscard]] const engine::Loaded& loaded() const { return loaded_; }
    // Errors and warnings, with positions in the text, counted as pages do, or with the names of
    // other files.
    [[nodiscard]] Json diagnostics() const;

    // The functions below need a draft without errors.

    // Sets the state in which groups run. Returns its errors, or null.
    Json set_state(const std::string& text);
    // Sets the state in which a game first runs the group: after the deal of that seed and the
    // first legal move. Other rules begin with their ruleset's state.
    void begin(const std::string& group, std::uint64_t seed);
    [[nodiscard]] Json state_json() const;
    // Groups and their rules: names and places.
    [[nodiscard]] Json groups() const;

    struct Asked {
        std::string group;
        std::uint64_t firings = 0;
        std::vector<std::string> until; // rules; continue until one of them is next
        std::uint64_t seed = 1;
        std::string rule; // to explain in detail; may be empty
    };
    // The state of the group after that many firings, the next one, and the matches of the rule.
    // Also draws a game's state.
    [[nodiscard]] Json look(const Asked& asked) const;
    // How often entries of conditions were tried in a full run of the group, by position.
    [[nodiscard]] Json heat(const Asked& asked) const;

  private:
    [[nodiscard]] Json span_json(engine::Span span) const;
    [[nodiscard]] Json rule_json(engine::RuleId rule) const;
    [[nodiscard]] Json firing_json(const engine::Stand::Firing& firing, engine::State& state,
                                   const engine::Random& random) const;
    [[nodiscard]] Json why_json(engine::RuleId rule, engine::State& state,
                                const engine::Random& random) const;

    engine::Loaded loaded_;
    std::optional<std::uint32_t> file_; // the draft's among the sources
    Letters letters_;
    std::shared_ptr<const games::RulesetGame> game_; // null for rules outside games
    std::unique_ptr<engine::Program> own_;           // in that case
    const engine::Program* program_ = nullptr;
    std::optional<engine::State> state_;
};

// Shows a CLIPS program like a ruleset: its facts are the state, its agenda is the only group.
// `worker`: the worker program. Throws Refused.
nlohmann::ordered_json look_at_program(const std::string& worker, const std::string& text,
                                       const nlohmann::json& asked);

class RulesHandler : public RouteHandler {
  public:
    // The catalogue outlives it. Drafts are saved in its folder of own rules, if there is one.
    explicit RulesHandler(const Catalogue& catalogue) : catalogue_(catalogue) {}

    std::optional<Answer> get(const Question& question) override;
    std::optional<Answer> post(const Question& question) override;
    void stop() override {}

  private:
    using Json = nlohmann::ordered_json;
    [[nodiscard]] Json text_of(const std::string& id) const;
    [[nodiscard]] Draft draft_of(const nlohmann::json& asked) const;
    [[nodiscard]] Json look(const nlohmann::json& asked) const;
    [[nodiscard]] Json keep(const nlohmann::json& asked) const;
    [[nodiscard]] Json diagnostics_of(const Studio& studio) const;

    const Catalogue& catalogue_;
    std::atomic<int> looking_ = 0;
};

} // namespace croupier::serve
