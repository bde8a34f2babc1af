// Who may ask this server at all: friends, not pages of other sites, and not too much at once.
#pragma once

#include "agents/registry.h"
#include "tournaments/serve/limits.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace httplib {
struct Request;
}

namespace croupier::serve {

struct HttpSettings {
    std::string host = "127.0.0.1";  // the address to listen at
    std::string token = {};          // who may lay tables; empty: whoever reaches the host
    std::string key = {};            // pages show it when they change anything
    std::vector<std::string> names = // that this server has in addresses, besides `host`; with a
                                     // token it may have any
        {"localhost", "127.0.0.1", "[::1]"};
    CrowdLimits limits = {};
    double posts_per_second = 40; // of all clients together
};

class Gate {
  public:
    Gate(HttpSettings settings, const agents::Clock& clock);

    [[nodiscard]] const HttpSettings& settings() const { return settings_; }
    void set_port(int port) { port_ = port; }

    struct No {
        int status;
        std::string_view what;
    };
    // Why nobody may ask that; nothing: it may be asked.
    std::optional<No> refuse(const httplib::Request& request);
    // It has the token, if one is demanded.
    [[nodiscard]] bool trusts(const httplib::Request& request) const;
    // The cookie for who has opened the address with the token; nothing: he has not.
    [[nodiscard]] std::optional<std::string> cookie_for(const httplib::Request& request) const;

  private:
    [[nodiscard]] bool is_own_host(std::string_view host) const;
    bool takes_post();

    const HttpSettings settings_;
    const agents::Clock& clock_;
    int port_ = 0;
    std::mutex mutex_; // of what follows
    double allowance_;
    std::chrono::nanoseconds allowed_at_;
};

} // namespace croupier::serve
