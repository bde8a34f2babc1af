// Threads, places, deadlines.
#include "tournaments/serve/crowd.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace croupier::serve {

Crowd::Crowd(const agents::Clock& clock, std::size_t most) : clock_(clock), most_(most) {}

Crowd::~Crowd() {
    shutdown();
}

void Crowd::enqueue(std::function<void()> serve) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(serve));
    if (waiting_.size() <= idle_) {
        changed_.notify_one();
    } else if (threads_.size() < most_) {
        threads_.emplace_back([this] { work(); });
    } else {
        make_room();
    }
}

std::size_t Crowd::count(At at) const {
    return static_cast<std::size_t>(std::count_if(
        guests_.begin(), guests_.end(), [at](const auto& each) { return each.second.at == at; }));
}

// Its thread finds the connection closed, and takes the next.
void Crowd::close_oldest(At at) {
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
// theirs by themselves. Requests that are being served end soon.
void Crowd::make_room() {
    for (std::size_t streams = count(At::Streams); streams > std::max<std::size_t>(most_ / 2, 1);
         --streams)
        close_oldest(At::Streams);
    if (threads_.size() < most_) return;
    for (std::size_t closing = count(At::Closing);
         closing + idle_ < waiting_.size() && count(At::Waiting) > 0; ++closing)
        close_oldest(At::Waiting);
}

void Crowd::shutdown() {
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

void Crowd::work() {
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

void Crowd::enter(int socket) {
    const std::lock_guard lock(mutex_);
    guests_[socket] = {At::Served, clock_.now()};
    if (stopped_) ::shutdown(socket, SHUT_RDWR);
}

void Crowd::leave(int socket) {
    const std::lock_guard lock(mutex_);
    guests_.erase(socket);
}

void Crowd::set(int socket, At at) {
    const std::lock_guard lock(mutex_);
    Guest& guest = guests_[socket];
    if (guest.at == At::Closing) return;
    guest.at = at;
    make_room();
}

// ---- one connection -----------------------------------------------------------------------------

namespace {
thread_local Guarded* at_hand = nullptr;
}

Guarded* Guarded::current() {
    return at_hand;
}

Guarded::Guarded(int socket, const agents::Clock& clock, const CrowdLimits& limits, Crowd& crowd)
    : socket_(socket), clock_(clock), limits_(limits), crowd_(crowd) {
    crowd_.enter(socket_);
    at_hand = this;
}

Guarded::~Guarded() {
    at_hand = nullptr;
    crowd_.leave(socket_);
}

bool Guarded::wait(short what, Time until) const {
    constexpr std::chrono::milliseconds kMoment{100}; // for a client that is about to ask
    pollfd watched{socket_, what, 0};
    const auto poll = [&](std::chrono::milliseconds most) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - clock_.now());
        const auto time = std::clamp(left, std::chrono::milliseconds(0), most);
        return ::poll(&watched, 1, static_cast<int>(time.count()));
    };
    int ready = poll(kMoment);
    if (ready <= 0) {
        crowd_.set(socket_, Crowd::At::Waiting);
        do {
            ready = poll(std::chrono::milliseconds::max());
        } while (ready < 0 && errno == EINTR);
        crowd_.set(socket_, Crowd::At::Served);
    }
    return ready > 0 && (watched.revents & (what | POLLHUP)) != 0;
}

bool Guarded::fill(Time until) {
    if (!wait(POLLIN, until)) return false;
    const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
    if (got <= 0) return false;
    begin_ = 0;
    end_ = static_cast<std::size_t>(got);
    return true;
}

bool Guarded::next_request() {
    if (failed_) return false;
    crowd_.enter(socket_);
    if (begin_ == end_ && !fill(clock_.now() + limits_.idle)) return false;
    bytes_ = 0;
    deadline_ = clock_.now() + limits_.request;
    return true;
}

void Guarded::hear_out() {
    ::shutdown(socket_, SHUT_WR);
    const Time until = clock_.now() + std::chrono::seconds(1);
    for (std::size_t heard = 0; heard < limits_.request_bytes && fill(until); heard += end_) {
    }
}

bool Guarded::is_readable() const {
    return begin_ < end_ || wait(POLLIN, deadline_);
}

bool Guarded::is_writable() const {
    // A client that is gone is told of at once, so that nobody writes events for him.
    pollfd watched{socket_, POLLOUT | POLLRDHUP, 0};
    return ::poll(&watched, 1, 0) >= 0 && (watched.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0;
}

ssize_t Guarded::read(char* into, std::size_t size) {
    failed_ = failed_ || bytes_ >= limits_.request_bytes || clock_.now() >= deadline_ ||
              (begin_ == end_ && !fill(deadline_));
    // The library answers even then; what comes afterwards is no request.
    if (failed_) return -1;
    const std::size_t count = std::min({size, end_ - begin_, limits_.request_bytes - bytes_});
    std::memcpy(into, buffer_.data() + begin_, count);
    begin_ += count;
    bytes_ += count;
    return static_cast<ssize_t>(count);
}

// All of it, or nothing that counts.
ssize_t Guarded::write(const char* from, std::size_t size) {
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

// Who it is does not matter: addresses of clients are not looked at.
void Guarded::get_remote_ip_and_port(std::string& ip, int& port) const {
    ip.clear();
    port = 0;
}

void Guarded::get_local_ip_and_port(std::string& ip, int& port) const {
    ip.clear();
    port = 0;
}

} // namespace croupier::serve
