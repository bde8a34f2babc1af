// Desks over HTTP: requests are let in or not, put to a desk, answered. README.md lists the
// addresses.
#pragma once

#include "agents/registry.h"
#include "tournaments/serve/desk.h"
#include "tournaments/serve/gate.h"

#include <memory>
#include <vector>

namespace croupier::serve {

class HttpServer {
  public:
    // The clock and the desks outlive it.
    HttpServer(HttpSettings settings, const agents::Clock& clock, std::vector<Desk*> desks);
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
