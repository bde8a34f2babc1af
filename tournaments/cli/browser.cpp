// Leaves the choice of the browser to the desktop.
#include "tournaments/cli/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace croupier::cli {

bool open_in_browser(const std::string& address) {
    // It gives the address to a browser and ends; what it says belongs on no terminal.
    std::string program = "xdg-open";
    std::string argument = address;
    std::array<char*, 3> words = {program.data(), argument.data(), nullptr};
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    pid_t process = 0;
    const int failed =
        ::posix_spawnp(&process, program.c_str(), &actions, nullptr, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return false;
    int status = 0;
    return ::waitpid(process, &status, 0) == process && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

} // namespace croupier::cli
