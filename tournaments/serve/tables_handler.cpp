// Passes requests to tables.
#include "tournaments/serve/tables_handler.h"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace croupier::serve {
namespace {

using Json = nlohmann::ordered_json;
using Reason = Refused::Reason;

// Sends each state of a table at once.
class TableEvents : public Events {
  public:
    TableEvents(Tables& tables, std::string chair)
        : tables_(tables), chair_(std::move(chair)), presence_(tables_.enter(chair_)),
          next_(tables_.look(chair_)) {}

    std::optional<std::string> next(std::chrono::milliseconds most) override {
        if (next_.version == told_) {
            if (!tables_.wait(chair_, told_, most)) return std::nullopt;
            next_ = tables_.look(chair_);
        }
        told_ = next_.version;
        return *next_.json;
    }

  private:
    Tables& tables_;
    const std::string chair_;
    const std::shared_ptr<void> presence_;
    Snapshot next_;
    std::uint64_t told_ = 0;
};

} // namespace

std::optional<Answer> TablesHandler::get(const Question& question) {
    const std::vector<std::string>& parts = question.parts;
    // The pages request the rest by other addresses.
    if (question.is(2, "table")) return answer_asset("table.html");
    if (question.is(2, "join")) return answer_asset("join.html");
    if (question.is(3, "api", "table")) return look(parts[2], "");
    if (question.is(4, "api", "table")) return look(parts[2], parts[3]);
    const bool home = parts.empty();
    if (!home && !question.is(2, "api", "games") && !question.is(2, "api", "game"))
        return std::nullopt;
    question.must_be_trusted();
    if (home) return answer_asset("home.html");
    return parts[1] == "games" ? games() : game(question.parameter("id"));
}

Answer TablesHandler::games() const {
    Json games = Json::array();
    for (const Catalogue::Entry& entry : catalogue_.entries())
        games.push_back({{"id", entry.id}, {"own", entry.own}});
    return answer_json({{"games", std::move(games)}});
}

Answer TablesHandler::game(const std::string& id) const {
    const auto entry = catalogue_.find(id);
    if (!entry) throw Refused(Reason::Unknown, "There is no such game.");
    const auto game = catalogue_.open(entry->name, {});
    Json facts = facts_json(*game);
    facts["agents"] = tables_.agents_for(*game);
    return answer_json(facts);
}

std::optional<Answer> TablesHandler::look(const std::string& chair, const std::string& what) {
    if (what.empty()) return Answer{.body = *tables_.look(chair).json};
    if (what == "events") return Answer{.events = std::make_shared<TableEvents>(tables_, chair)};
    if (what == "record")
        return Answer{
            .type = "application/jsonl", .body = tables_.record(chair), .saved_as = "game.jsonl"};
    return std::nullopt;
}

std::optional<Answer> TablesHandler::post(const Question& question) {
    const std::vector<std::string>& parts = question.parts;
    if (question.is(2, "api", "tables")) {
        question.must_be_trusted();
        return answer_json(tables_.lay(question.body));
    }
    if (question.is(3, "api", "join")) return answer_json(tables_.join(parts[2]));
    if (question.is(4, "api", "table")) return act(parts[2], parts[3], question.body);
    return std::nullopt;
}

std::optional<Answer> TablesHandler::act(const std::string& chair, const std::string& what,
                                         const nlohmann::json& body) {
    const auto ply = [&] { return body.at("ply").get<std::size_t>(); };
    const auto text = [&](const char* name) { return body.at(name).get<std::string>(); };
    Json answered = Json::object();
    if (what == "move")
        tables_.move(chair, ply(), text("move"));
    else if (what == "resign")
        tables_.resign(chair);
    else if (what == "undo")
        tables_.undo(chair);
    else if (what == "redo")
        tables_.redo(chair);
    else if (what == "hash")
        tables_.give_hash(chair, text("hash"));
    else if (what == "share")
        tables_.give_share(chair, text("share"));
    else if (what == "leave")
        tables_.leave(chair, body.value("agent", ""));
    else if (what == "back")
        tables_.back(chair);
    else if (what == "here")
        tables_.here(chair);
    else if (what == "hurry")
        tables_.hurry(chair);
    else if (what == "pace")
        tables_.set_pace(chair, body.at("ms").get<std::uint32_t>());
    else if (what == "again")
        tables_.again(chair, body.at("same_deal").get<bool>(), body.at("on").get<std::size_t>());
    else if (what == "hint")
        answered = tables_.hint(chair, ply(), body.value("agent", ""));
    else if (what == "why")
        answered = tables_.why(chair, text("move"));
    else
        return std::nullopt;
    return answer_json(answered);
}

} // namespace croupier::serve
