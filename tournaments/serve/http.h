// Tables over HTTP: who may ask, what for, and how much. README.md lists the addresses.
#pragma once

#include "agents/registry.h"
#include "tournaments/serve/catalogue.h"
#include "tournaments/serve/limits.h"
#include "tournaments/serve/tables.h"

#include <memory>
#include <string>
#include <vector>

namespace croupier::serve {

struct HttpSettings {
    std::string host = "127.0.0.1";  // the address to listen at
    std::string token = {};          // who may lay tables; empty: whoever reaches the host
    std::vector<std::string> names = // that this server has in addresses, besides `host`
        {"localhost", "127.0.0.1", "[::1]"};
    CrowdLimits limits = {};
    double posts_per_second = 40; // of all clients together
};

class HttpServer {
  public:
    // All of them outlive it.
    HttpServer(HttpSettings settings, const agents::Clock& clock, const Catalogue& catalogue,
               Tables& tables);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    // 0: any port. Returns the port, or 0 if it cannot be had.
    int bind(int port);
    // Serves until `stop`, which another thread calls.
    void serve();
    void stop();

  private:
    class Server; // the library's takes long to compile wherever it is included
    std::unique_ptr<Server> server_;
};

} // namespace croupier::serve
