// A process between us and a program. It ends the program, with all that this has started, when we
// end, however we do; a second guardian does so if the program ends the first. It lends the program
// our terminal while that asks a person there.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

namespace croupier::agents {

// What a guardian tells, as datagrams on its line.
struct GuardianNews {
    enum class Kind : std::int32_t {
        Started,       // the value is the number of the program's process
        Ended,         // the value is how, as wait tells it
        WantsTerminal, // the program has been stopped, because it uses the terminal
    };
    Kind kind = Kind::Started;
    std::int32_t value = 0;
};

// What a guardian is told, as datagrams of one byte.
enum class GuardianOrder : std::uint8_t {
    Lend = 1, // the terminal to the program, as soon as it wants it and we have it
    TakeBack,
};

// The ends of a program's standard descriptors, in their order, and of the guardian's line.
struct GuardedLines {
    std::array<int, 3> standard{-1, -1, -1};
    int line = -1;
};

// Forks a guardian, which has /bin/sh run the arguments; returns the number of the process to wait
// for, or -1. Whatever the program starts becomes a child of the guardian when its parent ends,
// even in a session of its own, so that nothing gets away. It is all killed, and the guardian ends,
// when the other end of the line is closed, by us or by the system when we are gone, and also when
// the guardian is killed.
//
// Since the program's process group is not ours, the system stops it when it reads the terminal.
// Who waits for its answer then orders the guardian to make that group the terminal's, as a shell
// does with a job, and to take the terminal back afterwards. Ctrl-C at the program's prompt is
// Ctrl-C for us as well, if the program ends by it.
pid_t start_guardian(const GuardedLines& lines, char* const* arguments);

} // namespace croupier::agents
