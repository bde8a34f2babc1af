// The addresses for tables: creating, joining, playing.
#pragma once

#include "tournaments/serve/catalogue.h"
#include "tournaments/serve/route_handler.h"
#include "tournaments/serve/tables.h"

namespace croupier::serve {

class TablesHandler : public RouteHandler {
  public:
    // Both outlive it.
    TablesHandler(const Catalogue& catalogue, Tables& tables)
        : catalogue_(catalogue), tables_(tables) {}

    std::optional<Answer> get(const Question& question) override;
    std::optional<Answer> post(const Question& question) override;
    void stop() override { tables_.stop(); }

  private:
    [[nodiscard]] Answer games() const;
    [[nodiscard]] Answer game(const std::string& id) const;
    std::optional<Answer> look(const std::string& chair, const std::string& what);
    std::optional<Answer> act(const std::string& chair, const std::string& what,
                              const nlohmann::json& body);

    const Catalogue& catalogue_;
    Tables& tables_;
};

} // namespace croupier::serve
