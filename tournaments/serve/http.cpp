// Access control, connections with deadlines, and passing requests to handlers and their answers
// back.
#include "tournaments/serve/http.h"

#include "agents/registry.h"
#include "tournaments/serve/assets.h"

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace croupier::serve {

// The connections of a server: each has a thread, and none can delay the others.
//
// Their number is limited. While others wait for a place, the connection that has kept the server
// waiting longest is closed: new clients displace slow ones. Streams of events have half of the
// places.

class ConnectionPool : public httplib::TaskQueue {
  public:
    ConnectionPool(const agents::Clock& clock, std::size_t most);
    ~ConnectionPool() override;

    void enqueue(std::function<void()> serve) override;
    void shutdown() override;

    // The state of a connection, which it reports itself.
    enum class At : std::uint8_t {
        Waiting, // for its client to send or receive
        Streams, // events, for as long as the client wants
        Served,  // by the server
        Closing, // to make room
    };
    void enter(int socket); // it waits for a request
    void leave(int socket);
    void set(int socket, At at);

  private:
    struct Guest {
        At at = At::Served;
        std::chrono::nanoseconds since{0}; // when it last entered
    };
    void work();
    void make_room();
    [[nodiscard]] std::size_t count(At at) const;
    void close_oldest(At at);

    const agents::Clock& clock_;
    const std::size_t most_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<std::function<void()>> waiting_;
    std::map<int, Guest> guests_;
    std::size_t idle_ = 0; // threads
    bool stopped_ = false;
    std::vector<std::jthread> threads_;
};

// A connection with its own limits of time and size.
class TimedStream : public httplib::Stream {
  public:
    TimedStream(int socket, const agents::Clock& clock, const ConnectionLimits& limits,
                ConnectionPool& pool);
    ~TimedStream() override;
    TimedStream(const TimedStream&) = delete;
    TimedStream& operator=(const TimedStream&) = delete;

    // Waits for the first byte of the next request; false if none comes, or if the last one failed.
    bool next_request();
    // Accepts no further request on this connection: following bytes may be the rest of a body.
    void end_requests() { failed_ = true; }
    // Ends the answer, then discards input for a second: with unread bytes the kernel would reset
    // the connection, and the client might lose the answer.
    void hear_out();
    // The stream of this thread's request; null if there is none.
    static TimedStream* current();
    void set(ConnectionPool::At at) { pool_.set(socket_, at); }

    [[nodiscard]] bool is_readable() const override;
    [[nodiscard]] bool is_writable() const override;
    ssize_t read(char* into, std::size_t size) override;
    ssize_t write(const char* from, std::size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    [[nodiscard]] socket_t socket() const override { return socket_; }

  private:
    using Time = std::chrono::nanoseconds;
    // Waits until the socket is ready. After a moment, the connection may lose its place.
    [[nodiscard]] bool wait(short what, Time until) const;
    bool fill(Time until);

    const int socket_;
    const agents::Clock& clock_;
    const ConnectionLimits& limits_;
    ConnectionPool& pool_;
    std::vector<char> buffer_ = std::vector<char>(8192);
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t bytes_ = 0; // of the current request
    Time deadline_{0};      // of the current request
    bool failed_ = false;   // too late, too long or closed: the last request
};

// Decides which requests are accepted: not from pages of other sites, and not too many at once.
class RequestFilter {
  public:
    RequestFilter(HttpSettings settings, const agents::Clock& clock);

    [[nodiscard]] const HttpSettings& settings() const { return settings_; }
    void set_port(int port) { port_ = port; }

    struct No {
        int status;
        std::string_view what;
    };
    // The reason for a refusal; nothing if the request is accepted.
    std::optional<No> refuse(const httplib::Request& request);
    // Whether it has the token, if one is required.
    [[nodiscard]] bool trusts(const httplib::Request& request) const;
    // The cookie for a client that opened the address with the token; absent for others.
    [[nodiscard]] std::optional<std::string> cookie_for(const httplib::Request& request) const;

  private:
    [[nodiscard]] bool is_own_host(std::string_view host) const;
    bool takes_post();

    const HttpSettings settings_;
    const agents::Clock& clock_;
    int port_ = 0;
    std::mutex mutex_; // guards the members below
    double allowance_;
    std::chrono::nanoseconds allowed_at_;
};

namespace {

using httplib::Request;
using httplib::Response;
using Json = nlohmann::ordered_json;
using Reason = Refused::Reason;

thread_local TimedStream* at_hand = nullptr;

constexpr std::size_t kMaxPath = 200;
constexpr std::string_view kCookie = "croupier=";
constexpr const char* kKey = "X-Croupier-Key";
constexpr std::string_view kScheme = "http://";

std::string lower(std::string_view text) {
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return made;
}

// Constant-time comparison for equal lengths.
bool same_secret(std::string_view a, std::string_view b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

constexpr std::chrono::milliseconds kHeartbeat{15'000};
constexpr std::chrono::milliseconds kPiece{100}; // between checks whether a page has gone

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

int status_of(Reason reason) {
    switch (reason) {
    case Reason::Wrong:
        return 400;
    case Reason::Stranger:
        return 401;
    case Reason::Unknown:
        return 404;
    case Reason::Stale:
        return 409;
    case Reason::Busy:
        break;
    }
    return 503;
}

// Address parts: secrets, and names, which may be those of any folder with a run.
bool is_name(std::string_view part) {
    return !part.empty() && part != "." && part != ".." &&
           std::none_of(part.begin(), part.end(),
                        [](unsigned char letter) { return std::iscntrl(letter) != 0; });
}

// Splits "a/b/c" into parts; nothing if there are too many, or one is not a name.
std::optional<std::vector<std::string>> parts_of(std::string_view path) {
    constexpr std::size_t kMax = 4;
    std::vector<std::string> parts;
    while (!path.empty() && path.front() == '/') {
        path.remove_prefix(1);
        const std::string_view part = path.substr(0, path.find('/'));
        if (part.empty() && path.empty()) break;
        parts.emplace_back(part);
        path.remove_prefix(part.size());
        if (parts.size() > kMax || !is_name(part)) return std::nullopt;
    }
    return parts;
}

} // namespace

// ---- threads, places, deadlines -----------------------------------------------------------------

ConnectionPool::ConnectionPool(const agents::Clock& clock, std::size_t most)
    : clock_(clock), most_(most) {}

ConnectionPool::~ConnectionPool() {
    shutdown();
}

void ConnectionPool::enqueue(std::function<void()> serve) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(serve));
    if (waiting_.size() <= idle_)
        changed_.notify_one();
    else if (threads_.size() < most_)
        threads_.emplace_back([this] { work(); });
    else
        make_room();
}

std::size_t ConnectionPool::count(At at) const {
    return static_cast<std::size_t>(std::count_if(
        guests_.begin(), guests_.end(), [at](const auto& each) { return each.second.at == at; }));
}

// The connection's thread notices that it is closed, and takes the next.
void ConnectionPool::close_oldest(At at) {
    Guest* oldest = nullptr;
    int socket = -1;
    for (auto& [its, guest] : guests_)
        if (guest.at == at && (oldest == nullptr || guest.since < oldest->since)) {
            oldest = &guest;
            socket = its;
        }
    if (oldest == nullptr) return;
    ::shutdown(socket, SHUT_RDWR);
    oldest->at = At::Closing;
}

// Closes as many connections as wait for a place. Streams beyond their half go first: pages reopen
// theirs. Requests being served end soon.
void ConnectionPool::make_room() {
    for (std::size_t streams = count(At::Streams); streams > std::max<std::size_t>(most_ / 2, 1);
         --streams)
        close_oldest(At::Streams);
    if (threads_.size() < most_) return;
    for (std::size_t closing = count(At::Closing);
         closing + idle_ < waiting_.size() && count(At::Waiting) > 0; ++closing)
        close_oldest(At::Waiting);
}

void ConnectionPool::shutdown() {
    std::vector<std::jthread> threads;
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        for (const auto& [socket, guest] : guests_)
            ::shutdown(socket, guest.at == At::Served ? SHUT_RD : SHUT_RDWR);
        changed_.notify_all();
        threads.swap(threads_);
    }
}

void ConnectionPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        changed_.wait(lock, [&] { return stopped_ || !waiting_.empty(); });
        --idle_;
        if (waiting_.empty()) return;
        const std::function<void()> serve = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        serve();
        lock.lock();
    }
}

void ConnectionPool::enter(int socket) {
    const std::lock_guard lock(mutex_);
    guests_[socket] = {At::Served, clock_.now()};
    if (stopped_) ::shutdown(socket, SHUT_RDWR);
}

void ConnectionPool::leave(int socket) {
    const std::lock_guard lock(mutex_);
    guests_.erase(socket);
}

void ConnectionPool::set(int socket, At at) {
    const std::lock_guard lock(mutex_);
    Guest& guest = guests_[socket];
    if (guest.at == At::Closing) return;
    guest.at = at;
    make_room();
}

// ---- one connection -----------------------------------------------------------------------------

TimedStream* TimedStream::current() {
    return at_hand;
}

TimedStream::TimedStream(int socket, const agents::Clock& clock, const ConnectionLimits& limits,
                         ConnectionPool& pool)
    : socket_(socket), clock_(clock), limits_(limits), pool_(pool) {
    pool_.enter(socket_);
    at_hand = this;
}

TimedStream::~TimedStream() {
    at_hand = nullptr;
    pool_.leave(socket_);
}

bool TimedStream::wait(short what, Time until) const {
    constexpr std::chrono::milliseconds kMoment{100}; // for a client that is about to send
    pollfd watched{socket_, what, 0};
    const auto poll = [&](std::chrono::milliseconds most) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - clock_.now());
        const auto time = std::clamp(left, std::chrono::milliseconds(0), most);
        return ::poll(&watched, 1, static_cast<int>(time.count()));
    };
    int ready = poll(kMoment);
    if (ready <= 0) {
        pool_.set(socket_, ConnectionPool::At::Waiting);
        do {
            ready = poll(std::chrono::milliseconds::max());
        } while (ready < 0 && errno == EINTR);
        pool_.set(socket_, ConnectionPool::At::Served);
    }
    return ready > 0 && (watched.revents & (what | POLLHUP)) != 0;
}

bool TimedStream::fill(Time until) {
    if (!wait(POLLIN, until)) return false;
    const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
    if (got <= 0) return false;
    begin_ = 0;
    end_ = static_cast<std::size_t>(got);
    return true;
}

bool TimedStream::next_request() {
    if (failed_) return false;
    pool_.enter(socket_);
    if (begin_ == end_ && !fill(clock_.now() + limits_.idle)) return false;
    bytes_ = 0;
    deadline_ = clock_.now() + limits_.request;
    return true;
}

void TimedStream::hear_out() {
    ::shutdown(socket_, SHUT_WR);
    const Time until = clock_.now() + std::chrono::seconds(1);
    for (std::size_t heard = 0; heard < limits_.request_bytes && fill(until); heard += end_) {
    }
}

bool TimedStream::is_readable() const {
    return begin_ < end_ || wait(POLLIN, deadline_);
}

bool TimedStream::is_writable() const {
    // Detects a closed connection at once, so that no events are written for it.
    pollfd watched{socket_, POLLOUT | POLLRDHUP, 0};
    return ::poll(&watched, 1, 0) >= 0 && (watched.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0;
}

ssize_t TimedStream::read(char* into, std::size_t size) {
    failed_ = failed_ || bytes_ >= limits_.request_bytes || clock_.now() >= deadline_ ||
              (begin_ == end_ && !fill(deadline_));
    // The library still answers then; later bytes are not a request.
    if (failed_) return -1;
    const std::size_t count = std::min({size, end_ - begin_, limits_.request_bytes - bytes_});
    std::memcpy(into, buffer_.data() + begin_, count);
    begin_ += count;
    bytes_ += count;
    return static_cast<ssize_t>(count);
}

// Writes all, or fails.
ssize_t TimedStream::write(const char* from, std::size_t size) {
    const Time until = clock_.now() + limits_.write;
    std::size_t sent = 0;
    while (sent < size) {
        const ssize_t count =
            ::send(socket_, from + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0) {
            sent += static_cast<std::size_t>(count);
            continue;
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN || !wait(POLLOUT, until)) {
            failed_ = true;
            return -1;
        }
    }
    return static_cast<ssize_t>(sent);
}

// Addresses of clients are not used.
void TimedStream::get_remote_ip_and_port(std::string& ip, int& port) const {
    ip.clear();
    port = 0;
}

void TimedStream::get_local_ip_and_port(std::string& ip, int& port) const {
    ip.clear();
    port = 0;
}

// ---- the head of a request ----------------------------------------------------------------------

RequestFilter::RequestFilter(HttpSettings settings, const agents::Clock& clock)
    : settings_(std::move(settings)), clock_(clock), allowance_(settings_.posts_per_second),
      allowed_at_(clock.now()) {}

// If a token is required, it identifies the client: a page that pretends to be of this server under
// another name (DNS rebinding) lacks our cookie, since browsers store cookies by name.
bool RequestFilter::is_own_host(std::string_view host) const {
    if (!settings_.token.empty()) return !host.empty();
    const std::string wanted = lower(host);
    const auto is = [&](const std::string& name) {
        return wanted == fmt::format("{}:{}", name, port_) || (port_ == 80 && wanted == name);
    };
    return is(settings_.host) || std::any_of(settings_.names.begin(), settings_.names.end(), is);
}

bool RequestFilter::trusts(const Request& request) const {
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

std::optional<std::string> RequestFilter::cookie_for(const Request& request) const {
    if (settings_.token.empty() || request.path != "/" || !request.has_param("token") ||
        !same_secret(request.get_param_value("token"), settings_.token))
        return std::nullopt;
    return fmt::format("{}{}; HttpOnly; SameSite=Strict; Path=/", kCookie, settings_.token);
}

// A token bucket: a rate per second, with some saved up.
bool RequestFilter::takes_post() {
    const std::lock_guard lock(mutex_);
    const auto now = clock_.now();
    const double seconds = std::chrono::duration<double>(now - allowed_at_).count();
    allowed_at_ = now;
    allowance_ =
        std::min(allowance_ + seconds * settings_.posts_per_second, 2 * settings_.posts_per_second);
    if (allowance_ < 1) return false;
    --allowance_;
    return true;
}

std::optional<RequestFilter::No> RequestFilter::refuse(const Request& request) {
    // A foreign name that leads here: some page pretends that we are its server.
    const std::string host = request.get_header_value("Host");
    if (request.get_header_value_count("Host") != 1 || !is_own_host(host))
        return No{403, "Use the address that croupier serve has printed."};
    // Refuses requests by pages of other sites, which use the reader's browser. A request under one
    // of our names comes from a page loaded under the same name.
    const std::string origin = request.get_header_value("Origin");
    const bool ours =
        origin.starts_with(kScheme) && is_own_host(origin.substr(kScheme.size())) &&
        (settings_.token.empty() || lower(origin.substr(kScheme.size())) == lower(host));
    const std::string from = request.get_header_value("Sec-Fetch-Site");
    const bool opens = request.get_header_value("Sec-Fetch-Mode") == "navigate";
    if ((request.has_header("Origin") && !ours) ||
        ((from == "cross-site" || from == "same-site") && !opens))
        return No{403, "Requests from pages of another site are refused."};
    if (request.path.size() > kMaxPath) return No{414, "There is no such page."};
    if (request.method != "GET" && request.method != "HEAD" && request.method != "POST")
        return No{405, "Method not allowed."};
    // Refuses compressed bodies, and small requests for large answers.
    if (request.has_header("Content-Encoding")) return No{415, "A request body must be JSON."};
    if (request.has_header("Range")) return No{400, "Range requests are not supported."};
    if (request.method != "POST") return std::nullopt;
    if (request.get_header_value("Content-Type") != "application/json")
        return No{415, "A request body must be JSON."};
    // With two lengths, or none, the end of the body is ambiguous.
    std::size_t bytes = 0;
    const std::string length = request.get_header_value("Content-Length");
    const auto [end, wrong] = std::from_chars(length.data(), length.data() + length.size(), bytes);
    if (wrong == std::errc::result_out_of_range ||
        (wrong == std::errc{} && bytes > settings_.limits.body_bytes))
        return No{413, "That is too large."};
    if (request.get_header_value_count("Content-Length") != 1 || wrong != std::errc{} ||
        end != length.data() + length.size() || request.has_header("Transfer-Encoding"))
        return No{411, "A request with a body needs exactly one Content-Length."};
    // Origin may be missing or wrong, but other sites cannot read the key.
    if (!same_secret(request.get_header_value(kKey), settings_.key))
        return No{
            403,
            "A request that changes anything must show the key of this server, X-Croupier-Key."};
    if (!takes_post()) return No{429, "Too many requests; try again in a second."};
    return std::nullopt;
}

// ---- answers ------------------------------------------------------------------------------------

Answer answer_json(const Json& json) {
    return {.body = text_of(json)};
}

Answer answer_asset(std::string_view name) {
    const Asset& page = *asset(name);
    return {.type = std::string(page.type), .body = std::string(page.text)};
}

class HttpServer::Server : private httplib::Server {
  public:
    Server(HttpSettings settings, const agents::Clock& clock, std::vector<RouteHandler*> handlers);

    int bind(int port);
    void serve();
    void stop();

  private:
    bool process_and_close_socket(socket_t socket) override;
    void put(const Request& request, Response& response);
    [[nodiscard]] std::optional<Answer> asked(const Request& request);
    void give(Answer answer, Response& response);
    void stream(const std::shared_ptr<Events>& events, Response& response);

    RequestFilter filter_;
    const agents::Clock& clock_;
    const std::vector<RouteHandler*> handlers_;
    ConnectionPool* pool_ = nullptr; // of the server
    std::atomic<bool> stopped_ = false;
    std::atomic<bool> ended_ = false;
};

HttpServer::Server::Server(HttpSettings settings, const agents::Clock& clock,
                           std::vector<RouteHandler*> handlers)
    : filter_(std::move(settings), clock), clock_(clock), handlers_(std::move(handlers)) {
    new_task_queue = [this] {
        pool_ = new ConnectionPool(clock_,
                                   filter_.settings().limits.connections); // the library deletes it
        return pool_;
    };
    set_tcp_nodelay(true);
    set_default_headers({{"X-Content-Type-Options", "nosniff"},
                         {"X-Frame-Options", "DENY"},
                         {"Referrer-Policy", "no-referrer"},
                         {"Cross-Origin-Resource-Policy", "same-origin"},
                         {"Cross-Origin-Opener-Policy", "same-origin"},
                         {"Cache-Control", "no-store"}});
    set_pre_routing_handler([this](const Request& request, Response& response) {
        const auto no = filter_.refuse(request);
        if (!no) return HandlerResponse::Unhandled;
        answer_error(response, no->status, no->what);
        response.set_header("Content-Security-Policy", kPolicy);
        return HandlerResponse::Handled;
    });
    // A page of another site can choose the body it sends. If a byte of it stayed unread on an open
    // connection, it would be parsed as the next request, with a head chosen by that page. So a
    // connection stays open only after a request without a body that succeeded.
    set_post_routing_handler([](const Request& request, Response& response) {
        const bool bare = !request.has_header("Content-Length") &&
                          !request.has_header("Transfer-Encoding") && request.method != "POST";
        if (bare && response.status < 400) return;
        TimedStream::current()->end_requests();
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
    // Not the library's default, which lets two servers share a port.
    set_socket_options([](socket_t socket) {
        const int yes = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    const std::string& host = filter_.settings().host;
    int bound = port;
    if (port == 0)
        bound = bind_to_any_port(host);
    else if (!bind_to_port(host, port))
        bound = 0;
    // The library's backlog is five; a sixth client would retry only after a second.
    if (bound > 0) ::listen(svr_sock_, SOMAXCONN);
    filter_.set_port(std::max(bound, 0));
    return std::max(bound, 0);
}

void HttpServer::Server::serve() {
    listen_after_bind();
    ended_ = true;
}

void HttpServer::Server::stop() {
    stopped_ = true;
    for (RouteHandler* const handler : handlers_)
        handler->stop();
    // The library ignores stop() before it has begun.
    while (!is_running() && !ended_)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    httplib::Server::stop();
}

bool HttpServer::Server::process_and_close_socket(socket_t socket) {
    const ConnectionLimits& limits = filter_.settings().limits;
    bool good = true;
    {
        TimedStream stream(socket, clock_, limits, *pool_);
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

// Errors in a request are reported only to its client.
void HttpServer::Server::put(const Request& request, Response& response) {
    try {
        if (const auto cookie = filter_.cookie_for(request)) {
            response.set_header("Set-Cookie", *cookie);
            response.set_redirect("/", 303);
        } else if (auto answer = asked(request)) {
            give(std::move(*answer), response);
        } else {
            answer_error(response, 404, "There is no such page.");
        }
    } catch (const Refused& refused) {
        answer_error(response, status_of(refused.reason), refused.what());
    } catch (const nlohmann::json::exception&) {
        answer_error(response, 400, "Malformed request.");
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
        .trusted = filter_.trusts(request)};
    if (question.is(2, "assets") && asset(question.parts[1]) != nullptr)
        return answer_asset(question.parts[1]);
    if (question.is(2, "api", "key")) return answer_json({{"key", filter_.settings().key}});
    const bool posts = request.method == "POST";
    if (posts) {
        if (!question.is(2, "api") && !question.is(3, "api") && !question.is(4, "api"))
            return std::nullopt;
        question.body = nlohmann::json::parse(request.body);
        if (!question.body.is_object()) throw Refused(Reason::Wrong, "Malformed request.");
    }
    for (RouteHandler* const handler : handlers_)
        if (auto answer = posts ? handler->post(question) : handler->get(question)) return answer;
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

// Sends each event at once, for as long as the page is open.
void HttpServer::Server::stream(const std::shared_ptr<Events>& events, Response& response) {
    response.set_chunked_content_provider(
        "text/event-stream", [this, events](std::size_t, httplib::DataSink& sink) {
            TimedStream::current()->set(ConnectionPool::At::Streams);
            std::string text = ": still here\n\n";
            try {
                for (std::chrono::milliseconds waited{0}; waited < kHeartbeat; waited += kPiece) {
                    if (stopped_ || !sink.is_writable()) return false;
                    if (const auto data = events->next(kPiece)) {
                        text = "data: " + *data + "\n\n";
                        break;
                    }
                }
            } catch (const Refused&) { // no more events will come
                return false;
            }
            return sink.write(text.data(), text.size());
        });
}

// ---- public functions ---------------------------------------------------------------------------

HttpServer::HttpServer(HttpSettings settings, const agents::Clock& clock,
                       std::vector<RouteHandler*> handlers)
    : server_(std::make_unique<Server>(std::move(settings), clock, std::move(handlers))) {}

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
