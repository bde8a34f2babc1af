// A part of the server with its own addresses: requests and answers, without HTTP.
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
    std::function<std::string(const char* name)> parameter; // of the address; empty if missing
    nlohmann::json body = nullptr;                          // the posted object
    bool trusted = false;                                   // the client sent the token

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

// The state of something that changes, for a page, with its version.
struct Snapshot {
    std::uint64_t version = 0;
    std::shared_ptr<const std::string> json;
};

// A stream of events for a page. Used by one thread.
class Events {
  public:
    Events() = default;
    virtual ~Events() = default;
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
    // The next event; nothing if there is none within `most`. Throws Refused if no more will come.
    virtual std::optional<std::string> next(std::chrono::milliseconds most) = 0;
};

struct Answer {
    int status = 200;
    std::string type = "application/json";
    std::string body = {};
    std::string saved_as = {}; // offered as a file of that name
    std::string policy = {};   // content security policy, in place of the default
    std::shared_ptr<Events> events = nullptr;
};
Answer answer_json(const nlohmann::ordered_json& json);
// A file of assets/.
Answer answer_asset(std::string_view name);

// Threads share it. Its calls throw Refused, or exceptions of nlohmann::json for invalid JSON.
class RouteHandler {
  public:
    RouteHandler() = default;
    virtual ~RouteHandler() = default;
    RouteHandler(const RouteHandler&) = delete;
    RouteHandler& operator=(const RouteHandler&) = delete;

    // Nothing if the address is not one of its own.
    virtual std::optional<Answer> get(const Question& question) = 0;
    virtual std::optional<Answer> post(const Question& question) = 0;
    // The server is about to end: no call waits any longer.
    virtual void stop() = 0;
};

} // namespace croupier::serve
