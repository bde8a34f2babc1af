// Serves handlers over HTTP: checks requests, passes them to a handler, and answers. README.md
// lists the addresses.
#pragma once

#include "agents/registry.h"
#include "tournaments/serve/route_handler.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace croupier::serve {

// Limits for clients.
struct ConnectionLimits {
    std::size_t connections = 128;
    std::chrono::milliseconds request{10'000}; // for a whole request, from its first byte
    std::chrono::milliseconds idle{15'000};    // between two requests
    std::chrono::milliseconds write{10'000};   // for a part of an answer
    std::size_t request_bytes = 600 * 1024;    // head and body
    std::size_t body_bytes = 512 * 1024;       // for a ruleset and a state
    std::size_t requests = 1000;               // per connection
};

struct HttpSettings {
    std::string host = "127.0.0.1";  // the address to listen at
    std::string token = {};          // needed to create tables; if empty, any client may
    std::string key = {};            // sent by pages with every change
    std::vector<std::string> names = // that this server has in addresses, besides `host`; with a
                                     // token it may have any
        {"localhost", "127.0.0.1", "[::1]"};
    ConnectionLimits limits = {};
    double posts_per_second = 40; // for all clients together
};

class HttpServer {
  public:
    // The clock and the handlers outlive it.
    HttpServer(HttpSettings settings, const agents::Clock& clock,
               std::vector<RouteHandler*> handlers);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    // With 0 binds any port. Returns the port, or 0 if it is not available.
    int bind(int port);
    // Serves until `stop`, which is called by another thread.
    void serve();
    void stop();

  private:
    class Server; // the library's header is slow to compile
    std::unique_ptr<Server> server_;
};

} // namespace croupier::serve
