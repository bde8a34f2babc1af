// Reads clocks and /proc.
#include "tournaments/cli/machine.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

namespace croupier::cli {

std::string describe_machine() {
    utsname name{};
    ::uname(&name);
    std::string model;
    std::ifstream facts("/proc/cpuinfo");
    for (std::string line; model.empty() && std::getline(facts, line);)
        if (line.starts_with("model name"))
            model = line.substr(std::min(line.find(": "), line.size()));
    const std::size_t cores = machine_threads();
    return fmt::format("{} {}, {} core{}{}{}", name.sysname, name.machine, cores,
                       cores == 1 ? "" : "s", model.empty() ? "" : ", ",
                       model.empty() ? "" : model.substr(2));
}

// Fewer than the machine has, where we are confined to some of them.
std::size_t machine_threads() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const int mine =
        ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
    if (mine > 0) return static_cast<std::size_t>(mine);
    return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

std::string time_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

double seconds_now() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

std::uint64_t nanoseconds_now() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

} // namespace croupier::cli
