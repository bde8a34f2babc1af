// Reads requests by the library, puts them to the desks, writes what they answer.
#include "tournaments/serve/http.h"

#include "tournaments/serve/assets.h"
#include "tournaments/serve/crowd.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <string_view>
#include <thread>
#include <utility>

namespace croupier::serve {
namespace {

using httplib::Request;
using httplib::Response;
using Json = nlohmann::ordered_json;
using Why = Refused::Why;

constexpr std::chrono::milliseconds kHeartbeat{15'000};
constexpr std::chrono::milliseconds kPiece{100}; // how long nobody looks whether a page has gone

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void answer_error(Response& response, int status, std::string_view what) {
    response.status = status;
    response.set_content(text_of({{"error", what}}), "application/json");
}

int status_of(Why why) {
    switch (why) {
    case Why::Wrong:
        return 400;
    case Why::Stranger:
        return 401;
    case Why::Unknown:
        return 404;
    case Why::Stale:
        return 409;
    case Why::Busy:
        break;
    }
    return 503;
}

// What is in an address of ours: secrets, and names, which may be those of any folder with a run.
bool is_name(std::string_view part) {
    return !part.empty() && part != "." && part != ".." &&
           std::none_of(part.begin(), part.end(),
                        [](unsigned char letter) { return std::iscntrl(letter) != 0; });
}

// "a/b/c" as parts; nothing if there are more than there may be, or one is not a name.
std::optional<std::vector<std::string>> parts_of(std::string_view path) {
    constexpr std::size_t kMost = 4;
    std::vector<std::string> parts;
    while (!path.empty() && path.front() == '/') {
        path.remove_prefix(1);
        const std::string_view part = path.substr(0, path.find('/'));
        if (part.empty() && path.empty()) break;
        parts.emplace_back(part);
        path.remove_prefix(part.size());
        if (parts.size() > kMost || !is_name(part)) return std::nullopt;
    }
    return parts;
}

} // namespace

Answer answer_json(const Json& json) {
    return {.body = text_of(json)};
}

Answer answer_asset(std::string_view name) {
    const Asset& page = *asset(name);
    return {.type = std::string(page.type), .body = std::string(page.text)};
}

class HttpServer::Server : private httplib::Server {
  public:
    Server(HttpSettings settings, const agents::Clock& clock, std::vector<Desk*> desks);

    int bind(int port);
    void serve();
    void stop();

  private:
    bool process_and_close_socket(socket_t socket) override;
    void put(const Request& request, Response& response);
    [[nodiscard]] std::optional<Answer> asked(const Request& request);
    void give(Answer answer, Response& response);
    void stream(const std::shared_ptr<Events>& events, Response& response);

    Gate gate_;
    const agents::Clock& clock_;
    const std::vector<Desk*> desks_;
    Crowd* crowd_ = nullptr; // the server's
    std::atomic<bool> stopped_ = false;
    std::atomic<bool> ended_ = false;
};

HttpServer::Server::Server(HttpSettings settings, const agents::Clock& clock,
                           std::vector<Desk*> desks)
    : gate_(std::move(settings), clock), clock_(clock), desks_(std::move(desks)) {
    new_task_queue = [this] {
        crowd_ = new Crowd(clock_, gate_.settings().limits.connections); // the library deletes it
        return crowd_;
    };
    set_tcp_nodelay(true);
    set_default_headers({{"X-Content-Type-Options", "nosniff"},
                         {"X-Frame-Options", "DENY"},
                         {"Referrer-Policy", "no-referrer"},
                         {"Cross-Origin-Resource-Policy", "same-origin"},
                         {"Cross-Origin-Opener-Policy", "same-origin"},
                         {"Cache-Control", "no-store"}});
    set_pre_routing_handler([this](const Request& request, Response& response) {
        const auto no = gate_.refuse(request);
        if (!no) return HandlerResponse::Unhandled;
        answer_error(response, no->status, no->what);
        response.set_header("Content-Security-Policy", kPolicy);
        return HandlerResponse::Handled;
    });
    // A page of another site chooses the body that it sends. If a byte of it were left unread and
    // the connection open, it would be the next request, with a head of that page's choice. So a
    // connection stays open only after a request without a body that was answered well.
    set_post_routing_handler([](const Request& request, Response& response) {
        const bool bare = !request.has_header("Content-Length") &&
                          !request.has_header("Transfer-Encoding") && request.method != "POST";
        if (bare && response.status < 400) return;
        Guarded::current()->end_requests();
        response.headers.erase("Keep-Alive");
        response.headers.erase("Connection");
        response.set_header("Connection", "close");
    });
    const auto handler = [this](const Request& request, Response& response) {
        put(request, response);
    };
    Get("/.*", handler);
    Post("/.*", handler);
}

int HttpServer::Server::bind(int port) {
    // Not the library's default, with which two servers could share a port.
    set_socket_options([](socket_t socket) {
        const int yes = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    const std::string& host = gate_.settings().host;
    int bound = port;
    if (port == 0)
        bound = bind_to_any_port(host);
    else if (!bind_to_port(host, port))
        bound = 0;
    // The library lets five wait to be accepted; a sixth would try again after a second.
    if (bound > 0) ::listen(svr_sock_, SOMAXCONN);
    gate_.set_port(std::max(bound, 0));
    return std::max(bound, 0);
}

void HttpServer::Server::serve() {
    listen_after_bind();
    ended_ = true;
}

void HttpServer::Server::stop() {
    stopped_ = true;
    for (Desk* const desk : desks_)
        desk->stop();
    // The library does not hear of it before it has begun.
    while (!is_running() && !ended_)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    httplib::Server::stop();
}

bool HttpServer::Server::process_and_close_socket(socket_t socket) {
    const CrowdLimits& limits = gate_.settings().limits;
    bool good = true;
    {
        Guarded stream(socket, clock_, limits, *crowd_);
        for (std::size_t left = limits.requests; left > 0 && good; --left) {
            if (svr_sock_ == INVALID_SOCKET || !stream.next_request()) break;
            bool closed = false;
            good = process_request(stream, left == 1, closed, nullptr) && !closed;
        }
        stream.hear_out();
    }
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    return good;
}

// What goes wrong in a request is told to who asked, and to nobody else.
void HttpServer::Server::put(const Request& request, Response& response) {
    try {
        if (const auto cookie = gate_.cookie_for(request)) {
            response.set_header("Set-Cookie", *cookie);
            response.set_redirect("/", 303);
        } else if (auto answer = asked(request)) {
            give(std::move(*answer), response);
        } else {
            answer_error(response, 404, "There is no such page.");
        }
    } catch (const Refused& refused) {
        answer_error(response, status_of(refused.why), refused.what());
    } catch (const nlohmann::json::exception&) {
        answer_error(response, 400, "That cannot be understood.");
    }
    if (!response.has_header("Content-Security-Policy"))
        response.set_header("Content-Security-Policy", kPolicy);
}

std::optional<Answer> HttpServer::Server::asked(const Request& request) {
    auto parts = parts_of(request.path);
    if (!parts) return std::nullopt;
    Question question{
        .parts = std::move(*parts),
        .parameter = [&request](const char* name) { return request.get_param_value(name); },
        .trusted = gate_.trusts(request)};
    if (question.is(2, "assets") && asset(question.parts[1]) != nullptr)
        return answer_asset(question.parts[1]);
    if (question.is(2, "api", "key")) return answer_json({{"key", gate_.settings().key}});
    const bool posts = request.method == "POST";
    if (posts) {
        if (!question.is(2, "api") && !question.is(3, "api") && !question.is(4, "api"))
            return std::nullopt;
        question.body = nlohmann::json::parse(request.body);
        if (!question.body.is_object()) throw Refused(Why::Wrong, "That cannot be understood.");
    }
    for (Desk* const desk : desks_)
        if (auto answer = posts ? desk->post(question) : desk->get(question)) return answer;
    question.must_be_trusted();
    return std::nullopt;
}

void HttpServer::Server::give(Answer answer, Response& response) {
    if (answer.events != nullptr) return stream(answer.events, response);
    response.status = answer.status;
    if (!answer.saved_as.empty())
        response.set_header("Content-Disposition",
                            fmt::format("attachment; filename=\"{}\"", answer.saved_as));
    if (!answer.policy.empty()) response.set_header("Content-Security-Policy", answer.policy);
    response.set_content(answer.body, answer.type);
}

// Each event as soon as it is there, for as long as the page is open.
void HttpServer::Server::stream(const std::shared_ptr<Events>& events, Response& response) {
    response.set_chunked_content_provider(
        "text/event-stream", [this, events](std::size_t, httplib::DataSink& sink) {
            Guarded::current()->set(Crowd::At::Streams);
            std::string text = ": still here\n\n";
            try {
                for (std::chrono::milliseconds waited{0}; waited < kHeartbeat; waited += kPiece) {
                    if (stopped_ || !sink.is_writable()) return false;
                    if (const auto data = events->next(kPiece)) {
                        text = "data: " + *data + "\n\n";
                        break;
                    }
                }
            } catch (const Refused&) { // there is nothing to be told of any more
                return false;
            }
            return sink.write(text.data(), text.size());
        });
}

// ---- what others see of it ----------------------------------------------------------------------

HttpServer::HttpServer(HttpSettings settings, const agents::Clock& clock, std::vector<Desk*> desks)
    : server_(std::make_unique<Server>(std::move(settings), clock, std::move(desks))) {}

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
