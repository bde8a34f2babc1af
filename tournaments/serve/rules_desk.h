// The addresses of rules: texts of games, what a draft does to a state, drafts that are kept.
#pragma once

#include "tournaments/serve/catalogue.h"
#include "tournaments/serve/desk.h"
#include "tournaments/serve/studio.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

namespace croupier::serve {

class RulesDesk : public Desk {
  public:
    // The catalogue outlives it. `own`: the folder that drafts are kept in; empty: they are not.
    // `write` puts a text into a file, and says why it could not.
    using Write = std::function<std::string(const std::filesystem::path&, const std::string&)>;
    RulesDesk(const Catalogue& catalogue, engine::FileOpener open, std::string own, Write write)
        : catalogue_(catalogue), open_(std::move(open)), own_(std::move(own)),
          write_(std::move(write)) {}

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
    const engine::FileOpener open_;
    const std::string own_;
    const Write write_;
    std::atomic<int> looking_ = 0;
};

} // namespace croupier::serve
