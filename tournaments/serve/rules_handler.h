// The addresses of rules: texts of games, what a draft does to a state, drafts that are kept.
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

// Rules looked at while they are written: a text, a state, and what the rules make of it. Nothing
// is kept between two questions: each brings the whole text.

// A text in the place of a file.
struct Draft {
    std::string path;
    std::string text;
    engine::FileOpener open; // what it includes

    [[nodiscard]] engine::FileText read(const std::string& file) const {
        return file == path ? engine::FileText{text, {}} : open(file);
    }
};

// Places in a text as pages count them: in letters of UTF-16.
class Letters {
  public:
    explicit Letters(const std::string& text = {});
    // The place of these bytes.
    [[nodiscard]] nlohmann::ordered_json span(std::size_t begin, std::size_t end) const;

  private:
    std::vector<std::uint32_t> before_; // each byte
};

// The ruleset of a draft, with its mistakes. Much of what is asked is bounded: a page must not keep
// the server busy by rules that never end.
class Studio {
  public:
    using Json = nlohmann::ordered_json;

    explicit Studio(const Draft& draft);

    [[nodiscard]] bool good() const { return program_ != nullptr; }
    [[nodiscard]] const engine::Loaded& loaded() const { return loaded_; }
    // Mistakes and warnings; with their places in the text, as a page counts letters, or the names
    // of the other files that they stand in.
    [[nodiscard]] Json diagnostics() const;

    // The rest only of one that is good.

    // The state from which groups run. What is wrong with it, if anything is, else null.
    Json set_state(const std::string& text);
    // Takes the state in which a game runs the group first: it has dealt by that seed, and made the
    // first of the legal moves. Other rules begin with what their ruleset says.
    void begin(const std::string& group, std::uint64_t seed);
    [[nodiscard]] Json state_json() const;
    // Groups and their rules: names and places.
    [[nodiscard]] Json groups() const;

    struct Asked {
        std::string group;
        std::uint64_t firings = 0;
        std::vector<std::string> until; // rules; run on to where one of them comes next
        std::uint64_t seed = 1;
        std::string rule; // that more is to be told of; may be empty
    };
    // Where the group stands after so many firings, what comes next, what the rule has matched. A
    // game's state is drawn, too.
    [[nodiscard]] Json look(const Asked& asked) const;
    // How often entries of conditions were tried when the group runs to its end: by their places.
    [[nodiscard]] Json heat(const Asked& asked) const;

  private:
    [[nodiscard]] Json span_json(engine::Span span) const;
    [[nodiscard]] Json rule_json(engine::RuleId rule) const;
    [[nodiscard]] Json firing_json(const engine::Stand::Firing& firing, engine::State& state,
                                   const engine::Random& random) const;
    [[nodiscard]] Json why_json(engine::RuleId rule, engine::State& state,
                                const engine::Random& random) const;

    engine::Loaded loaded_;
    std::optional<std::uint32_t> file_; // of the draft, among the sources
    Letters letters_;
    std::shared_ptr<const games::RulesetGame> game_; // null: rules of no game
    std::unique_ptr<engine::Program> own_;           // then
    const engine::Program* program_ = nullptr;
    std::optional<engine::State> state_;
};

// A program of CLIPS, asked like a ruleset and told like one: its facts are the state, its agenda
// the one group. `worker`: the program of workers. Throws Refused.
nlohmann::ordered_json look_at_program(const std::string& worker, const std::string& text,
                                       const nlohmann::json& asked);

class RulesHandler : public RouteHandler {
  public:
    // The catalogue outlives it. Drafts are kept in its folder of own rules, if it has one.
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
