// A process between us and a program: it ends the program, with all that this has started, when we
// end, however we do.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

namespace croupier::agents {

// What a guardian tells, as datagrams on its line.
struct GuardianNews {
    enum class Kind : std::int32_t { Started, Ended };
    Kind kind = Kind::Started;
    std::int32_t value = 0; // the number of the program's process; how it ended, as wait tells it
};

// The ends of a program's standard descriptors, in their order, and of the guardian's line.
struct GuardedLines {
    std::array<int, 3> standard{-1, -1, -1};
    int line = -1;
};

// Forks a guardian, which has /bin/sh run the arguments; returns its number, or -1. Whatever the
// program starts becomes a child of the guardian when its parent ends, in a session of its own as
// well, so that nothing gets away. It is all killed, and the guardian ends, when the other end of
// the line is closed: by us, or by the system when we are gone.
pid_t start_guardian(const GuardedLines& lines, char* const* arguments);

} // namespace croupier::agents
