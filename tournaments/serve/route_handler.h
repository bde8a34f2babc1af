// A part of the server with addresses of its own: what it is asked, what it answers; no HTTP.
#pragma once

#include "tournaments/serve/refused.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::serve {

struct Question {
    std::vector<std::string> parts;                         // "api", "table", CHAIR
    std::function<std::string(const char* name)> parameter; // of the address; empty: none
    nlohmann::json body = nullptr;                          // of what is posted: an object
    bool trusted = false;                                   // whoever asks has the token

    [[nodiscard]] bool is(std::size_t count, std::string_view first,
                          std::string_view second = {}) const {
        return parts.size() == count && parts[0] == first &&
               (second.empty() || (count > 1 && parts[1] == second));
    }
    // Throws Refused.
    void must_be_trusted() const {
        if (!trusted)
            throw Refused(Refused::Reason::Stranger,
                          "Open the address that croupier serve has printed, token and all.");
    }
};

// What a page sees of something that changes, and the number of that state.
struct Snapshot {
    std::uint64_t version = 0;
    std::shared_ptr<const std::string> json;
};

// What a page is told as it comes to be. One thread uses it.
class Events {
  public:
    Events() = default;
    virtual ~Events() = default;
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
    // The next; nothing: there is none yet, after so long at most. Throws Refused: no more come.
    virtual std::optional<std::string> next(std::chrono::milliseconds most) = 0;
};

struct Answer {
    int status = 200;
    std::string type = "application/json";
    std::string body = {};
    std::string saved_as = {}; // a file of that name is offered
    std::string policy = {};   // of what the page may do, in place of the usual one
    std::shared_ptr<Events> events = nullptr;
};
Answer answer_json(const nlohmann::ordered_json& json);
// A file of assets/.
Answer answer_asset(std::string_view name);

// Threads share it. Its calls throw Refused, and what nlohmann::json throws for what is no good.
class RouteHandler {
  public:
    RouteHandler() = default;
    virtual ~RouteHandler() = default;
    RouteHandler(const RouteHandler&) = delete;
    RouteHandler& operator=(const RouteHandler&) = delete;

    // Nothing: the address is none of its own.
    virtual std::optional<Answer> get(const Question& question) = 0;
    virtual std::optional<Answer> post(const Question& question) = 0;
    // The server is about to end: nobody waits any longer.
    virtual void stop() = 0;
};

} // namespace croupier::serve
