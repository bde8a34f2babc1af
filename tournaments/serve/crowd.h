// The connections of a server: each has a thread while it lasts, and none can hold up the others.
//
// There is room for so many. While others wait for a place, the connection that has kept the server
// waiting for longest is closed: a client that dribbles a request or reads no answer makes room for
// those that ask. Streams of events have half of the places.
#pragma once

#include "agents/registry.h"
#include "tournaments/serve/limits.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include <httplib.h>

namespace croupier::serve {

class Crowd : public httplib::TaskQueue {
  public:
    Crowd(const agents::Clock& clock, std::size_t most);
    ~Crowd() override;

    void enqueue(std::function<void()> serve) override;
    void shutdown() override;

    // What a connection is at; it tells so itself.
    enum class At : std::uint8_t {
        Waiting, // for its client: to send, or to take what is sent
        Streams, // events, for as long as its client likes
        Served,  // by us
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

// A connection with limits of time and size of its own.
class Guarded : public httplib::Stream {
  public:
    Guarded(int socket, const agents::Clock& clock, const CrowdLimits& limits, Crowd& crowd);
    ~Guarded() override;
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    // Waits for the first byte of the next request; false if none comes, or the last was no good.
    bool next_request();
    // This connection takes no other request: what is sent now may be the rest of a body.
    void end_requests() { failed_ = true; }
    // Ends the answer, then discards for a second what the client still sends: with unread bytes
    // the kernel would reset the connection, and the client might lose the answer.
    void hear_out();
    // Of the request that this thread is at; null: none.
    static Guarded* current();
    void set(Crowd::At at) { crowd_.set(socket_, at); }

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
    const CrowdLimits& limits_;
    Crowd& crowd_;
    std::vector<char> buffer_ = std::vector<char>(8192);
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t bytes_ = 0; // of this request
    Time deadline_{0};      // of it
    bool failed_ = false;   // too late, too long or gone: the last request
};

} // namespace croupier::serve
