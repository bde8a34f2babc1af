// The server over real sockets, with good and bad clients.
#include "tournaments/serve/http.h"
#include "tournaments/serve/tables_handler.h"
#include "tournaments/serve/testing.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <functional>
#include <thread>

namespace croupier::serve {
namespace {

// A connection that sends arbitrary bytes.
class Raw {
  public:
    explicit Raw(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const void* const any = &address;
        connected_ = ::connect(socket_, static_cast<const sockaddr*>(any), sizeof address) == 0;
    }
    ~Raw() { ::close(socket_); }
    Raw(const Raw&) = delete;
    Raw& operator=(const Raw&) = delete;

    [[nodiscard]] bool connected() const { return connected_; }
    bool send(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    // Ends sending.
    void end() const { ::shutdown(socket_, SHUT_WR); }
    // Reads until `enough` holds for the text, or the other end closes; waits at most ten minutes
    // for more.
    std::string read_until(const std::function<bool(const std::string&)>& enough) const {
        std::string text;
        std::array<char, 4096> buffer{};
        while (!enough(text)) {
            pollfd watched{socket_, POLLIN, 0};
            if (::poll(&watched, 1, 600'000) <= 0) break;
            const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
            if (got <= 0) break;
            text.append(buffer.data(), static_cast<std::size_t>(got));
        }
        return text;
    }
    // Reads everything until it is closed.
    [[nodiscard]] std::string read_all() const {
        return read_until([](const std::string&) { return false; });
    }

  private:
    int socket_;
    bool connected_ = false;
};

struct Reply {
    int status = 0;
    std::string head;
    std::string body;
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(body); }
};

class HttpTest : public ServeTest {
  protected:
    // Time stands still.
    struct StandingClock : agents::Clock {
        [[nodiscard]] std::chrono::nanoseconds now() const override { return {}; }
    };

    void SetUp() override {
        ServeTest::SetUp();
        settings_.key = "k0123456789";
        settings_.posts_per_second = 10'000;
        // Valid requests are answered, however slow the machine is.
        settings_.limits.request = settings_.limits.idle = settings_.limits.write =
            std::chrono::minutes(10);
        listen();
    }
    void TearDown() override {
        close();
        ServeTest::TearDown();
    }
    void listen() {
        handler_ = std::make_unique<TablesHandler>(*catalogue_, *tables_);
        server_ = std::make_unique<HttpServer>(settings_, *time_,
                                               std::vector<RouteHandler*>{handler_.get()});
        port_ = server_->bind(0);
        ASSERT_GT(port_, 0);
        thread_ = std::thread([this] { server_->serve(); });
    }
    void close() {
        if (server_ == nullptr) return;
        server_->stop();
        thread_.join();
        server_.reset();
    }
    [[nodiscard]] std::string host() const { return fmt::format("127.0.0.1:{}", port_); }

    // A request with those header lines, and Host and the key unless given.
    [[nodiscard]] Reply ask(const std::string& request, const std::string& headers = "",
                            const std::string& body = "") const {
        const Raw raw(port_);
        raw.send(fmt::format("{} HTTP/1.1\r\n{}{}Connection: close\r\n\r\n{}", request,
                             unless_in(headers, "Host: " + host()) +
                                 unless_in(headers, "X-Croupier-Key: " + settings_.key),
                             headers, body));
        const std::string text = raw.read_all();
        Reply answer;
        const std::size_t end = text.find("\r\n\r\n");
        if (text.size() < 12 || end == std::string::npos) return answer;
        answer.status = std::stoi(text.substr(9, 3));
        answer.head = text.substr(0, end);
        answer.body = text.substr(end + 4);
        return answer;
    }
    static std::string unless_in(const std::string& headers, const std::string& line) {
        const bool has = headers.find(line.substr(0, line.find(':') + 1)) != std::string::npos;
        return has ? "" : line + "\r\n";
    }
    [[nodiscard]] Reply get(const std::string& path, const std::string& headers = "") const {
        return ask("GET " + path, headers);
    }
    [[nodiscard]] Reply
    post(const std::string& path, const nlohmann::json& body,
         const std::string& headers = "Content-Type: application/json\r\n") const {
        const std::string text = body.dump();
        return ask("POST " + path, headers + fmt::format("Content-Length: {}\r\n", text.size()),
                   text);
    }
    std::string laid(const std::string& game, std::size_t seats) const {
        return post("/api/tables", table_of(game, seats)).json()["chair"];
    }

    HttpSettings settings_;
    const StandingClock no_time_{};
    const agents::Clock* time_ = &clock_; // the server's
    int port_ = 0;
    std::unique_ptr<TablesHandler> handler_;
    std::unique_ptr<HttpServer> server_;
    std::thread thread_;
};

TEST_F(HttpTest, pages_are_small_and_carry_no_script_of_their_own) {
    const Reply home = get("/");
    EXPECT_EQ(home.status, 200);
    EXPECT_NE(home.head.find("Content-Security-Policy: default-src 'none'; script-src 'self'"),
              std::string::npos);
    EXPECT_EQ(home.head.find("unsafe"), std::string::npos);
    EXPECT_NE(home.head.find("X-Content-Type-Options: nosniff"), std::string::npos);
    std::size_t all = home.body.size();
    for (const char* name : {"app.css", "common.js", "home.js", "scene.js", "table.js"})
        all += get(std::string("/assets/") + name).body.size();
    EXPECT_LT(all, 200'000U);
    for (const char* page : {"/", "/table/x", "/join/x"}) {
        const std::string body = get(page).body;
        EXPECT_EQ(body.find("onclick"), std::string::npos);
        EXPECT_EQ(body.find("style="), std::string::npos);
        EXPECT_EQ(body.find("<script>"), std::string::npos);
    }
}

TEST_F(HttpTest, a_game_is_played_and_no_byte_tells_of_a_hidden_card) {
    const std::string chair = laid("belote", 4);
    const Raw events(port_);
    events.send(
        fmt::format("GET /api/table/{}/events HTTP/1.1\r\nHost: {}\r\n\r\n", chair, host()));
    std::vector<std::pair<std::size_t, std::string>> told;
    std::string stream;
    // A slow listener gets only the latest state: so wait for each.
    const auto hear_of = [&](std::size_t ply) {
        for (;;) {
            const std::size_t end = stream.rfind("\n\n");
            const std::size_t begin = stream.rfind("data: ", end);
            if (end != std::string::npos && begin != std::string::npos &&
                Json::parse(stream.substr(begin + 6, end - begin - 6))["ply"] == ply)
                return true;
            const std::string more =
                events.read_until([](const std::string& text) { return !text.empty(); });
            if (more.empty()) return false;
            stream += more;
        }
    };
    for (;;) {
        settled(chair);
        const Reply state = get("/api/table/" + chair);
        ASSERT_EQ(state.status, 200);
        const Json json = state.json();
        ASSERT_TRUE(hear_of(json["ply"])) << json["ply"];
        told.emplace_back(json["ply"], state.head + state.body);
        if (!json.contains("moves")) break;
        const Reply moved = post("/api/table/" + chair + "/move",
                                 {{"ply", json["ply"]}, {"move", json["moves"][0]["name"]}});
        ASSERT_EQ(moved.status, 200) << moved.body;
        told.emplace_back(json["ply"], moved.body);
    }
    // A slow listener gets only the latest state, perhaps only the end.
    EXPECT_NE(stream.find("\"end\":{"), std::string::npos);
    std::size_t heard = 0;
    for (std::size_t at = stream.find("data: "); at != std::string::npos;
         at = stream.find("data: ", at + 1)) {
        const std::size_t end = stream.find("\n\n", at);
        if (end == std::string::npos) break;
        const std::string event = stream.substr(at + 6, end - at - 6);
        const std::size_t ply = Json::parse(event)["ply"];
        told.emplace_back(ply, event);
        ++heard;
    }
    EXPECT_GT(heard, 5U);
    const Reply record = get("/api/table/" + chair + "/record");
    ASSERT_EQ(record.status, 200);
    const std::size_t begin = record.body.find('{');
    expect_no_hidden_card(told, tournaments::moves_in(record.body.substr(begin)));
}

TEST_F(HttpTest, other_names_for_this_address_lead_nowhere) {
    for (const char* name : {"evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1",
                             "localhost.evil.example", ""})
        EXPECT_EQ(get("/", fmt::format("Host: {}\r\n", name)).status, 403) << name;
    EXPECT_EQ(get("/", fmt::format("Host: localhost:{}\r\n", port_)).status, 200);
    EXPECT_EQ(get("/", fmt::format("Host: LOCALHOST:{}\r\n", port_)).status, 200);
    const std::string two = fmt::format("Host: {0}\r\nHost: {0}\r\n", host());
    EXPECT_EQ(get("/", two).status, 403);
}

TEST_F(HttpTest, pages_of_other_sites_can_ask_nothing) {
    const std::string chair = laid("life", 2);
    const std::string json = "Content-Type: application/json\r\n";
    for (const std::string& origin :
         {std::string("http://evil.example"), std::string("null"), "https://" + host(),
          fmt::format("http://127.0.0.1:{}", port_ + 1)}) {
        EXPECT_EQ(
            post("/api/tables", table_of("life", 2), json + "Origin: " + origin + "\r\n").status,
            403)
            << origin;
        EXPECT_EQ(get("/api/table/" + chair + "/events", "Origin: " + origin + "\r\n").status, 403);
    }
    EXPECT_EQ(get("/api/games", "Sec-Fetch-Site: cross-site\r\n").status, 403);
    EXPECT_EQ(get("/", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n").status, 200)
        << "a link may lead here";
    // Content types that a form of another site can send.
    for (const char* type :
         {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"})
        EXPECT_EQ(
            post("/api/tables", table_of("life", 2), fmt::format("Content-Type: {}\r\n", type))
                .status,
            415);
    EXPECT_EQ(
        post("/api/tables", table_of("life", 2), json + "Origin: http://" + host() + "\r\n").status,
        200);
    EXPECT_EQ(get("/api/games").head.find("Access-Control"), std::string::npos);
}

// A page of another site chooses the body of a form: whatever the server answers, the body must
// never be parsed as a request.
TEST_F(HttpTest, what_follows_a_body_is_no_request) {
    const std::string inner = table_of("life", 2).dump();
    const std::string key = "X-Croupier-Key: " + settings_.key + "\r\n";
    const std::string json = "Content-Type: application/json\r\n";
    const std::string smuggled =
        fmt::format("POST /api/tables HTTP/1.1\r\nHost: {}\r\n{}{}Content-Length: {}\r\n\r\n{}",
                    host(), json, key, inner.size(), inner);
    const std::string length = fmt::format("Content-Length: {}\r\n", smuggled.size());
    const std::string good = "Host: " + host() + "\r\n" + json + key;
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    const struct {
        int status;
        std::string head;
    } cases[] = {
        {403, "POST /api/tables HTTP/1.1\r\nOrigin: http://evil.example\r\n" + good + length},
        {403, "POST /api/tables HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\n" + good + length},
        {403, "POST /api/tables HTTP/1.1\r\nHost: evil.example\r\n" + json + key + length},
        {403, "POST /api/tables HTTP/1.1\r\nHost: " + host() + "\r\n" + json + length},
        {403, "GET /api/games HTTP/1.1\r\nOrigin: null\r\n" + good + length},
        {415, "POST /api/tables HTTP/1.1\r\nHost: " + host() + "\r\nContent-Type: text/plain\r\n" +
                  key + length},
        {415, "POST /api/tables HTTP/1.1\r\nContent-Encoding: gzip\r\n" + good + length},
        {411, "POST /api/tables HTTP/1.1\r\n" + good + chunked},
        {411, "POST /api/tables HTTP/1.1\r\n" + good + chunked + length},
        {411, "POST /api/tables HTTP/1.1\r\n" + good + "Content-Length: 0\r\n" + length},
        {411, "POST /api/tables HTTP/1.1\r\n" + good + length + "Content-Length: 0\r\n"},
        {411, "POST /api/tables HTTP/1.1\r\n" + good},
        {400, "POST /api/tables HTTP/1.1\r\n" + good + length},
        {400, "POST /api/tables HTTP/1.1\r\n" + good + "Content-Length: 0\r\n"},
        {404, "POST /nothing HTTP/1.1\r\n" + good + length},
        {404, "POST /api/table/none/undo HTTP/1.1\r\n" + good + "Content-Length: 2\r\n\r\n{}"},
        {413, "POST /api/tables HTTP/1.1\r\n" + good + "Content-Length: 99999999999\r\n"},
        {414, "POST /" + std::string(300, 'a') + " HTTP/1.1\r\n" + good + length},
        {414, "POST /" + std::string(9000, 'a') + " HTTP/1.1\r\n" + good + length},
        {405, "DELETE /api/tables HTTP/1.1\r\n" + good + length},
        {405, "OPTIONS /api/tables HTTP/1.1\r\n" + good + length},
        {400, "GET /assets/app.css HTTP/1.1\r\nRange: bytes=0-1\r\n" + good + length},
        {400, "POST /api/tables\r\n" + good + length},
        {200, "GET /api/games HTTP/1.1\r\n" + good + length},
        {200, "HEAD /api/games HTTP/1.1\r\n" + good + length},
        {404, "GET /api/nothing HTTP/1.1\r\n" + good},
    };
    for (const auto& [status, head] : cases) {
        const bool has_end = head.find("\r\n\r\n") != std::string::npos;
        const Raw raw(port_);
        raw.send(head + (has_end ? "" : "\r\n") + smuggled);
        raw.end();
        const std::string text = raw.read_all();
        std::size_t answers = 0;
        for (std::size_t at = text.find("HTTP/1.1 "); at != std::string::npos;
             at = text.find("HTTP/1.1 ", at + 1))
            ++answers;
        EXPECT_EQ(answers, 1U) << head << text;
        EXPECT_TRUE(text.starts_with(fmt::format("HTTP/1.1 {} ", status))) << head << text;
        EXPECT_NE(text.find("\r\nConnection: close\r\n"), std::string::npos) << text;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tables")) << "a table was laid";
    // Pages that only read keep their connection.
    const Raw raw(port_);
    raw.send(
        fmt::format("GET /api/games HTTP/1.1\r\nHost: {0}\r\n\r\nGET / HTTP/1.1\r\nHost: {0}\r\n"
                    "Connection: close\r\n\r\n",
                    host()));
    const std::string text = raw.read_all();
    EXPECT_NE(text.find("HTTP/1.1 200", 1), std::string::npos) << text;
}

TEST_F(HttpTest, what_changes_anything_shows_the_key_of_the_pages) {
    EXPECT_EQ(get("/api/key").json()["key"], settings_.key);
    EXPECT_EQ(get("/api/key", "Origin: http://evil.example\r\n").status, 403);
    for (const std::string& key : {std::string(), std::string("k"), settings_.key + "0"})
        EXPECT_EQ(post("/api/tables", table_of("life", 2),
                       "Content-Type: application/json\r\nX-Croupier-Key: " + key + "\r\n")
                      .status,
                  403)
            << key;
    EXPECT_EQ(post("/api/tables", table_of("life", 2)).status, 200);
}

TEST_F(HttpTest, no_path_leads_out) {
    for (const char* path :
         {"/../../etc/passwd", "/assets/../http.cpp", "/assets/..%2f..%2fetc%2fpasswd",
          "/assets/%2e%2e/x", "/assets/", "/assets/none.js", "//etc/passwd", "/api/table/../games",
          "/assets/table.js%00.png", "/etc/passwd", "/api/nothing", "/table"})
        EXPECT_EQ(get(path).status, 404) << path;
    EXPECT_EQ(get("/api/game?id=../../../etc/passwd").status, 404);
    EXPECT_EQ(get("/api/game?id=" + folder_.string()).status, 404);
    EXPECT_EQ(get("/" + std::string(5000, 'a')).status, 414);
}

TEST_F(HttpTest, what_is_too_large_or_not_understood_is_refused) {
    const std::string json = "Content-Type: application/json\r\n";
    EXPECT_EQ(ask("POST /api/tables", json + "Content-Length: 2\r\n", "{]").status, 400);
    EXPECT_EQ(ask("POST /api/tables", json + "Content-Length: 2\r\n", "[]").status, 400);
    EXPECT_EQ(post("/api/tables", {{"game", "life"}, {"seats", {{{"who", 3}}}}}).status, 400);
    // Bodies that are declared too large are refused at once.
    for (const char* length : {"560000", "99999999999", "18446744073709551617"})
        EXPECT_EQ(ask("POST /api/tables", json + "Content-Length: " + length + "\r\n",
                      std::string(560'000, ' '))
                      .status,
                  413)
            << length;
    for (const char* length : {"-1", "x", "0x10", "1 1"})
        EXPECT_EQ(ask("POST /api/tables", json + "Content-Length: " + length + "\r\n", "{}").status,
                  411)
            << length;
    EXPECT_EQ(post("/api/tables", table_of("life", 2), json + "Content-Encoding: br\r\n").status,
              415);
    EXPECT_EQ(get("/assets/table.js", "Range: bytes=0-1,0-1\r\n").status, 400);
    EXPECT_EQ(ask("DELETE /api/tables").status, 405);
    EXPECT_EQ(ask("OPTIONS /api/tables").status, 405);
    // Deep JSON, and heads without an end.
    const std::string deep(30'000, '[');
    EXPECT_EQ(
        ask("POST /api/tables", json + fmt::format("Content-Length: {}\r\n", deep.size()), deep)
            .status,
        400);
    const Raw endless(port_);
    bool open = true;
    for (int i = 0; i < 100'000 && open; ++i)
        open = endless.send("X-Filler: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n");
    EXPECT_FALSE(open) << "some megabytes of head were taken";
    EXPECT_EQ(get("/").status, 200);
}

TEST_F(HttpTest, those_who_dribble_or_listen_forever_keep_nobody_out) {
    close();
    settings_.limits = {};
    settings_.limits.connections = 12;
    listen();
    const std::string chair = laid("life", 2);
    std::vector<std::unique_ptr<Raw>> slow;
    for (int i = 0; i < 40; ++i) {
        slow.push_back(std::make_unique<Raw>(port_));
        // One third sends nothing, one third begins a request, one third requests events and reads
        // none.
        if (i % 3 == 1) slow.back()->send("GET / HTTP/1.1\r\nHost:");
        if (i % 3 == 2)
            slow.back()->send(fmt::format("GET /api/table/{}/events HTTP/1.1\r\nHost: {}\r\n\r\n",
                                          chair, host()));
    }
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(get("/api/table/" + chair).status, 200);
}

TEST_F(HttpTest, more_listeners_than_there_are_places_leave_the_server_to_others) {
    close();
    settings_.limits.connections = 12;
    listen();
    const std::string chair = laid("life", 2);
    std::vector<std::unique_ptr<Raw>> idle;
    for (int i = 0; i < 60; ++i) {
        idle.push_back(std::make_unique<Raw>(port_));
        idle.back()->send(
            fmt::format("GET /api/table/{}/events HTTP/1.1\r\nHost: {}\r\n\r\n", chair, host()));
    }
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(get("/api/table/" + chair).status, 200);
    EXPECT_NE(idle.back()
                  ->read_until([](const std::string& text) {
                      return text.find("data: ") != std::string::npos;
                  })
                  .find("data: "),
              std::string::npos)
        << "the last to come listens";
}

TEST_F(HttpTest, a_request_has_to_be_over_in_time) {
    close();
    settings_.limits.request = std::chrono::milliseconds(200);
    listen();
    const Raw slow(port_);
    slow.send("GET / HTTP/1.1\r\n");
    bool open = true;
    for (int i = 0; i < 12'000 && open; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        open = slow.send("X: y\r\n");
    }
    EXPECT_FALSE(open) << "it was dribbled to for ten minutes";
}

TEST_F(HttpTest, too_many_requests_are_told_so) {
    close();
    settings_.posts_per_second = 2;
    time_ = &no_time_; // otherwise sufficiently slow requests are all accepted
    listen();
    int refused = 0;
    for (int i = 0; i < 40; ++i)
        refused += post("/api/join/x", Json::object()).status == 429 ? 1 : 0;
    EXPECT_GT(refused, 0);
    EXPECT_EQ(get("/").status, 200);
}

TEST_F(HttpTest, with_a_token_only_who_has_it_lays_tables) {
    close();
    settings_.token = "0123456789abcdef";
    listen();
    EXPECT_EQ(get("/").status, 401);
    EXPECT_EQ(get("/api/games").status, 401);
    EXPECT_EQ(get("/?token=wrong").status, 401);
    EXPECT_EQ(post("/api/tables", table_of("life", 2)).status, 401);
    const Reply in = get("/?token=" + settings_.token);
    EXPECT_EQ(in.status, 303);
    EXPECT_NE(in.head.find("HttpOnly; SameSite=Strict"), std::string::npos);
    const std::string cookie = "Cookie: a=b; croupier=" + settings_.token + "\r\n";
    EXPECT_EQ(get("/", cookie).status, 200);
    const Reply laid =
        post("/api/tables", table_of("life", 2), cookie + "Content-Type: application/json\r\n");
    ASSERT_EQ(laid.status, 200);
    // A machine has many names; a cookie belongs to the one that was opened.
    const auto named = [](const char* host, const char* origin) {
        return std::string("Host: ") + host + "\r\nOrigin: http://" + origin + "\r\n";
    };
    EXPECT_EQ(get("/", cookie + named("my-machine:8787", "my-machine:8787")).status, 200);
    EXPECT_EQ(get("/", cookie + named("my-machine:8787", "other:8787")).status, 403);
    EXPECT_EQ(get("/", named("rebound.example:8787", "rebound.example:8787")).status, 401);
    // A chair's address is a secret of its own.
    EXPECT_EQ(get("/api/table/" + laid.json()["chair"].get<std::string>()).status, 200);
}

TEST_F(HttpTest, two_tabs_of_one_seat_see_the_same_and_the_later_click_is_stale) {
    const std::string chair = laid("life", 2);
    const Json one = settled(chair);
    const Json move = {{"ply", one["ply"]}, {"move", one["moves"][0]["name"]}};
    EXPECT_EQ(post("/api/table/" + chair + "/move", move).status, 200);
    EXPECT_EQ(post("/api/table/" + chair + "/move", move).status, 409);
    settled(chair);
    EXPECT_EQ(get("/api/table/" + chair).body, get("/api/table/" + chair).body);
}

TEST_F(HttpTest, a_port_that_is_taken_cannot_be_had) {
    HttpServer other(settings_, clock_, {handler_.get()});
    EXPECT_EQ(other.bind(port_), 0);
}

TEST_F(HttpTest, open_streams_do_not_delay_the_end) {
    const std::string chair = laid("life", 2);
    const Raw events(port_);
    events.send(
        fmt::format("GET /api/table/{}/events HTTP/1.1\r\nHost: {}\r\n\r\n", chair, host()));
    events.read_until(
        [](const std::string& text) { return text.find("data: ") != std::string::npos; });
    close();
    EXPECT_EQ(server_, nullptr);
}

} // namespace
} // namespace croupier::serve
