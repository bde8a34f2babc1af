// Looks at the head of a request.
#include "tournaments/serve/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include <httplib.h>

namespace croupier::serve {
namespace {

using httplib::Request;

constexpr std::size_t kMostPath = 200;
constexpr std::string_view kCookie = "croupier=";
constexpr const char* kKey = "X-Croupier-Key";
constexpr std::string_view kScheme = "http://";

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

Gate::Gate(HttpSettings settings, const agents::Clock& clock)
    : settings_(std::move(settings)), clock_(clock), allowance_(settings_.posts_per_second),
      allowed_at_(clock.now()) {}

// Who has to show a token is known by it: a page that pretends to be of this server under another
// name (DNS rebinding) has no cookie of ours, since browsers keep them by name.
bool Gate::is_own_host(std::string_view host) const {
    if (!settings_.token.empty()) return !host.empty();
    const std::string wanted = lower(host);
    const auto is = [&](const std::string& name) {
        return wanted == fmt::format("{}:{}", name, port_) || (port_ == 80 && wanted == name);
    };
    return is(settings_.host) || std::any_of(settings_.names.begin(), settings_.names.end(), is);
}

bool Gate::trusts(const Request& request) const {
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

std::optional<std::string> Gate::cookie_for(const Request& request) const {
    if (settings_.token.empty() || request.path != "/" || !request.has_param("token") ||
        !same_secret(request.get_param_value("token"), settings_.token))
        return std::nullopt;
    return fmt::format("{}{}; HttpOnly; SameSite=Strict; Path=/", kCookie, settings_.token);
}

// So many in a second, of which some may be saved up.
bool Gate::takes_post() {
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

std::optional<Gate::No> Gate::refuse(const Request& request) {
    // A name that leads here though it is none of ours: somebody's page pretends that we are its
    // server.
    const std::string host = request.get_header_value("Host");
    if (request.get_header_value_count("Host") != 1 || !is_own_host(host))
        return No{403, "This address is not the one that croupier serve has printed."};
    // Another site's page asks in its reader's name. What is asked under one of our names comes
    // from a page that has been asked for under the same.
    const std::string origin = request.get_header_value("Origin");
    const bool ours =
        origin.starts_with(kScheme) && is_own_host(origin.substr(kScheme.size())) &&
        (settings_.token.empty() || lower(origin.substr(kScheme.size())) == lower(host));
    const std::string from = request.get_header_value("Sec-Fetch-Site");
    const bool opens = request.get_header_value("Sec-Fetch-Mode") == "navigate";
    if ((request.has_header("Origin") && !ours) ||
        ((from == "cross-site" || from == "same-site") && !opens))
        return No{403, "A page of another site may not ask this."};
    if (request.path.size() > kMostPath) return No{414, "There is no such page."};
    if (request.method != "GET" && request.method != "HEAD" && request.method != "POST")
        return No{405, "Nothing here takes that method."};
    // Small bodies that become large ones, small requests for large answers.
    if (request.has_header("Content-Encoding")) return No{415, "What is sent here is JSON."};
    if (request.has_header("Range")) return No{400, "Parts of pages cannot be had."};
    if (request.method != "POST") return std::nullopt;
    if (request.get_header_value("Content-Type") != "application/json")
        return No{415, "What is sent here is JSON."};
    // With two lengths, or none, it is unclear where a body ends.
    std::size_t bytes = 0;
    const std::string length = request.get_header_value("Content-Length");
    const auto [end, wrong] = std::from_chars(length.data(), length.data() + length.size(), bytes);
    if (wrong == std::errc::result_out_of_range ||
        (wrong == std::errc{} && bytes > settings_.limits.body_bytes))
        return No{413, "That is too large."};
    if (request.get_header_value_count("Content-Length") != 1 || wrong != std::errc{} ||
        end != length.data() + length.size() || request.has_header("Transfer-Encoding"))
        return No{411, "A request with a body needs exactly one Content-Length."};
    // Origin may be missing or wrong; but no other site can read the key.
    if (!same_secret(request.get_header_value(kKey), settings_.key))
        return No{
            403,
            "A request that changes anything must show the key of this server, X-Croupier-Key."};
    if (!takes_post()) return No{429, "Too much is asked at once; try again in a second."};
    return std::nullopt;
}

} // namespace croupier::serve
