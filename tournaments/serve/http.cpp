// Checks requests, finds out what they are about, answers.
#include "tournaments/serve/http.h"

#include "tournaments/serve/assets.h"
#include "tournaments/serve/crowd.h"
#include "tournaments/serve/refused.h"

#include <fmt/format.h>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace croupier::serve {
namespace {

using httplib::Request;
using httplib::Response;
using Json = nlohmann::ordered_json;
using Why = Refused::Why;

constexpr std::size_t kMostPath = 200;
constexpr std::size_t kMostBody = 64 * 1024;
constexpr std::chrono::milliseconds kHeartbeat{15'000};
constexpr std::string_view kCookie = "croupier=";

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void answer(Response& response, int status, const Json& json) {
    response.status = status;
    response.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace),
                         "application/json");
}

void answer_error(Response& response, int status, std::string_view what) {
    answer(response, status, {{"error", what}});
}

int status_of(Why why) {
    switch (why) {
    case Why::Wrong:
        return 400;
    case Why::Unknown:
        return 404;
    case Why::Stale:
        return 409;
    case Why::Busy:
        break;
    }
    return 503;
}

void show(Response& response, std::string_view name) {
    const Asset& page = *asset(name);
    response.set_content(page.text.data(), page.text.size(), std::string(page.type));
}

// "a/b/c" as parts; more than there may be: none.
std::vector<std::string_view> parts_of(std::string_view path) {
    constexpr std::size_t kMost = 4;
    std::vector<std::string_view> parts;
    while (!path.empty() && path.front() == '/') {
        path.remove_prefix(1);
        const std::string_view part = path.substr(0, path.find('/'));
        if (part.empty() && path.empty()) break;
        parts.push_back(part);
        path.remove_prefix(part.size());
        if (parts.size() > kMost) return {"?"};
    }
    return parts;
}

// What is in an address of ours: names and secrets.
bool is_word(std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](unsigned char letter) {
        return std::isalnum(letter) != 0 || letter == '.' || letter == '-' || letter == '_';
    });
}

std::string lower(std::string_view text) {
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return made;
}

// Takes as long for any wrong text of that length.
bool same_secret(std::string_view a, std::string_view b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

} // namespace

class HttpServer::Server : private httplib::Server {
  public:
    // All of them outlive it.
    Server(HttpSettings settings, const agents::Clock& clock, const Catalogue& catalogue,
           Tables& tables);

    // 0: any port. Returns the port, or 0 if it cannot be had.
    int bind(int port);
    // Serves until `stop`, which another thread calls.
    void serve();
    void stop();

  private:
    using Request = httplib::Request;
    using Response = httplib::Response;

    bool process_and_close_socket(socket_t socket) override;
    // Answers requests that nobody may make; false: it may be made.
    bool refuse(const Request& request, Response& response);
    [[nodiscard]] bool is_own_host(std::string_view host) const;
    [[nodiscard]] bool is_own_origin(std::string_view origin) const;
    [[nodiscard]] bool has_token(const Request& request) const;
    [[nodiscard]] bool takes_post();

    void get(const Request& request, Response& response);
    void post(const Request& request, Response& response);
    void get_table(std::string_view chair, std::string_view what, Response& response);
    void post_table(std::string_view chair, std::string_view what, const nlohmann::json& body,
                    Response& response);
    void stream(const std::string& chair, Response& response);
    void games_list(Response& response) const;
    void game_facts(const Request& request, Response& response) const;

    const HttpSettings settings_;
    const agents::Clock& clock_;
    const Catalogue& catalogue_;
    Tables& tables_;
    Crowd* crowd_ = nullptr; // the server's
    int port_ = 0;
    std::atomic<bool> ended_ = false;
    std::mutex allowance_mutex_;
    double allowance_ = 0;
    std::chrono::nanoseconds allowed_at_{0};
};

HttpServer::Server::Server(HttpSettings settings, const agents::Clock& clock,
                           const Catalogue& catalogue, Tables& tables)
    : settings_(std::move(settings)), clock_(clock), catalogue_(catalogue), tables_(tables),
      allowance_(settings_.posts_per_second), allowed_at_(clock.now()) {
    new_task_queue = [this] {
        crowd_ = new Crowd(clock_, settings_.limits.connections); // the library deletes it
        return crowd_;
    };
    set_tcp_nodelay(true);
    set_payload_max_length(kMostBody);
    set_default_headers({{"Content-Security-Policy", kPolicy},
                         {"X-Content-Type-Options", "nosniff"},
                         {"X-Frame-Options", "DENY"},
                         {"Referrer-Policy", "no-referrer"},
                         {"Cross-Origin-Resource-Policy", "same-origin"},
                         {"Cross-Origin-Opener-Policy", "same-origin"},
                         {"Cache-Control", "no-store"}});
    set_pre_routing_handler([this](const Request& request, Response& response) {
        return refuse(request, response) ? HandlerResponse::Handled : HandlerResponse::Unhandled;
    });
    // What goes wrong in a request is told to who asked, and to nobody else.
    const auto guarded = [](const auto& handler, Response& response) {
        Guarded::current()->set(Crowd::At::Served);
        try {
            handler();
        } catch (const Refused& refused) {
            answer_error(response, status_of(refused.why), refused.what());
        } catch (const nlohmann::json::exception&) {
            answer_error(response, 400, "That cannot be understood.");
        }
    };
    Get("/.*", [this, guarded](const Request& request, Response& response) {
        guarded([&] { get(request, response); }, response);
    });
    Post("/.*", [this, guarded](const Request& request, Response& response) {
        guarded([&] { post(request, response); }, response);
    });
}

int HttpServer::Server::bind(int port) {
    // Not the library's default, with which two servers could share a port.
    set_socket_options([](socket_t socket) {
        const int yes = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    if (port == 0)
        port_ = bind_to_any_port(settings_.host);
    else
        port_ = bind_to_port(settings_.host, port) ? port : 0;
    return std::max(port_, 0);
}

void HttpServer::Server::serve() {
    listen_after_bind();
    ended_ = true;
}

void HttpServer::Server::stop() {
    tables_.stop();
    // The library does not hear of it before it has begun.
    while (!is_running() && !ended_)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    httplib::Server::stop();
}

bool HttpServer::Server::process_and_close_socket(socket_t socket) {
    bool good = true;
    {
        Guarded stream(socket, clock_, settings_.limits, *crowd_);
        for (std::size_t left = settings_.limits.requests; left > 0 && good; --left) {
            if (svr_sock_ == INVALID_SOCKET || !stream.next_request()) break;
            bool closed = false;
            good = process_request(stream, left == 1, closed, nullptr) && !closed;
        }
    }
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    return good;
}

// ---- who may ask --------------------------------------------------------------------------------

bool HttpServer::Server::is_own_host(std::string_view host) const {
    const std::string wanted = lower(host);
    const auto is = [&](const std::string& name) {
        return wanted == fmt::format("{}:{}", name, port_) || (port_ == 80 && wanted == name);
    };
    return is(settings_.host) || std::any_of(settings_.names.begin(), settings_.names.end(), is);
}

bool HttpServer::Server::is_own_origin(std::string_view origin) const {
    constexpr std::string_view kScheme = "http://";
    return origin.starts_with(kScheme) && is_own_host(origin.substr(kScheme.size()));
}

bool HttpServer::Server::has_token(const Request& request) const {
    if (settings_.token.empty()) return true;
    const std::string cookies = request.get_header_value("Cookie");
    for (std::size_t at = 0; at < cookies.size();) {
        const std::size_t end = std::min(cookies.find(';', at), cookies.size());
        std::string_view cookie = std::string_view(cookies).substr(at, end - at);
        while (cookie.starts_with(' '))
            cookie.remove_prefix(1);
        if (cookie.starts_with(kCookie) &&
            same_secret(cookie.substr(kCookie.size()), settings_.token))
            return true;
        at = end + 1;
    }
    return false;
}

// So many in a second, of which some may be saved up.
bool HttpServer::Server::takes_post() {
    const std::lock_guard lock(allowance_mutex_);
    const auto now = clock_.now();
    const double seconds = std::chrono::duration<double>(now - allowed_at_).count();
    allowed_at_ = now;
    allowance_ =
        std::min(allowance_ + seconds * settings_.posts_per_second, 2 * settings_.posts_per_second);
    if (allowance_ < 1) return false;
    --allowance_;
    return true;
}

bool HttpServer::Server::refuse(const Request& request, Response& response) {
    const auto no = [&](int status, std::string_view what) {
        answer_error(response, status, what);
        response.set_header("Connection", "close"); // a body that nobody reads may follow
        return true;
    };
    // A name that leads here though it is none of ours: somebody's page pretends that we are its
    // server (DNS rebinding).
    if (request.get_header_value_count("Host") != 1 ||
        !is_own_host(request.get_header_value("Host")))
        return no(403, "This address is not the one that croupier serve has printed.");
    // Another site's page asks in its reader's name.
    if (request.has_header("Origin") && !is_own_origin(request.get_header_value("Origin")))
        return no(403, "A page of another site may not ask this.");
    const std::string from = request.get_header_value("Sec-Fetch-Site");
    const bool opens = request.get_header_value("Sec-Fetch-Mode") == "navigate";
    if ((from == "cross-site" || from == "same-site") && !opens)
        return no(403, "A page of another site may not ask this.");
    if (request.path.size() > kMostPath) return no(414, "There is no such page.");
    if (request.method != "GET" && request.method != "HEAD" && request.method != "POST")
        return no(405, "Nothing here takes that method.");
    // Small bodies that become large ones, small requests for large answers.
    if (request.has_header("Content-Encoding")) return no(415, "What is sent here is JSON.");
    if (request.has_header("Range")) return no(400, "Parts of pages cannot be had.");
    if (request.method != "POST") return false;
    if (request.get_header_value("Content-Type") != "application/json")
        return no(415, "What is sent here is JSON.");
    if (!takes_post()) return no(429, "Too much is asked at once; try again in a second.");
    return false;
}

// ---- what is asked ------------------------------------------------------------------------------

void HttpServer::Server::get(const Request& request, Response& response) {
    const std::vector<std::string_view> parts = parts_of(request.path);
    const auto is = [&](std::size_t count, std::string_view first) {
        return parts.size() == count && parts[0] == first;
    };
    if (!std::all_of(parts.begin(), parts.end(), is_word))
        return answer_error(response, 404, "There is no such page.");
    if (is(2, "assets") && asset(parts[1]) != nullptr) return show(response, parts[1]);
    // The page asks for the rest by its own address.
    if (is(2, "table")) return show(response, "table.html");
    if (is(2, "join")) return show(response, "join.html");
    if (parts.size() >= 3 && parts[0] == "api" && parts[1] == "table")
        return get_table(parts[2], parts.size() == 4 ? parts[3] : "", response);
    if (parts.empty() && request.has_param("token") &&
        same_secret(request.get_param_value("token"), settings_.token) &&
        !settings_.token.empty()) {
        response.set_header("Set-Cookie", fmt::format("{}{}; HttpOnly; SameSite=Strict; Path=/",
                                                      kCookie, settings_.token));
        response.set_redirect("/", 303);
        return;
    }
    if (!has_token(request))
        return answer_error(response, 401,
                            "Open the address that croupier serve has printed, token and all.");
    if (parts.empty()) return show(response, "home.html");
    if (parts.size() == 2 && parts[0] == "api" && parts[1] == "games") return games_list(response);
    if (parts.size() == 2 && parts[0] == "api" && parts[1] == "game")
        return game_facts(request, response);
    answer_error(response, 404, "There is no such page.");
}

void HttpServer::Server::games_list(Response& response) const {
    Json games = Json::array();
    for (const Catalogue::Entry& entry : catalogue_.entries())
        games.push_back({{"id", entry.id}, {"own", entry.own}});
    answer(response, 200, {{"games", std::move(games)}});
}

void HttpServer::Server::game_facts(const Request& request, Response& response) const {
    const auto entry = catalogue_.find(request.get_param_value("id"));
    if (!entry) throw Refused(Why::Unknown, "There is no such game.");
    const auto game = catalogue_.open(entry->name, {});
    Json facts = facts_json(*game);
    facts["agents"] = tables_.agents_for(*game);
    answer(response, 200, facts);
}

void HttpServer::Server::get_table(std::string_view chair, std::string_view what,
                                   Response& response) {
    if (what.empty()) {
        const Tables::Seen seen = tables_.look(chair);
        response.set_content(*seen.json, "application/json");
    } else if (what == "events") {
        stream(std::string(chair), response);
    } else if (what == "record") {
        response.set_header("Content-Disposition", "attachment; filename=\"game.jsonl\"");
        response.set_content(tables_.record(chair), "application/jsonl");
    } else {
        answer_error(response, 404, "There is no such page.");
    }
}

// Each state of the table, as soon as it is there, for as long as the page is open.
void HttpServer::Server::stream(const std::string& chair, Response& response) {
    const Tables::Seen first = tables_.look(chair);
    response.set_chunked_content_provider(
        "text/event-stream", [this, chair, next = first, told = std::uint64_t{0}](
                                 std::size_t, httplib::DataSink& sink) mutable {
            std::string text;
            if (next.version != told) {
                text = "data: " + *next.json + "\n\n";
                told = next.version;
            } else {
                text = ": still here\n\n";
            }
            if (!sink.write(text.data(), text.size())) return false;
            Guarded::current()->set(Crowd::At::Streams);
            try {
                // Not for longer than a page that has gone is noticed.
                for (std::chrono::milliseconds waited{0}; waited < kHeartbeat;
                     waited += std::chrono::milliseconds(500)) {
                    if (tables_.stopped() || !sink.is_writable()) return false;
                    if (!tables_.wait(chair, told, std::chrono::milliseconds(500))) continue;
                    next = tables_.look(chair);
                    break;
                }
            } catch (const Refused&) { // the table is gone
                return false;
            }
            return true;
        });
}

void HttpServer::Server::post(const Request& request, Response& response) {
    const std::vector<std::string_view> parts = parts_of(request.path);
    if (!std::all_of(parts.begin(), parts.end(), is_word) || parts.size() < 2 || parts[0] != "api")
        return answer_error(response, 404, "There is no such page.");
    const nlohmann::json body = nlohmann::json::parse(request.body);
    if (!body.is_object()) return answer_error(response, 400, "That cannot be understood.");
    if (parts.size() == 2 && parts[1] == "tables") {
        if (!has_token(request)) return answer_error(response, 401, "Only with the token.");
        return answer(response, 200, tables_.lay(body));
    }
    if (parts.size() == 3 && parts[1] == "join")
        return answer(response, 200, tables_.join(parts[2]));
    if (parts.size() == 4 && parts[1] == "table")
        return post_table(parts[2], parts[3], body, response);
    answer_error(response, 404, "There is no such page.");
}

void HttpServer::Server::post_table(std::string_view chair, std::string_view what,
                                    const nlohmann::json& body, Response& response) {
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
    else if (what == "pace")
        tables_.set_pace(chair, body.at("ms").get<std::uint32_t>());
    else if (what == "again")
        tables_.again(chair, body.at("same_deal").get<bool>(), body.at("on").get<std::size_t>());
    else if (what == "hint")
        answered = tables_.hint(chair, ply(), body.value("agent", ""));
    else if (what == "why")
        answered = tables_.why(chair, text("move"));
    else
        return answer_error(response, 404, "There is no such page.");
    answer(response, 200, answered);
}

// ---- what others see of it ----------------------------------------------------------------------

HttpServer::HttpServer(HttpSettings settings, const agents::Clock& clock,
                       const Catalogue& catalogue, Tables& tables)
    : server_(std::make_unique<Server>(std::move(settings), clock, catalogue, tables)) {}

HttpServer::~HttpServer() = default;

int HttpServer::bind(int port) {
    return server_->bind(port);
}

void HttpServer::serve() {
    server_->serve();
}

void HttpServer::stop() {
    server_->stop();
}

} // namespace croupier::serve
