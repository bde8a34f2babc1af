// Messages between a worker and its owner: lists of words over a socket.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <vector>

namespace croupier::games::clips {

using Words = std::vector<std::string>;

// Limit of a message's bytes, for both sides.
inline constexpr std::uint32_t kLongestMessage = std::uint32_t{1} << 28;

inline bool send_all(int socket, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t sent = send(socket, data, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        data += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

inline bool receive_all(int socket, char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t got = recv(socket, data, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        data += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

// False if the other side has closed.
inline bool send_words(int socket, const Words& words) {
    std::string bytes(sizeof(std::uint32_t), '\0');
    const auto put = [&](std::size_t at, std::size_t number) {
        const auto size = static_cast<std::uint32_t>(number);
        std::memcpy(&bytes[at], &size, sizeof size);
    };
    for (const std::string& word : words) {
        bytes.append(sizeof(std::uint32_t), '\0');
        put(bytes.size() - sizeof(std::uint32_t), word.size());
        bytes += word;
    }
    if (bytes.size() > kLongestMessage) return false;
    put(0, bytes.size() - sizeof(std::uint32_t));
    return send_all(socket, bytes.data(), bytes.size());
}

// Nothing if the other side has closed, or has sent an invalid message.
inline std::optional<Words> receive_words(int socket) {
    std::uint32_t size = 0;
    if (!receive_all(socket, reinterpret_cast<char*>(&size), sizeof size) || size > kLongestMessage)
        return {};
    std::string bytes(size, '\0');
    if (!receive_all(socket, bytes.data(), size)) return {};
    Words words;
    for (std::size_t at = 0; at < bytes.size();) {
        if (bytes.size() - at < sizeof size) return {};
        std::memcpy(&size, &bytes[at], sizeof size);
        at += sizeof size;
        if (bytes.size() - at < size) return {};
        words.emplace_back(bytes, at, size);
        at += size;
    }
    return words;
}

} // namespace croupier::games::clips
