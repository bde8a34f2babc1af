// Handlers over HTTP: requests are let in or not, put to a handler, answered. README.md lists the
// addresses.
#pragma once

#include "agents/registry.h"
#include "tournaments/serve/route_handler.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace croupier::serve {

// How much the server takes from its clients.
struct ConnectionLimits {
    std::size_t connections = 128;
    std::chrono::milliseconds request{10'000}; // for a whole request, from its first byte
    std::chrono::milliseconds idle{15'000};    // between two requests
    std::chrono::milliseconds write{10'000};   // for a piece of an answer
    std::size_t request_bytes = 600 * 1024;    // head and body
    std::size_t body_bytes = 512 * 1024;       // a ruleset and a state
    std::size_t requests = 1000;               // of one connection
};

struct HttpSettings {
    std::string host = "127.0.0.1";  // the address to listen at
    std::string token = {};          // who may lay tables; empty: whoever reaches the host
    std::string key = {};            // pages show it when they change anything
    std::vector<std::string> names = // that this server has in addresses, besides `host`; with a
                                     // token it may have any
        {"localhost", "127.0.0.1", "[::1]"};
    ConnectionLimits limits = {};
    double posts_per_second = 40; // of all clients together
};

class HttpServer {
  public:
    // The clock and the handlers outlive it.
    HttpServer(HttpSettings settings, const agents::Clock& clock,
               std::vector<RouteHandler*> handlers);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    // 0: any port. Returns the port, or 0 if it is not available.
    int bind(int port);
    // Serves until `stop`, which another thread calls.
    void serve();
    void stop();

  private:
    class Server; // the library's takes long to compile wherever it is included
    std::unique_ptr<Server> server_;
};

} // namespace croupier::serve
